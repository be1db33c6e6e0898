//! Whether a provider refused a conversation for its length.

use crate::port::{PortError, PortErrorKind};
use serde::Deserialize;

/// The words of refusals. The adapters of the package read the same table (`pkg/src/overflow.ts`).
const TABLE: &str = include_str!("overflow.json");

/// How an adapter marks a refusal that only its status or its numbers tell.
const MARK: &str = "context_length_exceeded";

/// What `*` in a row stands for at most, in bytes.
const GAP: usize = 100;

/// The digits of a number of tokens; shorter numbers are places in a request.
const DIGITS_MIN: usize = 3;

#[derive(Default, Deserialize)]
struct Table {
    /// Words of refusals for the length.
    full: Vec<String>,
    /// Words of others that look alike.
    unless: Vec<String>,
    /// Words for what is sent, and for a limit: a refusal that has both, counts tokens and has two numbers is for the length.
    prompt: Vec<String>,
    limit: Vec<String>,
    /// Words of limits of the answer.
    answer: Vec<String>,
}

/// Whether the provider refused the request for its length. Providers report this only in the text of the error.
pub(in crate::agent) fn is_overflow(error: &PortError) -> bool {
    let is_refusal = matches!(error.kind, PortErrorKind::Other | PortErrorKind::Unavailable);
    is_refusal && (error.message.contains(MARK) || says_overflow(&error.message))
}

fn says_overflow(message: &str) -> bool {
    let table: Table = serde_json::from_str(TABLE).unwrap_or_default();
    let text = plain(message);
    let has = |rows: &[String]| rows.iter().any(|row| fits(&text, row));
    (has(&table.full) || counts_too_many(&text, &table) && !has(&table.answer)) && !has(&table.unless)
}

/// Whether a refusal says with two numbers that what is sent has more tokens than allowed.
fn counts_too_many(text: &str, table: &Table) -> bool {
    let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphabetic()).collect();
    let has = |list: &[String]| words.iter().any(|word| list.iter().any(|other| other == word));
    let runs = text.split(|c: char| !c.is_ascii_digit() && c != ',');
    let mut numbers: Vec<String> = runs.map(|run| run.replace(',', "")).filter(|run| run.len() >= DIGITS_MIN).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.len() >= 2
        && (words.contains(&"tokens") || words.contains(&"token"))
        && has(&table.prompt)
        && has(&table.limit)
}

/// In lower case, without quotes, with one space between words.
fn plain(text: &str) -> String {
    let kept = text.to_lowercase().replace(['"', '\'', '`'], "").replace(['_', '-'], " ");
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn fits(text: &str, row: &str) -> bool {
    let Some((first, rest)) = row.split_once(" * ") else { return text.contains(row) };
    text.match_indices(first).any(|(at, _)| {
        let after = text.get(at + first.len()..).unwrap_or_default();
        let end = after.floor_char_boundary((GAP + rest.len()).min(after.len()));
        fits(after.get(..end).unwrap_or_default(), rest)
    })
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;

    fn error(kind: PortErrorKind, message: &str) -> PortError {
        PortError::new("model", "complete", kind, message)
    }

    #[test]
    fn context_overflow_is_recognised_by_the_words_of_providers() {
        for message in [
            "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens",
            "prompt is too long: 210000 tokens > 200000 maximum",
            "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
            "Input is too long for requested model.",
            "the request exceeds the available context size",
            "The input token count (40000) exceeds the maximum number of tokens allowed (32768).",
            "Invalid request: Your request exceeded model token limit: 131072",
            "prompt token count of 135099 exceeds the limit of 128000",
            "Request body too large for gpt-4o model. Max size: 8000 tokens.",
            "Prompt exceeds max length",
            "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 20 `max_new_tokens`",
            "Range of input length should be [1, 129024]",
            "Total tokens of image and text exceed max message tokens.",
            "anything at all (context_length_exceeded)",
            "The provided prompt is 9000 tokens long, but the maximum supported sequence length is just 8192!",
            "Prompt has 15000 tokens but the maximum is 8192",
            "Your conversation has become too large for this model (9000/8192 tokens)",
            "max tokens of 8192 exceeded",
            "9,000 tokens were sent as input, 8,192 are allowed",
        ] {
            for kind in [PortErrorKind::Other, PortErrorKind::Unavailable] {
                assert!(is_overflow(&error(kind, message)), "{message}");
            }
        }
    }

    #[test]
    fn other_refusals_are_no_overflow() {
        for message in [
            "invalid api key",
            "Rate limit reached for gpt-5 on tokens per minute (TPM): Limit 30000, Used 29000, Requested 2000",
            "messages.1.content.0.image.source.base64: image exceeds 5 MB maximum: 6 MB > 5 MB",
            "max_tokens: 64000 > 32000, which is the maximum allowed number of output tokens for this model",
            "You exceeded your current quota, please check your plan",
            "Invalid 'input[3].call_id': string too long. Expected a string with maximum length 64",
            "the upstream took too long",
            "max_tokens is too large: 32000. This model supports at most 4096 completion tokens for a prompt like this",
            "thinking.budget_tokens: 9000 must be less than 8192, the maximum for this conversation",
            "This prompt needs 9000 tokens, and your limit is 8192 tokens per minute",
            "messages.100.content.120: at most one image is allowed",
        ] {
            assert!(!is_overflow(&error(PortErrorKind::Other, message)), "{message}");
        }
        assert!(!is_overflow(&error(PortErrorKind::RateLimited(None), "too many tokens per minute")));
    }

    #[test]
    fn the_table_has_rows_as_texts_are_compared() {
        let Table { full, unless, prompt, limit, answer } = serde_json::from_str(TABLE).unwrap();
        assert!(full.len() > 50 && unless.len() > 5);
        for row in [&full, &unless, &prompt, &limit, &answer].into_iter().flatten() {
            assert_eq!(plain(row), *row);
        }
    }
}
