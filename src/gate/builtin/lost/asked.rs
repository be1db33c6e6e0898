//! What the requirements permit to remove.

use super::change::Change;
use super::{Kind, Lost};
use crate::gate::TaskRequest;
use crate::gate::scope::{Freedom, allowed, fit, stems, telling};
use crate::path::stem;
use crate::plan::MarkerKind;
use crate::words::PAGE_PARTS;
use std::collections::BTreeSet;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Permit {
    No,
    Perhaps,
    Yes,
}

pub(super) struct Asked<'r> {
    request: &'r TaskRequest,
    wanted: Vec<Wanted>,
    /// Stems of what the changed files show, by which a requirement names one of their parts.
    known: BTreeSet<String>,
}

struct Wanted {
    kind: MarkerKind,
    freedom: Freedom,
    nouns: Vec<String>,
}

impl<'r> Asked<'r> {
    pub(super) fn new(request: &'r TaskRequest, change: &Change<'_>) -> Self {
        let requirements = request.requirements.iter().chain(&request.all);
        let wanted = requirements.map(|one| {
            let (freedom, nouns) = allowed(one.kind, &one.text);
            Wanted { kind: one.kind, freedom, nouns }
        });
        let mut known: BTreeSet<String> = BTreeSet::new();
        for file in &change.files {
            let (texts, components) = (file.had.texts.iter(), file.had.components.iter());
            known.extend(texts.chain(components).flat_map(|text| stems(text)));
            known.extend(file.had.sections.iter().map(|section| section.tag.clone()));
            if let Some((_, title)) = file.before.split_once("<title") {
                known.insert("title".to_owned());
                known.extend(stems(title.split('<').next().unwrap_or_default()));
            }
        }
        Self { request, wanted: wanted.collect(), known }
    }

    /// Whether a requirement asks for something new of this name.
    pub(super) fn adds(&self, name: &str) -> bool {
        let names = stems(name);
        self.wanted.iter().any(|wanted| wanted.kind == MarkerKind::Add && names_it(&wanted.nouns, &names))
    }

    pub(super) fn permit(&self, lost: &Lost) -> Permit {
        // Without the user's words, anything may be asked for.
        if self.request.messages.is_empty() || self.wanted.is_empty() {
            return Permit::Perhaps;
        }
        let by_look = match lost.kind {
            Kind::Style if self.request.asks_for_look => Permit::Yes,
            Kind::Shown if self.request.asks_for_look => Permit::Perhaps,
            _ => Permit::No,
        };
        let around = telling(stems(stem(&lost.path)));
        let permits = self.wanted.iter().map(|wanted| {
            let Wanted { kind, freedom, nouns } = wanted;
            let is_free = *freedom >= Freedom::Rename;
            let is_named = names_it(nouns, &lost.names);
            let is_around = names_it(nouns, &around);
            let is_elsewhere = || nouns.iter().any(|noun| self.known.contains(noun));
            // "Remove the opening hours": the words that it shows.
            let is_said = || *freedom == Freedom::Remove && fit(nouns, &lost.said) > 1;
            match lost.kind {
                _ if is_named && is_free || is_said() => Permit::Yes,
                _ if is_named => Permit::Perhaps,
                Kind::Vital => Permit::No,
                _ if is_around && is_free => Permit::Yes,
                _ if is_around && *kind == MarkerKind::Modify => Permit::Perhaps,
                _ if is_free && !is_elsewhere() => Permit::Perhaps,
                _ => Permit::No,
            }
        });
        permits.max().unwrap_or(Permit::No).max(by_look)
    }
}

/// Whether the words have one of these names, or another name of the same part of a page.
fn names_it(nouns: &[String], names: &[String]) -> bool {
    let is_part = |noun: &String| {
        let has = |list: &str, word: &str| list.split(' ').any(|known| known == word);
        let mut parts = PAGE_PARTS.iter().filter(|part| has(part.names, noun));
        parts.any(|part| names.iter().any(|name| has(part.names, name) || has(part.tags, name)))
    };
    fit(nouns, names) > 0 || nouns.iter().any(is_part)
}
