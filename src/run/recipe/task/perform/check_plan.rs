//! Checks the plan between iterations.

use super::{Performed, Seen, Session, due_update};
use crate::error::{Error, ErrorCode};
use crate::layout::{CHECKED_PLAN, PLAN};
use crate::plan::{self, PlanNode, PlanReport, PropValue};
use crate::port::{Decision, HookAnswer, HooksPort, Host};
use crate::run::event::Event;
use crate::run::recipe::task::{TaskFact, feedback};
use crate::task;
use crate::text::{one_line, shortened};

pub(super) async fn check_plan<H: Host>(session: &Session<'_, H>) -> Result<Performed, Error> {
    // A hook is the IDE's code and may change files.
    if session.host.hooks().is_some() {
        session.watch.distrust(session.host);
    }
    let project = session.host.project();
    let source = project.read_text(PLAN).await?.unwrap_or_default();
    let mut report = report(session, &source).await?;
    let mut objection = None;
    if report.ok
        && let Some(hooks) = session.host.hooks()
    {
        let json = serde_json::to_value(&report).map_err(|error| {
            Error::new(ErrorCode::Internal, format!("the report of the plan cannot be serialised ({error})"))
        })?;
        let abort = &session.control.abort;
        match abort.race(hooks.approve_plan(&json, abort)).await {
            Err(_) => return Ok(Performed::aborted()),
            Ok(HookAnswer::Answer(answer)) if answer.decision == Decision::Allow => {}
            Ok(HookAnswer::Answer(answer)) => objection = Some(answer.reason.unwrap_or_default()),
            Ok(HookAnswer::Ask(reason)) => objection = Some(reason),
        }
    }
    let accepted = report.ok && objection.is_none();
    let text = match (&objection, accepted) {
        (_, true) => intent(&report),
        (Some(reason), _) => format!("Plan not approved: {reason}"),
        (None, _) => format!("Plan refused: {} errors", report.failures.len()),
    };
    project.write(CHECKED_PLAN, &source).await?;
    let feedback = feedback::plan_checked(&report, objection.as_deref());
    // The journal's reader has a depth limit.
    report.root = report.root.filter(|root| !is_deeper(root, LEVELS));
    let checked = TaskFact::PlanChecked { plan: task::hash(&source), report, accepted, feedback };
    Ok(Performed::Facts(vec![Event::status(text), checked.into()]))
}

/// The plan's own errors and, for an update, the changes that the task still needs.
pub(super) async fn report<H: Host>(session: &Session<'_, H>, source: &str) -> Result<PlanReport, Error> {
    let report =
        plan::validate(source, &session.registry, Some(session.with(|machine: &Seen<'_>| machine.recipe.number)));
    Ok(match due_update(session).await? {
        Some(due) => due.judge(source, report),
        None => report,
    })
}

/// Refuses the completion, with what the plan lacks.
pub(super) async fn refuse_completion<H: Host>(session: &Session<'_, H>) -> Result<Performed, Error> {
    let feedback = match due_update(session).await? {
        Some(due) => feedback::update_required(&plan::update_guide(&due)),
        None => feedback::plan_required(),
    };
    Ok(Performed::fact(TaskFact::CompletionRefused { feedback }))
}

/// What will be built, from the plan's `App`.
fn intent(report: &PlanReport) -> String {
    let text = |prop| match report.root.as_ref().and_then(|root| root.props.get(prop)) {
        Some(PropValue::String(text)) => shortened(&one_line(text), INTENT_CHARS),
        _ => String::new(),
    };
    match (text("name"), text("description")) {
        (name, words) if name.is_empty() && words.is_empty() => "Plan accepted".to_owned(),
        (name, words) if name.is_empty() || words.is_empty() => format!("Plan accepted: {name}{words}"),
        (name, words) => format!("Plan accepted: {name} — {words}"),
    }
}

/// A plan tree that nests deeper is left out of its event.
const LEVELS: u32 = 24;

fn is_deeper(node: &PlanNode, levels: u32) -> bool {
    levels == 0 || node.children.iter().any(|child| is_deeper(child, levels - 1))
}

/// Maximum length of a name or description, in characters.
const INTENT_CHARS: usize = 300;
