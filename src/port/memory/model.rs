//! A scripted model that also checks every request.

use super::MemoryClock;
use crate::port::{
    Abort, AgentRole, ChatMessage, ClockPort, FinishReason, FunctionCall, ModelDelta, ModelPort, ModelRequest,
    ModelResponse, PortError, PortErrorKind, PortResult, ToolCall, Usage,
};
use async_trait::async_trait;
use serde_json::Value;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::future::pending;
use std::rc::Rc;

#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum Turn {
    /// Text without calls.
    Text(String),
    /// Calls: name and arguments as raw text, which need not be valid JSON.
    Calls(Vec<(String, String)>),
    /// Streamed text, then calls.
    Stream(Vec<String>, Vec<(String, String)>),
    /// An answer truncated by the token limit.
    Cut(String),
    /// A refusal with this message.
    Refuse(String),
    Fail(PortErrorKind),
    /// A complete provider response, valid or not.
    Answer(ModelResponse),
    /// Never answers.
    Hang,
    /// Streamed text, then no further data.
    Stall(Vec<String>),
    /// Deltas with a pause before each, in milliseconds, then calls.
    Slow(MemoryClock, u64, Vec<ModelDelta>, Vec<(String, String)>),
    /// The turn is only for requests of this role.
    Of(AgentRole, Box<Turn>),
}

impl Turn {
    /// One call with valid arguments.
    pub fn call(name: &str, args: Value) -> Self {
        Self::Calls(vec![(name.to_owned(), args.to_string())])
    }

    /// Several calls with valid arguments.
    pub fn calls<const N: usize>(calls: [(&str, Value); N]) -> Self {
        Self::Calls(calls.into_iter().map(|(name, args)| (name.to_owned(), args.to_string())).collect())
    }

    /// The turn, only for requests of this role.
    pub fn for_role(self, role: AgentRole) -> Self {
        Self::Of(role, Box::new(self))
    }

    /// Whether a request of this role may take the turn. Most scripts are for the agent, and the parser is called
    /// first: it takes only turns for its role, or text that is a JSON object, as its answer is.
    fn is_for(&self, role: AgentRole) -> bool {
        match self {
            Self::Of(meant, _) => *meant == role,
            Self::Text(text) if role == AgentRole::Parser => {
                serde_json::from_str(text).is_ok_and(|answer: Value| answer.is_object())
            }
            _ => role != AgentRole::Parser,
        }
    }
}

/// Answers with the turns in order or by a closure; fails after the last turn. A `parser` request takes no turn unless
/// the next one is for it. Otherwise it gets empty text, so the rules parse the message, and it is not recorded. Clones
/// share the script.
#[derive(Clone)]
pub struct ScriptedModel {
    script: Script,
    next: Rc<Cell<usize>>,
    requests: Rc<RefCell<Vec<ModelRequest>>>,
    window: Option<u64>,
    takes_images: bool,
}

type Script = Rc<dyn Fn(usize, &ModelRequest) -> Option<Turn>>;

impl ScriptedModel {
    #[expect(missing_docs, reason = "where a name says it all")]
    pub fn new(turns: impl IntoIterator<Item = Turn>) -> Self {
        let turns: Vec<Turn> = turns.into_iter().collect();
        Self::with(Rc::new(move |number, _| turns.get(number).cloned()))
    }

    /// A model that answers each request with the closure's turn.
    pub fn answering(answer: impl Fn(&ModelRequest) -> Turn + 'static) -> Self {
        Self::with(Rc::new(move |_, request| Some(answer(request))))
    }

    fn with(script: Script) -> Self {
        Self { script, next: Rc::default(), requests: Rc::default(), window: None, takes_images: false }
    }

    /// The same model, which does not answer the request with this 0-based number.
    #[must_use]
    pub fn hanging_at(&self, number: usize) -> Self {
        let script = self.script.clone();
        Self::with(Rc::new(move |at, request| if at == number { Some(Turn::Hang) } else { script(at, request) }))
    }

    /// The same model with a context window of this many tokens.
    #[must_use]
    pub fn with_window(self, tokens: u64) -> Self {
        Self { window: Some(tokens), ..self }
    }

    /// The same model, which takes images.
    #[must_use]
    pub fn with_images(self) -> Self {
        Self { takes_images: true, ..self }
    }

    /// The recorded requests.
    pub fn requests(&self) -> Vec<ModelRequest> {
        self.requests.borrow().clone()
    }

    /// The number of used turns.
    pub fn used(&self) -> usize {
        self.next.get()
    }
}

#[async_trait(?Send)]

