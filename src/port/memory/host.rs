//! A complete host in memory.

use super::{
    MemoryBuild, MemoryClock, MemoryFs, MemoryGate, MemoryGit, MemoryHooks, MemoryPreview, MemoryRecipes, MemoryShell,
    MemoryTool, ScriptedModel,
};
use crate::port::{Host, PricesPort, RunLock, Seen, StateKey, ports_from_fields};
use crate::redact::Redactor;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A project in `/project` with the ports that a test adds.
#[derive(Clone)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct MemoryHost {
    pub fs: MemoryFs,
    pub clock: MemoryClock,
    pub git: Option<MemoryGit>,
    pub model: Option<ScriptedModel>,
    pub models: BTreeMap<String, ScriptedModel>,
    pub shell: Option<MemoryShell>,
    pub build: Option<MemoryBuild>,
    pub preview: Option<MemoryPreview>,
    pub tools: Vec<MemoryTool>,
    pub gates: Vec<MemoryGate>,
    pub hooks: Option<MemoryHooks>,
    pub recipes: Option<MemoryRecipes>,
    pub prices: Option<Rc<dyn PricesPort>>,
    pub redactor: Redactor,
    /// Whether a run has the lock; `None` for a host without locks.
    pub lock: Option<Rc<Cell<bool>>>,
    pub seen: Seen,
    pub state_key: StateKey,
}

impl Default for MemoryHost {
    fn default() -> Self {
        let clock = MemoryClock::default();
        Self {
            fs: MemoryFs::new(&clock),
            clock,
            git: None,
            model: None,
            models: BTreeMap::new(),
            shell: None,
            build: None,
            preview: None,
            tools: Vec::new(),
            gates: Vec::new(),
            hooks: None,
            recipes: None,
            prices: None,
            redactor: Redactor::default(),
            lock: Some(Rc::default()),
            seen: Seen::default(),
            state_key: StateKey::new(b"a fixed key"),
        }
    }
}

impl MemoryHost {
    /// A project with these files, a repository and no other ports.
    pub fn new<const N: usize>(files: [(&str, &str); N]) -> Self {
        let host = Self { git: Some(MemoryGit::default()), ..Self::default() };
        host.fs.put("/project/.keep", "");
        host.fs.delete("/project/.keep");
        for (path, text) in files {
            host.fs.put(&format!("/project/{path}"), text);
        }
        host
    }

    /// The text of a project file.
    pub fn text(&self, path: &str) -> Option<String> {
        self.fs.text(&format!("/project/{path}"))
    }

    /// Writes a project file.
    pub fn put(&self, path: &str, text: &str) {
        self.fs.put(&format!("/project/{path}"), text);
    }
}

impl Host for MemoryHost {
    type Fs = MemoryFs;
    type Git = MemoryGit;
    type Model = ScriptedModel;
    type Shell = MemoryShell;
    type Build = MemoryBuild;
    type Preview = MemoryPreview;
    type Clock = MemoryClock;
    type Tool = MemoryTool;
    type Gate = MemoryGate;
    type Hooks = MemoryHooks;
    type Recipes = MemoryRecipes;

    ports_from_fields!();

    fn dir(&self) -> &str {
        "/project"
    }

    fn state_key(&self) -> &StateKey {
        &self.state_key
    }

    fn prices(&self) -> Option<&dyn PricesPort> {
        self.prices.as_deref()
    }

    fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    async fn run_lock(&self) -> RunLock {
        match &self.lock {
            None => RunLock::Absent,
            Some(lock) if lock.replace(true) => RunLock::Taken,
            Some(lock) => RunLock::Held(Box::new(Held(lock.clone()))),
        }
    }
}

/// Frees the lock on drop.
struct Held(Rc<Cell<bool>>);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.set(false);
    }
}
