//! `plan`: what the plan says, what of it is built, and the markers of the task (`seeds/003 §6`).

use super::{Context, Failure, Outcome, Signature, fail, one_of, text};
use crate::agent::arguments::Args;
use crate::layout::{PLAN, TASK};
use crate::plan::{ACTIONS, MarkerKind, plan_command};
use crate::port::{FsPort, Host};

pub(super) fn schema() -> Signature {
    let description = format!(
        "The plan in {PLAN}. validate: what is wrong with it; diff: what of it the sources lack; \
         show: its screens and sections; update: puts the task's change markers into it, for all \
         requirements of {TASK}, or one (section, marker, text); lint-config: its rules as JSON."
    );
    let arguments = const {
        &[
            one_of("action", &ACTIONS, "What to do"),
            text("section", "For update: the part to mark, as show names it: hero, home/hero, home, theme"),
            one_of("marker", &MarkerKind::NAMES_OF_TASKS, "For update: the kind of change"),
            text("text", "For update: what changes, such as: 2 nighttime drinks"),
        ]
    };
    (description, arguments, &["action"])
}

pub(super) async fn run<H: Host>(context: &Context<'_, H>, args: Args<'_>) -> Outcome {
    let words: Vec<String> = ["action", "section", "marker", "text"]
        .into_iter()
        .filter_map(|field| args.optional_text(field).map(str::to_owned))
        .collect();
    if words.len() != 1 && words.len() != 4 {
        return fail("to mark one part of the plan give `section`, `marker` and `text`, all three; else only `action`");
    }
    let answer = plan_command(context.host.project(), context.registry, &words).await?;
    if let Some((path, text)) = &answer.write {
        context.files.write_file(path, text.as_bytes()).await?;
    }
    let output = format!("{}{}", answer.stdout, answer.stderr);
    if answer.exit_code == 0 { Ok(output) } else { Err(Failure(output)) }
}
