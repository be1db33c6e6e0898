//! A message as tokens in sentences, with the few questions that the rules ask of them.

use super::blocks::{Block, BlockKind, blocks};
use super::lexicon::{AND, COPY, Classes};
use super::token::{Kind, Token, opaque, tokens};
use std::ops::Range;

/// A message that was read.
pub(super) struct Text<'m> {
    pub message: &'m str,
    tokens: Vec<Token>,
    pub sentences: Vec<Sentence>,
}

/// Words up to a full stop or the end of their line.
#[derive(Debug, Clone, Default)]
pub(super) struct Sentence {
    pub tokens: Range<usize>,
    /// It ends with a question mark.
    pub asks: bool,
    /// It says "please".
    pub polite: bool,
    /// It ends with a colon: what follows belongs to it.
    pub heads: bool,
    /// It is of an item of a list; how far that is indented.
    pub item: Option<usize>,
    /// It is the first of its line.
    pub opens_line: bool,
    pub opens_paragraph: bool,
    /// It is a pasted block: one token.
    pub pasted: bool,
}

impl Sentence {
    /// Words that are read as a sentence of their own.
    pub(super) fn of(tokens: Range<usize>) -> Self {
        Self { tokens, ..Self::default() }
    }
}

impl<'m> Text<'m> {
    /// Reads a message.
    pub(super) fn new(message: &'m str) -> Self {
        let mut text = Self { message, tokens: Vec::new(), sentences: Vec::new() };
        // After a line that ends with `text:`; up to the end of the next paragraph.
        let (mut announced, mut copy) = (false, false);
        for block in blocks(message) {
            copy = announced || copy && !block.opens_paragraph;
            let body = message.get(block.range.clone()).unwrap_or_default();
            let trimmed = block.range.start..block.range.start + body.trim_end().len();
            let first = text.tokens.len();
            match block.kind {
                BlockKind::Trace => text.tokens.push(opaque(trimmed.start, trimmed.end, Kind::Trace)),
                BlockKind::Pasted => text.tokens.push(opaque(trimmed.start, trimmed.end, Kind::Quote)),
                _ if copy => text.tokens.push(opaque(trimmed.start, trimmed.end, Kind::Quote)),
                _ => {
                    tokens(body, block.range.start, &mut text.tokens);
                    text.hide_copy(first);
                }
            }
            announced = text.announces_copy(first);
            text.split(&block, first);
        }
        text
    }

    /// How many tokens there are.
    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The word at a place; empty past the end and for what is opaque.
    pub(super) fn norm(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.norm.as_str())
    }

    /// Whether the word is one of these.
    pub(super) fn is_one_of(&self, at: usize, words: &str) -> bool {
        let norm = self.norm(at);
        behind(words, b' ', norm).any(|rest| rest.is_empty() || rest.starts_with(' '))
    }

    /// Whether the word is of any of the classes.
    pub(super) fn has(&self, at: usize, classes: Classes) -> bool {
        self.tokens.get(at).is_some_and(|token| token.classes & classes != 0)
    }

    /// What sort of token it is.
    pub(super) fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    /// The number at a place.
    pub(super) fn number(&self, at: usize) -> Option<u32> {
        match self.kind(at) {
            Some(Kind::Number(value)) => Some(value),
            _ => None,
        }
    }

    /// The place after a phrase that stands here.
    pub(super) fn after(&self, at: usize, phrase: &str) -> Option<usize> {
        let mut place = at;
        for word in phrase.split_ascii_whitespace() {
            if self.norm(place) != word {
                return None;
            }
            place += 1;
        }
        Some(place)
    }

    /// The place after the first of these phrases that stands here; a bar stands between two phrases.
    pub(super) fn after_any(&self, at: usize, phrases: &str) -> Option<usize> {
        if self.kind(at) != Some(Kind::Word) {
            return None;
        }
        behind(phrases, b'|', self.norm(at)).find_map(|rest| match rest.as_bytes().first() {
            None | Some(b'|') => Some(at + 1),
            Some(b' ') => self.after(at + 1, rest.split('|').next().unwrap_or_default()),
            Some(_) => None,
        })
    }

    /// The first place in a range where one of these phrases stands.
    pub(super) fn find(&self, range: Range<usize>, phrases: &str) -> Option<usize> {
        range.into_iter().find(|at| self.after_any(*at, phrases).is_some())
    }

    /// The bytes of a range of tokens.
    pub(super) fn bytes(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.tokens.get(range.start).map_or(self.message.len(), |token| token.start);
        let end = range.end.checked_sub(1).and_then(|last| self.tokens.get(last)).map_or(start, |token| token.end);
        start..end.max(start)
    }

    /// The message's own letters of a range of tokens.
    pub(super) fn slice(&self, range: &Range<usize>) -> &'m str {
        self.message.get(self.bytes(range)).unwrap_or_default()
    }

    /// Whether a comma, a bracket or the like stands here.
    pub(super) fn is_mark(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Mark)
    }

    /// What follows `text:` is copy, up to the end of its sentence.
    fn hide_copy(&mut self, first: usize) {
        let Some(colon) =
            (first + 1..self.len()).find(|at| self.norm(*at) == ":" && self.has(at - 1, COPY) && at - first > 1)
        else {
            return;
        };
        let quoted = matches!(self.kind(colon + 1), Some(Kind::Quote));
        let end = (colon + 1..self.len()).find(|at| self.ends_sentence(*at)).unwrap_or(self.len());
        if !quoted && end > colon + 1 {
            let bytes = self.bytes(&(colon + 1..end));
            self.tokens.splice(colon + 1..end, [opaque(bytes.start, bytes.end, Kind::Quote)]);
        }
    }

    /// The block ends with `text:`, so that the next one is copy.
    fn announces_copy(&self, first: usize) -> bool {
        let last = self.len();
        last > first + 1 && self.norm(last - 1) == ":" && self.has(last - 2, COPY)
    }

    fn ends_sentence(&self, at: usize) -> bool {
        self.is_mark(at) && self.is_one_of(at, ". ! ? ;")
    }

    /// The sentences of a block, whose tokens are the last ones.
    fn split(&mut self, block: &Block, first: usize) {
        let mut start = first;
        for at in first..self.len() {
            let ends = self.ends_sentence(at) && !(self.norm(at) == "." && self.stands_in_the_middle(at));
            if !ends && at + 1 < self.len() && !self.closes_with_quote(at) {
                continue;
            }
            let asks = (at + 1..self.len().min(at + 4))
                .take_while(|next| self.ends_sentence(*next))
                .any(|at| self.norm(at) == "?");
            let tokens = start..at + 1 - usize::from(ends);
            start = at + 1;
            if tokens.is_empty() {
                continue;
            }
            self.sentences.push(Sentence {
                polite: tokens.clone().any(|at| self.is_one_of(at, "please pls plz bitte")),
                opens_line: tokens.start == first,
                opens_paragraph: tokens.start == first && block.opens_paragraph,
                tokens,
                asks: self.norm(at) == "?" || asks,
                heads: self.norm(at) == ":",
                item: match block.kind {
                    BlockKind::Item(indent) => Some(indent),
                    _ => None,
                },
                pasted: matches!(block.kind, BlockKind::Pasted | BlockKind::Trace),
            });
        }
    }

    /// A quotation that ends with a stop of its own, before a capital letter.
    fn closes_with_quote(&self, at: usize) -> bool {
        let quoted = self.slice(&(at..at + 1)).trim_end_matches(['"', '”', '“', '»', '\'', '’']);
        let next = self.slice(&(at + 1..at + 2));
        self.kind(at) == Some(Kind::Quote) && quoted.ends_with(['.', '!', '?']) && next.starts_with(char::is_uppercase)
    }

    /// The point of `e.g.`, `etc.` and `vs.`: what follows goes on in small letters.
    fn stands_in_the_middle(&self, at: usize) -> bool {
        if at > 0 && self.is_one_of(at - 1, "dr mr mrs ms prof st") && self.kind(at + 1) == Some(Kind::Word) {
            return true;
        }
        at > 0 && self.is_one_of(at - 1, "eg e.g ie i.e vs etc approx incl max min no st dr mr mrs ca") && {
            let next = self.slice(&(at + 1..at + 2));
            !next.starts_with(char::is_uppercase)
        }
    }

    /// Whether a list goes on here: a comma, `and`, or both.
    pub(super) fn joins(&self, at: usize) -> bool {
        self.norm(at) == "," || self.has(at, AND)
    }
}

