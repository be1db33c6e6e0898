//! The model: one turn of a chat with tools, in the shape of OpenAI's chat completions.

use super::{Abort, PortResult};
use crate::json;
use crate::phase::AgentRole;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A call of a tool, as the model wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The id that the result repeats.
    pub id: String,
    /// Always `function`.
    #[serde(rename = "type", skip_deserializing, default = "function")]
    pub kind: String,
    /// What to call.
    pub function: FunctionCall,
    /// The provider's data of the call, such as a signature. It goes back verbatim to the same model.
    #[serde(rename = "providerData", skip_serializing_if = "Option::is_none")]
    pub provider_data: Option<Value>,
}

fn function() -> String {
    "function".to_owned()
}

/// The function of a tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionCall {
    /// The tool's name.
    pub name: String,
    /// JSON text as the model wrote it; may be invalid.
    pub arguments: String,
}

/// An image in a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    /// Such as `image/png`.
    pub media_type: String,
    /// Its bytes as base64.
    pub data: String,
}

/// A message of the conversation.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "role", rename_all = "lowercase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum ChatMessage {
    /// The harness's instructions.
    System { content: String },
    /// The task and the project's state.
    User {
        content: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        images: Vec<Image>,
    },
    /// A turn of the model.
    Assistant {
        content: Option<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<ToolCall>,
        /// The provider's data of the answer, such as encrypted reasoning. It goes back verbatim to the same model.
        #[serde(rename = "providerData", skip_serializing_if = "Option::is_none")]
        provider_data: Option<Value>,
    },
    /// The result of a call.
    Tool {
        tool_call_id: String,
        name: String,
        content: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        images: Vec<Image>,
    },
}

impl ChatMessage {
    /// Text of the user.
    pub fn user(content: impl Into<String>) -> Self {
        Self::User { content: content.into(), images: Vec::new() }
    }

    /// Its images.
    pub fn images(&self) -> &[Image] {
        match self {
            Self::User { images, .. } | Self::Tool { images, .. } => images,
            Self::System { .. } | Self::Assistant { .. } => &[],
        }
    }
}

/// A tool as the model sees it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToolSchema {
    /// Always `function`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its signature.
    pub function: FunctionSchema,
}

/// A tool's signature.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FunctionSchema {
    /// The name.
    pub name: String,
    /// When to use it.
    pub description: String,
    /// A JSON Schema of its arguments.
    pub parameters: Value,
}

/// The shape that an answer must have.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ResponseFormat {
    /// JSON that fits a schema.
    JsonSchema {
        /// The name of the shape.
        name: String,
        /// A JSON Schema.
        schema: Value,
    },
}

/// The input of a turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct ModelRequest {
    pub role: AgentRole,
    pub messages: Vec<ChatMessage>,
    /// The tools that it may call.
    pub tools: Vec<ToolSchema>,
    /// The shape of the answer; free text without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_format: Option<ResponseFormat>,
    /// A cap on the answer, in tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_output_tokens: Option<u32>,
}

/// A piece of a streamed answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum ModelDelta {
    Text {
        text: String,
    },
    Reasoning {
        text: String,
    },
    /// A piece of the arguments of a call, or its start.
    Tool {
        id: String,
        name: String,
        text: String,
    },
    /// What the port does otherwise from now on, because the service refused it.
    Note {
        text: String,
    },
    /// Anything else: it only shows that the model still answers.
    Other,
}

impl ModelDelta {
    /// What the model wrote, of any kind.
    pub fn text(&self) -> &str {
        match self {
            Self::Text { text } | Self::Reasoning { text } | Self::Tool { text, .. } => text,
            Self::Note { .. } | Self::Other => "",
        }
    }
}

/// Why a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// The model finished.
    Stop,
    /// The model waits for the results of its calls.
    ToolCalls,
    /// The answer reached the token limit.
    Length,
    /// The provider withheld it.
    ContentFilter,
    /// The stream broke.
    Error,
}

/// The answer of a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct ModelResponse {
    pub content: Option<String>,
    pub tool_calls: Option<Vec<ToolCall>>,
    /// Why it ended.
    pub finish_reason: FinishReason,
    /// The cost, if the provider reports it. A wrong figure does not cost the answer: tokens are estimated then.
    #[serde(default, deserialize_with = "json::lenient")]
    pub usage: Option<Usage>,
    /// The id of the model that answered.
    #[serde(default, deserialize_with = "json::lenient", skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// As in [`ChatMessage::Assistant`].
    #[serde(rename = "providerData", skip_serializing_if = "Option::is_none")]
    pub provider_data: Option<Value>,
}

