//! Words: what a marker asks for and how many, and the names of lists.

use super::vocabulary::{BEFORE_COUNTS, BREAKS, NUMBERS, SEVERAL, STOP, TENS, UNITS, has};

/// The number of items that a text asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Count {
    pub number: usize,
    /// The sum with further numbers: `1 red and 2 white wines`.
    pub in_all: usize,
    /// It may be part of a name: `7 Wonders tour`.
    pub is_doubtful: bool,
}

/// The words of a marker.
#[derive(Debug, Default)]
pub(super) struct Wording {
    /// Stems of the phrase that names the items.
    pub phrase: Vec<String>,
    pub others: Vec<String>,
    tokens: Vec<Token>,
}

#[derive(Debug)]
pub(super) struct Token {
    pub text: String,
    pub stem: String,
    pub is_capitalised: bool,
    /// Follows punctuation.
    pub is_after_break: bool,
    pub number: Option<usize>,
}

impl Wording {
    pub(super) fn from_text(text: &str) -> Self {
        let tokens = tokens(text);
        let count = tokens.iter().position(|token| token.number.is_some()).filter(|at| counts(&tokens, *at, &[]));
        let start = count.map_or(0, |at| at + 1);
        let (mut phrase, mut others) = (Vec::new(), Vec::new());
        let mut is_phrase = true;
        for (at, token) in tokens.iter().enumerate() {
            let ends = at > start && (token.is_after_break || has(BREAKS, &token.text));
            is_phrase &= !(at >= start && ends);
            let stems = stems(&token.text);
            if is_phrase && at >= start { phrase.extend(stems) } else { others.extend(stems) }
        }
        Self { phrase: telling(phrase), others: telling(others), tokens }
    }

    pub(super) fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// The first number that counts items.
    pub(super) fn count(&self) -> Option<usize> {
        let mut tokens = self.tokens.iter().enumerate();
        tokens.find_map(|(at, token)| token.number.filter(|_| counts(&self.tokens, at, &[])))
    }

    pub(super) fn says(&self, word: &str) -> bool {
        self.tokens.iter().any(|token| token.stem == word)
    }

    /// All of its words are in this name.
    pub(super) fn is_only(&self, name: &str) -> bool {
        let name = stems(name);
        self.phrase.iter().chain(&self.others).all(|word| name.contains(word))
    }
}

/// Whether the number at this index counts items, and is not a distance, year or season.
pub(super) fn counts(tokens: &[Token], at: usize, names: &[String]) -> bool {
    let (Some(token), Some(next)) = (tokens.get(at), tokens.get(at + 1)) else { return false };
    let names_it = |token: &Token| names.iter().any(|name| alike(name, &token.stem) > 1);
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    let may_count =
        before.is_none_or(|before| token.is_after_break || has(BEFORE_COUNTS, &before.text) || before.number.is_some());
    let is_year = token.number.is_some_and(|number| (1900..=2100).contains(&number));
    let is_measure = has(UNITS, &next.stem) && !names_it(next);
    let follows = next.text.chars().any(char::is_alphabetic) && !next.is_after_break;
    // `1 new section with 3 teas` counts teas.
    let phrase = tokens.get(at + 1..).unwrap_or_default().iter();
    let mut phrase = phrase.take_while(|token| !has(BREAKS, &token.text));
    let is_part = phrase.any(|token| token.stem == "section") && !names.iter().any(|name| name == "section");
    may_count && follows && !is_part && !is_year && !is_measure && (next.text == "of" || !has(BREAKS, &next.text))
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut is_after_break = true;
    for raw in text.split_whitespace() {
        let is_edge = |letter: char| !letter.is_alphanumeric() && !matches!(letter, '%' | '&' | '€' | '$' | '#');
        let opens = raw.starts_with(['(', '[', '"', '“', '-', '–', '—']);
        let ends = raw.ends_with([',', ';', ':', '.', '!', '?', ')', '-', '–', '—', '"', '”']);
        let word = raw.trim_matches(is_edge);
        if word.is_empty() {
            is_after_break = true;
            continue;
        }
        let lower = word.to_lowercase();
        let stem = stem(&lower);
        let number = number(&lower);
        let is_capitalised = word.starts_with(char::is_uppercase);
        tokens.push(Token { text: lower, stem, is_capitalised, is_after_break: is_after_break || opens, number });
        is_after_break = ends;
    }
    join_numbers(tokens)
}

