//! The lease of a project: one run at a time writes it. `.loopgate/lease` names the holder.
//!
//! On a host with locks, a lease is a lock, which is free when the holder's page is closed. On other hosts it is the file
//! alone, and it expires. There, a former holder may write once more before it finds the next
//! holder in the file. Each acquisition has a higher number, which is in every line of the journal, so a reader leaves
//! such a line out.
//!
//! The holder renews the file on all hosts, so a page that resumes the run knows when its page was alive last.
//!
//! A page that resumes a run which it still runs replaces it: the earlier handle can write nothing more.

use super::journal::Runs;
use crate::error::{Error, ErrorCode, Holder};
use crate::json;
use crate::layout::{LEASE, STATE_IGNORE};
use crate::port::{Abort, ClockPort, Host, PortResult, ProjectDir, RunLock};
use crate::sealed::{Unsealed, seal, unseal};
use crate::utc;
use futures_util::future::{Either, select};
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::pin::{Pin, pin};
use std::rc::Rc;

/// How often a holder renews its lease, in milliseconds.
pub(super) const RENEW_MS: u64 = 5_000;
/// The age at which a lease without a lock expires.
const EXPIRY_MS: u64 = 30_000;

/// The content of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Stored {
    number: u64,
    holder: Holder,
    /// Milliseconds since the epoch.
    renewed: u64,
    released: bool,
    /// How many events the holder's run had at its end; 0 before.
    #[serde(default)]
    events: u64,
}

/// The right to write a project, until it is released or dropped.
pub(super) struct Lease<'a> {
    pub project: ProjectDir<'a>,
    /// Higher than the number of every earlier lease of the project.
    pub number: u64,
    /// The runs of the project, read once.
    pub runs: RefCell<Rc<Runs>>,
    /// How many events the run has at its end.
    pub events: Cell<u64>,
    holder: Holder,
    lock: Option<Rc<dyn Any>>,
    /// The number of the lease before, and its last renewal.
    former: Option<(u64, u64)>,
}

impl<'a> Lease<'a> {
    /// Takes the lease for a run. `holder` differs for each start and resume. A resumed run replaces a holder of this page
    /// that runs the same run.
    ///
    /// # Errors
    /// `locked` if another run has it; `fs`.
    pub(super) async fn acquire(host: &'a Host, run_id: &str, holder: &str, resumes: bool) -> Result<Self, Error> {
        let project = host.project();
        let lock = host.locks.run_lock().await;
        // Runs of one page may start at the same time.
        let _turn = if let RunLock::Absent = lock { Some(host.locks.turn().await) } else { None };
        let found = read(project).await?.map(|found| Stored { released: found.released || is_over(&found), ..found });
        let now = host.clock.now();
        let holder = Holder { run_id: run_id.to_owned(), id: holder.to_owned(), since: now };
        let replaced = found.as_ref().filter(|found| resumes && !found.released && found.holder.run_id == run_id);
        let lock = match replaced.and_then(|found| replace(&found.holder.id)) {
            Some(lock) => lock,
            None => {
                decide(found.as_ref(), &lock, now).map_err(|holder| locked(holder.as_ref()))?;
                if let RunLock::Held(lock) = lock { Some(Rc::from(lock)) } else { None }
            }
        };
        if found.is_none() {
            set_foreign_aside(project).await?;
        }
        let mut runs = Runs::read(project).await?;
        if let Some(found) = &found {
            runs.reached(&found.holder.run_id, found.events);
        }
        runs.look_at_newest(project).await?;
        let former = found.map(|found| (found.number, found.renewed));
        let newest = former.map_or(0, |(number, _)| number).max(runs.lease);
        PAGE.with_borrow_mut(|page| page.insert(holder.id.clone(), State::Live(lock.clone())));
        let (number, runs) = (newest.saturating_add(1), RefCell::new(Rc::new(runs)));
        let lease = Self { project, number, runs, events: Cell::default(), holder, lock, former };
        if project.lstat(STATE_IGNORE).await?.is_none() {
            project.write(STATE_IGNORE, "*\n").await?;
        }
        lease.write(now, false).await?;
        // Another process may have taken it between the read and the write.
        lease.check().await?;
        Ok(lease)
    }

