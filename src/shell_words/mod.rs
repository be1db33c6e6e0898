//! The words of a POSIX shell: written so that each is read back as it is, and read from a command line.
//!
//! | file | what |
//! |---|---|
//! | `quote` | a text as one word |
//! | `read` | the simple commands of a command line, as words |
//! | `programs` | which programs these run, behind assignments, keywords and other programs |

mod programs;
mod quote;
mod read;

pub use programs::programs;
pub use quote::{Unfit, quoted, word};
pub use read::commands;

#[cfg(all(test, not(target_family = "wasm")))]
mod tests;
