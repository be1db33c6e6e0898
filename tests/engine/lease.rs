//! One run at a time writes a project.

use crate::engine::support::{SUMMARY, complete, options, run_with, until, work, write};
use futures_util::future::{Either, select};
use loopgate::port::ClockPort;
use loopgate::port::memory::{Fault, MemoryGit, MemoryHost, ScriptedModel, Turn};
use loopgate::run::{Event, PlanMode, RunControl, RunOptions, RunRef, changes, find_unfinished, read_events, revert};
use loopgate::{Error, ErrorCode};
use std::pin::pin;
use wasm_bindgen_test::wasm_bindgen_test;

const LEASE: &str = ".loopgate/lease";

fn done() -> Turn {
    Turn::calls([work(), write(".ralph/summary.md", SUMMARY), complete()])
}

/// A project on a host with and without locks.
fn projects() -> [MemoryHost; 2] {
    let files = || MemoryHost::new([("index.html", "<h1>Drinks</h1>")]);
    [files(), files().with(|ports| ports.lock = None)]
}

fn playing(host: &MemoryHost, turns: impl IntoIterator<Item = Turn>) -> MemoryHost {
    host.clone().with(|ports| ports.model = Some(ScriptedModel::new(turns)))
}

/// Holders of different tests differ, because in a browser they are in one page.
fn held_by(holder: &str, run_id: &str, resume: bool) -> RunOptions {
    RunOptions { holder: holder.to_owned(), resume, ..options(run_id, PlanMode::Auto) }
}

/// Runs until the model hangs; then `then` runs in another tab. The first tab is closed at the end, unless `then` returns.
async fn beside_a_hanging_run<T>(host: &MemoryHost, holder: &str, run_id: &str, then: impl Future<Output = T>) -> T {
    let host = playing(host, [Turn::calls([work()]), Turn::Hang]);
    let model = host.model.clone().unwrap();
    let control = RunControl::default();
    let run = pin!(run_with(&host, held_by(holder, run_id, false), &control));
    let then = async {
        until(|| model.used() == 2).await;
        then.await
    };
    match select(run, pin!(then)).await {
        Either::Left((outcome, _)) => panic!("the run ended: {:?}", outcome.result),
        Either::Right((answer, _)) => answer,
    }
}

