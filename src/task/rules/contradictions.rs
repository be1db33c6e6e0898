//! Requests that cannot all be done.

use super::lexicon::*;
use super::requirements::{Act, Wish};
use super::small_talk::is_specific;
use super::tokens::Text;
use std::collections::BTreeSet;
use std::ops::Range;

/// Requests that are compared with each removal.
const COMPARED: usize = 60;

/// A removal, and a request or a wish to keep that needs what is removed: "remove the cart. add a field to the cart".
pub(super) fn find(text: &Text<'_>, wishes: &[Wish]) -> Option<(Range<usize>, Range<usize>)> {
    if let Some(pair) = kept_and_changed(text, wishes) {
        return Some(pair);
    }
    let opposed = |wish: &Wish| {
        let (one, other) = (
            text.find(wish.words.clone(), "darker|bigger|larger")?,
            text.find(wish.words.clone(), "brighter|lighter|smaller")?,
        );
        Some((wish.words.start..one.max(other), one.min(other)..wish.words.end))
    };
    if let Some(pair) = wishes.iter().filter(|wish| wish.act == Act::Modify).find_map(opposed) {
        return Some(pair);
    }
    for removal in wishes.iter().filter(|wish| wish.act == Act::Remove).take(COMPARED) {
        let object = removal.core + 1;
        if !text.has(object, DEFINITE) {
            continue;
        }
        let end = (object..removal.words.end)
            .find(|at| text.has(*at, PREPOSITION & !DEFINITE) && !text.has(*at, PRONOUN))
            .unwrap_or(removal.words.end);
        let removed = stems(text, object..end);
        let needs = |wish: &&Wish| {
            wish.words != removal.words
                && wish.act != Act::Remove
                && (wish.is_request() && !text.is(wish.words.start, "instead") || wish.act == Act::Keep)
                && definite_phrases(text, wish).any(|phrase| phrase == removed)
        };
        if !removed.is_empty()
            && let Some(other) = wishes.iter().take(COMPARED).find(needs)
        {
            return Some((removal.words.clone(), other.words.clone()));
        }
    }
    None
}

/// "Keep all 6 speakers but swap two of them": all stay, and some do not.
fn kept_and_changed(text: &Text<'_>, wishes: &[Wish]) -> Option<(Range<usize>, Range<usize>)> {
    let keep = wishes.iter().find(|wish| {
        wish.act == Act::Keep
            && wish.also.iter().chain([&wish.words]).any(|words| text.find(words.clone(), "all|exactly").is_some())
    })?;
    let of_them = |words: &Range<usize>| text.find(words.clone(), "of them|of those|of its|one of|two of").is_some();
    let changed = keep.also.iter().find(|words| of_them(words)).cloned();
    let changed = changed.or_else(|| {
        wishes
            .iter()
            .find(|wish| matches!(wish.act, Act::Modify | Act::Remove) && of_them(&wish.words))
            .map(|wish| wish.words.clone())
    })?;
    Some((keep.words.clone(), changed))
}

/// The noun phrases of a request that start with "the".
fn definite_phrases<'t>(text: &'t Text<'_>, wish: &'t Wish) -> impl Iterator<Item = BTreeSet<String>> + 't {
    wish.words.clone().filter(|at| text.has(*at, DEFINITE)).map(move |at| {
        let end = (at + 1..wish.words.end)
            .find(|at| !(text.is_word(*at) && is_specific(text, *at)))
            .unwrap_or(wish.words.end);
        stems(text, at..end)
    })
}

fn stems(text: &Text<'_>, words: Range<usize>) -> BTreeSet<String> {
    const GENERAL: &str = "section page completely strip";
    words
        .filter(|at| is_specific(text, *at) && !text.is(*at, GENERAL))
        .map(|at| match text.norm(at) {
            "" => text.slice(&(at..at + 1)).to_lowercase(),
            word => word.trim_end_matches('s').to_owned(),
        })
        .collect()
}

/// "An app where I can search. But no search box": the parts that are excluded are the app's own.
pub(super) fn denies(text: &Text<'_>, parts: &[Wish]) -> bool {
    let Some(app) = parts.first() else { return false };
    let wanted = stems(text, app.words.clone());
    let denied = |words: &Range<usize>| {
        let no = text
            .find(words.clone(), "no|nothing")
            .filter(|no| text.is(no.wrapping_sub(1), "but") || *no == words.start)?;
        Some(stems(text, no..words.end)).filter(|denied| denied.iter().any(|word| wanted.contains(word)))
    };
    app.also.iter().any(|words| denied(words).is_some())
}
