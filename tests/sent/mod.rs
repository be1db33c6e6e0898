//! Writes everything that the harness sends, with every field, as TypeScript to `tests/types/sent.ts`. `make
//! test-types` compiles that file against the package's declarations, which fails for undeclared fields.
#![expect(clippy::disallowed_methods, reason = "the tests read files of the repository")]

mod chunks;
mod values;
mod wire;

use loopgate::agent::{CompletionSignal, FileChangeKind};
use loopgate::config::{self};
use loopgate::gate::{MarkerVerdict, ScopeReport, ScopeVerdict};
use loopgate::plan::{DiffCategory, DiffStatus, PlanAnswer, PlanContext, PlanDiff, PlanDiffEntry, SectionContext};
use loopgate::port::{AgentRole, Answer, Phase};
use loopgate::run::{
    BranchFact, Candidate, ChangedBy, ChunkFact, EarlierChange, Envelope, Event, IterationClose, IterationFiles,
    IterationOutcome, IterationRecord, LimitName, PlanMode, ResolvedSection, ReviewFact, RunStarted, SpecFact,
    SpentBefore, StoredIteration, TaskFact, UnfinishedRun, UserEdit, Verdict, VerificationFact,
};
use loopgate::snapshot::{Change, FileChange, Rollback, SnapshotStatus, Verification};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;
use values::*;

/// The event types. A missing one is a compile error.
macro_rules! kinds {
    ($($kind:ident)*; $($fact:ident)*; $($spec:ident)*; $($chunk:ident)*; $($check:ident)*; $($review:ident)*; $($branch:ident)*) => {
        const KINDS: &[&str] =
            &[$(stringify!($kind),)* $(stringify!($fact),)* $(stringify!($spec),)* $(stringify!($chunk),)* $(stringify!($check),)* $(stringify!($review),)* $(stringify!($branch),)*];

        fn kind(event: &Event) -> &'static str {
            match event {
                $(Event::$kind { .. } => stringify!($kind),)*
                $(Event::Task(TaskFact::$fact { .. }) => stringify!($fact),)*
                $(Event::Specs(SpecFact::$spec { .. }) => stringify!($spec),)*
                $(Event::Chunks(ChunkFact::$chunk { .. }) => stringify!($chunk),)*
                $(Event::Verification(VerificationFact::$check { .. }) => stringify!($check),)*
                $(Event::Review(ReviewFact::$review { .. }) => stringify!($review),)*
                $(Event::Branch(BranchFact::$branch { .. }) => stringify!($branch),)*
            }
        }
    };
}

kinds! {
    RunStarted LimitsChanged RunResumed ConfigLoaded PhaseChanged IterationStarted TextDelta ReasoningDelta ToolDelta
    ModelAnswered QuestionAsked QuestionAnswered QuestionUnanswered ToolCall ToolResult FileChanged
    WriteStarted UserChanged ChangesUnclear UnguardedStarted UnguardedEnded UserEdits HarnessFilesChanged WriteDenied GateChecked GatesFinished FixesApplied SnapshotSaved EvidenceOutdated
    SnapshotSkipped BudgetWarning SpendingRead Usage ContextShortened ProviderData Steered ConfigWarning Status IterationFinished WaitStarted Waited AbortRequested RunFinished
    RunFailed;
    TaskStarted PlanChecked ThemeStarted PlanContext CompletionRefused StallDetected SnapshotRestored;
    SpecStarted PlanPrepared PlanAccepted AttemptFailed CandidateRecorded CandidateOutdated VerdictGiven
    VerdictUnreadable PlanInvalidated LogWritten SpecFinished;
    ChunksProposed ProposalRejected ChunksApproved StateRead RunPrepared ChunkStarted AttemptStarted
    AttemptRecorded AttemptRejected AttemptReverted
    ChunkCommitted SummaryWritten ChunkFailed PullRequestDrafted;
    VerificationChecked VerificationFinished VerificationInconclusive; ReviewGiven ReviewUnreadable;
    BranchPrepared BranchMoved
}

fn edits() -> Vec<UserEdit> {
    let (change, from) = (FileChangeKind::Modified, Some(text("b")));
    vec![UserEdit { path: text("a"), change, from, before: entry(), after: entry() }]
}

