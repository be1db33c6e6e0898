//! A store tears a write: a part of its bytes arrives, and the page is gone. In the evening the user edits a file and makes
//! one. The resumed run ends like one that was never interrupted, and the user's files are neither committed nor changed.
//! `TEARS=all` tears each write at each length. Natively only, as `kill.rs`.
#![cfg(not(target_family = "wasm"))]

use crate::engine::chunks::{build, chunk, commit_project, ship};
use crate::engine::histories::repository::{bytes_of, files_of, log};
use crate::engine::kill::{End, committed_specs, end, spec_work};
use crate::engine::support::{SUMMARY, complete, options, until, write};
use futures_util::future::FutureExt;
use loopgate::port::memory::{Fault, MemoryGit, MemoryHost, ScriptedModel, Torn, Turn};
use loopgate::port::{AgentRole, FsPort};
use loopgate::run::{Envelope, Event, PlanMode, RunControl, RunOptions, RunResult, SpecFact};
use loopgate::{Error, ErrorCode};
use serde_json::json;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

type Start = fn() -> MemoryHost;
type WorkOf = fn(&str) -> RunOptions;

const OWN: [(&str, &str); 2] = [("notes.md", "EVENING notes\n"), ("mine.txt", "EVENING mine\n")];

fn evening(host: &MemoryHost) {
    host.clock.advance(3_600_000);
    for (path, text) in OWN {
        host.put(path, text);
    }
}

fn specs() -> MemoryHost {
    let host = committed_specs();
    host.put("notes.md", "old\n");
    host
}

