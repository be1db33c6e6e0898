//! No input freezes the page: every reader and every tool takes time in proportion to its input, or up to a budget.

mod inputs;
mod measure;
mod tools;
mod trees;

use crate::targets;
use inputs::{ANSWERS, ANY, LINES, MESSAGES, REVIEWS, RULES, SOURCES, STYLES, Shape, YAML};
use loopgate::agent::{Sections, fenced};
use loopgate::codebase::analyse;
use loopgate::config;
use loopgate::gate::{CheckOptions, check_gates};
use loopgate::plan::{newest_task, notes, parse_task_file};
use loopgate::port::memory::MemoryHost;
use loopgate::shell_words;
use loopgate::snapshot::{SaveOptions, save};
use serde_json::json;

/// Every shape of input.
fn check(reader: &str, shapes: &[&[Shape]], read: impl Fn(&[u8])) {
    let mut slow = Vec::new();
    for shape in shapes.iter().copied().flatten() {
        if let Err(times) = measure::grows_linearly(|size| inputs::repeated(*shape, size), &read) {
            slow.push(format!("{reader}, {shape:?}: {times}"));
        }
    }
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}

fn check_text(reader: &str, shapes: &[&[Shape]], read: impl Fn(&str)) {
    check(reader, shapes, |bytes| read(&String::from_utf8_lossy(bytes)));
}

/// A target of the fuzzer.
fn check_target(name: &str, shapes: &[&[Shape]]) {
    check(name, shapes, |bytes| targets::run(name, bytes));
}

#[test]
fn a_plan_is_read_in_linear_time() {
    check_target("plan", &[ANY, SOURCES]);
}

#[test]
fn the_comments_of_a_plan_are_read_in_linear_time() {
    check_text("notes", &[ANY, SOURCES], |text| drop(notes(text)));
    check_text("newest_task", &[SOURCES], |text| _ = newest_task(text));
}

#[test]
fn a_message_is_read_in_linear_time() {
    check_target("message", &[ANY, MESSAGES]);
    check_text("task file", &[ANY, MESSAGES], |text| drop(parse_task_file(text, None)));
}

#[test]
fn the_answers_of_models_are_read_in_linear_time() {
    check_target("review", &[ANY, REVIEWS]);
    check_target("answer", &[ANY, ANSWERS]);
}

#[test]
fn a_configuration_is_read_and_edited_in_linear_time() {
    check_target("config", &[ANY, YAML]);
    check_text("edit", &[ANY, YAML], |text| drop(config::edit(text, &json!({ "limits": { "iterations": 3 } }))));
}

#[test]
fn stored_state_is_read_in_linear_time() {
    for name in ["journal", "redo_log", "tree", "index"] {
        check_target(name, &[ANY]);
    }
}

#[test]
fn ignore_rules_are_read_in_linear_time() {
    check_target("ignore", &[ANY, RULES]);
}

#[test]
fn commands_are_read_in_linear_time() {
    check_text("line", &[ANY, LINES], |text| drop(shell_words::Line::read(text)));
}

#[test]
fn commands_are_judged_within_a_budget() {
    check_target("shell", &[ANY, LINES]);
}

#[test]
fn the_marks_of_sections_and_blocks_are_found_in_linear_time() {
    let marks: &[Shape] = &[("", "section-№ ", ""), ("", "section-", ""), ("section-", "1", ""), ("", "```` ", "")];
    check_text("frame", &[marks], |text| drop(Sections::after("").section("a", text).render()));
    check_text("fence", &[marks, ANY], |text| drop(fenced("diff", text)));
}

#[test]
fn gates_read_sources_and_style_sheets_in_linear_time() {
    for (path, shapes) in [("src/App.tsx", SOURCES), ("src/a.test.ts", ANY)] {
        check_text(path, &[shapes], |text| gates(path, text));
    }
    check_text("src/index.css", &[ANY, STYLES], |text| gates("src/index.css", text));
}

#[test]
fn a_codebase_is_described_in_linear_time() {
    for (path, shapes) in [("src/App.tsx", SOURCES), ("package.json", ANY), ("tsconfig.json", ANY)] {
        check_text(path, &[shapes], |text| {
            let host = MemoryHost::new([(path, text)]);
            let _ = targets::ready(analyse(&host, "0"));
        });
    }
}

/// Judges a task that wrote the file.
fn gates(path: &str, text: &str) {
    let host = MemoryHost::new([("index.html", "<div id=\"root\"></div>"), ("package.json", "{}"), (path, "")]);
    let before = SaveOptions { tag: Some("task-1-pre".to_owned()), ..SaveOptions::default() };
    targets::ready(save(&host, &before)).unwrap();
    host.put(path, text);
    let task = CheckOptions { task_number: Some(1), ..CheckOptions::default() };
    targets::ready(check_gates(&host, &task)).unwrap();
}
