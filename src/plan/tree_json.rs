//! The tree of a plan as JSON text, directly from its elements.
//!
//! An editor validates at every keystroke, and the tree is most of the report. Writing it takes a third of the time of
//! building and serializing a [`PlanNode`](super::PlanNode).

use super::position::Positions;
use super::tree::{AttributeValue, Element};
use serde::Serialize;
use std::fmt::Write;
use std::iter::Peekable;
use std::slice;

/// The JSON text of the [`PlanNode`](super::PlanNode) of these elements, with the props in source order.
pub(super) fn tree_json(elements: &[Element<'_>], positions: &Positions<'_>) -> String {
    let mut json = String::with_capacity(elements.len() * 128);
    match elements {
        [] => json.push_str("null"),
        elements => write_node(&mut json, &mut elements.iter().peekable(), positions),
    }
    json
}

/// Writes the next element with its descendants.
fn write_node(json: &mut String, elements: &mut Peekable<slice::Iter<'_, Element<'_>>>, positions: &Positions<'_>) {
    let Some(element) = elements.next() else { return };
    json.push_str("{\"component\":");
    write_text(json, &element.name);
    json.push_str(",\"props\":{");
    let mut is_first = true;
    for attribute in element.attributes.iter().filter(|attribute| attribute.is_literal()) {
        separate(json, &mut is_first);
        write_text(json, attribute.name);
        json.push(':');
        match &attribute.value {
            AttributeValue::Text(text) => write_text(json, text),
            AttributeValue::Literal(value) => write_value(json, value),
            AttributeValue::Dynamic | AttributeValue::Spread => {}
        }
    }
    json.push_str("},\"children\":[");
    let mut is_first = true;
    while elements.peek().is_some_and(|next| next.level > element.level) {
        separate(json, &mut is_first);
        write_node(json, elements, positions);
    }
    let (line, column) = positions.at(element.place.start);
    // Writing to a string does not fail.
    let _ = write!(json, "],\"line\":{line},\"column\":{column}}}");
}

fn separate(json: &mut String, is_first: &mut bool) {
    if !std::mem::take(is_first) {
        json.push(',');
    }
}

fn write_text(json: &mut String, text: &str) {
    if text.bytes().any(|byte| byte < b' ' || matches!(byte, b'"' | b'\\')) {
        return write_value(json, text);
    }
    json.push('"');
    json.push_str(text);
    json.push('"');
}

/// Writes a text or a prop; serializing these does not fail.
fn write_value(json: &mut String, value: &(impl Serialize + ?Sized)) {
    json.push_str(&serde_json::to_string(value).unwrap_or_default());
}
