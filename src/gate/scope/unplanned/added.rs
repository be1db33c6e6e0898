//! The verdict on a requirement for more items.

use super::judge::{Judging, gone};
use super::loss::Difference;
use super::target::{Freedom, POSSIBLE, Wanted};
use crate::gate::scope::ScopeVerdict::{Fail, Warn};
use crate::gate::scope::choose::Pair;
use crate::gate::scope::lists::Kind;
use crate::text::{counted, counted_with};
use std::collections::BTreeSet;

impl<'j, 'c> Judging<'j, 'c> {
    pub(super) fn added(&mut self, wanted: &Wanted<'_>) {
        let project = self.project;
        let named = wanted.pairs_named(&project.pairs);
        let is_own = |pair: &Pair<'_>| named.iter().any(|own| std::ptr::eq(*own, pair));
        let inferred = wanted.count.filter(|_| named.is_empty()).and_then(|count| self.inferred(wanted, count));
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
                "[ADD] {}: {} had {}, now has {}. Gone or converted: {}. {advice}",
                wanted.text,
                project.called(pair),
                counted(difference.before, "item"),
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
    /// items if no other grew by `count`. Not one that is another part of the page or of another requirement.
    fn inferred(&self, wanted: &Wanted<'_>, count: usize) -> Option<&'j Pair<'c>> {
        let project = self.project;
        let came: Vec<_> = project
            .each()
            .filter(|(pair, difference)| pair.is_main() && !difference.came.is_empty())
            .filter(|(pair, _)| !self.is_of_another(wanted, pair))
            .collect();
        let mut lost = came.iter().filter(|(_, difference)| difference.is_loss);
        match (came.as_slice(), lost.next(), lost.next()) {
            ([(pair, _)], ..) => Some(pair),
            (_, Some((pair, _)), None) if came.iter().all(|(_, difference)| difference.grown() != count) => Some(pair),
            _ => None,
        }
    }

    /// Whether the list is another part of the page, or another requirement for items names it and this one does not.
    fn is_of_another(&self, wanted: &Wanted<'_>, pair: &Pair<'_>) -> bool {
        let is_named =
            |one: &Wanted<'_>| one.pairs_named(&self.project.pairs).iter().any(|own| std::ptr::eq(*own, pair));
        let mut others = self.all.iter().filter(|other| other.count.is_some() && other.text != wanted.text);
        wanted.is_of_another_part(pair) || others.any(is_named) && !is_named(wanted)
    }

    /// The number of items that all requirements want which may concern a list.
    fn sum(&self, pair: &Pair<'_>) -> usize {
        let of = |wanted: &&Wanted<'_>| {
            let named = wanted.pairs_named(&self.project.pairs);
            named.iter().any(|own| std::ptr::eq(*own, pair)) || named.is_empty() && !wanted.is_of_another_part(pair)
        };
        self.all.iter().filter(of).filter_map(|wanted| wanted.count).sum()
    }

    fn is_claimed(&self, pair: &Pair<'_>) -> bool {
        self.claimed.iter().any(|claimed| std::ptr::eq(*claimed, pair))
    }

