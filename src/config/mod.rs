//! The configuration of a project: three layers of YAML, merged.
//!
//! [`yaml`] reads a text as a tree with places, [`schema`] has the keys and checks one layer, this file merges the layers
//! over the defaults of [`Settings`], and [`edit()`] changes single values in a text. Mappings merge, lists replace each
//! other, and `null` inherits. The lists of [`rules`] add to each other, and [`mod@narrow`] says what the project's file may
//! not change.

mod edit;
mod narrow;
mod rules;
mod schema;
mod settings;
#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests;
mod yaml;

use crate::error::{Error, ErrorCode};
use crate::nearest::nearest;
use crate::port::ProjectDir;
use crate::{hex, json, layout};
use schema::Read;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha1::{Digest, Sha1};
use std::collections::BTreeMap;
use yaml::{Fault, Node, Place};

pub use edit::{edit, save};
pub use rules::policy;
pub use settings::{
    After, ApprovalSettings, AttemptSettings, Branch, Defaults, Executor, GateSelection, GitSettings, GuardSettings,
    ITERATIONS_KEPT, LimitOptions, Planner, RecordSettings, ReviewSettings, ReviewTier, Reviewer, Role, RunSettings,
    Settings, SnapshotSettings, SummarySettings, Tools, VerificationSettings, VerificationStep, Whose, WorkReview,
};

/// The layers, the innermost last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum Layer {
    Default,
    /// Text that the IDE passes.
    Global,
    /// The file of the project.
    Project,
    /// Set in the IDE, with the nested shape of the YAML.
    Spec,
}

impl Layer {
    fn file(self) -> Option<&'static str> {
        (self == Self::Project).then_some(layout::CONFIG)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Default => "default configuration",
            Self::Global => "global configuration",
            Self::Project => layout::CONFIG,
            Self::Spec => "spec configuration",
        }
    }
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The innermost layer that sets it.
    pub layer: Layer,
    /// 1-based.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// 1-based, in UTF-16 code units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

/// The origins of the values that a layer sets, by their dotted keys. A list has one origin, and each rule has its own.
pub type Origins = BTreeMap<String, Origin>;

impl Origin {
    fn new(layer: Layer, place: Option<Place>) -> Self {
        Self { layer, line: place.map(|place| place.line), column: place.map(|place| place.column) }
    }

    fn place(self) -> Option<Place> {
        Some(Place { offset: 0, line: self.line?, column: self.column? })
    }
}

/// What is wrong with a layer that can be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// `unknown-key`, `unused-steps` for a verification that is not enabled, `not-narrower` for what the project's file may not
    /// change, or `invalid-layer` for a layer that a lenient reading leaves out.
    pub id: String,
    /// What is wrong, where, and what to do.
    pub message: String,
    /// The file of the layer, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// 1-based; 1 for a layer without a text.
    pub line: u32,
    /// 1-based, in UTF-16 code units.
    pub column: u32,
    /// The nearest known keys.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<String>,
}

impl Warning {
    fn new(id: &str, layer: Layer, message: String, place: Option<Place>, suggestions: Vec<String>) -> Self {
        let (line, column) = place.map_or((1, 1), |place| (place.line, place.column));
        Self { id: id.to_owned(), message, file: layer.file().map(str::to_owned), line, column, suggestions }
    }
}

/// The three layers as they are given.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sources<'a> {
    /// YAML.
    pub global: Option<&'a str>,
    /// The bytes of the project's file.
    pub project: Option<&'a [u8]>,
    /// An object with the nested shape of the YAML.
    pub spec: Option<&'a Value>,
}

/// The merged layers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Config {
    /// What the harness reads.
    #[serde(skip)]
    pub settings: Settings,
    /// All values, with defaults and unknown keys.
    pub values: Value,
    /// Defaults have none.
    pub origins: Origins,
    /// In the order of the layers.
    pub warnings: Vec<Warning>,
}

/// A value with its origin.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Explained {
    /// `null` for a key without a value.
    pub value: Value,
    pub layer: Layer,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// A layer that is refused.
