//! The files and folders of a partial rollback.

use crate::error::{Error, ErrorCode};
use crate::layout;
use crate::path::{fold, folders_above, is_below};
use crate::snapshot::git::{Entry, Manifest, Mode, has_below};
use crate::snapshot::protect::is_in_snapshots;
use std::collections::BTreeSet;

/// Paths of files and folders, relative to the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Selection(BTreeSet<String>);

impl Selection {
    /// Checks the paths that a caller names; they may be absolute.
    ///
    /// # Errors
    /// `invalid-argument` for no path, the whole project, a path outside of it, and what a partial rollback never changes:
    /// `.git`, the state and the logs of the harness, and the files of the task.
    pub(super) fn parse(dir: &str, paths: &[String]) -> Result<Self, Error> {
        if paths.is_empty() {
            let message = "`paths` is empty; name files or folders, or leave it out to roll everything back";
            return Err(Error::new(ErrorCode::InvalidArgument, message));
        }
        Ok(Self(paths.iter().map(|path| checked(dir, path)).collect::<Result<_, _>>()?))
    }

    /// The paths of an earlier selection.
    pub(super) fn from_paths(paths: &[String]) -> Self {
        Self(paths.iter().cloned().collect())
    }

    pub(super) fn paths(&self) -> Vec<String> {
        self.0.iter().cloned().collect()
    }

    /// The paths in a message.
    pub(super) fn words(&self) -> String {
        match self.0.first() {
            Some(path) if self.0.len() == 1 => path.clone(),
            _ => format!("{} paths", self.0.len()),
        }
    }

    /// Whether a file is one of the paths, or below one.
    pub(super) fn has(&self, path: &str) -> bool {
        self.0.contains(path) || folders_above(path).any(|folder| self.0.contains(folder))
    }

    /// The selected files of a manifest.
    pub(super) fn files_of(&self, files: &Manifest) -> Manifest {
        files.iter().filter(|(path, _)| self.has(path)).map(|(path, entry)| (path.clone(), *entry)).collect()
    }

    /// The `current` files with the selected ones as the `target` has them. Submodules stay.
    ///
    /// # Errors
    /// `conflict` if a file that is not selected is in the way.
    pub(super) fn merge(&self, current: &Manifest, target: &Manifest) -> Result<Manifest, Error> {
        let is_module = |entry: Option<&Entry>| entry.is_some_and(|entry| entry.mode == Mode::Submodule);
        let is_selected = |path: &str| self.has(path) && !is_module(current.get(path)) && !is_module(target.get(path));
        let mut merged = current.clone();
        merged.retain(|path, _| !is_selected(path));
        let selected = target.iter().filter(|(path, _)| is_selected(path));
        merged.extend(selected.map(|(path, entry)| (path.clone(), *entry)));
        for path in merged.keys().filter(|path| is_selected(path)) {
            if let Some(obstacle) = folders_above(path).find(|folder| merged.contains_key(*folder)) {
                let message =
                    format!("{obstacle} is in the way of {path}, which the snapshot has; name it in `paths`, too");
                return Err(Error::new(ErrorCode::Conflict, message).at_path(obstacle));
            }
        }
        Ok(merged)
    }

    /// Checks that each path is in one of the states.
    ///
    /// # Errors
    /// `not-found` with the path.
    pub(super) fn require(&self, name: &str, current: &Manifest, target: &Manifest) -> Result<(), Error> {
        let exists =
            |path: &str| [current, target].iter().any(|files| files.contains_key(path) || has_below(files, path));
        match self.0.iter().find(|path| !exists(path)) {
            None => Ok(()),
            Some(path) => {
                let message = format!(
                    "neither {name} nor the project has {path}; files that git ignores and files of other repositories \
                     are in no snapshot"
                );
                Err(Error::new(ErrorCode::NotFound, message).at_path(path.as_str()))
            }
        }
    }
}

