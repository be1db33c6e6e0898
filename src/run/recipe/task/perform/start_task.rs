//! The start of a task: the snapshot before it and the texts of its files.

use super::{Performed, Seen, Session, work};
use crate::error::Error;
use crate::gate;
use crate::layout::{CHECKED_PLAN, PLAN, PLAN_BEFORE, tag_before};
use crate::plan::{self, DueUpdate, PlanContext};
use crate::port::{PortResult, ProjectDir};
use crate::run::event::Event;
use crate::run::machine::Ending;
use crate::run::options::{PlanMode, StopReason};
use crate::run::ownership;
use crate::run::perform::save_as;
use crate::run::recipe::task::TaskFact;
use crate::run::unfinished;
use crate::snapshot::{self, SnapshotKind};
use crate::task::{self, Marker, StructuredTask, TaskContext, TaskType};
use crate::words::{is_page_part, number, words};
use std::borrow::Cow;

pub(super) async fn start_task(session: &Session<'_>) -> Result<Performed, Error> {
    let project = session.host.project();
    let number = session.with(|machine: &Seen<'_>| machine.recipe.number);
    let structured = session.with(|machine: &Seen<'_>| {
        let context = TaskContext { task_number: Some(number), ..TaskContext::default() };
        let by_rules = || task::parse_by_rules(machine.recipe.message(), &context);
        machine.recipe.structured.clone().unwrap_or_else(by_rules)
    });
    let message = &structured.raw_message;
    let mut facts: Vec<Event> = ownership::take_back_abandoned(session).await?.into_iter().map(Event::status).collect();
    let was_empty = snapshot::is_empty(session.host).await?;
    let pre = if session.host.git.is_some() && !was_empty {
        let message = format!("pre-task: {}", task::title(message));
        let (tag, saved) = save_as(session, &tag_before(number), SnapshotKind::Pre, &message).await?;
        facts.push(saved);
        Some(tag)
    } else {
        None
    };
    if session.host.git.is_none() {
        work::keep_before(session).await?;
    }
    // A damaged journal of an earlier run was reported at the start; the files are used instead.
    let previous =
        unfinished::before(project, &session.runs(), session.run_id()).await.ok().and_then(|before| before.run);
    let (last, history) = match &previous {
        Some((_, task)) => (task.number, task.texts.history.clone()),
        None => (plan::task_number(project).await?.unwrap_or(0), task::kept_history(project).await?),
    };
    // After a rollback the summary belongs to an earlier task.
    let stalled =
        matches!(previous.as_ref().and_then(|(run, _)| run.ending()), Some(Ending::Stopped(StopReason::Stalled, _)));
    let outcome = stalled.then_some("(failed: the agent made no progress)");
    let source = project.read_text(PLAN).await?.unwrap_or_default();
    let plan = task::hash(&source);
    let unaccepted = previous.as_ref().is_some_and(|(_, task)| task.left_unaccepted(&plan));
    let changes_app = !task::builds_app(&structured, was_empty);
    let text = task::format_task(&structured);
    let mode = session.with(|machine: &Seen<'_>| machine.recipe.mode);
    // A plan from before the task is never the plan of the task, even if it is valid, unless the user says so.
    let is_own = match structured.kind {
        _ if mode == PlanMode::Approved => true,
        _ if unaccepted => false,
        // The markers of this task confirm it. A plan that does not parse is checked at once, for its diagnostics.
        TaskType::Mutation => is_damaged(&source) || is_confirmed(&source, &text, number),
        // A bugfix ignores it. If a plan is required, a valid one is enough.
        TaskType::Bugfix => plan::validate(&source, &session.registry, Some(number)).ok,
        TaskType::Fresh | TaskType::NeedsClarification => false,
    };
    let is_updated = matches!(mode, PlanMode::Auto | PlanMode::Required) && !unaccepted;
    if structured.kind == TaskType::Mutation && plan.is_some() && is_updated {
        project.write(PLAN_BEFORE, &source).await?;
        project.write(CHECKED_PLAN, &source).await?;
    } else if project.lstat(PLAN_BEFORE).await?.is_some() {
        project.remove_file(PLAN_BEFORE).await?;
    }
    let has_registry = matches!(session.registry, Cow::Owned(_));
    // A plan that no task of the project accepted decides nothing.
    let has_accepted_plan = last > 0 && !unaccepted && plan::validate(&source, &session.registry, None).ok;
    let builds_from_plans =
        has_accepted_plan || session.host.recipes.is_some() || has_registry || session.settings.approvals.plan;
    let plan_due = mode == PlanMode::Auto && builds_from_plans && adds_parts(&structured, !changes_app);
    let started = TaskFact::TaskStarted {
        task: text,
        origin: task::origin(project, message).await?,
        history: task::history_with(project, &history, last, outcome).await?,
        stale_plan: plan.clone().filter(|_| !is_own),
        plan,
        applied_theme: task::applied_theme(project).await?,
        kept_theme: match mode {
            PlanMode::Approved => None,
            _ if !changes_app => None,
            _ => kept_theme(project, if unaccepted { "" } else { &source }, message).await?,
        },
        was_empty,
        plan_due,
        unaccepted,
        pre,
    };
    facts.push(started.into());
    Ok(Performed::Facts(facts))
}

/// The theme that a change of the app must keep: the command of the plan's theme, or empty for styles without a plan.
/// `None` if the message asks for a new look.
async fn kept_theme(project: ProjectDir<'_>, plan: &str, message: &str) -> PortResult<Option<String>> {
    let declared = plan::root(plan).map(|root| PlanContext::declared(&root).theme.command);
    match declared.filter(|command| !command.is_empty()) {
        Some(command) => Ok(Some(command)),
        None if task::asks_for_look(message) => Ok(None),
        None => Ok(gate::has_styles(project).await?.then(String::new)),
    }
}

/// Whether the task builds an app, or adds screens or sections to one.
fn adds_parts(task: &StructuredTask, builds_app: bool) -> bool {
    let adds = task.requirements.iter().filter(|requirement| requirement.marker == Marker::Add);
    task.kind != TaskType::Bugfix && (builds_app || adds.into_iter().any(|adds| is_part(&adds.description)))
}

/// Whether a text begins with the name of a screen or section: "a pricing section with 3 plans", "two new pages: …", "a
/// footer". Items have such names, too: "two more testimonials", "a testimonial".
fn is_part(text: &str) -> bool {
    let phrase = text.split([',', ':', ';', '.', '(', '"', '–', '—']).next().unwrap_or_default();
    let words = words(phrase);
    let ends = |word: &String| AFTER_NAMES.contains(&word.as_str());
    let is_end = |word: &String| ends(word) || word == "about" || word == "and";
    let before = |at: usize| words.iter().take(at);
    let is_item =
        |at: usize| before(at).any(|word| matches!(word.as_str(), "more" | "another") || number(word).is_some());
    let raw: Vec<String> = phrase.to_lowercase().split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect();
    let is_part = |word: &str| raw.iter().any(|raw| raw.starts_with(word) && is_page_part(raw));
    let is_name = |(at, word): (usize, &String)| {
        let is_known = ["section", "page", "screen"].contains(&word.as_str()) || is_part(word) && !is_item(at);
        is_known && !before(at).any(ends) && words.get(at + 1).is_none_or(is_end)
    };
    words.iter().enumerate().any(is_name)
}

/// Words after the name of what is added.
const AFTER_NAMES: [&str; 23] = [
    "to", "in", "on", "at", "with", "for", "of", "from", "into", "below", "above", "under", "after", "before",
    "beside", "between", "that", "which", "where", "called", "named", "showing", "listing",
];

fn is_damaged(source: &str) -> bool {
    plan::root(source).is_none()
}

/// Every requirement of the task has its marker in the plan.
fn is_confirmed(source: &str, task: &str, number: u32) -> bool {
    let task = plan::parse_task_file(task, Some(number));
    let due = DueUpdate { before: source.to_owned(), task, shown: Vec::new() };
    !due.task.requirements.is_empty() && plan::check_update(&due, source).failures.is_empty()
}

#[cfg(test)]
mod tests {
    use super::is_part;

    #[test]
    fn a_new_screen_or_section_is_known_by_its_name() {
        for (text, expected) in [
            ("a pricing section with 3 plans", true),
            ("two new sections: pricing and FAQ", true),
            ("an about page", true),
            ("a page for the shop", true),
            ("a pricing section and a badge", true),
            ("a footer", true),
            ("a footer with three links", true),
            ("a sticky navbar that shows the logo", true),
            ("a hero banner", true),
            ("a contact form below the menu", true),
            ("testimonials", true),
            ("a FAQ", true),
            ("a testimonial", false),
            ("two more testimonials", false),
            ("the year to the footer", false),
            ("a link in the navbar", false),
            ("a footer link", false),
            ("a header image", false),
            ("a badge to the hero section", false),
            ("2 more drinks", false),
            ("a page counter below the list", false),
            ("the year in the section title", false),
        ] {
            assert_eq!(is_part(text), expected, "{text}");
        }
    }
}
