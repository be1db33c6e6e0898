//! The imports and exports of a module, and where they lead.

use super::parse::transparent;
use oxc_ast::ast::*;
use oxc_span::{GetSpan, Span};

/// `import { name as local } from 'from'`. Type-only imports are left out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Import<T> {
    /// Empty for a side-effect import.
    pub local: T,
    pub from: T,
    /// `default`, a name, or `*`.
    pub name: T,
}

/// `export { local as name } from 'from'`. Type-only exports are left out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Export<T> {
    /// `default`, a name, or `*` for `export * from`.
    pub name: T,
    pub from: Option<T>,
    /// The name in this module or in `from`; `*` for a namespace.
    pub local: T,
}

/// The places of names in a list.
#[derive(Debug, Default)]
pub(crate) struct Index<T>(Vec<(T, usize)>);

impl<T: AsRef<str> + Ord> Index<T> {
    pub(crate) fn new(names: impl Iterator<Item = T>) -> Self {
        let mut places: Vec<(T, usize)> = names.zip(0..).collect();
        places.sort();
        Self(places)
    }

    /// The places of a name, in order.
    pub(crate) fn places(&self, name: &str) -> impl Iterator<Item = usize> {
        let first = self.0.partition_point(|(other, _)| other.as_ref() < name);
        let rest = self.0.get(first..).unwrap_or_default();
        rest.iter().take_while(move |(other, _)| other.as_ref() == name).map(|(_, at)| *at)
    }
}

/// The name of a default export, and of an anonymous declaration that is one.
pub(crate) const DEFAULT: &str = "default";

// ---------------------------------------------------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------------------------------------------------

pub(super) fn imports<'s>(program: &Program<'_>, source: &'s str) -> Vec<Import<&'s str>> {
    let mut imports = Vec::new();
    for statement in &program.body {
        let Statement::ImportDeclaration(import) = statement else { continue };
        if !import.import_kind.is_value() {
            continue;
        }
        let from = between_quotes(source, import.source.span);
        let Some(specifiers) = &import.specifiers else {
            imports.push(Import { local: "", from, name: "" });
            continue;
        };
        for specifier in specifiers {
            let name = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(named) if !named.import_kind.is_value() => continue,
                ImportDeclarationSpecifier::ImportSpecifier(named) => exported_name(source, &named.imported),
                ImportDeclarationSpecifier::ImportDefaultSpecifier(_) => DEFAULT,
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(_) => "*",
            };
            imports.push(Import { local: text(source, specifier.local().span), from, name });
        }
    }
    imports
}

pub(super) fn exports<'s>(program: &Program<'_>, source: &'s str) -> Vec<Export<&'s str>> {
    let mut exports = Vec::new();
    for statement in &program.body {
        match statement {
            Statement::ExportAllDeclaration(export) if export.export_kind.is_value() => {
                let name = export.exported.as_ref().map_or("*", |name| exported_name(source, name));
                let from = Some(between_quotes(source, export.source.span));
                exports.push(Export { name, from, local: "*" });
            }
            Statement::ExportFromDeclaration(export) if export.export_kind.is_value() => {
                let from = Some(between_quotes(source, export.source.span));
                add_specifiers(&export.specifiers, from, source, &mut exports);
            }
            Statement::ExportNamedDeclaration(export) if export.export_kind.is_value() => {
                add_specifiers(&export.specifiers, None, source, &mut exports);
            }
            Statement::ExportDeclaration(export) => {
                let mut add = |id: &BindingIdentifier<'_>| {
                    let name = text(source, id.span);
                    exports.push(Export { name, from: None, local: name });
                };
                match &export.declaration {
                    Declaration::VariableDeclaration(variables) => {
                        let ids =
                            variables.declarations.iter().flat_map(|variable| variable.id.get_binding_identifiers());
                        ids.for_each(add);
                    }
                    Declaration::TSInterfaceDeclaration(_) | Declaration::TSTypeAliasDeclaration(_) => {}
                    declaration => declaration.id().into_iter().for_each(&mut add),
                }
            }
            Statement::ExportDefaultDeclaration(export) => {
                let local = default_name(&export.declaration, source);
                exports.push(Export { name: DEFAULT, from: None, local });
            }
            _ => {}
        }
    }
    exports
}