struct Refused {
    layer: Layer,
    fault: Fault,
}

impl Refused {
    fn into_error(self) -> Error {
        let Self { layer, fault: Fault { message, place } } = self;
        let at = place.map(|Place { line, column, .. }| format!(", line {line}, column {column}")).unwrap_or_default();
        let mut error = Error::new(ErrorCode::InvalidConfig, format!("{}{at}: {message}", layer.name()));
        error.path = layer.file().map(str::to_owned);
        error.line = place.map(|place| place.line);
        error.column = place.map(|place| place.column);
        error
    }
}

/// Reads the project's file and merges the layers. Writes nothing.
///
/// # Errors
/// As of [`resolve`]; what the file system returns.
pub async fn load(project: ProjectDir<'_>, global: Option<&str>, spec: Option<&Value>) -> Result<Config, Error> {
    let file = project.read(layout::CONFIG).await?;
    resolve(Sources { global, project: file.as_deref(), spec })
}

/// As [`load`], but a layer that is refused is a warning and sets nothing. For views; a run needs the strict reading.
///
/// # Errors
/// What the file system returns.
pub async fn load_lenient(
    project: ProjectDir<'_>,
    global: Option<&str>,
    spec: Option<&Value>,
) -> Result<Config, Error> {
    let file = project.read(layout::CONFIG).await?;
    let mut sources = Sources { global, project: file.as_deref(), spec };
    let mut refused = Vec::new();
    loop {
        match merge(sources, true) {
            Ok(mut config) => {
                config.warnings.splice(0..0, refused);
                return Ok(config);
            }
            Err(Refused { layer, fault: Fault { message, place } }) => {
                let message = format!("{} is left out: {message}", layer.name());
                refused.push(Warning::new("invalid-layer", layer, message, place, Vec::new()));
                match layer {
                    Layer::Default => sources = Sources::default(),
                    Layer::Global => sources.global = None,
                    Layer::Project => sources.project = None,
                    Layer::Spec => sources.spec = None,
                }
            }
        }
    }
}

/// Merges the layers over the defaults.
///
/// # Errors
/// `invalid-config` with the layer, the place and the key: a text that is not YAML or too large, a value of a wrong type
/// or outside its range, an id under `defaults` that `tools` does not list.
pub fn resolve(sources: Sources<'_>) -> Result<Config, Error> {
    merge(sources, true).map_err(Refused::into_error)
}

/// The spec's layer alone over the defaults, for a caller that has no files. Its ids may be listed in other layers.
///
/// # Errors
/// As of [`resolve`].
pub fn resolve_layer(spec: &Value) -> Result<Config, Error> {
    merge(Sources { spec: Some(spec), ..Sources::default() }, false).map_err(Refused::into_error)
}

/// `has_all_layers`: an id may not be in a list that no layer has.
fn merge(sources: Sources<'_>, has_all_layers: bool) -> Result<Config, Refused> {
    let (mut values, mut origins, mut warnings) = (Value::Object(Map::new()), Origins::new(), Vec::new());
    for layer in [Layer::Global, Layer::Project, Layer::Spec] {
        let mut read = read_layer(layer, sources).map_err(|fault| Refused { layer, fault })?;
        if layer == Layer::Project {
            narrow::narrow(&values, &mut read);
        }
        rules::add_to(&values, &mut read, layer);
        overlay(&mut values, read.value);
        origins.extend(read.origins);
        warnings.extend(read.warnings);
    }
    let mut known = values.clone();
    if let Some(known) = known.as_object_mut() {
        known.insert("policy".to_owned(), rules::collect_rules(&values, &origins));
    }
    if let Some(limits) = known.get_mut("limits").and_then(Value::as_object_mut) {
        schema::retain_limits(limits);
    }
    // Each layer fits the schema, so their union fits the type; a test compares the two.
    let settings: Settings = json::from_value(known)
        .map_err(|message| Refused { layer: Layer::Default, fault: Fault { message, place: None } })?;
    check_ids(&settings, &origins, has_all_layers)?;
    warnings.extend(unused_steps(&settings, &values, &origins));
    let mut defaults = serde_json::to_value(&settings).unwrap_or_default();
    // The settings have the rules of all keys, with their places.
    if let Some(rules) = defaults.get_mut("policy").and_then(Value::as_array_mut) {
        rules.clear();
    }
    fill(&mut values, &defaults);
    Ok(Config { settings, values, origins, warnings })
}

