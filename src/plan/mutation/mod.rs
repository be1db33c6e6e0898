//! The update of a plan for a task that changes a planned app (`seeds/003 §6`).
//!
//! | file | what |
//! |---|---|
//! | `due` | the input for the check of an update: the plan before, the task and the sources |
//! | `check` | what the updated plan owes to the task, and what is missing |
//! | `matching` | which marker is meant for which requirement |
//! | `placement` | which part of the plan a requirement is about |
//! | `guide` | which parts the task concerns, and the markers to write, for the agent |
//! | `work` | which sections the updated plan changes |

mod check;
mod due;
mod guide;
mod matching;
mod placement;
mod work;

pub use check::{PlanUpdate, check_update};
pub use due::DueUpdate;
pub use guide::update_guide;
pub(super) use placement::{NewSection, Placement, Side, place, rendering};
pub use work::{PlannedChanges, work};

#[cfg(test)]
mod tests;
