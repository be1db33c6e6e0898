//! Minimal edits of a plan's source.

use crate::plan::mutation::Side;
use crate::plan::tree::{Comment, Element, Tree};
use std::cmp::Reverse;

/// What to add to a plan, and what to remove.
#[derive(Debug, Default)]
pub(super) struct Edits {
    /// Comments to add: the index of the element, and the text.
    pub comments: Vec<(usize, String)>,
    pub sections: Vec<AddedSection>,
    /// The indices of the comments to remove, without duplicates.
    pub removed: Vec<usize>,
}

/// A section to add next to an element, with a comment.
#[derive(Debug)]
pub(super) struct AddedSection {
    pub beside: usize,
    pub side: Side,
    pub gumdrop: String,
    pub text: String,
}

impl Edits {
    pub(super) fn is_empty(&self) -> bool {
        self.comments.is_empty() && self.sections.is_empty() && self.removed.is_empty()
    }

    /// The source with the edits. Everything else is unchanged, byte for byte.
    pub(super) fn apply(&self, source: &str, tree: &Tree<'_>) -> String {
        let of = |at: usize| self.comments.iter().filter(move |(of, _)| *of == at).map(|(_, text)| text.as_str());
        let commented = tree.elements.iter().enumerate().filter(|(at, _)| of(*at).next().is_some());
        let mut changes: Vec<Change> =
            commented.map(|(at, element)| insertion(source, element, &of(at).collect::<Vec<_>>())).collect();
        changes.extend(self.removed.iter().filter_map(|at| removal(source, tree.comments.get(*at)?)));
        // Those at one place are applied last to first.
        let sections = self.sections.iter().rev();
        changes.extend(sections.filter_map(|new| Some(section(source, tree.elements.get(new.beside)?, new))));
        // From the end, so that offsets stay valid.
        changes.sort_by_key(|change| Reverse(change.from));
        changes.iter().fold(source.to_owned(), |text, Change { from, to, text: new }| {
            let (before, after) = (text.get(..*from).unwrap_or_default(), text.get(*to..).unwrap_or_default());
            [before, new, after].concat()
        })
    }
}

/// A replacement of a byte range.
struct Change {
    from: usize,
    to: usize,
    text: String,
}

/// A comment of one line, without line breaks and comment ends.
fn comment(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    format!("{{/* {} */}}", words.collect::<Vec<_>>().join(" ").replace("*/", "* /"))
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
fn section(source: &str, element: &Element<'_>, new: &AddedSection) -> Change {
    let (indent, step, newline) = form(source, element);
    let (gumdrop, comment) = (&new.gumdrop, comment(&new.text));
    let section = format!("<Section gumdrop=\"{gumdrop}\">{newline}{indent}{step}{comment}{newline}{indent}</Section>");
    let (at, text) = match new.side {
        Side::Before => (element.place.start, format!("{section}{newline}{indent}")),
        Side::After => (element.end, format!("{newline}{indent}{section}")),
    };
    Change { from: at as usize, to: at as usize, text }
}

/// Comments as the first children of an element, each on its own line.
fn insertion(source: &str, element: &Element<'_>, texts: &[&str]) -> Change {
    let (start, end) = (element.place.start as usize, element.opening_end as usize);
    let (indent, step, newline) = form(source, element);
    let comments: String = texts.iter().map(|text| format!("{newline}{indent}{step}{}", comment(text))).collect();
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
    let (line, after) = (before.trim_end_matches([' ', '\t']), rest.trim_start_matches([' ', '\t']));
    let is_alone = line.ends_with(['\n', '\r']) && after.starts_with(['\n', '\r']);
    let (from, to) = if is_alone {
        let line = line.strip_suffix('\n').unwrap_or(line);
        (line.strip_suffix('\r').unwrap_or(line).len(), source.len() - after.len())
    } else {
        (before.len(), source.len() - rest.len())
    };
    Some(Change { from, to, text: String::new() })
}
