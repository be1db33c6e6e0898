//! The values that a requirement states: quoted texts, addresses, amounts and colors. The change must have them whole.

use crate::gate::builtin::{AskedColors, Line, is_color};
use crate::plan::MarkerKind;
use crate::syntax::amount::{self, Amount, amounts};
use crate::syntax::color::{literals, palette_classes};
use crate::text::quotations;

/// A value that a requirement states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Value {
    pub kind: Kind,
    /// As it is stated, with single spaces.
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Address,
    Number,
    Color,
}

impl Value {
    fn new(kind: Kind, text: &str) -> Self {
        Self { kind, text: text.split_whitespace().collect::<Vec<_>>().join(" ") }
    }

    /// Where a line has the whole value, in bytes.
    pub(super) fn places(&self, line: &str) -> Vec<(usize, usize)> {
        match self.kind {
            Kind::Number => {
                let is_same = |found: &&(Amount, (usize, usize))| Amount::new(&self.text).equals(&found.0);
                amounts(line).iter().filter(is_same).map(|(_, place)| *place).collect()
            }
            Kind::Color => {
                let asked = AskedColors::in_messages(std::slice::from_ref(&self.text));
                let is_it = |(from, to): &(usize, usize)| {
                    let found = line.get(*from..*to).unwrap_or_default();
                    found.eq_ignore_ascii_case(&self.text) || asked.has(found)
                };
                colors(line).into_iter().filter(is_it).collect()
            }
            Kind::Text | Kind::Address => {
                let found = line.match_indices(self.text.as_str()).map(|(at, text)| (at, at + text.len()));
                found.filter(|place| self.is_whole(line, *place)).collect()
            }
        }
    }

    /// A text ends at punctuation or at the end of its element or string, an address at what no address has.
    fn is_whole(&self, line: &str, (from, to): (usize, usize)) -> bool {
        let (before, after) = (line.get(..from).unwrap_or_default(), line.get(to..).unwrap_or_default());
        if self.kind == Kind::Text {
            let (before, after) = (before.trim_end(), after.trim_start());
            return !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric);
        }
        let goes_on = |c: char| c.is_alphanumeric() || "-_/.:@?#%&+~".contains(c);
        let before = before.strip_suffix("mailto:").or_else(|| before.strip_suffix("tel:")).unwrap_or(before);
        let after = if self.text.ends_with('/') { after } else { after.strip_prefix('/').unwrap_or(after) };
        let is_end = after.strip_prefix(['.', ':', '?']).is_some_and(|rest| !rest.starts_with(goes_on));
        !before.ends_with(goes_on) && (is_end || !after.starts_with(goes_on))
    }

    /// Where a line has another value of the kind, that the old lines do not have. A price in cents is no other one.
    pub(super) fn other(&self, line: &Line, old: &[Line]) -> Option<(usize, usize)> {
        let line = line.text.as_str();
        let found: Vec<(usize, usize)> = match self.kind {
            Kind::Number => {
                let wanted = Amount::new(&self.text);
                let others = amounts(line).into_iter().filter(|(amount, _)| !amount.is_cents(&wanted));
                others.map(|(_, place)| place).collect()
            }
            Kind::Address => line.match_indices(['/']).filter_map(|(at, _)| address_at(line, at)).collect(),
            Kind::Text | Kind::Color => Vec::new(),
        };
        let text = |(from, to): &(usize, usize)| line.get(*from..*to).unwrap_or_default().to_owned();
        found.into_iter().find(|place| !old.iter().any(|old| old.text.contains(&text(place))))
    }
}

/// The address in quotes that starts here.
fn address_at(line: &str, at: usize) -> Option<(usize, usize)> {
    let (before, rest) = line.split_at_checked(at)?;
    let end = rest.find(['"', '\'', '`'])?;
    before.ends_with(['"', '\'', '`']).then_some((at, at + end))
}

/// The colors of a line: literals, classes of a palette, and names that are a whole value.
fn colors(line: &str) -> Vec<(usize, usize)> {
    // Not `hover:text-red-500`.
    let is_plain = |(from, to): &(usize, usize)| line.get(*from..*to).is_some_and(|color| !color.contains(':'));
    let coded = literals(line).into_iter().chain(palette_classes(line));
    let mut found: Vec<_> = coded.map(|color| (color.range.start, color.range.end)).filter(is_plain).collect();
    let mut at = 0;
    for word in line.split(|c: char| !c.is_alphanumeric()) {
        let before = line.get(..at).unwrap_or_default().trim_end();
        if is_color(&word.to_lowercase()) && before.ends_with([':', '"', '\'']) {
            found.push((at, at + word.len()));
        }
        at += word.len() + line.get(at + word.len()..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    }
    found
}

/// The values of a requirement, and its text without them.
pub(super) fn stated(kind: MarkerKind, text: &str) -> (Vec<Value>, String) {
    let (mut values, mut rest, mut at) = (Vec::new(), String::new(), 0);
    for (start, end, quoted) in quotations(text) {
        values.push(Value::new(if is_address(quoted) { Kind::Address } else { Kind::Text }, quoted));
        rest.extend([text.get(at..start).unwrap_or_default(), " "]);
        at = end;
    }
    rest.push_str(text.get(at..).unwrap_or_default());
    let (all, mut words) = (rest.split_whitespace().collect::<Vec<_>>(), Vec::new());
    for (at, word) in all.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| all.get(before)).copied().unwrap_or_default();
        match value_of(word, before, all.get(at + 1).copied(), kind) {
            // "From 4 px to 6 px", "by 10 %".
            Some(_) if matches!(before, "from" | "by") => {}
            Some(value) => values.push(value),
            None => words.push(*word),
        }
    }
    (values, words.join(" "))
}

