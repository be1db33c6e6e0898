//! `has-summary`: the agent wrote a summary of its work.

use crate::gate::contract::FileGate;
use crate::gate::{Judgement, Project};
use crate::layout::SUMMARY;

/// Minimum length in characters, without surrounding white space.
const MIN_CHARS: usize = 20;

/// Applies to every project.
pub(crate) const GATE: FileGate =
    FileGate { name: "has-summary", description: "the summary describes the work", applies: |_| Ok(()), judge };

fn judge(project: &Project) -> Judgement {
    let chars = match project.text(SUMMARY) {
        Some(text) => text.trim().chars().count(),
        // A file too large to be read is long enough.
        None if project.has(SUMMARY) => MIN_CHARS,
        None => 0,
    };
    if chars >= MIN_CHARS {
        return Judgement::pass();
    }
    let found = if chars == 0 { "is missing or empty".to_owned() } else { format!("has only {chars} characters") };
    Judgement::fail(format!(
        "{SUMMARY} {found}. Describe there what you built or changed and in which files, in at least {MIN_CHARS} characters."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::GateVerdict::{self, Fail, Pass};

    fn verdict(summary: &str) -> GateVerdict {
        judge(&Project::of(&[(SUMMARY, summary)])).verdict
    }

    #[test]
    fn surrounding_white_space_does_not_count() {
        assert_eq!(verdict("Built a coffee shop."), Pass);
        assert_eq!(verdict("Built a coffe shop."), Fail);
        assert_eq!(verdict("  Built a shop.      \n\n\n"), Fail);
        assert_eq!(verdict("日本語のランディングページを作りました。"), Pass);
        assert_eq!(verdict("ééééééééééééééééééé"), Fail);
        assert_eq!(judge(&Project::of(&[])).verdict, Fail);
    }

    #[test]
    fn the_feedback_has_the_length_of_the_summary() {
        let feedback = judge(&Project::of(&[(SUMMARY, "done")])).feedback.unwrap_or_default();
        assert!(feedback.contains("only 4 characters"), "{feedback}");
    }
}
