//! Source text to the plan's own tree, and in [`module`] to what a module holds: all that knows the parser.

pub(super) mod module;

use super::bounds::{self, Excess};
use super::language::{self, equal};
use super::report::PropValue;
use super::tree::{Attribute, AttributeValue, Comment, Element, Place, Tree};
use crate::json;
use oxc_allocator::Allocator;
use oxc_ast::ast::*;
use oxc_parser::{Parser, ParserReturn};
use oxc_span::{GetSpan, Span};
use oxc_syntax::xml_entities::decode_entities;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// What a source gives.
#[derive(Debug, Default)]
pub(super) struct Parsed<'s> {
    /// Empty where no root was found.
    pub tree: Tree<'s>,
    /// Why it is no plan, in source order; empty where it is one.
    pub errors: Vec<SyntaxError>,
}

/// A place where the source is no plan.
#[derive(Debug)]
pub(super) struct SyntaxError {
    pub message: String,
    pub place: Place,
}

/// Parses a plan. Total: within the bounds, any text gives a tree or a reason.
///
/// # Errors
/// The bound that the source passes; it is then not parsed.
pub(super) fn parse(source: &str) -> Result<Parsed<'_>, Excess> {
    match bounds::check(source) {
        Ok(()) => Ok(read_in_arena(source)),
        Err(excess) => match broken_before(source, SourceType::tsx()) {
            errors if errors.is_empty() => Err(excess),
            errors => Ok(Parsed { tree: Tree::default(), errors }),
        },
    }
}

/// The errors of a source that only parsing could tell apart, where it is broken before that: what a bracket or a quote
/// too many makes of the rest is not what is wrong with it.
fn broken_before(source: &str, language: SourceType) -> Vec<SyntaxError> {
    let Some(readable) = bounds::before_excess(source, language.is_jsx()) else { return Vec::new() };
    let arena = Allocator::default();
    let mut errors = syntax_errors(&Parser::new(&arena, readable, language).parse());
    // That the text ends here is no error of the source.
    errors.retain(|error| (error.place.end as usize) < readable.len());
    errors
}

fn read_in_arena(source: &str) -> Parsed<'_> {
    let mut arena = ARENA.take();
    let parsed = read(source, &arena);
    if arena.capacity() <= MAX_KEPT {
        arena.reset();
        ARENA.set(arena);
    }
    parsed
}

/// Bytes. An editor's plan is a few kilobytes, and its tree some dozens.
const MAX_KEPT: usize = 1 << 20;

thread_local! {
    // To ask for the memory of a tree takes as long as to build it, and an editor does so at every keystroke.
    static ARENA: RefCell<Allocator> = RefCell::default();
}

fn read<'s>(source: &'s str, arena: &Allocator) -> Parsed<'s> {
    let returned = Parser::new(arena, source, SourceType::tsx()).parse();
    let mut parsed = Parsed { tree: Tree::default(), errors: syntax_errors(&returned) };
    match find_root(&returned.program) {
        Ok(root) => parsed.tree = Builder::new(source, &returned.program.comments).build(root),
        Err(error) if parsed.errors.is_empty() => parsed.errors.push(error),
        Err(_) => {}
    }
    if let (true, Some(second)) = (parsed.errors.is_empty(), default_exports(&returned.program).nth(1)) {
        parsed.errors.push(SyntaxError {
            message: "There is a second default export. A plan is one tree: keep one.".to_owned(),
            place: second.place,
        });
    }
    parsed
}

/// What the parser says, in source order.
fn syntax_errors(returned: &ParserReturn<'_>) -> Vec<SyntaxError> {
    let mut errors: Vec<SyntaxError> = returned
        .diagnostics
        .iter()
        .map(|diagnostic| {
            let label = diagnostic.labels.iter().find(|label| label.primary()).or(diagnostic.labels.first());
            let advice = diagnostic.help.as_deref().or_else(|| label.and_then(|label| label.label()));
            SyntaxError {
                message: sentences([&diagnostic.message, advice.unwrap_or_default()]),
                place: label.map_or(Place { start: 0, end: 0 }, |label| place(label.span())),
            }
        })
        .collect();
    errors.sort_by_key(|a| a.place.start);
    errors
}

