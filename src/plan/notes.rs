//! The comments of a plan, each with its enclosing part. Works for plans that do not parse.

use super::tree::{self, Comment, Element, Tree};
use crate::text::prefix;
use std::collections::BTreeMap;

/// A comment between the tags of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Without the delimiters.
    pub text: String,
    /// The innermost enclosing screen or section.
    pub part: Option<Part>,
}

/// A part of a plan that has its own sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// With its gumdrop.
    Section(String),
    /// With its name.
    Screen(String),
}

impl Part {
    /// The gumdrop or the name.
    pub fn key(&self) -> &str {
        match self {
            Part::Section(key) | Part::Screen(key) => key,
        }
    }
}

/// The comments of a plan, in source order. Total: for a source that does not parse, tags and comments are found by a
/// simple scan.
pub fn notes(source: &str) -> Vec<Note> {
    read(source).map_or_else(|| loose_notes(source), |(notes, _)| notes)
}

/// The screens and sections of a plan, in source order, as far as it parses.
pub fn parts(source: &str) -> Vec<Part> {
    read(source).map(|(_, parts)| parts).unwrap_or_default()
}

/// Parses a plan; if it has no root, parses it again with `export default` in front.
fn read(source: &str) -> Option<(Vec<Note>, Vec<Part>)> {
    let of = |source: &str| {
        let tree = tree::parse(source).ok()?.tree;
        tree.root()?;
        let mut parts = BTreeMap::new();
        let mut note = |comment: &Comment<'_>| {
            let part = parts.entry(comment.parent).or_insert_with(|| part_around(&tree, comment.parent)).clone();
            Note { text: comment.text.to_owned(), part }
        };
        Some((tree.comments.iter().map(&mut note).collect(), tree.elements.iter().filter_map(part).collect()))
    };
    of(source).or_else(|| of(&format!("export default {}", tree::without_bom(source))))
}

fn part_around(tree: &Tree<'_>, parent: usize) -> Option<Part> {
    let around = tree.around(parent).map(|(_, element)| element);
    tree.elements.get(parent).into_iter().chain(around).find_map(part)
}

fn part(element: &Element<'_>) -> Option<Part> {
    let key = |name: &str| {
        prefix(element.text(name).or_else(|| element.text("name")).unwrap_or_default(), KEY_MAX).to_owned()
    };
    match element.name.as_ref() {
        "Section" => Some(Part::Section(key("gumdrop"))),
        "Screen" => Some(Part::Screen(key("name"))),
        _ => None,
    }
}

fn loose_notes(source: &str) -> Vec<Note> {
    let (mut notes, mut open, mut at) = (Vec::new(), Vec::<Part>::new(), 0);
    while let Some(found) = source.get(at..).and_then(|rest| rest.find(['{', '<'])) {
        at += found;
        let rest = source.get(at..).unwrap_or_default();
        let inside = rest.get(1..).unwrap_or_default();
        at += 1;
        if rest.starts_with('{') {
            let Some(comment) = inside.trim_start().strip_prefix("/*") else { continue };
            let text = comment.split_once("*/").map_or(comment, |(text, _)| text);
            notes.push(Note { text: text.to_owned(), part: open.last().cloned() });
            at = source.len() - comment.len() + text.len();
        } else if let Some(name) = inside.strip_prefix('/') {
            let closes = |part: &Part| match part {
                Part::Section(_) => name.starts_with("Section"),
                Part::Screen(_) => name.starts_with("Screen"),
            };
            if let Some(place) = open.iter().rposition(closes) {
                open.truncate(place);
            }
        } else {
            let inside = prefix(inside, TAG_MAX);
            let tag = inside.split_once('>').map_or(inside, |(tag, _)| tag);
            let part = if tag.starts_with("Section") {
                Part::Section(loose_attribute(tag, "gumdrop"))
            } else if tag.starts_with("Screen") {
                Part::Screen(loose_attribute(tag, "name"))
            } else {
                continue;
            };
            if !tag.ends_with('/') && open.len() < DEPTH_MAX {
                open.push(part);
            }
        }
    }
    notes
}

/// The longest key of a part, in bytes. Each note has the key of its part, so it is cut.
const KEY_MAX: usize = 200;

/// What the simple scan reads of a tag, in bytes, and how many open parts it follows.
const TAG_MAX: usize = 1_000;
const DEPTH_MAX: usize = 100;

fn loose_attribute(tag: &str, name: &str) -> String {
    let value = tag.split_once(name).map_or("", |(_, rest)| rest.trim_start_matches([' ', '=', '{']));
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'));
    prefix(quote.and_then(|quote| value.get(1..)?.split(quote).next()).unwrap_or_default(), KEY_MAX).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Note, Part, notes};

    fn parts(source: &str) -> Vec<(String, Option<Part>)> {
        notes(source).into_iter().map(|Note { text, part }| (text.trim().to_owned(), part)).collect()
    }

    fn section(key: &str) -> Option<Part> {
        Some(Part::Section(key.to_owned()))
    }

    fn screen(key: &str) -> Option<Part> {
        Some(Part::Screen(key.to_owned()))
    }

    fn expected(rows: &[(&str, Option<Part>)]) -> Vec<(String, Option<Part>)> {
        rows.iter().map(|(text, part)| ((*text).to_owned(), part.clone())).collect()
    }

    const PARTS: &str = "<App>\n<Screen name=\"home\">\n<Section gumdrop=\"hero\">{/* a */}</Section>\n\
        {/* b */}<Section gumdrop='cta' text=\"{/* no */}\" />{/* c */}</Screen>{/* d */}";

    #[test]
    fn a_comment_belongs_to_the_innermost_enclosing_part() {
        let expected = expected(&[("a", section("hero")), ("b", screen("home")), ("c", screen("home")), ("d", None)]);
        assert_eq!(parts(&format!("{PARTS}</App>")), expected);
        assert_eq!(parts(&format!("export default (\n{PARTS}</App>\n)")).len(), 4);
    }

    #[test]
    fn comments_are_found_in_a_plan_that_does_not_parse() {
        let broken = "<App><Screen name=\"home\"><Section gumdrop=\"hero\">{/* a */}<Section gumdrop='cta'/>{ /* b */}\
            </Section>{/* c */}</Wrong>";
        let expected = expected(&[("a", section("hero")), ("b", section("hero")), ("c", screen("home"))]);
        assert_eq!(parts(broken), expected);
        for source in ["", "{", "{/*", "<Section", "</Section>{/* x", "<Section gumdrop={", "\u{FEFF}<"] {
            notes(source);
        }
    }
}
