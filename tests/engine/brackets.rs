//! What a bracket stands around: a call that can change files, and no other. What changes elsewhere is the user's.

use crate::engine::chunks::{self, build, commit_project, done, revise, ship};
use crate::engine::specs::{self, SPEC};
use crate::engine::support::{SUMMARY, complete, options, run_with, write};
use loopgate::port::memory::{
    MemoryBuild, MemoryGate, MemoryHooks, MemoryHost, MemoryPreview, MemoryTool, ScriptedModel, Turn,
};
use loopgate::port::{AgentRole, Answer, BuildReport, GateAnswer, ToolAnswer};
use loopgate::run::{Author, ChangedBy, Event, PlanMode, RunControl, RunOptions, RunRef, changes, revert};
use serde_json::json;
use std::cell::Cell;
use wasm_bindgen_test::wasm_bindgen_test;

/// The user saves two files.
fn save(files: &MemoryHost) {
    files.clock.advance(1);
    files.put("src/app.ts", "the user's\n");
    files.put("own.txt", "mine\n");
}

fn is_saved(files: &MemoryHost) -> bool {
    files.text("src/app.ts").as_deref() == Some("the user's\n") && files.text("own.txt").as_deref() == Some("mine\n")
}

/// A tool that only reads, while the user saves files.
fn reader(files: &MemoryHost) -> MemoryTool {
    let files = files.clone();
    let work = move |_: &_| {
        save(&files);
        Ok(ToolAnswer::text(true, "x"))
    };
    MemoryTool::new("look", json!({ "type": "object" }), work).reading()
}

fn task(id: &str, only: &[&str]) -> RunOptions {
    let mut options = options(id, PlanMode::Off);
    options.config.layer = Some(json!({ "gates": { "only": only } }));
    options
}

