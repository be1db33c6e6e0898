//! Recipes: what differs between kinds of runs. A recipe is a folder with its facts, its commands, its decisions, and
//! the code that performs its commands.

mod about_project;
pub(super) mod chunks;
mod heading;
mod preconditions;
pub(super) mod specs;
mod stall;
pub(super) mod task;
#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
pub(super) mod tests;

use super::event::{Event, RunStarted};
use super::journal::Runs;
use super::machine::{Ending, Machine, RunState};
use super::options::{RunOptions, StopReason, Work};
use super::perform::Performed;
use super::session::Session;
use crate::agent::{AnswerShape, Paid, Prompt};
use crate::config::{Config, ReviewTier, Role, Settings};
use crate::error::{Error, ErrorCode};
use crate::gate::TaskFacts;
use crate::port::{Abort, Answer, Host, Phase, ProjectDir, QuestionKind, Rights};
use crate::snapshot::Evidence;
pub(super) use about_project::about_project;
use heading::heading;
pub(super) use preconditions::check_host;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Debug;

/// A recipe's part of the machine. The default is the state before its first fact.
pub(crate) trait Recipe: Clone + Debug + PartialEq + Default + Serialize + DeserializeOwned {
    /// The commands of this recipe only.
    type Command: Clone + Debug + PartialEq;

    /// The limit of iterations if the caller sets none; `None` if the recipe has other limits.
    const MAX_ITERATIONS: Option<u32>;

    /// The roles whose models a run is refused without, when it starts and when it resumes. A recipe that chooses them later
    /// checks them itself.
    const ROLES: &'static [Role] = &[];

    /// This recipe, if the run has it.
    fn downcast(any: &AnyRecipe) -> Option<&Self>;

    /// The tier of the review of this work, for a recipe that has one review.
    fn review(_: &Settings) -> Option<ReviewTier> {
        None
    }

    /// The facts that may follow in any step.
    const ANYTIME: &'static [&'static str] = &[];

    /// Folds an event. The shared part of the machine has folded it before.
    fn fold(&mut self, event: &Event, run: &mut RunState);

    /// The row of the current step.
    fn row(&self, run: &RunState) -> Row<Self::Command>;

    /// What the current step does depends on whose the changes are: the user is asked about those that are unclear before. The
    /// gates always depend on it.
    fn depends_on_authors(&self) -> bool {
        false
    }

    /// The name of the current step, for errors.
    fn step(&self) -> String;

    /// The phase while no command of the recipe is due.
    fn phase(&self, run: &RunState) -> Phase {
        self.row(run).phase
    }

    /// The reason for the phase change after this fact.
    fn why(fact: &Event) -> &'static str;

    /// The message of an iteration's snapshot.
    fn iteration_message(&self, iteration: u32) -> String;

    /// The next iteration runs also if the iterations are used up.
    fn is_exempt(&self) -> bool {
        false
    }

    /// What is not done when the iterations are used up.
    fn unfinished(&self, run: &RunState) -> String;

    /// The text and the details of the question that is asked next.
    fn question(&self, _: &RunState) -> (String, Value) {
        (String::new(), Value::Null)
    }

    /// Checks an answer to the open question.
    ///
    /// # Errors
    /// What is wrong with it.
    fn check_answer(&self, _: &Answer) -> Result<(), String> {
        Ok(())
    }

    /// The paths of the harness's files with their expected texts, `None` for no file; empty before they are decided.
    fn files(view: &View<'_, Self>) -> Vec<(String, Option<String>)>;
}

/// The code that performs a recipe's commands through the ports.
pub(crate) trait Effects: Recipe {
    /// Completes the first fact of a new run, and returns it with the cost of its model calls. Changes nothing in the
    /// project.
    async fn start(
        host: &Host,
        options: &RunOptions,
        config: &Config,
        fact: RunStarted,
        abort: &Abort,
        runs: &Runs,
    ) -> Result<(RunStarted, Vec<Paid>), Error>;

