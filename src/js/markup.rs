//! HTML, Vue, Svelte and Astro files as modules: their scripts, and a component that renders their template.

use super::links::{DEFAULT, Export, Index};
use super::tree::{Declaration, Expression, Module, Parsed, Pattern, Property, Statement, code};
use crate::syntax::markup::parts;
use crate::syntax::template::{UNKNOWN, as_jsx};
use std::rc::Rc;

/// The name of the component.
const COMPONENT: &str = "$Component";

/// The error that the parser reports for a `return` outside of functions, which the frontmatter of Astro may have.
pub(crate) fn is_return(message: &str) -> bool {
    message.contains("'return'")
}

/// The file as one source, and its tree. A template that does not parse is read without its expressions, or is unknown.
pub(crate) fn read(text: &str, extension: &str) -> (String, Parsed) {
    let mut read = (String::new(), Parsed::Foreign);
    for (template, name) in [(Some(true), "a.tsx"), (Some(false), "a.tsx"), (None, "a.tsx"), (None, "a.ts")] {
        let source = joined(text, extension, template);
        let mut parsed = code(name, &source, &|message| extension == "astro" && is_return(message));
        if let Parsed::Module(module) = &mut parsed {
            adopt(module);
            return (source, parsed);
        }
        read = (source, parsed);
    }
    read
}

/// The scripts and the template as a source, on the lines that they have in the file.
fn joined(text: &str, extension: &str, template: Option<bool>) -> String {
    let scripts = parts(text, extension).into_iter().filter(|part| !matches!(part.extension, "css" | "json"));
    let mut pieces: Vec<(usize, String)> = scripts.map(|part| (part.at, format!("{}\n", part.text))).collect();
    let component = |jsx: &str| format!("function {COMPONENT}(){{return(<>{}</>)}}\n", jsx.trim_start());
    pieces.push(match template {
        Some(is_live) => {
            let jsx = as_jsx(text, extension, is_live);
            (jsx.at, component(&jsx.text))
        }
        None => (text.len(), format!("function {COMPONENT}(){{return {UNKNOWN}}}\n")),
    });
    pieces.sort_by_key(|(at, _)| *at);
    let (mut source, mut lines, mut read) = (String::new(), 0, 0);
    let mut due = 0_usize;
    let count = |text: &str| text.matches('\n').count();
    for (at, piece) in pieces {
        due += text.get(read..at).map_or(0, count);
        read = read.max(at);
        source.extend(std::iter::repeat_n('\n', due.saturating_sub(lines)));
        lines = lines.max(due) + count(&piece);
        source.push_str(&piece);
    }
    source
}

/// Makes the component the module's default export, and what an object of options declares the module's own.
fn adopt(module: &mut Module) {
    for statement in std::mem::take(&mut module.body) {
        match statement {
            Statement::Declare(Declaration { pattern: Pattern::Name(name), value: Some(value), .. })
                if *name == *DEFAULT =>
            {
                adopt_options(value, &mut module.body);
            }
            statement => module.body.push(statement),
        }
    }
    module.exports.retain(|export| export.name != DEFAULT);
    module.exports.push(Export { name: DEFAULT.to_owned(), from: None, local: COMPONENT.to_owned() });
    module.exports_by_name = Index::new(module.exports.iter().map(|export| export.name.clone()));
}

/// Declares what `data` and `setup` of a Vue component return.
fn adopt_options(value: Expression, into: &mut Vec<Statement>) {
    let options = match value {
        Expression::Call(call) => call.arguments.into_iter().next().map(|argument| argument.value),
        value => Some(value),
    };
    let Some(Expression::Object(options)) = options else { return };
    for option in options {
        let Property::Pair { key: Expression::Text(key), value: Expression::Function(function), .. } = option else {
            continue;
        };
        let Some(function) = Rc::into_inner(function).filter(|_| matches!(&*key, "data" | "setup")) else { continue };
        for statement in function.body {
            match statement {
                Statement::Return(Some(Expression::Object(fields))) => {
                    into.extend(fields.into_iter().filter_map(|field| match field {
                        Property::Pair { key: Expression::Text(key), value: Expression::Name(name), .. }
                            if key == name =>
                        {
                            None
                        }
                        Property::Pair { key: Expression::Text(key), value, span } => {
                            let (pattern, type_words) = (Pattern::Name(key), String::new());
                            Some(Statement::Declare(Declaration { pattern, value: Some(value), type_words, span }))
                        }
                        _ => None,
                    }));
                }
                statement => into.push(statement),
            }
        }
    }
}
