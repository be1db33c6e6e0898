//! Words, numbers, quotations and paths of a message, in sentences. One pass; opaque tokens are never read as words.

use super::lines::{Line, LineKind, lines};
use super::words::{COPY, Classes, FUNCTION, ORDINAL, classes};
use crate::text::prefix;
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
        let before = || opaque(0..0, Kind::Mark);
        let mut text = Self { message, tokens: vec![before(), before()], sentences: Vec::new() };
        for line in lines(message) {
            let first = text.tokens.len();
            match line.kind {
                LineKind::Trace => text.tokens.push(opaque(line.bytes.clone(), Kind::Trace)),
                LineKind::Pasted => text.tokens.push(opaque(line.bytes.clone(), Kind::Quote)),
                LineKind::Prose | LineKind::Item => {
                    text.read(&line.bytes);
                    text.hide_copy(first);
                }
            }
            if line.kind == LineKind::Item
                && let Some(before) = text.sentences.last_mut()
            {
                before.heads |= !before.is_item;
            }
            text.split(&line, first);
        }
        text
    }

    /// The places of all tokens. Two empty ones are before them, so that the words before a word can be asked for.
    pub(super) fn all(&self) -> Range<usize> {
        2..self.tokens.len()
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

    pub(super) fn is_word(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Word)
    }

    pub(super) fn is_mark(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Mark)
    }

    pub(super) fn is_capital(&self, at: usize) -> bool {
        self.slice(&(at..at + 1)).starts_with(char::is_uppercase)
    }

    pub(super) fn number(&self, at: usize) -> Option<u32> {
        match self.kind(at) {
            Some(Kind::Number(value)) => Some(value),
            _ => None,
        }
    }

    /// Whether a token says what a clause is about.
    pub(super) fn is_specific(&self, at: usize) -> bool {
        match self.kind(at) {
            // An about page: the word is its name.
            Some(Kind::Word) if self.norm(at) == "about" => self.is(at + 1, "page section screen tab link us me"),
            Some(Kind::Word) => !self.has(at, FUNCTION),
            Some(Kind::Quote | Kind::Path | Kind::Trace) => true,
            Some(Kind::Number(number)) => number >= 100,
            Some(Kind::Mark) | None => false,
        }
    }

    /// The place after the first of these phrases that starts at a token. A bar separates phrases.
    pub(super) fn after(&self, at: usize, phrases: &str) -> Option<usize> {
        let first = Some(self.norm(at)).filter(|first| !first.is_empty())?;
        phrases
            .split('|')
            .filter(|phrase| phrase.starts_with(first))
            .find_map(|phrase| phrase.split(' ').try_fold(at, |at, word| (self.norm(at) == word).then_some(at + 1)))
    }

    /// Where one of these phrases starts.
    pub(super) fn find(&self, mut range: Range<usize>, phrases: &str) -> Option<usize> {
        range.find(|at| self.after(*at, phrases).is_some())
    }

    pub(super) fn says(&self, range: &Range<usize>, phrases: &str) -> bool {
        self.find(range.clone(), phrases).is_some()
    }

    pub(super) fn any(&self, mut range: Range<usize>, classes: Classes) -> bool {
        range.any(|at| self.has(at, classes))
    }

    /// Where a colon ends a label of at most so many words.
    pub(super) fn colon(&self, words: &Range<usize>, most: usize) -> Option<usize> {
        (words.start + 1..words.end.min(words.start + most)).find(|at| self.norm(*at) == ":")
    }

    /// The bytes of a range of tokens.
    pub(super) fn bytes(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.tokens.get(range.start).map_or(self.message.len(), |token| token.bytes.start);
        let last = range.end.checked_sub(1).and_then(|last| self.tokens.get(last));
        start..last.map_or(start, |token| token.bytes.end).max(start)
    }

    /// The user's own letters of a range of tokens.
    pub(super) fn slice(&self, range: &Range<usize>) -> &'m str {
        self.message.get(self.bytes(range)).unwrap_or_default()
    }

    /// Adds the tokens of a stretch of the message.
    fn read(&mut self, bytes: &Range<usize>) {
        let text = self.message.get(bytes.clone()).unwrap_or_default();
        let (mut at, mut before) = (0, ' ');
        // A quotation mark without its partner is not searched for twice.
        let mut unclosed = String::new();
        while let Some(first) = text.get(at..).and_then(|rest| rest.chars().next()) {
            let rest = text.get(at..).unwrap_or_default();
            let (length, kind) = if first.is_whitespace() {
                (0, None)
            } else if let Some(length) = quotation(rest, before, &mut unclosed) {
                (length, Some(Kind::Quote))
            } else if let Some(length) = call(rest, before) {
                (length, Some(Kind::Quote))
            } else if first.is_alphanumeric()
                || matches!(first, '.' | '/') && word(rest) > 1
                || first == '-' && before.is_whitespace() && rest.chars().nth(1).is_some_and(|c| c.is_ascii_digit())
            {
                let length = word(rest);
                let is_path = rest.get(..length).is_some_and(is_path);
                (length, Some(if is_path { Kind::Path } else { Kind::Word }))
            } else {
                (0, Some(Kind::Mark))
            };
            let slice = rest.get(..length.max(first.len_utf8())).unwrap_or(rest);
            if let Some(kind) = kind {
                self.push(slice, bytes.start + at, kind);
            }
            before = slice.chars().next_back().unwrap_or(' ');
            at += slice.len();
        }
    }

    fn push(&mut self, slice: &str, start: usize, kind: Kind) {
        let norm = match (kind, slice) {
            (Kind::Quote, _) => String::new(),
            (Kind::Mark, "–" | "—") => "-".to_owned(),
            (Kind::Mark, "…") => ".".to_owned(),
            _ => slice.to_lowercase().replace(['\'', '’', '‘'], ""),
        };
        let kind = if kind == Kind::Word { number(&norm).map_or(kind, Kind::Number) } else { kind };
        let classes = if kind == Kind::Word && is_digit_ordinal(&norm) { ORDINAL } else { classes(&norm) };
        self.tokens.push(Token { kind, bytes: start..start + slice.len(), norm, classes });
    }

    /// What follows `text:` in a line is copy, up to the end of its sentence.
    fn hide_copy(&mut self, first: usize) {
        let found = (first + 2..self.tokens.len()).find(|at| self.norm(*at) == ":" && self.has(at - 1, COPY));
        let Some(start) = found.map(|colon| colon + 1).filter(|start| self.kind(*start) != Some(Kind::Quote)) else {
            return;
        };
        let end = (start..self.tokens.len()).find(|at| self.is(*at, ". ! ? ;")).unwrap_or(self.tokens.len());
        if end > start {
            let copy = opaque(self.bytes(&(start..end)), Kind::Quote);
            self.tokens.splice(start..end, [copy]);
        }
    }

    /// The sentences of a line, whose tokens are the last ones.
    fn split(&mut self, line: &Line, first: usize) {
        let mut is_item = line.kind == LineKind::Item;
        // The number of the next item in a line such as `1) a hero 2) a menu`, and whether stops follow the numbers.
        let mut next = 1 + u32::from(is_item);
        let before = self.message.get(..line.bytes.start).unwrap_or_default();
        let mut has_stops = is_item && before.trim_end().ends_with("1.");
        let (mut start, mut depth) = (first, 0_usize);
        for at in first..self.tokens.len() {
            depth = (depth + usize::from(self.norm(at) == "(")).saturating_sub(usize::from(self.norm(at) == ")"));
            let stops =
                self.is_mark(at) && self.is(at, ". ! ? ; ？") && !(self.norm(at) == "." && self.is_abbreviated(at));
            let is_stop = self.norm(at + 2) == "." && at + 3 < self.tokens.len();
            let closes = self.norm(at + 2) == ")" || is_stop && (has_stops || next == 1 && self.norm(at) == ":");
            let numbers = depth == 0 && self.number(at + 1) == Some(next) && closes;
            if !stops && !numbers && at + 1 < self.tokens.len() {
                continue;
            }
            let tokens = start..at + usize::from(!stops);
            if !tokens.is_empty() {
                let ends = (at..at + 4).take_while(|next| self.is(*next, ". ! ? ？"));
                self.sentences.push(Sentence {
                    asks: ends.into_iter().any(|at| self.is(at, "? ？")),
                    opens_paragraph: tokens.start == first && line.opens_paragraph,
                    heads: self.norm(at) == ":",
                    is_item,
                    is_pasted: matches!(line.kind, LineKind::Pasted | LineKind::Trace),
                    tokens,
                });
            }
            start = at + 1;
            if numbers {
                has_stops |= is_stop;
                (start, next, is_item) = (at + 3, next + 1, true);
            }
        }
    }

    /// The full stop of `e.g.` or `Dr.`.
    fn is_abbreviated(&self, at: usize) -> bool {
        self.is(at - 1, "dr mr mrs ms prof st")
            || self.is(at - 1, "eg e.g ie i.e vs etc approx incl max min no ca") && !self.is_capital(at + 1)
    }
}

