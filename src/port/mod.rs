//! Ports: the traits that the IDE implements, and their data. A [`Host`] has them as objects, so the engine is compiled once
//! for all hosts.
//!
//! A port converts, calls, awaits and maps the error; it decides nothing. Futures are not `Send`: a
//! browser tab has one thread. Paths are absolute POSIX paths; [`ProjectDir`] takes paths relative to the project.
//!
//! | port | in a browser | in tests |
//! |---|---|---|
//! | [`FsPort`] | LightningFS, ZenFS, memfs, OPFS adapter | `memory::MemoryFs` |
//! | [`GitPort`] | isomorphic-git | `memory::MemoryGit` |
//! | [`ModelPort`] | any chat-completions client | `memory::ScriptedModel` |
//! | [`PricesPort`] | [`PriceTable`] or a function | the same |
//! | [`ShellPort`], [`BuildPort`], [`PreviewPort`] | the IDE's own | `memory::*` |

mod abort;
mod clock;
mod error;
mod extension;
mod fs;
mod git;
mod host;
#[cfg(any(test, feature = "testing"))]
pub mod memory;
mod model;
mod prices;
mod project_dir;
mod shell;
mod walk;

pub use crate::phase::{AgentRole, Area, Phase};
pub(crate) use crate::rights::{AskedLine, Deed, LineDenial};
pub use crate::rights::{Effect, Policy, PolicyRule, Reach, Rights, Toolset};
pub use crate::sealed::StateKey;
pub use abort::{Abort, Aborted};
pub use clock::{ClockPort, with_timeout};
pub use error::{Cause, PortError, PortErrorKind, PortFailure, PortResult};
pub use extension::{
    Answer, Decision, GateAnswer, GatePort, HookAnswer, HooksPort, Question, QuestionKind, RecipesPort, ToolAnswer,
    ToolPort,
};
pub use fs::{FileKind, FsPort, FsSupport, Stat};
pub use git::{Commit, EntryKind, GitPort, ListedRef, Person, TreeEntry};
pub use host::{Host, LockPort, RunLock, Turn};
pub(crate) use model::rounded;
pub use model::{
    ChatMessage, FinishReason, FunctionCall, FunctionSchema, Image, ModelDelta, ModelPort, ModelRequest, ModelResponse,
    ResponseFormat, ToolCall, ToolSchema, Usage,
};
pub use prices::{PriceTable, PricesPort, amount, is_dated};
pub use project_dir::{ProjectDir, Seen};
pub use shell::{
    BuildMessage, BuildPort, BuildReport, ConsoleMessage, PreviewPort, ShellAnswer, ShellOutput, ShellPort, run_command,
};
pub(crate) use walk::Walk;
