//! Calls.

use super::Evaluator;
use super::builtins::tuple;
use super::value::{Closure, Entry, Identity, List, Origin, Record, Value};
use crate::gate::scope::sources::FileId;
use crate::js::tree::{Call, DEFAULT, Expression, Item};
use serde_json::Value as Json;
use std::rc::Rc;

/// Names of translation functions.
const TRANSLATIONS: [&str; 5] = ["t", "translate", "tr", "$t", "msg"];
/// The translations they look up.
const MESSAGES: &str = "locales/en.json";

impl Evaluator<'_, '_> {
    pub(super) fn call(&mut self, call: &Call, scope: usize) -> Value {
        let place = Origin {
            file: self.file_of(scope),
            at: call.arguments.first().map_or(0, |argument| argument.at),
            index: 0,
        };
        let (called, name) = match &call.callee {
            Expression::Member(member) => {
                let [object, name] = &**member;
                let name = literal(name);
                if let Expression::Name(global) = object
                    && self.look_up(scope, global).is_none()
                {
                    let arguments = self.arguments(&call.arguments, scope);
                    (self.global_method(global, name, arguments, place), name)
                } else {
                    let value = self.expression(object, scope);
                    let value = if matches!(value, Value::Unknown) { shaped(object, name) } else { value };
                    let arguments = self.arguments(&call.arguments, scope);
                    if let (Expression::Name(list), "push" | "unshift" | "add") = (object, name) {
                        self.push(scope, list, arguments, place);
                        return Value::Unknown;
                    }
                    if let (Expression::Name(list), "sort" | "reverse", Value::List(_)) = (object, name, &value) {
                        let sorted = self.method(value, name, arguments, place);
                        self.replace(scope, list, sorted.clone());
                        return sorted;
                    }
                    (self.method(value, name, arguments, place), name)
                }
            }
            Expression::Name(name) => {
                let callee = self.look_up(scope, name);
                let arguments = self.arguments(&call.arguments, scope);
                (self.invoke(callee, name, arguments, place), &**name)
            }
            callee => {
                let callee = self.expression(callee, scope);
                let arguments = self.arguments(&call.arguments, scope);
                (self.invoke(Some(callee), "", arguments, place), "")
            }
        };
        let mut value = match called {
            Value::Unknown if TRANSLATIONS.contains(&name) => {
                match call.arguments.first().map(|key| self.expression(&key.value, scope)) {
                    Some(Value::Text(key)) => self.message("", &key),
                    _ => Value::Unknown,
                }
            }
            value => value,
        };
        for word in super::statement::words(&call.type_words) {
            value = value.with_name(word);
        }
        value
    }

    fn arguments(&mut self, items: &[Item], scope: usize) -> Vec<Value> {
        let mut arguments = Vec::new();
        for item in items {
            let value = self.expression(&item.value, scope);
            if item.spread {
                arguments.extend(self.spread(&value).entries.iter().map(|entry| entry.value.clone()));
            } else {
                arguments.push(value);
            }
        }
        arguments
    }

    /// Calls a value. If the callee is unknown, the result of a call with a list is that list.
    fn invoke(&mut self, callee: Option<Value>, name: &str, arguments: Vec<Value>, place: Origin) -> Value {
        let result = match callee {
            Some(Value::Function(function)) => self.apply(&function, arguments.clone()),
            Some(Value::Translate(prefix)) => match arguments.first() {
                Some(Value::Text(key)) => self.message(&prefix, key),
                _ => Value::Unknown,
            },
            // A store hook returns its state, or what a selector takes from it.
            Some(Value::Record(state)) => match arguments.first() {
                Some(Value::Function(select)) => self.apply(select, vec![Value::Record(state)]),
                _ => Value::Record(state),
            },
            _ => self.builtin(name, &arguments, place),
        };
        match result {
            Value::Unknown => {
                arguments.into_iter().find(|value| matches!(value, Value::List(_))).unwrap_or(Value::Unknown)
            }
            result => result,
        }
    }

