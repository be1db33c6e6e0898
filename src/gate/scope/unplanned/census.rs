//! Every list of a project in one state: those that its components render, and those in its data.

use crate::gate::scope::evaluate::{Evaluator, Identity, Origin, Record, Value};
use crate::gate::scope::identity;
use crate::gate::scope::lists::{self, Item, ItemList, Kind};
use crate::gate::scope::locate::is_component_file;
use crate::gate::scope::part::count;
use crate::gate::scope::reach::Reached;
use crate::gate::scope::sources::{FileId, Sources};
use crate::gate::scope::words::{stems, telling};
use crate::js::tree::Parsed;
use crate::js::tree::{DEFAULT, Declaration, Expression, Pattern, Statement, is_component};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Maximum of components; a census with more is incomplete.
const MAX_COMPONENTS: usize = 400;
/// Maximum of lists; a census with more is incomplete.
const MAX_LISTS: usize = 400;
/// Maximum depth of a list in an object.
const MAX_DEPTH: u32 = 4;
/// Names of files and components that do not identify a section.
const STRUCTURE: [&str; 27] = [
    "app",
    "main",
    "index",
    "home",
    "page",
    "screen",
    "view",
    "route",
    "section",
    "component",
    "feature",
    "list",
    "grid",
    "card",
    "item",
    "container",
    "layout",
    "wrapper",
    "content",
    "data",
    "constant",
    "config",
    "src",
    "ui",
    "util",
    "lib",
    "default",
];

/// The lists of one state.
#[derive(Default)]
pub(super) struct Census {
    pub lists: Vec<ItemList>,
    /// For each list, the files that hold its items or the components that render it.
    pub homes: Vec<Vec<String>>,
    /// Number of items in data that is not rendered.
    pub unrendered: usize,
    /// Stems of the names of lists whose items the sources do not show.
    pub open: Vec<String>,
    /// Stems of the names of files and components.
    pub places: Vec<String>,
    /// Number of elements that the components render.
    pub elements: usize,
    /// Files that do not parse: path, line and the parser's message.
    pub broken: Vec<(String, usize, String)>,
    /// Whether the census may miss lists.
    pub is_partial: bool,
}

/// A list and the places of its items.
struct Found {
    list: ItemList,
    origins: BTreeSet<Origin>,
    homes: Vec<String>,
}

impl Census {
    /// Takes the census. With `reached`, components that the page does not reach are left out.
    pub(super) fn of(sources: &Sources<'_>, reached: Option<&Reached>) -> Self {
        let mut census = Self::default();
        let (mut rendered, mut data) = (Vec::new(), Vec::new());
        let mut components = 0;
        for file in sources.ids() {
            let path = sources.path(file);
            match sources.parsed(file) {
                Parsed::Broken { line, message } => census.broken.push((path.to_owned(), *line, message.clone())),
                Parsed::Unreadable => census.is_partial = true,
                Parsed::Module(module) if !is_test(path) => {
                    let mut values = Evaluator::new(sources, Vec::new());
                    for Declared { name, is_code } in declared(&module.body) {
                        if is_code && is_component_file(path) && (is_component(name) || name == DEFAULT) {
                            components += 1;
                            census.places.extend(place(path, name));
                            let is_shown = reached.is_none_or(|reached| reached.contains(file, name));
                            if is_shown && components <= MAX_COMPONENTS {
                                census.render(sources, file, name, &mut rendered);
                            }
                        } else if !is_code {
                            collect(&values.of_module(file, name), sources, (file, name), MAX_DEPTH, &mut data);
                        }
                    }
                }
                Parsed::Data(_) if !is_test(path) => {
                    let value = Evaluator::new(sources, Vec::new()).module_value(file);
                    collect(&value, sources, (file, ""), MAX_DEPTH, &mut data);
                }
                Parsed::Module(_) | Parsed::Data(_) | Parsed::Foreign => {}
            }
        }
        census.is_partial |= components > MAX_COMPONENTS || rendered.len() + data.len() > MAX_LISTS;
        census.take(rendered, data);
        census
    }