fn work() -> Turn {
    Turn::calls([write("src/work.ts", "w\n"), write(".ralph/summary.md", SUMMARY), complete()])
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_call_that_reads_costs_no_listing_with_and_without_hooks() {
    let hooks: [fn() -> Option<MemoryHooks>; 4] = [
        || None,
        || Some(MemoryHooks::default().approve_chunks(|_| Answer::allow())),
        || Some(MemoryHooks::default().before_tool(|_, _| Answer::allow().into())),
        || Some(MemoryHooks::default().after_tool(|_| {})),
    ];
    let mut costs = Vec::new();
    for hooks in hooks {
        let mut host = MemoryHost::new([("src/app.ts", "a\n")]);
        for at in 0..300 {
            host.put(&format!("src/files/f{at}.ts"), "f\n");
        }
        host.tools =
            vec![MemoryTool::new("look", json!({ "type": "object" }), |_| Ok(ToolAnswer::text(true, "x"))).reading()];
        host.hooks = hooks();
        let read = |at: usize| ("read_file", json!({ "path": format!("src/files/f{at}.ts") }).to_string());
        let calls = (0..20).map(read).chain([("look", "{}".to_owned())]);
        let turns = [Turn::Calls(calls.map(|(name, args)| (name.to_owned(), args)).collect()), work()];
        host.model = Some(ScriptedModel::new(turns));
        let (began, ended) = (Cell::new(0), Cell::new(0));
        let listener = |envelope: &loopgate::run::Envelope, _: &str| match &envelope.event {
            Event::ToolCall { name, .. } if name == "read_file" && began.get() == 0 => began.set(host.fs.calls()),
            Event::ToolCall { name, .. } if name == "write_file" && ended.get() == 0 => ended.set(host.fs.calls()),
            _ => {}
        };
        let result =
            loopgate::run::drive(&host, task("run-1", &["has-summary"]), &RunControl::default(), &listener).await;
        assert!(result.unwrap().success);
        costs.push(ended.get() - began.get());
    }
    assert!(costs.iter().all(|cost| *cost < costs[0] + 250), "{costs:?}");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn what_the_user_saves_while_a_tool_reads_is_the_users_in_every_role() {
    let look = || Turn::calls([("look", json!({}))]);
    // A task: nothing of it is reverted.
    let mut host = MemoryHost::new([("src/app.ts", "a\n")]);
    host.tools = vec![reader(&host)];
    host.hooks = Some(MemoryHooks::default().approve_plan(|_| Answer::allow()));
    host.model = Some(ScriptedModel::new([look(), work()]));
    let outcome = run_with(&host, task("run-1", &["has-summary"]), &RunControl::default()).await;
    assert!(outcome.result().success);
    revert(&host, &RunRef::Run("run-1".to_owned()), None).await.unwrap();
    assert!(is_saved(&host) && host.text("src/work.ts").is_none());

    // A chunk: nothing of it is committed or taken back.
    let mut host = MemoryHost::new([("src/app.ts", "a\n")]);
    commit_project(&host, &json!([chunks::chunk("a", &[])])).await;
    host.tools = vec![reader(&host)];
    let (builds, reviews) = (Cell::new(0), Cell::new(0));
    host.model = Some(ScriptedModel::answering(move |request| match request.role {
        AgentRole::Reviewer if reviews.replace(reviews.get() + 1) == 0 => revise("No."),
        AgentRole::Reviewer => ship(),
        AgentRole::Summarizer => Turn::Text(String::new()),
        _ if builds.replace(builds.get() + 1) == 0 => Turn::calls([("look", json!({})), done("")]),
        _ => build("src/a.ts", "a\n"),
    }));
    let outcome = run_with(&host, chunks::options("run-1"), &RunControl::default()).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert!(is_saved(&host));
    let shipped = outcome.events.iter().find_map(|envelope| match &envelope.event {
        Event::Chunks(loopgate::run::ChunkFact::ChunkCommitted { files, .. }) => {
            Some(files.iter().map(|file| file.path.clone()).collect::<Vec<_>>())
        }
        _ => None,
    });
    assert_eq!(shipped, Some(vec!["src/a.ts".to_owned()]));

    // A spec: nothing of it is undone under the editor.
    for role in [AgentRole::Planner, AgentRole::Verifier] {
        let mut host = MemoryHost::new([("src/app.ts", "a\n"), (SPEC, "# Foo\nExport foo.\n")]);
        host.tools = vec![reader(&host)];
        let is_first = Cell::new(true);
        host.model = Some(ScriptedModel::answering(move |request| match request.role {
            of if of == role && is_first.replace(false) => look(),
            AgentRole::Planner => Turn::calls([write("specs/plans/0001-foo.md", "# Plan\n"), complete()]),
            AgentRole::Verifier => Turn::call("complete_task", json!({ "verdict": "accept", "reason": "all there" })),
            _ => Turn::calls([write("src/work.ts", "w\n"), complete()]),
        }));
        let outcome = run_with(&host, specs::options("run-1"), &RunControl::default()).await;
        assert!(outcome.result().success, "{role:?}: {}", outcome.result().message);
        assert!(is_saved(&host), "{role:?}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn what_the_user_saves_during_a_build_a_preview_or_a_gate_is_the_users() {
    for during in ["build", "preview", "gate", "hook"] {
        let mut host = MemoryHost::new([("src/app.ts", "a\n"), ("index.html", "<p>x</p>\n")]);
        let files = host.clone();
        let report = BuildReport { success: true, ..BuildReport::default() };
        let mut only = vec!["has-summary"];
        match during {
            "build" => {
                host.build = Some(MemoryBuild::new([Ok(report)]).acting(move || save(&files)));
                only.push("build-succeeds");
            }
            "preview" => {
                host.preview = Some(MemoryPreview::default().acting(move || save(&files)));
                only.push("runtime-errors");
            }
            "gate" => {
                host.gates = vec![MemoryGate::new("theirs", move || {
                    save(&files);
                    Ok(GateAnswer { pass: true, feedback: None })
                })];
                only.push("theirs");
            }
            _ => {
                let ask = move |name: &str, _: &_| {
                    if name == "list_files" {
                        save(&files);
                    }
                    Answer::allow().into()
                };
                host.hooks = Some(MemoryHooks::default().before_tool(ask));
            }
        }
        host.model = Some(ScriptedModel::new([Turn::calls([("list_files", json!({}))]), work(), work(), work()]));
        let outcome = run_with(&host, task("run-1", &only), &RunControl::default()).await;
        assert!(outcome.result().success, "{during}: {}", outcome.result().message);
        assert!(is_saved(&host), "{during}");
        let of = RunRef::Run("run-1".to_owned());
        let users: Vec<String> = changes(&host, &of)
            .await
            .unwrap()
            .into_iter()
            .filter(|change| change.by == Author::User)
            .map(|change| change.path)
            .collect();
        assert_eq!(users, ["own.txt", "src/app.ts"], "{during}");
        revert(&host, &of, None).await.unwrap();
        assert!(is_saved(&host) && host.text("src/work.ts").is_none(), "{during}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn what_a_build_writes_by_its_patterns_is_the_harnesss() {
    let mut host = MemoryHost::new([("src/app.ts", "a\n"), ("index.html", "<p>x</p>\n")]);
    let files = host.clone();
    let act = move || {
        save(&files);
        files.put("dist/app.js", "built\n");
        files.put("src/routes.gen.ts", "built\n");
    };
    let report = BuildReport { success: true, ..BuildReport::default() };
    host.build = Some(MemoryBuild::new([Ok(report)]).acting(act).writing(["dist/", "*.gen.ts"]));
    host.model = Some(ScriptedModel::new([work(), work(), work()]));
    let outcome = run_with(&host, task("run-1", &["has-summary", "build-succeeds"]), &RunControl::default()).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let built = |event: &Event| matches!(event, Event::FileChanged { path, by: ChangedBy::Harness, .. } if ["dist/app.js", "src/routes.gen.ts"].contains(&path.as_str()));
    assert_eq!(outcome.count(built), 2);
    revert(&host, &RunRef::Run("run-1".to_owned()), None).await.unwrap();
    assert!(is_saved(&host));
    assert_eq!(
        [host.text("dist/app.js"), host.text("src/routes.gen.ts"), host.text("src/work.ts")],
        [None, None, None]
    );
}
