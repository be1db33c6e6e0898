//! The plan as it stands in the source: what the parser leaves behind and what the checks read.

use super::language::{self, Component, equal};
use super::report::PropValue;
use std::borrow::Cow;
use std::ptr;

/// A piece of the source, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub start: u32,
    pub end: u32,
}

/// The elements in source order: an element stands directly before the elements in it. The first is the root.
#[derive(Debug, Default)]
pub(super) struct Tree<'s> {
    pub elements: Vec<Element<'s>>,
    /// Braced children that are neither literals nor comments.
    pub unreadable: Vec<Place>,
    /// Comments in braces between tags.
    pub comments: Vec<Comment<'s>>,
}

#[derive(Debug)]
pub(super) struct Element<'s> {
    /// The tag; `Nav.Item` reads `NavItem`.
    pub name: Cow<'s, str>,
    /// The component of the plan language that it names.
    pub component: Option<&'static Component>,
    /// From its `<` to the end of the tag's name.
    pub place: Place,
    /// Past the `>` of its opening tag.
    pub opening_end: u32,
    /// Past all of it.
    pub end: u32,
    /// It has no closing tag.
    pub closes_itself: bool,
    /// Every name once: of several equal ones the last.
    pub attributes: Vec<Attribute<'s>>,
    /// The element around it; fragments are not in the tree.
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
    /// Most are texts, and most texts stand in the source as they are.
    Text(Cow<'s, str>),
    /// Any other literal.
    Literal(PropValue),
    /// An expression that only running it could tell.
    Dynamic,
    /// `{...props}`.
    Spread,
}

/// A comment in braces between tags.
#[derive(Debug)]
pub(super) struct Comment<'s> {
    /// Without its delimiters.
    pub text: &'s str,
    /// Where the text begins.
    pub start: u32,
    /// The element that the braces stand in.
    pub parent: usize,
}

impl<'s> Tree<'s> {
    pub(super) fn root(&self) -> Option<&Element<'s>> {
        self.elements.first()
    }

    /// The elements of a component of the language, with their places in the tree.
    pub(super) fn named(&self, component: &str) -> impl Iterator<Item = (usize, &Element<'s>)> {
        let component = language::find(component).map(ptr::from_ref);
        self.elements.iter().enumerate().filter(move |(_, element)| element.component.map(ptr::from_ref) == component)
    }

    /// The elements around the element at `index`, the innermost first.
    pub(super) fn around(&self, index: usize) -> impl Iterator<Item = (usize, &Element<'s>)> {
        let parent = |index: usize| self.elements.get(index).and_then(|element| element.parent);
        std::iter::successors(parent(index), move |index| parent(*index))
            .filter_map(|index| Some((index, self.elements.get(index)?)))
    }

    /// The root's own children of a component.
    pub(super) fn in_root(&self, component: &str) -> impl Iterator<Item = &Element<'s>> {
        self.named(component).map(|(_, element)| element).filter(|element| element.parent == Some(0))
    }
}

impl<'s> Element<'s> {
    pub(super) fn attribute(&self, name: &str) -> Option<&Attribute<'s>> {
        self.attributes.iter().find(|attribute| equal(attribute.name, name))
    }

    /// The attribute's text, where it is one.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.attribute(name)?.text()
    }
}

impl Attribute<'_> {
    pub(super) fn is_literal(&self) -> bool {
        matches!(self.value, AttributeValue::Text(_) | AttributeValue::Literal(_))
    }

    /// Its value for a report, where it is a literal.
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
