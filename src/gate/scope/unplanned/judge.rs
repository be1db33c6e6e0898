//! The verdicts. A requirement fails if the list that it names lost items or got no new ones, and nothing in the task
//! or the sources explains that.

use super::census::Census;
use super::loss::{Difference, Texts};
use super::target::{Freedom, POSSIBLE, Wanted};
use super::{Finding, Unplanned};
use crate::gate::scope::ScopeVerdict::{self, Fail, Warn};
use crate::gate::scope::choose::{self, Pair};
use crate::gate::scope::identity::{self, listed};
use crate::gate::scope::lists::{ItemList, Kind};
use crate::gate::{RequestedChange, TaskRequest};
use crate::plan::MarkerKind;
use crate::text::counted;

/// Maximum of lists in a difference.
const MAX_LISTS: usize = 8;

/// The lists of a project before and after a task.
pub(super) struct Project<'c> {
    pub(super) pairs: Vec<Pair<'c>>,
    differences: Vec<Difference>,
    pub(super) had: &'c Census,
    pub(super) has: &'c Census,
}

impl<'c> Project<'c> {
    pub(super) fn new((had, old): (&'c Census, &Texts), (has, new): (&'c Census, &Texts)) -> Self {
        let pairs = choose::pairs(&had.lists, &has.lists);
        let differences = pairs.iter().map(|pair| Difference::between(pair, (had, old), (has, new))).collect();
        Self { pairs, differences, had, has }
    }

    /// Judges the requirements without a marker (`open`); `request` has all requirements of the task.
    pub(super) fn judge(&self, open: &TaskRequest, request: &TaskRequest) -> Unplanned {
        let all: Vec<Wanted<'_>> = request.requirements.iter().map(read).collect();
        let wanted: Vec<Wanted<'_>> = open.requirements.iter().map(read).collect();
        let (findings, reported, claimed, counted) = Default::default();
        let mut judging = Judging { project: self, all: &all, findings, reported, claimed, counted };
        judging.broken(&wanted);
        for wanted in &wanted {
            match wanted.kind {
                MarkerKind::Add => judging.added(wanted),
                MarkerKind::Remove => judging.removed(wanted),
                _ => {}
            }
        }
        for kept in &open.preserve {
            judging.preserved(kept);
        }
        judging.losses();
        let (mut findings, counted) = (judging.findings, judging.counted);
        let is_certain =
            !request.is_steered && !self.had.is_partial && !self.has.is_partial && self.had.broken.is_empty();
        if !is_certain {
            for finding in findings.iter_mut().filter(|finding| finding.verdict == Fail) {
                finding.verdict = Warn;
            }
        }
        let difference = if findings.is_empty() { String::new() } else { self.difference() };
        Unplanned { findings, difference, counted }
    }

    /// Whether a new list has the items of another list in groups.
    pub(super) fn is_grouping(&self, pair: &Pair<'_>) -> bool {
        let (None, Some(new)) = (pair.before, pair.after) else { return false };
        let is_inside = |old: &ItemList, list: &ItemList| {
            !old.is_nested && list.is_nested && list.homes.iter().any(|home| new.homes.contains(home))
        };
        let grouped = |pair: &Pair<'_>| pair.before.zip(pair.after).is_some_and(|(old, list)| is_inside(old, list));
        !new.is_nested && self.pairs.iter().any(grouped)
    }

    pub(super) fn each(&self) -> impl Iterator<Item = (&Pair<'c>, &Difference)> {
        self.pairs.iter().zip(&self.differences)
    }

    pub(super) fn difference_of(&self, pair: &Pair<'_>) -> Option<&Difference> {
        self.each().find(|(known, _)| std::ptr::eq(*known, pair)).map(|(_, difference)| difference)
    }

    /// The lists that differ.
    fn difference(&self) -> String {
        let changed = self.each().filter(|(pair, difference)| !difference.is_nothing() && pair.kind() > Kind::Loose);
        difference(changed.map(|(pair, difference)| (self.called(pair), difference)))
    }

    pub(super) fn called(&self, pair: &Pair<'_>) -> String {
        let home = pair.after.or(pair.before).and_then(|list| list.homes.last());
        format!("{} ({})", pair.called(), home.map_or("src", String::as_str))
    }
}

/// Whether the list is mapped inside the items of another list and its items have several fields.
fn has_names(pair: &Pair<'_>) -> bool {
    let is_named =
        |list: &ItemList| list.items.iter().any(|item| item.identity.iter().any(|(field, _)| field.len() > 1));
    pair.kind() == Kind::Mapped && pair.before.is_some_and(is_named)
}

fn read(request: &RequestedChange) -> Wanted<'_> {
    Wanted::new(request.kind, &request.text, request.count)
}

pub(super) struct Judging<'j, 'c> {
    pub(super) project: &'j Project<'c>,
    /// All requirements of the task.
    pub(super) all: &'j [Wanted<'j>],
    findings: Vec<Finding>,
    /// Lists whose losses are reported.
    pub(super) reported: Vec<&'j Pair<'c>>,
    /// Lists whose new items a requirement asks for.
    pub(super) claimed: Vec<&'j Pair<'c>>,
    pub(super) counted: Vec<(String, String)>,
}

impl<'j, 'c> Judging<'j, 'c> {
    pub(super) fn say(&mut self, verdict: ScopeVerdict, is_certain: bool, text: String) {
        self.findings.push(Finding { verdict, is_certain, text });
    }

