//! Identifies items, and decides whether an item is still there.

use super::evaluate::{Element, Entry, Identity, Node, Value};
use super::vocabulary::has;
use std::rc::Rc;

/// Fields that identify an item.
const FIELDS: &str = "id _id key name title slug no nr plate code sku ref uid uuid handle isbn barcode";
/// Attributes that identify an item without such a field.
const OTHER_ATTRIBUTES: &str = "label heading question author term caption headline value href to src alt";
/// The field for the text at an item's start.
const LEAD: &str = "lead";
/// Elements that contain an item's name.
const HEADINGS: &str = "h1 h2 h3 h4 h5 h6 summary dt figcaption cite legend th strong b caption time td";
/// Longer text is prose: rewording it does not replace the item.
const MAX_NAME_CHARS: usize = 60;
/// Maximum of names in a sentence.
const MAX_NAMES: usize = 6;

/// The identity of a value: its identifying fields, or the value itself.
pub(super) fn of_value(value: &Value) -> Identity {
    match value {
        Value::Record(record) => {
            let named = record.fields.iter().filter(|field| has(FIELDS, &field.name));
            let values = named.filter_map(|field| Some((field.name.clone(), short(&field.value)?)));
            Rc::new(values.collect())
        }
        // A row: `['Espresso', 2.4]`.
        Value::List(row) => match row.entries.first() {
            Some(Entry { value: first @ Value::Text(_), .. }) => of_value(first),
            _ => Identity::default(),
        },
        value => short(value).map(|text| of_field("", text)).unwrap_or_default(),
    }
}

/// An identity of one field.
pub(super) fn of_field(field: &str, value: Rc<str>) -> Identity {
    Rc::new(vec![(field.into(), value)])
}

/// The identity from a helper's first argument.
pub(super) fn of_argument(value: &Value) -> Identity {
    match value {
        Value::Record(_) => of_value(value),
        value => short(value).map(|text| of_field("argument", text)).unwrap_or_default(),
    }
}

/// The union of both identities.
pub(super) fn join(left: &Identity, right: &Identity) -> Identity {
    if right.is_empty() {
        return left.clone();
    }
    let mut joined = (**left).clone();
    for pair in right.iter() {
        if !joined.contains(pair) {
            joined.push(pair.clone());
        }
    }
    Rc::new(joined)
}

/// The identity of a mapped item: its own, or its React key, heading or text.
pub(super) fn of_row(row: &Entry) -> Identity {
    if !row.identity.is_empty() {
        return row.identity.clone();
    }
    let root = row.nodes().iter().find_map(|node| match node {
        Node::Element(element) => Some(element),
        _ => None,
    });
    let key = root.and_then(|root| root.attribute("key")).filter(|key| matches!(key, Value::Text(_)));
    match key.and_then(short) {
        Some(key) if !is_numbered(&key, row.origin.index) => of_field("key", key),
        _ => root.map(|root| of_element(root)).unwrap_or_default(),
    }
}

/// The identity of an element among its siblings: an identifying attribute, its heading, or its text.
pub(super) fn of_element(element: &Element) -> Identity {
    // A numeric React key is an index, not a name.
    let is_place = |name: &str, value: &Value| name == "key" && !matches!(value, Value::Text(_));
    let named = element
        .attributes
        .iter()
        .filter(|(name, value)| has(FIELDS, name) && &**name != "ref" && !is_place(name, value));
    let values: Vec<(Rc<str>, Rc<str>)> =
        named.filter_map(|(name, value)| Some((name.clone(), short(value)?))).collect();
    if values.iter().any(|(name, _)| matches!(&**name, "name" | "title")) {
        return Rc::new(values);
    }
    // A record passed as a prop identifies the item.
    let handed = element.attributes.iter().filter(|(_, value)| matches!(value, Value::Record(_)));
    let values = Rc::new(values);
    let record = handed.fold(Identity::default(), |record, (_, value)| join(&record, &of_value(value)));
    if !record.is_empty() {
        return join(&values, &record);
    }
    let heading = heading(element.children.iter().chain(&element.inside));
    let text = heading
        .or_else(|| text_of(element.children.iter()))
        .or_else(|| OTHER_ATTRIBUTES.split(' ').find_map(|name| short(element.attribute(name)?)))
        .or_else(|| text_of(element.inside.iter()));
    // The text before the first child element was the complete text before the children were added.
    let has_children = element.content().nth(1).is_some();
    let lead =
        has_children.then(|| text_of(element.content().take(1))).flatten().filter(|lead| text != Some(lead.clone()));
    let named = text.map(|text| ("text".into(), text)).into_iter().chain(lead.map(|lead| (LEAD.into(), lead)));
    join(&values, &Rc::new(named.collect()))
}

