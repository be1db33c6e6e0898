//! Gates for the plan and its change markers.

pub(super) mod plan_built;
pub(super) mod plan_diff;
pub(super) mod scope;