    /// The agent's role in the next iteration.
    async fn brief(session: &Session<'_>) -> Result<Brief, Error>;

    /// The recipe's fields of `iteration-finished`, after an iteration that changed these files.
    async fn after_iteration(session: &Session<'_>, changed: &[String]) -> Result<AfterIteration, Error>;

    /// The gates' input besides the current files.
    async fn gate_facts(session: &Session<'_>, present: &Evidence) -> Result<TaskFacts, Error>;

    /// Performs a command. A command that left no fact is performed again, so each one first completes or undoes
    /// partial work.
    async fn perform(session: &Session<'_>, command: Self::Command) -> Result<Performed, Error>;

    /// Called first in a resumed run, before anything changes.
    ///
    /// # Errors
    /// `conflict` if the run cannot go on, with what to do.
    async fn resume(_: &Session<'_>) -> Result<Vec<Event>, Error> {
        Ok(Vec::new())
    }

    /// Called before a message becomes more work of a run that is done. Undoes what [`Self::close`] did.
    async fn reopen(_: &Session<'_>) -> Result<(), Error> {
        Ok(())
    }

    /// Called before the end of the run is written. A call that a crash interrupts is repeated.
    async fn close(_: &Session<'_>) -> Result<Vec<Event>, Error> {
        Ok(Vec::new())
    }
}

/// The table of the recipes: a recipe has one line here, one in [`Work`] with the same name, and one in [`Event`]. Generates
/// the types that have one of them, and the calls of the one that a run has.
macro_rules! recipes {
    ($($(#[$cfg:meta])* $name:ident($recipe:ty),)*) => {
        /// The recipe of a run.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        pub(crate) enum AnyRecipe {
            $($(#[$cfg])* $name($recipe),)*
        }

        /// A command of the recipe of a run.
        #[derive(Debug, Clone, PartialEq)]
        pub(crate) enum AnyCommand {
            $($(#[$cfg])* $name(<$recipe as Recipe>::Command),)*
        }

        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Kind {
            $($(#[$cfg])* $name,)*
        }

        impl Kind {
            pub(super) fn from_work(work: &Work) -> Self {
                match work {
                    $($(#[$cfg])* Work::$name { .. } => Self::$name,)*
                }
            }

            /// The limit of iterations if the caller sets none.
            pub(super) fn max_iterations(self) -> Option<u32> {
                match self {
                    $($(#[$cfg])* Self::$name => <$recipe>::MAX_ITERATIONS,)*
                }
            }

            /// The roles whose models a run is refused without.
            pub(super) fn roles(self, settings: &Settings) -> Vec<Role> {
                let (roles, review) = match self {
                    $($(#[$cfg])* Self::$name => (<$recipe>::ROLES, <$recipe>::review(settings)),)*
                };
                roles.iter().copied().chain(review.map(Role::Reviewer)).collect()
            }

            // Boxed, because each future contains the futures of all its calls, and the stack of a tab is 1 MB.

            pub(super) async fn start(
                self,
                host: &Host,
                options: &RunOptions,
                config: &Config,
                fact: RunStarted,
                abort: &Abort,
                runs: &Runs,
            ) -> Result<(RunStarted, Vec<Paid>), Error> {
                match self {
                    $($(#[$cfg])* Self::$name => Box::pin(<$recipe>::start(host, options, config, fact, abort, runs)).await,)*
                }
            }

            pub(super) async fn brief(self, session: &Session<'_>) -> Result<Brief, Error> {
                match self {
                    $($(#[$cfg])* Self::$name => Box::pin(<$recipe>::brief(session)).await,)*
                }
            }

            pub(super) async fn after_iteration(
                self,
                session: &Session<'_>,
                changed: &[String],
            ) -> Result<AfterIteration, Error> {
                match self {
                    $($(#[$cfg])* Self::$name => Box::pin(<$recipe>::after_iteration(session, changed)).await,)*
                }
            }

            pub(super) async fn gate_facts(
                self,
                session: &Session<'_>,
                present: &Evidence,
            ) -> Result<TaskFacts, Error> {
                match self {
                    $($(#[$cfg])* Self::$name => Box::pin(<$recipe>::gate_facts(session, present)).await,)*
                }
            }

            pub(super) async fn resume(self, session: &Session<'_>) -> Result<Vec<Event>, Error> {
                match self {
                    $($(#[$cfg])* Self::$name => Box::pin(<$recipe>::resume(session)).await,)*
                }
            }

            pub(super) async fn reopen(self, session: &Session<'_>) -> Result<(), Error> {
                match self {
                    $($(#[$cfg])* Self::$name => Box::pin(<$recipe>::reopen(session)).await,)*
                }
            }

            pub(super) async fn close(self, session: &Session<'_>) -> Result<Vec<Event>, Error> {
                match self {
                    $($(#[$cfg])* Self::$name => Box::pin(<$recipe>::close(session)).await,)*
                }
            }
        }

        /// Performs a command of a recipe.
        pub(super) async fn perform(session: &Session<'_>, command: AnyCommand) -> Result<Performed, Error> {
            match command {
                $($(#[$cfg])* AnyCommand::$name(command) => Box::pin(<$recipe>::perform(session, command)).await,)*
            }
        }

        impl AnyRecipe {
            /// The state before the first fact.
            pub(super) fn new(work: &Work) -> Self {
                match work {
                    $($(#[$cfg])* Work::$name { .. } => Self::$name(Default::default()),)*
                }
            }

            pub(super) fn kind(&self) -> Kind {
                match self {
                    $($(#[$cfg])* Self::$name(_) => Kind::$name,)*
                }
            }

            pub(super) fn fold(&mut self, event: &Event, run: &mut RunState) {
                match self {
                    $($(#[$cfg])* Self::$name(recipe) => recipe.fold(event, run),)*
                }
            }

            pub(super) fn row(&self, run: &RunState) -> Row<AnyCommand> {
                match self {
                    $($(#[$cfg])* Self::$name(recipe) => recipe.row(run).map(AnyCommand::$name),)*
                }
            }

            /// The facts that may follow in any step.
            fn anytime(&self) -> &'static [&'static str] {
                match self {
                    $($(#[$cfg])* Self::$name(_) => <$recipe>::ANYTIME,)*
                }
            }

            pub(super) fn depends_on_authors(&self) -> bool {
                match self {
                    $($(#[$cfg])* Self::$name(recipe) => recipe.depends_on_authors(),)*
                }
            }

            pub(super) fn step(&self) -> String {
                match self {
                    $($(#[$cfg])* Self::$name(recipe) => recipe.step(),)*
                }
            }

            pub(super) fn phase(&self, run: &RunState) -> Phase {
                match self {
                    $($(#[$cfg])* Self::$name(recipe) => recipe.phase(run),)*
                }
            }

            pub(super) fn why(&self, fact: &Event) -> &'static str {
                match self {
                    $($(#[$cfg])* Self::$name(_) => <$recipe>::why(fact),)*
                }
            }

            pub(super) fn iteration_message(&self, iteration: u32) -> String {
                match self {
                    $($(#[$cfg])* Self::$name(recipe) => recipe.iteration_message(iteration),)*
                }
            }

            pub(super) fn question(&self, run: &RunState) -> (String, Value) {
                match self {
                    $($(#[$cfg])* Self::$name(recipe) => recipe.question(run),)*
                }
            }

            pub(super) fn check_answer(&self, answer: &Answer) -> Result<(), String> {
                match self {
                    $($(#[$cfg])* Self::$name(recipe) => recipe.check_answer(answer),)*
                }
            }

            pub(super) fn is_exempt(&self) -> bool {
                match self {
                    $($(#[$cfg])* Self::$name(recipe) => recipe.is_exempt(),)*
                }
            }

            pub(super) fn unfinished(&self, run: &RunState) -> String {
                match self {
                    $($(#[$cfg])* Self::$name(recipe) => recipe.unfinished(run),)*
                }
            }

            pub(super) fn files(machine: &Machine) -> Vec<(String, Option<String>)> {
                match &machine.recipe {
                    $($(#[$cfg])* Self::$name(recipe) => <$recipe>::files(&View::new(machine, recipe)),)*
                }
            }
        }
    };
}

recipes! {
    Task(task::Task),
    Spec(specs::Specs),
    Chunks(chunks::Chunks),
    #[cfg(all(test, not(target_family = "wasm")))]
    Pair(tests::Pair),
}

/// A run as its recipe sees it.
pub(crate) struct View<'a, R> {
    machine: &'a Machine,
    pub run: &'a RunState,
    pub recipe: &'a R,
}

impl<'a, R> View<'a, R> {
    pub(super) fn new(machine: &'a Machine, recipe: &'a R) -> Self {
        Self { machine, run: &machine.run, recipe }
    }

    pub(super) fn phase(&self) -> Phase {
        self.machine.phase()
    }

    pub(super) fn ending(&self) -> Option<Ending> {
        self.machine.ending()
    }

    /// The run ends because a limit is used up. It continues with a higher one.
    pub(super) fn is_out_of_budget(&self) -> bool {
        matches!(self.machine.ending(), Some(Ending::Stopped(StopReason::Budget, _)))
    }
}

impl AnyRecipe {
    /// Nothing of what the run should work on can be read.
    pub(super) fn is_unreadable(&self) -> bool {
        matches!(self, Self::Spec(specs) if specs.is_unreadable())
    }

    /// Whether an event can follow in the current step.
    pub(super) fn expects(&self, event: &Event, run: &RunState) -> bool {
        let (kind, row) = (event.kind(), self.row(run));
        let by_step: &[&str] = match row.does {
            // A limit ends the run in place of an iteration.
            Next::Iterate => &["iteration-started", "run-finished"],
            Next::Judge => &["gate-checked", "gates-finished"],
            Next::Wait(_) => &["waited"],
            Next::Ask(_) => &["question-asked", "question-answered", "question-unanswered"],
            Next::Command(_) => &[],
        };
        [by_step, row.facts, self.anytime()].iter().any(|facts| facts.contains(&kind))
    }
}

/// A step of a recipe.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row<C> {
    pub phase: Phase,
    pub does: Next<C>,
    /// The types of the facts that may follow, besides the types of any step, of an iteration, a round of gates or a
    /// wait.
    pub facts: &'static [&'static str],
}

impl<C> Row<C> {
    pub(super) fn iterate(phase: Phase) -> Self {
        Self { phase, does: Next::Iterate, facts: &[] }
    }

    pub(super) fn wait(phase: Phase, ms: u64) -> Self {
        Self { phase, does: Next::Wait(ms), facts: &[] }
    }

    pub(super) fn ask(phase: Phase, kind: QuestionKind) -> Self {
        Self { phase, does: Next::Ask(kind), facts: &[] }
    }

    pub(super) fn perform(phase: Phase, command: C, facts: &'static [&'static str]) -> Self {
        Self { phase, does: Next::Command(command), facts }
    }

    fn map<D>(self, map: impl FnOnce(C) -> D) -> Row<D> {
        let Self { phase, does, facts } = self;
        let does = match does {
            Next::Iterate => Next::Iterate,
            Next::Judge => Next::Judge,
            Next::Wait(ms) => Next::Wait(ms),
            Next::Ask(kind) => Next::Ask(kind),
            Next::Command(command) => Next::Command(map(command)),
        };
        Row { phase, does, facts }
    }
}

/// What happens in a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Next<C> {
    /// Run an iteration, unless a limit ends the run.
    Iterate,
    /// Run the gates.
    Judge,
    /// Wait this many milliseconds.
    Wait(u64),
    /// Ask the user, and continue with the answer.
    Ask(QuestionKind),
    Command(C),
}

/// The role of the agent in an iteration.
pub(crate) struct Brief {
    pub rights: Rights,
    /// The id of the model; `None` for the host's main model.
    pub model: Option<String>,
    pub prompt: Prompt,
    /// What the agent answers when it completes; `None` if it has nothing to answer.
    pub answer: Option<AnswerShape>,
}

/// The recipe's fields of `iteration-finished`.
#[derive(Default)]
pub(crate) struct AfterIteration {
    /// For the user.
    pub notes: Vec<Event>,
    pub worked: bool,
    pub plan: Option<String>,
    pub tree: String,
}

/// Moves an unreadable file aside, to `<path>.corrupt-<n>`. Returns its name there.
async fn set_aside(project: ProjectDir<'_>, path: &str) -> Result<String, Error> {
    let mut number = 1_u32;
    let mut aside = format!("{path}.corrupt-{number}");
    while project.lstat(&aside).await?.is_some() {
        number += 1;
        aside = format!("{path}.corrupt-{number}");
    }
    project.rename(path, &aside).await?;
    Ok(aside)
}

/// Writes a file of JSON for readers.
async fn write_json<T: Serialize>(project: ProjectDir<'_>, path: &str, value: &T) -> Result<(), Error> {
    Ok(project.write(path, json_text(path, value)?).await?)
}

fn json_text<T: Serialize>(path: &str, value: &T) -> Result<String, Error> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Error::new(ErrorCode::Internal, format!("{path} cannot be written as JSON: {error}")))?;
    Ok(text + "\n")
}