/// The parser's texts, which end with a full stop or without.
fn sentences(texts: [&str; 2]) -> String {
    let ended = texts.map(|text| match text.chars().last() {
        None | Some('.' | '?' | '!') => text.to_owned(),
        Some(_) => format!("{text}."),
    });
    ended.join(" ").trim_end().to_owned()
}

fn place(span: Span) -> Place {
    Place { start: span.start, end: span.end }
}

// ---------------------------------------------------------------------------------------------------------------------
// The root
// ---------------------------------------------------------------------------------------------------------------------

/// A default export.
struct DefaultExport<'p, 'a> {
    place: Place,
    exported: Exported<'p, 'a>,
}

enum Exported<'p, 'a> {
    Expression(&'p Expression<'a>),
    Function(&'p Function<'a>),
    /// `export { plan as default }`.
    Name(&'p ModuleExportName<'a>),
    /// A class, an interface, or something of another module.
    Other(Span),
}

fn default_exports<'p, 'a>(program: &'p Program<'a>) -> impl Iterator<Item = DefaultExport<'p, 'a>> {
    program.body.iter().flat_map(|statement| -> Vec<DefaultExport<'p, 'a>> {
        match statement {
            Statement::ExportDefaultDeclaration(export) => {
                let exported = match &export.declaration {
                    // An overload is a type of the function that follows.
                    ExportDefaultDeclarationKind::FunctionDeclaration(function) if function.body.is_none() => {
                        return Vec::new();
                    }
                    ExportDefaultDeclarationKind::FunctionDeclaration(function) => Exported::Function(function),
                    declaration => {
                        declaration.as_expression().map_or(Exported::Other(declaration.span()), Exported::Expression)
                    }
                };
                vec![DefaultExport { place: place(export.span), exported }]
            }
            Statement::ExportNamedDeclaration(export) => {
                named_default(&export.specifiers, |specifier| Exported::Name(&specifier.local))
            }
            Statement::ExportFromDeclaration(export) => {
                named_default(&export.specifiers, |specifier| Exported::Other(specifier.span))
            }
            Statement::ExportAllDeclaration(export)
                if export.exported.as_ref().is_some_and(|name| name.name() == "default") =>
            {
                vec![DefaultExport { place: place(export.span), exported: Exported::Other(export.span) }]
            }
            _ => Vec::new(),
        }
    })
}

fn named_default<'p, 'a>(
    specifiers: &'p [ExportSpecifier<'a>],
    exported: fn(&'p ExportSpecifier<'a>) -> Exported<'p, 'a>,
) -> Vec<DefaultExport<'p, 'a>> {
    specifiers
        .iter()
        .filter(|specifier| specifier.exported.name() == "default")
        .map(|specifier| DefaultExport { place: place(specifier.span), exported: exported(specifier) })
        .collect()
}

fn find_root<'p, 'a>(program: &'p Program<'a>) -> Result<&'p JSXElement<'a>, SyntaxError> {
    let Some(export) = default_exports(program).next() else {
        return Err(SyntaxError {
            message: "There is no default export. Write the plan as `export default (<App …>…</App>)`.".to_owned(),
            place: Place { start: 0, end: 0 },
        });
    };
    let (found, span) = match export.exported {
        Exported::Expression(expression) => {
            let expression = transparent(expression);
            let found = match expression {
                Expression::Identifier(name) => declared(program, &name.name),
                expression => returned_by(expression),
            };
            (found, expression.span())
        }
        Exported::Function(function) => (returned_by_function(function), function.span),
        Exported::Name(name) => (declared(program, &name.name()), name.span()),
        Exported::Other(span) => (None, span),
    };
    match found {
        Some(Expression::JSXElement(root)) => Ok(root),
        found => Err(SyntaxError {
            message: match found {
                Some(Expression::JSXFragment(_)) => {
                    "The plan's root is a fragment. Make one `<App>` the root and put everything into it."
                }
                _ => {
                    "The default export is no JSX element. Export `<App …>…</App>`, a `const` that holds it, or a \
                     function that returns it."
                }
            }
            .to_owned(),
            place: place(span),
        }),
    }
}

