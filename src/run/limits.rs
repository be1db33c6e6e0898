//! The limits of a run. Only the machine enforces them.

pub use crate::config::LimitOptions;
use crate::error::{Error, ErrorCode};
use crate::json;
use serde::{Deserialize, Serialize};

/// [`LimitOptions`] with the defaults.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Limits {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_iterations: Option<u32>,
    #[serde(rename = "maxToolCallsPerIteration")]
    pub max_tool_calls: u32,
    #[serde(rename = "maxConsecutiveGateFailures")]
    pub max_gate_failures: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_cost_usd: Option<f64>,
    /// US dollars for one [subject](super::spending::subject) in all runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_task: Option<f64>,
    /// US dollars for all runs of a day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_day: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_wall_ms: Option<u64>,
    /// Twice as many iterations with different tool calls are a stall, too.
    pub stall_threshold: u32,
    pub max_stall_recoveries: u32,
    pub model_idle_ms: u64,
    pub max_attempts: u32,
    pub max_replans: u32,
    /// How often a refused model call is repeated, at most; some failures are repeated less often.
    pub max_retries: u32,
    /// How many iteration snapshots to keep; 0 disables them.
    pub iteration_snapshots: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_iterations: Some(20),
            max_tool_calls: 50,
            max_gate_failures: 5,
            stall_threshold: 3,
            max_stall_recoveries: 2,
            max_tokens: None,
            max_cost_usd: None,
            per_task: None,
            per_day: None,
            max_wall_ms: None,
            model_idle_ms: 120_000,
            max_attempts: 5,
            max_replans: 3,
            max_retries: 5,
            iteration_snapshots: 0,
        }
    }
}

/// A limit that is used up gradually.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum LimitName {
    MaxIterations,
    MaxTokens,
    MaxCostUsd,
    PerTask,
    PerDay,
    MaxWallMs,
}

impl LimitName {
    /// The name in options and events.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::MaxIterations => "maxIterations",
            Self::MaxTokens => "maxTokens",
            Self::MaxCostUsd => "maxCostUsd",
            Self::PerTask => "perTask",
            Self::PerDay => "perDay",
            Self::MaxWallMs => "maxWallMs",
        }
    }
}

impl Limits {
    /// The limits in US dollars that are set.
    pub(crate) fn in_dollars(&self) -> impl Iterator<Item = (LimitName, f64)> {
        let limits = [
            (LimitName::MaxCostUsd, self.max_cost_usd),
            (LimitName::PerTask, self.per_task),
            (LimitName::PerDay, self.per_day),
        ];
        limits.into_iter().filter_map(|(limit, max)| Some((limit, max?)))
    }

    /// Rejects a limit in dollars for a host without prices: an unknown cost is not 0.
    ///
    /// # Errors
    /// `invalid-argument`, with what to pass.
    pub fn check_cost(&self, has_prices: bool) -> Result<(), Error> {
        let Some((limit, _)) = self.in_dollars().next().filter(|_| !has_prices) else { return Ok(()) };
        let message = format!(
            "limits.{} needs the cost of each call. Pass host.prices, such as prices: {{ \"model-id\": {{ inputPerMillion: \
             3, outputPerMillion: 15 }} }} or a function (usage, model) => dollars, or set `models` in the configuration. If \
             all answers of your model have usage.costUsd, pass prices: {{}}",
            limit.as_str()
        );
        Err(Error::new(ErrorCode::InvalidArgument, message))
    }
}

impl LimitOptions {
    /// Applies the defaults.
    ///
    /// # Errors
    /// As [`Self::over`].
    pub fn resolve(&self) -> Result<Limits, Error> {
        self.over(&Limits::default())
    }

