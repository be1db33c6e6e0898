//! What a run will probably use, from the runs of the project that were done.

use super::event::RunStarted;
use super::journal::Runs;
use super::limits::Limits;
use super::options::{RunOptions, StopReason, Work};
use super::recipe::Kind;
use super::recipe::chunks::chunks_left;
use super::spending::{self, Entry, WorkKind};
use crate::error::Error;
use crate::port::{Abort, Host, PricesPort, Usage, amount};
use serde::Serialize;

/// A run before it starts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Estimate {
    /// How many earlier runs of the same kind it is based on.
    pub runs: usize,
    /// Input and output tokens.
    pub tokens: Estimated,
    /// US dollars.
    pub cost_usd: Estimated,
}

/// A range, or nothing to derive it from.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum Estimated {
    Range { min: f64, max: f64 },
    Unknown(Unknown),
}

/// Serialized as `"unknown"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the name says it all")]
pub enum Unknown {
    Unknown,
}

/// The work to estimate.
struct Planned {
    kind: WorkKind,
    message_bytes: u64,
    /// The specs or chunks that are left; 1 for a task.
    pieces: u32,
}

/// How many of the last runs count.
const RUNS: usize = 20;

/// Estimates a run. Writes nothing, and calls no model.
///
/// # Errors
/// For specs and chunks, the errors of the start of a run; errors of the file system.
pub async fn estimate(host: &Host, options: &RunOptions) -> Result<Estimate, Error> {
    options.check()?;
    let config = options.config.load(host.project()).await?;
    let kind = WorkKind::from(&options.work);
    let pieces = match &options.work {
        Work::Task { .. } => 1,
        work => {
            let fact = RunStarted::new(work.clone(), Limits::default());
            let (runs, abort) = (Runs::read(host.project()).await?, Abort::new());
            let (fact, _) = Kind::from_work(work).start(host, options, &config, fact, &abort, &runs).await?;
            match (work, fact.specs, fact.chunks) {
                (Work::Chunks { spec, only }, _, Some(chunks)) => {
                    chunks_left(host.project(), spec, &chunks, only.as_deref()).await?
                }
                (_, Some(specs), _) => specs.len() as u32,
                _ => 1,
            }
        }
    };
    let planned = Planned { kind, message_bytes: options.work.message().len() as u64, pieces };
    let (spending, _) = spending::read(host.project()).await?;
    let price = |usage: &Usage, model: Option<&str>| {
        let by_host = host.prices.as_deref().and_then(|prices| prices.cost(usage, model)).and_then(amount);
        by_host.or_else(|| config.settings.models.cost(usage, model).and_then(amount))
    };
    Ok(from_history(spending.runs(), &planned, &price))
}

fn from_history(runs: &[Entry], planned: &Planned, price: &dyn Fn(&Usage, Option<&str>) -> Option<f64>) -> Estimate {
    let is_comparable = |run: &&Entry| {
        run.kind == planned.kind
            && run.reason == Some(StopReason::Done)
            && run.prompt_bytes > 0
            && run.usage.tokens() > 0
    };
    let done: Vec<&Entry> = runs.iter().rev().filter(is_comparable).take(RUNS).collect();
    let unknown = Estimated::Unknown(Unknown::Unknown);
    let Some(newest) = done.first() else { return Estimate { runs: 0, tokens: unknown, cost_usd: unknown } };
    let prompt = newest.prompt_bytes.saturating_sub(newest.message_bytes) + planned.message_bytes;
    let expected = done.iter().map(|run| {
        let pieces = f64::from(planned.pieces) / f64::from(run.pieces.max(1));
        let usage = scaled(&run.usage, pieces * prompt as f64 / run.prompt_bytes as f64, pieces);
        let spent = run.days.values().sum::<f64>() * usage.tokens() as f64 / run.usage.tokens() as f64;
        // Reported costs have no price.
        let dollars = price(&usage, newest.model.as_deref()).or(Some(spent).filter(|spent| *spent > 0.0));
        (usage.tokens() as f64, dollars)
    });
    let (tokens, dollars): (Vec<f64>, Vec<Option<f64>>) = expected.unzip();
    let dollars: Option<Vec<f64>> = dollars.into_iter().collect();
    let tokens = match range(tokens) {
        Estimated::Range { min, max } => Estimated::Range { min: min.round(), max: max.round() },
        unknown => unknown,
    };
    Estimate { runs: done.len(), tokens, cost_usd: dollars.map_or(unknown, range) }
}

