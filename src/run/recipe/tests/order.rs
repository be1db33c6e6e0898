//! Every event in every step of every recipe: it can follow, or poisons the machine.

use crate::port::AgentRole;
use crate::run::envelope::Envelope;
use crate::run::event::Event;
use crate::run::fault::Fault;
use crate::run::machine::{Command, Ending, Machine};
use crate::run::recipe::{AnyRecipe, Next};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Events of every type, with the values that lead to other steps.
fn events() -> Vec<Event> {
    let limits = json!({
        "maxIterations": 9, "maxToolCallsPerIteration": 1, "maxConsecutiveGateFailures": 5, "stallThreshold": 1,
        "maxStallRecoveries": 2, "modelIdleMs": 1, "maxAttempts": 3, "maxReplans": 1, "maxRetries": 5,
        "iterationSnapshots": 1,
    });
    let usage = json!({ "inputTokens": 1, "outputTokens": 1 });
    let iteration = |iteration: u32| json!({ "type": "iteration-started", "iteration": iteration, "attempt": 1, "role": "builder", "promptBytes": 1 });
    let ended = |close: &str, plan: Value| {
        json!({
            "type": "iteration-finished", "iteration": 1, "toolCalls": 0, "filesChanged": [], "close": close, "worked": true,
            "plan": plan, "answer": "done", "fault": { "code": "model", "message": "m", "kind": "timeout" },
        })
    };
    let report = |verdict: &str| json!({ "gate": "g", "verdict": verdict, "durationMs": 1, "fix": { "file": "a", "content": "", "description": "" } });
    let snapshot = |tag: &str| {
        json!({
            "type": "snapshot-saved", "durationMs": 1,
            "snapshot": { "tag": tag, "oid": "", "tree": "", "message": "", "at": 1, "files": 1, "changed": 1 },
        })
    };
    let result = json!({
        "runId": "run", "success": true, "reason": "done", "message": "", "iterations": 1, "usage": usage, "gates": [],
        "snapshots": {},
    });
    let candidate = json!({
        "spec_rel": "specs/0001-a.md", "spec_id": "0001-a", "commit": "c", "tree": "t", "plan": "p", "created_at_utc": "",
    });
    let spec = |planned: bool, candidate: &Value| {
        json!({
            "type": "spec-started", "spec": "specs/0001-a.md", "attempt": 1, "planned": planned, "candidate": candidate,
            "base": "b", "logs": "l", "repaired": [],
        })
    };
    let verdict = |verdict: &str| json!({ "type": "verdict-given", "verdict": verdict, "reason": "r", "findings": [], "feedback": "f" });
    let failed = |role: &str| json!({ "type": "attempt-failed", "role": role, "feedback": "f" });
    let chunk = json!({ "id": "a", "title": "A", "description": "d", "maxIterations": 1 });
    let settings = crate::config::Settings::default();
    let review = |tier: &str, decision: &str| {
        json!({
            "type": "review-given", "tier": tier,
            "review": { "decision": decision, "issues": [], "summary": { "total": 0, "high": 0, "medium": 0, "low": 0 } },
        })
    };
    let prepared = |finished: bool| {
        json!({
            "type": "run-prepared", "branch": "b", "tag": "t", "shipped": {}, "dirty": [], "repaired": [], "finished": finished,
        })
    };
    let started = |work: Value, more: Value| {
        let mut event = json!({ "type": "run-started", "work": work, "limits": limits });
        more.as_object().into_iter().flatten().for_each(|(name, value)| event[name] = value.clone());
        event
    };
    let task = |plan: Value| {
        json!({
            "type": "task-started", "task": "# Task", "origin": "", "history": "", "plan": plan, "stalePlan": null,
            "appliedTheme": "", "pre": "task-1-pre",
        })
    };
    let checked = |accepted: bool| {
        json!({
            "type": "plan-checked", "plan": "a", "accepted": accepted, "feedback": "",
            "report": { "ok": accepted, "root": null, "failures": [], "warnings": [], "markers": [] },
        })
    };
    let list = vec![
        started(json!({ "kind": "task", "message": "m" }), json!({ "taskNumber": 1, "plan": "required" })),
        started(json!({ "kind": "task", "message": "m" }), json!({ "taskNumber": 1, "plan": "auto" })),
        started(
            json!({ "kind": "spec" }),
            json!({ "specs": [{ "path": "specs/0001-a.md", "title": "A" }], "skipped": [] }),
        ),
        started(json!({ "kind": "chunks", "spec": "s" }), json!({ "title": "S", "chunks": [chunk] })),
        started(json!({ "kind": "chunks", "spec": "s" }), json!({ "title": "S" })),
        started(json!({ "kind": "pair", "message": "m" }), Value::Null),
        json!({ "type": "limits-changed", "limits": limits }),
        json!({ "type": "run-resumed", "repaired": [], "plan": null }),
        json!({ "type": "config-loaded", "config": "h", "settings": settings }),
        json!({ "type": "config-warning", "warning": { "id": "unknown-key", "message": "m", "line": 1, "column": 1 } }),
        json!({ "type": "phase-changed", "from": "plan", "to": "build", "why": "w" }),
        iteration(1),
        iteration(2),
        iteration(3),
        json!({ "type": "text-delta", "text": "t", "answer": 1 }),
        json!({ "type": "reasoning-delta", "text": "t", "answer": 1 }),
        json!({ "type": "tool-delta", "id": "1", "name": "read_file", "text": "{", "answer": 1 }),
        json!({ "type": "model-answered", "answer": 1, "text": "t", "reasoning": 0, "usage": usage }),
        json!({
            "type": "question-asked",
            "question": { "id": "chunks-1", "kind": "chunks", "text": "t", "details": [chunk] },
        }),
        json!({
            "type": "question-asked",
            "question": { "id": "tool-1", "kind": "tool", "text": "t", "details": { "name": "shell", "args": {}, "role": "builder" } },
        }),
        json!({ "type": "question-answered", "id": "chunks-1", "answer": { "decision": "allow" } }),
        json!({ "type": "question-answered", "id": "chunks-1", "answer": { "decision": "revise", "reason": "r" } }),
        json!({ "type": "question-answered", "id": "chunks-1", "answer": { "decision": "deny" } }),
        json!({ "type": "question-unanswered", "id": "chunks-1" }),
        json!({ "type": "tool-call", "id": "1", "name": "read_file", "args": {} }),
        json!({ "type": "tool-result", "id": "1", "ok": true, "output": "o", "durationMs": 1, "changed": [] }),
        json!({ "type": "file-changed", "path": "src/a.ts", "change": "created", "by": "agent" }),
        json!({ "type": "write-started", "writes": [], "by": "agent" }),
        json!({ "type": "user-changed", "files": [] }),
        json!({ "type": "changes-unclear", "what": "shell", "by": "agent", "whose": "user", "files": [] }),
        json!({ "type": "unguarded-started", "what": "shell", "by": "agent" }),
        json!({ "type": "unguarded-ended" }),
        json!({ "type": "harness-files-changed", "paths": [".ralph/task.md"] }),
        json!({ "type": "write-denied", "path": ".git", "rule": "git" }),
        json!({ "type": "gate-checked", "report": report("pass") }),
        json!({ "type": "gate-checked", "report": report("fail") }),
        json!({ "type": "gate-checked", "report": report("error") }),
        json!({ "type": "gates-finished", "round": 1, "feedback": null }),
        json!({ "type": "fixes-applied", "gates": ["g"] }),
        snapshot("task-1-post"),
        snapshot("refs/loopgate/iterations/run/1"),
        json!({ "type": "snapshot-skipped", "tag": "task-1-post" }),
        json!({ "type": "evidence-outdated", "judged": "t", "paths": [] }),
        json!({ "type": "budget-warning", "limit": "maxTokens", "used": 8.0, "max": 10.0 }),
        json!({ "type": "usage", "usage": usage, "total": usage }),
        json!({ "type": "context-shortened", "before": 2, "after": 1, "results": 1, "turns": 0 }),
        json!({ "type": "provider-data", "data": [1] }),
        json!({ "type": "steered", "message": "m" }),
        json!({ "type": "status", "text": "t" }),
        ended("completed", Value::Null),
        ended("completed", json!("a")),
        ended("stopped", Value::Null),
        ended("waiting", Value::Null),
        ended("model-failed", Value::Null),
        json!({ "type": "waited", "ms": 1 }),
        json!({ "type": "abort-requested", "reason": "r" }),
        json!({ "type": "run-finished", "result": result }),
        json!({ "type": "run-failed", "error": { "code": "fs", "message": "m" } }),
        task(Value::Null),
        task(json!("a")),
        checked(true),
        checked(false),
        json!({ "type": "theme-started", "command": "theme" }),
        json!({
            "type": "plan-context", "theme": { "applied": false, "command": "", "output": "" }, "sections": [],
            "feedback": "",
        }),
        json!({ "type": "completion-refused", "feedback": "f" }),
        json!({ "type": "stall-detected", "recovery": 1, "feedback": "" }),
        json!({ "type": "stall-detected", "recovery": 2, "isLast": true, "feedback": "" }),
        json!({ "type": "snapshot-restored", "tag": "t", "restored": 1, "deleted": 0, "durationMs": 1, "feedback": "" }),
        spec(false, &Value::Null),
        spec(true, &Value::Null),
        spec(true, &candidate),
        json!({ "type": "plan-prepared" }),
        json!({ "type": "plan-accepted", "attempt": 1 }),
        failed("planner"),
        failed("builder"),
        failed("verifier"),
        json!({ "type": "candidate-recorded", "candidate": candidate }),
        json!({ "type": "candidate-recorded", "candidate": candidate, "verifies": true }),
        json!({ "type": "candidate-outdated", "paths": [] }),
        verdict("accept"),
        verdict("fix"),
        verdict("invalidate_plan"),
        json!({ "type": "verdict-unreadable", "reason": "r" }),
        json!({ "type": "plan-invalidated", "reason": "r", "attempt": 1 }),
        json!({ "type": "log-written", "path": "p" }),
        json!({ "type": "spec-finished", "spec": "specs/0001-a.md", "tag": "t" }),
        json!({ "type": "chunks-proposed", "chunks": [chunk] }),
        json!({ "type": "proposal-rejected", "feedback": "f" }),
        json!({ "type": "chunks-approved", "chunks": [chunk] }),
        json!({
            "type": "state-read", "branch": "b", "beginning": { "branch": "main", "commit": "c" }, "shipped": {},
            "failed": {}, "repaired": [],
        }),
        prepared(false),
        prepared(true),
        json!({ "type": "chunk-started", "chunk": "a", "settings": settings, "config": "h" }),
        json!({ "type": "attempt-started", "attempt": 1, "folder": "f", "base": "b" }),
        json!({ "type": "attempt-started", "attempt": 1, "folder": "f", "base": "b", "verifies": true }),
        json!({ "type": "branch-moved", "from": null, "to": "c" }),
        json!({ "type": "branch-prepared", "branch": "b", "dirty": [] }),
        json!({ "type": "attempt-recorded", "tag": "t", "files": [] }),
        json!({
            "type": "verification-checked",
            "result": {
                "step": "s", "command": "c", "outcome": "passed", "required": true, "output": "", "truncated": false,
                "durationMs": 1,
            },
        }),
        json!({ "type": "verification-finished", "feedback": null, "warnings": [], "drift": [] }),
        json!({ "type": "verification-finished", "feedback": "f", "warnings": [], "drift": [] }),
        json!({ "type": "verification-inconclusive", "reason": "r" }),
        review("quick", "SHIP"),
        review("deep", "SHIP"),
        review("final", "SHIP"),
        review("quick", "REVISE"),
        review("final", "REVISE"),
        json!({ "type": "review-unreadable", "tier": "quick", "reason": "r" }),
        json!({ "type": "attempt-rejected", "feedback": "f" }),
        json!({ "type": "attempt-reverted", "attempt": 1, "restored": [], "deleted": [] }),
        json!({ "type": "chunk-committed", "chunk": "a", "commit": "c", "files": [] }),
        json!({
            "type": "summary-written", "chunk": "a",
            "summary": {
                "summary": "s", "filesCreated": [], "filesModified": [], "exportsAdded": [], "testsAdded": [],
                "verificationSteps": [],
            },
        }),
        json!({ "type": "chunk-failed", "chunk": "a", "reason": "r", "blocked": [] }),
        json!({ "type": "pull-request-drafted", "path": "p" }),
        json!({ "type": "critic-answered", "ships": true, "finding": "" }),
        json!({ "type": "critic-answered", "ships": false, "finding": "f" }),
    ];
    list.iter().map(|event| Event::read(event).unwrap_or_else(|error| panic!("{event}: {error}"))).collect()
}