fn check_locked(error: &Error, by: &str) {
    assert_eq!((error.code, error.retryable), (ErrorCode::Locked, true), "{error}");
    let holder = error.holder.as_ref().unwrap();
    assert_eq!((holder.run_id.as_str(), holder.id.as_str()), ("run-1", by));
    for words in ["run-1", by, "2023-11-14 22:13Z"] {
        assert!(error.message.contains(words), "{error}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_second_run_is_refused_before_it_calls_the_model() {
    for host in projects() {
        beside_a_hanging_run(&host, "busy", "run-1", async {
            let second = playing(&host, []);
            let before = host.fs.tree("/project");
            let outcome = run_with(&second, held_by("tab-2", "run-2", false), &RunControl::default()).await;
            check_locked(&outcome.result.unwrap_err(), "busy");
            assert!(outcome.events.is_empty());
            assert_eq!(second.model.as_ref().unwrap().used(), 0);
            assert_eq!(host.fs.tree("/project"), before);
            let events = read_events(host.project(), Some("run-1"), 0).await.unwrap();
            assert!(events.iter().any(|event| event["type"] == "tool-result"), "a refused tab can follow the run");
        })
        .await;
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_lease_is_free_after_every_end_of_a_run() {
    let aborted = RunControl::default();
    aborted.abort.fire("never mind");
    let unavailable = loopgate::port::PortErrorKind::Other;
    for host in projects() {
        let ends = [
            (done(), RunControl::default()),
            (done(), aborted.clone()),
            (Turn::Fail(unavailable), RunControl::default()),
        ];
        for (number, (turn, control)) in ends.into_iter().enumerate() {
            let holder = format!("tab-{number}");
            run_with(&playing(&host, [turn]), held_by(&holder, &format!("run-{number}"), false), &control).await;
            assert!(host.text(LEASE).unwrap().contains("\"released\":true"));
        }
        // The storage fails, so the file cannot be written.
        host.fs.fail_write(3, Fault::Crash);
        let outcome =
            run_with(&playing(&host, [done()]), held_by("tab-3", "run-3", false), &RunControl::default()).await;
        assert_eq!(outcome.result.unwrap_err().code, ErrorCode::Fs);
        host.fs.heal();
        let outcome =
            run_with(&playing(&host, [done()]), held_by("tab-4", "run-4", false), &RunControl::default()).await;
        assert!(!outcome.events.is_empty(), "{:?}", outcome.result);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_resumed_run_has_a_higher_number_even_without_the_file() {
    for host in projects() {
        for (number, damage) in [(2, None), (3, Some("")), (4, Some("{\"number\":"))] {
            match damage {
                None => beside_a_hanging_run(&host, "closed", "run-1", async {}).await,
                Some(text) => host.put(LEASE, text),
            }
            // Its tab was closed.
            let resumed = held_by(&format!("tab-{number}"), "run-1", true);
            let outcome = run_with(
                &playing(&host, [Turn::Fail(loopgate::port::PortErrorKind::Other)]),
                resumed,
                &RunControl::default(),
            )
            .await;
            assert!(matches!(outcome.events[0].event, Event::RunResumed { .. }), "{:?}", outcome.result);
            assert!(outcome.events.iter().all(|envelope| envelope.lease == number));
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_newest_run_is_that_of_the_last_lease_if_the_clock_goes_back() {
    let aborted = RunControl::default();
    aborted.abort.fire("enough");
    for host in projects() {
        let unfinished = async || find_unfinished(host.project()).await.unwrap().map(|found| found.run_id);
        // As in the package, an id begins with the time.
        let first = host.clock.now().to_string();
        run_with(&playing(&host, []), held_by("first", &first, false), &aborted).await.result();
        host.clock.go_back(86_400_000);
        let second = host.clock.now().to_string();
        assert!(second < first);
        beside_a_hanging_run(&host, "second", &second, async {
            assert_eq!(unfinished().await.as_ref(), Some(&second));
            let events = read_events(host.project(), None, 0).await.unwrap();
            assert!(!events.is_empty() && events.iter().all(|event| event["runId"] == second.as_str()));
        })
        .await;
        run_with(&playing(&host, []), held_by("third", &second, true), &aborted).await.result();
        assert_eq!(unfinished().await, None);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn without_locks_a_silent_holder_is_replaced_and_its_append_is_refused() {
    let [_, host] = projects();
    let first = playing(&host, [Turn::calls([work()]), Turn::Hang]);
    let (control, model) = (RunControl::default(), first.model.clone().unwrap());
    let mut run = Box::pin(run_with(&first, held_by("silent", "run-1", false), &control));
    // The first tab is then suspended: its run is not polled.
    let Either::Right(_) = select(&mut run, Box::pin(until(|| model.used() == 2))).await else { panic!("it ended") };

    let second = playing(&host, [Turn::calls([write(".ralph/summary.md", SUMMARY), complete()])]);
    let other = held_by("tab-3", "run-3", false);
    let refused = run_with(&second, other, &RunControl::default()).await;
    check_locked(&refused.result.unwrap_err(), "silent");
    host.clock.advance(30_000);
    let outcome = run_with(&second, held_by("tab-2", "run-1", true), &RunControl::default()).await;
    assert!(outcome.result().success, "{}", outcome.result().message);

    let before = host.fs.tree("/project/.loopgate");
    control.abort.fire("its first fact after it continues");
    let late = run.await;
    let error = late.result.unwrap_err();
    assert_eq!(
        (error.code, error.holder.as_ref().map(|holder| holder.id.as_str())),
        (ErrorCode::Locked, Some("tab-2"))
    );
    assert_eq!(host.fs.tree("/project/.loopgate"), before);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn without_locks_a_crash_at_any_write_of_the_lease_leaves_a_project_that_can_run() {
    for fault in [Fault::Crash, Fault::Tear] {
        for at in 0..4 {
            let [_, host] = projects();
            host.fs.fail_write(at, fault);
            let first =
                run_with(&playing(&host, [done()]), held_by("tab-1", "run-1", false), &RunControl::default()).await;
            assert_eq!(first.result.unwrap_err().code, ErrorCode::Fs);
            host.fs.heal();
            let second =
                run_with(&playing(&host, [done()]), held_by("tab-2", "run-2", false), &RunControl::default()).await;
            assert!(second.result().success, "{fault:?} at write {at}: {}", second.result().message);
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_revert_is_refused_while_a_run_has_the_project() {
    for host in projects() {
        let host = host.with(|ports| ports.git = Some(MemoryGit::new(&ports.fs, "/project/.git")));
        let control = RunControl::default();
        let first = playing(&host, [done()]);
        run_with(&first, held_by("first-of-revert", "run-0", false), &control).await.result.unwrap();
        let of = RunRef::Run("run-0".to_owned());
        let changed = changes(&host, &of).await.unwrap();
        assert!(!changed.is_empty());
        let before = host.fs.tree("/project/src");
        beside_a_hanging_run(&host, "beside-revert", "run-1", async {
            check_locked(&revert(&host, &of, None).await.unwrap_err(), "beside-revert");
        })
        .await;
        assert_eq!(host.fs.tree("/project/src"), before);
        if host.lock.is_none() {
            host.clock.advance(30_000);
        }
        let reverted = revert(&host, &of, None).await.unwrap();
        assert_eq!(reverted.reverted, changed.into_iter().map(|change| change.path).collect::<Vec<_>>());
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_revert_of_a_path_that_the_run_did_not_change_is_refused_with_the_nearest_paths() {
    let [host, _] = projects();
    let host = host.with(|ports| ports.git = Some(MemoryGit::new(&ports.fs, "/project/.git")));
    let played = playing(&host, [done()]);
    run_with(&played, held_by("reverted-path", "run-0", false), &RunControl::default()).await.result.unwrap();
    let of = RunRef::Run("run-0".to_owned());
    let path = changes(&host, &of).await.unwrap()[0].path.clone();
    let tree = || {
        let mut tree = host.fs.tree("/project");
        tree.remove("/project/.loopgate/lease");
        tree
    };
    let before = tree();
    for wanted in [format!("{path}x"), "index.html".to_owned(), ".ralph/summary.md".to_owned()] {
        let error = revert(&host, &of, Some(&[path.clone(), wanted.clone()])).await.unwrap_err();
        assert_eq!((error.code, error.path.as_deref()), (ErrorCode::NotFound, Some(wanted.as_str())), "{error}");
        assert!(error.message.contains(&path), "{error}");
        let after = tree();
        let differs: Vec<_> = after.iter().filter(|(path, bytes)| before.get(*path) != Some(bytes)).collect();
        assert!(differs.is_empty() && after.len() == before.len(), "{differs:?}");
    }
    assert_eq!(revert(&host, &of, Some(&["/project".to_owned()])).await.unwrap().reverted, [path]);
}
