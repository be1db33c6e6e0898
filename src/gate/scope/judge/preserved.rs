//! `PRESERVED`: no item was removed or replaced.

use super::{Case, Judged};
use crate::gate::scope::ScopeVerdict::{Fail, Pass, Warn};
use crate::gate::scope::choose::{Choice, Pair, choose};
use crate::gate::scope::evaluate::Identity;
use crate::gate::scope::identity;
use crate::gate::scope::markers::Marker;
use crate::gate::scope::words::Wording;
use crate::plan::MarkerKind;
use crate::text::counted;

pub(super) fn judge(case: &Case<'_>, marker: &Marker) -> Judged {
    let key = case.key;
    if !case.was_shown {
        return (Pass, format!("There was no section \"{key}\" before the task."));
    }
    if !case.is_shown {
        let before = chosen(case, &marker.text).map_or(0, |choice| choice.pair.counts().0);
        let text = format!(
            "PRESERVED violation: the section \"{key}\" had {} ({}) and is gone. Restore it.",
            counted(before, "item"),
            case.before.path
        );
        return (Fail, text);
    }
    if !matches!(case.before.own, Some(Ok(_))) {
        return case.unread();
    }
    if let Some(judged) = on_all(case, marker) {
        return judged;
    }
    let Some(choice) = chosen(case, &marker.text) else {
        return (Pass, format!("\"{key}\" still exists and renders no list."));
    };
    let judged = on_list(case, &choice.pair);
    // A marker that names no list covers all of them, but the others may not be lists of items.
    if judged.0 == Pass && !choice.is_named {
        let others = case.lists().filter(|pair| pair.before.is_some());
        let mut worse = others.map(|pair| on_list(case, pair)).filter(|other| other.0 != Pass);
        if let Some((_, text)) = worse.next() {
            return (Warn, text);
        }
    }
    judged
}

/// Items of the part's list that were lost while an `ADD` asked for something else.
pub(super) fn lost(case: &Case<'_>) -> Option<Judged> {
    if !case.was_shown {
        return None;
    }
    let text = case.texts(MarkerKind::Preserved).next().unwrap_or_default();
    let pair = chosen(case, text)?.pair;
    let judged = pair.is_main().then(|| on_list(case, &pair))?;
    (judged.0 == Fail).then_some(judged)
}

/// If the marker's number counts all lists together and no single list, it covers all lists.
fn on_all(case: &Case<'_>, marker: &Marker) -> Option<Judged> {
    let wanted = Wording::from_text(&marker.text).count()?;
    let existed: Vec<_> = case.lists().filter(|pair| pair.before.is_some()).collect();
    let counts = || existed.iter().map(|pair| pair.counts().0);
    if existed.len() < 2 || counts().any(|count| count == wanted) || counts().sum::<usize>() != wanted {
        return None;
    }
    existed.iter().map(|pair| on_list(case, pair)).reduce(|worst, next| if next.0 > worst.0 { next } else { worst })
}

fn chosen<'c>(case: &Case<'c>, text: &str) -> Option<Choice<'c>> {
    let existed: Vec<Pair<'c>> = case.pairs.iter().filter(|pair| pair.before.is_some()).copied().collect();
    let wording = Wording::from_text(text);
    let choice = choose(&existed, &wording, wording.count(), case.key)?;
    if choice.is_named {
        return Some(choice);
    }
    // The list that items are added to is the one to preserve.
    let added = case.texts(MarkerKind::Add).next().map(Wording::from_text).unwrap_or_default();
    choose(&existed, &added, None, case.key)
}

fn on_list(case: &Case<'_>, pair: &Pair<'_>) -> Judged {
    let key = case.key;
    let (before, after) = (pair.had(), pair.has(&case.after.lists));
    let removable: String = case.texts(MarkerKind::Remove).collect::<Vec<_>>().join(" ").to_lowercase();
    let may_go = |item: &Identity| item.iter().any(|(_, value)| removable.contains(&value.to_lowercase()));
    let allowed = before.iter().filter(|item| !removable.is_empty() && may_go(item)).count();
    let mut gone = identity::gone(&before, &after);
    gone.retain(|item| removable.is_empty() || !may_go(item));

    let place = case.place_of(pair);
    let (had, has) = (before.len(), after.len());
    if gone.is_empty() && has + allowed >= had {
        return (Pass, format!("All {had} existing items of \"{key}\" are still there ({place})."));
    }
    let is_open = pair.is_open() || pair.after.is_none() && case.after.lists.iter().any(|list| list.is_open);
    if is_open {
        let text = format!(
            "\"{key}\" had {}; only {has} of them can be counted after the task ({place}). \
             Check that no existing item is gone.",
            counted(had, "item")
        );
        return (Warn, text);
    }
    let names: Vec<String> = gone.iter().filter_map(|item| Some(identity::label(item)?.to_string())).collect();
    let mut text = format!(
        "PRESERVED violation: \"{key}\" had {}, now has {has} in {} ({place})",
        counted(had, "item"),
        pair.called()
    );
    if !names.is_empty() {
        text.push_str(&format!("; gone or converted: {}", identity::listed(&names)));
    }
    text.push_str(". Bring back every existing item unchanged, and add new ones next to them.");
    (Fail, text)
}