    /// Adds the lists that a component renders, and counts its elements.
    fn render(&mut self, sources: &Sources<'_>, file: FileId, name: &str, found: &mut Vec<Found>) {
        let props = Value::Record(Rc::new(Record { is_open: true, ..Record::default() }));
        let nodes = Evaluator::new(sources, Vec::new()).render(file, name, props).unwrap_or_default();
        self.elements += count(&nodes);
        for list in lists::lists(&nodes) {
            if list.items.is_empty() {
                let names = list.is_open.then_some(list.names).into_iter().flatten();
                self.open.extend(names);
            } else {
                found.push(Found::rendered(list, sources, (sources.path(file), name)));
            }
        }
    }

    /// Keeps each rendered list once, and the lists of data that is not rendered.
    fn take(&mut self, rendered: Vec<Found>, data: Vec<Found>) {
        let rendered = distinct(rendered);
        let data = distinct(data);
        for Found { list, homes, origins } in data {
            let is_rendered = |found: &&Found| origins.iter().any(|origin| found.origins.contains(origin));
            match rendered.iter().find(is_rendered) {
                Some(shown) => self.unrendered += origins.len().saturating_sub(shown.origins.len()),
                None => {
                    self.unrendered += list.items.len();
                    self.lists.push(list);
                    self.homes.push(homes);
                }
            }
        }
        for Found { list, homes, .. } in rendered {
            self.lists.push(list);
            self.homes.push(homes);
        }
    }
}

fn is_test(path: &str) -> bool {
    let is_folder = |name: &str| matches!(name, "__tests__" | "__mocks__" | "test" | "tests" | "mocks" | "fixtures");
    path.split('/').any(is_folder) || [".test.", ".spec.", ".stories."].iter().any(|part| path.contains(part))
}

struct Declared<'t> {
    name: &'t str,
    is_code: bool,
}

fn declared(body: &[Statement]) -> impl Iterator<Item = Declared<'_>> {
    body.iter().filter_map(|statement| match statement {
        Statement::Declare(Declaration { pattern: Pattern::Name(name), value: Some(value), .. }) => {
            Some(Declared { name, is_code: is_code(value) })
        }
        _ => None,
    })
}

/// A function, plain or wrapped as in `memo(() => …)`.
fn is_code(value: &Expression) -> bool {
    match value {
        Expression::Function(_) => true,
        Expression::Call(call) => call.arguments.iter().any(|argument| is_code(&argument.value)),
        _ => false,
    }
}

/// Stems of the names of a file and a component in it.
fn place(path: &str, component: &str) -> Vec<String> {
    let file = crate::path::name(path);
    let file = file.split_once('.').map_or(file, |(name, _)| name);
    let file = if file == "index" { path.rsplit('/').nth(1).unwrap_or_default() } else { file };
    let stems = stems(file).into_iter().chain(stems(component));
    stems.filter(|stem| !STRUCTURE.contains(&stem.as_str())).collect()
}

/// Adds the lists in a value.
fn collect(value: &Value, sources: &Sources<'_>, at: (FileId, &str), depth: u32, found: &mut Vec<Found>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let (file, name) = at;
    match value {
        Value::List(list) => {
            let items = list.entries.iter().map(|entry| (entry.identity.clone(), entry.origin));
            let items: Vec<(Identity, Origin)> = items.collect();
            let names: Vec<Rc<str>> = list.names.iter().cloned().chain([Rc::from(name)]).collect();
            found.extend(of_data(items, &names, sources.path(file), list.is_open));
        }
        Value::Record(record) => {
            let is_record = |value: &Value| matches!(value, Value::Record(_));
            if record.fields.len() > 1 && record.fields.iter().all(|field| is_record(&field.value)) {
                let items = record.fields.iter().map(|field| {
                    let key = Rc::new(vec![(Rc::from("key"), field.name.clone())]);
                    (identity::join(&key, &identity::of_value(&field.value)), field.origin)
                });
                let items: Vec<(Identity, Origin)> = items.collect();
                found.extend(of_data(items, &[Rc::from(name)], sources.path(file), record.is_open));
            }
            for field in &record.fields {
                collect(&field.value, sources, (file, &field.name), depth, found);
            }
        }
        _ => {}
    }
}

