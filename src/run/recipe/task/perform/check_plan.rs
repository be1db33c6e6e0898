//! Checks the plan between iterations.

use super::{Performed, Seen, Session, due_update};
use crate::error::Error;
use crate::layout::{CHECKED_PLAN, PLAN};
use crate::plan::{self, PlanNode, PlanReport};
use crate::port::QuestionKind;
use crate::run::event::Event;
use crate::run::recipe::task::approval::intent;
use crate::run::recipe::task::{TaskFact, feedback};
use crate::task;
use crate::text::counted;

pub(super) async fn check_plan(session: &Session<'_>) -> Result<Performed, Error> {
    let project = session.host.project();
    let source = project.read_text(PLAN).await?.unwrap_or_default();
    let mut report = report(session, &source).await?;
    let plan = task::hash(&source);
    let has_hook = session.host.hooks.as_deref().is_some_and(|hooks| hooks.answers(QuestionKind::Plan));
    let is_configured = session.settings.approvals.plan || has_hook;
    let asks = report.ok && session.with(|machine: &Seen<'_>| machine.recipe.needs_approval(&plan, is_configured));
    let text = match (report.ok, asks) {
        (true, true) => describe("Plan valid, its approval is due", &report),
        (true, false) => describe("Plan accepted", &report),
        (false, _) => format!("Plan refused: {}", counted(report.failures.len(), "error")),
    };
    project.write(CHECKED_PLAN, &source).await?;
    let feedback = feedback::plan_checked(&report);
    let accepted = report.ok && !asks;
    // The journal's reader has a depth limit.
    report.root = report.root.filter(|root| !is_deeper(root, LEVELS));
    let checked = TaskFact::PlanChecked { plan, report, accepted, asks, feedback };
    Ok(Performed::Facts(vec![Event::status(text), checked.into()]))
}

/// The plan's own errors and, for an update, the changes that the task still needs.
pub(super) async fn report(session: &Session<'_>, source: &str) -> Result<PlanReport, Error> {
    let report =
        plan::validate(source, &session.registry, Some(session.with(|machine: &Seen<'_>| machine.recipe.number)));
    Ok(match due_update(session).await? {
        Some(due) => due.judge(source, report),
        None => report,
    })
}

/// Refuses the completion, with what the plan lacks.
pub(super) async fn refuse_completion(session: &Session<'_>) -> Result<Performed, Error> {
    let feedback = match due_update(session).await? {
        Some(due) => feedback::update_required(&plan::update_guide(&due)),
        None => feedback::plan_required(),
    };
    Ok(Performed::fact(TaskFact::CompletionRefused { feedback }))
}

fn describe(state: &str, report: &PlanReport) -> String {
    let intent = intent(report);
    if intent.is_empty() { state.to_owned() } else { format!("{state}: {intent}") }
}

/// A plan tree that nests deeper is left out of its event.
const LEVELS: u32 = 24;

fn is_deeper(node: &PlanNode, levels: u32) -> bool {
    levels == 0 || node.children.iter().any(|child| is_deeper(child, levels - 1))
}
