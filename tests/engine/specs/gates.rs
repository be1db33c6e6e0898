//! The gates judge a candidate before the verifier is asked.

use super::*;
use loopgate::gate::GateVerdict;

fn page(button: &str) -> Turn {
    Turn::calls([write("src/page.tsx", &format!("export const App = () => <button>Book{button}\n")), complete()])
}

fn roles(builder: impl IntoIterator<Item = Turn>) -> Roles {
    Roles::with([plan("# Plan\n")], builder, [verdict("accept", "all there")])
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_candidate_that_does_not_parse_goes_back_without_the_verifier() {
    let roles = roles([page("</buton>"), page("</button>")]);
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    use AgentRole::{Builder, Planner, Verifier};
    assert_eq!(outcome.roles(), [Planner, Builder, Builder, Verifier]);
    let again = &roles.prompts(Builder)[1];
    assert!(again.contains("src/page.tsx:1") && again.contains("FAIL [sources-parse]"), "{again}");
    assert_eq!(outcome.result().gates.iter().filter(|report| report.verdict == GateVerdict::Fail).count(), 0);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_candidate_that_is_never_right_uses_up_the_attempts() {
    let roles = roles([page("</buton>")]);
    let outcome = run(&roles.host, options("run-1")).await;
    assert_eq!(outcome.result().reason, StopReason::MaxAttempts);
    assert!(!outcome.roles().contains(&AgentRole::Verifier));
    assert!(roles.host.text(DONE).is_none());
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_feedback_of_a_gate_is_there_in_the_next_run() {
    let roles = roles([page("</buton>"), Turn::Text("later".to_owned())]);
    let stopped = run(&roles.host, options("run-1")).await;
    assert!(!stopped.result().success);
    roles.builder.replace([page("</button>")].into());
    let outcome = run(&roles.host, options("run-2")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
}