fn scaled(usage: &Usage, input: f64, output: f64) -> Usage {
    let times = |tokens: u64, factor: f64| (tokens as f64 * factor).round() as u64;
    Usage {
        input_tokens: times(usage.input_tokens, input),
        output_tokens: times(usage.output_tokens, output),
        cached_input_tokens: usage.cached_input_tokens.map(|tokens| times(tokens, input)),
        cache_write_tokens: usage.cache_write_tokens.map(|tokens| times(tokens, input)),
        reasoning_tokens: usage.reasoning_tokens.map(|tokens| times(tokens, output)),
        ..Usage::default()
    }
}

/// The range without the fifth at each end; of one value, from its half to its double.
fn range(mut values: Vec<f64>) -> Estimated {
    values.sort_by(f64::total_cmp);
    let rest = values.len() / 5;
    match values.get(rest..values.len() - rest) {
        Some([only]) => Estimated::Range { min: only / 2.0, max: only * 2.0 },
        Some([min, .., max]) => Estimated::Range { min: *min, max: *max },
        _ => Estimated::Unknown(Unknown::Unknown),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn run(input: u64, output: u64, dollars: f64) -> Entry {
        Entry {
            run_id: format!("{input}-{output}"),
            kind: WorkKind::Task,
            model: Some("m".to_owned()),
            usage: Usage { input_tokens: input, output_tokens: output, ..Usage::default() },
            prompt_bytes: 1_000,
            message_bytes: 100,
            calls: 4,
            pieces: 1,
            reason: Some(StopReason::Done),
            days: BTreeMap::from([("2026-11-26".to_owned(), dollars)]),
            subjects: BTreeMap::new(),
        }
    }

    fn task(message_bytes: u64) -> Planned {
        Planned { kind: WorkKind::Task, message_bytes, pieces: 1 }
    }

    const NO_PRICE: &dyn Fn(&Usage, Option<&str>) -> Option<f64> = &|_, _| None;

    fn between(min: f64, max: f64) -> Estimated {
        Estimated::Range { min, max }
    }

    #[test]
    fn only_runs_of_the_same_kind_that_were_done_count() {
        let failed = Entry { reason: Some(StopReason::Stalled), ..run(100, 10, 1.0) };
        let open = Entry { reason: None, ..run(100, 10, 1.0) };
        let spec = Entry { kind: WorkKind::Spec, ..run(100, 10, 1.0) };
        let estimate = from_history(&[failed, open, spec], &task(100), NO_PRICE);
        let unknown = Estimated::Unknown(Unknown::Unknown);
        assert_eq!(estimate, Estimate { runs: 0, tokens: unknown, cost_usd: unknown });
        assert_eq!(serde_json::to_string(&estimate).unwrap(), r#"{"runs":0,"tokens":"unknown","costUsd":"unknown"}"#);
    }

    #[test]
    fn the_input_grows_with_the_prompt_and_the_range_leaves_extremes_out() {
        let runs = [run(1_000, 100, 1.0), run(3_000, 100, 3.0)];
        assert_eq!(from_history(&runs, &task(100), NO_PRICE).tokens, between(1_100.0, 3_100.0));
        assert_eq!(from_history(&runs, &task(1_100), NO_PRICE).tokens, between(2_100.0, 6_100.0));
        assert_eq!(from_history(&runs[..1], &task(100), NO_PRICE).tokens, between(550.0, 2_200.0));
        let five = [1, 2, 3, 4, 100].map(|thousands| run(thousands * 1_000, 0, 1.0));
        assert_eq!(from_history(&five, &task(100), NO_PRICE).tokens, between(2_000.0, 4_000.0));
    }

    #[test]
    fn specs_and_chunks_scale_with_their_number() {
        let earlier = Entry { kind: WorkKind::Chunks, pieces: 2, ..run(2_000, 200, 4.0) };
        let runs = [earlier.clone(), earlier];
        let planned = Planned { kind: WorkKind::Chunks, message_bytes: 100, pieces: 3 };
        let estimate = from_history(&runs, &planned, NO_PRICE);
        assert_eq!((estimate.tokens, estimate.cost_usd), (between(3_300.0, 3_300.0), between(6.0, 6.0)));
    }

    #[test]
    fn prices_decide_before_earlier_costs_and_a_missing_cost_is_unknown() {
        let price =
            |usage: &Usage, model: Option<&str>| (model == Some("m")).then_some(usage.input_tokens as f64 / 100.0);
        let runs = [run(1_000, 0, 7.0), run(2_000, 0, 7.0)];
        assert_eq!(from_history(&runs, &task(100), &price).cost_usd, between(10.0, 20.0));
        assert_eq!(from_history(&runs, &task(100), NO_PRICE).cost_usd, between(7.0, 7.0));
        let free = [run(1_000, 0, 7.0), run(2_000, 0, 0.0)];
        assert_eq!(from_history(&free, &task(100), NO_PRICE).cost_usd, Estimated::Unknown(Unknown::Unknown));
    }
}
