//! Collects what the parts of a module use: tags, values, labels, routes, addresses and words.

use super::{Loaded, Reader, Use, UseKind};
use crate::js::document::equal;
use crate::js::parse::transparent;
use oxc_ast::ast::*;
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_span::{GetSpan, Span};

// ---------------------------------------------------------------------------------------------------------------------
// Texts and names
// ---------------------------------------------------------------------------------------------------------------------

impl<'s> Reader<'s> {
    fn push(&mut self, kind: UseKind<'s>, text: &'s str, span: Span) {
        if matches!(kind, UseKind::Word) && (!self.words || text.is_empty()) {
            return;
        }
        if let Some(part) = self.module.parts.get_mut(self.part) {
            part.uses.push(Use { kind, text, start: span.start, end: span.end });
        }
    }

    fn word(&mut self, span: Span) {
        if self.words {
            self.push(UseKind::Word, self.text(span), span);
        }
    }

    /// The text of a string, or of a template without expressions.
    fn constant(&self, expression: &Expression<'_>) -> Option<&'s str> {
        match transparent(expression) {
            Expression::StringLiteral(string) => Some(self.string(string)),
            Expression::TemplateLiteral(template) if template.expressions.is_empty() => {
                Some(self.between_quotes(template.span))
            }
            _ => None,
        }
    }

    /// A string in an expression.
    fn value_text(&mut self, text: &'s str, span: Span) {
        self.push(UseKind::Word, text.trim(), span);
        self.address(text, span);
    }

    fn address(&mut self, text: &'s str, span: Span) {
        if self.addresses && text.contains('/') {
            self.push(UseKind::Address, text, span);
        }
    }

    fn without_addresses(&mut self, read: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.addresses, false);
        read(self);
        self.addresses = before;
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------------------------------------------------

/// Elements whose `id` names a section.
const SECTIONING: [&str; 9] = ["section", "header", "footer", "main", "nav", "aside", "article", "form", "dialog"];
/// Attributes that name a section.
const LABELS: [&str; 2] = ["data-gumdrop", "data-section"];

impl<'s> Reader<'s> {
    fn tag(&mut self, element: &JSXElement<'_>) {
        let name = &element.opening_element.name;
        let kind = match name {
            JSXElementName::IdentifierReference(_) | JSXElementName::MemberExpression(_) => UseKind::Tag,
            JSXElementName::Identifier(_) => UseKind::HostTag,
            JSXElementName::NamespacedName(_) | JSXElementName::ThisExpression(_) => return,
        };
        self.push(kind, self.text(name.span()), element.span);
    }

    fn attribute(&mut self, attribute: &JSXAttribute<'_>, element: &JSXElement<'_>) {
        let name = self.text(attribute.name.span());
        let text = match &attribute.value {
            None if equal(name, "index") => return self.push(UseKind::Route, "/", element.span),
            None => return,
            Some(JSXAttributeValue::StringLiteral(string)) => Some(self.string(string)),
            Some(JSXAttributeValue::ExpressionContainer(braces)) => {
                braces.expression.as_expression().and_then(|expression| self.constant(expression))
            }
            Some(_) => None,
        };
        match text {
            Some(text) if LABELS.iter().any(|label| equal(label, name)) => {
                self.push(UseKind::Label, text, attribute.span);
            }
            Some(text) if equal(name, "path") => self.push(UseKind::Route, text, element.span),
            Some(text) => {
                if equal(name, "id") && is_section(self.text(element.opening_element.name.span()), element) {
                    self.push(UseKind::Label, text, attribute.span);
                }
                self.push(UseKind::Word, text.trim(), attribute.span);
            }
            None => self.visit_jsx_attribute(attribute),
        }
    }
}

/// A non-empty sectioning element.
fn is_section(tag: &str, element: &JSXElement<'_>) -> bool {
    SECTIONING.contains(&tag)
        && element.children.iter().any(|child| match child {
            JSXChild::Text(text) => !text.value.trim().is_empty(),
            JSXChild::ExpressionContainer(braces) => braces.expression.as_expression().is_some(),
            _ => true,
        })
}

// ---------------------------------------------------------------------------------------------------------------------
// Code
// ---------------------------------------------------------------------------------------------------------------------

/// Navigation functions: their string arguments are not data addresses.
const NAVIGATION: [&str; 7] = ["navigate", "push", "replace", "redirect", "setLocation", "matchPath", "useMatch"];

impl<'a> VisitJs<'a> for Reader<'_> {
    fn visit_jsx_element(&mut self, element: &JSXElement<'a>) {
        self.tag(element);
        for item in &element.opening_element.attributes {
            match item {
                JSXAttributeItem::Attribute(attribute) => self.attribute(attribute, element),
                JSXAttributeItem::SpreadAttribute(spread) => self.visit_expression(&spread.argument),
            }
        }
        self.visit_jsx_children(&element.children);
    }

    fn visit_jsx_text(&mut self, text: &JSXText<'a>) {
        self.push(UseKind::Word, self.text(text.span).trim(), text.span);
    }

    fn visit_identifier_reference(&mut self, name: &IdentifierReference<'a>) {
        if let Some(loaded) = self.loaded.as_ref().filter(|loaded| name.name == loaded.parameter) {
            return self.push(UseKind::Load("default"), loaded.from, name.span);
        }
        self.push(UseKind::Value, self.text(name.span), name.span);
    }

    fn visit_binding_identifier(&mut self, name: &BindingIdentifier<'a>) {
        self.word(name.span);
    }

    fn visit_identifier_name(&mut self, name: &IdentifierName<'a>) {
        self.word(name.span);
    }

    fn visit_string_literal(&mut self, string: &StringLiteral<'a>) {
        self.value_text(self.string(string), string.span);
    }

    fn visit_template_literal(&mut self, template: &TemplateLiteral<'a>) {
        if template.expressions.is_empty() {
            return self.value_text(self.between_quotes(template.span), template.span);
        }
        for text in &template.quasis {
            self.address(self.text(text.span), text.span);
        }
        self.visit_expressions(&template.expressions);
    }

    fn visit_object_expression(&mut self, object: &ObjectExpression<'a>) {
        let outer = std::mem::replace(&mut self.object, object.span);
        walk_js::walk_object_expression(self, object);
        self.object = outer;
    }

    fn visit_object_property(&mut self, property: &ObjectProperty<'a>) {
        let key = if property.computed { None } else { self.key(&property.key) };
        // As bytes: smaller code than comparing strings.
        match (key.map(str::as_bytes), &property.value) {
            (Some(b"path"), value) if self.constant(value).is_some() => {
                let path = self.constant(value).unwrap_or_default();
                self.push(UseKind::Route, path, self.object);
            }
            (Some(b"index"), Expression::BooleanLiteral(value)) if value.value => {
                self.push(UseKind::Route, "/", self.object);
            }
            (Some(b"to" | b"href" | b"src" | b"className"), value) => {
                self.without_addresses(|reader| reader.visit_expression(value));
            }
            _ => walk_js::walk_object_property(self, property),
        }
    }

    fn visit_import_expression(&mut self, import: &ImportExpression<'a>) {
        match self.constant(&import.source) {
            Some(from) => self.push(UseKind::Load("default"), from, import.span),
            None => self.visit_expression(&import.source),
        }
    }

    fn visit_static_member_expression(&mut self, member: &StaticMemberExpression<'a>) {
        let name = self.text(member.property.span);
        if let (Some(loaded), Expression::Identifier(object)) = (&mut self.loaded, &member.object)
            && object.name == loaded.parameter
        {
            loaded.taken = true;
            let from = loaded.from;
            return self.push(UseKind::Load(name), from, member.span);
        }
        if matches!(member.object, Expression::Identifier(_)) && name.starts_with(|c: char| c.is_ascii_uppercase()) {
            self.push(UseKind::Member, self.text(member.span), member.span);
        }
        walk_js::walk_static_member_expression(self, member);
    }

    fn visit_variable_declarator(&mut self, variable: &VariableDeclarator<'a>) {
        if let Some(Expression::AwaitExpression(awaited)) = &variable.init
            && let Expression::ImportExpression(import) = &awaited.argument
            && let Some(from) = self.constant(&import.source)
        {
            match &variable.id {
                BindingPattern::BindingIdentifier(name) => {
                    self.loaded = Some(Loaded { parameter: self.text(name.span), from, taken: false });
                    return;
                }
                pattern if self.takes(pattern, from, import.span) => return,
                _ => {}
            }
        }
        walk_js::walk_variable_declarator(self, variable);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        let (object, function) = match &call.callee {
            Expression::Identifier(name) => (None, name.name.as_str()),
            Expression::StaticMemberExpression(member) => (Some(&member.object), member.property.name.as_str()),
            _ => (None, ""),
        };
        match object {
            Some(Expression::Identifier(object)) if equal(&object.name, "console") => return,
            Some(Expression::ImportExpression(import)) if equal(function, "then") => {
                if let Some(from) = self.constant(&import.source) {
                    return self.then(from, &call.arguments, import.span);
                }
            }
            _ => {}
        }
        if NAVIGATION.iter().any(|known| equal(known, function)) {
            return self.without_addresses(|reader| walk_js::walk_call_expression(reader, call));
        }
        walk_js::walk_call_expression(self, call);
    }

    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'a>) {
        // `Hero.displayName = …` does not render `Hero`.
        self.visit_expression(&assignment.right);
    }

