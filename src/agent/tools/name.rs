//! Names of tools that services accept. One other name makes them refuse every later request of the conversation.

use super::BuiltIn;
use crate::error::{Error, ErrorCode};
use crate::port::{Host, ToolSchema};
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

/// The name of an offered tool that a model or its server wrote with marks around it, such as `functions.write_file` or
/// `write_file<|channel|>commentary`; nothing if the name is offered as it is, or not at all.
pub(in crate::agent) fn undecorated<'t>(name: &str, tools: &'t [ToolSchema]) -> Option<&'t str> {
    let find = |name: &str| tools.iter().map(|tool| tool.function.name.as_str()).find(|offered| *offered == name);
    if find(name).is_some() {
        return None;
    }
    let plain =
        name.split("<|").next().unwrap_or_default().trim_matches(|c: char| c.is_whitespace() || "`*\"'".contains(c));
    let plain = plain.trim_end_matches("()");
    let plain =
        plain.rsplit_once(':').filter(|(_, number)| number.parse::<u32>().is_ok()).map_or(plain, |(name, _)| name);
    let inner = PREFIXES.iter().find_map(|prefix| plain.strip_prefix(prefix)?.strip_prefix(['.', ':', '/']));
    find(inner.unwrap_or(plain))
}

const PREFIXES: [&str; 6] = ["functions", "function", "tools", "tool", "default_api", "multi_tool_use"];

/// Checks that every tool of the IDE has a unique name that models can call.
///
/// # Errors
/// `invalid-argument` with the name of the tool.
pub fn check_tool_names(host: &Host) -> Result<(), Error> {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for tool in &host.tools {
        let name = tool.schema().name.as_str();
        let problem = if BuiltIn::from_name(name).is_some() {
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

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::port::memory::MemoryHost;

    #[test]
    fn a_name_with_marks_around_it_is_the_name_of_the_offered_tool() {
        let tools = BuiltIn::ALL.map(|tool| tool.schema(&MemoryHost::default(), None, None));
        for (name, expected) in [
            ("write_file", None),
            ("functions.write_file", Some("write_file")),
            ("functions.write_file:0", Some("write_file")),
            ("default_api:write_file", Some("write_file")),
            ("write_file<|channel|>commentary", Some("write_file")),
            (" `write_file()` ", Some("write_file")),
            ("write_file2", None),
            ("my.write_file", None),
            ("write file", None),
            ("", None),
        ] {
            assert_eq!(undecorated(name, &tools), expected, "{name}");
        }
    }
}
