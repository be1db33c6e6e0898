//! Stalls: an agent that goes in circles is told so, freed, and in the end stopped (`seeds/003 §8`).
//!
//! [`watch`] tells a stall from facts alone, [`section`] which part of the plan the agent is stuck on, [`guidance()`] what
//! it is told.

mod guidance;
mod section;
mod watch;

pub(super) use guidance::{Recovery, given_up, guidance, rolled_back};
pub(super) use section::{Stuck, stuck_on};
pub(super) use watch::Watch;
