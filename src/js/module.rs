//! Modules: imports, exports, comments.

use super::statement::{self, Reader};
use super::tree::{DEFAULT, Declaration, Export, Exported, Import, Imported, Module, Pattern, Statement};
use oxc_ast::ast::{self, ExportDefaultDeclarationKind, ImportDeclarationSpecifier, Program};
use oxc_span::GetSpan;

pub(super) fn read(program: &Program<'_>, text: &str) -> Module {
    let mut reader = Reader::new(text);
    let mut module = Module::default();
    for statement in &program.body {
        let source = match statement {
            ast::Statement::ImportDeclaration(import) => Some(&import.source),
            ast::Statement::ExportAllDeclaration(export) => Some(&export.source),
            ast::Statement::ExportFromDeclaration(export) => Some(&export.source),
            _ => None,
        };
        module.specifiers.extend(source.map(|source| (statement::span(source.span), source.value.to_string())));
        match statement {
            ast::Statement::ImportDeclaration(import) if !import.import_kind.is_type() => {
                read_import(import, &mut module);
            }
            ast::Statement::ExportAllDeclaration(export) if !export.export_kind.is_type() => {
                let from = export.source.value.to_string();
                match &export.exported {
                    Some(name) => module.exports.push(Export {
                        name: name.name().to_string(),
                        what: Exported::From(from, Imported::Namespace),
                    }),
                    None => module.stars.push(from),
                }
            }
            ast::Statement::ExportFromDeclaration(export) if !export.export_kind.is_type() => {
                for specifier in &export.specifiers {
                    let imported = Imported::Name(specifier.local.name().to_string());
                    module.exports.push(Export {
                        name: specifier.exported.name().to_string(),
                        what: Exported::From(export.source.value.to_string(), imported),
                    });
                }
            }
            ast::Statement::ExportNamedDeclaration(export) if !export.export_kind.is_type() => {
                for specifier in &export.specifiers {
                    let local = specifier.local.name().to_string();
                    module
                        .exports
                        .push(Export { name: specifier.exported.name().to_string(), what: Exported::Local(local) });
                }
            }
            ast::Statement::ExportDeclaration(export) => {
                let first = module.body.len();
                reader.declaration(&export.declaration, export.span, &mut module.body);
                for statement in module.body.get(first..).unwrap_or_default() {
                    if let Statement::Declare(declaration) = statement {
                        export_names(&declaration.pattern, &mut module.exports);
                    }
                }
            }
            ast::Statement::ExportDefaultDeclaration(export) => read_default(export, &mut reader, &mut module),
            statement => reader.statement(statement, &mut module.body),
        }
    }
    module.blanks = reader.blanks;
    module.blanks.extend(program.comments.iter().map(|comment| (comment.span.start, comment.span.end)));
    module.blanks.sort();
    module
}

fn read_import(import: &ast::ImportDeclaration<'_>, module: &mut Module) {
    for specifier in import.specifiers.iter().flatten() {
        let (local, name) = match specifier {
            ImportDeclarationSpecifier::ImportSpecifier(named) if named.import_kind.is_type() => continue,
            ImportDeclarationSpecifier::ImportSpecifier(named) => {
                (&named.local, Imported::Name(named.imported.name().to_string()))
            }
            ImportDeclarationSpecifier::ImportDefaultSpecifier(default) => {
                (&default.local, Imported::Name(DEFAULT.to_owned()))
            }
            ImportDeclarationSpecifier::ImportNamespaceSpecifier(all) => (&all.local, Imported::Namespace),
        };
        let from = import.source.value.to_string();
        module.imports.push(Import { local: local.name.to_string(), from, name });
    }
}

/// Declares a default export under its own name or [`DEFAULT`].
fn read_default(export: &ast::ExportDefaultDeclaration<'_>, reader: &mut Reader<'_>, module: &mut Module) {
    // `export default Teas` re-exports a named declaration.
    if let ExportDefaultDeclarationKind::Identifier(name) = &export.declaration {
        let what = Exported::Local(name.name.to_string());
        return module.exports.push(Export { name: DEFAULT.to_owned(), what });
    }
    let (name, value) = match &export.declaration {
        ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
            (function.name().map(|name| name.to_string()), Some(reader.function(function)))
        }
        ExportDefaultDeclarationKind::ClassDeclaration(class) => {
            (class.id.as_ref().map(|id| id.name.to_string()), Some(reader.class(class)))
        }
        ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => return,
        declaration => (None, declaration.as_expression().map(|value| reader.expression(value))),
    };
    let name = name.unwrap_or_else(|| DEFAULT.to_owned());
    module.exports.push(Export { name: DEFAULT.to_owned(), what: Exported::Local(name.clone()) });
    module.body.push(Statement::Declare(Declaration {
        pattern: Pattern::Name(name.into()),
        value,
        type_words: String::new(),
        span: statement::span(export.span()),
    }));
}

fn export_names(pattern: &Pattern, exports: &mut Vec<Export>) {
    match pattern {
        Pattern::Name(name) => {
            exports.push(Export { name: name.to_string(), what: Exported::Local(name.to_string()) });
        }
        Pattern::Object(fields, rest) => {
            fields.iter().for_each(|(_, field)| export_names(field, exports));
            rest.iter().for_each(|rest| export_names(rest, exports));
        }
        Pattern::Array(items, rest) => {
            items.iter().flatten().for_each(|item| export_names(item, exports));
            rest.iter().for_each(|rest| export_names(rest, exports));
        }
        Pattern::Default(pattern, _) => export_names(pattern, exports),
        Pattern::Other => {}
    }
}
