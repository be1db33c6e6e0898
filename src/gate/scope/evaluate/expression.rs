//! Expressions.

use super::Evaluator;
use super::value::{Closure, Entry, Field, Identity, List, Origin, Record, Value};
use crate::gate::scope::identity;
use crate::js::tree::{Expression, Item, Operator, Pattern, Property};
use std::rc::Rc;

impl Evaluator<'_, '_> {
    pub(super) fn expression(&mut self, expression: &Expression, scope: usize) -> Value {
        if !self.step() {
            return Value::Unknown;
        }
        self.depth += 1;
        let value = self.expression_within(expression, scope);
        self.depth -= 1;
        value
    }

    fn expression_within(&mut self, expression: &Expression, scope: usize) -> Value {
        match expression {
            Expression::Text(text) => Value::Text(text.clone()),
            Expression::Number(number) => Value::Number(*number),
            Expression::Boolean(value) => Value::Boolean(*value),
            Expression::Nothing => Value::Nothing,
            Expression::Template(parts) => self.template(parts, scope),
            Expression::Name(name) => self.look_up(scope, name).unwrap_or(Value::Unknown),
            Expression::Member(member) => self.member(member, scope),
            Expression::Call(call) => self.call(call, scope),
            Expression::Array(items) => self.array(items, scope),
            Expression::Object(properties) => self.object(properties, scope),
            Expression::Function(function) => Value::Function(Closure { function: function.clone(), scope }),
            Expression::Element(element) => self.element(element, scope),
            Expression::Choice(choice) => self.choice(choice, scope),
            Expression::And(sides) => self.and(sides, scope),
            Expression::Or(sides) => self.or(sides, scope),
            Expression::Else(sides) => self.or_else(sides, scope),
            Expression::Not(inner) => {
                self.expression(inner, scope).truth().map_or(Value::Unknown, |truth| Value::Boolean(!truth))
            }
            Expression::Binary(operator, sides) => self.binary(*operator, sides, scope),
            Expression::Assign(assign) => self.assignment(assign, scope),
            Expression::Import(path) => {
                let from = self.file_of(scope);
                self.sources.resolve(from, path).map_or(Value::Unknown, Value::Module)
            }
            Expression::Other(inner) => {
                inner.iter().for_each(|inner| drop(self.expression(inner, scope)));
                Value::Unknown
            }
        }
    }

    fn template(&mut self, parts: &[Expression], scope: usize) -> Value {
        let mut text = String::new();
        let mut is_known = true;
        for part in parts {
            match self.expression(part, scope).as_text() {
                Some(part) => text.push_str(&part),
                None => is_known = false,
            }
        }
        if is_known { Value::text(&text) } else { Value::Unknown }
    }

    fn member(&mut self, [object, name]: &[Expression; 2], scope: usize) -> Value {
        let object = self.expression(object, scope);
        let name = self.expression(name, scope);
        match (&object, name.as_text()) {
            (_, Some(name)) => self.field(&object, &name),
            // The key is unknown: the union of all fields.
            (Value::Record(record), None) => {
                let fields = record.fields.iter().map(|field| field.value.clone().with_name(&field.name));
                fields.reduce(Value::or).unwrap_or(Value::Unknown)
            }
            _ => Value::Unknown,
        }
    }

    /// The field of a value. A list gets the field's name.
    pub(super) fn field(&mut self, object: &Value, name: &str) -> Value {
        let value = match object {
            Value::Record(record) => match record.get(name) {
                Some(value) => value.clone(),
                None if name == "size" => Value::Number(record.fields.len() as f64),
                None if record.is_open => Value::Unknown,
                None => Value::Nothing,
            },
            Value::List(list) if name == "length" => match list.is_open {
                true => Value::Unknown,
                false => Value::Number(list.entries.len() as f64),
            },
            Value::List(list) => match name.parse::<usize>() {
                Ok(place) => match list.entries.get(place) {
                    Some(entry) => entry.value.clone(),
                    None if list.is_open => Value::Unknown,
                    None => Value::Nothing,
                },
                Err(_) => Value::Unknown,
            },
            Value::Text(text) if name == "length" => Value::Number(text.chars().count() as f64),
            Value::Module(file) => self.exported(*file, name),
            Value::Translate(prefix) => Value::Translate(prefix.clone()),
            _ => Value::Unknown,
        };
        value.with_name(name)
    }

    fn array(&mut self, items: &[Item], scope: usize) -> Value {
        let (mut entries, mut list) = (Vec::new(), List::default());
        for item in items {
            let value = self.expression(&item.value, scope);
            if item.spread {
                let spread = self.spread(&value);
                list.is_open |= spread.is_open;
                list.is_reordered |= spread.is_reordered;
                list.fields = spread.fields.clone();
                list.names.extend(spread.names);
                // A list rendered twice, as in a marquee, has its items once.
                for entry in spread.entries.iter() {
                    if entries.iter().all(|known: &Entry| known.origin != entry.origin) {
                        entries.push(entry.clone());
                    }
                }
            } else {
                let mut identity = identity::of_value(&value);
                if identity.is_empty() || !matches!(item.value, Expression::Template(_)) {
                    identity = identity::join(&identity, &self.argument(&item.value, scope));
                }
                // An expression that is evaluated several times makes several items.
                let index = entries.len() as u32;
                let origin = Origin { file: self.file_of(scope), at: item.at, index };
                entries.push(Entry { value, identity, origin });
            }
        }
        if list.fields.is_empty() {
            list.fields = entries.first().map(|entry: &Entry| entry.value.fields()).unwrap_or_default();
        }
        list.entries = Rc::new(entries);
        Value::List(list)
    }

