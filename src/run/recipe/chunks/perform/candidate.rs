//! The candidate: what the executor changed, saved as a snapshot.

use super::changes::{self, PATCH};
use super::{Performed, Session, record, spec};
use crate::error::Error;
use crate::port::Host;
use crate::run::perform::save_as;
use crate::run::recipe::chunks::ChunkFact;
use crate::run::recipe::chunks::state::Folder;
use crate::snapshot::{self, FileChange};
use serde_json::Value;

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
    let tag = Folder(&spec).tag(&format!("{}/candidate", chunk.id));
    let saved = save_as(session, &tag, &format!("the candidate of {}: {}", chunk.id, chunk.title)).await?;
    let all = snapshot::diff(session.host, &current.base, Some(&tag)).await?;
    let files: Vec<FileChange> =
        all.into_iter().filter(|change| changes::is_agents(change, current.changed.as_ref())).collect();
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
