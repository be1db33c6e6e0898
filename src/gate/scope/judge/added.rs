//! `ADD`: the requested number of items was added.

use super::counted::{self, Counted};
use super::{Case, Judged, preserved};
use crate::gate::scope::ScopeVerdict::{self, Fail, Pass, Warn};
use crate::gate::scope::choose::{Choice, Pair, choose};
use crate::gate::scope::markers::Marker;
use crate::gate::scope::part::Side;
use crate::gate::scope::request::Request;
use crate::gate::scope::words::{Count, Wording};
use crate::plan::MarkerKind;
use crate::text;

pub(super) fn judge(case: &Case<'_>, marker: &Marker) -> Judged {
    let wording = Wording::from_text(&marker.text);
    let nouns = case.nouns();
    let request = Request::from_wording(&wording, &nouns);
    let wanted = match request {
        Request::Items(wanted) => wanted,
        Request::Content | Request::Unclear => None,
    };
    let key = case.key;
    if case.after.file.is_none() {
        let wanted = wanted.map_or_else(String::new, |count| format!("{} in ", text::counted(count.number, "item")));
        let text = format!(
            "Expected {wanted}a section \"{key}\", found no source for it. Create the component file named after \"{key}\" \
             and render it."
        );
        return (Fail, text);
    }
    if !case.is_shown {
        let path = &case.after.path;
        let text =
            format!("Expected \"{key}\" on the page, but nothing renders {path}. Import its component and render it.");
        return (Fail, text);
    }
    match request {
        Request::Content => content(case, &wording),
        Request::Items(wanted) => items(case, &wording, wanted),
        // Items or content: either satisfies the request, and the absence of both is uncertain.
        Request::Unclear => match items(case, &wording, None) {
            judged if judged.0 == Pass => judged,
            _ => content(case, &wording),
        },
    }
}

/// The verdict on the items of a list.
fn items(case: &Case<'_>, wording: &Wording, wanted: Option<Count>) -> Judged {
    let Some(choice) = chosen(case, wording) else { return without_list(case, wanted) };
    if choice.is_named {
        return on_list(case, &choice.pair, wanted);
    }
    // The target list is unknown: the best verdict of all lists counts.
    let judged = case.lists().map(|pair| on_list(case, pair, wanted));
    let first = on_list(case, &choice.pair, wanted);
    judged.fold(first, |best, next| if next.0 < best.0 { next } else { best })
}

fn chosen<'c>(case: &Case<'c>, wording: &Wording) -> Option<Choice<'c>> {
    let choice = choose(&case.pairs, wording, None, case.key)?;
    if choice.is_named {
        return Some(choice);
    }
    // The preserved items are the ones that the new items are added to.
    let preserved = case.texts(MarkerKind::Preserved).next().map(Wording::from_text).unwrap_or_default();
    choose(&case.pairs, &preserved, case.existing(), case.key)
}

fn on_list(case: &Case<'_>, pair: &Pair<'_>, wanted: Option<Count>) -> Judged {
    let counted = counted::count(case, pair);
    let Counted { before, after, .. } = counted;
    let verdict = verdict(&counted, wanted);
    let place = case.place_of(pair);
    let found = format!("found {after} in {} ({place})", pair.called());
    let Some(Count { number, .. }) = wanted else {
        let advice = match verdict {
            Pass => String::new(),
            _ => " Add what the marker asks for next to the existing items; do not convert any of them.".to_owned(),
        };
        return (
            verdict,
            format!("Expected more than {} in \"{}\", {found}.{advice}", text::counted(before, "item"), case.key),
        );
    };
    let expected = before + number;
    let advice = match verdict {
        Pass => String::new(),
        _ if counted.is_open => " The sources do not show how many there are.".to_owned(),
        _ if after < expected => {
            format!(
                " Add {} and leave the {} unchanged.",
                text::counted(expected - after, "new item"),
                text::counted(before, "existing item")
            )
        }
        _ => format!(" Keep only the {}.", text::counted(number, "requested item")),
    };
    (
        verdict,
        format!(
            "Expected {} in \"{}\" ({before} + {number}), {found}.{advice}",
            text::counted(expected, "item"),
            case.key
        ),
    )
}

fn verdict(counted: &Counted, wanted: Option<Count>) -> ScopeVerdict {
    let grown = counted.after.saturating_sub(counted.before);
    match wanted {
        _ if grown == 0 && (counted.is_open || counted.doubtful > 0) => Warn,
        _ if grown == 0 => Fail,
        None => Pass,
        Some(count) if count.is_doubtful || grown == count.number || grown == count.in_all => Pass,
        Some(_) => Warn,
    }
}

/// The verdict on content that is not a list item: the part renders new content and keeps every item.
fn content(case: &Case<'_>, wording: &Wording) -> Judged {
    if let Some(lost) = preserved::lost(case) {
        return lost;
    }
    if case.was_shown && !matches!(case.before.own, Some(Ok(_))) {
        return case.unread();
    }
    let (key, place) = (case.key, case.place());
    let after = &case.after.appearance.shown;
    if !after.is_empty() && (!case.was_shown || case.before.appearance.shown != *after) {
        return (Pass, format!("\"{key}\" has new content ({place})."));
    }
    // Items that are in order already look the same when they are sorted.
    if ["sort", "sorting", "order", "reorder"].iter().any(|word| wording.says(word)) && is_sorted(case) {
        return (Pass, format!("\"{key}\" sorts its items ({}).", case.changed_files()));
    }
    let text = format!(
        "Expected new content in \"{key}\", but {place} renders the same as before. Render what the marker asks for, \
         and leave the existing items unchanged."
    );
    (Warn, text)
}

/// Whether the part's source sorts more than before.
fn is_sorted(case: &Case<'_>) -> bool {
    let sorts = |side: &Side| match &side.own {
        Some(Ok(own)) => ["sort", "orderBy", "revers"].iter().map(|call| own.text.matches(call).count()).sum(),
        _ => 0,
    };
    sorts(case.after) > sorts(case.before)
}

/// The verdict for a part that renders no list.
fn without_list(case: &Case<'_>, wanted: Option<Count>) -> Judged {
    let has_content = case.after.elements > if case.was_shown { case.before.elements } else { 0 };
    let (key, place) = (case.key, case.place());
    if has_content && wanted.is_none_or(|count| count.number < 2) {
        return (Pass, format!("\"{key}\" has new content ({place})."));
    }
    if case.after.is_opaque || case.after.text.is_empty() && has_content {
        return (Warn, format!("The source of {place} does not show what it renders, so nothing was counted."));
    }
    let wanted = wanted.map_or_else(|| "new items".to_owned(), |count| text::counted(count.number, "item"));
    (Fail, format!("Expected {wanted} in \"{key}\", found none ({place}). Add them."))
}
