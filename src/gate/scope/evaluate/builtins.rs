//! Built-in functions of JavaScript and React.

use super::Evaluator;
use super::call::{is_translation_hook, record_of};
use super::value::{Entry, Field, Identity, List, Origin, Record, Value};
use super::{MAX_ITEMS, methods};
use crate::gate::scope::identity;
use std::collections::BTreeSet;
use std::rc::Rc;

impl Evaluator<'_, '_> {
    /// `Object.keys(…)`, `React.useState(…)`.
    pub(super) fn global_method(&mut self, object: &str, method: &str, arguments: Vec<Value>, place: Origin) -> Value {
        let first = arguments.first().cloned().unwrap_or(Value::Nothing);
        match (object, method) {
            ("Object", "keys") => methods::keys(&first),
            ("Object", "values") => methods::values(&first),
            ("Object", "entries") => methods::entries(&first, place),
            ("Object", "fromEntries") => self.record_of_pairs(&first),
            ("Object", "freeze" | "seal") => first,
            ("Object", "assign") => arguments.into_iter().reduce(Value::or).unwrap_or(Value::Unknown),
            ("Array", "from") => self.array_from(&first, arguments.get(1), place),
            ("Array", "of") => tuple(arguments, place),
            ("Array", "isArray") => match first {
                Value::Unknown => Value::Unknown,
                first => Value::Boolean(matches!(first, Value::List(_))),
            },
            ("Math", "min" | "max" | "floor" | "ceil" | "round") => arithmetic(method, &arguments),
            (_, method) => match self.builtin(method, &arguments, place) {
                Value::Unknown => arguments.into_iter().find(|value| matches!(value, Value::List(_))),
                value => Some(value),
            }
            .unwrap_or(Value::Unknown),
        }
    }

    /// Calls a function that no source declares.
    pub(super) fn builtin(&mut self, name: &str, arguments: &[Value], place: Origin) -> Value {
        let first = arguments.first().cloned().unwrap_or(Value::Nothing);
        match name {
            "useState" | "useReducer" => {
                let initial = match name {
                    "useState" => self.called(first),
                    _ => arguments.get(1).cloned().unwrap_or(Value::Unknown),
                };
                tuple(vec![initial.into_state(), Value::Unknown], place)
            }
            "useMemo" | "create" | "createStore" | "atom" | "signal" => self.called(first),
            "lazy" | "dynamic" => {
                let module = self.called(first);
                self.component(module)
            }
            "useRef" => record_of("current", first.into_state(), place),
            "useContext" => first.into_state(),
            "useCallback" | "useDeferredValue" | "use" | "structuredClone" | "createContext" => first,
            "Set" => self.set_of(&first),
            "Map" => self.record_of_pairs(&first),
            "Array" => match (&first, arguments.len()) {
                (Value::Number(length), 1) => self.repeated(*length, place),
                (Value::Unknown, 1) => open(),
                _ => tuple(arguments.to_vec(), place),
            },
            "Boolean" => first.truth().map_or(Value::Unknown, Value::Boolean),
            "String" => first.as_text().map_or(Value::Unknown, Value::Text),
            "Number" | "parseInt" => match &first {
                Value::Text(text) => text.trim().parse().map_or(Value::Unknown, Value::Number),
                Value::Number(number) => Value::Number(*number),
                _ => Value::Unknown,
            },
            name if is_translation_hook(name) => Value::Translate(first.as_text().unwrap_or_default()),
            // `memo`, `forwardRef`, `observer` and other component wrappers.
            _ => match first {
                Value::Function(function) => Value::Function(function),
                _ => Value::Unknown,
            },
        }
    }

    /// The return value of a function; other values are returned as they are.
    fn called(&mut self, value: Value) -> Value {
        match value {
            Value::Function(function) => self.apply(&function, Vec::new()),
            value => value,
        }
    }

    fn array_from(&mut self, from: &Value, make: Option<&Value>, place: Origin) -> Value {
        let list = match from {
            Value::Record(record) if record.get("length").is_some() => match record.get("length") {
                Some(Value::Number(length)) => self.repeated(*length, place),
                _ => open(),
            },
            from => Value::List(self.spread(from)),
        };
        match make {
            Some(make) => self.method(list, "map", vec![make.clone()], place),
            None => list,
        }
    }

    /// A list of `length` empty items, as from `Array(n)` or `Array.from({ length: n })`.
    fn repeated(&mut self, length: f64, place: Origin) -> Value {
        let places = (0..MAX_ITEMS).take_while(|index| (*index as f64) < length);
        let entries = places.map(|index| Entry {
            value: Value::Nothing,
            identity: Identity::default(),
            origin: Origin { index: index as u32, ..place },
        });
        let entries: Vec<Entry> = entries.collect();
        self.steps_for(entries.len());
        Value::list(entries, length > MAX_ITEMS as f64)
    }

    /// The items of a list without duplicate strings and numbers.
    fn set_of(&self, value: &Value) -> Value {
        let list = self.spread(value);
        let mut known = BTreeSet::default();
        let mut entries = (*list.entries).clone();
        entries.retain(|entry| entry.value.as_text().is_none_or(|text| known.insert(text)));
        Value::List(list.with_entries(entries))
    }

    fn record_of_pairs(&mut self, pairs: &Value) -> Value {
        let list = self.spread(pairs);
        let mut record = Record { fields: Vec::new(), is_open: list.is_open };
        for entry in list.entries.iter() {
            let Value::List(pair) = &entry.value else {
                record.is_open = true;
                continue;
            };
            let [key, value] = [0, 1].map(|place| pair.entries.get(place).map(|entry| entry.value.clone()));
            match key.and_then(|key| key.as_text()) {
                Some(name) => {
                    record.set(Field { name, value: value.unwrap_or(Value::Unknown), origin: entry.origin });
                }
                None => record.is_open = true,
            }
        }
        Value::Record(Rc::new(record))
    }

    /// The items of a value. A record gives its entries, like a map.
    pub(super) fn spread(&self, value: &Value) -> List {
        match value {
            Value::List(list) => list.clone(),
            Value::Record(record) => match methods::entries(value, Origin::default()) {
                Value::List(list) => List { is_open: list.is_open || record.is_open, ..list },
                _ => List::default(),
            },
            Value::Nothing | Value::Boolean(_) | Value::Number(_) => List::default(),
            _ => List { is_open: true, ..List::default() },
        }
    }
}

fn arithmetic(method: &str, arguments: &[Value]) -> Value {
    let numbers = arguments.iter().map(|value| match value {
        Value::Number(number) => Some(*number),
        _ => None,
    });
    let Some(numbers) = numbers.collect::<Option<Vec<f64>>>() else { return Value::Unknown };
    let number = match (method, numbers.as_slice()) {
        ("min", numbers) => numbers.iter().copied().reduce(f64::min),
        ("max", numbers) => numbers.iter().copied().reduce(f64::max),
        ("floor", [number]) => Some(number.floor()),
        ("ceil", [number]) => Some(number.ceil()),
        ("round", [number]) => Some(number.round()),
        _ => None,
    };
    number.map_or(Value::Unknown, Value::Number)
}

fn open() -> Value {
    Value::list(Vec::new(), true)
}

pub(super) fn tuple(values: Vec<Value>, place: Origin) -> Value {
    let entries = values.into_iter().enumerate().map(|(index, value)| Entry {
        identity: identity::of_value(&value),
        value,
        origin: Origin { index: index as u32, ..place },
    });
    Value::list(entries.collect(), false)
}
