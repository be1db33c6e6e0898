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

/// Maximum of lists in a difference.
const MAX_LISTS: usize = 8;

/// The lists of a project before and after a task.
pub(super) struct Project<'c> {
    pairs: Vec<Pair<'c>>,
    differences: Vec<Difference>,
    had: &'c Census,
    has: &'c Census,
}

impl<'c> Project<'c> {
    pub(super) fn new((had, old): (&'c Census, &Texts), (has, new): (&'c Census, &Texts)) -> Self {
        let pairs = choose::pairs(&had.lists, &has.lists);
        let differences = pairs.iter().map(|pair| Difference::of(pair, (had, old), (has, new))).collect();
        Self { pairs, differences, had, has }
    }

    /// Judges the requirements without a marker (`open`); `request` has all requirements of the task.
    pub(super) fn judge(&self, open: &TaskRequest, request: &TaskRequest) -> Unplanned {
        let all: Vec<Wanted<'_>> = request.requirements.iter().map(read).collect();
        let wanted: Vec<Wanted<'_>> = open.requirements.iter().map(read).collect();
        let mut judging =
            Judging { project: self, all: &all, findings: Vec::new(), reported: Vec::new(), counted: Vec::new() };
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
    fn is_grouping(&self, pair: &Pair<'_>) -> bool {
        let (None, Some(new)) = (pair.before, pair.after) else { return false };
        let is_inside = |old: &ItemList, list: &ItemList| {
            !old.is_nested && list.is_nested && list.homes.iter().any(|home| new.homes.contains(home))
        };
        let grouped = |pair: &Pair<'_>| pair.before.zip(pair.after).is_some_and(|(old, list)| is_inside(old, list));
        !new.is_nested && self.pairs.iter().any(grouped)
    }

    fn each(&self) -> impl Iterator<Item = (&Pair<'c>, &Difference)> {
        self.pairs.iter().zip(&self.differences)
    }

    fn difference_of(&self, pair: &Pair<'_>) -> Option<&Difference> {
        self.each().find(|(known, _)| std::ptr::eq(*known, pair)).map(|(_, difference)| difference)
    }

    /// The lists that differ.
    fn difference(&self) -> String {
        let changed = self.each().filter(|(pair, difference)| !difference.is_nothing() && pair.kind() > Kind::Loose);
        difference(changed.map(|(pair, difference)| (self.called(pair), difference)))
    }

    fn called(&self, pair: &Pair<'_>) -> String {
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

struct Judging<'j, 'c> {
    project: &'j Project<'c>,
    /// All requirements of the task.
    all: &'j [Wanted<'j>],
    findings: Vec<Finding>,
    /// Lists whose losses are reported.
    reported: Vec<&'j Pair<'c>>,
    counted: Vec<(String, String)>,
}

impl<'j, 'c> Judging<'j, 'c> {
    fn say(&mut self, verdict: ScopeVerdict, is_certain: bool, text: String) {
        self.findings.push(Finding { verdict, is_certain, text });
    }

    /// Whether a requirement allows this for the items of a list.
    fn allows(&self, freedom: Freedom, pair: &Pair<'_>) -> bool {
        let Project { pairs, had, .. } = self.project;
        let mut allowing = self.all.iter().filter(|wanted| wanted.freedom >= freedom);
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
            let mut named = adds.flat_map(|wanted| wanted.named(&project.pairs));
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
    fn is_unread(&self, pair: &Pair<'_>) -> bool {
        self.project.has.broken.iter().any(|(path, ..)| self.lived_in(pair, path))
    }

    fn added(&mut self, wanted: &Wanted<'_>) {
        let project = self.project;
        let named = wanted.named(&project.pairs);
        let is_own = |pair: &Pair<'_>| named.iter().any(|own| std::ptr::eq(*own, pair));
        let inferred = wanted.count.filter(|_| named.is_empty()).and_then(|count| self.inferred(count));
        let concerned = |pair: &Pair<'_>| is_own(pair) || inferred.is_some_and(|own| std::ptr::eq(own, pair));
        let mut is_reported = false;
        for (pair, difference) in project.each().filter(|(pair, _)| concerned(pair)) {
            if !difference.is_loss || self.is_unread(pair) || self.allows(Freedom::Change, pair) {
                continue;
            }
            self.reported.push(pair);
            is_reported = true;
            // New names for all items, or real items for placeholders, may be what is added.
            let is_content = wanted.count.is_none() && !wanted.wants_more() || difference.was_numbered;
            let (verdict, advice) = match difference.is_rewritten && is_content {
                true => (Warn, "Restore the existing items unless the task needs different ones."),
                false => {
                    (Fail, "Bring back every existing item as it was before the task, and add new ones next to them.")
                }
            };
            let text = format!(
                "[ADD] {}: {} had {} items, now has {}. Gone or converted: {}. {advice}",
                wanted.text,
                project.called(pair),
                difference.before,
                difference.after,
                gone(difference)
            );
            self.say(verdict, true, text);
        }
        if is_reported {
            return;
        }
        let one = match named.as_slice() {
            [one] => Some(*one),
            [] => inferred,
            _ => None,
        };
        match wanted.count {
            Some(count) => self.counted(wanted, count, one, &named),
            None if wanted.wants_more() => self.uncounted(wanted, one),
            None => {}
        }
    }

    /// The target list of a requirement that names none: the only list with new items, or the only one of these that lost
    /// items if no other grew by `count`.
    fn inferred(&self, count: usize) -> Option<&'j Pair<'c>> {
        let project = self.project;
        let came: Vec<_> =
            project.each().filter(|(pair, difference)| pair.is_main() && !difference.came.is_empty()).collect();
        let mut lost = came.iter().filter(|(_, difference)| difference.is_loss);
        match (came.as_slice(), lost.next(), lost.next()) {
            ([(pair, _)], ..) => Some(pair),
            (_, Some((pair, _)), None) if came.iter().all(|(_, difference)| difference.grown() != count) => Some(pair),
            _ => None,
        }
    }

    /// Expects `count` new items.
    fn counted(&mut self, wanted: &Wanted<'_>, count: usize, one: Option<&'j Pair<'c>>, named: &[&'j Pair<'c>]) {
        let project = self.project;
        let counts = || self.all.iter().filter_map(|wanted| wanted.count);
        // Several requirements may concern one list.
        let sums = [count, counts().sum()];
        let is_wanted = |difference: &Difference| sums.contains(&difference.grown());
        let elsewhere: Vec<(&Pair<'c>, &Difference)> = project
            .each()
            .filter(|(pair, difference)| {
                (one.is_none() && named.is_empty() || pair.kind() >= Kind::Control) && difference.grown() > 0
            })
            .filter(|(pair, _)| one.is_none_or(|one| !std::ptr::eq(*pair, one)) && !project.is_grouping(pair))
            .collect();
        let found = one.and_then(|one| Some((one, project.difference_of(one)?)));
        let Some((pair, difference)) = found else {
            // The new items are spread over the lists that it names, or over the only lists with new items.
            let is_of = |pair: &Pair<'_>| match named {
                [] => pair.is_main(),
                named => named.iter().any(|own| std::ptr::eq(*own, pair)),
            };
            let grown: Vec<_> = elsewhere.iter().filter(|(pair, _)| is_of(pair)).collect();
            let total = grown.iter().map(|(_, difference)| difference.grown()).sum();
            let is_one = |(_, difference): &&(&Pair<'_>, &Difference)| is_wanted(difference);
            if let Some(one) = grown.iter().copied().find(is_one) {
                self.say_counted(wanted, &[one]);
            } else if sums.contains(&total) {
                self.say_counted(wanted, &grown);
            } else if !elsewhere.iter().any(|(_, difference)| is_wanted(difference)) {
                let text = format!(
                    "[ADD] {}: no list in the sources matches this requirement, and none has exactly {count} more items \
                     than before. Check that all {count} are there and that no existing item is gone.",
                    wanted.text
                );
                self.say(Warn, false, text);
            }
            return;
        };
        let (before, after, list) = (difference.before, difference.after, project.called(pair));
        let expected = before + count;
        let replaced = self.allows(Freedom::Remove, pair) && sums.contains(&difference.came.len());
        // "There should be 10 drinks" says how many there are in the end.
        let is_total = after == count && difference.grown() > 0 && !wanted.says_add();
        if is_wanted(difference) || is_total || replaced || self.is_unread(pair) {
            if !self.is_unread(pair) {
                self.say_counted(wanted, &[&(pair, difference)]);
            }
            return;
        }
        // A new list, or another possible target.
        let is_fit = |pair: &Pair<'_>| pair.counts().0 == 0 || wanted.score(pair) >= POSSIBLE;
        let mut head =
            format!("[ADD] {}: expected {expected} items in {list} ({before} + {count}), found {after}.", wanted.text);
        if !difference.gone.is_empty() {
            head.push_str(&format!(" Gone or converted: {}.", gone(difference)));
        }
        if difference.is_open {
            self.say(Warn, false, format!("{head} The sources do not show how many there are."));
        } else if difference.grown() > 0 {
            let advice = match after < expected {
                true => format!("Add {} more and leave the {before} existing ones unchanged.", expected - after),
                false => format!("Keep the {count} that were asked for."),
            };
            self.say(Warn, true, format!("{head} {advice}"));
        } else if let Some(other) = elsewhere.iter().find(|(pair, difference)| is_fit(pair) && is_wanted(difference)) {
            self.say_counted(wanted, &[other]);
        } else if self.has_more(difference) || !elsewhere.is_empty() || self.allows(Freedom::Remove, pair) {
            let text = format!("{head} Other content is new. Check that the {count} items are there.");
            self.say(Warn, true, text);
        } else {
            self.reported.push(pair);
            let text = format!("{head} Add {count} new items and leave the {before} existing ones unchanged.");
            self.say(Fail, true, text);
        }
    }

    /// Reports that the items of a requirement are there, in these lists.
    fn say_counted(&mut self, wanted: &Wanted<'_>, lists: &[&(&Pair<'c>, &Difference)]) {
        let line = |(pair, difference): &&(&Pair<'c>, &Difference)| {
            format!("{}: {} → {} items", self.project.called(pair), difference.before, difference.after)
        };
        let lines: Vec<String> = lists.iter().map(line).collect();
        self.counted.push((wanted.text.to_owned(), lines.join("; ")));
    }

    /// Whether there is new content outside of lists: elements while no item was replaced, or data that is not rendered.
    fn has_more(&self, difference: &Difference) -> bool {
        let (had, has) = (self.project.had, self.project.has);
        has.unrendered > had.unrendered || difference.came.is_empty() && has.elements > had.elements
    }

    /// Expects more items than before, without a number.
    fn uncounted(&mut self, wanted: &Wanted<'_>, one: Option<&'j Pair<'c>>) {
        let project = self.project;
        let is_more = project.each().any(|(_, difference)| difference.grown() > 0 || difference.is_open);
        let Some(pair) = one.filter(|_| !is_more && project.has.elements <= project.had.elements) else { return };
        let before = pair.counts().0;
        let text = format!(
            "[ADD] {}: expected more than {before} items in {}, found {}. Add what was asked for beside the existing items.",
            wanted.text,
            project.called(pair),
            pair.counts().1
        );
        self.say(Warn, true, text);
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
        let named = wanted.named(&project.pairs);
        for pair in named {
            let Some(difference) = project.difference_of(pair) else { continue };
            // Only a requirement that names the list as well overrides the user's wish to keep it.
            let overrides = |wanted: &Wanted<'_>| wanted.freedom >= Freedom::Change && wanted.score(pair) >= POSSIBLE;
            let is_overridden = self.all.iter().any(overrides);
            if self.is_reported(pair) || !difference.is_loss || self.is_unread(pair) || is_overridden {
                continue;
            }
            self.reported.push(pair);
            let text = format!(
                "[PRESERVE] {kept}: {} had {} items, now has {}. Gone or converted: {}. Bring back every existing item as \
                 it was before the task.",
                project.called(pair),
                difference.before,
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
            let is_lost = difference.is_loss || difference.is_less() && difference.after < difference.before;
            let needed = if difference.after < difference.before { Freedom::Remove } else { Freedom::Rename };
            if self.is_reported(pair) || !is_list || !is_lost || self.is_unread(pair) || self.allows(needed, pair) {
                continue;
            }
            let text = format!(
                "{} had {} items, now has {}, and the task does not ask for that. Gone or converted: {}. Bring them back \
                 unless the task requires their removal.",
                project.called(pair),
                difference.before,
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
fn gone(difference: &Difference) -> String {
    match difference.gone.as_slice() {
        [] => format!("{} of {} items", difference.before.saturating_sub(difference.after), difference.before),
        gone => listed(gone),
    }
}
