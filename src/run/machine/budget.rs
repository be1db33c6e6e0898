//! The budget of a run.

use super::RunState;
use super::cost::{Book, RunCost};
use crate::agent::Paid;
use crate::json;
use crate::port::{AgentRole, QuestionKind, Usage, rounded};
use crate::run::event::Event;
use crate::run::limits::{LimitName, Limits};
use crate::run::options::StopReason;
use crate::run::recipe::specs::SpecFact;
use crate::run::spending::{self, Entry, SpentBefore};
use crate::utc;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Used tokens, dollars and time, folded from events.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Spent {
    usage: Usage,
    /// The usage of the last model call. The next one is assumed to use as much.
    last: Usage,
    dollars: Dollars,
    book: Book,
    /// Dollars by day.
    days: BTreeMap<String, f64>,
    /// What the limits for a task count together in all runs; `None` in a run over specs, whose subject is the present spec.
    subject: Option<String>,
    /// What other runs spent.
    before: SpentBefore,
    /// The first prompt, in bytes.
    prompt_bytes: Option<u64>,
    /// The model that builds or plans.
    model: Option<String>,
    active_ms: u64,
    last_at: u64,
    warned: Vec<LimitName>,
}

/// Spent dollars.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
struct Dollars {
    spent: f64,
    last: Option<f64>,
    /// The first answer without a known cost: its model, if known.
    unknown: Option<Option<String>>,
}

impl Dollars {
    /// Counts a call: its dollars, and whether they are estimated. A call without a cost counts as expensive as the call before
    /// it; unless it was interrupted, its cost is unknown.
    fn pay(&mut self, usage: &Usage, model: Option<&str>) -> (f64, bool) {
        let is_estimate = usage.estimated == Some(true);
        let cost = match usage.cost_usd {
            None if usage.tokens() == 0 => return (0.0, false),
            None => self.last,
            cost => cost,
        };
        if usage.cost_usd.is_none() && (!is_estimate || cost.is_none()) && self.unknown.is_none() {
            self.unknown = Some(model.map(str::to_owned));
        }
        self.last = cost;
        let dollars = cost.unwrap_or(0.0);
        self.spent += dollars;
        (dollars, is_estimate || usage.cost_usd.is_none())
    }

    /// The message if the cost of an answer is not known, which this limit needs.
    fn unknown(&self, limit: LimitName) -> Option<String> {
        let (of, model) = match self.unknown.as_ref()? {
            Some(model) => (format!(" of the model {model:?}"), format!("{model:?}")),
            None => (String::new(), "\"model-id\"".to_owned()),
        };
        Some(format!(
            "limits.{} cannot be enforced: the cost of an answer{of} is not known. Add an entry to host.prices, such as {{ \
             {model}: {{ inputPerMillion: 3, outputPerMillion: 15 }} }}; a function must return a number of at least 0.",
            limit.as_str()
        ))
    }
}

impl Spent {
    pub(super) fn usage(&self) -> &Usage {
        &self.usage
    }

    /// Counts the time between two events, unless the page was closed or the user was asked in between.
    pub(super) fn advance(&mut self, at: u64, is_idle: bool) {
        if !is_idle && self.last_at > 0 {
            self.active_ms += at.saturating_sub(self.last_at);
        }
        // Each day has the limit for a day.
        let is_same_day = || utc::day(at) == utc::day(self.last_at);
        self.warned.retain(|limit| *limit != LimitName::PerDay || is_same_day());
        self.last_at = at;
    }

    pub(super) fn last_at(&self) -> u64 {
        self.last_at
    }

