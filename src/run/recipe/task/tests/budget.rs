//! Budgets.

use super::*;
use crate::run::limits::LimitName;

#[test]
fn a_spent_budget_stops_the_run_and_warns_before() {
    let limits = Limits { max_tokens: Some(200), max_cost_usd: Some(9.0), ..Limits::default() };
    let mut table = Table::new(PlanMode::Auto, None, limits);
    let usage = Usage { input_tokens: 70, output_tokens: 15, cost_usd: Some(2.0), ..Usage::default() };
    table.fold(Event::Usage { usage, total: usage, model: None });
    assert_eq!(table.machine.run.budget_warning(0), None);
    assert_eq!(table.machine.run.model_time(0), u64::MAX);
    table.fold(Event::Usage { usage, total: usage, model: None });
    let warning = table.machine.run.budget_warning(0);
    assert_eq!(warning, Some((LimitName::MaxTokens, 170.0, 200.0)));
    table.fold(Event::BudgetWarning { limit: LimitName::MaxTokens, used: 170.0, max: 200.0 });
    assert_eq!(table.machine.run.budget_warning(0), None, "warned once");
    assert_eq!(table.machine.run.model_time(0), 0, "another call of 85 would pass 200");
    assert_eq!(
        budget_stop(&table.machine),
        "The budget is spent: maxTokens 170 of 200, and the next call would pass it."
    );
    table.fold(Event::Usage { usage, total: usage, model: None });
    assert_eq!(budget_stop(&table.machine), "The budget is spent: maxTokens 255 of 200.");
}

#[test]
fn another_call_is_assumed_to_cost_as_much_as_the_last() {
    let turn = |tokens, cost| Usage { input_tokens: tokens, cost_usd: Some(cost), ..Usage::default() };
    for (turns, max_tokens, max_cost_usd, goes_on) in [
        (vec![], Some(1), Some(0.01), true),
        (vec![turn(50, 1.0)], Some(100), None, true),
        (vec![turn(50, 1.0)], Some(99), None, false),
        (vec![turn(90, 1.0), turn(5, 1.0)], Some(100), None, true),
        (vec![turn(50, 1.0)], None, Some(2.0), true),
        (vec![turn(50, 1.0)], None, Some(1.99), false),
        (vec![turn(50, 1.0); 9], None, None, true),
    ] {
        let limits = Limits { max_tokens, max_cost_usd, ..Limits::default() };
        let mut table = Table::new(PlanMode::Auto, None, limits);
        for usage in &turns {
            table.fold(Event::Usage { usage: *usage, total: *usage, model: None });
        }
        assert_eq!(table.machine.run.model_time(0) > 0, goes_on, "{turns:?} of {max_tokens:?}, {max_cost_usd:?}");
        let stops = matches!(table.machine.next(), Command::Finish(Ending::Stopped(StopReason::Budget, _)));
        assert_eq!(!stops, goes_on, "{turns:?} of {max_tokens:?}, {max_cost_usd:?}");
    }
}

#[test]
fn an_unknown_cost_is_not_zero() {
    let known = |cost| Usage { input_tokens: 50, cost_usd: Some(cost), ..Usage::default() };
    let unknown = Usage { input_tokens: 50, ..Usage::default() };
    let broke_off = Usage { estimated: Some(true), ..unknown };
    let limit = Some(10.0);
    for (turns, max_cost_usd, words) in [
        (vec![unknown], limit, "the cost of an answer of the model \"m\" is not known"),
        (vec![known(1.0), unknown, known(1.0)], limit, "the cost of an answer of the model \"m\" is not known"),
        (vec![broke_off], limit, "is not known"),
        (vec![known(3.0), broke_off], limit, ""),
        (vec![known(3.0), broke_off, broke_off], limit, "maxCostUsd 9 of 10, and the next call would pass it"),
        (vec![Usage::default()], limit, ""),
        (vec![Usage::default(), broke_off], limit, "is not known"),
        (vec![unknown], None, ""),
    ] {
        let mut table = Table::new(PlanMode::Auto, None, Limits { max_cost_usd, ..Limits::default() });
        for usage in &turns {
            table.fold(Event::Usage { usage: *usage, total: *usage, model: Some("m".to_owned()) });
        }
        assert_eq!(table.machine.run.model_time(0) > 0, words.is_empty(), "{turns:?}");
        match words {
            "" => assert!(matches!(table.machine.next(), Command::RunIteration { .. }), "{turns:?}"),
            words => assert!(budget_stop(&table.machine).contains(words), "{}", budget_stop(&table.machine)),
        }
    }
}

#[test]
fn time_with_the_page_closed_is_not_spent() {
    let limits = Limits { max_wall_ms: Some(1_000), ..Limits::default() };
    let mut machine = Table::new(PlanMode::Auto, None, limits).machine;
    let mut at = |at, event| machine.apply(&Envelope { seq: 0, at, run_id: "run".to_owned(), event }).unwrap();
    at(1_010, Event::Status { text: "first".to_owned() });
    at(1_400, Event::Status { text: "still open".to_owned() });
    at(90_000_000, Event::RunResumed { repaired: Vec::new(), plan: None });
    assert_eq!(machine.run.model_time(90_000_500), 100);
    assert_eq!(machine.run.model_time(90_000_600), 0);
}

fn budget_stop(machine: &Machine<Task>) -> String {
    let Command::Finish(Ending::Stopped(StopReason::Budget, message)) = machine.next() else { panic!("it goes on") };
    message
}
