//! The questions to the user, and what the user decided.

use crate::port::{AgentRole, Answer, Decision, Question, QuestionKind};
use crate::text::one_line;
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
    calls: Vec<(Value, Answer)>,
}

impl Asked {
    /// A new question.
    pub(super) fn question(&self, kind: QuestionKind, text: String, details: Value) -> Question {
        let id = format!("{}-{}", <&str>::from(kind), self.count + 1);
        Question { id, kind, text, details }
    }

    /// The answer about an equal call; else the question.
    pub(crate) fn approval(&self, details: Value) -> Result<Answer, Question> {
        let is_equal = |call: &Value| ["name", "args", "role"].iter().all(|key| call.get(key) == details.get(key));
        match self.calls.iter().find(|(call, _)| is_equal(call)) {
            Some((_, answer)) => Ok(answer.clone()),
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

    pub(super) fn open(&mut self, question: &Question) {
        self.open = Some(question.clone());
        (self.count, self.interrupted) = (self.count + 1, false);
    }

    pub(super) fn close(&mut self, id: &str, answer: &Answer) {
        self.answered.insert(id.to_owned(), answer.clone());
        if let Some(question) = self.open.take().filter(|open| open.kind == QuestionKind::Tool) {
            self.calls.push((question.details, answer.clone()));
        }
        self.interrupted = false;
    }

    /// What the user decided about the calls of a role, for its prompt; empty without a decision.
    pub(crate) fn decisions(&self, role: AgentRole) -> String {
        let role = serde_json::to_value(role).unwrap_or_default();
        let own: Vec<_> = self.calls.iter().filter(|(call, _)| call.get("role") == Some(&role)).collect();
        let lines: Vec<String> =
            own.iter().rev().take(DECISIONS_MAX).rev().map(|(call, answer)| line(call, answer)).collect();
        if lines.is_empty() {
            return String::new();
        }
        format!(
            "\n\n## The user's decisions\nCalls that you or an earlier iteration asked for:\n{}\n",
            lines.join("\n")
        )
    }
}

fn line(details: &Value, answer: &Answer) -> String {
    let call = call(details);
    let reason = answer.reason.as_deref().map(|reason| format!(": {}", one_line(reason))).unwrap_or_default();
    match answer.decision {
        Decision::Allow => {
            let note = answer.note.as_deref().map(|note| format!(" Follow the user's note: {}", one_line(note)));
            format!("- {call} is allowed. Make the call if it is not done yet.{}", note.unwrap_or_default())
        }
        Decision::Revise => format!("- {call} is not allowed as it is{reason}. Make another call."),
        Decision::Deny => format!("- {call} is not allowed{reason}. Do the work without it."),
    }
}

/// The call as the user and the model read it: the command or the paths, else the arguments.
fn call(details: &Value) -> String {
    let name = details.get("name").and_then(Value::as_str).unwrap_or_default();
    let args = details.get("args").unwrap_or(&Value::Null);
    let named = ["command", "path", "from", "to"].iter().filter_map(|key| args.get(key).and_then(Value::as_str));
    let named: Vec<&str> = named.collect();
    let about = if named.is_empty() { args.to_string() } else { named.join(" ") };
    format!("`{name}` ({})", one_line(&about).chars().take(CALL_CHARS).collect::<String>())
}

/// Maximum length of a call in a text, in characters.
const CALL_CHARS: usize = 200;

/// Maximum of decisions in a prompt, the last ones.
const DECISIONS_MAX: usize = 20;