    /// `asked` is the kind of the open question.
    pub(super) fn fold(&mut self, event: &Event, asked: Option<QuestionKind>) {
        match event {
            Event::RunStarted(started) => self.subject = spending::subject(&started.work, started.task_number),
            Event::SpendingRead { before } => self.before = before.clone(),
            Event::Usage { usage, model, role, .. } => self.pay(usage, model.as_deref(), *role),
            Event::BudgetWarning { limit, .. } => self.warned.push(*limit),
            Event::IterationStarted { prompt_bytes, .. } => drop(self.prompt_bytes.get_or_insert(*prompt_bytes)),
            event => self.book.fold(event, asked),
        }
        // Each spec has the limit for a task.
        if matches!(event, Event::Specs(SpecFact::SpecStarted { .. })) {
            self.warned.retain(|limit| *limit != LimitName::PerTask);
        }
    }

    fn pay(&mut self, usage: &Usage, model: Option<&str>, role: AgentRole) {
        self.usage = self.usage.plus(usage);
        let (dollars, is_estimated) = self.dollars.pay(usage, model);
        self.book.pay(role, dollars, is_estimated);
        *self.days.entry(utc::day(self.last_at)).or_default() += dollars;
        self.last = *usage;
        if matches!(role, AgentRole::Builder | AgentRole::Planner) {
            self.model = model.map(str::to_owned).or(self.model.take());
        }
    }

    /// The gates failed.
    pub(super) fn reject(&mut self) {
        self.book.reject();
    }

    /// The message about the first limit that allows no other model call.
    pub(super) fn exhausted(&self, limits: &Limits) -> Option<String> {
        if let Some(why) = self.unknown_cost(limits) {
            return Some(why);
        }
        let row = self.table(limits, self.last_at).into_iter().find(Row::is_spent)?;
        let next = if row.used < row.max { ", and the next call would pass it" } else { "" };
        let (what, name) = (row.spent(), row.limit.as_str());
        Some(format!("{what}{next}. Resume the run with a higher `{name}` to continue."))
    }

    /// The message if a limit in dollars cannot be enforced.
    fn unknown_cost(&self, limits: &Limits) -> Option<String> {
        let (limit, _) = limits.in_dollars().next()?;
        self.dollars.unknown(limit)
    }

    /// Dollars for the subject of the run, or of the present spec, in all runs.
    fn spent_on_subject(&self) -> f64 {
        let (subject, own) = match &self.subject {
            Some(subject) => (Some(subject.as_str()), self.dollars.spent),
            None => (self.book.piece(), self.book.spent_on_piece()),
        };
        own + subject.map_or(0.0, |subject| self.before.on(subject))
    }

    /// Dollars on the day of `now` in all runs.
    fn spent_on_day(&self, now: u64) -> f64 {
        let day = utc::day(now);
        self.days.get(&day).copied().unwrap_or(0.0) + self.before.during(&day)
    }

    /// The dollars of this run by subject.
    pub(super) fn subjects(&self) -> BTreeMap<String, f64> {
        match &self.subject {
            Some(subject) => BTreeMap::from([(subject.clone(), self.dollars.spent)]),
            None => self.book.by_piece(),
        }
    }

    fn table(&self, limits: &Limits, now: u64) -> Vec<Row> {
        let tokens = |usage: &Usage| usage.tokens() as f64;
        let wall = (self.active_ms + now.saturating_sub(self.last_at)) as f64;
        let (usage, last, dollars) = (&self.usage, &self.last, &self.dollars);
        // The first call of a run is assumed to cost what the others of the project cost.
        let (next, first) = (dollars.last.unwrap_or(0.0), dollars.last.unwrap_or(self.before.call));
        let rows = [
            (LimitName::MaxTokens, tokens(usage), tokens(last), limits.max_tokens.map(|max| max as f64)),
            (LimitName::MaxCostUsd, rounded(dollars.spent), next, limits.max_cost_usd),
            (LimitName::PerTask, rounded(self.spent_on_subject()), first, limits.per_task),
            (LimitName::PerDay, rounded(self.spent_on_day(now)), first, limits.per_day),
            // A call ends when the time is used up.
            (LimitName::MaxWallMs, wall, 0.0, limits.max_wall_ms.map(|max| max as f64)),
        ];
        rows.into_iter().filter_map(|(limit, used, next, max)| Some(Row { limit, used, next, max: max? })).collect()
    }
}

