//! Facts read back: as much of an event as the machine folds. What it does not fold comes back as an empty status,
//! so that a journal is read without the code for every report that was ever written into it.

use crate::gate::GateReport;
use crate::json;
use crate::json::{Fields, FromJson, Unfit};
use crate::port::{AgentRole, Usage};
use crate::run::event::{Event, Fault, IterationClose};
use crate::run::limits::LimitName;
use crate::run::options::{PlanMode, Work};
use crate::run::result::{RunResult, RunSnapshots, StopReason};
use crate::snapshot::SnapshotInfo;
use serde_json::Value;

/// Every field that the machine folds, of whatever event.
struct Facts {
    kind: String,
    work: Option<Work>,
    task_number: u32,
    /// The mode of a run that starts, the hash of a plan elsewhere.
    plan: Option<String>,
    task: String,
    origin: String,
    history: String,
    stale_plan: Option<String>,
    pre: Option<String>,
    iteration: u32,
    attempt: u32,
    close: Option<IterationClose>,
    worked: bool,
    fault: Option<Fault>,
    accepted: bool,
    feedback: Option<String>,
    round: u32,
    gates: Vec<String>,
    tag: String,
    snapshot: Tagged,
    message: String,
    usage: Usage,
    limit: Option<LimitName>,
    ms: u64,
    reason: String,
    result: Option<Ended>,
}

impl FromJson for Facts {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        let fields = Fields::of(value)?;
        Ok(Self {
            kind: fields.get_or_default("type")?,
            work: fields.get("work")?,
            task_number: fields.get_or_default("taskNumber")?,
            plan: fields.get("plan")?,
            task: fields.get_or_default("task")?,
            origin: fields.get_or_default("origin")?,
            history: fields.get_or_default("history")?,
            stale_plan: fields.get("stalePlan")?,
            pre: fields.get("pre")?,
            iteration: fields.get_or_default("iteration")?,
            attempt: fields.get_or_default("attempt")?,
            close: fields.get("close")?,
            worked: fields.get_or_default("worked")?,
            fault: fields.get("fault")?,
            accepted: fields.get_or_default("accepted")?,
            feedback: fields.get("feedback")?,
            round: fields.get_or_default("round")?,
            gates: fields.get_or_default("gates")?,
            tag: fields.get_or_default("tag")?,
            snapshot: fields.get_or_default("snapshot")?,
            message: fields.get_or_default("message")?,
            usage: fields.get_or_default("usage")?,
            limit: fields.get("limit")?,
            ms: fields.get_or_default("ms")?,
            reason: fields.get_or_default("reason")?,
            result: fields.get("result")?,
        })
    }
}

#[derive(Default)]
struct Tagged {
    tag: String,
}

impl FromJson for Tagged {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        let fields = Fields::of(value)?;
        Ok(Self { tag: fields.get_or_default("tag")? })
    }
}

struct Ended {
    reason: StopReason,
    message: String,
}

impl FromJson for Ended {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        let fields = Fields::of(value)?;
        Ok(Self { reason: fields.get("reason")?, message: fields.get("message")? })
    }
}

struct Judged {
    report: GateReport,
}

impl FromJson for Judged {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        let fields = Fields::of(value)?;
        Ok(Self { report: fields.get("report")? })
    }
}

/// The event of a line; `None` where a field that its kind needs is missing.
pub(super) fn event(line: &str) -> Option<Event> {
    let facts: Facts = json::read(line).ok()?;
    let event = match facts.kind.as_str() {
        "run-started" => Event::RunStarted {
            work: facts.work?,
            task_number: facts.task_number,
            plan: mode(facts.plan.as_deref()?)?,
            notes: Vec::new(),
        },
        "run-resumed" => Event::RunResumed { repaired: Vec::new(), plan: facts.plan },
        "task-started" => Event::TaskStarted {
            task: facts.task,
            origin: facts.origin,
            history: facts.history,
            plan: facts.plan,
            stale_plan: facts.stale_plan,
            pre: facts.pre,
        },
        "iteration-started" => Event::IterationStarted {
            iteration: facts.iteration,
            attempt: facts.attempt,
            role: AgentRole::Builder,
            prompt_bytes: 0,
        },
        "iteration-finished" => Event::IterationFinished {
            iteration: facts.iteration,
            tool_calls: 0,
            files_changed: Vec::new(),
            close: facts.close?,
            signal: None,
            worked: facts.worked,
            plan: facts.plan,
            fault: facts.fault,
        },
        "plan-checked" => Event::PlanChecked {
            report: Default::default(),
            plan: facts.plan,
            accepted: facts.accepted,
            feedback: facts.feedback?,
        },
        "completion-refused" => Event::CompletionRefused { feedback: facts.feedback? },
        "gate-checked" => {
            let Judged { report } = json::read(line).ok()?;
            Event::GateChecked { report }
        }
        "gates-finished" => Event::GatesFinished { round: facts.round, feedback: facts.feedback },
        "fixes-applied" => Event::FixesApplied { gates: facts.gates },
        "snapshot-saved" => Event::SnapshotSaved { snapshot: tagged(facts.snapshot.tag), duration_ms: 0 },
        "snapshot-skipped" => Event::SnapshotSkipped { tag: facts.tag },
        "steered" => Event::Steered { message: facts.message },
        "usage" => Event::Usage { usage: facts.usage, total: Usage::default() },
        "budget-warning" => Event::BudgetWarning { limit: facts.limit?, used: 0.0, max: 0.0 },
        "waited" => Event::Waited { ms: facts.ms },
        "abort-requested" => Event::AbortRequested { reason: facts.reason },
        "run-finished" => Event::RunFinished { result: ended(facts.result?) },
        _ => Event::Status { text: String::new() },
    };
    Some(event)
}

fn mode(name: &str) -> Option<PlanMode> {
    [("auto", PlanMode::Auto), ("required", PlanMode::Required), ("off", PlanMode::Off)]
        .into_iter()
        .find_map(|(known, mode)| (known == name).then_some(mode))
}

fn tagged(tag: String) -> SnapshotInfo {
    let (oid, tree, message) = (String::new(), String::new(), String::new());
    SnapshotInfo { tag, oid, tree, message, at: 0, files: 0, changed: 0, warnings: Vec::new() }
}

fn ended(Ended { reason, message }: Ended) -> RunResult {
    RunResult {
        run_id: String::new(),
        success: reason == StopReason::Done,
        reason,
        message,
        iterations: 0,
        usage: Usage::default(),
        gates: Vec::new(),
        snapshots: RunSnapshots::default(),
    }
}