fn read_layer(layer: Layer, sources: Sources<'_>) -> Result<Read, Fault> {
    let root = match layer {
        Layer::Spec => sources.spec.map(Node::from_json).transpose()?,
        Layer::Project => yaml::parse(without_mark(text_of(sources.project.unwrap_or_default())?))?,
        _ => yaml::parse(without_mark(sources.global.unwrap_or_default()))?,
    };
    match root {
        Some(root) => schema::read(layer, &root),
        None => Ok(Read {
            value: Value::Object(Map::new()),
            origins: Origins::new(),
            warnings: Vec::new(),
            items: Vec::new(),
        }),
    }
}

fn text_of(bytes: &[u8]) -> Result<&str, Fault> {
    std::str::from_utf8(bytes).map_err(|error| Fault {
        message: format!("byte {} is not UTF-8: save the file as UTF-8", error.valid_up_to()),
        place: None,
    })
}

fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Puts the values of an inner layer over the outer ones.
fn overlay(outer: &mut Value, inner: Value) {
    match (outer, inner) {
        (Value::Object(outer), Value::Object(inner)) => {
            for (name, value) in inner {
                overlay(outer.entry(name).or_insert(Value::Null), value);
            }
        }
        (outer, inner) => *outer = inner,
    }
}

/// Adds the defaults, in the items of lists as well.
fn fill(values: &mut Value, settings: &Value) {
    match (values, settings) {
        (Value::Object(values), Value::Object(settings)) => {
            for (name, default) in settings {
                fill(values.entry(name).or_insert_with(|| default.clone()), default);
            }
        }
        (Value::Array(values), Value::Array(settings)) => {
            for (value, settings) in values.iter_mut().zip(settings) {
                fill(value, settings);
            }
        }
        _ => {}
    }
}

/// The warning about steps of a verification that is neither turned on nor off.
fn unused_steps(settings: &Settings, values: &Value, origins: &Origins) -> Option<Warning> {
    let is_decided = values.pointer("/verification/enabled").is_some_and(|value| !value.is_null());
    if is_decided || settings.verification.steps.is_empty() {
        return None;
    }
    let Refused { layer, fault: Fault { message, place } } = refused(
        origins.get("verification.steps"),
        "`verification.steps` do not run: set `verification.enabled` to `true`".to_owned(),
    );
    Some(Warning::new("unused-steps", layer, message, place, Vec::new()))
}

/// The ids under `defaults` must be in the lists of `tools`.
fn check_ids(settings: &Settings, origins: &Origins, has_all_layers: bool) -> Result<(), Refused> {
    let Settings { tools, defaults, .. } = settings;
    let executors: Vec<&str> = tools.executors.iter().map(|tool| tool.id.as_str()).collect();
    let planners: Vec<&str> = tools.planners.iter().map(|tool| tool.id.as_str()).collect();
    let reviewers: Vec<&str> = tools.reviewers.iter().map(|tool| tool.id.as_str()).collect();
    let all: Vec<&str> = [&executors[..], &planners[..], &reviewers[..]].concat();
    for (key, id, list, known) in [
        ("executor", &defaults.executor, "tools.executors", &executors),
        ("planner", &defaults.planner, "tools.planners", &planners),
        ("verifier", &defaults.verifier, "tools", &all),
        ("quickReviewer", &defaults.quick_reviewer, "tools.reviewers", &reviewers),
        ("deepReviewer", &defaults.deep_reviewer, "tools.reviewers", &reviewers),
        ("finalReviewer", &defaults.final_reviewer, "tools.reviewers", &reviewers),
        ("summarizer", &defaults.summarizer, "tools", &all),
        ("parser", &defaults.parser, "tools", &all),
    ] {
        let is_unknown = |id: &&str| !known.contains(id) && (has_all_layers || !known.is_empty());
        let Some(id) = id.as_deref().filter(is_unknown) else { continue };
        let key = format!("defaults.{key}");
        let near = nearest(id, known.iter().copied());
        let hint = match near.first() {
            Some(near) => format!("; did you mean `{near}`?"),
            None => String::new(),
        };
        let listed = if known.is_empty() { "no ids".to_owned() } else { known.join(", ") };
        let message =
            format!("`{key}` is `{id}`, but `{list}` lists {listed}: add it there or choose a listed id{hint}");
        return Err(refused(origins.get(&key), message));
    }
    Ok(())
}

