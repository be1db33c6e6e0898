//! The names of the IDE's tools, checked before a run starts.

use super::tools::BuiltIn;
use crate::error::{Error, ErrorCode};
use crate::port::{Host, ToolPort};
use std::collections::BTreeSet;

/// Checks that every tool of the IDE has a name that models can call, and that none stands for two tools.
///
/// # Errors
/// `invalid-argument`, naming the tool.
pub fn check_tool_names<H: Host>(host: &H) -> Result<(), Error> {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for tool in host.tools() {
        let name = tool.name();
        let callable = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let problem = if BuiltIn::named(name).is_some() {
            "is the name of a built-in tool: give yours another one"
        } else if name.is_empty() || name.len() > NAME_MAX || !name.chars().all(callable) {
            "is no name that models can call: use 1 to 64 letters, digits, `_` and `-`"
        } else if !names.insert(name) {
            "is the name of two tools: rename one"
        } else {
            continue;
        };
        return Err(Error::new(ErrorCode::InvalidArgument, format!("tools: {name:?} {problem}")));
    }
    Ok(())
}

/// Whether it is the name of a built-in tool. All changes by built-in tools are recorded.
pub fn is_built_in(name: &str) -> bool {
    BuiltIn::named(name).is_some()
}

/// What the providers allow.
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
    fn a_name_belongs_to_one_tool() {
        assert_eq!(check(&["preview", "open-file_2"]), Ok(()));
        assert!(check(&["preview", "read_file"]).unwrap_err().contains("\"read_file\" is the name of a built-in"));
        assert!(check(&["a", "a"]).unwrap_err().contains("two tools"));
        for name in ["", "with space", "é", &"n".repeat(65)] {
            assert!(check(&[name]).unwrap_err().contains("no name that models can call"), "{name}");
        }
    }
}
