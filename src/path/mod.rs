//! Project paths: relative POSIX paths such as `src/App.tsx`. The empty path is the project's folder.

mod confusables;
mod glob;
mod normal_form;
mod windows;

pub(crate) use confusables::fold;
pub(crate) use glob::Glob;
pub(crate) use normal_form::caseless;
pub(crate) use windows::{Unsafe, is_of_windows, unsafe_on_windows};

/// The path of `name` in `folder`; either may be empty.
pub(crate) fn join(folder: &str, name: &str) -> String {
    match (folder.is_empty(), name.is_empty()) {
        (true, _) => name.to_owned(),
        (_, true) => folder.to_owned(),
        _ => format!("{folder}/{name}"),
    }
}

/// The folder of a path; empty for a path without one.
pub(crate) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// The last component of a path.
pub(crate) fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// The extension of the last component, without the dot; empty if there is none.
pub(crate) fn extension(path: &str) -> &str {
    name(path).rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// `Hero` for `src/sections/Hero.tsx` and `src/sections/Hero/index.tsx`.
pub(crate) fn stem(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or_default();
    match name.rsplit_once('.').map_or(name, |(stem, _)| stem) {
        "index" => parts.next().unwrap_or_default(),
        stem => stem,
    }
}

/// The folders above a path, the outermost first, without the project's folder: `a` and `a/b` for `a/b/c`.
pub(crate) fn folders_above(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').filter_map(|(end, _)| path.get(..end))
}

/// Whether a path lies below a folder.
pub(crate) fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| folder.is_empty() || rest.starts_with('/'))
}

/// Resolves `.`, `..` and repeated slashes. As in the root folder of a file system, `..` at the top has no effect.
pub(crate) fn normalise(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The components of a folded path, without NTFS streams and without the trailing dots and spaces that Windows drops.
pub(crate) fn folded_names(folded: &str) -> impl Iterator<Item = &str> {
    folded.split(['/', '\\']).map(|name| name.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']))
}

/// Whether a name of [`folded_names`] is `reserved` on some file system: in any case, or as the short name that FAT and
/// NTFS give to it (`GIT~1` for `.git`).
pub(crate) fn means(name: &str, reserved: &str) -> bool {
    name.eq_ignore_ascii_case(reserved) || is_short_name(name, reserved)
}

/// A short name has eight characters, a dot and three: the first six of the name, `~` and a number.
fn is_short_name(name: &str, of: &str) -> bool {
    let Some((head, rest)) = name.rsplit_once('~') else { return false };
    let of = of.trim_start_matches('.');
    let (stem, extension) = of.rsplit_once('.').unwrap_or((of, ""));
    let (number, short_extension) = rest.split_once('.').unwrap_or((rest, ""));
    let room = 7_usize.saturating_sub(number.len());
    let starts = |text: &str, start: &str| text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start));
    !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && head.len() == stem.len().min(room)
        && starts(stem, head)
        && short_extension.len() == extension.len().min(3)
        && starts(extension, short_extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_a_folder_a_name_and_an_extension() {
        for (path, expected) in [
            ("src/App.tsx", ("src", "App.tsx", "tsx")),
            ("src/v1.2/README", ("src/v1.2", "README", "")),
            ("a.d.ts", ("", "a.d.ts", "ts")),
            ("", ("", "", "")),
        ] {
            assert_eq!((parent(path), name(path), extension(path)), expected, "{path}");
            assert_eq!(join(parent(path), name(path)), path);
        }
        assert_eq!(folders_above("a/b/c").collect::<Vec<_>>(), ["a", "a/b"]);
        assert_eq!(folders_above("a").count(), 0);
    }

    #[test]
    fn only_what_is_below_a_folder_is_below_it() {
        for (path, folder, expected) in
            [("a/b", "a", true), ("a/b/c", "a", true), ("a", "a", false), ("ab/c", "a", false), ("a", "", true)]
        {
            assert_eq!(is_below(path, folder), expected, "{path} below {folder}");
        }
    }

    #[test]
    fn a_normal_path_has_no_dots_and_no_empty_names() {
        for (path, expected) in [("./a//b/../c/", "a/c"), ("/a/./b", "a/b"), ("../../x", "x"), ("a/..", ""), ("", "")] {
            assert_eq!(normalise(path), expected, "{path}");
            assert_eq!(normalise(expected), expected);
        }
    }

    #[test]
    fn every_form_of_a_name_means_it() {
        let means_git = |path: &str| folded_names(&fold(path)).any(|name| means(name, ".git"));
        for path in [".git", "a/.GIT", ".git. .", ".git:x", "GIT~1", "git~23", ".g\u{200c}it", "a／.ｇｉｔ"] {
            assert!(means_git(path), "{path}");
        }
        for path in ["git", ".gitignore", "git~", "git~x", "gi~1", "git~1.txt", ".gіt", "x.git"] {
            assert!(!means_git(path), "{path}");
        }
        assert!(means("TASK-C~1.TXT", "task-counter.txt") && !means("TASK-C~1.MD", "task-counter.txt"));
    }
}
