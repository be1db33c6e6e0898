//! A module's imports, exports and declarations, and the names that its declarations use.

mod uses;

use super::limits::Excess;
use super::links::{self, Export, Import};
use super::parse::{self, has_elements, line_of};
use oxc_ast::ast::*;
use oxc_ast_visit::VisitJs;
use oxc_span::Span;

/// An outlined module. Names are as in the source.
#[derive(Debug, Default)]
pub(crate) struct Module<'s> {
    /// The project path.
    pub path: &'s str,
    pub imports: Vec<Import<&'s str>>,
    pub exports: Vec<Export<&'s str>>,
    /// The exports that are types.
    pub types: Vec<Export<&'s str>>,
    /// What it imports and re-exports from, types included.
    pub specifiers: Vec<&'s str>,
    /// Top-level declarations. The first has no name and contains the top-level statements.
    pub parts: Vec<Part<'s>>,
    pub shapes: Vec<Shape<'s>>,
    /// Why the module was not read, or not completely.
    pub problem: Option<String>,
}

/// A declaration at the top level of a module.
#[derive(Debug)]
pub(crate) struct Part<'s> {
    /// `default` for an anonymous default export.
    pub name: &'s str,
    pub uses: Vec<Use<'s>>,
}

/// A name or text that a part uses.
#[derive(Debug)]
pub(crate) struct Use<'s> {
    pub kind: UseKind<'s>,
    pub text: &'s str,
    /// Where it is. For a tag: its element. For a route: the element or object that contains it.
    pub start: u32,
    pub end: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UseKind<'s> {
    /// `<Hero />`, `<UI.Hero />`.
    Tag,
    /// `<footer>`.
    HostTag,
    /// An identifier in an expression.
    Value,
    /// `UI.Hero` in an expression.
    Member,
    /// `import('./Hero')`, with the name that is used.
    Load(&'s str),
    /// `data-gumdrop="hero"`, or the `id` of a sectioning element.
    Label,
    /// A route's path; `/` for an index route.
    Route,
    /// A string in a comparison: `view === 'shop'`.
    Case,
    /// A string with a slash that is not an attribute, a route or an import.
    Address,
    /// A string, key, property or binding.
    Word,
}

/// An interface or an object type.
#[derive(Debug)]
pub(crate) struct Shape<'s> {
    pub name: &'s str,
    /// `None` if the fields are not all listed here.
    pub fields: Option<Vec<&'s str>>,
}

/// Outlines a source. `words` adds [`UseKind::Word`]. A source that does not parse gives a module with a
/// [`Module::problem`].
pub(crate) fn read<'s>(path: &'s str, source: &'s str, words: bool) -> Module<'s> {
    let read = |program: &Program<'_>, errors: Vec<parse::SyntaxError>| {
        let problem = errors.first().map(|error| {
            let message = error.message.trim_end_matches('.');
            format!("it does not parse: line {}: {message}", line_of(source, error.place.start as usize))
        });
        // A source that exceeds a limit after the error is not parsed.
        if program.source_text.len() < source.len() {
            return Module { path, problem, ..Module::default() };
        }
        let mut reader = Reader {
            source,
            module: Module {
                path,
                problem,
                imports: links::imports(program, source),
                exports: links::exports(program, source),
                types: links::types(program, source),
                specifiers: links::specifiers(program, source),
                ..Module::default()
            },
            part: 0,
            words,
            addresses: true,
            object: Span::new(0, 0),
            loaded: None,
        };
        reader.open("");
        program.body.iter().for_each(|statement| reader.statement(statement));
        reader.module
    };
    parse::parse(source, has_elements(path), read).unwrap_or_else(|excess| {
        let excess =
            if excess == Excess::Bytes { "it is too large to be read" } else { "it nests too deep to be read" };
        Module { path, problem: Some(excess.to_owned()), ..Module::default() }
    })
}

struct Reader<'s> {
    source: &'s str,
    module: Module<'s>,
    /// The index of the current part.
    part: usize,
    words: bool,
    /// Strings with a slash are addresses.
    addresses: bool,
    /// The innermost enclosing object.
    object: Span,
    /// The module loaded by `import(…).then((module) => …)` or `const module = await import(…)`.
    loaded: Option<Loaded<'s>>,
}

/// A loaded module bound to a parameter or variable.
struct Loaded<'s> {
    parameter: &'s str,
    from: &'s str,
    /// One of its names was used.
    taken: bool,
}

// ---------------------------------------------------------------------------------------------------------------------
// The top level
// ---------------------------------------------------------------------------------------------------------------------

impl<'s> Reader<'s> {
    fn statement(&mut self, statement: &Statement<'_>) {
        match statement {
            Statement::ImportDeclaration(_)
            | Statement::ExportAllDeclaration(_)
            | Statement::ExportFromDeclaration(_)
            | Statement::ExportNamedDeclaration(_) => {}
            Statement::ExportDeclaration(export) => self.declaration(&export.declaration),
            Statement::ExportDefaultDeclaration(export) => {
                let exported = &export.declaration;
                if links::default_reference(exported).is_none() {
                    let name = links::default_name(exported, self.source);
                    self.within(name, |reader| reader.visit_export_default_declaration_kind(exported));
                }
            }
            statement => match statement.as_declaration() {
                Some(declaration) => self.declaration(declaration),
                None => self.visit_statement(statement),
            },
        }
    }

    fn declaration(&mut self, declaration: &Declaration<'_>) {
        let name = match declaration {
            Declaration::VariableDeclaration(variables) => {
                return variables.declarations.iter().for_each(|variable| self.variable(variable));
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
        match name.map(|name| self.text(name.span)) {
            Some(name) => self.within(name, |reader| reader.visit_declaration(declaration)),
            None => self.visit_declaration(declaration),
        }
    }

    fn variable(&mut self, variable: &VariableDeclarator<'_>) {
        let BindingPattern::BindingIdentifier(name) = &variable.id else {
            return self.visit_variable_declarator(variable);
        };
        if let Some(value) = &variable.init {
            self.within(self.text(name.span), |reader| reader.visit_expression(value));
        }
    }

    /// The field names, if all of them are listed.
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

    fn text(&self, span: Span) -> &'s str {
        links::text(self.source, span)
    }

    /// The text between the quotes.
    fn string(&self, string: &StringLiteral<'_>) -> &'s str {
        self.between_quotes(string.span)
    }

    fn between_quotes(&self, span: Span) -> &'s str {
        links::between_quotes(self.source, span)
    }

    fn key(&self, key: &PropertyKey<'_>) -> Option<&'s str> {
        match key {
            PropertyKey::StaticIdentifier(name) => Some(self.text(name.span)),
            PropertyKey::StringLiteral(string) => Some(self.string(string)),
            _ => None,
        }
    }

    fn open(&mut self, name: &'s str) {
        self.part = self.module.parts.len();
        self.module.parts.push(Part { name, uses: Vec::new() });
    }

    fn within(&mut self, name: &'s str, read: impl FnOnce(&mut Self)) {
        self.open(name);
        read(self);
        (self.part, self.loaded) = (0, None);
    }
}
