//! Facts read back: as much of an event as the machine folds. What it does not fold comes back as an empty status,
//! so that a journal is read without the code for every report that was ever written into it.

use crate::agent::FileChangeKind;
use crate::port::{AgentRole, Usage};
use crate::run::event::Event;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The fields of a line.
pub(super) struct Fields<'a>(pub &'a Map<String, Value>);

impl Fields<'_> {
    /// A field; a missing one is read as `null`.
    pub(super) fn get<T: DeserializeOwned>(&self, name: &str) -> Result<T, String> {
        crate::json::from_value(self.0.get(name).cloned().unwrap_or_default())
    }

    fn get_or_default<T: DeserializeOwned + Default>(&self, name: &str) -> Result<T, String> {
        self.get::<Option<T>>(name).map(Option::unwrap_or_default)
    }
}

/// The event of a line.
///
/// # Errors
/// A field that its kind needs is missing or does not fit.
pub(super) fn event(line: &Fields<'_>) -> Result<Event, String> {
    let event = match line.get::<String>("type")?.as_str() {
        "run-started" => Event::RunStarted {
            work: line.get("work")?,
            task_number: line.get("taskNumber")?,
            plan: line.get("plan")?,
            task: line.get("task")?,
            notes: Vec::new(),
        },
        "run-resumed" => Event::RunResumed { repaired: Vec::new(), plan: line.get("plan")? },
        "task-started" => Event::TaskStarted {
            task: line.get("task")?,
            origin: line.get("origin")?,
            history: line.get("history")?,
            plan: line.get("plan")?,
            stale_plan: line.get("stalePlan")?,
            applied_theme: line.get("appliedTheme")?,
            kept_theme: line.get("keptTheme")?,
            was_empty: line.get_or_default("wasEmpty")?,
            pre: line.get("pre")?,
        },
        "iteration-started" => Event::IterationStarted {
            iteration: line.get("iteration")?,
            attempt: line.get("attempt")?,
            role: AgentRole::Builder,
            prompt_bytes: 0,
        },
        "iteration-finished" => Event::IterationFinished {
            iteration: line.get("iteration")?,
            tool_calls: 0,
            files_changed: Vec::new(),
            close: line.get("close")?,
            signal: None,
            worked: line.get("worked")?,
            plan: line.get("plan")?,
            tree: line.get_or_default("tree")?,
            fault: line.get("fault")?,
        },
        "tool-call" => {
            Event::ToolCall { id: String::new(), name: line.get("name")?, args: line.get("args")?, provider_data: None }
        }
        "file-changed" => {
            Event::FileChanged { path: line.get("path")?, change: FileChangeKind::Modified, by: line.get("by")? }
        }
        "plan-checked" => Event::PlanChecked {
            report: Default::default(),
            plan: line.get("plan")?,
            accepted: line.get("accepted")?,
            feedback: line.get("feedback")?,
        },
        "theme-started" => Event::ThemeStarted { command: line.get("command")? },
        "plan-context" => {
            Event::PlanContext { theme: line.get("theme")?, sections: Vec::new(), feedback: line.get("feedback")? }
        }
        "completion-refused" => Event::CompletionRefused { feedback: line.get("feedback")? },
        "gate-checked" => Event::GateChecked { report: line.get("report")? },
        "gates-finished" => Event::GatesFinished { round: line.get("round")?, feedback: line.get("feedback")? },
        "fixes-applied" => Event::FixesApplied { gates: line.get("gates")? },
        "snapshot-saved" => Event::SnapshotSaved { snapshot: line.get("snapshot")?, duration_ms: 0 },
        "snapshot-skipped" => Event::SnapshotSkipped { tag: line.get("tag")? },
        "stall-detected" => Event::StallDetected {
            section: None,
            marker: None,
            recovery: line.get("recovery")?,
            is_last: line.get_or_default("isLast")?,
            feedback: line.get("feedback")?,
        },
        "snapshot-restored" => Event::SnapshotRestored {
            tag: line.get("tag")?,
            restored: 0,
            deleted: 0,
            duration_ms: 0,
            feedback: line.get("feedback")?,
        },
        "steered" => Event::Steered { message: line.get("message")? },
        "usage" => Event::Usage { usage: line.get("usage")?, total: Usage::default(), model: line.get("model")? },
        "budget-warning" => Event::BudgetWarning { limit: line.get("limit")?, used: 0.0, max: 0.0 },
        "waited" => Event::Waited { ms: line.get("ms")? },
        "abort-requested" => Event::AbortRequested { reason: line.get("reason")? },
        "run-finished" => Event::RunFinished { result: line.get("result")? },
        "evidence-outdated" => Event::EvidenceOutdated { judged: line.get("judged")?, paths: line.get("paths")? },
        _ => Event::Status { text: String::new() },
    };
    Ok(event)
}
