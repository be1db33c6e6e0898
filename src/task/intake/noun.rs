//! Things: where their names begin and end, and which word is the head of them.

use super::lexicon::*;
use super::text::Text;
use super::token::Kind;
use std::ops::Range;

/// Whether a thing is named here in a way that no verb could be: by an article, a number, a quotation.
pub(super) fn begins(text: &Text<'_>, at: usize) -> bool {
    match text.kind(at) {
        Some(Kind::Number(_) | Kind::Quote | Kind::Path) => true,
        Some(Kind::Word) => text.has(at, INDEFINITE | DEFINITE | PRONOUN | NEW | EXISTING | SHARE)
            || text.is_one_of(
                at,
                "some any no more less something anything nothing me us them it only users people whatever existing",
            ),
        _ => false,
    }
}

/// Whether the thing that begins here is not there yet.
pub(super) fn is_new(text: &Text<'_>, at: usize) -> bool {
    text.has(at, INDEFINITE)
        || text.has(at, NEW) && text.norm(at) != "mas"
        || text.is_one_of(at, "some")
        || text.number(at).is_some() && !text.has(at + 1, EXISTING)
}

/// Whether the things that begin here are counted.
pub(super) fn is_counted(text: &Text<'_>, at: usize) -> bool {
    text.number(at).is_some() || text.is_one_of(at, "another")
}

/// Where the name of the thing that begins at `from` ends: at a preposition, a mark or another verb.
pub(super) fn end(text: &Text<'_>, from: usize, to: usize) -> usize {
    (from..to)
        .find(|at| {
            let stops = (opens_detail(text, *at) || text.has(*at, CONDITION | MODAL | NEGATED | COPULA)) && *at > from;
            stops || text.is_mark(*at) && !text.is_one_of(*at, "& +") || text.joins(*at)
        })
        .unwrap_or(to)
}

/// A preposition or the like; but not the one of an "about page".
pub(super) fn opens_detail(text: &Text<'_>, at: usize) -> bool {
    text.has(at, PREPOSITION)
        && !(text.norm(at) == "about"
            && (text.has(at + 1, PART)
                || text.joins(at + 1)
                || text.kind(at + 1).is_none_or(|kind| kind == Kind::Mark)))
}

/// Names a file or an address.
pub(super) fn is_path(text: &Text<'_>, at: usize) -> bool {
    text.kind(at) == Some(Kind::Path)
}

/// The word that says what sort of thing it is: the last of its name.
pub(super) fn head(text: &Text<'_>, name: &Range<usize>) -> usize {
    let trailing = "please pls instead too here there again now anymore asap first everywhere";
    name.clone()
        .rev()
        .find(|at| {
            text.kind(*at) == Some(Kind::Word)
                && !text.is_one_of(*at, trailing)
                && !(text.norm(*at).ends_with("ly") && *at > name.start + 1)
        })
        .unwrap_or(name.start)
}

/// A word without the endings of its plural, to compare nouns.
pub(super) fn stem(word: &str) -> &str {
    if word.len() > 4 && word.ends_with("ies") {
        return word.get(..word.len() - 3).unwrap_or(word);
    }
    if word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") {
        return word.get(..word.len() - 1).unwrap_or(word);
    }
    if word.len() > 4 && word.ends_with('y') { word.get(..word.len() - 1).unwrap_or(word) } else { word }
}

/// Whether two words name the same sort of thing.
pub(super) fn same(left: &str, right: &str) -> bool {
    let (left, right) = (stem(left), stem(right));
    !left.is_empty()
        && (left == right || left.strip_suffix('e') == Some(right) || right.strip_suffix('e') == Some(left))
}
