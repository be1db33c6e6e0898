//! Values with every field.

use crate::sent::chunks;
use loopgate::ErrorCode;
use loopgate::config::{self, Config, Sources};
use loopgate::gate::{Evidence, GateFix, GateReport, GateVerdict, RequirementReport, RequirementVerdict};
use loopgate::ledger::Write;
use loopgate::plan::{PlanReport, Registry, ThemeContext, validate};
use loopgate::port::{AgentRole, Question, QuestionKind, Usage};
use loopgate::run::{
    AttemptCost, Cost, Event, Fault, FaultKind, Limits, RunCost, RunResult, RunSnapshots, RunStarted, SkippedSpec,
    SpecInfo, StopReason, Work,
};
use loopgate::snapshot::{Entry, SnapshotInfo, SnapshotKind};
use loopgate::task::{Marker, ParsedBy, Requirement, StructuredTask, TaskScope, TaskType};

pub(crate) fn text(text: &str) -> String {
    text.to_owned()
}

pub(crate) fn texts(text: &str) -> Vec<String> {
    vec![text.to_owned()]
}

pub(crate) fn usage() -> Usage {
    Usage {
        input_tokens: 9,
        output_tokens: 8,
        cached_input_tokens: Some(7),
        cache_write_tokens: Some(1),
        reasoning_tokens: Some(6),
        cost_usd: Some(0.5),
        estimated: Some(true),
    }
}

pub(crate) fn cost() -> Cost {
    Cost { spent: 0.5, accepted: 0.25, rejected: 0.125, estimated: true }
}

pub(crate) fn attempt_cost() -> AttemptCost {
    AttemptCost { piece: Some(text("a")), attempt: 1, spent: 0.5, accepted: 0.25, rejected: 0.125, estimated: true }
}

pub(crate) fn work() -> Work {
    Work::task("Add a hero")
}

pub(crate) fn task() -> StructuredTask {
    StructuredTask {
        kind: TaskType::Mutation,
        title: text("Add 2 drinks"),
        task_number: 2,
        previous_tag: Some(text("task-1-post")),
        requirements: vec![Requirement {
            marker: Marker::Add,
            description: text("2 drinks"),
            count: Some(2),
            existing: Some(8),
            span: Some([0, 12]),
        }],
        scope: TaskScope { preserve: texts("all 8 drinks"), affected_files: texts("src/App.tsx") },
        raw_message: text("Add 2 drinks"),
        questions: Some(texts("Which ones?")),
        parsed_by: ParsedBy::Rules,
    }
}

/// A plan with failures, warnings, markers and every kind of prop.
pub(crate) fn plan_report() -> PlanReport {
    let source = r#"export default (
  <App name="Drinks" description="A shop" x={1.5} y z={["a", 2]} w={{ a: "b", c: true }}>
    <Theme mood="minimall" />
    <Screen name="main">
      {/* TASK-2 [ADD]: 2 new drinks (8 existing) */}
      <Section gumdrop="heroo" />
    </Screen>
  </App>
)
"#;
    let report = validate(source, Registry::builtin(), Some(2));
    assert!(report.root.is_some() && !report.failures.is_empty() && !report.markers.is_empty(), "{report:?}");
    report
}

/// A configuration with every key, and both warnings' fields.
pub(crate) fn config() -> Config {
    let text = "
tools:
  executors: [{ id: a, name: b, type: c, endpoint: d, command: e, model: f }]
  planners: [{ id: a, name: b, model: c }]
  reviewers: [{ id: a, name: b, model: c, checks: [d] }]
defaults: { executor: a, planner: a, quickReviewer: a, deepReviewer: a, finalReviewer: a, summarizer: a }
rules: [a]
verification: { steps: [{ name: a, command: b }] }
reviews: { quick: true, deep: true, final: true }
gates: { only: [a], disabled: [b], raise: [c] }
guard: { deny: [a] }
iterations: { keep: 1 }
limits: { maxIterations: 1, maxToolCallsPerIteration: 1, maxConsecutiveGateFailures: 1, maxTokens: 1, maxCostUsd: 1,
  maxWallMs: 1, stallThreshold: 1, maxStallRecoveries: 1, modelIdleMs: 1, maxAttempts: 1, maxReplans: 1 }
models: { a: { inputPerMillion: 1, outputPerMillion: 1, cachedInputPerMillion: 1 } }
defalts: 1
";
    config::resolve(Sources { project: Some(text.as_bytes()), ..Sources::default() }).unwrap()
}