    /// Whether a requirement allows this for the items of a list.
    pub(super) fn allows(&self, freedom: Freedom, pair: &Pair<'_>) -> bool {
        let Project { pairs, had, .. } = self.project;
        let mut allowing = self.all.iter().filter(|wanted| wanted.freedom_of(pair) >= freedom);
        allowing.any(|wanted| wanted.may_concern(pair, pairs, &had.places))
    }

    fn is_reported(&self, pair: &Pair<'_>) -> bool {
        self.reported.iter().any(|reported| std::ptr::eq(*reported, pair))
    }

    /// Reports files that parsed before the task and do not parse after it.
    fn broken(&mut self, wanted: &[Wanted<'_>]) {
        let project = self.project;
        let broken =
            project.has.broken.iter().filter(|(path, ..)| project.had.broken.iter().all(|(known, ..)| known != path));
        for (path, line, message) in broken {
            let adds = wanted.iter().filter(|wanted| wanted.kind == MarkerKind::Add);
            let mut named = adds.flat_map(|wanted| wanted.pairs_named(&project.pairs));
            let is_theirs = named.any(|pair| self.lived_in(pair, path));
            let verdict = if is_theirs { Fail } else { Warn };
            let text =
                format!("{path}:{line} does not parse, and its items cannot be counted: {message} Fix the syntax.");
            self.say(verdict, true, text);
        }
    }

    fn lived_in(&self, pair: &Pair<'_>, path: &str) -> bool {
        pair.before.is_some_and(|list| list.homes.iter().any(|home| home == path))
    }

    /// Whether the list was in a file that does not parse after the task.
    pub(super) fn is_unread(&self, pair: &Pair<'_>) -> bool {
        self.project.has.broken.iter().any(|(path, ..)| self.lived_in(pair, path))
    }

    /// Expects that the items that a removal names are gone.
    fn removed(&mut self, wanted: &Wanted<'_>) {
        let text = wanted.text.to_lowercase();
        let project = self.project;
        for pair in project.pairs.iter().filter(|pair| pair.is_main()) {
            let (Some(had), Some(has)) = (pair.before, pair.after) else { continue };
            let labels = had.items.iter().filter_map(|item| identity::label(&item.identity));
            let named = labels.filter(|name| name.chars().count() > 3 && text.contains(&name.to_lowercase()));
            let still: Vec<String> =
                named.filter(|name| has.values.contains(name)).map(|name| name.to_string()).collect();
            if !still.is_empty() {
                let text = format!(
                    "[REMOVE] {}: {} still has {}. Remove what was asked for.",
                    wanted.text,
                    project.called(pair),
                    listed(&still)
                );
                self.say(Warn, false, text);
            }
        }
    }

    fn preserved(&mut self, kept: &str) {
        let project = self.project;
        let wanted = Wanted::new(MarkerKind::Preserved, kept, None);
        let named = wanted.pairs_named(&project.pairs);
        for pair in named {
            let Some(difference) = project.difference_of(pair) else { continue };
            // Only a requirement that names the list as well overrides the user's wish to keep it.
            let overrides = |wanted: &Wanted<'_>| {
                let is_of = wanted.score(pair) >= POSSIBLE || wanted.names_an_item(pair);
                wanted.freedom_of(pair) >= Freedom::Change
                    && is_of
                    && (wanted.kind != MarkerKind::Fix || wanted.renames(pair))
            };
            let is_overridden = self.all.iter().any(overrides);
            if self.is_reported(pair) || !difference.is_loss || self.is_unread(pair) || is_overridden {
                continue;
            }
            self.reported.push(pair);
            let text = format!(
                "[PRESERVE] {kept}: {} had {}, now has {}. Gone or converted: {}. Bring back every existing item as \
                 it was before the task.",
                project.called(pair),
                counted(difference.before, "item"),
                difference.after,
                gone(difference)
            );
            self.say(Fail, true, text);
        }
    }

    /// Reports lost items that no requirement explains.
    fn losses(&mut self) {
        let project = self.project;
        for (pair, difference) in project.each() {
            let is_list = difference.before > 1 && (pair.is_main() || has_names(pair));
            let is_lost = difference.is_loss || difference.is_less();
            let needed = if difference.after < difference.before { Freedom::Remove } else { Freedom::Rename };
            if self.is_reported(pair) || !is_list || !is_lost || self.is_unread(pair) || self.allows(needed, pair) {
                continue;
            }
            let text = format!(
                "{} had {}, now has {}, and the task does not ask for that. Gone or converted: {}. Bring them back \
                 unless the task requires their removal.",
                project.called(pair),
                counted(difference.before, "item"),
                difference.after,
                gone(difference)
            );
            self.say(Warn, true, text);
        }
    }
}

/// One line for each list that changed.
fn difference<'d>(lists: impl Iterator<Item = (String, &'d Difference)>) -> String {
    let mut text = String::new();
    for (at, (list, difference)) in lists.enumerate() {
        if at == MAX_LISTS {
            text.push_str("- and other lists\n");
            break;
        }
        text.push_str(&format!("- {list}: {} → {}", difference.before, counted(difference.after, "item")));
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
        [] => {
            format!("{} of {}", difference.before.saturating_sub(difference.after), counted(difference.before, "item"))
        }
        gone => listed(gone),
    }
}
