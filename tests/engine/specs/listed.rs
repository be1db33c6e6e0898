//! The specs of a project with their state, as an IDE lists them.

use super::*;
use loopgate::run::{ListedSpec, SpecState, list_specs};

async fn listed(host: &MemoryHost) -> Vec<ListedSpec> {
    list_specs(host.project()).await.unwrap()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_spec_is_listed_from_its_first_draft_to_its_end() {
    let roles =
        Roles::with([plan("# Plan\n")], [build("foo"), build("bar")], [verdict("fix", "no"), verdict("accept", "")]);
    roles.host.put("specs/README.md", "# Specs\n");
    let states =
        async || listed(&roles.host).await.into_iter().map(|spec| (spec.title, spec.state)).collect::<Vec<_>>();
    let with = |state| vec![("Foo".to_owned(), state), ("README.md".to_owned(), SpecState::NotASpec)];
    assert_eq!(states().await, with(SpecState::New));
    let limits = |max| LimitOptions { max_iterations: Some(max), ..LimitOptions::default() };
    let stop = async |id: &str, max| run(&roles.host, RunOptions { limits: limits(max), ..options(id) }).await;
    stop("run-1", 1.0).await;
    assert_eq!(states().await, with(SpecState::Planned));
    stop("run-2", 1.0).await;
    assert_eq!(states().await, with(SpecState::Candidate));
    stop("run-3", 1.0).await;
    let [spec, readme] = listed(&roles.host).await.try_into().unwrap();
    assert_eq!((spec.state, spec.plans, spec.attempts), (SpecState::Planned, 1, 1));
    assert!(spec.feedback.is_some_and(|text| text.contains("no")) && readme.reason.is_some());
    assert!(run(&roles.host, options("run-4")).await.result().success);
    let [spec, _] = listed(&roles.host).await.try_into().unwrap();
    assert_eq!((spec.state, spec.plans, spec.attempts, spec.feedback), (SpecState::Done, 1, 2, None));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_spec_that_a_run_gave_up_is_failed_with_the_reason_until_another_run() {
    let roles = Roles::with([plan("# Plan\n")], [build("foo")], [verdict("fix", "wrong")]);
    let limits = LimitOptions { max_attempts: Some(1.0), ..LimitOptions::default() };
    let outcome = run(&roles.host, RunOptions { limits, ..options("run-1") }).await;
    assert_eq!(outcome.result().reason, StopReason::MaxAttempts);
    let [spec] = listed(&roles.host).await.try_into().unwrap();
    assert_eq!((spec.state, spec.reason), (SpecState::Failed, Some(outcome.result().message.clone())));
    // A run that works on another spec.
    roles.host.put("specs/0002-bar.md", "# Bar\n");
    let other = Work::Spec { path: Some("specs/0002-bar.md".to_owned()), force: false };
    let limited = LimitOptions { max_iterations: Some(1.0), ..LimitOptions::default() };
    run(&roles.host, RunOptions { limits: limited, work: other, ..options("run-other") }).await;
    roles.host.fs.delete("/project/specs/0002-bar.md");
    assert_eq!(listed(&roles.host).await[0].state, SpecState::Failed);
    let invalid = verdict("invalidate_plan", "another way");
    roles.verifier.borrow_mut().push_front(invalid);
    roles.planner.borrow_mut().clear();
    let limits = LimitOptions { max_iterations: Some(2.0), ..LimitOptions::default() };
    run(&roles.host, RunOptions { limits, ..options("run-2") }).await;
    let [spec] = listed(&roles.host).await.try_into().unwrap();
    assert_eq!((spec.state, spec.reason.as_deref(), spec.plans), (SpecState::Drafting, Some("another way"), 2));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_run_whose_journal_is_damaged_gave_up_no_spec() {
    let roles = Roles::with([plan("# Plan\n")], [build("foo")], [verdict("fix", "wrong")]);
    for id in ["run-1", "run-2"] {
        let limits = LimitOptions { max_attempts: Some(1.0), ..LimitOptions::default() };
        run(&roles.host, RunOptions { limits, ..options(id) }).await;
        assert_eq!(listed(&roles.host).await[0].state, SpecState::Failed, "{id}");
    }
    crate::engine::support::damage(&roles.host, "run-2");
    assert_eq!(listed(&roles.host).await[0].state, SpecState::Planned);
}
