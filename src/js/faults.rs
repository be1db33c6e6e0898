//! Errors that the parser does not report: names declared twice, undeclared components, types in JavaScript.

use super::limits;
use super::parse::{self, has_elements, line_of};
use oxc_ast::ast::*;
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_span::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Errors of a module that parses. Lines are 1-based.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    /// The first name that one block declares twice.
    pub twice: Option<(usize, String)>,
    /// Components that a module renders, and neither declares nor imports.
    pub undeclared: Vec<(usize, String)>,
}

/// Reads the errors of a source; none if it does not parse.
pub(crate) fn read(path: &str, text: &str) -> Faults {
    let read = |program: &Program<'_>, errors: Vec<parse::SyntaxError>| {
        if !errors.is_empty() {
            return Faults::default();
        }
        let mut names = Names::default();
        names.visit_program(program);
        let line = |span: Span| line_of(text, span.start as usize);
        let is_module = program.body.iter().any(Statement::is_module_declaration);
        let is_unknown = |(name, _): &(&String, &Span)| is_module && !names.declared.contains(*name);
        Faults {
            undeclared: names
                .rendered
                .iter()
                .filter(is_unknown)
                .map(|(name, span)| (line(*span), name.clone()))
                .collect(),
            twice: names.twice.map(|(span, name)| (line(span), name)),
        }
    };
    parse::parse(text, has_elements(path), read).unwrap_or_default()
}

/// The line of the first error of a source that parses as TypeScript, read as JavaScript.
pub(crate) fn as_javascript(text: &str) -> Option<usize> {
    limits::check(text, true).ok()?;
    parse::first_error_as_javascript(text).map(|at| line_of(text, at))
}

#[derive(Default)]
struct Names {
    declared: BTreeSet<String>,
    /// With the first place.
    rendered: BTreeMap<String, Span>,
    twice: Option<(Span, String)>,
}

impl Names {
    /// Notes a name that this block declares. `let`, `const`, classes and imports share their name with nothing.
    fn declare(&mut self, block: &mut BTreeMap<String, bool>, id: &BindingIdentifier<'_>, is_only: bool) {
        match block.insert(id.name.to_string(), is_only) {
            Some(was_only) if (is_only || was_only) && self.twice.is_none() => {
                self.twice = Some((id.span, id.name.to_string()));
            }
            _ => {}
        }
    }

    fn declaration(&mut self, block: &mut BTreeMap<String, bool>, declaration: &Declaration<'_>) {
        match declaration {
            Declaration::VariableDeclaration(variables) if !variables.declare => {
                let is_only = variables.kind != VariableDeclarationKind::Var;
                for id in variables.declarations.iter().flat_map(|variable| variable.id.get_binding_identifiers()) {
                    self.declare(block, id, is_only);
                }
            }
            Declaration::FunctionDeclaration(function) if function.body.is_some() && !function.declare => {
                function.id.iter().for_each(|id| self.declare(block, id, false));
            }
            Declaration::ClassDeclaration(class) if !class.declare => {
                class.id.iter().for_each(|id| self.declare(block, id, true));
            }
            // Namespaces, enums and types merge with other declarations.
            declaration => self.declared.extend(declaration.id().map(|id| id.name.to_string())),
        }
    }
}

impl<'a> VisitJs<'a> for Names {
    fn visit_binding_identifier(&mut self, id: &BindingIdentifier<'a>) {
        self.declared.insert(id.name.to_string());
    }

    fn visit_jsx_element_name(&mut self, name: &JSXElementName<'a>) {
        if let JSXElementName::IdentifierReference(name) = name
            && name.name.starts_with(|first: char| first.is_ascii_uppercase())
        {
            self.rendered.entry(name.name.to_string()).or_insert(name.span);
        }
    }