    /// Expects `count` new items.
    fn counted(&mut self, wanted: &Wanted<'_>, count: usize, one: Option<&'j Pair<'c>>, named: &[&'j Pair<'c>]) {
        let project = self.project;
        // Several requirements may concern one list.
        let is_wanted = |pair: &Pair<'_>, grown: usize| {
            grown == count && !self.is_claimed(pair) || grown > 0 && grown == self.sum(pair)
        };
        let elsewhere: Vec<(&'j Pair<'c>, &Difference)> = project
            .each()
            .filter(|(pair, difference)| {
                (one.is_none() && named.is_empty() || pair.kind() >= Kind::Control) && difference.grown() > 0
            })
            .filter(|(pair, _)| one.is_none_or(|one| !std::ptr::eq(*pair, one)) && !project.is_grouping(pair))
            .filter(|(pair, _)| !self.is_of_another(wanted, pair))
            .collect();
        let found = one.and_then(|one| Some((one, project.difference_of(one)?)));
        let Some((pair, difference)) = found else {
            // The new items are spread over the lists that it names, or over the only lists with new items.
            let is_of = |pair: &Pair<'_>| match named {
                [] => pair.is_main(),
                named => named.iter().any(|own| std::ptr::eq(*own, pair)),
            };
            let grown: Vec<_> = elsewhere.iter().filter(|(pair, _)| is_of(pair)).collect();
            let total: usize = grown.iter().map(|(_, difference)| difference.grown()).sum();
            let sum: usize = self.all.iter().filter_map(|wanted| wanted.count).sum();
            let is_one = |(pair, difference): &&(&Pair<'_>, &Difference)| is_wanted(pair, difference.grown());
            if let Some(one) = grown.iter().copied().find(is_one) {
                self.say_counted(wanted, &[one]);
            } else if [count, sum].contains(&total) && !grown.iter().any(|(pair, _)| self.is_claimed(pair)) {
                self.say_counted(wanted, &grown);
            } else if !elsewhere.iter().any(|(pair, difference)| is_wanted(pair, difference.grown())) {
                let found = match project.pairs.iter().any(Pair::is_main) {
                    true => format!(
                        "no list in the sources matches this requirement, and no other one has exactly {count} more items \
                         than before."
                    ),
                    false => "not counted: no readable list.".to_owned(),
                };
                let text = format!(
                    "[ADD] {}: {found} Check that all {count} are there and that no existing item is gone.",
                    wanted.text
                );
                self.say(Warn, false, text);
            }
            return;
        };
        let (before, after, list) = (difference.before, difference.after, project.called(pair));
        let expected = before + count;
        let replaced = self.allows(Freedom::Remove, pair) && [count, self.sum(pair)].contains(&difference.came.len());
        // "There should be 10 drinks" says how many there are in the end.
        let is_total = after == count && difference.grown() > 0 && !wanted.says_add();
        if is_wanted(pair, difference.grown()) || is_total || replaced || self.is_unread(pair) {
            if !self.is_unread(pair) {
                self.say_counted(wanted, &[&(pair, difference)]);
            }
            return;
        }
        // A new list, or another possible target.
        let is_fit = |pair: &Pair<'_>| pair.counts().0 == 0 || wanted.score(pair) >= POSSIBLE;
        let mut head = format!(
            "[ADD] {}: expected {} in {list} ({before} + {count}), found {after}.",
            wanted.text,
            counted(expected, "item")
        );
        if !difference.gone.is_empty() {
            head.push_str(&format!(" Gone or converted: {}.", gone(difference)));
        }
        let is_other = |(other, difference): &(&Pair<'_>, &Difference)| {
            !is_within(other, pair) || is_wanted(other, difference.grown())
        };
        if difference.is_open {
            self.say(Warn, false, format!("{head} The sources do not show how many there are."));
        } else if difference.grown() == count {
            let text = format!("{head} These items belong to another requirement. Check that all {count} are there.");
            self.say(Warn, false, text);
        } else if difference.grown() > 0 {
            // "10 drinks" may be how many there are in the end.
            let is_short = after < expected && after != count && wanted.says_add() && difference.came.len() < count;
            let is_clear = named.iter().any(|own| std::ptr::eq(*own, pair)) && !self.allows(Freedom::Remove, pair);
            let is_certain = is_short && is_clear && !elsewhere.iter().any(is_other) && !self.has_apart(pair);
            let advice = match after < expected {
                true => format!("Add {} more and leave the {before} existing ones unchanged.", expected - after),
                false => format!("Keep the {count} that were asked for."),
            };
            self.say(if is_certain { Fail } else { Warn }, true, format!("{head} {advice}"));
        } else if let Some(other) =
            elsewhere.iter().find(|(pair, difference)| is_fit(pair) && is_wanted(pair, difference.grown()))
        {
            self.say_counted(wanted, &[other]);
        } else if self.has_more(difference) || !elsewhere.is_empty() || self.allows(Freedom::Remove, pair) {
            let text = format!(
                "{head} Other content is new. Check that {} there.",
                counted_with(count, "item", ["is", "are"])
            );
            self.say(Warn, true, text);
        } else {
            self.reported.push(pair);
            let text = format!(
                "{head} Add {} and leave the {} unchanged.",
                counted(count, "new item"),
                counted(before, "existing item")
            );
            self.say(Fail, true, text);
        }
    }

    /// Reports that the items of a requirement are there, in these lists.
    fn say_counted(&mut self, wanted: &Wanted<'_>, lists: &[&(&'j Pair<'c>, &Difference)]) {
        self.claimed.extend(lists.iter().map(|(pair, _)| *pair));
        let line = |(pair, difference): &&(&Pair<'c>, &Difference)| {
            format!("{}: {} → {}", self.project.called(pair), difference.before, counted(difference.after, "item"))
        };
        // The same item twice, or an empty one, is no evidence.
        let came: BTreeSet<&str> =
            lists.iter().flat_map(|(_, difference)| &difference.came).map(|name| name.trim()).collect();
        if came.iter().filter(|name| !name.is_empty()).count() >= wanted.count.unwrap_or(1) {
            self.counted.push((wanted.text.to_owned(), lists.iter().map(line).collect::<Vec<_>>().join("; ")));
        }
    }

    /// Whether there is new content outside of lists: elements while no item was replaced, or data that is not rendered.
    fn has_more(&self, difference: &Difference) -> bool {
        let (had, has) = (self.project.had, self.project.has);
        has.unrendered > had.unrendered || difference.came.is_empty() && has.elements > had.elements
    }

    /// Whether there is new content outside of an existing list and of mapped lists.
    fn has_apart(&self, pair: &Pair<'_>) -> bool {
        let (had, has) = (self.project.had, self.project.has);
        let Some((old, new)) = pair.before.zip(pair.after) else { return has.unrendered > had.unrendered };
        let own = new.elements.saturating_sub(old.elements) * new.homes.len();
        has.unrendered > had.unrendered || has.unmapped > had.unmapped + own
    }

    /// Expects more items than before, without a number.
    fn uncounted(&mut self, wanted: &Wanted<'_>, one: Option<&'j Pair<'c>>) {
        let project = self.project;
        let is_more = project.each().any(|(_, difference)| difference.grown() > 0 || difference.is_open);
        let Some(pair) = one.filter(|_| !is_more && project.has.elements <= project.had.elements) else { return };
        let before = pair.counts().0;
        let text = format!(
            "[ADD] {}: expected more than {} in {}, found {}. Add what was asked for beside the existing items.",
            wanted.text,
            counted(before, "item"),
            project.called(pair),
            pair.counts().1
        );
        self.say(Warn, true, text);
    }
}

/// Whether a list is in the items of another one.
fn is_within(inner: &Pair<'_>, outer: &Pair<'_>) -> bool {
    let homes = |pair: &Pair<'_>| pair.after.map(|list| list.homes.as_slice()).unwrap_or_default().to_vec();
    let of_outer = homes(outer);
    inner.is_nested() && !outer.is_nested() && homes(inner).iter().any(|home| of_outer.contains(home))
}
