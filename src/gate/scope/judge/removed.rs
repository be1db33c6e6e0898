//! `REMOVE`: the named content is no longer rendered.

use super::{Case, Judged};
use crate::gate::scope::ScopeVerdict::{Pass, Warn};
use crate::gate::scope::choose::choose;
use crate::gate::scope::evaluate::Identity;
use crate::gate::scope::identity;
use crate::gate::scope::lists::Kind;
use crate::gate::scope::markers::Marker;
use crate::gate::scope::request::Request;
use crate::gate::scope::words::{Wording, contains_words};
use crate::text::{counted, quotations};

pub(super) fn judge(case: &Case<'_>, marker: &Marker) -> Judged {
    let key = case.key;
    if !case.is_shown {
        return (Pass, format!("\"{key}\" is no longer rendered."));
    }
    let text = marker.text.to_lowercase();
    let quoted: Vec<String> = quotations(&marker.text).into_iter().map(|(.., text)| text.to_lowercase()).collect();
    // Items that the marker names. The text of a heading or a single element counts only in quotes.
    let lists = case.before.lists.iter().filter(|list| !quoted.is_empty() || list.kind > Kind::Loose);
    let named: Vec<&Identity> = lists
        .flat_map(|list| &list.items)
        .map(|item| &item.identity)
        .filter(|item| item.iter().any(|(_, value)| is_named(&text, &value.to_lowercase(), &quoted)))
        .collect();
    let mut still = None;
    if !named.is_empty() {
        let after: Vec<Identity> = case.after.lists.iter().flat_map(|list| list.identities()).collect();
        let item = named.iter().find(|item| {
            let mut names = item.iter().map(|(_, value)| value);
            names.any(|name| {
                is_named(&text, &name.to_lowercase(), &quoted)
                    && after.iter().any(|other| other.iter().any(|(_, known)| known == name))
            })
        });
        still = item.and_then(|item| identity::label(item)).map(|name| name.to_string());
    } else if !quoted.is_empty() {
        let shown = case.after.text.to_lowercase();
        still = quoted.iter().find(|name| shown.contains(name.as_str())).cloned();
    }
    if !named.is_empty() || !quoted.is_empty() {
        return match still {
            Some(name) => still_there(case, &format!("\"{name}\"")),
            None => (Pass, format!("The content to remove from \"{key}\" is no longer rendered.")),
        };
    }
    let wording = Wording::from_text(&marker.text);
    if is_about_the_part(&wording, key) {
        return still_there(case, &format!("the section \"{key}\""));
    }
    // Content outside lists is removed if less is rendered.
    if !matches!(Request::from_wording(&wording, &case.nouns()), Request::Items(_)) {
        let (before, after) = (case.before, case.after);
        let is_less = after.elements < before.elements || after.text.len() < before.text.len();
        return match is_less && before.appearance.shown != after.appearance.shown {
            true => (Pass, format!("\"{key}\" renders less than before.")),
            false => still_there(case, "what the marker names"),
        };
    }
    let choice = choose(&case.pairs, &wording, None, key);
    if let Some(choice) = choice.filter(|choice| choice.is_named || wording.count().is_some()) {
        let (before, after) = choice.pair.counts();
        let wanted = wording.count().unwrap_or(1);
        if before > 0 {
            return if after + wanted <= before {
                (Pass, format!("\"{key}\" had {}, now has {after}.", counted(before, "item")))
            } else {
                still_there(case, &format!("{} of the items ({before} before, {after} now)", after + wanted - before))
            };
        }
    }
    match case.has_changed() {
        Some(true) if case.after.elements < case.before.elements => {
            (Pass, format!("\"{key}\" renders less than before."))
        }
        _ => still_there(case, "what the marker names"),
    }
}

fn still_there(case: &Case<'_>, what: &str) -> Judged {
    let place = case.place();
    let text = format!("Expected {what} to be removed, but {place} still renders it for \"{}\". Remove it.", case.key);
    (Warn, text)
}

/// A marker names an item by its complete name; if the marker has quotes, by a quoted name.
fn is_named(text: &str, name: &str, quoted: &[String]) -> bool {
    if name.chars().count() < 2 {
        return false;
    }
    if !quoted.is_empty() {
        return quoted.iter().any(|known| known == name);
    }
    contains_words(text, name)
}

/// The marker refers to the part itself: it says so, or it names only the part.
fn is_about_the_part(wording: &Wording, key: &str) -> bool {
    wording.says("section") || wording.says("screen") || wording.says("page") || wording.is_only(key)
}
