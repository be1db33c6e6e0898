//! What git ignores: `.gitignore` files in every folder, and `.git/info/exclude`.
//!
//! As in git, the last matching line of the deepest file decides. Nothing below an ignored folder can be included again,
//! so a walk does not enter it. If the project's folder has no `.gitignore`, `node_modules` is ignored: otherwise a
//! first snapshot would store everything that can be installed again. The state of the work is not ignored: a rollback
//! restores it with the sources.

use crate::layout::is_in_every_snapshot;
use crate::path::{Glob, folders_above};
use crate::port::{FileKind, PortErrorKind, PortResult, ProjectDir};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// How many patterns with wildcards hold for an entry. Each is compared with each entry, and a project may come with any number.
const WILDCARDS_MAX: usize = 2_000;

/// How much of a file is read, in bytes.
const READ_MAX: usize = 1024 * 1024;

/// The rules of the folders that have some, and of the project, which has the empty path.
pub(crate) type RulesOf = BTreeMap<String, Rc<Rules>>;

/// Whether git ignores a path by these rules.
pub(crate) fn is_ignored_by(of: &RulesOf, path: &str, is_folder: bool) -> bool {
    let Some(mut rules) = of.get("") else { return false };
    for folder in folders_above(path) {
        if rules.ignore(folder, true) {
            return true;
        }
        rules = of.get(folder).unwrap_or(rules);
    }
    rules.ignore(path, is_folder)
}

/// The rules of one folder, and of the folders above it.
pub(crate) struct Rules {
    above: Option<Rc<Rules>>,
    folder: String,
    patterns: Patterns,
    /// Of this folder and of those above it.
    wildcards: usize,
    /// Lines over the limits, of this folder and of those above it.
    left_out: usize,
    /// A comparison took too long and counted as a difference; of all folders of the project.
    gave_up: Rc<Cell<bool>>,
}

impl Rules {
    /// The rules of the project's folder, from the texts of `.git/info/exclude` and of its `.gitignore`.
    pub(crate) fn of_project(exclude: &[u8], ignore: Option<&[u8]>) -> Rc<Self> {
        let defaults: &[u8] = if ignore.is_none() { b"node_modules/\n" } else { b"" };
        let base = Rc::new(Self {
            above: None,
            folder: String::new(),
            patterns: Patterns::read(defaults, WILDCARDS_MAX).0,
            wildcards: 0,
            left_out: 0,
            gave_up: Rc::default(),
        });
        base.enter("", Some(exclude)).enter("", ignore)
    }

    /// The rules of a folder below, with the text of its own `.gitignore` if it has one.
    #[must_use]
    pub(crate) fn enter(self: &Rc<Self>, folder: &str, ignore: Option<&[u8]>) -> Rc<Self> {
        let Some(text) = ignore else { return Rc::clone(self) };
        let (patterns, left_out) = Patterns::read(text, WILDCARDS_MAX - self.wildcards);
        if patterns.is_empty() && left_out == 0 {
            return Rc::clone(self);
        }
        let wildcards = self.wildcards + patterns.wildcards.len();
        let left_out = self.left_out + left_out;
        let (above, gave_up) = (Some(Rc::clone(self)), Rc::clone(&self.gave_up));
        Rc::new(Self { above, folder: folder.to_owned(), patterns, wildcards, left_out, gave_up })
    }

    /// The entry at a path below the folder of these rules is ignored. The caller checks the folders above it.
    pub(crate) fn ignore(&self, path: &str, is_folder: bool) -> bool {
        if is_in_every_snapshot(path) {
            return false;
        }
        let mut rules = Some(self);
        while let Some(current) = rules {
            let relative = match current.folder.as_str() {
                "" => path,
                folder => path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path),
            };
            if let Some(line) = current.patterns.last_match(relative, is_folder, &self.gave_up) {
                return !line.negated;
            }
            rules = current.above.as_deref();
        }
        false
    }

    /// A warning if comparisons took too long.
    pub(super) fn slow_warning(&self) -> Option<String> {
        self.gave_up.get().then(|| {
            "a pattern of .gitignore is too long for some names, so files may be saved that git ignores; shorten it"
                .to_owned()
        })
    }

    /// A warning if lines of the folder's own file are over the limits.
    pub(super) fn warning(&self, above: Option<&Self>, folder: &str) -> Option<String> {
        let left_out = self.left_out - above.map_or(0, |above| above.left_out);
        let path = crate::path::join(folder, ".gitignore");
        (left_out > 0).then(|| {
            format!(
                "{path}: {left_out} lines are left out, so files may be saved that git ignores; at most {WILDCARDS_MAX} \
                 patterns with wildcards and {READ_MAX} bytes are read"
            )
        })
    }
}

