//! Budgets.

use super::*;
use crate::port::{AgentRole, Usage};
use crate::run::limits::LimitName;
use crate::run::machine::{AttemptCost, Cost};

fn started(limits: Limits) -> Table {
    Table::started(limits, PlanMode::Auto, None, Value::Null)
}

/// A call of the builder.
fn call(usage: Usage, model: Option<&str>) -> Event {
    Event::Usage {
        usage,
        total: usage,
        model: model.map(str::to_owned),
        role: AgentRole::Builder,
        cost: Cost::default(),
        of_attempt: AttemptCost::default(),
    }
}

fn budget_stop(machine: &Machine) -> String {
    match machine.next() {
        Command::Finish(Ending::Stopped(StopReason::Budget, message)) => message,
        _ => String::new(),
    }
}

#[test]
fn a_budget_warns_once_and_its_message_names_what_is_used() {
    let mut table = started(Limits { max_tokens: Some(200), max_cost_usd: Some(9.0), ..Limits::default() });
    let usage = Usage { input_tokens: 70, output_tokens: 15, cost_usd: Some(2.0), ..Usage::default() };
    let pay = |table: &mut Table| drop(table.fold(call(usage, None)));
    pay(&mut table);
    assert_eq!(table.machine.run.budget_warning(0), None);
    assert_eq!(table.machine.run.model_time(0), u64::MAX);
    pay(&mut table);
    assert_eq!(table.machine.run.budget_warning(0), Some((LimitName::MaxTokens, 170.0, 200.0)));
    table.fold(Event::BudgetWarning { limit: LimitName::MaxTokens, used: 170.0, max: 200.0 });
    assert_eq!(table.machine.run.budget_warning(0), None, "warned once");
    let expected = "85 % of the budget of 200 tokens is spent, and the next call would pass it. Resume the run with a higher `maxTokens` to continue.";
    assert_eq!(budget_stop(&table.machine), expected);
    pay(&mut table);
    assert_eq!(
        budget_stop(&table.machine),
        "100 % of the budget of 200 tokens is spent. Resume the run with a higher `maxTokens` to continue."
    );
}

/// The next call is assumed to cost as much as the last one, and an unknown cost is not 0.
#[test]
fn tokens_and_dollars_limit_the_next_call() {
    let turn = |tokens, cost| Usage { input_tokens: tokens, cost_usd: Some(cost), ..Usage::default() };
    let unknown = Usage { input_tokens: 50, ..Usage::default() };
    let broke_off = Usage { estimated: Some(true), ..unknown };
    let none = Usage::default();
    let unknown_cost = "the cost of an answer of the model \"m\" is not known";
    for (turns, max_tokens, max_cost_usd, stop) in [
        (vec![], Some(1), Some(0.01), ""),
        (vec![turn(50, 1.0)], Some(100), None, ""),
        (vec![turn(50, 1.0)], Some(99), None, "50 % of the budget of 99 tokens is spent, and the next call"),
        (vec![turn(90, 1.0), turn(5, 1.0)], Some(100), None, ""),
        (vec![turn(50, 1.0)], None, Some(2.0), ""),
        (vec![turn(50, 1.0)], None, Some(1.99), "50 % of the budget of $1.99 is spent, and the next call"),
        (vec![turn(50, 1.0); 9], None, None, ""),
        (vec![unknown], None, Some(10.0), unknown_cost),
        (vec![turn(50, 1.0), unknown, turn(50, 1.0)], None, Some(10.0), unknown_cost),
        (vec![broke_off], None, Some(10.0), unknown_cost),
        (vec![turn(50, 3.0), broke_off], None, Some(10.0), ""),
        (
            vec![turn(50, 3.0), broke_off, broke_off],
            None,
            Some(10.0),
            "90 % of the budget of $10 is spent, and the next call",
        ),
        (vec![none], None, Some(10.0), ""),
        (vec![none, broke_off], None, Some(10.0), unknown_cost),
        (vec![unknown], None, None, ""),
    ] {
        let mut table = started(Limits { max_tokens, max_cost_usd, ..Limits::default() });
        for usage in &turns {
            table.fold(call(*usage, Some("m")));
        }
        let row = format!("{turns:?} of {max_tokens:?}, {max_cost_usd:?}");
        assert_eq!(table.machine.run.model_time(0) > 0, stop.is_empty(), "{row}");
        let message = budget_stop(&table.machine);
        assert!(message.contains(stop) && message.is_empty() == stop.is_empty(), "{row}: {message}");
    }
}

#[test]
fn time_with_the_page_closed_is_not_spent() {
    let mut machine = started(Limits { max_wall_ms: Some(1_000), ..Limits::default() }).machine;
    let mut at = |at, event| machine.apply(&Envelope::new(0, at, "run".to_owned(), 1, event)).unwrap();
    at(1_010, Event::Status { text: "first".to_owned() });
    at(1_400, Event::Status { text: "still open".to_owned() });
    at(90_000_000, Event::RunResumed { repaired: Vec::new(), plan: None, closed: None });
    assert_eq!(machine.run.model_time(90_000_500), 100);
    assert_eq!(machine.run.model_time(90_000_600), 0);
}
