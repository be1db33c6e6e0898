//! The options and the result of a run.

use super::limits::LimitOptions;
use super::machine::RunCost;
use crate::agent::SteerQueue;
use crate::config::{self, Config};
use crate::error::{Error, ErrorCode};
use crate::gate::{GateReport, RequirementReport};
use crate::plan::Registry;
use crate::port::{Abort, Answer, ProjectDir, Question, Usage};
use crate::task::GivenTask;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What a run works on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Work {
    /// A message of the user.
    Task {
        /// The user's words.
        message: String,
    },
    /// The specs below `specs/`.
    Spec {
        /// The only spec to work on, such as `specs/0001-foo.md`; by default, all runnable specs in order.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        path: Option<String>,
        /// Implement and verify a spec again that is done.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        force: bool,
    },
    /// The chunks of a spec below `.handoff/specs/`.
    Chunks {
        /// The name of the spec's folder.
        spec: String,
        /// The only chunks to work on; by default, all. With an empty list, the run does nothing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        only: Option<Vec<String>>,
    },
    #[cfg(all(test, not(target_family = "wasm")))]
    #[expect(missing_docs, reason = "the recipe of the tests")]
    Pair { message: String },
}

impl Work {
    #[expect(missing_docs, reason = "where a name says it all")]
    pub fn task(message: &str) -> Self {
        Self::Task { message: message.to_owned() }
    }

    /// The user's words; empty for other work.
    pub fn message(&self) -> &str {
        match self {
            Self::Task { message } => message,
            _ => "",
        }
    }
}

/// Whether a task needs a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlanMode {
    /// A plan is due for a task that builds an app or adds screens or sections, if the project has a plan, or the host has
    /// recipes or its own registry. Any plan that the agent writes is checked. Other tasks go straight to the gates.
    #[default]
    Auto,
    /// No completion without a valid plan, and no write outside `.ralph/` before it is accepted.
    Required,
    /// Plans are ignored.
    Off,
    /// The plan on disk is the user's and opens BUILD. Another plan needs the user's approval.
    Approved,
}

#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct RunOptions {
    /// Also the name of its journal.
    pub run_id: String,
    /// Random for each start and resume; identifies the holder of the project's lease.
    pub holder: String,
    /// When resuming, the journal's value is used instead.
    pub work: Work,
    /// The parsed message; if absent, the run parses it.
    pub parsed: Option<GivenTask>,
    /// Ask the user about an unclear message. Otherwise the most likely reading is taken, and a note says so.
    pub clarify: bool,
    /// Override the limits of the configuration and, when resuming, of the run.
    pub limits: LimitOptions,
    pub config: ConfigSources,
    /// When resuming, the journal's value is used instead.
    pub plan: PlanMode,
    /// When resuming: the user's answers, by the ids of the questions.
    pub answers: BTreeMap<String, Answer>,
    /// Resume the journal of `run_id` instead of starting a new one.
    pub resume: bool,
    /// The gumdrops and props that a plan may use; owned if the host passes a registry, even one like the built-in.
    pub registry: Cow<'static, Registry>,
}

/// The layers of the configuration that are not in the project.
#[derive(Debug, Clone, Default)]
pub struct ConfigSources {
    /// YAML of the user, for all projects.
    pub global: Option<String>,
    /// The innermost layer, with the nested shape of the YAML.
    pub layer: Option<Value>,
}

impl ConfigSources {
    /// Reads the configuration of a project.
    ///
    /// # Errors
    /// `invalid-config` with the file, the place and the key; errors of the file system.
    pub async fn load(&self, project: ProjectDir<'_>) -> Result<Config, Error> {
        config::load(project, self.global.as_deref(), self.layer.as_ref()).await
    }
}

impl RunOptions {
    /// Default options for a user's message.
    pub fn task(run_id: &str, message: &str, registry: Cow<'static, Registry>) -> Self {
        Self {
            run_id: run_id.to_owned(),
            holder: format!("holder of {run_id}"),
            work: Work::task(message),
            parsed: None,
            clarify: true,
            limits: LimitOptions::default(),
            config: ConfigSources::default(),
            plan: PlanMode::Auto,
            answers: BTreeMap::new(),
            resume: false,
            registry,
        }
    }

