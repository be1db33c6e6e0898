//! Staging: the files as they are, with every new blob stored. A save and a rollback start with it.

use super::head::Head;
use super::index::{Index, Watch, WatchState};
use super::scan::{require_project, scan};
use crate::error::Error;
use crate::port::{GitPort, Host, PortResult};
use crate::snapshot::compare;
use crate::snapshot::git::{CacheTree, Catalog, Manifest, ObjectWriter, Tree, read_tree};
use crate::snapshot::iterations;
use crate::snapshot::restore::{RedoLog, recover};
use futures_util::future::try_join;
use std::collections::BTreeSet;

/// What a save or a rollback starts from.
pub(crate) struct Base {
    /// Default if the index is up to date.
    head: Head,
    /// The last rollback.
    pub last: Option<RedoLog>,
    record: Option<Vec<u8>>,
    watch: WatchState,
    is_up_to_date: bool,
}

/// The staged files.
pub(crate) struct Staged<'a> {
    pub index: Box<Index>,
    pub objects: ObjectWriter<'a>,
    /// The trees that may be new: children before their parents.
    pub trees: Vec<Tree>,
    /// How many files changed since the last snapshot of this run; `None` if there was none.
    pub changed: Option<usize>,
    /// How many files a scan read; `None` if the index alone was enough.
    pub read: Option<u32>,
}

impl Base {
    /// Loads the head, unless the index of this run is up to date. Recovers from a crash first.
    pub(crate) async fn load(host: &Host, git: &dyn GitPort, watch: &Watch) -> Result<Self, Error> {
        let taken = watch.take();
        if let Some(index) = taken.index.as_ref().filter(|_| taken.is_trusted()) {
            let record = RedoLog::read_bytes(host).await?;
            if record == index.record {
                let last = record.as_deref().and_then(|record| RedoLog::decode(&host.state_key, record));
                return Ok(Self { head: Head::default(), last, record, watch: taken, is_up_to_date: true });
            }
        }
        watch.forget_changed();
        let recovered = recover(host, git).await?;
        let head = Head::after(host, git, recovered.last.as_ref());
        let record = async { Ok(RedoLog::read_bytes(host).await?) };
        let (head, record) = try_join(head, record).await?;
        if head.newest.is_none() {
            require_project(host).await?;
            git.init().await?;
        }
        Ok(Self { head, last: recovered.last, record, watch: taken, is_up_to_date: false })
    }

    /// What is known about the snapshots.
    pub(crate) fn catalog(&self) -> &Catalog {
        self.index().map_or(&self.head.catalog, |index| &index.head.catalog)
    }

    /// Reads the catalog again if the index of an earlier save is reused, because another tab may have saved since.
    pub(crate) async fn refresh_catalog(&mut self, host: &Host, git: &dyn GitPort) -> PortResult<()> {
        if let Some(index) = self.watch.index.as_deref_mut().filter(|_| self.is_up_to_date) {
            index.head.catalog = Catalog::load_checked(host, git).await?;
        }
        Ok(())
    }

    fn index(&self) -> Option<&Index> {
        self.watch.index.as_deref().filter(|_| self.is_up_to_date)
    }

    /// Files that are probably much like the working tree.
    pub(crate) fn files(&self) -> &Manifest {
        self.index().map_or(&self.head.stored.manifest, |index| &index.files)
    }

    /// Manifests whose trees need not be read.
    pub(crate) fn hints(&self) -> Vec<&Manifest> {
        match self.index() {
            Some(index) => vec![&index.files],
            None => self.head.hints(),
        }
    }

    /// Looks at these paths too.
    pub(crate) fn touch(&mut self, paths: impl IntoIterator<Item = String>) {
        self.watch.touched.extend(paths);
    }

    /// Stores every new blob, for a snapshot of this ref. Ignored files count if `also_tracked` has them.
    pub(crate) async fn stage<'a>(
        self,
        host: &'a Host,
        git: &'a dyn GitPort,
        name: &'a str,
        also_tracked: &Manifest,
    ) -> Result<Staged<'a>, Error> {
        let Self { mut head, last, record, watch, is_up_to_date } = self;
        let WatchState { index: mut before, touched, mut stored, .. } = watch;
        if let Some(before) = before.as_ref().filter(|_| !is_up_to_date)
            && read_tree(git, &before.cache_tree.root().to_string()).await.is_err()
        {
            // This is not the repository in which the objects were stored.
            stored = BTreeSet::new();
        }
        let mut objects = ObjectWriter::new(host, git, name, stored);
        if is_up_to_date {
            if let Some(mut index) = before {
                objects.is_prepared = index.is_prepared;
                if let Some((new, changed)) = index.refresh(host, &touched, also_tracked, &mut objects).await? {
                    let trees = [std::mem::take(&mut index.unstored), new].concat();
                    return Ok(Staged { index, objects, trees, changed: Some(changed), read: None });
                }
                before = Some(index);
            }
            head = Head::after(host, git, last.as_ref()).await?;
        }
        objects.add_stored(head.stored.objects());
        let tracked = [head.tracked(), also_tracked];
        let scan = scan(host, head.cache.as_ref(), &tracked, Some(&mut objects)).await?;
        let files = scan.manifest();
        let (cache_tree, trees) = CacheTree::from_manifest(&files);
        head.warnings.extend(scan.warnings.iter().cloned());
        let read = Some(scan.read);
        let mut index = Box::new(Index::new(head, scan, files, cache_tree, record));
        let changed = before.as_ref().map(|before| compare::count(&before.files, &index.files) as usize);
        match before {
            Some(before) => (index.iteration, index.iterations) = (before.iteration, before.iterations),
            // Read here, so that the first iteration costs no more than the others.
            None => index.iterations = iterations::known_names(host, git).await.ok().flatten(),
        }
        Ok(Staged { index, objects, trees, changed, read })
    }
}
