//! The records of iterations, for readers: a folder for each one, with its prompt, its transcript and its data.
//!
//! The prompt is written before the model is called. The other files are projections of the journal, written when the
//! iteration has ended, or when the run is resumed after its page was closed. No run depends on a record, so one that cannot
//! be written is a status.

mod iteration;
mod list;
mod transcript;

use iteration::{ChunkAttempt, Iteration, Iterations};
pub use iteration::{IterationOutcome, IterationRecord};
pub(super) use list::remove_run;
pub use list::{IterationFiles, StoredIteration, list_iterations};

use super::envelope::Envelope;
use super::session::Session;
use crate::error::{Error, ErrorCode};
use crate::layout::RECORDS;
use crate::path;
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

/// The names of the files of a record.
const PROMPT: &str = "prompt.md";
const TRANSCRIPT: &str = "transcript.md";
const DATA: &str = "iteration.json";
const ATTEMPT_DATA: &str = "attempt.json";

/// What a page knows about the records.
#[derive(Debug, Default)]
pub(super) struct Records {
    iterations: RefCell<Iterations>,
    /// The last iteration may have no transcript and no data.
    due: Cell<bool>,
    /// The folders of all records, oldest first; `None` before they are listed in this page.
    folders: RefCell<Option<VecDeque<String>>>,
}

impl Records {
    /// `is_resumed`: the record of the last iteration may be incomplete, so it is written again.
    pub(super) fn new(is_resumed: bool) -> Self {
        Self { due: Cell::new(is_resumed), ..Self::default() }
    }

    /// Adds an event of the run.
    pub(super) fn add(&self, envelope: &Envelope) {
        self.iterations.borrow_mut().add(envelope);
    }

    /// What the role of the last iteration did in the present attempt at a spec.
    pub(super) fn of_role(&self) -> String {
        self.iterations.borrow().of_role()
    }

    /// The folder of the last iteration's record; `None` before the first iteration.
    fn folder(&self) -> Option<String> {
        let iterations = self.iterations.borrow();
        let IterationRecord { run_id, iteration, .. } = &iterations.last.as_ref()?.record;
        Some(folder(run_id, *iteration))
    }

    /// The transcript and the data of the last iteration, and of its attempt at a chunk, with their paths. No file if there
    /// was no iteration.
    fn files(&self, has_iterations: bool) -> Result<Vec<(String, String)>, Error> {
        let all = self.iterations.borrow();
        let mut files = Vec::new();
        let Some(Iteration { record, transcript, .. }) = &all.last else { return Ok(files) };
        if let Some(ChunkAttempt { folder, attempt, earlier, transcript: before }) = &all.chunk {
            let iterations = earlier.iter().chain([record]).collect();
            let data = ChunkRecord { run_id: &record.run_id, attempt: *attempt, iterations };
            files.push((format!("{folder}/{TRANSCRIPT}"), format!("{before}{transcript}")));
            files.push(data_file(folder, ATTEMPT_DATA, &data)?);
        }
        if has_iterations {
            let folder = folder(&record.run_id, record.iteration);
            files.push((format!("{folder}/{TRANSCRIPT}"), transcript.clone()));
            files.push(data_file(&folder, DATA, record)?);
        }
        Ok(files)
    }
}

/// What `attempt.json` of an attempt at a chunk has.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ChunkRecord<'a> {
    run_id: &'a str,
    /// 1-based in the run.
    attempt: u32,
    /// The executor's and the reviewers'.
    iterations: Vec<&'a IterationRecord>,
}

/// The folder of an iteration's record.
fn folder(run_id: &str, iteration: u32) -> String {
    format!("{RECORDS}/{run_id}/{iteration}")
}

/// Writes the prompt of the iteration that begins next.
///
/// # Errors
/// Only of the journal.
pub(super) async fn begin(session: &Session<'_>, system: &str, user: &str) -> Result<(), Error> {
    session.records.due.set(true);
    if session.settings.records.iterations == 0 {
        return Ok(());
    }
    let iteration = session.with_machine(|machine| machine.run.next_iteration());
    let path = format!("{}/{PROMPT}", folder(session.run_id(), iteration));
    let text = format!("# System\n\n{system}\n\n# User\n\n{user}\n");
    let written = session.write_record(&path, &text).await;
    report_failure(session, written).await
}

/// Completes the record of the last iteration, which has ended, and removes the oldest records.
///
/// # Errors
/// Only of the journal.
pub(super) async fn complete(session: &Session<'_>) -> Result<(), Error> {
    if !session.records.due.take() {
        return Ok(());
    }
    let written = Box::pin(write(session)).await;
    report_failure(session, written).await
}

async fn report_failure(session: &Session<'_>, written: Result<(), Error>) -> Result<(), Error> {
    match written {
        Ok(()) => Ok(()),
        Err(error) => {
            session.status(format!("The record of an iteration is incomplete; the run continues: {error}")).await
        }
    }
}

async fn write(session: &Session<'_>) -> Result<(), Error> {
    let kept = session.settings.records.iterations as usize;
    for (path, text) in session.records.files(kept > 0)? {
        session.write_record(&path, &text).await?;
    }
    match session.records.folder() {
        Some(folder) if kept > 0 => prune(session, folder, kept).await,
        _ => Ok(()),
    }
}

fn data_file(folder: &str, name: &str, data: &impl Serialize) -> Result<(String, String), Error> {
    let path = format!("{folder}/{name}");
    let text = serde_json::to_string_pretty(data)
        .map_err(|error| Error::new(ErrorCode::Internal, format!("{path} cannot be written as JSON: {error}")))?;
    Ok((path, text + "\n"))
}

/// Removes the oldest records of all runs, so that `kept` are left. `newest` is the folder of the last one.
async fn prune(session: &Session<'_>, newest: String, kept: usize) -> Result<(), Error> {
    let project = session.host.project();
    let mut folders = match session.records.folders.take() {
        Some(folders) => folders,
        None => list::all(project, session.run_id()).await?,
    };
    if !folders.contains(&newest) {
        folders.push_back(newest);
    }
    let mut failed = None;
    while folders.len() > kept
        && let Some(oldest) = folders.pop_front()
    {
        // What cannot be removed stays, and the others go.
        failed = project.remove_folder(&oldest).await.err().or(failed);
        let run = path::parent(&oldest);
        if folders.front().is_none_or(|next| path::parent(next) != run) {
            // Files of others may be in it.
            let _ = project.fs().remove_dir(&project.absolute(run)).await;
        }
    }
    session.records.folders.replace(Some(folders));
    match failed {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}
