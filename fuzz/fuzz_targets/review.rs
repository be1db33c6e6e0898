//! Any bytes as a review: the same judgement each time, with consistent counts.
//!
//! `cargo +nightly fuzz run review -- -max_len=65536`
#![no_main]

use libfuzzer_sys::fuzz_target;
use loopgate::review::{Decision, Judgement, feedback, parse};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let judgement = parse(&text);
    assert_eq!(parse(&text), judgement);
    match &judgement {
        Judgement::Ship { review } => assert!(review.decision == Decision::Ship && review.summary.high == 0),
        Judgement::Revise { review } => {
            assert!(review.decision == Decision::Revise && !review.issues.is_empty());
            assert!(!feedback(review).is_empty());
        }
        Judgement::Inconclusive { reason } => assert!(!reason.is_empty()),
    }
    if let Judgement::Ship { review } | Judgement::Revise { review } = &judgement {
        let counts = review.summary;
        assert_eq!(counts.total, counts.high + counts.medium + counts.low);
        assert_eq!(review.omitted() + review.issues.len(), counts.total as usize);
    }
});
