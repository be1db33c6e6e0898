//! Items that a list lost and gained.

use super::census::Census;
use super::target::plain;
use crate::gate::scope::choose::Pair;
use crate::gate::scope::evaluate::Identity;
use crate::gate::scope::identity;
use crate::gate::scope::sources::{FileId, Sources};
use crate::gate::scope::words::contains_words;
use crate::js::tree::Parsed;
use crate::syntax::Blanked;

/// The difference of a list before and after the task.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Difference {
    pub before: usize,
    pub after: usize,
    /// The items after the task, with those that moved to another list.
    kept: usize,
    /// Names of the items that are gone.
    pub gone: Vec<String>,
    /// Names of the new items.
    pub came: Vec<String>,
    /// Items are certainly gone: their names are nowhere in the sources, or there are fewer items and none has a name.
    pub is_loss: bool,
    /// No item is left, and at least as many others are there: the list was rewritten.
    pub is_rewritten: bool,
    /// Only a number distinguished the items: "Product 1", "Product 2".
    pub was_numbered: bool,
    /// The number of items is not known.
    pub is_open: bool,
}

impl Difference {
    /// The difference of a list, given all lists and sources before and after the task.
    pub(super) fn between(pair: &Pair<'_>, (had, old): (&Census, &Texts), (has, new): (&Census, &Texts)) -> Self {
        let is_open = pair.is_open() || is_elsewhere(pair, (had, old), (has, new));
        let (before, after) = pair.counts();
        let (had, has) = (pair.had(), pair.has(&has.lists));
        let came = came(&had, has.get(..after).unwrap_or_default());
        let kept = has.len();
        let mut gone = identity::gone(&had, &has);
        // An item with another number or another key is the same under the same name.
        let is_called = |item: &Identity| has.iter().any(|other| identity::is_called_alike(item, other));
        gone.retain(|item| !is_reworded(item, &has) && !is_called(item));
        let is_vanished = |item: &&Identity| match identity::label(item) {
            Some(name) if came.iter().any(|other| is_spelled_alike(&name, other)) => false,
            Some(name) => is_renamed(item, &has) || old.written(&name) == 0 || new.written(&name) < old.written(&name),
            None => false,
        };
        let is_nameless = had.iter().all(|item| item.is_empty());
        let is_shorter = is_nameless && pair.after.is_some() && has.len() < before;
        let is_loss = !is_open && (gone.iter().any(is_vanished) || is_shorter);
        let label = |item: &Identity| identity::label(item).map(|name| name.to_string());
        let is_rewritten = before > 1 && after >= before && gone.len() == before;
        let mut numbered = had.iter().map(|item| label(item).map(|name| bare(&name)));
        let first = numbered.next().flatten();
        let was_numbered = before > 1 && first.is_some() && numbered.all(|name| name == first);
        let gone = gone.into_iter().filter_map(label).collect();
        Self { before, after, kept, gone, came, is_loss, is_rewritten, was_numbered, is_open }
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.before == self.after && self.gone.is_empty() && self.came.is_empty()
    }

    /// The increase of the number of items.
    pub(super) fn grown(&self) -> usize {
        self.after.saturating_sub(self.before)
    }

    /// Whether there are fewer items than before, and not all of them are in another list.
    pub(super) fn is_less(&self) -> bool {
        self.after < self.before && (!self.gone.is_empty() || self.kept < self.before)
    }
}

/// Whether the list is empty after the task and its items may come from outside the sources, such as a request.
fn is_elsewhere(pair: &Pair<'_>, (had, old): (&Census, &Texts), (has, new): (&Census, &Texts)) -> bool {
    let is_opened = |name: &&String| {
        let times = |names: &[String]| names.iter().filter(|known| known == name).count();
        times(&has.open) > times(&had.open)
    };
    let is_named = || pair.before.is_some_and(|list| list.names.iter().any(|name| is_opened(&name)));
    pair.counts().1 == 0 && (is_named() || new.requests > old.requests)
}

/// Names of the items that were not there before.
fn came(had: &[Identity], has: &[Identity]) -> Vec<String> {
    let new = identity::gone(has, had).into_iter().filter(|item| !is_reworded(item, had));
    new.filter_map(|item| Some(identity::label(item)?.to_string())).collect()
}

/// Whether another item keeps one of its names under a changed identity.
fn is_renamed(item: &Identity, items: &[Identity]) -> bool {
    items.iter().any(|other| other.iter().any(|name| item.contains(name)))
}

/// Whether an item that only its text identifies is still there, with a longer or shorter text or another number.
fn is_reworded(item: &Identity, items: &[Identity]) -> bool {
    let is_text = |field: &str| matches!(field, "text" | "");
    let texts = |item: &Identity| -> Vec<String> {
        item.iter().filter(|(field, _)| is_text(field)).map(|(_, text)| bare(text)).collect()
    };
    let own = texts(item);
    let others: Vec<String> = items.iter().flat_map(texts).collect();
    own.iter().any(|text| others.iter().any(|other| contains_words(other, text) || contains_words(text, other)))
}

