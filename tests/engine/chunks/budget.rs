//! Runs over chunks that a limit stops, and that continue.

use super::*;
use loopgate::port::memory::Fault;
use loopgate::run::LimitOptions;

fn options_for(id: &str, max: Option<f64>) -> RunOptions {
    RunOptions { limits: LimitOptions { max_tokens: max, ..LimitOptions::default() }, ..options(id) }
}

fn resumed(max: f64) -> RunOptions {
    RunOptions { resume: true, ..options_for("run-1", Some(max)) }
}

fn asked(roles: &Roles) -> String {
    let requests = roles.host.model.as_ref().unwrap().requests();
    requests.iter().filter_map(|request| format!("{:?}", request.role).chars().next()).collect()
}

fn calls(outcome: &Outcome) -> usize {
    outcome.events.iter().filter(|envelope| matches!(envelope.event, Event::Usage { .. })).count()
}

/// Two chunks; the first attempt at the first one is rejected.
async fn project() -> Roles {
    let chunks = json!([chunk("a", &[]), chunk("b", &["a"])]);
    let builds = [build("src/a.ts", "x\n"), build("src/a.ts", "a\n"), build("src/b.ts", "b\n")];
    Roles::new(chunks, builds, [revise("No."), ship()]).await
}

/// Builder, reviewer, summarizer of a whole run.
const ALL: &str = "BRBRRSBRRSR";

/// A run that its limit stopped after this many calls, and the limit.
async fn stopped_after(number: usize) -> (Roles, f64) {
    let (roles, max) = (project().await, 110.0 * number as f64);
    assert_eq!(run(&roles.host, options_for("run-1", Some(max))).await.result().reason, StopReason::Budget, "{number}");
    (roles, max)
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_limit_stops_before_any_role_and_what_was_not_asked_costs_nothing() {
    for number in 1..ALL.len() {
        let roles = project().await;
        let outcome = run(&roles.host, options_for("run-1", Some(110.0 * number as f64))).await;
        assert_eq!(outcome.result().reason, StopReason::Budget, "{number}: {}", outcome.result().message);
        assert_eq!((calls(&outcome), asked(&roles)), (number, ALL[..number].to_owned()));
        let sources = roles.sources();
        for _ in 0..2 {
            let again = run(&roles.host, resumed(110.0 * number as f64)).await;
            assert_eq!((again.result().reason, calls(&again)), (StopReason::Budget, 0), "{number}");
        }
        assert_eq!(roles.sources(), sources, "{number}");
        let done = run(&roles.host, resumed(1e6)).await;
        assert!(done.result().success, "{number}: {}", done.result().message);
        // Without the money for it, a summary is made from the commit.
        let summarized =
            if ALL[number..].starts_with('S') { [&ALL[..number], &ALL[number + 1..]].concat() } else { ALL.to_owned() };
        assert_eq!(
            (asked(&roles), roles.history().await),
            (summarized, ["Add b", "Add a", "by the user"].map(str::to_owned).to_vec())
        );
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_page_that_closes_around_the_stop_loses_and_repeats_nothing() {
    for calls in [1, 2, 3, 5, 6, 8, 10] {
        let max = 110.0 * f64::from(calls);
        for number in 0.. {
            let roles = project().await;
            assert_eq!(run(&roles.host, options_for("run-1", Some(max))).await.result().reason, StopReason::Budget);
            let before = asked(&roles);
            roles.host.fs.fail_write(number, Fault::Crash);
            let is_whole = run(&roles.host, resumed(max)).await.result.is_ok();
            roles.host.fs.heal();
            assert_eq!(asked(&roles), before, "{calls} calls, write {number}");
            let done = run(&roles.host, resumed(1e6)).await;
            assert!(done.result().success, "{calls} calls, write {number}: {}", done.result().message);
            assert_eq!(roles.history().await, ["Add b", "Add a", "by the user"], "{calls} calls, write {number}");
            assert!(
                asked(&roles).len() + 1 >= ALL.len() && asked(&roles).len() <= ALL.len(),
                "{calls} calls, write {number}"
            );
            if is_whole {
                break;
            }
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_user_edits_and_commits_while_a_run_is_stopped() {
    for number in 1..ALL.len() {
        let (roles, max) = stopped_after(number).await;
        let git = roles.host.git.as_ref().unwrap();
        git.write_head("main").await.unwrap();
        assert_eq!(run(&roles.host, resumed(max)).await.result().reason, StopReason::Budget, "{number}");
        let error = run(&roles.host, resumed(1e6)).await.result.unwrap_err();
        assert!(error.message.contains("spec/shop"), "{number}: {error}");
        git.write_head("spec/shop").await.unwrap();
        roles.host.put("index.html", "<p>by the user</p>\n");
        let done = run(&roles.host, resumed(1e6)).await;
        assert!(done.result().success, "{number}: {}", done.result().message);
        assert_eq!(roles.host.text("index.html").as_deref(), Some("<p>by the user</p>\n"), "{number}");
        assert_eq!(roles.history().await, ["Add b", "Add a", "by the user"], "{number}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_stopped_run_does_not_repeat_the_chunks_of_a_later_run() {
    for number in 1..ALL.len() {
        let (roles, _) = stopped_after(number).await;
        *roles.builder.borrow_mut() = match number {
            1..=5 => [build("src/a.ts", "a\n"), build("src/b.ts", "b\n")].into(),
            _ => [build("src/b.ts", "b\n")].into(),
        };
        *roles.reviewer.borrow_mut() = [ship()].into();
        let later = run(&roles.host, options("run-2")).await;
        assert!(later.result.as_ref().is_ok_and(|result| result.success), "{number}: {:?}", later.result);
        let (before, calls) = (roles.history().await, asked(&roles));
        assert_eq!(before, ["Add b", "Add a", "by the user"], "{number}");
        let error = run(&roles.host, resumed(1e6)).await.result.unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidArgument, "{number}: {error}");
        assert_eq!((roles.history().await, asked(&roles)), (before, calls), "{number}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_abort_of_a_stopped_run_takes_its_attempt_back() {
    for number in 1..ALL.len() {
        let (roles, max) = stopped_after(number).await;
        let committed = roles.history().await.len() - 1;
        let control = RunControl::default();
        control.abort.fire("stop");
        let result = drive(&roles.host, resumed(max), &control, &|_, _| ()).await.unwrap();
        assert_eq!(result.reason, StopReason::Aborted, "{number}");
        assert_eq!(roles.sources().len(), committed, "{number}");
        let cost = result.cost;
        assert!(cost.accepted + cost.rejected <= cost.spent, "{number}: {cost:?}");
        assert!(run(&roles.host, resumed(1e6)).await.result.is_err(), "{number}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_final_review_is_no_chunk_of_an_estimate() {
    let roles = project().await;
    assert!(run(&roles.host, options_for("run-1", None)).await.result().success);
    let text = roles.host.text(".loopgate/spending.json").unwrap();
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["runs"][0]["pieces"], 2);
}
