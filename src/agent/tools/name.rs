//! Names of tools that services accept. One other name makes them refuse every later request of the conversation.

use super::BuiltIn;
use crate::error::{Error, ErrorCode};
use crate::port::{Host, ToolPort};
use std::collections::BTreeSet;

/// The services' limit for the length of a name.
const NAME_MAX: usize = 64;

fn is_accepted(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

/// A name as it goes into the conversation: `_` in the place of each character that services refuse, and of an empty name; cut
/// where it is too long.
pub(in crate::agent) fn accepted(name: &str) -> String {
    let name: String = name.chars().take(NAME_MAX).map(|c| if is_accepted(c) { c } else { '_' }).collect();
    if name.is_empty() { "_".to_owned() } else { name }
}

/// Checks that every tool of the IDE has a unique name that models can call.
///
/// # Errors
/// `invalid-argument` with the name of the tool.
pub fn check_tool_names<H: Host>(host: &H) -> Result<(), Error> {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for tool in host.tools() {
        let name = tool.schema().name.as_str();
        let problem = if BuiltIn::named(name).is_some() {
            "is the name of a built-in tool; rename yours"
        } else if accepted(name) != name {
            "is not a valid tool name; use 1 to 64 letters, digits, `_` and `-`"
        } else if !names.insert(name) {
            "is the name of two tools; rename one"
        } else {
            continue;
        };
        return Err(Error::new(ErrorCode::InvalidArgument, format!("tools: {name:?} {problem}")));
    }
    Ok(())
}