impl ModelPort for ScriptedModel {
    fn context_tokens(&self) -> Option<u64> {
        self.window
    }

    fn takes_images(&self) -> bool {
        self.takes_images
    }

    async fn complete(
        &self,
        request: &ModelRequest,
        _abort: &Abort,
        on_delta: &dyn Fn(ModelDelta),
    ) -> PortResult<ModelResponse> {
        check_answers(&request.messages)?;
        let number = self.next.get();
        let turn = (self.script)(number, request);
        let is_meant = turn.as_ref().is_some_and(|turn| turn.is_for(request.role));
        if request.role == AgentRole::Parser && !is_meant {
            return Ok(ModelResponse { usage: Some(Usage::default()), ..answer(None, Vec::new(), FinishReason::Stop) });
        }
        self.requests.borrow_mut().push(request.clone());
        if turn.is_some() && !is_meant {
            return Err(broken(format!("turn {number} of the script is not for the role {:?}", request.role)));
        }
        self.next.set(number + 1);
        let turn = match turn {
            Some(Turn::Of(_, turn)) => Some(*turn),
            turn => turn,
        };
        match turn {
            None => Err(broken(format!("the script has no turn {number}"))),
            Some(Turn::Text(text)) => Ok(answer(Some(text), Vec::new(), FinishReason::Stop)),
            Some(Turn::Cut(text)) => Ok(answer(Some(text), Vec::new(), FinishReason::Length)),
            Some(Turn::Calls(calls)) => Ok(answer(None, number_calls(number, calls), FinishReason::ToolCalls)),
            Some(Turn::Stream(pieces, calls)) => {
                for piece in &pieces {
                    on_delta(ModelDelta::Text { text: piece.clone() });
                }
                let reason = if calls.is_empty() { FinishReason::Stop } else { FinishReason::ToolCalls };
                Ok(answer(Some(pieces.concat()), number_calls(number, calls), reason))
            }
            Some(Turn::Refuse(message)) => Err(broken(message)),
            Some(Turn::Fail(kind)) => Err(PortError::new("model", "complete", kind, "the script says so")),
            Some(Turn::Answer(response)) => Ok(response),
            Some(Turn::Hang) => pending().await,
            Some(Turn::Stall(pieces)) => {
                for piece in &pieces {
                    on_delta(ModelDelta::Text { text: piece.clone() });
                }
                pending().await
            }
            Some(Turn::Slow(clock, ms, deltas, calls)) => {
                for delta in deltas {
                    clock.sleep(ms).await;
                    on_delta(delta);
                }
                Ok(answer(None, number_calls(number, calls), FinishReason::ToolCalls))
            }
            Some(Turn::Of(role, _)) => Err(broken(format!("turn {number} of the script names a role twice: {role:?}"))),
        }
    }
}

/// Checks that every tool call gets exactly one result before the next message.
fn check_answers(messages: &[ChatMessage]) -> PortResult<()> {
    let mut open: BTreeSet<&str> = BTreeSet::new();
    for message in messages {
        match message {
            ChatMessage::Tool { tool_call_id, .. } if open.remove(tool_call_id.as_str()) => {}
            ChatMessage::Tool { tool_call_id, .. } => {
                return Err(broken(format!("call {tool_call_id} is answered twice or was never made")));
            }
            _ if !open.is_empty() => return Err(broken(format!("calls {open:?} have no answer"))),
            ChatMessage::Assistant { tool_calls, .. } => {
                open.extend(tool_calls.iter().map(|call| call.id.as_str()));
            }
            ChatMessage::System { .. } | ChatMessage::User { .. } => {}
        }
    }
    if open.is_empty() { Ok(()) } else { Err(broken(format!("calls {open:?} have no answer"))) }
}

fn number_calls(turn: usize, calls: Vec<(String, String)>) -> Vec<ToolCall> {
    let numbered = calls.into_iter().enumerate().map(|(index, (name, arguments))| ToolCall {
        id: format!("call-{turn}-{index}"),
        kind: "function".to_owned(),
        function: FunctionCall { name, arguments },
        provider_data: None,
    });
    numbered.collect()
}

fn answer(content: Option<String>, calls: Vec<ToolCall>, finish_reason: FinishReason) -> ModelResponse {
    let usage = Usage { input_tokens: 100, output_tokens: 10, ..Usage::default() };
    let tool_calls = if calls.is_empty() { None } else { Some(calls) };
    ModelResponse { content, tool_calls, finish_reason, usage: Some(usage), model: None, provider_data: None }
}

fn broken(message: String) -> PortError {
    PortError::new("model", "complete", PortErrorKind::Other, message)
}
