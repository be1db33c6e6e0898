//! Code that never runs, locals that nothing names, and elements that nobody sees, as byte ranges.

use super::statement::{Reader, span};
use super::tree::{Attribute, Declaration, Expression, Pattern, Property, Statement};
use oxc_ast::ast;
use oxc_span::{GetSpan, Span};
use std::collections::BTreeMap;

impl Reader<'_> {
    /// What follows `return` or `throw` in a block. Functions are hoisted.
    pub(super) fn note_unreached(&mut self, statements: &[ast::Statement<'_>]) {
        let ends = |statement: &ast::Statement<'_>| {
            matches!(statement, ast::Statement::ReturnStatement(_) | ast::Statement::ThrowStatement(_))
        };
        let after = statements.iter().skip_while(|statement| !ends(statement)).skip(1);
        let is_run = |statement: &&ast::Statement<'_>| !matches!(statement, ast::Statement::FunctionDeclaration(_));
        self.dead.extend(after.filter(is_run).map(|statement| span(statement.span())));
    }

    /// The constants `true` and `false` of a block, which also apply before it and in its functions.
    pub(super) fn note_constants(&mut self, statements: &[ast::Statement<'_>]) {
        for statement in statements {
            let declaration = match statement {
                ast::Statement::ExportDeclaration(export) => Some(&export.declaration),
                statement => statement.as_declaration(),
            };
            let Some(ast::Declaration::VariableDeclaration(declared)) = declaration else { continue };
            for variable in declared.declarations.iter().filter(|_| declared.kind.is_const()) {
                let value = variable.init.as_ref().map(|value| value.without_parentheses());
                if let (Some(name), Some(ast::Expression::BooleanLiteral(value))) =
                    (variable.id.get_identifier_name(), value)
                {
                    self.constants.insert(name.to_string(), value.value);
                }
            }
        }
    }

    /// The value of a constant condition. The branch that it never takes is dead.
    pub(super) fn note_branch(&mut self, test: &Expression, whole: Span, otherwise: Option<Span>) -> Option<bool> {
        let truth = self.truth(test);
        match truth {
            Some(false) => self.dead.push((whole.start, otherwise.map_or(whole.end, |otherwise| otherwise.start))),
            Some(true) => self.dead.extend(otherwise.map(span)),
            None => {}
        }
        truth
    }

    /// A local whose value does nothing by itself.
    pub(super) fn note_local(&mut self, read: &[Statement]) {
        if let [Statement::Declare(Declaration { pattern: Pattern::Name(name), value: Some(value), span, .. })] = read
            && is_inert(value)
        {
            self.locals.push((name.to_string(), *span));
        }
    }

    /// An element that is hidden and that no script can find by a name.
    pub(super) fn note_hidden(&mut self, name: &str, attributes: &[Attribute], range: Span) {
        let value = |wanted: &str| {
            attributes.iter().find_map(|attribute| match attribute {
                Attribute::Named(name, value, _) if **name == *wanted => Some(value),
                _ => None,
            })
        };
        let is_open = attributes.iter().any(|attribute| match attribute {
            Attribute::Named(name, ..) => {
                matches!(&**name, "id" | "ref" | "class" | "className") || name.starts_with("data-")
            }
            Attribute::Spread(_) => true,
        });
        let is_hidden = matches!(value("hidden"), Some(Expression::Boolean(true)))
            || matches!(value("style"), Some(Expression::Object(style)) if style.iter().any(is_display_none));
        if !is_open && (is_hidden || matches!(name, "template" | "noscript")) {
            self.dead.push(span(range));
        }
    }

    /// The ranges, in source order and apart. `code` is the source without comments.
    pub(super) fn dead(mut self, code: &str) -> Vec<(u32, u32)> {
        if !self.locals.is_empty() {
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            let words = code.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
            words.for_each(|word| *counts.entry(word).or_default() += 1);
            let unused = self.locals.iter().filter(|(name, _)| counts.get(name.as_str()) == Some(&1));
            self.dead.extend(unused.map(|(_, range)| *range));
        }
        self.dead.sort_unstable_by_key(|(from, to)| (*from, std::cmp::Reverse(*to)));
        let mut end = 0;
        self.dead.retain(|(_, to)| {
            let is_apart = *to > end;
            end = end.max(*to);
            is_apart
        });
        self.dead
    }

    fn truth(&self, test: &Expression) -> Option<bool> {
        match test {
            Expression::Boolean(value) => Some(*value),
            Expression::Nothing => Some(false),
            Expression::Number(number) => Some(*number != 0.0),
            Expression::Not(inner) => self.truth(inner).map(|truth| !truth),
            Expression::Name(name) if self.bound.get(&**name).is_none_or(|bound| *bound == 1) => {
                self.constants.get(&**name).copied()
            }
            Expression::And(sides) => sides.iter().any(|side| self.truth(side) == Some(false)).then_some(false),
            _ => None,
        }
    }
}

fn is_display_none(property: &Property) -> bool {
    let Property::Pair { key: Expression::Text(key), value: Expression::Text(value), .. } = property else {
        return false;
    };
    &**key == "display" && &**value == "none"
}

/// Whether a value has no effect where nothing uses it.
fn is_inert(value: &Expression) -> bool {
    match value {
        Expression::Text(_)
        | Expression::Number(_)
        | Expression::Boolean(_)
        | Expression::Nothing
        | Expression::Function(_)
        | Expression::Element(_) => true,
        Expression::Template(parts) => parts.iter().all(is_inert),
        Expression::Array(items) => items.iter().all(|item| is_inert(&item.value)),
        Expression::Object(properties) => properties
            .iter()
            .all(|property| matches!(property, Property::Pair { key, value, .. } if is_inert(key) && is_inert(value))),
        _ => false,
    }
}