fn of_data(items: Vec<(Identity, Origin)>, names: &[Rc<str>], path: &str, is_open: bool) -> Option<Found> {
    if !items.iter().any(|(identity, _)| !identity.is_empty()) {
        return None;
    }
    let items: Vec<Item> = items.into_iter().map(|(identity, origin)| Item { identity, origin }).collect();
    let values = items.iter().flat_map(|item| item.identity.iter().map(|(_, value)| value.clone())).collect();
    let origins = items.iter().map(|item| item.origin).collect();
    let list = ItemList {
        kind: Kind::Mapped,
        is_nested: false,
        is_open,
        items,
        values,
        tag: Rc::from(""),
        called: names.iter().find(|name| !name.is_empty()).cloned(),
        names: telling(names.iter().flat_map(|name| stems(name)).collect()),
        nouns: names.iter().filter_map(|name| telling(stems(name)).pop()).collect(),
        shape: Vec::new(),
        fields: Rc::default(),
        surroundings: telling(place(path, "")),
        parts: Vec::new(),
    };
    Some(Found { list, origins, homes: vec![path.to_owned()] })
}

/// Removes lists that have the same items as another one, or a part of them.
fn distinct(found: Vec<Found>) -> Vec<Found> {
    let mut kept: Vec<Found> = Vec::new();
    for next in found.into_iter().take(MAX_LISTS) {
        match kept.iter_mut().find(|known| known.origins == next.origins) {
            Some(known) => known.join(next),
            None => kept.push(next),
        }
    }
    let is_part = |at: usize| {
        let Some(part) = kept.get(at) else { return false };
        let contains_it = |other: &Found| {
            other.origins.len() > part.origins.len() && part.origins.iter().all(|origin| other.origins.contains(origin))
        };
        kept.iter().any(contains_it)
    };
    let are_parts: Vec<bool> = (0..kept.len()).map(is_part).collect();
    kept.into_iter().zip(are_parts).filter(|(_, is_part)| !is_part).map(|(found, _)| found).collect()
}

impl Found {
    /// A list that a component renders, with the files of its items and of the component.
    fn rendered(mut list: ItemList, sources: &Sources<'_>, (path, component): (&str, &str)) -> Self {
        let origins: BTreeSet<Origin> = list.items.iter().map(|item| item.origin).collect();
        let mut homes = vec![path.to_owned()];
        let mut around = place(path, component);
        for origin in origins.iter() {
            let path = sources.path(origin.file);
            if !homes.iter().any(|home| home == path) {
                homes.push(path.to_owned());
                around.extend(place(path, ""));
            }
        }
        list.surroundings = telling([list.surroundings, around].concat());
        Self { list, origins, homes }
    }

    /// Whether both have the same items.
    fn join(&mut self, other: Self) {
        let list = &mut self.list;
        list.kind = list.kind.max(other.list.kind);
        list.is_nested &= other.list.is_nested;
        list.is_open &= other.list.is_open;
        list.called = list.called.take().or(other.list.called);
        list.names = telling([std::mem::take(&mut list.names), other.list.names].concat());
        list.nouns = telling([std::mem::take(&mut list.nouns), other.list.nouns].concat());
        list.surroundings = telling([std::mem::take(&mut list.surroundings), other.list.surroundings].concat());
        self.homes.extend(other.homes.into_iter().filter(|home| !self.homes.contains(home)).collect::<Vec<_>>());
    }
}