/// The state of a limit.
struct Row {
    limit: LimitName,
    used: f64,
    /// The assumed usage of the next call.
    next: f64,
    max: f64,
}

impl Row {
    /// How much of it is spent, for people.
    fn spent(&self) -> String {
        let max = self.max;
        let part = if max > 0.0 { (100.0 * self.used.min(max) / max).floor() } else { 100.0 };
        let of = match self.limit {
            LimitName::MaxTokens => format!("budget of {} tokens", json::number(max)),
            LimitName::MaxCostUsd => format!("budget of {}", dollars(max)),
            LimitName::PerTask => format!("budget of {} for this task", dollars(max)),
            LimitName::PerDay => format!("budget of {} for today", dollars(max)),
            LimitName::MaxWallMs => format!("time limit of {} seconds", json::number(max / 1_000.0)),
            LimitName::MaxIterations => format!("limit of {} iterations", json::number(max)),
        };
        format!("{part} % of the {of} is spent")
    }

    fn is_spent(&self) -> bool {
        self.used >= self.max || rounded(self.used + self.next) > self.max
    }
}

/// `$2`, `$0.31`.
fn dollars(amount: f64) -> String {
    if amount.fract() == 0.0 || amount < 0.01 { format!("${}", json::number(amount)) } else { format!("${amount:.2}") }
}

impl RunState {
    /// The time that the next model call may take, in milliseconds; 0 if the budget allows none.
    pub(crate) fn model_time(&self, now: u64) -> u64 {
        if self.spent.unknown_cost(&self.limits).is_some() {
            return 0;
        }
        let mut left = u64::MAX;
        for row in self.spent.table(&self.limits, now) {
            match row.limit {
                _ if row.is_spent() => return 0,
                LimitName::MaxWallMs => left = (row.max - row.used) as u64,
                _ => {}
            }
        }
        left
    }

    /// A limit that is used to 80 % and has no warning yet: its name, its usage, its maximum.
    pub(crate) fn budget_warning(&self, now: u64) -> Option<(LimitName, f64, f64)> {
        let mut rows = self.spent.table(&self.limits, now);
        rows.extend(self.limits.max_iterations.map(|max| {
            let (limit, used, max) = (LimitName::MaxIterations, self.charged.into(), max.into());
            Row { limit, used, next: 0.0, max }
        }));
        let is_due = |row: &Row| row.used >= 0.8 * row.max && !self.spent.warned.contains(&row.limit);
        rows.into_iter().find(is_due).map(|row| (row.limit, row.used, row.max))
    }

    /// The number of the present attempt at the present piece of work.
    pub(crate) fn attempt(&self) -> u32 {
        self.spent.book.attempt().attempt
    }

    /// What the run cost if it ends for this reason.
    pub(super) fn cost(&self, reason: StopReason) -> RunCost {
        self.spent.book.at_end(reason)
    }

    /// The event of a model call.
    pub(crate) fn paid(&self, Paid { usage, model, role }: Paid) -> Event {
        let mut after = self.spent.clone();
        after.pay(&usage, model.as_deref(), role);
        let (cost, of_attempt) = (after.book.total(), after.book.attempt());
        Event::Usage { usage, total: after.usage, model, role, cost, of_attempt }
    }

    /// The entry in the file of spending of a run that ends for this reason; `None` before its first call of a model.
    pub(in crate::run) fn spending(&self, reason: Option<StopReason>) -> Option<Entry> {
        let work = self.work.as_ref().filter(|_| self.calls > 0)?;
        Some(Entry {
            run_id: self.run_id.clone(),
            kind: work.into(),
            model: self.spent.model.clone(),
            usage: self.spent.usage,
            prompt_bytes: self.spent.prompt_bytes.unwrap_or_default(),
            message_bytes: work.message().len() as u64,
            calls: self.calls,
            pieces: self.spent.book.pieces(),
            reason,
            days: self.spent.days.clone(),
            subjects: self.spent.subjects(),
        })
    }
}
