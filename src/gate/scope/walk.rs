//! What code uses: names, translations and modules. The trees lack what never runs.

use super::evaluate::translation_key;
use crate::js::tree::{Attribute, Child, Declaration, Element, Expression, Item, Pattern, Property, Statement};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Use<'t> {
    /// A name and the path of fields read from it: `en.rooms.items`.
    Name(&'t str, Vec<&'t str>),
    /// A translation key.
    Message(&'t str),
    /// A lazily loaded module.
    Module(&'t str),
}

/// Walks code in source order.
pub(super) struct Walk<'v, 't> {
    visit: &'v mut dyn FnMut(Use<'t>),
}

impl<'v, 't> Walk<'v, 't> {
    pub(super) fn new(visit: &'v mut dyn FnMut(Use<'t>)) -> Self {
        Self { visit }
    }

    pub(super) fn statements(&mut self, statements: &'t [Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    pub(super) fn statement(&mut self, statement: &'t Statement) {
        match statement {
            Statement::Declare(declaration) => self.declaration(declaration),
            Statement::Return(value) => value.iter().for_each(|value| self.expression(value)),
            Statement::Expression(expression) => self.expression(expression),
            Statement::Block(body) => self.statements(body),
            Statement::If { test, then, otherwise } => {
                self.expression(test);
                self.statements(then);
                self.statements(otherwise);
            }
            Statement::Each { item, over, body } => {
                item.iter().for_each(|item| self.pattern(item));
                self.expression(over);
                self.statements(body);
            }
        }
    }

    pub(super) fn declaration(&mut self, declaration: &'t Declaration) {
        self.pattern(&declaration.pattern);
        let Some(value) = &declaration.value else { return };
        // `const { rooms } = en` reads one field.
        if let (Pattern::Object(fields, None), Some((name, path))) = (&declaration.pattern, chain(value)) {
            for (field, _) in fields {
                let path = path.iter().copied().chain([field.as_str()]).collect();
                (self.visit)(Use::Name(name, path));
            }
        } else {
            self.expression(value);
        }
    }

    fn pattern(&mut self, pattern: &'t Pattern) {
        match pattern {
            Pattern::Default(pattern, default) => {
                self.pattern(pattern);
                self.expression(default);
            }
            Pattern::Object(fields, _) => fields.iter().for_each(|(_, field)| self.pattern(field)),
            Pattern::Array(items, _) => items.iter().flatten().for_each(|item| self.pattern(item)),
            Pattern::Name(_) | Pattern::Other => {}
        }
    }

    pub(super) fn expression(&mut self, expression: &'t Expression) {
        if let Some((name, path)) = chain(expression) {
            return (self.visit)(Use::Name(name, path));
        }
        match expression {
            Expression::Text(_)
            | Expression::Number(_)
            | Expression::Boolean(_)
            | Expression::Nothing
            | Expression::Name(_) => {}
            Expression::Template(parts) | Expression::Other(parts) => {
                parts.iter().for_each(|part| self.expression(part));
            }
            Expression::Member(sides)
            | Expression::And(sides)
            | Expression::Or(sides)
            | Expression::Else(sides)
            | Expression::Binary(_, sides) => {
                sides.iter().for_each(|side| self.expression(side));
            }
            Expression::Choice(sides) => sides.iter().for_each(|side| self.expression(side)),
            Expression::Call(call) => {
                match translation_key(call) {
                    Some(key) => (self.visit)(Use::Message(key)),
                    None => self.expression(&call.callee),
                }
                self.items(&call.arguments);
            }
            Expression::Array(items) => self.items(items),
            Expression::Object(properties) => properties.iter().for_each(|property| match property {
                Property::Pair { key, value, .. } => {
                    self.expression(key);
                    self.expression(value);
                }
                Property::Spread(value) => self.expression(value),
            }),
            Expression::Function(function) => {
                function.parameters.iter().for_each(|parameter| self.pattern(parameter));
                self.statements(&function.body);
            }
            Expression::Element(element) => self.element(element),
            Expression::Not(inner) => self.expression(inner),
            Expression::Assign(assign) => self.expression(&assign.1),
            Expression::Import(path) => (self.visit)(Use::Module(path)),
        }
    }

    fn items(&mut self, items: &'t [Item]) {
        items.iter().for_each(|item| self.expression(&item.value));
    }

    fn element(&mut self, element: &'t Element) {
        if element.is_component() {
            let mut path = element.name.split('.');
            let name = path.next().unwrap_or_default();
            (self.visit)(Use::Name(name, path.collect()));
        }
        for attribute in &element.attributes {
            match attribute {
                Attribute::Named(_, value, _) | Attribute::Spread(value) => self.expression(value),
            }
        }
        for child in &element.children {
            if let Child::Expression(child, _) = child {
                self.expression(child);
            }
        }
    }
}

/// A name and the fields read from it.
pub(super) fn chain(mut expression: &Expression) -> Option<(&str, Vec<&str>)> {
    let mut path = Vec::new();
    loop {
        match expression {
            Expression::Name(name) => {
                path.reverse();
                return Some((name, path));
            }
            Expression::Member(member) => {
                let [object, Expression::Text(name)] = &**member else { return None };
                path.push(&**name);
                expression = object;
            }
            _ => return None,
        }
    }
}
