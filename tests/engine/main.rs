//! The engine over memory ports: one suite for native and for wasm.

#[cfg(target_family = "wasm")]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

mod abort;
mod completion;
mod crash;
mod faults;
mod gates;
mod phases;
mod steering;
mod support;
mod tampering;