fn checked(dir: &str, path: &str) -> Result<String, Error> {
    let refused = |why: &str| {
        Err(Error::new(ErrorCode::InvalidArgument, format!("{path:?} cannot be rolled back on its own: {why}"))
            .at_path(path))
    };
    let inside = match path.strip_prefix('/') {
        None => Some(path),
        Some(_) => path.strip_prefix(dir.trim_end_matches('/')).filter(|rest| rest.is_empty() || rest.starts_with('/')),
    };
    let names: Option<Vec<&str>> =
        inside.map(|inside| inside.split('/').filter(|name| !matches!(*name, "" | ".")).collect());
    match names {
        Some(names) if names.contains(&"..") => refused("it is outside of the project, or has `..`"),
        None => refused("it is outside of the project"),
        Some(names) if names.is_empty() => refused("it is the whole project; leave out `paths`"),
        Some(names) => {
            let inside = names.join("/");
            let row = layout::entry(&fold(&inside)).map(|row| row.path);
            if row.is_some_and(|row| row == layout::RALPH || is_below(row, layout::RALPH)) {
                return refused("it belongs to the state of the task, which only a rollback of everything restores");
            }
            if !is_in_snapshots(&inside) {
                return refused("no snapshot has it, and no rollback changes it");
            }
            Ok(inside)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::restore::plan::tests::manifest as files;

    fn select(paths: &[&str]) -> Result<Selection, Error> {
        Selection::parse("/project", &paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_path_is_normalised_or_refused_with_the_reason() {
        for (path, expected) in [
            ("src/a", "src/a"),
            ("./src//a/", "src/a"),
            ("/project/src", "src"),
            ("a\\b", "a\\b"),
            ("with space 🍓", "with space 🍓"),
            (".handoff/config.yaml", ".handoff/config.yaml"),
        ] {
            assert_eq!(select(&[path]).unwrap().paths(), [expected], "{path:?}");
        }
        for (path, reason) in [
            ("", "whole project"),
            (".", "whole project"),
            ("/project", "whole project"),
            ("/", "outside"),
            ("/projects/a", "outside"),
            ("../a", "outside"),
            ("src/../../a", "outside"),
            (".git/config", "no snapshot"),
            (".GIT", "no snapshot"),
            ("sub/.loopgate/undo", "no snapshot"),
            ("runs/0001-a/1700000000000/x", "no snapshot"),
            (".ralph", "state of the task"),
            (".ralph/task-counter.txt", "state of the task"),
            (".RALPH/plan.tsx", "state of the task"),
        ] {
            let error = select(&["src", path]).unwrap_err();
            assert_eq!(error.code, ErrorCode::InvalidArgument, "{path:?}");
            assert!(error.message.contains(reason), "{error}");
        }
        assert!(select(&[]).unwrap_err().message.contains("empty"));
    }

    #[test]
    fn only_the_selected_files_become_those_of_the_target() {
        let current = files(&[
            ("a", Mode::File, "1"),
            ("b", Mode::File, "1"),
            ("src/new", Mode::File, "1"),
            ("src/x", Mode::File, "1"),
            ("srcx", Mode::File, "1"),
            ("src/module", Mode::Submodule, "1"),
        ]);
        let target = files(&[
            ("a", Mode::File, "2"),
            ("b", Mode::File, "2"),
            ("src/gone", Mode::File, "2"),
            ("src/x", Mode::Executable, "2"),
            ("src/module", Mode::Submodule, "2"),
        ]);
        let merged = select(&["a", "src"]).unwrap().merge(&current, &target).unwrap();
        let expected = files(&[
            ("a", Mode::File, "2"),
            ("b", Mode::File, "1"),
            ("src/gone", Mode::File, "2"),
            ("src/x", Mode::Executable, "2"),
            ("srcx", Mode::File, "1"),
            ("src/module", Mode::Submodule, "1"),
        ]);
        assert_eq!(merged, expected);
    }

    #[test]
    fn a_file_that_is_not_selected_is_never_replaced_by_a_folder() {
        let (current, target) = (files(&[("a", Mode::File, "1")]), files(&[("a/b", Mode::File, "1")]));
        let error = select(&["a/b"]).unwrap().merge(&current, &target).unwrap_err();
        assert_eq!((error.code, error.path.as_deref()), (ErrorCode::Conflict, Some("a")));
        assert_eq!(select(&["a"]).unwrap().merge(&current, &target).unwrap(), target);
        assert_eq!(select(&["a"]).unwrap().merge(&target, &current).unwrap(), current);
    }

    #[test]
    fn a_path_that_neither_state_has_is_not_found() {
        let (current, target) = (files(&[("a", Mode::File, "1")]), files(&[("dir/b", Mode::File, "1")]));
        assert!(select(&["a", "dir"]).unwrap().require("one", &current, &target).is_ok());
        let error = select(&["a", "dir/c"]).unwrap().require("one", &current, &target).unwrap_err();
        assert_eq!((error.code, error.path.as_deref()), (ErrorCode::NotFound, Some("dir/c")));
    }
}
