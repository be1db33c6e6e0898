//! A review in any recipe: what the reviewer is asked, and what its answer decides.

use super::diff::Difference;
use super::event::Event;
use super::fault::Fault;
use super::machine::RunState;
use super::perform::Performed;
use super::recipe::{Brief, about_project};
use super::session::Session;
use crate::config::{Role, Settings};
use crate::error::{Error, ErrorCode};
use crate::port::{AgentRole, Phase, Rights};
use crate::review::{self, Decision, Judgement, Request, Review, Tier};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The facts of a review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, strum::IntoStaticStr, strum::VariantNames)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[strum(serialize_all = "kebab-case")]
pub enum ReviewFact {
    #[expect(missing_docs, reason = "the name says it all")]
    ReviewGiven { tier: Tier, review: Review },
    /// The reviewer's answer has no readable verdict.
    #[expect(missing_docs, reason = "the name says it all")]
    ReviewUnreadable { tier: Tier, reason: String },
}

impl ReviewFact {
    /// The reason for the phase change after this fact.
    pub(crate) fn why(&self) -> &'static str {
        match self {
            Self::ReviewGiven { review: Review { decision: Decision::Ship, .. }, .. } => {
                "the reviewer approved the work"
            }
            Self::ReviewGiven { .. } => "the reviewer asks for changes",
            Self::ReviewUnreadable { .. } => "",
        }
    }
}

impl From<ReviewFact> for Event {
    fn from(fact: ReviewFact) -> Self {
        Self::Review(fact)
    }
}

/// What is reviewed.
pub(crate) struct Subject<'a> {
    pub tier: Tier,
    pub title: &'a str,
    pub description: &'a str,
    /// The file with all of the description.
    pub task_file: &'a str,
    pub difference: &'a Difference,
    /// The results of the checks.
    pub checked: &'a str,
    /// Why the last answer has no readable verdict.
    pub unreadable: Option<&'a str>,
}

/// The reviewer's role.
pub(crate) async fn brief(session: &Session<'_>, settings: &Settings, subject: &Subject<'_>) -> Result<Brief, Error> {
    let Subject { tier, title, description, task_file, difference, checked, unreadable } = *subject;
    let rights = Rights::reader(AgentRole::Reviewer, Phase::Review).under(&settings.policy);
    let (rules, _) = about_project(session, &rights, &settings.rules).await?;
    let mut prompt = review::prompt(&Request {
        tier,
        title,
        description,
        task_file,
        checks: settings.checks(tier),
        rules: &rules,
        verification: checked,
        files: &difference.readable(&session.host.dir, &rights),
        omitted: &difference.omitted,
    });
    if let Some(reason) = unreadable {
        prompt.user += &format!("\n{}", review::again(reason));
    }
    let model = settings.model_id(Role::Reviewer(tier));
    Ok(Brief { rights, model, prompt, answer: Some(review::shape()) })
}

/// The text of the reviewer's answer.
pub(crate) fn text_of(answer: Option<Value>) -> String {
    match answer {
        Some(Value::String(text)) => text,
        Some(arguments) => arguments.to_string(),
        None => String::new(),
    }
}

/// Reads the reviewer's answer: warnings, and the last fact.
pub(crate) fn read(tier: Tier, text: &str) -> (Vec<Event>, ReviewFact) {
    let (judgement, warnings) = review::read(text);
    let status = |warning| Event::status(format!("The {} review: {warning}", tier.as_str()));
    let fact = match judgement {
        Judgement::Ship { review } | Judgement::Revise { review } => ReviewFact::ReviewGiven { tier, review },
        Judgement::Inconclusive { reason } => ReviewFact::ReviewUnreadable { tier, reason },
    };
    (warnings.into_iter().map(status).collect(), fact)
}

/// Completes a review with the facts of the answer.
pub(crate) fn judged(tier: Tier, answer: Option<Value>) -> Performed {
    let (mut facts, fact) = read(tier, &text_of(answer));
    facts.push(fact.into());
    Performed::Facts(facts)
}

/// An answer without a verdict: the reviewer is asked once more, then the run fails. `before` is the reason of the answer before
/// it, `unchanged` names what stays as it is.
pub(crate) fn unreadable(before: &mut Option<String>, tier: Tier, reason: &str, unchanged: &str, run: &mut RunState) {
    if before.replace(reason.to_owned()).is_some() {
        let message = format!(
            "the {} review is inconclusive: {reason}. {unchanged} is unchanged; resume the run to review it again",
            tier.as_str()
        );
        run.fail(Fault::inconclusive(ErrorCode::Model, message));
    }
}
