//! Finds the file and the component of a part of the plan.

use super::evaluate::{Element as Rendered, Evaluator, Node, Record, Value};
use super::sources::{FileId, Sources, is_markup};
use crate::js::tree::{
    Attribute, Child, DEFAULT, Declaration, Element, Expression, Function, Module, Pattern, Statement, is_component,
};
use crate::plan::Part;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Attributes with the key of a section.
const KEYS: [&str; 4] = ["id", "data-section", "sectionId", "section"];

/// Files of the page's root component.
const PAGES: [&str; 9] = [
    "src/App.tsx",
    "src/App.jsx",
    "src/App.js",
    "App.tsx",
    "src/App.vue",
    "src/App.svelte",
    "src/routes/+page.svelte",
    "src/pages/index.astro",
    "index.html",
];

/// The file of a part: the component file with its name; else the file whose root element has its key as `id` or
/// `data-section`; else the file with a component of its name; else the file named by key and kind, such as
/// `HeroSection`; else the file that renders the page's element with its key. A file that the page renders comes before
/// one that it does not.
pub(super) fn file(sources: &Sources<'_>, part: &Part) -> Option<FileId> {
    let key = bare(part.key());
    if key.is_empty() {
        return None;
    }
    let components = || sources.ids().filter(|file| is_component_file(sources.path(*file)));
    let is_unused = |file: &FileId| is_reached(sources, *file, part) == Some(false);
    let rank = |file: &FileId| {
        let path = sources.path(*file);
        let in_folder = |names: &[&str]| path.split('/').any(|folder| names.contains(&folder));
        let is_at_home = match part {
            Part::Section(_) => in_folder(&["sections", "section"]),
            Part::Screen(_) => in_folder(&["screens", "pages", "views", "routes", "screen"]),
        };
        let is_elsewhere = in_folder(&["data", "lib", "hooks", "test", "tests", "__tests__"]);
        (is_unused(file), is_elsewhere, !is_at_home, path.len())
    };
    let called = |name: &str| components().filter(|file| bare(name_of(sources.path(*file))) == name).min_by_key(rank);
    let kinds: &[&str] = match part {
        Part::Section(_) => &["section"],
        Part::Screen(_) => &["screen", "page", "view"],
    };
    let rooted = || components().filter(|file| has_root(sources, *file, part.key())).min_by_key(is_unused);
    let declared_in = || components().filter(|file| declares_component(sources, *file, &key)).min_by_key(rank);
    let suffixed = || kinds.iter().find_map(|kind| called(&(key.clone() + kind)));
    let index = || {
        let is_index =
            |file: &FileId| sources.path(*file).ends_with("/index.ts") && bare(name_of(sources.path(*file))) == key;
        let index = sources.ids().find(is_index)?;
        Some(declaring(sources, index, part)).filter(|file| *file != index)
    };
    let shown = || match part {
        Part::Section(key) => rendered_file(sources, key),
        Part::Screen(_) => None,
    };
    let mut unused = None;
    let ways: [&dyn Fn() -> Option<FileId>; 6] = [&|| called(&key), &rooted, &declared_in, &suffixed, &index, &shown];
    for way in ways {
        let Some(file) = way().map(|file| declaring(sources, file, part)) else { continue };
        if !is_unused(&file) {
            return Some(file);
        }
        unused = unused.or(Some(file));
    }
    unused
}

/// Whether the page reaches a part's component in this file; `None` if unknown.
pub(super) fn is_reached(sources: &Sources<'_>, file: FileId, part: &Part) -> Option<bool> {
    let (file, name) = component(sources, file, part)?;
    sources.reached().map(|reached| reached.contains(file, &name))
}

/// The file that declares a part's component, if the file with its name only re-exports it.
fn declaring(sources: &Sources<'_>, file: FileId, part: &Part) -> FileId {
    let passes_on = sources.module(file).is_some_and(|module| module.body.is_empty());
    match component(sources, file, part) {
        Some((declaring, _)) if passes_on => declaring,
        _ => file,
    }
}