fn events() -> Vec<Event> {
    let hash = || Some(text("h"));
    vec![
        Event::RunStarted(Box::new(RunStarted {
            task_number: Some(2),
            plan: Some(PlanMode::Auto),
            task: Some(task()),
            notes: texts("n"),
            ..RunStarted::new(work(), limits())
        })),
        Event::LimitsChanged { limits: limits() },
        Event::RunResumed { repaired: texts("a rollback"), plan: hash(), closed: Some(1) },
        Event::ConfigLoaded { config: text("h"), settings: chunks::settings() },
        Event::Task(TaskFact::TaskStarted {
            task: text("# Task"),
            origin: text("o"),
            history: text("h"),
            plan: hash(),
            stale_plan: hash(),
            applied_theme: text("theme preset minimal --apply"),
            kept_theme: Some(text("theme preset minimal --apply")),
            was_empty: true,
            plan_due: true,
            unaccepted: true,
            pre: Some(text("task-2-pre")),
        }),
        Event::PhaseChanged { from: Phase::Plan, to: Phase::Build, why: text("the plan is valid") },
        Event::IterationStarted {
            iteration: 1,
            attempt: 1,
            role: AgentRole::Builder,
            prompt_bytes: 5,
            model: Some(text("m")),
        },
        Event::TextDelta { text: text("t"), answer: 1 },
        Event::ReasoningDelta { text: text("t"), answer: 1 },
        Event::ToolDelta { id: text("i"), name: text("n"), text: text("t"), answer: 1 },
        Event::ModelAnswered { answer: 1, text: text("t"), reasoning: 1, model: Some(text("m")), usage: usage() },
        Event::QuestionAsked { question: question() },
        Event::QuestionAnswered {
            id: text("chunks-1"),
            answer: Answer { note: Some(text("n")), value: Some(serde_json::json!(1)), ..Answer::allow() },
        },
        Event::QuestionAnswered { id: text("chunks-1"), answer: Answer::deny(text("r")) },
        Event::QuestionUnanswered { id: text("chunks-1") },
        Event::ToolCall {
            id: text("1"),
            name: text("read_file"),
            args: serde_json::json!({ "path": "a" }),
            provider_data: Some(serde_json::json!({ "signature": "s" })),
        },
        Event::ToolResult { id: text("1"), ok: true, output: text("o"), duration_ms: 1, changed: texts("a") },
        Event::WriteStarted { writes: vec![write()], by: ChangedBy::Agent },
        Event::FileChanged {
            path: text("a"),
            change: FileChangeKind::Modified,
            by: ChangedBy::Agent,
            from: Some(text("b")),
            before: entry(),
            after: entry(),
        },
        Event::UserChanged { files: edits() },
        Event::ChangesUnclear { what: text("shell"), by: ChangedBy::Agent, whose: config::Whose::Ask, files: edits() },
        Event::UnguardedStarted { what: text("shell"), by: ChangedBy::Agent, undone: true, head: Some(text("c")) },
        Event::UnguardedEnded,
        Event::UserEdits { paths: BTreeSet::from([text("src/a.ts")]) },
        Event::HarnessFilesChanged { paths: texts(".ralph/task.md") },
        Event::WriteDenied { path: text("/etc"), rule: text("outside"), undone: Some(FileChangeKind::Modified) },
        Event::Task(TaskFact::PlanChecked {
            report: plan_report(),
            plan: hash(),
            accepted: false,
            asks: true,
            feedback: text("f"),
        }),
        Event::Task(TaskFact::ThemeStarted { command: text("theme") }),
        Event::Task(TaskFact::PlanContext {
            theme: theme(),
            sections: vec![ResolvedSection { gumdrop: text("hero"), suggested_file: text("src/x"), found: true }],
            feedback: text("f"),
        }),
        Event::Task(TaskFact::CompletionRefused { feedback: text("f") }),
        Event::GateChecked { report: gate_report() },
        Event::GatesFinished { round: 1, feedback: Some(text("f")), requirements: requirements() },
        Event::FixesApplied { gates: texts("g") },
        Event::SnapshotSaved { snapshot: snapshot(), duration_ms: 1 },
        Event::EvidenceOutdated { judged: text("t"), paths: texts("a") },
        Event::SnapshotSkipped { tag: text("task-1-post") },
        Event::Task(TaskFact::StallDetected {
            section: Some(text("hero")),
            marker: Some(text("ADD")),
            recovery: 1,
            is_last: false,
            feedback: text("f"),
        }),
        Event::Task(TaskFact::SnapshotRestored {
            tag: text("t"),
            restored: 1,
            deleted: 1,
            duration_ms: 1,
            feedback: text("f"),
        }),
        Event::BudgetWarning { limit: LimitName::MaxTokens, used: 8.0, max: 10.0 },
        Event::SpendingRead {
            before: SpentBefore {
                days: [(text("2026-11-26"), 0.5)].into(),
                subjects: [(text("task 3"), 0.5)].into(),
                call: 0.1,
            },
        },
        Event::Usage {
            usage: usage(),
            total: usage(),
            model: Some(text("model")),
            role: AgentRole::Builder,
            cost: cost(),
            of_attempt: attempt_cost(),
        },
        Event::ContextShortened { before: 90, after: 40, results: 1, turns: 1 },
        Event::ProviderData { model: Some(text("model")), data: serde_json::json!([1]) },
        Event::Steered { message: text("m") },
        Event::ConfigWarning {
            warning: config::Warning {
                id: text("unknown-key"),
                message: text("m"),
                file: Some(text("f")),
                line: 1,
                column: 2,
                suggestions: texts("s"),
            },
        },
        Event::Status { text: text("t") },
        Event::IterationFinished {
            iteration: 1,
            tool_calls: 2,
            files_changed: texts("a"),
            close: IterationClose::Completed,
            signal: Some(CompletionSignal::Tool),
            worked: true,
            plan: hash(),
            tree: text("t"),
            answer: Some(serde_json::json!({ "verdict": "fix" })),
            fault: Some(fault()),
        },
        Event::WaitStarted { until: 9, reason: text("r"), attempt: 2, of: 6 },
        Event::Waited { ms: 5 },
        Event::AbortRequested { reason: text("stop") },
        Event::RunFinished { result: result() },
        Event::RunFailed { error: fault() },
    ]
}

