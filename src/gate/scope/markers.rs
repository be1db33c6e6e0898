//! The change markers of one task. The plan check validates their form; this reader accepts every recognisable form.

use super::words::contains_words;
use crate::plan::{self, MarkerKind, Note, Part};

#[derive(Debug, Clone)]
pub(super) struct Marker {
    pub kind: MarkerKind,
    pub part: Part,
    /// The text without the kind and the task.
    pub text: String,
}

/// The markers of a task in plan order. `PRESERVED` and `NO CHANGES` without a task apply to every task.
pub(super) fn read(plan: &str, task: u32) -> Vec<Marker> {
    let mut markers = Vec::new();
    for Note { text, part, .. } in plan::notes(plan) {
        let Some(part) = part else { continue };
        for statement in statements(&text) {
            if let Some((kind, of, text)) = read_statement(&statement)
                && of.is_none_or(|of| of == task)
            {
                markers.push(Marker { kind, part: part.clone(), text: text.trim().to_owned() });
            }
        }
    }
    markers
}

/// Splits a comment into statements. A statement may span several lines; a line that starts like a marker starts a new
/// one.
fn statements(comment: &str) -> Vec<String> {
    let (mut statements, mut current) = (Vec::new(), String::new());
    for line in comment.lines() {
        let line = line.trim_matches(|letter: char| letter.is_whitespace() || letter == '*');
        if begins_marker(line) && read_statement(&current).is_some() {
            statements.push(std::mem::take(&mut current));
        }
        current.push(' ');
        current.push_str(line);
    }
    // On one line, `EXISTING … PRESERVED` after another marker is a separate marker.
    if let Some((first, second)) = current.split_once(" EXISTING ")
        && second.contains("PRESERVED")
        && read_statement(first).is_some()
    {
        statements.extend([first.to_owned(), format!("EXISTING {second}")]);
    } else {
        statements.push(current);
    }
    statements
}

fn begins_marker(line: &str) -> bool {
    task_marker(line).is_some() || ["NO CHANGES", "EXISTING", "PRESERVED"].iter().any(|word| line.starts_with(word))
}

fn read_statement(statement: &str) -> Option<(MarkerKind, Option<u32>, &str)> {
    let statement = statement.trim();
    if let Some((kind, task, text)) = task_marker(statement) {
        return Some((kind, Some(task), text));
    }
    let kind = if contains_words(statement, "NO CHANGES") {
        MarkerKind::NoChanges
    } else if contains_words(statement, "PRESERVED") {
        MarkerKind::Preserved
    } else if strip_prefix(statement, "no changes for task").is_some() {
        MarkerKind::NoChanges
    } else {
        return None;
    };
    Some((kind, named_task(statement), statement))
}

/// `TASK-3 [ADD]: …`.
fn task_marker(line: &str) -> Option<(MarkerKind, u32, &str)> {
    let (task, rest) = number(strip_prefix(line, "task")?.trim_start_matches(['-', ' ', '_', '#']))?;
    let (verb, text) = rest.trim_start_matches([' ', ':']).strip_prefix('[')?.split_once(']')?;
    let kind = MarkerKind::OF_TASKS.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(verb.trim()))?;
    Some((kind, task, text.trim_start_matches([':', '-', '–', '—', ' '])))
}

/// The task in a text: `task-3`.
fn named_task(text: &str) -> Option<u32> {
    let lower = text.to_ascii_lowercase();
    lower.match_indices("task").find_map(|(at, word)| {
        let rest = lower.get(at + word.len()..)?;
        Some(number(rest.trim_start_matches(['-', ' ', '_', '#']))?.0)
    })
}

fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    Some((text.get(..end)?.parse().ok()?, text.get(end..)?))
}

fn strip_prefix<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    text.get(..prefix.len()).filter(|start| start.eq_ignore_ascii_case(prefix)).and_then(|_| text.get(prefix.len()..))
}

#[cfg(test)]
mod tests {
    use super::read;

    fn markers(comments: &str) -> Vec<(String, &'static str, String)> {
        let plan = format!("<App><Screen name=\"home\"><Section gumdrop=\"teas\">{comments}</Section></Screen></App>");
        let of = |marker: super::Marker| (marker.part.key().to_owned(), marker.kind.name(), marker.text);
        read(&plan, 3).into_iter().map(of).collect()
    }

    fn kinds(comments: &str) -> Vec<&'static str> {
        markers(comments).into_iter().map(|(_, kind, _)| kind).collect()
    }

    #[test]
    fn every_form_is_read() {
        for (comment, kind) in [
            ("{/* TASK-3 [ADD]: 2 teas */}", "ADD"),
            ("{/* TASK-3 [MODIFY] copy */}", "MODIFY"),
            ("{/* task-3 [fix]: toggle */}", "FIX"),
            ("{/*\n  * TASK-3 [REMOVE]:\n  * the tea\n*/}", "REMOVE"),
            ("{/* NO CHANGES for task-3 */}", "NO CHANGES"),
            ("{/* NO CHANGES for task-3 - PRESERVED as it is */}", "NO CHANGES"),
            ("{/* EXISTING 8 teas\n PRESERVED */}", "PRESERVED"),
            ("{/* PRESERVED */}", "PRESERVED"),
            ("{/* the six teas are PRESERVED for task-3 */}", "PRESERVED"),
            ("{// PRESERVED\n}", "PRESERVED"),
        ] {
            assert_eq!(kinds(comment), [kind], "{comment}");
        }
    }

    #[test]
    fn markers_of_other_tasks_and_ordinary_comments_are_skipped() {
        for comment in [
            "{/* TASK-2 [ADD]: 2 teas */}",
            "{/* TASK-30 [ADD]: 2 teas */}",
            "{/* NO CHANGES for task-2 */}",
            "{/* EXISTING 6 teas PRESERVED in task-2 */}",
            "{/* TASK-3: 2 teas */}",
            "{/* preserved fruit */}",
            "{/* UNPRESERVED */}",
            "<Text value=\"TASK-3 [ADD]: 2 teas\" />",
            "<Text value={'{/* TASK-3 [ADD]: 2 teas */}'} />",
        ] {
            assert_eq!(kinds(comment), [""; 0], "{comment}");
        }
    }

    #[test]
    fn one_comment_can_hold_several() {
        let lines = "{/*\n TASK-3 [ADD]: 2 teas,\n both smoky\n TASK-2 [FIX]: old\n EXISTING 6 teas PRESERVED */}";
        let found = markers(lines);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].1, found[0].2.as_str()), ("ADD", "2 teas, both smoky"));
        assert_eq!(found[1].1, "PRESERVED");
        assert_eq!(kinds("{/* TASK-3 [ADD]: 2 teas. EXISTING 6 teas PRESERVED */}"), ["ADD", "PRESERVED"]);
    }
}
