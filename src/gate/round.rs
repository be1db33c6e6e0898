//! A round: runs every selected gate that applies, in order, and combines the reports.

use super::builtin::builtin;
use super::feedback::{clip, with_sections};
use super::host_gate::HostGate;
use super::{Gate, GateReport, GateSelection, GateTask, GateVerdict, Judgement, Project, ReportFile, Round, TaskFacts};
use crate::port::{Abort, Aborted, ClockPort, Host, Phase, PortError, with_timeout};
use serde::Serialize;

/// Timeout of reading the project, in milliseconds.
const READ_LIMIT_MS: u64 = 60_000;

/// The combined verdict of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RoundVerdict {
    /// No gate failed, and all could judge.
    Pass,
    /// At least one gate failed: the agent must continue.
    Fail,
    /// A gate could not judge, and none failed: neither a pass nor a failure of the agent.
    Inconclusive,
}

/// What a round found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// One report for each gate.
    pub reports: Vec<GateReport>,
    /// The reports that are files, for the caller to write.
    pub files: Vec<ReportFile>,
}

/// The combined verdict. A failure takes precedence over a gate that could not judge.
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
/// Only if `abort` fires. A gate that cannot judge reports `error`.
pub async fn check_all<H: Host>(
    host: &H,
    selection: &GateSelection,
    phase: Phase,
    task: impl Into<GateTask>,
    facts: impl Into<TaskFacts>,
    abort: &Abort,
    failed: &dyn Fn(&str, PortError),
) -> Result<Checked, Aborted> {
    let mut gates = builtin::<H>();
    gates.extend(host.gates().iter().map(|gate| Box::new(HostGate(gate)) as Box<dyn Gate<H> + '_>));
    gates.retain(|gate| selection.includes(gate.name()));

    let read = Project::load(host.project());
    let read = with_timeout(host.clock(), abort, READ_LIMIT_MS, ("fs", "readFile"), read).await;
    check_abort(abort)?;
    let project = match read {
        Ok(project) => project.after(facts),
        Err(error) => {
            let reports = gates.iter().map(|gate| report(gate.name(), cannot_judge(gate, &error), 0)).collect();
            failed(gates.first().map_or("", |gate| gate.name()), error);
            return Ok(Checked { reports, files: Vec::new() });
        }
    };
    let GateTask { number: task, request } = task.into();
    let round = Round { host, project: &project, phase, task, request: &request, abort };
    let (mut reports, mut files) = (Vec::with_capacity(gates.len()), Vec::new());
    for gate in &gates {
        if let Err(reason) = gate.applies(&round) {
            reports.push(not_applicable(gate.name(), &reason));
            continue;
        }
        let start = host.clock().now();
        let judged = abort.race(gate.check(&round)).await?;
        check_abort(abort)?;
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
        files.extend(judgement.file.take());
        reports.push(report(gate.name(), judgement, host.clock().now().saturating_sub(start)));
    }
    name_sections(&mut reports, &project);
    Ok(Checked { reports, files })
}

/// Adds the plan's section of each mentioned file to the feedback of failed gates.
fn name_sections(reports: &mut [GateReport], project: &Project) {
    for report in reports.iter_mut().filter(|report| report.verdict == GateVerdict::Fail) {
        if let (Some(text), Some(Ok(compared))) = (&mut report.feedback, project.plan_diff()) {
            *text = with_sections(text, &compared.places);
        }
    }
}

/// Discards the result of a call that was aborted.
fn check_abort(abort: &Abort) -> Result<(), Aborted> {
    abort.reason().map_or(Ok(()), |reason| Err(Aborted { reason }))
}

#[expect(clippy::borrowed_box, reason = "the item type of the list of gates")]
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
