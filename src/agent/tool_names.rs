//! Validates the names of the IDE's tools before a run starts.

use super::tools::BuiltIn;
use crate::error::{Error, ErrorCode};
use crate::port::{Host, ToolPort};
use std::collections::BTreeSet;

/// Checks that every tool of the IDE has a unique name that models can call.
///
/// # Errors
/// `invalid-argument` with the name of the tool.
pub fn check_tool_names<H: Host>(host: &H) -> Result<(), Error> {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for tool in host.tools() {
        let name = tool.schema().name.as_str();
        let callable = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let problem = if BuiltIn::named(name).is_some() {
            "is the name of a built-in tool; rename yours"
        } else if name.is_empty() || name.len() > NAME_MAX || !name.chars().all(callable) {
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

/// Whether this is a built-in tool. Every change by a built-in tool is recorded.
pub fn is_built_in(name: &str) -> bool {
    BuiltIn::named(name).is_some()
}

/// Limit of the providers.
const NAME_MAX: usize = 64;

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;
    use crate::port::ToolAnswer;
    use crate::port::memory::{MemoryHost, MemoryTool};
    use serde_json::json;

    fn check(names: &[&str]) -> Result<(), String> {
        let answer = |_: &serde_json::Value| Ok(ToolAnswer { ok: true, output: String::new() });
        let tools = names.iter().map(|name| MemoryTool::new(name, json!({}), answer)).collect();
        check_tool_names(&MemoryHost { tools, ..MemoryHost::default() }).map_err(|error| error.message.clone())
    }

    #[test]
    fn tool_names_are_valid_and_unique() {
        assert_eq!(check(&["preview", "open-file_2"]), Ok(()));
        assert!(check(&["preview", "read_file"]).unwrap_err().contains("\"read_file\" is the name of a built-in"));
        assert!(check(&["a", "a"]).unwrap_err().contains("two tools"));
        for name in ["", "with space", "é", &"n".repeat(65)] {
            assert!(check(&[name]).unwrap_err().contains("not a valid tool name"), "{name}");
        }
    }
}
