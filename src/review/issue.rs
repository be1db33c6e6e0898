//! One issue of a review, as reviewers write it.

use super::{IssueType, ReviewIssue, Severity};
use crate::text::beginning;
use serde_json::Value;

/// Maximum size of a text of an issue, in bytes.
const TEXT_MAX: usize = 16 * 1024;

/// Maximum size of the name of a file, in bytes.
const FILE_MAX: usize = 1024;

/// The text of an issue that has none.
const NO_TEXT: &str = "The reviewer gave no description.";

/// Whether a value is missing or blank.
pub(super) fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty())
}

/// The severity of an issue, if it is a known one.
pub(super) fn severity(value: &Value) -> Option<Severity> {
    let text = value.get("severity")?.as_str()?.trim();
    let severities = [("high", Severity::High), ("medium", Severity::Medium), ("low", Severity::Low)];
    severities.into_iter().find(|(name, _)| text.eq_ignore_ascii_case(name)).map(|(_, severity)| severity)
}

/// Reads an issue, with a warning about the fields that had to be guessed. A severity of `None` becomes `unknown`.
pub(super) fn read(value: &Value, severity: Option<Severity>, unknown: Severity) -> (ReviewIssue, Option<String>) {
    let text = |name: &str| value.get(name).map(text_of).unwrap_or_default();
    let written = if value.is_object() { text("description") } else { text_of(value) };
    let (suggestion, prompt) = (text("suggestion"), text("agentPrompt"));
    let first = |texts: [&String; 3]| {
        texts.into_iter().find(|text| !text.is_empty()).map_or(NO_TEXT, String::as_str).to_owned()
    };
    let kind = kind(&text("type"));
    let guess =
        |name: &str, is_known: bool| (!is_known).then(|| format!("the {name} {} is unknown", to_text(value.get(name))));
    let warning = match (guess("type", kind.is_some()), guess("severity", severity.is_some())) {
        (Some(kind), Some(severity)) => Some(format!("{kind}, {severity}")),
        (kind, severity) => kind.or(severity),
    };
    let issue = ReviewIssue {
        file: beginning(&text("file"), FILE_MAX),
        lines: value.get("lines").and_then(lines),
        kind: kind.unwrap_or(IssueType::LogicBug),
        severity: severity.unwrap_or(unknown),
        description: first([&written, &suggestion, &prompt]),
        agent_prompt: first([&prompt, &suggestion, &written]),
        suggestion,
    };
    (issue, warning)
}

/// Whether an issue says anything about what is wrong.
pub(super) fn has_text(value: &Value) -> bool {
    let is_given = |name: &str| value.get(name).is_some_and(|text| !is_empty(text));
    !value.is_object() || ["file", "description", "suggestion", "agentPrompt"].into_iter().any(is_given)
}

/// A text that may be written as another value.
fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => beginning(text.trim(), TEXT_MAX),
        other => beginning(&other.to_string(), TEXT_MAX),
    }
}

/// A value for a message.
pub(super) fn to_text(value: Option<&Value>) -> String {
    value.map_or_else(|| "(missing)".to_owned(), |value| beginning(&value.to_string(), 80))
}

/// In any case style, singular or plural.
fn kind(text: &str) -> Option<IssueType> {
    let letters: String = text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_ascii_lowercase();
    Some(match letters.strip_suffix('s').unwrap_or(&letters) {
        "security" => IssueType::Security,
        "racecondition" => IssueType::RaceCondition,
        "memoryleak" => IssueType::MemoryLeak,
        "errorhandling" => IssueType::ErrorHandling,
        "logicbug" => IssueType::LogicBug,
        "accessibility" => IssueType::Accessibility,
        "architecture" => IssueType::Architecture,
        _ => return None,
    })
}

/// The first and the last line of `[9, 3]`, `12`, `"12-20"` or `"L12"`. Lines count from 1.
fn lines(value: &Value) -> Option<[u32; 2]> {
    let both = |left: [u32; 2], right: [u32; 2]| [left[0].min(right[0]), left[1].max(right[1])];
    let line = |number: u32| (number > 0).then_some([number, number]);
    match value {
        Value::Number(number) => line(number.as_f64().filter(|number| number.fract() == 0.0)? as u32),
        Value::String(text) => {
            let numbers = text.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok());
            numbers.filter_map(line).reduce(both)
        }
        Value::Array(items) => items.iter().filter_map(lines).reduce(both),
        _ => None,
    }
}
