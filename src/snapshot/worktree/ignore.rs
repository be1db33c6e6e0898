//! What git ignores: `.gitignore` files in every folder, and `.git/info/exclude`.
//!
//! As in git, the last matching line of the deepest file decides. Nothing below an ignored folder can be included again,
//! so a walk does not enter it. If the project's folder has no `.gitignore`, `node_modules` is ignored: otherwise a
//! first snapshot would store everything that can be installed again.

use super::glob::Glob;
use crate::port::{FsPort, PortErrorKind, PortResult, ProjectDir};
use std::rc::Rc;

/// The rules of one folder, and of the folders above it.
pub(crate) struct Rules {
    above: Option<Rc<Rules>>,
    folder: String,
    patterns: Vec<Pattern>,
}

impl Rules {
    /// The rules of the project's folder, from the texts of `.git/info/exclude` and of its `.gitignore`.
    pub(crate) fn of_project(exclude: &[u8], ignore: Option<&[u8]>) -> Rc<Self> {
        let defaults: &[u8] = if ignore.is_none() { b"node_modules/\n" } else { b"" };
        let base = Rc::new(Self { above: None, folder: String::new(), patterns: parse(defaults) });
        base.enter("", Some(exclude)).enter("", ignore)
    }

    /// The rules of a folder below, with the text of its own `.gitignore` if it has one.
    #[must_use]
    pub(crate) fn enter(self: &Rc<Self>, folder: &str, ignore: Option<&[u8]>) -> Rc<Self> {
        let patterns = ignore.map(parse).unwrap_or_default();
        if patterns.is_empty() {
            return Rc::clone(self);
        }
        Rc::new(Self { above: Some(Rc::clone(self)), folder: folder.to_owned(), patterns })
    }

    /// The entry at a path below the folder of these rules is ignored. The caller checks the folders above it.
    pub(crate) fn ignore(&self, path: &str, is_folder: bool) -> bool {
        let mut rules = Some(self);
        while let Some(current) = rules {
            let relative = match current.folder.as_str() {
                "" => path,
                folder => path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path),
            };
            let last = current.patterns.iter().rev().find(|pattern| pattern.matches(relative, is_folder));
            if let Some(pattern) = last {
                return !pattern.negated;
            }
            rules = current.above.as_deref();
        }
        false
    }
}

/// Reads `.git/info/exclude`; empty if it does not exist.
///
/// # Errors
/// What the file system returns. The caller must not go on without rules: a snapshot would store ignored files, and a
/// rollback would delete them.
pub(crate) async fn read_exclude<F: FsPort>(project: ProjectDir<'_, F>) -> PortResult<Vec<u8>> {
    match project.read(".git/info/exclude").await {
        Err(error) if error.kind != PortErrorKind::IsDirectory => Err(error),
        rules => Ok(rules.ok().flatten().unwrap_or_default()),
    }
}

/// One line of a `.gitignore`.
struct Pattern {
    negated: bool,
    folders_only: bool,
    matcher: Matcher,
}

enum Matcher {
    /// A line without a slash: the name, at any depth.
    Name(Glob),
    /// A line with a slash: the path from the folder of the file, as the bytes before the first wildcard and the rest.
    Path { prefix: Vec<u8>, rest: Option<Glob> },
}

impl Pattern {
    /// Matches the entry at this path, relative to the folder of the file.
    fn matches(&self, path: &str, is_folder: bool) -> bool {
        if self.folders_only && !is_folder {
            return false;
        }
        match &self.matcher {
            Matcher::Name(glob) => glob.matches(crate::path::name(path).as_bytes()),
            Matcher::Path { prefix, rest } => match (path.as_bytes().strip_prefix(prefix.as_slice()), rest) {
                (Some(left), None) => left.is_empty(),
                (Some(left), Some(glob)) => glob.matches(left),
                (None, _) => false,
            },
        }
    }
}

