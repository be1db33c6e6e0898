//! The log of an iteration, from the journal.

use super::{Performed, Seen, Session};
use crate::error::Error;
use crate::port::{AgentRole, Host};
use crate::run::event::{Envelope, Event};
use crate::run::journal;
use crate::run::recipe::specs::{Log, SpecFact};
use crate::text::head_and_tail;
use crate::utc;
use serde_json::Value;

pub(super) async fn write<H: Host>(session: &Session<'_, H>, log: &Log) -> Result<Performed, Error> {
    let folder = session.with(|machine: &Seen<'_>| machine.recipe.current.logs.clone());
    let name = match log.role {
        AgentRole::Planner => "plan-attempt",
        AgentRole::Verifier => "verify",
        AgentRole::Reviewer => "review",
        _ => "impl-attempt",
    };
    let path = format!("{folder}/{name}-{}.log", log.number);
    let project = session.host.project();
    let is_start = |event: &Event| matches!(event, Event::IterationStarted { .. });
    let events = journal::since_last(project, session.run_id(), &is_start).await?;
    let text: String = events.iter().filter_map(line).collect();
    session.write_record(&path, &text).await?;
    Ok(Performed::fact(SpecFact::LogWritten { path }))
}

/// The lines of an event; `None` for one that says nothing about the work.
fn line(envelope: &Envelope) -> Option<String> {
    let text = match &envelope.event {
        Event::IterationStarted { iteration, role, prompt_bytes, .. } => {
            format!("iteration {iteration} started: {role:?}, a prompt of {prompt_bytes} bytes")
        }
        Event::ToolCall { name, args, .. } => format!("call {name} {args}"),
        Event::ToolResult { ok, output, duration_ms, .. } => {
            let output = head_and_tail(output, OUTPUT_CAP, &|_, _| "the journal has all of it".to_owned());
            format!("{} after {duration_ms} ms\n{output}", if *ok { "ok" } else { "failed" })
        }
        Event::WriteDenied { path, rule, undone: None } => format!("write denied: {path} ({rule})"),
        Event::WriteDenied { path, rule, .. } => format!("change taken back: {path} ({rule})"),
        Event::Steered { message } => format!("the user says: {message}"),
        Event::Status { text } => text.clone(),
        Event::IterationFinished { close, answer, fault, .. } => {
            let answer = match answer {
                Some(Value::String(text)) => format!("\n{text}"),
                Some(value) => format!("\n{value}"),
                None => String::new(),
            };
            let fault = fault.as_ref().map(|fault| format!("\n{}", fault.message)).unwrap_or_default();
            format!("iteration ended: {close:?}{answer}{fault}")
        }
        Event::AbortRequested { reason } => format!("aborted: {reason}"),
        Event::RunFailed { error } => format!("the run failed: {}", error.message),
        Event::RunResumed { .. } => "the run was resumed".to_owned(),
        _ => return None,
    };
    Some(format!("[{}] {text}\n", utc::seconds(envelope.at)))
}

/// Maximum size of a tool's output in a log, in bytes.
const OUTPUT_CAP: usize = 4 * 1024;