/// Facts that change no step; only the last round of a search feeds them.
const NEUTRAL: [&str; 21] = [
    "limits-changed",
    "config-loaded",
    "config-warning",
    "phase-changed",
    "text-delta",
    "reasoning-delta",
    "model-answered",
    "tool-delta",
    "tool-call",
    "tool-result",
    "file-changed",
    "write-started",
    "user-changed",
    "changes-unclear",
    "unguarded-started",
    "unguarded-ended",
    "harness-files-changed",
    "write-denied",
    "budget-warning",
    "context-shortened",
    "provider-data",
];

fn fold(machine: &Machine, event: &Event) -> (Machine, Result<(), crate::Error>) {
    let mut next = machine.clone();
    let result = next.apply(&Envelope::new(99, 1_000, "run".to_owned(), 1, event.clone()));
    (next, result)
}

/// The step of a machine, and what it does next.
fn place(machine: &Machine) -> String {
    let kind = format!("{:?}", machine.kind());
    let command = format!("{:?}", machine.next());
    let name: String = command.chars().take_while(|c| *c != '{').filter(|c| !c.is_ascii_digit()).take(60).collect();
    let denied = Event::WriteDenied { path: String::new(), rule: String::new(), undone: None };
    let works = fold(machine, &denied).1.is_ok();
    let (step, left) = (machine.recipe.step(), machine.recipe.unfinished(&machine.run));
    format!("{kind}: {step} → {name}{} ({left})", if works { ", in an iteration" } else { "" })
}

