//! `ADD` of what is no list item: something new is shown, and every item is as it was.

use super::{Case, Judged, preserved};
use crate::gate::scope::ScopeVerdict;

/// The verdict on content: the part shows something new, and no item is gone.
pub fn judge(case: &Case<'_>) -> Judged {
    if let Some((_, text)) = preserved::lost(case) {
        return (ScopeVerdict::Fail, text);
    }
    let (key, place) = (case.key, case.place());
    if case.was_shown && !matches!(case.before.own, Some(Ok(_))) {
        let text = format!("\"{key}\" could not be read before the task, so that it cannot be compared.");
        return (ScopeVerdict::Warn, text);
    }
    if shows_new(case) {
        return (ScopeVerdict::Pass, format!("\"{key}\" shows something new ({place})."));
    }
    let text = format!(
        "Expected something new in \"{key}\", but {place} renders what it rendered before. Render what the marker asks \
         for, and leave the existing items as they are."
    );
    (ScopeVerdict::Warn, text)
}

/// What the part renders differs, and is not nothing.
pub fn shows_new(case: &Case<'_>) -> bool {
    let after = &case.after.appearance.shown;
    !after.is_empty() && (!case.was_shown || case.before.appearance.shown != *after)
}
