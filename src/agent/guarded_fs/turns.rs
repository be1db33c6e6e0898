//! The order of the calls of a guarded file system.

use futures_util::lock::{Mutex, MutexGuard};
use std::cell::Cell;
use std::future::poll_fn;
use std::pin::pin;

/// Calls that change files run one after the other, because what a call has checked may be wrong after another change. Reads
/// do not wait.
#[derive(Debug, Default)]
pub struct Turns {
    queue: Mutex<()>,
    /// Counts the beginnings and the ends of calls that may make or move a link: it is odd during such a call.
    links: Cell<u64>,
    is_running: Cell<bool>,
}

/// The right to change files. It ends on drop, also if the call fails or is aborted.
pub(super) struct Turn<'a> {
    /// Set during a call that may make or move a link.
    links: Option<&'a Cell<u64>>,
    _held: MutexGuard<'a, ()>,
}

impl Turns {
    /// Waits for the calls before this one.
    pub(super) async fn wait(&self) -> Turn<'_> {
        Turn { links: None, _held: self.queue.lock().await }
    }

    /// The same for a call that may make or move a link.
    pub(super) async fn wait_for_links(&self) -> Turn<'_> {
        let held = self.queue.lock().await;
        self.links.set(self.links.get() + 1);
        Turn { links: Some(&self.links), _held: held }
    }

    /// For [`Self::has_moved_links`].
    pub(super) fn links(&self) -> u64 {
        self.links.get()
    }

    /// Whether a call since then, or during it, may have made or moved a link.
    pub(super) fn has_moved_links(&self, since: u64) -> bool {
        self.links.get() != since || !since.is_multiple_of(2)
    }

    /// Performs a call of the host's file system.
    pub async fn run<T>(&self, call: impl Future<Output = T>) -> T {
        let mut call = pin!(call);
        poll_fn(|context| {
            self.is_running.set(true);
            let polled = call.as_mut().poll(context);
            self.is_running.set(false);
            polled
        })
        .await
    }

    /// Whether the host's code runs inside of a call. If it calls the guarded file system, that call must not wait for the
    /// call around it.
    pub fn is_inside(&self) -> bool {
        self.is_running.get()
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if let Some(links) = self.links {
            links.set(links.get() + 1);
        }
    }
}
