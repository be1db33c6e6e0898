//! In-memory ports, stricter than real ones, that can inject faults. Part of the library (feature `testing`) for tests
//! of code that uses loopgate.

mod clock;
mod extension;
mod fs;
mod git;
mod host;
mod model;
mod shell;

pub use clock::MemoryClock;
pub use extension::{MemoryGate, MemoryHooks, MemoryRecipes, MemoryTool};
pub use fs::{Fault, FsState, MemoryFs, Torn};
pub use git::MemoryGit;
pub use host::{MemoryHost, MemoryPorts};
pub use model::{ScriptedModel, Turn};
pub use shell::{MemoryBuild, MemoryPreview, MemoryShell};
