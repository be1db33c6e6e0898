//! The update of a plan for a task that changes a planned app (`seeds/003 §6`).
//!
//! | file | what |
//! |---|---|
//! | `check` | what the updated plan owes to the task, and what is missing |
//! | `matching` | which marker is meant for which requirement |
//! | `guide` | which parts the task concerns, and the markers to write, for the agent |

mod check;
mod guide;
mod matching;

pub use check::{PlanUpdate, check_update};
pub use guide::update_guide;

#[cfg(test)]
mod tests;
