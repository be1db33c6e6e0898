//! A module's imports, exports and declarations, and the names that its declarations use.

mod uses;

use super::limits::Excess;
use super::parse::{self, Refusal, has_elements, line_of, transparent};
use oxc_ast::ast::*;
use oxc_ast_visit::VisitJs;
use oxc_span::{GetSpan, Span};

/// An outlined module. Names are as in the source.
#[derive(Debug, Default)]
pub(crate) struct Module<'s> {
    /// The project path.
    pub path: &'s str,
    pub imports: Vec<Import<'s>>,
    pub exports: Vec<Export<'s>>,
    /// Top-level declarations. The first has no name and contains the top-level statements.
    pub parts: Vec<Part<'s>>,
    pub shapes: Vec<Shape<'s>>,
    /// Why the module was not read, or not completely.
    pub problem: Option<String>,
}

/// `import { name as local } from 'from'`. Type-only imports are left out.
#[derive(Debug)]
pub(crate) struct Import<'s> {
    /// Empty for a side-effect import.
    pub local: &'s str,
    pub from: &'s str,
    /// `default`, a name, or `*`.
    pub name: &'s str,
}

/// `export { local as name } from 'from'`.
#[derive(Debug)]
pub(crate) struct Export<'s> {
    /// `default`, a name, or `*` for `export * from`.
    pub name: &'s str,
    pub from: Option<&'s str>,
    /// The name in this module or in `from`; `*` for a namespace.
    pub local: &'s str,
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
    let broken = |at: u32, message: &str| {
        let message = message.trim_end_matches('.');
        Some(format!("it does not parse: line {}: {message}", line_of(source, at as usize)))
    };
    let read = |program: &Program<'_>, errors: Vec<parse::SyntaxError>| {
        let problem = errors.first().and_then(|error| broken(error.place.start, &error.message));
        let mut reader = Reader {
            source,
            module: Module { path, problem, ..Module::default() },
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
    parse::parse(source, has_elements(path), read).unwrap_or_else(|refusal| Module {
        path,
        problem: match refusal {
            Refusal::Broken(errors) => errors.first().and_then(|error| broken(error.place.start, &error.message)),
            Refusal::Excess(Excess::Bytes) => Some("it is too large to be read".to_owned()),
            Refusal::Excess(_) => Some("it nests too deep to be read".to_owned()),
        },
        ..Module::default()
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
        self.source.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// The text between the quotes.
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

/// The specifiers that are not type-only.
fn values<'p, 'a>(
    specifiers: &'p [ExportSpecifier<'a>],
    kind: ImportOrExportKind,
) -> impl Iterator<Item = &'p ExportSpecifier<'a>> {
    specifiers.iter().filter(move |specifier| kind.is_value() && specifier.export_kind.is_value())
}