/// Tokens and cost.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Tokens read from the provider's cache; part of the input. A wrong optional figure does not cost the counts beside it.
    #[serde(default, deserialize_with = "json::lenient", skip_serializing_if = "Option::is_none")]
    pub cached_input_tokens: Option<u64>,
    /// Tokens written to the provider's cache; part of the input.
    #[serde(default, deserialize_with = "json::lenient", skip_serializing_if = "Option::is_none")]
    pub cache_write_tokens: Option<u64>,
    /// Tokens spent on reasoning; part of the output.
    #[serde(default, deserialize_with = "json::lenient", skip_serializing_if = "Option::is_none")]
    pub reasoning_tokens: Option<u64>,
    /// US dollars.
    #[serde(default, deserialize_with = "json::lenient", skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
    /// Estimated at four bytes a token; the provider reported nothing.
    #[serde(default, deserialize_with = "json::lenient", skip_serializing_if = "Option::is_none")]
    pub estimated: Option<bool>,
}

impl Usage {
    /// The usage of both.
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            cached_input_tokens: both(self.cached_input_tokens, other.cached_input_tokens, u64::saturating_add),
            cache_write_tokens: both(self.cache_write_tokens, other.cache_write_tokens, u64::saturating_add),
            reasoning_tokens: both(self.reasoning_tokens, other.reasoning_tokens, u64::saturating_add),
            cost_usd: both(self.cost_usd, other.cost_usd, |a, b| rounded(a + b)),
            estimated: both(self.estimated, other.estimated, |a, b| a || b),
        }
    }

    /// Tokens read and written. A server may report any number.
    pub fn tokens(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }
}

/// Dollars without the last digits, in which sums in another order differ.
pub(crate) fn rounded(dollars: f64) -> f64 {
    const STEPS: f64 = 1e10;
    (dollars * STEPS).round() / STEPS
}

fn both<T>(a: Option<T>, b: Option<T>, join: impl FnOnce(T, T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(join(a, b)),
        (a, b) => a.or(b),
    }
}

/// The host's model.
#[async_trait(?Send)]
pub trait ModelPort {
    /// The size of its context window, in tokens; `None` if it is not known.
    fn context_tokens(&self) -> Option<u64> {
        None
    }
    /// Whether it takes images. Without it, messages have none.
    fn takes_images(&self) -> bool {
        false
    }
    /// Answers one turn. `on_delta` gets the pieces as they arrive; `abort` ends the call at once.
    async fn complete(
        &self,
        request: &ModelRequest,
        abort: &Abort,
        on_delta: &dyn Fn(ModelDelta),
    ) -> PortResult<ModelResponse>;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(usage: &str) -> ModelResponse {
        let text = format!(r#"{{"content": "hi", "finish_reason": "stop", "usage": {usage}}}"#);
        json::read(&text).unwrap()
    }

    #[test]
    fn a_wrong_figure_costs_no_answer() {
        for wrong in [r#"{"inputTokens": -1, "outputTokens": 2}"#, r#"{"outputTokens": 2}"#, "7", "null"] {
            let read = answer(wrong);
            assert_eq!((read.content.as_deref(), read.usage), (Some("hi"), None), "{wrong}");
        }
        assert_eq!(answer(r#"{"inputTokens": 1, "outputTokens": 2}"#).usage.map(|usage| usage.input_tokens), Some(1));
    }

    #[test]
    fn an_unknown_finish_reason_is_an_error_that_names_it() {
        let error = json::read::<ModelResponse>(r#"{"content": "hi", "finish_reason": "end_turn"}"#).unwrap_err();
        let reasons = "`stop`, `tool_calls`, `length`, `content_filter`, `error`";
        assert_eq!(error, format!("`end_turn` is not one of {reasons} at `finish_reason`"));
    }

    #[test]
    fn a_wrong_optional_figure_does_not_cost_the_figures_beside_it() {
        for name in ["cachedInputTokens", "cacheWriteTokens", "reasoningTokens", "costUsd", "estimated"] {
            for wrong in [r#""x""#, "null", "{}", "[1]"] {
                let usage = format!(r#"{{"inputTokens": 1, "outputTokens": 2, "{name}": {wrong}}}"#);
                let expected = Usage { input_tokens: 1, output_tokens: 2, ..Usage::default() };
                assert_eq!(answer(&usage).usage, Some(expected), "{usage}");
            }
        }
        let odd =
            r#"{"inputTokens": 1, "outputTokens": 2, "cachedInputTokens": -1, "reasoningTokens": 1.5, "costUsd": 0.5}"#;
        let expected = Usage { input_tokens: 1, output_tokens: 2, cost_usd: Some(0.5), ..Usage::default() };
        assert_eq!(answer(odd).usage, Some(expected));
    }
}
