//! The existing items that an addition preserves: "all 8 existing drinks", not the words of the requirement.

use super::lexicon::*;
use super::text::Text;
use super::token::Kind;
use super::{clause, noun};
use crate::task::structured::{Marker, Requirement};
use crate::words::words;

/// Adds the items that additions preserve, and removes entries that only repeat a requirement.
pub(super) fn complete(preserve: &mut Vec<String>, requirements: &[Requirement]) {
    preserve.retain(|kept| {
        let kept = words(kept);
        requirements.iter().all(|requirement| !words(&requirement.description).starts_with(&kept))
    });
    for requirement in requirements.iter().filter(|requirement| requirement.marker == Marker::Add) {
        let Some(existing) = requirement.existing else { continue };
        let items = items(&requirement.description);
        let kept = format!("all {existing} existing {items}");
        let is_said = |said: &String| {
            let said = words(said);
            said.contains(&existing.to_string()) && words(&items).iter().all(|word| said.contains(word))
        };
        if !preserve.iter().any(is_said) {
            preserve.push(kept);
        }
    }
}

/// The noun of an addition, in the plural: `drinks` of "Add 2 more drinks for nighttime".
fn items(description: &str) -> String {
    const FILLING: &str = "more another additional extra further new other couple few of";
    let text = Text::new(description);
    let fills = |at: usize| text.number(at).is_some() || text.has(at, NEW) || text.is_one_of(at, FILLING);
    let counted = (0..text.len()).find(|at| fills(*at)).map(|at| (at..text.len()).find(|at| !fills(*at)).unwrap_or(at));
    let named = || clause::clauses(&text).found.first().map(|clause| clause.object);
    let Some(from) = counted.or_else(named) else { return ITEMS.to_owned() };
    let name = from..noun::end(&text, from, text.len());
    let head = noun::head(&text, &name);
    if text.kind(head) != Some(Kind::Word) || name.is_empty() || fills(head) {
        return ITEMS.to_owned();
    }
    let is_one = (0..name.end).any(|at| text.number(at) == Some(1) || text.is_one_of(at, "another one"));
    let word = text.norm(head);
    if is_one { plural(word) } else { word.to_owned() }
}

fn plural(word: &str) -> String {
    let consonant = |stem: &str| !stem.ends_with(['a', 'e', 'i', 'o', 'u']);
    match word.strip_suffix('y').filter(|stem| consonant(stem)) {
        Some(stem) => format!("{stem}ies"),
        None if word.ends_with(['s', 'x']) || word.ends_with("ch") || word.ends_with("sh") => format!("{word}es"),
        None => format!("{word}s"),
    }
}

const ITEMS: &str = "items";

#[cfg(test)]
mod tests {
    use super::*;

    fn adding(description: &str, existing: Option<u32>) -> Requirement {
        Requirement { marker: Marker::Add, description: description.to_owned(), count: Some(2), existing, span: None }
    }

    #[test]
    fn an_addition_keeps_its_existing_items_by_what_they_are() {
        for (description, kept) in [
            ("Add 2 more drinks for nighttime", "all 8 existing drinks"),
            ("Add two new nighttime flavors to the grid", "all 8 existing flavors"),
            ("2 quotes", "all 8 existing quotes"),
            ("Add another story", "all 8 existing stories"),
            ("Add one more box below the others", "all 8 existing boxes"),
            ("Add a couple of cards", "all 8 existing cards"),
            ("2 more", "all 8 existing items"),
        ] {
            let mut preserve = vec![description.to_lowercase(), "the nav".to_owned()];
            complete(&mut preserve, &[adding(description, Some(8))]);
            assert_eq!(preserve, ["the nav", kept], "{description}");
        }
    }

    #[test]
    fn an_entry_is_not_repeated_and_an_unknown_number_adds_none() {
        let mut preserve = vec!["All 8 drinks as they are".to_owned()];
        complete(&mut preserve, &[adding("Add 2 drinks", Some(8)), adding("Add 2 quotes", None)]);
        assert_eq!(preserve, ["All 8 drinks as they are"]);
    }
}