    /// # Errors
    /// `invalid-argument` with the name of an invalid option.
    pub fn check(&self) -> Result<(), Error> {
        check_run_id(&self.run_id)?;
        if !self.resume && matches!(&self.work, Work::Task { message } if message.trim().is_empty()) {
            let message = "`work.message` is empty: say what the agent should do";
            return Err(Error::new(ErrorCode::InvalidArgument, message));
        }
        if !self.resume && !self.answers.is_empty() {
            let message = "`answers` answer the questions of an earlier run: pass its id as `resume`";
            return Err(Error::new(ErrorCode::InvalidArgument, message));
        }
        if !self.resume && self.plan == PlanMode::Approved && !matches!(self.work, Work::Task { .. }) {
            let message =
                "`plan: 'approved'` is for a task: specs and chunks have no plan that the user approves beforehand";
            return Err(Error::new(ErrorCode::InvalidArgument, message));
        }
        match &self.parsed {
            Some(parsed) if !self.resume => parsed.check(),
            _ => Ok(()),
        }
    }
}

/// # Errors
/// `invalid-argument` for an id that no run has.
pub(super) fn check_run_id(id: &str) -> Result<(), Error> {
    let plain = id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if id.is_empty() || id.len() > 64 || !plain {
        let message = format!("run id {id:?}: use 1 to 64 letters, digits, '-' and '_'");
        return Err(Error::new(ErrorCode::InvalidArgument, message));
    }
    Ok(())
}

/// Lets the caller control a running run.
#[derive(Clone, Default)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct RunControl {
    pub abort: Abort,
    /// Messages for the agent.
    pub steering: SteerQueue,
    /// The files that the user edits, according to the IDE.
    pub edited: Edited,
    /// Ends the present wait, so that the run tries again at once.
    pub retry: Rc<RefCell<Abort>>,
}

/// Files and folders that the user edits, absolute or relative to the project. Clones share them.
#[derive(Clone, Default)]
pub struct Edited {
    paths: Rc<RefCell<BTreeSet<String>>>,
    /// Fires when paths come in.
    bell: Rc<RefCell<Abort>>,
}

impl Edited {
    /// The user edits these now.
    pub fn add(&self, paths: impl IntoIterator<Item = String>) {
        self.paths.borrow_mut().extend(paths);
        self.bell.take().fire("the user edits files");
    }

    /// Fires when more paths come in.
    pub(super) fn bell(&self) -> Abort {
        self.bell.borrow().clone()
    }

    pub(super) fn paths(&self) -> BTreeSet<String> {
        self.paths.borrow().clone()
    }

    pub(super) fn take(&self) -> BTreeSet<String> {
        self.paths.take()
    }
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum StopReason {
    /// The gates passed.
    Done,
    /// The message is ambiguous: the user is asked first.
    NeedsClarification,
    /// The agent waits for the user.
    Waiting,
    Aborted,
    /// The gates failed too often in a row.
    GatesFailed,
    /// The agent made no progress. After a task, the project was rolled back to the snapshot before it, if there is one.
    Stalled,
    /// The iterations are used up.
    MaxIterations,
    /// Tokens, dollars or time are used up.
    Budget,
    /// The attempts at a spec or a chunk are used up.
    MaxAttempts,
    /// The verifier invalidated too many plans of a spec.
    PlanNotConverging,
    /// Work is not allowed to start, or waits for other work that failed.
    Blocked,
    /// No spec or chunk is left to do, or no file below `specs/` can run.
    NothingToDo,
}

impl StopReason {
    /// Whether a run that ended for this reason with these questions cannot be continued, neither by an answer nor by a higher
    /// limit. An open question about a pull request does not keep a done run open.
    pub(super) fn is_over(self, questions: &[Question]) -> bool {
        match self {
            Self::Done => true,
            Self::Waiting | Self::Budget => false,
            _ => questions.is_empty(),
        }
    }
}

/// The tags before and after a task.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct RunSnapshots {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pre: Option<String>,
    /// Set only if the gates passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct RunResult {
    pub run_id: String,
    /// Whether the work is done: the gates passed, every spec is verified, or nothing was left to do. It is not if there are
    /// files below `specs/`, and none can run.
    pub success: bool,
    pub reason: StopReason,
    /// The reason as text.
    pub message: String,
    /// How many iterations count for `maxIterations`: an unfinished one and the one that repeats it count once.
    pub iterations: u32,
    pub usage: Usage,
    #[serde(default)]
    pub cost: RunCost,
    /// The last round of gates.
    pub gates: Vec<GateReport>,
    /// The requirements of a task, with the evidence of the last round of gates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requirements: Option<Vec<RequirementReport>>,
    pub snapshots: RunSnapshots,
    /// Questions for the user. A run started with the answer continues the task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clarification: Option<Vec<String>>,
    /// The open question; a resumed run takes the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Question>,
}
