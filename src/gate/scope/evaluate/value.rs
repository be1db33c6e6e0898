//! What is known about the value of an expression without running the program.

use super::node::Node;
use crate::gate::scope::sources::FileId;
use crate::js::tree::Function;
use crate::json;
use std::rc::Rc;

#[derive(Debug, Clone)]
pub(crate) enum Value {
    Unknown,
    /// `null` and `undefined`.
    Nothing,
    Boolean(bool),
    Number(f64),
    Text(Rc<str>),
    List(List),
    Record(Rc<Record>),
    Function(Closure),
    /// Rendered JSX.
    Nodes(Rc<Vec<Node>>),
    /// A module's exports.
    Module(FileId),
    /// The result of a translation hook, with its key prefix.
    Translate(Rc<str>),
}

/// A function and its scope.
#[derive(Debug, Clone)]
pub(crate) struct Closure {
    pub function: Rc<Function>,
    pub scope: usize,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct List {
    pub entries: Rc<Vec<Entry>>,
    /// Its names in the sources: variables, fields, types.
    pub names: Vec<Rc<str>>,
    /// There may be unknown items.
    pub is_open: bool,
    /// The order of the items is unknown.
    pub is_reordered: bool,
    /// The fields of the first item, as declared; a string or number has one field without a name.
    pub fields: Rc<[Rc<str>]>,
}

#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub value: Value,
    pub identity: Identity,
    pub origin: Origin,
}

/// What identifies an item: fields and their values.
pub(crate) type Identity = Rc<Vec<(Rc<str>, Rc<str>)>>;

/// A place in the sources. `index` distinguishes several values from one place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Origin {
    pub file: FileId,
    pub at: u32,
    pub index: u32,
}

/// In source order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Record {
    pub fields: Vec<Field>,
    /// There may be unknown fields.
    pub is_open: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Field {
    pub name: Rc<str>,
    pub value: Value,
    pub origin: Origin,
}

impl Value {
    pub(crate) fn text(text: &str) -> Self {
        Self::Text(text.into())
    }

    pub(crate) fn list(entries: Vec<Entry>, is_open: bool) -> Self {
        let fields = entries.first().map(|entry| entry.value.fields()).unwrap_or_default();
        Self::List(List { entries: Rc::new(entries), is_open, fields, ..List::default() })
    }

    /// The field names of an item.
    pub(crate) fn fields(&self) -> Rc<[Rc<str>]> {
        match self {
            Self::Record(record) => record.fields.iter().map(|field| field.name.clone()).collect(),
            Self::Text(_) | Self::Number(_) => Rc::new([Rc::from("")]),
            _ => Rc::default(),
        }
    }

    /// Whether the value is truthy, if that is known.
    pub(crate) fn truth(&self) -> Option<bool> {
        match self {
            Self::Unknown => None,
            Self::Nothing => Some(false),
            Self::Boolean(value) => Some(*value),
            Self::Number(number) => Some(*number != 0.0 && !number.is_nan()),
            Self::Text(text) => Some(!text.is_empty()),
            _ => Some(true),
        }
    }

    /// A string or a number as text.
    pub(crate) fn as_text(&self) -> Option<Rc<str>> {
        match self {
            Self::Text(text) => Some(text.clone()),
            Self::Number(number) => Some(json::number(*number).into()),
            _ => None,
        }
    }

    /// Adds a name to a list.
    pub(crate) fn with_name(mut self, name: &str) -> Self {
        if let Self::List(list) = &mut self
            && !name.is_empty()
            && list.names.iter().all(|known| &**known != name)
        {
            list.names.push(name.into());
        }
        self
    }

