//! Tests of the engine with memory ports, run natively and as wasm.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that is wrong should stop")]

#[cfg(target_family = "wasm")]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_dedicated_worker);

mod abort;
mod approvals;
mod chunks;
mod completion;
mod configured;
mod cost;
mod crash;
mod evidence;
mod faults;
mod gates;
mod gitignore;
mod histories;
mod images;
mod intake;
mod iterations;
mod judged;
mod kill;
mod lease;
mod listed;
mod money;
mod mutation;
mod ordinary_projects;
mod others;
mod phases;
mod plan_approval;
mod plan_before;
mod plan_context;
mod policy;
mod projection;
mod provider_data;
mod records;
mod renames;
mod reviews;
mod specs;
mod spending;
mod spending_kept;
mod spending_runs;
mod stall;
mod start_cost;
mod steering;
mod support;
mod tampering;
mod theme_kept;
mod torn;
mod unplanned;
mod work;
