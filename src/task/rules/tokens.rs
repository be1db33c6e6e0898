//! Words, numbers, quotations and paths of a message, in lines and sentences. One pass; opaque tokens are never read as words.

use super::lexicon::{COPY, Classes, classes};
use super::lines::{Line, LineKind, lines};
use std::ops::Range;

/// A word, a mark, or a stretch of text that is not read.
#[derive(Debug)]
struct Token {
    kind: Kind,
    bytes: Range<usize>,
    /// Lower-case without apostrophes; empty where the token is opaque.
    norm: String,
    classes: Classes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    /// In digits or in words.
    Number(u32),
    Mark,
    /// In quotation marks, or pasted.
    Quote,
    Path,
    /// A stack trace or the output of a tool.
    Trace,
}

/// Tokens up to the end of a sentence or of its line.
#[derive(Debug, Clone)]
pub(super) struct Sentence {
    pub tokens: Range<usize>,
    /// It ends with a question mark.
    pub asks: bool,
    /// It ends with a colon: the lines after it belong to it.
    pub heads: bool,
    /// It is in an item of a list.
    pub is_item: bool,
    pub opens_paragraph: bool,
    pub is_pasted: bool,
}

/// A message as tokens.
pub(super) struct Text<'m> {
    pub message: &'m str,
    tokens: Vec<Token>,
    pub sentences: Vec<Sentence>,
}

impl<'m> Text<'m> {
    pub(super) fn new(message: &'m str) -> Self {
        let mut text = Self { message, tokens: Vec::new(), sentences: Vec::new() };
        // After "new text:" at the end of a line, the next paragraph is copy.
        let mut is_copy = false;
        for line in lines(message) {
            let first = text.tokens.len();
            is_copy &= !line.opens_paragraph || text.announces_copy();
            match line.kind {
                LineKind::Trace => text.push_opaque(line.bytes.clone(), Kind::Trace),
                LineKind::Pasted => text.push_opaque(line.bytes.clone(), Kind::Quote),
                _ if is_copy => text.push_opaque(line.bytes.clone(), Kind::Quote),
                _ => {
                    text.read(&line.bytes);
                    text.hide_copy(first);
                }
            }
            is_copy |= text.announces_copy();
            text.split(&line, first);
        }
        text
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The normalised word; empty past the end and for an opaque token.
    pub(super) fn norm(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.norm.as_str())
    }

    /// Whether the token is one of these words.
    pub(super) fn is(&self, at: usize, words: &str) -> bool {
        let norm = self.norm(at);
        !norm.is_empty() && words.split(' ').any(|word| word == norm)
    }

    /// Whether the token is in any of the classes.
    pub(super) fn has(&self, at: usize, classes: Classes) -> bool {
        self.tokens.get(at).is_some_and(|token| token.classes & classes != 0)
    }

    pub(super) fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    pub(super) fn number(&self, at: usize) -> Option<u32> {
        match self.kind(at) {
            Some(Kind::Number(value)) => Some(value),
            _ => None,
        }
    }

    /// The place after the first of these phrases that starts at a token. A bar separates phrases.
    pub(super) fn after(&self, at: usize, phrases: &str) -> Option<usize> {
        phrases.split('|').find_map(|phrase| {
            let mut end = at;
            for word in phrase.split(' ') {
                if self.norm(end) != word {
                    return None;
                }
                end += 1;
            }
            Some(end)
        })
    }

    /// Where one of these phrases starts.
    pub(super) fn find(&self, mut range: Range<usize>, phrases: &str) -> Option<usize> {
        range.find(|at| self.after(*at, phrases).is_some())
    }

    pub(super) fn any(&self, mut range: Range<usize>, classes: Classes) -> bool {
        range.any(|at| self.has(at, classes))
    }