    /// The value as state that the program may change: scalars become unknown, lists and records keep their initial
    /// content.
    pub(crate) fn into_state(self) -> Self {
        match self {
            Self::Boolean(_) | Self::Number(_) | Self::Text(_) | Self::Nothing => Self::Unknown,
            Self::Record(record) => {
                let mut state = (*record).clone();
                for field in &mut state.fields {
                    let value = std::mem::replace(&mut field.value, Self::Unknown);
                    field.value = if matches!(value, Self::Record(_)) { value } else { value.into_state() };
                }
                Self::Record(Rc::new(state))
            }
            // An empty list is filled later.
            Self::List(list) if list.entries.is_empty() => Self::List(List { is_open: true, ..list }),
            value => value,
        }
    }

    /// The union of two possible values.
    pub(crate) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::List(left), Self::List(right)) => Self::List(left.with(&right)),
            (Self::Nodes(left), Self::Nodes(right)) => {
                Self::Nodes(Rc::new(left.iter().chain(right.iter()).cloned().collect()))
            }
            (Self::Record(left), Self::Record(right)) => {
                let mut joined = (*left).clone();
                for field in &right.fields {
                    match joined.fields.iter_mut().find(|known| known.name == field.name) {
                        Some(known) => {
                            let value = std::mem::replace(&mut known.value, Self::Unknown);
                            known.value = value.or(field.value.clone());
                        }
                        None => joined.fields.push(field.clone()),
                    }
                }
                joined.is_open |= right.is_open;
                Self::Record(Rc::new(joined))
            }
            (Self::Text(left), Self::Text(right)) if left == right => Self::Text(left),
            (Self::Number(left), Self::Number(right)) if left == right => Self::Number(left),
            (Self::Boolean(left), Self::Boolean(right)) if left == right => Self::Boolean(left),
            (Self::Nothing, Self::Nothing) => Self::Nothing,
            (left, _) if left.is_structured() => left,
            (_, right) if right.is_structured() => right,
            _ => Self::Unknown,
        }
    }

    fn is_structured(&self) -> bool {
        matches!(self, Self::List(_) | Self::Nodes(_) | Self::Record(_) | Self::Function(_) | Self::Module(_))
    }
}

impl Entry {
    /// The same item with another value.
    pub(crate) fn with(&self, value: Value) -> Self {
        Self { value, identity: self.identity.clone(), origin: self.origin }
    }

    /// What is rendered for it.
    pub(crate) fn nodes(&self) -> &[Node] {
        match &self.value {
            Value::Nodes(nodes) => nodes,
            _ => &[],
        }
    }
}

impl List {
    /// The same list with other items.
    pub(crate) fn with_entries(&self, entries: Vec<Entry>) -> Self {
        Self { entries: Rc::new(entries), ..self.clone() }
    }

    pub(crate) fn add_names(&mut self, names: &[Rc<str>]) {
        for name in names {
            if !self.names.contains(name) {
                self.names.push(name.clone());
            }
        }
    }

    /// The union of both lists, without duplicates.
    pub(crate) fn with(mut self, other: &Self) -> Self {
        let mut entries = (*self.entries).clone();
        for entry in other.entries.iter() {
            if entries.iter().all(|known| known.origin != entry.origin) {
                entries.push(entry.clone());
            }
        }
        self.entries = Rc::new(entries);
        self.is_open |= other.is_open;
        self.is_reordered |= other.is_reordered;
        self.add_names(&other.names);
        self
    }
}

impl Record {
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.fields.iter().rev().find(|field| &*field.name == name).map(|field| &field.value)
    }

    /// Sets the fields of a spread value.
    pub(crate) fn spread(&mut self, value: &Value) {
        match value {
            Value::Record(spread) => {
                self.is_open |= spread.is_open;
                spread.fields.iter().for_each(|field| self.set(field.clone()));
            }
            value => self.is_open |= value.truth() != Some(false),
        }
    }

    /// Sets a field. An existing field keeps its position.
    pub(crate) fn set(&mut self, field: Field) {
        match self.fields.iter_mut().find(|known| known.name == field.name) {
            Some(known) => *known = field,
            None => self.fields.push(field),
        }
    }
}
