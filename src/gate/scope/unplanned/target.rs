//! Which list a requirement concerns, and whether it allows items to be changed or removed.

use crate::gate::scope::choose::Pair;
use crate::gate::scope::lists::{ItemList, Kind};
use crate::gate::scope::vocabulary::has;
use crate::gate::scope::words::{self, Wording, alike, fit, number};
use crate::plan::MarkerKind;
use crate::words::{PAGE_PARTS, PagePart};

/// Minimum score of a list that a requirement names.
pub(super) const NAMED: u32 = 5;
/// Minimum score of a possible target.
pub(super) const POSSIBLE: u32 = 2;
/// Minimum lead of the best list over the next one; with less, both are possible targets.
const MARGIN: u32 = 2;
/// Words that allow the removal of existing items.
const REMOVING: &str = "\
    replace instead swap exchange remove delete drop convert transform substitute rid merge reduce trim shorten cut \
    ersetze statt";
/// Verbs that allow changes of existing items.
const CHANGING: &str = "turn rename rewrite reword rework change redo overhaul";
/// Nouns for the text that identifies an item; a request to change that text allows renamed items.
const NAMING: &str = "name title text copy label wording headline translate call";
/// Words for a mistake in a text.
const SPELLING: &str = "typo spell misspell misspelled misspelt spelling typing";
/// Inflections of these words.
const ENDINGS: &str = "s d ed es ing ped ping med ming";
/// Negations.
const NEGATIONS: &str = "not don't dont don’t never without no nothing none cannot nicht";

/// A requirement, analysed by its words.
pub(super) struct Wanted<'a> {
    pub kind: MarkerKind,
    pub text: &'a str,
    pub count: Option<usize>,
    /// Stems of its nouns.
    nouns: Vec<String>,
    /// What it allows for the existing items.
    pub freedom: Freedom,
}

/// What a requirement allows for existing items. Each level includes the levels before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::gate) enum Freedom {
    Nothing,
    Change,
    Rename,
    Remove,
}

impl<'a> Wanted<'a> {
    pub(super) fn new(kind: MarkerKind, text: &'a str, count: Option<usize>) -> Self {
        // A number per item does not count items.
        let is_spread = text.split_whitespace().any(|word| matches!(word, "each" | "every" | "per"));
        let count = count.filter(|count| *count > 0 && kind == MarkerKind::Add && !is_spread);
        let Wording { mut phrase, others, .. } = Wording::from_text(text);
        // With a number, the nouns after it name the items: `drink` in "2 more drinks for the evening".
        if count.is_none() || phrase.is_empty() {
            phrase.extend(others);
        }
        let nouns = phrase.iter().map(|stem| plain(stem)).collect();
        let freedom = match kind {
            MarkerKind::Remove => Freedom::Remove,
            _ if says(text, REMOVING) => Freedom::Remove,
            _ if says(text, CHANGING) => Freedom::Rename,
            MarkerKind::Modify if says(text, NAMING) => Freedom::Rename,
            MarkerKind::Modify => Freedom::Change,
            MarkerKind::Fix => Freedom::Rename,
            _ => Freedom::Nothing,
        };
        Self { kind, text, count, nouns, freedom }
    }

    /// What it allows for the items of a list. A correction or a change that names an item may rename it.
    pub(super) fn freedom_of(&self, pair: &Pair<'_>) -> Freedom {
        match self.kind {
            MarkerKind::Fix if self.freedom == Freedom::Rename && !self.may_rename(pair) => Freedom::Nothing,
            MarkerKind::Modify if self.names_an_item(pair) => self.freedom.max(Freedom::Rename),
            _ => self.freedom,
        }
    }

    fn may_rename(&self, pair: &Pair<'_>) -> bool {
        self.renames(pair) || self.score(pair) >= POSSIBLE || self.names_a_field(pair)
    }

    /// Whether it is about a mistake in a text, or names an item.
    pub(super) fn renames(&self, pair: &Pair<'_>) -> bool {
        says(self.text, SPELLING) || says(self.text, NAMING) || self.names_an_item(pair)
    }

