//! `has-summary`: the agent wrote a summary of its work.

use crate::gate::{Check, Finding, Gate, Judgement, Project};
use crate::layout::SUMMARY;
use crate::text::counted;

/// Minimum length in characters, without surrounding white space.
const MIN_CHARS: usize = 20;

/// Applies to every project.
pub(crate) const GATE: Gate =
    Gate { name: "has-summary", description: "the summary describes the work", check: Check::Project(check) };

fn check(project: &Project) -> Finding {
    let chars = match project.text(SUMMARY) {
        Some(text) => text.trim().chars().count(),
        // A file too large to be read is long enough.
        None if project.has(SUMMARY) => MIN_CHARS,
        None => 0,
    };
    if chars >= MIN_CHARS {
        return Ok(Judgement::pass());
    }
    let found =
        if chars == 0 { "is missing or empty".to_owned() } else { format!("has only {}", counted(chars, "character")) };
    Ok(Judgement::fail(format!(
        "{SUMMARY} {found}. Describe there what you built or changed and in which files, in at least {MIN_CHARS} characters."
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::GateVerdict::{Fail, Pass};

    #[test]
    fn a_summary_has_20_characters_without_surrounding_white_space() {
        for (summary, expected) in [
            ("Built a coffee shop.", Pass),
            ("Built a coffe shop.", Fail),
            ("  Built a shop.      \n\n\n", Fail),
            ("日本語のランディングページを作りました。", Pass),
            ("ééééééééééééééééééé", Fail),
            ("", Fail),
        ] {
            assert_eq!(check(&Project::from_files(&[(SUMMARY, summary)])).unwrap().verdict, expected, "{summary}");
        }
        let feedback = check(&Project::from_files(&[(SUMMARY, "done")])).unwrap().feedback.unwrap();
        assert!(feedback.contains("only 4 characters"), "{feedback}");
    }
}
