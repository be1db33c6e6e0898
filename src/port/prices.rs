//! The cost of model calls whose answers do not include it.

use super::Usage;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The cost of a call that counts. Sums of larger ones would not be numbers.
pub fn amount(dollars: f64) -> Option<f64> {
    const MAX: f64 = 1e9;
    (0.0..=MAX).contains(&dollars).then_some(dollars)
}

/// Gives the cost of a call.
pub trait PricesPort {
    /// The cost of this usage in US dollars; `None` if it is not known. A call without an answer has no model.
    fn cost(&self, usage: &Usage, model: Option<&str>) -> Option<f64>;
}

impl<F: Fn(&Usage, Option<&str>) -> Option<f64>> PricesPort for F {
    fn cost(&self, usage: &Usage, model: Option<&str>) -> Option<f64> {
        self(usage, model)
    }
}

/// US dollars per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Price {
    input_per_million: Dollars,
    output_per_million: Dollars,
    /// Default: as other input.
    #[serde(skip_serializing_if = "Option::is_none")]
    cached_input_per_million: Option<Dollars>,
    /// Of input that the provider writes to its cache. Default: as other input.
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_write_per_million: Option<Dollars>,
    /// Default: as other output.
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_per_million: Option<Dollars>,
}

impl Price {
    /// US dollars. A part of the input or output that is larger than the rest of it counts as that rest.
    fn cost(&self, usage: &Usage) -> f64 {
        let (input, output) = (self.input_per_million, self.output_per_million);
        let cached = usage.cached_input_tokens.unwrap_or(0).min(usage.input_tokens);
        let written = usage.cache_write_tokens.unwrap_or(0).min(usage.input_tokens - cached);
        let reasoning = usage.reasoning_tokens.unwrap_or(0).min(usage.output_tokens);
        let dollars: f64 = [
            (usage.input_tokens - cached - written, input),
            (cached, self.cached_input_per_million.unwrap_or(input)),
            (written, self.cache_write_per_million.unwrap_or(input)),
            (usage.output_tokens - reasoning, output),
            (reasoning, self.reasoning_per_million.unwrap_or(output)),
        ]
        .iter()
        .map(|(tokens, price)| *tokens as f64 * price.0)
        .sum();
        dollars / 1_000_000.0
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "f64")]
struct Dollars(f64);

impl TryFrom<f64> for Dollars {
    type Error = &'static str;

    fn try_from(dollars: f64) -> Result<Self, Self::Error> {
        if dollars >= 0.0 { Ok(Self(dollars)) } else { Err("expected a number of dollars of at least 0") }
    }
}

/// Prices by the model's id.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PriceTable(BTreeMap<String, Price>);

impl PriceTable {
    /// It has no price.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The price of a model. Services answer a request for `gpt-5` with a dated id (`gpt-5-2026-08-07`).
    fn price_of(&self, model: &str) -> Option<&Price> {
        let dated = || self.0.iter().find(|(id, _)| is_dated(model, id));
        self.0.get(model).or_else(|| dated().map(|(_, price)| price))
    }
}

impl PricesPort for PriceTable {
    /// Without a model id, the most expensive entry applies, so that a limit holds for each model.
    fn cost(&self, usage: &Usage, model: Option<&str>) -> Option<f64> {
        match model {
            Some(model) => self.price_of(model).map(|price| price.cost(usage)),
            None => self.0.values().map(|price| price.cost(usage)).reduce(f64::max),
        }
    }
}

/// Whether the id of a model is another id with a date.
pub fn is_dated(model: &str, id: &str) -> bool {
    model.strip_prefix(id).is_some_and(is_date)
}

