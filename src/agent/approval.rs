//! Calls that wait for the user: those that a rule of the policy or the IDE's `beforeTool` makes a question of.

use super::calls::Calls;
use super::explain::{Asked, explain};
use super::fact::IterationFact;
use super::feedback;
use super::tools::BuiltIn;
use crate::error::Error;
use crate::port::{Answer, Decision, Effect, HooksPort, Host, ToolPort};
use serde_json::{Value, json};

/// What the user said about a call.
pub(super) enum Approval {
    /// Nobody needs to be asked.
    Unneeded,
    /// With other arguments, and a note for the agent, if the user gave any.
    Given { args: Option<Value>, note: Option<String> },
    /// With the text for the model.
    Refused(String),
    /// Nobody is there to answer.
    Open,
}

impl<H: Host> Calls<'_, H> {
    /// Asks the user about a call if a rule of the policy asks.
    pub(super) async fn approve_by_policy(&self, name: &str, args: &Value) -> Result<Approval, Error> {
        if !self.input.rights.policy.asks() {
            return Ok(Approval::Unneeded);
        }
        let text = |key: &str| args.get(key).and_then(Value::as_str);
        let is_ours = BuiltIn::named(name).is_some();
        let is_reader = self.host.tools().iter().any(|tool| tool.schema().name == name && tool.reads_only());
        let command = text("command").filter(|_| is_ours);
        let mut paths: Vec<_> =
            ["path", "from", "to"].into_iter().filter_map(text).filter(|_| is_ours).map(Some).collect();
        if paths.is_empty() {
            paths.push(None);
        }
        let reasons: Vec<_> = paths
            .into_iter()
            .map(|path| explain(self.host.dir(), self.input.rights, &Asked { tool: name, path, command, is_reader }))
            .collect();
        // The call fails with the denial.
        if reasons.iter().any(|reason| reason.decision == Effect::Deny) {
            return Ok(Approval::Unneeded);
        }
        match reasons.into_iter().find(|reason| reason.decision == Effect::Ask) {
            Some(reason) => self.approve(name, args, json!(reason)).await,
            None => Ok(Approval::Unneeded),
        }
    }

    /// Asks the user about a call. An answer about an equal call of the run counts.
    pub(super) async fn approve(&self, name: &str, args: &Value, why: Value) -> Result<Approval, Error> {
        let rights = self.input.rights;
        let details = json!({ "name": name, "args": args, "role": rights.role, "phase": rights.phase, "why": why });
        let answer = match self.observer.approval(details) {
            Ok(answer) => answer,
            Err(question) => {
                self.observer.observe(IterationFact::Asked(question.clone())).await?;
                let Some(hooks) = self.host.hooks() else { return Ok(Approval::Open) };
                let asked = self.abort.race(hooks.ask(&question, self.abort)).await;
                let Ok(Some(answer)) = asked else { return Ok(Approval::Open) };
                let decided = IterationFact::Decided { id: question.id, answer: answer.clone() };
                self.observer.observe(decided).await?;
                answer
            }
        };
        Ok(Approval::from(answer))
    }
}

impl From<Answer> for Approval {
    fn from(Answer { decision, note, value, reason }: Answer) -> Self {
        let reason = reason.unwrap_or_else(|| "no reason was given".to_owned());
        match decision {
            Decision::Allow => Self::Given { args: value, note },
            Decision::Revise => Self::Refused(feedback::revise(&reason)),
            Decision::Deny => Self::Refused(feedback::refused_by_user(&reason)),
        }
    }
}
