//! The one way through the folders of a project.

use super::{PortResult, ProjectDir, Stat};
use crate::path;

/// Visits the entries below some paths, depth first and in the order of their names. A folder is visited and not entered;
/// the caller calls [`Walk::enter`] for the folders that it wants. Links are not followed.
pub(crate) struct Walk<'a> {
    project: ProjectDir<'a>,
    /// The next entry is the last one.
    waiting: Vec<(String, Option<Stat>)>,
    entries_left: usize,
}

impl<'a> Walk<'a> {
    /// Begins with `start`, and lists at most `max_entries` entries of folders.
    pub(crate) fn new(project: ProjectDir<'a>, start: &str, max_entries: usize) -> Self {
        Self { project, waiting: vec![(start.to_owned(), None)], entries_left: max_entries }
    }

    /// The next entry; one that no longer exists is skipped.
    pub(crate) async fn next(&mut self) -> PortResult<Option<(String, Stat)>> {
        while let Some((path, stat)) = self.waiting.pop() {
            let stat = if stat.is_none() { self.project.lstat(&path).await? } else { stat };
            if let Some(stat) = stat {
                return Ok(Some((path, stat)));
            }
        }
        Ok(None)
    }

    /// Visits the entries of a folder next: those whose path is wanted, as far as the bound allows.
    pub(crate) async fn enter(&mut self, folder: &str, is_wanted: impl Fn(&str) -> bool) -> PortResult<()> {
        let mut entries = self.project.list(folder).await?.unwrap_or_default();
        entries.truncate(self.entries_left);
        self.entries_left -= entries.len();
        let paths = entries.into_iter().map(|(name, stat)| (path::join(folder, &name), stat));
        self.waiting.extend(paths.filter(|(path, _)| is_wanted(path)).rev());
        Ok(())
    }

    /// Whether an entry waits for its visit.
    pub(crate) fn has_more(&self) -> bool {
        !self.waiting.is_empty()
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::port::memory::MemoryHost;
    use crate::port::{FileKind, FsPort};

    async fn visited(host: &MemoryHost, start: &str, max_entries: usize) -> PortResult<Vec<String>> {
        let (mut walk, mut paths) = (Walk::new(host.project(), start, max_entries), Vec::new());
        while let Some((path, stat)) = walk.next().await? {
            if stat.kind == FileKind::Directory {
                walk.enter(&path, |path| path::name(path) != "skipped").await?;
            } else {
                paths.push(path);
            }
        }
        Ok(paths)
    }

    #[tokio::test]
    async fn a_walk_visits_wanted_entries_in_order_and_within_its_bound() {
        let host = MemoryHost::new([("b/2", ""), ("b/1", ""), ("a", ""), ("skipped/x", ""), ("c/skipped", "")]);
        host.fs.symlink("/project/b", "/project/link").await.unwrap();
        assert_eq!(visited(&host, "", 100).await.unwrap(), ["a", "b/1", "b/2", "link"]);
        assert_eq!(visited(&host, "", 3).await.unwrap(), ["a"]);
        assert_eq!(visited(&host, "b", 100).await.unwrap(), ["b/1", "b/2"]);
        assert_eq!(visited(&host, "a", 100).await.unwrap(), ["a"]);
        assert_eq!(visited(&host, "nowhere", 100).await.unwrap(), [""; 0]);
    }
}
