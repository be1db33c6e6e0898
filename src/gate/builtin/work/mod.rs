//! Gates for the evidence of the agent's work.

pub(super) mod changes_named;
pub(super) mod has_summary;
pub(super) mod used;
pub(super) mod work_done;
