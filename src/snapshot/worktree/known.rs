//! The files as they are, and what it takes to tell from a few paths what became of them.

use super::ignore::Rules;
use super::position::Position;
use super::scan::{Scan, mode_of, read_content};
use crate::error::Error;
use crate::join;
use crate::port::{FileKind, FsPort, Host, PortResult, Stat};
use crate::snapshot::git::forest::Forest;
use crate::snapshot::git::manifest::{Entry, Manifest, Mode, Tree, has_below};
use crate::snapshot::git::objects::Objects;
use crate::snapshot::git::oid::Oid;
use crate::snapshot::git::tags::Target;
use crate::snapshot::protect::{is_protected, is_refused_link};
use crate::snapshot::restore::steps::above;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// All that is known of the project.
pub(in crate::snapshot) struct Known {
    /// The newest snapshot under a tag, and its files.
    pub position: Position,
    /// The files as they are, with those that are ignored and in the snapshot.
    pub files: Manifest,
    /// Their trees.
    pub forest: Forest,
    /// The newest snapshot of an iteration.
    pub iteration: Option<Target>,
    /// The names of all snapshots of iterations, once they are known.
    pub iterations: Option<Vec<String>>,
    /// The folder `.loopgate` is there.
    pub is_prepared: bool,
    /// The stat cache that is stored whole, where it and its changes are those of the newest snapshot.
    pub cache: Option<Oid>,
    /// Paths whose entry may differ from that in it.
    pub uncached: BTreeSet<String>,
    /// The record of the last rollback, as it was stored.
    pub record: Option<Vec<u8>>,
    /// What a snapshot leaves alone, topmost entries only.
    pub left: BTreeMap<String, FileKind>,
    rules: BTreeMap<String, Rc<Rules>>,
}

/// What a look found.
pub(in crate::snapshot) struct Look {
    /// The trees that are new, children before their parents, the root last.
    pub trees: Vec<Tree>,
    /// How many files changed.
    pub changed: usize,
}

/// What is at a path, and what it holds; that is nothing where it is ignored, or vanished.
#[derive(Default)]
struct Sight {
    stat: Option<Stat>,
    content: Option<(Mode, Vec<u8>)>,
}

impl Known {
    /// What a scan of everything found.
    pub(in crate::snapshot) fn of(
        mut position: Position,
        scan: &Scan,
        files: Manifest,
        forest: Forest,
        record: Option<Vec<u8>>,
    ) -> Self {
        let (mut cache, mut uncached) = (None, BTreeSet::new());
        if let Some(stored) = position.cache.take().filter(|_| position.is_cached) {
            let now = |path: &String| files.get(path).copied();
            let then = |path: &String| stored.files.get(path).map(|seen| seen.entry);
            let paths = files.keys().chain(stored.files.keys());
            uncached = paths.filter(|path| now(path) != then(path)).cloned().collect();
            uncached.extend(stored.changed);
            cache = stored.sum;
        }
        let (left, rules) = (scan.left.clone(), scan.rules.clone());
        // Whoever stored a cache made the folder.
        let (iteration, iterations, is_prepared) = (None, None, cache.is_some());
        Self { position, files, forest, iteration, iterations, is_prepared, cache, uncached, record, left, rules }
    }

    /// Looks at these paths and stores what changed; `tracked` files count where they are ignored. Nothing where that
    /// does not tell what a look at everything would find: the rules changed, or something else is not as expected.
    ///
    /// # Errors
    /// What a port says.
    pub(in crate::snapshot) async fn look<H: Host>(
        &mut self,
        host: &H,
        paths: &BTreeSet<String>,
        also_tracked: &Manifest,
        objects: &mut Objects<'_, H>,
    ) -> Result<Option<Look>, Error> {
        let mut changed = BTreeSet::new();
        let mut blocked: BTreeSet<&str> = BTreeSet::new();
        let ours: Vec<&String> = paths.iter().filter(|path| !is_protected(path)).collect();
        for some in ours.chunks(join::AT_ONCE) {
            let sights = join::each(some, |path| Box::pin(self.see(host, path, also_tracked))).await;
            for (path, sight) in some.iter().copied().zip(sights) {
                if self.needs_rules(path)
                    || self.is_of_somebody_else(path, also_tracked)
                    || self.reopens_a_folder(path, also_tracked)
                {
                    return Ok(None);
                }
                let is_blocked = above(path).any(|folder| blocked.contains(folder));
                let Sight { stat, content } = if is_blocked { Sight::default() } else { sight? };
                if stat.is_some_and(|stat| stat.kind != FileKind::Directory) {
                    blocked.insert(path);
                }
                let is_link = stat.is_some_and(|stat| stat.kind == FileKind::Symlink);
                if is_link && (!host.fs().support().symlinks || is_refused_link(path)) {
                    return Ok(None);
                }
                let mut now = None;
                if let Some((mode, bytes)) = content {
                    let oid = objects.write_blob(bytes).await.map_err(|error| error.at_path(path))?;
                    now = Some(Entry { mode, oid });
                }
                if self.takes(path, stat, now) {
                    changed.insert(path.clone());
                }
            }
        }
        let is_torn = |path: &String| {
            self.files.contains_key(path)
                && (above(path).any(|folder| self.files.contains_key(folder)) || has_below(&self.files, path))
        };
        if paths.iter().any(is_torn) {
            return Ok(None);
        }
        let trees = self.forest.update(&self.files, &changed);
        let count = changed.len();
        self.uncached.extend(changed);
        Ok(Some(Look { trees, changed: count }))
    }

