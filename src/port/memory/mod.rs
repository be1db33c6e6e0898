//! In-memory ports, stricter than reality, that fail when a test says so. Part of the library (feature
//! `testing`), so that tests of code built on loopgate can use them too.

mod clock;
mod extension;
mod fs;
mod git;
mod host;
mod model;
mod shell;

pub use clock::MemoryClock;
pub use extension::{MemoryGate, MemoryHooks, MemoryRecipes, MemoryTool};
pub use fs::{Fault, MemoryFs};
pub use git::MemoryGit;
pub use host::MemoryHost;
pub use model::{ScriptedModel, Turn};
pub use shell::{MemoryBuild, MemoryPreview, MemoryShell};
