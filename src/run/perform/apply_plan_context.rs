//! The way from PLAN to BUILD: the theme is applied, the recipes are looked up, the agent is told (`seeds/002`).

use super::check_plan;
use crate::agent::changes;
use crate::error::Error;
use crate::layout::CHECKED_PLAN;
use crate::plan::{self, PlanContext, PlanReport, PlannedChanges, ThemeContext};
use crate::port::Host;
use crate::run::Machine;
use crate::run::context::{apply_theme, look_up_recipes};
use crate::run::event::{ChangedBy, Event};
use crate::run::feedback;
use crate::run::session::Session;

/// Resolves the plan that was accepted. Whatever fails on the way is told to the agent, and BUILD opens; an abort
/// leaves PLAN as it is.
///
/// The theme's command is not to run twice: a fact stands before it, and where that fact has no end, as after a crash,
/// the agent is told to look. The end is written down before anything else.
pub(super) async fn apply_plan_context<H: Host>(session: &Session<'_, H>) -> Result<(), Error> {
    let source = session.host.project().read_text(CHECKED_PLAN).await?.unwrap_or_default();
    let report = check_plan::report(session, &source).await?;
    let mut context = match &report.root {
        Some(root) => PlanContext::declared(root),
        None => PlanContext {
            theme: ThemeContext::default().failed(format!("{CHECKED_PLAN} is gone")),
            ..PlanContext::default()
        },
    };
    let due = session.due_update().await?;
    let work = due.as_ref().map(|due| plan::work(&source, due.task.number));
    if let (Some(due), Some(work)) = (&due, &work) {
        context.keep_work(work, &due.shown);
    }
    let Ok(failures) = look_up_recipes(session.host, &session.control.abort, &mut context.sections).await else {
        return Ok(());
    };
    for text in failures {
        session.record(Event::Status { text }).await?;
    }
    let known = session.with_machine(|machine| known_end(machine, &context.theme));
    if let Some(theme) = known {
        context.theme = theme;
        return open_build(session, context, work.as_ref(), &report).await;
    }
    let command = context.theme.command.clone();
    let runs = session.host.shell().is_some() && context.theme.error.is_none();
    if runs {
        session.record(Event::Status { text: format!("Applying the theme: {command}") }).await?;
        session.record(Event::ThemeStarted { command }).await?;
        session.project().await?;
    }
    let before = if runs { Some(changes::before(session.host).await?) } else { None };
    let Ok(theme) = apply_theme(session.host, &session.control.abort, context.theme.clone()).await else {
        return Ok(());
    };
    context.theme = theme;
    open_build(session, context, work.as_ref(), &report).await?;
    if let Some(before) = before {
        for (path, change) in changes::since(session.host, &before).await? {
            session.record(Event::FileChanged { path, change, by: ChangedBy::Harness }).await?;
        }
    }
    Ok(())
}

/// The theme's state if its command does not run: the project keeps its theme, has this theme already, or a crash
/// interrupted the command.
fn known_end(machine: &Machine, theme: &ThemeContext) -> Option<ThemeContext> {
    if theme.error.is_some() {
        return None;
    }
    if machine.applied_theme() == theme.command {
        let output = "The project has this theme already; the command was not run again.";
        return Some(theme.clone().applied(output.to_owned()));
    }
    if machine.keeps_theme(&theme.command) {
        return Some(if machine.has_own_styles() {
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
    let started = machine.started_theme()?;
    let error = format!(
        "the run was cut off while `{started}` ran, so that it may have been applied, and it was not run again. Look at \
         the theme's CSS variables (src/index.css) first: where they are there, the theme is applied"
    );
    Some(theme.clone().failed(error))
}

async fn open_build<H: Host>(
    session: &Session<'_, H>,
    context: PlanContext,
    work: Option<&PlannedChanges>,
    report: &PlanReport,
) -> Result<(), Error> {
    let feedback = feedback::build_instructions(&context, work, report);
    let PlanContext { theme, sections } = context;
    let applied = if theme.applied { ", theme applied" } else { "" };
    let text = format!("Plan validated{applied} — transitioning to build phase");
    let sections = sections.into_iter().map(Into::into).collect();
    session.record(Event::PlanContext { theme, sections, feedback }).await?;
    session.record(Event::Status { text }).await
}
