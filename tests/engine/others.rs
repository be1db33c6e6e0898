//! Files that change during a run without the agent's guarded tools: the next prompt and the next snapshot have them.

use crate::engine::support::{PLAN, options, text_of, write};
use futures_util::FutureExt;
use loopgate::port::memory::{MemoryGate, MemoryHooks, MemoryHost, MemoryShell, MemoryTool, ScriptedModel, Turn};
use loopgate::port::{Answer, GateAnswer, PortErrorKind, ShellOutput, ToolAnswer};
use loopgate::run::{Envelope, Event, PlanMode, RunControl, StopReason, drive};
use loopgate::snapshot::{self, SaveOptions};
use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

fn project() -> MemoryHost {
    MemoryHost::new([("src/own.ts", "1"), ("src/edited.ts", "old"), ("src/removed.ts", "old")])
}

/// Changes the project past the guard.
fn change(files: &MemoryHost) {
    files.put("src/edited.ts", "edited");
    files.put("src/added.ts", "added by others");
    files.fs.delete("/project/src/removed.ts");
}

async fn save(files: &MemoryHost, tag: &str) {
    snapshot::save(files, &SaveOptions { tag: Some(tag.to_owned()), ..SaveOptions::default() }).await.unwrap();
}

/// A shell, or a theme's command, that changes files.
fn shell(files: &MemoryHost) -> Option<MemoryShell> {
    let files = files.clone();
    Some(MemoryShell::new(move |_| {
        change(&files);
        ShellOutput { exit_code: 0, stdout: String::new(), stderr: String::new() }
    }))
}

/// Who changes the files.
struct Case {
    who: &'static str,
    mode: PlanMode,
    host: fn(&MemoryHost) -> MemoryHost,
    /// The answers of the model. Each call ends an iteration.
    turns: Vec<Turn>,
    /// The event at which `act` changes the files, if no port does.
    at: fn(&Event) -> bool,
    act: fn(&MemoryHost),
    /// The first iteration whose snapshot has the changes.
    saved: u32,
}

