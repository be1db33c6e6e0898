//! The start of a run: the message becomes a task before anything of the project changes.

use super::limits::Limits;
use super::options::RunOptions;
use crate::agent::{self, Paid, Patience, Turn};
use crate::error::Error;
use crate::plan::{self, Part};
use crate::port::{Abort, Host, ModelRequest};
use crate::snapshot::KnownTasks;
use crate::task::{self, Clarification, Intake, StructuredTask, TaskContext};

/// Files that the intake knows of.
const FILES: usize = 1_000;
/// Characters of the last summary that it reads.
const SUMMARY: usize = 4_000;

/// Parses the message, unless the caller did: by the model as the role `parser`, else by rules. Also returns what each call
/// of the model cost.
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
) -> Result<(StructuredTask, Vec<Paid>), Error> {
    let message = options.work.message();
    // Who answers a question is not asked another one, by a reading of the answer alone either.
    let given = options.parsed.as_ref().filter(|given| asked.is_none() || !given.asks());
    if let Some(given) = given {
        let raw_message = asked.map_or_else(|| message.to_owned(), |asked| asked.with(message));
        return Ok((given.adopted(known.next, known.accepted, raw_message), Vec::new()));
    }
    let context = context(host, known).await?;
    let intake = Intake { message, context: &context, asked };
    let patience = Patience { idle_ms: limits.model_idle_ms, total_ms: task::PARSE_MS };
    let mut costs = Vec::new();
    let ask = async |request: ModelRequest| {
        if abort.is_aborted() {
            return None;
        }
        let Turn { answer, paid } = agent::ask(host, &request, patience, abort, &|_| ()).await;
        costs.extend(paid);
        // A model that fails here fails the agent as well, whose turn reports it.
        answer.ok()?.ok()?.content
    };
    let task = intake.parse(ask).await;
    Ok((task, costs))
}

async fn context<H: Host>(host: &H, known: KnownTasks) -> Result<TaskContext, Error> {
    let project = host.project();
    let plan = project.read_text(task::PLAN).await?.unwrap_or_default();
    let sections = plan::parts(&plan).into_iter().filter_map(|part| match part {
        Part::Section(gumdrop) => Some(gumdrop),
        Part::Screen(_) => None,
    });
    let summary = project.read_text(".ralph/summary.md").await?.unwrap_or_default();
    Ok(TaskContext {
        plan_exists: task::hash(&plan).is_some(),
        plan_sections: sections.collect(),
        last_summary: summary.chars().take(SUMMARY).collect(),
        file_list: Some(agent::list_files(host, FILES).await?),
        task_number: Some(known.next),
        previous_tag: known.accepted,
    })
}
