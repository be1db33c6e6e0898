//! `complete_task`: the agent says that it is done. What that is worth, the harness decides.

use super::{Outcome, Signature};
use crate::layout::{FEEDBACK, SUMMARY};

pub(super) fn schema() -> Signature {
    let description = format!("Says that the work is done: the harness then checks it. Write {SUMMARY} first.");
    (description, &[], &[])
}

pub(super) fn run() -> Outcome {
    Ok(format!("Noted. The harness checks the work now; if something is missing, {FEEDBACK} will say what."))
}
