//! Calls the parser, within the limits.

use super::limits::{self, Excess};
use oxc_allocator::Allocator;
use oxc_ast::ast::{Expression, Program};
use oxc_parser::{Parser, ParserReturn};
use oxc_span::{SourceType, Span};
use oxc_syntax::xml_entities::decode_entities;
use std::borrow::Cow;
use std::cell::RefCell;

/// A piece of a source, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub start: u32,
    pub end: u32,
}

/// A place where a source does not parse.
#[derive(Debug)]
pub(crate) struct SyntaxError {
    pub message: String,
    pub place: Place,
}

/// Why a source has no tree.
pub(super) enum Refusal {
    /// A syntax error comes before the place where a limit is exceeded.
    Broken(Vec<SyntaxError>),
    Excess(Excess),
}

/// Parses a source and reads the result: the parser recovers from some errors, so there may be a program and errors.
///
/// # Errors
/// The source is not parsed: it exceeds a limit.
pub(super) fn parse<T>(
    source: &str,
    has_elements: bool,
    read: impl FnOnce(&Program<'_>, Vec<SyntaxError>) -> T,
) -> Result<T, Refusal> {
    if let Err((excess, at)) = limits::check(source, has_elements) {
        return Err(match errors_before(source, at, has_elements) {
            errors if errors.is_empty() => Refusal::Excess(excess),
            errors => Refusal::Broken(errors),
        });
    }
    Ok(in_arena(|arena| {
        let returned = Parser::new(arena, source, language(has_elements)).parse();
        read(&returned.program, syntax_errors(&returned))
    }))
}

/// Whether an angle bracket can open an element in this file.
pub(super) fn has_elements(path: &str) -> bool {
    ![".ts", ".mts", ".cts"].iter().any(|extension| path.ends_with(extension))
}

fn language(has_elements: bool) -> SourceType {
    if has_elements { SourceType::tsx() } else { SourceType::ts() }
}

/// The syntax errors before the place where a limit is exceeded: an unclosed quote makes what follows look deep.
fn errors_before(source: &str, at: usize, has_elements: bool) -> Vec<SyntaxError> {
    let Some(readable) = source.get(..at).filter(|readable| limits::check(readable, has_elements).is_ok()) else {
        return Vec::new();
    };
    let mut errors = in_arena(|arena| syntax_errors(&Parser::new(arena, readable, language(has_elements)).parse()));
    // That the text ends here is not an error of the source.
    errors.retain(|error| (error.place.end as usize) < readable.len());
    errors
}

/// Bytes. The tree of an editor's plan has some dozen kilobytes.
const MAX_KEPT: usize = 1 << 20;

thread_local! {
    // Allocating the memory of a tree takes as long as building it, and an editor does so at every keystroke.
    static ARENA: RefCell<Allocator> = RefCell::default();
}

fn in_arena<T>(read: impl FnOnce(&Allocator) -> T) -> T {
    let mut arena = ARENA.take();
    let result = read(&arena);
    if arena.capacity() <= MAX_KEPT {
        arena.reset();
        ARENA.set(arena);
    }
    result
}

/// The parser's errors, in source order.
fn syntax_errors(returned: &ParserReturn<'_>) -> Vec<SyntaxError> {
    let mut errors: Vec<SyntaxError> = returned
        .diagnostics
        .iter()
        .map(|diagnostic| {
            let label = diagnostic.labels.iter().find(|label| label.primary()).or(diagnostic.labels.first());
            let advice = diagnostic.help.as_deref().or_else(|| label.and_then(|label| label.label()));
            SyntaxError {
                message: sentences([&diagnostic.message, advice.unwrap_or_default()]),
                place: label.map_or(Place { start: 0, end: 0 }, |label| place(label.span())),
            }
        })
        .collect();
    errors.sort_by_key(|error| error.place.start);
    errors
}

/// The parser ends some of its texts with a full stop.
fn sentences(texts: [&str; 2]) -> String {
    let ended = texts.map(|text| match text.chars().last() {
        None | Some('.' | '?' | '!') => text.to_owned(),
        Some(_) => format!("{text}."),
    });
    ended.join(" ").trim_end().to_owned()
}

pub(super) fn place(span: Span) -> Place {
    Place { start: span.start, end: span.end }
}

/// The expression in parentheses, `as`, `satisfies` and `!`.
pub(super) fn transparent<'p, 'a>(mut expression: &'p Expression<'a>) -> &'p Expression<'a> {
    loop {
        expression = match expression {
            Expression::TSNonNullExpression(outer) => &outer.expression,
            other => match in_parentheses(other) {
                inner if std::ptr::eq(inner, other) => return other,
                inner => inner,
            },
        };
    }
}

/// The expression in parentheses, `as` and `satisfies`.
pub(super) fn in_parentheses<'p, 'a>(mut expression: &'p Expression<'a>) -> &'p Expression<'a> {
    loop {
        expression = match expression {
            Expression::ParenthesizedExpression(outer) => &outer.expression,
            Expression::TSAsExpression(outer) => &outer.expression,
            Expression::TSSatisfiesExpression(outer) => &outer.expression,
            _ => return expression,
        };
    }
}

/// A text of JSX with its entities (`&amp;`) decoded.
pub(super) fn decoded(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| byte == b'&') {
        return Cow::Borrowed(text);
    }
    let allocator = Allocator::default();
    let mut decoded = None;
    decode_entities(text, &mut decoded, text.len(), &allocator);
    decoded.map_or(Cow::Borrowed(text), |decoded| Cow::Owned(decoded.as_str().to_owned()))
}

/// The 1-based line of a byte of a text.
pub(crate) fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1
}