    /// Whether it has all words of an item's name.
    pub(super) fn names_an_item(&self, pair: &Pair<'_>) -> bool {
        let has_all = |name: &str| {
            let words = words::telling(words::stems(name));
            let mut words = words.iter().map(|word| plain(word)).peekable();
            words.peek().is_some() && words.all(|word| self.nouns.contains(&word))
        };
        let mut items = pair.before.iter().flat_map(|list| &list.items);
        items.any(|item| item.identity.iter().any(|(_, value)| has_all(value)))
    }

    /// Whether it names a field of the items.
    fn names_a_field(&self, pair: &Pair<'_>) -> bool {
        let mut fields = pair.sides().flat_map(|list| list.fields.iter());
        fields.any(|field| fit(&self.nouns, &words::stems(field)) > 1)
    }

    /// Whether it names a part of a page, such as the testimonials, that the list does not belong to.
    pub(super) fn is_of_another_part(&self, pair: &Pair<'_>) -> bool {
        let is_called = pair.sides().any(|list| !list.nouns.is_empty());
        let mut parts = PAGE_PARTS.iter().filter(|part| self.nouns.iter().any(|noun| has(part.names, noun))).peekable();
        let is_in = |part: &PagePart| {
            let mut words = pair.sides().flat_map(|list| list.names.iter().chain(&list.surroundings));
            words.any(|word| has(part.names, word) || has(part.headings, word) || has(part.tags, word))
        };
        is_called && parts.peek().is_some() && !parts.any(is_in)
    }

    /// Whether it asks for more of the existing items.
    pub(super) fn wants_more(&self) -> bool {
        let more = |word: &str| matches!(word, "more" | "another" | "additional" | "extra" | "weitere" | "noch");
        self.kind == MarkerKind::Add && self.text.to_lowercase().split_whitespace().any(more)
    }

    /// Its count is the number of new items, not the total.
    pub(super) fn says_add(&self) -> bool {
        self.wants_more() || says(self.text, "add new füge")
    }

    /// How well its words match the names of a list.
    pub(super) fn score(&self, pair: &Pair<'_>) -> u32 {
        pair.sides().map(|list| self.score_of(list)).max().unwrap_or(0)
    }

    fn score_of(&self, list: &ItemList) -> u32 {
        let plain_names = |names: &[String]| names.iter().map(|name| plain(name)).collect::<Vec<_>>();
        let own = match fit(&self.nouns, &plain_names(&list.names)) {
            2.. => 8,
            1 => 5,
            0 => 0,
        };
        let around = match fit(&self.nouns, &plain_names(&list.surroundings)) {
            2.. => 6,
            1 => 3,
            0 => 0,
        };
        // The names of the items contain the noun: "Green Tea", "Black Tea".
        let telling = list.items.iter().filter(|item| {
            let mut words = item.identity.iter().flat_map(|(_, value)| words::stems(value));
            words.any(|word| self.nouns.iter().any(|noun| alike(noun, &plain(&word)) == 2))
        });
        let telling = telling.count();
        let by_items = match telling * 2 > list.items.len() {
            true if telling > 1 => 5,
            _ => u32::from(telling > 0),
        };
        own.max(around).max(by_items)
    }

    /// Whether it names the list or one of its items, or no known list or place at all.
    pub(super) fn may_concern(&self, pair: &Pair<'_>, all: &[Pair<'_>], places: &[String]) -> bool {
        let is_elsewhere = || fit(&self.nouns, places) > 1 || all.iter().any(|pair| self.score(pair) >= NAMED);
        self.score(pair) >= POSSIBLE || self.names_an_item(pair) || !is_elsewhere()
    }

    /// The lists that it names; only the best match if that leads clearly.
    pub(super) fn pairs_named<'p, 'l>(&self, pairs: &'p [Pair<'l>]) -> Vec<&'p Pair<'l>> {
        let scored = pairs.iter().map(|pair| (self.score(pair), pair));
        let scored: Vec<_> = scored.filter(|(score, pair)| *score >= NAMED && is_candidate(pair, *score)).collect();
        let best = scored.iter().map(|(score, _)| *score).max().unwrap_or(0);
        scored.into_iter().filter(|(score, _)| score + MARGIN > best).map(|(_, pair)| pair).collect()
    }
}

