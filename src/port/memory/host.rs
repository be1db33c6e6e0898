//! A complete host in memory.

use super::{
    MemoryBuild, MemoryClock, MemoryFs, MemoryGate, MemoryGit, MemoryHooks, MemoryPreview, MemoryRecipes, MemoryShell,
    MemoryTool, ScriptedModel,
};
use crate::port::{Host, LockPort, PricesPort, RunLock, Seen, StateKey};
use crate::redact::Redactor;
use async_trait::async_trait;
use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

/// A project in `/project` with the ports that a test adds. It dereferences to its [`MemoryPorts`], and they to the [`Host`]
/// that they make up.
#[derive(Clone, Default)]
pub struct MemoryHost(MemoryPorts);

/// The ports of a [`MemoryHost`] by their types, so that a test can look into them and exchange them.
#[derive(Clone)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct MemoryPorts {
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
    pub state_key: StateKey,
    host: Made,
}

impl Default for MemoryPorts {
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
            state_key: StateKey::new(b"a fixed key"),
            host: Made::default(),
        }
    }
}

/// The host, made at the first use after a change. A clone makes its own.
#[derive(Default)]
struct Made(OnceCell<Host>);

impl Clone for Made {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl MemoryHost {
    /// A project with these files, a repository and no other ports.
    pub fn new<const N: usize>(files: [(&str, &str); N]) -> Self {
        let host = Self::default().with(|ports| ports.git = Some(MemoryGit::default()));
        host.fs.put("/project/.keep", "");
        host.fs.delete("/project/.keep");
        for (path, text) in files {
            host.fs.put(&format!("/project/{path}"), text);
        }
        host
    }

    /// The host with other ports.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut MemoryPorts)) -> Self {
        change(&mut self);
        self
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

impl Deref for MemoryHost {
    type Target = MemoryPorts;

    fn deref(&self) -> &MemoryPorts {
        &self.0
    }
}

impl DerefMut for MemoryHost {
    fn deref_mut(&mut self) -> &mut MemoryPorts {
        self.0.host = Made::default();
        &mut self.0
    }
}

impl Deref for MemoryPorts {
    type Target = Host;

    fn deref(&self) -> &Host {
        self.host.0.get_or_init(|| self.host())
    }
}

impl MemoryPorts {
    fn host(&self) -> Host {
        Host {
            fs: Rc::new(self.fs.clone()),
            dir: "/project".to_owned(),
            clock: Rc::new(self.clock.clone()),
            locks: Rc::new(MemoryLock(self.lock.clone())),
            git: self.git.clone().map(|git| Rc::new(git) as _),
            model: self.model.clone().map(|model| Rc::new(model) as _),
            models: self.models.iter().map(|(id, model)| (id.clone(), Rc::new(model.clone()) as _)).collect(),
            shell: self.shell.clone().map(|shell| Rc::new(shell) as _),
            build: self.build.clone().map(|build| Rc::new(build) as _),
            preview: self.preview.clone().map(|preview| Rc::new(preview) as _),
            tools: self.tools.iter().map(|tool| Rc::new(tool.clone()) as _).collect(),
            gates: self.gates.iter().map(|gate| Rc::new(gate.clone()) as _).collect(),
            hooks: self.hooks.clone().map(|hooks| Rc::new(hooks) as _),
            recipes: self.recipes.clone().map(|recipes| Rc::new(recipes) as _),
            prices: self.prices.clone(),
            redactor: self.redactor.clone(),
            seen: Seen::default(),
            state_key: self.state_key.clone(),
        }
    }
}

struct MemoryLock(Option<Rc<Cell<bool>>>);

#[async_trait(?Send)]
impl LockPort for MemoryLock {
    async fn run_lock(&self) -> RunLock {
        match &self.0 {
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
