//! The files of a spec with chunks, and what its runs leave for the next run.

use crate::error::{Error, ErrorCode};
use crate::json;
use crate::layout::HANDOFF_SPECS;
use crate::port::{Host, ProjectDir};
use crate::run::recipe::chunks::list::{PROPOSED, STATE, is_name};
use crate::run::recipe::chunks::{Chunk, Summary};
use crate::run::recipe::set_aside;
use crate::run::unfinished::Abandoned;
use crate::snapshot::FileChange;
use crate::snapshot::branch::{self, Beginning};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A chunk that is committed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Shipped {
    /// The hash of what the chunk asked for.
    pub hash: String,
    #[expect(missing_docs, reason = "the name says it all")]
    pub commit: String,
    /// What the commit changed.
    pub files: Vec<FileChange>,
    /// `None` until it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<Summary>,
}

/// A chunk that failed in the last run that tried it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failed {
    #[expect(missing_docs, reason = "the name says it all")]
    pub reason: String,
    /// What the last attempt must fix.
    pub feedback: String,
}

/// What the runs over a spec leave for the next one: `state.json` beside the records of the attempts. The machine has it,
/// from [`ChunkFact::StateRead`](super::ChunkFact::StateRead) on, and the file is its projection.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct State {
    #[serde(default)]
    pub version: u32,
    #[serde(default)]
    pub beginning: Option<Beginning>,
    #[serde(default)]
    pub shipped: BTreeMap<String, Shipped>,
    #[serde(default)]
    pub failed: BTreeMap<String, Failed>,
    /// HEAD's commit when the last chunk was shipped and the final review was done.
    #[serde(default)]
    pub finished: Option<String>,
}

/// The version of `state.json`.
const VERSION: u32 = 1;

/// The folder of a spec.
#[derive(Debug, Clone, Copy)]
pub(super) struct Folder<'a>(pub &'a str);

impl Folder<'_> {
    pub(super) fn path(self) -> String {
        format!("{HANDOFF_SPECS}/{}", self.0)
    }

    pub(super) fn spec(self) -> String {
        format!("{}/spec.md", self.path())
    }

    pub(super) fn chunks(self) -> String {
        format!("{}/chunks.json", self.path())
    }

    pub(super) fn analysis(self) -> String {
        format!("{}/codebase-analysis.json", self.path())
    }

    pub(super) fn pull_request(self) -> String {
        format!("{}/pull-request.md", self.path())
    }

    /// The records of the attempts, which survive every rollback.
    pub(super) fn records(self) -> String {
        format!("{}/iterations", self.path())
    }

    /// The planner's chunks, until the user approves them.
    pub(super) fn proposed(self) -> String {
        format!("{}/{PROPOSED}", self.records())
    }

    pub(super) fn state(self) -> String {
        format!("{}/{STATE}", self.records())
    }

    fn ignore(self) -> String {
        format!("{}/.gitignore", self.path())
    }

    pub(super) fn attempt(self, chunk: &str, number: u32) -> String {
        format!("{}/{chunk}/{ATTEMPT}{number}", self.records())
    }

    /// The tag of a snapshot of this spec. It moves within a run; a later run adds a number.
    pub(super) fn tag(self, name: &str) -> String {
        format!("chunks/{}/{name}", self.0)
    }
}

/// The prefix of the folder of an attempt; its number follows.
const ATTEMPT: &str = "iteration-";

/// The harness's files beside the spec are not part of the project's history.
const IGNORED: &str = "# Written by loopgate.\n/.gitignore\n/codebase-analysis.json\n/iterations/\n/pull-request.md\n";

/// Makes git ignore the harness's files of the spec.
pub(super) async fn ignore_records(project: ProjectDir<'_>, folder: Folder<'_>) -> Result<(), Error> {
    if project.lstat(&folder.ignore()).await?.is_none() {
        project.write(&folder.ignore(), IGNORED).await?;
    }
    Ok(())
}

impl State {
    /// What earlier runs left. A file that cannot be read is set aside, which `repaired` says.
    ///
    /// # Errors
    /// `unsupported` for a file of a newer version; errors of the file system.
    pub(super) async fn read(
        project: ProjectDir<'_>,
        folder: Folder<'_>,
        repaired: &mut Vec<String>,
    ) -> Result<Self, Error> {
        let path = folder.state();
        match Self::load(project, folder).await? {
            Ok(state) => Ok(state),
            Err(error) => {
                let aside = set_aside(project, &path).await?;
                repaired.push(format!(
                    "{path} cannot be read ({error}); it is kept as {aside}, and what is shipped is read from the branch"
                ));
                Ok(Self::default())
            }
        }
    }

    /// What earlier runs left, or why it cannot be read. Changes nothing.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub(super) async fn load(project: ProjectDir<'_>, folder: Folder<'_>) -> Result<Result<Self, String>, Error> {
        let path = folder.state();
        let Some(text) = project.read_text(&path).await? else { return Ok(Ok(Self::default())) };
        match json::read::<Self>(&text) {
            Ok(state) if state.version > VERSION => {
                let message = format!("{path} was written by a newer version of loopgate: update to work on this spec");
                Err(Error::new(ErrorCode::Unsupported, message).at_path(&path))
            }
            read => Ok(read),
        }
    }

    /// The text of the file.
    pub(super) fn to_text(&self) -> String {
        let current = Self { version: VERSION, ..self.clone() };
        serde_json::to_string_pretty(&current).unwrap_or_default() + "\n"
    }
}

/// Where the branch of the spec with this name began; `None` if it is not known, or no spec has the name.
pub(in crate::run) async fn beginning(project: ProjectDir<'_>, spec: &str) -> Result<Option<Beginning>, Error> {
    if !is_name(spec) {
        return Ok(None);
    }
    Ok(State::read(project, Folder(spec), &mut Vec::new()).await?.beginning)
}

/// The commit of an abandoned attempt, if the branch has it.
pub(in crate::run) async fn shipped_by(host: &Host, attempt: &Abandoned) -> Result<Option<String>, Error> {
    let Abandoned { spec, chunk, branch, head, .. } = attempt;
    Ok(branch::find_marked(host, branch, head.as_deref(), &mark(chunk, spec)).await?.map(|(commit, _)| commit))
}

/// What the message of each commit of a chunk has.
pub(super) fn mark(chunk: &str, spec: &str) -> String {
    format!("Chunk {chunk} of {spec}.\n\n{TRAILER}")
}

/// The end of the message of the commit that ships a chunk as it is now.
pub(super) fn exact_mark(chunk: &Chunk, spec: &str) -> String {
    format!("{}{}\n", mark(&chunk.id, spec), chunk.hash())
}

/// Identifies what the chunk asked for.
const TRAILER: &str = "Loopgate-Chunk: ";

/// The numbers of the recorded attempts at a chunk, in order.
pub(super) async fn attempts(project: ProjectDir<'_>, folder: Folder<'_>, chunk: &str) -> Result<Vec<u32>, Error> {
    let names = project.read_dir(&format!("{}/{chunk}", folder.records())).await?.unwrap_or_default();
    let mut numbers: Vec<u32> = names.iter().filter_map(|name| name.strip_prefix(ATTEMPT)?.parse().ok()).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

/// Removes the records of all but the last attempts at a chunk.
pub(super) async fn prune(project: ProjectDir<'_>, folder: Folder<'_>, chunk: &str, keep: usize) -> Result<(), Error> {
    let numbers = attempts(project, folder, chunk).await?;
    for number in numbers.iter().take(numbers.len().saturating_sub(keep)) {
        project.remove_folder(&folder.attempt(chunk, *number)).await?;
    }
    Ok(())
}
