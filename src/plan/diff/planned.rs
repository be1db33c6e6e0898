//! The content of a plan that can be compared with sources.

use super::names::key;
use crate::plan::PropValue;
use crate::plan::context::section_file;
use crate::plan::position::Positions;
use crate::plan::targets::numbered;
use crate::plan::tree::{AttributeValue, Element, Tree};
use std::collections::BTreeMap;

/// In plan order.
#[derive(Debug, Default)]
pub(super) struct Planned {
    pub screens: Vec<Screen>,
    pub theme: Theme,
    pub schemas: Vec<Schema>,
    /// The resources of the endpoints.
    pub endpoints: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Screen {
    pub name: String,
    pub line: u32,
    pub sections: Vec<Section>,
}

#[derive(Debug)]
pub(super) struct Section {
    pub gumdrop: String,
    /// `hero`, or `hero#2` for a screen's second one, as in change markers.
    pub label: String,
    /// The number of earlier sections with its gumdrop in the screen.
    pub nth: usize,
    pub variant: String,
    pub line: u32,
    /// For example `src/sections/HeroSection.tsx`.
    pub suggested_file: String,
    /// The names of its `Field` and `Column` elements.
    pub fields: Vec<String>,
}

/// The theme props that sources can show.
#[derive(Debug, Default)]
pub(super) struct Theme {
    pub mood: Option<String>,
    pub font: Option<String>,
    pub mono_font: Option<String>,
    pub radius: Option<String>,
}

#[derive(Debug)]
pub(super) struct Schema {
    pub name: String,
    pub fields: Vec<String>,
}

impl Planned {
    pub(super) fn read(tree: &Tree<'_>, positions: &Positions<'_>) -> Self {
        let theme = tree.in_root("Theme").next();
        let mut files = BTreeMap::new();
        let prop = |name: &str| theme.and_then(|theme| theme.text(name)).map(str::to_owned);
        Self {
            screens: tree
                .named("Screen")
                .map(|(at, screen)| Screen {
                    name: screen.text("name").unwrap_or_default().to_owned(),
                    line: line(screen, positions),
                    sections: sections(tree, at, positions, &mut files),
                })
                .collect(),
            theme: Theme {
                mood: prop("mood"),
                font: prop("font"),
                mono_font: prop("monoFont"),
                radius: prop("radius"),
            },
            schemas: tree
                .named("Schema")
                .filter_map(|(_, schema)| {
                    Some(Schema { name: schema.text("name")?.to_owned(), fields: fields(schema) })
                })
                .collect(),
            endpoints: tree
                .named("Endpoint")
                .filter_map(|(_, endpoint)| endpoint.text("resource").map(str::to_owned))
                .collect(),
        }
    }

    /// Every section with its screen.
    pub(super) fn sections(&self) -> impl Iterator<Item = (&Screen, &Section)> {
        self.screens.iter().flat_map(|screen| screen.sections.iter().map(move |section| (screen, section)))
    }

    /// Whether names other than those of components are needed.
    pub(super) fn asks_for_words(&self) -> bool {
        !self.schemas.is_empty() || self.sections().any(|(_, section)| !section.fields.is_empty())
    }
}

fn sections(
    tree: &Tree<'_>,
    screen: usize,
    positions: &Positions<'_>,
    files: &mut BTreeMap<String, u32>,
) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for (at, section) in tree.named("Section") {
        let is_in_screen =
            tree.around(at).find(|(_, outer)| outer.name == "Screen").is_some_and(|(at, _)| at == screen);
        let (true, Some(gumdrop)) = (is_in_screen, section.text("gumdrop")) else { continue };
        if key(gumdrop).is_empty() {
            continue;
        }
        let nth = sections.iter().filter(|other| other.gumdrop == gumdrop).count();
        sections.push(Section {
            gumdrop: gumdrop.to_owned(),
            label: numbered(gumdrop, nth + 1),
            nth,
            variant: section.text("variant").unwrap_or_default().to_owned(),
            line: line(section, positions),
            suggested_file: section_file(gumdrop, files),
            fields: fields_below(tree, at),
        });
    }
    sections
}

fn fields_below(tree: &Tree<'_>, section: usize) -> Vec<String> {
    let named = [("Field", "name"), ("Column", "field")];
    let mut fields = Vec::new();
    for (at, element) in tree.elements.iter().enumerate() {
        let Some((_, prop)) = named.iter().find(|(component, _)| *component == element.name) else { continue };
        if tree.around(at).any(|(outer, _)| outer == section)
            && let Some(name) = element.text(prop)
        {
            fields.push(name.to_owned());
        }
    }
    fields
}

/// The names in `fields`: a list, an object's keys, or a comma-separated string.
fn fields(schema: &Element<'_>) -> Vec<String> {
    let names: Vec<String> = match schema.attribute("fields").map(|fields| &fields.value) {
        Some(AttributeValue::Literal(PropValue::List(items))) => items.iter().filter_map(text).collect(),
        Some(AttributeValue::Literal(PropValue::Map(fields))) => fields.keys().cloned().collect(),
        Some(AttributeValue::Text(text)) => text.split([',', ' ']).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    // `id: string` gives `id`.
    let bare = names.iter().filter_map(|name| name.split([':', '?']).next()).map(str::trim);
    bare.filter(|name| !key(name).is_empty()).map(str::to_owned).collect()
}

fn text(value: &PropValue) -> Option<String> {
    match value {
        PropValue::String(text) => Some(text.clone()),
        _ => None,
    }
}

fn line(element: &Element<'_>, positions: &Positions<'_>) -> u32 {
    positions.at(element.place.start).0
}