fn chunks() -> MemoryHost {
    let mut host = MemoryHost::new([("notes.md", "old\n")]);
    host.git = Some(MemoryGit::new(&host.fs, "/project/.git"));
    commit_project(&host, &json!([chunk("a", &[]), chunk("b", &["a"])])).now_or_never().unwrap();
    host.model = Some(ScriptedModel::answering(|request| {
        let prompt = serde_json::to_string(&request.messages).unwrap();
        match request.role {
            AgentRole::Reviewer => ship(),
            AgentRole::Summarizer => Turn::Text(r#"{"summary":"It exists."}"#.to_owned()),
            _ if prompt.contains("Task: Add b") => build("src/b.ts", "b\n"),
            _ => build("src/a.ts", "a\n"),
        }
    }));
    host
}

fn task() -> MemoryHost {
    let mut host = MemoryHost::new([("index.html", "<h1>Drinks</h1>"), ("notes.md", "old\n")]);
    host.git = Some(MemoryGit::new(&host.fs, "/project/.git"));
    host.model = Some(ScriptedModel::answering(|_| {
        Turn::calls([crate::engine::support::work(), write(".ralph/summary.md", SUMMARY), complete()])
    }));
    host
}

fn task_work(id: &str) -> RunOptions {
    options(id, PlanMode::Off)
}

async fn drive(host: &MemoryHost, options: RunOptions) -> (Result<RunResult, Error>, Vec<Envelope>) {
    let events = RefCell::new(Vec::new());
    let listener = |envelope: &Envelope, _: &str| events.borrow_mut().push(envelope.clone());
    let result = loopgate::run::drive(host, options, &RunControl::default(), &listener).await;
    (result, events.into_inner())
}

/// What depends neither on the evening nor on an iteration that is repeated.
#[derive(Debug, PartialEq)]
struct Left {
    sources: BTreeMap<String, String>,
    decisions: Vec<String>,
    /// Without HEAD's branch, which a torn write may lose before it has a commit.
    history: Vec<String>,
}

fn left(end: End) -> Left {
    let sources = end.files.into_iter().filter(|(path, _)| path.starts_with("/project/src/")).collect();
    let history = end.history.into_iter().filter(|line| line.contains(' ')).collect();
    // What the user changed in the evening is judged once more.
    let mut decisions: Vec<String> = end.decisions.into_iter().filter(|fact| !fact.starts_with("gates")).collect();
    decisions.dedup();
    Left { sources, decisions, history }
}

/// Tears writes of a run. Returns how many.
async fn tear_everywhere(project: Start, work: WorkOf) -> usize {
    let is_all = std::env::var("TEARS").is_ok_and(|tears| tears == "all");
    let mut tears = 0;
    for appends in [true, false] {
        let start = async || {
            let mut host = project();
            if !appends {
                host.fs = host.fs.clone().without_append();
                host.git = Some(MemoryGit::new(&host.fs, "/project/.git"));
            }
            host.fs.flush().await.unwrap();
            host
        };
        let host = start().await;
        drive(&host, work("run-1")).await.0.unwrap();
        let whole = end(&host, "run-1");
        assert!(whole.success);
        let expected = left(whole);
        for number in 0..host.fs.writes() {
            for (at, torn) in Torn::ALL.into_iter().enumerate() {
                // Neighbors have different lengths, and the two stores as well.
                if !is_all && (number + u64::from(appends)) % 5 != at as u64 {
                    continue;
                }
                let of = format!("{torn:?} at write {number}, appends: {appends}");
                let host = start().await;
                host.fs.fail_write(number, Fault::TearTo(torn));
                let _ = drive(&host, work("run-1")).await;
                host.fs.heal();
                evening(&host);
                let mut id = "run-1";
                let (mut result, _) = drive(&host, RunOptions { resume: true, ..work(id) }).await;
                match &result {
                    Err(error) if error.code == ErrorCode::NotFound => {
                        id = "run-2";
                        result = drive(&host, work(id)).await.0;
                    }
                    Err(error) if error.message.contains("is finished") => {
                        tears += 1;
                        continue;
                    }
                    _ => {}
                }
                result.unwrap_or_else(|error| panic!("{of}: {error}"));
                for (path, text) in OWN {
                    assert_eq!(host.text(path).as_deref(), Some(text), "{of}");
                }
                require_none_committed(&host, &of);
                assert_eq!(left(end(&host, id)), expected, "{of}");
                tears += 1;
            }
        }
    }
    tears
}

/// No commit has what the user wrote.
fn require_none_committed(host: &MemoryHost, of: &str) {
    let refs = host.git.as_ref().unwrap().refs().into_keys().filter(|name| name.starts_with("refs/heads/"));
    for commit in refs.flat_map(|name| log(host, &name)) {
        for (path, (_, blob)) in files_of(host, &commit) {
            let text = String::from_utf8_lossy(&bytes_of(host, &blob)).into_owned();
            assert!(!text.contains("EVENING"), "{of}: {path} of {commit}");
        }
    }
}

#[tokio::test]
async fn a_task_whose_writes_are_torn_ends_like_one_whose_writes_are_not() {
    let tears = tear_everywhere(task, task_work).await;
    assert!(tears >= 60, "{tears}");
}

#[tokio::test]
async fn a_run_over_specs_whose_writes_are_torn_ends_like_one_whose_writes_are_not() {
    let tears = tear_everywhere(specs, spec_work).await;
    assert!(tears >= 100, "{tears}");
}

#[tokio::test]
async fn a_run_over_chunks_whose_writes_are_torn_ends_like_one_whose_writes_are_not() {
    let tears = tear_everywhere(chunks, crate::engine::chunks::options).await;
    assert!(tears >= 100, "{tears}");
}

/// Closes the page when the agent has written its first file and thinks again.
async fn closed_while_the_agent_works(host: &MemoryHost, work: RunOptions, source: &'static str) -> MemoryHost {
    let (mut first, is_stuck) = (host.clone(), Rc::new(Cell::new(false)));
    let (files, stuck) = (host.clone(), is_stuck.clone());
    first.model = Some(ScriptedModel::answering(move |request| {
        if files.text(source).is_some() {
            stuck.set(true);
            return Turn::Hang;
        }
        match request.role {
            AgentRole::Builder => Turn::calls([write(source, "export const torn = 1\n")]),
            _ => Turn::calls([write("specs/plans/0001-foo.md", "# Plan\n"), complete()]),
        }
    }));
    let mut run = Box::pin(drive(&first, work));
    futures_util::future::select(&mut run, Box::pin(until(|| is_stuck.get()))).await;
    drop(run);
    host.clone()
}

/// The last segment of the journal, cut to this part.
fn cut(host: &MemoryHost, torn: Torn) {
    let (path, bytes) = host.fs.tree("/project/.loopgate/journal/run-1").into_iter().next_back().unwrap();
    host.fs.put(&path, torn.part(&bytes));
}

#[tokio::test]
async fn a_journal_that_lost_its_end_says_so_and_what_it_cannot_attribute_stays_and_is_named() {
    let cases: [(Start, WorkOf, &str); 3] = [
        (task, task_work, "src/hero.ts"),
        (specs, spec_work, "src/foo.ts"),
        (chunks, crate::engine::chunks::options, "src/a.ts"),
    ];
    for (project, work, source) in cases {
        for torn in [Torn::Nothing, Torn::OneByte] {
            let of = format!("{source}, {torn:?}");
            let host = closed_while_the_agent_works(&project(), work("run-1"), source).await;
            cut(&host, torn);
            evening(&host);
            let (_, events) = drive(&host, RunOptions { resume: true, ..work("run-1") }).await;
            let is_told = |event: &Event| matches!(event, Event::RunResumed { repaired, .. } if repaired.len() == 1);
            assert!(is_told(&events[0].event), "{of}: {:?}", events[0]);
            let names = |event: &Event| matches!(event, Event::Status { text } if text.contains(source));
            assert!(events.iter().any(|envelope| names(&envelope.event)), "{of}: {events:#?}");
            // What is newer than the last line that the page wrote is certainly the user's.
            let is_users = |path: &str| {
                events.iter().any(|envelope| match &envelope.event {
                    Event::UserChanged { files } => files.iter().any(|edit| edit.path == path),
                    _ => false,
                })
            };
            assert!(OWN.iter().all(|(path, _)| is_users(path)), "{of}: {events:#?}");
            for (path, text) in OWN {
                assert_eq!(host.text(path).as_deref(), Some(text), "{of}");
            }
            require_none_committed(&host, &of);
        }
    }
}

#[tokio::test]
async fn an_emptied_segment_costs_a_spec_no_attempt() {
    for commits in [true, false] {
        let host = specs();
        if !commits {
            host.put(".handoff/config.yaml", "git: { commit: false }\n");
        }
        let host = closed_while_the_agent_works(&host, spec_work("run-1"), "src/foo.ts").await;
        cut(&host, Torn::Nothing);
        // The agent writes what it has written.
        host.put("src/foo.ts", "export {};\n");
        let (result, events) = drive(&host, RunOptions { resume: true, ..spec_work("run-1") }).await;
        assert!(result.as_ref().unwrap().success, "{}", result.unwrap().message);
        let failed = |event: &Event| matches!(event, Event::Specs(SpecFact::AttemptFailed { .. }));
        assert!(!events.iter().any(|envelope| failed(&envelope.event)), "commits: {commits}");
    }
}
