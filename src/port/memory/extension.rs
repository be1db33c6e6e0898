//! An IDE's tools, gates, hooks and recipes as closures.

use crate::port::{
    Abort, Answer, FunctionSchema, GateAnswer, GatePort, HookAnswer, HooksPort, Phase, PortResult, Question,
    QuestionKind, RecipesPort, Rights, ToolAnswer, ToolPort,
};
use async_trait::async_trait;
use serde_json::Value;
use std::cell::RefCell;
use std::future::pending;
use std::rc::Rc;

type Execute = Rc<dyn Fn(&Value) -> PortResult<ToolAnswer>>;
type Check = Rc<dyn Fn() -> PortResult<GateAnswer>>;
type LookUp = Rc<dyn Fn(&str) -> Option<PortResult<Option<String>>>>;
type Decide = Rc<dyn Fn(&str, &Value) -> HookAnswer>;
type Notify = Rc<dyn Fn(&str)>;
type Approve = Rc<dyn Fn(&Value) -> Answer>;
type Open = Rc<dyn Fn(&Value) -> PortResult<()>>;

/// A tool that runs a closure.
#[derive(Clone)]
pub struct MemoryTool {
    schema: FunctionSchema,
    writes: bool,
    reads_only: bool,
    /// `None` never answers.
    execute: Option<Execute>,
    denials: Rc<RefCell<Vec<(String, String)>>>,
    asked: Rc<RefCell<Vec<Rights>>>,
}

impl MemoryTool {
    /// A tool with this name and JSON Schema.
    pub fn new(name: &str, parameters: Value, execute: impl Fn(&Value) -> PortResult<ToolAnswer> + 'static) -> Self {
        let mut tool = Self { execute: Some(Rc::new(execute)), ..Self::silent(name) };
        tool.schema.parameters = parameters;
        tool
    }

    /// A tool that never answers.
    pub fn silent(name: &str) -> Self {
        let description = "a tool of the IDE".to_owned();
        let schema = FunctionSchema { name: name.to_owned(), description, parameters: Value::Null };
        Self { schema, writes: true, reads_only: false, execute: None, denials: Rc::default(), asked: Rc::default() }
    }

    /// Records that the guard refused a path by a rule.
    #[must_use]
    pub fn denied(self, path: &str, rule: &str) -> Self {
        self.denials.borrow_mut().push((path.to_owned(), rule.to_owned()));
        self
    }

    /// Removes `writes`.
    #[must_use]
    pub fn without_writes(self) -> Self {
        Self { writes: false, ..self }
    }

    /// Adds `readOnly`.
    #[must_use]
    pub fn reading(self) -> Self {
        Self { writes: false, reads_only: true, ..self }
    }

    /// The rights in each call.
    pub fn asked(&self) -> Vec<Rights> {
        self.asked.borrow().clone()
    }
}

#[async_trait(?Send)]

impl ToolPort for MemoryTool {
    fn schema(&self) -> &FunctionSchema {
        &self.schema
    }

    fn writes(&self) -> bool {
        self.writes
    }

    fn reads_only(&self) -> bool {
        self.reads_only
    }

    async fn execute(&self, args: &Value, rights: &Rights, _abort: &Abort) -> PortResult<ToolAnswer> {
        self.asked.borrow_mut().push(rights.clone());
        match &self.execute {
            Some(execute) => execute(args),
            None => pending().await,
        }
    }

    fn take_denials(&self) -> Vec<(String, String)> {
        self.denials.take()
    }
}

/// A gate that runs a closure.
#[derive(Clone)]
pub struct MemoryGate {
    name: String,
    /// `None` never answers.
    check: Option<Check>,
}

impl MemoryGate {
    /// A gate with this name.
    pub fn new(name: &str, check: impl Fn() -> PortResult<GateAnswer> + 'static) -> Self {
        Self { name: name.to_owned(), check: Some(Rc::new(check)) }
    }

    /// A gate that never answers.
    pub fn silent(name: &str) -> Self {
        Self { name: name.to_owned(), check: None }
    }
}

#[async_trait(?Send)]

impl GatePort for MemoryGate {
    fn name(&self) -> &str {
        &self.name
    }

    fn description(&self) -> &str {
        "a gate of the IDE"
    }

    async fn check(&self, _phase: Phase, _abort: &Abort) -> PortResult<GateAnswer> {
        match &self.check {
            Some(check) => check(),
            None => pending().await,
        }
    }
}

/// Hooks that run closures.
#[derive(Clone)]
pub struct MemoryHooks {
    before: Decide,
    after: Option<Notify>,
    surrounds_calls: bool,
    plan: Option<Approve>,
    chunks: Option<Approve>,
    tool: Option<Approve>,
    pull_request: Option<Open>,
    whose: Option<Approve>,
    silent: &'static str,
}

impl Default for MemoryHooks {
    fn default() -> Self {
        let allow: Decide = Rc::new(|_, _| Answer::allow().into());
        Self {
            before: allow,
            after: None,
            surrounds_calls: false,
            plan: None,
            chunks: None,
            tool: None,
            pull_request: None,
            whose: None,
            silent: "",
        }
    }
}

impl MemoryHooks {
    /// Calls the closure before every tool call.
    #[must_use]
    pub fn before_tool(mut self, decide: impl Fn(&str, &Value) -> HookAnswer + 'static) -> Self {
        self.before = Rc::new(decide);
        self.surrounds_calls = true;
        self
    }

