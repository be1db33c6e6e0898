//! `MODIFY`, `FIX` and `NO CHANGES`: a part's own source changed, and its structure did not.

use super::counted::{self, Counted};
use super::{Case, Judged, used};
use crate::gate::scope::ScopeVerdict::{Pass, Warn};
use crate::gate::scope::choose::Pair;
use crate::gate::scope::identity;
use crate::gate::scope::lists::{Kind, is_own_kind};
use crate::plan::MarkerKind;
use crate::text::counted;

pub(super) fn modified(case: &Case<'_>) -> Judged {
    let key = case.key;
    if case.after.file.is_none() {
        let found = if case.was_shown { "its file was removed" } else { "it has no source" };
        return (Warn, format!("Expected changes in \"{key}\", but {found}."));
    }
    if !case.is_shown {
        let path = &case.after.path;
        return (Warn, format!("Expected changes in \"{key}\", but nothing renders {path} after the task."));
    }
    match case.has_changed() {
        Some(false) => return untouched(case),
        None => return case.unread(),
        Some(true) => {}
    }
    for pair in case.lists().filter(|pair| case.was_shown && !pair.is_open()) {
        // A new list with items of an existing one is counted with that one. A single container that is repeated now is
        // not an item that was added: the items are inside of it.
        let was_container = pair.before.is_some_and(|list| list.kind == Kind::Single && !is_own_kind(&list.tag));
        if was_container || pair.before.is_none() && counted::is_counted(case, pair) {
            continue;
        }
        let Counted { before, after, .. } = counted::count(case, pair);
        let asking = if after > before { MarkerKind::Add } else { MarkerKind::Remove };
        if before != after && case.texts(asking).next().is_none() && !is_elsewhere(case, pair) {
            let (list, place) = (pair.called(), case.place_of(pair));
            let text = format!(
                "Expected an unchanged structure of \"{key}\", found {} instead of {before} in {list} \
                 ({place}). A MODIFY changes existing content; add or remove items under markers of their own.",
                counted(after, "item")
            );
            return (Warn, text);
        }
    }
    (Pass, format!("\"{key}\" changed ({}), and its structure did not.", case.changed_files()))
}

/// A list was added or removed while its items are in another list, or it never had two items.
fn is_elsewhere(case: &Case<'_>, pair: &Pair<'_>) -> bool {
    let (before, after) = pair.counts();
    let lists = if before == 0 { &case.before.lists } else { &case.after.lists };
    let own = pair.before.or(pair.after).map(|list| list.identities()).unwrap_or_default();
    let moved = || lists.iter().any(|list| identity::gone(&own, &list.identities()).is_empty());
    before.min(after) == 0 && (before.max(after) < 2 || moved())
}

pub(super) fn fixed(case: &Case<'_>) -> Judged {
    let key = case.key;
    match (case.after.file, case.has_changed()) {
        (None, _) => (Warn, format!("Expected a fix in \"{key}\", found no source for it.")),
        (_, Some(false)) => untouched(case),
        _ => (Pass, format!("\"{key}\" changed ({}).", case.changed_files())),
    }
}

pub(super) fn unchanged(case: &Case<'_>) -> Judged {
    let key = case.key;
    match (case.after.file, case.has_changed()) {
        (_, Some(false)) => (Pass, format!("\"{key}\" is unchanged.")),
        (None, _) => (Warn, format!("{} was removed although the plan says NO CHANGES. Restore it.", case.before.path)),
        (_, None) => case.unread(),
        (_, Some(true)) => {
            let text = format!(
                "{} changed although the plan says NO CHANGES for \"{key}\". Undo the change unless the task needs it.",
                case.changed_files()
            );
            (Warn, text)
        }
    }
}

/// The part itself is unchanged. Its styles or a module that it uses may have changed.
fn untouched(case: &Case<'_>) -> Judged {
    let (key, place) = (case.key, case.place());
    let used = used::changed(case);
    if !used.is_empty() {
        return (Pass, format!("\"{key}\" itself is unchanged; what it uses changed ({}).", used.join(", ")));
    }
    (Warn, format!("Expected changes in \"{key}\", found none beyond white space and comments ({place}). Make them."))
}
