//! What may be touched: what must stay, and the files that a change is probably in.

use super::act::Act;
use super::clause::Clause;
use super::lexicon::*;
use super::noun;
use super::text::Text;
use super::token::{self, Kind, Token};
use crate::task::structured::TaskContext;
use std::ops::Range;

/// What the message says must stay, in its words.
pub(super) fn preserved(text: &Text<'_>, clauses: &[Clause], strays: &[Range<usize>]) -> Vec<String> {
    let mut preserved: Vec<String> = Vec::new();
    for clause in clauses {
        match clause.act {
            Act::Keep | Act::Forbid => push(&mut preserved, phrase(text, &clause.range)),
            Act::Bug | Act::Fix => spared(text, &clause.range, false, &mut preserved),
            _ => spared(text, &clause.range, true, &mut preserved),
        }
    }
    strays.iter().for_each(|words| spared(text, words, true, &mut preserved));
    preserved
}

/// What words about something else say must stay. What is broken may "stay" as well.
fn spared(text: &Text<'_>, words: &Range<usize>, stays: bool, preserved: &mut Vec<String>) {
    let said = words.clone().any(|at| stays && text.is_one_of(at, STAYING));
    if let Some(from) = words.clone().find(|at| spares(text, *at)) {
        let end = (from + 1..words.end).find(|at| text.is_one_of(*at, ". ; )")).unwrap_or(words.end);
        push(preserved, phrase(text, &(from..end)));
    } else if said {
        push(preserved, phrase(text, words));
    }
}

/// Words of what is not to be changed.
const STAYING: &str =
    "stay stays remain remains keep kept keeping leave untouched unchanged intact same preserve preserved";

/// In the middle of a request: "without changing …", "except …", "on top of the 8".
fn spares(text: &Text<'_>, at: usize) -> bool {
    let phrases = "except|apart from|other than|but not|keeping|leaving|while keeping|dont|do not|must not|should \
                   not|on top of the|rest stays|everything else|nothing else|not the|only|in addition to the";
    text.norm(at) == "without" && text.has(at + 1, HARM | COMMAND)
        || text
            .after_any(at, &phrases)
            .is_some_and(|next| !text.is_one_of(at, "only dont do not") || text.has(next, HARM | REMOVE | MODIFY))
}

/// Words of the message in one line.
pub(super) fn phrase(text: &Text<'_>, range: &Range<usize>) -> String {
    let plain = text
        .slice(range)
        .split_whitespace()
        .map(|word| word.trim_matches(char::is_control))
        .filter(|word| !word.is_empty());
    let joined = plain.fold(String::new(), |mut joined, word| {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
        joined
    });
    let trimmed = joined
        .trim_end_matches([',', ';', ':', '.', '!', '?', '-', '–', '—', ' '])
        .trim_start_matches([',', ';', ':', '.', ' ']);
    let mut letters = trimmed.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn push(list: &mut Vec<String>, text: String) {
    if !text.is_empty() && !list.contains(&text) {
        list.push(text);
    }
}

/// How many items of a kind a summary counts: 8 for `drink` in "a grid with 8 drinks".
pub(super) fn summary_count(summary: &str, noun: &str) -> Option<u32> {
    if noun.len() < 3 {
        return None;
    }
    let mut words: Vec<Token> = Vec::new();
    token::tokens(summary, 0, &mut words);
    let position = words.iter().position(|word| noun::same(&word.norm, noun) && word.norm.ends_with('s'))?;
    let before = words.get(position.saturating_sub(3)..position).unwrap_or_default();
    before.iter().rev().take_while(|word| word.kind != Kind::Mark).find_map(|word| match word.kind {
        Kind::Number(value) => Some(value),
        _ => None,
    })
}

/// The files of the project that the message names, by their paths or by what they are called after.
pub(super) fn affected_files(text: &Text<'_>, clauses: &[Clause], context: &TaskContext) -> Vec<String> {
    let mut affected = Vec::new();
    let traces: Vec<&str> =
        (0..text.len()).filter(|at| text.kind(*at) == Some(Kind::Trace)).map(|at| text.slice(&(at..at + 1))).collect();
    let words = || clauses.iter().filter(|clause| clause.act.is_request()).flat_map(|clause| clause.range.clone());
    for file in &context.file_list {
        let named = (0..text.len()).any(|at| text.kind(at) == Some(Kind::Path) && names(text.norm(at), file))
            || traces.iter().any(|trace| trace.contains(file.as_str()));
        let parts = name_parts(file);
        // `CartDrawer` is named by "the cart", `DealCard` not by "the card".
        let called = parts.first().is_some_and(|part| words().any(|at| is_called(text, at, part)));
        if named || called {
            push(&mut affected, file.clone());
        }
    }
    affected
}

fn is_called(text: &Text<'_>, at: usize, part: &str) -> bool {
    match text.kind(at) {
        Some(Kind::Word) => text.norm(at).split('-').any(|word| noun::same(word, part)),
        Some(Kind::Quote) => text
            .slice(&(at..at + 1))
            .to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| noun::same(word, part)),
        _ => false,
    }
}

/// Whether a path in a message (`Footer.tsx:42`, `./src/App`) is that of a file.
fn names(path: &str, file: &str) -> bool {
    let path = path.trim_start_matches(['.', '/', '@']).split(':').next().unwrap_or_default();
    let file = file.to_lowercase();
    let tail = file.strip_suffix(path);
    path.len() > 2 && tail.is_some_and(|head| head.is_empty() || head.ends_with('/'))
}

/// What a file is called after: `pricing` for `src/sections/PricingSection.tsx`.
fn name_parts(file: &str) -> Vec<String> {
    let name = file.rsplit('/').next().unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    let mut parts: Vec<String> = Vec::new();
    for letter in stem.chars() {
        match parts.last_mut() {
            Some(part)
                if letter.is_alphanumeric() && !(letter.is_uppercase() && part.ends_with(char::is_lowercase)) =>
            {
                part.extend(letter.to_lowercase())
            }
            _ if letter.is_alphanumeric() => parts.push(letter.to_lowercase().collect()),
            _ => parts.push(String::new()),
        }
    }
    parts.retain(|part| !part.is_empty());
    let general = [
        "section",
        "page",
        "component",
        "view",
        "panel",
        "app",
        "index",
        "main",
        "screen",
        "container",
        "wrapper",
        "list",
        "api",
        "grid",
        "use",
        "strip",
        "block",
    ];
    let special: Vec<String> = parts.iter().filter(|part| !general.contains(&part.as_str())).cloned().collect();
    if parts.len() == 1 && special.is_empty() { Vec::new() } else { special }
}
