//! Who changed what since a base. The ledger is folded from facts: guarded writes, what a call left, what the user did.
//! Reverting, accepting, the evidence of work and `changes` ask it; nothing else decides whose a change is.
//!
//! | file | what |
//! |---|---|
//! | `history` | the changes of one file, by author |
//! | `home` | where the files that the run moved belong without its moves |
//! | `part` | the agent's part of a file: taken out, or put on top of a commit |
//! | `plan` | the same for all files: what to write |
//! | `look` | what the working tree has and the ledger does not expect |
//! | `cut_off` | a call whose page was closed, and whose the changes since are |
//! | `similar` | which new file is one that the user renamed and edited |

mod cut_off;
mod history;
mod home;
mod look;
mod part;
mod plan;
mod similar;

pub(crate) use cut_off::{Call, Claim, Unclear};
pub(crate) use history::History;
pub(crate) use look::{compare, is_in};
pub(crate) use part::{Part, commit, take_back};
pub(crate) use plan::{Plan, plan};
pub(crate) use similar::pair_similar;

use crate::layout::is_source;
use crate::snapshot::Entry;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Who changed a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum ChangedBy {
    Agent,
    Harness,
    User,
}

/// A change of one file, with the states before and after it; `None`: the file does not exist.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Write {
    pub path: String,
    /// Where a moved file was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Entry>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Entry>,
}

impl Write {
    /// The write that takes this one back.
    pub(crate) fn back(&self) -> Self {
        Self { path: self.path.clone(), from: None, before: self.after, after: self.before }
    }

    /// Whether the announced write happened, given another state than the one before it. The user may have changed its
    /// result, but rather edits a file before it is deleted than makes it again.
    pub(crate) fn may_precede(&self, present: Option<Entry>) -> bool {
        self.after.is_some() || present.is_none()
    }
}

/// The changes since a base, and the files that the run expects in the working tree.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Ledger {
    histories: BTreeMap<String, History>,
    /// Writes that began. One that is not recorded may have happened.
    announced: Vec<(ChangedBy, Write)>,
    /// The tree of the last snapshot.
    anchor: Option<String>,
    /// The last known state of every file that changed since the run began.
    known: BTreeMap<String, Option<Entry>>,
    /// The files of changes whose states are not known, because the project has no git.
    unmeasured: BTreeSet<(ChangedBy, String)>,
    /// The call that may change anything and has not ended.
    call: Option<Call>,
    /// What the user edits during it, according to the IDE.
    edited: BTreeSet<String>,
    /// What an interrupted call or the user changed, by path, until the user says who.
    unclear: BTreeMap<String, Unclear>,
    /// The question about them.
    asked: Option<String>,
    /// When the page before was alive last, in milliseconds since the epoch.
    closed: Option<u64>,
    /// Nothing shows what an interrupted call changed, or what the lost end of the journal had.
    uncertain: bool,
}

impl Ledger {
    /// The changes so far are settled: they are committed, or an attempt begins with them.
    pub(crate) fn settle(&mut self) {
        self.histories.clear();
        self.announced.clear();
        self.unmeasured.clear();
        self.unclear.clear();
        self.uncertain = false;
    }

    /// Other files are checked out, and nothing is known of them.
    pub(crate) fn restart(&mut self) {
        *self = Self::default();
    }

    /// Writes begin.
    pub(crate) fn announce(&mut self, by: ChangedBy, writes: &[Write]) {
        self.announced.extend(writes.iter().map(|write| (by, write.clone())));
    }

    /// A call returned: its writes that are not recorded failed.
    pub(crate) fn returned(&mut self) {
        self.announced.retain(|(by, _)| *by != ChangedBy::Agent);
    }

    pub(crate) fn record(&mut self, by: ChangedBy, write: &Write) {
        let Write { path, from, before, after } = write;
        if before.is_none() && after.is_none() {
            self.unmeasured.insert((by, path.clone()));
            return;
        }
        let mut history = self.history_to(path, *before);
        match from.as_ref().and_then(|from| self.source(from, *after)) {
            Some((from, found)) => {
                let source = self.history_to(from, found);
                match source.moved_back(path).filter(|_| by == ChangedBy::User) {
                    Some(back) => {
                        history = back;
                        history.add(by, *after);
                    }
                    None => history.add_moved(by, *after, from.to_owned(), source),
                }
            }
            None => history.add(by, *after),
        }
        if history.is_empty() {
            self.histories.remove(path);
        } else {
            self.histories.insert(path.clone(), history);
        }
        self.known.insert(path.clone(), *after);
        // Several writes of a call to one file are one record.
        self.announced.retain(|(_, announced)| announced.path != *path);
    }

