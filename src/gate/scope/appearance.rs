//! The rendered content of a part as one string, to detect new content.

use super::evaluate::{Element, Entry, Node, Value};
use super::vocabulary::has;

/// The rendered content, including the code of handlers.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Appearance {
    pub shown: String,
    pub with_code: String,
}

/// Attributes without a visible effect.
const UNSEEN: &str = "key ref children";

impl Appearance {
    pub(super) fn from_nodes(nodes: &[Node]) -> Self {
        let write = |has_code: bool| {
            let mut writer = Writer { text: String::new(), has_code };
            nodes.iter().for_each(|node| writer.node(node));
            writer.text
        };
        Self { shown: write(false), with_code: write(true) }
    }
}

struct Writer {
    text: String,
    has_code: bool,
}

impl Writer {
    fn node(&mut self, node: &Node) {
        match node {
            Node::Text(text) => self.text(text),
            Node::Element(element) => self.element(element),
            Node::Each(each) => {
                if each.is_reordered {
                    self.text.push_str("<in another order>");
                }
                each.entries.iter().flat_map(Entry::nodes).for_each(|node| self.node(node));
            }
            Node::Opaque(code) => {
                self.text.push('{');
                self.text.push_str(code);
                self.text.push('}');
            }
        }
    }

    /// Writes text. Line breaks and node boundaries are ignored.
    fn text(&mut self, text: &str) {
        self.text.extend(text.chars().filter(|letter| !letter.is_whitespace()));
    }

    fn element(&mut self, element: &Element) {
        // A component of the project is replaced by its elements.
        let is_transparent = element.is_known && !element.inside.is_empty();
        if !is_transparent {
            self.text.push('<');
            self.text.push_str(&element.tag);
            let mut attributes: Vec<String> = Vec::new();
            for (name, value) in &element.attributes {
                let mut written = String::new();
                if !has(UNSEEN, name) && write_value(value, &mut written) {
                    attributes.push(format!(" {name}={written}"));
                }
            }
            attributes.sort();
            attributes.iter().for_each(|attribute| self.text.push_str(attribute));
        }
        for (name, code) in &element.unread {
            let is_handler = name.strip_prefix("on").is_some_and(|rest| rest.starts_with(char::is_uppercase));
            let is_seen = !is_handler && !is_transparent && !has(UNSEEN, name);
            if is_seen || self.has_code {
                self.text.push_str(&format!(" {name}={code}"));
            }
        }
        if !is_transparent {
            self.text.push('>');
        }
        element.content().for_each(|node| self.node(node));
        if !is_transparent {
            self.text.push_str("</>");
        }
    }
}

/// Writes what an attribute's value shows. Returns whether it shows anything.
fn write_value(value: &Value, into: &mut String) -> bool {
    match value {
        Value::Boolean(false) | Value::Nothing | Value::Unknown | Value::Function(_) => return false,
        Value::Boolean(true) => into.push_str("true"),
        Value::Text(_) | Value::Number(_) => {
            let words = value.as_text();
            let words: Vec<&str> = words.iter().flat_map(|text| text.split_whitespace()).collect();
            into.push_str(&words.join(" "));
        }
        Value::List(list) => {
            into.push('[');
            for entry in list.entries.iter() {
                write_value(&entry.value, into);
                into.push(',');
            }
            into.push(']');
        }
        Value::Record(record) => {
            into.push('{');
            for field in &record.fields {
                into.push_str(&field.name);
                into.push(':');
                write_value(&field.value, into);
                into.push(',');
            }
            into.push('}');
        }
        Value::Nodes(nodes) => into.push_str(&Appearance::from_nodes(nodes).shown),
        Value::Module(_) | Value::Translate(_) => into.push('?'),
    }
    true
}
