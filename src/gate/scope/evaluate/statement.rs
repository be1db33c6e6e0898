//! Statements and patterns.

use super::Evaluator;
use super::builtins::tuple;
use super::value::{Closure, Origin, Record, Value};
use crate::js::tree::{Declaration, Expression, Pattern, Statement};
use std::rc::Rc;

/// The result of a block of statements.
#[derive(Default)]
pub(super) struct Ending {
    /// The possible return value.
    pub returned: Option<Value>,
    /// The following statements are unreachable.
    pub is_over: bool,
}

impl Ending {
    fn or(self, other: Self) -> Self {
        let is_over = self.is_over && other.is_over;
        Self { returned: either(self.returned, other.returned), is_over }
    }
}

fn either(left: Option<Value>, right: Option<Value>) -> Option<Value> {
    match (left, right) {
        (Some(left), Some(right)) => Some(left.or(right)),
        (left, right) => left.or(right),
    }
}

impl Evaluator<'_, '_> {
    pub(super) fn run(&mut self, statements: &[Statement], scope: usize) -> Ending {
        // Functions are hoisted.
        for statement in statements {
            if let Statement::Declare(Declaration {
                pattern: Pattern::Name(name),
                value: Some(Expression::Function(function)),
                ..
            }) = statement
            {
                self.declare(scope, name, Value::Function(Closure { function: function.clone(), scope }));
            }
        }
        let mut ending = Ending::default();
        for statement in statements {
            let next = self.statement(statement, scope);
            ending = Ending { returned: either(ending.returned, next.returned), is_over: next.is_over };
            if ending.is_over {
                break;
            }
        }
        ending
    }

    fn statement(&mut self, statement: &Statement, scope: usize) -> Ending {
        if !self.step() {
            return Ending::default();
        }
        match statement {
            Statement::Declare(declaration) => {
                self.declaration(declaration, scope);
                Ending::default()
            }
            Statement::Return(value) => {
                let value = value.as_ref().map_or(Value::Nothing, |value| self.expression(value, scope));
                Ending { returned: Some(value), is_over: true }
            }
            Statement::Expression(expression) => {
                self.expression(expression, scope);
                Ending::default()
            }
            Statement::Block(body) => self.block(body, scope),
            Statement::If { test, then, otherwise } => match self.expression(test, scope).truth() {
                Some(true) => self.block(then, scope),
                Some(false) => self.block(otherwise, scope),
                None => {
                    self.unsure += 1;
                    let (then, otherwise) = (self.block(then, scope), self.block(otherwise, scope));
                    self.unsure -= 1;
                    then.or(otherwise)
                }
            },
            Statement::Each { item, over, body } => {
                let over = self.expression(over, scope);
                self.each(item.as_ref(), &over, body, scope)
            }
        }
    }

    fn block(&mut self, body: &[Statement], scope: usize) -> Ending {
        let file = self.file_of(scope);
        let inner = self.open_scope(Some(scope), file);
        self.run(body, inner)
    }

    fn each(&mut self, item: Option<&Pattern>, over: &Value, body: &[Statement], scope: usize) -> Ending {
        let (list, file) = (self.spread(over), self.file_of(scope));
        let mut ending = Ending::default();
        for entry in list.entries.iter() {
            let inner = self.open_scope(Some(scope), file);
            item.iter().for_each(|item| self.bind(item, entry.value.clone(), inner));
            let next = self.run(body, inner);
            ending.returned = either(ending.returned, next.returned);
        }
        // There may be items that the sources do not show.
        if list.is_open || matches!(over, Value::Unknown) {
            let inner = self.open_scope(Some(scope), file);
            item.iter().for_each(|item| self.bind(item, Value::Unknown, inner));
            (self.unsure, self.repeating) = (self.unsure + 1, self.repeating + 1);
            let next = self.run(body, inner);
            (self.unsure, self.repeating) = (self.unsure - 1, self.repeating - 1);
            ending.returned = either(ending.returned, next.returned);
        }
        ending
    }

    fn declaration(&mut self, declaration: &Declaration, scope: usize) {
        let Some(value) = &declaration.value else {
            return self.bind(&declaration.pattern, Value::Nothing, scope);
        };
        let is_foreign_hook = self.is_foreign_hook(value, scope);
        let mut value = self.expression(value, scope);
        // `const [teas, setTeas] = useLocalStorage('teas', list)`
        if is_foreign_hook && matches!(declaration.pattern, Pattern::Array(..)) {
            value = tuple(vec![value, Value::Unknown], Origin::default());
        }
        // The variable's name comes before the names in its type: feedback uses the first name of a list.
        if let Pattern::Name(name) = &declaration.pattern {
            value = value.with_name(name);
        }
        for word in words(&declaration.type_words) {
            value = value.with_name(word);
        }
        self.bind(&declaration.pattern, value, scope);
    }

    fn is_foreign_hook(&mut self, value: &Expression, scope: usize) -> bool {
        const TUPLES: [&str; 2] = ["useState", "useReducer"];
        let Expression::Call(call) = value else { return false };
        let Expression::Name(name) = &call.callee else { return false };
        name.starts_with("use")
            && !TUPLES.contains(&&**name)
            && !matches!(self.look_up(scope, name), Some(Value::Function(_)))
    }

    /// Binds the names of a pattern.
    pub(super) fn bind(&mut self, pattern: &Pattern, value: Value, scope: usize) {
        match pattern {
            Pattern::Name(name) => self.declare(scope, name, value),
            Pattern::Default(pattern, default) => {
                let value = match value {
                    Value::Nothing => self.expression(default, scope),
                    Value::Unknown => self.expression(default, scope).into_state(),
                    value => value,
                };
                self.bind(pattern, value, scope);
            }
            Pattern::Object(fields, rest) => {
                for (name, pattern) in fields {
                    let field = self.field(&value, name);
                    self.bind(pattern, field, scope);
                }
                if let Some(rest) = rest {
                    let left = match &value {
                        Value::Record(record) => {
                            let taken = |name: &str| fields.iter().any(|(taken, _)| taken == name);
                            let fields = record.fields.iter().filter(|field| !taken(&field.name)).cloned();
                            Value::Record(Rc::new(Record { fields: fields.collect(), is_open: record.is_open }))
                        }
                        _ => Value::Unknown,
                    };
                    self.bind(rest, left, scope);
                }
            }
            Pattern::Array(items, rest) => {
                let list = self.spread(&value);
                for (place, pattern) in items.iter().enumerate() {
                    let item = match list.entries.get(place) {
                        Some(entry) => entry.value.clone(),
                        None if list.is_open => Value::Unknown,
                        None => Value::Nothing,
                    };
                    pattern.iter().for_each(|pattern| self.bind(pattern, item.clone(), scope));
                }
                if let Some(rest) = rest {
                    let left = list.with_entries(list.entries.get(items.len()..).unwrap_or_default().to_vec());
                    self.bind(rest, Value::List(left), scope);
                }
            }
            Pattern::Other => {}
        }
    }
}

/// The identifiers in a type: `Record<string, Tier>`.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| word.starts_with(|first: char| first.is_uppercase()))
}