fn declares_component(sources: &Sources<'_>, file: FileId, key: &str) -> bool {
    let declared = sources.module(file).into_iter().flat_map(|module| declared(&module.body));
    declared.into_iter().any(|(name, value)| is_component(name) && bare(name) == key && function_of(value).is_some())
}

/// The file that renders the page's element with this `id` or `data-section`. If the page passes it to a component, or
/// wraps only a component in it, the component's file.
fn rendered_file(sources: &Sources<'_>, key: &str) -> Option<FileId> {
    let page = page(sources)?;
    let mut element = with_key(sources.page_content()?, key)?;
    while element.origin.file == page {
        let mut content = element.content();
        let (Some(Node::Element(only)), None) = (content.next(), content.next()) else { break };
        element = only;
    }
    Some(element.origin.file)
}

/// What the page's root component renders.
pub(super) fn page_content(sources: &Sources<'_>) -> Option<Vec<Node>> {
    let (file, name) = component(sources, page(sources)?, &Part::Screen(String::new()))?;
    let unknown = Value::Record(Rc::new(Record { is_open: true, ..Record::default() }));
    Evaluator::new(sources, Vec::new()).render(file, &name, unknown)
}

/// The file of the page's root component.
pub(super) fn page(sources: &Sources<'_>) -> Option<FileId> {
    PAGES.iter().find_map(|path| sources.find(path))
}

/// The outermost element with this key.
pub(super) fn with_key<'n>(nodes: &'n [Node], key: &str) -> Option<&'n Rc<Rendered>> {
    nodes.iter().find_map(|node| {
        let Node::Element(element) = node else { return None };
        let has_key = |name: &str| element.text_attribute(name).is_some_and(|value| *value == *key);
        match KEYS.into_iter().any(has_key) {
            true => Some(element),
            false => element.content().find_map(|node| with_key(std::slice::from_ref(node), key)),
        }
    })
}

/// The main component of a part's file.
pub(super) fn component(sources: &Sources<'_>, file: FileId, part: &Part) -> Option<(FileId, String)> {
    let module = sources.module(file)?;
    if let Some((declaring, Some(name))) = sources.exported(file, DEFAULT) {
        let own = own_component(sources, file, part).filter(|_| declaring == file);
        return Some((declaring, own.unwrap_or(name)));
    }
    let keys = [bare(name_of(sources.path(file))), bare(part.key())];
    let names = sources.export_names(file);
    let exported = names.iter().filter(|name| is_component(name)).filter_map(|name| {
        let (file, own) = sources.exported(file, name)?;
        Some((name, file, own?))
    });
    let exported: Vec<(&String, FileId, String)> = exported.collect();
    // A constant such as `VENUES` has the form of a component's name.
    let code = || exported.iter().filter(|(_, file, name)| function(sources, *file, name).is_some());
    let is_rooted = |(_, file, name): &&(&String, FileId, String)| {
        function(sources, *file, name).is_some_and(|function| is_rooted(&function.body, part.key()))
    };
    let export = code().find(|(name, ..)| keys.contains(&bare(name))).or_else(|| code().find(is_rooted));
    if let Some((_, file, name)) = export.or_else(|| code().next()) {
        return Some((*file, name.clone()));
    }
    let mut own = declared(&module.body).filter(|(name, value)| is_component(name) && function_of(value).is_some());
    let own = own.next().map(|(name, _)| (file, name.to_string()));
    own.or_else(|| exported.into_iter().next().map(|(_, file, name)| (file, name)))
}

