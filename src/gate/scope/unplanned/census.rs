//! Every list of a project in one state: those that its components render, and those in its data.

use crate::gate::scope::evaluate::{Evaluator, List, Node, Record, Value, values};
use crate::gate::scope::lists::{self, ItemList};
use crate::gate::scope::locate::{declared, function_of, is_component_file, name_of};
use crate::gate::scope::part::count;
use crate::gate::scope::reach::Reached;
use crate::gate::scope::sources::{FileId, Sources};
use crate::gate::scope::vocabulary::has;
use crate::gate::scope::words::{stems, telling};
use crate::js::tree::{DEFAULT, Parsed, is_component};
use std::rc::Rc;

/// Maximum of components; a census with more is incomplete.
const MAX_COMPONENTS: usize = 400;
/// Maximum of lists; a census with more is incomplete.
const MAX_LISTS: usize = 400;
/// Maximum depth of a list in an object.
const MAX_DEPTH: u32 = 4;
/// Names of files and components that do not identify a section.
const STRUCTURE: &str = "\
    app main index home page screen view route section component feature list grid card item container layout wrapper \
    content data constant config src ui util lib default";

/// The lists of one state.
#[derive(Default)]
pub(super) struct Census {
    pub lists: Vec<ItemList>,
    /// Number of items in data that is not rendered.
    pub unrendered: usize,
    /// Stems of the names of lists whose items the sources do not show.
    pub open: Vec<String>,
    /// Stems of the names of files and components.
    pub places: Vec<String>,
    /// Number of elements that the components render.
    pub elements: usize,
    /// Of these, the ones outside of mapped lists.
    pub unmapped: usize,
    /// Files that do not parse: path, line and the parser's message.
    pub broken: Vec<(String, usize, String)>,
    /// Whether the census may miss lists.
    pub is_partial: bool,
}

/// A census that is being taken, file by file.
pub(super) struct Count<'s> {
    sources: &'s Sources<'s>,
    reached: Option<&'s Reached>,
    census: Census,
    rendered: Vec<ItemList>,
    data: Vec<ItemList>,
    components: usize,
}

impl<'s> Count<'s> {
    /// With `reached`, components that the page does not reach are left out.
    pub(super) fn new(sources: &'s Sources<'s>, reached: Option<&'s Reached>) -> Self {
        let (census, rendered, data, components) = Default::default();
        Self { sources, reached, census, rendered, data, components }
    }

    /// Adds the lists of a file.
    pub(super) fn add(&mut self, file: FileId) {
        let (sources, path) = (self.sources, self.sources.path(file));
        match sources.parsed(file) {
            Parsed::Broken { line, message } => self.census.broken.push((path.to_owned(), *line, message.clone())),
            Parsed::Unreadable => self.census.is_partial = true,
            Parsed::Module(module) if !is_test(path) => {
                let mut values = Evaluator::new(sources, Vec::new());
                for (name, value) in declared(&module.body) {
                    let is_code = function_of(value).is_some();
                    if is_code && is_component_file(path) && (is_component(name) || **name == *DEFAULT) {
                        self.components += 1;
                        self.census.places.extend(place(path, name));
                        let is_shown = self.reached.is_none_or(|reached| reached.contains(file, name));
                        if is_shown && self.components <= MAX_COMPONENTS {
                            self.render(file, name);
                        }
                    } else if !is_code {
                        collect(&values.of_module(file, name), sources, (file, name), MAX_DEPTH, &mut self.data);
                    }
                }
            }
            Parsed::Data(_) if !is_test(path) => {
                let value = Evaluator::new(sources, Vec::new()).module_value(file);
                collect(&value, sources, (file, ""), MAX_DEPTH, &mut self.data);
            }
            Parsed::Module(_) | Parsed::Data(_) | Parsed::Foreign => {}
        }
    }

    /// Adds the lists that a component renders, and counts its elements.
    fn render(&mut self, file: FileId, name: &str) {
        let sources = self.sources;
        let props = Value::Record(Rc::new(Record { is_open: true, ..Record::default() }));
        let nodes = Evaluator::new(sources, Vec::new()).render(file, name, props).unwrap_or_default();
        self.census.elements += count(&nodes);
        self.census.unmapped += unmapped(&nodes);
        for list in lists::lists(&nodes) {
            if list.items.is_empty() {
                let names = list.is_open.then_some(list.names).into_iter().flatten();
                self.census.open.extend(names);
            } else {
                self.rendered.push(rendered(list, sources, (sources.path(file), name)));
            }
        }
    }