/// What a requirement allows for a part of the page that it names, and the stems of its nouns. A correction changes the part.
pub(in crate::gate) fn allowed(kind: MarkerKind, text: &str) -> (Freedom, Vec<String>) {
    let kind = if kind == MarkerKind::Fix { MarkerKind::Modify } else { kind };
    let Wanted { freedom, nouns, .. } = Wanted::new(kind, text, None);
    (freedom, nouns)
}

/// Whether it is certainly a list of items, or has a name that matches.
fn is_candidate(pair: &Pair<'_>, score: u32) -> bool {
    pair.is_main() || score >= 8 && pair.kind() >= Kind::Control
}

/// Whether the text has one of these words without a negation before it.
fn says(text: &str, known: &str) -> bool {
    let words: Vec<String> = text
        .to_lowercase()
        .split_whitespace()
        .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_owned())
        .collect();
    words.iter().enumerate().any(|(at, word)| {
        let full = word.strip_suffix("ing").map(|base| format!("{base}e")).unwrap_or_default();
        let is_form = |known: &str| {
            word.strip_prefix(known).is_some_and(|rest| rest.is_empty() || known != "rid" && has(ENDINGS, rest))
        };
        let is_named = known.split(' ').any(|known| is_form(known) || full == known);
        let before = words.get(at.saturating_sub(4)..at).unwrap_or_default();
        // "6 drinks instead of 4" replaces no item.
        let of_number = word == "instead"
            && words.get(at + 1).is_some_and(|of| of == "of")
            && words.get(at + 2).is_some_and(|word| number(word).is_some());
        is_named && !of_number && !before.iter().any(|word| has(NEGATIONS, word))
    })
}

/// A word in ASCII, as in identifiers: `getraenk` for both "Getränk" and `getraenke`.
pub(super) fn plain(word: &str) -> String {
    let mut plain = String::with_capacity(word.len());
    for letter in word.chars() {
        match letter {
            'ä' => plain.push_str("ae"),
            'ö' => plain.push_str("oe"),
            'ü' => plain.push_str("ue"),
            'ß' => plain.push_str("ss"),
            'á' | 'à' | 'â' | 'ã' | 'å' => plain.push('a'),
            'é' | 'è' | 'ê' | 'ë' => plain.push('e'),
            'í' | 'ì' | 'î' | 'ï' => plain.push('i'),
            'ó' | 'ò' | 'ô' | 'õ' => plain.push('o'),
            'ú' | 'ù' | 'û' => plain.push('u'),
            'ñ' => plain.push('n'),
            'ç' => plain.push('c'),
            letter => plain.push(letter),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counted_noun_names_the_list() {
        for (text, count, nouns) in [
            ("add 2 more drinks", 2, vec!["drink"]),
            ("add two more drinks for the evening", 2, vec!["drink"]),
            ("Add a couple of spicy pizzas to the menu", 2, vec!["spicy", "pizza"]),
            ("add another review", 1, vec!["review"]),
            ("add two more to the menu", 2, vec!["menu"]),
            ("2 weitere Getränke", 2, vec!["getraenke"]),
        ] {
            let wanted = Wanted::new(MarkerKind::Add, text, Some(count));
            assert!(
                nouns.iter().all(|noun| wanted.nouns.iter().any(|known| known == noun)),
                "{text}: {:?}",
                wanted.nouns
            );
        }
    }

    #[test]
    fn a_number_per_item_does_not_count_items() {
        assert_eq!(Wanted::new(MarkerKind::Add, "add 2 photos to each drink", Some(2)).count, None);
    }

    #[test]
    fn a_word_for_replacing_counts_unless_it_is_negated() {
        for (text, expected) in [
            ("add 2 drinks instead of Mango and Mint", true),
            ("replace two drinks", true),
            ("renamed items", true),
            ("add 2 drinks, do not replace any", false),
            ("add 2 drinks without removing one", false),
            ("add 2 drinks and an exchangeable cup", false),
            ("add a dropdown and 2 rides", false),
            ("add 2 drinks", false),
            ("the menu should have 6 drinks instead of 4", false),
        ] {
            let found = says(text, REMOVING) || says(text, CHANGING);
            assert_eq!(found, expected, "{text}");
        }
    }
}