fn heading<'n>(nodes: impl Iterator<Item = &'n Node>) -> Option<Rc<str>> {
    for node in nodes {
        let Node::Element(element) = node else { continue };
        let is_heading = has(HEADINGS, &element.tag) || {
            let tag = element.tag.rsplit('.').next().unwrap_or_default();
            ["Title", "Heading", "Name"].iter().any(|ending| tag.ends_with(ending))
        };
        if is_heading {
            // A child element, such as a badge, is not part of the name.
            let own = text_of(element.content().filter(|node| matches!(node, Node::Text(_))));
            if let Some(text) = own.or_else(|| text_of(element.content())) {
                return Some(text);
            }
        }
        if let Some(found) = heading(element.children.iter().chain(&element.inside)) {
            return Some(found);
        }
    }
    None
}

/// Both have a field with the same value.
pub(super) fn is_one(left: &Identity, right: &Identity) -> bool {
    left.iter().any(|pair| &*pair.0 != LEAD && right.contains(pair))
}

/// No field has another value.
pub(super) fn agree(left: &Identity, right: &Identity) -> bool {
    left.iter().all(|pair| right.contains(pair) || right.iter().all(|(field, _)| *field != pair.0))
}

/// Both have the same name.
pub(super) fn is_called_alike(left: &Identity, right: &Identity) -> bool {
    label(left).is_some_and(|name| label(right) == Some(name))
}

fn text_of<'n>(nodes: impl Iterator<Item = &'n Node>) -> Option<Rc<str>> {
    let mut text = String::new();
    nodes.for_each(|node| node.write_text(&mut text));
    name(&text)
}

/// Items that are missing after the task. An item is missing if all its names are gone, or if one name is gone and the
/// item with its other names has a new one instead.
pub(super) fn gone<'i>(before: &'i [Identity], after: &[Identity]) -> Vec<&'i Identity> {
    let is_value = |value: &str| after.iter().any(|item| item.iter().any(|(_, known)| **known == *value));
    let stays = |field: &str, value: &str| is_value(value) || field == "text" && begins_with_a_name(value, after);
    let is_gone = |item: &&Identity| {
        let names = || item.iter().filter(|(name, _)| &**name != LEAD);
        let lost: Vec<&(Rc<str>, Rc<str>)> = names().filter(|(name, value)| !stays(name, value)).collect();
        if lost.len() == names().count() {
            return !lost.is_empty();
        }
        let successors = after.iter().filter(|_| !lost.is_empty());
        let successors = successors.filter(|other| other.iter().any(|pair| item.contains(pair)));
        let mut names = successors.flat_map(|other| other.iter()).map(|(name, _)| name);
        names.any(|name| lost.iter().any(|(lost, _)| lost == name))
    };
    before.iter().filter(is_gone).collect()
}

/// An item identified by its complete text may be identified by a name at the start of that text after the task.
fn begins_with_a_name(text: &str, items: &[Identity]) -> bool {
    let names = items.iter().flat_map(|item| item.iter()).filter(|(field, _)| &**field != "text");
    names.filter_map(|(_, name)| text.strip_prefix(&**name)).any(|rest| !rest.starts_with(char::is_alphanumeric))
}

/// The name of an item in a message.
pub(super) fn label(identity: &Identity) -> Option<Rc<str>> {
    let named = |wanted: &str| identity.iter().find(|(name, _)| &**name == wanted);
    let pair = named("name").or_else(|| named("title")).or_else(|| named("text")).or_else(|| identity.first());
    pair.map(|(_, value)| value.clone())
}

/// Names in a sentence: the first ones in quotes, and the number of the others.
pub(super) fn listed(names: &[String]) -> String {
    crate::text::listed(&names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>(), MAX_NAMES)
}

fn short(value: &Value) -> Option<Rc<str>> {
    value.as_text().and_then(|text| name(&text))
}

/// Text that can be a name, with white space collapsed.
fn name(text: &str) -> Option<Rc<str>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    (!text.is_empty() && text.chars().count() <= MAX_NAME_CHARS).then(|| text.into())
}

/// A key made from the item's index.
fn is_numbered(key: &str, index: u32) -> bool {
    key.parse::<f64>().is_ok() || index > 0 && key.ends_with(&index.to_string())
}
