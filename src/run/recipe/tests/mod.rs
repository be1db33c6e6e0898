//! A recipe for tests: a writer writes, a critic says SHIP or REVISE, and the writer gets one more try. A message that asks
//! for it makes the run ask the user before it ships. Outside of this file it has one line each in [`Work`], [`Event`] and the table of recipes.

mod order;

use super::{AfterIteration, AnyRecipe, Brief, Effects, Recipe, Row, View};
use crate::agent::{Paid, Prompt};
use crate::config::Config;
use crate::error::{Error, ErrorCode};
use crate::gate::TaskFacts;
use crate::plan::Registry;
use crate::port::memory::{Fault, MemoryHost, ScriptedModel, Turn};
use crate::port::{Abort, AgentRole, Answer, Decision, Host, Phase, QuestionKind, Rights};
use crate::run::driver::drive;
use crate::run::envelope::Envelope;
use crate::run::event::{Event, IterationClose, RunStarted};
use crate::run::journal::Runs;
use crate::run::machine::RunState;
use crate::run::options::{RunControl, RunOptions, RunResult, StopReason, Work};
use crate::run::perform::Performed;
use crate::run::session::Session;
use crate::run::unfinished::{find_unfinished, read_events};
use crate::snapshot::Evidence;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt::Debug;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, strum::IntoStaticStr, strum::VariantNames)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum PairFact {
    CriticAnswered { ships: bool, finding: String },
}