/// The refusal of a value that was set there.
fn refused(origin: Option<&Origin>, message: String) -> Refused {
    let place = origin.and_then(|origin| origin.place());
    let layer = origin.map_or(Layer::Default, |origin| origin.layer);
    Refused { layer, fault: Fault { message, place } }
}

impl Config {
    /// The error of a key whose value cannot be used here.
    pub fn refuse(&self, key: &str, message: String) -> Error {
        match self.origins.get(key) {
            Some(origin) => refused(Some(origin), message).into_error(),
            None => Error::new(ErrorCode::InvalidConfig, message),
        }
    }

    /// The value of a dotted key such as `defaults.maxIterations` or `tools.executors[0].id`, and where it is set.
    ///
    /// # Errors
    /// `not-found` with the nearest keys.
    pub fn explain(&self, key: &str) -> Result<Explained, Error> {
        explain(&self.values, &self.origins, key)
    }

    /// A digest of the values: equal for equal configurations.
    pub fn hash(&self) -> String {
        let mut digest = hex::encode(&Sha1::digest(self.values.to_string()));
        digest.truncate(16);
        digest
    }
}

/// As [`Config::explain`], of the values and origins of a configuration.
///
/// # Errors
/// `not-found` with the nearest keys.
pub fn explain(values: &Value, origins: &Origins, key: &str) -> Result<Explained, Error> {
    let names = schema::names();
    let Some(value) =
        find(values, key).cloned().or_else(|| names.iter().any(|name| name == key).then_some(Value::Null))
    else {
        let near = nearest(key, names.iter().map(String::as_str).chain(origins.keys().map(String::as_str)));
        let hint = match near.is_empty() {
            true => "write a key such as defaults.maxIterations".to_owned(),
            false => format!("did you mean {}?", near.join(" or ")),
        };
        return Err(Error::new(ErrorCode::NotFound, format!("the configuration has no key `{key}`; {hint}")));
    };
    let is_part = |name: &str, of: &str| {
        name.strip_prefix(of).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    // The value is set with what contains it, or a mapping is set by its innermost part.
    let around = origins.iter().filter(|(name, _)| is_part(key, name)).max_by_key(|(name, _)| name.len());
    let within = origins.iter().filter(|(name, _)| is_part(name, key)).max_by_key(|(_, origin)| origin.layer as u8);
    let origin = around.or(within).map_or(Origin::new(Layer::Default, None), |(_, origin)| *origin);
    Ok(Explained { value, layer: origin.layer, file: origin.layer.file(), line: origin.line })
}

/// The value of a dotted key. A name may contain dots, so each name of a mapping is tried.
fn find<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    if key.is_empty() {
        return Some(value);
    }
    match value {
        Value::Object(fields) => fields.iter().find_map(|(name, value)| find(value, rest(key, name)?)),
        Value::Array(items) => {
            let (index, rest) = key.strip_prefix('[')?.split_once(']')?;
            find(items.get(index.parse::<usize>().ok()?)?, rest.strip_prefix('.').unwrap_or(rest))
        }
        _ => None,
    }
}

/// What follows a name in a dotted key.
fn rest<'k>(key: &'k str, name: &str) -> Option<&'k str> {
    let rest = key.strip_prefix(name)?;
    if rest.is_empty() || rest.starts_with('[') { Some(rest) } else { rest.strip_prefix('.') }
}