    fn visit_logical_expression(&mut self, logical: &LogicalExpression<'a>) {
        if !(logical.operator == LogicalOperator::And && is_never(&logical.left)) {
            walk_js::walk_logical_expression(self, logical);
        }
    }

    fn visit_conditional_expression(&mut self, choice: &ConditionalExpression<'a>) {
        match &choice.test {
            Expression::BooleanLiteral(test) if test.value => self.visit_expression(&choice.consequent),
            test if is_never(test) => self.visit_expression(&choice.alternate),
            _ => walk_js::walk_conditional_expression(self, choice),
        }
    }

    fn visit_binary_expression(&mut self, binary: &BinaryExpression<'a>) {
        if matches!(binary.operator, BinaryOperator::StrictEquality | BinaryOperator::Equality) {
            for side in [&binary.left, &binary.right] {
                if let Some(text) = self.constant(side) {
                    self.push(UseKind::Case, text, binary.span);
                }
            }
        }
        walk_js::walk_binary_expression(self, binary);
    }

    fn visit_switch_case(&mut self, case: &SwitchCase<'a>) {
        if let Some(text) = case.test.as_ref().and_then(|test| self.constant(test)) {
            self.push(UseKind::Case, text, case.span);
        }
        walk_js::walk_switch_case(self, case);
    }
}