/// Reads `.git/info/exclude`; empty if it does not exist.
///
/// # Errors
/// What the file system returns. The caller must not go on without rules: a snapshot would store ignored files, and a
/// rollback would delete them.
pub(crate) async fn read_exclude(project: ProjectDir<'_>) -> PortResult<Vec<u8>> {
    const PATH: &str = ".git/info/exclude";
    if project.lstat(PATH).await?.is_none_or(|stat| stat.kind == FileKind::Special) {
        return Ok(Vec::new());
    }
    match project.read(PATH).await {
        Err(error) if error.kind != PortErrorKind::IsDirectory => Err(error),
        rules => Ok(rules.ok().flatten().unwrap_or_default()),
    }
}

/// The lines of a `.gitignore`. Those without wildcards are found by the name or the path of an entry.
#[derive(Default)]
struct Patterns {
    names: BTreeMap<Vec<u8>, Lines>,
    paths: BTreeMap<Vec<u8>, Lines>,
    wildcards: Vec<Wildcards>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Line {
    number: usize,
    negated: bool,
}

/// The last lines with one text.
#[derive(Default)]
struct Lines {
    /// For files and folders.
    any: Option<Line>,
    folder: Option<Line>,
}

/// A line with wildcards.
struct Wildcards {
    line: Line,
    folders_only: bool,
    matcher: Matcher,
}

enum Matcher {
    /// A line without a slash: the name, at any depth.
    Name(Glob),
    /// A line with a slash: the path from the folder of the file, as the bytes before the first wildcard and the rest.
    Path { prefix: Vec<u8>, rest: Glob },
}

impl Patterns {
    /// Reads a text with at most `max` lines with wildcards, and returns how many lines are left out.
    fn read(text: &[u8], max: usize) -> (Self, usize) {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let (mut patterns, mut left_out, mut read) = (Self::default(), 0, 0);
        for (number, line) in text.split(|byte| *byte == b'\n').enumerate() {
            read += line.len() + 1;
            if read > READ_MAX || patterns.add(number, line, max).is_none() {
                left_out += 1;
            }
        }
        (patterns, left_out)
    }

    /// `None` if there are `max` lines with wildcards already.
    fn add(&mut self, number: usize, line: &[u8], max: usize) -> Option<()> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.first() == Some(&b'#') {
            return Some(());
        }
        // In git, a NUL ends the line.
        let line = line.split(|byte| *byte == 0).next().unwrap_or(line);
        let line = trim_spaces(line);
        let (negated, line) = line.strip_prefix(b"!").map_or((false, line), |rest| (true, rest));
        let (folders_only, line) = line.strip_suffix(b"/").map_or((false, line), |rest| (true, rest));
        if line.is_empty() {
            return Some(());
        }
        let is_path = line.contains(&b'/');
        let text = if is_path { line.strip_prefix(b"/").unwrap_or(line) } else { line };
        let line = Line { number, negated };
        let Some(fixed) = text.iter().position(|byte| b"*?[\\".contains(byte)) else {
            let lines = if is_path { &mut self.paths } else { &mut self.names };
            let lines = lines.entry(text.to_vec()).or_default();
            *(if folders_only { &mut lines.folder } else { &mut lines.any }) = Some(line);
            return Some(());
        };
        if self.wildcards.len() >= max {
            return None;
        }
        let (prefix, rest) = if is_path { text.split_at(fixed) } else { (&[][..], text) };
        // A line that matches nothing.
        let Some(glob) = Glob::compile(rest) else { return Some(()) };
        let matcher = if is_path { Matcher::Path { prefix: prefix.to_vec(), rest: glob } } else { Matcher::Name(glob) };
        self.wildcards.push(Wildcards { line, folders_only, matcher });
        Some(())
    }

    fn is_empty(&self) -> bool {
        self.names.is_empty() && self.paths.is_empty() && self.wildcards.is_empty()
    }

