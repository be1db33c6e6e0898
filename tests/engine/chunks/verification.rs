//! The verification of attempts.

use super::*;
use loopgate::port::memory::MemoryShell;
use loopgate::port::{PortError, PortErrorKind, PortResult, ShellAnswer, ShellOutput};
use loopgate::run::VerificationFact;

const CONFIG: &str = "verification:\n  enabled: true\n  steps:\n    - { name: Types, command: tsc }\n    - { name: Lint, command: lint, required: false }\n";

fn output(exit_code: u8, stdout: &str) -> ShellOutput {
    ShellOutput { exit_code, stdout: stdout.to_owned(), stderr: String::new() }
}

impl Outcome {
    /// The number of facts of this kind.
    fn checks(&self, is: impl Fn(&VerificationFact) -> bool) -> usize {
        let is = |envelope: &&Envelope| matches!(&envelope.event, Event::Verification(fact) if is(fact));
        self.events.iter().filter(is).count()
    }
}

async fn roles(builder: impl IntoIterator<Item = Turn>) -> Roles {
    let roles = Roles::new(json!([chunk("a", &[])]), builder, [ship()]).await;
    roles.host.put(".handoff/config.yaml", CONFIG);
    roles
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_required_failure_revises_with_the_output_and_an_optional_one_warns() {
    let mut roles = roles([build("src/a.ts", "wrong\n"), build("src/a.ts", "right\n")]).await;
    let host = roles.host.clone();
    roles.host.shell = Some(MemoryShell::new(move |command| match command {
        "tsc" if host.text("src/a.ts").as_deref() == Some("wrong\n") => output(2, "src/a.ts(1): error TS1005"),
        "lint" => output(1, "a warning"),
        _ => output(0, "error: only a word"),
    }));
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert!(roles.prompts(AgentRole::Builder)[1].contains("error TS1005"));
    assert_eq!(roles.prompts(AgentRole::Reviewer).len(), 3, "a failed verification is not reviewed");
    let first = roles.record("a/iteration-1/verification.json");
    assert!(first.contains("failed") && first.contains("skipped"), "{first}");
    let warned = |fact: &VerificationFact| matches!(fact, VerificationFact::VerificationFinished { feedback: None, warnings, .. } if warnings.len() == 1);
    assert_eq!(outcome.checks(warned), 2, "the chunk, and everything before the final review");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_verification_that_cannot_run_is_no_verdict_and_the_resumed_run_repeats_only_it() {
    type Answer = fn() -> PortResult<ShellOutput>;
    let gone: Answer = || Err(PortError::new("shell", "execute", PortErrorKind::Other, "the bridge is gone"));
    let wrong: Answer = || serde_json::from_value::<ShellAnswer>(json!({ "exitCode": 300 })).unwrap().into_output();
    let absent: Answer = || Ok(output(127, "pnpm: command not found"));
    for (answer, words) in [(gone, "bridge"), (wrong, "exit code 300"), (absent, "pnpm")] {
        let mut roles = roles([build("src/a.ts", "a\n")]).await;
        roles.host.shell = Some(MemoryShell::answering(move |_| Some(answer())));
        let outcome = run(&roles.host, options("run-1")).await;
        let error = outcome.result.as_ref().unwrap_err();
        assert_eq!((error.code, error.retryable), (ErrorCode::Shell, true));
        assert!(error.message.contains(words), "{}", error.message);
        assert_eq!(outcome.count(|fact| matches!(fact, ChunkFact::AttemptReverted { .. })), 0);
        assert_eq!(roles.sources()["src/a.ts"], "a\n", "nothing is rolled back");
        assert_eq!(roles.prompts(AgentRole::Reviewer).len(), 0);
        roles.host.shell = Some(MemoryShell::new(|_| output(0, "")));
        let outcome = run(&roles.host, RunOptions { resume: true, ..options("run-1") }).await;
        assert!(outcome.result().success, "{}", outcome.result().message);
        assert_eq!(roles.prompts(AgentRole::Builder).len(), 1, "no attempt is spent");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn without_a_shell_for_its_verification_a_run_is_refused_before_any_model_call() {
    let mut roles = roles([build("src/a.ts", "a\n")]).await;
    roles.host.shell = None;
    let outcome = run(&roles.host, options("run-1")).await;
    let error = outcome.result.as_ref().unwrap_err();
    assert_eq!(error.code, ErrorCode::Unsupported);
    assert!(error.message.contains("verification.steps") && error.message.contains("shell"), "{}", error.message);
    assert_eq!(roles.host.model.as_ref().unwrap().requests().len(), 0);
    assert_eq!(outcome.events.len(), 0, "nothing began");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn what_a_step_writes_never_enters_the_commit() {
    let mut roles = roles([build("src/a.ts", "a\n")]).await;
    let host = roles.host.clone();
    roles.host.shell = Some(MemoryShell::new(move |_| {
        host.put("src/a.ts", "formatted\n");
        host.put("src/generated.ts", "x\n");
        output(0, "")
    }));
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(roles.sources(), BTreeMap::from([("src/a.ts".to_owned(), "a\n".to_owned())]));
    let drift = |fact: &VerificationFact| matches!(fact, VerificationFact::VerificationFinished { drift, .. } if drift.len() == 2);
    assert_eq!(outcome.checks(drift), 2);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn without_steps_the_verification_is_recorded_as_not_configured_and_the_review_runs() {
    let roles = Roles::new(json!([chunk("a", &[])]), [build("src/a.ts", "a\n")], [ship()]).await;
    assert!(run(&roles.host, options("run-1")).await.result().success);
    assert!(roles.record("a/iteration-1/verification.json").contains("not-configured"));
    assert_eq!(roles.prompts(AgentRole::Reviewer).len(), 3);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_change_of_blank_lines_and_line_ends_is_no_work_and_a_deletion_is() {
    let attempts = [
        Turn::calls([write("index.html", "<p>hi</p> \r\n\n"), done("")]),
        Turn::calls([("delete_file", json!({ "path": "index.html" })), done("")]),
    ];
    let roles = Roles::new(json!([chunk("a", &[])]), attempts, [ship()]).await;
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert!(roles.prompts(AgentRole::Builder)[1].contains("nothing but blank lines and white space at line ends"));
    assert_eq!(roles.host.text("index.html"), None);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_change_of_other_white_space_is_work_and_the_reviewer_gets_a_note() {
    for (text, is_noted) in [("<p>h i</p>\n", true), ("  <p>hi</p>\n", true), ("<p>Hi</p>\n", false)] {
        let roles = Roles::new(json!([chunk("a", &[])]), [build("index.html", text)], [ship()]).await;
        let outcome = run(&roles.host, options("run-1")).await;
        assert!(outcome.result().success, "{}", outcome.result().message);
        assert_eq!(roles.prompts(AgentRole::Builder).len(), 1, "{text}");
        for prompt in roles.prompts(AgentRole::Reviewer) {
            assert_eq!(prompt.contains("\n[only white space differs]\n"), is_noted, "{prompt}");
        }
        assert_eq!(roles.host.text("index.html").as_deref(), Some(text));
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn everything_is_verified_once_before_the_final_review_and_a_failure_there_is_fixed() {
    let mut roles = roles([build("src/a.ts", "a\n"), build("src/fixed.ts", "x\n")]).await;
    let (host, calls) = (roles.host.clone(), Rc::new(std::cell::Cell::new(0)));
    let seen = calls.clone();
    roles.host.shell = Some(MemoryShell::new(move |command| {
        if command != "tsc" {
            return output(0, "");
        }
        seen.set(seen.get() + 1);
        // The chunk passes alone.
        output(u8::from(seen.get() > 1 && host.text("src/fixed.ts").is_none()), "broken together")
    }));
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(calls.get(), 3, "the chunk, everything, and the fix");
    let prompts = roles.prompts(AgentRole::Builder);
    assert!(prompts[1].contains("broken together") && prompts[1].contains("as committed"), "{}", prompts[1]);
    let reviews = roles.prompts(AgentRole::Reviewer);
    assert!(reviews.last().unwrap().contains("Types: passed"), "the final review gets the results");
    assert_eq!(roles.history().await.len(), 3);
}
