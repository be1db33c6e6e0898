//! Reads a module's default-exported JSX as data: elements with literal attributes. Nothing is evaluated.

use super::limits::Excess;
use super::parse::{self, Place, SyntaxError, decoded, in_parentheses, place, transparent};
use crate::json;
use oxc_ast::ast::*;
use oxc_span::{GetSpan, Span};
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// A source as JSX data. `C` is the caller's component type.
#[derive(Debug)]
pub(crate) struct Document<'s, C> {
    /// Empty if no root was found.
    pub tree: Tree<'s, C>,
    /// In source order.
    pub errors: Vec<SyntaxError>,
    /// Set for modules without syntax errors only.
    pub problem: Option<(RootProblem, Place)>,
}

/// Why a module has no single root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RootProblem {
    NoDefaultExport,
    SecondDefaultExport,
    Fragment,
    NotAnElement,
}

/// Reads a source. `component` looks up the component of a tag.
///
/// # Errors
/// The limit that the source exceeds. Such a source is not parsed.
pub(crate) fn read<'s, C>(source: &'s str, component: fn(&str) -> Option<C>) -> Result<Document<'s, C>, Excess> {
    let read = |program: &Program<'_>, errors: Vec<SyntaxError>| match find_root(program) {
        Ok(root) => {
            let second = default_exports(program).into_iter().nth(1).filter(|_| errors.is_empty());
            let problem = second.map(|(span, _)| (RootProblem::SecondDefaultExport, place(span)));
            Document { tree: Builder::new(source, &program.comments, component).build(root), errors, problem }
        }
        Err(problem) => {
            Document { tree: Tree::default(), problem: Some(problem).filter(|_| errors.is_empty()), errors }
        }
    };
    parse::parse(source, true, read)
}

// ---------------------------------------------------------------------------------------------------------------------
// The tree
// ---------------------------------------------------------------------------------------------------------------------

/// Elements in source order: parents come before their children. The first is the root.
#[derive(Debug)]
pub(crate) struct Tree<'s, C> {
    pub elements: Vec<Element<'s, C>>,
    /// Braced children that are neither literals nor comments.
    pub unreadable: Vec<Place>,
    /// Comments in braces between tags.
    pub comments: Vec<Comment<'s>>,
}

#[derive(Debug)]
pub(crate) struct Element<'s, C> {
    /// `Nav.Item` becomes `NavItem`.
    pub name: Cow<'s, str>,
    pub component: Option<C>,
    /// From the `<` to the end of the tag name.
    pub place: Place,
    /// The offset after the `>` of the opening tag.
    pub opening_end: u32,
    /// The offset after the closing tag.
    pub end: u32,
    pub closes_itself: bool,
    /// Names are unique; the last duplicate wins.
    pub attributes: Vec<Attribute<'s>>,
    /// The enclosing element. Fragments are not in the tree.
    pub parent: Option<usize>,
    /// The root is level 1.
    pub level: u32,
}

#[derive(Debug)]
pub(crate) struct Attribute<'s> {
    /// Empty for a spread.
    pub name: &'s str,
    pub place: Place,
    pub value: AttributeValue<'s>,
}

#[derive(Debug)]
pub(crate) enum AttributeValue<'s> {
    /// Separate from other literals: most literals are strings, and most strings borrow from the source.
    Text(Cow<'s, str>),
    Literal(PropValue),
    /// A non-literal expression.
    Dynamic,
    /// `{...props}`.
    Spread,
}

/// A comment in braces between tags.
#[derive(Debug)]
pub(crate) struct Comment<'s> {
    /// Without delimiters.
    pub text: &'s str,
    /// The offset of the text.
    pub start: u32,
    /// The enclosing element.
    pub parent: usize,
}

/// A prop value: a literal, or a flat collection of literals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(untagged, try_from = "serde_json::Value")]
pub enum PropValue {
    /// `true`, `false`, or a prop without a value.
    Boolean(bool),
    /// Integers are written without a fraction.
    Number(#[serde(serialize_with = "as_short_as_it_is")] f64),
    /// A string, or a template without expressions.
    String(String),
    /// A flat array of literals.
    List(Vec<PropValue>),
    /// A flat object of literals.
    Map(#[cfg_attr(target_family = "wasm", tsify(type = "{ [name: string]: PropValue }"))] BTreeMap<String, PropValue>),
}

fn as_short_as_it_is<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    // Integers below 2^53 are exact in both types.
    if number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 {
        serializer.serialize_i64(*number as i64)
    } else {
        serializer.serialize_f64(*number)
    }
}

impl<C> Default for Tree<'_, C> {
    fn default() -> Self {
        Self { elements: Vec::new(), unreadable: Vec::new(), comments: Vec::new() }
    }
}