    /// The files became these at these paths, by the harness's own hand.
    pub(in crate::snapshot) fn became(&mut self, target: &Manifest, paths: impl Iterator<Item = String>) {
        let paths: BTreeSet<String> = paths.collect();
        for path in paths.iter() {
            match target.get(path) {
                Some(entry) => drop(self.files.insert(path.clone(), *entry)),
                None => drop(self.files.remove(path)),
            }
        }
        self.forest.update(&self.files, &paths);
        self.uncached.extend(paths);
    }

    /// Takes over what is at a path now; whether it is another entry than before.
    fn takes(&mut self, path: &str, stat: Option<Stat>, now: Option<Entry>) -> bool {
        match stat {
            Some(stat) if stat.kind != FileKind::Directory && now.is_none() => {
                self.left.insert(path.to_owned(), stat.kind);
            }
            // A folder that was left alone is none of the files that a look at its path tells of.
            Some(stat) if stat.kind == FileKind::Directory && self.left.get(path) == Some(&FileKind::Directory) => {}
            _ => {
                self.left.remove(path);
            }
        }
        if self.files.get(path) == now.as_ref() {
            return false;
        }
        match now {
            Some(entry) => drop(self.files.insert(path.to_owned(), entry)),
            None => drop(self.files.remove(path)),
        }
        true
    }

    async fn see<H: Host>(&self, host: &H, path: &str, also_tracked: &Manifest) -> PortResult<Sight> {
        let tracked = [self.position.tracked(), also_tracked];
        let stat = host.project().lstat(path).await?;
        let is_left = self.is_ignored(path, false) && !tracked.iter().any(|manifest| manifest.contains_key(path));
        let has_content = match stat.map(|stat| stat.kind) {
            Some(FileKind::File) => !is_left,
            Some(FileKind::Symlink) => !is_left && host.fs().support().symlinks,
            Some(FileKind::Directory) | None => false,
        };
        let content = match stat.filter(|_| has_content) {
            Some(stat) => {
                let mode = mode_of(host, path, &stat, &tracked);
                read_content(host, path, mode).await?.map(|bytes| (mode, bytes))
            }
            None => None,
        };
        Ok(Sight { stat, content })
    }

    /// What is ignored may be another from here on.
    fn needs_rules(&self, path: &str) -> bool {
        path.rsplit('/').next() == Some(".gitignore") || !self.rules.contains_key("")
    }

    fn is_ignored(&self, path: &str, is_folder: bool) -> bool {
        let Some(mut rules) = self.rules.get("") else { return false };
        for folder in above(path) {
            if rules.ignore(folder, true) {
                return true;
            }
            rules = self.rules.get(folder).unwrap_or(rules);
        }
        rules.ignore(path, is_folder)
    }

    /// It is in another repository, or a submodule, or a link that the host cannot follow.
    fn is_of_somebody_else(&self, path: &str, also_tracked: &Manifest) -> bool {
        let tracked = [self.position.tracked(), also_tracked];
        let is_submodule =
            |path: &str| tracked.iter().any(|files| files.get(path).is_some_and(|entry| entry.mode == Mode::Submodule));
        let is_left = |path: &str| match self.left.get(path) {
            Some(kind) => !is_protected(path) && !self.is_ignored(path, *kind == FileKind::Directory),
            None => false,
        };
        let has_repository = |folder: &str| self.left.contains_key(&format!("{folder}/.git"));
        above(path).any(|folder| is_submodule(folder) || is_left(folder) || has_repository(folder))
            || is_submodule(path)
            || is_left(path)
    }

    /// A folder that was left alone as ignored holds it, and with it in the target is not left alone any more.
    fn reopens_a_folder(&self, path: &str, also_tracked: &Manifest) -> bool {
        also_tracked.contains_key(path) && above(path).any(|folder| self.left.contains_key(folder))
    }
}
