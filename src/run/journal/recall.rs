//! Facts read back: as much of an event as the machine folds. What it does not fold comes back as an empty status,
//! so that a journal is read without the code for every report that was ever written into it.

use crate::agent::FileChangeKind;
use crate::gate::GateReport;
use crate::json;
use crate::plan::ThemeContext;
use crate::port::{AgentRole, Usage};
use crate::run::event::{ChangedBy, Event, Fault, IterationClose};
use crate::run::limits::LimitName;
use crate::run::options::{PlanMode, Work};
use crate::run::result::{RunResult, RunSnapshots, StopReason};
use crate::snapshot::SnapshotInfo;
use serde::Deserialize;
use serde_json::Value;

/// Every field that the machine folds, of whatever event.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Facts {
    #[serde(rename = "type")]
    kind: String,
    work: Option<Work>,
    task_number: u32,
    /// The mode of a run that starts, the hash of a plan elsewhere.
    plan: Option<String>,
    task: String,
    origin: String,
    history: String,
    stale_plan: Option<String>,
    applied_theme: String,
    pre: Option<String>,
    name: String,
    args: Value,
    path: String,
    tree: String,
    recovery: u32,
    iteration: u32,
    attempt: u32,
    close: Option<IterationClose>,
    worked: bool,
    fault: Option<Fault>,
    accepted: bool,
    command: String,
    theme: Option<ThemeContext>,
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

#[derive(Deserialize, Default)]
#[serde(default)]
struct Tagged {
    tag: String,
}

#[derive(Deserialize)]
struct Ended {
    reason: StopReason,
    message: String,
}

#[derive(Deserialize)]
struct Judged {
    report: GateReport,
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
            applied_theme: facts.applied_theme,
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
            tree: facts.tree,
            fault: facts.fault,
        },
        "tool-call" => Event::ToolCall { id: String::new(), name: facts.name, args: facts.args },
        "file-changed" => {
            Event::FileChanged { path: facts.path, change: FileChangeKind::Modified, by: ChangedBy::Harness }
        }
        "plan-checked" => Event::PlanChecked {
            report: Default::default(),
            plan: facts.plan,
            accepted: facts.accepted,
            feedback: facts.feedback?,
        },
        "theme-started" => Event::ThemeStarted { command: facts.command },
        "plan-context" => Event::PlanContext { theme: facts.theme?, sections: Vec::new(), feedback: facts.feedback? },
        "completion-refused" => Event::CompletionRefused { feedback: facts.feedback? },
        "gate-checked" => {
            let Judged { report } = json::read(line).ok()?;
            Event::GateChecked { report }
        }
        "gates-finished" => Event::GatesFinished { round: facts.round, feedback: facts.feedback },
        "fixes-applied" => Event::FixesApplied { gates: facts.gates },
        "snapshot-saved" => Event::SnapshotSaved { snapshot: tagged(facts.snapshot.tag), duration_ms: 0 },
        "snapshot-skipped" => Event::SnapshotSkipped { tag: facts.tag },
        "stall-detected" => {
            Event::StallDetected { section: None, marker: None, recovery: facts.recovery, feedback: facts.feedback? }
        }
        "snapshot-restored" => Event::SnapshotRestored {
            tag: facts.tag,
            restored: 0,
            deleted: 0,
            duration_ms: 0,
            feedback: facts.feedback?,
        },
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
