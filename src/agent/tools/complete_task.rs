//! `complete_task`: the agent says that it is done. What that is worth, the harness decides.

use super::{Outcome, Signature};

pub(super) fn schema() -> Signature {
    let description = "Says that the work is done: the harness then checks it. Write .ralph/summary.md first.";
    (description.to_owned(), &[], &[])
}

pub(super) fn run() -> Outcome {
    Ok("Noted. The harness checks the work now; if something is missing, .ralph/feedback.md will say what.".to_owned())
}
