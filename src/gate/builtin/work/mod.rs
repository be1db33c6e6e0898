//! Gates for the evidence of the agent's work.

pub(super) mod app;
pub(super) mod changes_named;
pub(super) mod has_summary;
mod plain;
#[cfg(all(test, not(target_family = "wasm")))]
mod tests;
pub(super) mod used;
pub(super) mod work_done;