    /// Calls the closure after every tool call.
    #[must_use]
    pub fn after_tool(mut self, notify: impl Fn(&str) + 'static) -> Self {
        self.after = Some(Rc::new(notify));
        self.surrounds_calls = true;
        self
    }

    /// The hook with this name is called and never answers: `beforeTool`, `afterTool`, `approvePlan`, `approveTool`, `approveChunks` or
    /// `pullRequest`.
    #[must_use]
    pub fn silent(self, hook: &'static str) -> Self {
        let surrounds_calls = self.surrounds_calls || ["beforeTool", "afterTool"].contains(&hook);
        Self { silent: hook, surrounds_calls, ..self }
    }

    /// Calls the closure with the report of a valid plan, before it opens BUILD.
    #[must_use]
    pub fn approve_plan(mut self, decide: impl Fn(&Value) -> Answer + 'static) -> Self {
        self.plan = Some(Rc::new(decide));
        self
    }

    /// Calls the closure with a call that needs the user's approval.
    #[must_use]
    pub fn approve_tool(mut self, decide: impl Fn(&Value) -> Answer + 'static) -> Self {
        self.tool = Some(Rc::new(decide));
        self
    }

    /// Calls the closure with proposed chunks.
    #[must_use]
    pub fn approve_chunks(mut self, decide: impl Fn(&Value) -> Answer + 'static) -> Self {
        self.chunks = Some(Rc::new(decide));
        self
    }

    /// Calls the closure with changes that a call or the user made.
    #[must_use]
    pub fn whose(mut self, decide: impl Fn(&Value) -> Answer + 'static) -> Self {
        self.whose = Some(Rc::new(decide));
        self
    }

    /// Calls the closure with the draft of a pull request.
    #[must_use]
    pub fn pull_request(mut self, open: impl Fn(&Value) -> PortResult<()> + 'static) -> Self {
        self.pull_request = Some(Rc::new(open));
        self
    }
}

#[async_trait(?Send)]

impl HooksPort for MemoryHooks {
    async fn before_tool(&self, name: &str, args: &Value, _phase: Phase, _abort: &Abort) -> HookAnswer {
        if self.silent == "beforeTool" { pending().await } else { (self.before)(name, args) }
    }

    async fn after_tool(&self, name: &str, _args: &Value, _ok: bool, _output: &str) {
        if let Some(notify) = &self.after {
            notify(name);
        }
        if self.silent == "afterTool" {
            pending().await
        }
    }

    fn surrounds_calls(&self) -> bool {
        self.surrounds_calls
    }

    fn answers(&self, kind: QuestionKind) -> bool {
        match kind {
            QuestionKind::Plan => self.plan.is_some(),
            QuestionKind::Chunks => self.chunks.is_some(),
            QuestionKind::Tool => self.tool.is_some(),
            QuestionKind::PullRequest => self.pull_request.is_some(),
            QuestionKind::Whose => self.whose.is_some(),
        }
    }

    async fn ask(&self, question: &Question, _abort: &Abort) -> Option<Answer> {
        let (hook, answer) = match question.kind {
            QuestionKind::Plan => ("approvePlan", self.plan.as_ref().map(|decide| decide(&question.details))),
            QuestionKind::Chunks => ("approveChunks", self.chunks.as_ref().map(|decide| decide(&question.details))),
            QuestionKind::Tool => ("approveTool", self.tool.as_ref().map(|decide| decide(&question.details))),
            QuestionKind::Whose => ("whose", self.whose.as_ref().map(|decide| decide(&question.details))),
            QuestionKind::PullRequest => {
                let opened = self.pull_request.as_ref().map(|open| open(&question.details));
                let answer = |opened: PortResult<()>| match opened {
                    Ok(()) => Answer::allow(),
                    Err(error) => Answer::deny(error.to_string()),
                };
                ("pullRequest", opened.map(answer))
            }
        };
        if self.silent == hook { pending().await } else { answer }
    }
}

/// Recipes from a closure; records the requested ids.
#[derive(Clone)]
pub struct MemoryRecipes {
    look_up: LookUp,
    asked: Rc<RefCell<Vec<String>>>,
}

impl MemoryRecipes {
    /// These recipes, by their ids.
    pub fn new<const N: usize>(recipes: [(&'static str, &'static str); N]) -> Self {
        Self::answering(move |id| {
            let found = recipes.iter().find(|(known, _)| *known == id);
            Some(Ok(found.map(|(_, content)| (*content).to_owned())))
        })
    }

    /// Calls the closure; where that returns `None`, the lookup never answers.
    pub fn answering(look_up: impl Fn(&str) -> Option<PortResult<Option<String>>> + 'static) -> Self {
        Self { look_up: Rc::new(look_up), asked: Rc::default() }
    }

    /// The requested ids.
    pub fn asked(&self) -> Vec<String> {
        self.asked.borrow().clone()
    }
}

#[async_trait(?Send)]

impl RecipesPort for MemoryRecipes {
    async fn recipe(&self, id: &str) -> PortResult<Option<String>> {
        self.asked.borrow_mut().push(id.to_owned());
        match (self.look_up)(id) {
            Some(answer) => answer,
            None => pending().await,
        }
    }
}