pub(crate) fn theme() -> ThemeContext {
    ThemeContext {
        applied: false,
        command: text("theme preset minimal --apply"),
        output: text("…"),
        error: Some(text("no shell")),
        mood: Some(text("minimal")),
        font: Some(text("Inter")),
    }
}

pub(crate) fn gate_report() -> GateReport {
    GateReport {
        gate: text("has-summary"),
        verdict: GateVerdict::Fail,
        feedback: Some(text("Write it.")),
        tree: Some(text("4b825dc6")),
        duration_ms: 3,
        not_applicable: true,
        fix: Some(GateFix { file: text("src/index.css"), content: text(":root {}"), description: text("variables") }),
    }
}

pub(crate) fn snapshot() -> SnapshotInfo {
    SnapshotInfo {
        tag: text("task-1-pre"),
        kind: SnapshotKind::Pre,
        run_id: Some(text("run")),
        name: Some(text("Before the redesign")),
        pinned: true,
        oid: text("aa"),
        tree: text("bb"),
        message: text("pre-task"),
        at: 1,
        files: 2,
        changed: 1,
        warnings: texts("link is left out"),
    }
}

pub(crate) fn fault() -> Fault {
    Fault {
        code: ErrorCode::Model,
        message: text("offline"),
        kind: FaultKind::RateLimited,
        retry_after_ms: Some(500),
        retryable: true,
    }
}

pub(crate) fn requirements() -> Vec<RequirementReport> {
    let place = Evidence { file: Some(text("src/a.tsx")), line: Some(3), ..Evidence::new("scope", "8 → 10") };
    let evidence = Evidence { start: Some(0), end: Some(1), ..place };
    let verdicts = [
        RequirementVerdict::Checked,
        RequirementVerdict::Reviewed,
        RequirementVerdict::Mentioned,
        RequirementVerdict::Open,
        RequirementVerdict::Missing,
    ];
    let report = |verdict| RequirementReport {
        id: text("R1"),
        marker: text("ADD"),
        text: text("2 drinks"),
        verdict,
        evidence: vec![evidence.clone()],
    };
    verdicts.map(report).into()
}

pub(crate) fn result() -> RunResult {
    RunResult {
        run_id: text("run"),
        success: false,
        reason: StopReason::NeedsClarification,
        message: text("Which ones?"),
        iterations: 1,
        usage: usage(),
        cost: RunCost {
            spent: 0.5,
            accepted: 0.25,
            rejected: 0.125,
            estimated: true,
            roles: [(AgentRole::Builder, cost())].into(),
            pieces: [(text("a"), cost())].into(),
            attempts: vec![attempt_cost()],
        },
        gates: vec![gate_report()],
        requirements: Some(requirements()),
        snapshots: RunSnapshots { pre: Some(text("task-1-pre")), post: Some(text("task-1-post")) },
        clarification: Some(texts("Which ones?")),
        questions: vec![question()],
    }
}

pub(crate) fn entry() -> Option<Entry> {
    Entry::try_from(text("100644 ce013625030ba8dba906f756967f9e9ca394464a")).ok()
}

pub(crate) fn write() -> Write {
    Write { path: text("a"), from: Some(text("b")), before: entry(), after: entry() }
}

pub(crate) fn limits() -> Limits {
    let (max_tokens, max_cost_usd, max_wall_ms) = (Some(1), Some(0.5), Some(2));
    let (per_task, per_day) = (Some(3.0), Some(4.0));
    Limits { max_tokens, max_cost_usd, per_task, per_day, max_wall_ms, ..Limits::default() }
}

/// The first facts of runs over specs and over chunks.
pub(crate) fn starts() -> Vec<Event> {
    let path = || text("specs/0001-foo.md");
    let specs = RunStarted {
        specs: Some(vec![SpecInfo { path: path(), title: text("Foo") }]),
        skipped: Some(vec![SkippedSpec { path: text("specs/README.md"), reason: text("r"), done: true }]),
        ..RunStarted::new(Work::Spec { path: Some(path()), force: true }, limits())
    };
    let chunks = RunStarted {
        title: Some(text("Shop")),
        chunks: Some(vec![chunks::chunk()]),
        ..RunStarted::new(Work::Chunks { spec: text("shop"), only: Some(texts("a")) }, limits())
    };
    [specs, chunks].map(|started| Event::RunStarted(Box::new(started))).into()
}

pub(crate) fn question() -> Question {
    Question {
        id: text("chunks-1"),
        kind: QuestionKind::Chunks,
        text: text("t"),
        details: serde_json::json!([]),
        expires_at: Some(9),
    }
}
