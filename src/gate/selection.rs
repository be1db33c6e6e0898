//! The selection of gates by configuration.

use super::builtin::GATES;
pub use crate::config::GateSelection;
use crate::error::{Error, ErrorCode};
use crate::nearest::nearest;
use crate::port::Host;
use std::collections::BTreeSet;

/// Refuses gates with ambiguous names and selections of unknown gates. Called before a run starts: a misspelled name in
/// `disabled` would leave a gate on, and one in `only` would turn all gates off.
///
/// # Errors
/// `invalid-argument` if a gate of the IDE has no name or a duplicate one; `invalid-config`, with the nearest names, if the
/// selection names an unknown gate.
pub fn check_selection(host: &Host, selection: &GateSelection) -> Result<(), Error> {
    let mut known: BTreeSet<&str> = GATES.iter().map(|gate| gate.name).collect();
    for gate in &host.gates {
        let name = gate.name();
        if name.trim().is_empty() {
            return Err(Error::new(ErrorCode::InvalidArgument, "a gate of the host has no name; set its `name`"));
        }
        if !known.insert(name) {
            let message = format!("two gates are named \"{name}\"; rename the one in the host's `gates`");
            return Err(Error::new(ErrorCode::InvalidArgument, message));
        }
    }
    let only = selection.only.iter().flatten();
    let mut names = only.chain(&selection.disabled).chain(&selection.raise);
    let Some(name) = names.find(|name| !known.contains(name.as_str())) else { return Ok(()) };
    let near = nearest(name, known.iter().copied());
    let hint = if near.is_empty() {
        let all: Vec<&str> = known.into_iter().collect();
        format!("the gates are {}", all.join(", "))
    } else {
        format!("did you mean {}?", near.join(" or "))
    };
    Err(Error::new(ErrorCode::InvalidConfig, format!("unknown gate \"{name}\"; {hint}")))
}
