//! The tree of a plan, written by the parser and read by the checks.

use super::language::{self, Component, equal};
use super::report::PropValue;
use std::borrow::Cow;
use std::ptr;

/// A byte range of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub start: u32,
    pub end: u32,
}

/// The elements in source order, each before its descendants. The first is the root.
#[derive(Debug, Default)]
pub(super) struct Tree<'s> {
    pub elements: Vec<Element<'s>>,
    /// Child expressions in braces that are neither literals nor comments.
    pub unreadable: Vec<Place>,
    /// Comments in braces between tags.
    pub comments: Vec<Comment<'s>>,
}

#[derive(Debug)]
pub(super) struct Element<'s> {
    /// The tag; `Nav.Item` becomes `NavItem`.
    pub name: Cow<'s, str>,
    /// `None` for an unknown tag.
    pub component: Option<&'static Component>,
    /// From the `<` to the end of the tag name.
    pub place: Place,
    /// Offset after the `>` of the opening tag.
    pub opening_end: u32,
    /// Offset after the element.
    pub end: u32,
    /// Whether it is self-closing.
    pub closes_itself: bool,
    /// Unique by name; the last duplicate wins.
    pub attributes: Vec<Attribute<'s>>,
    /// The enclosing element; fragments are not in the tree.
    pub parent: Option<usize>,
    /// The root has level 1.
    pub level: u32,
}

#[derive(Debug)]
pub(super) struct Attribute<'s> {
    /// Empty for a spread.
    pub name: &'s str,
    pub place: Place,
    pub value: AttributeValue<'s>,
}

#[derive(Debug)]
pub(super) enum AttributeValue<'s> {
    /// Usually borrowed from the source.
    Text(Cow<'s, str>),
    /// Any other literal.
    Literal(PropValue),
    /// An expression whose value only running it would give.
    Dynamic,
    /// `{...props}`.
    Spread,
}

/// A comment in braces between tags.
#[derive(Debug)]
pub(super) struct Comment<'s> {
    /// Without the delimiters.
    pub text: &'s str,
    /// Offset of the text.
    pub start: u32,
    /// The element that contains the braces.
    pub parent: usize,
}

impl<'s> Tree<'s> {
    pub(super) fn root(&self) -> Option<&Element<'s>> {
        self.elements.first()
    }

    /// The elements of a component, with their indices.
    pub(super) fn named(&self, component: &str) -> impl Iterator<Item = (usize, &Element<'s>)> {
        let component = language::find(component).map(ptr::from_ref);
        self.elements.iter().enumerate().filter(move |(_, element)| element.component.map(ptr::from_ref) == component)
    }

    /// The ancestors of the element at `index`, innermost first.
    pub(super) fn around(&self, index: usize) -> impl Iterator<Item = (usize, &Element<'s>)> {
        let parent = |index: usize| self.elements.get(index).and_then(|element| element.parent);
        std::iter::successors(parent(index), move |index| parent(*index))
            .filter_map(|index| Some((index, self.elements.get(index)?)))
    }

    /// The direct children of the root with this component.
    pub(super) fn in_root(&self, component: &str) -> impl Iterator<Item = &Element<'s>> {
        self.named(component).map(|(_, element)| element).filter(|element| element.parent == Some(0))
    }
}

impl<'s> Element<'s> {
    pub(super) fn attribute(&self, name: &str) -> Option<&Attribute<'s>> {
        self.attributes.iter().find(|attribute| equal(attribute.name, name))
    }

    /// The attribute's value, if it is a string.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.attribute(name)?.text()
    }
}

impl Attribute<'_> {
    pub(super) fn is_literal(&self) -> bool {
        matches!(self.value, AttributeValue::Text(_) | AttributeValue::Literal(_))
    }

    /// The value for the report, if it is a literal.
    pub(super) fn prop(&self) -> Option<PropValue> {
        match &self.value {
            AttributeValue::Text(text) => Some(PropValue::String(text.as_ref().to_owned())),
            AttributeValue::Literal(value) => Some(value.clone()),
            AttributeValue::Dynamic | AttributeValue::Spread => None,
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match &self.value {
            AttributeValue::Text(text) => Some(text),
            _ => None,
        }
    }
}