fn opaque(bytes: Range<usize>, kind: Kind) -> Token {
    Token { kind, bytes, norm: String::new(), classes: 0 }
}

/// Bytes within which an apostrophe closes a quotation.
const LONGEST_SINGLE_QUOTE: usize = 200;

/// Bytes of a call that is read as code.
const LONGEST_CALL: usize = 80;

/// The length of the quotation that starts here: `'Lost reason'`, but not the apostrophes of `don't` and `the users' names`.
fn quotation(rest: &str, before: char, unclosed: &mut String) -> Option<usize> {
    let open = rest.chars().next()?;
    let close: &[char] = match open {
        '"' | '„' | '“' => &['"', '”', '“'],
        '«' => &['»'],
        '`' => &['`'],
        '\'' | '‘' if !before.is_alphanumeric() => &['\'', '’'],
        _ => return None,
    };
    let is_single = close.contains(&'\'');
    let body = rest.get(open.len_utf8()..)?;
    if unclosed.contains(open) || is_single && body.starts_with(|c: char| c.is_whitespace() || c == '\'') {
        return None;
    }
    let body = if is_single { prefix(body, LONGEST_SINGLE_QUOTE) } else { body };
    let ends = |at: usize, c: char| {
        let next = body.get(at + c.len_utf8()..).and_then(|rest| rest.chars().next());
        !is_single
            || !next.is_some_and(char::is_alphanumeric) && !body.get(..at).is_some_and(|text| text.ends_with(' '))
    };
    let found = body.char_indices().find(|(at, c)| close.contains(c) && ends(*at, *c));
    if found.is_none() && !is_single {
        unclosed.push(open);
    }
    found.map(|(at, c)| open.len_utf8() + at + c.len_utf8())
}

