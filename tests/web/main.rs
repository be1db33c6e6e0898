//! The bindings in real browsers: against LightningFS and isomorphic-git from npm, and against broken hosts.
#![cfg(target_family = "wasm")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that is wrong should stop"
)]

mod bad_hosts;
mod git;
mod host;
mod lightning_fs;
mod model;
mod support;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