/// The beginnings of the iteration that is due.
fn iterations(machine: &Machine) -> Vec<Event> {
    let Command::RunIteration(iteration) = machine.next() else { return Vec::new() };
    let roles = [AgentRole::Builder, AgentRole::Planner, AgentRole::Verifier];
    roles.map(|role| Event::IterationStarted { iteration, attempt: 1, role, prompt_bytes: 1, model: None }).into()
}

/// A machine in every step that some sequence of the events reaches.
fn reached(events: &[Event]) -> BTreeMap<String, Machine> {
    let mut found = BTreeMap::new();
    let mut open = vec![Machine::new("run")];
    while let Some(machine) = open.pop() {
        let events = events.iter().filter(|event| !NEUTRAL.contains(&event.kind())).cloned();
        for event in events.chain(iterations(&machine)) {
            let (next, result) = fold(&machine, &event);
            let place = place(&next);
            if result.is_ok() && !found.contains_key(&place) {
                found.insert(place, next.clone());
                open.push(next);
            }
        }
    }
    found
}

#[test]
fn every_event_in_every_step_of_every_recipe_can_follow_or_poisons_the_machine() {
    let events = events();
    let machines = reached(&events);
    for (place, machine) in &machines {
        let (before, phase) = (machine.next(), machine.phase());
        for event in &events {
            let (next, result) = fold(machine, event);
            match result {
                Ok(()) if NEUTRAL.contains(&event.kind()) => {
                    assert_eq!((next.next(), next.phase()), (before.clone(), phase), "{place}: {}", event.kind());
                }
                Ok(()) => drop((next.next(), next.phase())),
                Err(error) => {
                    assert_eq!(error.code, crate::ErrorCode::Corrupt, "{place}: {}", event.kind());
                    let poisoned = Command::Finish(Ending::Failed(Fault::from(&error)));
                    assert_eq!(next.next(), poisoned, "{place}: {}", event.kind());
                    let status = Event::Status { text: String::new() };
                    assert!(fold(&next, &status).1.is_err(), "a poisoned machine folds nothing");
                }
            }
        }
    }
}

