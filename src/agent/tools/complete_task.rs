//! `complete_task`: the agent claims that the work is done. The harness decides whether it is.

use super::{Outcome, Signature};

pub(super) fn schema() -> Signature {
    let description = "Reports that the work is done; the harness then checks it. Write .ralph/summary.md first.";
    (description.to_owned(), &[], &[])
}

pub(super) fn run() -> Outcome {
    Ok("Noted. The harness now checks the work. If something is missing, .ralph/feedback.md says what.".to_owned())
}