impl<'s, C> Tree<'s, C> {
    pub(crate) fn root(&self) -> Option<&Element<'s, C>> {
        self.elements.first()
    }

    /// Elements named `tag`, with their indices.
    pub(crate) fn elements_named(&self, tag: &str) -> impl Iterator<Item = (usize, &Element<'s, C>)> {
        self.elements.iter().enumerate().filter(move |(_, element)| equal(&element.name, tag))
    }

    /// The ancestors of the element at `index`, innermost first.
    pub(crate) fn around(&self, index: usize) -> impl Iterator<Item = (usize, &Element<'s, C>)> {
        let parent = |index: usize| self.elements.get(index).and_then(|element| element.parent);
        std::iter::successors(parent(index), move |index| parent(*index))
            .filter_map(|index| Some((index, self.elements.get(index)?)))
    }

    /// Direct children of the root named `tag`.
    pub(crate) fn in_root(&self, tag: &str) -> impl Iterator<Item = &Element<'s, C>> {
        self.elements_named(tag).map(|(_, element)| element).filter(|element| element.parent == Some(0))
    }
}

impl<'s, C> Element<'s, C> {
    pub(crate) fn attribute(&self, name: &str) -> Option<&Attribute<'s>> {
        self.attributes.iter().find(|attribute| equal(attribute.name, name))
    }

    /// The attribute's value, if it is a string.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.attribute(name)?.text()
    }
}

