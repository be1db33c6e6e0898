//! What an attempt changed: the files, their differences, and the codebase around them.

use super::{Session, spec};
use crate::codebase::{self, Analysis};
use crate::error::Error;
use crate::layout::is_source;
use crate::port::Host;
use crate::run::diff::{self, Difference};
use crate::run::recipe::chunks::state::Folder;
use crate::run::recipe::write_json;
use crate::snapshot::{Change, Contents, FileChange};
use std::collections::BTreeSet;

/// The file with the changes of an attempt, in its record.
pub(super) const PATCH: &str = "changes.patch";

/// Whether the agent changed one of the project's own files. `changed` has all files that it changed.
pub(super) fn is_agents(change: &FileChange, changed: &BTreeSet<String>) -> bool {
    let is_theirs = |path: &String| changed.contains(path);
    is_source(&change.path) && (is_theirs(&change.path) || change.from.as_ref().is_some_and(is_theirs))
}

/// What an attempt changed between two snapshots.
pub(super) async fn difference<H: Host>(
    session: &Session<'_, H>,
    base: &str,
    candidate: &str,
    files: &[FileChange],
) -> Result<Difference, Error> {
    let (before, after) = (Contents::at(session.host, base).await?, Contents::at(session.host, candidate).await?);
    diff::between(session.host, &before, Some(&after), files.to_vec()).await
}

/// Why a difference does not count as work, as feedback for the executor; `None` if it counts.
pub(super) fn no_work(difference: &Difference) -> Option<&'static str> {
    if difference.changes.is_empty() {
        return Some(
            "The attempt changed no file of the project. Write the implementation with the file tools, then call \
             `complete_task`.",
        );
    }
    let is_empty = difference.omitted.is_empty() && difference.files.iter().all(|file| file.is_whitespace_only);
    is_empty.then_some("The attempt changed only white space. Write the implementation.")
}

/// The names that changed sources export now and did not export before.
pub(super) async fn exports_added<H: Host>(
    session: &Session<'_, H>,
    base: &str,
    candidate: &str,
    files: &[FileChange],
) -> Result<Vec<String>, Error> {
    let (before, after) = (Contents::at(session.host, base).await?, Contents::at(session.host, candidate).await?);
    let text = |bytes: Option<Vec<u8>>| bytes.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
    let mut added = Vec::new();
    for change in files.iter().filter(|change| change.change != Change::Deleted) {
        let old = change.from.as_deref().unwrap_or(&change.path);
        let old = codebase::exports(old, &text(before.read(session.host, old).await?));
        let new = codebase::exports(&change.path, &text(after.read(session.host, &change.path).await?));
        added.extend(new.into_iter().filter(|name| !old.contains(name)));
        session.host.project().pause().await;
    }
    Ok(added)
}

/// What the prompts say about the codebase: from its cache, unless the project's files changed.
pub(super) async fn codebase<H: Host>(session: &Session<'_, H>) -> Result<String, Error> {
    let (spec, project) = (spec(session), session.host.project());
    let path = Folder(&spec).analysis();
    let tree = crate::snapshot::evidence(session.host, &is_source).await?.tree;
    let cached = project.read_text(&path).await?.and_then(|text| Analysis::stored(&text, &tree));
    let analysis = match cached {
        Some(cached) => cached,
        None => {
            session.status("Reading the codebase").await?;
            let analysis = codebase::analyse(session.host, &tree).await?;
            write_json(project, &path, &analysis).await?;
            analysis
        }
    };
    Ok(analysis.text())
}
