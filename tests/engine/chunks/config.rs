//! The configuration of a run: models by id, limits, snapshots of it.

use super::*;
use loopgate::port::Answer;
use loopgate::run::ConfigSources;

const TOOLS: &str = "tools:\n  executors: [{ id: fast }, { id: slow }]\n  reviewers: [{ id: judge, checks: [security] }, { id: chief }]\ndefaults: { executor: fast, quickReviewer: judge, finalReviewer: chief }\nrules: [Use pnpm]\n";

fn model(path: &'static str) -> ScriptedModel {
    ScriptedModel::answering(move |request| match request.role {
        AgentRole::Reviewer => ship(),
        _ => build(path, "x\n"),
    })
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_executor_and_the_reviewer_are_models_by_id() {
    for (layer, path) in [(None, "src/fast.ts"), (Some(json!({ "defaults": { "executor": "slow" } })), "src/slow.ts")] {
        let mut roles = Roles::new(json!([chunk("a", &[])]), [], []).await;
        roles.host.put(".handoff/config.yaml", TOOLS);
        roles.host.models = [("fast", "src/fast.ts"), ("slow", "src/slow.ts"), ("judge", ""), ("chief", "")]
            .map(|(id, path)| (id.to_owned(), model(path)))
            .into();
        let config = ConfigSources { layer, ..ConfigSources::default() };
        let outcome = run(&roles.host, RunOptions { config, ..options("run-1") }).await;
        assert!(outcome.result().success, "{}", outcome.result().message);
        assert_eq!(roles.sources().into_keys().collect::<Vec<_>>(), [path]);
        assert_eq!(["judge", "chief"].map(|id| roles.host.models[id].used()), [1, 2], "quick; deep and final");
        let prompt = roles.record("a/iteration-1/context.md");
        assert_eq!(prompt.matches("Use pnpm").count(), 1);
        assert!(roles.record("a/iteration-1/review-quick.md").contains("Security"));
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_configuration_that_cannot_run_is_refused_before_any_model_call() {
    for (config, words) in [
        (TOOLS, "models"),
        ("defaults: { executor: ghost }\n", "ghost"),
        ("defaults:\n  maxIterations: 21\n", "maxIterations"),
        ("rules: [\n", "config.yaml"),
    ] {
        let roles = Roles::new(json!([chunk("a", &[])]), [build("src/a.ts", "a\n")], [ship()]).await;
        roles.host.put(".handoff/config.yaml", config);
        let error = run(&roles.host, options("run-1")).await.result.unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidConfig, "{config}");
        assert!(error.message.contains(words), "{config}: {}", error.message);
        assert_eq!(roles.host.model.as_ref().unwrap().used(), 0, "{config}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_chunk_works_with_its_configuration_to_its_end_and_the_next_one_reads_it_again() {
    let chunks = json!([chunk("a", &[]), chunk("b", &[])]);
    let mut roles = Roles::new(chunks, [], [revise("Again."), ship()]).await;
    let (host, reviewer) = (roles.host.clone(), roles.reviewer.clone());
    roles.host.put(".handoff/config.yaml", "rules: [old rule]\n");
    roles.host.model = Some(ScriptedModel::answering(move |request| {
        host.put(".handoff/config.yaml", "rules: [new rule]\n");
        match request.role {
            AgentRole::Reviewer => next(&reviewer),
            AgentRole::Summarizer => Turn::Text(String::new()),
            _ if request.messages.iter().any(|message| format!("{message:?}").contains("Task: Add b")) => {
                build("src/b.ts", "b\n")
            }
            _ => build("src/a.ts", "a\n"),
        }
    }));
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    for (record, rule) in [("a/iteration-1", "old rule"), ("a/iteration-2", "old rule"), ("b/iteration-1", "new rule")]
    {
        assert!(roles.record(&format!("{record}/context.md")).contains(rule), "{record}");
    }
    let hashes = outcome.facts().filter_map(|fact| match fact {
        ChunkFact::ChunkStarted { config, .. } => Some(config.clone()),
        _ => None,
    });
    let hashes: Vec<_> = hashes.collect();
    assert_ne!(hashes[0], hashes[1]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn only_the_last_records_stay_if_the_configuration_says_so() {
    let attempts = [build("src/a.ts", "1\n"), build("src/a.ts", "2\n"), build("src/a.ts", "3\n")];
    let roles = Roles::new(json!([chunk("a", &[])]), attempts, [revise("1"), revise("2"), ship()]).await;
    roles.host.put(".handoff/config.yaml", "iterations: { keep: 2 }\n");
    assert!(run(&roles.host, options("run-1")).await.result().success);
    let mut folders = roles.host.fs.dirs(&format!("/project/{FOLDER}/iterations/a"));
    folders.retain(|folder| folder.contains("iteration-"));
    assert_eq!(folders.len(), 2, "{folders:?}");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn no_retry_is_made_if_the_configuration_allows_none() {
    let limited = Turn::Fail(loopgate::port::PortErrorKind::RateLimited(Some(1)));
    let roles = Roles::new(json!([chunk("a", &[])]), [build("src/a.ts", "a\n")], [limited, ship()]).await;
    roles.host.put(".handoff/config.yaml", "defaults: { maxRetries: 0 }\n");
    let outcome = run(&roles.host, options("run-1")).await;
    assert_eq!(outcome.result.as_ref().unwrap_err().code, ErrorCode::Model);
    assert_eq!(roles.prompts(AgentRole::Reviewer).len(), 1);
    let outcome = run(&roles.host, RunOptions { resume: true, ..options("run-1") }).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn closed_files_are_not_written_and_configured_prices_give_the_cost() {
    let attempt = Turn::calls([write("index.html", "no\n"), write("src/a.ts", "a\n"), done("")]);
    let roles = Roles::new(json!([chunk("a", &[])]), [attempt], [ship()]).await;
    roles.host.put(
        ".handoff/config.yaml",
        "guard: { deny: [index.html] }\nmodels: { any: { inputPerMillion: 1, outputPerMillion: 1 } }\n",
    );
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(roles.host.text("index.html").as_deref(), Some("<p>hi</p>\n"));
    let denied = |event: &Event| matches!(event, Event::WriteDenied { path, .. } if path == "index.html");
    assert!(outcome.events.iter().any(|envelope| denied(&envelope.event)));
    assert!(outcome.result().usage.cost_usd.is_some_and(|cost| cost > 0.0));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_planner_the_executor_and_the_reviewers_get_the_rules_and_the_instructions_of_the_project() {
    let roles = Roles::new(json!(null), [build("src/a.ts", "a\n")], [ship()]).await;
    let proposal = json!({ "chunks": [chunk("a", &[])] });
    *roles.planner.borrow_mut() = [Turn::call("complete_task", proposal)].into();
    roles.host.put(".handoff/config.yaml", "rules: [Use pnpm]\n");
    roles.host.put("AGENTS.md", "Use tabs.\n");
    let outcome = run(&roles.host, options("run-1")).await;
    let answer: Answer = serde_json::from_value(json!({ "decision": "allow" })).unwrap();
    let open = outcome.result().questions[0].id.clone();
    let resumed = RunOptions { resume: true, answers: [(open, answer)].into(), ..options("run-1") };
    assert!(run(&roles.host, resumed).await.result().success);
    for role in [AgentRole::Planner, AgentRole::Builder, AgentRole::Reviewer] {
        for prompt in roles.prompts(role) {
            let is_once = |part: &str| prompt.matches(part).count() == 1;
            assert!(is_once("Use pnpm") && is_once("Use tabs."), "{role:?}: {prompt}");
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn no_prompt_has_the_exports_of_a_file_that_its_role_may_not_read() {
    let roles = Roles::new(json!([chunk("a", &[])]), [build("src/a.ts", "a\n")], [ship()]).await;
    roles.host.put("src/open.ts", "export type Shown = {}\n");
    roles.host.put("src/secret.ts", "export type Hidden = {}\n");
    let layer = json!({ "policy": [{ "decision": "deny", "path": "src/secret.ts", "access": "read" }] });
    let config = ConfigSources { layer: Some(layer), ..ConfigSources::default() };
    run(&roles.host, RunOptions { config, ..options("run-1") }).await;
    let prompts = roles.prompts(AgentRole::Builder);
    assert!(prompts[0].contains("Shown (src/open.ts)") && !prompts[0].contains("Hidden"), "{}", prompts[0]);
}
