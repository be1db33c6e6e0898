//! The text of `.ralph/feedback.md` after a failed round.

use super::{GateReport, GateVerdict};
use crate::ansi::visible;
use crate::plan::PlanPlace;
use crate::text::{bullets, one_line, shortened};
use std::fmt::Write;

/// Maximum number of entries of a list in the feedback.
pub(super) const SHOWN: usize = 10;
/// Maximum size of one gate's feedback, in characters.
const MAX_GATE_CHARS: usize = 3_000;
/// Maximum number of plan parts named for a file.
const MAX_SECTIONS: usize = 3;
/// Maximum size of the complete text, in characters: it becomes part of a prompt.
const MAX_CHARS: usize = 16_000;

/// The text of `.ralph/feedback.md` after a round that did not pass: failed gates first, then those that could not judge,
/// then warnings, then the names of the passed gates. The same reports give the same text.
pub fn feedback(reports: &[GateReport]) -> String {
    let reports = || reports.iter().filter(|report| !report.not_applicable);
    let having = |verdict| reports().filter(move |report| report.verdict == verdict);
    let (failed, unjudged) = (having(GateVerdict::Fail).count(), having(GateVerdict::Error).count());
    let mut text = String::from("# Quality Gates\n\n");
    text.push_str(&match (failed, unjudged) {
        (0, 0) => "No gate failed.".to_owned(),
        (0, _) => {
            "No gate failed, but some could not judge. This is not your fault; change nothing because of it.".to_owned()
        }
        _ => {
            format!(
                "{failed} of {} gates failed. Do what each of them asks for, then call `complete_task` again.",
                reports().count()
            )
        }
    });
    text.push('\n');
    section(&mut text, "FAIL", having(GateVerdict::Fail));
    section(&mut text, "COULD NOT JUDGE", having(GateVerdict::Error));
    section(&mut text, "WARN", having(GateVerdict::Warn));
    let passed: Vec<&str> = having(GateVerdict::Pass).map(|report| report.gate.as_str()).collect();
    if !passed.is_empty() {
        let _ = write!(text, "\nPassed: {}\n", passed.join(", "));
    }
    shortened(&text, MAX_CHARS)
}

/// Adds to each planned file, at its first mention, the part of the plan that it belongs to:
/// `src/App.tsx:3:7 (plan: Screen "home" › Section hero, line 7): Unexpected token`.
pub(super) fn with_sections(text: &str, places: &[PlanPlace]) -> String {
    let mut named = text.to_owned();
    for (at, place) in places.iter().enumerate() {
        let is_known = places.iter().take(at).any(|earlier| earlier.path == place.path);
        let Some(end) = (if is_known { None } else { first_mention(&named, &place.path) }) else { continue };
        let mut labels = places.iter().filter(|other| other.path == place.path).map(|place| place.label.as_str());
        let shown: Vec<&str> = labels.by_ref().take(MAX_SECTIONS).collect();
        let more = if labels.next().is_some() { "; …" } else { "" };
        named.insert_str(end, &format!(" (plan: {}{more})", shown.join("; ")));
    }
    named
}

/// The end of the first mention of a path, including the line and column after it.
fn first_mention(text: &str, path: &str) -> Option<usize> {
    let continues = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/');
    let found = text.match_indices(path).find(|(at, _)| {
        let before = text.get(..*at).unwrap_or_default();
        let before = before.strip_suffix("./").unwrap_or(before);
        let after = text.get(at + path.len()..).unwrap_or_default();
        !before.ends_with(|c| continues(c) || c == '.') && !after.starts_with(continues)
    });
    let mut end = found?.0 + path.len();
    for _ in 0..2 {
        let number =
            text.get(end..)?.strip_prefix(':').map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count());
        end += if number == 0 { 0 } else { number + 1 };
    }
    Some(end)
}

/// The first entries as a list, with the number of omitted ones.
pub(super) fn list_entries(entries: &[String]) -> String {
    bullets(entries, SHOWN, entries.len())
}

/// The first 60 characters of a text, in one line.
pub(super) fn excerpt(text: &str) -> String {
    shortened(&one_line(text), 60)
}

