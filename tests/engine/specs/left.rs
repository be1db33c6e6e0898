//! The page is closed between the commit of a spec and its record. Whatever run comes next finishes what the commit began.

use super::*;
use crate::engine::chunks::commit_all;
use crate::engine::histories::repository::{files_of, index, log, tip, write_index};
use crate::engine::kill::{committed_specs, spec_work};
use crate::engine::support::until;
use loopgate::port::FsPort;
use loopgate::port::memory::Fault;

/// The number of the user's commits.
const BASE: usize = 2;

/// Two specs on branches of their own, or on the user's; git has an index.
async fn project(mode: &str) -> MemoryHost {
    let host = committed_specs();
    host.put("index.html", "<p>hi</p>");
    host.put(".handoff/config.yaml", &format!("git: {{ commit: true, branch: {mode} }}\n"));
    let commit = commit_all(&host, "refs/heads/main").await;
    write_index(&host, &files_of(&host, &commit));
    host.fs.flush().await.unwrap();
    host
}

/// The writes from the verdict on the first spec to the record of its commit.
async fn range(mode: &str) -> std::ops::RangeInclusive<u64> {
    let (host, at) = (project(mode).await, RefCell::new(Vec::new()));
    let listener = |envelope: &Envelope, _: &str| {
        if let Event::Specs(SpecFact::VerdictGiven { .. } | SpecFact::SpecFinished { .. }) = envelope.event {
            at.borrow_mut().push(host.fs.writes());
        }
    };
    let before = host.fs.writes();
    drive(&host, spec_work("run-1"), &RunControl::default(), &listener).await.unwrap();
    at.borrow()[0] - before..=at.borrow()[1] - before
}

/// Closes the page at a write.
async fn closed(mode: &str, number: u64) -> MemoryHost {
    let host = project(mode).await;
    let at = host.fs.writes() + number;
    host.fs.fail_write(number, Fault::Kill);
    let control = RunControl::default();
    let mut first = Box::pin(drive(&host, spec_work("run-1"), &control, &|_, _| {}));
    futures_util::future::select(&mut first, Box::pin(until(|| host.fs.writes() > at))).await;
    drop(first);
    host.fs.heal();
    host
}

fn require_index_of_head(host: &MemoryHost, of: &str) {
    assert_eq!(index(host), files_of(host, &tip(host, "HEAD").unwrap()), "{of}");
}

#[tokio::test]
async fn a_new_run_finishes_the_commit_of_a_spec() {
    for mode in ["spec", "current"] {
        let mut finished = 0;
        for number in range(mode).await {
            let of = format!("{mode}, write {number}");
            let host = closed(mode, number).await;
            let own = if mode == "spec" { "spec/0001-foo" } else { "main" };
            finished += usize::from(log(&host, &format!("refs/heads/{own}")).len() > BASE);
            let outcome = run(&host, spec_work("run-2")).await;
            if std::env::var("SHOW").is_ok_and(|at| at == number.to_string()) {
                outcome.events.iter().for_each(|e| println!("{:?}", e.event));
            }
            let result = outcome.result.unwrap_or_else(|error| panic!("{of}: {error}"));
            assert!(result.success, "{of}: {}", result.message);
            require_index_of_head(&host, &of);
            let own = match mode {
                "spec" => vec![("spec/0001-foo", 1), ("spec/area/0002-bar", 1)],
                _ => vec![("main", 2)],
            };
            for (name, count) in own {
                assert_eq!(log(&host, &format!("refs/heads/{name}")).len(), BASE + count, "{of}: {name}");
            }
            assert_eq!(host.text("specs/candidates/0001-foo.json"), None, "{of}");
        }
        assert!(finished > 3, "{mode}: some kills come after the commit: {finished}");
    }
}

#[tokio::test]
async fn a_task_and_a_run_that_has_nothing_to_do_finish_the_commit_of_a_spec_once() {
    for number in range("current").await {
        for is_task in [true, false] {
            let of = format!("task: {is_task}, write {number}");
            let host = closed("current", number).await;
            if log(&host, "refs/heads/main").len() == BASE {
                continue;
            }
            let next = match is_task {
                true => crate::engine::support::options("run-2", PlanMode::Off),
                false => {
                    RunOptions { work: Work::Spec { path: Some(SPEC.to_owned()), force: false }, ..spec_work("run-2") }
                }
            };
            let mut idle = host.clone();
            idle.model = Some(ScriptedModel::new([Turn::Fail(PortErrorKind::Other)]));
            let outcome = run(&idle, next).await;
            if std::env::var("SHOW").is_ok_and(|at| at == number.to_string()) {
                outcome.events.iter().for_each(|e| println!("{:?}", e.event));
                println!("{:?}", outcome.result);
            }
            require_index_of_head(&host, &of);
            assert_eq!(host.text("specs/candidates/0001-foo.json"), None, "{of}");
            // What the user stages now stays.
            write_index(&host, &[].into());
            let _ = run(&idle, crate::engine::support::options("run-3", PlanMode::Off)).await;
            assert_eq!(index(&host), [].into(), "{of}");
        }
    }
}
