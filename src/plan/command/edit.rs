//! Minimal edits of a plan's source.

use crate::plan::mutation::Side;
use crate::plan::tree::{Comment, Element, Tree};
use std::cmp::Reverse;

/// Comments and sections to add, and comments to remove.
#[derive(Debug, Default)]
pub(super) struct Edits {
    /// Index of the element, and text of the comment.
    added: Vec<(usize, String)>,
    /// Indices of comments.
    removed: Vec<usize>,
    sections: Vec<NewSection>,
}

/// A section to add next to an element.
#[derive(Debug)]
struct NewSection {
    beside: usize,
    side: Side,
    gumdrop: String,
    text: String,
}

impl Edits {
    pub(super) fn add(&mut self, element: usize, text: &str) {
        self.added.push((element, commented(text)));
    }

    /// Adds a section with this gumdrop and a comment.
    pub(super) fn add_section(&mut self, beside: usize, side: Side, gumdrop: &str, text: &str) {
        self.sections.push(NewSection { beside, side, gumdrop: gumdrop.to_owned(), text: commented(text) });
    }

    pub(super) fn remove(&mut self, comment: usize) {
        if !self.removes(comment) {
            self.removed.push(comment);
        }
    }

    pub(super) fn removes(&self, comment: usize) -> bool {
        self.removed.contains(&comment)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.sections.is_empty()
    }

    /// The source with the edits. Everything else is unchanged, byte for byte.
    pub(super) fn apply(&self, source: &str, tree: &Tree<'_>) -> String {
        let mut changes: Vec<Change> = Vec::new();
        for (at, element) in tree.elements.iter().enumerate() {
            let texts: Vec<&str> =
                self.added.iter().filter(|(of, _)| *of == at).map(|(_, text)| text.as_str()).collect();
            if !texts.is_empty() {
                changes.push(insertion(source, element, &texts));
            }
        }
        changes.extend(self.removed.iter().filter_map(|at| removal(source, tree.comments.get(*at)?)));
        // Insertions at the same offset must not change their order.
        let sections = self.sections.iter().rev();
        changes.extend(sections.filter_map(|new| Some(section(source, tree.elements.get(new.beside)?, new))));
        changes.sort_by_key(|change| Reverse(change.from));
        changes.iter().fold(source.to_owned(), |text, change| {
            let (before, after) =
                (text.get(..change.from).unwrap_or_default(), text.get(change.to..).unwrap_or_default());
            format!("{before}{}{after}", change.text)
        })
    }
}

/// A replacement of a byte range.
struct Change {
    from: usize,
    to: usize,
    text: String,
}

/// The text as one line of a comment, without line breaks and comment ends.
fn commented(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").replace("*/", "* /")
}

/// The indent of an element's line, one level of indent, and the line ending.
fn form(source: &str, element: &Element<'_>) -> (String, &'static str, &'static str) {
    let before = source.get(..element.place.start as usize).unwrap_or_default();
    let line = before.rsplit(['\n', '\r']).next().unwrap_or_default();
    let indent: String = line.chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
    let step = if indent.contains('\t') { "\t" } else { "  " };
    (indent, step, if source.contains("\r\n") { "\r\n" } else { "\n" })
}

/// A new section on its own lines, before or after an element.
fn section(source: &str, element: &Element<'_>, new: &NewSection) -> Change {
    let (indent, step, newline) = form(source, element);
    let NewSection { side, gumdrop, text, .. } = new;
    let section =
        format!("<Section gumdrop=\"{gumdrop}\">{newline}{indent}{step}{{/* {text} */}}{newline}{indent}</Section>");
    let (at, text) = match side {
        Side::Before => (element.place.start, format!("{section}{newline}{indent}")),
        Side::After => (element.end, format!("{newline}{indent}{section}")),
    };
    Change { from: at as usize, to: at as usize, text }
}

/// Comments as the first children of an element, each on its own line.
fn insertion(source: &str, element: &Element<'_>, texts: &[&str]) -> Change {
    let (start, end) = (element.place.start as usize, element.opening_end as usize);
    let (indent, step, newline) = form(source, element);
    let comments: String = texts.iter().map(|text| format!("{newline}{indent}{step}{{/* {text} */}}")).collect();
    if !element.closes_itself {
        return Change { from: end, to: end, text: comments };
    }
    let opening = source.get(start..end).unwrap_or_default();
    let name = source.get(start + 1..element.place.end as usize).unwrap_or_default().trim();
    let kept = opening.strip_suffix('>').unwrap_or(opening).trim_end();
    let kept = kept.strip_suffix('/').unwrap_or(kept).trim_end();
    Change { from: start + kept.len(), to: end, text: format!(">{comments}{newline}{indent}</{name}>") }
}

/// Removes a comment with its braces, and its line if nothing else is on it.
fn removal(source: &str, comment: &Comment<'_>) -> Option<Change> {
    let start = comment.start as usize;
    let before = source.get(..start)?.strip_suffix("/*")?.trim_end().strip_suffix('{')?;
    let end = start + comment.text.len();
    let rest = source.get(end..)?.strip_prefix("*/")?.trim_start().strip_prefix('}')?;
    let to = source.len() - rest.len();
    let line = before.trim_end_matches([' ', '\t']);
    let alone = (line.ends_with('\n') || line.ends_with('\r'))
        && rest.trim_start_matches([' ', '\t']).starts_with(['\n', '\r']);
    if !alone {
        return Some(Change { from: before.len(), to, text: String::new() });
    }
    let from = line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line)).len();
    let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    Some(Change { from, to: to + blank, text: String::new() })
}
