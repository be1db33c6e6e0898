//! The head: the newest snapshot, which the next one follows, and what is known about its files.

use super::scan::{Scan, scan};
use super::stat_cache::StatCache;
use crate::error::{Error, ErrorCode};
use crate::port::{GitPort, Host};
use crate::snapshot::git::list::{Listed, Listing, list_newest};
use crate::snapshot::git::{CacheTree, Catalog, Manifest, Mode, NamedCommit, Oid, StoredTree, tags};
use crate::snapshot::restore::{RedoLog, RestoreTarget};
use futures_util::future::join;

#[derive(Default)]
pub(crate) struct Head {
    /// The newest snapshot that has a tag.
    pub newest: Option<NamedCommit>,
    pub catalog: Catalog,
    /// The commit that the next snapshot follows: the newest snapshot, or HEAD's commit for the first one.
    pub parent: Option<Oid>,
    /// The tree of the parent.
    pub stored: StoredTree,
    /// The files of the snapshot that the project was rolled back to, if that was after the newest one was saved.
    pub rolled_back_to: Option<Manifest>,
    pub cache: Option<StatCache>,
    /// The stat cache belongs to the newest snapshot.
    pub is_cached: bool,
    /// What the user should know about.
    pub warnings: Vec<String>,
}

impl Head {
    /// The head of a project that is only read.
    pub(crate) async fn load(host: &Host, git: &dyn GitPort) -> Result<Self, Error> {
        let last = RedoLog::load(host).await?;
        Self::after(host, git, last.as_ref()).await
    }

    /// The head after the `last` rollback. Comes from the stat cache if its snapshot still exists.
    pub(crate) async fn after(host: &Host, git: &dyn GitPort, last: Option<&RedoLog>) -> Result<Self, Error> {
        let (cache, catalog) = join(StatCache::load(host), Catalog::load_checked(host, git)).await;
        let mut catalog = catalog?;
        let from_cache = match &cache {
            Some(cache) => Self::from_cache(git, cache).await?,
            None => None,
        };
        let mut head = match from_cache {
            Some(head) => Self { cache, ..head },
            None => Self::from_tags(git, cache, &mut catalog).await?,
        };
        head.newest = head.newest.map(|newest| catalog.under_newest_tag(newest));
        head.catalog = catalog;
        if let Some(last) = last {
            head.follow_rollback(host, git, last).await?;
        }
        Ok(head)
    }

    /// The files of the snapshot that the project comes from: what git would call tracked.
    pub(crate) fn tracked(&self) -> &Manifest {
        self.rolled_back_to.as_ref().unwrap_or(&self.stored.manifest)
    }

    /// Manifests whose trees need not be read.
    pub(crate) fn hints(&self) -> Vec<&Manifest> {
        [Some(&self.stored.manifest), self.rolled_back_to.as_ref()].into_iter().flatten().collect()
    }

    /// Scans the working tree. Ignored files count if the head or `also_tracked` has them.
    pub(crate) async fn scan(&self, host: &Host, also_tracked: &Manifest) -> Result<Scan, Error> {
        scan(host, self.cache.as_ref(), &[self.tracked(), also_tracked], None).await
    }

    /// The project was rolled back to this target. A rollback does not change submodules.
    pub(crate) fn rolled_back(&mut self, target: &RestoreTarget) {
        if self.newest.as_ref().is_some_and(|newest| newest.tree == target.tree) {
            return;
        }
        let mut files = target.manifest.clone();
        files.retain(|_, entry| entry.mode != Mode::Submodule);
        let submodules = self.stored.manifest.iter().filter(|(_, entry)| entry.mode == Mode::Submodule);
        files.extend(submodules.map(|(path, entry)| (path.clone(), *entry)));
        self.rolled_back_to = Some(files);
    }

    /// The newest snapshot becomes this one, with these files.
    pub(crate) fn advance(&mut self, commit: &NamedCommit, files: &Manifest) {
        self.newest = Some(commit.clone());
        self.parent = Some(commit.oid);
        self.stored.manifest.clone_from(files);
        self.rolled_back_to = None;
        self.is_cached = true;
    }