impl<'s> Reader<'s> {
    /// `import(from).then((module) => …)`: the names that the callback uses; `default` without a callback.
    fn then(&mut self, from: &'s str, arguments: &[Argument<'_>], span: Span) {
        let (parameters, function) = match arguments.first().and_then(Argument::as_expression) {
            Some(Expression::ArrowFunctionExpression(arrow)) => (&arrow.params, Ok(&arrow.body)),
            Some(Expression::FunctionExpression(function)) => (&function.params, Err(&function.body)),
            _ => return self.push(UseKind::Load("default"), from, span),
        };
        let taken = match parameters.items.first().map(|first| &first.pattern) {
            Some(BindingPattern::BindingIdentifier(parameter)) => {
                let loaded = Loaded { parameter: self.text(parameter.span), from, taken: false };
                let outer = self.loaded.replace(loaded);
                match function {
                    Ok(body) => self.visit_arrow_function_body(body),
                    Err(body) => body.iter().for_each(|body| self.visit_function_body(body)),
                }
                std::mem::replace(&mut self.loaded, outer).is_some_and(|loaded| loaded.taken)
            }
            pattern => pattern.is_some_and(|pattern| self.takes(pattern, from, span)),
        };
        if !taken {
            self.push(UseKind::Load("default"), from, span);
        }
    }

    /// Whether the pattern destructures the loaded module: `{ Hero }`.
    fn takes(&mut self, pattern: &BindingPattern<'_>, from: &'s str, span: Span) -> bool {
        let BindingPattern::ObjectPattern(object) = pattern else { return false };
        let names: Vec<&str> = object.properties.iter().filter_map(|taken| self.key(&taken.key)).collect();
        names.iter().for_each(|name| self.push(UseKind::Load(name), from, span));
        !names.is_empty()
    }
}

/// A condition that is always false.
fn is_never(test: &Expression<'_>) -> bool {
    match transparent(test) {
        Expression::BooleanLiteral(value) => !value.value,
        Expression::NullLiteral(_) => true,
        Expression::NumericLiteral(number) => number.value == 0.0,
        _ => false,
    }
}
