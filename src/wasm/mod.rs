//! The boundary to JavaScript: ports over JavaScript objects, and the exports.
//!
//! | file | what |
//! |---|---|
//! | `call` | calls JavaScript: `this`, exceptions, promises, timeouts, aborts |
//! | `value` | reads and makes JavaScript values |
//! | `error` | what hosts throw → [`crate::port::PortError`]; [`crate::Error`] → a JavaScript error |
//! | `host`, `fs`, `git`, `model`, `shell`, `extension`, `recipes`, `prices`, `clock` | one port each |
//! | `guarded_fs` | the guarded file system for the IDE's tools, gates and shells |
//! | `export` | the exports for the package |
//!
//! A port converts, calls, awaits and maps the error; it decides nothing. No `RefCell` is borrowed while JavaScript
//! runs.

mod call;
mod clock;
mod error;
mod export;
mod extension;
mod fs;
mod git;
mod guarded_fs;
pub mod host;
mod model;
mod prices;
mod recipes;
mod shell;
mod value;

pub use clock::JsClock;
pub use error::{js_error, port_error};
pub use extension::{JsGate, JsHooks, JsTool};
pub use fs::JsFs;
pub use git::JsGit;
pub use guarded_fs::GuardedFs;
pub use model::JsModel;
pub use prices::JsPrices;
pub use recipes::JsRecipes;
pub use shell::{JsBuild, JsPreview, JsShell};
