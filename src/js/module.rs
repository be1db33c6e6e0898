//! The statements of a module, with its imports, exports and comments.

use super::links::{self, Export, Import};
use super::statement::{self, Reader};
use super::tree::{Declaration, Module, Pattern, Statement};
use oxc_ast::ast::{self, ExportDefaultDeclarationKind, Program};

pub(super) fn read(program: &Program<'_>, text: &str) -> Module {
    let mut reader = Reader::new(text);
    let mut module = Module::default();
    for import in links::imports(program, text).iter().filter(|import| !import.local.is_empty()) {
        let [local, from, name] = [import.local, import.from, import.name].map(str::to_owned);
        module.imports.push(Import { local, from, name });
    }
    for export in links::exports(program, text) {
        let [name, local] = [export.name, export.local].map(str::to_owned);
        module.exports.push(Export { name, from: export.from.map(str::to_owned), local });
    }
    for statement in &program.body {
        let source = match statement {
            ast::Statement::ImportDeclaration(import) => Some(&import.source),
            ast::Statement::ExportAllDeclaration(export) => Some(&export.source),
            ast::Statement::ExportFromDeclaration(export) => Some(&export.source),
            _ => None,
        };
        module.specifiers.extend(source.map(|source| (statement::span(source.span), source.value.to_string())));
        match statement {
            ast::Statement::ExportDeclaration(export) => {
                reader.declaration(&export.declaration, export.span, &mut module.body);
            }
            ast::Statement::ExportDefaultDeclaration(export) => {
                module.body.extend(read_default(export, &mut reader));
            }
            statement => reader.statement(statement, &mut module.body),
        }
    }
    module.blanks = reader.blanks;
    module.blanks.extend(program.comments.iter().map(|comment| (comment.span.start, comment.span.end)));
    module.blanks.sort();
    module
}

/// Declares a default export under its own name or [`links::DEFAULT`].
fn read_default(export: &ast::ExportDefaultDeclaration<'_>, reader: &mut Reader<'_>) -> Option<Statement> {
    if links::default_reference(&export.declaration).is_some() {
        return None;
    }
    let value = match &export.declaration {
        ExportDefaultDeclarationKind::FunctionDeclaration(function) => Some(reader.function(function)),
        ExportDefaultDeclarationKind::ClassDeclaration(class) => Some(reader.class(class)),
        declaration => declaration.as_expression().map(|value| reader.expression(value)),
    };
    Some(Statement::Declare(Declaration {
        pattern: Pattern::Name(links::default_name(&export.declaration, reader.text).into()),
        value,
        type_words: String::new(),
        span: statement::span(export.span),
    }))
}
