//! Finds the file and the component of a part of the plan.

use super::sources::{FileId, Sources};
use crate::js::tree::{
    Attribute, Child, DEFAULT, Declaration, Element, Expression, Function, Parsed, Pattern, Statement, is_component,
};
use crate::plan::Part;
use std::rc::Rc;

/// The file of a part: the component file with its name; else the file whose root element has its key as `id` or
/// `data-section`; else the file named by key and kind, such as `HeroSection`.
pub(super) fn file(sources: &Sources<'_>, part: &Part) -> Option<FileId> {
    let key = bare(part.key());
    if key.is_empty() {
        return None;
    }
    let components = || sources.ids().filter(|file| is_component_file(sources.path(*file)));
    let called = |name: String| components().filter(move |file| bare(name_of(sources.path(*file))) == name);
    let rank = |file: &FileId| {
        let path = sources.path(*file);
        let in_folder = |names: &[&str]| path.split('/').any(|folder| names.contains(&folder));
        let is_at_home = match part {
            Part::Section(_) => in_folder(&["sections", "section"]),
            Part::Screen(_) => in_folder(&["screens", "pages", "views", "routes", "screen"]),
        };
        let is_elsewhere = in_folder(&["data", "lib", "hooks", "test", "tests", "__tests__"]);
        (is_elsewhere, !is_at_home, path.len())
    };
    let kind = match part {
        Part::Section(_) => "section",
        Part::Screen(_) => "screen",
    };
    let rooted = || components().find(|file| has_root(sources, *file, part.key()));
    let index = || {
        let is_index =
            |file: &FileId| sources.path(*file).ends_with("/index.ts") && bare(name_of(sources.path(*file))) == key;
        sources.ids().find(is_index)
    };
    let named = called(key.clone()).min_by_key(rank).or_else(rooted);
    let suffixed = || called(key.clone() + kind).min_by_key(rank);
    named.or_else(suffixed).map(|file| declaring(sources, file, part)).or_else(|| {
        let index = index()?;
        Some(declaring(sources, index, part)).filter(|file| *file != index)
    })
}

/// The file that declares a part's component, if the file with its name only re-exports it.
fn declaring(sources: &Sources<'_>, file: FileId, part: &Part) -> FileId {
    let passes_on = sources.module(file).is_some_and(|module| module.body.is_empty());
    match component(sources, file, part) {
        Some((declaring, _)) if passes_on => declaring,
        _ => file,
    }
}

/// The main component of a part's file.
pub(super) fn component(sources: &Sources<'_>, file: FileId, part: &Part) -> Option<(FileId, String)> {
    let module = sources.module(file)?;
    if let Some((file, Some(name))) = sources.exported(file, DEFAULT) {
        return Some((file, name));
    }
    let keys = [bare(name_of(sources.path(file))), bare(part.key())];
    let names = sources.export_names(file);
    let components = || names.iter().filter(|name| is_component(name));
    let export = components()
        .find(|name| keys.contains(&bare(name)))
        .or_else(|| {
            components().find(|name| {
                let own = declared(&module.body).find(|(known, _)| ***known == ***name);
                own.and_then(|(_, value)| function_of(value))
                    .is_some_and(|function| is_rooted(&function.body, part.key()))
            })
        })
        .or_else(|| components().next());
    if let Some(export) = export
        && let Some((file, Some(name))) = sources.exported(file, export)
    {
        return Some((file, name));
    }
    declared(&module.body).find(|(name, _)| is_component(name)).map(|(name, _)| (file, name.to_string()))
}

/// A component file that is not a test.
pub(super) fn is_component_file(path: &str) -> bool {
    let name = crate::path::name(path);
    let is_other = [".test.", ".spec.", ".stories.", ".d."].iter().any(|part| name.contains(part));
    !is_other && [".tsx", ".jsx", ".js"].iter().any(|extension| name.ends_with(extension))
}

/// The file name without its extension; for an index file, the folder's name.
pub(super) fn name_of(path: &str) -> &str {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    match name.split_once('.').map_or(name, |(name, _)| name) {
        "index" => crate::path::name(folder),
        name => name,
    }
}

/// Normalises a name: `game-shelf` and `GameShelf` are equal.
pub(super) fn bare(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn has_root(sources: &Sources<'_>, file: FileId, key: &str) -> bool {
    let text = sources.text(file);
    if !text.contains(key) {
        return false;
    }
    match sources.parsed(file) {
        Parsed::Module(module) => declared(&module.body)
            .any(|(_, value)| function_of(value).is_some_and(|function| is_rooted(&function.body, key))),
        Parsed::Broken { .. } | Parsed::Unreadable => {
            let written =
                |name: &str| ['"', '\''].iter().any(|quote| text.contains(&format!("{name}={quote}{key}{quote}")));
            written("id") || written("data-section")
        }
        Parsed::Data(_) | Parsed::Foreign => false,
    }
}

/// The names that a module declares, with their values.
pub(super) fn declared(body: &[Statement]) -> impl Iterator<Item = (&Rc<str>, &Expression)> {
    body.iter().filter_map(|statement| match statement {
        Statement::Declare(Declaration { pattern: Pattern::Name(name), value: Some(value), .. }) => Some((name, value)),
        _ => None,
    })
}

/// A function, plain or wrapped: `memo(function Faq() { … })`.
pub(super) fn function_of(value: &Expression) -> Option<&Function> {
    match value {
        Expression::Function(function) => Some(function),
        Expression::Call(call) => call.arguments.iter().find_map(|argument| function_of(&argument.value)),
        _ => None,
    }
}

/// A statement returns an element with this `id` or `data-section`.
fn is_rooted(body: &[Statement], key: &str) -> bool {
    body.iter().any(|statement| match statement {
        Statement::Return(Some(value)) => is_root(value, key),
        Statement::If { then, otherwise, .. } => is_rooted(then, key) || is_rooted(otherwise, key),
        Statement::Block(body) | Statement::Each { body, .. } => is_rooted(body, key),
        _ => false,
    })
}

fn is_root(value: &Expression, key: &str) -> bool {
    match value {
        Expression::Element(element) if element.name.is_empty() => element.children.iter().any(|child| match child {
            Child::Expression(child, _) => is_root(child, key),
            Child::Text(_) => false,
        }),
        Expression::Element(element) => has_key(element, key),
        Expression::Choice(choice) => {
            let [_, then, otherwise] = &**choice;
            is_root(then, key) || is_root(otherwise, key)
        }
        Expression::And(sides) => {
            let [_, right] = &**sides;
            is_root(right, key)
        }
        _ => false,
    }
}

fn has_key(element: &Element, key: &str) -> bool {
    element.attributes.iter().any(|attribute| match attribute {
        Attribute::Named(name, Expression::Text(value), _) => {
            &**value == key && matches!(&**name, "id" | "data-section" | "sectionId" | "section")
        }
        _ => false,
    })
}