    /// These limits in place of the limits of `base`.
    ///
    /// # Errors
    /// `invalid-argument` with the name of a field that is not an integer of at least 1 (for dollars: a positive
    /// number).
    pub fn over(&self, base: &Limits) -> Result<Limits, Error> {
        let base = *base;
        let (calls, failures) = (self.max_tool_calls_per_iteration, self.max_consecutive_gate_failures);
        let max_iterations = match self.max_iterations {
            Some(_) => Some(count("maxIterations", self.max_iterations, 0)?),
            None => base.max_iterations,
        };
        Ok(Limits {
            max_iterations,
            max_tool_calls: count("maxToolCallsPerIteration", calls, base.max_tool_calls)?,
            max_gate_failures: count("maxConsecutiveGateFailures", failures, base.max_gate_failures)?,
            stall_threshold: count("stallThreshold", self.stall_threshold, base.stall_threshold)?,
            max_stall_recoveries: count("maxStallRecoveries", self.max_stall_recoveries, base.max_stall_recoveries)?,
            max_tokens: integer("maxTokens", self.max_tokens)?.or(base.max_tokens),
            max_cost_usd: positive("maxCostUsd", self.max_cost_usd)?.or(base.max_cost_usd),
            per_task: positive("perTask", self.per_task)?.or(base.per_task),
            per_day: positive("perDay", self.per_day)?.or(base.per_day),
            max_wall_ms: integer("maxWallMs", self.max_wall_ms)?.or(base.max_wall_ms),
            model_idle_ms: integer("modelIdleMs", self.model_idle_ms)?.unwrap_or(base.model_idle_ms),
            max_attempts: count("maxAttempts", self.max_attempts, base.max_attempts)?,
            max_replans: count("maxReplans", self.max_replans, base.max_replans)?,
            ..base
        })
    }
}

/// JavaScript's largest safe integer.
const MAX_SAFE: f64 = 9_007_199_254_740_991.0;

fn count(field: &str, value: Option<f64>, default: u32) -> Result<u32, Error> {
    let value = integer(field, value)?.unwrap_or(default.into());
    u32::try_from(value).map_err(|_| refused(field, value as f64, "at most 4294967295"))
}

fn integer(field: &str, value: Option<f64>) -> Result<Option<u64>, Error> {
    match value {
        None => Ok(None),
        Some(value) if value > MAX_SAFE => Err(refused(field, value, "at most 9007199254740991, or Infinity")),
        Some(value) if value >= 1.0 && value.fract() == 0.0 => Ok(Some(value as u64)),
        Some(value) => Err(refused(field, value, "a whole number of at least 1")),
    }
}

fn positive(field: &str, value: Option<f64>) -> Result<Option<f64>, Error> {
    match value {
        None => Ok(None),
        Some(value) if value > 0.0 && value.is_finite() => Ok(Some(value)),
        Some(value) => Err(refused(field, value, "a number above 0")),
    }
}

fn refused(field: &str, value: f64, expected: &str) -> Error {
    Error::new(ErrorCode::InvalidArgument, format!("limits.{field} is {}: it must be {expected}", json::number(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_limits_are_the_defaults() {
        assert_eq!(LimitOptions::default().resolve().unwrap(), Limits::default());
    }

    #[test]
    fn a_limit_in_dollars_needs_prices() {
        let limited = Limits { max_cost_usd: Some(1.0), ..Limits::default() };
        let daily = Limits { per_day: Some(1.0), ..Limits::default() };
        for (limits, has_prices, refused) in [
            (limited, false, Some("limits.maxCostUsd")),
            (daily, false, Some("limits.perDay")),
            (daily, true, None),
            (Limits::default(), false, None),
        ] {
            let refusal = limits.check_cost(has_prices).err();
            assert_eq!(refusal.as_ref().map(|error| error.code), refused.map(|_| ErrorCode::InvalidArgument));
            if let (Some(error), Some(limit)) = (refusal, refused) {
                let named = [limit, "host.prices", "inputPerMillion", "prices: {}"];
                assert!(named.iter().all(|words| error.message.contains(words)), "{}", error.message);
            }
        }
    }

    #[test]
    fn limits_up_to_the_largest_safe_integer_are_accepted() {
        let tokens = |max| LimitOptions { max_tokens: Some(max), ..LimitOptions::default() }.resolve();
        assert_eq!(tokens(MAX_SAFE).unwrap().max_tokens, Some(9_007_199_254_740_991));
        assert!(tokens(1e300).unwrap_err().message.contains("must be at most 9007199254740991"));
    }

    #[test]
    fn a_limit_that_is_not_a_positive_integer_is_refused_by_name() {
        for bad in [0.0, -1.0, 2.5, f64::NAN, f64::INFINITY] {
            let options = LimitOptions { max_iterations: Some(bad), ..LimitOptions::default() };
            let error = options.resolve().unwrap_err();
            assert_eq!(error.code, ErrorCode::InvalidArgument);
            assert!(error.message.contains("limits.maxIterations"), "{}", error.message);
        }
    }
}
