//! Paths with their links resolved.

use crate::path::{self, join};
use crate::port::{FileKind, PortError, PortResult, Stat};
use std::cell::RefCell;

pub(super) const LINKS_MAX: usize = 40;

/// Which components of a path are resolved if they are links.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Follow {
    All,
    Parents,
}

/// A path with its links resolved, which the guard has allowed to write.
pub(in crate::agent) struct Resolved {
    /// Relative to the project's folder.
    pub(super) path: String,
    /// `None` if nothing is there.
    pub stat: Option<Stat>,
    /// The bytes, if they were read.
    pub(super) content: RefCell<Option<Vec<u8>>>,
}

/// What is on a path.
pub(super) enum Found {
    /// The first link and its target; no target if the host cannot read links.
    Link { link: String, target: Option<String> },
    /// No link; the stat of the last component, if it was wanted and exists.
    End(Option<Stat>),
}

/// The path of a link's target, relative to the folder of the link, plus the rest of the path after the link.
pub(in crate::agent) fn link_target(link: &str, target: &str, rest: &str) -> String {
    let target = if target.starts_with('/') { target.to_owned() } else { join(path::parent(link), target) };
    target + rest
}

/// Refuses what must not be opened.
pub(super) fn refuse_special(operation: &str, path: &str, stat: Option<Stat>) -> PortResult<()> {
    match stat {
        Some(Stat { kind: FileKind::Special, .. }) => Err(PortError::special(operation, path)),
        _ => Ok(()),
    }
}
