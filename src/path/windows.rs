//! Names that other systems store and Windows does not.

/// Why Windows cannot store a path as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unsafe {
    /// A name leads to another folder.
    pub leads_away: bool,
    /// What is wrong with the path, after its name.
    pub reason: &'static str,
}

/// Whether Windows finds something else at this path, or nothing. The path has slashes between its names.
pub(crate) fn unsafe_on_windows(path: &str) -> Option<Unsafe> {
    let find = |table: &[Rule], leads_away| {
        let found = table.iter().find(|(is_unsafe, _)| path.split('/').any(is_unsafe));
        found.map(|(_, reason)| Unsafe { leads_away, reason })
    };
    find(&LEADING_AWAY, true).or_else(|| find(&UNUSABLE, false))
}

/// Whether the paths of a host are Windows paths: its folder is on a drive.
pub(crate) fn is_of_windows(dir: &str) -> bool {
    dir.split('/').find(|name| !name.is_empty()).is_some_and(has_drive)
}

/// Whether a name is unsafe, and why.
type Rule = (fn(&str) -> bool, &'static str);

const LEADING_AWAY: [Rule; 2] = [
    (|name| name.contains('\\'), "has a backslash, which separates folders on Windows"),
    (has_drive, "begins with a drive of Windows"),
];

const UNUSABLE: [Rule; 4] = [
    (|name| name.contains(':'), "has a colon, which names a stream of a file on Windows"),
    (|name| name.ends_with(['.', ' ']), "has a name that ends with a dot or a space, which Windows drops"),
    (|name| name.contains(char::is_control), "has a control character, which Windows does not store"),
    (is_device, "has the name of a device on Windows"),
];

fn has_drive(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|letter| letter.is_ascii_alphabetic()) && chars.next() == Some(':')
}

/// `CON`, `nul.txt`, `COM1` and `LPT¹`, in any case.
fn is_device(name: &str) -> bool {
    const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
    let stem = name.split(['.', ':']).next().unwrap_or_default().trim_end_matches(' ').to_ascii_lowercase();
    let number = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
    let is_port = number.is_some_and(|number| {
        let mut digits = number.chars();
        matches!(digits.next(), Some('0'..='9' | '¹' | '²' | '³')) && digits.next().is_none()
    });
    is_port || DEVICES.contains(&stem.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_to_another_folder_are_found() {
        for path in ["..\\x", "a\\..\\..\\x", "src/..\\..\\x", "\\\\server\\x", "C:\\x", "C:x", "src/c:/x", "z:"] {
            assert!(unsafe_on_windows(path).is_some_and(|found| found.leads_away), "{path:?}");
        }
    }

    #[test]
    fn names_that_windows_does_not_store_are_found() {
        for path in [
            "CON",
            "con",
            "src/nul.txt",
            "Aux.tar.gz",
            "prn .txt",
            "COM1",
            "com0",
            "LPT¹",
            "lpt9.log",
            "CONOUT$",
            "CON:",
            "file:stream",
            ".gitignore::$DATA",
            "a.",
            "a ",
            "a. .",
            "src /a",
            "...",
            "a\tb",
            "Icon\r",
            "a\u{1}",
            "\u{7f}",
        ] {
            assert!(unsafe_on_windows(path).is_some_and(|found| !found.leads_away), "{path:?}");
        }
    }

    #[test]
    fn other_names_are_safe() {
        for path in [
            "src/App.tsx",
            ".gitignore",
            "console.ts",
            "com",
            "com10",
            "COM¹²",
            "lpt.txt",
            "null",
            "nul-1",
            "context/a.ts",
            "a…",
            "a：b",
            "auxiliary/d.con",
            "🍓",
            "name with spaces.md",
            "[id].tsx",
            "(group)/page.tsx",
        ] {
            assert_eq!(unsafe_on_windows(path), None, "{path:?}");
        }
    }

    #[test]
    fn a_host_is_one_of_windows_if_its_folder_is_on_a_drive() {
        for (dir, expected) in
            [("/c:/Users/x", true), ("/C:", true), ("/project", false), ("", false), ("/home/c:/x", false)]
        {
            assert_eq!(is_of_windows(dir), expected, "{dir}");
        }
    }
}