/// A part's component in a file that has another name and another default export, such as the file of its page.
fn own_component(sources: &Sources<'_>, file: FileId, part: &Part) -> Option<String> {
    let Part::Section(key) = part else { return None };
    let key_name = bare(key);
    if bare(name_of(sources.path(file))).starts_with(&key_name) {
        return None;
    }
    let (_, main) = sources.exported(file, DEFAULT)?;
    let is_root = |name: &str| function(sources, file, name).is_some_and(|function| is_rooted(&function.body, key));
    if main.as_deref().is_some_and(|main| bare(main) == key_name || is_root(main)) {
        return None;
    }
    let named =
        || declared(&sources.module(file)?.body).map(|(name, _)| name).find(|name| is_component(name) && is_root(name));
    let called = |(name, value): &(&Rc<str>, &Expression)| {
        is_component(name) && bare(name) == key_name && function_of(value).is_some()
    };
    let called = declared(&sources.module(file)?.body).find(called).map(|(name, _)| name);
    named().or(called).map(|name| name.to_string())
}

/// The function of a declared name, plain or wrapped.
fn function<'p>(sources: &'p Sources<'_>, file: FileId, name: &str) -> Option<&'p Function> {
    let mut declared = declared(&sources.module(file)?.body);
    declared.find(|(known, _)| ***known == *name).and_then(|(_, value)| function_of(value))
}

/// A component file that is not a test.
pub(super) fn is_component_file(path: &str) -> bool {
    let name = crate::path::name(path);
    let is_other = [".test.", ".spec.", ".stories.", ".d."].iter().any(|part| name.contains(part));
    !is_other && (is_markup(name) || [".tsx", ".jsx", ".js"].iter().any(|extension| name.ends_with(extension)))
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
    sources.root_keys(file).contains(key)
}

/// The keys of the elements that a module's functions return.
pub(super) fn root_keys(module: &Module) -> BTreeSet<Rc<str>> {
    let functions = declared(&module.body).filter_map(|(_, value)| function_of(value));
    functions.flat_map(|function| roots(&function.body)).flat_map(keys).cloned().collect()
}

/// The keys that a text without a tree has in quotes: `id="hero"`.
pub(super) fn written_keys(text: &str) -> BTreeSet<Rc<str>> {
    let written = ["id=", "data-section="]
        .into_iter()
        .flat_map(|name| text.match_indices(name).map(move |(at, _)| at + name.len()));
    let keys = written.filter_map(|at| {
        let value = text.get(at..)?;
        let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        value[1..].lines().next()?.split_once(quote).map(|(key, _)| Rc::from(key))
    });
    keys.collect()
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
    roots(body).into_iter().flat_map(keys).any(|known| **known == *key)
}

/// The elements that statements return; for a fragment, its children.
fn roots(body: &[Statement]) -> Vec<&Element> {
    let roots = body.iter().map(|statement| match statement {
        Statement::Return(Some(value)) => roots_of(value),
        Statement::If { then, otherwise, .. } => [roots(then), roots(otherwise)].concat(),
        Statement::Block(body) | Statement::Each { body, .. } => roots(body),
        _ => Vec::new(),
    });
    roots.flatten().collect()
}

fn roots_of(value: &Expression) -> Vec<&Element> {
    match value {
        Expression::Element(element) if element.name.is_empty() => {
            let children = element.children.iter().filter_map(|child| match child {
                Child::Expression(child, _) => Some(roots_of(child)),
                Child::Text(_) => None,
            });
            children.flatten().collect()
        }
        Expression::Element(element) => vec![element],
        Expression::Choice(choice) => {
            let [_, then, otherwise] = &**choice;
            [roots_of(then), roots_of(otherwise)].concat()
        }
        Expression::And(sides) => {
            let [_, right] = &**sides;
            roots_of(right)
        }
        _ => Vec::new(),
    }
}

/// The values of an element's attributes that name a section.
fn keys(element: &Element) -> impl Iterator<Item = &Rc<str>> {
    element.attributes.iter().filter_map(|attribute| match attribute {
        Attribute::Named(name, Expression::Text(value), _) if KEYS.contains(&&**name) => Some(value),
        _ => None,
    })
}
