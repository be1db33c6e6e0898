//! Where a line has a value: in which element, field or declaration, and whether anybody sees it there.

use crate::gate::bare::comments;
use crate::gate::builtin::{Line, Used};
use crate::gate::scope::{fit, stems};
use crate::path::{extension, stem};
use crate::syntax::Blanked;
use crate::syntax::place::{Holder, has_text, holder, open_tags};
use std::collections::BTreeMap;

/// What people call an element, and the stems of the code for it.
const ELEMENTS: [(&str, &str); 7] = [
    ("link", "a href to link url"),
    ("image picture photo logo", "img image src picture logo"),
    ("headline heading title", "h1 h2 h3 h4 h5 h6 title headline heading"),
    ("button", "button btn"),
    ("navigation navbar menu", "nav menu"),
    ("form", "form"),
    ("footer", "footer"),
];

/// The code for an element that a stem names.
fn element_of(stem: &str) -> Option<&'static str> {
    ELEMENTS.iter().find(|(names, _)| names.split(' ').any(|name| name == stem)).map(|(_, code)| *code)
}

/// Whether code with these stems has the element that a stem names.
pub(super) fn names_code(code: &[String], stem: &str) -> bool {
    element_of(stem).is_some_and(|words| words.split(' ').any(|word| code.iter().any(|stem| stem == word)))
}

/// Attributes of HTML that are seen or followed.
const SEEN: &str = "href to src path action alt title placeholder aria-label label poster width height";
/// Attributes that style their element.
const STYLES: [&str; 7] = ["class", "className", "style", "fill", "stroke", "color", "bgcolor"];

/// Whether the value at a place of a line is seen, as far as the sources tell: its element is not hidden, its field is read,
/// its rule has an element.
pub(super) fn is_seen(
    line: &Line,
    (from, to): (usize, usize),
    is_style: bool,
    files: &BTreeMap<String, String>,
) -> bool {
    let before = line.text.get(..from).unwrap_or_default();
    if is_hidden(line, before) {
        return false;
    }
    if is_style_sheet(&line.path) {
        return is_styled(line, to, files);
    }
    match holder(before, line.around.lines().next().unwrap_or_default()) {
        Holder::Text => !is_style,
        Holder::Attribute { name, .. } if is_style => STYLES.contains(&name.trim_start_matches(':')),
        Holder::Attribute { tag, name } if tag.starts_with(char::is_uppercase) => {
            let is_taken = |list: &str| has_word(list.split('}').next().unwrap_or_default(), name);
            let takes =
                |text: &String| text.contains(&format!("props.{name}")) || text.split("({").skip(1).any(is_taken);
            matches!(name, "href" | "to" | "src" | "path" | "alt" | "placeholder")
                || files.iter().any(|(path, text)| stem(path) == tag && takes(text))
        }
        Holder::Attribute { name, .. } => SEEN.split(' ').any(|seen| seen == name.trim_start_matches(':')),
        Holder::Field(name) => is_read(name, &line.path, files),
        Holder::Other => false,
    }
}

/// Markers of what nobody sees, in the elements around a value.
const HIDDEN: &str =
    "<noscript|<template| hidden|\"hidden|display: none|display:none|display: 'none'|\"false\"|{#if false}";

fn is_hidden(line: &Line, before: &str) -> bool {
    let is_mark = |mark: &&str| extension(&line.path) != "vue" || *mark != "<template";
    let mut heads = open_tags(before).into_iter().chain(line.around.lines());
    heads.any(|head| HIDDEN.split('|').filter(is_mark).any(|mark| head.contains(mark)))
}

/// Whether code reads a field, or names a variable again.
fn is_read(name: &str, path: &str, files: &BTreeMap<String, String>) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let reads = |(other, text): (&String, &String)| {
        if !has_word(text, name) || extension(other) == "json" {
            return false;
        }
        let code = Blanked::without(text, comments(extension(other), text).iter().flatten());
        code.match_indices(name).any(|(at, _)| {
            let (before, after) = (code.get(..at).unwrap_or_default(), code.get(at + name.len()..).unwrap_or_default());
            if before.ends_with(is_word) || after.starts_with(is_word) {
                return false;
            }
            let (before, after) = (before.trim_end(), after.trim_start());
            let is_taken = before.ends_with(['{', ',']) && after.starts_with(['}', ',']) || before.ends_with("${");
            let is_used = *other == *path
                && before.ends_with(['{', '(', '[', ',', '=', '?', '+', '|', '&'])
                && !after.starts_with([':', '=']);
            before.ends_with('.') && !before.ends_with("..") || is_taken || is_used
        })
    };
    !name.is_empty() && files.iter().any(reads)
}

