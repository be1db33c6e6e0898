//! The agent's tools, called by a model in a run.

use crate::growth::inputs::{self, ANY, Shape};
use crate::growth::measure::grows_linearly;
use crate::growth::targets::ready;
use loopgate::plan::Registry;
use loopgate::port::memory::{MemoryHost, ScriptedModel, Turn};
use loopgate::run::{Event, PlanMode, RunControl, RunOptions, drive};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::cell::Cell;

/// Files with lines that are equal, and files of one line.
const FILES: &[Shape] =
    &[("", " ", ""), ("", "\n", ""), ("", "a\n", ""), ("", "a line of some length №\n", ""), ("", "a", "")];

/// Runs a task whose agent takes one turn with the file `src/a.txt`, then completes.
fn run(content: &str, turn: Turn) {
    let mut host = MemoryHost::new([("src/a.txt", content)]);
    let done =
        Turn::calls([("write_file", json!({ "path": "src/b.txt", "content": "b" })), ("complete_task", json!({}))]);
    host.model = Some(ScriptedModel::new([turn, done]));
    let registry = Cow::Borrowed(Registry::builtin());
    let options = RunOptions { plan: PlanMode::Off, ..RunOptions::task("run-1", "Add a text", registry) };
    let results = Cell::new(0);
    let count = |event: &Event| results.set(results.get() + u32::from(matches!(event, Event::ToolResult { .. })));
    // Whether the gates pass does not matter.
    let _ = ready(drive(&host, options, &RunControl::default(), &|envelope, _| count(&envelope.event)));
    assert!(results.get() >= 2, "the agent went on after the call");
}

fn check(name: &str, shapes: &[Shape], turn: impl Fn(&str) -> Turn) {
    for shape in shapes {
        let work = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes);
            run(&text, turn(&text));
        };
        let outcome = grows_linearly(|size| inputs::repeated(*shape, size), work);
        assert!(outcome.is_ok(), "{name}, {shape:?}: {outcome:?}");
    }
}

fn call(name: &'static str, args: Value) -> impl Fn(&str) -> Turn {
    move |_| Turn::call(name, args.clone())
}

#[test]
fn a_file_is_edited_in_linear_time() {
    for old in [" ", "a", "\n", "not in the file", &"a line of some length ".repeat(12)] {
        let name = format!("edit_file of {old:?}");
        check(&name, FILES, call("edit_file", json!({ "path": "src/a.txt", "old_text": old, "new_text": "b" })));
    }
    check("edit_file of everything", FILES, |text| {
        Turn::call("edit_file", json!({ "path": "src/a.txt", "old_text": format!("{text}x"), "new_text": text }))
    });
}

#[test]
fn files_are_read_searched_and_moved_in_linear_time() {
    let path = json!({ "path": "src/a.txt" });
    check("read_file", FILES, call("read_file", path.clone()));
    check("read_file by lines", FILES, call("read_file", json!({ "path": "src/a.txt", "start": 100, "end": 4000 })));
    check("search", FILES, call("search", json!({ "query": "a" })));
    check("search without a match", FILES, call("search", json!({ "query": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab" })));
    check("search for a long text", &[("", "a", ""), ("", "a b ", "")], |text| {
        Turn::call("search", json!({ "query": format!("{text}x") }))
    });
    check("write_file in many folders", &[("", "a/", "b.txt")], |text| {
        let path = text.get(text.len().saturating_sub(4_000)..).unwrap_or(text);
        Turn::call("write_file", json!({ "path": path, "content": "b" }))
    });
    check("delete_file", FILES, call("delete_file", path));
    check("move_file", FILES, call("move_file", json!({ "from": "src/a.txt", "to": "src/c.txt" })));
    check("list_files", FILES, call("list_files", json!({})));
    check("snapshot", FILES, call("snapshot", json!({ "action": "diff", "tag": "task-1-pre" })));
    check("write_file", ANY, |text| Turn::call("write_file", json!({ "path": "src/a.txt", "content": text })));
}

#[test]
fn a_plan_is_handled_in_linear_time() {
    let parts: &[Shape] =
        &[("export default (<App name=\"a\">", "<Section gumdrop=\"hero\" />{/* TASK-1 [ADD]: a */}", "</App>)")];
    for action in ["validate", "diff", "show", "update"] {
        check(action, parts, |text| {
            Turn::calls([
                ("write_file", json!({ "path": ".ralph/plan.tsx", "content": text })),
                ("plan", json!({ "action": action })),
            ])
        });
    }
}

#[test]
fn the_arguments_of_a_call_are_read_in_linear_time() {
    check("arguments", ANY, |text| Turn::Calls(vec![("read_file".to_owned(), text.to_owned())]));
}

#[test]
fn an_answer_without_a_call_is_read_in_linear_time() {
    let calls: &[Shape] =
        &[("", "write_file", ""), ("", "write_file( ", ""), ("", "```", ""), ("", ">", ""), ("", "\"read_file", "")];
    for shapes in [ANY, calls] {
        check("answer", shapes, |text| Turn::Text(text.to_owned()));
    }
}
