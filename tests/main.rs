//! Tests of the crate through its public interface. They are one binary, because every binary compiles the engine's generic
//! code again.
//!
//! `engine` and `snapshot` run natively and as wasm, the others natively.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that is wrong should stop")]

mod engine;
mod snapshot;

#[cfg(not(target_family = "wasm"))]
mod fuzz;
#[cfg(target_os = "linux")]
mod growth;
#[cfg(not(target_family = "wasm"))]
mod plan;
#[cfg(not(target_family = "wasm"))]
mod scope;
#[cfg(not(target_family = "wasm"))]
mod sent;
#[cfg(not(target_family = "wasm"))]
#[path = "../fuzz/targets.rs"]
mod targets;
#[cfg(not(target_family = "wasm"))]
mod task;