fn parse(text: &[u8]) -> Vec<Pattern> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    text.split(|byte| *byte == b'\n').filter_map(parse_line).collect()
}

fn parse_line(line: &[u8]) -> Option<Pattern> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.first() == Some(&b'#') {
        return None;
    }
    // In git, a NUL ends the line.
    let line = line.split(|byte| *byte == 0).next().unwrap_or(line);
    let line = trim_spaces(line);
    let (negated, line) = line.strip_prefix(b"!").map_or((false, line), |rest| (true, rest));
    let (folders_only, line) = line.strip_suffix(b"/").map_or((false, line), |rest| (true, rest));
    if line.is_empty() {
        return None;
    }
    let matcher = if line.contains(&b'/') {
        let line = line.strip_prefix(b"/").unwrap_or(line);
        let fixed = line.iter().position(|byte| b"*?[\\".contains(byte)).unwrap_or(line.len());
        let (prefix, rest) = line.split_at(fixed);
        let rest = if rest.is_empty() { None } else { Some(Glob::compile(rest)?) };
        Matcher::Path { prefix: prefix.to_vec(), rest }
    } else {
        Matcher::Name(Glob::compile(line)?)
    };
    Some(Pattern { negated, folders_only, matcher })
}

/// Removes trailing spaces, except one that a backslash escapes.
fn trim_spaces(line: &[u8]) -> &[u8] {
    let mut end = 0;
    let mut at = 0;
    while let Some(byte) = line.get(at) {
        at += if *byte == b'\\' { 2 } else { 1 };
        if *byte != b' ' {
            end = at;
        }
    }
    line.get(..end).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ignored(text: &str, path: &str) -> bool {
        let rules = Rules::of_project(b"", Some(text.as_bytes()));
        let (path, is_folder) = path.strip_suffix('/').map_or((path, false), |folder| (folder, true));
        rules.ignore(path, is_folder)
    }

    #[test]
    fn the_lines_of_one_file() {
        let table = [
            ("*.log", "deep/er/a.log", true),
            ("build/", "src/build/", true),
            ("src/build", "lib/src/build", false),
            ("doc/*.txt", "doc/sub/a.txt", false),
            ("*.log\n!keep.log", "keep.log", false),
            ("!keep.log\n*.log", "keep.log", true),
            ("crlf\r\nnext\r\n", "crlf", true),
            ("\u{feff}bom", "bom", true),
            ("a[0-9]", "a7", true),
            ("foo**/bar", "foox/y/bar", true),
            ("caf\u{e9}", "x/caf\u{e9}", true),
            ("nul\0tail", "nul", true),
            ("nul\0tail", "nultail", false),
        ];
        for (text, path, expected) in table {
            assert_eq!(ignored(text, path), expected, "{path:?} under {text:?}");
        }
    }

    #[test]
    fn a_deeper_file_overrides_the_root_and_the_root_overrides_exclude() {
        let root = Rules::of_project(b"*.tmp\nall\n", Some(b"!special.tmp\n*.gen\n"));
        let deep = root.enter("src", Some(b"!kept.gen\n/only\n"));
        assert!(root.ignore("x.tmp", false));
        assert!(!root.ignore("special.tmp", false));
        assert!(deep.ignore("src/x.gen", false));
        assert!(!deep.ignore("src/kept.gen", false));
        assert!(deep.ignore("src/only", false));
        assert!(!deep.ignore("src/sub/only", false));
        assert!(deep.ignore("src/all", true));
    }

    #[test]
    fn node_modules_is_ignored_unless_the_root_has_a_gitignore() {
        assert!(Rules::of_project(b"", None).ignore("packages/a/node_modules", true));
        assert!(!Rules::of_project(b"", None).ignore("node_modules", false));
        assert!(!Rules::of_project(b"", Some(b"dist\n")).ignore("node_modules", true));
        assert!(!Rules::of_project(b"!node_modules\n", None).ignore("node_modules", true));
    }
}
