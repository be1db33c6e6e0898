//! Finds and reads the records in a project.

use super::{DATA, IterationRecord, PROMPT, TRANSCRIPT, folder};
use crate::error::Error;
use crate::json;
use crate::layout::RECORDS;
use crate::port::{PortErrorKind, PortResult, ProjectDir};
use crate::run::options::check_run_id;
use serde::Serialize;
use std::collections::VecDeque;

/// The record of an iteration.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StoredIteration {
    #[serde(flatten)]
    #[expect(missing_docs, reason = "the name says it all")]
    pub record: IterationRecord,
    /// Their paths in the project.
    pub files: IterationFiles,
}

/// The paths of the files of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct IterationFiles {
    /// Absent from the project if it could not be written.
    pub prompt: String,
    pub transcript: String,
    pub record: String,
}

/// The records of a run, newest last. An iteration that has not ended, or whose data are damaged, is left out.
///
/// # Errors
/// `invalid-argument` for an id that no run has; `fs`.
pub async fn list_iterations(project: ProjectDir<'_>, run_id: &str) -> Result<Vec<StoredIteration>, Error> {
    check_run_id(run_id)?;
    let mut found = Vec::new();
    for iteration in iterations(project, run_id).await? {
        let folder = folder(run_id, iteration);
        let files = IterationFiles {
            prompt: format!("{folder}/{PROMPT}"),
            transcript: format!("{folder}/{TRANSCRIPT}"),
            record: format!("{folder}/{DATA}"),
        };
        let text = unless_denied(project.read_text(&files.record).await)?.unwrap_or_default();
        let record = json::read::<IterationRecord>(&text).ok();
        let is_own = |record: &IterationRecord| (record.run_id.as_str(), record.iteration) == (run_id, iteration);
        found.extend(record.filter(is_own).map(|record| StoredIteration { record, files }));
        project.pause().await;
    }
    Ok(found)
}

/// The folders of the records of all runs, oldest first. The folders of the run `newest` are the last ones.
pub(super) async fn all(project: ProjectDir<'_>, newest: &str) -> PortResult<VecDeque<String>> {
    let mut runs = project.read_dir(RECORDS).await?.unwrap_or_default();
    // The ids of runs begin with the time.
    runs.sort_by(|a, b| (a == newest, a).cmp(&(b == newest, b)));
    let mut folders = VecDeque::new();
    for run_id in runs {
        let iterations = iterations(project, &run_id).await?;
        folders.extend(iterations.into_iter().map(|iteration| folder(&run_id, iteration)));
    }
    Ok(folders)
}

/// Removes the records of a run. Files of others among them stay.
pub(in crate::run) async fn remove_run(project: ProjectDir<'_>, run_id: &str) -> PortResult<()> {
    for iteration in iterations(project, run_id).await? {
        project.remove_folder(&folder(run_id, iteration)).await?;
    }
    let _ = project.fs().remove_dir(&project.absolute(&format!("{RECORDS}/{run_id}"))).await;
    Ok(())
}

/// The numbers of the iterations that a run has records of, in order.
async fn iterations(project: ProjectDir<'_>, run_id: &str) -> PortResult<Vec<u32>> {
    let names = unless_denied(project.read_dir(&format!("{RECORDS}/{run_id}")).await)?.unwrap_or_default();
    let number = |name: &String| name.parse::<u32>().ok().filter(|number| *name == number.to_string());
    let mut iterations: Vec<u32> = names.iter().filter_map(number).collect();
    iterations.sort_unstable();
    Ok(iterations)
}

/// A link in place of a record has none: nothing is read or removed through it.
fn unless_denied<T>(read: PortResult<Option<T>>) -> PortResult<Option<T>> {
    match read {
        Err(error) if error.kind == PortErrorKind::Denied => Ok(None),
        read => read,
    }
}