    /// A rollback saves only what it replaces, so the newest snapshot is then its undo point.
    async fn follow_rollback(&mut self, host: &Host, git: &dyn GitPort, last: &RedoLog) -> Result<(), Error> {
        let Some(newest) = &self.newest else { return Ok(()) };
        let is_undo_point = last.undo.tree == newest.tree.to_string()
            && tags::resolve(git, &last.undo.name).await?.is_some_and(|(_, oid)| oid == newest.oid.to_string());
        let Some(tree) = Oid::parse(&last.target.tree).filter(|_| is_undo_point) else { return Ok(()) };
        match RestoreTarget::read(host, git, &last.target.name, tree, &self.hints()).await {
            Ok(target) => self.rolled_back(&target),
            Err(error) if error.retryable => return Err(error),
            Err(error) => self.warnings.push(format!(
                "the files after the last rollback cannot be read, so changes count from {}: {}",
                last.undo.name, error.message
            )),
        }
        Ok(())
    }

    async fn from_cache(git: &dyn GitPort, cache: &StatCache) -> Result<Option<Self>, Error> {
        let newest = match tags::read(git, &cache.tag).await {
            Ok(Some(commit)) if commit.oid == cache.commit && commit.message.is_some() => commit,
            Ok(_) => return Ok(None),
            Err(error) if error.code == ErrorCode::Corrupt => return Ok(None),
            Err(error) => return Err(error),
        };
        let manifest = cache.manifest();
        let (cache_tree, _) = CacheTree::from_manifest(&manifest);
        if cache_tree.root() != newest.tree {
            return Ok(None);
        }
        let (parent, stored) = (Some(newest.oid), StoredTree::from_manifest(manifest, &cache_tree));
        Ok(Some(Self { newest: Some(newest), parent, stored, is_cached: true, ..Self::default() }))
    }

    async fn from_tags(git: &dyn GitPort, cache: Option<StatCache>, catalog: &mut Catalog) -> Result<Self, Error> {
        let known = cache.as_ref().map(|cache| cache.tag.clone());
        let mut newest = Self::find_newest(git, catalog, known.as_deref()).await?;
        if newest.is_outdated {
            // One record is wrong, so the catalog is ignored and git is read instead.
            *catalog = Catalog::default();
            newest = Self::find_newest(git, catalog, known.as_deref()).await?;
        }
        let mut head = Self { warnings: newest.warnings, ..Self::default() };
        let hint = cache.as_ref().map(StatCache::manifest).unwrap_or_default();
        head.cache = cache;
        if let Some(commit) = newest.commit {
            head.parent = Some(commit.oid);
            head.read_stored(git, commit.tree, &hint).await?;
            head.newest = Some(commit);
            return Ok(head);
        }
        match tags::read(git, "HEAD").await {
            Ok(Some(commit)) => {
                head.parent = Some(commit.oid);
                head.read_stored(git, commit.tree, &hint).await?;
            }
            Ok(None) => {}
            Err(error) if error.code == ErrorCode::Corrupt => head.warnings.push(error.message.clone()),
            Err(error) => return Err(error),
        }
        Ok(head)
    }

    async fn find_newest(git: &dyn GitPort, catalog: &mut Catalog, known: Option<&str>) -> Result<Newest, Error> {
        let Listing { listed, warnings, read } = list_newest(git, catalog, known).await?;
        catalog.learn(read);
        // Another tag on a snapshot's commit may be annotated; its id names the annotation, which cannot be a parent.
        let newest = listed.into_iter().rev().find(|snapshot| !snapshot.is_borrowed);
        let Some(Listed { commit, .. }) = newest else {
            return Ok(Newest { commit: None, warnings, is_outdated: false });
        };
        let found = match tags::read(git, &commit.name).await {
            Err(error) if error.code != ErrorCode::Corrupt => return Err(error),
            found => found.unwrap_or_default(),
        };
        let is_outdated = found.is_none_or(|found| (found.oid, found.tree) != (commit.oid, commit.tree));
        Ok(Newest { commit: Some(commit), warnings, is_outdated })
    }

    /// A tree that cannot be read does not prevent a save: it stores every object again.
    async fn read_stored(&mut self, git: &dyn GitPort, tree: Oid, hint: &Manifest) -> Result<(), Error> {
        match StoredTree::read(git, tree, &[hint]).await {
            Ok(stored) => {
                self.warnings.extend(stored.warnings.iter().cloned());
                self.stored = stored;
            }
            Err(error) if error.code == ErrorCode::Git && !error.retryable => self.warnings.push(error.message.clone()),
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

/// The newest snapshot that has a tag.
struct Newest {
    commit: Option<NamedCommit>,
    warnings: Vec<String>,
    /// Git has another commit, so the catalog is wrong.
    is_outdated: bool,
}
