//! `complete_task`: the agent claims that the work is done. The harness decides whether it is.

use super::{Outcome, Signature};
use crate::layout::SUMMARY;

pub(super) fn schema() -> Signature {
    let description = format!("Reports that the work is done; the harness then checks it. Write {SUMMARY} first.");
    (description, &[], &[])
}

pub(super) fn run() -> Outcome {
    Ok("Noted. The harness now checks the work.".to_owned())
}
