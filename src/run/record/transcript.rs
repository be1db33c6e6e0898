//! The transcript of an iteration as Markdown, from its events.

use crate::agent::fenced;
use crate::run::envelope::Envelope;
use crate::run::event::Event;
use crate::text::{counted, head_and_tail, one_line};
use crate::utc;
use serde_json::Value;

/// Maximum size of the arguments or the result of a call, in bytes.
const CALL_MAX: usize = 4 * 1024;

/// Maximum size of what the model said at once, in bytes.
const TEXT_MAX: usize = 64 * 1024;

/// The part of an event; `None` for one that says nothing about the work.
pub(super) fn part(envelope: &Envelope) -> Option<String> {
    let (title, text) = match &envelope.event {
        Event::IterationStarted { iteration, attempt, role, prompt_bytes, model } => {
            let model = model.as_ref().map(|model| format!(" for {model}")).unwrap_or_default();
            let title = format!(
                "iteration {iteration}, attempt {attempt}: {role:?}, a prompt of {}{model}",
                counted(*prompt_bytes, "byte")
            );
            (title, String::new())
        }
        Event::ModelAnswered { text, .. } if text.trim().is_empty() => return None,
        Event::ModelAnswered { text, .. } => ("the model says".to_owned(), block("", text, TEXT_MAX)),
        Event::ToolCall { name, args, .. } => (format!("call {name}"), block("json", &args.to_string(), CALL_MAX)),
        Event::ToolResult { ok, output, duration_ms, .. } => {
            let ended = if *ok { "ok" } else { "failed" };
            (format!("{ended} after {duration_ms} ms"), block("", output, CALL_MAX))
        }
        Event::WriteDenied { path, rule, undone: None } => (format!("write denied: {path} ({rule})"), String::new()),
        Event::WriteDenied { path, rule, .. } => (format!("change taken back: {path} ({rule})"), String::new()),
        Event::QuestionAsked { question } => ("the user is asked".to_owned(), block("", &question.text, CALL_MAX)),
        Event::QuestionAnswered { answer, .. } => (format!("the user answers {:?}", answer.decision), String::new()),
        Event::Steered { message } => ("the user says".to_owned(), block("", message, TEXT_MAX)),
        Event::Status { text } => ("status".to_owned(), block("", text, CALL_MAX)),
        Event::IterationFinished { close, answer, fault, .. } => {
            let answer = match answer {
                Some(Value::String(text)) => block("", text, TEXT_MAX),
                Some(value) => block("json", &value.to_string(), TEXT_MAX),
                None => String::new(),
            };
            let fault = fault.as_ref().map(|fault| block("", &fault.message, TEXT_MAX)).unwrap_or_default();
            (format!("iteration ended: {close:?}"), answer + &fault)
        }
        Event::AbortRequested { reason } => ("aborted".to_owned(), block("", reason, CALL_MAX)),
        Event::RunFailed { error } => ("the run failed".to_owned(), block("", &error.message, CALL_MAX)),
        Event::RunResumed { .. } => ("the run was resumed".to_owned(), String::new()),
        _ => return None,
    };
    // A name or a path from the model cannot begin another part.
    Some(format!("## {} {}\n{text}\n", utc::seconds(envelope.at), one_line(&title)))
}

fn block(language: &str, text: &str, max: usize) -> String {
    fenced(language, &head_and_tail(text, max, &|_, _| "the journal has all of it".to_owned()))
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::port::Usage;
    use serde_json::json;

    fn rendered(event: Event) -> String {
        part(&Envelope::new(1, 1_771_000_000_000, "run-1".to_owned(), 1, event)).unwrap_or_default()
    }

    #[test]
    fn a_call_and_its_result_are_bounded() {
        let args = json!({ "content": format!("HEAD{}TAIL", "x".repeat(1_000_000)) });
        let call =
            rendered(Event::ToolCall { id: "1".to_owned(), name: "write_file".to_owned(), args, provider_data: None });
        let output = format!("HEAD{}TAIL", "y".repeat(1_000_000));
        let result =
            rendered(Event::ToolResult { id: "1".to_owned(), ok: false, output, duration_ms: 7, changed: Vec::new() });
        for text in [&call, &result] {
            assert!(text.len() < 2 * CALL_MAX && text.contains("HEAD") && text.contains("TAIL"), "{text}");
        }
        assert!(call.starts_with("## 2026-02-13T16:26:40Z call write_file\n```json\n"), "{call}");
        assert!(result.starts_with("## 2026-02-13T16:26:40Z failed after 7 ms\n```\n"), "{result}");
    }

    #[test]
    fn what_the_model_says_cannot_end_its_block() {
        let answered = |text: &str| Event::ModelAnswered {
            answer: 1,
            text: text.to_owned(),
            reasoning: 0,
            model: None,
            usage: Usage::default(),
        };
        let text = rendered(answered("```\n## the user says\n```"));
        assert!(text.contains("the model says\n````\n```\n## the user says\n```\n````\n"), "{text}");
        assert_eq!(rendered(answered(" \n")), "");
        let name = "x\n## the user says\n".to_owned();
        let call = rendered(Event::ToolCall { id: "1".to_owned(), name, args: json!({}), provider_data: None });
        assert!(call.contains(" call x ## the user says\n```json\n"), "{call}");
    }

    #[test]
    fn events_that_say_nothing_about_the_work_have_no_part() {
        assert_eq!(rendered(Event::UnguardedEnded), "");
        assert!(rendered(Event::Steered { message: "Use tabs".to_owned() }).contains("the user says\n```\nUse tabs\n"));
    }
}
