//! The gates judge an attempt before anyone is paid to judge it.

use super::*;
use loopgate::gate::GateVerdict;
use loopgate::port::memory::MemoryBuild;
use loopgate::port::{BuildMessage, BuildReport};

const BROKEN: &str = "export const App = () => <button>Book</buton>\n";
const WHOLE: &str = "export const App = () => <button>Book</button>\n";

fn failed_gates(outcome: &Outcome) -> Vec<&str> {
    let reports = outcome.events.iter().filter_map(|envelope| match &envelope.event {
        Event::GateChecked { report } if report.verdict == GateVerdict::Fail => Some(report.gate.as_str()),
        _ => None,
    });
    reports.collect()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_attempt_that_does_not_parse_is_rejected_without_a_reviewer() {
    let attempts = [build("src/page.tsx", BROKEN), build("src/page.tsx", WHOLE)];
    let roles = Roles::new(json!([chunk("a", &[])]), attempts, [ship()]).await;
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(failed_gates(&outcome), ["sources-parse"]);
    assert_eq!(roles.sources()["src/page.tsx"], WHOLE);
    assert!(roles.prompts(AgentRole::Reviewer).iter().all(|prompt| prompt.contains("</button>")));
    let again = &roles.prompts(AgentRole::Builder)[1];
    assert!(again.contains("src/page.tsx:1") && again.contains("FAIL [sources-parse]"), "{again}");
    assert_eq!(outcome.count(|fact| matches!(fact, ChunkFact::AttemptReverted { .. })), 1);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_attempt_that_the_host_cannot_build_is_rejected_without_a_reviewer() {
    let attempts = [build("src/a.ts", "import './gone'\n"), build("src/a.ts", "export const a = 1\n")];
    let mut roles = Roles::new(json!([chunk("a", &[])]), attempts, [ship()]).await;
    let error = BuildMessage { message: "Cannot resolve ./gone".to_owned(), ..BuildMessage::default() };
    let failed = BuildReport { errors: vec![error], ..BuildReport::default() };
    let whole = BuildReport { success: true, ..BuildReport::default() };
    roles.host.build = Some(MemoryBuild::new([Ok(failed), Ok(whole.clone()), Ok(whole.clone()), Ok(whole)]));
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert!(failed_gates(&outcome).contains(&"build-succeeds"), "{:?}", failed_gates(&outcome));
    assert!(roles.prompts(AgentRole::Reviewer).iter().all(|prompt| !prompt.contains("./gone")));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_attempt_that_only_writes_a_comment_is_rejected() {
    let attempts = [build("src/a.ts", "// a is here\n"), build("src/a.ts", "export const a = 1\n")];
    let roles = Roles::new(json!([chunk("a", &[])]), attempts, [ship()]).await;
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(failed_gates(&outcome), ["work-done"]);
    let again = &roles.prompts(AgentRole::Builder)[1];
    assert!(again.contains("the description of the step asks for"), "{again}");
    assert!(!again.contains(".ralph/"), "{again}");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn code_that_a_later_step_uses_is_accepted() {
    let attempts = [build("src/a.ts", "export const a = 1\n"), build("src/b.ts", "export { a } from './a'\n")];
    let roles = Roles::new(json!([chunk("a", &[]), chunk("b", &["a"])]), attempts, [ship()]).await;
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(outcome.count(|fact| matches!(fact, ChunkFact::AttemptReverted { .. })), 0);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_disabled_gate_judges_no_attempt() {
    let roles = Roles::new(json!([chunk("a", &[])]), [build("src/page.tsx", BROKEN)], [ship()]).await;
    let mut options = options("run-1");
    options.config.layer = Some(json!({ "gates": { "disabled": ["sources-parse"] } }));
    let outcome = run(&roles.host, options).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(failed_gates(&outcome), [""; 0]);
}
