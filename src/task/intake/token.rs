//! The words of a message.

use super::lexicon::{Classes, look_up};

/// A word, a number, a mark, or something that is read as one thing: a quotation, a path, code.
#[derive(Debug)]
pub(super) struct Token {
    pub kind: Kind,
    /// Bytes of the message.
    pub start: usize,
    pub end: usize,
    /// Lower-case, without apostrophes and accents; empty for what is opaque.
    pub norm: String,
    pub classes: Classes,
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
    /// A stack trace.
    Trace,
}

/// No apostrophe further away than this ends a quotation.
const LONGEST_SINGLE_QUOTE: usize = 200;

/// The tokens of a part of the message, which starts at byte `offset` of it.
pub(super) fn tokens(text: &str, offset: usize, tokens: &mut Vec<Token>) {
    let mut at = 0;
    // A kind of quotation mark that does not close again need not be looked for twice.
    let mut open_for_good = [false; 4];
    while let Some(first) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(at..).unwrap_or_default();
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let quote = quotation(rest, before, &mut open_for_good);
        let (length, kind) = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if rest.get(..2).is_some_and(|two| two.eq_ignore_ascii_case("w/")) {
            (2, Kind::Word)
        } else if let Some(length) = quote {
            (length, Kind::Quote)
        } else if first.is_alphanumeric() || rest.starts_with("./") || rest.starts_with('/') && is_path(rest) {
            word(rest)
        } else if matches!(first, '$' | '€' | '£' | '#') && rest.get(1..).is_some_and(starts_alphanumeric) {
            let (length, _) = word(rest.get(first.len_utf8()..).unwrap_or_default());
            (first.len_utf8() + length, Kind::Word)
        } else {
            (first.len_utf8(), Kind::Mark)
        };
        let slice = rest.get(..length).unwrap_or(rest);
        push(tokens, slice, offset + at, kind);
        at += length.max(1);
    }
}

/// A block that is read as one thing.
pub(super) fn opaque(start: usize, end: usize, kind: Kind) -> Token {
    Token { kind, start, end, norm: String::new(), classes: 0 }
}

fn push(tokens: &mut Vec<Token>, slice: &str, start: usize, kind: Kind) {
    let end = start + slice.len();
    let norm = match kind {
        Kind::Quote | Kind::Trace => String::new(),
        Kind::Mark if matches!(slice, "–" | "—") => "-".to_owned(),
        Kind::Mark if slice == "…" => ".".to_owned(),
        _ => normal(slice),
    };
    let kind = match kind {
        Kind::Word => number(&norm).map_or(kind, Kind::Number),
        _ => kind,
    };
    let classes = look_up(&norm);
    tokens.push(Token { kind, start, end, norm, classes });
}

fn starts_alphanumeric(text: &str) -> bool {
    text.starts_with(char::is_alphanumeric)
}