/// What a name of the module stands for: a `const`'s value or what a function returns.
fn declared<'p, 'a>(program: &'p Program<'a>, name: &str) -> Option<&'p Expression<'a>> {
    program.body.iter().find_map(|statement| {
        let declaration = match statement {
            Statement::ExportDeclaration(export) => Some(&export.declaration),
            statement => statement.as_declaration(),
        };
        match declaration? {
            Declaration::VariableDeclaration(variables) if variables.kind == VariableDeclarationKind::Const => {
                variables
                    .declarations
                    .iter()
                    .find(|variable| variable.id.get_identifier_name().is_some_and(|known| known == name))
                    .and_then(|variable| returned_by(transparent(variable.init.as_ref()?)))
            }
            Declaration::FunctionDeclaration(function) if function.name().is_some_and(|known| known == name) => {
                returned_by_function(function)
            }
            _ => None,
        }
    })
}

/// The expression itself, or the JSX that a function returns.
fn returned_by<'p, 'a>(expression: &'p Expression<'a>) -> Option<&'p Expression<'a>> {
    match expression {
        Expression::JSXElement(_) | Expression::JSXFragment(_) => Some(expression),
        Expression::FunctionExpression(function) => returned_by_function(function),
        Expression::ArrowFunctionExpression(arrow) => match &arrow.body {
            ArrowFunctionBody::FunctionBody(body) => first_return(&body.statements),
            body => body.as_expression().map(transparent).filter(|body| is_jsx(body)),
        },
        _ => None,
    }
}

fn returned_by_function<'p, 'a>(function: &'p Function<'a>) -> Option<&'p Expression<'a>> {
    first_return(&function.body.as_ref()?.statements)
}

/// The first `return` of JSX among the statements and in them, but not in functions in them.
fn first_return<'p, 'a>(statements: &'p [Statement<'a>]) -> Option<&'p Expression<'a>> {
    statements.iter().find_map(|statement| match statement {
        Statement::ReturnStatement(statement) => {
            statement.argument.as_ref().map(transparent).filter(|value| is_jsx(value))
        }
        Statement::BlockStatement(block) => first_return(&block.body),
        Statement::IfStatement(choice) => first_return(std::slice::from_ref(&choice.consequent))
            .or_else(|| first_return(std::slice::from_ref(choice.alternate.as_ref()?))),
        Statement::ForStatement(repeated) => first_return(std::slice::from_ref(&repeated.body)),
        Statement::ForInStatement(repeated) => first_return(std::slice::from_ref(&repeated.body)),
        Statement::ForOfStatement(repeated) => first_return(std::slice::from_ref(&repeated.body)),
        Statement::WhileStatement(repeated) => first_return(std::slice::from_ref(&repeated.body)),
        Statement::DoWhileStatement(repeated) => first_return(std::slice::from_ref(&repeated.body)),
        Statement::LabeledStatement(labeled) => first_return(std::slice::from_ref(&labeled.body)),
        Statement::SwitchStatement(switch) => switch.cases.iter().find_map(|case| first_return(&case.consequent)),
        Statement::TryStatement(attempt) => first_return(&attempt.block.body)
            .or_else(|| first_return(&attempt.handler.as_ref()?.body.body))
            .or_else(|| first_return(&attempt.finalizer.as_ref()?.body)),
        _ => None,
    })
}

fn is_jsx(expression: &Expression<'_>) -> bool {
    matches!(expression, Expression::JSXElement(_) | Expression::JSXFragment(_))
}

