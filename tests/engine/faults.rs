//! Failing hosts: the error names the port, and the project stays intact.

use crate::engine::support::{SUMMARY, complete, options, run_with, work, write};
use futures_util::future::join;
use loopgate::ErrorCode;
use loopgate::port::memory::{Fault, MemoryHost, MemoryTool, ScriptedModel, Turn};
use loopgate::port::{ClockPort, PortErrorKind};
use loopgate::run::{Envelope, Event, LimitOptions, PlanMode, RunControl, StopReason, drive, find_unfinished};
use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::task::Poll;
use wasm_bindgen_test::wasm_bindgen_test;

fn project(turns: impl IntoIterator<Item = Turn>) -> MemoryHost {
    let mut host = MemoryHost::new([("index.html", "<h1>Drinks</h1>")]);
    host.model = Some(ScriptedModel::new(turns));
    host
}

fn done() -> Turn {
    Turn::calls([work(), write(".ralph/summary.md", SUMMARY), complete()])
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_tool_whose_name_services_refuse_ends_the_run_before_it_starts() {
    for name in ["", "with space", "preview.open", &"n".repeat(65)] {
        let mut host = project([done()]);
        host.tools = vec![MemoryTool::silent(name)];
        let before = host.fs.tree("/project");
        let outcome = run_with(&host, options("run-1", PlanMode::Auto), &RunControl::default()).await;
        let error = outcome.result.unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidArgument);
        let expected = format!("tools: {name:?} is not a valid tool name; use 1 to 64 letters, digits, `_` and `-`");
        assert_eq!(error.message, expected);
        assert!(outcome.events.is_empty() && host.fs.tree("/project") == before, "{name}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_silent_model_is_limited_by_the_time_budget_of_the_run() {
    let host = project([Turn::Hang]);
    let mut options = options("run-1", PlanMode::Auto);
    options.limits = LimitOptions { max_wall_ms: Some(5_000.0), ..LimitOptions::default() };
    let started = host.clock.now();
    let outcome = run_with(&host, options, &RunControl::default()).await;
    assert_eq!(outcome.result().reason, StopReason::Budget);
    assert_eq!(
        outcome.result().message,
        "100 % of the time limit of 5 seconds is spent. Resume the run with a higher `maxWallMs` to continue."
    );
    assert_eq!(host.clock.now() - started, 5_000);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_permanent_model_error_stops_the_run_resumably() {
    let mut host = project([Turn::Fail(PortErrorKind::Other)]);
    let outcome = run_with(&host, options("run-1", PlanMode::Auto), &RunControl::default()).await;
    let error = outcome.result.unwrap_err();
    assert_eq!(error.code, ErrorCode::Model);
    assert!(error.message.contains("model"), "{}", error.message);
    assert_eq!(host.text("index.html").as_deref(), Some("<h1>Drinks</h1>"));
    assert!(find_unfinished(host.project()).await.unwrap().is_some());
    host.model = Some(ScriptedModel::new([done()]));
    let mut again = options("run-1", PlanMode::Auto);
    again.resume = true;
    let outcome = run_with(&host, again, &RunControl::default()).await;
    assert!(outcome.result().success);
    assert_eq!(outcome.result().iterations, 1, "the failed try is not counted");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_transient_model_error_is_retried_within_the_iteration() {
    let host =
        project([Turn::Fail(PortErrorKind::Unavailable), Turn::Fail(PortErrorKind::RateLimited(Some(7_000))), done()]);
    let before = host.clock.now();
    let outcome = run_with(&host, options("run-1", PlanMode::Auto), &RunControl::default()).await;
    assert!(outcome.result().success);
    assert_eq!(outcome.result().iterations, 1);
    let waits = outcome.events.iter().filter_map(|envelope| match envelope.event {
        Event::Waited { ms } => Some(ms),
        _ => None,
    });
    assert_eq!(waits.collect::<Vec<_>>(), [2_000, 7_000]);
    assert!(host.clock.now() >= before + 9_000);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_wait_of_more_than_ten_minutes_ends_the_run_with_the_servers_message() {
    for (ms, ends) in [(600_000, false), (600_001, true), (u64::MAX, true)] {
        let host = project([Turn::Fail(PortErrorKind::RateLimited(Some(ms))), done()]);
        let result = run_with(&host, options("run-1", PlanMode::Auto), &RunControl::default()).await.result;
        assert_eq!(result.is_err(), ends, "{ms}");
        if let Err(error) = result {
            assert_eq!(error.code, ErrorCode::Model);
            assert!(error.message.contains("minutes: resume the run then"), "{}", error.message);
            assert!(find_unfinished(host.project()).await.unwrap().is_some());
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_answer_of_more_than_32_mb_ends_the_run() {
    let megabyte = "x".repeat(1024 * 1024);
    let complete = vec![("write_file".to_owned(), megabyte.repeat(33))];
    for turn in [Turn::Stall(vec![megabyte; 33]), Turn::Calls(complete)] {
        let host = project([turn, done()]);
        let error = run_with(&host, options("run-1", PlanMode::Auto), &RunControl::default()).await.result.unwrap_err();
        assert_eq!(error.code, ErrorCode::Model);
        assert!(error.message.contains("more than 32 MB"), "{}", error.message);
        assert_eq!(host.model.as_ref().unwrap().used(), 1, "the model is not asked again");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_hanging_model_times_out() {
    let host = project([Turn::Hang, Turn::Hang, Turn::Hang]);
    let mut options = options("run-1", PlanMode::Auto);
    options.limits = LimitOptions { model_idle_ms: Some(5_000.0), ..LimitOptions::default() };
    let error = run_with(&host, options, &RunControl::default()).await.result.unwrap_err();
    assert_eq!(error.code, ErrorCode::Model);
    assert!(error.retryable);
    assert!(error.message.contains("model") && error.message.contains("5000 ms"), "{}", error.message);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_run_without_a_model_or_a_message_is_refused() {
    let mut host = project([]);
    let mut empty = options("run-1", PlanMode::Auto);
    empty.work = loopgate::run::Work::task("  ");
    let error = run_with(&host, empty, &RunControl::default()).await.result.unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidArgument);
    host.model = None;
    let error = run_with(&host, options("run-1", PlanMode::Auto), &RunControl::default()).await.result.unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidArgument);
    assert!(error.message.contains("model"), "{}", error.message);
    let traces: Vec<_> = host.fs.tree("/project").into_keys().collect();
    assert_eq!(traces, ["/project/index.html"]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_full_disk_stops_the_run_and_loses_nothing() {
    let reference = project([done()]);
    let outcome = run_with(&reference, options("run-1", PlanMode::Auto), &RunControl::default()).await;
    assert!(outcome.result().success);
    // The last write releases the lease of a finished run.
    for at in 0..reference.fs.writes() - 1 {
        let host = project([done(), done()]);
        host.fs.fail_write(at, Fault::Crash);
        let error = run_with(&host, options("run-1", PlanMode::Auto), &RunControl::default()).await.result.unwrap_err();
        assert_eq!(error.code, ErrorCode::Fs, "write {at}: {error}");
        assert_eq!(host.text("index.html").as_deref(), Some("<h1>Drinks</h1>"), "write {at}");
        host.fs.heal();
        find_unfinished(host.project()).await.unwrap_or_else(|error| panic!("write {at}: {error}"));
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_damaged_journal_of_an_earlier_run_does_not_stop_a_new_run() {
    let (earlier, host) = (project([done()]), project([done()]));
    assert!(run_with(&earlier, options("run-0", PlanMode::Auto), &RunControl::default()).await.result().success);
    for (path, bytes) in earlier.fs.tree("/project/.loopgate/journal/run-0") {
        let mut lines: Vec<_> = bytes.split(|byte| *byte == b'\n').collect();
        if lines.len() > 4 {
            lines[1] = b"{\"v\":1}";
        }
        host.fs.put(&path, lines.join(&b'\n'));
    }
    assert_eq!(find_unfinished(host.project()).await.unwrap_err().code, ErrorCode::Corrupt);
    let outcome = run_with(&host, options("run-1", PlanMode::Auto), &RunControl::default()).await;
    assert!(outcome.result().success);
    let Event::RunStarted(started) = &outcome.events[0].event else { panic!("{:?}", outcome.events[0]) };
    let notes = &started.notes;
    assert!(notes.iter().any(|note| note.contains("damaged")), "{notes:?}");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_wait_says_until_when_and_why_and_ends_at_once_if_the_user_retries() {
    let host = project([Turn::Fail(PortErrorKind::Unavailable), done()]);
    let control = RunControl::default();
    let (waits, before) = (RefCell::new(Vec::new()), host.clock.now());
    let waited = Cell::new(None);
    let listener = |envelope: &Envelope, _: &str| {
        if let Event::Waited { ms } = envelope.event {
            waited.set(Some(ms));
        }
        if let Event::WaitStarted { until, reason, attempt, of } = &envelope.event {
            waits.borrow_mut().push((until - envelope.at, reason.clone(), *attempt, *of));
        }
    };
    let mut polls_in_the_wait = 0;
    let user = poll_fn(|context| {
        polls_in_the_wait += u32::from(!waits.borrow().is_empty());
        if polls_in_the_wait > 5 {
            control.retry.borrow().fire("the user retries");
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    });
    let (result, ()) = join(drive(&host, options("run-1", PlanMode::Auto), &control, &listener), user).await;
    assert!(result.unwrap().success);
    let [(ms, reason, attempt, of)] = waits.take().try_into().unwrap();
    assert!(reason.contains("model"), "{reason}");
    assert_eq!((ms, attempt, of), (2_000, 2, 6));
    assert!(host.clock.now() - before < 2_000, "the wait ended early");
    assert!(waited.take().is_some_and(|ms| ms < 2_000), "the event has the time that was waited");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_journal_that_lacks_the_end_of_its_run_is_not_resumed_and_a_new_run_starts() {
    let host = project([done(), done()]);
    assert!(run_with(&host, options("run-1", PlanMode::Auto), &RunControl::default()).await.result().success);
    let segments: Vec<String> = host.fs.tree("/project/.loopgate/journal/run-1").into_keys().collect();
    host.fs.delete(segments.last().unwrap());
    assert_eq!(find_unfinished(host.project()).await.unwrap_err().code, ErrorCode::Corrupt);
    let resumed = loopgate::run::RunOptions { resume: true, ..options("run-1", PlanMode::Auto) };
    let error = run_with(&host, resumed, &RunControl::default()).await.result.unwrap_err();
    assert_eq!(error.code, ErrorCode::Corrupt, "{error}");
    let next = run_with(&host, options("run-2", PlanMode::Auto), &RunControl::default()).await;
    assert!(next.events.iter().any(|envelope| matches!(envelope.event, Event::IterationStarted { .. })));
}
