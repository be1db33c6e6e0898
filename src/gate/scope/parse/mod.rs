//! Source text to the gate's own tree: with [`crate::plan`]'s parser the only files that name oxc.

mod expression;
mod module;
mod statement;

use super::tree::Module;
use crate::plan;
use oxc_allocator::Allocator;
use oxc_parser::Parser;
use oxc_span::SourceType;

/// What a file is to the gate.
#[derive(Debug)]
pub(super) enum Parsed {
    Module(Module),
    Data(serde_json::Value),
    /// It does not parse: the 1-based line, and what the parser says.
    Broken {
        line: usize,
        message: String,
    },
    /// A parser cannot be asked to read it, so nothing is known about it.
    Unreadable,
    /// Neither code nor JSON.
    Foreign,
}

/// Parses a file by its extension. Total.
pub(super) fn parse(path: &str, text: &str) -> Parsed {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    if path.ends_with(".d.ts") {
        return Parsed::Foreign;
    }
    let kind = match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "tsx" | "jsx" | "js" | "mjs" | "cjs" => SourceType::tsx(),
        "ts" | "mts" | "cts" => SourceType::ts(),
        "json" => return data(text),
        _ => return Parsed::Foreign,
    };
    if !plan::is_parseable(text, !kind.is_jsx()) {
        return Parsed::Unreadable;
    }
    let allocator = Allocator::default();
    let returned = Parser::new(&allocator, text, kind).parse();
    match returned.diagnostics.errors().next() {
        Some(error) => {
            let at = error.labels.first().map_or(0, |label| label.span().start);
            let line = crate::syntax::line_of(text, at as usize);
            Parsed::Broken { line, message: error.message.to_string() }
        }
        None => Parsed::Module(module::read(&returned.program, text)),
    }
}

fn data(text: &str) -> Parsed {
    match serde_json::from_str(text) {
        Ok(value) => Parsed::Data(value),
        Err(error) => Parsed::Broken { line: error.line(), message: error.to_string() },
    }
}
