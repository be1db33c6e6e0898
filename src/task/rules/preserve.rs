//! What must stay as it is, in the message and by what an addition implies.

use super::clauses::is_prohibition;
use super::lexicon::*;
use super::tokens::{Kind, Text};
use crate::task::structured::{Marker, Requirement};
use crate::words::words;
use std::ops::Range;

/// Whether a clause says that something stays.
pub(super) fn keeps(text: &Text<'_>, clause: &Range<usize>) -> bool {
    const STAYS: &str = "untouched|unchanged|hands off|off limits|as is|as they are|as it is|like it is|like they are|\
         the way it is|the way they are|must stay|should stay|have to stay|has to stay|must remain|\
         should remain|must still|stay the same|stays the same|stays as|stay as|stays|stay|remains|remain|\
         not change|not be changed|not be touched|nothing else|nothing more|everything else|leave it|leave them|\
         without touching|without changing|looks exactly the same|exactly the same|rest is good|rest is fine|\
         nothing on";
    // What the change is for, not what stays: "so it stays visible".
    const OTHERS: &str = "stays open|stay open|stays blank|stays empty|stays 0|stays on screen|stay in place when|should use|\
         stay at the top|stays at|stay visible|stays visible|to stay";
    let start = clause.start;
    let verb = if text.norm(start) == "please" { start + 1 } else { start };
    let forbids = is_prohibition(text, verb)
        && !(verb + 1..clause.end.min(verb + 4)).any(|at| text.has(at, ADD) && !text.has(at, TOUCH))
        && !text.is(verb + 1, "forget work");
    let kept = text.has(verb, KEEP) && !text.has(verb, INFLECTED) && !text.is(verb + 1, "in track");
    let states = text.find(clause.clone(), STAYS).is_some()
        && text.find(clause.clone(), OTHERS).is_none()
        && (super::clauses::command(text, start, clause.end) == 0 || text.has(start, KEEP));
    let fine = text.is(clause.end.wrapping_sub(1), "fine good great perfect ok")
        && text.is(clause.end.saturating_sub(2), "is are look looks")
        && text.has(start, DEFINITE);
    let unwanted = text.find(clause.clone(), "dont want|do not want").is_some()
        && text.find(clause.clone(), "to change|to be changed|touched|to move").is_some();
    kept || forbids || states || fine || unwanted
}

/// Parts of other clauses that say what stays: "…, without changing the colours".
pub(super) fn inside(text: &Text<'_>, clause: &Range<usize>) -> Option<Range<usize>> {
    const FROM: &str = "without touching|without changing|without altering|but not the|but keep|except the|everything except|\
         exclude the|nothing else|nothing more|dont change|dont touch";
    text.find(clause.clone(), FROM).map(|at| at..clause.end)
}

/// Adds the items that additions preserve, and removes entries that only repeat a requirement.
pub(crate) fn complete(preserve: &mut Vec<String>, requirements: &[Requirement]) {
    let described: Vec<Vec<String>> = requirements.iter().map(|requirement| words(&requirement.description)).collect();
    preserve.retain(|entry| {
        let entry = words(entry);
        described.iter().all(|described| !described.starts_with(&entry))
    });
    for requirement in requirements.iter().filter(|requirement| requirement.marker == Marker::Add) {
        let Some(existing) = requirement.existing else { continue };
        let items = items(&requirement.description);
        let is_said = |said: &String| {
            let said = words(said);
            said.contains(&existing.to_string()) && words(&items).iter().all(|word| said.contains(word))
        };
        if !preserve.iter().any(is_said) {
            preserve.push(format!("all {existing} existing {items}"));
        }
    }
}

/// The noun of an addition, in the plural: `drinks` of "Add 2 more drinks for nighttime".
fn items(description: &str) -> String {
    let text = Text::new(description);
    let fills = |at: usize| text.number(at).is_some() || text.has(at, NEW) || text.is(at, "other one few couple of");
    let counted = (0..text.len()).find(|at| fills(*at) && !text.is(*at, "one of") || text.is(*at, "couple few"));
    let from = counted.map(|at| (at..text.len()).find(|at| !fills(*at)).unwrap_or(text.len()));
    let from =
        from.unwrap_or_else(|| usize::from(text.has(0, COMMAND)) + usize::from(text.has(1, DEFINITE | INDEFINITE)));
    let head = head(&text, from);
    match head.filter(|head| text.kind(*head) == Some(Kind::Word)) {
        None => "items".to_owned(),
        Some(head) => {
            let is_one = (0..head).any(|at| text.number(at) == Some(1) || text.is(at, "another one"));
            if is_one { plural(text.norm(head)) } else { text.norm(head).to_owned() }
        }
    }
}

/// The last word of the noun phrase that starts at a place.
pub(super) fn head(text: &Text<'_>, from: usize) -> Option<usize> {
    let end = (from..text.len()).find(|at| {
        text.has(*at, PREPOSITION | AND | MODAL | COPULA) && !text.has(*at, DEFINITE)
            || !matches!(text.kind(*at), Some(Kind::Word | Kind::Number(_) | Kind::Quote))
    });
    end.unwrap_or(text.len()).checked_sub(1).filter(|head| *head >= from)
}

fn plural(word: &str) -> String {
    match word.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u'])) {
        Some(stem) => format!("{stem}ies"),
        None if word.ends_with(['s', 'x']) || word.ends_with("ch") || word.ends_with("sh") => format!("{word}es"),
        None => format!("{word}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adding(description: &str, existing: Option<u32>) -> Requirement {
        Requirement { marker: Marker::Add, description: description.to_owned(), count: Some(2), existing, span: None }
    }

    #[test]
    fn an_addition_preserves_its_existing_items_by_name() {
        for (description, preserved) in [
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
            assert_eq!(preserve, ["the nav", preserved], "{description}");
        }
    }

    #[test]
    fn an_entry_is_not_repeated_and_an_unknown_number_adds_none() {
        let mut preserve = vec!["All 8 drinks as they are".to_owned()];
        complete(&mut preserve, &[adding("Add 2 drinks", Some(8)), adding("Add 2 quotes", None)]);
        assert_eq!(preserve, ["All 8 drinks as they are"]);
    }
}