/// Every fact of a run over specs.
fn spec_facts() -> Vec<SpecFact> {
    let candidate: Candidate = serde_json::from_value(serde_json::json!({
        "spec_rel": "specs/0001-foo.md", "spec_id": "0001-foo", "commit": "c", "tree": "t", "plan": "p",
        "created_at_utc": "2026-11-23T08:30:00Z",
    }))
    .unwrap();
    let state = serde_json::json!({
        "spec_rel": "specs/0001-foo.md", "spec_id": "0001-foo", "status": "invalidated", "attempt": 1, "feedback": "f", "adopted": true,
        "created_at_utc": "2026-11-23T08:30:00Z", "invalidated_at_utc": "2026-11-23T08:30:00Z", "invalidation_reason": "r",
    });
    let spec = || text("specs/0001-foo.md");
    vec![
        SpecFact::SpecStarted {
            spec: spec(),
            attempt: 2,
            planned: false,
            reason: Some(text("wrong module")),
            archive: Some(1),
            candidate: Some(candidate.clone()),
            state: Some(serde_json::from_value(state).unwrap()),
            base: text("spec/0001-foo/base"),
            base_commit: Some(text("0a1b")),
            fresh: true,
            earlier: vec![EarlierChange { by: ChangedBy::Agent, write: write() }],
            logs: text("runs/0001-foo/2026-11-23T08-30-00Z"),
            repaired: texts("r"),
        },
        SpecFact::PlanPrepared {},
        SpecFact::PlanAccepted { attempt: 1 },
        SpecFact::AttemptFailed { role: AgentRole::Planner, feedback: text("f") },
        SpecFact::CandidateRecorded { candidate, verifies: true },
        SpecFact::CandidateOutdated { paths: texts("a") },
        SpecFact::VerdictGiven {
            verdict: Verdict::InvalidatePlan,
            reason: text("r"),
            findings: texts("f"),
            feedback: text("f"),
        },
        SpecFact::VerdictUnreadable { reason: text("r") },
        SpecFact::PlanInvalidated { reason: text("r"), attempt: 1 },
        SpecFact::LogWritten { path: text("runs/0001-foo/x/verify-1.log") },
        SpecFact::SpecFinished {
            spec: spec(),
            tag: text("spec/0001-foo/done"),
            commit: Some(text("c")),
            branch: Some(text("spec/0001-foo")),
        },
    ]
}

/// A value as a literal, checked for fields that its type does not declare.
fn literal<T: Serialize>(value: &T, declared: &str) -> String {
    format!("  {} satisfies {declared},\n", serde_json::to_string(value).unwrap())
}

