//! A shell, a bundler and a preview with preset answers.

use crate::port::BuildMessage;
use crate::port::{Abort, BuildPort, BuildReport, ConsoleMessage, PortResult, PreviewPort, ShellOutput, ShellPort};
use async_trait::async_trait;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::pending;
use std::rc::Rc;

type Run = Rc<dyn Fn(&str) -> Option<PortResult<ShellOutput>>>;

/// Runs a closure for every command and records the commands.
#[derive(Clone)]
pub struct MemoryShell {
    run: Run,
    commands: Rc<RefCell<Vec<String>>>,
}

impl MemoryShell {
    /// A shell that answers with the closure's output.
    pub fn new(run: impl Fn(&str) -> ShellOutput + 'static) -> Self {
        Self::answering(move |command| Some(Ok(run(command))))
    }

    /// A shell that answers or fails as the closure says, and never answers if that returns `None`.
    pub fn answering(run: impl Fn(&str) -> Option<PortResult<ShellOutput>> + 'static) -> Self {
        Self { run: Rc::new(run), commands: Rc::default() }
    }

    /// The recorded commands.
    pub fn commands(&self) -> Vec<String> {
        self.commands.borrow().clone()
    }
}

#[async_trait(?Send)]

impl ShellPort for MemoryShell {
    async fn execute(&self, command: &str, _cwd: &str, _timeout_ms: u64, _abort: &Abort) -> PortResult<ShellOutput> {
        self.commands.borrow_mut().push(command.to_owned());
        match (self.run)(command) {
            Some(answer) => answer,
            None => pending().await,
        }
    }

    fn describe(&self) -> Option<String> {
        Some("a scripted shell".to_owned())
    }
}

/// Answers with the queued reports in order, then repeats the last one; without any, never answers.
#[derive(Clone, Default)]
pub struct MemoryBuild {
    reports: Rc<RefCell<VecDeque<PortResult<BuildReport>>>>,
    writes: Vec<String>,
    act: Option<Rc<dyn Fn()>>,
}

impl MemoryBuild {
    #[expect(missing_docs, reason = "where a name says it all")]
    pub fn new(reports: impl IntoIterator<Item = PortResult<BuildReport>>) -> Self {
        Self { reports: Rc::new(RefCell::new(reports.into_iter().collect())), ..Self::default() }
    }

    /// Calls the closure during a build.
    #[must_use]
    pub fn acting(self, act: impl Fn() + 'static) -> Self {
        Self { act: Some(Rc::new(act)), ..self }
    }

    /// Writes the files of these patterns.
    #[must_use]
    pub fn writing<const N: usize>(self, patterns: [&str; N]) -> Self {
        Self { writes: patterns.map(str::to_owned).to_vec(), ..self }
    }
}

#[async_trait(?Send)]

impl BuildPort for MemoryBuild {
    fn writes(&self) -> &[String] {
        &self.writes
    }

    async fn build(&self, _abort: &Abort) -> PortResult<BuildReport> {
        if let Some(act) = &self.act {
            act();
        }
        let report = {
            let mut reports = self.reports.borrow_mut();
            if reports.len() > 1 { reports.pop_front() } else { reports.front().cloned() }
        };
        match report {
            Some(report) => report,
            None => pending().await,
        }
    }
}

/// A preview with preset errors and console messages.
#[derive(Clone, Default)]
pub struct MemoryPreview {
    /// The result of [`PreviewPort::runtime_errors`].
    pub errors: Rc<RefCell<Vec<BuildMessage>>>,
    /// The result of [`PreviewPort::console`].
    pub console: Rc<RefCell<Option<Vec<ConsoleMessage>>>>,
    act: Option<Rc<dyn Fn()>>,
}

impl MemoryPreview {
    /// Calls the closure while the preview is asked for errors.
    #[must_use]
    pub fn acting(self, act: impl Fn() + 'static) -> Self {
        Self { act: Some(Rc::new(act)), ..self }
    }
}

#[async_trait(?Send)]

impl PreviewPort for MemoryPreview {
    async fn runtime_errors(&self) -> PortResult<Vec<BuildMessage>> {
        if let Some(act) = &self.act {
            act();
        }
        Ok(self.errors.borrow().clone())
    }

    async fn console(&self) -> PortResult<Option<Vec<ConsoleMessage>>> {
        Ok(self.console.borrow().clone())
    }
}
