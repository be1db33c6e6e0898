//! Several calls of the host at once: what waits for a store waits once.

use futures_util::future::LocalBoxFuture;
use std::future::poll_fn;
use std::task::Poll;

/// How many calls should be under way at once: what they read or write is in memory.
pub(crate) const AT_ONCE: usize = 32;

/// Makes a call for each of these, which should not be more than [`AT_ONCE`], and gives the answers in their order. All
/// calls have ended then, whatever came of them.
pub(crate) async fn each<'a, I, T>(items: &'a [I], call: impl Fn(&'a I) -> LocalBoxFuture<'a, T>) -> Vec<T> {
    all(items.iter().map(call).collect()).await
}

/// `join_all`, which is several times as long in the binary.
async fn all<T>(mut futures: Vec<LocalBoxFuture<'_, T>>) -> Vec<T> {
    let mut results: Vec<Option<T>> = futures.iter().map(|_| None).collect();
    poll_fn(|context| {
        for (future, result) in futures.iter_mut().zip(&mut results).filter(|(_, result)| result.is_none()) {
            if let Poll::Ready(value) = future.as_mut().poll(context) {
                *result = Some(value);
            }
        }
        if results.iter().all(Option::is_some) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    results.into_iter().flatten().collect()
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// Is ready when it was asked so often.
    async fn after(polls: u32, running: &Cell<u32>) -> u32 {
        running.set(running.get() + 1);
        let mut left = polls;
        poll_fn(|context| {
            context.waker().wake_by_ref();
            left = left.saturating_sub(1);
            if left == 0 { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        running.set(running.get() - 1);
        polls
    }

    #[tokio::test]
    async fn they_run_at_once_and_their_results_are_in_order() {
        let running = Cell::new(0);
        let mut futures: Vec<LocalBoxFuture<'_, u32>> = Vec::new();
        for polls in [5, 1, 3, 2] {
            futures.push(Box::pin(after(polls, &running)));
        }
        futures.push(Box::pin(async { running.get() }));
        assert_eq!(all(futures).await, [5, 1, 3, 2, 3], "one of four had ended already");
        assert_eq!(running.get(), 0);
        assert_eq!(all(Vec::<LocalBoxFuture<'_, u32>>::new()).await, [0; 0]);
    }
}