/// The expression in parentheses, `as`, `satisfies` and `!`.
fn transparent<'p, 'a>(mut expression: &'p Expression<'a>) -> &'p Expression<'a> {
    loop {
        expression = match expression {
            Expression::ParenthesizedExpression(outer) => &outer.expression,
            Expression::TSAsExpression(outer) => &outer.expression,
            Expression::TSSatisfiesExpression(outer) => &outer.expression,
            Expression::TSNonNullExpression(outer) => &outer.expression,
            _ => return expression,
        };
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// The tree
// ---------------------------------------------------------------------------------------------------------------------

struct Builder<'s, 'p> {
    source: &'s str,
    /// Those that no braces between tags have claimed yet.
    comments: std::iter::Peekable<std::slice::Iter<'p, oxc_ast::Comment>>,
    tree: Tree<'s>,
}

impl<'s, 'p> Builder<'s, 'p> {
    fn new(source: &'s str, comments: &'p [oxc_ast::Comment]) -> Self {
        Self { source, comments: comments.iter().peekable(), tree: Tree::default() }
    }

    fn build(mut self, root: &JSXElement<'_>) -> Tree<'s> {
        self.element(root, None, 1);
        self.tree
    }

    fn element(&mut self, element: &JSXElement<'_>, parent: Option<usize>, level: u32) {
        let opening = &element.opening_element;
        let name = self.tag_name(&opening.name);
        let index = self.tree.elements.len();
        self.tree.elements.push(Element {
            component: language::find(&name),
            name,
            place: Place { start: opening.span.start, end: opening.name.span().end },
            opening_end: opening.span.end,
            end: element.span.end,
            closes_itself: element.closing_element.is_none(),
            attributes: self.attributes(&opening.attributes),
            parent,
            level,
        });
        self.children(&element.children, index, level + 1);
    }

    fn children(&mut self, children: &[JSXChild<'_>], parent: usize, level: u32) {
        for child in children {
            match child {
                JSXChild::Text(_) => {}
                JSXChild::Element(element) => self.element(element, Some(parent), level),
                JSXChild::Fragment(fragment) => self.children(&fragment.children, parent, level),
                JSXChild::Spread(spread) => self.tree.unreadable.push(place(spread.span)),
                JSXChild::ExpressionContainer(container) => {
                    let expression = container.expression.as_expression();
                    self.claim_comments(container.span, expression.map(GetSpan::span), parent);
                    if expression.is_some_and(|expression| literal(expression).is_none()) {
                        self.tree.unreadable.push(place(container.span));
                    }
                }
            }
        }
    }

    /// The comments in the braces, but not those in the expression that the braces hold.
    fn claim_comments(&mut self, braces: Span, expression: Option<Span>, parent: usize) {
        while self.comments.next_if(|comment| comment.span.start < braces.start).is_some() {}
        while let Some(comment) = self.comments.next_if(|comment| comment.span.end <= braces.end) {
            let content = comment.content_span();
            if expression.is_none_or(|expression| !expression.contains_inclusive(content)) {
                let text = self.text(content);
                self.tree.comments.push(Comment { text, start: content.start, parent });
            }
        }
    }

    fn tag_name(&self, name: &JSXElementName<'_>) -> Cow<'s, str> {
        let JSXElementName::MemberExpression(member) = name else { return Cow::Borrowed(self.text(name.span())) };
        let mut parts = vec![member.property.name.as_str()];
        let mut object = &member.object;
        while let JSXMemberExpressionObject::MemberExpression(member) = object {
            parts.push(member.property.name.as_str());
            object = &member.object;
        }
        parts.push(self.text(object.span()));
        parts.reverse();
        Cow::Owned(parts.concat())
    }

    fn attributes(&self, items: &[JSXAttributeItem<'_>]) -> Vec<Attribute<'s>> {
        let mut attributes: Vec<Attribute<'s>> = items
            .iter()
            .map(|item| match item {
                JSXAttributeItem::SpreadAttribute(spread) => {
                    Attribute { name: "", place: place(spread.span), value: AttributeValue::Spread }
                }
                JSXAttributeItem::Attribute(attribute) => Attribute {
                    name: self.text(attribute.name.span()),
                    place: place(attribute.span),
                    value: self.value(attribute.value.as_ref()).unwrap_or(AttributeValue::Dynamic),
                },
            })
            .collect();
        keep_last(&mut attributes);
        attributes
    }

    fn value(&self, value: Option<&JSXAttributeValue<'_>>) -> Option<AttributeValue<'s>> {
        let value = match value {
            None => PropValue::Boolean(true),
            Some(JSXAttributeValue::StringLiteral(text)) => {
                return Some(AttributeValue::Text(decoded(self.text(text.span.shrink(1)))));
            }
            Some(JSXAttributeValue::ExpressionContainer(container)) => literal(container.expression.as_expression()?)?,
            Some(JSXAttributeValue::Element(_) | JSXAttributeValue::Fragment(_)) => return None,
        };
        Some(match value {
            PropValue::String(text) => AttributeValue::Text(Cow::Owned(text)),
            value => AttributeValue::Literal(value),
        })
    }

    fn text(&self, span: Span) -> &'s str {
        self.source.get(span.start as usize..span.end as usize).unwrap_or_default()
    }
}

/// Up to this many names are compared each with each.
const FEW_ATTRIBUTES: usize = 8;

/// Of attributes of one name the last counts; spreads have none.
fn keep_last(attributes: &mut Vec<Attribute<'_>>) {
    let mut rest = attributes.as_slice();
    while let ([attribute, later @ ..], true) = (rest, attributes.len() <= FEW_ATTRIBUTES) {
        if later.iter().any(|later| equal(later.name, attribute.name)) {
            break;
        }
        rest = later;
    }
    if rest.is_empty() {
        return;
    }
    let last: BTreeMap<&str, usize> =
        attributes.iter().enumerate().map(|(at, attribute)| (attribute.name, at)).collect();
    let mut places = 0..;
    attributes.retain(|attribute| places.next().as_ref() == last.get(attribute.name) || attribute.name.is_empty());
}

// ---------------------------------------------------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------------------------------------------------

/// An attribute's text with its entities (`&amp;`) read.
fn decoded(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| byte == b'&') {
        return Cow::Borrowed(text);
    }
    let allocator = Allocator::default();
    let mut decoded = None;
    decode_entities(text, &mut decoded, text.len(), &allocator);
    decoded.map_or(Cow::Borrowed(text), |decoded| Cow::Owned(decoded.as_str().to_owned()))
}

/// A scalar, or a flat array or object of scalars.
fn literal(expression: &Expression<'_>) -> Option<PropValue> {
    match in_parentheses(expression) {
        Expression::ArrayExpression(array) => array
            .elements
            .iter()
            .map(|element| scalar(element.as_expression()?))
            .collect::<Option<_>>()
            .map(PropValue::List),
        Expression::ObjectExpression(object) => object
            .properties
            .iter()
            .map(|property| match property {
                ObjectPropertyKind::ObjectProperty(property) if property.kind == PropertyKind::Init => {
                    let key = if property.computed { None } else { key(&property.key) };
                    Some((key?, scalar(&property.value)?))
                }
                _ => None,
            })
            .collect::<Option<_>>()
            .map(PropValue::Map),
        expression => scalar(expression),
    }
}

/// The name that a key which is not computed stands for.
fn key(key: &PropertyKey<'_>) -> Option<String> {
    match key {
        PropertyKey::StaticIdentifier(name) => Some(name.name.to_string()),
        PropertyKey::StringLiteral(text) => Some(text.value.to_string()),
        PropertyKey::NumericLiteral(literal) => Some(json::number(literal.value)),
        PropertyKey::BigIntLiteral(literal) => Some(literal.value.to_string()),
        _ => None,
    }
}

fn scalar(expression: &Expression<'_>) -> Option<PropValue> {
    match in_parentheses(expression) {
        Expression::BooleanLiteral(value) => Some(PropValue::Boolean(value.value)),
        Expression::StringLiteral(text) => Some(PropValue::String(well_formed(&text.value, text.lone_surrogates))),
        Expression::TemplateLiteral(template) => match template.quasis.as_slice() {
            [text] => Some(PropValue::String(well_formed(text.value.cooked.as_ref()?.as_str(), text.lone_surrogates))),
            _ => None,
        },
        expression => number(expression).map(PropValue::Number),
    }
}

fn number(mut expression: &Expression<'_>) -> Option<f64> {
    let mut sign = 1.0;
    loop {
        expression = match in_parentheses(expression) {
            Expression::NumericLiteral(number) => return Some(sign * number.value).filter(|value| value.is_finite()),
            Expression::UnaryExpression(unary) if unary.operator == UnaryOperator::UnaryPlus => &unary.argument,
            Expression::UnaryExpression(unary) if unary.operator == UnaryOperator::UnaryNegation => {
                sign = -sign;
                &unary.argument
            }
            _ => return None,
        };
    }
}

/// The expression in parentheses, `as` and `satisfies`.
fn in_parentheses<'p, 'a>(mut expression: &'p Expression<'a>) -> &'p Expression<'a> {
    loop {
        expression = match expression {
            Expression::ParenthesizedExpression(outer) => &outer.expression,
            Expression::TSAsExpression(outer) => &outer.expression,
            Expression::TSSatisfiesExpression(outer) => &outer.expression,
            _ => return expression,
        };
    }
}

/// The parser writes half a surrogate pair as U+FFFD and four digits; UTF-8 has only U+FFFD for it.
fn well_formed(text: &str, lone_surrogates: bool) -> String {
    if !lone_surrogates {
        return text.to_owned();
    }
    let mut parts = text.split('\u{FFFD}');
    let mut read = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        read.push('\u{FFFD}');
        read.push_str(part.get(4..).unwrap_or_default());
    }
    read
}
