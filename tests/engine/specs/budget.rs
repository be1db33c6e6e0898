//! Runs over specs that a limit stops, and that continue.

use super::*;
use crate::engine::chunks::commit_all;
use loopgate::port::Usage;
use loopgate::port::memory::Fault;
use loopgate::run::{ConfigSources, LimitName};

fn options_for(id: &str, commits: bool, max: Option<f64>) -> RunOptions {
    let config = ConfigSources { layer: Some(json!({ "git": { "commit": commits } })), ..ConfigSources::default() };
    RunOptions { config, limits: LimitOptions { max_tokens: max, ..LimitOptions::default() }, ..options(id) }
}

fn resumed(commits: bool, max: Option<f64>) -> RunOptions {
    RunOptions { resume: true, ..options_for("run-1", commits, max) }
}

async fn history(host: &MemoryHost) -> Vec<String> {
    let (git, mut lines) = (host.git.as_ref().unwrap(), Vec::new());
    let mut next = git.resolve_ref("HEAD").await.unwrap();
    while let Some(oid) = next {
        let commit = git.read_commit(&oid).await.unwrap();
        lines.push(commit.message.lines().next().unwrap().to_owned());
        next = commit.parents.first().cloned();
    }
    lines
}

fn asked(roles: &Roles) -> usize {
    roles.host.model.as_ref().unwrap().requests().len()
}

async fn project() -> Roles {
    let roles = Roles::with([plan("# Plan\n")], [build("foo\n")], [verdict("fix", "no"), verdict("accept", "")]);
    commit_all(&roles.host, "refs/heads/main").await;
    roles
}

const STEPS: [f64; 4] = [110.0, 220.0, 330.0, 440.0];

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_spec_that_a_limit_stops_before_any_role_continues_and_repeats_nothing() {
    for commits in [false, true] {
        for max in STEPS {
            let roles = project().await;
            let outcome = run(&roles.host, options_for("run-1", commits, Some(max))).await;
            assert_eq!((outcome.result().reason, asked(&roles)), (StopReason::Budget, (max / 110.0) as usize));
            let built = roles.host.fs.tree("/project/src");
            for _ in 0..3 {
                let again = run(&roles.host, resumed(commits, None)).await;
                assert_eq!((again.result().reason, again.roles().len()), (StopReason::Budget, 0), "{max}");
                assert!(again.events.len() < 8, "{max}: {} events", again.events.len());
            }
            assert_eq!(roles.host.fs.tree("/project/src"), built, "{max}");
            let done = run(&roles.host, resumed(commits, Some(1e6))).await;
            assert!(done.result().success, "{max}: {}", done.result().message);
            assert_eq!(asked(&roles), 5, "{max}");
            assert_eq!(history(&roles.host).await.len(), 1 + usize::from(commits), "{max}");
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_stopped_run_does_not_repeat_the_spec_of_a_later_run() {
    for commits in [false, true] {
        for max in STEPS {
            let roles = project().await;
            assert_eq!(
                run(&roles.host, options_for("run-1", commits, Some(max))).await.result().reason,
                StopReason::Budget
            );
            assert!(run(&roles.host, options_for("run-2", commits, None)).await.result().success, "{max}");
            let (before, calls) = (history(&roles.host).await, asked(&roles));
            let error = run(&roles.host, resumed(commits, Some(1e6))).await.result.unwrap_err();
            assert!(error.message.contains("run-2 worked on specs/0001-foo.md"), "{error}");
            assert_eq!((history(&roles.host).await, asked(&roles)), (before, calls), "{max}");
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_page_that_closes_around_the_stop_loses_and_repeats_nothing() {
    for (commits, max) in [(false, 220.0), (true, 110.0), (true, 220.0), (true, 330.0)] {
        for number in 0.. {
            let roles = project().await;
            assert_eq!(
                run(&roles.host, options_for("run-1", commits, Some(max))).await.result().reason,
                StopReason::Budget
            );
            roles.host.fs.fail_write(number, Fault::Crash);
            let is_whole = run(&roles.host, resumed(commits, None)).await.result.is_ok();
            roles.host.fs.heal();
            let done = run(&roles.host, resumed(commits, Some(1e6))).await;
            assert!(done.result().success, "{max}, write {number}: {}", done.result().message);
            assert_eq!(asked(&roles), 5, "{max}, write {number}");
            assert_eq!(history(&roles.host).await.len(), 1 + usize::from(commits), "{max}, write {number}");
            if is_whole {
                break;
            }
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_user_moves_on_while_a_run_is_stopped() {
    for max in STEPS {
        let roles = project().await;
        assert_eq!(run(&roles.host, options_for("run-1", true, Some(max))).await.result().reason, StopReason::Budget);
        let git = roles.host.git.as_ref().unwrap();
        git.write_head("main").await.unwrap();
        let calls = asked(&roles);
        let error = run(&roles.host, resumed(true, Some(1e6))).await.result.unwrap_err();
        assert!(error.message.contains("spec/0001-foo") && asked(&roles) == calls, "{max}: {error}");
        git.write_head("spec/0001-foo").await.unwrap();
        roles.host.put("index.html", "<p>by the user</p>");
        let done = run(&roles.host, resumed(true, Some(1e6))).await;
        assert!(done.result().success, "{max}: {}", done.result().message);
        assert_eq!(roles.host.text("index.html").as_deref(), Some("<p>by the user</p>"));
        assert_eq!(history(&roles.host).await, ["Foo", "by the user"], "{max}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn each_spec_has_the_limit_for_a_task_and_a_warning() {
    let host = commits::two().await;
    let price = |_: &Usage, _: Option<&str>| Some(1.0);
    let host = host.with(|ports| ports.prices = Some(Rc::new(price)));
    let limits = |max| LimitOptions { per_task: Some(max), ..LimitOptions::default() };
    let outcome = run(&host, RunOptions { limits: limits(3.0), ..options("run-1") }).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let is_warning = |event: &&Envelope| matches!(event.event, Event::BudgetWarning { limit: LimitName::PerTask, .. });
    assert_eq!(outcome.events.iter().filter(is_warning).count(), 2);
    // The same spec again counts on.
    let work = Work::Spec { path: Some(SPEC.to_owned()), force: true };
    let forced = run(&host, RunOptions { work, limits: limits(3.5), ..options("run-2") }).await;
    assert_eq!((forced.result().reason, forced.roles().len()), (StopReason::Budget, 0));
    let cost = &outcome.result().cost;
    assert_eq!((cost.spent, cost.accepted, cost.rejected), (6.0, 6.0, 0.0));
}
