//! loopgate: the gated agent loop for browser IDEs.
//!
//! **The harness decides the phase, what may be written and when work is done; the agent does not.**
//!
//! 1. The IDE injects its file system, git, model and shell as [`port`]s, bundled in one [`port::Host`].
//! 2. [`run::drive`] asks the machine what to do, performs it through the ports, writes the fact that
//!    comes of it into the journal, and lets the machine fold it: until the machine says `Finish`.
//! 3. Everything else serves one of these commands: [`agent`] runs an iteration, [`plan`] checks a plan,
//!    [`gate`] judges the project, [`snapshot`] saves it and brings it back.

pub mod agent;
mod ansi;
mod answer;
pub mod codebase;
pub mod config;
pub mod error;
pub mod gate;
mod hex;
mod js;
pub mod json;
pub mod layout;
pub mod ledger;
pub mod nearest;
mod path;
mod phase;
pub mod plan;
pub mod port;
pub mod redact;
pub mod review;
mod rights;
pub mod run;
mod sealed;
pub mod shell_words;
pub mod snapshot;
mod sources;
mod syntax;
pub mod task;
mod text;
mod utc;
pub mod verification;
#[cfg(target_family = "wasm")]
pub mod wasm;
pub mod words;

pub use error::{Error, ErrorCode, Holder};
