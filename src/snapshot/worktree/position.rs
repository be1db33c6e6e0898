//! Where the project stands among its snapshots: the newest one, and what is known about its files.

use super::stat_cache::StatCache;
use crate::error::{Error, ErrorCode};
use crate::port::{GitPort, Host};
use crate::snapshot::git::forest::Forest;
use crate::snapshot::git::listing::{Listing, read_listing};
use crate::snapshot::git::manifest::{self, Manifest, Mode};
use crate::snapshot::git::names::Names;
use crate::snapshot::git::objects::bad_id;
use crate::snapshot::git::oid::Oid;
use crate::snapshot::git::tags::{self, Target};
use crate::snapshot::restore::intent::{self, Intent};
use crate::snapshot::restore::perform::{Goal, goal_of};

/// What a scan and a save go by.
#[derive(Default)]
pub(in crate::snapshot) struct Position {
    /// The newest snapshot.
    pub newest: Option<Target>,
    /// What is told of snapshots that share a commit.
    pub names: Names,
    /// The commit that the next snapshot follows: the newest snapshot, or HEAD's for the first one.
    pub parent: Option<Oid>,
    /// The files of the parent, all stored.
    pub listing: Listing,
    /// Their trees, where they are known.
    pub forest: Option<Forest>,
    /// The files of the snapshot that was rolled back to since the newest one was made.
    pub rolled_back_to: Option<Manifest>,
    /// How files looked.
    pub cache: Option<StatCache>,
    /// The cache is that of the newest snapshot.
    pub is_cached: bool,
    /// A save was cut off: objects that no snapshot holds may be torn.
    pub in_doubt: bool,
    /// What the user should know about.
    pub warnings: Vec<String>,
}

impl Position {
    /// Where a project stands that is only looked at.
    pub(in crate::snapshot) async fn load<H: Host>(host: &H, git: &H::Git) -> Result<Self, Error> {
        let last = intent::load(host).await?;
        Self::after(host, git, last.as_ref(), false).await
    }

    /// Where a project stands after its last rollback. Goes by the cache where its snapshot still stands, but not
    /// after a save that was cut off: that one may be newer.
    pub(in crate::snapshot) async fn after<H: Host>(
        host: &H,
        git: &H::Git,
        last: Option<&Intent>,
        in_doubt: bool,
    ) -> Result<Self, Error> {
        let (cache, names) = (StatCache::load(host).await, Names::load(host).await?);
        let by_cache = match cache.as_ref().filter(|_| !in_doubt) {
            Some(cache) => Self::from_cache(git, cache).await?,
            None => None,
        };
        let mut position = match by_cache {
            Some(position) => Self { cache, ..position },
            None => Self { in_doubt, ..Self::from_tags(git, cache, &names).await? },
        };
        position.newest = position.newest.map(|newest| names.newest_tag_of(newest));
        position.names = names;
        if let Some(last) = last {
            position.follow(host, git, last).await?;
        }
        Ok(position)
    }

    /// What git would call tracked: the files of the snapshot that the project comes from.
    pub(in crate::snapshot) fn tracked(&self) -> &Manifest {
        self.rolled_back_to.as_ref().unwrap_or(&self.listing.manifest)
    }

    /// Files whose trees git need not be asked for.
    pub(in crate::snapshot) fn hints(&self) -> Vec<&Manifest> {
        [Some(&self.listing.manifest), self.rolled_back_to.as_ref()].into_iter().flatten().collect()
    }

    /// The project was brought back to these files. Submodules stay what they are.
    pub(in crate::snapshot) fn rolled_back(&mut self, goal: &Goal) {
        if self.newest.as_ref().is_some_and(|newest| newest.tree == goal.tree) {
            return;
        }
        let mut files = goal.manifest.clone();
        files.retain(|_, entry| entry.mode != Mode::Submodule);
        let submodules = self.listing.manifest.iter().filter(|(_, entry)| entry.mode == Mode::Submodule);
        files.extend(submodules.map(|(path, entry)| (path.clone(), *entry)));
        self.rolled_back_to = Some(files);
    }

