//! Where the objects of a JSON list and their keys are.

use super::parse::parse;
use oxc_ast::ast::{Expression, ObjectPropertyKind, Program, Statement};
use oxc_span::GetSpan;

/// The offsets of an object and of its keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JsonObject {
    pub start: u32,
    pub keys: Vec<(String, u32)>,
}

/// Where a list and its objects are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct JsonList {
    /// The offset of the field that has it; 0 for a text that is a list.
    pub start: u32,
    pub objects: Vec<JsonObject>,
}

/// The list that is the text, or its field `field`. Empty for other texts. Of two fields with the same name, the last one
/// counts.
pub(crate) fn list(text: &str, field: &str) -> JsonList {
    // An object at the start of a source would be a block.
    let source = format!("({text}\n)");
    parse(&source, false, |program, _| read(program, field)).unwrap_or_default()
}

fn read(program: &Program<'_>, field: &str) -> JsonList {
    let Some(Statement::ExpressionStatement(statement)) = program.body.first() else { return JsonList::default() };
    let (mut list, mut start) = (statement.expression.without_parentheses(), 0);
    if let Expression::ObjectExpression(object) = list {
        let named = object.properties.iter().rev().find_map(|property| match property {
            ObjectPropertyKind::ObjectProperty(property) if property.key.is_specific_static_name(field) => {
                Some(property)
            }
            _ => None,
        });
        let Some(property) = named else { return JsonList::default() };
        (list, start) = (&property.value, property.key.span().start - 1);
    }
    JsonList { start, objects: objects(list) }
}

fn objects(list: &Expression<'_>) -> Vec<JsonObject> {
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
