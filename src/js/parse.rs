//! Calls the parser, after checking the limits.

use super::limits::{self, Excess};
use oxc_allocator::Allocator;
use oxc_ast::ast::{Expression, Program};
use oxc_parser::{Parser, ParserReturn};
use oxc_span::{SourceType, Span};
use oxc_syntax::xml_entities::decode_entities;
use std::borrow::Cow;
use std::cell::RefCell;

/// A byte range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub start: u32,
    pub end: u32,
}

#[derive(Debug)]
pub(crate) struct SyntaxError {
    pub message: String,
    pub place: Place,
}

/// Parses a source. The parser recovers from some errors, so there may be both a program and errors.
///
/// # Errors
/// The limit that the source exceeds. Such a source is not parsed. If there are syntax errors before the place where it
/// exceeds the limit, these are read instead, with an empty program.
pub(super) fn parse<T>(
    source: &str,
    has_elements: bool,
    read: impl FnOnce(&Program<'_>, Vec<SyntaxError>) -> T,
) -> Result<T, Excess> {
    let (source, errors) = match limits::check(source, has_elements) {
        Ok(()) => (source, Vec::new()),
        Err((excess, at)) => match errors_before(source, at, has_elements) {
            errors if errors.is_empty() => return Err(excess),
            errors => ("", errors),
        },
    };
    Ok(in_arena(|arena| {
        let returned = Parser::new(arena, source, language(has_elements)).parse();
        read(&returned.program, if errors.is_empty() { syntax_errors(&returned) } else { errors })
    }))
}

/// The offset of the first error of a source without types. The source must fit the limits.
pub(super) fn first_error_as_javascript(source: &str) -> Option<usize> {
    let errors = in_arena(|arena| syntax_errors(&Parser::new(arena, source, SourceType::jsx()).parse()));
    errors.first().map(|error| error.place.start as usize)
}

/// Whether `<` can open an element in this file.
pub(super) fn has_elements(path: &str) -> bool {
    ![".ts", ".mts", ".cts"].iter().any(|extension| path.ends_with(extension))
}

fn language(has_elements: bool) -> SourceType {
    if has_elements { SourceType::tsx() } else { SourceType::ts() }
}

/// The syntax errors before the place where a limit is exceeded: an unclosed quote makes the rest look deep.
fn errors_before(source: &str, at: usize, has_elements: bool) -> Vec<SyntaxError> {
    let Some(readable) = source.get(..at).filter(|readable| limits::check(readable, has_elements).is_ok()) else {
        return Vec::new();
    };
    let mut errors = in_arena(|arena| syntax_errors(&Parser::new(arena, readable, language(has_elements)).parse()));
    // The cut-off end of the text is not an error in the source.
    errors.retain(|error| (error.place.end as usize) < readable.len());
    errors
}

/// Arenas above this size, in bytes, are freed. The tree of a plan takes a few dozen kilobytes.
const MAX_KEPT: usize = 1 << 20;

thread_local! {
    // Reused: an editor parses at every keystroke, and allocating an arena takes as long as building the tree.
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

/// In source order.
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

/// Joins the texts. The parser ends some of them with a full stop.
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

/// Strips parentheses, `as`, `satisfies` and `!`.
pub(super) fn transparent<'p, 'a>(mut expression: &'p Expression<'a>) -> &'p Expression<'a> {
    loop {
        expression = match in_parentheses(expression) {
            Expression::TSNonNullExpression(outer) => &outer.expression,
            inner => return inner,
        };
    }
}

/// Strips parentheses, `as` and `satisfies`.
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

/// JSX text with entities (`&amp;`) decoded.
pub(super) fn decoded(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| byte == b'&') {
        return Cow::Borrowed(text);
    }
    let allocator = Allocator::default();
    let mut decoded = None;
    decode_entities(text, &mut decoded, text.len(), &allocator);
    decoded.map_or(Cow::Borrowed(text), |decoded| Cow::Owned(decoded.as_str().to_owned()))
}

/// The 1-based line of a byte offset.
pub(crate) fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1
}