/// The exports that exist for the compiler only: interfaces, type aliases and type-only specifiers. Enums are values too.
pub(super) fn types<'s>(program: &Program<'_>, source: &'s str) -> Vec<Export<&'s str>> {
    let mut types = Vec::new();
    for statement in &program.body {
        let (specifiers, from, kind) = match statement {
            Statement::ExportDeclaration(export) => {
                let id = match &export.declaration {
                    Declaration::TSInterfaceDeclaration(interface) => &interface.id,
                    Declaration::TSTypeAliasDeclaration(alias) => &alias.id,
                    Declaration::TSEnumDeclaration(list) => &list.id,
                    _ => continue,
                };
                let name = text(source, id.span);
                types.push(Export { name, from: None, local: name });
                continue;
            }
            Statement::ExportFromDeclaration(export) => {
                (&export.specifiers, Some(between_quotes(source, export.source.span)), export.export_kind)
            }
            Statement::ExportNamedDeclaration(export) => (&export.specifiers, None, export.export_kind),
            _ => continue,
        };
        let is_type = |specifier: &&ExportSpecifier<'_>| !(kind.is_value() && specifier.export_kind.is_value());
        types.extend(specifiers.iter().filter(is_type).map(|specifier| export(specifier, from, source)));
    }
    types
}

/// The modules that a module imports or re-exports, for values or types.
pub(super) fn specifiers<'s>(program: &Program<'_>, source: &'s str) -> Vec<&'s str> {
    let specifier = |statement: &Statement<'_>| match statement {
        Statement::ImportDeclaration(import) => Some(import.source.span),
        Statement::ExportAllDeclaration(export) => Some(export.source.span),
        Statement::ExportFromDeclaration(export) => Some(export.source.span),
        _ => None,
    };
    program.body.iter().filter_map(specifier).map(|span| between_quotes(source, span)).collect()
}

fn add_specifiers<'s>(
    specifiers: &[ExportSpecifier<'_>],
    from: Option<&'s str>,
    source: &'s str,
    exports: &mut Vec<Export<&'s str>>,
) {
    let values = specifiers.iter().filter(|specifier| specifier.export_kind.is_value());
    exports.extend(values.map(|specifier| export(specifier, from, source)));
}

fn export<'s>(specifier: &ExportSpecifier<'_>, from: Option<&'s str>, source: &'s str) -> Export<&'s str> {
    let (name, local) = (exported_name(source, &specifier.exported), exported_name(source, &specifier.local));
    Export { name, from, local }
}

/// The name of the declaration that a module exports by default.
pub(super) fn default_name<'s>(exported: &ExportDefaultDeclarationKind<'_>, source: &'s str) -> &'s str {
    let id = match exported {
        ExportDefaultDeclarationKind::FunctionDeclaration(function) => function.id.as_ref(),
        ExportDefaultDeclarationKind::ClassDeclaration(class) => class.id.as_ref(),
        _ => return default_reference(exported).map_or(DEFAULT, |span| text(source, span)),
    };
    id.map_or(DEFAULT, |id| text(source, id.span))
}

/// The name in `export default Teas`.
pub(super) fn default_reference(exported: &ExportDefaultDeclarationKind<'_>) -> Option<Span> {
    match exported.as_expression().map(transparent) {
        Some(Expression::Identifier(name)) => Some(name.span),
        _ => None,
    }
}

pub(super) fn text(source: &str, span: Span) -> &str {
    source.get(span.start as usize..span.end as usize).unwrap_or_default()
}

pub(super) fn between_quotes(source: &str, span: Span) -> &str {
    source.get(span.start as usize + 1..(span.end as usize).saturating_sub(1)).unwrap_or_default()
}