/// Whether a declaration of a style sheet has an effect: its selector is in the sources, no later declaration of the same
/// rule overrules it, and a variable is used.
fn is_styled(line: &Line, to: usize, files: &BTreeMap<String, String>) -> bool {
    let own = line.text.get(..to).unwrap_or_default();
    let outer = line.around.lines().next().unwrap_or_default();
    let (rule, own) = own.rsplit_once('{').unwrap_or((outer.trim_end_matches('{'), own));
    let Some((property, _)) = own.rsplit(';').next().and_then(|own| own.split_once(':')) else { return false };
    let property = property.trim();
    let is_same = |declared: &&str| declared.split_once(':').is_some_and(|(known, _)| known.trim() == property);
    let is_last = line.block.lines().rfind(is_same).is_none_or(|last| last.trim() == line.text.trim());
    let sources = || files.iter().filter(|(path, _)| !is_style_sheet(path));
    let is_there = |part: &str| match part.strip_prefix(['.', '#']) {
        _ if matches!(part, "" | "body" | "html" | ".dark") => true,
        Some(name) => sources().any(|(_, text)| has_word(text, name)),
        None => sources().any(|(_, text)| has_word(text, &format!("<{part}"))),
    };
    let selector = rule.rsplit(',').next().and_then(|last| last.split(':').next()).unwrap_or_default().trim();
    let selector = selector.replace('.', " .").replace('#', " #");
    let is_used = !property.starts_with("--") || files.values().any(|text| text.contains(&format!("var({property}")));
    // A state, a medium, or a block that is no rule.
    let is_plain = !line.around.contains("@media") && !rule.trim_start().starts_with('@') && !rule.contains(":h");
    is_last && is_used && is_plain && selector.split([' ', '>', '+', '~']).all(is_there)
}

fn is_style_sheet(path: &str) -> bool {
    matches!(extension(path), "css" | "scss" | "sass" | "less")
}

fn has_word(text: &str, word: &str) -> bool {
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at + word.len()..).unwrap_or_default());
        !before.ends_with(goes_on) && !after.starts_with(goes_on)
    })
}

/// Whether the place of a value has a name: an element by the tags around it or the field, anything else by the line, the
/// code around it, or the path.
pub(super) fn has_name(line: &Line, (from, to): (usize, usize), name: &String) -> bool {
    let (before, after) = (line.text.get(..from).unwrap_or_default(), line.text.get(to..).unwrap_or_default());
    let is = |text: &str| fit(std::slice::from_ref(name), &stems(text)) > 1;
    let outer = line.around.lines();
    match element_of(name) {
        Some(_) => {
            let tags = open_tags(before);
            let own = if tags.is_empty() { vec![before] } else { tags };
            is(&line.path) || own.into_iter().chain(outer).any(|head| is(head) || names_code(&stems(head), name))
        }
        None => is(before) || is(after) || is(&line.path) || is(&line.block) || outer.into_iter().any(is),
    }
}

/// Where a new line opens an element or component that these names call for and that shows a text.
pub(super) fn structure(line: &Line, names: &[String], used: &Used) -> Option<(usize, usize)> {
    let Used { lines: new, files, .. } = used;
    let is_within = |other: &&Line| {
        let is_inner = || other.around.lines().any(|outer| outer == line.text.trim());
        other.path == line.path && other.line > line.line && is_inner()
    };
    line.text.match_indices('<').find_map(|(at, _)| {
        let element = line.text.get(at..)?;
        let tag = element.get(1..)?.split(|c: char| !c.is_alphanumeric()).next()?;
        let id =
            element.split('>').next()?.split_once("id=\"").map_or("", |(_, id)| id.split('"').next().unwrap_or(id));
        let is_part = matches!(tag, "section" | "article" | "main" | "aside");
        let own = stems(&format!("{tag} {}", if is_part { id } else { "" }));
        if tag.is_empty() || !names.iter().all(|name| own.contains(name)) || is_hidden(line, line.text.get(..at)?) {
            return None;
        }
        let markup = if tag.starts_with(char::is_uppercase) {
            let declares =
                |text: &str| text.contains(&format!("function {tag}(")) || text.contains(&format!("const {tag} ="));
            let is_own = |(path, text): &(&String, &String)| stem(path) == tag || *path == &line.path && declares(text);
            let (path, text) = files.iter().find(is_own)?;
            let lines: Vec<&Line> = new.iter().filter(|line| line.path == *path).collect();
            if lines.is_empty() { text.clone() } else { joined(lines.into_iter()) }
        } else {
            let inner = format!("{element}\n{}", joined(new.iter().filter(is_within)));
            inner.split_once(&format!("</{tag}")).map_or(inner.clone(), |(inner, _)| format!("{inner}</{tag}"))
        };
        // "A contact form" has a form.
        let has_tag = |name: &String| element_of(name).is_none() || names_code(&stems(&markup), name);
        (has_text(&markup) && names.iter().all(has_tag)).then_some((at + 1, at + 1 + tag.len()))
    })
}

fn joined<'l>(lines: impl Iterator<Item = &'l Line>) -> String {
    lines.map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
}
