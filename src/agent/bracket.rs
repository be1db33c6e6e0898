//! A bracket around a call that may change any file: a command, a tool or a hook of the IDE, a step of the verification.
//! What differs between the files before and after it is the call's, except the files that the user edits meanwhile,
//! according to the IDE.

use super::changes::{self, before, since};
use super::fact::{FileWrite, IterationFact, Observer};
use crate::error::Error;
use crate::ledger::{Ledger, Write, is_followed, is_in};
use crate::port::Host;
use crate::snapshot::branch::{self, GitState};
use crate::snapshot::{self, Capture, Step, Watch, keep_reachable, restore_files};
use std::collections::BTreeMap;

/// The state before the call.
pub(crate) struct Bracket<'a> {
    host: &'a Host,
    watch: &'a Watch,
    observer: &'a dyn Observer,
    before: Before,
    /// HEAD and the index, if the call may not move them.
    git: Option<GitState>,
}

enum Before {
    Captured(Capture),
    /// Without git, the contents are not known.
    Listed(changes::Before),
}

/// What the call changed.
#[derive(Default)]
pub(crate) struct Changes {
    pub files: Vec<FileWrite>,
    /// What it moved in git and is put back, as a sentence each.
    pub git: Vec<String>,
}

impl<'a> Bracket<'a> {
    /// Records what the user changed before the call. The caller then records that the call begins.
    ///
    /// # Errors
    /// Errors of the journal and of the ports; the call must not run.
    pub(crate) async fn open(
        host: &'a Host,
        watch: &'a Watch,
        observer: &'a dyn Observer,
        keeps_git: bool,
    ) -> Result<Self, Error> {
        let (before, git) = match host.git.as_deref() {
            Some(_) => {
                let captured = snapshot::capture(host, watch, &observer.expected().await?).await?;
                observer.record_found(&captured.files).await?;
                if captured.has_stored {
                    // The call may replace files that nothing else has.
                    host.fs.flush().await?;
                }
                let git = if keeps_git { Some(branch::state(host).await?) } else { None };
                (Before::Captured(captured), git)
            }
            None => (Before::Listed(before(host).await?), None),
        };
        watch.distrust(host);
        Ok(Self { host, watch, observer, before, git })
    }

    /// The commit of HEAD before the call, which may not move it.
    pub(crate) fn head(&self) -> Option<String> {
        self.git.as_ref()?.head.commit.clone()
    }

    /// What the call changed, beyond the guarded writes `own`. Records what the user changed meanwhile. The caller records
    /// the changes, then [`IterationFact::UnguardedEnded`].
    ///
    /// # Errors
    /// Errors of the journal and of the ports.
    pub(crate) async fn close(&self, own: &[FileWrite]) -> Result<Changes, Error> {
        self.watch.distrust(self.host);
        let Before::Captured(before) = &self.before else {
            let Before::Listed(before) = &self.before else { return Ok(Changes::default()) };
            let changed = since(self.host, before).await?;
            let is_new = |path: &String| own.iter().all(|change| change.write.path != *path);
            let files = changed
                .into_iter()
                .filter(|(path, _)| is_new(path))
                .map(|(path, change)| FileWrite { write: Write { path, ..Write::default() }, change });
            return Ok(Changes { files: files.collect(), git: Vec::new() });
        };
        let mut expected = before.files.clone();
        for FileWrite { write: Write { path, after, .. }, .. } in own {
            match after {
                Some(entry) => drop(expected.insert(path.clone(), *entry)),
                None => drop(expected.remove(path)),
            }
        }
        let mut paths = self.observer.ledger().paths();
        paths.extend(expected.keys().cloned());
        let mut after = snapshot::capture_after(self.host, self.watch, &paths, before).await?;
        if after.has_stored {
            // Nothing else has what the call wrote.
            self.host.fs.flush().await?;
        }
        // These files were there before the call. It may have changed what git ignores.
        after.files.retain(|path, _| expected.contains_key(path) || !is_in(&before.unread, path));
        let edited = self.observer.take_edited();
        let (theirs, users) = Ledger::between(&expected, &after.files, &edited);
        let mut users: Vec<Write> = users.into_iter().filter(|write| is_followed(&write.path)).collect();
        users.extend(self.observer.ledger().answered(&edited));
        if !users.is_empty() {
            self.observer.observe(IterationFact::UserChanged(users)).await?;
        }
        for replaced in
            theirs.iter().filter(|write| before.ignored.contains(&write.path)).filter_map(|write| write.before)
        {
            keep_reachable(self.host, replaced).await?;
        }
        let git = match &self.git {
            Some(git) => branch::restore(self.host, git).await?,
            None => Vec::new(),
        };
        Ok(Changes { files: theirs.into_iter().map(FileWrite::from).collect(), git })
    }

    /// Takes changes of the call back. Without git, nothing can be taken back.
    ///
    /// # Errors
    /// Errors of the ports.
    pub(crate) async fn undo(&self, changes: &[FileWrite], name: &str) -> Result<bool, Error> {
        let Before::Captured(_) = &self.before else { return Ok(false) };
        let back: Vec<Write> = changes.iter().map(|change| change.write.back()).collect();
        let step = |write: &Write| (write.path.clone(), Step { before: write.before, after: write.after });
        let wanted: BTreeMap<String, Step> = back.iter().map(step).collect();
        if !wanted.is_empty() {
            self.observer.observe(IterationFact::UndoStarted(back)).await?;
            restore_files(self.host, self.watch, name, &wanted).await?;
        }
        Ok(true)
    }
}
