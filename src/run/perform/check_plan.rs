//! The plan's check, between iterations.

use crate::error::{Error, ErrorCode};
use crate::layout::{CHECKED_PLAN, PLAN};
use crate::plan::{self, PlanReport, PropValue};
use crate::port::{HookAnswer, HooksPort, Host};
use crate::run::Machine;
use crate::run::event::Event;
use crate::run::feedback;
use crate::run::session::Session;
use crate::task;

pub(super) async fn check_plan<H: Host>(session: &Session<'_, H>) -> Result<Option<Event>, Error> {
    let project = session.host.project();
    let source = project.read_text(PLAN).await?.unwrap_or_default();
    let report = report(session, &source).await?;
    let mut objection = None;
    if report.ok
        && let Some(hooks) = session.host.hooks()
    {
        let json = serde_json::to_string(&report)
            .and_then(|text| serde_json::from_str(&text))
            .map_err(|error| Error::new(ErrorCode::Internal, format!("a plan's report is no JSON ({error})")))?;
        let abort = &session.control.abort;
        match abort.race(hooks.approve_plan(&json, abort)).await {
            Err(_) => return Ok(None),
            Ok(HookAnswer::Deny(reason)) => objection = Some(reason),
            Ok(HookAnswer::Allow(_)) => {}
        }
    }
    let accepted = report.ok && objection.is_none();
    let text = match (&objection, accepted) {
        (_, true) => intent(&report),
        (Some(reason), _) => format!("Plan not approved: {reason}"),
        (None, _) => format!("Plan refused: {} to mend", report.failures.len()),
    };
    session.record(Event::Status { text }).await?;
    project.write(CHECKED_PLAN, &source).await?;
    let feedback = feedback::plan_checked(&report, objection.as_deref());
    Ok(Some(Event::PlanChecked { plan: task::hash(&source), report, accepted, feedback }))
}

/// What the plan's own rules say of it, and where it is an update what it owes to the task.
pub(super) async fn report<H: Host>(session: &Session<'_, H>, source: &str) -> Result<PlanReport, Error> {
    let report = plan::validate(source, &session.registry, Some(session.with_machine(Machine::task)));
    Ok(match session.due_update().await? {
        Some(due) => due.judge(source, report),
        None => report,
    })
}

/// The completion is refused: what is missing of the plan is said.
pub(super) async fn refuse_completion<H: Host>(session: &Session<'_, H>) -> Result<Event, Error> {
    let feedback = match session.due_update().await? {
        Some(due) => feedback::update_required(&plan::update_guide(&due)),
        None => feedback::plan_required(),
    };
    Ok(Event::CompletionRefused { feedback })
}

/// What is going to be built, in the words of the plan's `App`.
fn intent(report: &PlanReport) -> String {
    let text = |prop| match report.root.as_ref().and_then(|root| root.props.get(prop)) {
        Some(PropValue::String(text)) => one_line(text),
        _ => String::new(),
    };
    match (text("name"), text("description")) {
        (name, words) if name.is_empty() && words.is_empty() => "Plan accepted".to_owned(),
        (name, words) if name.is_empty() || words.is_empty() => format!("Plan accepted: {name}{words}"),
        (name, words) => format!("Plan accepted: {name} — {words}"),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(INTENT_CHARS).collect()
}

/// Characters of a name or a description that are shown.
const INTENT_CHARS: usize = 300;