/// A name with words added, or with a letter corrected.
fn is_spelled_alike(name: &str, other: &str) -> bool {
    let (name, other) = (plain(&name.to_lowercase()), plain(&other.to_lowercase()));
    contains_words(&other, &name) || name.chars().count() > 4 && differ_by_a_letter(&name, &other)
}

/// One letter is added, left out or changed.
fn differ_by_a_letter(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let start = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let end = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    let longest = one.len().max(other.len());
    let is_letter = |word: &[char]| word.get(start).is_none_or(|letter| !letter.is_numeric());
    one.len().abs_diff(other.len()) < 2 && start + end + 1 >= longest && is_letter(&one) && is_letter(&other)
}

/// The text in lower case, with each number replaced by `#`.
fn bare(text: &str) -> String {
    let mut bare = String::new();
    for letter in plain(&text.to_lowercase()).chars() {
        match letter {
            letter if letter.is_ascii_digit() => {
                if !bare.ends_with('#') {
                    bare.push('#');
                }
            }
            letter => bare.push(letter),
        }
    }
    bare
}

/// The sources of one state, without comments.
#[derive(Default)]
pub(super) struct Texts {
    codes: Vec<String>,
    /// Number of calls that load data at run time.
    requests: usize,
}

impl Texts {
    pub(super) fn add(&mut self, sources: &Sources<'_>, file: FileId) {
        const LOADS: [&str; 7] = ["fetch(", "axios", "useQuery", "useSWR", "XMLHttpRequest", "localStorage", "import("];
        let text = sources.text(file);
        let blanks: &[(u32, u32)] = match sources.parsed(file) {
            Parsed::Module(module) => &module.blanks,
            _ => &[],
        };
        let code = Blanked::without(text, blanks.iter());
        self.requests += LOADS.iter().map(|loads| code.matches(loads).count()).sum::<usize>();
        self.codes.push(code);
    }

    /// How often a text is the complete content of a string or of an element.
    fn written(&self, text: &str) -> usize {
        let is_own = |code: &str, at: usize| {
            let before = code.get(..at).unwrap_or_default().trim_end().chars().next_back();
            let after = code.get(at + text.len()..).unwrap_or_default().trim_start().chars().next();
            before.is_some_and(|letter| matches!(letter, '"' | '\'' | '`' | '>'))
                && after.is_some_and(|letter| matches!(letter, '"' | '\'' | '`' | '<'))
        };
        let count = |code: &String| code.match_indices(text).filter(|(at, _)| is_own(code, *at)).count();
        self.codes.iter().map(count).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    fn item(field: &str, value: &str) -> Identity {
        Rc::new(vec![(field.into(), value.into())])
    }

    #[test]
    fn a_text_with_a_new_badge_price_or_number_is_the_same_item() {
        for (before, after, expected) in [
            ("Mango", "Mango New", true),
            ("8 flavors", "10 flavors", true),
            ("Mango $3", "Mango $3.50", true),
            ("Fresh Mango from Peru", "Fresh Mango", true),
            ("Mango", "Mangosteen", false),
            ("Mango", "Moonlit Calm", false),
        ] {
            assert_eq!(is_reworded(&item("text", before), &[item("text", after)]), expected, "{before} {after}");
        }
        assert!(!is_reworded(&item("name", "Mango"), &[item("name", "Mango New")]), "a name is a name");
    }

    #[test]
    fn a_name_with_a_word_more_or_a_letter_corrected_is_spelled_alike() {
        for (before, after, expected) in [
            ("Mango Sun", "🍹 Mango Sun", true),
            ("Mango Sun", "Nox Mango Sun 0.3l", true),
            ("Lime Fizz", "Lime Fiz", true),
            ("Lime Fizz", "Lime Fuzz", true),
            ("Coca", "Cola", false),
            ("Room 1", "Room 2", false),
            ("Mango", "Mangosteen", false),
            ("Mango Sun", "Moon Milk", false),
        ] {
            assert_eq!(is_spelled_alike(before, after), expected, "{before} {after}");
        }
    }

    #[test]
    fn a_text_is_found_as_a_complete_string_or_element_and_not_in_a_comment() {
        let files = [("src/a.tsx", "// 'Mango'\nconst a = ['Mango', \"Mango Mint\"]\nconst b = <b>\n  Mango\n</b>")];
        let (sources, mut texts) = (Sources::new(files.into_iter()), Texts::default());
        texts.add(&sources, 0);
        assert_eq!(texts.written("Mango"), 2);
    }
}
