//! A round: every selected gate that applies, one after the other, and what their reports mean together.

use super::builtin::builtin;
use super::feedback::{clip, with_sections};
use super::host_gate::HostGate;
use super::{Gate, GateReport, GateSelection, GateTask, GateVerdict, Judgement, Project, Round, TaskFacts};
use crate::port::{Abort, Aborted, ClockPort, Host, Phase, PortError, with_timeout};
use serde::Serialize;

/// How long reading the project may take, in milliseconds.
const READ_LIMIT_MS: u64 = 60_000;

/// What a round of gates means for the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RoundVerdict {
    /// Nothing stands against the project.
    Pass,
    /// The agent has something to do.
    Fail,
    /// A gate could not judge: no pass, and no failure of the agent's.
    Inconclusive,
}

/// What the reports of a round mean together. What failed is the agent's to do, also beside a gate that could
/// not judge; where nothing failed, such a gate keeps the round from passing.
pub fn summarise(reports: &[GateReport]) -> RoundVerdict {
    let any = |verdict| reports.iter().any(|report| report.verdict == verdict);
    if any(GateVerdict::Fail) {
        RoundVerdict::Fail
    } else if any(GateVerdict::Error) {
        RoundVerdict::Inconclusive
    } else {
        RoundVerdict::Pass
    }
}

/// Runs the selected gates: the built-in ones, then the IDE's, each in their order. A gate that does not apply passes with
/// the reason. The selection has passed [`super::check_selection`]; a warning that it raises is a failure. `failed` gets
/// the name of a gate that cannot judge and the host's error, because a report has only text.
///
/// # Errors
/// When `abort` fires. A gate that cannot judge reports `error`.
pub async fn check_all<H: Host>(
    host: &H,
    selection: &GateSelection,
    phase: Phase,
    task: impl Into<GateTask>,
    facts: impl Into<TaskFacts>,
    abort: &Abort,
    failed: &dyn Fn(&str, PortError),
) -> Result<Vec<GateReport>, Aborted> {
    let mut gates = builtin::<H>();
    gates.extend(host.gates().iter().map(|gate| Box::new(HostGate(gate)) as Box<dyn Gate<H> + '_>));
    gates.retain(|gate| selection.includes(gate.name()));

    let read = Project::load(host.project());
    let read = with_timeout(host.clock(), abort, READ_LIMIT_MS, ("fs", "readFile"), read).await;
    going_on(abort)?;
    let project = match read {
        Ok(project) => project.after(facts),
        Err(error) => {
            let reports = gates.iter().map(|gate| report(gate.name(), cannot_judge(gate, &error), 0)).collect();
            failed(gates.first().map_or("", |gate| gate.name()), error);
            return Ok(reports);
        }
    };
    let GateTask { number: task, request } = task.into();
    let round = Round { host, project: &project, phase, task, request: &request, abort };
    let mut reports = Vec::with_capacity(gates.len());
    for gate in &gates {
        if let Err(reason) = gate.applies(&round) {
            reports.push(not_applicable(gate.name(), &reason));
            continue;
        }
        let start = host.clock().now();
        let judged = abort.race(gate.check(&round)).await?;
        going_on(abort)?;
        let mut judgement = judged.unwrap_or_else(|error| {
            let judgement = cannot_judge(gate, &error);
            failed(gate.name(), error);
            judgement
        });
        if judgement.verdict == GateVerdict::Warn && judgement.is_raisable && selection.raises(gate.name()) {
            judgement.verdict = GateVerdict::Fail;
        }
        // A fix applies only to a file that the task changed.
        judgement.fix =
            judgement.fix.filter(|fix| project.comparison().of(&fix.file).is_some_and(|file| file.is_there));
        reports.push(report(gate.name(), judgement, host.clock().now().saturating_sub(start)));
    }
    name_sections(&mut reports, &project);
    Ok(reports)
}

/// A failing gate says to which section of the plan each file belongs that it names.
fn name_sections(reports: &mut [GateReport], project: &Project) {
    for report in reports.iter_mut().filter(|report| report.verdict == GateVerdict::Fail) {
        if let (Some(text), Some(Ok(compared))) = (&mut report.feedback, project.plan_diff()) {
            *text = with_sections(text, &compared.places);
        }
    }
}

/// Nothing that an aborted call still gave is accepted.
fn going_on(abort: &Abort) -> Result<(), Aborted> {
    abort.reason().map_or(Ok(()), |reason| Err(Aborted { reason }))
}

#[expect(clippy::borrowed_box, reason = "what iterating over the gates gives")]
fn cannot_judge<H: Host>(gate: &Box<dyn Gate<H> + '_>, error: &PortError) -> Judgement {
    let text = format!(
        "The gate {} could not judge whether {}: {}",
        gate.name(),
        gate.description(),
        clip(&error.to_string())
    );
    Judgement { verdict: GateVerdict::Error, ..Judgement::warn(text) }
}

fn report(gate: &str, judgement: Judgement, duration_ms: u64) -> GateReport {
    let Judgement { verdict, feedback, fix, .. } = judgement;
    GateReport { gate: gate.to_owned(), verdict, feedback, not_applicable: false, tree: None, duration_ms, fix }
}

fn not_applicable(gate: &str, reason: &str) -> GateReport {
    let feedback = Some(format!("not applicable: {reason}"));
    GateReport { not_applicable: true, ..report(gate, Judgement { feedback, ..Judgement::pass() }, 0) }
}