    /// The last line that matches the entry at this path, relative to the folder of the file.
    fn last_match(&self, path: &str, is_folder: bool, gave_up: &Cell<bool>) -> Option<Line> {
        let name = crate::path::name(path);
        let found = [self.names.get(name.as_bytes()), self.paths.get(path.as_bytes())];
        let fixed =
            found.into_iter().flatten().filter_map(|lines| lines.any.max(lines.folder.filter(|_| is_folder))).max();
        let mut later = self.wildcards.iter().rev().take_while(|wildcards| Some(wildcards.line) > fixed);
        let matches = |wildcards: &&Wildcards| {
            let soon = wildcards.matches(path, name, is_folder);
            gave_up.set(gave_up.get() || soon.is_none());
            soon == Some(true)
        };
        later.find(matches).map(|wildcards| wildcards.line).or(fixed)
    }
}

impl Wildcards {
    /// `None` if the comparison would take too long.
    fn matches(&self, path: &str, name: &str, is_folder: bool) -> Option<bool> {
        if self.folders_only && !is_folder {
            return Some(false);
        }
        match &self.matcher {
            Matcher::Name(glob) => glob.matches_soon(name.as_bytes()),
            Matcher::Path { prefix, rest } => match path.as_bytes().strip_prefix(prefix.as_slice()) {
                Some(left) => rest.matches_soon(left),
                None => Some(false),
            },
        }
    }
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
    fn the_last_line_decides_with_and_without_wildcards() {
        let table = [
            ("a\n!a\n", "a", false),
            ("!a\na\n", "a", true),
            ("a\n!a/\n", "a", true),
            ("a\n!a/\n", "a/", false),
            ("a/\n!a\n", "a/", false),
            ("a*\n!ab\n", "ab", false),
            ("!ab\na*\n", "ab", true),
            ("ab\n!/src/ab\n", "src/ab", false),
            ("!/src/ab\nab\n", "src/ab", true),
            ("/src/a*\n!ab\nsrc/ab\n", "src/ab", true),
        ];
        for (text, path, expected) in table {
            assert_eq!(ignored(text, path), expected, "{path:?} under {text:?}");
        }
    }

    #[test]
    fn wildcards_over_the_limit_are_left_out_with_a_warning_and_names_are_not() {
        let lines = |of: &str, count: usize| (0..count).map(|number| format!("{of}{number}\n")).collect::<String>();
        let root = Rules::of_project(b"", Some(lines("*.x", WILDCARDS_MAX - 1).as_bytes()));
        assert_eq!(root.warning(None, ""), None);
        let below = root.enter("src", Some(lines("*.y", 3).as_bytes()));
        assert!(below.ignore("src/a.y0", false) && !below.ignore("src/a.y2", false) && below.ignore("src/a.x7", false));
        assert!(below.warning(Some(&root), "src").is_some_and(|text| text.starts_with("src/.gitignore: 2 lines")));
        let names = Rules::of_project(b"", Some(lines("name", 40_000).as_bytes()));
        assert!(names.ignore("deep/name39999", false) && !names.ignore("name40000", false));
        assert_eq!(names.warning(None, ""), None);
        let long = Rules::of_project(b"", Some(lines("a long name ", 80_000).as_bytes()));
        assert!(long.ignore("a long name 1", false) && !long.ignore("a long name 79999", false));
        assert!(long.warning(None, "").is_some());
    }

    #[test]
    fn a_pattern_that_would_take_long_matches_nothing_and_a_warning_says_so() {
        let pattern = format!("*{}b\n", "a".repeat(120));
        let rules = Rules::of_project(b"", Some(pattern.as_bytes()));
        assert!(rules.ignore(&format!("{}b", "a".repeat(120)), false) && rules.slow_warning().is_none());
        assert!(!rules.ignore(&"a".repeat(255), false) && rules.slow_warning().is_some());
        let ordinary = Rules::of_project(b"", Some(b"*.log\n*.[oa]\n**/build/**/*.tmp\n*-test-*.snap\n"));
        for path in ["a.b.c.d.e.log.txt", "src/build/a/b/c/d.tmpx", "a-test-b-test-c-test-d.snapx"] {
            assert!(!ordinary.ignore(path, false) && ordinary.slow_warning().is_none(), "{path}");
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