fn is_address(word: &str) -> bool {
    let is_path = word.strip_prefix('/').is_some_and(|rest| rest.starts_with(char::is_alphabetic));
    let is_mail = word.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
    (word.contains("://") || word.starts_with("mailto:") || is_path || is_mail) && !word.contains(' ')
}

/// The value that a word states: an address, an amount with a unit, or the number or color that something becomes.
fn value_of(word: &str, before: &str, after: Option<&str>, kind: MarkerKind) -> Option<Value> {
    let word = word.trim_end_matches(['.', ',', ';', ':', '!', '?', ')']).trim_start_matches('(');
    let is_change = matches!(kind, MarkerKind::Modify | MarkerKind::Fix);
    let is_new = is_change && matches!(before, "to" | "is" | "be");
    let lower = word.to_lowercase();
    if is_address(word) {
        return Some(Value::new(Kind::Address, word.trim_end_matches('/')));
    }
    // "Earl Grey" is a name, and "a mint tea" is new.
    let is_named = is_change && is_color(word) && (is_new || before == "from" || after.is_none());
    if is_named || literals(&lower).iter().any(|color| color.range == (0..lower.len())) {
        return Some(Value::new(Kind::Color, &lower));
    }
    let sign = after.filter(|after| amount::is_sign(after)).unwrap_or_default();
    let has_unit = amount::number(&lower)? || !sign.is_empty();
    (has_unit || is_new).then(|| Value::new(Kind::Number, &format!("{lower}{sign}")))
}

#[cfg(test)]
mod tests {
    use super::Kind::{Address, Color, Number, Text};
    use super::*;
    use crate::plan::MarkerKind::{Add, Fix, Modify};

    #[test]
    fn quotations_addresses_amounts_and_colours_are_values() {
        for (kind, requirement, values, rest) in [
            (Add, "a footer that says \"All  Rights\"", vec![(Text, "All Rights")], "a footer that says"),
            (Add, "a footer that says Made in Berlin", vec![], "a footer that says Made in Berlin"),
            (Modify, "the user's name to 'Ann', please", vec![(Text, "Ann")], "the user's name to , please"),
            (
                Fix,
                "the link should go to https://a.b/shop/.",
                vec![(Address, "https://a.b/shop")],
                "the link should go to",
            ),
            (Fix, "the link goes to /contact", vec![(Address, "/contact")], "the link goes to"),
            (Add, "a tea for 7 €", vec![(Number, "7€")], "a tea for €"),
            (Modify, "the latte to $4.50", vec![(Number, "$4.50")], "the latte to"),
            (Modify, "the padding from 4px to 6px", vec![(Number, "6px")], "the padding from to"),
            (Modify, "the price by 10%", vec![], "the price by"),
            (Modify, "the headline red", vec![(Color, "red")], "the headline"),
            (Modify, "the red headline bigger", vec![], "the red headline bigger"),
            (Modify, "the headline #FF0000", vec![(Color, "#ff0000")], "the headline"),
            (Add, "3 teas and 2 quotes", vec![], "3 teas and 2 quotes"),
            (Add, "a link to the shop", vec![], "a link to the shop"),
        ] {
            let values: Vec<Value> = values.into_iter().map(|(kind, text)| Value::new(kind, text)).collect();
            assert_eq!(stated(kind, requirement), (values, rest.to_owned()), "{requirement}");
        }
    }

    #[test]
    fn code_has_a_value_only_as_a_whole() {
        for (kind, text, code, expected) in [
            (Text, "All rights", "<p>All rights</p>", true),
            (Text, "All rights", "<p>Shop. All rights!</p>", true),
            (Text, "All rights", "<p>All wrongs</p>", false),
            (Text, "Open", "<b>Opening soon</b>", false),
            (Text, "Open", "<b>Open soon</b>", false),
            (Text, "iPhone", "<b>Iphone</b>", false),
            (Address, "/tour", "href=\"/tour\"", true),
            (Address, "/tour", "href=\"/tour/\"", true),
            (Address, "/tour", "href=\"/tourist\"", false),
            (Address, "/tour", "href=\"/tour/old\"", false),
            (Address, "/tour", "href=\"/my/tour\"", false),
            (Address, "a@b.de", "href=\"mailto:a@b.de\"", true),
            (Number, "$4.50", "price: 4.50,", true),
            (Number, "4,50€", "<b>€4.5</b>", true),
            (Number, "52", "price: 52.00", true),
            (Number, "€1,200", "price: 1200", true),
            (Number, "3.3", "ratio: 33", false),
            (Number, "4.5", "price: 14.5,", false),
            (Number, "48px", "padding: 48rem", false),
            (Number, "€52", "<b>$52</b>", false),
            (Color, "red", "text-red-600", true),
            (Color, "red", "color: #ff0000", true),
            (Color, "red", "color: red", true),
            (Color, "red", "hover:text-red-600", false),
            (Color, "red", "color: blue", false),
            (Color, "red", "color: #00f", false),
            (Color, "red", "<b>red wine</b>", false),
        ] {
            let value = Value::new(kind, text);
            assert_eq!(!value.places(code).is_empty(), expected, "{value:?} {code}");
        }
    }
}