    pub(super) fn run_id(&self) -> &str {
        &self.holder.run_id
    }

    /// The last renewal of the lease before, if it has this number, in milliseconds since the epoch.
    pub(super) fn renewed(&self, number: u64) -> Option<u64> {
        self.former.filter(|(former, _)| *former == number).map(|(_, renewed)| renewed)
    }

    pub(super) fn change_runs(&self, change: impl FnOnce(&mut Runs)) {
        change(Rc::make_mut(&mut self.runs.borrow_mut()));
    }

    /// Checks before a write that no later run has the lease: a read on a host without locks, free on others.
    ///
    /// # Errors
    /// `locked`; `fs`.
    pub(super) async fn check(&self) -> Result<(), Error> {
        if PAGE.with_borrow(|page| matches!(page.get(&self.holder.id), Some(State::Over))) {
            return Err(locked(read(self.project).await?.map(|found| found.holder).as_ref()));
        }
        if self.lock.is_some() {
            return Ok(());
        }
        match read(self.project).await? {
            Some(found) if self.is_before(&found) => Err(locked(Some(&found.holder))),
            // A damaged or older file is replaced when the lease is renewed.
            _ => Ok(()),
        }
    }

    fn is_before(&self, found: &Stored) -> bool {
        found.number > self.number || found.number == self.number && found.holder != self.holder
    }

    /// Runs `work` and renews the lease meanwhile. If another run takes the lease, `work` is dropped.
    ///
    /// # Errors
    /// The errors of `work`; `locked`.
    pub(super) async fn keep<T>(
        &self,
        clock: &dyn ClockPort,
        work: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        let mut result = None;
        let work = async {
            result = Some(work.await?);
            Ok(())
        };
        self.renew_during(clock, pin!(work)).await?;
        result.ok_or_else(|| Error::new(ErrorCode::Internal, "the work of a lease ended without a result"))
    }

    async fn renew_during(
        &self,
        clock: &dyn ClockPort,
        work: Pin<&mut dyn Future<Output = Result<(), Error>>>,
    ) -> Result<(), Error> {
        let ended = Abort::new();
        let renewing = async {
            while ended.race(clock.sleep(RENEW_MS)).await.is_ok() {
                match self.check().await {
                    Err(error) if error.code == ErrorCode::Locked => return Err(error),
                    // If the storage fails, the next write of the run reports it.
                    _ => drop(self.write(clock.now(), false).await),
                }
            }
            Ok(())
        };
        match select(work, pin!(renewing)).await {
            Either::Left((result, renewing)) => {
                ended.fire("the work ended");
                // A renewal that has begun would replace the release.
                drop(renewing.await);
                result
            }
            Either::Right((renewed, work)) => {
                renewed?;
                work.await
            }
        }
    }

    /// Ends the lease in the file. If the storage fails, the lease ends when it is dropped.
    pub(super) async fn release(&self, now: u64) {
        if self.check().await.is_ok() {
            drop(self.write(now, true).await);
        }
    }

    async fn write(&self, now: u64, released: bool) -> PortResult<()> {
        let (holder, events) = (self.holder.clone(), self.events.get());
        let stored = Stored { number: self.number, holder, renewed: now, released, events };
        let json = serde_json::to_string(&stored).unwrap_or_default();
        self.project.write(LEASE, seal(self.project.key(), LEASE, &json)).await
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        PAGE.with_borrow_mut(|page| drop(page.insert(self.holder.id.clone(), State::Over)));
    }
}

/// A holder of this page.
enum State {
    /// With its lock, if the host has locks.
    Live(Option<Rc<dyn Any>>),
    /// Its run ended or was replaced. Its release may be missing in the file, if the storage failed.
    Over,
}

