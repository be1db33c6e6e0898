//! Gates for the evidence of the agent's work.

pub(super) mod changes_named;
pub(super) mod has_summary;
pub(super) mod work_done;
pub(super) mod used;