impl From<PairFact> for Event {
    fn from(fact: PairFact) -> Self {
        Self::Pair(fact)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReadVerdict;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Pair {
    message: String,
    step: Step,
    revisions: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
enum Step {
    #[default]
    Write,
    Critique,
    Verdict,
    Ask,
}

impl Recipe for Pair {
    type Command = ReadVerdict;
    const MAX_ITERATIONS: Option<u32> = Some(20);

    fn downcast(any: &AnyRecipe) -> Option<&Self> {
        if let AnyRecipe::Pair(pair) = any { Some(pair) } else { None }
    }

    fn fold(&mut self, event: &Event, run: &mut RunState) {
        match event {
            Event::RunStarted(started) => {
                if let Work::Pair { message } = &started.work {
                    self.message.clone_from(message);
                }
            }
            Event::IterationFinished { close: IterationClose::Completed, .. } => {
                self.step = if self.step == Step::Write { Step::Critique } else { Step::Verdict };
            }
            Event::Pair(PairFact::CriticAnswered { ships: true, .. }) if self.message.contains("ask first") => {
                self.step = Step::Ask;
            }
            Event::QuestionAnswered { answer, .. } if answer.decision == Decision::Allow => {
                run.stop(StopReason::Done, "Shipped.");
            }
            Event::QuestionAnswered { .. } => run.stop(StopReason::Blocked, "The user says no."),
            Event::QuestionUnanswered { .. } => run.stop(StopReason::Waiting, "The user is asked."),
            Event::Pair(PairFact::CriticAnswered { ships: true, .. }) => run.stop(StopReason::Done, "Shipped."),
            Event::Pair(PairFact::CriticAnswered { finding, .. }) if self.revisions > 0 => {
                run.stop(StopReason::GatesFailed, finding);
            }
            Event::Pair(PairFact::CriticAnswered { finding, .. }) => {
                run.feedback.clone_from(finding);
                (self.step, self.revisions) = (Step::Write, 1);
            }
            _ => {}
        }
    }

    fn row(&self, _: &RunState) -> Row<ReadVerdict> {
        match self.step {
            Step::Write => Row::iterate(Phase::Build),
            Step::Critique => Row::iterate(Phase::Check),
            Step::Verdict => Row::perform(Phase::Check, ReadVerdict, &["critic-answered"]),
            Step::Ask => Row::ask(Phase::Review, QuestionKind::PullRequest),
        }
    }

    fn step(&self) -> String {
        format!("{:?}", self.step)
    }

    fn why(_: &Event) -> &'static str {
        "the critic gave a verdict"
    }

    fn iteration_message(&self, iteration: u32) -> String {
        format!("{}, iteration {iteration}", self.message)
    }

    fn unfinished(&self, _: &RunState) -> String {
        "nothing was shipped".to_owned()
    }

    fn question(&self, _: &RunState) -> (String, Value) {
        ("May it ship?".to_owned(), json!(self.message))
    }

    fn files(view: &View<'_, Self>) -> Vec<(String, Option<String>)> {
        vec![(".ralph/feedback.md".to_owned(), Some(view.run.feedback.clone()))]
    }
}

impl Effects for Pair {
    async fn start(
        _: &Host,
        _: &RunOptions,
        _: &Config,
        fact: RunStarted,
        _: &Abort,
        _: &Runs,
    ) -> Result<(RunStarted, Vec<Paid>), Error> {
        Ok((fact, Vec::new()))
    }

    async fn brief(session: &Session<'_>) -> Result<Brief, Error> {
        let (step, user) = session.with(|view: &View<'_, Pair>| {
            (view.recipe.step, format!("{}\n{}", view.recipe.message, view.run.feedback))
        });
        // The critic may write only its own notes.
        let (role, system, phase) = match step {
            Step::Write => (AgentRole::Builder, "Write src/text.md.", Phase::Build),
            _ => (AgentRole::Verifier, "Write SHIP or REVISE into .ralph/summary.md.", Phase::Plan),
        };
        let prompt = Prompt { system: system.to_owned(), user };
        let rights = Rights { role, ..Rights::task(phase, true) };
        Ok(Brief { rights, model: None, prompt, answer: None })
    }

    async fn after_iteration(_: &Session<'_>, changed: &[String]) -> Result<AfterIteration, Error> {
        Ok(AfterIteration { worked: !changed.is_empty(), ..AfterIteration::default() })
    }

    async fn gate_facts(_: &Session<'_>, _: &Evidence) -> Result<TaskFacts, Error> {
        Ok(Default::default())
    }

    async fn perform(session: &Session<'_>, _: ReadVerdict) -> Result<Performed, Error> {
        let text = session.host.project().read_text(".ralph/summary.md").await?.unwrap_or_default();
        Ok(Performed::fact(PairFact::CriticAnswered { ships: text.starts_with("SHIP"), finding: text }))
    }
}

/// A project whose writer writes "draft", and "final" once there is feedback; the critic ships what `ships` says.
fn project(ships: &'static str) -> MemoryHost {
    let mut host = MemoryHost::new([("index.html", "")]);
    let files = host.clone();
    let write = |path: &str, content: &str| ("write_file", json!({ "path": path, "content": content }));
    host.model = Some(ScriptedModel::answering(move |request| {
        let is_first = files.text(".ralph/feedback.md").unwrap_or_default().is_empty();
        let last = match request.role {
            AgentRole::Builder => write("src/text.md", if is_first { "draft" } else { "final" }),
            _ if files.text("src/text.md").as_deref() == Some(ships) => write(".ralph/summary.md", "SHIP"),
            _ => write(".ralph/summary.md", "REVISE: say more"),
        };
        let meddle = write("src/other.md", "");
        if request.role == AgentRole::Builder {
            Turn::calls([last, ("complete_task", json!({}))])
        } else {
            Turn::calls([meddle, last, ("complete_task", json!({}))])
        }
    }));
    host
}

struct Outcome {
    events: Vec<Envelope>,
    result: Result<RunResult, Error>,
}

fn options(id: &str, message: &str) -> RunOptions {
    let work = Work::Pair { message: message.to_owned() };
    RunOptions { work, ..RunOptions::task(id, "", Cow::Borrowed(Registry::builtin())) }
}

async fn run(host: &MemoryHost, id: &str, resume: bool, abort_at: Option<fn(&Event) -> bool>) -> Outcome {
    let options = RunOptions { resume, ..options(id, "A text") };
    let (events, control) = (RefCell::new(Vec::new()), RunControl::default());
    let listener = |envelope: &Envelope, _: &str| {
        if abort_at.is_some_and(|is_there| is_there(&envelope.event)) {
            control.abort.fire("enough");
        }
        events.borrow_mut().push(envelope.clone());
    };
    let result = drive(host, options, &control, &listener).await;
    Outcome { events: events.into_inner(), result }
}

fn verdicts(outcome: &Outcome) -> Vec<bool> {
    let ships = outcome.events.iter().filter_map(|envelope| match envelope.event {
        Event::Pair(PairFact::CriticAnswered { ships, .. }) => Some(ships),
        _ => None,
    });
    ships.collect()
}

#[tokio::test]
async fn two_roles_take_turns_until_the_verdict_and_the_guard_applies_the_roles_rules() {
    let host = project("final");
    let outcome = run(&host, "run", false, None).await;
    assert!(outcome.result.as_ref().unwrap().success);
    assert_eq!(verdicts(&outcome), [false, true]);
    let roles = outcome.events.iter().filter_map(|envelope| match envelope.event {
        Event::IterationStarted { role, .. } => Some(role),
        _ => None,
    });
    use AgentRole::{Builder, Verifier};
    assert_eq!(roles.collect::<Vec<_>>(), [Builder, Verifier, Builder, Verifier]);
    let denied = outcome.events.iter().filter(|envelope| matches!(envelope.event, Event::WriteDenied { .. }));
    assert_eq!((denied.count(), host.text("src/other.md")), (2, None));
    let snapshots = outcome.events.iter().filter(|envelope| matches!(envelope.event, Event::SnapshotSaved { .. }));
    assert_eq!(snapshots.count(), 4, "one of each iteration");
}

#[tokio::test]
async fn the_second_refusal_ends_the_run() {
    let outcome = run(&project("never"), "run", false, None).await;
    assert_eq!(verdicts(&outcome), [false, false]);
    assert_eq!(outcome.result.unwrap().reason, StopReason::GatesFailed);
}

#[tokio::test]
async fn an_abort_ends_any_role() {
    let is_critic = |event: &Event| matches!(event, Event::IterationStarted { role: AgentRole::Verifier, .. });
    let outcome = run(&project("final"), "run", false, Some(is_critic)).await;
    assert_eq!(outcome.result.as_ref().unwrap().reason, StopReason::Aborted);
    assert!(verdicts(&outcome).is_empty());
}

#[tokio::test]
async fn a_run_that_is_killed_at_any_write_is_resumed_to_the_same_end() {
    let reference = project("final");
    assert!(run(&reference, "run", false, None).await.result.unwrap().success);
    for write in 0..reference.fs.writes() {
        let host = project("final");
        host.fs.fail_write(write, Fault::Crash);
        let mut outcome = run(&host, "run", false, None).await;
        host.fs.heal();
        if outcome.result.is_err() {
            outcome = run(&host, "run", true, None).await;
        }
        if outcome.result.as_ref().is_err_and(|error| error.code == ErrorCode::NotFound) {
            outcome = run(&host, "run-2", false, None).await;
        }
        assert!(outcome.result.as_ref().is_ok_and(|result| result.success), "write {write}: {:?}", outcome.result);
        assert_eq!(host.text("src/text.md").as_deref(), Some("final"), "write {write}");
    }
}

#[tokio::test]
async fn a_question_waits_for_the_answer_of_any_page() {
    for (answer, reason) in [(Answer::allow(), StopReason::Done), (Answer::deny("no".to_owned()), StopReason::Blocked)]
    {
        let host = project("final");
        let asking = options("run", "A text, ask first");
        let waiting = drive(&host, asking.clone(), &RunControl::default(), &|_, _| {}).await.unwrap();
        assert_eq!((waiting.reason, waiting.success), (StopReason::Waiting, false));
        let found = find_unfinished(host.project()).await.unwrap().unwrap();
        assert_eq!((&found.questions, found.questions[0].text.as_str()), (&waiting.questions, "May it ship?"));
        let id = found.questions[0].id.clone();
        let resumed = RunOptions { resume: true, answers: [(id, answer)].into(), ..asking };
        let result = drive(&host, resumed, &RunControl::default(), &|_, _| {}).await.unwrap();
        assert_eq!((result.reason, result.questions), (reason, Vec::new()));
        assert_eq!(find_unfinished(host.project()).await.unwrap(), None);
    }
}

#[tokio::test]
async fn an_unfinished_run_is_found_and_followed_as_one_of_its_kind() {
    let host = project("final");
    let writes = host.fs.writes();
    run(&host, "run", false, None).await.result.unwrap();
    let half = (host.fs.writes() - writes) / 2;
    let host = project("final");
    host.fs.fail_write(half, Fault::Crash);
    run(&host, "run", false, None).await.result.unwrap_err();
    host.fs.heal();
    let found = find_unfinished(host.project()).await.unwrap().unwrap();
    assert_eq!((found.run_id.as_str(), found.work), ("run", Work::Pair { message: "A text".to_owned() }));
    assert_eq!(read_events(host.project(), None, 0).await.unwrap()[0]["work"]["kind"], "pair");
    assert!(run(&host, "run", true, None).await.result.unwrap().success);
    assert_eq!(find_unfinished(host.project()).await.unwrap(), None);
}