/// Text of a host, made safe for a prompt: bounded, and without control characters such as ANSI colors.
pub(super) fn clip(text: &str) -> String {
    shortened(&visible(text.chars()).collect::<String>(), MAX_GATE_CHARS)
}

fn section<'a>(text: &mut String, label: &str, reports: impl Iterator<Item = &'a GateReport>) {
    for report in reports {
        let _ = write!(text, "\n## {label} [{}]\n", report.gate);
        if let Some(feedback) = &report.feedback {
            let _ = writeln!(text, "{}", shortened(feedback.trim(), MAX_GATE_CHARS));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::{Judgement, round};

    fn report(gate: &str, verdict: GateVerdict, feedback: Option<&str>) -> GateReport {
        let feedback = feedback.map(str::to_owned);
        round::report(gate, Judgement { verdict, feedback, ..Judgement::pass() }, 7)
    }

    #[test]
    fn reports_are_ordered_by_verdict() {
        let reports = [
            report("app-exists", GateVerdict::Pass, None),
            GateReport { not_applicable: true, ..report("plan-diff", GateVerdict::Pass, Some("not applicable: …")) },
            report("console-capture", GateVerdict::Warn, Some("2 errors.")),
            report("ide-lint", GateVerdict::Error, Some("It threw.")),
            report("has-summary", GateVerdict::Fail, Some("Write it.")),
        ];
        let expected = "# Quality Gates\n\n1 of 4 gates failed. Do what each of them asks for, then call `complete_task` again.\n\
            \n## FAIL [has-summary]\nWrite it.\n\n## COULD NOT JUDGE [ide-lint]\nIt threw.\n\
            \n## WARN [console-capture]\n2 errors.\n\nPassed: app-exists\n";
        assert_eq!(feedback(&reports), expected);
    }

    #[test]
    fn a_file_is_named_with_its_part_of_the_plan() {
        let place = |path: &str, label: &str| PlanPlace { path: path.to_owned(), label: label.to_owned() };
        let places = [
            place("src/Hero.tsx", "Screen \"home\" › Section hero, line 7"),
            place("src/App.tsx", "A"),
            place("src/App.tsx", "B"),
            place("src/App.tsx", "C"),
            place("src/App.tsx", "D"),
        ];
        for (text, expected) in [
            ("- src/Hero.tsx:3:7: no", "- src/Hero.tsx:3:7 (plan: Screen \"home\" › Section hero, line 7): no"),
            ("in src/Hero.tsx.", "in src/Hero.tsx (plan: Screen \"home\" › Section hero, line 7)."),
            ("src/App.tsx:9, src/App.tsx", "src/App.tsx:9 (plan: A; B; C; …), src/App.tsx"),
            ("/src/Hero.tsx and src/Hero.tsxx", "/src/Hero.tsx and src/Hero.tsxx"),
            ("my-src/Hero.tsx ../src/Hero.tsx", "my-src/Hero.tsx ../src/Hero.tsx"),
            ("./src/App.tsx", "./src/App.tsx (plan: A; B; C; …)"),
            ("nothing", "nothing"),
        ] {
            assert_eq!(with_sections(text, &places), expected);
        }
    }

    #[test]
    fn a_long_report_does_not_displace_the_others() {
        let long = "é".repeat(50_000);
        let text = feedback(&[
            report("a", GateVerdict::Fail, Some(&long)),
            report("b", GateVerdict::Fail, Some("short and needed")),
        ]);
        assert!(text.contains("short and needed"));
        assert!(text.chars().count() < MAX_GATE_CHARS + 500);
    }

    #[test]
    fn the_feedback_of_many_gates_is_bounded() {
        let long = "x".repeat(MAX_GATE_CHARS);
        let reports: Vec<_> = (0..40).map(|n| report(&n.to_string(), GateVerdict::Fail, Some(&long))).collect();
        assert!(feedback(&reports).chars().count() <= MAX_CHARS + 10);
    }

    #[test]
    fn a_list_counts_the_omitted_entries() {
        let many = vec!["a".to_owned(); SHOWN + 2];
        assert_eq!(list_entries(&many).lines().count(), SHOWN + 1);
        assert!(list_entries(&many).ends_with("- a\n- and 2 more"));
    }
}