thread_local! {
    static PAGE: RefCell<BTreeMap<String, State>> = RefCell::default();
}

fn is_over(found: &Stored) -> bool {
    PAGE.with_borrow(|page| matches!(page.get(&found.holder.id), Some(State::Over)))
}

/// Ends a live holder of this page, and returns its lock; `None` if there is no such holder.
fn replace(id: &str) -> Option<Option<Rc<dyn Any>>> {
    PAGE.with_borrow_mut(|page| {
        let state = page.get_mut(id).filter(|state| matches!(state, State::Live(_)))?;
        match std::mem::replace(state, State::Over) {
            State::Live(lock) => Some(lock),
            State::Over => None,
        }
    })
}

/// The content of the file; `None` if it is absent, torn or not of this harness.
async fn read(project: ProjectDir<'_>) -> PortResult<Option<Stored>> {
    let bytes = project.read(LEASE).await?.unwrap_or_default();
    // Not `serde_json::from_str`, which compiles a second reader of JSON.
    let stored = |text: &str| json::from_value(json::value(text).ok()?).ok();
    Ok(unseal(project.key(), LEASE, &bytes).text().and_then(stored))
}

/// Whether a run has the project, perhaps before its first event.
pub(super) async fn is_held_by(project: ProjectDir<'_>, run_id: &str) -> PortResult<bool> {
    Ok(read(project).await?.is_some_and(|found| !found.released && found.holder.run_id == run_id))
}

/// How many events a run had at its end, if it had the last lease.
pub(super) async fn events_of(project: ProjectDir<'_>, run_id: &str) -> PortResult<u64> {
    let found = read(project).await?.filter(|found| found.holder.run_id == run_id);
    Ok(found.map_or(0, |found| found.events))
}

/// Sets a file aside that this harness did not write.
async fn set_foreign_aside(project: ProjectDir<'_>) -> PortResult<()> {
    match project.read(LEASE).await? {
        Some(bytes) if unseal(project.key(), LEASE, &bytes) == Unsealed::Foreign => project.set_aside(LEASE).await,
        _ => Ok(()),
    }
}

/// Whether a run may take the lease. If not, the error is the holder, if it is known.
fn decide(found: Option<&Stored>, lock: &RunLock, now: u64) -> Result<(), Option<Holder>> {
    let active = found.filter(|found| !found.released);
    let is_refused = match lock {
        RunLock::Held(_) => false,
        RunLock::Taken => true,
        // A clock that was set back must not keep the lease.
        RunLock::Absent => active.is_some_and(|active| active.renewed.abs_diff(now) < EXPIRY_MS),
    };
    if is_refused { Err(active.map(|active| active.holder.clone())) } else { Ok(()) }
}

