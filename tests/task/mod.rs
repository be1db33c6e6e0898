//! The task parser: messages and the tasks that the rules parse from them.
#![cfg(not(target_family = "wasm"))]

// `cfg(test)` is always set here; it makes clippy allow `unwrap` in helpers.
#[cfg(test)]
mod messages;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod score;
