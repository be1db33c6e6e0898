//! Scopes of functions, blocks and modules, and imports.

use super::Evaluator;
use super::value::{Entry, Field, Origin, Record, Value};
use crate::gate::scope::identity;
use crate::gate::scope::sources::FileId;
use crate::js::tree::Parsed;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The names of a function, block or module.
pub(super) struct Scope {
    outer: Option<usize>,
    file: FileId,
    names: BTreeMap<Rc<str>, Value>,
}

impl Scope {
    fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        self.names.get_mut(name)
    }
}

impl Evaluator<'_, '_> {
    pub(super) fn open_scope(&mut self, outer: Option<usize>, file: FileId) -> usize {
        self.scopes.push(Scope { outer, file, names: BTreeMap::new() });
        self.scopes.len() - 1
    }

    pub(super) fn file_of(&self, scope: usize) -> FileId {
        self.scopes.get(scope).map_or(0, |scope| scope.file)
    }

    pub(super) fn declare(&mut self, scope: usize, name: &Rc<str>, value: Value) {
        let Some(scope) = self.scopes.get_mut(scope) else { return };
        match scope.get_mut(name) {
            Some(known) => *known = value,
            None => drop(scope.names.insert(name.clone(), value)),
        }
    }

    /// Assigns to a variable. Under an undecidable condition the old value remains possible.
    pub(super) fn assign(&mut self, scope: usize, name: &str, value: Value) {
        let unsure = self.unsure > 0;
        let mut at = Some(scope);
        while let Some(scope) = at.and_then(|at| self.scopes.get_mut(at)) {
            if let Some(known) = scope.get_mut(name) {
                let old = std::mem::replace(known, Value::Unknown);
                *known = if unsure { old.or(value) } else { value };
                return;
            }
            at = scope.outer;
        }
    }

    /// The value of a name; `None` if it is not declared.
    pub(super) fn look_up(&mut self, scope: usize, name: &str) -> Option<Value> {
        let (mut at, mut file) = (Some(scope), 0);
        while let Some(scope) = at.and_then(|at| self.scopes.get(at)) {
            if let Some(value) = scope.names.get(name) {
                return Some(value.clone().with_name(name));
            }
            (at, file) = (scope.outer, scope.file);
        }
        let module = self.sources.module(file)?;
        module.imports_by_name.places(name).next()?;
        let (source, exported) = self.sources.binding(file, name)?;
        let value = match exported {
            Some(exported) => self.of_module(source, &exported),
            None => self.module_value(source),
        };
        Some(value.with_name(name))
    }

    /// The value of a module's name; for JSON, of a field.
    pub(crate) fn of_module(&mut self, file: FileId, name: &str) -> Value {
        if self.sources.module(file).is_none() {
            return match self.module_value(file) {
                Value::Record(record) => record.get(name).cloned().unwrap_or(Value::Unknown).with_name(name),
                _ => Value::Unknown,
            };
        }
        let scope = self.module_scope(file);
        self.look_up(scope, name).unwrap_or(Value::Unknown)
    }

    pub(super) fn exported(&mut self, file: FileId, name: &str) -> Value {
        match self.sources.exported(file, name) {
            Some((file, Some(name))) => self.of_module(file, &name),
            Some((file, None)) => self.module_value(file),
            None => Value::Unknown,
        }
    }

    /// The exports of a module; for JSON, its value.
    pub(crate) fn module_value(&mut self, file: FileId) -> Value {
        let sources = self.sources;
        match sources.parsed(file) {
            Parsed::Module(_) => Value::Module(file),
            Parsed::Data(data) => json(data, file, &mut 0),
            _ => Value::Unknown,
        }
    }

    fn module_scope(&mut self, file: FileId) -> usize {
        if let Some((_, scope)) = self.modules.iter().find(|(known, _)| *known == file) {
            return *scope;
        }
        let scope = self.open_scope(None, file);
        // Registered before its body is evaluated: modules may import each other.
        self.modules.push((file, scope));
        let sources = self.sources;
        if let Some(module) = sources.module(file) {
            let unsure = std::mem::take(&mut self.unsure);
            self.run(&module.body, scope);
            self.unsure = unsure;
        }
        scope
    }
}

/// Converts JSON. Items are numbered in document order.
fn json(data: &Json, file: FileId, at: &mut u32) -> Value {
    *at += 1;
    match data {
        Json::Null => Value::Nothing,
        Json::Bool(value) => Value::Boolean(*value),
        Json::Number(number) => number.as_f64().map_or(Value::Unknown, Value::Number),
        Json::String(text) => Value::text(text),
        Json::Array(items) => {
            let mut entries = Vec::new();
            for item in items {
                let value = json(item, file, at);
                let origin = Origin { file, at: *at, index: 0 };
                entries.push(Entry { identity: identity::of_value(&value), value, origin });
            }
            Value::list(entries, false)
        }
        Json::Object(fields) => {
            let mut record = Record::default();
            for (name, value) in fields {
                let value = json(value, file, at);
                let origin = Origin { file, at: *at, index: 0 };
                record.fields.push(Field { name: name.as_str().into(), value, origin });
            }
            Value::Record(Rc::new(record))
        }
    }
}