    /// The file that a call moved, and what the call found there: it may have edited the file before or after the move, and
    /// moved it on. `None` if the call made the file.
    fn source<'a>(&'a self, mut from: &'a str, after: Option<Entry>) -> Option<(&'a str, Option<Entry>)> {
        for _ in 0..=self.announced.len() {
            match self.announced.iter().find(|(_, write)| write.path == from) {
                None => return Some((from, after)),
                Some((_, first)) if first.before.is_some() => return Some((from, first.before)),
                Some((_, first)) => from = first.from.as_deref()?,
            }
        }
        None
    }

    /// The history of a file up to this state. A state without a record is the user's.
    fn history_to(&self, path: &str, state: Option<Entry>) -> History {
        let new = || History::new(self.known(path).unwrap_or(state));
        let mut history = self.histories.get(path).cloned().unwrap_or_else(new);
        history.add(ChangedBy::User, state);
        history
    }

    /// A snapshot has the files as the run expects them.
    pub(crate) fn saved(&mut self, tree: &str) {
        self.anchor = Some(tree.to_owned());
    }

    pub(crate) fn call_began(&mut self, call: Call) {
        self.uncertain |= self.interrupted().is_some();
        self.call = Some(call);
        self.edited.clear();
    }

    /// The call ended, and so did the harness's writes that take its changes back.
    pub(crate) fn call_ended(&mut self) {
        self.call = None;
        self.edited.clear();
        self.announced.retain(|(by, _)| *by != ChangedBy::Harness);
    }

    /// The IDE says that the user edits these files and folders during the call.
    pub(crate) fn told(&mut self, edited: &BTreeSet<String>) {
        self.edited.extend(edited.iter().cloned());
    }

    /// Whether nothing more is to be kept of what the IDE says: no call may change files, or the ledger has it.
    pub(crate) fn is_told(&self, edited: &BTreeSet<String>) -> bool {
        self.call.is_none() || edited.is_subset(&self.edited)
    }

    /// What the user edits during the call, according to the IDE.
    pub(crate) fn edited(&self) -> &BTreeSet<String> {
        &self.edited
    }

    /// The page was closed at this time, and another one goes on. `is_lost`: the journal lost its end.
    pub(crate) fn resumed(&mut self, closed: Option<u64>, is_lost: bool) {
        self.uncertain |= is_lost;
        self.closed = closed;
        if let Some(call) = self.call.as_mut().filter(|call| call.closed.is_none()) {
            call.closed = Some(closed.unwrap_or(call.began));
        }
    }

    /// The call during which the page was closed: what it changed is not recorded.
    pub(crate) fn interrupted(&self) -> Option<&Call> {
        self.call.as_ref().filter(|call| call.closed.is_some())
    }

    /// Records a change of an interrupted call or of the user. It counts as the user's, until the user gives it to the author
    /// of the call.
    pub(crate) fn record_unclear(&mut self, (what, by): (&str, ChangedBy), write: &Write, is_asked: bool) {
        self.uncertain |= !is_asked;
        let Write { path, before, after, .. } = write;
        if !is_asked {
            return self.record(ChangedBy::User, write);
        }
        let mut history = self.history_to(path, *before);
        history.add_unclear(by, *after);
        self.histories.insert(path.clone(), history);
        self.known.insert(path.clone(), *after);
        self.unclear.insert(path.clone(), Unclear { what: what.to_owned(), before: *before, after: *after });
    }

    /// The user says whether an unclear change is the call's.
    pub(crate) fn clear_up(&mut self, path: &str, is_calls: bool) {
        if self.unclear.remove(path).is_some() {
            self.histories.iter_mut().for_each(|(of, history)| history.clear_up(of, path, is_calls));
        }
    }

    /// The user is asked about the unclear changes.
    pub(crate) fn ask(&mut self, id: &str) {
        self.asked = Some(id.to_owned());
    }

    /// The user answered a question, which may be about the unclear changes.
    pub(crate) fn answer(&mut self, id: &str, gives: &dyn Fn(&str) -> bool) {
        if self.asked.as_deref() == Some(id) {
            self.asked = None;
            let paths: Vec<String> = self.unclear.keys().cloned().collect();
            paths.iter().for_each(|path| self.clear_up(path, gives(path)));
        }
    }

    /// When the page before was alive last, in milliseconds since the epoch.
    pub(crate) fn closed(&self) -> Option<u64> {
        self.closed
    }

    /// The unclear changes of files that the user edited, as changes of the user: their states are equal.
    pub(crate) fn answered(&self, edited: &BTreeSet<String>) -> Vec<Write> {
        let own = self.unclear.iter().filter(|(path, _)| is_in(edited, path));
        own.map(|(path, Unclear { after, .. })| Write { path: path.clone(), from: None, before: *after, after: *after })
            .collect()
    }

    /// The changes whose author the user has not named, by path.
    pub(crate) fn unclear(&self) -> &BTreeMap<String, Unclear> {
        &self.unclear
    }

    /// The agent may have changed more than the ledger has.
    pub(crate) fn is_uncertain(&self) -> bool {
        self.uncertain || self.interrupted().is_some()
    }

    pub(crate) fn announced(&self) -> &[(ChangedBy, Write)] {
        &self.announced
    }

    pub(crate) fn histories(&self) -> &BTreeMap<String, History> {
        &self.histories
    }

    /// The files that this author changed, wherever the user has them, and that differ from the base.
    pub(crate) fn changed_by(&self, by: ChangedBy) -> BTreeSet<String> {
        let is_theirs =
            |(_, history): &(&String, &History)| history.of_file().has(by) && history.first() != history.last();
        let unmeasured = self.unmeasured.iter().filter(|(author, _)| *author == by).map(|(_, path)| path);
        self.histories.iter().filter(is_theirs).map(|(path, _)| path).chain(unmeasured).cloned().collect()
    }

    /// The last known state of a file, if it changed in the run.
    pub(crate) fn known(&self, path: &str) -> Option<Option<Entry>> {
        self.known.get(path).copied()
    }

    /// The files whose changes are followed although a scan may skip them.
    pub(crate) fn paths(&self) -> BTreeSet<String> {
        self.known.keys().cloned().chain(self.announced.iter().map(|(_, write)| write.path.clone())).collect()
    }

    /// The tree of the last snapshot.
    pub(crate) fn anchor(&self) -> Option<&str> {
        self.anchor.as_deref()
    }
}

/// Whether a change of the file by the user concerns a run. The files beside the sources have owners of their own.
pub(crate) fn is_followed(path: &str) -> bool {
    is_source(path)
}

#[cfg(test)]
mod tests;