/// The length of a call in code: `add(1, f(2))`, but not "item(s)".
fn call(rest: &str, before: char) -> Option<usize> {
    const PLURALS: [&str; 6] = ["s", "es", "ies", "n", "en", "innen"];
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$');
    let near = rest.get(..rest.floor_char_boundary(LONGEST_CALL))?;
    let name = near.find(|c: char| !is_name(c)).filter(|name| *name > 0 && !is_name(before))?;
    let mut depth = 0_usize;
    let end = near.get(name..)?.char_indices().find(|(_, c)| {
        depth = (depth + usize::from(*c == '(')).saturating_sub(usize::from(*c == ')'));
        depth == 0
    })?;
    let arguments = near.get(name..name + end.0)?.strip_prefix('(')?;
    (!PLURALS.contains(&arguments)).then_some(name + end.0 + 1)
}

/// The length of a word, a number or a path.
fn word(rest: &str) -> usize {
    if rest.starts_with("http://") || rest.starts_with("https://") {
        return rest.find(|c: char| c.is_whitespace() || matches!(c, ')' | '"' | '>' | ',')).unwrap_or(rest.len());
    }
    let (mut chars, mut before) = (rest.char_indices().peekable(), ' ');
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map_or(' ', |(_, next)| *next);
        let goes_on = match c {
            '\'' | '’' | '-' | '@' | '/' => next.is_alphanumeric(),
            '.' => next.is_alphanumeric() || next == '/',
            ':' | ',' => next.is_ascii_digit() && before.is_alphanumeric(),
            '_' | '%' => at > 0,
            _ => c.is_alphanumeric(),
        };
        if !goes_on {
            return at;
        }
        before = c;
    }
    rest.len()
}

