//! `snapshot`: saves, lists, compares and restores states of the whole project.

use super::{Context, Failure, Outcome, Policy, Signature, fail, one_of, text};
use crate::agent::arguments::Args;
use crate::agent::fact::FileChangeKind;
use crate::agent::guard::{Denied, Rule};
use crate::layout::PLAN;
use crate::port::{DuePlan, Host, Phase};
use crate::snapshot::command::{Action, run as perform};

pub(super) fn schema() -> Signature {
    let description = "Snapshots of the whole project. save: saves the files (message); list: lists all snapshots; \
                       diff: lists what changed since one (tag); rollback: restores all files to one (tag) and first \
                       saves what it replaces; status: lists what changed since the last one.";
    let arguments = const {
        &[
            one_of("action", &["save", "list", "rollback", "diff", "status"], "The operation"),
            text("message", "For save: describes the state"),
            text("tag", "For rollback and diff: the tag of the snapshot, from list"),
        ]
    };
    (description.to_owned(), arguments, &["action"])
}

pub(super) async fn run<H: Host>(context: &Context<'_, H>, args: Args<'_>) -> Outcome {
    if context.host.git().is_none() {
        return fail("this project has no git, so snapshots are unavailable; continue without them");
    }
    let tag = args.optional_text("tag");
    let action = match args.text("action") {
        "save" if tag.is_some() => return fail("`save` chooses the tag itself; describe the state in `message`"),
        "save" => Action::Save(args.optional_text("message").map(str::to_owned)),
        "list" => Action::List,
        "diff" => Action::Diff(required(tag, "diff")?),
        "rollback" => Action::Rollback(required(tag, "rollback")?),
        _ => Action::Status,
    };
    if let Action::Rollback(tag) = &action
        && let Some(denied) = denied(context.input.policy)
    {
        return Err(context.files.refuse("rollback", tag, denied).into());
    }
    let output = perform(context.host, context.input.watch, &action).await?;
    if let Some(done) = &output.rollback {
        done.restored.iter().for_each(|path| context.files.note_change(path, FileChangeKind::Modified));
        done.deleted.iter().for_each(|path| context.files.note_change(path, FileChangeKind::Deleted));
    }
    Ok(output.text)
}

/// Why nothing is rolled back.
fn denied(policy: Policy) -> Option<Denied> {
    let (rule, message) = match (policy.phase, policy.due) {
        (Phase::Build, _) | (Phase::Plan, DuePlan::None) => return None,
        (Phase::Plan, DuePlan::Task) => {
            let rest = format!("write `{PLAN}` first: a valid plan opens the BUILD phase");
            (
                Rule::PlanPhase,
                format!("a rollback would change the sources, which the PLAN phase does not allow; {rest}"),
            )
        }
        (Phase::Plan, DuePlan::Spec) => {
            (Rule::PlanPhase, "a rollback would change the sources; the planner changes no code".to_owned())
        }
        (phase, _) => (
            Rule::ReadOnlyPhase,
            format!("a rollback would change the sources, which phase `{}` judges", phase.as_str()),
        ),
    };
    Some(Denied { rule, message })
}

fn required(tag: Option<&str>, action: &str) -> Result<String, Failure> {
    match tag.map(str::trim) {
        Some(tag) if !tag.is_empty() => Ok(tag.to_owned()),
        _ => fail(format!("`{action}` needs `tag`; call `list` to see the tags")),
    }
}
