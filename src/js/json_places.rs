//! Where the objects of a JSON list and their keys are.

use super::parse::parse;
use oxc_ast::ast::{Expression, ObjectPropertyKind, Program, Statement};
use oxc_span::GetSpan;

/// The offset of an object, and those of its keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JsonObject {
    pub start: u32,
    pub keys: Vec<(String, u32)>,
}

/// The objects of a list: the text, or its field `field`. Empty for other texts.
pub(crate) fn objects(text: &str, field: &str) -> Vec<JsonObject> {
    // An object at the start of a source would be a block.
    let source = format!("({text}\n)");
    parse(&source, false, |program, _| read(program, field)).unwrap_or_default()
}

fn read(program: &Program<'_>, field: &str) -> Vec<JsonObject> {
    let Some(Statement::ExpressionStatement(statement)) = program.body.first() else { return Vec::new() };
    let mut list = statement.expression.without_parentheses();
    if let Expression::ObjectExpression(object) = list {
        let named = object.properties.iter().find_map(|property| match property {
            ObjectPropertyKind::ObjectProperty(property) if property.key.is_specific_static_name(field) => {
                Some(property)
            }
            _ => None,
        });
        let Some(property) = named else { return Vec::new() };
        list = &property.value;
    }
    let Expression::ArrayExpression(array) = list else { return Vec::new() };
    let objects = array.elements.iter().map(|element| match element.as_expression() {
        Some(Expression::ObjectExpression(object)) => {
            let keys = object.properties.iter().filter_map(|property| match property {
                ObjectPropertyKind::ObjectProperty(property) => {
                    Some((property.key.static_name()?.into_owned(), property.key.span().start - 1))
                }
                ObjectPropertyKind::SpreadProperty(_) => None,
            });
            JsonObject { start: object.span.start - 1, keys: keys.collect() }
        }
        _ => JsonObject { start: element.span().start - 1, keys: Vec::new() },
    });
    objects.collect()
}
