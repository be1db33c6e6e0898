//! The words of POSIX shell commands: quoting them, and parsing command lines.
//!
//! | file | what |
//! |---|---|
//! | `quote` | quotes a text as one word |
//! | `read` | splits a command line into simple commands and their words |
//! | `programs` | finds the programs that a command line runs |

mod programs;
mod quote;
mod read;

pub use programs::programs;
pub use quote::{Unquotable, quoted, word};
pub use read::commands;

#[cfg(all(test, not(target_family = "wasm")))]
mod tests;
