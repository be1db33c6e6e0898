//! What a tool call costs, counted in calls of the file system.

use crate::engine::support::{SUMMARY, complete, options, write};
use loopgate::port::memory::{MemoryHooks, MemoryHost, MemoryTool, ScriptedModel, Turn};
use loopgate::port::{Answer, ToolAnswer};
use loopgate::run::{Envelope, Event, PlanMode, RunControl, drive};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use wasm_bindgen_test::wasm_bindgen_test;

const CALLS: usize = 1_000;

/// The most that one write of the journal has.
const SEGMENT_BYTES: u64 = 8 * 1024;

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

/// The file system's calls, writes and bytes.
#[derive(Clone, Copy)]
struct Count {
    calls: u64,
    writes: u64,
    bytes: u64,
}

impl Count {
    fn now(host: &MemoryHost) -> Self {
        Self { calls: host.fs.calls(), writes: host.fs.writes(), bytes: host.fs.bytes() }
    }

    fn since(self, before: Self) -> Self {
        Self { calls: self.calls - before.calls, writes: self.writes - before.writes, bytes: self.bytes - before.bytes }
    }
}

/// What each call of a run costs: from its `tool-call` to the next one.
async fn costs(host: &MemoryHost, calls: impl IntoIterator<Item = (&'static str, Value)>) -> Vec<Count> {
    let mut host = host.clone();
    let calls = calls.into_iter().map(|(name, args)| (name.to_owned(), args.to_string())).collect();
    let last = Turn::calls([write(".ralph/summary.md", SUMMARY), complete()]);
    host.model = Some(ScriptedModel::new([Turn::Calls(calls), last]));
    let counts = RefCell::new(Vec::new());
    let mut options = options("run-1", PlanMode::Off);
    options.limits.max_tool_calls_per_iteration = Some(2.0 * CALLS as f64);
    // How the run ends does not matter.
    let _ = drive(&host, options, &RunControl::default(), &|envelope, _| {
        if let Event::ToolCall { .. } = envelope.event {
            counts.borrow_mut().push(Count::now(&host));
        }
    })
    .await;
    let counts = counts.into_inner();
    counts.iter().zip(&counts[1..]).map(|(before, after)| after.since(*before)).collect()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_call_costs_the_same_at_any_time_and_in_any_project() {
    for files in [50, 3_000] {
        let calls = (0..CALLS).map(|number| write(&path(number % 50), "new"));
        let costs = costs(&project_of(files), calls).await;
        let mut segments = 0;
        for (number, cost) in costs[..CALLS - 1].iter().enumerate() {
            // A stat of each of the three components; the file and the journal. A new segment of the journal is looked
            // at, because it must not be a link, and flushed.
            assert_eq!(cost.writes, 2, "{files} files, call {number}");
            assert!(matches!(cost.calls, 5 | 7), "{files} files, call {number}: {} calls", cost.calls);
            segments += (cost.calls - 5) / 2;
            assert!(cost.bytes <= SEGMENT_BYTES + 3, "{files} files, call {number}: {} bytes", cost.bytes);
        }
        assert!(segments < CALLS as u64 / 5, "{segments} segments");
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
        // A stat of each of the three components; the file is read and written.
        (("edit_file", edit), 6, 2),
        (("delete_file", json!({ "path": path(0) })), 5, 2),
    ] {
        let cost = costs(&project_of(2), [call.clone(), write("src/next.ts", "")]).await[0];
        // The first call of an iteration begins a segment of the journal, which is looked at and flushed.
        assert!(cost.calls <= calls + 2 && cost.writes <= writes, "{call:?}: {} {}", cost.calls, cost.writes);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn without_locks_a_call_also_reads_the_lease() {
    let host = project_of(2).with(|ports| ports.lock = None);
    let cost = costs(&host, [write(&path(0), "new"), write(&path(1), "new")]).await[0];
    // The first call of an iteration begins a segment of the journal, which is looked at and flushed.
    assert_eq!((cost.calls, cost.writes), (8, 2));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_call_with_other_effects_is_in_the_journal_before_it_runs() {
    let around = || MemoryHooks::default().before_tool(|_, _| Answer::allow().into());
    for (hooks, name, args, is_written) in [
        (false, "write_file", json!({ "path": "src/a.ts", "content": "" }), None),
        (true, "write_file", json!({ "path": "src/a.ts", "content": "" }), Some(true)),
        (true, "list_files", json!({}), None),
        (true, "look", json!({}), None),
        (false, "shell", json!({ "command": "ls" }), Some(true)),
        (false, "snapshot", json!({ "action": "list" }), None),
        (false, "deploy", json!({}), Some(true)),
    ] {
        let mut host = project_of(1);
        host.model = Some(ScriptedModel::new([Turn::calls([(name, args)])]));
        host.hooks = hooks.then(around);
        let tool = |name| MemoryTool::new(name, json!({}), |_| Ok(ToolAnswer::text(true, "")));
        host.tools = vec![tool("deploy"), tool("look").reading()];
        let seen = Cell::new(None);
        let listener = |envelope: &Envelope, _: &str| {
            if let Event::UnguardedStarted { .. } = envelope.event {
                seen.set(Some(journal_of(&host).contains("tool-call")));
            }
        };
        let _ = drive(&host, options("run-1", PlanMode::Off), &RunControl::default(), &listener).await;
        assert_eq!(seen.get(), is_written, "{name}, hooks: {hooks}");
        assert!(journal_of(&host).contains("tool-result"), "{name}");
    }
}

fn journal_of(host: &MemoryHost) -> String {
    host.fs.tree("/project/.loopgate/journal").into_values().map(|bytes| String::from_utf8(bytes).unwrap()).collect()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_call_writes_a_few_kilobytes() {
    let host = project_of(50);
    let content = "x".repeat(120);
    let costs = costs(&host, (0..CALLS).map(|number| write(&path(number % 50), &content))).await;
    for (number, costs) in costs.chunks_exact(100).enumerate() {
        let bytes: u64 = costs.iter().map(|cost| cost.bytes).sum();
        assert!(bytes <= 100 * 6 * 1024, "the calls from {}: {bytes} bytes", number * 100);
    }
    let segments = host.fs.tree("/project/.loopgate/journal").len();
    assert!(segments <= CALLS / 5, "a resumed run reads few segments: {segments}");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_iteration_costs_the_same_at_any_time_and_in_any_project() {
    const ITERATIONS: usize = 60;
    for (files, records, start, work, snapshot) in [
        (50, 0, (25, 1_000), (15, 6_200), (28, 6_000)),
        (3_000, 0, (25, 1_000), (15, 6_200), (28, 6_000)),
        // The prompt is written before the start, the transcript and the data before the snapshot. The oldest record is removed.
        // The cache of checked folders is bounded: after about 60 iterations, it is filled again.
        (3_000, 20, (40, 25_000), (20, 6_200), (45, 10_000)),
    ] {
        let mut host = project_of(files);
        let content = "x".repeat(120);
        // Each answer ends an iteration, because the limit is one call.
        let turns =
            (0..ITERATIONS).map(|number| Turn::calls([write(&path(number % 50), &format!("{number} {content}"))]));
        host.model = Some(ScriptedModel::new(turns));
        let (last, parts) = (Cell::new(Count::now(&host)), RefCell::new(Vec::new()));
        let mut options = options("run-1", PlanMode::Off);
        options.limits.max_tool_calls_per_iteration = Some(1.0);
        options.limits.max_iterations = Some(ITERATIONS as f64);
        options.config.layer = Some(json!({ "records": { "iterations": records } }));
        let listener = |envelope: &Envelope, _: &str| {
            let limits = match &envelope.event {
                Event::IterationStarted { .. } => ("start", start),
                Event::IterationFinished { .. } => ("work", work),
                Event::SnapshotSaved { .. } => ("snapshot", snapshot),
                _ => return,
            };
            let now = Count::now(&host);
            parts.borrow_mut().push((limits, now.since(last.replace(now))));
        };
        let result = drive(&host, options, &RunControl::default(), &listener).await.unwrap();
        assert_eq!(result.iterations as usize, ITERATIONS);
        // The snapshot before the task and the first iteration look at every file.
        let parts = &parts.borrow()[4..];
        assert_eq!(parts.len(), 3 * (ITERATIONS - 1));
        for (number, ((part, (calls, bytes)), cost)) in parts.iter().enumerate() {
            let of = format!("{files} files, {records} records, iteration {}: {part}", number / 3 + 2);
            assert!(cost.calls <= *calls && cost.bytes <= *bytes, "{of}: {} calls, {} bytes", cost.calls, cost.bytes);
        }
    }
}
