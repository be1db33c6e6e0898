//! A source of the project to what the comparison asks of it.

mod uses;

use super::super::bounds::{self, Excess};
use super::super::diff::module::{Export, Import, Module, Part, Shape};
use super::super::position::Positions;
use super::{broken_before, transparent};
use oxc_allocator::Allocator;
use oxc_ast::ast::*;
use oxc_ast_visit::VisitJs;
use oxc_parser::Parser;
use oxc_span::{GetSpan, Span};

/// Reads one source after the other, in memory that it keeps.
pub(crate) struct ModuleReader {
    arena: Allocator,
    /// Every name and whole text is kept as well.
    words: bool,
}

impl ModuleReader {
    pub(crate) fn new(words: bool) -> Self {
        Self { arena: Allocator::default(), words }
    }

    /// Reads a source. Total: what does not parse gives a module with a [`Module::problem`].
    pub(crate) fn read<'s>(&mut self, path: &'s str, source: &'s str) -> Module<'s> {
        let mut module = Module { path, ..Module::default() };
        let plain = path.ends_with(".ts") || path.ends_with(".mts");
        let language = if plain {
            SourceType::ts()
        } else if path.ends_with(".tsx") {
            SourceType::tsx()
        } else {
            SourceType::jsx()
        };
        let unparsed = |at: u32, message: &str| {
            Some(format!("it does not parse: line {}: {message}", Positions::new(source).at(at).0))
        };
        if let Err(excess) = if plain { bounds::check_plain(source) } else { bounds::check(source) } {
            module.problem = match broken_before(source, language).first() {
                Some(error) => unparsed(error.place.start, &error.message),
                None => Some(excess_of(excess).to_owned()),
            };
            return module;
        }
        self.arena.reset();
        let returned = Parser::new(&self.arena, source, language).parse();
        if let Some(diagnostic) = returned.diagnostics.first() {
            let at = diagnostic.labels.first().map_or(0, |label| label.span().start);
            module.problem = unparsed(at, &diagnostic.message);
        }
        let mut reader = Reader {
            source,
            module,
            part: 0,
            words: self.words,
            addresses: true,
            object: Span::new(0, 0),
            loaded: None,
        };
        reader.open("");
        returned.program.body.iter().for_each(|statement| reader.statement(statement));
        reader.module
    }
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
    /// The module that `import(…).then((module) => …)` or `const module = await import(…)` has loaded.
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

/// The specifiers that pass on values.
fn values<'p, 'a>(
    specifiers: &'p [ExportSpecifier<'a>],
    kind: ImportOrExportKind,
) -> impl Iterator<Item = &'p ExportSpecifier<'a>> {
    specifiers.iter().filter(move |specifier| kind.is_value() && specifier.export_kind.is_value())
}