    pub(super) fn is_word(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Word)
    }

    /// The bytes of a range of tokens.
    pub(super) fn bytes(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.tokens.get(range.start).map_or(self.message.len(), |token| token.bytes.start);
        let end =
            range.end.checked_sub(1).and_then(|last| self.tokens.get(last)).map_or(start, |token| token.bytes.end);
        start..end.max(start)
    }

    /// The user's own letters of a range of tokens.
    pub(super) fn slice(&self, range: &Range<usize>) -> &'m str {
        self.message.get(self.bytes(range)).unwrap_or_default()
    }

    fn push_opaque(&mut self, bytes: Range<usize>, kind: Kind) {
        self.tokens.push(Token { kind, bytes, norm: String::new(), classes: 0 });
    }

    /// Adds the tokens of a stretch of the message.
    fn read(&mut self, bytes: &Range<usize>) {
        let text = self.message.get(bytes.clone()).unwrap_or_default();
        // A quotation mark without its partner need not be searched for twice.
        let mut unclosed = [false; 4];
        let (mut at, mut before) = (0, ' ');
        while let Some(first) = text.get(at..).and_then(|rest| rest.chars().next()) {
            let rest = text.get(at..).unwrap_or_default();
            let second = rest.get(first.len_utf8()..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
            let (length, kind) = if first.is_whitespace() {
                (first.len_utf8(), None)
            } else if rest.starts_with("w/") {
                (2, Some(Kind::Word))
            } else if let Some(length) = quotation(rest, before, &mut unclosed) {
                (length, Some(Kind::Quote))
            } else if first.is_alphanumeric() || rest.starts_with("./") || first == '/' && second.is_alphanumeric() {
                let (length, kind) = word(rest);
                (length, Some(kind))
            } else if matches!(first, '$' | '€' | '£' | '#') && second.is_alphanumeric() {
                let (length, _) = word(rest.get(first.len_utf8()..).unwrap_or_default());
                (first.len_utf8() + length, Some(Kind::Word))
            } else {
                (first.len_utf8(), Some(Kind::Mark))
            };
            let length = length.max(1);
            let slice = rest.get(..length).unwrap_or(rest);
            if let Some(kind) = kind {
                self.push(slice, bytes.start + at, kind);
            }
            before = slice.chars().next_back().unwrap_or(' ');
            at += slice.len().max(1);
        }
    }

    fn push(&mut self, slice: &str, start: usize, kind: Kind) {
        let norm = match (kind, slice) {
            (Kind::Quote, _) => String::new(),
            (Kind::Mark, "–" | "—") => "-".to_owned(),
            (Kind::Mark, "…") => ".".to_owned(),
            (_, "w/") => "with".to_owned(),
            _ => slice.to_lowercase().replace(['\'', '’', '‘'], ""),
        };
        let kind = if kind == Kind::Word { number(&norm).map_or(kind, Kind::Number) } else { kind };
        let mut classes = classes(&norm);
        if kind == Kind::Word && is_digit_ordinal(&norm) {
            classes |= super::lexicon::ORDINAL;
        }
        self.tokens.push(Token { kind, bytes: start..start + slice.len(), norm, classes });
    }

    /// What follows `text:` in a line is copy, up to the end of its sentence.
    fn hide_copy(&mut self, first: usize) {
        let found = (first + 2..self.len()).find(|at| self.norm(*at) == ":" && self.has(at - 1, COPY));
        let Some(colon) = found.filter(|colon| self.kind(colon + 1) != Some(Kind::Quote)) else { return };
        let end = (colon + 1..self.len()).find(|at| self.is(*at, ". ! ? ;")).unwrap_or(self.len());
        if end > colon + 1 {
            let bytes = self.bytes(&(colon + 1..end));
            let opaque = Token { kind: Kind::Quote, bytes, norm: String::new(), classes: 0 };
            self.tokens.splice(colon + 1..end, [opaque]);
        }
    }

    fn announces_copy(&self) -> bool {
        let last = self.len();
        last > 2 && self.norm(last - 1) == ":" && self.has(last - 2, COPY)
    }

    /// The sentences of a line, whose tokens are the last ones.
    fn split(&mut self, line: &Line, first: usize) {
        let (mut start, mut depth) = (first, 0_usize);
        for at in first..self.len() {
            match self.norm(at) {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                _ => {}
            }
            let stops = self.is(at, ". ! ? ;") && self.kind(at) == Some(Kind::Mark);
            let ends =
                stops && !(depth > 0 && self.norm(at) == "!") && !(self.norm(at) == "." && self.is_abbreviated(at));
            if !ends && at + 1 < self.len() && !self.ends_in_quotation(at) {
                continue;
            }
            let tokens = start..at + 1 - usize::from(ends);
            start = at + 1;
            if tokens.is_empty() {
                continue;
            }
            let asks =
                (at..self.len().min(at + 4)).take_while(|next| self.is(*next, ". ! ?")).any(|at| self.norm(at) == "?");
            self.sentences.push(Sentence {
                opens_paragraph: tokens.start == first && line.opens_paragraph,
                asks,
                heads: self.norm(at) == ":",
                is_item: line.kind == LineKind::Item,
                is_pasted: matches!(line.kind, LineKind::Pasted | LineKind::Trace),
                tokens,
            });
        }
    }

    /// A quotation with a full stop of its own, before a capital letter.
    fn ends_in_quotation(&self, at: usize) -> bool {
        let quoted = self.slice(&(at..at + 1)).trim_end_matches(['"', '”', '“', '»', '\'', '’']);
        let next = self.slice(&(at + 1..at + 2));
        self.kind(at) == Some(Kind::Quote) && quoted.ends_with(['.', '!', '?']) && next.starts_with(char::is_uppercase)
    }

    /// The full stop of `e.g.` or `Dr.`.
    fn is_abbreviated(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return false };
        let next = self.slice(&(at + 1..at + 2));
        self.is(before, "dr mr mrs ms prof st") && !next.is_empty()
            || self.is(before, "eg e.g ie i.e vs etc approx incl max min no ca")
                && !next.starts_with(char::is_uppercase)
    }
}

