//! Methods of lists, records and strings.

use super::builtins::tuple;
use super::node::Node;
use super::value::{Closure, Entry, Field, Identity, List, Origin, Value};
use super::{Evaluator, MAX_ITEMS};
use crate::gate::scope::identity;
use crate::js::tree::Pattern;
use crate::json;
use std::rc::Rc;

impl Evaluator<'_, '_> {
    pub(super) fn method(&mut self, object: Value, name: &str, arguments: Vec<Value>, place: Origin) -> Value {
        match &object {
            Value::List(list) => self.list_method(list, name, arguments),
            Value::Record(record) => match (record.get(name), name) {
                (Some(Value::Function(function)), _) => self.apply(function, arguments),
                (None, "keys") => keys(&object),
                (None, "values") => values(&object),
                (None, "entries") => entries(&object, place),
                (None, "get") => match arguments.first().and_then(Value::as_text) {
                    Some(key) => self.field(&object, &key),
                    None => Value::Unknown,
                },
                _ => Value::Unknown,
            },
            Value::Text(text) => text_method(text, name, &arguments, place),
            Value::Number(number) => match (name, arguments.first()) {
                ("toFixed", Some(Value::Number(places))) => {
                    Value::text(&format!("{number:.*}", places.clamp(0.0, 20.0) as usize))
                }
                ("toFixed" | "toString" | "toLocaleString", _) => Value::text(&json::number(*number)),
                _ => Value::Unknown,
            },
            Value::Module(file) if name == "then" => match arguments.first() {
                Some(Value::Function(function)) => self.apply(function, vec![Value::Module(*file)]),
                _ => Value::Unknown,
            },
            Value::Module(file) => match self.exported(*file, name) {
                Value::Function(function) => self.apply(&function, arguments),
                _ => Value::Unknown,
            },
            Value::Unknown => arguments.into_iter().find(|value| matches!(value, Value::List(_))).unwrap_or(object),
            _ => Value::Unknown,
        }
    }

    fn list_method(&mut self, list: &List, name: &str, arguments: Vec<Value>) -> Value {
        let callback = match arguments.first() {
            Some(Value::Function(function)) => Some(function.clone()),
            _ => None,
        };
        match (name, callback) {
            ("map", Some(callback)) => self.map(list, &callback),
            ("flatMap", Some(callback)) => flat(self.map(list, &callback)),
            ("flat", _) => flat(Value::List(list.clone())),
            ("filter", Some(callback)) => {
                self.keep(list, |this, entry, at| this.on_item(&callback, entry, at).truth() != Some(false))
            }
            // `filter(Boolean)`
            ("filter", None) => self.keep(list, |_, entry, _| entry.value.truth() != Some(false)),
            ("find" | "findLast", Some(callback)) => {
                let mut found = None;
                for (at, entry) in list.entries.iter().enumerate() {
                    match self.on_item(&callback, entry, at).truth() {
                        Some(true) => return entry.value.clone(),
                        Some(false) => {}
                        None => found = Some(Value::Unknown),
                    }
                }
                found.unwrap_or(if list.is_open { Value::Unknown } else { Value::Nothing })
            }
            ("forEach", Some(callback)) => {
                for (at, entry) in list.entries.iter().enumerate() {
                    self.on_item(&callback, entry, at);
                }
                Value::Nothing
            }
            ("reduce", Some(callback)) => self.reduce(list, &callback, arguments.get(1)),
            ("slice", _) => slice(list, &arguments),
            ("concat", _) => {
                let mut joined = list.clone();
                for argument in arguments {
                    match argument {
                        Value::List(other) => joined = joined.with(&other),
                        other => Rc::make_mut(&mut joined.entries).push(single(other)),
                    }
                }
                Value::List(joined)
            }
            ("at", _) => match arguments.first() {
                Some(Value::Number(at)) => {
                    let length = list.entries.len() as f64;
                    let at = if *at < 0.0 { length + *at } else { *at };
                    list.entries.get(at.max(0.0) as usize).map_or(Value::Unknown, |entry| entry.value.clone())
                }
                _ => Value::Unknown,
            },
            ("includes" | "has", _) => includes(list, arguments.first()),
            ("keys", _) => {
                let numbered = |(at, entry): (usize, &Entry)| entry.with(Value::Number(at as f64));
                Value::List(list.with_entries(list.entries.iter().enumerate().map(numbered).collect()))
            }
            ("entries", _) => {
                let pairs = list.entries.iter().enumerate().map(|(at, entry)| {
                    entry.with(tuple(vec![Value::Number(at as f64), entry.value.clone()], entry.origin))
                });
                Value::List(list.with_entries(pairs.collect()))
            }
            ("fill", _) => {
                let filled = arguments.first().cloned().unwrap_or(Value::Nothing);
                Value::List(list.with_entries(list.entries.iter().map(|entry| entry.with(filled.clone())).collect()))
            }
            // The items of a list that is rendered as one string.
            ("join", _) => Value::Nodes(Rc::new(Node::from_value(&Value::List(list.clone())))),
            ("some" | "every" | "indexOf" | "findIndex" | "lastIndexOf" | "push" | "unshift", _) => Value::Unknown,
            ("sort" | "toSorted", by) => self.sorted(list, by.as_ref()),
            ("reverse" | "toReversed", _) => {
                Value::List(list.with_entries(list.entries.iter().rev().cloned().collect()))
            }
            // Same items, possibly reordered.
            _ => Value::List(list.clone()),
        }
    }

