//! The chunks of a spec with their state and attempts, as an IDE lists them.

use super::*;
use loopgate::port::Host;
use loopgate::run::{ChunkState, Estimated, LimitOptions, ListedChunk, ListedOutcome, estimate, list_chunks};

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
    *roles.reviewer.borrow_mut() = [Turn::Fail(loopgate::port::PortErrorKind::Other)].into();
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
    assert!(error.code == ErrorCode::InvalidArgument && error.message.contains("depends on \"b\""), "{error}");
    assert_eq!(list_chunks(host.project(), "other").await.unwrap(), []);
    assert_eq!(list_chunks(host.project(), "../x").await.unwrap_err().code, ErrorCode::InvalidArgument);
}
