//! A source of the project to what the comparison asks of it.

use super::super::bounds::{self, Excess};
use super::super::diff::module::{Export, Import, Module, Part, Shape, Use, UseKind};
use super::super::position::Positions;
use super::transparent;
use oxc_allocator::Allocator;
use oxc_ast::ast::*;
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_parser::Parser;
use oxc_span::{GetSpan, Span};

/// Reads a source. Total: what does not parse gives a module with a [`Module::problem`]. With `words`, every name and
/// whole text is kept as well.
pub fn read<'s>(path: &'s str, source: &'s str, words: bool) -> Module<'s> {
    let mut module = Module { path, ..Module::default() };
    let plain = path.ends_with(".ts") || path.ends_with(".mts");
    if let Err(excess) = if plain { bounds::check_plain(source) } else { bounds::check(source) } {
        module.problem = Some(excess_of(excess).to_owned());
        return module;
    }
    let language = if plain {
        SourceType::ts()
    } else if path.ends_with(".tsx") {
        SourceType::tsx()
    } else {
        SourceType::jsx()
    };
    let allocator = Allocator::default();
    let returned = Parser::new(&allocator, source, language).parse();
    if let Some(diagnostic) = returned.diagnostics.first() {
        let line = diagnostic.labels.first().map_or(1, |label| Positions::new(source).at(label.span().start).0);
        module.problem = Some(format!("it does not parse: line {line}: {}", diagnostic.message));
    }
    let mut reader = Reader { source, module, part: 0, words, addresses: true, object: Span::new(0, 0), loaded: None };
    reader.open("");
    returned.program.body.iter().for_each(|statement| reader.statement(statement));
    reader.module
}

fn excess_of(excess: Excess) -> &'static str {
    match excess {
        Excess::Bytes => "it is too large to be read",
        Excess::Levels | Excess::Elements | Excess::Reads => "it nests too deep to be read",
    }
}

struct Reader<'s> {
    source: &'s str,
    module: Module<'s>,
    /// The part that is read.
    part: usize,
    words: bool,
    /// A text with a slash may be an address.
    addresses: bool,
    /// The innermost object.
    object: Span,
    /// The module that `import(…).then((module) => …)` has loaded.
    loaded: Option<Loaded<'s>>,
}

/// A module under the name of a parameter.
struct Loaded<'s> {
    parameter: &'s str,
    from: &'s str,
    /// A name was taken of it.
    taken: bool,
}

// ---------------------------------------------------------------------------------------------------------------------
// The top level
// ---------------------------------------------------------------------------------------------------------------------

impl<'s> Reader<'s> {
    fn statement(&mut self, statement: &Statement<'_>) {
        match statement {
            Statement::ImportDeclaration(import) => self.import(import),
            Statement::ExportAllDeclaration(export) => {
                if export.export_kind.is_value() {
                    let name = export.exported.as_ref().map_or("*", |name| self.name(name));
                    self.export(name, Some(&export.source), "*");
                }
            }
            Statement::ExportFromDeclaration(export) => {
                for specifier in values(&export.specifiers, export.export_kind) {
                    self.export(self.name(&specifier.exported), Some(&export.source), self.name(&specifier.local));
                }
            }
            Statement::ExportNamedDeclaration(export) => {
                for specifier in values(&export.specifiers, export.export_kind) {
                    self.export(self.name(&specifier.exported), None, self.name(&specifier.local));
                }
            }
            Statement::ExportDeclaration(export) => self.declaration(&export.declaration, true),
            Statement::ExportDefaultDeclaration(export) => self.default_export(&export.declaration),
            statement => match statement.as_declaration() {
                Some(declaration) => self.declaration(declaration, false),
                None => self.visit_statement(statement),
            },
        }
    }

