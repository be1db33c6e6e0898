//! Tools and hooks of the IDE that hang.
#![cfg(not(target_family = "wasm"))]

use super::*;
use crate::port::memory::{
    MemoryBuild, MemoryClock, MemoryFs, MemoryGate, MemoryGit, MemoryHost, MemoryPreview, MemoryRecipes, MemoryShell,
    ScriptedModel,
};
use crate::port::{FunctionCall, FunctionSchema, ModelDelta, Phase, PortResult, ToolAnswer};
use std::cell::RefCell;
use std::future::pending;

struct Stuck {
    schema: FunctionSchema,
    denials: RefCell<Vec<(String, String)>>,
}

impl ToolPort for Stuck {
    fn schema(&self) -> &FunctionSchema {
        &self.schema
    }

    fn writes(&self) -> bool {
        true
    }

    async fn execute(&self, _: &Value, _: Phase, _: bool, _: &Abort) -> PortResult<ToolAnswer> {
        self.denials.borrow_mut().push((".git/config".to_owned(), "git".to_owned()));
        pending().await
    }

    fn take_denials(&self) -> Vec<(String, String)> {
        self.denials.take()
    }
}

/// Hooks that hang: `beforeTool` if `before`, otherwise only `afterTool`.
struct StuckHooks {
    before: bool,
}

impl HooksPort for StuckHooks {
    async fn before_tool(&self, _: &str, _: &Value, _: Phase, _: &Abort) -> HookAnswer {
        if self.before { pending().await } else { HookAnswer::Allow(None) }
    }

    async fn after_tool(&self, _: &str, _: &Value, _: bool, _: &str) {
        pending().await
    }

    async fn approve_plan(&self, _: &Value, _: &Abort) -> HookAnswer {
        pending().await
    }
}

struct StuckHost {
    memory: MemoryHost,
    tools: Vec<Stuck>,
    hooks: Option<StuckHooks>,
}

impl Host for StuckHost {
    type Fs = MemoryFs;
    type Git = MemoryGit;
    type Model = ScriptedModel;
    type Shell = MemoryShell;
    type Build = MemoryBuild;
    type Preview = MemoryPreview;
    type Clock = MemoryClock;
    type Tool = Stuck;
    type Gate = MemoryGate;
    type Hooks = StuckHooks;
    type Recipes = MemoryRecipes;

    fn fs(&self) -> &MemoryFs {
        self.memory.fs()
    }

    fn dir(&self) -> &str {
        self.memory.dir()
    }

    fn clock(&self) -> &MemoryClock {
        self.memory.clock()
    }

    fn git(&self) -> Option<&MemoryGit> {
        None
    }

    fn model(&self) -> Option<&ScriptedModel> {
        None
    }

    fn shell(&self) -> Option<&MemoryShell> {
        None
    }

    fn build(&self) -> Option<&MemoryBuild> {
        None
    }

    fn preview(&self) -> Option<&MemoryPreview> {
        None
    }

    fn tools(&self) -> &[Stuck] {
        &self.tools
    }

    fn gates(&self) -> &[MemoryGate] {
        &[]
    }

    fn hooks(&self) -> Option<&StuckHooks> {
        self.hooks.as_ref()
    }

    fn recipes(&self) -> Option<&MemoryRecipes> {
        None
    }
}

#[derive(Default)]
struct Facts(RefCell<Vec<IterationFact>>);

impl Observer for Facts {
    async fn observe(&self, fact: IterationFact) -> Result<(), Error> {
        self.0.borrow_mut().push(fact);
        Ok(())
    }

    fn stream(&self, _: ModelDelta) {}

    fn model_time(&self) -> u64 {
        u64::MAX
    }
}

/// Calls a tool. Returns the answer, the facts, and the elapsed milliseconds.
async fn call(hooks: Option<StuckHooks>, name: &str, arguments: &str) -> (Answer, Vec<IterationFact>, u64) {
    let (name_of_tool, description) = ("stuck".to_owned(), "never answers".to_owned());
    let schema = FunctionSchema { name: name_of_tool, description, parameters: Value::Null };
    let tools = vec![Stuck { schema, denials: RefCell::default() }];
    let host = StuckHost { memory: MemoryHost::new([]), tools, hooks };
    let facts = Facts::default();
    let policy = Policy { phase: Phase::Build, plan_required: false };
    let calls = Calls {
        host: &host,
        observer: &facts,
        abort: &Abort::new(),
        policy,
        registry: Registry::builtin(),
        locked_theme: None,
        watch: &Watch::default(),
        tools: &[],
    };
    let function = FunctionCall { name: name.to_owned(), arguments: arguments.to_owned() };
    let call = ToolCall { id: "1".to_owned(), kind: "function".to_owned(), function, provider_data: None };
    let started = host.clock().now();
    let answer = calls.answer(&call, None).await.unwrap();
    (answer, facts.0.take(), host.clock().now() - started)
}

#[tokio::test]
async fn a_hanging_tool_times_out_with_its_name() {
    let (answer, facts, ms) = call(None, "stuck", "{}").await;
    assert!(answer.output.contains("tool.stuck failed: no answer within 120000 ms"), "{}", answer.output);
    assert_eq!(ms, 120_000);
    let denied = IterationFact::WriteDenied { path: ".git/config".to_owned(), rule: "git".to_owned() };
    assert_eq!(facts[1], denied);
    assert!(matches!(&facts[2], IterationFact::ToolResult { ok: false, duration_ms: 120_000, .. }));
}

#[tokio::test]
async fn a_hanging_before_hook_denies_the_call() {
    let write = "{\"path\":\"a\",\"content\":\"1\"}";
    let (answer, _, ms) = call(Some(StuckHooks { before: true }), "write_file", write).await;
    assert!(answer.output.contains("hook.beforeTool failed: no answer"), "{}", answer.output);
    assert_eq!((answer.changed, ms), (Vec::new(), 600_000));
}

#[tokio::test]
async fn a_hanging_after_hook_is_reported() {
    let write = "{\"path\":\"a\",\"content\":\"1\"}";
    let (answer, facts, _) = call(Some(StuckHooks { before: false }), "write_file", write).await;
    assert_eq!(answer.changed, ["a"]);
    let reported =
        |fact: &&IterationFact| matches!(fact, IterationFact::Status(text) if text.contains("hook.afterTool"));
    assert_eq!(facts.iter().filter(reported).count(), 1);
}
