//! Sentences, cut wherever a new request could begin. What cannot stand alone is joined again in [`super::clause`].

use super::lexicon::*;
use super::noun;
use super::opening::skip;
use super::text::{Sentence, Text};
use std::ops::Range;

/// A stretch between two joints of a sentence.
#[derive(Debug, Clone)]
pub(super) struct Segment {
    pub tokens: Range<usize>,
    pub joint: Joint,
}

/// Words that are looked at before an `and`.
const NEAR: usize = 60;

/// What stands before a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joint {
    /// The sentence begins here.
    Start,
    Comma,
    And,
    Colon,
    Dash,
    /// "but", "then", "also".
    Turn,
}

/// The segments of a sentence.
pub(super) fn segments(text: &Text<'_>, sentence: &Sentence) -> Vec<Segment> {
    let all = sentence.tokens.clone();
    let last_bracket = all.clone().rev().find(|at| text.norm(*at) == ")").unwrap_or(all.start);
    let mut segments = Vec::new();
    let (mut start, mut joint, mut depth) = (all.start, Joint::Start, 0_usize);
    for at in all.clone() {
        match text.norm(at) {
            "(" if at < last_bracket => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let Some(next) = joint_at(text, at).filter(|_| depth == 0) else { continue };
        if next == Joint::And && stays_together(text, &(start..at), at + 1) {
            continue;
        }
        if at > start {
            segments.push(Segment { tokens: start..at, joint });
            joint = next;
        } else if !(joint == Joint::Comma && next == Joint::Turn) {
            // ", and": the last joint tells most, but a comma before "also" stays one.
            joint = if joint == Joint::Start { Joint::Start } else { next };
        }
        start = at + usize::from(!matches!(text.norm(at), "also" | "then"));
    }
    if all.end > start {
        segments.push(Segment { tokens: start..all.end, joint });
    }
    segments
}

fn joint_at(text: &Text<'_>, at: usize) -> Option<Joint> {
    Some(match text.norm(at) {
        "," => Joint::Comma,
        ":" => Joint::Colon,
        // "9–14" is one thing.
        "-" if text.number(at + 1).is_none() => Joint::Dash,
        "but" => Joint::Turn,
        "also" | "then" if text.has(at + 1, COMMAND) && !text.has(at + 1, INFLECTED) => Joint::Turn,
        "+" if text.slice(&(at + 1..at + 2)).starts_with(|c: char| c.is_ascii_digit()) => return None,
        _ if text.has(at, AND) => Joint::And,
        _ => return None,
    })
}

/// Words that are always said together.
const PAIRS: &[(&str, &str)] = &[
    ("drag", "drop"),
    ("terms", "conditions"),
    ("q", "a"),
    ("black", "white"),
    ("pros", "cons"),
    ("before", "after"),
    ("copy", "paste"),
    ("cut", "paste"),
    ("questions", "answers"),
    ("dos", "donts"),
    ("arts", "crafts"),
    ("bed", "breakfast"),
    ("food", "drink"),
    ("food", "drinks"),
    ("left", "right"),
    ("up", "down"),
    ("play", "pause"),
    ("start", "stop"),
    ("start", "pause"),
    ("undo", "redo"),
    ("more", "more"),
    ("back", "forth"),
    ("above", "beyond"),
    ("look", "feel"),
    ("nice", "clean"),
];

/// "an edit and delete button", "to add and remove rows": the `and` joins two verbs of one thing.
fn stays_together(text: &Text<'_>, before: &Range<usize>, next: usize) -> bool {
    let before = &(before.start.max(before.end.saturating_sub(NEAR))..before.end);
    let last = before.end.saturating_sub(1);
    if PAIRS.iter().any(|(left, right)| text.norm(last) == *left && text.norm(next) == *right) {
        return true;
    }
    let verb = |at: usize| text.has(at, COMMAND | BEHAVE) && !text.has(at, INFLECTED);
    if !verb(next) {
        return false;
    }
    let (begins, _) = skip(text, before);
    if last > begins
        && verb(last)
        && (text.has(last - 1, INDEFINITE | DEFINITE | ADJECTIVE) || text.number(last - 1).is_some())
    {
        return true;
    }
    let purpose = (begins + 1..before.end).any(|at| {
        let opens = text.is_one_of(at, "to can could lets let that who users people visitors i they");
        opens
            && (verb(at + 1)
                || text.is_one_of(at + 1, "users people visitors me us them customers")
                    && at + 2 < before.end
                    && text.kind(at + 2).is_some()
                    && !text.has(at + 2, PREPOSITION))
    });
    purpose && !noun::begins(text, next)
}
