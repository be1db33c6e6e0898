//! What git ignores: `.gitignore` files at every level and `.git/info/exclude`.
//!
//! As in git, the last matching line of the deepest file decides, and below an ignored folder nothing can be taken
//! back: whoever walks does not enter it. Where a project has no `.gitignore` at its root, `node_modules` counts as
//! ignored: without that rule a first snapshot would swallow what can be installed again.

mod glob;
mod pattern;

use pattern::Pattern;
use std::rc::Rc;

/// The rules that hold in one folder, and those above them.
pub(crate) struct Rules {
    above: Option<Rc<Rules>>,
    folder: String,
    patterns: Vec<Pattern>,
}

impl Rules {
    /// The rules of the project's folder: the text of `.git/info/exclude` and of the root's `.gitignore`.
    pub(crate) fn of_project(exclude: &[u8], ignore: Option<&[u8]>) -> Rc<Self> {
        let defaults: &[u8] = if ignore.is_none() { b"node_modules/\n" } else { b"" };
        let base = Rc::new(Self { above: None, folder: String::new(), patterns: pattern::parse(defaults) });
        let base = base.enter("", Some(exclude));
        base.enter("", ignore)
    }

    /// The rules of a folder below, with the text of its own `.gitignore` where it has one.
    #[must_use]
    pub(crate) fn enter(self: &Rc<Self>, folder: &str, ignore: Option<&[u8]>) -> Rc<Self> {
        let patterns = ignore.map(pattern::parse).unwrap_or_default();
        if patterns.is_empty() {
            return Rc::clone(self);
        }
        Rc::new(Self { above: Some(Rc::clone(self)), folder: folder.to_owned(), patterns })
    }

    /// The entry at a path below the folder of these rules is ignored; the folders above it are not asked again.
    pub(crate) fn ignore(&self, path: &str, is_folder: bool) -> bool {
        let mut rules = Some(self);
        while let Some(current) = rules {
            let relative = match current.folder.as_str() {
                "" => path,
                folder => path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path),
            };
            let last = current.patterns.iter().rev().find(|pattern| pattern.matches(relative, is_folder));
            if let Some(pattern) = last {
                return !pattern.is_negated();
            }
            rules = current.above.as_deref();
        }
        false
    }
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
    fn one_file_of_rules() {
        let table = [
            ("*.log", "a.log", true),
            ("*.log", "deep/er/a.log", true),
            ("/a.log", "deep/a.log", false),
            ("/a.log", "a.log", true),
            ("build/", "build", false),
            ("build/", "build/", true),
            ("build/", "src/build/", true),
            ("src/build", "lib/src/build", false),
            ("src/build", "src/build/", true),
            ("doc/*.txt", "doc/a.txt", true),
            ("doc/*.txt", "doc/sub/a.txt", false),
            ("**/cache", "a/b/cache", true),
            ("a/**/z", "a/z", true),
            ("a/**", "a/b/c", true),
            ("a/**", "a/", false),
            ("*.log\n!keep.log", "keep.log", false),
            ("!keep.log\n*.log", "keep.log", true),
            ("\\!odd", "!odd", true),
            ("\\#odd", "#odd", true),
            ("# comment", "# comment", false),
            ("space  ", "space", true),
            ("space\\ ", "space ", true),
            ("crlf\r\nnext\r\n", "crlf", true),
            ("\u{feff}bom", "bom", true),
            ("", "anything", false),
            ("/", "anything/", false),
            ("a[0-9]", "a7", true),
            ("a[", "a[", false),
            ("foo**/bar", "foox/y/bar", true),
            ("caf\u{e9}", "x/caf\u{e9}", true),
            ("[ab", "a", false),
            ("tail\\", "tail\\", false),
            ("nul\0tail", "nul", true),
            ("nul\0tail", "nultail", false),
        ];
        for (text, path, expected) in table {
            assert_eq!(ignored(text, path), expected, "{path:?} under {text:?}");
        }
    }

    #[test]
    fn deeper_rules_win_over_the_root_and_the_root_over_exclude() {
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
    fn node_modules_is_ignored_only_where_no_gitignore_says_anything() {
        assert!(Rules::of_project(b"", None).ignore("packages/a/node_modules", true));
        assert!(!Rules::of_project(b"", None).ignore("node_modules", false));
        assert!(!Rules::of_project(b"", Some(b"dist\n")).ignore("node_modules", true));
        assert!(!Rules::of_project(b"!node_modules\n", None).ignore("node_modules", true));
    }
}
