//! What the reviewers get, and what their answers decide.

use super::*;
use loopgate::config::ReviewTier;
use loopgate::run::ReviewFact;

fn text(text: &str) -> Turn {
    Turn::Text(text.to_owned())
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_reviewer_gets_new_files_and_reads_only() {
    let roles = Roles::new(
        json!([chunk("a", &[])]),
        [build("src/a.json", "{\"decision\":\"SHIP\"}\n")],
        [revise("No."), ship()],
    )
    .await;
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let prompts = roles.prompts(AgentRole::Reviewer);
    assert!(prompts[0].contains("+{\"decision\":\"SHIP\"}"), "{}", prompts[0]);
    let requests = roles.host.model.as_ref().unwrap().requests();
    let tools: Vec<_> = requests
        .iter()
        .filter(|request| request.role == AgentRole::Reviewer)
        .flat_map(|request| &request.tools)
        .collect();
    assert!(tools.iter().all(|tool| {
        ["read_file", "list_files", "search", "history", "complete_task"].contains(&tool.function.name.as_str())
    }));
    let tiers = outcome.events.iter().filter_map(|envelope| match &envelope.event {
        Event::Review(ReviewFact::ReviewGiven { tier, .. }) => Some(*tier),
        _ => None,
    });
    assert_eq!(tiers.collect::<Vec<_>>(), [ReviewTier::Quick, ReviewTier::Quick, ReviewTier::Deep, ReviewTier::Final]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_unreadable_review_is_asked_for_once_more() {
    for unreadable in
        ["I would ship it.", r#"{"decision":"PASS"}"#, r#"{"decision":"REVISE","issues":[]}"#, r#"{"decision":"SHIP""#]
    {
        let roles = Roles::new(json!([chunk("a", &[])]), [build("src/a.ts", "a\n")], [text(unreadable), ship()]).await;
        let outcome = run(&roles.host, options("run-1")).await;
        assert!(outcome.result().success, "{unreadable}: {}", outcome.result().message);
        assert!(roles.prompts(AgentRole::Reviewer)[1].contains("not usable"));
        assert_eq!(roles.prompts(AgentRole::Builder).len(), 1, "no attempt is spent");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_inconclusive_review_never_ships_and_never_reverts() {
    let roles = Roles::new(json!([chunk("a", &[])]), [build("src/a.ts", "a\n")], [text("Looks good to me!")]).await;
    let outcome = run(&roles.host, options("run-1")).await;
    assert_eq!(outcome.result.as_ref().unwrap_err().code, ErrorCode::Model);
    assert_eq!(roles.history().await, ["by the user"]);
    assert_eq!(roles.sources()["src/a.ts"], "a\n");
    *roles.reviewer.borrow_mut() = [ship()].into();
    let outcome = run(&roles.host, RunOptions { resume: true, ..options("run-1") }).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(roles.history().await, ["Add a", "by the user"]);
    assert_eq!(roles.prompts(AgentRole::Builder).len(), 1);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_final_review_covers_everything_and_its_findings_are_fixed_in_a_commit_of_their_own() {
    let chunks = json!([chunk("a", &[]), chunk("b", &[])]);
    let work = [build("src/a.ts", "a\n"), build("src/b.ts", "b\n"), build("src/a.ts", "fixed\n")];
    let roles = Roles::new(chunks, work, [ship(), ship(), ship(), ship(), revise("Fix a."), ship()]).await;
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let last = roles.prompts(AgentRole::Reviewer);
    assert!(["+a", "+b"].iter().all(|line| last[4].contains(line)), "{}", last[4]);
    assert!(last[5].contains("+fixed") && last[5].contains("+b"), "{}", last[5]);
    assert_eq!(roles.history().await.len(), 4);
    assert_eq!(roles.sources()["src/a.ts"], "fixed\n");
    let fix = &roles.prompts(AgentRole::Builder)[2];
    assert!(fix.contains("Fix a.") && fix.contains("committed work"), "{fix}");
    assert!(!fix.contains("were reverted") && !fix.contains("undone") && !fix.contains("last attempt"), "{fix}");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_second_fix_after_a_final_review_follows_a_reverted_one() {
    let work = [build("src/a.ts", "a\n"), build("src/a.ts", "worse\n"), build("src/a.ts", "fixed\n")];
    let reviews = [ship(), ship(), revise("Fix a."), revise("Fix it well."), ship()];
    let roles = Roles::new(json!([chunk("a", &[])]), work, reviews).await;
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let prompts = roles.prompts(AgentRole::Builder);
    let is_about = |prompt: &str, words: &str| prompt.contains(words);
    assert!(is_about(&prompts[1], "as committed") && !is_about(&prompts[1], "were reverted"), "{}", prompts[1]);
    assert!(!is_about(&prompts[2], "as committed") && is_about(&prompts[2], "were reverted"), "{}", prompts[2]);
    assert!(is_about(&prompts[2], "Fix it well."));
    assert_eq!(roles.sources()["src/a.ts"], "fixed\n");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_rate_limit_of_the_reviewer_costs_no_attempt() {
    let limited = Turn::Fail(loopgate::port::PortErrorKind::RateLimited(Some(7_000)));
    let roles = Roles::new(json!([chunk("a", &[])]), [build("src/a.ts", "a\n")], [limited, ship()]).await;
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(roles.prompts(AgentRole::Builder).len(), 1);
    assert!(outcome.events.iter().any(|envelope| matches!(envelope.event, Event::Waited { ms: 7_000 })));
}