    fn on_item(&mut self, callback: &Closure, entry: &Entry, at: usize) -> Value {
        let arguments = vec![entry.value.clone(), Value::Number(at as f64)];
        self.apply(callback, arguments)
    }

    fn map(&mut self, list: &List, callback: &Closure) -> Value {
        let mut entries = Vec::new();
        self.steps_for(list.entries.len());
        for (at, entry) in list.entries.iter().enumerate().take(MAX_ITEMS) {
            let value = self.on_item(callback, entry, at);
            let identity = match &value {
                Value::Record(_) | Value::Text(_) => identity::join(&entry.identity, &identity::of_value(&value)),
                _ => entry.identity.clone(),
            };
            entries.push(Entry { value, identity, origin: entry.origin });
        }
        let mapped = Value::List(list.with_entries(entries));
        // The parameter's name also names the list.
        match callback.function.parameters.first() {
            Some(Pattern::Name(item)) if item.len() > 2 => mapped.with_name(item),
            _ => mapped,
        }
    }

    fn keep(&mut self, list: &List, mut keep: impl FnMut(&mut Self, &Entry, usize) -> bool) -> Value {
        let mut entries = Vec::new();
        for (at, entry) in list.entries.iter().enumerate() {
            if keep(self, entry, at) {
                entries.push(entry.clone());
            }
        }
        Value::List(list.with_entries(entries))
    }

    /// `reduce`. If the reducer cannot be evaluated, for example because it mutates a record, the result is the list
    /// itself.
    fn reduce(&mut self, list: &List, callback: &Closure, initial: Option<&Value>) -> Value {
        let mut entries = list.entries.iter();
        let mut result = match initial {
            Some(initial) => initial.clone(),
            None => match entries.next() {
                Some(entry) => entry.value.clone(),
                None => return Value::Unknown,
            },
        };
        for entry in entries {
            result = self.apply(callback, vec![result, entry.value.clone()]);
        }
        match &result {
            Value::Record(record) if record.fields.is_empty() => Value::List(list.clone()),
            Value::List(made) if made.entries.is_empty() => Value::List(list.clone()),
            Value::Unknown | Value::Nothing if initial.is_some_and(|value| !matches!(value, Value::Number(_))) => {
                Value::List(list.clone())
            }
            _ => result,
        }
    }

    /// `list.push(…)` on a variable.
    pub(super) fn push(&mut self, scope: usize, name: &str, values: Vec<Value>, place: Origin) {
        let Some(Value::List(mut list)) = self.look_up(scope, name) else { return };
        let entries = Rc::make_mut(&mut list.entries);
        for value in values {
            // A loop may push several items from one place.
            let index = entries.len() as u32;
            let identity = identity::of_value(&value);
            entries.push(Entry { value, identity, origin: Origin { index, ..place } });
        }
        entries.truncate(MAX_ITEMS);
        list.is_open |= self.repeating > 0;
        self.replace(scope, name, Value::List(list));
    }

    /// Stores the new value of a variable after a method mutated it.
    pub(super) fn replace(&mut self, scope: usize, name: &str, value: Value) {
        let unsure = std::mem::take(&mut self.unsure);
        self.assign(scope, name, value);
        self.unsure = unsure;
    }

    /// Sorts the items by a comparison. If it cannot be evaluated, the list is marked as reordered.
    fn sorted(&mut self, list: &List, by: Option<&Closure>) -> Value {
        let mut entries = (*list.entries).clone();
        let mut is_known = true;
        let compare = |this: &mut Self, left: &Entry, right: &Entry| match by {
            Some(by) => match this.apply(by, vec![left.value.clone(), right.value.clone()]) {
                Value::Number(order) => Some(order),
                _ => None,
            },
            None => Some(order(&*left.value.as_text()?, &*right.value.as_text()?)),
        };
        // Insertion sort: the comparison runs in the interpreter, and a library sort could not be stopped at the step
        // limit.
        for at in 1..entries.len() {
            let mut place = at;
            while let (Some(left), Some(right)) = (entries.get(place.wrapping_sub(1)), entries.get(place)) {
                match compare(self, left, right) {
                    Some(order) if order > 0.0 => entries.swap(place - 1, place),
                    Some(_) => break,
                    None => {
                        is_known = false;
                        break;
                    }
                }
                place -= 1;
            }
            if !is_known || !self.step() {
                return Value::List(List { is_reordered: true, ..list.clone() });
            }
        }
        Value::List(list.with_entries(entries))
    }
}

/// The result of a JavaScript comparison function.
fn order<T: Ord + ?Sized>(left: &T, right: &T) -> f64 {
    f64::from(left.cmp(right) as i8)
}

