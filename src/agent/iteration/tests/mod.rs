//! The loop over a scripted model.
#![cfg(not(target_family = "wasm"))]

use crate::agent::{
    AnswerShape, CompletionSignal, FileChangeKind, IterationEnd, IterationFact, IterationInput, IterationOutcome,
    Observer, Prompt, SteerQueue, run_iteration,
};
use crate::error::{Error, ErrorCode};
use crate::ledger::Ledger;
use crate::port::memory::{Fault, MemoryHooks, MemoryHost, MemoryTool, ScriptedModel, Turn};
use crate::port::{
    Abort, Answer, ChatMessage, ClockPort, FinishReason, FunctionCall, Image, ModelDelta, ModelResponse, Phase,
    PortError, PortErrorKind, Question, QuestionKind, Rights, ToolAnswer, ToolCall, Toolset, Usage,
};
use crate::snapshot::{Manifest, Watch};
use futures_util::future::LocalBoxFuture;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

mod answers;
mod endings;
mod policy;

type React = Box<dyn Fn(&IterationFact)>;

/// Records what it observes, and lets a test react to it.
#[derive(Default)]
pub(in crate::agent) struct Recorder {
    facts: RefCell<Vec<IterationFact>>,
    text: RefCell<String>,
    /// The pieces of calls that were streamed.
    calls: RefCell<Vec<ModelDelta>>,
    /// `None`: unlimited.
    turns_left: Cell<Option<u32>>,
    react: Option<React>,
    abort_at_delta: Option<Abort>,
    fail_at: Option<usize>,
    /// What the user decided, the last first.
    decided: RefCell<Vec<Answer>>,
}

impl Observer for Recorder {
    fn settle(&self) -> LocalBoxFuture<'_, Result<(), Error>> {
        Box::pin(async { Ok(()) })
    }

    fn record_found<'a>(&'a self, _: &'a Manifest) -> LocalBoxFuture<'a, Result<(), Error>> {
        Box::pin(async { Ok(()) })
    }

    fn expected(&self) -> LocalBoxFuture<'_, Result<BTreeSet<String>, Error>> {
        Box::pin(async { Ok(BTreeSet::new()) })
    }

    fn ledger(&self) -> Ledger {
        Ledger::default()
    }

    fn take_edited(&self) -> BTreeSet<String> {
        BTreeSet::new()
    }

    fn approval(&self, details: Value) -> Result<Answer, Question> {
        let decided = self.decided.borrow_mut().pop();
        let question = Question {
            id: "tool-1".to_owned(),
            kind: QuestionKind::Tool,
            text: String::new(),
            details,
            expires_at: None,
        };
        decided.ok_or(question)
    }

    fn observe(&self, fact: IterationFact) -> LocalBoxFuture<'_, Result<(), Error>> {
        Box::pin(async move {
            if self.fail_at == Some(self.facts.borrow().len()) {
                return Err(Error::new(ErrorCode::Fs, "the journal is full"));
            }
            self.react.iter().for_each(|react| react(&fact));
            self.facts.borrow_mut().push(fact);
            Ok(())
        })
    }

    fn stream(&self, delta: ModelDelta) {
        match delta {
            ModelDelta::Text { text } => self.text.borrow_mut().push_str(&text),
            ModelDelta::Tool { .. } => self.calls.borrow_mut().push(delta),
            _ => {}
        }
        if let Some(abort) = &self.abort_at_delta {
            abort.fire("the user pressed stop");
        }
    }

    fn model_time(&self) -> u64 {
        let left = self.turns_left.get();
        self.turns_left.set(left.map(|left| left.saturating_sub(1)));
        if left == Some(0) { 0 } else { u64::MAX }
    }
}

/// The setup of an iteration.
struct Setup {
    host: MemoryHost,
    model: ScriptedModel,
    recorder: Recorder,
    phase: Phase,
    /// In place of the rights for a task.
    rights: Option<Rights>,
    max_tool_calls: u32,
    steering: SteerQueue,
    watch: Watch,
    abort: Abort,
    answer: Option<AnswerShape>,
}

fn setup(turns: impl IntoIterator<Item = Turn>) -> Setup {
    let model = ScriptedModel::new(turns);
    Setup {
        host: MemoryHost::new([("src/App.tsx", "old")]).with(|ports| ports.model = Some(model.clone())),
        model,
        recorder: Recorder::default(),
        phase: Phase::Build,
        rights: None,
        max_tool_calls: 50,
        steering: SteerQueue::default(),
        watch: Watch::default(),
        abort: Abort::new(),
        answer: None,
    }
}