impl Attribute<'_> {
    pub(crate) fn is_literal(&self) -> bool {
        matches!(self.value, AttributeValue::Text(_) | AttributeValue::Literal(_))
    }

    /// The value for reports, if it is a literal.
    pub(crate) fn prop(&self) -> Option<PropValue> {
        match &self.value {
            AttributeValue::Text(text) => Some(PropValue::String(text.as_ref().to_owned())),
            AttributeValue::Literal(value) => Some(value.clone()),
            AttributeValue::Dynamic | AttributeValue::Spread => None,
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            AttributeValue::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// Compares lengths first: with `opt-level = "z"`, comparing strings is a call.
#[inline(always)]
pub(crate) fn equal(a: &str, b: &str) -> bool {
    a.len() == b.len() && a == b
}

// ---------------------------------------------------------------------------------------------------------------------
// The root
// ---------------------------------------------------------------------------------------------------------------------

/// What a default export exports.
enum Exported<'p, 'a> {
    Expression(&'p Expression<'a>),
    Function(&'p Function<'a>),
    /// `export { plan as default }`.
    Name(&'p ModuleExportName<'a>),
    /// A class, an interface, or a re-export.
    Other(Span),
}

/// The default exports of a module.
fn default_exports<'p, 'a>(program: &'p Program<'a>) -> Vec<(Span, Exported<'p, 'a>)> {
    let mut exports = Vec::new();
    for statement in &program.body {
        match statement {
            Statement::ExportDefaultDeclaration(export) => match &export.declaration {
                // An overload signature; the implementation follows.
                ExportDefaultDeclarationKind::FunctionDeclaration(function) if function.body.is_none() => {}
                ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                    exports.push((export.span, Exported::Function(function)));
                }
                declaration => {
                    let exported = declaration.as_expression();
                    let exported = exported.map_or(Exported::Other(declaration.span()), Exported::Expression);
                    exports.push((export.span, exported));
                }
            },
            Statement::ExportNamedDeclaration(export) => {
                let named = export.specifiers.iter().filter(|specifier| specifier.exported.name() == "default");
                exports.extend(named.map(|specifier| (specifier.span, Exported::Name(&specifier.local))));
            }
            Statement::ExportFromDeclaration(export) => {
                let named = export.specifiers.iter().filter(|specifier| specifier.exported.name() == "default");
                exports.extend(named.map(|specifier| (specifier.span, Exported::Other(specifier.span))));
            }
            Statement::ExportAllDeclaration(export)
                if export.exported.as_ref().is_some_and(|name| name.name() == "default") =>
            {
                exports.push((export.span, Exported::Other(export.span)));
            }
            _ => {}
        }
    }
    exports
}

fn find_root<'p, 'a>(program: &'p Program<'a>) -> Result<&'p JSXElement<'a>, (RootProblem, Place)> {
    let Some((_, export)) = default_exports(program).into_iter().next() else {
        return Err((RootProblem::NoDefaultExport, Place { start: 0, end: 0 }));
    };
    let (found, span) = match export {
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
        Some(Expression::JSXFragment(_)) => Err((RootProblem::Fragment, place(span))),
        _ => Err((RootProblem::NotAnElement, place(span))),
    }
}

/// The value of a top-level `const`, or the return value of a top-level function.
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

/// The expression itself, or the JSX that the function returns.
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

/// The first `return` of JSX in these statements, at any depth but not in nested functions.
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

// ---------------------------------------------------------------------------------------------------------------------
// Building the tree
// ---------------------------------------------------------------------------------------------------------------------

struct Builder<'s, 'p, C> {
    source: &'s str,
    component: fn(&str) -> Option<C>,
    /// Comments not yet assigned to braces.
    comments: std::iter::Peekable<std::slice::Iter<'p, oxc_ast::Comment>>,
    tree: Tree<'s, C>,
}

impl<'s, 'p, C> Builder<'s, 'p, C> {
    fn new(source: &'s str, comments: &'p [oxc_ast::Comment], component: fn(&str) -> Option<C>) -> Self {
        Self { source, component, comments: comments.iter().peekable(), tree: Tree::default() }
    }

    fn build(mut self, root: &JSXElement<'_>) -> Tree<'s, C> {
        self.element(root, None, 1);
        self.tree
    }

    fn element(&mut self, element: &JSXElement<'_>, parent: Option<usize>, level: u32) {
        let opening = &element.opening_element;
        let name = self.tag_name(&opening.name);
        let index = self.tree.elements.len();
        self.tree.elements.push(Element {
            component: (self.component)(&name),
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

    /// Collects the comments in the braces, except those inside the expression.
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

/// Removes all but the last attribute of each name. Spreads stay.
fn keep_last(attributes: &mut Vec<Attribute<'_>>) {
    // Without a set for the usual element. Longer lists would take quadratic time.
    let is_before = |(at, name): (usize, &str)| attributes.iter().take(at).any(|before| equal(before.name, name));
    if attributes.len() < 16 && !attributes.iter().map(|attribute| attribute.name).enumerate().any(is_before) {
        return;
    }
    let mut later = BTreeSet::new();
    attributes.reverse();
    attributes.retain(|attribute| attribute.name.is_empty() || later.insert(attribute.name));
    attributes.reverse();
}

// ---------------------------------------------------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------------------------------------------------

/// A scalar, or a flat array or object of scalars.
fn literal(expression: &Expression<'_>) -> Option<PropValue> {
    match in_parentheses(expression) {
        Expression::ArrayExpression(array) => {
            let items = array.elements.iter().map(|element| scalar(element.as_expression()?));
            Some(PropValue::List(items.collect::<Option<_>>()?))
        }
        Expression::ObjectExpression(object) => {
            let mut fields = BTreeMap::new();
            for property in &object.properties {
                let ObjectPropertyKind::ObjectProperty(field) = property else { return None };
                if field.kind != PropertyKind::Init || field.computed {
                    return None;
                }
                fields.insert(key(&field.key)?, scalar(&field.value)?);
            }
            Some(PropValue::Map(fields))
        }
        expression => scalar(expression),
    }
}

/// The name of a key that is not computed.
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
        expression => number(expression).filter(|number| number.is_finite()).map(PropValue::Number),
    }
}

fn number(expression: &Expression<'_>) -> Option<f64> {
    match in_parentheses(expression) {
        Expression::NumericLiteral(number) => Some(number.value),
        Expression::UnaryExpression(unary) if unary.operator == UnaryOperator::UnaryPlus => number(&unary.argument),
        Expression::UnaryExpression(unary) if unary.operator == UnaryOperator::UnaryNegation => {
            Some(-number(&unary.argument)?)
        }
        _ => None,
    }
}

/// The parser encodes a lone surrogate as U+FFFD and four digits. Keeps only the U+FFFD.
fn well_formed(text: &str, lone_surrogates: bool) -> String {
    let mut parts = text.split('\u{FFFD}');
    let first = parts.next().unwrap_or_default().to_owned();
    let cut = if lone_surrogates { 4 } else { 0 };
    parts.fold(first, |read, part| read + "\u{FFFD}" + part.get(cut..).unwrap_or_default())
}
