//! The candidate: what the executor changed, saved as a snapshot.

use super::changes::{self, PATCH};
use super::{Performed, Seen, Session, follow, record, spec};
use crate::agent::Observer;
use crate::error::Error;
use crate::run::branch::committed;
use crate::run::ownership;
use crate::run::perform::save_as;
use crate::run::recipe::chunks::ChunkFact;
use crate::run::recipe::chunks::state::Folder;
use crate::snapshot::{FileChange, SnapshotKind};
use serde_json::Value;

pub(super) async fn check(session: &Session<'_>) -> Result<Performed, Error> {
    let (chunk, answer) = session.with(|machine: &Seen<'_>| (machine.recipe.chunk(), machine.recipe.answer.clone()));
    let spec = spec(session);
    let output = match answer {
        Some(Value::String(text)) => text,
        Some(arguments) => serde_json::to_string_pretty(&arguments).unwrap_or_default(),
        None => "The executor ended without a report.\n".to_owned(),
    };
    record(session, "output.md", &output).await?;
    if let Some(moved) = follow(session).await? {
        return Ok(moved.into());
    }
    let ignored = ownership::record_user_changes(session).await?.map(|captured| captured.ignored).unwrap_or_default();
    let ledger = session.ledger();
    let attempt = changes::Attempt::load(session, &ledger).await?;
    let difference = attempt.difference(session).await?;
    let head = session.with(|machine: &Seen<'_>| machine.recipe.prepared.head.clone());
    let committed = committed(session.host, head.as_deref(), &ledger, &ignored).await?;
    let tag = Folder(&spec).tag(&format!("{}/candidate", chunk.id));
    let message = format!("the candidate of {}: {}", chunk.id, chunk.title);
    let (tag, saved) = save_as(session, &tag, SnapshotKind::Candidate, &message).await?;
    let ignored: Vec<String> = difference
        .changes
        .iter()
        .map(|change| &change.path)
        .filter(|path| committed.ignored.contains(*path))
        .cloned()
        .collect();
    let no_work = changes::no_work(&difference).or_else(|| {
        // Where HEAD has a file, the user committed the work already.
        let is_elsewhere = |change: &FileChange| !committed.files.contains_key(&change.path);
        (committed.changes.is_empty() && difference.changes.iter().all(is_elsewhere)).then_some(
            "A commit of the attempt would change nothing: git ignores the files that it changed or has them in another repository, \
             or HEAD does not have the files that it deleted. Write the implementation.",
        )
    });
    let fact = match no_work {
        Some(feedback) => ChunkFact::AttemptRejected { feedback: feedback.to_owned() },
        None => {
            record(session, PATCH, &attempt.patch(session).await?).await?;
            ChunkFact::AttemptRecorded { tag, files: difference.changes, ignored }
        }
    };
    Ok(Performed::Facts(vec![saved, fact.into()]))
}
