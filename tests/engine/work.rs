//! A task is done only if the agent's own work differs from the state before the task.

use crate::engine::support::{Outcome, PLAN, SUMMARY, complete, fresh, registry, run_scripted, run_with, write};
use loopgate::gate::GateVerdict;
use loopgate::port::memory::{MemoryHost, MemoryShell, MemoryTool, ScriptedModel, Turn};
use loopgate::port::{AgentRole, ShellOutput, ToolAnswer};
use loopgate::run::{Event, LimitOptions, PlanMode, RunControl, RunOptions, StopReason};
use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

const CTA: &str = "export const Cta = () => <a href=\"/ordr\">Order tea</a>\n";

/// A React app with content.
fn app() -> MemoryHost {
    let host = MemoryHost::new([
        ("package.json", r#"{"dependencies":{"react":"19"}}"#),
        ("src/App.tsx", "import { Cta } from './Cta'\nexport default () => <main><h1>Tea</h1><Cta /></main>\n"),
        ("src/Cta.tsx", CTA),
        (".gitignore", ".env\n"),
    ]);
    host.put("src/index.css", "body { margin: 0 }");
    host
}

fn without_git(host: MemoryHost) -> MemoryHost {
    host.with(|ports| ports.git = None)
}

fn task(mode: PlanMode, message: &str) -> RunOptions {
    let mut options = RunOptions { plan: mode, ..RunOptions::task("run-1", message, registry()) };
    options.config.layer = Some(json!({ "gates": { "only": ["work-done", "plan-built", "has-summary"] } }));
    options
}

fn bugfix(mode: PlanMode) -> RunOptions {
    task(mode, "Fix the broken link in the CTA")
}

fn summary() -> (&'static str, serde_json::Value) {
    write(".ralph/summary.md", SUMMARY)
}

fn claim() -> Turn {
    Turn::calls([summary(), complete()])
}

fn repair() -> Turn {
    Turn::calls([write("src/Cta.tsx", "export const Cta = () => <a href=\"/order\">Order tea</a>\n"), complete()])
}

/// The failed gates of all rounds.
fn failures(outcome: &Outcome) -> Vec<&str> {
    let failed = outcome.events.iter().filter_map(|envelope| match &envelope.event {
        Event::GateChecked { report } if report.verdict == GateVerdict::Fail => Some(report.gate.as_str()),
        _ => None,
    });
    failed.collect()
}

fn verdict(outcome: &Outcome, gate: &str) -> Option<GateVerdict> {
    let mut applied = outcome.result().gates.iter().filter(|report| !report.not_applicable);
    applied.find(|report| report.gate == gate).map(|report| report.verdict)
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_task_without_changes_is_refused_with_instructions() {
    let vanilla = || MemoryHost::new([("index.html", "<h1>Tea</h1>"), ("src/Cta.tsx", CTA)]);
    let hosts: [fn() -> MemoryHost; 3] = [app, || MemoryHost::new([("README.md", "# Tea")]), || MemoryHost::new([])];
    for (number, host) in hosts.into_iter().chain([vanilla as fn() -> MemoryHost]).enumerate() {
        for mode in [PlanMode::Auto, PlanMode::Off] {
            for host in [host(), without_git(host())] {
                let (outcome, model) = run_scripted(&host, bugfix(mode), [claim(), repair()]).await;
                let about = format!("project {number}, {mode:?}, git: {}", host.git.is_some());
                assert_eq!(failures(&outcome), ["work-done"], "{about}");
                assert!(outcome.result().success, "{about}: {}", outcome.result().message);
                assert_eq!(outcome.result().iterations, 2, "{about}");
                let prompt = crate::engine::support::text_of(&model.requests()[1]);
                assert!(prompt.contains("## FAIL [work-done]") && prompt.contains("`waiting`"), "{about}: {prompt}");
            }
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_fresh_task_with_only_a_plan_is_refused() {
    for host in [app(), without_git(app()), MemoryHost::new([])] {
        let plan = || Turn::calls([write(".ralph/plan.tsx", &PLAN.replace("cta", "faq")), summary(), complete()]);
        let hero = write("src/sections/HeroSection.tsx", "export const HeroSection = () => <h1>Tea</h1>\n");
        let app = write(
            "src/App.tsx",
            "import { HeroSection } from './sections/HeroSection'\nexport default () => <main><HeroSection /></main>\n",
        );
        let turns = [
            plan(),
            claim(),
            Turn::calls([write("src/App.tsx", "export default () => <main><h1>Teas</h1></main>\n"), complete()]),
            Turn::calls([hero, app, complete()]),
        ];
        let options = task(PlanMode::Required, "Build a drinks page");
        let (outcome, model) = run_scripted(&host, options, turns).await;
        assert_eq!(failures(&outcome), ["work-done", "plan-built", "plan-built"], "git: {}", host.git.is_some());
        assert!(outcome.result().success, "{}", outcome.result().message);
        let prompt = crate::engine::support::text_of(&model.requests()[3]);
        assert!(
            prompt.contains("None of the sections of the plan is built") && prompt.contains("section features"),
            "{prompt}"
        );
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_bugfix_and_mode_off_need_not_build_an_existing_plan() {
    for (mode, message) in [
        (PlanMode::Auto, "Fix the broken link in the CTA"),
        (PlanMode::Required, "Fix the broken link in the CTA"),
        (PlanMode::Off, "Build a drinks page"),
    ] {
        let host = app();
        host.put(".ralph/plan.tsx", &PLAN.replace("cta", "faq"));
        let turns =
            [Turn::calls([write("src/Cta.tsx", "export const Cta = () => <a href=\"/\" />"), summary(), complete()])];
        let (outcome, _) = run_scripted(&host, task(mode, message), turns).await;
        assert!(outcome.result().success, "{mode:?}: {}", outcome.result().message);
        assert_eq!(verdict(&outcome, "plan-built"), None, "{mode:?}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_undone_change_is_not_work() {
    for host in [app(), without_git(app())] {
        let undone = Turn::calls([write("src/Cta.tsx", "x"), write("src/Cta.tsx", CTA), summary(), complete()]);
        let gone = Turn::calls([write("src/b.ts", "x"), ("delete_file", json!({ "path": "src/b.ts" })), complete()]);
        let same = Turn::calls([write("src/Cta.tsx", CTA), complete()]);
        let (outcome, _) = run_scripted(&host, bugfix(PlanMode::Auto), [undone, gone, same, repair()]).await;
        assert_eq!(failures(&outcome), ["work-done"; 3], "git: {}", host.git.is_some());
        assert!(outcome.result().success, "{}", outcome.result().message);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn changes_by_the_user_are_not_the_agents_work() {
    for host in [app(), without_git(app())] {
        let files = host.clone();
        let model = ScriptedModel::answering(move |request| {
            if request.role == AgentRole::Parser {
                return Turn::Text(String::new());
            }
            files.put("src/App.tsx", "// by the user\nexport default () => <main>Tea</main>\n");
            let prompt = crate::engine::support::text_of(request);
            if prompt.contains("FAIL [work-done]") {
                assert!(prompt.contains("you did not change them: src/App.tsx"), "{prompt}");
                return repair();
            }
            claim()
        });
        let host = host.with(|ports| ports.model = Some(model));
        let outcome = run_with(&host, bugfix(PlanMode::Auto), &RunControl::default()).await;
        assert_eq!(failures(&outcome), ["work-done"], "git: {}", host.git.is_some());
        assert!(outcome.result().success, "{}", outcome.result().message);
        assert!(host.text("src/App.tsx").unwrap().contains("by the user"));
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_theme_applied_by_the_harness_is_not_the_agents_work() {
    let mut host = app();
    let files = host.clone();
    host.shell = Some(MemoryShell::new(move |command| {
        files.put("src/index.css", &format!("/* {command} */\nbody {{ margin: 0 }}\n"));
        ShellOutput { exit_code: 0, stdout: String::new(), stderr: String::new() }
    }));
    let turns = [Turn::calls([write(".ralph/plan.tsx", PLAN), complete()]), claim(), repair()];
    let (outcome, _) = run_scripted(&host, task(PlanMode::Required, "Build a drinks page"), turns).await;
    assert!(host.text("src/index.css").unwrap().starts_with("/* theme"));
    assert!(failures(&outcome).contains(&"work-done"), "{:?}", failures(&outcome));
    assert!(outcome.result().success, "{}", outcome.result().message);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn changes_by_the_agents_shell_are_work() {
    for mut host in [app(), without_git(app())] {
        let files = host.clone();
        host.shell = Some(MemoryShell::new(move |_| {
            files.put("src/Cta.tsx", "export const Cta = () => <a href=\"/order\" />");
            ShellOutput { exit_code: 0, stdout: String::new(), stderr: String::new() }
        }));
        let turns =
            [Turn::calls([("shell", json!({ "command": "sed -i s/ordr/order/ src/Cta.tsx" })), summary(), complete()])];
        let (outcome, _) = run_scripted(&host, bugfix(PlanMode::Auto), turns).await;
        assert!(outcome.result().success, "{}", outcome.result().message);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_resumed_run_counts_work_from_before_the_reload() {
    let hosts: [fn() -> MemoryHost; 2] = [app, || without_git(app())];
    for host in hosts {
        for worked in [false, true] {
            let mut host = host();
            let first = if worked {
                vec![summary(), write("src/Cta.tsx", "export const Cta = () => <a href=\"/first\">Order tea</a>\n")]
            } else {
                vec![summary()]
            };
            let calls = first.into_iter().map(|(name, args)| (name.to_owned(), args.to_string())).collect();
            host.model = Some(ScriptedModel::new([Turn::Calls(calls), Turn::Hang]));
            let model = host.model.clone().unwrap();
            let control = RunControl::default();
            let mut run = Box::pin(run_with(&host, bugfix(PlanMode::Auto), &control));
            let gone = crate::engine::support::until(|| model.used() == 2);
            futures_util::future::select(&mut run, Box::pin(gone)).await;
            drop(run);

            let turns = if worked { vec![claim()] } else { vec![claim(), repair()] };
            let resumed = RunOptions { resume: true, ..bugfix(PlanMode::Auto) };
            let (outcome, _) = run_scripted(&host, resumed, turns).await;
            assert!(outcome.result().success, "{}", outcome.result().message);
            let refused: &[&str] = if worked { &[] } else { &["work-done"] };
            assert_eq!(failures(&outcome), refused, "git: {}, worked: {worked}", host.git.is_some());
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_agent_that_finds_nothing_to_change_can_ask_the_user() {
    let host = app();
    let question = write(".ralph/summary.md", "The link works. Which one do you mean?");
    let ask = Turn::calls([question, write(".ralph/status.txt", "waiting"), complete()]);
    let (outcome, _) = run_scripted(&host, bugfix(PlanMode::Auto), [claim(), ask]).await;
    assert_eq!(outcome.result().reason, StopReason::Waiting);
    assert!(!outcome.result().success);
    assert_eq!(outcome.result().message, "The link works. Which one do you mean?");
    assert!(host.text(".ralph/summary.md").unwrap().contains("Which one"));
    assert_eq!(host.text(".ralph/status.txt").as_deref(), Some("waiting"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_agent_that_keeps_claiming_completion_fails_with_feedback() {
    let mut options = bugfix(PlanMode::Auto);
    options.limits = LimitOptions {
        max_consecutive_gate_failures: Some(2.0),
        stall_threshold: Some(99.0),
        ..LimitOptions::default()
    };
    let (outcome, _) = run_scripted(&app(), options, (0..9).map(|_| claim())).await;
    assert_eq!(outcome.result().reason, StopReason::GatesFailed);
    let message = &outcome.result().message;
    assert!(message.contains("without a change to the project") && message.contains("work-done"), "{message}");
    let (outcome, _) = run_scripted(&app(), bugfix(PlanMode::Auto), (0..9).map(|_| claim())).await;
    assert_eq!(outcome.result().reason, StopReason::Stalled);
    assert!(outcome.result().message.contains("work-done"), "{}", outcome.result().message);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn requested_blank_lines_and_ignored_files_warn_and_the_warning_can_be_raised() {
    let blank = || Turn::calls([write("src/Cta.tsx", &format!("\n{CTA}")), summary(), complete()]);
    let ignored = || Turn::calls([write(".env", "ORDER=/order"), summary(), complete()]);
    let layout = || task(PlanMode::Auto, "Fix the formatting of the CTA");
    let other = || bugfix(PlanMode::Auto);
    type Case = (fn() -> Turn, fn() -> RunOptions);
    for (turn, options) in [(blank, layout), (ignored, other)] as [Case; 2] {
        let (outcome, _) = run_scripted(&app(), options(), [turn()]).await;
        assert!(outcome.result().success, "{}", outcome.result().message);
        assert_eq!(verdict(&outcome, "work-done"), Some(GateVerdict::Warn));
        let mut raised = options();
        raised.config.layer = Some(json!({ "gates": { "raise": ["work-done"] } }));
        let (outcome, _) = run_scripted(&app(), raised, [turn(), repair()]).await;
        assert_eq!(failures(&outcome), ["work-done"]);
        assert!(outcome.result().success, "{}", outcome.result().message);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_change_of_only_blank_lines_fails_a_task_that_asks_for_more_and_one_of_other_white_space_is_work() {
    for (text, refused) in [(format!("\n{CTA}"), &["work-done"][..]), (format!(" {CTA}"), &[])] {
        let turn = Turn::calls([write("src/Cta.tsx", &text), summary(), complete()]);
        let (outcome, _) = run_scripted(&app(), bugfix(PlanMode::Auto), [turn, repair()]).await;
        assert_eq!(failures(&outcome), refused, "{text}");
        assert!(outcome.result().success, "{}", outcome.result().message);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn each_task_is_compared_with_its_own_start() {
    let host = app();
    let (outcome, _) = run_scripted(
        &host,
        bugfix(PlanMode::Auto),
        [Turn::calls([
            write("src/Cta.tsx", "export const Cta = () => <a href=\"/first\">Order tea</a>\n"),
            summary(),
            complete(),
        ])],
    )
    .await;
    assert!(outcome.result().success);
    let mut second = fresh("run-2", PlanMode::Off);
    second.config = bugfix(PlanMode::Off).config;
    let (outcome, _) = run_scripted(&host, second, [claim(), repair()]).await;
    assert_eq!(failures(&outcome), ["work-done"]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn changes_by_ide_tools_are_work_even_if_undeclared() {
    for writes in [true, false] {
        let mut host = app();
        let files = host.clone();
        let tool = MemoryTool::new("format", json!({ "type": "object", "properties": {} }), move |_| {
            files.put("src/Cta.tsx", "export const Cta = () => <a href=\"/order\" />");
            Ok(ToolAnswer::text(true, "formatted"))
        });
        host.tools = vec![if writes { tool } else { tool.without_writes() }];
        let turns = [Turn::calls([("format", json!({})), summary(), complete()])];
        let (outcome, _) = run_scripted(&host, bugfix(PlanMode::Auto), turns).await;
        assert!(outcome.result().success, "writes: {writes}: {}", outcome.result().message);
    }
}
