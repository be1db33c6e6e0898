//! A round: runs every selected gate, in order, and combines the reports.

use super::builtin::{self, GATES};
use super::evidence::{RequirementReport, requirements};
use super::feedback::{clip, with_sections};
use super::{Finding, Gate, GateReport, GateSelection, GateVerdict, Judgement, Project, ReportFile, TaskFacts};
use crate::port::{Abort, Aborted, GatePort, Host, PortError, PortResult, with_timeout};
use crate::snapshot::Evidence;
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
#[derive(Debug, Default)]
pub struct Checked {
    /// One report for each gate.
    pub reports: Vec<GateReport>,
    /// The reports that are files, for the caller to write.
    pub files: Vec<ReportFile>,
    /// The evidence about each requirement of the task.
    pub requirements: Vec<RequirementReport>,
    /// Why the first gate that could not judge failed; its report has only the text.
    pub error: Option<PortError>,
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

/// A gate of a round.
enum Selected<'h> {
    Builtin(&'static Gate),
    /// One of the IDE.
    Ide(&'h dyn GatePort),
}

impl Selected<'_> {
    fn name(&self) -> &str {
        match self {
            Self::Builtin(gate) => gate.name,
            Self::Ide(gate) => gate.name(),
        }
    }

    fn description(&self) -> &str {
        match self {
            Self::Builtin(gate) => gate.description,
            Self::Ide(gate) => gate.description(),
        }
    }

    async fn check(&self, host: &Host, project: &Project, abort: &Abort) -> PortResult<Finding> {
        match self {
            Self::Builtin(gate) => builtin::check(&gate.check, host, project, abort).await,
            Self::Ide(gate) => builtin::host::ide_gate(*gate, host, abort).await,
        }
    }
}

/// Runs the selected gates on the present files: the built-in ones, then the IDE's, each in their order. A gate that does
/// not apply passes with the reason. The selection has passed [`super::check_selection`]; a warning that it raises is a
/// failure.
///
/// # Errors
/// Only if `abort` fires. A gate that cannot judge reports `error`.
pub async fn check_present(
    host: &Host,
    selection: &GateSelection,
    facts: TaskFacts,
    present: &Evidence,
    abort: &Abort,
) -> Result<Checked, Aborted> {
    let mut checked = check_all(host, selection, facts, abort).await?;
    checked.reports.iter_mut().for_each(|report| report.tree = Some(present.tree.clone()));
    Ok(checked)
}

/// [`check_present`] without the tree in the reports.
pub(super) async fn check_all(
    host: &Host,
    selection: &GateSelection,
    facts: TaskFacts,
    abort: &Abort,
) -> Result<Checked, Aborted> {
    let mut gates: Vec<_> = GATES.iter().map(Selected::Builtin).collect();
    gates.extend(host.gates.iter().map(|gate| Selected::Ide(&**gate)));
    gates.retain(|gate| selection.includes(gate.name()));

    let read = Project::load(host.project(), facts);
    let read = with_timeout(&*host.clock, abort, READ_LIMIT_MS, ("fs", "readFile"), read).await;
    check_abort(abort)?;
    let mut checked = Checked::default();
    let project = match read {
        Ok(project) => project,
        Err(error) => {
            let reports = gates.iter().map(|gate| report(gate.name(), cannot_judge(gate, &error), 0)).collect();
            return Ok(Checked { reports, error: Some(error), ..checked });
        }
    };
    for gate in &gates {
        let start = host.clock.now();
        host.fs.pause().await;
        let found = abort.race(gate.check(host, &project, abort)).await?;
        check_abort(abort)?;
        let mut judgement = match found {
            Ok(Ok(judgement)) => judgement,
            Ok(Err(reason)) => {
                let feedback = Some(format!("not applicable: {reason}"));
                let report = report(gate.name(), Judgement { feedback, ..Judgement::pass() }, 0);
                checked.reports.push(GateReport { not_applicable: true, ..report });
                continue;
            }
            Err(error) => {
                let judgement = cannot_judge(gate, &error);
                checked.error.get_or_insert(error);
                judgement
            }
        };
        if judgement.verdict == GateVerdict::Warn && judgement.is_raisable && selection.raises(gate.name()) {
            judgement.verdict = GateVerdict::Fail;
        }
        // A fix applies only to a file that the task changed.
        judgement.fix.take_if(|fix| !project.task.comparison.changed_file(&fix.file).is_some_and(|file| file.is_there));
        if judgement.verdict == GateVerdict::Fail
            && let (Some(text), Some(Ok(compared))) = (&mut judgement.feedback, project.plan_diff())
        {
            *text = with_sections(text, &compared.places);
        }
        checked.files.extend(judgement.file.take());
        checked.reports.push(report(gate.name(), judgement, host.clock.now().saturating_sub(start)));
    }
    if !project.task.request.all.is_empty() {
        abort.race(builtin::read_used(host, &project)).await?;
    }
    checked.requirements = requirements(&project, &checked.reports);
    Ok(checked)
}

/// Discards the result of a call that was aborted.
fn check_abort(abort: &Abort) -> Result<(), Aborted> {
    abort.reason().map_or(Ok(()), |reason| Err(Aborted { reason }))
}

fn cannot_judge(gate: &Selected<'_>, error: &PortError) -> Judgement {
    let (name, property, error) = (gate.name(), gate.description(), clip(&error.to_string()));
    let text = format!("The gate {name} could not judge whether {property}: {error}");
    Judgement { verdict: GateVerdict::Error, ..Judgement::warn(text) }
}

pub(super) fn report(gate: &str, judgement: Judgement, duration_ms: u64) -> GateReport {
    let Judgement { verdict, feedback, fix, .. } = judgement;
    GateReport { gate: gate.to_owned(), verdict, feedback, not_applicable: false, tree: None, duration_ms, fix }
}
