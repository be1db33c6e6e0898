//! The chunks of a spec with their state and attempts, as an IDE lists them.

use super::*;
use crate::engine::support::{damage, run_scripted};
use futures_util::FutureExt;
use loopgate::port::PortErrorKind;
use loopgate::run::{ChunkState, Estimated, LimitOptions, ListedChunk, ListedOutcome, PlanMode, estimate, list_chunks};

async fn listed(host: &MemoryHost) -> Vec<ListedChunk> {
    list_chunks(host.project(), "shop").await.unwrap()
}

fn states(listed: &[ListedChunk]) -> Vec<(&str, ChunkState, Vec<ListedOutcome>)> {
    let outcomes = |of: &ListedChunk| of.attempts.iter().map(|attempt| attempt.outcome).collect();
    listed.iter().map(|of| (of.chunk.id.as_str(), of.state, outcomes(of))).collect()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn shipped_revised_failed_and_blocked_chunks_are_listed_with_their_attempts() {
    use ListedOutcome::{Revised, Shipped};
    let chunks = json!([chunk("a", &[]), chunk("b", &["a"]), chunk("c", &["b"])]);
    let mut limited = chunks.clone();
    limited[1]["maxIterations"] = json!(1);
    let reviews = [revise("Lock."), ship(), ship(), revise("No.")];
    let builds = ["a\n", "aa\n"].map(|text| build("src/a.ts", text)).into_iter().chain([build("src/b.ts", "b\n")]);
    let roles = Roles::new(limited, builds, reviews).await;
    let before = listed(&roles.host).await;
    let pending = |id| (id, ChunkState::Pending, Vec::new());
    assert_eq!(states(&before), [pending("a"), pending("b"), pending("c")]);
    assert_eq!(run(&roles.host, options("run-1")).await.result().reason, StopReason::Blocked);
    let after = listed(&roles.host).await;
    let expected = [
        ("a", ChunkState::Shipped, vec![Revised, Shipped]),
        ("b", ChunkState::Failed, vec![Revised]),
        ("c", ChunkState::Blocked, vec![]),
    ];
    assert_eq!(states(&after), expected);
    let [a, b, c] = after.as_slice() else { panic!("{after:?}") };
    assert!(a.commit.is_some() && a.reason.is_none() && b.commit.is_none() && b.reason.is_some());
    assert_eq!(c.blocked_by, ["b"]);
    let first = &a.attempts[0];
    assert_eq!((first.number, first.folder.as_str()), (1, ".handoff/specs/shop/iterations/a/iteration-1"));
    assert!(first.reason.as_deref().is_some_and(|why| why.ends_with("A race.")), "{:?}", first.reason);
    assert_eq!(a.attempts[1].reason, None);
    assert_eq!(first.reviews.keys().collect::<Vec<_>>(), ["quick"]);
    assert!(first.usage.input_tokens > 0 && first.started_at <= first.ended_at && first.started_at.is_some());
    // A shipped chunk that asks for something else is pending again.
    let mut other = chunks;
    other[0]["description"] = json!("Write something else.");
    roles.host.put(&format!("{FOLDER}/chunks.json"), &other.to_string());
    assert_eq!(states(&listed(&roles.host).await)[0].1, ChunkState::Pending);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_chunk_of_a_run_that_goes_on_is_running_and_the_final_review_is_listed_with_its_attempts() {
    let roles = Roles::new(json!([chunk("a", &[])]), [build("src/a.ts", "a\n")], [ship()]).await;
    let limits = LimitOptions { max_tokens: Some(300.0), ..LimitOptions::default() };
    let stopped = run(&roles.host, RunOptions { limits, ..options("run-1") }).await;
    assert_eq!(stopped.result().reason, StopReason::Budget);
    let now = listed(&roles.host).await;
    assert_eq!(states(&now), [("a", ChunkState::Running, vec![ListedOutcome::Open])]);
    let more = LimitOptions { max_tokens: Some(9_000.0), ..LimitOptions::default() };
    assert!(run(&roles.host, RunOptions { limits: more, resume: true, ..options("run-1") }).await.result().success);
    let after = listed(&roles.host).await;
    assert_eq!(after[0].state, ChunkState::Shipped);
    let last = after.last().unwrap();
    assert_eq!((last.chunk.id.as_str(), last.state), ("final-review", ChunkState::Shipped));
    assert!(last.attempts[0].reviews.contains_key("final"));
    assert_eq!(last.attempts[0].outcome, ListedOutcome::Shipped);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_chunk_of_a_run_that_failed_is_not_running_and_its_attempt_is_open() {
    let roles = Roles::new(json!([chunk("a", &[])]), [build("src/a.ts", "a\n")], [ship()]).await;
    *roles.reviewer.borrow_mut() = [Turn::Fail(PortErrorKind::Other)].into();
    assert!(run(&roles.host, options("run-1")).await.result.is_err());
    assert_eq!(states(&listed(&roles.host).await), [("a", ChunkState::Pending, vec![ListedOutcome::Open])]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_estimate_counts_the_chunks_that_are_left() {
    let chunks = json!([chunk("a", &[]), chunk("b", &[])]);
    let roles = Roles::new(chunks, [build("src/a.ts", "a\n"), build("src/b.ts", "b\n")], [ship()]).await;
    let outcome = run(&roles.host, options("run-1")).await;
    let used = outcome.result().usage.tokens() as f64;
    let nothing = estimate(&roles.host, &options("run-2")).await.unwrap();
    assert_eq!(nothing.tokens, Estimated::Range { min: 0.0, max: 0.0 });
    let again = json!([chunk("c", &[]), chunk("d", &[])]);
    roles.host.put(&format!("{FOLDER}/chunks.json"), &again.to_string());
    let Estimated::Range { min, max } = estimate(&roles.host, &options("run-2")).await.unwrap().tokens else {
        panic!()
    };
    assert!(min < used && used < max, "{min} {used} {max}");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_list_that_cannot_run_is_an_error_and_a_spec_without_one_has_no_chunks() {
    let host = project(&json!([chunk("a", &["b"])])).await;
    let error = list_chunks(host.project(), "shop").await.unwrap_err();
    assert!(error.code == ErrorCode::InvalidConfig && error.message.contains("depends on \"b\""), "{error}");
    let roles = Roles::new(json!([chunk("a", &["b"])]), [], []).await;
    assert_eq!(run(&roles.host, options("run-1")).await.result.unwrap_err().code, error.code);
    assert_eq!(list_chunks(host.project(), "other").await.unwrap(), []);
    assert_eq!(list_chunks(host.project(), "../x").await.unwrap_err().code, ErrorCode::InvalidArgument);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_newest_run_over_the_spec_decides_which_chunk_is_running() {
    let roles = Roles::new(json!([chunk("a", &[])]), [build("src/a.ts", "a\n")], [ship()]).await;
    let limits = LimitOptions { max_tokens: Some(300.0), ..LimitOptions::default() };
    let stopped = run(&roles.host, RunOptions { limits, ..options("run-1") }).await;
    assert_eq!(stopped.result().reason, StopReason::Budget);
    // A task that only asks back.
    let unclear = RunOptions { work: Work::task("Do it"), ..crate::engine::support::options("run-2", PlanMode::Off) };
    let (unclear, _) = run_scripted(&roles.host, unclear, []).await;
    assert_eq!(unclear.result().reason, StopReason::NeedsClarification);
    let running = [("a", ChunkState::Running, vec![ListedOutcome::Open])];
    assert_eq!(states(&listed(&roles.host).await), running);
    damage(&roles.host, "run-1");
    let unknown = listed(&roles.host).await;
    assert_eq!(states(&unknown), [("a", ChunkState::Pending, vec![ListedOutcome::Aborted])]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_chunk_is_running_from_its_start_to_its_end() {
    let attempts = [build("src/a.ts", "a\n"), build("src/a.ts", "aa\n")];
    let roles = Roles::new(json!([chunk("a", &[])]), attempts, [revise("Lock."), ship()]).await;
    let (host, control, seen) = (roles.host.clone(), RunControl::default(), RefCell::new(Vec::new()));
    let look = |envelope: &Envelope, _: &str| {
        let listed = list_chunks(host.project(), "shop").now_or_never().unwrap().unwrap();
        seen.borrow_mut().push((envelope.event.clone(), listed));
    };
    assert!(drive(&roles.host, options("run-1"), &control, &look).await.unwrap().success);
    let mut expected = ChunkState::Pending;
    for (event, listed) in seen.into_inner() {
        match &event {
            Event::Chunks(ChunkFact::RunPrepared { .. }) => expected = ChunkState::Running,
            Event::Chunks(ChunkFact::SummaryWritten { .. }) => expected = ChunkState::Shipped,
            Event::Chunks(ChunkFact::AttemptReverted { .. }) => {
                assert_eq!(listed[0].attempts[0].outcome, ListedOutcome::Revised);
            }
            _ => {}
        }
        assert_eq!(listed[0].state, expected, "after {event:?}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_accepted_final_review_stays_accepted_when_a_chunk_is_added() {
    use ListedOutcome::{Open, Shipped};
    let builds = [build("src/a.ts", "a\n"), build("src/b.ts", "b\n")];
    let roles = Roles::new(json!([chunk("a", &[])]), builds, [ship()]).await;
    assert!(run(&roles.host, options("run-1")).await.result().success);
    let chunks = json!([chunk("a", &[]), chunk("b", &[])]);
    roles.host.put(&format!("{FOLDER}/chunks.json"), &chunks.to_string());
    let last = async || {
        let listed = listed(&roles.host).await;
        let (_, state, outcomes) = states(&listed).pop().unwrap();
        (state, outcomes)
    };
    assert_eq!(last().await, (ChunkState::Pending, vec![Shipped]));
    // The chunk ships, and the next final review fails.
    *roles.reviewer.borrow_mut() = [ship(), ship(), Turn::Fail(PortErrorKind::Other)].into();
    assert!(run(&roles.host, options("run-2")).await.result.is_err());
    assert_eq!(listed(&roles.host).await[1].state, ChunkState::Shipped);
    assert_eq!(last().await, (ChunkState::Pending, vec![Shipped, Open]));
    *roles.reviewer.borrow_mut() = [ship()].into();
    assert!(run(&roles.host, RunOptions { resume: true, ..options("run-2") }).await.result().success);
    assert_eq!(last().await, (ChunkState::Shipped, vec![Shipped, Shipped]));
}