fn cases() -> Vec<Case> {
    let own = |text: &str| Turn::calls([write("src/own.ts", text)]);
    let around = |turn: Turn| vec![own("2"), turn, own("3")];
    let call = |name: &'static str, args| around(Turn::calls([(name, args)]));
    let same = |host: &MemoryHost| host.clone();
    let never = |_: &Event| false;
    vec![
        Case {
            who: "the agent's shell",
            mode: PlanMode::Off,
            host: |files| files.clone().with(|ports| ports.shell = shell(files)),
            turns: call("shell", json!({ "command": "build" })),
            at: never,
            act: change,
            saved: 2,
        },
        Case {
            who: "a tool of the IDE that declares no writes",
            mode: PlanMode::Off,
            host: |files| {
                let host = files.clone();
                let execute = move |_: &_| {
                    change(&host);
                    Ok(ToolAnswer::text(true, ""))
                };
                let tool = MemoryTool::new("format", json!({ "type": "object" }), execute).without_writes();
                files.clone().with(|ports| ports.tools = vec![tool])
            },
            turns: call("format", json!({})),
            at: never,
            act: change,
            saved: 2,
        },
        Case {
            who: "a hook of the IDE",
            mode: PlanMode::Off,
            host: |files| {
                let host = files.clone();
                let hooks = MemoryHooks::default().before_tool(move |name, _| {
                    if name == "list_files" {
                        change(&host);
                    }
                    Answer::allow().into()
                });
                files.clone().with(|ports| ports.hooks = Some(hooks))
            },
            turns: call("list_files", json!({})),
            at: never,
            act: change,
            saved: 2,
        },
        Case {
            who: "the hook that approves plans",
            mode: PlanMode::Auto,
            host: |files| {
                let host = files.clone();
                let hooks = MemoryHooks::default().approve_plan(move |_| {
                    change(&host);
                    Answer::deny("not yet".to_owned())
                });
                files.clone().with(|ports| ports.hooks = Some(hooks))
            },
            turns: vec![Turn::calls([write(".ralph/plan.tsx", PLAN)]), Turn::Text("I wait.".to_owned())],
            at: never,
            act: change,
            saved: 2,
        },
        Case {
            who: "the theme's command",
            mode: PlanMode::Auto,
            host: |files| files.clone().with(|ports| ports.shell = shell(files)),
            turns: vec![Turn::calls([write(".ralph/plan.tsx", PLAN)]), own("2")],
            at: never,
            act: change,
            saved: 2,
        },
        Case {
            who: "a gate of the IDE",
            mode: PlanMode::Off,
            host: |files| {
                let host = files.clone();
                let gate = MemoryGate::new("theirs", move || {
                    change(&host);
                    Ok(GateAnswer { pass: false, feedback: None })
                });
                files.clone().with(|ports| ports.gates = vec![gate])
            },
            turns: call("complete_task", json!({})),
            at: never,
            act: change,
            saved: 3,
        },
        Case {
            who: "the user, during the gates",
            mode: PlanMode::Off,
            host: same,
            turns: call("complete_task", json!({})),
            at: |event| matches!(event, Event::GatesFinished { .. }),
            act: change,
            saved: 3,
        },
        Case {
            who: "the user, while the run waits for the model",
            mode: PlanMode::Off,
            host: same,
            turns: around(Turn::Fail(PortErrorKind::Unavailable)),
            at: |event| matches!(event, Event::Waited { .. }),
            act: change,
            saved: 3,
        },
        Case {
            who: "another tab that rolls back",
            mode: PlanMode::Off,
            host: same,
            turns: around(own("2")),
            at: |event| matches!(event, Event::IterationStarted { iteration: 2, .. }),
            act: |files| drop(snapshot::rollback(files, "theirs", false).now_or_never().unwrap().unwrap()),
            saved: 2,
        },
    ]
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn changes_by_others_are_in_the_next_prompt_and_the_next_snapshot() {
    for Case { who, mode, host, turns, at, act, saved } in cases() {
        let files = project();
        save(&files, "old").await;
        change(&files);
        save(&files, "theirs").await;
        snapshot::rollback(&files, "old", false).await.unwrap();
        let host = host(&files).with(|ports| ports.model = Some(ScriptedModel::new(turns)));
        let mut options = options("run-1", mode);
        options.limits.max_tool_calls_per_iteration = Some(1.0);
        options.limits.max_iterations = Some(f64::from(saved.max(3)));
        let listener = |envelope: &Envelope, _: &str| {
            if at(&envelope.event) {
                act(&files);
            }
        };
        // How the run ends does not matter.
        let _ = drive(&host, options, &RunControl::default(), &listener).await;

        let requests = host.model.as_ref().unwrap().requests();
        let last = text_of(requests.last().unwrap());
        for (text, is_listed) in [("src/edited.ts (6 bytes)", true), ("src/added.ts", true), ("src/removed.ts", false)]
        {
            assert_eq!(last.contains(text), is_listed, "{who}: {text}");
        }
        let name = format!("refs/loopgate/iterations/run-1/{saved}");
        for (path, text) in
            [("src/edited.ts", Some("edited")), ("src/added.ts", Some("added by others")), ("src/removed.ts", None)]
        {
            let found = snapshot::read_file(&host, &name, path).await.unwrap();
            assert_eq!(found.as_deref(), text.map(str::as_bytes), "{who}: {path}");
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_file_of_the_agent_that_the_shell_changes_is_progress() {
    let mut host = project();
    let files = host.clone();
    host.shell = Some(MemoryShell::new(move |_| {
        let text = files.text("src/own.ts").unwrap_or_default();
        files.put("src/own.ts", &format!("{text}+"));
        ShellOutput { exit_code: 0, stdout: String::new(), stderr: String::new() }
    }));
    let shell = (0..20).map(|_| Turn::calls([("shell", json!({ "command": "build" }))]));
    host.model = Some(ScriptedModel::new([Turn::calls([write("src/own.ts", "2")])].into_iter().chain(shell)));
    let mut options = options("run-1", PlanMode::Off);
    options.limits.max_tool_calls_per_iteration = Some(1.0);
    options.limits.max_iterations = Some(12.0);
    let result = drive(&host, options, &RunControl::default(), &|_, _| {}).await.unwrap();
    assert_eq!(result.reason, StopReason::MaxIterations, "{}", result.message);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_rollback_by_the_agent_is_in_the_next_prompt() {
    let mut host = project();
    let rollback = json!({ "action": "rollback", "tag": "task-1-pre" });
    host.model = Some(ScriptedModel::new([
        Turn::calls([write("src/added.ts", "by the agent")]),
        Turn::calls([("snapshot", rollback)]),
        Turn::calls([write("src/own.ts", "2")]),
    ]));
    let mut options = options("run-1", PlanMode::Off);
    options.limits.max_tool_calls_per_iteration = Some(1.0);
    options.limits.max_iterations = Some(3.0);
    drive(&host, options, &RunControl::default(), &|_, _| {}).await.unwrap();
    let prompts: Vec<String> = host.model.as_ref().unwrap().requests().iter().map(text_of).collect();
    assert!(prompts[1].contains("src/added.ts (12 bytes)") && !prompts[2].contains("src/added.ts"), "{}", prompts[2]);
}
