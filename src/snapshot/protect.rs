//! What no snapshot contains and no rollback changes, whatever the ignore rules say.

use crate::layout::{self, Rollback};
use crate::path;

/// The entries that [`layout`] excludes, and the logs of the specs. An entry below a protected
/// one is protected as well.
pub(super) fn is_protected(path: &str) -> bool {
    layout::entry(&path::fold(path)).is_some_and(|entry| entry.rollback == Rollback::Skips) || layout::is_spec_log(path)
}

/// Git refuses a tree with a link of this name: `.gitmodules` must be a file.
pub(super) fn is_refused_link(path: &str) -> bool {
    let folded = path::fold(path);
    // NTFS makes `GI7EBA~1` of `.gitmodules` where names like `GITMOD~1` are taken.
    let is_hashed = |name: &str| name.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("gi7eba~"));
    let is_refused = |name: &str| path::means(name, ".gitmodules") || is_hashed(name);
    path::folded_names(&folded).last().is_some_and(is_refused)
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn refuses_links_that_git_reads_as_gitmodules() {
        for path in [".gitmodules", "a/.GITMODULES", ".gitmodules ", "GITMOD~1", "gi7eba~1", ".git\u{200c}modules"] {
            assert!(is_refused_link(path), "{path}");
        }
        assert!(!is_refused_link(".gitmodules/link") && !is_refused_link("gitmodules"));
    }
}
