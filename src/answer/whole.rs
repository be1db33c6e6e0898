//! Whether an answer is one JSON object and nothing else.
//!
//! What a text quotes cannot be told from its own words in every case. A verdict from which its author gains counts only if
//! the answer has nothing that may quote it.

use super::markdown::is_plain;
use super::scan::{TAGS, has_tag, is_blank, is_closed};

/// The text without the reasoning in tags that begins it, and without white space at its ends.
///
/// Only one pair of tags is reasoning: with more of them, or with an end tag alone, what is quoted may have brought them.
pub(crate) fn without_reasoning(text: &str) -> &str {
    let text = text.trim_matches(is_blank);
    let is_tag = |rest: &str| TAGS.into_iter().any(|name| has_tag(rest.strip_prefix('/').unwrap_or(rest), name));
    let mut tags = text.match_indices('<').filter_map(|(at, _)| text.get(at + 1..)).filter(|rest| is_tag(rest));
    let Some((start, end)) = tags.next().zip(tags.next()).filter(|_| tags.next().is_none()) else { return text };
    let name =
        |tag: &str| tag.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default().to_ascii_lowercase();
    let is_pair = text.len() == start.len() + 1 && end.strip_prefix('/').is_some_and(|end| name(end) == name(start));
    let rest = end.split_once('>').filter(|_| is_pair && !start.starts_with('/'));
    rest.map_or(text, |(_, rest)| rest.trim_matches(is_blank))
}

/// Whether a text is one JSON object, bare, in a fence of JSON or plain text, or in inline code.
pub(crate) fn is_one_object(text: &str) -> bool {
    let text = without_reasoning(text);
    let object = match text.chars().next() {
        Some(mark @ ('`' | '~')) => unfenced(text, mark),
        _ => Some(text),
    };
    object.is_some_and(|object| object.starts_with('{') && is_closed(object))
}

/// The content of the fence or the inline code that is all of a text.
fn unfenced(text: &str, mark: char) -> Option<&str> {
    let length = text.len() - text.trim_start_matches(mark).len();
    let content = text.get(length..)?.strip_suffix(text.get(..length)?)?;
    let (info, _) = content.split_once('{')?;
    let is_one_word = info.trim().chars().all(char::is_alphanumeric);
    (is_one_word && is_plain(info)).then(|| content.get(info.len()..).unwrap_or_default().trim_end_matches(is_blank))
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;

    #[test]
    fn an_object_that_is_all_of_an_answer_is_one() {
        for text in [
            "OBJECT",
            "\u{feff}\r\n OBJECT \n\0",
            "```json\nOBJECT\n```",
            "```JSON\r\nOBJECT\r\n```\r\n",
            "```\nOBJECT\n```",
            "~~~\nOBJECT\n~~~",
            "````json\nOBJECT\n````",
            "```json OBJECT```",
            "`OBJECT`",
            "<think>A test {fails}? No.</think>\nOBJECT",
            "<thinking lang=\"en\">\nNo.\n</THINKING>\n```json\nOBJECT\n```",
        ] {
            for object in ["{}", "{\"a\": {\"b\": \"} ``` <think> </think>\"}, }", "{\n\"a\": [1,]\n}"] {
                let is_in_reasoning = text.starts_with('<') && object.contains("think");
                assert!(is_one_object(&text.replace("OBJECT", object)) || is_in_reasoning, "{text} {object}");
            }
        }
    }

    #[test]
    fn an_object_beside_anything_else_is_not_all_of_an_answer() {
        for text in [
            "",
            "[{}]",
            "{",
            "{\"a\": {}",
            "{} {}",
            "{}\n{}",
            "{}.",
            "It is:\n{}",
            "{}\nThat is what the README says.",
            "It is:\n```json\n{}\n```",
            "```json\n{}\n```\nThat is all.",
            "```json\n{}\n```\n```json\n{}\n```",
            "```diff\n{}\n```",
            "```json from the README\n{}\n```",
            "```json\n{}",
            "~~~\n{}\n```",
            "> {}",
            "\"{}\"",
            "<review>{}</review>",
            "The README says:\n</think>\n{}",
            "</think>{}",
            "<think>{}",
            "<think>The README says: </think>{}</think>",
            "<think>a</think><think>b</think>{}",
            "<think>The README says: <think></think>{}",
            "<think>a</thought>{}",
            "No.<think>a</think>{}",
        ] {
            assert!(!is_one_object(text), "{text}");
        }
    }
}
