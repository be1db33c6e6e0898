//! The values that a requirement states: quoted texts, addresses, amounts and colours. The change must have them.

use super::code_words::COLOURS;
use crate::plan::MarkerKind;
use crate::syntax::color::literals;

/// A value that a requirement states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    /// In lower case, with single spaces.
    Text(String),
    /// Without a unit and trailing zeros.
    Number(String),
    /// The name of a colour.
    Colour(String),
}

impl Value {
    /// Whether code has the value.
    pub(super) fn is_in(&self, code: &str) -> bool {
        match self {
            Self::Text(text) => plain(code).contains(text.as_str()),
            Self::Number(number) => numbers(code).any(|found| found == *number),
            Self::Colour(name) => words(code).any(|word| word == *name) || !literals(code).is_empty(),
        }
    }

    /// The value alone identifies the change.
    pub(super) fn is_telling(&self) -> bool {
        matches!(self, Self::Text(text) if !text.starts_with('#'))
    }
}

/// The values of a requirement, and its text without them.
pub(super) fn stated(kind: MarkerKind, text: &str) -> (Vec<Value>, String) {
    let mut values = Vec::new();
    let mut rest = take_quoted(text, &mut values);
    let is_quoted = !values.is_empty();
    let mut words = Vec::new();
    for word in rest.split_whitespace() {
        match value_of(word, words.last().copied(), kind) {
            Some(value) => values.push(value),
            None => words.push(word),
        }
    }
    rest = words.join(" ");
    if let (false, Some((before, said))) = (is_quoted, stated_part(kind, &rest)) {
        values.push(Value::Text(plain(said)));
        rest = before.to_owned();
    }
    (values, rest)
}

/// Removes the quoted texts.
fn take_quoted(text: &str, values: &mut Vec<Value>) -> String {
    let (mut rest, mut left) = (text, String::new());
    while let Some((at, open)) = rest.char_indices().find(|(at, c)| opens(rest, *at, *c)) {
        let close = closing(open);
        let inside = rest.get(at + open.len_utf8()..).unwrap_or_default();
        let end = inside.char_indices().find(|(end, c)| *c == close && (close != '\'' || ends(inside, *end)));
        let Some((end, _)) = end else { break };
        let quoted = inside.get(..end).unwrap_or_default();
        if !quoted.trim().is_empty() {
            values.push(Value::Text(plain(quoted)));
        }
        left.push_str(rest.get(..at).unwrap_or_default());
        left.push(' ');
        rest = inside.get(end + close.len_utf8()..).unwrap_or_default();
    }
    left + rest
}

/// An apostrophe opens a quotation only after a space.
fn opens(text: &str, at: usize, c: char) -> bool {
    match c {
        '"' | '“' | '„' | '`' | '«' => true,
        '\'' | '‘' => text.get(..at).is_some_and(|before| before.is_empty() || before.ends_with([' ', '(', ':'])),
        _ => false,
    }
}

fn closing(open: char) -> char {
    match open {
        '“' => '”',
        '„' => '“',
        '«' => '»',
        '‘' => '’',
        same => same,
    }
}

fn ends(text: &str, at: usize) -> bool {
    let after = text.get(at + 1..).unwrap_or_default();
    !after.starts_with(char::is_alphanumeric)
}

/// The value that a word states: an address, an amount with a unit, a colour, or a number after `to`.
fn value_of(word: &str, before: Option<&str>, kind: MarkerKind) -> Option<Value> {
    let word = word.trim_end_matches(['.', ',', ';', ':', '!', '?', ')']).trim_start_matches('(');
    let lower = word.to_lowercase();
    let is_path = word.strip_prefix('/').is_some_and(|rest| rest.starts_with(char::is_alphabetic));
    let is_mail = word.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
    if lower.contains("://") || lower.starts_with("mailto:") || is_path || is_mail || is_hex(&lower) {
        return Some(Value::Text(plain(lower.trim_end_matches('/'))));
    }
    // "Earl Grey" is a name.
    if COLOURS.contains(&word) {
        return Some(Value::Colour(lower));
    }
    let is_new = matches!(kind, MarkerKind::Modify | MarkerKind::Fix) && matches!(before, Some("to" | "is" | "be"));
    let number = lower.trim_matches(|c: char| "$€£¥%".contains(c));
    let unit = number.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
    let has_unit = number.len() < lower.len() || UNITS.contains(&unit);
    let digits = number.strip_suffix(unit)?;
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit()) && (unit.is_empty() || has_unit);
    (is_number && (has_unit || is_new)).then(|| Value::Number(normal(digits)))
}

const UNITS: [&str; 13] = ["px", "rem", "em", "ms", "s", "vh", "vw", "pt", "fr", "deg", "eur", "usd", "k"];

