//! The questions to the user, and what the user decided.

use crate::port::{AgentRole, Answer, Decision, Question, QuestionKind};
use crate::run::event::Event;
use crate::text::{one_line, shortened, visible};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The questions to the user.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Asked {
    /// The one that waits for an answer.
    pub open: Option<Question>,
    /// How many there were.
    count: u32,
    /// The answers by the ids of their questions.
    pub answered: BTreeMap<String, Answer>,
    /// A former page may have called the hook.
    pub interrupted: bool,
    /// The calls that the user decided about, in that order.
    calls: Vec<Decided>,
    /// The call whose result comes next: its name and its arguments.
    next: Option<(String, Value)>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Decided {
    /// The details of the question.
    call: Value,
    answer: Answer,
    /// A call like that succeeded.
    is_made: bool,
}

impl Asked {
    /// A new question.
    pub(super) fn question(&self, kind: QuestionKind, text: String, details: Value) -> Question {
        let id = format!("{}-{}", <&str>::from(kind), self.count + 1);
        Question { id, kind, text: visible(&text).into_owned(), details, expires_at: None }
    }

    /// The answer about an equal call; else the question.
    pub(crate) fn approval(&self, details: Value) -> Result<Answer, Question> {
        let is_equal =
            |call: &Value| ["name", "args", "role", "seal"].iter().all(|key| call.get(key) == details.get(key));
        match self.calls.iter().find(|decided| is_equal(&decided.call)) {
            Some(decided) => Ok(decided.answer.clone()),
            None => Err(self.question(
                QuestionKind::Tool,
                format!("May the agent make the call {}?", call(&details)),
                details,
            )),
        }
    }

    /// A question about a call is open.
    pub(crate) fn awaits_call(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.kind == QuestionKind::Tool)
    }

    /// The open question is about the work of an agent, not about a step of the recipe.
    pub(crate) fn is_about_work(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.kind.is_of_work())
    }

    /// The user is asked whose changes are.
    pub(super) fn asks_whose(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.kind == QuestionKind::Whose)
    }

    pub(crate) fn fold(&mut self, event: &Event) {
        match event {
            // More work comes first, and the question is about the work so far.
            Event::Steered { .. } => drop(self.open.take_if(|open| open.kind == QuestionKind::PullRequest)),
            Event::AbortRequested { .. } => self.open = None,
            Event::ToolCall { name, args, .. } => self.call_started(name, args),
            Event::ToolResult { ok: true, .. } => self.call_succeeded(),
            Event::QuestionAsked { question } => self.ask(question),
            Event::QuestionAnswered { id, answer } => self.close(id, answer),
            _ => {}
        }
    }

    fn ask(&mut self, question: &Question) {
        self.open = Some(question.clone());
        (self.count, self.interrupted) = (self.count + 1, false);
    }

    fn close(&mut self, id: &str, answer: &Answer) {
        self.answered.insert(id.to_owned(), answer.clone());
        if let Some(question) = self.open.take().filter(|open| open.kind == QuestionKind::Tool) {
            self.calls.push(Decided { call: question.details, answer: answer.clone(), is_made: false });
        }
        self.interrupted = false;
    }

    fn call_started(&mut self, name: &str, args: &Value) {
        self.next = (!self.calls.is_empty() || self.open.is_some()).then(|| (name.to_owned(), args.clone()));
    }

    fn call_succeeded(&mut self) {
        let Some((name, args)) = self.next.take() else { return };
        let is_it =
            |call: &Value| call.get("name").and_then(Value::as_str) == Some(&name) && call.get("args") == Some(&args);
        self.calls.iter_mut().filter(|decided| is_it(&decided.call)).for_each(|decided| decided.is_made = true);
    }

    /// What the user decided about the calls of a role, for its prompt; empty without a decision.
    pub(crate) fn decisions(&self, role: AgentRole) -> String {
        let role = serde_json::to_value(role).unwrap_or_default();
        let own: Vec<_> = self.calls.iter().filter(|decided| decided.call.get("role") == Some(&role)).collect();
        let lines: Vec<String> = own.iter().rev().take(DECISIONS_MAX).rev().map(|decided| line(decided)).collect();
        if lines.is_empty() {
            return String::new();
        }
        format!(
            "\n\n## The user's decisions\nCalls that you or an earlier iteration asked for:\n{}\n",
            lines.join("\n")
        )
    }
}

fn line(Decided { call: details, answer, is_made }: &Decided) -> String {
    let call = call(details);
    let reason = answer.reason.as_deref().map(|reason| format!(": {}", one_line(reason))).unwrap_or_default();
    let note =
        answer.note.as_deref().map(|note| format!(" Follow the user's note: {}", one_line(note))).unwrap_or_default();
    match answer.decision {
        Decision::Allow if *is_made => format!("- {call} is allowed and made. Do not repeat it.{note}"),
        Decision::Allow => format!("- {call} is allowed. Make exactly this call{}.{note}", exactly(details)),
        Decision::Revise => format!("- {call} is not allowed as it is{reason}. Make another call."),
        Decision::Deny => format!("- {call} is not allowed{reason}. Do the work without it."),
    }
}

/// The arguments of a call; empty for one with secrets, which the journal does not have, and for a long one.
fn exactly(details: &Value) -> String {
    let args = details.get("args").map(Value::to_string).unwrap_or_default();
    let is_shown = details.get("seal").is_none() && args.len() <= ARGS_MAX;
    if is_shown { format!(", with these arguments: {args}") } else { String::new() }
}

/// The call as the user and the model read it: the command or the paths, else the arguments.
fn call(details: &Value) -> String {
    let name = details.get("name").and_then(Value::as_str).unwrap_or_default();
    let args = details.get("args").unwrap_or(&Value::Null);
    let named = ["command", "path", "from", "to"].iter().filter_map(|key| args.get(key).and_then(Value::as_str));
    let named: Vec<&str> = named.collect();
    let about = if named.is_empty() { args.to_string() } else { named.join(" ") };
    format!("`{name}` ({})", shortened(&one_line(&about), CALL_CHARS))
}

/// Maximum length of a call in a text, in characters.
const CALL_CHARS: usize = 200;

/// Maximum size of arguments in a prompt, in bytes.
const ARGS_MAX: usize = 16 * 1024;

/// Maximum of decisions in a prompt, the last ones.
const DECISIONS_MAX: usize = 20;
