//! What a component renders, as a tree of elements.

use super::value::{Entry, List, Origin, Value};
use std::rc::Rc;

/// A rendered node. Conditional content is included.
#[derive(Debug, Clone)]
pub(crate) enum Node {
    Text(Rc<str>),
    Element(Rc<Element>),
    /// A mapped list. The value of each item is what is rendered for it.
    Each(Rc<List>),
    /// Something the sources do not show, as source text.
    Opaque(Rc<str>),
}

/// An element of HTML or a component.
#[derive(Debug)]
pub(crate) struct Element {
    pub tag: Rc<str>,
    pub attributes: Vec<(Rc<str>, Value)>,
    /// Attributes with unknown values, as source text.
    pub unread: Vec<(Rc<str>, Rc<str>)>,
    pub children: Vec<Node>,
    /// What the component renders, if its source is in the project.
    pub inside: Vec<Node>,
    /// The component's source is in the project.
    pub is_known: bool,
    pub origin: Origin,
}

impl Element {
    pub(crate) fn attribute(&self, name: &str) -> Option<&Value> {
        self.attributes.iter().rev().find(|(known, _)| &**known == name).map(|(_, value)| value)
    }

    pub(crate) fn text_attribute(&self, name: &str) -> Option<Rc<str>> {
        self.attribute(name)?.as_text().filter(|text| !text.trim().is_empty())
    }

    /// The children, and the component's content unless that includes the children.
    pub(crate) fn content(&self) -> impl Iterator<Item = &Node> {
        let shown = self.children.iter().filter_map(Node::origin).any(|child| contains(&self.inside, child));
        let children: &[Node] = if shown { &[] } else { &self.children };
        self.inside.iter().chain(children)
    }
}

impl Node {
    /// The nodes of a value.
    pub(crate) fn from_value(value: &Value) -> Vec<Node> {
        match value {
            Value::Unknown => vec![Node::Opaque(Rc::from(""))],
            Value::Text(_) | Value::Number(_) => value.as_text().map(Node::Text).into_iter().collect(),
            Value::Nodes(nodes) => (**nodes).clone(),
            Value::List(list) => {
                let rows =
                    list.entries.iter().map(|entry| entry.with(Value::Nodes(Rc::new(Node::from_value(&entry.value)))));
                let rows = rows.filter(|row| !row.nodes().is_empty()).collect();
                vec![Node::Each(Rc::new(list.with_entries(rows)))]
            }
            _ => Vec::new(),
        }
    }

    fn origin(&self) -> Option<Origin> {
        match self {
            Node::Element(element) => Some(element.origin),
            Node::Each(each) => each.entries.first().map(|row| row.origin),
            Node::Text(_) | Node::Opaque(_) => None,
        }
    }

    /// Writes the rendered text, including the text of descendants.
    pub(crate) fn write_text(&self, into: &mut String) {
        match self {
            Node::Text(text) => {
                if !into.is_empty() {
                    into.push(' ');
                }
                into.push_str(text.trim());
            }
            Node::Element(element) => element.content().for_each(|node| node.write_text(into)),
            Node::Each(each) => each.entries.iter().flat_map(Entry::nodes).for_each(|node| node.write_text(into)),
            Node::Opaque(_) => {}
        }
    }
}

fn contains(nodes: &[Node], origin: Origin) -> bool {
    nodes.iter().any(|node| {
        node.origin() == Some(origin)
            || match node {
                Node::Element(element) => contains(&element.inside, origin) || contains(&element.children, origin),
                Node::Each(each) => each.entries.iter().any(|row| contains(row.nodes(), origin)),
                Node::Text(_) | Node::Opaque(_) => false,
            }
    })
}