/// Bytes within which an apostrophe closes a quotation.
const LONGEST_SINGLE_QUOTE: usize = 200;

/// The length of the quotation that starts here.
fn quotation(rest: &str, before: char, unclosed: &mut [bool; 4]) -> Option<usize> {
    let (kind, close): (usize, &[char]) = match rest.chars().next()? {
        '"' => (0, &['"']),
        '“' | '„' => (1, &['”', '“', '"']),
        '«' => (2, &['»']),
        '`' => (3, &['`']),
        '\'' | '‘' if !before.is_alphanumeric() => return single_quotation(rest),
        _ => return None,
    };
    let unclosed = unclosed.get_mut(kind).filter(|unclosed| !**unclosed)?;
    let body = rest.chars().next().map_or(0, char::len_utf8);
    let found = rest.get(body..).and_then(|text| text.char_indices().find(|(_, c)| close.contains(c)));
    *unclosed = found.is_none();
    found.map(|(at, c)| body + at + c.len_utf8())
}

/// `'Lost reason'`, but not the apostrophes of `don't` and `the users' names`.
fn single_quotation(rest: &str) -> Option<usize> {
    let mut chars = rest.char_indices().skip(1).peekable();
    if !chars.peek().is_some_and(|(_, first)| !first.is_whitespace() && *first != '\'') {
        return None;
    }
    let mut previous = ' ';
    while let Some((at, c)) = chars.next() {
        if at > LONGEST_SINGLE_QUOTE || c == '\n' {
            return None;
        }
        let ends = chars.peek().is_none_or(|(_, next)| !next.is_alphanumeric());
        if matches!(c, '\'' | '’') && ends && !previous.is_whitespace() {
            return Some(at + c.len_utf8());
        }
        previous = c;
    }
    None
}

/// The length of a word, a number or a path.
fn word(rest: &str) -> (usize, Kind) {
    if rest.starts_with("http://") || rest.starts_with("https://") {
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, ')' | '"' | '>' | ',')).unwrap_or(rest.len());
        return (end, Kind::Path);
    }
    let (mut end, mut previous) = (0, ' ');
    let mut chars = rest.char_indices().peekable();
    let (mut dotted, mut slashed) = (false, rest.starts_with(['.', '/']));
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let joins = next.is_some_and(char::is_alphanumeric);
        let goes_on = match c {
            c if c.is_alphanumeric() || c == '_' => true,
            '%' => end > 0,
            ':' | ',' => {
                next.is_some_and(|next| next.is_ascii_digit()) && (previous.is_ascii_digit() || c == ':' && dotted)
            }
            '\'' | '’' | '-' | '@' => joins && end > 0,
            '.' => {
                dotted |= joins && end > 0;
                joins || end == 0 || slashed && next == Some('/') || at == 0 && next == Some('.')
            }
            '/' => {
                slashed = true;
                joins || next == Some('.')
            }
            _ => false,
        };
        if !goes_on {
            break;
        }
        end = at + c.len_utf8();
        previous = c;
    }
    let slice = rest.get(..end).unwrap_or_default();
    (end, if (dotted || slashed) && is_path(slice) { Kind::Path } else { Kind::Word })
}

