//! The interface of a gate.

use super::{ChangedFile, Comparison, GateFix, GateVerdict, Project, ReportFile, TaskRequest};
use crate::port::{Abort, Host, Phase, PortResult};
use futures_util::future::{LocalBoxFuture, ready};

/// Checks one property of a project.
pub trait Gate<H: Host> {
    /// The name in reports and in the configuration.
    fn name(&self) -> &str;
    /// The property, as a clause: "src/App.tsx exists".
    fn description(&self) -> &str;
    /// Whether the gate applies to this project and host.
    ///
    /// # Errors
    /// The reason why it does not apply, as a clause: "the plan has no theme". The round puts it into the report.
    fn applies(&self, round: &Round<'_, H>) -> Result<(), String>;
    /// Judges the project. An error means that the gate could not judge; the round reports the verdict `error`.
    fn check<'a>(&'a self, round: &'a Round<'a, H>) -> LocalBoxFuture<'a, PortResult<Judgement>>;
}

/// The input of the gates of a round.
pub struct Round<'a, H> {
    /// The ports.
    pub host: &'a H,
    /// The project, read once per round.
    pub project: &'a Project,
    /// The phase of the run.
    pub phase: Phase,
    /// The number of the task; `None` outside a run.
    pub task: Option<u32>,
    /// The requirements of the task.
    pub request: &'a TaskRequest,
    /// Cancels the round.
    pub abort: &'a Abort,
}

/// The result of a gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: GateVerdict,
    /// What is wrong and what to do.
    pub feedback: Option<String>,
    /// A file that the harness can write to make the gate pass.
    pub fix: Option<GateFix>,
    /// The complete report as a file.
    pub file: Option<ReportFile>,
    /// Configuration may turn a warning into a failure.
    pub is_raisable: bool,
}

impl Judgement {
    /// The gate found nothing.
    pub fn pass() -> Self {
        Self { verdict: GateVerdict::Pass, feedback: None, fix: None, file: None, is_raisable: true }
    }

    /// A finding that does not block the task.
    pub fn warn(feedback: impl Into<String>) -> Self {
        Self { verdict: GateVerdict::Warn, feedback: Some(feedback.into()), ..Self::pass() }
    }

    /// The gate cannot know, and the agent cannot change that: a warning that configuration cannot raise.
    pub fn unknown(feedback: impl Into<String>) -> Self {
        Self { is_raisable: false, ..Self::warn(feedback) }
    }

    /// The task cannot be accepted until this is done.
    pub fn fail(feedback: impl Into<String>) -> Self {
        Self { verdict: GateVerdict::Fail, feedback: Some(feedback.into()), ..Self::pass() }
    }

    /// Adds the complete report as a file.
    #[must_use]
    pub(super) fn with_file(mut self, file: ReportFile) -> Self {
        self.file = Some(file);
        self
    }

    /// Adds a file that the harness can write to make the gate pass.
    #[must_use]
    pub fn with_fix(mut self, fix: Option<GateFix>) -> Self {
        self.fix = fix;
        self
    }
}

/// The result of [`Gate::applies`]: `Ok` under this condition, otherwise the reason.
pub(super) fn only_if(condition: bool, reason: impl Into<String>) -> Result<(), String> {
    if condition { Ok(()) } else { Err(reason.into()) }
}

/// A gate that judges only the project's files, as a pure function.
pub(super) struct FileGate {
    pub name: &'static str,
    pub description: &'static str,
    pub applies: fn(&Project) -> Result<(), String>,
    pub judge: fn(&Project) -> Judgement,
}

impl<H: Host> Gate<H> for FileGate {
    fn name(&self) -> &str {
        self.name
    }

    fn description(&self) -> &str {
        self.description
    }

    fn applies(&self, round: &Round<'_, H>) -> Result<(), String> {
        (self.applies)(round.project)
    }

    fn check<'a>(&'a self, round: &'a Round<'a, H>) -> LocalBoxFuture<'a, PortResult<Judgement>> {
        Box::pin(ready(Ok((self.judge)(round.project))))
    }
}

/// A gate that judges only the files that the task changed, as a pure function.
pub(super) struct ChangeGate {
    pub name: &'static str,
    pub description: &'static str,
    pub applies: fn(&[ChangedFile]) -> Result<(), String>,
    pub judge: fn(&Project, &[ChangedFile]) -> Judgement,
}

impl<H: Host> Gate<H> for ChangeGate {
    fn name(&self) -> &str {
        self.name
    }

    fn description(&self) -> &str {
        self.description
    }

    fn applies(&self, round: &Round<'_, H>) -> Result<(), String> {
        match round.project.comparison() {
            Comparison::None => Err("without git, the changes of the task are not known".to_owned()),
            Comparison::Impossible(_) => Ok(()),
            Comparison::Changed(files) => (self.applies)(files),
        }
    }

    fn check<'a>(&'a self, round: &'a Round<'a, H>) -> LocalBoxFuture<'a, PortResult<Judgement>> {
        Box::pin(ready(Ok(match round.project.comparison() {
            Comparison::None => Judgement::pass(),
            Comparison::Impossible(why) => {
                Judgement::unknown(format!("Cannot compare the project with its state before the task: {why}"))
            }
            Comparison::Changed(files) => (self.judge)(round.project, files),
        })))
    }
}
