//! The start of a run: the message becomes a task, before anything of the project changes.

use super::limits::Limits;
use super::options::RunOptions;
use crate::agent::{self, Paid, Timeouts, Turn};
use crate::error::Error;
use crate::layout;
use crate::plan::{self, Part};
use crate::port::{Abort, Host};
use crate::snapshot::KnownTasks;
use crate::task::{self, Clarification, Intake, StructuredTask, TaskContext};

/// Files that the intake knows of.
const FILES: usize = 1_000;
/// Characters of the last summary that it reads.
const SUMMARY: usize = 4_000;

/// Takes the message apart, unless the caller did. One call of the model, as the role `parser`; whatever comes of that,
/// there is a task. With it goes what the call cost.
///
/// # Errors
/// What the port of files says.
pub(super) async fn take_in<H: Host>(
    host: &H,
    options: &RunOptions,
    limits: &Limits,
    abort: &Abort,
    known: KnownTasks,
    asked: Option<&Clarification>,
) -> Result<(StructuredTask, Option<Paid>), Error> {
    let message = options.work.message();
    // Who answers a question is not asked another one, by a reading of the answer alone either.
    let given = options.parsed.as_ref().filter(|given| asked.is_none() || !given.asks());
    if let Some(given) = given {
        let raw_message = asked.map_or_else(|| message.to_owned(), |asked| asked.with(message));
        return Ok((given.adopted(known.next, known.accepted, raw_message), None));
    }
    let context = context(host, known).await?;
    let intake = Intake { message, context: &context, asked };
    let Some(request) = intake.request().filter(|_| !abort.is_aborted()) else { return Ok((intake.task(None), None)) };
    let timeouts = Timeouts { idle_ms: limits.model_idle_ms, total_ms: task::PARSE_MS };
    let Turn { answer, paid } = agent::ask(host, &request, timeouts, abort, &|_| ()).await;
    // A model that fails here fails the agent, too, whose turn says so.
    let content = answer.ok().and_then(Result::ok).and_then(|response| response.content);
    Ok((intake.task(content.as_deref()), paid))
}

async fn context<H: Host>(host: &H, known: KnownTasks) -> Result<TaskContext, Error> {
    let project = host.project();
    let plan = project.read_text(layout::PLAN).await?.unwrap_or_default();
    let sections = plan::parts(&plan).into_iter().filter_map(|part| match part {
        Part::Section(gumdrop) => Some(gumdrop),
        Part::Screen(_) => None,
    });
    let summary = project.read_text(layout::SUMMARY).await?.unwrap_or_default();
    Ok(TaskContext {
        plan_exists: task::hash(&plan).is_some(),
        plan_sections: sections.collect(),
        last_summary: summary.chars().take(SUMMARY).collect(),
        file_list: agent::list_files(host, FILES).await?,
        task_number: Some(known.next),
        previous_tag: known.accepted,
    })
}
