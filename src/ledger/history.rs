//! The changes of one file by author.

use super::ChangedBy;
use crate::snapshot::Entry;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The states of a file since the base. Consecutive changes by one author are one step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct History {
    first: Option<Entry>,
    steps: Vec<Step>,
    /// The file that was moved here last.
    origin: Option<Box<Origin>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Step {
    pub by: ChangedBy,
    pub to: Option<Entry>,
    /// Who may have made the change in place of the user.
    pub or: Option<ChangedBy>,
}

/// A file that was moved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Origin {
    pub path: String,
    /// Up to the move.
    pub history: History,
    /// The steps of the target up to the move, including it.
    steps: usize,
}

impl History {
    pub(crate) fn new(first: Option<Entry>) -> Self {
        Self { first, steps: Vec::new(), origin: None }
    }

    pub(super) fn add(&mut self, by: ChangedBy, to: Option<Entry>) {
        if self.last() == to {
            return;
        }
        let is_just_moved = self.is_just_moved();
        match self.steps.last_mut() {
            Some(step) if step.by == by && step.or.is_none() && !is_just_moved => step.to = to,
            _ => self.steps.push(Step { by, to, or: None }),
        }
        let before = self.state_after(self.steps.len() - 1);
        if before == to && !self.is_just_moved() {
            self.steps.pop();
        }
    }

    /// A change of the user, or of this author.
    pub(super) fn add_unclear(&mut self, by: ChangedBy, to: Option<Entry>) {
        if self.last() != to {
            self.steps.push(Step { by: ChangedBy::User, to, or: Some(by) });
        }
    }

    /// The unclear changes of the file `path` are the other author's or the user's. `of` is the path of this history, which
    /// may have come from `path`.
    pub(super) fn clear_up(&mut self, of: &str, path: &str, is_others: bool) {
        if of == path {
            for step in &mut self.steps {
                let other = step.or.take().filter(|_| is_others);
                step.by = other.unwrap_or(step.by);
            }
        }
        if let Some(Origin { path: from, history, .. }) = self.origin.as_deref_mut() {
            history.clear_up(from, path, is_others);
        }
    }

    pub(super) fn add_moved(&mut self, by: ChangedBy, to: Option<Entry>, path: String, history: History) {
        self.steps.push(Step { by, to, or: None });
        self.origin = Some(Box::new(Origin { path, history, steps: self.steps.len() }));
    }

    /// The history at `path` of a file that was there before, and that the user moves back: without the moves. `None` if it was
    /// elsewhere.
    pub(super) fn moved_back(&self, path: &str) -> Option<Self> {
        let origin = self.origin()?;
        let mut back = match origin.path == path {
            true => origin.history.clone(),
            false => origin.history.moved_back(path).filter(|_| self.is_by_user(origin))?,
        };
        back.add_all(self.steps_since_move());
        Some(back)
    }

    fn add_all(&mut self, steps: &[Step]) {
        for Step { by, to, or } in steps {
            match or {
                Some(other) => self.add_unclear(*other, *to),
                None => self.add(*by, *to),
            }
        }
    }

    /// The last step is the move, which a later change must not absorb.
    fn is_just_moved(&self) -> bool {
        self.origin.as_ref().is_some_and(|origin| origin.steps == self.steps.len())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The state at the base.
    pub(crate) fn first(&self) -> Option<Entry> {
        self.first
    }

    pub(crate) fn last(&self) -> Option<Entry> {
        self.steps.last().map_or(self.first, |step| step.to)
    }

    pub(crate) fn has(&self, by: ChangedBy) -> bool {
        self.steps.iter().any(|step| step.by == by)
    }

    /// Whether the run changed the file, through the agent or the harness.
    pub(crate) fn has_run(&self) -> bool {
        self.steps.iter().any(|step| step.by != ChangedBy::User)
    }

    /// The state after the first `count` steps.
    pub(crate) fn state_after(&self, count: usize) -> Option<Entry> {
        let last = count.checked_sub(1).and_then(|at| self.steps.get(at));
        last.map_or(self.first, |step| step.to)
    }

    /// The number of steps up to the last one that left this state; 0 for the state at the base, and for one that the file
    /// never had.
    pub(crate) fn steps_to(&self, state: Option<Entry>) -> usize {
        self.steps.iter().rposition(|step| step.to == state).map_or(0, |at| at + 1)
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    pub(crate) fn origin(&self) -> Option<&Origin> {
        self.origin.as_deref()
    }

    /// The history of the file wherever the user had it: from its first place on if the user moved it here last.
    pub(crate) fn of_file(&self) -> Cow<'_, Self> {
        match self.origin().filter(|origin| self.is_by_user(origin)) {
            None => Cow::Borrowed(self),
            Some(origin) => {
                let mut whole = origin.history.of_file().into_owned();
                whole.add_all(self.steps_since_move());
                Cow::Owned(whole)
            }
        }
    }

    /// The file that is at `path`, wherever it was: its whole history, and the place where the user had it last. `None` if the
    /// run never moved it, and for a file that is gone, unless the harness took it back.
    pub(super) fn life<'a>(&'a self, path: &'a str) -> Option<(&'a str, Self)> {
        let origin = self.origin()?;
        let (last, earlier) = self.steps_since_move().split_last()?;
        let is_taken_back = last.by == ChangedBy::Harness;
        if earlier.iter().any(|step| step.to.is_none()) || (last.to.is_none() && !is_taken_back) {
            return None;
        }
        let before = origin.history.life(&origin.path);
        let (home, mut whole) = match (self.is_by_user(origin), before) {
            (true, None) => return None,
            (true, Some((_, whole))) => (path, whole),
            (false, Some(before)) => before,
            (false, None) => (origin.path.as_str(), origin.history.of_file().into_owned()),
        };
        whole.add_all(self.steps_since_move());
        Some((home, whole))
    }

    /// The history of what was at this place before a file was moved here.
    pub(super) fn before_move(&self) -> Self {
        let count = self.origin.as_ref().map_or(0, |origin| origin.steps.saturating_sub(1));
        Self { first: self.first, steps: self.steps.get(..count).unwrap_or_default().to_vec(), origin: None }
    }

    /// Whether the user moved the file here last.
    pub(crate) fn is_moved_by_user(&self) -> bool {
        self.origin().is_some_and(|origin| self.is_by_user(origin))
    }

    /// What the file was before the user removed it; `None` if it is there, or somebody else removed it.
    pub(crate) fn removed_by_user(&self) -> Option<Option<Entry>> {
        let removal = self.steps.last().filter(|step| step.by == ChangedBy::User && step.to.is_none());
        removal.map(|_| self.state_after(self.steps.len() - 1))
    }

    fn is_by_user(&self, origin: &Origin) -> bool {
        let step = origin.steps.checked_sub(1).and_then(|at| self.steps.get(at));
        step.is_some_and(|step| step.by == ChangedBy::User)
    }

    /// The places where the file was before it was moved here, the last one first.
    pub(crate) fn sources(&self) -> Vec<&str> {
        let mut sources = Vec::new();
        let mut next = self.origin();
        while let Some(origin) = next {
            sources.push(origin.path.as_str());
            next = origin.history.origin();
        }
        sources
    }

    /// The steps from the move on, or all. The call of the move may have edited the file.
    pub(crate) fn steps_since_move(&self) -> &[Step] {
        let start = self.origin.as_ref().map_or(0, |origin| origin.steps.saturating_sub(1));
        self.steps.get(start..).unwrap_or_default()
    }
}