    /// A helper call is identified by its first argument, a template by its literal text.
    fn argument(&mut self, item: &Expression, scope: usize) -> Identity {
        let first = match item {
            // For a template with unknown parts: the literal text.
            Expression::Template(parts) => {
                let texts = parts.iter().filter_map(|part| match part {
                    Expression::Text(text) => Some(&**text),
                    _ => None,
                });
                return identity::of_value(&Value::text(&texts.collect::<String>()));
            }
            Expression::Call(call) => call.arguments.first().filter(|argument| !argument.spread),
            _ => None,
        };
        match first.map(|first| self.expression(&first.value, scope)) {
            Some(Value::Function(_)) | None => Identity::default(),
            Some(value) => identity::of_argument(&value),
        }
    }

    fn object(&mut self, properties: &[Property], scope: usize) -> Value {
        let mut record = Record::default();
        for property in properties {
            match property {
                Property::Pair { span, key, value } => {
                    let key = self.expression(key, scope).as_text();
                    let value = self.expression(value, scope);
                    match key {
                        Some(name) => {
                            let origin = Origin { file: self.file_of(scope), at: span.0, index: 0 };
                            record.set(Field { name, value, origin });
                        }
                        None => record.is_open = true,
                    }
                }
                Property::Spread(value) => record.spread(&self.expression(value, scope)),
            }
        }
        Value::Record(Rc::new(record))
    }

    fn choice(&mut self, [test, then, otherwise]: &[Expression; 3], scope: usize) -> Value {
        match self.expression(test, scope).truth() {
            Some(true) => self.expression(then, scope),
            Some(false) => self.expression(otherwise, scope),
            None => self.unsure(|this| this.expression(then, scope).or(this.expression(otherwise, scope))),
        }
    }

    fn and(&mut self, [left, right]: &[Expression; 2], scope: usize) -> Value {
        let left = self.expression(left, scope);
        match left.truth() {
            Some(false) => left,
            Some(true) => self.expression(right, scope),
            None => {
                // If the right side is a condition too, a false one decides.
                let right = self.unsure(|this| this.expression(right, scope));
                match right.truth() {
                    Some(false) => Value::Boolean(false),
                    _ => Value::Nothing.or(right),
                }
            }
        }
    }

    fn or(&mut self, [left, right]: &[Expression; 2], scope: usize) -> Value {
        let left = self.expression(left, scope);
        match left.truth() {
            Some(true) => left,
            Some(false) => self.expression(right, scope),
            None => {
                let right = self.unsure(|this| this.expression(right, scope));
                if matches!(right, Value::Boolean(true)) { right } else { left.or(right) }
            }
        }
    }

    fn or_else(&mut self, [left, right]: &[Expression; 2], scope: usize) -> Value {
        match self.expression(left, scope) {
            Value::Nothing => self.expression(right, scope),
            Value::Unknown => self.unsure(|this| this.expression(right, scope)).into_state(),
            left => left,
        }
    }

    pub(super) fn unsure(&mut self, evaluate: impl FnOnce(&mut Self) -> Value) -> Value {
        self.unsure += 1;
        let value = evaluate(self);
        self.unsure -= 1;
        value
    }

    fn binary(&mut self, operator: Operator, [left, right]: &[Expression; 2], scope: usize) -> Value {
        let (left, right) = (self.expression(left, scope), self.expression(right, scope));
        match operator {
            Operator::Equal => equal(&left, &right).map_or(Value::Unknown, Value::Boolean),
            Operator::Unequal => equal(&left, &right).map_or(Value::Unknown, |equal| Value::Boolean(!equal)),
            operator => match (&left, &right) {
                (Value::Number(left), Value::Number(right)) => calculate(operator, *left, *right),
                (Value::Text(_), _) | (_, Value::Text(_)) if operator == Operator::Add => {
                    match (left.as_text(), right.as_text()) {
                        (Some(left), Some(right)) => Value::text(&[&*left, &*right].concat()),
                        _ => Value::Unknown,
                    }
                }
                _ => Value::Unknown,
            },
        }
    }

    fn assignment(&mut self, (target, value): &(Pattern, Expression), scope: usize) -> Value {
        let value = self.expression(value, scope);
        if let Pattern::Name(name) = target {
            self.assign(scope, name, value.clone());
        }
        value
    }
}

fn equal(left: &Value, right: &Value) -> Option<bool> {
    match (left, right) {
        (Value::Text(left), Value::Text(right)) => Some(left == right),
        (Value::Number(left), Value::Number(right)) => Some(left == right),
        (Value::Boolean(left), Value::Boolean(right)) => Some(left == right),
        (Value::Nothing, Value::Nothing) => Some(true),
        (Value::Unknown, _) | (_, Value::Unknown) => None,
        (Value::List(_) | Value::Record(_) | Value::Function(_), Value::List(_) | Value::Record(_)) => None,
        _ => Some(false),
    }
}

fn calculate(operator: Operator, left: f64, right: f64) -> Value {
    Value::Number(match operator {
        Operator::Less => return Value::Boolean(left < right),
        Operator::LessOrEqual => return Value::Boolean(left <= right),
        Operator::Greater => return Value::Boolean(left > right),
        Operator::GreaterOrEqual => return Value::Boolean(left >= right),
        Operator::Add => left + right,
        Operator::Subtract => left - right,
        Operator::Multiply => left * right,
        Operator::Divide => left / right,
        Operator::Remainder => left % right,
        Operator::Equal | Operator::Unequal => return Value::Unknown,
    })
}
