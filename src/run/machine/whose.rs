//! The question whose changes are that a call or the user made while a page was closed.

use super::{Asked, Machine};
use crate::agent::FileChangeKind;
use crate::ledger::Ledger;
use crate::port::{Answer, Decision, QuestionKind};
use crate::run::event::Event;
use crate::run::recipe::{AnyCommand, Next};
use crate::text::listed;
use serde_json::{Value, json};

impl Machine {
    /// The question that comes before this step of the recipe.
    pub(super) fn question_before(&self, does: &Next<AnyCommand>) -> Option<QuestionKind> {
        let open = self.run.asked.open.as_ref().map(|open| open.kind).filter(|kind| kind.is_of_work());
        let depends = || *does == Next::Judge || self.recipe.depends_on_authors();
        open.or_else(|| (!self.run.ledger.unclear().is_empty() && depends()).then_some(QuestionKind::Whose))
    }

    /// The text and the details of a question.
    pub(super) fn about(&self, kind: QuestionKind) -> (String, Value) {
        match kind {
            QuestionKind::Whose => question(&self.run.ledger),
            _ => self.recipe.question(&self.run),
        }
    }
}

fn question(ledger: &Ledger) -> (String, Value) {
    let files = ledger.unclear().iter().map(|(path, unclear)| {
        json!({ "path": path, "change": FileChangeKind::between(unclear.before, unclear.after), "what": unclear.what })
    });
    let details = json!({ "files": files.collect::<Vec<Value>>() });
    let names: Vec<&String> = ledger.unclear().keys().collect();
    let text = format!(
        "While a command ran, the page was closed. These files changed: yours, or the command's? {}",
        listed(&names, NAMED)
    );
    (text, details)
}

/// Whether an answer gives a file to the call. What it does not name is the user's.
pub(super) fn gives(answer: &Answer, path: &str) -> bool {
    match answer.value.as_ref().filter(|_| answer.decision == Decision::Allow) {
        Some(Value::Object(files)) => files.get(path).is_some_and(is_agent),
        Some(value) => is_agent(value),
        None => false,
    }
}

fn is_agent(value: &Value) -> bool {
    value == "agent"
}

/// Checks an answer to the question.
///
/// # Errors
/// What is wrong with it.
pub(super) fn check(asked: &Asked, answer: &Answer) -> Result<(), String> {
    let files = asked.open.as_ref().and_then(|open| open.details.get("files")?.as_array());
    // The user may have edited some of them since.
    let has =
        |path: &str| files.is_some_and(|files| files.iter().any(|file| file.get("path").is_some_and(|of| of == path)));
    let is_author = |value: &Value| value == "user" || is_agent(value);
    match &answer.value {
        None => Ok(()),
        Some(Value::Object(files)) => match files.iter().find(|(path, by)| !is_author(by) || !has(path)) {
            None => Ok(()),
            Some((path, by)) if is_author(by) => Err(format!("the question does not have the file {path}")),
            Some((path, _)) => Err(format!("{path} is neither \"user\" nor \"agent\"")),
        },
        Some(value) if is_author(value) => Ok(()),
        Some(_) => Err("it is \"user\", \"agent\", or an object with one of them for each file".to_owned()),
    }
}

/// Closes a question that `run.edited` answered.
pub(super) fn fold(ledger: &Ledger, asked: &mut Asked, event: &Event) {
    let is_answered = matches!(event, Event::UserChanged { .. }) && ledger.unclear().is_empty();
    if is_answered && asked.asks_whose() {
        asked.open = None;
    }
}

/// How many files the text of the question names. Its details have all.
const NAMED: usize = 5;
