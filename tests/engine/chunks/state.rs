//! What runs leave for the next one: `state.json`, and the marks of the commits.

use super::*;
use loopgate::port::PortErrorKind;
use loopgate::run::list_runs;

const STATE: &str = "/project/.handoff/specs/shop/iterations/state.json";

/// The chunk `b` depends on `a`, and only `a` is shipped.
async fn half() -> Roles {
    let chunks = json!([chunk("a", &[]), chunk("b", &["a"])]);
    let roles = Roles::new(chunks, [build("src/a.ts", "a\n"), build("src/b.ts", "b\n")], [ship()]).await;
    let only = Some(vec!["a".to_owned()]);
    let work = Work::Chunks { spec: "shop".to_owned(), only };
    assert!(run(&roles.host, RunOptions { work, ..options("run-1") }).await.result().success);
    roles
}

fn repaired(outcome: &Outcome) -> Vec<String> {
    let texts = outcome.facts().find_map(|fact| match fact {
        ChunkFact::RunPrepared { repaired, .. } => Some(repaired.clone()),
        _ => None,
    });
    texts.unwrap()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_torn_or_lost_state_repeats_nothing_because_the_branch_says_what_is_shipped() {
    for text in [Some("{\"shipped\": {"), Some("[]"), None] {
        let roles = half().await;
        match text {
            Some(text) => roles.host.fs.put(STATE, text.as_bytes()),
            None => roles.host.fs.delete("/project/.handoff/specs/shop/iterations"),
        }
        let outcome = run(&roles.host, options("run-2")).await;
        assert!(outcome.result().success, "{text:?}: {}", outcome.result().message);
        assert_eq!(roles.history().await, ["Add b", "Add a", "by the user"], "{text:?}");
        assert!(roles.prompts(AgentRole::Builder)[1].contains("Add a: 1 file created"), "the context of `b`");
        let named = repaired(&outcome).iter().any(|text| text.contains("state.json.corrupt-1"));
        assert_eq!(named, text.is_some(), "{text:?}");
        if let Some(text) = text {
            assert_eq!(roles.record("state.json.corrupt-1"), text);
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_edited_chunk_runs_again_although_the_branch_has_a_commit_of_it() {
    let roles = half().await;
    roles.host.fs.delete("/project/.handoff/specs/shop/iterations");
    let mut edited = chunk("a", &[]);
    edited["description"] = json!("Write src/a.ts in capitals.");
    roles.host.put(&format!("{FOLDER}/chunks.json"), &json!([edited]).to_string());
    *roles.builder.borrow_mut() = [build("src/a.ts", "A\n")].into();
    assert!(run(&roles.host, options("run-2")).await.result().success);
    assert_eq!(roles.sources()["src/a.ts"], "A\n");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_run_that_is_aborted_before_the_summary_leaves_the_commit_as_context() {
    let chunks = json!([chunk("a", &[]), chunk("b", &["a"])]);
    let roles = Roles::new(chunks, [build("src/a.ts", "a\n"), build("src/b.ts", "b\n")], [ship()]).await;
    let control = RunControl::default();
    let listener = |envelope: &Envelope, _: &str| {
        if matches!(envelope.event, Event::Chunks(ChunkFact::ChunkCommitted { .. })) {
            control.abort.fire("enough");
        }
    };
    let result = drive(&roles.host, options("run-1"), &control, &listener).await.unwrap();
    assert_eq!(result.reason, StopReason::Aborted);
    assert!(run(&roles.host, options("run-2")).await.result().success);
    assert!(roles.prompts(AgentRole::Builder)[1].contains("Add a: 1 file created"));
    assert_eq!(roles.history().await.len(), 3);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_file_is_a_projection_and_what_an_agent_writes_there_has_no_effect() {
    let roles = half().await;
    let before = roles.record("state.json");
    assert!(before.contains("\"a\"") && before.contains("It exists."), "{before}");
    let forged = Turn::calls([
        ("shell", json!({ "command": "forge" })),
        crate::engine::support::write("src/b.ts", "b\n"),
        done("Wrote it."),
    ]);
    *roles.builder.borrow_mut() = [forged].into();
    let mut host = roles.host.clone();
    let files = host.clone();
    host.shell = Some(loopgate::port::memory::MemoryShell::new(move |_| {
        files.fs.put(STATE, b"{}");
        loopgate::port::ShellOutput { exit_code: 0, stdout: String::new(), stderr: String::new() }
    }));
    assert!(run(&host, options("run-2")).await.result().success);
    let after = roles.record("state.json");
    assert!(after.contains("\"a\"") && after.contains("\"b\""), "{after}");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_run_stays_until_its_attempt_is_taken_back() {
    let half = [Turn::calls([write("src/half.ts", "half\n")]), Turn::Fail(PortErrorKind::Other)];
    let roles = Roles::new(json!([chunk("a", &[])]), half, [ship()]).await;
    roles.host.put(".handoff/config.yaml", "runs: { keep: 1 }\n");
    let runs = async || {
        let listed = list_runs(roles.host.project()).await.unwrap();
        listed.into_iter().map(|run| run.run_id).collect::<Vec<_>>()
    };
    assert!(run(&roles.host, options("run-1")).await.result.is_err());
    // Ends before it takes the attempt back.
    let control = RunControl::default();
    control.abort.fire("enough");
    let aborted = drive(&roles.host, options("run-2"), &control, &|_, _| ()).await;
    assert_eq!(aborted.unwrap().reason, StopReason::Aborted);
    assert_eq!(runs().await, ["run-2", "run-1"]);
    *roles.builder.borrow_mut() = [build("src/a.ts", "a\n")].into();
    assert!(run(&roles.host, options("run-3")).await.result().success);
    assert_eq!(roles.sources().into_keys().collect::<Vec<_>>(), ["src/a.ts"]);
    assert_eq!(runs().await, ["run-3"]);
}
