//! What an attempt changed: the files, their differences, and the codebase around them.

use super::{Session, spec};
use crate::agent::{Access, decide};
use crate::codebase::{self, Analysis};
use crate::error::Error;
use crate::layout::is_source;
use crate::ledger::{self, Ledger, Part};
use crate::port::Rights;
use crate::run::branch::of_agent;
use crate::run::diff::{self, Difference};
use crate::run::event::Event;
use crate::run::patch::patch;
use crate::run::recipe::chunks::state::Folder;
use crate::run::recipe::write_json;
use crate::snapshot::{Change, Contents, FileChange, Manifest};

/// The file with the changes of an attempt, in its record.
pub(super) const PATCH: &str = "changes.patch";

/// The files that the agent changed in an attempt, without the changes of the user.
pub(super) struct Attempt {
    before: Contents,
    after: Contents,
    files: Vec<FileChange>,
}

impl Attempt {
    /// # Errors
    /// Errors of the ports.
    pub(super) async fn load(session: &Session<'_>, ledger: &Ledger) -> Result<Self, Error> {
        let (mut before, mut after) = (Manifest::new(), Manifest::new());
        for (path, history) in of_agent(ledger) {
            let state = match ledger::take_back(session.host, &history.of_file(), history.last(), 0).await? {
                Part::State(state) => state,
                Part::Conflict(_) => history.first(),
            };
            state.map(|entry| before.insert(path.clone(), entry));
            history.last().map(|entry| after.insert(path.clone(), entry));
        }
        let (before, after) = (Contents::from(before), Contents::from(after));
        let paths = of_agent(ledger).map(|(path, _)| path.clone()).collect();
        let files = before.changes_at(&after, &paths);
        Ok(Self { before, after, files })
    }

    /// # Errors
    /// Errors of the ports.
    pub(super) async fn difference(&self, session: &Session<'_>) -> Result<Difference, Error> {
        diff::between(session.host, &self.before, Some(&self.after), self.files.clone()).await
    }

    /// The difference as a patch.
    ///
    /// # Errors
    /// Errors of the ports.
    pub(super) async fn patch(&self, session: &Session<'_>) -> Result<String, Error> {
        patch(session.host, &self.before, &self.after, &self.files).await
    }

    /// The names that changed sources export after the attempt and did not export before.
    ///
    /// # Errors
    /// Errors of the ports.
    pub(super) async fn exports_added(&self, session: &Session<'_>) -> Result<Vec<String>, Error> {
        let text = |bytes: Option<Vec<u8>>| bytes.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
        let mut added = Vec::new();
        for change in self.files.iter().filter(|change| change.change != Change::Deleted) {
            let old = change.from.as_deref().unwrap_or(&change.path);
            let old = codebase::exports(old, &text(self.before.read(session.host, old).await?));
            let new = codebase::exports(&change.path, &text(self.after.read(session.host, &change.path).await?));
            added.extend(new.into_iter().filter(|name| !old.contains(name)));
            session.host.project().pause().await;
        }
        Ok(added)
    }
}

/// Why a difference does not count as work, as feedback for the executor; `None` if it counts.
pub(super) fn no_work(difference: &Difference) -> Option<&'static str> {
    if difference.changes.is_empty() {
        return Some(
            "The attempt changed no file of the project. Write the implementation with the file tools, then call \
             `complete_task`.",
        );
    }
    let is_empty = difference.omitted.is_empty() && difference.files.iter().all(|file| file.is_blank);
    is_empty.then_some(
        "The attempt changed nothing but blank lines and white space at line ends. Write the implementation.",
    )
}

/// What the prompt of a role says about the codebase, without files that it may not read: from its cache, unless the project's
/// files changed.
pub(super) async fn codebase(session: &Session<'_>, rights: &Rights) -> Result<String, Error> {
    let (spec, project) = (spec(session), session.host.project());
    let path = Folder(&spec).analysis();
    let tree = crate::snapshot::evidence(session.host, &is_source).await?.tree;
    let cached = project.read_text(&path).await?.and_then(|text| Analysis::stored(&text, &tree));
    let mut analysis = match cached {
        Some(cached) => cached,
        None => {
            session.progress(Event::status("Reading the code")).await?;
            let analysis = codebase::analyse(session.host, &tree).await?;
            write_json(project, &path, &analysis).await?;
            analysis
        }
    };
    for declared in [&mut analysis.key_types, &mut analysis.components] {
        declared.retain(|name| decide(&session.host.dir, &name.file, Access::Read, rights, "read_file").is_ok());
    }
    Ok(analysis.text())
}
