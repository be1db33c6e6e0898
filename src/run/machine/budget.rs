//! The budget of a run.

use super::RunState;
use crate::json;
use crate::port::Usage;
use crate::run::limits::{LimitName, Limits};
use serde::{Deserialize, Serialize};

/// Used tokens, dollars and time, folded from events.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Spent {
    usage: Usage,
    /// The usage of the last model call. The next one is assumed to use as much.
    last: Usage,
    dollars: Dollars,
    active_ms: u64,
    last_at: u64,
    warned: Vec<LimitName>,
}

/// Spent dollars, with an estimate for interrupted calls.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
struct Dollars {
    spent: f64,
    last: Option<f64>,
    /// The first answer without a known cost: its model, if known.
    unknown: Option<Option<String>>,
}

impl Dollars {
    /// Counts a call. An interrupted call has estimated tokens and counts as expensive as the call before it. The cost of any
    /// other call without a cost is unknown.
    fn pay(&mut self, usage: &Usage, model: Option<&str>) {
        let cost = match usage.cost_usd {
            None if usage.tokens() == 0 => return,
            None if usage.estimated == Some(true) => self.last,
            cost => cost,
        };
        match cost {
            Some(cost) => {
                self.spent += cost;
                self.last = Some(cost);
            }
            None if self.unknown.is_none() => self.unknown = Some(model.map(str::to_owned)),
            None => {}
        }
    }

    /// The message if the cost of an answer is not known.
    fn unknown(&self) -> Option<String> {
        let (of, model) = match self.unknown.as_ref()? {
            Some(model) => (format!(" of the model {model:?}"), format!("{model:?}")),
            None => (String::new(), "\"model-id\"".to_owned()),
        };
        Some(format!(
            "limits.maxCostUsd cannot be enforced: the cost of an answer{of} is not known. Add an entry to host.prices, such \
             as {{ {model}: {{ inputPerMillion: 3, outputPerMillion: 15 }} }}; a function must return a number of at least 0."
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
        self.last_at = at;
    }

    pub(super) fn last_at(&self) -> u64 {
        self.last_at
    }

    pub(super) fn pay(&mut self, usage: &Usage, model: Option<&str>) {
        self.usage = self.usage.plus(usage);
        self.dollars.pay(usage, model);
        self.last = *usage;
    }

    pub(super) fn warned(&mut self, limit: LimitName) {
        self.warned.push(limit);
    }

    /// The message about the first limit that allows no other model call.
    pub(super) fn exhausted(&self, limits: &Limits) -> Option<String> {
        if let Some(why) = self.unknown_cost(limits) {
            return Some(why);
        }
        let row = self.table(limits, self.last_at).into_iter().find(Row::is_spent)?;
        let next = if row.used < row.max { ", and the next call would pass it" } else { "" };
        let (used, max) = (json::number(row.used), json::number(row.max));
        Some(format!("The budget is spent: {} {used} of {max}{next}.", row.limit.as_str()))
    }

    /// The message if the limit in dollars cannot be enforced.
    fn unknown_cost(&self, limits: &Limits) -> Option<String> {
        limits.max_cost_usd.and_then(|_| self.dollars.unknown())
    }

    fn table(&self, limits: &Limits, now: u64) -> Vec<Row> {
        let tokens = |usage: &Usage| usage.tokens() as f64;
        let wall = (self.active_ms + now.saturating_sub(self.last_at)) as f64;
        let (usage, last, dollars) = (&self.usage, &self.last, &self.dollars);
        let rows = [
            (LimitName::MaxTokens, tokens(usage), tokens(last), limits.max_tokens.map(|max| max as f64)),
            (LimitName::MaxCostUsd, dollars.spent, dollars.last.unwrap_or(0.0), limits.max_cost_usd),
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
    fn is_spent(&self) -> bool {
        self.used >= self.max || self.used + self.next > self.max
    }
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
            let (limit, used, max) = (LimitName::MaxIterations, self.iteration.into(), max.into());
            Row { limit, used, next: 0.0, max }
        }));
        let is_due = |row: &Row| row.used >= 0.8 * row.max && !self.spent.warned.contains(&row.limit);
        rows.into_iter().find(is_due).map(|row| (row.limit, row.used, row.max))
    }

    /// The usage so far plus this turn.
    pub(crate) fn usage_with(&self, turn: &Usage) -> Usage {
        self.spent.usage.plus(turn)
    }
}
