//! Classifies tags.

use crate::js::tree::is_component;

/// Tags that are often repeated without being items.
const LOOSE: [&str; 40] = [
    "p", "span", "a", "button", "img", "input", "label", "br", "hr", "strong", "em", "small", "b", "i", "code", "td",
    "dd", "option", "svg", "path", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "Button", "Link",
    "Icon", "Input", "Text", "Heading", "Divider", "Spacer", "Image", "source",
];
/// Tags that are items if they are repeated.
const ITEMS: [&str; 9] = ["li", "article", "figure", "blockquote", "details", "tr", "dt", "fieldset", "picture"];
const CONTROLS: [&str; 5] = ["option", "button", "input", "label", "a"];

pub(super) fn is_heading(tag: &str) -> bool {
    matches!(tag, "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "Heading")
}

pub(super) fn is_loose(tag: &str) -> bool {
    LOOSE.contains(&tag)
}

pub(super) fn is_control(tag: &str) -> bool {
    CONTROLS.contains(&tag)
}

/// Elements with this tag are of one kind, even with different classes.
pub(crate) fn is_own_kind(tag: &str) -> bool {
    ITEMS.contains(&tag) || is_component(tag) && !is_loose(tag)
}
