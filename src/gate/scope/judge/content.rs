//! `ADD` of content that is not a list item: the part renders new content and keeps every item.

use super::{Case, Judged, preserved};
use crate::gate::scope::ScopeVerdict;

pub(super) fn judge(case: &Case<'_>) -> Judged {
    if let Some((_, text)) = preserved::lost(case) {
        return (ScopeVerdict::Fail, text);
    }
    let (key, place) = (case.key, case.place());
    if case.was_shown && !matches!(case.before.own, Some(Ok(_))) {
        let text = format!("\"{key}\" could not be read before the task and cannot be compared.");
        return (ScopeVerdict::Warn, text);
    }
    if shows_new(case) {
        return (ScopeVerdict::Pass, format!("\"{key}\" has new content ({place})."));
    }
    let text = format!(
        "Expected new content in \"{key}\", but {place} renders the same as before. Render what the marker asks for, \
         and leave the existing items unchanged."
    );
    (ScopeVerdict::Warn, text)
}

/// Whether the rendered content differs and is not empty.
pub(super) fn shows_new(case: &Case<'_>) -> bool {
    let after = &case.after.appearance.shown;
    !after.is_empty() && (!case.was_shown || case.before.appearance.shown != *after)
}
