//! The intake: messages and the tasks that the rules make of them.
#![cfg(not(target_family = "wasm"))]

// `cfg(test)` is always on here; it tells clippy that helpers may unwrap as tests do.
#[cfg(test)]
mod messages;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod score;
