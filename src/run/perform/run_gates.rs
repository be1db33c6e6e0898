//! A round of gates, and the fixes that gates offer.

use super::{compare, task_request, work};
use crate::agent::FileChangeKind;
use crate::error::Error;
use crate::gate;
use crate::layout::is_judged;
use crate::port::{Host, Phase};
use crate::run::event::{ChangedBy, Event};
use crate::run::session::Session;
use crate::snapshot;

pub(super) async fn run_gates<H: Host>(session: &Session<'_, H>) -> Result<Option<Event>, Error> {
    let abort = &session.control.abort;
    let (round, task) = session.with_machine(|machine| (machine.next_round(), task_request::of(machine)));
    session.record(Event::Status { text: format!("Running the gates, round {round}") }).await?;
    let evidence = snapshot::evidence(session.host, &is_judged).await?;
    let tree = evidence.tree.clone();
    let facts = work::facts(session, compare::with_before(session, &evidence).await, &evidence).await?;
    *session.judged.borrow_mut() = Some(evidence);
    let failed = |error| session.keep(error);
    let verdicts = gate::check_all(session.host, &session.gates, Phase::Check, task, facts, abort, &failed).await;
    let Ok(gate::Checked { mut reports, files }) = verdicts else {
        return Ok(None);
    };
    for gate::ReportFile { path, text } in files {
        session.watch.touch(path);
        match text {
            Some(text) => session.host.project().write(path, text).await?,
            None => session.host.project().remove_file(path).await?,
        }
    }
    reports.iter_mut().for_each(|report| report.tree = Some(tree.clone()));
    let passed = gate::summarise(&reports) == gate::RoundVerdict::Pass;
    let feedback = (!passed).then(|| gate::feedback(&reports));
    for report in reports {
        session.record(Event::GateChecked { report }).await?;
    }
    Ok(Some(Event::GatesFinished { round, feedback }))
}

pub(super) async fn apply_fixes<H: Host>(session: &Session<'_, H>, gates: Vec<String>) -> Result<Event, Error> {
    let reports = session.with_machine(|machine| machine.reports().to_vec());
    for report in reports.iter().filter(|report| gates.contains(&report.gate)) {
        let Some(fix) = &report.fix else { continue };
        let change = match gate::apply_fix(session.host, fix).await? {
            gate::FixEffect::Created => FileChangeKind::Created,
            gate::FixEffect::Replaced => FileChangeKind::Modified,
        };
        let text = format!("{} failed twice: {}", report.gate, fix.description);
        session.record(Event::Status { text }).await?;
        session.record(Event::FileChanged { path: fix.file.clone(), change, by: ChangedBy::Harness }).await?;
    }
    Ok(Event::FixesApplied { gates })
}