/// What stands behind a word in the entries of a list that begin with it. The lists are long, and asked at every word.
fn behind<'l>(list: &'l str, separator: u8, word: &str) -> impl Iterator<Item = &'l str> {
    let mut rest = Some(list).filter(|_| !word.is_empty());
    std::iter::from_fn(move || {
        while let Some(entry) = rest {
            rest = memchr::memchr(separator, entry.as_bytes()).and_then(|end| entry.get(end + 1..));
            if let Some(behind) = entry.strip_prefix(word) {
                return Some(behind);
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_whole_and_a_phrase_to_its_end() {
        let text = Text::new("we want to add maps");
        for (words, found) in [("we", true), ("web we", true), ("w web", false), ("went west", false), ("", false)] {
            assert_eq!(text.is_one_of(0, words), found, "{words}");
        }
        for (phrases, next) in [
            ("we", Some(1)),
            ("we wanted|we want", Some(2)),
            ("we want to add|we", Some(4)),
            ("we|we want", Some(1)),
            ("web|want", None),
            ("we need", None),
            ("", None),
        ] {
            assert_eq!(text.after_any(0, phrases), next, "{phrases}");
        }
        assert_eq!(text.after_any(4, "maps of"), None, "the message ends");
    }

    fn sentences(message: &str) -> Vec<&str> {
        let text = Text::new(message);
        text.sentences.iter().map(|sentence| text.slice(&sentence.tokens)).collect()
    }

    #[test]
    fn sentences_end_with_their_stop_or_their_line() {
        assert_eq!(
            sentences("Add a card, e.g. for Ben. Fix App.tsx!! Why 2.5?\nremove it; keep that"),
            ["Add a card, e.g. for Ben", "Fix App.tsx", "Why 2.5", "remove it", "keep that"]
        );
    }

    #[test]
    fn copy_is_one_token() {
        let text = Text::new("Use this text: Remove all doubts, and add joy. Then fix it");
        assert!((0..text.len()).any(|at| text.slice(&(at..at + 1)) == "Remove all doubts, and add joy"));
        let text = Text::new("Put this in the hero, new text:\nDelete your fears.\nAdd joy.\n\nFix it");
        let quoted: Vec<_> = (0..text.len()).filter(|at| text.kind(*at) == Some(Kind::Quote)).collect();
        let quoted: Vec<_> = quoted.into_iter().map(|at| text.slice(&(at..at + 1))).collect();
        assert_eq!(quoted, ["Delete your fears.", "Add joy."]);
    }
}