impl Setup {
    async fn try_run(&self) -> Result<IterationOutcome, Error> {
        let prompt = Prompt { system: "instructions".to_owned(), user: "task".to_owned() };
        let tools = if self.answer.is_some() { Toolset::Work } else { Toolset::Task };
        let rights = self.rights.clone().unwrap_or(Rights { tools, ..Rights::task(self.phase, true) });
        let input = IterationInput {
            model: None,
            rights: &rights,
            prompt: &prompt,
            registry: crate::plan::Registry::builtin(),
            max_tool_calls: self.max_tool_calls,
            model_idle_ms: 60_000,
            steering: &self.steering,
            watch: &self.watch,
            answer: self.answer.as_ref(),
        };
        let outcome = run_iteration(&self.host, &input, &self.recorder, &self.abort).await;
        self.check_facts();
        outcome
    }

    async fn run(&self) -> IterationOutcome {
        self.try_run().await.unwrap()
    }

    /// Every call has one result, after it and before the next call.
    fn check_facts(&self) {
        let mut open = None;
        for fact in self.recorder.facts.borrow().iter() {
            match fact {
                IterationFact::ToolCall { id, .. } => assert_eq!(open.replace(id.clone()), None),
                IterationFact::ToolResult { id, .. } => assert_eq!(open.take().as_ref(), Some(id)),
                _ => {}
            }
        }
        assert!(open.is_none() || self.recorder.fail_at.is_some());
    }

    fn facts<T>(&self, pick: impl Fn(&IterationFact) -> Option<T>) -> Vec<T> {
        self.recorder.facts.borrow().iter().filter_map(pick).collect()
    }

    fn results(&self) -> Vec<(bool, String)> {
        self.facts(|fact| match fact {
            IterationFact::ToolResult { ok, output, .. } => Some((*ok, output.clone())),
            _ => None,
        })
    }

    fn statuses(&self) -> Vec<String> {
        self.facts(|fact| if let IterationFact::Status(text) = fact { Some(text.clone()) } else { None })
    }

    fn usages(&self) -> Vec<Usage> {
        self.facts(|fact| if let IterationFact::Usage(paid) = fact { Some(paid.usage) } else { None })
    }

    /// The messages after the prompt in the last request.
    fn conversation(&self) -> Vec<ChatMessage> {
        self.model.requests().pop().unwrap().messages.split_off(2)
    }
}

fn write(path: &str, content: &str) -> (&'static str, Value) {
    ("write_file", json!({ "path": path, "content": content }))
}

fn done() -> Turn {
    Turn::call("complete_task", json!({}))
}

fn text(text: &str) -> Turn {
    Turn::Text(text.to_owned())
}

fn raw(name: &str, arguments: &str) -> Turn {
    Turn::Calls(vec![(name.to_owned(), arguments.to_owned())])
}

/// An answer whose calls all have an empty id, from a provider that reports no usage.
fn answer(finish_reason: FinishReason, calls: &[(&str, Value)]) -> Turn {
    let calls = calls.iter().map(|(name, args)| ToolCall {
        id: String::new(),
        kind: String::new(),
        function: FunctionCall { name: (*name).to_owned(), arguments: args.to_string() },
        provider_data: None,
    });
    Turn::Answer(ModelResponse { tool_calls: Some(calls.collect()), ..bare(finish_reason) })
}

fn words(finish_reason: FinishReason) -> Turn {
    let content = Some("I am done with everything.".to_owned());
    Turn::Answer(ModelResponse { content, ..bare(finish_reason) })
}

fn bare(finish_reason: FinishReason) -> ModelResponse {
    ModelResponse { content: None, tool_calls: None, finish_reason, usage: None, model: None, provider_data: None }
}

fn end(outcome: &IterationOutcome) -> &'static str {
    match outcome.end {
        IterationEnd::Completed(CompletionSignal::Tool) => "tool",
        IterationEnd::Completed(CompletionSignal::Status) => "status",
        IterationEnd::Completed(CompletionSignal::Answer) => "answer",
        IterationEnd::Waiting => "waiting",
        IterationEnd::Asked => "asked",
        IterationEnd::Stopped => "stopped",
        IterationEnd::ToolLimit => "tool-limit",
        IterationEnd::Budget => "budget",
        IterationEnd::ModelFailed(_) => "model-failed",
        IterationEnd::Aborted => "aborted",
    }
}
