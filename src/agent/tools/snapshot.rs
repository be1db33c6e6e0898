//! `snapshot`: saves, lists, compares and restores states of the whole project.

use super::{Context, Failure, Outcome, Signature, fail, one_of, text};
use crate::agent::arguments::Args;
use crate::agent::fact::IterationFact;
use crate::agent::guard::{Denied, Rule};
use crate::ledger::{ChangedBy, Part, Write, take_back};
use crate::snapshot::command::{Action, run as perform};
use crate::snapshot::{Step, capture, files_of_tag, restore_files};
use crate::text::counted;

pub(super) fn schema() -> Signature {
    let description = "Snapshots of the whole project. save: saves the files (message); list: lists all snapshots; \
                       diff: lists what changed since one (tag); rollback: takes your own changes back to one (tag); \
                       status: lists what changed since the last one.";
    let arguments = const {
        &[
            one_of("action", &["save", "list", "rollback", "diff", "status"], "The operation"),
            text("message", "For save: describes the state"),
            text("tag", "For rollback and diff: the tag of the snapshot, from list"),
        ]
    };
    (description.to_owned(), arguments, &["action"])
}

pub(super) async fn run(context: &Context<'_>, args: Args<'_>) -> Outcome {
    if context.host.git.is_none() {
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
    let rights = context.input.rights;
    if let Action::Rollback(tag) = &action
        && let Some(message) = rights.no_rollback()
    {
        return Err(context.files.refuse("rollback", tag, Denied::new(Rule::of_area(rights), message)).into());
    }
    if let Action::Rollback(tag) = &action {
        return roll_back(context, tag).await;
    }
    Ok(perform(context.host, context.input.watch, &action).await?.text)
}

/// Takes the agent's changes of the present attempt or task back to a snapshot, or to the beginning of the attempt, if the
/// snapshot is older. The user's changes stay, and files that the agent may not write.
async fn roll_back(context: &Context<'_>, tag: &str) -> Outcome {
    let (host, watch) = (context.host, context.input.watch);
    let target = files_of_tag(host, tag).await?;
    let captured = capture(host, watch, &context.observer.expected().await?).await?;
    context.observer.record_found(&captured.files).await?;
    let ledger = context.observer.ledger();
    let (mut writes, mut conflicts, mut refused) = (Vec::new(), Vec::new(), Vec::new());
    let histories = ledger.histories().iter().map(|(path, history)| (path, history, history.of_file()));
    for (path, history, file) in histories.filter(|(_, _, file)| file.has(ChangedBy::Agent)) {
        let before = captured.files.get(path).copied();
        let places = history.sources().into_iter().filter(|_| history.is_moved_by_user());
        let state = [path.as_str()].into_iter().chain(places).find_map(|place| target.get(place).copied());
        let start = file.steps_to(state);
        match take_back(host, &file, before, start).await? {
            Part::State(after) if after == before => {}
            part => match (context.files.check(path), part) {
                (Err(denied), _) => refused.push(context.files.refuse("rollback", path, denied).message.clone()),
                (Ok(()), Part::State(after)) => writes.push(Write { path: path.clone(), from: None, before, after }),
                (Ok(()), Part::Conflict(_)) => conflicts.push(path.clone()),
            },
        }
    }
    let step = |write: &Write| Step { before: write.before, after: write.after };
    let wanted = writes.iter().map(|write| (write.path.clone(), step(write))).collect();
    if !writes.is_empty() {
        context.observer.observe(IterationFact::WriteStarted(writes.clone())).await?;
        let left = restore_files(host, watch, tag, &wanted).await?.left;
        writes.retain(|write| !left.contains(&write.path));
        conflicts.extend(left);
    }
    let count = writes.len();
    writes.into_iter().for_each(|write| context.files.note_change(write));
    let kept = match conflicts.as_slice() {
        [] => String::new(),
        paths => format!(" These files keep the user's changes of the same lines: {}.", paths.join(", ")),
    };
    let refused = match refused.as_slice() {
        [] => String::new(),
        reasons => {
            format!("\nThese files stay as they are, because you may not write them:\n- {}", reasons.join("\n- "))
        }
    };
    Ok(format!(
        "Took {} back to {tag}. Files that you did not change in this attempt are as they were.{kept}{refused}",
        counted(count, "file")
    ))
}

fn required(tag: Option<&str>, action: &str) -> Result<String, Failure> {
    match tag.map(str::trim) {
        Some(tag) if !tag.is_empty() => Ok(tag.to_owned()),
        _ => fail(format!("`{action}` needs `tag`; call `list` to see the tags")),
    }
}
