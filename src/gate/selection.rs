//! Which gates run.

use super::builtin::builtin;
use crate::error::{Error, ErrorCode};
use crate::nearest::nearest;
use crate::ordered;
use crate::port::{GatePort, Host};
use std::collections::BTreeSet;

/// Which gates run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GateSelection {
    /// Only these, where given.
    pub only: Option<Vec<String>>,
    /// Not these.
    pub disabled: Vec<String>,
}

impl GateSelection {
    /// This gate is among those that run.
    pub fn includes(&self, name: &str) -> bool {
        let names = |list: &[String]| list.iter().any(|listed| listed == name);
        self.only.as_deref().is_none_or(names) && !names(&self.disabled)
    }
}

/// Refuses gates that cannot be told apart and selections that name no gate. Asked before a run starts: a
/// misspelt name in `disabled` would otherwise leave a gate on, one in `only` would leave all off.
///
/// # Errors
/// `invalid-argument` when a gate of the IDE has no name or one that is taken; `invalid-config`, with the
/// nearest names, when the selection names a gate that does not exist.
pub fn check_selection<H: Host>(host: &H, selection: &GateSelection) -> Result<(), Error> {
    let gates = builtin::<H>();
    let mut known: BTreeSet<&str> = ordered::set(gates.iter().map(|gate| gate.name()));
    for gate in host.gates() {
        let name = gate.name();
        if name.trim().is_empty() {
            return Err(Error::new(ErrorCode::InvalidArgument, "a gate of the host has no name; give it one"));
        }
        if !known.insert(name) {
            let message = format!("there are two gates named \"{name}\"; rename the one in the host's `gates`");
            return Err(Error::new(ErrorCode::InvalidArgument, message));
        }
    }
    let only = selection.only.iter().flatten();
    match only.chain(&selection.disabled).find(|name| !known.contains(name.as_str())) {
        None => Ok(()),
        Some(name) => Err(Error::new(ErrorCode::InvalidConfig, unknown(name, &known))),
    }
}

fn unknown(name: &str, known: &BTreeSet<&str>) -> String {
    let near = nearest(name, known.iter().copied());
    if near.is_empty() {
        let all: Vec<&str> = known.iter().copied().collect();
        format!("there is no gate \"{name}\"; the gates are {}", all.join(", "))
    } else {
        format!("there is no gate \"{name}\"; did you mean {}?", near.join(" or "))
    }
}