    fn import(&mut self, import: &ImportDeclaration<'_>) {
        if !import.import_kind.is_value() {
            return;
        }
        let from = self.string(&import.source);
        let Some(specifiers) = &import.specifiers else {
            return self.module.imports.push(Import { local: "", from, name: "" });
        };
        for specifier in specifiers {
            let (local, name) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(named) if !named.import_kind.is_value() => continue,
                ImportDeclarationSpecifier::ImportSpecifier(named) => (&named.local, self.name(&named.imported)),
                ImportDeclarationSpecifier::ImportDefaultSpecifier(default) => (&default.local, "default"),
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(all) => (&all.local, "*"),
            };
            let local = self.text(local.span);
            self.module.imports.push(Import { local, from, name });
        }
    }

    fn export(&mut self, name: &'s str, from: Option<&StringLiteral<'_>>, local: &'s str) {
        let from = from.map(|from| self.string(from));
        self.module.exports.push(Export { name, from, local });
    }

    fn default_export(&mut self, exported: &ExportDefaultDeclarationKind<'_>) {
        let id = match exported {
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => function.id.as_ref(),
            ExportDefaultDeclarationKind::ClassDeclaration(class) => class.id.as_ref(),
            other => {
                if let Some(Expression::Identifier(name)) = other.as_expression().map(transparent) {
                    return self.export("default", None, self.text(name.span));
                }
                None
            }
        };
        let name = id.map_or("default", |id| self.text(id.span));
        self.export("default", None, name);
        self.within(name, |reader| reader.visit_export_default_declaration_kind(exported));
    }

    fn declaration(&mut self, declaration: &Declaration<'_>, exported: bool) {
        let name = match declaration {
            Declaration::VariableDeclaration(variables) => {
                return variables.declarations.iter().for_each(|variable| self.variable(variable, exported));
            }
            Declaration::FunctionDeclaration(function) => function.id.as_ref(),
            Declaration::ClassDeclaration(class) => class.id.as_ref(),
            Declaration::TSInterfaceDeclaration(interface) => {
                let fields = if interface.extends.is_empty() { self.fields(&interface.body.body) } else { None };
                let name = self.text(interface.id.span);
                return self.module.shapes.push(Shape { name, fields });
            }
            Declaration::TSTypeAliasDeclaration(alias) => {
                let fields = match &alias.type_annotation {
                    TSType::TSTypeLiteral(literal) => self.fields(&literal.members),
                    _ => None,
                };
                let name = self.text(alias.id.span);
                return self.module.shapes.push(Shape { name, fields });
            }
            _ => None,
        };
        let Some(name) = name.map(|name| self.text(name.span)) else {
            return self.visit_declaration(declaration);
        };
        if exported {
            self.export(name, None, name);
        }
        self.within(name, |reader| reader.visit_declaration(declaration));
    }

    fn variable(&mut self, variable: &VariableDeclarator<'_>, exported: bool) {
        let BindingPattern::BindingIdentifier(name) = &variable.id else {
            return self.visit_variable_declarator(variable);
        };
        let name = self.text(name.span);
        if exported {
            self.export(name, None, name);
        }
        if let Some(value) = &variable.init {
            self.within(name, |reader| reader.visit_expression(value));
        }
    }

    /// The names of the fields, where all of them stand here.
    fn fields(&self, members: &[TSSignature<'_>]) -> Option<Vec<&'s str>> {
        members
            .iter()
            .map(|member| match member {
                TSSignature::TSPropertySignature(field) => self.key(&field.key),
                TSSignature::TSMethodSignature(method) => self.key(&method.key),
                _ => None,
            })
            .collect()
    }

    fn open(&mut self, name: &'s str) {
        self.part = self.module.parts.len();
        self.module.parts.push(Part { name, uses: Vec::new() });
    }

    fn within(&mut self, name: &'s str, read: impl FnOnce(&mut Self)) {
        self.open(name);
        read(self);
        self.part = 0;
    }
}

/// The specifiers that pass on values.
fn values<'p, 'a>(
    specifiers: &'p [ExportSpecifier<'a>],
    kind: ImportOrExportKind,
) -> impl Iterator<Item = &'p ExportSpecifier<'a>> {
    specifiers.iter().filter(move |specifier| kind.is_value() && specifier.export_kind.is_value())
}

// ---------------------------------------------------------------------------------------------------------------------
// Texts and names
// ---------------------------------------------------------------------------------------------------------------------

impl<'s> Reader<'s> {
    fn push(&mut self, kind: UseKind<'s>, text: &'s str, span: Span) {
        if kind == UseKind::Word && (!self.words || text.is_empty()) {
            return;
        }
        if let Some(part) = self.module.parts.get_mut(self.part) {
            part.uses.push(Use { kind, text, start: span.start, end: span.end });
        }
    }

    fn word(&mut self, span: Span) {
        self.push(UseKind::Word, self.text(span).trim(), span);
    }

    fn text(&self, span: Span) -> &'s str {
        self.source.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// What stands between the quotes.
    fn string(&self, string: &StringLiteral<'_>) -> &'s str {
        self.between_quotes(string.span)
    }

    fn between_quotes(&self, span: Span) -> &'s str {
        let inner = (span.start as usize + 1)..(span.end as usize).saturating_sub(1);
        self.source.get(inner).unwrap_or_default()
    }

