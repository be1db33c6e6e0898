//! The template of an issue that a user pasted: one problem with what is expected, or a wish. Steps and the environment are
//! context.

use super::{Line, LineKind, heading};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Problem,
    Expected,
    Wish,
    /// How to see the problem.
    Steps,
    Context,
    /// A title that templates do not have.
    Other,
}

/// Phrases in the titles of templates; after `=`, the whole title. The first entry that fits decides.
const TITLES: [(Part, &[&str]); 5] = [
    (Part::Steps, &["reproduc", "steps to", "=steps"]),
    (
        Part::Context,
        &[
            "additional",
            "context",
            "environment",
            "version",
            "browser",
            "device",
            "operating system",
            "system info",
            "screenshot",
            "relevant log",
            "log output",
            "checklist",
            "severity",
            "platform",
            "alternatives",
            "related to a problem",
            "before submitting",
        ],
    ),
    (Part::Expected, &["expected", "should happen"]),
    (Part::Wish, &["solution", "feature request", "proposal", "would you like"]),
    (
        Part::Problem,
        &[
            "what happen",
            "describe the bug",
            "describe the issue",
            "bug description",
            "actual",
            "current behavio",
            "problem",
            "=bug",
            "what went wrong",
            "observed",
            "description",
            "summary",
        ],
    ),
];

/// Takes the titles and the context out of the lines of a template. The problem of a bug report is one line. Other messages
/// stay as they are.
pub(super) fn read(message: &str, lines: Vec<Line>) -> Vec<Line> {
    let sections = sections(message);
    let has = |parts: &[Part]| sections.iter().any(|section| parts.contains(&section.part));
    let is_bug = has(&[Part::Problem]) && has(&[Part::Expected, Part::Steps]);
    let is_template = is_bug || has(&[Part::Problem, Part::Wish]) && has(&[Part::Context]);
    if !is_template {
        return lines;
    }
    let mut kept: Vec<Line> = Vec::new();
    let (mut last, mut next) = (None, 0);
    for line in lines {
        while sections.get(next).is_some_and(|section| section.start <= line.bytes.start) {
            next += 1;
        }
        let at = next.checked_sub(1);
        let section = at.and_then(|at| sections.get(at));
        let is_title = section.is_some_and(|section| line.bytes.start < section.body);
        let kind = match section.map(|section| section.part) {
            None | Some(Part::Wish) => Some(line.kind),
            Some(Part::Problem) if is_bug => Some(LineKind::Trace),
            Some(Part::Expected) => Some(LineKind::Pasted),
            Some(Part::Problem | Part::Other) if !is_bug => Some(line.kind),
            _ => None,
        };
        let Some(kind) = kind.filter(|_| !is_title && !is_blank(message.get(line.bytes.clone()).unwrap_or_default()))
        else {
            continue;
        };
        match kept.last_mut().filter(|_| last == at && kind != line.kind) {
            Some(last) => last.bytes.end = line.bytes.end,
            None => kept.push(Line { kind, ..line }),
        }
        last = at;
    }
    kept
}

struct Section {
    part: Part,
    start: usize,
    /// Where the text after the title starts.
    body: usize,
}

/// The sections of a message, by its headings and its bold lines.
fn sections(message: &str) -> Vec<Section> {
    let (mut sections, mut start, mut is_fenced) = (Vec::new(), 0, false);
    for line in message.split_inclusive(['\n', '\r']) {
        let text = line.trim();
        is_fenced ^= text.starts_with("```") || text.starts_with("~~~");
        let bold = || text.strip_prefix("**")?.trim_end_matches(':').strip_suffix("**");
        if let Some(title) = heading(text).or_else(bold).filter(|_| !is_fenced) {
            let title = title.to_lowercase();
            let says =
                |words: &&str| words.strip_prefix('=').map_or_else(|| title.contains(*words), |exact| title == exact);
            let fits = |(_, words): &&(Part, &[&str])| words.iter().any(says);
            let part = TITLES.iter().find(fits).map_or(Part::Other, |(part, _)| *part);
            sections.push(Section { part, start, body: start + line.len() });
        }
        start += line.len();
    }
    sections
}

/// What a template has where nothing was answered.
fn is_blank(text: &str) -> bool {
    ["_No response_", "N/A", "n/a", "None", "-"].contains(&text) || text.starts_with("<!--")
}

#[cfg(test)]
mod tests {
    use super::super::lines;
    use LineKind::*;

    use super::*;

    #[test]
    fn a_bug_report_is_its_problem_and_what_is_expected() {
        let report = "### What happened?\nThe list is empty.\nAlways.\n\n### Steps to reproduce\n1. Open the page\n2. See nothing\n\n\
                      ### Expected\nThe 3 items are shown.\n\n### Area\nMenu\n\n### Additional context\nWorks in Chrome 120.";
        let bold =
            "Please fix:\n\n**Describe the bug**\nIt is red\n**Expected behavior**\n_No response_\n**Version:**\n1.2";
        let feature = "### Describe the solution you'd like\nAdd a map\n- with pins\n### Additional context\nNone";
        for (message, expected) in [
            (report, vec![(Trace, "The list is empty.\nAlways."), (Pasted, "The 3 items are shown.")]),
            (bold, vec![(Prose, "Please fix:"), (Trace, "It is red")]),
            (feature, vec![(Prose, "Add a map"), (Item, "with pins")]),
            ("# Feature\nAdd a map\n# Description\nIt has pins", {
                vec![(Prose, "Feature"), (Prose, "Add a map"), (Prose, "Description"), (Prose, "It has pins")]
            }),
        ] {
            let lines: Vec<_> = lines(message).into_iter().map(|line| (line.kind, &message[line.bytes])).collect();
            assert_eq!(lines, expected, "{message}");
        }
    }
}
