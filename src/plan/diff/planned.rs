//! The content of a plan that can be compared with sources.

use super::names::key;
use crate::plan::PropValue;
use crate::plan::context::section_file;
use crate::plan::position::Positions;
use crate::plan::targets::{Target, targets};
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
        let prop = |name: &str| theme.and_then(|theme| theme.text(name)).map(str::to_owned);
        let (targets, mut files) = (targets(tree), BTreeMap::new());
        let screen = |(at, screen): (usize, &Element<'_>)| Screen {
            name: screen.text("name").unwrap_or_default().to_owned(),
            line: line(screen, positions),
            sections: targets
                .iter()
                .filter(|target| target.screen == Some(at) && !key(&target.called).is_empty())
                .filter_map(|target| {
                    Some(section(tree, target, tree.elements.get(target.element)?, positions, &mut files))
                })
                .collect(),
        };
        let schema = |(_, schema): (usize, &Element<'_>)| {
            Some(Schema { name: schema.text("name")?.to_owned(), fields: fields(schema) })
        };
        let resource = |(_, endpoint): (usize, &Element<'_>)| endpoint.text("resource").map(str::to_owned);
        Self {
            screens: tree.elements_named("Screen").map(screen).collect(),
            theme: Theme {
                mood: prop("mood"),
                font: prop("font"),
                mono_font: prop("monoFont"),
                radius: prop("radius"),
            },
            schemas: tree.elements_named("Schema").filter_map(schema).collect(),
            endpoints: tree.elements_named("Endpoint").filter_map(resource).collect(),
        }
    }

    /// Every section with its screen.
    pub(super) fn sections(&self) -> impl Iterator<Item = (&Screen, &Section)> {
        self.screens.iter().flat_map(|screen| screen.sections.iter().map(move |section| (screen, section)))
    }

    /// Whether other names than components are needed.
    pub(super) fn asks_for_words(&self) -> bool {
        !self.schemas.is_empty() || self.sections().any(|(_, section)| !section.fields.is_empty())
    }
}

fn section(
    tree: &Tree<'_>,
    target: &Target,
    section: &Element<'_>,
    positions: &Positions<'_>,
    files: &mut BTreeMap<String, u32>,
) -> Section {
    Section {
        gumdrop: target.called.clone(),
        label: target.label(),
        nth: target.nth,
        variant: section.text("variant").unwrap_or_default().to_owned(),
        line: line(section, positions),
        suggested_file: section_file(&target.called, files),
        fields: fields_below(tree, target.element),
    }
}

fn fields_below(tree: &Tree<'_>, section: usize) -> Vec<String> {
    let fields = tree.elements.iter().enumerate().filter_map(|(at, element)| {
        let prop = match element.name.as_ref() {
            "Field" => "name",
            "Column" => "field",
            _ => return None,
        };
        tree.around(at).find(|(outer, _)| *outer == section)?;
        element.text(prop).map(str::to_owned)
    });
    fields.collect()
}

/// The names in `fields`: a list, an object's keys, or a comma-separated string.
fn fields(schema: &Element<'_>) -> Vec<String> {
    let names: Vec<&str> = match schema.attribute("fields").map(|fields| &fields.value) {
        Some(AttributeValue::Literal(PropValue::List(items))) => items.iter().filter_map(text).collect(),
        Some(AttributeValue::Literal(PropValue::Map(fields))) => fields.keys().map(String::as_str).collect(),
        Some(AttributeValue::Text(text)) => text.split([',', ' ']).collect(),
        _ => Vec::new(),
    };
    // `id: string` gives `id`.
    let bare = names.iter().filter_map(|name| name.split([':', '?']).next()).map(str::trim);
    bare.filter(|name| !key(name).is_empty()).map(str::to_owned).collect()
}

fn text(value: &PropValue) -> Option<&str> {
    match value {
        PropValue::String(text) => Some(text),
        _ => None,
    }
}

fn line(element: &Element<'_>, positions: &Positions<'_>) -> u32 {
    positions.at(element.place.start).0
}