/// Whether the suffix is a date (`-2026-08-07`, `-0613`, `@20260807`) and not part of another model's name.
fn is_date(suffix: &str) -> bool {
    suffix.starts_with(['-', '@'])
        && suffix.chars().skip(1).all(|c| c.is_ascii_digit() || c == '-')
        && suffix.chars().filter(char::is_ascii_digit).count() >= 4
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRICES: &str = r#"{
        "small": { "inputPerMillion": 1, "outputPerMillion": 10 },
        "large": { "inputPerMillion": 4, "outputPerMillion": 20, "cachedInputPerMillion": 0.5 },
        "thinker": {
            "inputPerMillion": 4, "outputPerMillion": 20,
            "cachedInputPerMillion": 0.5, "cacheWritePerMillion": 5, "reasoningPerMillion": 30
        }
    }"#;

    fn table(text: &str) -> PriceTable {
        crate::json::read(text).unwrap()
    }

    #[test]
    fn the_cost_follows_the_models_price_for_each_kind_of_token() {
        let plain = Usage { input_tokens: 1_000_000, output_tokens: 500_000, ..Usage::default() };
        let cached = Usage { cached_input_tokens: Some(400_000), ..plain };
        let thought = Usage { reasoning_tokens: Some(300_000), ..plain };
        let odd = Usage { cached_input_tokens: Some(9_000_000), ..plain };
        let written = Usage { cache_write_tokens: Some(600_000), ..cached };
        let odd_writes = Usage { cache_write_tokens: Some(9_000_000), reasoning_tokens: Some(9_000_000), ..cached };
        for (model, usage, cost) in [
            (Some("small"), plain, Some(6.0)),
            (Some("small"), cached, Some(6.0)),
            (Some("small"), thought, Some(6.0)),
            (Some("large"), plain, Some(14.0)),
            (Some("large"), cached, Some(12.6)),
            (Some("large"), odd, Some(10.5)),
            (Some("large"), written, Some(12.6)),
            (Some("thinker"), plain, Some(14.0)),
            (Some("thinker"), thought, Some(17.0)),
            (Some("thinker"), written, Some(13.2)),
            (Some("thinker"), odd_writes, Some(18.2)),
            (Some("large"), Usage::default(), Some(0.0)),
            (Some("other"), plain, None),
            (None, plain, Some(14.0)),
        ] {
            let found = table(PRICES).cost(&usage, model);
            let is_equal = match (found, cost) {
                (Some(found), Some(cost)) => (found - cost).abs() < 1e-9,
                (found, cost) => found == cost,
            };
            assert!(is_equal, "{model:?} {usage:?}: {found:?}, not {cost:?}");
        }
        assert_eq!(table("{}").cost(&plain, None), None);
    }

    #[test]
    fn a_dated_id_has_the_price_of_its_model_and_another_model_has_not() {
        let usage = Usage { input_tokens: 1, ..Usage::default() };
        for (model, known) in [
            ("small-2026-08-07", true),
            ("small-0613", true),
            ("small@20260807", true),
            ("small-1", false),
            ("small-mini", false),
            ("small.1", false),
            ("small2026", false),
            ("maker/small", false),
        ] {
            assert_eq!(table(PRICES).cost(&usage, Some(model)).is_some(), known, "{model}");
        }
    }

    #[test]
    fn an_invalid_price_is_refused_with_its_place() {
        for (text, words) in [
            (r#"{ "m": { "inputPerMillion": 1 } }"#, ["the field `outputPerMillion` is missing", "at `m`"]),
            (r#"{ "m": { "inputPerMillion": -1, "outputPerMillion": 1 } }"#, ["at least 0", "at `m.inputPerMillion`"]),
            (r#"{ "m": { "inputPerMillion": null, "outputPerMillion": 1 } }"#, ["null", "at `m.inputPerMillion`"]),
            (r#"{ "m": 3 }"#, ["expected", "at `m`"]),
            ("[]", ["array", "expected an object"]),
        ] {
            let wrong = crate::json::read::<PriceTable>(text).unwrap_err();
            assert!(words.iter().all(|words| wrong.contains(words)), "{text}: {wrong}");
        }
    }
}
