//! What a gate is.

use super::{ChangedFile, Comparison, GateFix, GateVerdict, Project, ReportFile, TaskRequest};
use crate::port::{Abort, Host, Phase, PortResult};
use futures_util::future::{LocalBoxFuture, ready};

/// What judges one thing about a project.
pub trait Gate<H: Host> {
    /// The name in reports and configuration.
    fn name(&self) -> &str;
    /// What it demands, as a clause: "src/App.tsx exists".
    fn description(&self) -> &str;
    /// Whether the gate applies to this project and host.
    ///
    /// # Errors
    /// The reason why it does not apply, as a clause: "the plan has no theme". The round reports it.
    fn applies(&self, round: &Round<'_, H>) -> Result<(), String>;
    /// Judges. An error means that it could not: a verdict `error`, never a pass and never a failure.
    fn check<'a>(&'a self, round: &'a Round<'a, H>) -> LocalBoxFuture<'a, PortResult<Judgement>>;
}

/// What every gate of a round sees.
pub struct Round<'a, H> {
    /// The ports.
    pub host: &'a H,
    /// The files, read once.
    pub project: &'a Project,
    /// Where the run stands.
    pub phase: Phase,
    /// The number of the task, where there is one.
    pub task: Option<u32>,
    /// The requirements of the task.
    pub request: &'a TaskRequest,
    /// Ends the round.
    pub abort: &'a Abort,
}

/// A gate's say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// How it judged.
    pub verdict: GateVerdict,
    /// What to do.
    pub feedback: Option<String>,
    /// What the harness itself can write to make it pass.
    pub fix: Option<GateFix>,
    /// The whole report as a file.
    pub file: Option<ReportFile>,
    /// It is about the project, so that configuration may make its warning a failure.
    pub is_raisable: bool,
}

impl Judgement {
    /// Nothing to say.
    pub fn pass() -> Self {
        Self { verdict: GateVerdict::Pass, feedback: None, fix: None, file: None, is_raisable: true }
    }

    /// Something to say, nothing that stops.
    pub fn warn(feedback: impl Into<String>) -> Self {
        Self { verdict: GateVerdict::Warn, feedback: Some(feedback.into()), ..Self::pass() }
    }

    /// It cannot be known, and the agent can do nothing about that: a warning whatever the configuration says.
    pub fn unknown(feedback: impl Into<String>) -> Self {
        Self { is_raisable: false, ..Self::warn(feedback) }
    }

    /// The project must not pass until this is done.
    pub fn fail(feedback: impl Into<String>) -> Self {
        Self { verdict: GateVerdict::Fail, feedback: Some(feedback.into()), ..Self::pass() }
    }

    /// With the whole report as a file.
    #[must_use]
    pub(super) fn with_file(mut self, file: ReportFile) -> Self {
        self.file = Some(file);
        self
    }

    /// What the harness can write to make it pass.
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

/// A gate that judges by the project's files alone: a pure function under a name.
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

/// A gate that judges what the task did to the project's files: a pure function under a name.
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
            Comparison::None => Err("without git the change of the task is not known".to_owned()),
            Comparison::Impossible(_) => Ok(()),
            Comparison::Changed(files) => (self.applies)(files),
        }
    }

    fn check<'a>(&'a self, round: &'a Round<'a, H>) -> LocalBoxFuture<'a, PortResult<Judgement>> {
        Box::pin(ready(Ok(match round.project.comparison() {
            Comparison::None => Judgement::pass(),
            Comparison::Impossible(why) => {
                Judgement::unknown(format!("Cannot compare the project with what it was before the task: {why}"))
            }
            Comparison::Changed(files) => (self.judge)(round.project, files),
        })))
    }
}