/// The length of the quotation that starts here.
fn quotation(rest: &str, before: Option<char>, open_for_good: &mut [bool; 4]) -> Option<usize> {
    let inside = before.is_some_and(char::is_alphanumeric);
    let (kind, close): (usize, &[char]) = match rest.chars().next()? {
        '"' => (0, &['"']),
        '“' | '„' => (1, &['”', '“', '"']),
        '«' => (2, &['»']),
        '`' => (3, &['`']),
        '\'' | '‘' if !inside => return single_quotation(rest),
        _ => return None,
    };
    if open_for_good.get(kind) == Some(&true) {
        return None;
    }
    let body = rest.char_indices().nth(1).map_or(rest.len(), |(at, _)| at);
    match rest.get(body..).and_then(|text| text.char_indices().find(|(_, c)| close.contains(c))) {
        Some((at, c)) => Some(body + at + c.len_utf8()),
        None => {
            open_for_good.iter_mut().skip(kind).take(1).for_each(|open| *open = true);
            None
        }
    }
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
    let mut end = 0;
    let mut chars = rest.char_indices().peekable();
    let (mut dotted, mut slashed) = (false, rest.starts_with(['.', '/']));
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let joins = next.is_some_and(char::is_alphanumeric);
        let goes_on = match c {
            c if c.is_alphanumeric() || c == '_' => true,
            '%' if end > 0 => true,
            ':' | ',' => {
                let digit = next.is_some_and(|next| next.is_ascii_digit());
                let after = rest.get(..at).is_some_and(|before| before.ends_with(|c: char| c.is_ascii_digit()));
                digit && (after || c == ':' && dotted)
            }
            '\'' | '’' | '-' | '@' => joins && end > 0,
            '.' => {
                dotted |= joins && end > 0;
                joins || end == 0 || next == Some('/') && slashed || next == Some('.') && at == 0
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
    }
    let slice = rest.get(..end).unwrap_or_default();
    let kind = if (dotted || slashed) && is_path(slice) { Kind::Path } else { Kind::Word };
    (end, kind)
}

/// Names a file, a route or an address, rather than two words with a slash or a number with a point.
fn is_path(text: &str) -> bool {
    let text = text.split(char::is_whitespace).next().unwrap_or_default();
    let name = text.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map(|(_, end)| end.split(':').next().unwrap_or_default());
    let file = extension.is_some_and(|end| {
        const ENDINGS: &str = "tsx ts jsx js mjs cjs css scss less json html md mdx svg png jpg jpeg webp gif ico \
                               txt \
                               csv yml yaml toml pdf mp3 mp4 woff2 env";
        ENDINGS.split_ascii_whitespace().any(|known| known.eq_ignore_ascii_case(end))
    });
    let rooted = ["./", "../", "src/", "@/", "public/"].iter().any(|start| text.starts_with(start));
    let route = text.strip_prefix('/').is_some_and(starts_alphanumeric);
    file || rooted || route
}

/// Lower-case, without apostrophes and accents.
fn normal(slice: &str) -> String {
    let mut norm = String::with_capacity(slice.len());
    for c in slice.chars().flat_map(char::to_lowercase) {
        match c {
            '\'' | '’' | '‘' => {}
            'à'..='å' => norm.push('a'),
            'ç' => norm.push('c'),
            'è'..='ë' => norm.push('e'),
            'ì'..='ï' => norm.push('i'),
            'ñ' => norm.push('n'),
            'ò'..='ö' => norm.push('o'),
            'ù'..='ü' => norm.push('u'),
            'ß' => norm.push_str("ss"),
            other => norm.push(other),
        }
    }
    if norm == "w/" {
        return "with".to_owned();
    }
    // French and German commands: `ajoute-moi`, `crée-nous`; `re-order` is `reorder`.
    if let Some((verb, "moi" | "nous" | "me" | "mir")) = norm.split_once('-') {
        return verb.to_owned();
    }
    match norm.strip_prefix("re-") {
        Some(rest) => format!("re{rest}"),
        None => norm,
    }
}

/// Words for numbers by their value, in four languages.
const NUMBERS: [&str; 21] = [
    "zero null",
    "one eins",
    "two zwei deux dos",
    "three drei trois tres",
    "four vier quatre cuatro",
    "five funf cinq cinco",
    "six sechs seis",
    "seven sieben sept siete",
    "eight acht huit ocho",
    "nine neun neuf nueve",
    "ten zehn dix diez",
    "eleven elf",
    "twelve zwolf douze doce",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty zwanzig vingt veinte",
];
const TENS: [&str; 10] = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// The number that a word is. `3D`, `24/7`, `14px` and `2.5` are none.
pub(super) fn number(norm: &str) -> Option<u32> {
    if norm.starts_with(|c: char| c.is_ascii_digit()) {
        let plain: String = norm.chars().filter(|c| *c != ',').collect();
        return plain.bytes().all(|byte| byte.is_ascii_digit()).then(|| plain.parse().ok())?;
    }
    let of = |words: &[&str], word: &str| {
        let position = words.iter().position(|known| known.split(' ').any(|known| known == word && !word.is_empty()));
        position.and_then(|value| u32::try_from(value).ok())
    };
    if let Some((tens, ones)) = norm.split_once('-') {
        return Some(of(&TENS, tens)? * 10 + of(&NUMBERS, ones).filter(|ones| (1..10).contains(ones))?);
    }
    // `null` is a word of error messages, and German for nothing that anybody would ask for.
    let number = of(&NUMBERS, norm).or_else(|| of(&TENS, norm).map(|tens| tens * 10));
    number.or((norm == "hundred").then_some(100)).filter(|_| norm != "null")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(Kind, String)> {
        let mut found = Vec::new();
        tokens(text, 0, &mut found);
        found.into_iter().map(|token| (token.kind, text[token.start..token.end].to_owned())).collect()
    }

    fn of(kind: Kind, text: &str) -> Vec<String> {
        read(text).into_iter().filter(|(found, _)| *found == kind).map(|(_, text)| text).collect()
    }

    #[test]
    fn what_is_quoted_is_one_token() {
        let text = "the 'Lost reason' field isn't “Add more”, \"Fix\" nor `a b`, the users' names and \"open";
        assert_eq!(of(Kind::Quote, text), ["'Lost reason'", "“Add more”", "\"Fix\"", "`a b`"]);
    }

    #[test]
    fn paths_are_told_from_words() {
        let text = "in src/App.tsx, Footer.tsx:42. and/or ./a/b light/dark /about e.g. v2.0 https://a.b/c x/10 end.";
        assert_eq!(
            of(Kind::Path, text),
            ["src/App.tsx", "Footer.tsx:42", "./a/b", "/about", "https://a.b/c"].map(str::to_owned)
        );
    }

    #[test]
    fn numbers_are_whole_and_stand_alone() {
        for (word, value) in [
            ("2", Some(2)),
            ("1,200", Some(1200)),
            ("five", Some(5)),
            ("zwei", Some(2)),
            ("twenty-one", Some(21)),
            ("forty", Some(40)),
            ("3d", None),
            ("14px", None),
            ("2.5", None),
            ("24/7", None),
            ("99999999999", None),
            ("a", None),
            ("", None),
        ] {
            assert_eq!(number(word), value, "{word}");
        }
        assert_eq!(of(Kind::Number(3), "3 cards, 3D, three"), ["3", "three"]);
    }

    #[test]
    fn words_lose_apostrophes_accents_and_case() {
        let mut found = Vec::new();
        tokens("Don’t crée-moi Re-order Über", 0, &mut found);
        let norms: Vec<_> = found.iter().map(|token| token.norm.as_str()).collect();
        assert_eq!(norms, ["dont", "cree", "reorder", "uber"]);
    }
}
