//! What earlier runs changed in a spec that is not finished. Their work is still in the working tree, and the commit of the
//! spec has it.

use super::Session;
use crate::error::Error;
use crate::ledger::{ChangedBy, Ledger, Write};
use crate::run::envelope::Envelope;
use crate::run::event::Event;
use crate::run::journal::{self, KnownRun};
use crate::run::machine::fold_ledger;
use crate::run::ownership;
use crate::run::recipe::specs::catalog::SpecInfo;
use crate::run::recipe::specs::{EarlierChange, SpecFact};
use crate::run::spending::WorkKind;
use crate::run::written;

/// The changes of the agent and the user, in order, since the spec began. A journal that cannot be read is described in
/// `unreadable`.
pub(super) async fn changes(
    session: &Session<'_>,
    spec: &SpecInfo,
    unreadable: &mut Vec<String>,
) -> Result<Vec<EarlierChange>, Error> {
    let project = session.host.project();
    let mut runs = Vec::new();
    let known = session.runs();
    let is_of_spec = |run: &&KnownRun| run.kind == Some(WorkKind::Spec) && run.subjects.contains(&spec.path);
    for run_id in known.own.iter().rev().filter(is_of_spec).map(|run| &run.run_id).filter(|id| *id != session.run_id())
    {
        match journal::read(project, run_id).await {
            Ok(journal) => {
                let of_run = Of::run(&journal.events, spec);
                if of_run.has_worked {
                    let written = written::keep(session.host, &session.watch, &journal.events).await?;
                    let began = of_run.began;
                    runs.push((of_run, written));
                    if began {
                        break;
                    }
                }
            }
            Err(error) => {
                unreadable
                    .push(format!("what the run {run_id} changed is not in the commit of {}: {error}", spec.path));
            }
        }
    }
    let mut changes = Vec::new();
    for (of_run, written) in runs.into_iter().rev() {
        let open = ownership::happened(session.host, &session.watch, &of_run.ledger, &written).await?;
        changes.extend(of_run.writes.into_iter().chain(open).map(|(by, write)| EarlierChange { by, write }));
    }
    Ok(changes)
}

/// What one run did in the spec.
#[derive(Default)]
struct Of {
    writes: Vec<(ChangedBy, Write)>,
    /// The writes that began when the page was closed.
    ledger: Ledger,
    has_worked: bool,
    /// No run worked on the spec before.
    began: bool,
}

impl Of {
    fn run(events: &[Envelope], spec: &SpecInfo) -> Self {
        let (mut of, mut is_ours) = (Self::default(), false);
        for envelope in events {
            match &envelope.event {
                Event::Specs(SpecFact::SpecStarted { spec: started, fresh, .. }) => {
                    is_ours = *started == spec.path;
                    if is_ours && *fresh {
                        of = Self { began: true, ..Self::default() };
                    }
                    of.has_worked |= is_ours;
                }
                // What comes after it is another task.
                Event::Specs(SpecFact::SpecFinished { spec: finished, .. }) if *finished == spec.path => {
                    of = Self { began: true, has_worked: true, ..Self::default() };
                }
                event if is_ours => {
                    of.writes.extend(writes(event));
                    fold_ledger(&mut of.ledger, event, envelope.at);
                }
                _ => {}
            }
        }
        of
    }
}

fn writes(event: &Event) -> Vec<(ChangedBy, Write)> {
    match event {
        Event::FileChanged { path, by, from, before, after, .. } => {
            vec![(*by, Write { path: path.clone(), from: from.clone(), before: *before, after: *after })]
        }
        Event::UserChanged { files } | Event::ChangesUnclear { files, .. } => {
            files.iter().map(|file| (ChangedBy::User, Write::from(file.clone()))).collect()
        }
        _ => Vec::new(),
    }
}
