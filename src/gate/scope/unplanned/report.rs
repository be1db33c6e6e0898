//! Formats lists and their differences for verdicts.

use super::loss::Difference;
use crate::gate::scope::choose::Pair;

/// Maximum of names in a sentence.
const MAX_NAMES: usize = 6;
/// Maximum of lists in a difference.
const MAX_LISTS: usize = 8;

/// The name of a list with its file.
pub(super) fn called(pair: &Pair<'_>, home: &str) -> String {
    let name = pair.sides().filter_map(|list| list.called.clone()).next_back();
    let tag = pair.sides().next_back().map(|list| list.tag.clone()).unwrap_or_default();
    match (name, tag.is_empty()) {
        (Some(name), _) => format!("`{name}` ({home})"),
        (None, false) => format!("the <{tag}> elements of {home}"),
        (None, true) => format!("a list of {home}"),
    }
}

/// The first names in quotes, and the number of the others.
pub(super) fn names(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(MAX_NAMES).map(|name| format!("\"{name}\"")).collect();
    let more = names.len().saturating_sub(MAX_NAMES);
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}

/// One line for each list that changed.
pub(super) fn difference<'d>(lists: impl Iterator<Item = (String, &'d Difference)>) -> String {
    let mut text = String::new();
    for (at, (list, difference)) in lists.enumerate() {
        if at == MAX_LISTS {
            text.push_str("- and other lists\n");
            break;
        }
        text.push_str(&format!("- {list}: {} → {} items", difference.before, difference.after));
        if difference.is_open {
            text.push_str(" that the sources show");
        }
        if !difference.gone.is_empty() {
            text.push_str(&format!("; gone: {}", names(&difference.gone)));
        }
        if !difference.came.is_empty() {
            text.push_str(&format!("; new: {}", names(&difference.came)));
        }
        text.push('\n');
    }
    text
}

/// The items that a list lost: their names, or how many.
pub(super) fn gone(difference: &Difference) -> String {
    match difference.gone.as_slice() {
        [] => format!("{} of {} items", difference.before.saturating_sub(difference.after), difference.before),
        gone => names(gone),
    }
}
