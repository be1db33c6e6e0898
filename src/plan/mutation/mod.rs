//! The update of a plan for a task that changes a planned app: where each requirement belongs (`placement`), the guide
//! for the agent (`due`), the check of the updated plan (`check`), and the changes that it requires (`work`).

mod check;
mod due;
mod matching;
mod placement;
mod work;

pub use check::{PlanUpdate, check_update};
pub use due::{DueUpdate, update_guide};
pub(super) use placement::{NewSection, Placement, Side, meant, place, rendering};
pub use work::{PlannedChanges, work};

#[cfg(test)]
mod tests;
