//! Function calls in a source file. The test-file gates use them.

use super::lexer::{PieceKind, Source};
use crate::syntax::Blanked;

/// A call: `expect(…)`, `it.skip('adds', …)`, `test.each([…])('adds %i', …)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call<'a> {
    /// The dotted name of the function.
    pub callee: &'a str,
    /// The first argument, if it is a string.
    pub title: Option<&'a str>,
    /// The code after the first argument, or after the opening parenthesis if the first argument is not a string.
    pub rest: String,
}

/// Maximum length of [`Call::rest`], in characters.
const REST: usize = 120;

/// Maximum length of an `each` table. Longer tables are not read to their end.
const TABLE_BYTES: usize = 32 * 1024;

/// All calls of named functions, in source order. Comments, strings and element text are skipped.
pub(crate) fn calls<'a>(text: &'a str, extension: &str) -> Vec<Call<'a>> {
    let source = Source::new(text, extension);
    let mut blanked = Blanked::new(source.code());
    let is_text = |kind| matches!(kind, PieceKind::String | PieceKind::Template | PieceKind::Text);
    let texts: Vec<_> = source.pieces.iter().filter(|piece| is_text(piece.kind)).collect();
    for piece in &texts {
        blanked.blank(piece.at, piece.at + piece.text.len());
    }
    let code = blanked.text();
    let title = |at: usize| {
        let index = texts.binary_search_by(|piece| piece.at.cmp(&at)).ok()?;
        texts.get(index).map(|piece| piece.text)
    };
    let (mut calls, mut at, mut before) = (Vec::new(), 0, "");
    while let Some(rest) = code.get(at..).filter(|rest| !rest.is_empty()) {
        let length = name_length(rest);
        if length == 0 {
            let step = rest.chars().next().map_or(1, char::len_utf8);
            before = if rest.starts_with('.') {
                "."
            } else if rest.starts_with(char::is_whitespace) {
                before
            } else {
                ""
            };
            at += step;
            continue;
        }
        let name = rest.get(..length).unwrap_or_default();
        let end = at + length;
        let called = open_paren(&code, end).filter(|_| before != "function" && before != ".");
        if let (Some(open), Some(callee)) = (called, text.get(at..end)) {
            // The table of `each` comes first, then the test's own arguments.
            let open = if callee.ends_with(".each") { after_table(&code, open).unwrap_or(open) } else { open };
            let inner = code.get(open + 1..).unwrap_or_default();
            let first = open + 1 + inner.len() - inner.trim_start().len();
            let title =
                title(first + 1).filter(|_| code.get(first..).is_some_and(|rest| rest.starts_with(['\'', '"', '`'])));
            let after = first + title.map_or(0, |title| title.len() + 2);
            let rest: String = code.get(after..).unwrap_or_default().chars().take(REST).collect();
            calls.push(Call { callee, title, rest });
        }
        before = name;
        at = end;
    }
    calls
}

/// The length of the dotted name at the start of `code`.
fn name_length(code: &str) -> usize {
    let end = code.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$' || c == '.')).unwrap_or(code.len());
    let name = code.get(..end).unwrap_or_default().trim_end_matches('.');
    if name.starts_with(|c: char| c.is_ascii_digit() || c == '.') { 0 } else { name.len() }
}

/// The offset of the `(` or template literal that calls the expression ending at `end`.
fn open_paren(code: &str, end: usize) -> Option<usize> {
    let rest = code.get(end..)?;
    let at = end + rest.len() - rest.trim_start().len();
    code.get(at..)?.starts_with(['(', '`']).then_some(at)
}

/// The offset of the `(` that follows the table starting at `open`.
fn after_table(code: &str, open: usize) -> Option<usize> {
    let rest = code.get(open..)?;
    if let Some(template) = rest.strip_prefix('`') {
        return open_paren(code, open + 1 + template.find('`')? + 1);
    }
    let mut depth = 0_usize;
    for (at, byte) in rest.bytes().take(TABLE_BYTES).enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return open_paren(code, open + at + 1),
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls_in(text: &str) -> Vec<(&str, Option<&str>)> {
        calls(text, "tsx").into_iter().map(|call| (call.callee, call.title)).collect()
    }

    #[test]
    fn finds_calls_and_nothing_else() {
        for (text, expected) in [
            ("it('adds', () => { expect(1 + 1).toBe(2) })", vec![("it", Some("adds")), ("expect", None)]),
            ("describe.skip(\n  `the list`, () => {})", vec![("describe.skip", Some("the list"))]),
            ("it.each([[1, 2], [f(3), 4]])('adds %i', () => {})", vec![("it.each", Some("adds %i")), ("f", None)]),
            ("test.each`a | b\n${1} | ${2}`('adds', () => {})", vec![("test.each", Some("adds"))]),
            ("// it('a')\n/* expect(1) */ const s = \"it('b')\"", vec![]),
            ("function it(a) {}\nconst x = a.b().it(1)", vec![("a.b", None)]),
            ("<p>it(1) {expect(2)}</p>", vec![("expect", None)]),
            ("assert.equal(a, b); t.assert.ok (a)", vec![("assert.equal", None), ("t.assert.ok", None)]),
            ("expect(", vec![("expect", None)]),
            ("é('ü')", vec![("é", Some("ü"))]),
            ("it.each([", vec![("it.each", None)]),
        ] {
            assert_eq!(calls_in(text), expected, "{text}");
        }
    }

    #[test]
    fn the_rest_follows_the_title() {
        let call = &calls("test('a', { skip: true }, () => 1)", "ts")[0];
        assert_eq!(call.rest, ", { skip: true }, () => 1)");
    }
}