fn is_hex(word: &str) -> bool {
    word.strip_prefix('#')
        .is_some_and(|hex| matches!(hex.len(), 3 | 4 | 6 | 8) && hex.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// The text without quotes after a word such as `says`, or a name after `to`; and the text before it.
fn stated_part(kind: MarkerKind, text: &str) -> Option<(&str, &str)> {
    let is_change = matches!(kind, MarkerKind::Modify | MarkerKind::Fix);
    let mut at = 0;
    for word in text.split(' ') {
        let end = at + word.len();
        let says = SAYING.contains(&word.to_lowercase().trim_end_matches(':')) || is_change && word == "to";
        at = end + 1;
        let after = text.get(at..).unwrap_or_default();
        if says && after.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()) {
            let stop = after.find([',', ';', '.', '!', '?', '\n']).unwrap_or(after.len());
            let said = after.get(..stop)?.trim();
            let said = if NAMING.contains(&word.to_lowercase().as_str()) { name_in(said) } else { said };
            return (said.split(' ').count() <= SAID_MAX).then_some((text.get(..end)?, said));
        }
    }
    None
}

const SAYING: [&str; 12] = [
    "say", "says", "saying", "read", "reads", "reading", "titled", "entitled", "named", "called", "labelled", "labeled",
];
/// Of these, the words before a name: it ends with its last capital letter.
const NAMING: [&str; 6] = ["titled", "entitled", "named", "called", "labelled", "labeled"];

/// The words at the start that begin with a capital letter or a digit.
fn name_in(text: &str) -> &str {
    let is_name = |word: &&str| word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    let length: usize = text.split(' ').take_while(is_name).map(|word| word.len() + 1).sum();
    text.get(..length.saturating_sub(1)).unwrap_or(text)
}

/// Longer texts describe.
const SAID_MAX: usize = 8;

fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase().replace(['’', '‘'], "'")
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase)
}

fn numbers(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',')).filter(|part| !part.is_empty()).map(normal)
}

/// A number without trailing zeros.
fn normal(number: &str) -> String {
    let number = number.trim_matches(['.', ',']).replace(',', ".");
    match number.split_once('.') {
        Some(_) => number.trim_end_matches('0').trim_end_matches('.').to_owned(),
        None => number,
    }
}

#[cfg(test)]
mod tests {
    use super::Value::{Colour, Number, Text};
    use super::*;
    use crate::plan::MarkerKind::{Add, Fix, Modify};

    #[test]
    fn quotations_addresses_amounts_and_colours_are_values() {
        let text = |text: &str| Text(text.to_owned());
        let number = |text: &str| Number(text.to_owned());
        for (kind, requirement, values, rest) in [
            (Add, "a footer that says \"All  Rights\"", vec![text("all rights")], "a footer that says"),
            (Add, "a footer that says Made in Berlin", vec![text("made in berlin")], "a footer that says"),
            (Modify, "the user's name to 'Ann', please", vec![text("ann")], "the user's name to , please"),
            (Modify, "the headline to Welcome home", vec![text("welcome home")], "the headline to"),
            (Fix, "the link should go to https://a.b/shop/.", vec![text("https://a.b/shop")], "the link should go to"),
            (Fix, "the link goes to /contact", vec![text("/contact")], "the link goes to"),
            (Add, "a tea called Earl Grey for 7 €", vec![text("earl grey")], "a tea called"),
            (Modify, "the latte to $4.50", vec![number("4.5")], "the latte to"),
            (Modify, "the latte to 4,50 €", vec![number("4.5")], "the latte to €"),
            (Modify, "the text 48px", vec![number("48")], "the text"),
            (Modify, "the headline red", vec![Colour("red".to_owned())], "the headline"),
            (Modify, "the headline #FF0000", vec![text("#ff0000")], "the headline"),
            (Add, "3 teas and 2 quotes", vec![], "3 teas and 2 quotes"),
            (Add, "a link to the shop", vec![], "a link to the shop"),
        ] {
            assert_eq!(stated(kind, requirement), (values, rest.to_owned()), "{requirement}");
        }
    }

    #[test]
    fn code_has_a_value_in_any_notation() {
        for (value, code, expected) in [
            (Text("all rights".to_owned()), "<p>All Rights</p>", true),
            (Text("all rights".to_owned()), "<p>All wrongs</p>", false),
            (Number("4.5".to_owned()), "price: 4.50,", true),
            (Number("4.5".to_owned()), "price: 14.5,", false),
            (Colour("red".to_owned()), "text-red-600", true),
            (Colour("red".to_owned()), "color: #ff0000", true),
            (Colour("red".to_owned()), "color: blue", false),
        ] {
            assert_eq!(value.is_in(code), expected, "{value:?} {code}");
        }
    }
}