/// Names a file, a route or an address, rather than two words with a slash or a number with a point.
fn is_path(text: &str) -> bool {
    const ENDINGS: &str = "tsx ts jsx js mjs cjs css scss less json html md mdx svg png jpg jpeg webp gif ico txt csv yml \
                           yaml toml pdf mp3 mp4 woff2 env";
    let name = text.rsplit('/').next().unwrap_or_default();
    let ending = name.rsplit_once('.').map(|(_, end)| end.split(':').next().unwrap_or_default());
    ending.is_some_and(|end| ENDINGS.split(' ').any(|known| known.eq_ignore_ascii_case(end)))
        || ["./", "../", "src/", "@/", "public/"].iter().any(|start| text.starts_with(start))
        || text.strip_prefix('/').is_some_and(|route| route.starts_with(char::is_alphanumeric))
}

/// `7th`
fn is_digit_ordinal(norm: &str) -> bool {
    let number = norm.trim_end_matches(|c: char| c.is_ascii_lowercase());
    matches!(norm.get(number.len()..), Some("st" | "nd" | "rd" | "th")) && number.parse::<u32>().is_ok()
}

/// The number that a word is. `3D`, `24/7`, `14px` and `2.5` are not.
fn number(norm: &str) -> Option<u32> {
    const NUMBERS: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen \
                           sixteen seventeen eighteen nineteen twenty";
    const TENS: &str = "- - - thirty forty fifty sixty seventy eighty ninety";
    if norm.starts_with(|c: char| c.is_ascii_digit()) {
        return norm.replace(',', "").parse().ok();
    }
    let of = |words: &str| words.split(' ').position(|known| known == norm).and_then(|value| u32::try_from(value).ok());
    of(NUMBERS).or_else(|| of(TENS).map(|tens| tens * 10)).or((norm == "hundred").then_some(100))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: Kind, text: &str) -> Vec<&str> {
        let read = Text::new(text);
        let found: Vec<usize> = (0..read.len()).filter(|at| read.kind(*at) == Some(kind)).collect();
        found.into_iter().map(|at| read.slice(&(at..at + 1))).collect()
    }

    fn sentences(message: &str) -> Vec<&str> {
        let text = Text::new(message);
        text.sentences.iter().map(|sentence| text.slice(&sentence.tokens)).collect()
    }

    #[test]
    fn a_quotation_is_one_token() {
        let text = "the 'Lost reason' field isn't “Add more”, \"Fix\" nor `a b`, the users' names and \"open";
        assert_eq!(of(Kind::Quote, text), ["'Lost reason'", "“Add more”", "\"Fix\"", "`a b`"]);
    }

    #[test]
    fn a_path_is_not_a_word() {
        let text = "in src/App.tsx, Footer.tsx:42. and/or ./a/b light/dark /about e.g. v2.0 https://a.b/c x/10 end.";
        assert_eq!(of(Kind::Path, text), ["src/App.tsx", "Footer.tsx:42", "./a/b", "/about", "https://a.b/c"]);
    }

    #[test]
    fn a_number_is_written_in_digits_or_words() {
        for (word, value) in [
            ("2", Some(2)),
            ("1,200", Some(1200)),
            ("five", Some(5)),
            ("forty", Some(40)),
            ("3d", None),
            ("14px", None),
        ] {
            assert_eq!(number(word), value, "{word}");
        }
        assert_eq!((number("2.5"), number("99999999999"), number("a"), number("")), (None, None, None, None));
    }

    #[test]
    fn a_sentence_ends_with_its_stop_or_its_line() {
        assert_eq!(
            sentences("Add a card, e.g. for Ben. Fix App.tsx!! Why 2.5?\nremove it; keep that"),
            ["Add a card, e.g. for Ben", "Fix App.tsx", "Why 2.5", "remove it", "keep that"]
        );
    }

    #[test]
    fn announced_copy_is_one_token() {
        assert_eq!(
            of(Kind::Quote, "Use this text: Remove all doubts, and add joy. Then fix it"),
            ["Remove all doubts, and add joy"]
        );
        let text = "Put this in the hero, new text:\nDelete your fears.\nAdd joy.\n\nFix it";
        assert_eq!(of(Kind::Quote, text), ["Delete your fears.", "Add joy."]);
    }
}
