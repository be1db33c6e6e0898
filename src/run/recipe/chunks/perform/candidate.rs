//! The candidate: what the executor changed, saved as a snapshot.

use super::changes::{self, PATCH};
use super::{Performed, Session, record, spec};
use crate::error::Error;
use crate::layout::is_closed;
use crate::port::Host;
use crate::run::perform::save_as;
use crate::run::recipe::chunks::state::Folder;
use crate::run::recipe::chunks::{ChunkFact, Current};
use crate::snapshot::{self, FileChange, branch};
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) async fn check<H: Host>(session: &Session<'_, H>) -> Result<Performed, Error> {
    let (chunk, current, answer) = session.with_machine(|machine| {
        let chunks = &machine.recipe;
        (chunks.chunk(), chunks.current.clone(), chunks.answer.clone())
    });
    let spec = spec(session);
    let output = match answer {
        Some(Value::String(text)) => text,
        Some(arguments) => serde_json::to_string_pretty(&arguments).unwrap_or_default(),
        None => "The executor ended without a report.\n".to_owned(),
    };
    record(session, "output.md", &output).await?;
    restore_closed(session, &current).await?;
    let tag = Folder(&spec).tag(&format!("{}/candidate", chunk.id));
    let saved = save_as(session, &tag, &format!("the candidate of {}: {}", chunk.id, chunk.title)).await?;
    let all = snapshot::diff(session.host, &current.base, Some(&tag)).await?;
    let files: Vec<FileChange> =
        all.into_iter().filter(|change| changes::is_agents(change, &current.changed)).collect();
    let difference = changes::difference(session, &current.base, &tag, &files).await?;
    let fact = match changes::no_work(&difference) {
        Some(feedback) => ChunkFact::AttemptRejected { feedback: feedback.to_owned() },
        None => {
            record(session, PATCH, &difference.text()).await?;
            ChunkFact::AttemptRecorded { tag, files }
        }
    };
    Ok(Performed::Facts(vec![saved, fact.into()]))
}

/// Restores the user's and the harness's files that a command of the agent changed past the guard.
async fn restore_closed<H: Host>(session: &Session<'_, H>, current: &Current) -> Result<(), Error> {
    let paths: BTreeSet<String> = current.changed.iter().filter(|path| is_closed(path)).cloned().collect();
    if paths.is_empty() {
        return Ok(());
    }
    branch::rollback_paths(session.host, &session.watch, &current.base, Some(&paths)).await?;
    let names: Vec<String> = paths.into_iter().collect();
    session.status(format!("These files are not the executor's; they are restored: {}", names.join(", "))).await
}
