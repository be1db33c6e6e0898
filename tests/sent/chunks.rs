//! Every fact of a run over chunks.

use crate::sent::{text, texts};
use loopgate::config::{ReviewTier, Settings, VerificationStep};
use loopgate::review::{Decision, IssueType, Review, ReviewIssue, Severity, Summary as Counts};
use loopgate::run::{
    Beginning, BranchFact, Chunk, ChunkFact, Event, Failed, ReviewFact, Shipped, Summary, VerificationFact,
};
use loopgate::snapshot::{Change, FileChange};
use loopgate::verification::{StepOutcome, VerificationResult};

/// A configuration with every field.
pub(crate) fn settings() -> Box<Settings> {
    let yaml = "tools:\n  executors: [{ id: e, name: E, type: opencode, endpoint: 'http://x', command: c, model: m }]\n  planners: [{ id: p, name: P, model: m }]\n  reviewers: [{ id: r, name: R, model: m, checks: [security] }]\ndefaults: { executor: e, planner: p, quickReviewer: r, deepReviewer: r, finalReviewer: r, summarizer: p }\niterations: { keep: 3 }\nmodels: { m: { inputPerMillion: 1, outputPerMillion: 2, cachedInputPerMillion: 0.5 } }\nlimits: { maxTokens: 9 }\ngates: { only: [work-done] }\n";
    let policy = b"policy:\n  - { decision: deny, tool: t, path: p, access: read, role: builder, phase: build, reason: r }\n  - { decision: allow, command: c }\n";
    let sources = loopgate::config::Sources { global: Some(yaml), project: Some(policy), ..Default::default() };
    let mut settings = loopgate::config::resolve(sources).unwrap().settings;
    let step = VerificationStep { name: text("Types"), command: text("tsc"), required: true, timeout_ms: 1 };
    settings.verification.steps.push(step);
    Box::new(settings)
}

pub(crate) fn review() -> Review {
    let issue = ReviewIssue {
        file: text("src/a.ts"),
        lines: Some([1, 2]),
        kind: IssueType::RaceCondition,
        severity: Severity::High,
        description: text("d"),
        suggestion: text("s"),
        agent_prompt: text("p"),
    };
    Review { decision: Decision::Revise, issues: vec![issue], summary: Counts { total: 1, high: 1, medium: 0, low: 0 } }
}

pub(crate) fn chunk() -> Chunk {
    Chunk {
        id: text("a"),
        title: text("A"),
        description: text("d"),
        relevant_files: texts("src/a.ts"),
        dependencies: texts("b"),
        max_iterations: Some(3),
    }
}

fn summary() -> Summary {
    Summary {
        summary: text("s"),
        files_created: texts("a"),
        files_modified: texts("b"),
        exports_added: texts("c"),
        tests_added: texts("d"),
        verification_steps: texts("e"),
        fallback: true,
    }
}

fn facts() -> Vec<ChunkFact> {
    let files = || vec![FileChange { path: text("b"), change: Change::Renamed, from: Some(text("a")) }];
    let shipped = Shipped { hash: text("h"), commit: text("c"), files: files(), summary: Some(summary()) };
    vec![
        ChunkFact::ChunksProposed { chunks: vec![chunk()] },
        ChunkFact::ProposalRejected { feedback: text("f") },
        ChunkFact::ChunksApproved { chunks: vec![chunk()] },
        ChunkFact::StateRead {
            branch: text("spec/shop"),
            beginning: Beginning { branch: Some(text("main")), commit: Some(text("c")) },
            shipped: [(text("a"), shipped.clone())].into(),
            failed: [(text("b"), Failed { reason: text("r"), feedback: text("f") })].into(),
            finished: Some(text("c")),
            repaired: texts("r"),
        },
        ChunkFact::RunPrepared {
            branch: text("spec/shop"),
            base_branch: Some(text("main")),
            base: Some(text("c")),
            head: Some(text("c")),
            tag: text("chunks/shop/pre"),
            shipped: [(text("a"), shipped)].into(),
            dirty: texts("x"),
            finished: true,
            repaired: texts("r"),
        },
        ChunkFact::ChunkStarted { chunk: text("a"), settings: settings(), config: text("h"), feedback: text("f") },
        ChunkFact::AttemptStarted {
            attempt: 1,
            folder: text(".handoff/specs/shop/iterations/a/iteration-1"),
            base: text("chunks/shop/a/base"),
            head: Some(text("c")),
            verifies: true,
        },
        ChunkFact::AttemptRecorded { tag: text("chunks/shop/a/candidate"), files: files(), ignored: texts("a") },
        ChunkFact::AttemptRejected { feedback: text("f") },
        ChunkFact::AttemptReverted {
            attempt: 1,
            patch: Some(text("p")),
            restored: texts("a"),
            deleted: texts("b"),
            conflicts: texts("c"),
        },
        ChunkFact::ChunkCommitted { chunk: text("a"), commit: text("c"), files: files() },
        ChunkFact::SummaryWritten { chunk: text("a"), summary: summary() },
        ChunkFact::ChunkFailed { chunk: text("a"), reason: text("r"), blocked: vec![(text("b"), text("a"))] },
        ChunkFact::PullRequestDrafted { path: text(".handoff/specs/shop/pull-request.md") },
    ]
}

/// All facts below.
pub(crate) fn all() -> Vec<Event> {
    let (chunks, checks, reviews) = (facts().into_iter(), checks().into_iter(), reviews().into_iter());
    let judged = checks.map(Event::from).chain(reviews.map(Event::from));
    chunks.map(Event::from).chain(judged).chain(branch().map(Event::from)).collect()
}

/// One fact of each kind about the branch of a run.
fn branch() -> [BranchFact; 2] {
    [
        BranchFact::BranchPrepared {
            branch: text("spec/0001-foo"),
            base_branch: Some(text("main")),
            head: Some(text("c")),
            dirty: texts("d"),
        },
        BranchFact::BranchMoved { from: Some(text("c")), to: text("d") },
    ]
}

/// One fact of each kind of a review.
fn reviews() -> Vec<ReviewFact> {
    vec![
        ReviewFact::ReviewGiven { tier: ReviewTier::Quick, review: review() },
        ReviewFact::ReviewUnreadable { tier: ReviewTier::Final, reason: text("r") },
    ]
}

/// One fact of each kind of a verification.
fn checks() -> Vec<VerificationFact> {
    vec![
        VerificationFact::VerificationChecked {
            result: VerificationResult {
                step: text("Types"),
                command: text("tsc"),
                outcome: StepOutcome::TimedOut,
                required: true,
                exit_code: Some(1),
                output: text("o"),
                truncated: true,
                duration_ms: 5,
            },
        },
        VerificationFact::VerificationFinished { feedback: Some(text("f")), warnings: texts("w"), drift: texts("d") },
        VerificationFact::VerificationInconclusive { reason: text("r") },
    ]
}