    fn visit_statements(&mut self, statements: &oxc_allocator::Vec<'a, Statement<'a>>) {
        let mut block = BTreeMap::new();
        for statement in statements {
            match statement {
                Statement::ImportDeclaration(import) if import.import_kind.is_value() => {
                    for specifier in import.specifiers.iter().flatten() {
                        let is_type = matches!(specifier, ImportDeclarationSpecifier::ImportSpecifier(named)
                            if !named.import_kind.is_value());
                        if !is_type {
                            self.declare(&mut block, specifier.local(), true);
                        }
                    }
                }
                Statement::ExportDeclaration(export) => self.declaration(&mut block, &export.declaration),
                Statement::ExportDefaultDeclaration(export) => match &export.declaration {
                    ExportDefaultDeclarationKind::FunctionDeclaration(function) if function.body.is_some() => {
                        function.id.iter().for_each(|id| self.declare(&mut block, id, false));
                    }
                    ExportDefaultDeclarationKind::ClassDeclaration(class) => {
                        class.id.iter().for_each(|id| self.declare(&mut block, id, true));
                    }
                    _ => {}
                },
                statement => {
                    if let Some(declaration) = statement.as_declaration() {
                        self.declaration(&mut block, declaration);
                    }
                }
            }
        }
        walk_js::walk_statements(self, statements);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn twice(text: &str) -> Option<(usize, String)> {
        read("a.tsx", text).twice
    }

    #[test]
    fn a_block_declares_a_name_once() {
        for text in [
            "const a = 1\nconst a = 2",
            "import a from 'a'\nconst a = 1",
            "import { a } from 'a'\nimport a from 'b'",
            "class a {}\nfunction a() {}",
            "var a = 1\nlet a = 2",
            "export const a = 1\nexport function a() {}",
            "const { b, c: a } = d\nconst a = 1",
        ] {
            assert_eq!(twice(text), Some((2, "a".to_owned())), "{text}");
        }
        assert_eq!(
            twice("function f() {\n const a = 1\n if (b) { let a = 2 }\n let a = 3\n}"),
            Some((4, "a".to_owned()))
        );
        for text in [
            "var a = 1; var a = 2; function a() {} function a() {}",
            "function a(b: 1): 1\nfunction a(b: 2): 2\nfunction a(b: unknown) {}",
            "const a = 1; { const a = 2 } function f(a) { const b = a }",
            "interface a {} const a = 1; type b = 1; const b = 1",
            "class a {} namespace a { export const b = 1 } interface a {}",
            "enum a { b } enum a { c = 1 }",
            "import type { a } from 'a'; import { type b } from 'b'; const a = 1; const b = 1",
            "declare const a: 1; const a = 1",
            "switch (a) { case 1: { const b = 1 } case 2: { const b = 2 } }",
            "const a = ;const a = 1",
        ] {
            assert_eq!(twice(text), None, "{text}");
        }
    }

    #[test]
    fn a_module_declares_or_imports_the_components_that_it_renders() {
        let undeclared = |text: &str| read("a.tsx", text).undeclared;
        assert_eq!(undeclared("export const A = () => (\n<Footer />)"), [(2, "Footer".to_owned())]);
        for text in [
            "import { Footer } from './Footer'; export const A = () => <Footer />",
            "import * as UI from 'ui'; export const A = () => <UI.Footer />",
            "import type { Footer } from 'a'; export const A = () => <Footer />",
            "export const A = ({ as: Footer }) => <Footer />",
            "export function A({ icon: Icon = Star }) { const Tag = 'p'; return <Tag><Icon /></Tag> } class Star {}",
            "export const A = (list) => list.map(({ Icon }) => <Icon />)",
            "export function A() { return <Footer /> } function Footer() {}",
            "export const A = () => <footer />",
            "export enum Footer {} export const A = () => <Footer />",
            "const A = () => <Footer />",
        ] {
            assert_eq!(undeclared(text), [], "{text}");
        }
    }

    #[test]
    fn types_are_no_javascript() {
        assert_eq!(as_javascript("const a = 1\nconst b: number = 2"), Some(2));
        assert_eq!(as_javascript("interface A {}"), Some(1));
        for text in ["const a = <p>{b}</p>", "export default class { static #a = 1 }", "import a from 'a'; await a()"] {
            assert_eq!(as_javascript(text), None, "{text}");
        }
    }
}