/// Names a file, a route or an address, rather than two words with a slash or a number with a point.
fn is_path(text: &str) -> bool {
    const ENDINGS: &str = "tsx ts jsx js mjs cjs css scss less json html md mdx svg png jpg jpeg webp gif ico txt csv yml \
                           yaml toml pdf mp3 mp4 woff2 env";
    let ending = crate::path::extension(text).split(':').next().unwrap_or_default();
    ENDINGS.split(' ').any(|known| known.eq_ignore_ascii_case(ending))
        || ["./", "../", "src/", "@/", "public/", "/", "http"].iter().any(|start| text.starts_with(start))
            && text.contains('/')
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
    const TENS: &str = "- - - thirty forty fifty sixty seventy eighty ninety hundred";
    if norm.starts_with(|c: char| c.is_ascii_digit()) {
        return norm.replace(',', "").parse().ok();
    }
    let of = |words: &str| words.split(' ').position(|known| known == norm).and_then(|value| u32::try_from(value).ok());
    of(NUMBERS).or_else(|| of(TENS).map(|tens| tens * 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens_of(kind: Kind, message: &str) -> Vec<&str> {
        let text = Text::new(message);
        let found = text.all().filter(|at| text.kind(*at) == Some(kind));
        found.map(|at| text.slice(&(at..at + 1))).collect()
    }

    #[test]
    fn quotations_announced_copy_and_paths_are_opaque() {
        let text = "the 'Lost reason' field isn't “Add more”, \"Fix\" nor `a b`, the users' names and \"open";
        assert_eq!(tokens_of(Kind::Quote, text), ["'Lost reason'", "“Add more”", "\"Fix\"", "`a b`"]);
        let text = "Use fetchOnce(...) in place of load(f(1), \"a\") for the item(s) (or two)";
        assert_eq!(tokens_of(Kind::Quote, text), ["fetchOnce(...)", "load(f(1), \"a\")"]);
        let text = "Use this text: Remove all doubts, and add joy. Then fix it";
        assert_eq!(tokens_of(Kind::Quote, text), ["Remove all doubts, and add joy"]);
        let text = "in src/App.tsx, Footer.tsx:42. and/or ./a/b light/dark /about e.g. v2.0 https://a.b/c x/10 end.";
        assert_eq!(tokens_of(Kind::Path, text), ["src/App.tsx", "Footer.tsx:42", "./a/b", "/about", "https://a.b/c"]);
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
            ("2.5", None),
            ("99999999999", None),
            ("", None),
        ] {
            assert_eq!(number(word), value, "{word}");
        }
    }

    #[test]
    fn a_sentence_ends_with_its_stop_its_line_or_before_a_numbered_item() {
        let text =
            Text::new("Add a card, e.g. for Ben. Fix App.tsx!! Why 2.5?\ntodo: 1) a hero (2) 2) a map; keep that");
        let sentences: Vec<_> = text.sentences.iter().map(|sentence| text.slice(&sentence.tokens)).collect();
        let expected =
            ["Add a card, e.g. for Ben", "Fix App.tsx", "Why 2.5", "todo:", "a hero (2)", "a map", "keep that"];
        assert_eq!(sentences, expected);
        for (message, expected) in [
            ("1. add login 2. add 3 cards 3. fix it", &["add login", "add 3 cards", "fix it"][..]),
            ("Please: 1. add login 2. fix the menu", &["Please:", "add login", "fix the menu"]),
            ("- Add step 2. Fix it", &["Add step 2", "Fix it"]),
            ("1. Upgrade to version 2.", &["Upgrade to version 2"]),
            ("Swap step 1. and 2. now", &["Swap step 1", "and 2", "now"]),
        ] {
            let text = Text::new(message);
            let sentences: Vec<_> = text.sentences.iter().map(|sentence| text.slice(&sentence.tokens)).collect();
            assert_eq!(sentences, expected, "{message}");
        }
    }
}
