//! Ending work from outside, at once.

use futures_util::future::{Either, select};
use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::{Poll, Waker};

/// The work was ended from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aborted {
    /// The caller's reason.
    pub reason: String,
}

/// A handle that ends work: clones share one state, and it fires once.
#[derive(Clone, Default)]
pub struct Abort(Rc<RefCell<State>>);

#[derive(Default)]
struct State {
    reason: Option<String>,
    wakers: Vec<Waker>,
}

impl Abort {
    /// A handle that has not fired.
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends the work. Later calls do not change the reason.
    pub fn fire(&self, reason: &str) {
        let wakers = {
            let mut state = self.0.borrow_mut();
            if state.reason.is_some() {
                return;
            }
            state.reason = Some(reason.to_owned());
            std::mem::take(&mut state.wakers)
        };
        wakers.into_iter().for_each(Waker::wake);
    }

    /// Why it fired, if it did.
    pub fn reason(&self) -> Option<String> {
        self.0.borrow().reason.clone()
    }

    /// It has fired.
    pub fn is_aborted(&self) -> bool {
        self.0.borrow().reason.is_some()
    }

    /// Resolves when it fires.
    pub async fn fired(&self) -> Aborted {
        poll_fn(|context| {
            let mut state = self.0.borrow_mut();
            match &state.reason {
                Some(reason) => Poll::Ready(Aborted { reason: reason.clone() }),
                None => {
                    if !state.wakers.iter().any(|waker| waker.will_wake(context.waker())) {
                        state.wakers.push(context.waker().clone());
                    }
                    Poll::Pending
                }
            }
        })
        .await
    }

    /// Awaits `work`, unless this fires first: then `work` is dropped.
    pub async fn race<T>(&self, work: impl Future<Output = T>) -> Result<T, Aborted> {
        match select(pin!(self.fired()), pin!(work)).await {
            Either::Left((aborted, _)) => Err(aborted),
            Either::Right((result, _)) => Ok(result),
        }
    }
}
