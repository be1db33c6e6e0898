//! Snapshots over memory ports, natively and in browsers.

mod branch;
mod branch_commit;
mod branch_crash;
mod branch_switch;
mod cost;
mod crash;
mod hostile;
mod inspect;
mod iterations;
mod list;
#[cfg(not(target_family = "wasm"))]
mod native;
mod packs;
mod paths;
mod project;
mod recovery;
mod refs;
mod refusals;
mod rollback;
mod save;
