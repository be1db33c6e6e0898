//! The `snapshot` command, for the agent's tool and for an IDE's shell.

use super::info::{Change, FileChange, Rollback, SnapshotInfo};
use super::{SaveOptions, Watch, diff, list, rollback_in, save_in, status};
use crate::error::Error;
use crate::port::Host;
use crate::text::counted;
use crate::utc;

/// A parsed command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Save the project, with this message.
    Save(Option<String>),
    /// List all snapshots.
    List,
    /// Roll the project back to this snapshot.
    Rollback(String),
    /// Show what changed since this snapshot.
    Diff(String),
    /// Show what changed since the last snapshot.
    Status,
}

/// The result of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// For a model or a person.
    pub text: String,
    /// What changed, if the action was a rollback.
    pub rollback: Option<Rollback>,
}

/// The help text of the command.
pub const USAGE: &str = "\
usage: snapshot save [MESSAGE]   save all files
       snapshot list             list all snapshots
       snapshot rollback TAG     restore all files; saves the current ones first
       snapshot diff TAG         what changed since a snapshot
       snapshot status           what changed since the last one
";

/// Parses the words after the command's name.
///
/// # Errors
/// What is wrong, and what to write instead.
pub fn parse<S: AsRef<str>>(words: &[S]) -> Result<Action, String> {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [] => Err("missing action".to_owned()),
        ["save", message @ ..] => {
            let message = message.join(" ");
            Ok(Action::Save((!message.trim().is_empty()).then_some(message)))
        }
        ["list"] => Ok(Action::List),
        ["status"] => Ok(Action::Status),
        ["rollback", tag] if !tag.trim().is_empty() => Ok(Action::Rollback((*tag).to_owned())),
        ["diff", tag] if !tag.trim().is_empty() => Ok(Action::Diff((*tag).to_owned())),
        [action @ ("rollback" | "diff"), ..] => Err(format!("`{action}` needs one tag: `list` shows all tags")),
        [action @ ("list" | "status"), ..] => Err(format!("`{action}` takes no argument")),
        [action, ..] => Err(format!("unknown action {action:?}")),
    }
}

/// Runs the command. In a run, `watch` makes a scan of all files unnecessary.
pub async fn run(host: &Host, watch: &Watch, action: &Action) -> Result<Output, Error> {
    let text = match action {
        Action::Save(message) => {
            let saved =
                save_in(host, watch, &SaveOptions { message: message.clone(), ..SaveOptions::default() }).await?;
            let warnings: String = saved.warnings.iter().map(|warning| format!("\n{warning}")).collect();
            format!("Saved {}, commit {}{warnings}", describe(&saved), short(&saved.oid))
        }
        Action::List => match list(host).await?.as_slice() {
            [] => "There are no snapshots.".to_owned(),
            all => all.iter().map(describe).collect::<Vec<_>>().join("\n"),
        },
        Action::Diff(tag) => format!("Since {tag}:{}", summary(&diff(host, tag, None).await?)),
        Action::Rollback(tag) => return roll_back(host, watch, tag).await,
        Action::Status => {
            let status = status(host).await?;
            let last = status.last.as_ref().map_or_else(
                || "no snapshot yet".to_owned(),
                |last| format!("last: {}; saved {}", last.tag, utc::minutes(last.at)),
            );
            let current = status.current.map_or("none equals the files".to_owned(), |tag| format!("current: {tag}"));
            let count = counted(status.changes.len(), "change");
            format!("{last}; {current}; {count} since then:{}", summary(&status.changes))
        }
    };
    Ok(Output { text, rollback: None })
}

async fn roll_back(host: &Host, watch: &Watch, tag: &str) -> Result<Output, Error> {
    let done = rollback_in(host, watch, tag).await?;
    let text = format!(
        "Rolled back to {tag}: {} restored, {} deleted. Snapshot {} has the files from before.",
        counted(done.restored.len(), "file"),
        done.deleted.len(),
        done.undo
    );
    Ok(Output { text, rollback: Some(done) })
}

fn describe(snapshot: &SnapshotInfo) -> String {
    let SnapshotInfo { tag, files, changed, at, .. } = snapshot;
    let message = snapshot.message.lines().next().unwrap_or_default();
    format!("{tag}: {message} ({}, {changed} changed, {})", counted(*files, "file"), utc::minutes(*at))
}

fn short(oid: &str) -> &str {
    oid.get(..10).unwrap_or(oid)
}

/// How many changed files are listed.
const CHANGES_MAX: usize = 100;

/// One line per changed file.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_parsed_or_refused_with_the_reason() {
        let save = |message: &str| Action::Save(Some(message.to_owned()));
        let table: [(&[&str], Action); 8] = [
            (&["save"], Action::Save(None)),
            (&["save", " "], Action::Save(None)),
            (&["save", "before CTA redesign"], save("before CTA redesign")),
            (&["save", "two", "words"], save("two words")),
            (&["list"], Action::List),
            (&["status"], Action::Status),
            (&["rollback", "task-2-post"], Action::Rollback("task-2-post".to_owned())),
            (&["diff", "refs/heads/main"], Action::Diff("refs/heads/main".to_owned())),
        ];
        for (words, action) in table {
            assert_eq!(parse(words), Ok(action), "{words:?}");
        }
        let refused: [(&[&str], &str); 6] = [
            (&[], "missing action"),
            (&["rollback"], "`rollback` needs one tag"),
            (&["rollback", ""], "`rollback` needs one tag"),
            (&["diff", "a", "b"], "`diff` needs one tag"),
            (&["list", "all"], "`list` takes no argument"),
            (&["restore", "a"], "unknown action \"restore\""),
        ];
        for (words, reason) in refused {
            assert!(parse(words).unwrap_err().contains(reason), "{words:?}");
        }
    }
}