    pub(super) fn apply(&mut self, closure: &Closure, arguments: Vec<Value>) -> Value {
        if !self.step() {
            return Value::Unknown;
        }
        self.depth += 1;
        let scope = self.open_scope(Some(closure.scope), self.file_of(closure.scope));
        let mut arguments = arguments.into_iter();
        for parameter in &closure.function.parameters {
            let value = arguments.next().unwrap_or(Value::Nothing);
            self.bind(parameter, value, scope);
        }
        if let Some(rest) = &closure.function.rest {
            self.bind(rest, tuple(arguments.collect(), Origin::default()), scope);
        }
        let ending = self.run(&closure.function.body, scope);
        self.depth -= 1;
        ending.returned.unwrap_or(Value::Nothing)
    }

    /// The function of a component, unwrapped from a module, `lazy` or a wrapper.
    pub(super) fn component(&mut self, value: Value) -> Value {
        match value {
            Value::Module(file) => self.exported(file, DEFAULT),
            Value::Record(record) => record.get(DEFAULT).cloned().unwrap_or(Value::Unknown),
            value => value,
        }
    }

    fn message(&mut self, prefix: &str, key: &str) -> Value {
        let Some(file) = messages(self.sources) else { return Value::Unknown };
        let mut path = prefix.split(['.', ':']).chain(key.split(['.', ':'])).filter(|part| !part.is_empty());
        let Some(first) = path.next() else { return Value::Unknown };
        let mut value = self.of_module(file, first);
        for part in path {
            value = self.field(&value, part);
        }
        value
    }
}

/// The file with the translations.
pub(crate) fn messages(sources: &crate::gate::scope::sources::Sources<'_>) -> Option<FileId> {
    sources.ids().find(|file| sources.path(*file).ends_with(MESSAGES))
}

/// A hook such as `useTranslation('rooms')`.
pub(super) fn is_translation_hook(name: &str) -> bool {
    name.starts_with("use") && (name.contains("Transl") || matches!(name, "useT" | "useI18n"))
}

/// The translation key of a call, if it is a translation call.
pub(crate) fn translation_key(call: &Call) -> Option<&str> {
    let name = match &call.callee {
        Expression::Name(name) => &**name,
        Expression::Member(member) => {
            let [_, name] = &**member;
            literal(name)
        }
        _ => "",
    };
    let key = match &call.arguments.first()?.value {
        Expression::Text(key) => &**key,
        Expression::Template(parts) => parts.first().map_or("", literal),
        _ => return None,
    };
    (TRANSLATIONS.contains(&name) || is_translation_hook(name)).then_some(key)
}

/// The text of a string; empty for other expressions.
fn literal(expression: &Expression) -> &str {
    match expression {
        Expression::Text(text) => text,
        _ => "",
    }
}

/// A list whose items are unknown, but which is mapped and has a name.
fn shaped(object: &Expression, method: &str) -> Value {
    if !matches!(method, "map" | "flatMap" | "filter" | "slice" | "sort" | "toSorted" | "reverse" | "toReversed") {
        return Value::Unknown;
    }
    let mut names = Vec::new();
    let mut at = object;
    loop {
        at = match at {
            Expression::Member(member) => {
                let [object, name] = &**member;
                if let Expression::Text(name) = name {
                    names.push(name.clone());
                }
                object
            }
            Expression::Call(call) => &call.callee,
            Expression::Else(sides) | Expression::Or(sides) => {
                let [left, _] = &**sides;
                left
            }
            Expression::Name(name) => {
                names.push(name.clone());
                break;
            }
            _ => break,
        };
    }
    let unknown = Entry {
        value: Value::Unknown,
        identity: Identity::default(),
        origin: Origin { file: FileId::MAX, at: 0, index: 0 },
    };
    Value::List(List { entries: Rc::new(vec![unknown]), names, is_open: true, ..List::default() })
}

/// The value at a path in JSON.
pub(crate) fn json_at<'j>(data: &'j Json, path: &[String]) -> Option<&'j Json> {
    path.iter().try_fold(data, |data, part| data.get(part.as_str()))
}

pub(super) fn record_of(name: &str, value: Value, origin: Origin) -> Value {
    let mut record = Record::default();
    record.set(super::value::Field { name: name.into(), value, origin });
    Value::Record(Rc::new(record))
}