fn reports() -> String {
    let entry = PlanDiffEntry {
        status: DiffStatus::Deviation,
        category: DiffCategory::Section,
        planned: text("hero"),
        found: Some(text("src/sections/HeroSection.tsx")),
        detail: Some(text("renders nothing")),
    };
    let section = SectionContext {
        gumdrop: text("hero"),
        variant: Some(text("split")),
        recipe: Some(text("# Hero")),
        components: texts("Button"),
        suggested_file: text("src/sections/HeroSection.tsx"),
    };
    let marker =
        MarkerVerdict { section: text("hero"), marker: text("ADD"), verdict: ScopeVerdict::Warn, reason: text("r") };
    let renamed = FileChange { path: text("b"), change: Change::Renamed, from: Some(text("a")) };
    let (tag, warnings) = (text("task-1-pre"), texts("w"));
    let phase = Phase::Build;
    [
        literal(&snapshot(), "SnapshotInfo"),
        literal(
            &SnapshotStatus {
                current: Some(tag.clone()),
                changes: vec![renamed],
                last: Some(snapshot()),
                warnings: warnings.clone(),
            },
            "Answer<typeof snapshot.status>",
        ),
        literal(
            &Rollback { tag, restored: texts("a"), deleted: texts("b"), undo: text("manual-1"), warnings },
            "Answer<typeof snapshot.rollback> & Answer<typeof snapshot.undo>",
        ),
        literal(
            &Verification { ok: false, missing: texts("a"), different: texts("b"), extra: texts("c") },
            "Answer<typeof snapshot.verify>",
        ),
        literal(&result(), "RunResult"),
        literal(
            &UnfinishedRun {
                run_id: text("run"),
                work: work(),
                phase,
                iteration: 1,
                at: 1,
                questions: vec![question()],
            },
            "NonNullable<Answer<typeof findUnfinishedRun>>",
        ),
        literal(&stored_iteration(), "StoredIteration"),
        literal(&gate_report(), "GateReport"),
        literal(&ScopeReport { overall: ScopeVerdict::Warn, markers: vec![marker] }, "ReturnType<typeof checkScope>"),
        literal(&plan_report(), "PlanReport"),
        literal(
            &PlanDiff { entries: vec![entry], report: text("r"), ..PlanDiff::default() },
            "Answer<typeof diffPlan>",
        ),
        literal(&PlanContext { theme: theme(), sections: vec![section] }, "Answer<typeof resolvePlanContext>"),
        literal(&PlanAnswer::default(), "Answer<ShellCommand['execute']>"),
        literal(&task(), "StructuredTask"),
        literal(&config(), "Answer<typeof loadConfig>"),
        literal(&config().explain("rules").unwrap(), "ReturnType<typeof explainConfig>"),
    ]
    .concat()
}

fn stored_iteration() -> StoredIteration {
    let record = IterationRecord {
        run_id: text("run"),
        iteration: 1,
        attempt: 1,
        role: AgentRole::Builder,
        model: Some(text("m")),
        answered_by: Some(text("m")),
        started_at: 1,
        ended_at: 2,
        outcome: IterationOutcome::Interrupted,
        message: Some(text("why")),
        usage: usage(),
        tool_calls: 1,
        files_changed: texts("a").into_iter().collect(),
    };
    let files = IterationFiles { prompt: text("p"), transcript: text("t"), record: text("r") };
    StoredIteration { record, files }
}

/// Every event with every field.
fn all() -> Vec<Envelope> {
    let specs = spec_facts().into_iter().map(Event::from);
    let shared = chunks::all();
    let events = events().into_iter().chain(starts()).chain(specs).chain(shared);
    events.zip(0..).map(|(event, seq)| Envelope::new(seq, 1, text("run"), 1, event)).collect()
}

#[test]
fn every_event_is_read_as_it_was_written() {
    for envelope in all() {
        let json = serde_json::from_str(&envelope.to_json().unwrap()).unwrap();
        assert_eq!(Event::read(&json), Ok(envelope.event));
    }
}

#[test]
fn every_sent_field_is_in_the_file_that_typescript_checks() {
    let events = all();
    let is_sent = |name: &str| events.iter().any(|envelope| kind(&envelope.event) == name);
    let missing: Vec<&&str> = KINDS.iter().filter(|name| !is_sent(name)).collect();
    assert!(
        missing.is_empty(),
        "no event of the kinds {missing:?}: add one with every field to the lists of this test"
    );
    let sent = events.iter().map(|envelope| format!("  {} satisfies RunEvent,\n", envelope.to_json().unwrap()));
    let text = format!(
        "// What the harness sends, with every field; `ACCEPT=1 cargo test --all-features --test sent` writes it. A field that a type does\n\
         // not declare is an error here.\n\
         import type {{ GateReport, PlanReport, RunEvent, RunResult, ShellCommand, SnapshotInfo, StoredIteration, StructuredTask, checkScope, diffPlan, \
         explainConfig, findUnfinishedRun, loadConfig, resolvePlanContext, snapshot }} from 'loopgate';\n\n\
         type Answer<Call extends (...args: never[]) => unknown> = Awaited<ReturnType<Call>>;\n\n\
         export const events = [\n{}];\n\nexport const reports = [\n{}];\n",
        sent.collect::<String>(),
        reports(),
    );
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/types/sent.ts");
    if std::env::var_os("ACCEPT").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    let accepted = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        text == accepted,
        "what is sent changed: run `ACCEPT=1 cargo test --all-features --test sent`, then `make test-types`"
    );
}
