//! Paths whose names Windows reads in another way. No browser IDE makes them; a tree from elsewhere may have them.

use super::plan::RestorePlan;
use crate::error::{Error, ErrorCode};
use crate::path::{is_of_windows, unsafe_on_windows};
use crate::snapshot::git::Manifest;

/// Whether a file must not be written, because its path leads to another folder on Windows. A host does not say on which
/// system it is, but one that lists a file with this name stores it.
pub(super) fn leads_away(path: &str, present: &Manifest) -> bool {
    !present.contains_key(path) && unsafe_on_windows(path).is_some_and(|found| found.leads_away)
}

/// Checks the names of the files that a plan writes. Returns warnings about names that Windows does not store. `dir` is the
/// project's folder, and `present` its files.
///
/// # Errors
/// `unsupported` for a path that leads away and, in a project on a drive, for a name that Windows does not store.
pub(super) fn check_names(dir: &str, present: &Manifest, plan: &RestorePlan) -> Result<Vec<String>, Error> {
    let mut warnings = Vec::new();
    for path in &plan.restore {
        let Some(found) = unsafe_on_windows(path) else { continue };
        if leads_away(path, present) || (!found.leads_away && is_of_windows(dir)) {
            let message =
                format!("{path:?} {}, so it cannot be restored; restore a state without this file", found.reason);
            return Err(Error::new(ErrorCode::Unsupported, message).at_path(path));
        }
        warnings.push(format!("{path:?} {}: the project cannot be used there", found.reason));
    }
    Ok(warnings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::git::{Entry, Mode, Oid};

    fn check(dir: &str, path: &str, present: &[&str]) -> Result<Vec<String>, Error> {
        let entry = Entry { mode: Mode::File, oid: Oid::of_blob(b"") };
        let present = present.iter().map(|path| ((*path).to_owned(), entry)).collect();
        let restore = vec!["a".to_owned(), path.to_owned()];
        check_names(dir, &present, &RestorePlan { restore, delete: vec!["b\\c".to_owned()] })
    }

    #[test]
    fn a_file_is_written_at_a_path_that_leads_away_only_where_the_host_has_it() {
        for path in ["..\\x", "a\\b", "C:\\x", "src/d:x"] {
            for dir in ["/project", "/c:/project"] {
                let error = check(dir, path, &["a"]).unwrap_err();
                assert_eq!((error.code, error.path.as_deref()), (ErrorCode::Unsupported, Some(path)));
            }
            assert!(check("/project", path, &[path]).unwrap().concat().contains(&format!("{path:?}")));
        }
    }

    #[test]
    fn a_name_that_windows_does_not_store_is_refused_there_and_reported_elsewhere() {
        for path in ["src/nul.txt", "COM1", "LPT¹", "file:stream", "a.", "a /b", "a\tb"] {
            assert_eq!(check("/C:/project", path, &[path]).unwrap_err().path.as_deref(), Some(path));
            let warnings = check("/project", path, &[]).unwrap();
            assert!(warnings.len() == 1 && warnings.concat().contains(&format!("{path:?}")), "{warnings:?}");
        }
    }
}
