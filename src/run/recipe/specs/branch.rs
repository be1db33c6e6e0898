//! The branch of the current spec, if its work is committed.

use super::{Current, Specs, Step};
use crate::run::branch::BranchFact;
use crate::run::machine::RunState;
use crate::text::counted_with;
use serde::{Deserialize, Serialize};

/// The branch that the current spec, or the next one, is committed to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct OnBranch {
    pub branch: String,
    /// The branch from which it started.
    pub base: Option<String>,
    /// HEAD's commit.
    pub head: Option<String>,
}

impl Specs {
    /// The branch of the current spec; `None` if the configuration commits nothing, or did not when the spec started.
    pub(super) fn branch(&self) -> Option<&OnBranch> {
        self.on.as_ref().filter(|_| self.commits)
    }

    /// The branch of a spec whose commit may be on it, and not recorded.
    pub(super) fn finishing(&self) -> Option<&OnBranch> {
        self.branch().filter(|_| self.step == Step::Finish)
    }

    pub(super) fn fold_branch(&mut self, fact: &BranchFact, run: &mut RunState) {
        match fact {
            BranchFact::BranchPrepared { branch, base_branch, head, .. } => {
                let (branch, base, head) = (branch.clone(), base_branch.clone(), head.clone());
                self.on = Some(OnBranch { branch, base, head });
                // Another branch is checked out now.
                self.current = Current::default();
                run.ledger.restart();
            }
            BranchFact::BranchMoved { to, .. } => {
                if let Some(on) = &mut self.on {
                    on.head = Some(to.clone());
                }
            }
        }
    }

    /// The current spec is committed.
    pub(super) fn committed(&mut self, commit: &str, run: &mut RunState) {
        run.ledger.settle();
        self.current.fresh = false;
        if let Some(on) = &mut self.on {
            on.head = Some(commit.to_owned());
            let commit = (self.at, on.branch.clone());
            if !self.committed.contains(&commit) {
                self.committed.push(commit);
            }
        }
    }

    /// The message of a run that is done.
    pub(super) fn done_message(&self) -> String {
        let done = match self.specs.as_slice() {
            [spec] => format!("Done: {} is verified", spec.path),
            specs => format!("Done: {} verified", counted_with(specs.len(), "spec", ["is", "are"])),
        };
        let mut branches: Vec<&str> = self.committed.iter().map(|(_, branch)| branch.as_str()).collect();
        branches.dedup();
        match (branches.as_slice(), self.committed.len() == self.specs.len()) {
            ([], _) if self.commits => format!("{done}; nothing is committed."),
            ([], _) => format!("{done}."),
            (branches, true) => format!("{done} and committed to {}.", branches.join(", ")),
            (branches, false) => {
                let count = self.committed.len();
                format!("{done}; {count} of them are committed to {}.", branches.join(", "))
            }
        }
    }
}
