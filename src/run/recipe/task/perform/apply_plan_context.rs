//! Opens BUILD: applies the theme, looks up the recipes, and writes the instructions.

use super::{Performed, Seen, Session, check_plan, due_update};
use crate::error::Error;
use crate::layout::CHECKED_PLAN;
use crate::plan::{self, PlanContext, PlanReport, PlannedChanges, ThemeContext};
use crate::run::event::Event;
use crate::run::ownership;
use crate::run::recipe::task::context::{apply_theme, look_up_recipes};
use crate::run::recipe::task::{Task, TaskFact, feedback};

/// Resolves the accepted plan. Failures go into the feedback and BUILD opens anyway; an abort leaves PLAN unchanged.
///
/// The theme's command must not run twice: the first call returns only the fact that it starts. If no end follows, as
/// after a crash, the agent is asked to check.
pub(super) async fn apply_plan_context(session: &Session<'_>) -> Result<Performed, Error> {
    session.watch.distrust(session.host);
    let source = session.host.project().read_text(CHECKED_PLAN).await?.unwrap_or_default();
    let report = check_plan::report(session, &source).await?;
    let mut context = match &report.root {
        Some(root) => PlanContext::declared(root),
        None => PlanContext {
            theme: ThemeContext::default().failed(format!("{CHECKED_PLAN} is gone")),
            ..PlanContext::default()
        },
    };
    let due = due_update(session).await?;
    let work = due.as_ref().map(|due| plan::work(&source, due.task.number));
    if let (Some(due), Some(work)) = (&due, &work) {
        context.keep_work(work, &due.shown);
    }
    let known = session.with(|machine: &Seen<'_>| known_end(machine.recipe, &context.theme));
    let runs = known.is_none() && session.host.shell.is_some() && context.theme.error.is_none();
    if runs && session.with(|machine: &Seen<'_>| machine.recipe.theme.started.is_none()) {
        let command = context.theme.command;
        let text = format!("Applying the theme: {command}");
        return Ok(Performed::Facts(vec![Event::status(text), TaskFact::ThemeStarted { command }.into()]));
    }
    let abort = &session.control.abort;
    let Ok(failures) = look_up_recipes(session.host, abort, &mut context.sections).await else {
        return Ok(Performed::aborted());
    };
    let mut facts: Vec<Event> = failures.into_iter().map(Event::status).collect();
    let apply = apply_theme(session.host, abort, context.theme.clone());
    let theme = match known {
        Some(theme) => Ok(theme),
        None if runs => {
            let (theme, bracketed) =
                ownership::bracketed(session, "the theme's command", false, Box::pin(apply)).await?;
            facts.extend(bracketed.kept());
            theme
        }
        None => apply.await,
    };
    let Ok(theme) = theme else { return Ok(Performed::Aborted(facts)) };
    context.theme = theme;
    facts.extend(open_build(context, work.as_ref(), &report));
    Ok(Performed::Facts(facts))
}

/// The theme's state if its command does not run: the project keeps its theme, already has this theme, or a crash
/// interrupted the command.
fn known_end(task: &Task, theme: &ThemeContext) -> Option<ThemeContext> {
    if theme.error.is_some() {
        return None;
    }
    if task.theme.applied == theme.command {
        let output = "The project has this theme already; the command was not run again.";
        return Some(theme.clone().applied(output.to_owned()));
    }
    if task.keeps_theme(&theme.command) {
        return Some(if task.theme.kept.as_deref() == Some("") {
            let output = format!(
                "The project has its own styles, and `{}` was not run. Keep them and use their CSS variables. Set a theme \
                 only if the task asks for another look.",
                theme.command
            );
            ThemeContext { output, ..theme.clone() }
        } else {
            let output = "The plan has the same theme as before the task, and the command was not run. Keep the project's \
                          styles.";
            theme.clone().applied(output.to_owned())
        });
    }
    let started = task.theme.interrupted.as_ref()?;
    let error = format!(
        "the run was interrupted while `{started}` ran, so the theme may have been applied. The command was not run again. Look at \
         the theme's CSS variables (src/index.css) first: if they exist, the theme is applied"
    );
    Some(theme.clone().failed(error))
}

/// The facts that open BUILD.
fn open_build(context: PlanContext, work: Option<&PlannedChanges>, report: &PlanReport) -> [Event; 2] {
    let feedback = feedback::build_instructions(&context, work, report);
    let PlanContext { theme, sections } = context;
    let applied = if theme.applied { ", and its theme is applied" } else { "" };
    let text = format!("The plan is complete{applied}: building starts");
    let sections = sections.into_iter().map(Into::into).collect();
    [TaskFact::PlanContext { theme, sections, feedback }.into(), Event::Status { text }]
}
