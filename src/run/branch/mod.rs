//! The branch that a run commits to, for all recipes: where it starts, whether HEAD is still there, what a commit has, and
//! the ways back to the branch of the user.

mod commit;
mod fact;
mod head;
mod left;
mod origin;

pub(in crate::run) use commit::{Committed, committed, of_agent, uncommittable};
pub use fact::BranchFact;
pub(in crate::run) use head::{come_back, follow, leave, moved, require_branch};
pub(in crate::run) use left::finish_abandoned;
pub(in crate::run) use origin::{begin, branch_of, spec_branch};
pub use origin::{leave_branch, merge_branch};