fn locked(holder: Option<&Holder>) -> Error {
    let message = match holder {
        Some(Holder { run_id, id, since }) => format!(
            "run {run_id} (holder {id}) has the project since {}: follow it with followRun, or try again when it has ended \
             or its page was closed {} s ago",
            utc::minutes(*since),
            EXPIRY_MS / 1_000
        ),
        None => format!(
            "another run has the lock of this folder, but {LEASE} names none: try again when it has ended. If it is a run of \
             another project with the same `dir`, pass `locks` that add the project to the name"
        ),
    };
    let mut error = Error::new(ErrorCode::Locked, message).at_path(LEASE);
    (error.retryable, error.holder) = (true, holder.cloned());
    error
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
impl<'a> Lease<'a> {
    /// A lease that is not in the project's file.
    pub(super) fn of_test(project: ProjectDir<'a>, run_id: &str, number: u64) -> &'a Self {
        let holder = Holder { run_id: run_id.to_owned(), id: String::new(), since: 0 };
        let runs = RefCell::default();
        let lock = Some(Rc::new(()) as Rc<dyn Any>);
        Box::leak(Box::new(Self { project, number, runs, events: Cell::default(), holder, lock, former: None }))
    }
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;
    use crate::port::memory::MemoryHost;

    #[test]
    fn a_lease_is_taken_if_it_is_free_released_or_expired() {
        const NOW: u64 = 1_000_000;
        let holder = Holder { run_id: "run".to_owned(), id: "tab".to_owned(), since: 7 };
        let file = |renewed, released| Some(Stored { number: 3, holder: holder.clone(), renewed, released, events: 0 });
        let held = || RunLock::Held(Box::new(()));
        let (taken, refused, unknown) = (Ok(()), Err(Some(holder.clone())), Err(None));
        for (found, lock, decision) in [
            (None, held(), &taken),
            (file(NOW, true), held(), &taken),
            // The holder's page was closed.
            (file(NOW, false), held(), &taken),
            (None, RunLock::Taken, &unknown),
            (file(NOW, true), RunLock::Taken, &unknown),
            (file(0, false), RunLock::Taken, &refused),
            (None, RunLock::Absent, &taken),
            (file(NOW, true), RunLock::Absent, &taken),
            (file(NOW, false), RunLock::Absent, &refused),
            (file(NOW - EXPIRY_MS + 1, false), RunLock::Absent, &refused),
            (file(NOW - EXPIRY_MS, false), RunLock::Absent, &taken),
            // The clock was set back.
            (file(NOW + 1, false), RunLock::Absent, &refused),
            (file(NOW + EXPIRY_MS, false), RunLock::Absent, &taken),
        ] {
            let name = match lock {
                RunLock::Held(_) => "held",
                RunLock::Taken => "taken",
                RunLock::Absent => "absent",
            };
            assert_eq!(&decide(found.as_ref(), &lock, NOW), decision, "{found:?}, the lock is {name}");
        }
    }

    async fn acquire<'a>(host: &'a MemoryHost, holder: &str) -> Result<Lease<'a>, Error> {
        Lease::acquire(host, "run", holder, false).await
    }

    #[tokio::test]
    async fn a_page_that_resumes_its_own_run_replaces_it() {
        for lock in [None, Some(Default::default())] {
            let host = MemoryHost::default().with(|ports| ports.lock = lock);
            let first = acquire(&host, "replaced").await.unwrap();
            assert!(Lease::acquire(&host, "other", "replacing", true).await.is_err(), "another run is refused");
            let second = Lease::acquire(&host, "run", "replacing", true).await.unwrap();
            assert_eq!(first.check().await.unwrap_err().code, ErrorCode::Locked);
            first.release(host.clock.now()).await;
            drop(first);
            second.check().await.unwrap();
            assert_eq!(acquire(&host, "third").await.err().map(|error| error.code), Some(ErrorCode::Locked));
            drop(second);
        }
    }

    #[tokio::test]
    async fn without_locks_a_lease_is_renewed_while_the_run_waits_and_its_loss_ends_the_run() {
        let host = MemoryHost::default().with(|ports| ports.lock = None);
        let first = acquire(&host, "first").await.unwrap();
        let waits = async {
            for _ in 0..2 * EXPIRY_MS / RENEW_MS {
                host.clock.sleep(RENEW_MS).await;
            }
            Ok(acquire(&host, "second").await.err().unwrap().code)
        };
        assert_eq!(first.keep(&host.clock, waits).await.unwrap(), ErrorCode::Locked);

        host.clock.advance(EXPIRY_MS);
        let second = acquire(&host, "second").await.unwrap();
        let lost = first.keep(&host.clock, std::future::pending::<Result<(), Error>>()).await.unwrap_err();
        assert_eq!((lost.code, lost.holder.as_ref()), (ErrorCode::Locked, Some(&second.holder)));
        first.release(host.clock.now()).await;
        assert_eq!(second.number, first.number + 1);
        second.check().await.unwrap();
    }
}
