//! The size of a conversation, and how it is shortened to fit the model's context window.
//!
//! The oldest results of calls are cut first, their images before their texts, then the oldest turns become one summary. The prompt, messages of the user and
//! the last turns stay. A shortened conversation has room for several turns, so that the provider's cache of it lasts.

use crate::port::{ChatMessage, Image, ModelRequest, PortError, PortErrorKind, ToolCall};
use crate::text::{head_and_tail, one_line, shortened};
use serde::Serialize;
use std::collections::BTreeSet;

mod overflow;

pub(super) use overflow::is_overflow;

/// The part of the window that a request may use.
const FULL: f64 = 0.8;

/// The part of the window that a shortened conversation uses.
const SHORTENED: f64 = 0.5;

/// The messages before the first turn: instructions, and the task.
const PROMPT: usize = 2;

/// How conversations are shortened, the mildest way first: the number of last turns that stay as they are, and the size of a
/// result before them, in bytes.
const WAYS: [(usize, usize); 4] = [(3, 1_000), (1, 1_000), (0, 1_000), (0, 100)];

/// What an image counts as, in bytes: about 1,500 tokens, whatever the length of its base64 is.
const IMAGE_BYTES: usize = 6_000;

/// Maximum size of the summary of removed turns, in bytes.
const SUMMARY_MAX: usize = 4_000;

/// Maximum length of a call in the summary, in characters.
const CALL_CHARS: usize = 160;

const SUMMARY: &str = "The harness removed your earliest turns, because the conversation became too long for your context \
                       window. They made these calls. Repeat one if you need its result:\n";

/// What a shortening did. Sizes are in tokens, estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shortened {
    /// The size of the request before.
    pub before: u64,
    /// The size of the request now.
    pub after: u64,
    /// How many results are shorter.
    pub results: u32,
    /// How many turns are in the summary.
    pub turns: u32,
}

/// Tokens per byte of requests, as the provider counts them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rate(f64);

impl Default for Rate {
    fn default() -> Self {
        Self(0.25)
    }
}

impl Rate {
    /// The provider counted these tokens in the request. Absurd counts are not used, such as the sum of several readings.
    pub(super) fn measure(&mut self, request: &ModelRequest, tokens: u64) {
        let rate = tokens as f64 / size(request).max(1) as f64;
        if (0.1..=0.6).contains(&rate) {
            self.0 = rate;
        }
    }

    /// The size of the request in tokens, estimated.
    pub(super) fn tokens(self, request: &ModelRequest) -> u64 {
        (size(request) as f64 * self.0).ceil() as u64
    }

    /// Shortens a request that uses too much of the window of `window` tokens. `None` if it fits, or nothing can be shortened.
    pub(super) fn fit(self, request: &mut ModelRequest, window: u64) -> Option<Shortened> {
        let bytes = |part: f64| (window as f64 * part / self.0) as usize;
        if size(request) <= bytes(FULL) {
            return None;
        }
        self.shorten(request, [bytes(SHORTENED), bytes(FULL)])
    }

    /// Shortens a request that the provider refused for its length. `None` if nothing can be shortened.
    pub(super) fn halve(self, request: &mut ModelRequest) -> Option<Shortened> {
        let half = size(request) / 2;
        self.shorten(request, [half, half])
    }

    /// The mildest way aims at the first size, the others at the second one.
    fn shorten(self, request: &mut ModelRequest, [first, others]: [usize; 2]) -> Option<Shortened> {
        let before = self.tokens(request);
        let fixed = size(request).saturating_sub(sum(&request.messages));
        let (mut results, mut turns) = (0, 0);
        for (at, (last, cap)) in WAYS.into_iter().enumerate() {
            let aim = if at == 0 { first } else { others }.saturating_sub(fixed);
            if at > 0 && sum(&request.messages) <= aim {
                break;
            }
            results += cut_results(&mut request.messages, last, cap, aim);
            turns += remove_turns(&mut request.messages, last.max(1), aim);
        }
        (results + turns > 0).then(|| Shortened { before, after: self.tokens(request), results, turns })
    }
}

/// Cuts the results before the last turns, the oldest first, until the messages have at most `aim` bytes.
fn cut_results(messages: &mut [ChatMessage], last: usize, cap: usize, aim: usize) -> u32 {
    let mut left = sum(messages);
    let end = start_of_last(messages, last);
    let mut count = 0;
    for message in messages.iter_mut().take(end) {
        if left <= aim {
            break;
        }
        let (mut size, mut is_shorter) = (size_of(message), false);
        for shorten in [cut_images, cut_text] {
            if left > aim && shorten(message, cap) {
                let before = std::mem::replace(&mut size, size_of(message));
                left = left.saturating_sub(before.saturating_sub(size));
                is_shorter = true;
            }
        }
        count += u32::from(is_shorter);
    }
    count
}

/// Removes the images of a result; `false` if it has none.
fn cut_images(message: &mut ChatMessage, _: usize) -> bool {
    remove_images(message, |name| format!("The harness removed the images: call {name} again if you need them."))
}

