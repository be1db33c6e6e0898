//! Calls that wait for the user: those that a rule of the policy or the IDE's `beforeTool` makes a question of.

use super::arguments::check;
use super::calls::Calls;
use super::explain::{Asked, Reason, explain};
use super::fact::IterationFact;
use super::feedback;
use super::tools::BuiltIn;
use crate::error::Error;
use crate::port::{Answer, Decision, Effect, Question};
use serde_json::{Value, json};

/// What the user said about a call.
pub(super) enum Approval {
    /// The call needs no approval.
    Unneeded,
    Given(Given),
    /// With the text for the model.
    Refused(String),
    /// The question has no answer yet.
    Open,
}

/// The user allows a call.
#[derive(Default)]
pub(super) struct Given {
    /// In place of the model's arguments.
    pub args: Option<Value>,
    pub note: Option<String>,
    /// The rules that asked.
    pub rules: Vec<String>,
}

impl Given {
    /// What the model reads besides the result.
    pub(super) fn text(&self) -> Option<String> {
        let args = self.args.as_ref().map(feedback::other_arguments);
        let note = self.note.as_deref().map(feedback::note);
        let texts: Vec<String> = args.into_iter().chain(note).collect();
        (!texts.is_empty()).then(|| texts.join("\n"))
    }
}

impl Calls<'_> {
    /// What the user said about an equal call of the run, or says now if a rule of the policy asks.
    pub(super) async fn approve_by_policy(&self, name: &str, args: &Value) -> Result<Approval, Error> {
        let offered = self.request.tools.iter().find(|tool| tool.function.name == name);
        let checked = offered.and_then(|tool| check(name, &tool.function.parameters, args.clone()).ok());
        // There is no question about a call that cannot run or is denied.
        let Some(args) = &checked else { return Ok(Approval::Unneeded) };
        let Some(reasons) = self.asking(name, args) else { return Ok(Approval::Unneeded) };
        let approval = match reasons.first() {
            Some(reason) => {
                let mut why = json!(reason);
                let text = self.input.rights.policy.reason(&reason.rule);
                if let (Some(fields), Some(text)) = (why.as_object_mut(), text) {
                    fields.insert("reason".to_owned(), text.into());
                }
                self.approve(name, args, why).await?
            }
            None => match self.observer.approval(self.details(name, args, Value::Null)) {
                Ok(answer) => Approval::from(answer),
                Err(_) => Approval::Unneeded,
            },
        };
        Ok(match approval {
            Approval::Given(given) => {
                Approval::Given(Given { rules: reasons.into_iter().map(|reason| reason.rule).collect(), ..given })
            }
            other => other,
        })
    }

    /// The rules that ask about a call, the first one first; `None` if it is denied.
    fn asking(&self, name: &str, args: &Value) -> Option<Vec<Reason>> {
        if self.input.rights.policy.asking().is_empty() {
            return Some(Vec::new());
        }
        let text = |key: &str| args.get(key).and_then(Value::as_str);
        let is_reader = self.host.tools.iter().any(|tool| tool.schema().name == name && tool.reads_only());
        let command = text("command").filter(|_| BuiltIn::from_name(name) == Some(BuiltIn::Shell));
        let mut paths: Vec<_> = ["path", "from", "to"].into_iter().filter_map(text).map(Some).collect();
        if paths.is_empty() {
            paths.push(None);
        }
        let mut found: Vec<Reason> = Vec::new();
        for path in paths {
            let asked = Asked { tool: name, path, command, is_reader, has_git: self.host.git.is_some() };
            loop {
                let rules = found.iter().map(|reason| reason.rule.clone()).collect();
                let reason = explain(&self.host.dir, &self.input.rights.approving(rules), &asked);
                match reason.decision {
                    Effect::Deny => return None,
                    Effect::Ask => found.push(reason),
                    Effect::Allow => break,
                }
            }
        }
        Some(found)
    }

    /// Asks the user about a call. An answer about an equal call of the run counts.
    pub(super) async fn approve(&self, name: &str, args: &Value, why: Value) -> Result<Approval, Error> {
        let details = self.details(name, args, why);
        let answer = match self.observer.approval(details.clone()) {
            Ok(answer) => answer,
            Err(question) => {
                self.observer.observe(IterationFact::Asked(question.clone())).await?;
                let Some(hooks) = self.host.hooks.as_deref() else { return Ok(Approval::Open) };
                // The journal has no secrets; the user sees the call as it is.
                let shown = Question { details, ..question };
                let hook = async { hooks.ask(&shown, self.abort).await.map(Answer::tidy) };
                let asked = shown.answer_in_time(&*self.host.clock, self.abort, hook).await;
                let Ok(Some(answer)) = asked else { return Ok(Approval::Open) };
                let decided = IterationFact::Decided { id: shown.id, answer: answer.clone() };
                self.observer.observe(decided).await?;
                answer
            }
        };
        Ok(Approval::from(answer))
    }

    fn details(&self, name: &str, args: &Value, why: Value) -> Value {
        let rights = self.input.rights;
        json!({ "name": name, "args": args, "role": rights.role, "phase": rights.policy_phase(), "why": why })
    }
}

impl From<Answer> for Approval {
    fn from(Answer { decision, note, value, reason }: Answer) -> Self {
        let reason = reason.unwrap_or_else(|| "no reason was given".to_owned());
        match decision {
            Decision::Allow => Self::Given(Given { args: value, note, rules: Vec::new() }),
            Decision::Revise => Self::Refused(feedback::revise(&reason)),
            Decision::Deny => Self::Refused(feedback::refused_by_user(&reason)),
        }
    }
}
