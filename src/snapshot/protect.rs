//! What no snapshot contains and no rollback changes, whatever the ignore rules say.

use crate::layout::{self, Rollback};
use crate::path;
use crate::snapshot::git::{MAX_PATH, is_name};

/// The entries that [`layout`] excludes, and the logs of the specs. An entry below a protected
/// one is protected as well.
pub(super) fn is_protected(path: &str) -> bool {
    layout::entry(&path::fold(path)).is_some_and(|entry| entry.rollback == Rollback::Skips) || layout::is_spec_log(path)
}

/// Whether a path is one that a snapshot may have: relative, normal and not protected.
pub(super) fn is_in_snapshots(path: &str) -> bool {
    path.len() <= MAX_PATH && path.split('/').all(is_name) && !is_protected(path)
}

/// Git refuses a tree with a link of this name: `.gitmodules` must be a file.
pub(super) fn is_refused_link(path: &str) -> bool {
    let folded = path::fold(path);
    // NTFS makes `GI7EBA~1` of `.gitmodules` where names like `GITMOD~1` are taken.
    let is_hashed = |name: &str| name.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("gi7eba~"));
    let is_refused = |name: &str| path::means(name, ".gitmodules") || is_hashed(name);
    path::folded_names(&folded).last().is_some_and(is_refused)
}

/// Whether a link leads out of the project in `dir`, or to something protected, here or on Windows. A `..` after a name is
/// refused, as for the agent, because it may mean another folder if the name is a link.
pub(super) fn is_refused_target(dir: &str, link: &str, target: &str) -> bool {
    let on_windows = target.replace('\\', "/");
    leads_out(dir, link, &on_windows) || (!path::is_of_windows(&on_windows) && leads_out(dir, link, target))
}

fn leads_out(dir: &str, link: &str, target: &str) -> bool {
    let names = target.split('/').filter(|name| !matches!(*name, "" | "."));
    if names.skip_while(|name| *name == "..").any(|name| name == "..") {
        return true;
    }
    let whole = match target.starts_with('/') || path::is_of_windows(target) {
        true => path::normalise(target),
        false => path::normalise(&format!("{dir}/{}/{target}", path::parent(link))),
    };
    let dir = path::normalise(dir);
    let inside = if dir.is_empty() { Some(whole.as_str()) } else { whole.strip_prefix(&dir) };
    match inside {
        Some(rest) if dir.is_empty() || rest.is_empty() || rest.starts_with('/') => {
            is_protected(rest.trim_start_matches('/'))
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_must_lead_to_a_file_of_the_project_that_a_rollback_may_change() {
        for (link, target, is_refused) in [
            ("a", "src/b", false),
            ("a", "./b", false),
            ("src/a", "../b", false),
            ("src/a", "../../project/b", false),
            ("a", "/project/b", false),
            ("a", "/project", false),
            ("a", "/projects/b", true),
            ("a", "/etc/passwd", true),
            ("a", "../b", true),
            ("src/a", "../../b", true),
            ("src/a", "b/../../c", true),
            ("a", ".git/hooks", true),
            ("src/a", "../.LOOPGATE/journal", true),
            ("a", ".handoff/specs/s/iterations/1", true),
            ("src/a", "..\\b", false),
            ("src/a", "..\\..\\b", true),
            ("a", "src\\..\\..\\b", true),
            ("a", "C:\\b", true),
            ("a", "c:/b", true),
            ("a", "\\\\server\\b", true),
            ("a", ".git\\hooks", true),
        ] {
            assert_eq!(is_refused_target("/project", link, target), is_refused, "{link} to {target}");
        }
        assert!(!is_refused_target("C:/project", "src/a", "C:\\project\\b"));
        assert!(!is_refused_target("", "a", "/b") && is_refused_target("", "a", "/.git"));
    }

    #[test]
    fn protects_what_is_not_the_projects() {
        for path in [
            ".git",
            ".git/HEAD",
            "sub/.GIT/config",
            ".git.",
            ".git /x",
            ".g\u{200c}it/config",
            ".git::$INDEX_ALLOCATION",
            "GIT~1",
            ".ⓖⓘⓣ/config",
            ".loopgate/undo",
            "a/.LoopGate",
            ".handoff/specs/s/iterations",
            ".handoff/specs/s/iterations/1/prompt.md",
            "runs/0001-foo/2026-01-31T12-00-00Z/plan-attempt-1.log",
            "runs/area/0001-foo/1700000000000",
        ] {
            assert!(is_protected(path), "{path}");
        }
        for path in [
            ".gitignore",
            ".github/workflows",
            "src/git",
            "loopgate",
            ".handoff/specs/s/spec.md",
            ".handoff/config.yaml",
            ".handoff/specs/iterations/x",
            "runs/exp/weights.bin",
            "runs/12345678/a",
            "src/runs/a/1700000000000",
            ".ralph/plan.tsx",
        ] {
            assert!(!is_protected(path), "{path}");
        }
    }

    #[test]
    fn a_snapshot_has_only_normal_paths_below_the_project() {
        for (path, expected) in [
            ("src/a", true),
            ("", false),
            ("../a", false),
            ("a/../../b", false),
            ("/a", false),
            ("a//b", false),
            ("./a", false),
            (".git/config", false),
            (".loopgate/undo", false),
        ] {
            assert_eq!(is_in_snapshots(path), expected, "{path:?}");
        }
    }

    #[test]
    fn refuses_links_that_git_reads_as_gitmodules() {
        for path in [".gitmodules", "a/.GITMODULES", ".gitmodules ", "GITMOD~1", "gi7eba~1", ".git\u{200c}modules"] {
            assert!(is_refused_link(path), "{path}");
        }
        assert!(!is_refused_link(".gitmodules/link") && !is_refused_link("gitmodules"));
    }
}
