//! The start of a task's run: parses the message before anything in the project changes.

use crate::agent::{self, Paid, Timeouts};
use crate::config::{Config, Role};
use crate::error::{Error, ErrorCode};
use crate::layout::{self, PLAN};
use crate::plan::{self, Diagnostic, Part, Registry};
use crate::port::{Abort, Host, ModelRequest, PortErrorKind};
use crate::run::event::RunStarted;
use crate::run::journal::Runs;
use crate::run::limits::Limits;
use crate::run::options::{PlanMode, RunOptions};
use crate::run::spending;
use crate::run::unfinished::{self, Before};
use crate::snapshot::{self, KnownTasks};
use crate::task::{self, Clarification, Intake, Parsed, TaskContext};
use crate::text::shortened;

/// Maximum number of project files passed to the parser.
const FILES: usize = 1_000;
/// The longest wait that the model may ask for, in milliseconds; after a longer one, the rules parse the message at once.
const WAIT_MS: u64 = 10_000;
/// Maximum length of the last summary, in characters.
const SUMMARY: usize = 4_000;

/// The first fact of a new run, and what parsing the message cost. The task and its number are stored in this fact, so
/// a repeated start has the same ones.
pub(super) async fn start(
    host: &Host,
    options: &RunOptions,
    config: &Config,
    mut fact: RunStarted,
    abort: &Abort,
    runs: &Runs,
) -> Result<(RunStarted, Vec<Paid>), Error> {
    let mut notes = Vec::new();
    if host.git.is_none() {
        notes.push("There is no git port: no snapshots are taken, and nothing can be rolled back.".to_owned());
    }
    let before = unfinished::before(host.project(), runs, &options.run_id).await.unwrap_or_else(|error| {
        notes.push(error.message.clone());
        Before::default()
    });
    let known = known(host, before.run.map_or(0, |(_, task)| task.number)).await?;
    let task_number = known.next;
    if options.plan == PlanMode::Approved {
        require_valid_plan(host, &options.registry, task_number).await?;
    }
    // Boxed, like the commands: the stack of a tab is 1 MB.
    let (Parsed { task, notes: said }, paid) = Box::pin(parse(
        host,
        options,
        config,
        &fact.limits,
        abort,
        Earlier { runs, known, asked: before.asked.as_ref() },
    ))
    .await?;
    notes.extend(said);
    (fact.task_number, fact.plan, fact.task, fact.notes) = (Some(task_number), Some(options.plan), Some(task), notes);
    Ok((fact, paid))
}

/// What a new run knows of the project when it parses its message.
///
/// # Errors
/// Of the file system and of git.
pub async fn task_context(host: &Host) -> Result<TaskContext, Error> {
    let runs = Runs::read(host.project()).await?;
    let before = unfinished::before(host.project(), &runs, "").await.unwrap_or_default();
    let known = known(host, before.run.map_or(0, |(_, task)| task.number)).await?;
    Ok(TaskContext { asked: before.asked, ..context(host, known).await? })
}

/// The tasks so far. `journaled`: the number of the newest one with a journal.
async fn known(host: &Host, journaled: u32) -> Result<KnownTasks, Error> {
    let counter = plan::task_number(host.project()).await?;
    // Without a counter, the plan's markers show the numbers of earlier tasks.
    let marked = match counter {
        Some(_) => 0,
        None => plan::newest_task(&host.project().read_text(PLAN).await?.unwrap_or_default()),
    };
    let known = snapshot::known_tasks(host, counter.unwrap_or(0)).await?;
    Ok(KnownTasks { next: known.next.max(journaled.max(marked).saturating_add(1)), ..known })
}

/// The user approved the plan on disk.
///
/// # Errors
/// `invalid-argument` if it is missing or invalid.
async fn require_valid_plan(host: &Host, registry: &Registry, task: u32) -> Result<(), Error> {
    let source = host.project().read_text(PLAN).await?.unwrap_or_default();
    let report = plan::validate(&source, registry, Some(task));
    let problem = match report.failures.first() {
        _ if source.trim().is_empty() => format!("{PLAN} is missing or empty: write it"),
        Some(Diagnostic { line, column, message, .. }) => {
            format!("{PLAN}:{line}:{column} is invalid ({message}): fix it")
        }
        None => return Ok(()),
    };
    let message =
        format!("`plan: 'approved'` builds the plan on disk, and {problem}, or choose another value of `plan`");
    Err(Error::new(ErrorCode::InvalidArgument, message))
}

