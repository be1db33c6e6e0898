//! `plan`: checks the plan, compares it with the sources, and writes the task's change markers.

use super::{Context, Failure, Outcome, Signature, fail, one_of, text};
use crate::agent::arguments::Args;
use crate::layout::{PLAN, TASK};
use crate::plan::{ACTIONS, MarkerKind, plan_command};
use crate::port::FsPort;

pub(super) fn schema() -> Signature {
    let description = format!(
        "Works on the plan in {PLAN}. validate: lists its errors; diff: lists what the sources lack; show: lists its \
         screens and sections; update: writes the task's change markers into it, for all requirements of {TASK} or for \
         one part (section, marker, text); lint-config: prints its rules as JSON."
    );
    let arguments = const {
        &[
            one_of("action", &ACTIONS, "The operation"),
            text("section", "For update: the part to mark, as listed by show: hero, home/hero, home, theme"),
            one_of("marker", &MarkerKind::NAMES_OF_TASKS, "For update: the kind of change"),
            text("text", "For update: the change, for example: 2 nighttime drinks"),
        ]
    };
    (description, arguments, &["action"])
}

pub(super) async fn run(context: &Context<'_>, args: Args<'_>) -> Outcome {
    let words: Vec<String> = ["action", "section", "marker", "text"]
        .into_iter()
        .filter_map(|field| args.optional_text(field).map(str::to_owned))
        .collect();
    if words.len() != 1 && words.len() != 4 {
        return fail(
            "to mark one part of the plan, give all three of `section`, `marker` and `text`; otherwise only `action`",
        );
    }
    let answer = plan_command(context.host.project(), context.input.registry, &words).await?;
    if let Some((path, text)) = &answer.write {
        context.files.write_file(path, text.as_bytes()).await?;
    }
    let output = format!("{}{}", answer.stdout, answer.stderr);
    if answer.exit_code == 0 { Ok(output) } else { Err(Failure(output)) }
}