/// Removes the images of a result, with a note from the tool's name; `false` if it has none.
fn remove_images(message: &mut ChatMessage, note: impl Fn(&str) -> String) -> bool {
    match message {
        ChatMessage::Tool { content, name, images, .. } if !images.is_empty() => {
            images.clear();
            *content = format!("{content}\n{}", note(name));
            true
        }
        _ => false,
    }
}

/// Cuts the text of a result; `false` if it is short.
fn cut_text(message: &mut ChatMessage, cap: usize) -> bool {
    match message {
        ChatMessage::Tool { content, name, .. } if content.len() > cap => {
            *content = head_and_tail(content, cap, &|_, _| format!("call {name} again if you need it"));
            true
        }
        _ => false,
    }
}

/// Replaces the oldest turns by a summary until the messages have at most `aim` bytes. The last turns stay.
fn remove_turns(messages: &mut Vec<ChatMessage>, last: usize, aim: usize) -> u32 {
    let end = start_of_last(messages, last);
    let mut over = sum(messages);
    // The summary has room, too.
    over = if over > aim { over - aim.saturating_sub(SUMMARY_MAX) } else { 0 };
    let mut removed = BTreeSet::new();
    let mut turns = 0;
    for (index, message) in messages.iter().enumerate().take(end) {
        match message {
            ChatMessage::Assistant { .. } if over == 0 => break,
            ChatMessage::Assistant { .. } => turns += 1,
            ChatMessage::Tool { .. } if turns > 0 => {}
            _ => continue,
        }
        over = over.saturating_sub(size_of(message));
        removed.insert(index);
    }
    if removed.is_empty() {
        return 0;
    }
    let is_summary =
        |message: &ChatMessage| matches!(message, ChatMessage::User { content, .. } if content.starts_with(SUMMARY));
    let mut lines = String::new();
    for (index, message) in messages.iter().enumerate() {
        match message {
            ChatMessage::User { content, .. } if index >= PROMPT && is_summary(message) => {
                lines.push_str(content.get(SUMMARY.len()..).unwrap_or_default());
                removed.insert(index);
            }
            ChatMessage::Assistant { tool_calls, .. } if removed.contains(&index) => {
                tool_calls.iter().for_each(|call| lines.push_str(&line(call)));
            }
            _ => {}
        }
    }
    let lines = head_and_tail(&lines, SUMMARY_MAX, &|_, _| "the calls between them".to_owned());
    let mut index = 0;
    messages.retain(|_| {
        index += 1;
        !removed.contains(&(index - 1))
    });
    messages.insert(PROMPT.min(messages.len()), ChatMessage::user(format!("{SUMMARY}{lines}")));
    turns
}

/// A call as a line of the summary.
fn line(call: &ToolCall) -> String {
    let arguments = shortened(&one_line(&call.function.arguments), CALL_CHARS);
    format!("- {} {arguments}\n", call.function.name)
}

/// The index at which the last `turns` turns start.
fn start_of_last(messages: &[ChatMessage], turns: usize) -> usize {
    let starts =
        messages.iter().enumerate().rev().filter(|(_, message)| matches!(message, ChatMessage::Assistant { .. }));
    let mut starts = starts.map(|(index, _)| index);
    match turns.checked_sub(1) {
        None => messages.len(),
        Some(before) => starts.nth(before).unwrap_or_default(),
    }
}

fn sum(messages: &[ChatMessage]) -> usize {
    messages.iter().map(size_of).sum()
}

/// The size of a request as JSON, in bytes.
pub(super) fn size(request: &ModelRequest) -> usize {
    counted(request, request.messages.iter().flat_map(ChatMessage::images))
}

/// The size of a message as JSON, in bytes.
fn size_of(message: &ChatMessage) -> usize {
    counted(message, message.images().iter())
}

/// The size of a value as JSON, in bytes. Its images count as [`IMAGE_BYTES`] each.
fn counted<'a>(value: &impl Serialize, images: impl Iterator<Item = &'a Image>) -> usize {
    let mut count = Count(0);
    let _ = serde_json::to_writer(&mut count, value);
    images.fold(count.0, |bytes, image| bytes.saturating_sub(image.data.len()) + IMAGE_BYTES)
}

struct Count(usize);

impl std::io::Write for Count {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Whether the error may be about images. Some servers report images that they do not take as a failure of their own.
pub(super) fn may_refuse_images(error: &PortError) -> bool {
    let message = error.message.to_ascii_lowercase();
    let names_images = || ["image", "vision", "multimodal"].iter().any(|word| message.contains(word));
    error.kind == PortErrorKind::Other || (error.kind == PortErrorKind::Unavailable && names_images())
}

/// Removes the images of a request that the provider refused; `false` if there are none.
pub(super) fn remove_refused_images(request: &mut ModelRequest) -> bool {
    let note = "Your model's service refused a request with these images. Continue without them.";
    let mut found = false;
    for message in &mut request.messages {
        found |= remove_images(message, |_| note.to_owned());
    }
    found
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests;
