//! What the changed lines say about a requirement.

use super::RequirementVerdict::{self, Checked, Mentioned, Missing, Open};
use super::places::{has_name, is_seen, names_code, structure};
use super::values::{Kind, Value, stated};
use crate::gate::RequestedChange;
use crate::gate::builtin::{Line, Used};
use crate::gate::scope::{fit, stems, telling};
use crate::plan::MarkerKind;

/// A line and where it has what it shows, in bytes.
pub(super) type Place<'l> = (&'l Line, (usize, usize));

/// The verdict of the changed lines on a requirement, and the most telling one.
pub(super) fn judge<'l>(wanted: &RequestedChange, used: &'l Used) -> (RequirementVerdict, Option<Place<'l>>) {
    let weak = mentioned(wanted, used);
    let weak = (if weak.is_some() { Mentioned } else { Open }, weak);
    if wanted.kind == MarkerKind::Remove {
        return removed(wanted, used).map_or(weak, |place| (Checked, Some(place)));
    }
    let (values, rest) = stated(wanted.kind, &wanted.text);
    let Used { lines: new, gone, files, .. } = used;
    let is_there = |value: &Value, lines: &[Line]| lines.iter().any(|line| !value.places(&line.text).is_empty());
    // "Fine teas" in `Change "Fine teas" to "Great teas"`.
    let is_old = |value: &&Value| is_there(value, gone) && !is_there(value, new) && value.kind == Kind::Text;
    let (old, values): (Vec<&Value>, Vec<&Value>) = values.iter().partition(is_old);
    let names = identifying(&rest);
    let is_named = |(line, place): &Place<'_>| names.iter().all(|name| has_name(line, *place, name));
    let mut first = None;
    for value in &values {
        let places = |line: &'l Line| value.places(&line.text).into_iter().map(move |place| (line, place));
        // Each one is looked for in all files.
        let found = || new.iter().flat_map(places).take(32);
        let is_proof = |at: &Place<'_>| is_named(at) && is_seen(at.0, at.1, value.kind == Kind::Color, files);
        let Some(proof) = found().find(is_proof) else {
            if let Some(place) = found().next() {
                return (Mentioned, Some(place));
            }
            let is_change = wanted.kind != MarkerKind::Add && !gone.is_empty() && !names.is_empty();
            let mut others = new.iter().filter(|_| is_change).filter_map(|line| Some((line, value.other(line, gone)?)));
            return others.find(is_named).map_or((Open, weak.1), |place| (Missing, Some(place)));
        };
        first = first.or(Some(proof));
    }
    match first {
        Some(place) => (Checked, Some(place)),
        None if !old.is_empty() => (Mentioned, weak.1),
        None if wanted.kind == MarkerKind::Add && !names.is_empty() => {
            let built = new.iter().find_map(|line| Some((line, structure(line, &names, used)?)));
            built.map_or(weak, |place| (Checked, Some(place)))
        }
        None => weak,
    }
}

/// Whether the requirement states a value that the change must have.
pub(super) fn states_value(wanted: &RequestedChange) -> bool {
    !stated(wanted.kind, &wanted.text).0.is_empty()
}

/// The line that has most words of a requirement, if the changed lines have at least half of them.
fn mentioned<'l>(wanted: &RequestedChange, used: &'l Used) -> Option<Place<'l>> {
    let names = names(&wanted.text);
    let changed = if wanted.kind == MarkerKind::Remove { &used.gone } else { &used.lines };
    let own = changed.iter().filter(|line| !line.text.starts_with("import "));
    let read = own.map(|line| {
        let (text, around) = (stems(&line.text), stems(&format!("{} {}", line.path, line.around)));
        let is_in = |name: &[String]| fit(name, &text) > 0 || fit(name, &around) > 1;
        let is_said = |name: &&String| is_in(std::slice::from_ref(*name));
        ((line, place_of(&line.text, &names)), names.iter().filter(is_said).collect())
    });
    let read: Vec<(Place<'l>, Vec<&String>)> = read.collect();
    let said = names.iter().filter(|name| read.iter().any(|(_, said)| said.contains(name))).count();
    let best = read.iter().rev().max_by_key(|((_, (_, end)), said)| (said.len(), *end > 0));
    best.filter(|_| said > 0 && said * 2 >= names.len()).map(|(place, _)| *place)
}

/// The first word of a line that is one of these names; empty without one.
fn place_of(text: &str, names: &[String]) -> (usize, usize) {
    let mut at = 0;
    for word in text.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        if !bare.is_empty() && fit(names, &stems(bare)) > 0 {
            return (at, at + bare.len());
        }
        at += word.len();
    }
    (0, 0)
}

/// The removed line, if what is gone is one thing that the requirement names, nothing replaces it, and no line of its file
/// names it now.
fn removed<'l>(wanted: &RequestedChange, used: &'l Used) -> Option<Place<'l>> {
    let (names, Used { lines: new, gone, files, .. }) = (identifying(&wanted.text), used);
    let is_inside = |line: &Line| {
        let is_outer =
            |other: &Line| other.path == line.path && line.around.lines().any(|outer| outer == other.text.trim());
        ["</", "import "].iter().any(|start| line.text.trim().starts_with(start)) || gone.iter().any(is_outer)
    };
    let mut own = gone.iter().filter(|line| new.is_empty() && files.contains_key(&line.path) && !is_inside(line));
    let (Some(only), None) = (own.next(), own.next()) else { return None };
    let has_all = |text: &str| {
        let (stems, head) = (stems(text), stems(text.split('>').next().unwrap_or_default()));
        names.iter().all(|name| names_code(&head, name) || fit(std::slice::from_ref(name), &stems) > 1)
    };
    let is_left = files.get(&only.path).is_some_and(|text| text.lines().any(has_all));
    let is_it = !names.is_empty() && has_all(&only.text) && !is_left;
    is_it.then(|| (only, place_of(&only.text, &names)))
}

/// The names that a value or a part must have around it.
fn identifying(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    // "Raise the price": an act before its object.
    let acts = words.get(1).is_some_and(|word| ARTICLES.contains(word));
    let mut names = names(&words.get(usize::from(acts)..).unwrap_or_default().join(" "));
    names.retain(|name| !EVERYWHERE.split(' ').any(|word| word == name));
    names
}

/// The stems that say what a requirement is about.
pub(super) fn names(text: &str) -> Vec<String> {
    let mut names = telling(stems(text));
    names.retain(|name| !ACTS.split(' ').any(|word| word == name));
    names
}

const ARTICLES: [&str; 7] = ["the", "a", "an", "my", "our", "your", "this"];
/// What contains every other part, or says nothing about it.
const EVERYWHERE: &str =
    "page site website app project screen section component text whole new line note sentence label";

/// Words that name an action or a degree, not a thing.
const ACTS: &str = "add make fix change update set put create build remove delete replace improve refine turn use show say \
                    broken wrong should please into one two three four five my our your i we you go lead point read titled \
                    called named rename mode so but too very € typo must";
