//! `snapshot`: save points of the whole project (`seeds/003 §4`), told file by file.

use super::{Context, Failure, Outcome, Signature, fail, is_planning, one_of, text};
use crate::agent::arguments::Args;
use crate::agent::fact::FileChangeKind;
use crate::agent::guard::{Denied, Rule};
use crate::port::Host;
use crate::snapshot::{Change, FileChange, SaveOptions, SnapshotInfo, diff, list, rollback, save, status};

pub(super) fn schema() -> Signature {
    let description = "Snapshots of the whole project. save: keeps the files as they are (message); list: all \
                       snapshots; diff: what changed since one (tag); rollback: brings all files back to one (tag), \
                       and saves what it replaces; status: what changed since the last one.";
    let arguments = const {
        &[
            one_of("action", &["save", "list", "rollback", "diff", "status"], "What to do"),
            text("message", "For save: what this state is"),
            text("tag", "For rollback and diff: the snapshot's tag, as list shows it"),
        ]
    };
    (description.to_owned(), arguments, &["action"])
}

pub(super) async fn run<H: Host>(context: &Context<'_, H>, args: Args<'_>) -> Outcome {
    let host = context.host;
    if host.git().is_none() {
        return fail("this project has no git, so there are no snapshots; go on without them");
    }
    let tag = args.optional_text("tag");
    match args.text("action") {
        "save" if tag.is_some() => fail("`save` finds a tag itself: say what the state is in `message`"),
        "save" => {
            let options = SaveOptions { message: args.optional_text("message").map(str::to_owned), tag: None };
            let saved = save(host, &options).await?;
            let warnings = saved.warnings.iter().map(|warning| format!("\n{warning}"));
            Ok(format!("Saved {}{}", describe(&saved), warnings.collect::<String>()))
        }
        "list" => match list(host).await?.as_slice() {
            [] => Ok("There are no snapshots.".to_owned()),
            all => Ok(all.iter().map(describe).collect::<Vec<_>>().join("\n")),
        },
        "diff" => {
            let tag = required(tag, "diff")?;
            Ok(format!("Since {tag}:{}", summary(&diff(host, tag, None).await?)))
        }
        "rollback" => bring_back(context, required(tag, "rollback")?).await,
        _ => {
            let status = status(host).await?;
            let last = status.last.as_ref().map_or("no snapshot yet".to_owned(), |last| format!("last: {}", last.tag));
            let current = status.current.map_or("none equals the files".to_owned(), |tag| format!("current: {tag}"));
            Ok(format!("{last}; {current}; since then:{}", summary(&status.changes)))
        }
    }
}

async fn bring_back<H: Host>(context: &Context<'_, H>, tag: &str) -> Outcome {
    if is_planning(context.policy) {
        let message = "a rollback would change the sources, which the PLAN phase does not allow: write \
                       `.ralph/plan.tsx` first; the BUILD phase opens when it is valid"
            .to_owned();
        return Err(context.files.refuse("rollback", tag, Denied { rule: Rule::PlanPhase, message }).into());
    }
    let done = rollback(context.host, tag, false).await?;
    done.restored.iter().for_each(|path| context.files.note_change(path, FileChangeKind::Modified));
    done.deleted.iter().for_each(|path| context.files.note_change(path, FileChangeKind::Deleted));
    Ok(format!(
        "Rolled back to {tag}: {} files restored, {} deleted. What was there before is kept as {}.",
        done.restored.len(),
        done.deleted.len(),
        done.undo
    ))
}

fn required<'a>(tag: Option<&'a str>, action: &str) -> Result<&'a str, Failure> {
    match tag.map(str::trim) {
        Some(tag) if !tag.is_empty() => Ok(tag),
        _ => fail(format!("`{action}` needs `tag`: the action `list` shows the tags")),
    }
}

fn describe(snapshot: &SnapshotInfo) -> String {
    let message = snapshot.message.lines().next().unwrap_or_default();
    format!("{}: {message} ({} files, {} changed)", snapshot.tag, snapshot.files, snapshot.changed)
}

/// File by file, bounded: lines are too much for a model.
fn summary(changes: &[FileChange]) -> String {
    let lines = changes.iter().take(CHANGES_MAX).map(|file| match (file.change, &file.from) {
        (Change::Added, _) => format!("\nadded {}", file.path),
        (Change::Modified, _) => format!("\nmodified {}", file.path),
        (Change::Deleted, _) => format!("\ndeleted {}", file.path),
        (Change::Renamed, from) => format!("\nrenamed {} to {}", from.as_deref().unwrap_or_default(), file.path),
    });
    let more = match changes.len().saturating_sub(CHANGES_MAX) {
        0 => String::new(),
        more => format!("\n… and {more} more"),
    };
    if changes.is_empty() { " no changes".to_owned() } else { format!("{}{more}", lines.collect::<String>()) }
}

const CHANGES_MAX: usize = 100;
