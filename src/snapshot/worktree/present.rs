//! The project as it is, with everything of it stored: from a look at everything, or at the touched paths alone where a
//! run knows the rest.

use super::known::Known;
use super::position::Position;
use super::scan::{Basis, Scan, scan_and_store};
use super::walk;
use super::watch::{Taken, Watch};
use crate::error::Error;
use crate::port::{GitPort, Host};
use crate::snapshot::compare;
use crate::snapshot::git::forest::Forest;
use crate::snapshot::git::manifest::{self, Manifest, Tree};
use crate::snapshot::git::objects::Objects;
use crate::snapshot::git::read;
use crate::snapshot::iterations;
use crate::snapshot::restore::intent::{self, Intent};
use crate::snapshot::restore::recover::recover;
use std::collections::BTreeSet;

/// What a save or a rollback starts from.
pub(in crate::snapshot) struct Start {
    /// Where the project stands, unless that is known.
    position: Position,
    /// The last rollback.
    pub last: Option<Intent>,
    record: Option<Vec<u8>>,
    taken: Taken,
}

/// The project as it is.
pub(in crate::snapshot) struct Present<'a, H: Host> {
    /// Its files.
    pub known: Box<Known>,
    /// Where they are stored.
    pub objects: Objects<'a, H>,
    /// The trees that may be new, children before their parents.
    pub trees: Vec<Tree>,
    /// How many files changed since the run looked at them; nothing where it did not.
    pub changed: Option<usize>,
    /// What a look at everything found.
    pub scan: Option<Scan>,
    /// To be given back to the watch.
    pub asked_at: u32,
}

impl Start {
    /// Makes the project whole after a crash, unless this run has looked at it since.
    pub(in crate::snapshot) async fn of<H: Host>(host: &H, git: &H::Git, watch: &Watch) -> Result<Self, Error> {
        let mut taken = watch.take();
        if taken.is_trusted
            && let Some(known) = &taken.known
        {
            let record = intent::stored(host).await?;
            if record == known.record {
                let last = record.as_deref().and_then(intent::read_stored);
                return Ok(Self { position: Position::default(), last, record, taken });
            }
        }
        taken.is_trusted = false;
        let recovered = recover(host, git).await?;
        let position = Position::after(host, git, recovered.last.as_ref(), recovered.in_doubt).await?;
        if position.newest.is_none() {
            walk::require_project(host).await?;
            git.init().await?;
        }
        let record = intent::stored(host).await?;
        Ok(Self { position, last: recovered.last, record, taken })
    }

    /// Files that are much like those of the project: what git need not be asked for.
    pub(in crate::snapshot) fn files(&self) -> &Manifest {
        match self.trusted() {
            Some(known) => &known.files,
            None => &self.position.listing.manifest,
        }
    }

    /// Files whose trees git need not be asked for.
    pub(in crate::snapshot) fn hints(&self) -> Vec<&Manifest> {
        match self.trusted() {
            Some(known) => vec![&known.files],
            None => self.position.hints(),
        }
    }

    /// These paths are looked at, too.
    pub(in crate::snapshot) fn touch(&mut self, paths: impl IntoIterator<Item = String>) {
        self.taken.touched.extend(paths);
    }

    /// Looks, and stores what is new, for a snapshot of this name. Files of `also_tracked` count where they are ignored.
    pub(in crate::snapshot) async fn look<'a, H: Host>(
        self,
        host: &'a H,
        git: &'a H::Git,
        name: &'a str,
        also_tracked: &Manifest,
    ) -> Result<Present<'a, H>, Error> {
        let Self { mut position, last, record, taken } = self;
        let Taken { known: mut before, is_trusted, touched, mut stored, asked_at } = taken;
        if let Some(before) = before.as_ref().filter(|_| !is_trusted)
            && read::tree(git, &before.forest.root().to_string()).await.is_err()
        {
            // The repository is not the one in which they were stored.
            stored = BTreeSet::new();
        }
        let mut objects = Objects::new(host, git, name, stored, position.in_doubt);
        if is_trusted {
            if let Some(mut known) = before {
                objects = objects.prepared(known.is_prepared);
                if let Some(look) = known.look(host, &touched, also_tracked, &mut objects).await? {
                    let (trees, changed) = (look.trees, Some(look.changed));
                    return Ok(Present { known, objects, trees, changed, scan: None, asked_at });
                }
                before = Some(known);
            }
            position = Position::after(host, git, last.as_ref(), false).await?;
        }
        objects.know(position.listing.objects());
        let tracked = [position.tracked(), also_tracked];
        let basis = Basis { cache: position.cache.as_ref(), tracked: &tracked };
        let scan = scan_and_store(host, basis, &mut objects).await?;
        let files = scan.manifest();
        let (forest, trees) = match position.forest.take() {
            Some(mut forest) => {
                let changed = compare::differing(&position.listing.manifest, &files).into_iter().map(str::to_owned);
                let trees = forest.update(&files, &changed.collect());
                (forest, trees)
            }
            None => {
                let trees = manifest::trees(&files);
                (Forest::of(&trees), trees)
            }
        };
        let mut known = Box::new(Known::of(position, &scan, files, forest, record));
        let changed = before.as_ref().map(|before| compare::count(&before.files, &known.files) as usize);
        match before {
            Some(before) => (known.iteration, known.iterations) = (before.iteration, before.iterations),
            // Read now, so that the first iteration costs no more than the others.
            None => known.iterations = iterations::names(host).await.ok(),
        }
        Ok(Present { known, objects, trees, changed, scan: Some(scan), asked_at })
    }

    /// A run knows the files: only the touched ones are looked at.
    pub(in crate::snapshot) fn is_trusted(&self) -> bool {
        self.trusted().is_some()
    }

    fn trusted(&self) -> Option<&Known> {
        self.taken.known.as_deref().filter(|_| self.taken.is_trusted)
    }
}