#[test]
fn a_fact_of_a_recipe_follows_only_where_a_row_has_it() {
    let events = events();
    let mut used = BTreeSet::new();
    for (place, machine) in reached(&events) {
        let decides = matches!(machine.next(), Command::Recipe(_));
        let row = machine.recipe.row(&machine.run);
        for event in events.iter().filter(|event| event.is_of_recipe() && event.kind() != "branch-moved") {
            let follows = fold(&machine, event).1.is_ok();
            let has = row.facts.contains(&event.kind());
            assert!(!follows || has, "{place}: {} follows without a row", event.kind());
            assert!(!(decides && has && is_of(&machine.recipe, event)) || follows, "{place}: {}", event.kind());
            if follows {
                used.insert(event.kind());
            }
        }
        if decides {
            assert!(matches!(row.does, Next::Command(_)) && !row.facts.is_empty(), "{place}: no fact ends the command");
        }
    }
    let all: BTreeSet<_> = events.iter().filter(|event| event.is_of_recipe()).map(Event::kind).collect();
    // The first one follows in any step, the second one if the configuration commits specs.
    let is_branch = |kind: &&&str| ["branch-moved", "branch-prepared"].contains(*kind);
    let unused: Vec<_> = all.difference(&used).filter(|kind| !is_branch(kind)).collect();
    assert!(unused.is_empty(), "no step is reached in which these follow: {unused:?}");
}

fn is_of(recipe: &AnyRecipe, event: &Event) -> bool {
    matches!(
        (recipe, event),
        (AnyRecipe::Task(_), Event::Task(_))
            | (AnyRecipe::Spec(_), Event::Specs(_))
            | (AnyRecipe::Chunks(_), Event::Chunks(_))
            | (AnyRecipe::Pair(_), Event::Pair(_))
    )
}

#[test]
fn a_machine_that_was_stored_goes_on_as_it_would_have() {
    let events = events();
    for (place, machine) in reached(&events) {
        let json = serde_json::to_string(&machine).unwrap_or_else(|error| panic!("{place}: {error}"));
        let stored: Machine = serde_json::from_str(&json).unwrap_or_else(|error| panic!("{place}: {error}"));
        assert_eq!(stored, machine, "{place}");
        for event in &events {
            let [(after, _), (expected, _)] = [&stored, &machine].map(|machine| fold(machine, event));
            assert_eq!(after, expected, "{place}: {}", event.kind());
        }
    }
}
