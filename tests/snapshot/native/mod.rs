//! Tests that need a disk, real git, or more time than a browser allows.

mod branch;
mod check_ignore;
mod disk;
mod history;
mod in_run;
mod index;
mod interop;
mod list;
mod names;
mod switch;

use proptest::prelude::{ProptestConfig, Strategy, prop};
use std::fmt::Debug;

/// Plays 2,000 random sequences of fewer than `end` steps.
fn play_sequences<S: Debug>(step: impl Strategy<Value = S>, end: usize, play: impl AsyncFn(&[S])) {
    let config = ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let result = runner.run(&prop::collection::vec(step, 1..end), |steps| {
        runtime.block_on(play(&steps));
        Ok(())
    });
    result.unwrap();
}