    fn name(&self, name: &ModuleExportName<'_>) -> &'s str {
        match name {
            ModuleExportName::StringLiteral(string) => self.string(string),
            name => self.text(name.span()),
        }
    }

    fn key(&self, key: &PropertyKey<'_>) -> Option<&'s str> {
        match key {
            PropertyKey::StaticIdentifier(name) => Some(self.text(name.span)),
            PropertyKey::StringLiteral(string) => Some(self.string(string)),
            _ => None,
        }
    }

    /// The text of a string, or of a template without holes.
    fn constant(&self, expression: &Expression<'_>) -> Option<&'s str> {
        match transparent(expression) {
            Expression::StringLiteral(string) => Some(self.string(string)),
            Expression::TemplateLiteral(template) if template.expressions.is_empty() => {
                Some(self.between_quotes(template.span))
            }
            _ => None,
        }
    }

    /// A whole text in an expression.
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
/// Attributes that say which section an element is.
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
            None if name == "index" => return self.push(UseKind::Route, "/", element.span),
            None => return,
            Some(JSXAttributeValue::StringLiteral(string)) => Some(self.string(string)),
            Some(JSXAttributeValue::ExpressionContainer(braces)) => {
                braces.expression.as_expression().and_then(|expression| self.constant(expression))
            }
            Some(_) => None,
        };
        match text {
            Some(text) if LABELS.contains(&name) => self.push(UseKind::Label, text, attribute.span),
            Some(text) if name == "path" => self.push(UseKind::Route, text, element.span),
            Some(text) => {
                if name == "id" && is_section(self.text(element.opening_element.name.span()), element) {
                    self.push(UseKind::Label, text, attribute.span);
                }
                self.push(UseKind::Word, text.trim(), attribute.span);
            }
            None => self.visit_jsx_attribute(attribute),
        }
    }
}

/// An element that is a section by its tag, with something in it.
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

/// Functions that go to a route: their texts are no addresses of data.
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
        self.word(text.span);
    }

    fn visit_identifier_reference(&mut self, name: &IdentifierReference<'a>) {
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
        match (key, &property.value) {
            (Some("path"), value) if self.constant(value).is_some() => {
                let path = self.constant(value).unwrap_or_default();
                self.push(UseKind::Route, path, self.object);
            }
            (Some("index"), Expression::BooleanLiteral(value)) if value.value => {
                self.push(UseKind::Route, "/", self.object);
            }
            (Some("to" | "href" | "src" | "className"), value) => {
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
        walk_js::walk_static_member_expression(self, member);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        let (object, function) = match &call.callee {
            Expression::Identifier(name) => (None, self.text(name.span)),
            Expression::StaticMemberExpression(member) => (Some(&member.object), self.text(member.property.span)),
            _ => (None, ""),
        };
        match object {
            Some(Expression::Identifier(object)) if object.name == "console" => return,
            Some(Expression::ImportExpression(import)) if function == "then" => {
                if let Some(from) = self.constant(&import.source) {
                    return self.then(from, &call.arguments, import.span);
                }
            }
            _ => {}
        }
        if NAVIGATION.contains(&function) {
            return self.without_addresses(|reader| walk_js::walk_call_expression(reader, call));
        }
        walk_js::walk_call_expression(self, call);
    }

    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'a>) {
        // `Hero.displayName = …` does not render it.
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
    /// `import(from).then((module) => …)`: the names that the function takes of the module; its default without one.
    fn then(&mut self, from: &'s str, arguments: &[Argument<'_>], span: Span) {
        let arrow = arguments.first().and_then(Argument::as_expression);
        let Some(Expression::ArrowFunctionExpression(arrow)) = arrow else {
            return self.push(UseKind::Load("default"), from, span);
        };
        let taken = match arrow.params.items.first().map(|first| &first.pattern) {
            Some(BindingPattern::ObjectPattern(object)) => {
                let names: Vec<&str> = object.properties.iter().filter_map(|taken| self.key(&taken.key)).collect();
                names.iter().for_each(|name| self.push(UseKind::Load(name), from, span));
                !names.is_empty()
            }
            Some(BindingPattern::BindingIdentifier(parameter)) => {
                let loaded = Loaded { parameter: self.text(parameter.span), from, taken: false };
                let outer = self.loaded.replace(loaded);
                self.visit_arrow_function_body(&arrow.body);
                std::mem::replace(&mut self.loaded, outer).is_some_and(|loaded| loaded.taken)
            }
            _ => false,
        };
        if !taken {
            self.push(UseKind::Load("default"), from, span);
        }
    }
}

/// A condition that never holds.
fn is_never(test: &Expression<'_>) -> bool {
    match transparent(test) {
        Expression::BooleanLiteral(value) => !value.value,
        Expression::NullLiteral(_) => true,
        Expression::NumericLiteral(number) => number.value == 0.0,
        _ => false,
    }
}
