//! Change markers: comments that say what a task does to a part of the plan.

use super::check::Finding;
use super::notes::notes;
use super::report::MarkerKind;
use super::tree::{Comment, Place, Tree};
use crate::text::shortened;
use crate::words;

/// A marker and its position.
#[derive(Debug)]
pub(super) struct Marker {
    pub kind: MarkerKind,
    pub task: Option<u32>,
    /// The number of existing items, if given.
    pub existing: Option<u32>,
    pub text: String,
    /// The element that contains it: a theme, a screen or a section.
    pub owner: usize,
    /// The index of its comment in the tree.
    pub comment: usize,
    pub place: Place,
}

/// The markers of a plan and the findings about them, in source order.
pub(super) fn read(tree: &Tree<'_>, current: Option<u32>) -> (Vec<Marker>, Vec<Finding>) {
    let (mut markers, mut findings) = (Vec::new(), Vec::new());
    for (at, comment) in tree.comments.iter().enumerate() {
        let Some(owner) = owner(tree, comment) else { continue };
        for (line, place) in lines(comment) {
            match read_line(line) {
                Line::Text => {}
                Line::Malformed => findings.push(malformed(line, place)),
                Line::Marker(Statement { kind, task, existing, text }) => {
                    findings.extend(of_other_task(task, current, place));
                    markers.push(Marker { kind, task, existing, text, owner, comment: at, place });
                }
            }
        }
    }
    (markers, findings)
}

/// The newest task that the comments of a plan name, as `TASK-3` or `task-3`; 0 if none.
pub fn newest_task(plan: &str) -> u32 {
    let newest = |text: &str| {
        let lower = text.to_ascii_lowercase();
        let named = lower.split("task-").skip(1).filter_map(|rest| Some(task_number(rest)?.0));
        named.filter(|number| *number < NUMBER_MAX).max()
    };
    notes(plan).iter().filter_map(|note| newest(&note.text)).max().unwrap_or(0)
}

/// Larger numbers are not task numbers.
const NUMBER_MAX: u32 = 1_000_000_000;

/// The innermost screen, section or theme around a comment.
fn owner(tree: &Tree<'_>, comment: &Comment<'_>) -> Option<usize> {
    let mut around =
        std::iter::once((comment.parent, tree.elements.get(comment.parent)?)).chain(tree.around(comment.parent));
    around.find(|(_, element)| matches!(element.name.as_ref(), "Screen" | "Section" | "Theme")).map(|(owner, _)| owner)
}

fn of_other_task(task: Option<u32>, current: Option<u32>, place: Place) -> Option<Finding> {
    let (task, current) = (task?, current?);
    (task != current).then(|| {
        let message = format!(
            "The marker names task {task}, but the current task is {current}. Remove it, or change it to task {current}."
        );
        Finding::warning("marker-task", place, message)
    })
}

fn malformed(line: &str, place: Place) -> Finding {
    let message = format!(
        "\"{}\" looks like a change marker but is not one. Write `TASK-3 [ADD]: …` with ADD, MODIFY, FIX or REMOVE, \
         `EXISTING 8 … PRESERVED`, `PRESERVED: …`, or `NO CHANGES for task-3`.",
        shortened(line, 40)
    );
    Finding::warning("marker-unknown", place, message)
}

/// The lines of a comment with their positions, without white space and leading asterisks.
fn lines<'s>(comment: &Comment<'s>) -> impl Iterator<Item = (&'s str, Place)> {
    let mut start = comment.start;
    comment.text.split(['\n', '\r']).map(move |line| {
        let text = line.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '*');
        let place = start + (line.len() - text.len()) as u32;
        start += line.len() as u32 + 1;
        let text = text.trim_end();
        (text, Place { start: place, end: place + text.len() as u32 })
    })
}

/// The kind of a comment line.
enum Line {
    Marker(Statement),
    /// Starts like a marker but is not one.
    Malformed,
    Text,
}

/// The content of a marker.
struct Statement {
    kind: MarkerKind,
    task: Option<u32>,
    existing: Option<u32>,
    text: String,
}

fn read_line(line: &str) -> Line {
    let statement = task_marker(line).or_else(|| existing_marker(line)).or_else(|| scope_marker(line));
    match statement {
        Some(statement) => Line::Marker(statement),
        None if ["task", "existing", "preserved", "no changes"].iter().any(|word| begins_with(line, word)) => {
            Line::Malformed
        }
        None => Line::Text,
    }
}

