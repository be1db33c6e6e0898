//! Formats lists and their differences for verdicts.

use super::loss::Difference;
use crate::gate::scope::identity::listed;

/// Maximum of lists in a difference.
const MAX_LISTS: usize = 8;

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
            text.push_str(&format!("; gone: {}", listed(&difference.gone)));
        }
        if !difference.came.is_empty() {
            text.push_str(&format!("; new: {}", listed(&difference.came)));
        }
        text.push('\n');
    }
    text
}

/// The items that a list lost: their names, or how many.
pub(super) fn gone(difference: &Difference) -> String {
    match difference.gone.as_slice() {
        [] => format!("{} of {} items", difference.before.saturating_sub(difference.after), difference.before),
        gone => listed(gone),
    }
}
