//! What a run knows of the project's files between its snapshots: the files of the last look, and the paths that were
//! touched since. With it a snapshot looks at the touched paths alone.
//!
//! It is right as long as every change passes the guard or is the harness's own. Whoever lets somebody else at the
//! files (a shell, a tool, a hook, a build of the host) says so with [`Watch::distrust`], and the next snapshot looks at
//! everything again. So does one after an error, and one that finds that somebody else saved, or rolled the project back. What a
//! person writes in an editor past the guard while the agent works is seen by the next look at everything: at the start
//! of a task, before gates judge, and before the task is accepted. A rollback saves what it overwrites whoever wrote it.

use super::known::Known;
use crate::port::{Host, Turn};
use crate::snapshot::git::oid::Oid;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// A run's watch over the project's files. One that is new knows nothing.
#[derive(Default)]
pub struct Watch(RefCell<State>);

#[derive(Default)]
struct State {
    known: Option<Box<Known>>,
    touched: BTreeSet<String>,
    /// Objects that are known to be whole, whatever became of the files.
    stored: BTreeSet<Oid>,
    /// How often the files were somebody else's.
    distrusted: u32,
    /// What that was when the files were known.
    known_at: u32,
}

/// What a watch knew when it was asked.
pub(in crate::snapshot) struct Taken {
    /// As it was after the last snapshot.
    pub known: Option<Box<Known>>,
    /// Nothing but the touched paths changed since.
    pub is_trusted: bool,
    pub touched: BTreeSet<String>,
    pub stored: BTreeSet<Oid>,
    /// To be given back with what is known then.
    pub asked_at: u32,
}

impl Watch {
    /// A path, relative to the project and without links, may change from now on.
    pub fn touch(&self, path: &str) {
        self.0.borrow_mut().touched.insert(path.to_owned());
    }

    /// Any file may have changed.
    pub fn distrust(&self) {
        let mut state = self.0.borrow_mut();
        state.distrusted = state.distrusted.wrapping_add(1);
    }

    /// The turn of whoever changes snapshots. Who else had one knew of files that this watch does not know of.
    pub(in crate::snapshot) async fn turn<H: Host>(&self, host: &H) -> Turn {
        let turn = host.turn().await;
        if turn.others {
            self.distrust();
        }
        turn
    }

    /// Takes all that is known; what is not given back is forgotten.
    pub(in crate::snapshot) fn take(&self) -> Taken {
        let mut state = self.0.borrow_mut();
        let State { known, touched, stored, distrusted, known_at } = std::mem::take(&mut *state);
        state.distrusted = distrusted;
        Taken { known, is_trusted: distrusted == known_at, touched, stored, asked_at: distrusted }
    }

    /// Gives back what is known of the files as they were when they were asked for.
    pub(in crate::snapshot) fn give(&self, known: Box<Known>, stored: BTreeSet<Oid>, asked_at: u32) {
        let mut state = self.0.borrow_mut();
        (state.known, state.stored, state.known_at) = (Some(known), stored, asked_at);
    }
}