    /// A rollback makes no snapshot of what it brings: the newest one is then that of what it replaced.
    async fn follow<H: Host>(&mut self, host: &H, git: &H::Git, last: &Intent) -> Result<(), Error> {
        let Some(newest) = &self.newest else { return Ok(()) };
        let is_undo_point = last.undo.tree == newest.tree.to_string()
            && git.resolve_ref(&tags::full(&last.undo.name)).await? == Some(newest.oid.to_string());
        let Some(tree) = Oid::parse(&last.target.tree).filter(|_| is_undo_point) else { return Ok(()) };
        match goal_of(host, git, &last.target.name, tree, &self.hints()).await {
            Ok(goal) => self.rolled_back(&goal),
            Err(error) if error.retryable => return Err(error),
            Err(error) => self.warnings.push(error.message.clone()),
        }
        Ok(())
    }

    async fn from_cache(git: &impl GitPort, cache: &StatCache) -> Result<Option<Self>, Error> {
        let target = match tags::read(git, &cache.tag, &tags::full(&cache.tag)).await {
            Ok(Some(target)) if target.oid == cache.commit && target.message.is_some() => target,
            Ok(_) => return Ok(None),
            Err(error) if error.code == ErrorCode::Corrupt => return Ok(None),
            Err(error) => return Err(error),
        };
        let manifest = cache.manifest();
        let trees = manifest::trees(&manifest);
        if manifest::root(&trees) != target.tree {
            return Ok(None);
        }
        let (forest, parent) = (Some(Forest::of(&trees)), Some(target.oid));
        let listing = Listing::stored(manifest, &trees);
        Ok(Some(Self { newest: Some(target), parent, listing, forest, is_cached: true, ..Self::default() }))
    }

    async fn from_tags(git: &impl GitPort, cache: Option<StatCache>, names: &Names) -> Result<Self, Error> {
        let (infos, warnings) = tags::list(git, names).await?;
        let mut position = Self { warnings, ..Self::default() };
        let hint = cache.as_ref().map(StatCache::manifest).unwrap_or_default();
        position.cache = cache;
        // A tag that its commit was made for, or that has a record, points to the commit itself; another one may be
        // annotated, and its id that of the annotation.
        for info in infos.iter().rev() {
            let target = tags::find(git, &info.tag).await?;
            let is_own = target.message.as_ref().is_some_and(|message| message.tag == info.tag);
            if is_own || names.has(&info.tag, &info.oid) {
                position.parent = Some(target.oid);
                position.read(git, target.tree, &hint).await?;
                position.newest = Some(target);
                return Ok(position);
            }
        }
        if let Some(head) = git.resolve_ref("HEAD").await? {
            position.parent = Some(Oid::parse(&head).ok_or_else(|| bad_id("resolveRef", &head))?);
            match tags::read(git, "HEAD", "HEAD").await {
                Ok(Some(target)) => position.read(git, target.tree, &hint).await?,
                Ok(None) => {}
                Err(error) if error.code == ErrorCode::Corrupt => {
                    position.parent = None;
                    position.warnings.push(error.message.clone());
                }
                Err(error) => return Err(error),
            }
        }
        Ok(position)
    }

    /// A tree that cannot be read is no reason not to save: then everything is stored again.
    async fn read(&mut self, git: &impl GitPort, tree: Oid, hint: &Manifest) -> Result<(), Error> {
        match read_listing(git, tree, &[hint]).await {
            Ok(listing) => {
                self.warnings.extend(listing.skipped.iter().cloned());
                self.listing = listing;
            }
            Err(error) if error.code == ErrorCode::Git && !error.retryable => self.warnings.push(error.message.clone()),
            Err(error) => return Err(error),
        }
        Ok(())
    }
}
