//! Paths whose names Windows reads in another way. No browser IDE makes them; a tree from elsewhere may have them.

use super::plan::RestorePlan;
use crate::path::{is_of_windows, unsafe_on_windows};
use crate::snapshot::git::Manifest;
use std::collections::BTreeSet;

/// Whether a file must not be written, because its path leads to another folder on Windows. A host does not say on which
/// system it is, but one that lists a file with this name stores it.
pub(super) fn leads_away(path: &str, present: &Manifest) -> bool {
    !present.contains_key(path) && unsafe_on_windows(path).is_some_and(|found| found.leads_away)
}

/// The names of the files that a plan writes.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// The files that the plan does not write: their path leads away or, in a project on a drive, Windows does not store it.
    pub left: BTreeSet<String>,
    /// These, and names that Windows does not store elsewhere.
    pub warnings: Vec<String>,
}

/// Takes files out of the plan that must not be written, because of their names. `dir` is the project's folder, and `present`
/// its files.
pub(super) fn leave_names(dir: &str, present: &Manifest, plan: &mut RestorePlan) -> Names {
    let mut names = Names::default();
    for path in &plan.restore {
        let Some(found) = unsafe_on_windows(path) else { continue };
        if leads_away(path, present) || (!found.leads_away && is_of_windows(dir)) {
            names.warnings.push(format!("{path:?} is left out: it {}", found.reason));
            names.left.insert(path.clone());
        } else {
            names.warnings.push(format!("{path:?} {}: the project cannot be used there", found.reason));
        }
    }
    plan.leave(&names.left);
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::git::{Entry, Mode, Oid};

    /// The warnings, and whether the file is written.
    fn check(dir: &str, path: &str, present: &[&str]) -> (Vec<String>, bool) {
        let entry = Entry { mode: Mode::File, oid: Oid::of_blob(b"") };
        let present = present.iter().map(|path| ((*path).to_owned(), entry)).collect();
        let restore = vec!["a".to_owned(), path.to_owned()];
        let mut plan = RestorePlan { restore, delete: vec!["b\\c".to_owned()] };
        let names = leave_names(dir, &present, &mut plan);
        assert_eq!((plan.restore.first().map(String::as_str), plan.delete.len()), (Some("a"), 1));
        assert_eq!(names.left.contains(path), plan.restore.len() == 1);
        assert!(names.warnings.len() == 1 && names.warnings.concat().contains(&format!("{path:?}")), "{names:?}");
        (names.warnings, plan.restore.len() == 2)
    }

    #[test]
    fn a_file_is_written_at_a_path_that_leads_away_only_where_the_host_has_it() {
        for path in ["..\\x", "a\\b", "C:\\x", "src/d:x"] {
            for dir in ["/project", "/c:/project"] {
                let (warnings, is_written) = check(dir, path, &["a"]);
                assert!(!is_written && warnings.concat().contains("left out"), "{warnings:?}");
            }
            assert!(check("/project", path, &[path]).1);
        }
    }

    #[test]
    fn a_name_that_windows_does_not_store_is_left_out_there_and_reported_elsewhere() {
        for path in ["src/nul.txt", "COM1", "LPT¹", "file:stream", "a.", "a /b", "a\tb"] {
            assert!(!check("/C:/project", path, &[path]).1);
            assert!(check("/project", path, &[]).1);
        }
    }
}
