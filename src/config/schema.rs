//! The keys of a configuration, and the reading of one layer by them.

use super::yaml::{Data, Entry, Fault, Node, Place};
use super::{Layer, Origin, Origins, Warning};
use crate::nearest::nearest;
use crate::path;
use crate::port::PolicyRule;
use crate::text::shortened;
use Narrowing::{Fewer, Later, More, Nothing, Smaller};
use serde_json::{Map, Number, Value};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What a key takes.
pub(super) enum Kind {
    /// Text that is not blank.
    Text,
    Bool,
    Integer {
        min: u64,
        max: u64,
    },
    Number(Above),
    OneOf(&'static [&'static str]),
    /// A path of the project.
    Path,
    /// A pattern of a rule.
    Pattern,
    List(&'static Kind),
    /// A list that adds to the outer layers. Each item has an origin.
    Added(&'static Kind),
    Map(&'static [Key]),
    /// A rule of the policy. An unknown key or `null` is refused, because the rule would hold for more than is meant.
    Rule(&'static [Key]),
    /// A mapping whose keys the user names.
    Named(&'static Kind),
}

/// The lower bound of a number.
#[derive(PartialEq)]
pub(super) enum Above {
    Zero,
    OrZero,
}

/// What the project's file may do with a value that an outer layer sets.
#[derive(Clone, Copy)]
pub(super) enum Narrowing {
    /// Replace it.
    Any,
    /// Lower it.
    Smaller,
    /// Take a later choice; `true` comes after `false`.
    Later,
    /// Add items to it, which differ in this field.
    More(Option<&'static str>),
    /// Leave items out.
    Fewer,
    /// Nothing.
    Nothing,
}

/// A key with what it takes.
pub(super) struct Key {
    pub name: &'static str,
    pub kind: Kind,
    is_required: bool,
    pub narrowing: Narrowing,
}

const fn key(name: &'static str, kind: Kind) -> Key {
    Key { name, kind, is_required: false, narrowing: Narrowing::Any }
}

const fn required(name: &'static str, kind: Kind) -> Key {
    Key { is_required: true, ..key(name, kind) }
}

/// A key of which the project's file only narrows what an outer layer sets.
const fn narrowed(name: &'static str, narrowing: Narrowing, kind: Kind) -> Key {
    Key { narrowing, ..key(name, kind) }
}

const TEXTS: Kind = Kind::List(&Kind::Text);
const COUNT: Kind = Kind::Integer { min: 1, max: u32::MAX as u64 };
/// Up to JavaScript's largest safe integer.
const AMOUNT: Kind = Kind::Integer { min: 1, max: 9_007_199_254_740_991 };

const WORK_REVIEW: Kind = Kind::OneOf(&["off", "quick", "deep", "final"]);

/// **The keys of a configuration**, and what the project's file may do with them. Their defaults and their meanings are those
/// of [`Settings`](super::Settings).
#[rustfmt::skip]
pub(super) const KEYS: &[Key] = &[
    key("tools", Kind::Map(&[
        key("executors", Kind::List(&Kind::Map(&[
            required("id", Kind::Text), key("name", Kind::Text), key("type", Kind::Text),
            key("endpoint", Kind::Text), key("command", Kind::Text), key("model", Kind::Text),
        ]))),
        key("planners", Kind::List(&Kind::Map(&[
            required("id", Kind::Text), key("name", Kind::Text), key("model", Kind::Text),
        ]))),
        narrowed("reviewers", More(Some("id")), Kind::List(&Kind::Map(&[
            required("id", Kind::Text), key("name", Kind::Text), key("model", Kind::Text), key("checks", TEXTS),
        ]))),
    ])),
    key("defaults", Kind::Map(&[
        key("executor", Kind::Text),
        key("planner", Kind::Text),
        narrowed("verifier", Nothing, Kind::Text),
        narrowed("quickReviewer", Nothing, Kind::Text),
        narrowed("deepReviewer", Nothing, Kind::Text),
        narrowed("finalReviewer", Nothing, Kind::Text),
        key("summarizer", Kind::Text),
        key("parser", Kind::Text),
        narrowed("maxIterations", Smaller, Kind::Integer { min: 1, max: 20 }),
        narrowed("maxRetries", Smaller, Kind::Integer { min: 0, max: u32::MAX as u64 }),
        narrowed("stopOnFailure", Later, Kind::Bool),
    ])),
    key("rules", TEXTS),
    key("verification", Kind::Map(&[
        narrowed("enabled", Later, Kind::Bool),
        narrowed("steps", More(Some("name")), Kind::List(&Kind::Map(&[
            required("name", Kind::Text), required("command", Kind::Text),
            key("required", Kind::Bool), key("timeoutMs", AMOUNT),
        ]))),
    ])),
    key("reviews", Kind::Map(&[
        narrowed("quick", Later, Kind::Bool), narrowed("deep", Later, Kind::Bool), narrowed("final", Later, Kind::Bool),
        narrowed("task", Later, WORK_REVIEW), narrowed("spec", Later, WORK_REVIEW),
    ])),
    key("summaries", Kind::Map(&[key("enabled", Kind::Bool)])),
    key("gates", Kind::Map(&[
        key("only", TEXTS), narrowed("disabled", Fewer, TEXTS), narrowed("raise", More(None), TEXTS),
    ])),
    key("guard", Kind::Map(&[key("deny", Kind::Added(&Kind::Path))])),
    key("approvals", Kind::Map(&[
        narrowed("plan", Later, Kind::Bool), narrowed("expiresAfterMs", Smaller, AMOUNT),
        narrowed("whose", Later, Kind::OneOf(&["agent", "user", "ask"])),
    ])),
    key("policy", Kind::Added(&Kind::Rule(&[
        required("decision", Kind::OneOf(&["allow", "ask", "deny"])),
        key("tool", Kind::Pattern), key("path", Kind::Pattern), key("access", Kind::OneOf(&["read", "write"])),
        key("command", Kind::Pattern),
        key("role", Kind::OneOf(&["builder", "planner", "verifier", "reviewer"])),
        key("phase", Kind::OneOf(&["plan", "build", "check", "review", "accept"])),
        key("reason", Kind::Text),
    ]))),
    key("git", Kind::Map(&[
        narrowed("branch", Nothing, Kind::OneOf(&["spec", "current"])), key("base", Kind::Text),
        narrowed("commit", Nothing, Kind::Bool), key("after", Kind::OneOf(&["stay", "return"])),
    ])),
    key("snapshots", Kind::Map(&[narrowed("iterations", Nothing, Kind::Integer { min: 0, max: 10_000 })])),
    key("records", Kind::Map(&[narrowed("iterations", Nothing, Kind::Integer { min: 0, max: 10_000 })])),
    key("runs", Kind::Map(&[narrowed("keep", Nothing, COUNT)])),
    key("iterations", Kind::Map(&[narrowed("keep", Nothing, COUNT)])),
    key("limits", Kind::Map(LIMITS)),
    narrowed("models", Nothing, Kind::Named(&Kind::Map(&[
        required("inputPerMillion", Kind::Number(Above::OrZero)),
        required("outputPerMillion", Kind::Number(Above::OrZero)),
        key("cachedInputPerMillion", Kind::Number(Above::OrZero)),
        key("cacheWritePerMillion", Kind::Number(Above::OrZero)),
        key("reasoningPerMillion", Kind::Number(Above::OrZero)),
    ]))),
];

#[rustfmt::skip]
const LIMITS: &[Key] = &[
    narrowed("maxIterations", Smaller, COUNT),
    narrowed("maxToolCallsPerIteration", Smaller, COUNT),
    narrowed("maxConsecutiveGateFailures", Smaller, COUNT),
    narrowed("maxTokens", Smaller, AMOUNT),
    narrowed("maxCostUsd", Smaller, Kind::Number(Above::Zero)),
    narrowed("perTask", Smaller, Kind::Number(Above::Zero)),
    narrowed("perDay", Smaller, Kind::Number(Above::Zero)),
    narrowed("maxWallMs", Smaller, AMOUNT),
    narrowed("stallThreshold", Smaller, COUNT),
    narrowed("maxStallRecoveries", Smaller, COUNT),
    narrowed("modelIdleMs", Smaller, AMOUNT),
    narrowed("maxAttempts", Smaller, COUNT),
    narrowed("maxReplans", Smaller, COUNT),
];

/// The dotted names of all keys that are not in a list.
pub(super) fn names() -> Vec<String> {
    let mut names = Vec::new();
    collect(KEYS, "", &mut names);
    names
}

fn collect(keys: &[Key], parent: &str, names: &mut Vec<String>) {
    for key in keys {
        let name = dotted(parent, key.name);
        if let Kind::Map(keys) = &key.kind {
            collect(keys, &name, names);
        }
        names.push(name);
    }
}

/// Removes from a configuration what `limits` does not have; unlike the others, its type refuses unknown keys.
pub(super) fn retain_limits(limits: &mut Map<String, Value>) {
    limits.retain(|name, _| LIMITS.iter().any(|key| key.name == name));
}

pub(super) fn dotted(parent: &str, name: &str) -> String {
    if parent.is_empty() { name.to_owned() } else { format!("{parent}.{name}") }
}

/// The most items of a list of rules, and characters of a pattern: each path is compared with all of them.
const RULES_MAX: usize = 200;
const PATTERN_MAX: usize = 200;

/// The most warnings of a layer.
const MAX_WARNINGS: usize = 100;

/// What a layer sets.
pub(super) struct Read {
    /// Without `null`, unknown keys included.
    pub value: Value,
    pub origins: Origins,
    pub warnings: Vec<Warning>,
    /// The items of lists that add to the outer layers: the name of the list, and the place.
    pub items: Vec<(String, Option<Place>)>,
}

/// Checks a layer against the keys.
///
/// # Errors
/// The first value of a wrong type or outside its range, a required key that is missing, an id that occurs twice.
pub(super) fn read(layer: Layer, root: &Node) -> Result<Read, Fault> {
    let mut reader =
        Reader { layer, origins: Origins::new(), warnings: Vec::new(), items: Vec::new(), is_in_list: false };
    let value = match &root.data {
        _ if root.is_null() => Value::Object(Map::new()),
        Data::Map(entries) => reader.map(entries, KEYS, "", root)?,
        _ => {
            return Err(wrong(
                "the configuration",
                root,
                "expected a mapping such as `defaults: { maxIterations: 5 }`",
            ));
        }
    };
    Ok(Read { value, origins: reader.origins, warnings: reader.warnings, items: reader.items })
}

struct Reader {
    layer: Layer,
    origins: Origins,
    warnings: Vec<Warning>,
    items: Vec<(String, Option<Place>)>,
    is_in_list: bool,
}

impl Reader {
    fn value(&mut self, node: &Node, kind: &Kind, name: &str) -> Result<Value, Fault> {
        match (kind, &node.data) {
            (Kind::Map(keys), Data::Map(entries)) => return self.map(entries, keys, name, node),
            (Kind::Rule(keys), Data::Map(entries)) => return self.rule(entries, keys, name, node),
            (Kind::Named(kind), Data::Map(entries)) => {
                let mut fields = Map::new();
                for Entry { name: field, value, .. } in entries.iter().filter(|entry| !entry.value.is_null()) {
                    fields.insert(field.clone(), self.value(value, kind, &dotted(name, field))?);
                }
                return Ok(Value::Object(fields));
            }
            _ => self.origin(name, node),
        }
        match (kind, &node.data) {
            (Kind::List(kind), Data::List(items)) => self.list(items, kind, name),
            (Kind::Added(kind), Data::List(items)) => {
                if items.len() > RULES_MAX {
                    let message =
                        format!("`{name}` has {} items, more than {RULES_MAX}: join some of them", items.len());
                    return Err(Fault { message, place: node.place });
                }
                self.items.extend(items.iter().map(|item| (name.to_owned(), item.place)));
                self.list(items, kind, name)
            }
            (Kind::List(_) | Kind::Added(_), _) => Err(wrong(name, node, "expected a list such as `[a, b]`")),
            (Kind::Map(_) | Kind::Rule(_) | Kind::Named(_), _) => {
                Err(wrong(name, node, "expected a mapping of keys to values"))
            }
            _ => scalar(node, kind).ok_or_else(|| wrong(name, node, &format!("write {}", expected(kind)))),
        }
    }

    fn map(&mut self, entries: &[Entry], keys: &[Key], parent: &str, node: &Node) -> Result<Value, Fault> {
        let mut fields = Map::new();
        for entry in entries {
            let field = &entry.name;
            let name = dotted(parent, field);
            let known = keys.iter().find(|key| key.name == field);
            if known.is_none() {
                self.unknown(&name, field, keys, entry.key);
            }
            // `null` sets nothing, so the outer layer's value holds.
            if entry.value.is_null() {
                continue;
            }
            let value = match known {
                Some(key) => self.value(&entry.value, &key.kind, &name)?,
                None => {
                    self.origin(&name, &entry.value);
                    entry.value.to_json()
                }
            };
            fields.insert(field.clone(), value);
        }
        match keys.iter().find(|key| key.is_required && !fields.contains_key(key.name)) {
            Some(key) => {
                let message = format!("`{}` is missing: write {}", dotted(parent, key.name), expected(&key.kind));
                Err(Fault { message, place: node.place })
            }
            None => Ok(Value::Object(fields)),
        }
    }

    fn rule(&mut self, entries: &[Entry], keys: &[Key], name: &str, node: &Node) -> Result<Value, Fault> {
        let refused = |message: String, place: Option<Place>| Err(Fault { message, place });
        for Entry { name: field, value, key, .. } in entries {
            let known = keys.iter().find(|known| known.name == field);
            match known {
                None => {
                    let near = nearest(field, keys.iter().map(|key| key.name));
                    let hint = match near.first() {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("write {}", keys.iter().map(|key| key.name).collect::<Vec<_>>().join(", ")),
                    };
                    return refused(
                        format!("`{name}.{field}` is unknown, and the rule would hold for more; {hint}"),
                        *key,
                    );
                }
                Some(known) if value.is_null() => {
                    let advice = format!("write {} or remove the key", expected(&known.kind));
                    return Err(wrong(&format!("{name}.{field}"), value, &advice));
                }
                _ => {}
            }
        }
        let rule = self.map(entries, keys, name, node)?;
        for field in ["tool", "path", "command"] {
            let text = rule.get(field).and_then(Value::as_str);
            if let Some(text) = text.filter(|text| !PolicyRule::is_pattern(field, text)) {
                let place = entries.iter().find(|entry| entry.name == field).and_then(|entry| entry.value.place);
                return refused(
                    format!(
                        "`{name}.{field}` is `{text}`, which matches nothing: close its `[`, or write `\\[`; write a rule for each of `{{a,b}}`"
                    ),
                    place,
                );
            }
        }
        let has = |field: &str| rule.get(field).is_some();
        match () {
            () if has("path") && has("command") => {
                refused(format!("`{name}` has `path` and `command`: write a rule for each"), node.place)
            }
            () if has("access") && !has("path") => {
                refused(format!("`{name}` has `access` without `path`: add the path or remove `access`"), node.place)
            }
            () => Ok(rule),
        }
    }

    /// Lists replace each other, so only the list has an origin, and an id must be unique in it.
    fn list(&mut self, items: &[Rc<Node>], kind: &Kind, name: &str) -> Result<Value, Fault> {
        let (mut values, mut ids) = (Vec::new(), BTreeSet::new());
        let outer = std::mem::replace(&mut self.is_in_list, true);
        for (index, item) in items.iter().enumerate() {
            let name = format!("{name}[{index}]");
            if item.is_null() {
                return Err(wrong(&name, item, &format!("write {} or remove the item", expected(kind))));
            }
            let value = self.value(item, kind, &name)?;
            if let Some(id) = value.get("id").and_then(Value::as_str)
                && !ids.insert(id.to_owned())
            {
                let message = format!("`{name}.id` is `{id}`, which an item above has: choose another id");
                return Err(Fault { message, place: item.place });
            }
            values.push(value);
        }
        self.is_in_list = outer;
        Ok(Value::Array(values))
    }

    fn origin(&mut self, name: &str, node: &Node) {
        if !self.is_in_list {
            self.origins.insert(name.to_owned(), Origin::new(self.layer, node.place));
        }
    }

    fn unknown(&mut self, name: &str, field: &str, keys: &[Key], place: Option<Place>) {
        if self.warnings.len() < MAX_WARNINGS {
            let suggestions = nearest(field, keys.iter().map(|key| key.name));
            let hint = match suggestions.first() {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known here are {}", keys.iter().map(|key| key.name).collect::<Vec<_>>().join(", ")),
            };
            let message = format!("`{name}` is unknown and has no effect; {hint}");
            self.warnings.push(Warning::new("unknown-key", self.layer, message, place, suggestions));
        }
    }
}

/// The value of a scalar; `None` if the key takes another one.
fn scalar(node: &Node, kind: &Kind) -> Option<Value> {
    let text = match &node.data {
        Data::Plain(text) | Data::Text(text) => text.as_str(),
        _ => "",
    };
    match kind {
        Kind::Text => (!text.trim().is_empty()).then(|| text.into()),
        Kind::OneOf(names) => names.contains(&text).then(|| text.into()),
        Kind::Path => {
            let path = path::normalise(text);
            let is_inside = !text.starts_with('/') && !text.split('/').any(|part| part == "..");
            (is_inside && !path.is_empty()).then(|| path.into())
        }
        Kind::Bool => match &node.data {
            Data::Plain(_) | Data::Literal(_) => Some(node.to_json()).filter(Value::is_boolean),
            _ => None,
        },
        Kind::Integer { min, max } => {
            let number = number(node).filter(|number| number.fract() == 0.0);
            number.filter(|number| (*min as f64..=*max as f64).contains(number)).map(|number| (number as u64).into())
        }
        Kind::Number(above) => {
            let is_above = |number: &f64| *number > 0.0 || *above == Above::OrZero && *number == 0.0;
            number(node).filter(is_above).and_then(Number::from_f64).map(Value::Number)
        }
        Kind::Pattern => {
            let is_short = !text.trim().is_empty() && text.chars().count() <= PATTERN_MAX;
            (is_short && !text.chars().any(char::is_control)).then(|| text.into())
        }
        Kind::List(_) | Kind::Added(_) | Kind::Map(_) | Kind::Rule(_) | Kind::Named(_) => None,
    }
}

fn number(node: &Node) -> Option<f64> {
    match &node.data {
        Data::Plain(_) | Data::Literal(_) => node.to_json().as_f64(),
        _ => None,
    }
}

/// What to write.
fn expected(kind: &Kind) -> String {
    match kind {
        Kind::Text => "text that is not blank".to_owned(),
        Kind::Bool => "`true` or `false`".to_owned(),
        Kind::Integer { min, max } if *max >= u64::from(u32::MAX) => format!("an integer of at least {min}"),
        Kind::Integer { min, max } => format!("an integer from {min} to {max}"),
        Kind::Number(Above::Zero) => "a number above 0".to_owned(),
        Kind::Number(Above::OrZero) => "a number of at least 0".to_owned(),
        Kind::OneOf(names) => format!("`{}`", names.join("` or `")),
        Kind::Path => "a path in the project such as `src/legacy`".to_owned(),
        Kind::Pattern => format!("a pattern of at most {PATTERN_MAX} characters such as `migrations/**`"),
        Kind::List(_) | Kind::Added(_) => "a list".to_owned(),
        Kind::Map(_) | Kind::Rule(_) | Kind::Named(_) => "a mapping".to_owned(),
    }
}

/// Longest value in a message, in characters.
const SHOWN: usize = 40;

fn wrong(name: &str, node: &Node, advice: &str) -> Fault {
    let name = if name.contains(' ') { name.to_owned() } else { format!("`{name}`") };
    let found = match &node.data {
        Data::Plain(_) if node.is_null() => "empty".to_owned(),
        Data::Plain(text) => format!("`{}`", shortened(text, SHOWN)),
        Data::Text(text) => format!("the text {:?}", shortened(text, SHOWN)),
        Data::Literal(value) => format!("`{value}`"),
        Data::List(_) => "a list".to_owned(),
        Data::Map(_) => "a mapping".to_owned(),
    };
    Fault { message: format!("{name} is {found}: {advice}"), place: node.place }
}
