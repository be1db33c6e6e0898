//! What a tool call costs, counted in calls of the file system.

use crate::support::{SUMMARY, complete, options, write};
use loopgate::port::ToolAnswer;
use loopgate::port::memory::{MemoryHooks, MemoryHost, MemoryTool, ScriptedModel, Turn};
use loopgate::run::{Envelope, Event, PlanMode, RunControl, drive};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use wasm_bindgen_test::wasm_bindgen_test;

const CALLS: usize = 300;

fn path(number: usize) -> String {
    format!("src/part-{}/file-{number}.ts", number / 20)
}

/// A project with 20 files per folder.
fn project_of(files: usize) -> MemoryHost {
    let host = MemoryHost::new([]);
    for number in 0..files {
        host.put(&path(number), "old");
    }
    host
}

/// The file system's calls and writes at a moment.
#[derive(Clone, Copy)]
struct Count {
    calls: u64,
    writes: u64,
}

/// What each call of a run costs: from its `tool-call` to that of the next one.
async fn costs<const N: usize>(host: &MemoryHost, calls: [(&'static str, Value); N]) -> Vec<Count> {
    let mut host = host.clone();
    let last = Turn::calls([write(".ralph/summary.md", SUMMARY), complete()]);
    host.model = Some(ScriptedModel::new([Turn::calls(calls), last]));
    let counts = RefCell::new(Vec::new());
    let mut options = options("run-1", PlanMode::Off);
    options.limits.max_tool_calls_per_iteration = Some(1_000.0);
    // How the run ends does not matter.
    let _ = drive(&host, options, &RunControl::default(), &|envelope, _| {
        if let Event::ToolCall { .. } = envelope.event {
            counts.borrow_mut().push(Count { calls: host.fs.calls(), writes: host.fs.writes() });
        }
    })
    .await;
    let counts = counts.into_inner();
    let steps = counts.iter().zip(&counts[1..]);
    steps.map(|(a, b)| Count { calls: b.calls - a.calls, writes: b.writes - a.writes }).collect()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_call_costs_the_same_at_any_time_and_in_any_project() {
    for files in [50, 3_000] {
        let calls: [_; CALLS] = std::array::from_fn(|number| write(&path(number % 50), "new"));
        for (number, cost) in costs(&project_of(files), calls).await[..CALLS - 1].iter().enumerate() {
            // A stat of each of the three components; the file and the journal.
            assert_eq!((cost.calls, cost.writes), (5, 2), "{files} files, call {number}");
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_facts_of_a_call_are_one_write() {
    let edit = json!({ "path": path(0), "old_text": "old", "new_text": "new" });
    for (call, calls, writes) in [
        (write(&path(0), "new"), 5, 2),
        // A failed write, two folders, the file, the journal. An existing folder is not written.
        (write("src/new-folder/file.ts", "new"), 13, 4),
        (write(".git/config", "denied"), 1, 1),
        (("read_file", json!({ "path": path(0) })), 5, 1),
        (("edit_file", edit), 9, 2),
        (("delete_file", json!({ "path": path(0) })), 7, 2),
    ] {
        let cost = costs(&project_of(2), [call.clone(), write("src/next.ts", "")]).await[0];
        assert!(cost.calls <= calls && cost.writes <= writes, "{call:?}: {} {}", cost.calls, cost.writes);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn without_locks_a_call_also_reads_the_lease() {
    let host = MemoryHost { lock: None, ..project_of(2) };
    let cost = costs(&host, [write(&path(0), "new"), write(&path(1), "new")]).await[0];
    assert_eq!((cost.calls, cost.writes), (6, 2));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_call_with_other_effects_is_in_the_journal_before_it_runs() {
    for (hooks, name, args, is_written) in [
        (false, "write_file", json!({ "path": "src/a.ts", "content": "" }), false),
        (true, "write_file", json!({ "path": "src/a.ts", "content": "" }), true),
        (false, "shell", json!({ "command": "ls" }), true),
        (false, "snapshot", json!({ "action": "list" }), true),
        (false, "deploy", json!({}), true),
    ] {
        let mut host = project_of(1);
        host.model = Some(ScriptedModel::new([Turn::calls([(name, args)])]));
        host.hooks = hooks.then(MemoryHooks::default);
        host.tools = vec![MemoryTool::new("deploy", json!({}), |_| Ok(ToolAnswer { ok: true, output: String::new() }))];
        let seen = Cell::new(None);
        let listener = |envelope: &Envelope, _: &str| {
            if let Event::ToolCall { .. } = envelope.event {
                seen.set(Some(journal_of(&host).contains("tool-call")));
            }
        };
        let _ = drive(&host, options("run-1", PlanMode::Off), &RunControl::default(), &listener).await;
        assert_eq!(seen.get(), Some(is_written), "{name}, hooks: {hooks}");
        assert!(journal_of(&host).contains("tool-result"), "{name}");
    }
}

fn journal_of(host: &MemoryHost) -> String {
    host.fs.tree("/project/.loopgate/journal").into_values().map(|bytes| String::from_utf8(bytes).unwrap()).collect()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_call_writes_a_few_kilobytes() {
    let host = project_of(50);
    let calls: [_; CALLS] = std::array::from_fn(|number| write(&path(number % 50), &"x".repeat(120)));
    costs(&host, calls).await;
    let segments = host.fs.tree("/project/.loopgate/journal");
    let (longest, count) = (segments.values().map(Vec::len).max().unwrap(), segments.len());
    assert!(longest <= 8 * 1024, "a write of the journal is at most a segment: {longest}");
    assert!(count <= CALLS / 5, "a resumed run reads few segments: {count}");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_start_of_an_iteration_costs_the_same_at_any_size() {
    for files in [50, 1_500] {
        let mut host = project_of(files);
        // Each answer ends an iteration, because the limit is one call.
        let turns = (0..8).map(|number| Turn::calls([write(&path(number), "new")]));
        host.model = Some(ScriptedModel::new(turns));
        let (before, started) = (Cell::new(0), RefCell::new(Vec::new()));
        let mut options = options("run-1", PlanMode::Off);
        options.limits.max_tool_calls_per_iteration = Some(1.0);
        let listener = |envelope: &Envelope, _: &str| match &envelope.event {
            Event::SnapshotSaved { .. } => before.set(host.fs.calls()),
            Event::IterationStarted { .. } => started.borrow_mut().push(host.fs.calls() - before.get()),
            _ => {}
        };
        let _ = drive(&host, options, &RunControl::default(), &listener).await;
        let started = started.into_inner();
        assert!(started.len() > 5 && started[1..].iter().all(|calls| *calls <= 30), "{files} files: {started:?}");
    }
}
