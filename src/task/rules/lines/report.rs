//! The template of an issue that a user pasted is one problem, with what is expected, or a wish; the rest is context.

use super::{Line, LineKind};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// What happened, and what is expected.
    Problem,
    Wish,
    /// The problem where nothing else is.
    Steps,
    /// The environment, and titles that are not known.
    Context,
}

/// Phrases in the titles of templates, and whether they tell a template from other messages. The first entry that fits
/// decides.
const TITLES: [(Part, bool, &str); 8] = [
    (Part::Steps, true, "to repro|repro steps|reproduction|reproducib|reproduz|did you do|再現|手順"),
    (Part::Context, false, " steps|context|additional|environment| version|browser|device|system| os |screenshot"),
    (Part::Context, false, " log | logs |severity|platform|alternatives|submitting|checklist| note | notes "),
    (Part::Context, false, "related to a problem|schritte|umgebung|環境"),
    (Part::Wish, true, "solution|feature request|would you like"),
    (Part::Problem, true, "expect|should happen| actual |happened|went wrong|see instead|observed|desired"),
    (Part::Problem, true, "current behavio|describe the|erwart|tatsächlich|passiert|期待|実際"),
    (Part::Problem, false, "bug|problem|issue|description|summary|error| title|fehler|beschreibung|問題"),
];

/// Takes the titles and the context out of the lines of a template. Other messages stay as they are.
pub(super) fn read(message: &str, lines: Vec<Line>) -> Vec<Line> {
    let (mut titles, mut start, mut known, mut is_template) = (Vec::new(), 0, 0, false);
    for line in message.split_inclusive(['\n', '\r']) {
        if let Some((title, body)) = title(line) {
            let fits = |(_, _, phrases): &&(Part, bool, &str)| phrases.split('|').any(|phrase| title.contains(phrase));
            let entry = TITLES.iter().find(fits);
            known += usize::from(entry.is_some());
            is_template |= entry.is_some_and(|(_, tells, _)| *tells);
            let is_marked = line.trim_start().starts_with(['#', '*']);
            let part = entry.map(|(part, ..)| *part).or(is_marked.then_some(Part::Context));
            // "Actual: 3 items" says what is meant with its title.
            let cut = if is_marked || body.trim().is_empty() { line.len() - body.len() } else { 0 };
            titles.extend(part.map(|part| (start, start + cut, part)));
        }
        start += line.len();
    }
    let has = |wanted| titles.iter().any(|(.., part)| *part == wanted);
    if !is_template || known < 2 && !has(Part::Steps) {
        return lines;
    }
    let has_wish = has(Part::Wish);
    let steps = if has_wish || has(Part::Problem) { Part::Context } else { Part::Problem };
    let kept = lines.into_iter().filter_map(|line| {
        let before = titles.partition_point(|(start, ..)| *start <= line.bytes.start).checked_sub(1);
        let (_, body, part) = before.and_then(|at| titles.get(at)).unwrap_or(&(0, 0, Part::Wish));
        let bytes = line.bytes.start.max(*body)..line.bytes.end;
        let text = message.get(bytes.clone()).unwrap_or_default().trim();
        // "A customer wrote:"
        let leads = before.is_none() && text.ends_with(':');
        let is_blank = ["", "_No response_", "N/A", "n/a", "None", "-"].contains(&text) || text.starts_with("<!--");
        let part = if *part == Part::Steps { steps } else { *part };
        let kind = if part == Part::Problem && !has_wish { LineKind::Trace } else { line.kind };
        (part != Part::Context && !is_blank && !leads).then_some(Line { bytes, kind, ..line })
    });
    kept.collect()
}

/// The title in a line, between spaces, and what follows it: `### Expected`, `**Steps**`, `Actual: 3 items`.
fn title(line: &str) -> Option<(String, &str)> {
    let text = line.trim_start_matches(|c: char| c.is_whitespace() || "#*-".contains(c));
    let is_marked = line.trim_start().starts_with(['#', '*']);
    // "Expected behavior" alone in its line, as it is copied from a page.
    let is_title = is_marked || line.starts_with(char::is_uppercase) && text.split_whitespace().count() < 6;
    let end = text.find([':', '：', '?']).or_else(|| is_title.then_some(text.trim_end().len()))?;
    let (title, body) = text.split_at_checked(end)?;
    let body = body.trim_start_matches([':', '：', '?', '*', '_', ' ']);
    (is_marked || title.split_whitespace().count() < 7)
        .then(|| (format!(" {} ", title.trim_matches([' ', '*', '_']).to_lowercase()), body))
}

#[cfg(test)]
mod tests {
    use super::super::{LineKind::*, lines};

    #[test]
    fn a_bug_report_is_its_problem_and_what_is_expected() {
        let report = "### What happened?\nThe list is empty.\nAlways.\n\n### Steps to reproduce\n1. Open the page\n2. See nothing\n\n\
                      ### Expected\nThe 3 items are shown.\n\n### Area\nMenu\n\n### Additional context\nWorks in Chrome 120.";
        let bold =
            "Please fix:\n\n**Describe the bug**\nIt is red\n**Expected behavior**\n_No response_\n**Version:**\n1.2";
        let plain = "Steps:\n1. Open it\nActual: it is red\nExpected: blue\nEnvironment: Firefox 128";
        let feature = "### Describe the solution you'd like\nAdd a map\n- with pins\n### Additional context\nNone";
        for (message, expected) in [
            (report, vec![(Trace, "The list is empty."), (Trace, "Always."), (Trace, "The 3 items are shown.")]),
            (bold, vec![(Trace, "It is red")]),
            (plain, vec![(Trace, "Actual: it is red"), (Trace, "Expected: blue")]),
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