    /// The census of the files that were added.
    pub(super) fn finish(self) -> Census {
        let Self { mut census, rendered, data, components, .. } = self;
        census.is_partial |= components > MAX_COMPONENTS || rendered.len() + data.len() > MAX_LISTS;
        census.take(rendered, data);
        census
    }
}

impl Census {
    /// Keeps each rendered list once, and the lists of data that is not rendered.
    fn take(&mut self, rendered: Vec<ItemList>, data: Vec<ItemList>) {
        let rendered = distinct(rendered);
        for list in distinct(data) {
            let is_rendered = |shown: &&ItemList| !list.origins.is_disjoint(&shown.origins);
            match rendered.iter().find(is_rendered) {
                Some(shown) => self.unrendered += list.items.len().saturating_sub(shown.items.len()),
                None => {
                    self.unrendered += list.items.len();
                    self.lists.push(list);
                }
            }
        }
        self.lists.extend(rendered);
    }
}

/// The number of elements outside of mapped lists.
fn unmapped(nodes: &[Node]) -> usize {
    let of = |node: &Node| match node {
        Node::Element(element) => 1 + element.content().map(|node| unmapped(std::slice::from_ref(node))).sum::<usize>(),
        Node::Each(_) | Node::Text(_) | Node::Opaque(_) => 0,
    };
    nodes.iter().map(of).sum()
}

fn is_test(path: &str) -> bool {
    let is_folder = |name: &str| matches!(name, "__tests__" | "__mocks__" | "test" | "tests" | "mocks" | "fixtures");
    path.split('/').any(is_folder) || [".test.", ".spec.", ".stories."].iter().any(|part| path.contains(part))
}

/// Stems of the names of a file and a component in it.
fn place(path: &str, component: &str) -> Vec<String> {
    let stems = stems(name_of(path)).into_iter().chain(stems(component));
    stems.filter(|stem| !has(STRUCTURE, stem)).collect()
}

/// Adds the lists in a value.
fn collect(value: &Value, sources: &Sources<'_>, at: (FileId, &str), depth: u32, found: &mut Vec<ItemList>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let (file, name) = at;
    match value {
        Value::List(list) => {
            found.extend(of_data(list, name, sources.path(file)));
        }
        Value::Record(record) => {
            let is_record = |value: &Value| matches!(value, Value::Record(_));
            if record.fields.len() > 1 && record.fields.iter().all(|field| is_record(&field.value)) {
                let Value::List(values) = values(value) else { return };
                found.extend(of_data(&values, name, sources.path(file)));
            }
            for field in &record.fields {
                collect(&field.value, sources, (file, &field.name), depth, found);
            }
        }
        _ => {}
    }
}

fn of_data(values: &List, name: &str, path: &str) -> Option<ItemList> {
    let mut list = lists::of_values(values);
    list.items.iter().find(|item| !item.identity.is_empty())?;
    let name = Rc::from(name);
    let names = values.names.iter().chain([&name]).filter(|name| !name.is_empty());
    list.called = names.clone().next().cloned();
    list.name(names);
    list.fields = Rc::default();
    list.surroundings = telling(place(path, ""));
    list.homes = vec![path.to_owned()];
    Some(list)
}

/// Removes lists that have the same items as another one, or a part of them.
fn distinct(found: Vec<ItemList>) -> Vec<ItemList> {
    let mut kept: Vec<ItemList> = Vec::new();
    for next in found.into_iter().take(MAX_LISTS) {
        match kept.iter_mut().find(|known| known.origins == next.origins) {
            Some(known) => known.take_names(next),
            None => kept.push(next),
        }
    }
    let is_part = |part: &ItemList| {
        kept.iter().any(|other| other.items.len() > part.items.len() && part.origins.is_subset(&other.origins))
    };
    let are_parts: Vec<bool> = kept.iter().map(is_part).collect();
    kept.into_iter().zip(are_parts).filter(|(_, is_part)| !is_part).map(|(list, _)| list).collect()
}

/// A list that a component renders, with the files of its items and of the component.
fn rendered(mut list: ItemList, sources: &Sources<'_>, (path, component): (&str, &str)) -> ItemList {
    list.homes = vec![path.to_owned()];
    let mut around = place(path, component);
    for origin in &list.origins {
        let path = sources.path(origin.file);
        if !list.homes.iter().any(|home| home == path) {
            list.homes.push(path.to_owned());
            around.extend(place(path, ""));
        }
    }
    list.surroundings = telling([list.surroundings, around].concat());
    list
}
