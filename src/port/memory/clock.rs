//! A clock that advances only by sleeping.

use crate::port::ClockPort;
use async_trait::async_trait;
use std::cell::Cell;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

/// A sleep lets everything else that is ready run first, so a port that answers wins against its timeout.
#[derive(Debug, Clone)]
pub struct MemoryClock(Rc<Cell<u64>>);

impl Default for MemoryClock {
    fn default() -> Self {
        Self(Rc::new(Cell::new(1_700_000_000_000)))
    }
}

impl MemoryClock {
    #[expect(missing_docs, reason = "where a name says it all")]
    pub fn advance(&self, ms: u64) {
        self.0.set(self.0.get() + ms);
    }

    /// The user sets the clock back.
    pub fn go_back(&self, ms: u64) {
        self.0.set(self.0.get().saturating_sub(ms));
    }
}

/// How often other futures are polled before a sleep ends: more than the longest chain of ready futures in a test.
const YIELDS: u32 = 64;

#[async_trait(?Send)]

impl ClockPort for MemoryClock {
    fn now(&self) -> u64 {
        self.0.get()
    }

    async fn sleep(&self, ms: u64) {
        let end = self.now().saturating_add(ms);
        let mut left = YIELDS;
        poll_fn(|context| {
            if left == 0 {
                return Poll::Ready(());
            }
            left -= 1;
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
        // Others may have slept meanwhile.
        self.0.set(self.now().max(end));
    }
}