fn exported_name<'s>(source: &'s str, name: &ModuleExportName<'_>) -> &'s str {
    match name {
        ModuleExportName::StringLiteral(string) => between_quotes(source, string.span),
        name => text(source, name.span()),
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Following
// ---------------------------------------------------------------------------------------------------------------------

/// The modules of a project.
pub(crate) trait Modules<'m> {
    /// Other files (JSON) export their fields.
    fn is_code(&self, module: usize) -> bool;
    fn export(&self, module: usize, at: usize) -> Option<Export<&'m str>>;
    /// The places of the exports with this name.
    fn exports_named(&self, module: usize, name: &str) -> Vec<usize>;
    /// The file of a re-export.
    fn export_file(&self, module: usize, at: usize) -> Option<usize>;
    /// The import of a name, and its file.
    fn import(&self, module: usize, local: &str) -> Option<(Import<&'m str>, Option<usize>)>;
}

/// Where a name leads.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Found<'m> {
    /// A declaration, or a field of a file that is not code. `default`: it is a default export.
    Declared {
        module: usize,
        name: &'m str,
        default: bool,
    },
    /// The module namespace, or the content of a file that is not code.
    Module(usize),
    Package {
        from: &'m str,
        name: &'m str,
    },
}

/// A name to follow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Name<'m> {
    Local(usize, &'m str),
    Exported(usize, &'m str),
}

/// Follows a name from module to module.
pub(crate) fn follow<'m>(modules: &dyn Modules<'m>, name: Name<'m>) -> Option<Found<'m>> {
    follow_unseen(modules, name, &mut Vec::new())
}

/// `seen` breaks cycles.
fn follow_unseen<'m>(modules: &dyn Modules<'m>, name: Name<'m>, seen: &mut Vec<Name<'m>>) -> Option<Found<'m>> {
    if seen.contains(&name) {
        return None;
    }
    seen.push(name);
    match name {
        Name::Exported(module, "*") => Some(Found::Module(module)),
        Name::Exported(module, name) if modules.is_code(module) => follow_export(modules, module, name, seen),
        Name::Exported(module, DEFAULT) => Some(Found::Module(module)),
        Name::Exported(module, name) => Some(Found::Declared { module, name, default: false }),
        Name::Local(module, name) => match modules.import(module, name) {
            Some((import, Some(file))) => follow_unseen(modules, Name::Exported(file, import.name), seen),
            Some((import, None)) => package(import.from, import.name),
            None => Some(Found::Declared { module, name, default: false }),
        },
    }
}

fn follow_export<'m>(
    modules: &dyn Modules<'m>,
    module: usize,
    name: &'m str,
    seen: &mut Vec<Name<'m>>,
) -> Option<Found<'m>> {
    let first = modules.exports_named(module, name).first().copied();
    if let Some((at, export)) = first.and_then(|at| Some((at, modules.export(module, at)?))) {
        let found = match (export.from, modules.export_file(module, at)) {
            (None, _) => follow_unseen(modules, Name::Local(module, export.local), seen)?,
            (Some(_), Some(file)) => follow_unseen(modules, Name::Exported(file, export.local), seen)?,
            (Some(from), None) => package(from, export.local)?,
        };
        return Some(match found {
            Found::Declared { module, name: declared, default } => {
                Found::Declared { module, name: declared, default: default || name == DEFAULT }
            }
            found => found,
        });
    }
    let stars = if name == DEFAULT { Vec::new() } else { modules.exports_named(module, "*") };
    stars
        .into_iter()
        .filter_map(|at| modules.export_file(module, at))
        .find_map(|file| follow_unseen(modules, Name::Exported(file, name), seen))
}

/// A package export; `None` if the specifier is a path.
fn package<'m>(from: &'m str, name: &'m str) -> Option<Found<'m>> {
    (!from.starts_with('.')).then_some(Found::Package { from, name })
}
