//! Stalls, in all recipes: an agent that repeats itself without progress first gets guidance; finally its work ends.
//!
//! [`watch`] detects a stall from facts alone, [`section`] finds the part of the plan that the agent is stuck on,
//! [`guidance()`] writes the feedback. [`Repetition`] is the rule for roles without a plan of the plan language.

mod guidance;
mod role;
mod section;
mod watch;

pub(super) use guidance::{Recovery, failed, guidance};
pub(crate) use role::Repetition;
pub(super) use section::{Stuck, stuck_on};
pub(super) use watch::Watch;