/// What earlier runs left.
struct Earlier<'a> {
    runs: &'a Runs,
    known: KnownTasks,
    /// Unanswered questions.
    asked: Option<&'a Clarification>,
}

/// Parses the message, unless the caller did: by the model in the role `parser`, or by the rules if it fails. Also
/// returns the cost of each model call.
async fn parse(
    host: &Host,
    options: &RunOptions,
    config: &Config,
    limits: &Limits,
    abort: &Abort,
    Earlier { runs, known, asked }: Earlier<'_>,
) -> Result<(Parsed, Vec<Paid>), Error> {
    let message = options.work.message();
    // The answer to a question never leads to another question, and an approved plan says what to do.
    let clarifies = options.clarify && options.plan != PlanMode::Approved;
    let may_ask = clarifies && asked.is_none();
    let given = options.parsed.as_ref().filter(|given| may_ask || !given.asks());
    if let Some(given) = given {
        let raw_message = asked.map_or_else(|| message.to_owned(), |asked| asked.with(message));
        let task = given.adopted(known.next, known.accepted, raw_message);
        return Ok((Parsed { task, notes: Vec::new() }, Vec::new()));
    }
    let subject = spending::subject(&options.work, Some(known.next)).unwrap_or_default();
    let is_exhausted = spending::is_exhausted(host.project(), runs, limits, &subject, host.clock.now()).await?;
    let context = context(host, known).await?;
    let intake = Intake { message, context: &context, asked, may_ask: clarifies };
    let timeouts = Timeouts { idle_ms: limits.model_idle_ms, total_ms: task::PARSE_MS };
    let (_, model) = config.settings.model(Role::Parser);
    let model = model.map(String::as_str);
    let (mut costs, mut notes) = (Vec::new(), Vec::new());
    let ask = async |request: ModelRequest| {
        if abort.is_aborted() {
            return Err("the run was aborted".to_owned());
        }
        if is_exhausted {
            return Err("the budget is spent".to_owned());
        }
        let mut turn = agent::ask(host, model, &request, timeouts, abort, &|_| ()).await;
        if let Ok(Err(error)) = &turn.answer
            && let PortErrorKind::RateLimited(Some(wait)) = error.kind
            && wait <= WAIT_MS
            && abort.race(host.clock.sleep(wait)).await.is_ok()
        {
            costs.extend(turn.paid);
            notes.append(&mut turn.notes);
            turn = agent::ask(host, model, &request, timeouts, abort, &|_| ()).await;
        }
        costs.extend(turn.paid);
        notes.append(&mut turn.notes);
        let answer = turn.answer.map_err(|_| "the run was aborted".to_owned())?;
        answer.map(|answer| answer.content.unwrap_or_default()).map_err(|error| error.message.clone())
    };
    let mut parsed = intake.parse(ask).await;
    parsed.notes.append(&mut notes);
    Ok((parsed, costs))
}

async fn context(host: &Host, known: KnownTasks) -> Result<TaskContext, Error> {
    let project = host.project();
    let plan = project.read_text(PLAN).await?.unwrap_or_default();
    let sections = plan::parts(&plan).into_iter().filter_map(|part| match part {
        Part::Section(gumdrop) => Some(gumdrop),
        Part::Screen(_) => None,
    });
    let summary = project.read_text(layout::SUMMARY).await?.unwrap_or_default();
    Ok(TaskContext {
        plan_exists: task::hash(&plan).is_some(),
        plan_sections: sections.collect(),
        last_summary: shortened(&summary, SUMMARY),
        file_list: Some(agent::list_files(host, FILES).await?),
        task_number: Some(known.next),
        previous_tag: known.accepted,
        asked: None,
    })
}
