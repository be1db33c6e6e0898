//! What must stay, in the words of the message.

use super::act::Act;
use super::clause::Clause;
use super::lexicon::*;
use super::text::Text;
use crate::task::texts::one_line;
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
    let now = words.clone().any(|at| text.is_one_of(at, "currently still"));
    let said = !now && words.clone().any(|at| stays && text.is_one_of(at, STAYING));
    let negated = |at: usize| !stays && text.is_one_of(at, "dont do");
    if let Some(from) = words.clone().find(|at| spares(text, *at) && !negated(*at)) {
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
            .after_any(at, phrases)
            .is_some_and(|next| !text.is_one_of(at, "only dont do not") || text.has(next, HARM | REMOVE | MODIFY))
}

/// Words of the message in one line.
pub(super) fn phrase(text: &Text<'_>, range: &Range<usize>) -> String {
    let joined = one_line(text.slice(range));
    let trimmed = joined
        .trim_end_matches([',', ';', ':', '.', '!', '?', '-', '–', '—', '(', ' '])
        .trim_start_matches([',', ';', ':', '.', ' ']);
    let mut letters = trimmed.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn push(list: &mut Vec<String>, text: String) {
    if !text.is_empty() && list.last() != Some(&text) {
        list.push(text);
    }
}
