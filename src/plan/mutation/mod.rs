//! The update of a plan for a task that changes a planned app.
//!
//! | file | what |
//! |---|---|
//! | `due` | the input of the check: the plan before, the task and the sources |
//! | `check` | checks an updated plan for missing markers and removed sections |
//! | `matching` | matches markers to requirements |
//! | `placement` | finds the part of the plan that a requirement concerns |
//! | `guide` | lists the parts and markers for the agent |
//! | `work` | lists the sections that the updated plan changes |

mod check;
mod due;
mod guide;
mod matching;
mod placement;
mod work;

pub use check::{PlanUpdate, check_update};
pub use due::DueUpdate;
pub use guide::update_guide;
pub(super) use placement::{NewSection, Placement, Side, meant, place, rendering};
pub use work::{PlannedChanges, work};

#[cfg(test)]
mod tests;