/// `TASK-3 [ADD]: …`.
fn task_marker(line: &str) -> Option<Statement> {
    let (task, rest) = task_number(line.strip_prefix("TASK-")?)?;
    let (verb, text) = rest.trim_start().strip_prefix('[')?.split_once(']')?;
    let kind = MarkerKind::of_task(verb)?;
    Some(Statement { kind, task: Some(task), existing: None, text: quoted_text(text) })
}

/// `EXISTING 8 flavors PRESERVED …`.
fn existing_marker(line: &str) -> Option<Statement> {
    let (before, after) = after_word(line, "EXISTING")?.split_once("PRESERVED")?;
    let (existing, what) = match leading_number(before) {
        Some((number, what)) => (Some(number), what),
        None => (None, before),
    };
    let text = format!("{} {}", what.trim(), quoted_text(after)).trim().to_owned();
    Some(Statement { kind: MarkerKind::Preserved, task: None, existing, text })
}

/// `PRESERVED: …` and `NO CHANGES for task-3`.
fn scope_marker(line: &str) -> Option<Statement> {
    if let Some(rest) = after_word(line, "PRESERVED") {
        return Some(Statement { kind: MarkerKind::Preserved, task: None, existing: None, text: quoted_text(rest) });
    }
    let rest = after_word(line, "NO CHANGES")?.trim_start();
    let named = rest.strip_prefix("for").map(str::trim_start).and_then(|rest| {
        rest.get(..5).filter(|word| word.eq_ignore_ascii_case("task-")).and_then(|_| task_number(rest.get(5..)?))
    });
    let (task, rest) = named.map_or((None, rest), |(task, rest)| (Some(task), rest));
    Some(Statement { kind: MarkerKind::NoChanges, task, existing: None, text: quoted_text(rest) })
}

/// The rest of a line that starts with this word.
fn after_word<'l>(line: &'l str, word: &str) -> Option<&'l str> {
    line.strip_prefix(word).filter(|rest| !rest.starts_with(char::is_alphanumeric))
}

/// Whether the line starts with the word, in any case, as a complete word.
fn begins_with(line: &str, word: &str) -> bool {
    line.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
        && !line.get(word.len()..).is_some_and(|rest| rest.starts_with(char::is_alphabetic))
}

fn task_number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    Some((text.get(..end)?.parse().ok()?, text.get(end..)?))
}

/// The text without a leading colon or dash.
fn quoted_text(text: &str) -> String {
    text.trim_matches(|letter: char| letter.is_whitespace())
        .trim_start_matches([':', '-', '–', '—'])
        .trim_start()
        .to_owned()
}

/// The number at the start of a text, in digits or as a word, and the rest. `24/7` and `3D` are not numbers.
pub(super) fn leading_number(text: &str) -> Option<(u32, &str)> {
    let text = text.trim_start();
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let word = first.trim_end_matches([',', ';', ':', '.', '!', '?', ')']).to_ascii_lowercase();
    if word == "a" {
        let (dozen, rest) = rest.trim_start().split_once(char::is_whitespace).unwrap_or((rest.trim_start(), ""));
        return (dozen.eq_ignore_ascii_case("dozen")).then_some((12, rest));
    }
    let digits = || word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok())?;
    let number = words::number(&word).or_else(digits)?;
    Some((number, rest))
}

#[cfg(test)]
mod tests {
    use super::newest_task;

    #[test]
    fn newest_task_is_the_largest_task_number_in_comments() {
        let plan = |comments: &str| format!("<App><Screen name=\"task-9\">{comments}</Screen></App>");
        for (comments, newest) in [
            ("", 0),
            ("{/* TASK-2 [ADD]: x */}{/* NO CHANGES for task-3 */}", 3),
            ("{/* TASK-12 [ADD]: x, see task-4 */}", 12),
            ("{/* TASK-4000000000 [ADD]: x */}{/* TASK-x */}", 0),
        ] {
            assert_eq!(newest_task(&plan(comments)), newest, "{comments}");
        }
        assert_eq!(newest_task("<App><Screen>{/* TASK-5 [ADD]: of a plan that does not parse */}"), 5);
    }
}