/// The word for an unknown number.
const SOME: &str = "some";

/// Converts `a dozen`, `a couple of`, `half a dozen` to numbers, and `a few` to `some`.
fn join_numbers(tokens: Vec<Token>) -> Vec<Token> {
    let mut joined: Vec<Token> = Vec::new();
    for mut token in tokens {
        let of_words = match token.text.as_str() {
            "dozen" => Some(12),
            "couple" | "pair" => Some(2),
            _ => None,
        };
        let before = joined.last().map(|last| (last.text.as_str(), last.number));
        match (of_words, before) {
            (Some(number), Some((article @ ("a" | "half"), None))) => {
                token.number = Some(if article == "half" { number / 2 } else { number });
                let is_half = article == "half";
                joined.pop();
                if !is_half && joined.last().is_some_and(|last| last.text == "half") {
                    token.number = Some(number / 2);
                    joined.pop();
                }
                joined.push(token);
            }
            (Some(number), Some((_, Some(times)))) => {
                token.number = Some(times * number);
                joined.pop();
                joined.push(token);
            }
            (None, Some(("couple" | "pair", Some(_)) | (SOME, _))) if token.text == "of" => {}
            // `a few`, `a handful of`
            (None, Some(("a", None))) if has(SEVERAL, &token.text) => {
                if let Some(article) = joined.last_mut() {
                    SOME.clone_into(&mut article.text);
                }
            }
            _ => joined.push(token),
        }
    }
    joined
}

/// The value of a number word.
pub(super) fn number(word: &str) -> Option<usize> {
    let digits = word.trim_end_matches(['x', '×']);
    if !digits.is_empty() && digits.len() <= 4 && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return digits.parse().ok();
    }
    let place = |list: &str, word: &str| list.split(' ').position(|known| known == word);
    if let Some(number) = place(NUMBERS, word) {
        return Some(number);
    }
    let (tens, ones) = word.split_once('-').unwrap_or((word, "zero"));
    Some((place(TENS, tens)? + 2) * 10 + place(NUMBERS, ones)?)
}

/// The stems of the words in a name or text: `loungesById` gives `lounge`, `by`, `id`.
pub(in crate::gate) fn stems(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for letter in text.chars() {
        if !letter.is_alphanumeric() || letter.is_uppercase() && was_lower {
            words.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        was_lower = letter.is_lowercase() || letter.is_numeric();
    }
    words.iter().filter(|word| !word.is_empty()).map(|word| stem(word)).collect()
}

fn stem(word: &str) -> String {
    let base = |ending: &str| word.strip_suffix(ending).filter(|base| base.len() > 2);
    if let Some(base) = base("ies") {
        return format!("{base}y");
    }
    for (ending, kept) in [("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("ves", "ve"), ("oes", "o")] {
        if let Some(base) = base(ending) {
            return format!("{base}{kept}");
        }
    }
    match base("s") {
        Some(base) if !word.ends_with("ss") && !word.ends_with("us") && !word.ends_with("is") => base.to_owned(),
        _ => word.to_owned(),
    }
}

/// The distinct stems without stop words.
pub(in crate::gate) fn telling(stems: Vec<String>) -> Vec<String> {
    let mut telling: Vec<String> = Vec::new();
    for stem in stems {
        if !has(STOP, &stem) && !stem.bytes().all(|byte| byte.is_ascii_digit()) && !telling.contains(&stem) {
            telling.push(stem);
        }
    }
    telling
}

/// Whether a text contains another one at word boundaries.
pub(super) fn contains_words(text: &str, part: &str) -> bool {
    !part.is_empty()
        && text.match_indices(part).any(|(at, _)| {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            let after = text.get(at + part.len()..).and_then(|after| after.chars().next());
            ![before, after].into_iter().flatten().any(char::is_alphanumeric)
        })
}

/// Similarity of two stems: 2 if equal, 1 if one is a prefix of the other.
pub(super) fn alike(left: &str, right: &str) -> u32 {
    if left == right {
        return 2;
    }
    let (short, long) = if left.len() < right.len() { (left, right) } else { (right, left) };
    u32::from(short.len() >= 4 && long.starts_with(short))
}

/// The best similarity between the stems and the names.
pub(in crate::gate) fn fit(stems: &[String], names: &[String]) -> u32 {
    let best = |stem: &String| names.iter().map(|name| alike(stem, name)).max().unwrap_or(0);
    stems.iter().map(best).max().unwrap_or(0)
}