/// An item from a single expression.
fn single(value: Value) -> Entry {
    let origin = Origin { file: usize::MAX, at: 1, index: 0 };
    Entry { identity: identity::of_value(&value), value, origin }
}

/// A slice with constant bounds; with other bounds, the list itself.
fn slice(list: &List, arguments: &[Value]) -> Value {
    let length = list.entries.len();
    let end = |argument: Option<&Value>, default: usize| match argument {
        None | Some(Value::Nothing) => Some(default),
        Some(Value::Number(at)) if *at < 0.0 => Some((length as f64 + *at).max(0.0) as usize),
        Some(Value::Number(at)) => Some((*at as usize).min(length)),
        Some(_) => None,
    };
    let (from, to) = match (end(arguments.first(), 0), end(arguments.get(1), length)) {
        (Some(from), Some(to)) => (from, to),
        (Some(from), None) if matches!(arguments.first(), Some(Value::Number(_))) => (from, length),
        (None, Some(to)) if matches!(arguments.get(1), Some(Value::Number(_))) => (0, to),
        _ => (0, length),
    };
    Value::List(list.with_entries(list.entries.get(from..to).unwrap_or_default().to_vec()))
}

/// Flattens one level.
fn flat(value: Value) -> Value {
    let Value::List(list) = value else { return value };
    let (mut joined, mut entries) = (list.clone(), Vec::new());
    for entry in list.entries.iter() {
        match &entry.value {
            Value::List(inner) => {
                joined.is_open |= inner.is_open;
                joined.add_names(&inner.names);
                entries.extend(inner.entries.iter().cloned());
            }
            _ => entries.push(entry.clone()),
        }
    }
    joined.entries = Rc::new(entries);
    Value::List(joined)
}

fn includes(list: &List, item: Option<&Value>) -> Value {
    let Some(item) = item.and_then(Value::as_text) else { return Value::Unknown };
    let texts: Option<Vec<Rc<str>>> = list.entries.iter().map(|entry| entry.value.as_text()).collect();
    match texts {
        Some(texts) if texts.contains(&item) => Value::Boolean(true),
        Some(_) if !list.is_open => Value::Boolean(false),
        _ => Value::Unknown,
    }
}

/// The keys of a record as items, each identified by its key and value.
pub(super) fn keys(record: &Value) -> Value {
    of_fields(record, |name, _| Value::Text(name.clone()))
}

pub(crate) fn values(record: &Value) -> Value {
    let Value::List(list) = of_fields(record, |_, value| value.clone()) else { return Value::Unknown };
    // A string may be rendered without its key, so it identifies the item too.
    let mut named = (*list.entries).clone();
    for entry in named.iter_mut().filter(|entry| matches!(entry.value, Value::Text(_))) {
        entry.identity = identity::join(&entry.identity, &identity::of_value(&entry.value));
    }
    Value::List(list.with_entries(named))
}

pub(super) fn entries(record: &Value, place: Origin) -> Value {
    of_fields(record, |name, value| tuple(vec![Value::Text(name.clone()), value.clone()], place))
}

fn of_fields(value: &Value, item: impl Fn(&Rc<str>, &Value) -> Value) -> Value {
    match value {
        Value::Record(record) => {
            let entries = record.fields.iter().map(|field| Entry {
                value: item(&field.name, &field.value),
                identity: of_key(field),
                origin: field.origin,
            });
            Value::list(entries.collect(), record.is_open)
        }
        // The keys of a list are its indices.
        Value::List(list) => Value::List(list.clone()),
        Value::Unknown => Value::list(Vec::new(), true),
        _ => Value::list(Vec::new(), false),
    }
}

/// The identity of a record's field as an item. The value of a key may change; the key identifies the item.
fn of_key(field: &Field) -> Identity {
    let key = identity::of_field("key", field.name.clone());
    match &field.value {
        value @ Value::Record(_) => identity::join(&key, &identity::of_value(value)),
        _ => key,
    }
}

fn text_method(text: &str, name: &str, arguments: &[Value], place: Origin) -> Value {
    let argument = arguments.first().and_then(Value::as_text);
    match (name, argument) {
        ("split", Some(separator)) if !separator.is_empty() => {
            let parts = text.split(&*separator).take(MAX_ITEMS).map(Value::text);
            tuple(parts.collect(), place)
        }
        ("trim", _) => Value::text(text.trim()),
        ("toLowerCase", _) => Value::text(&text.to_lowercase()),
        ("toUpperCase", _) => Value::text(&text.to_uppercase()),
        ("localeCompare", Some(other)) => {
            Value::Number(order(&(text.to_lowercase(), text), &(other.to_lowercase(), &*other)))
        }
        ("includes", Some(part)) => Value::Boolean(text.contains(&*part)),
        ("startsWith", Some(part)) => Value::Boolean(text.starts_with(&*part)),
        ("endsWith", Some(part)) => Value::Boolean(text.ends_with(&*part)),
        _ => Value::Unknown,
    }
}
