//! Splits TypeScript, JavaScript and JSX into tokens, in linear time and without recursion. Broken sources are read too.
//!
//! [`Source`] has the pieces that gates check, and [`limits`](super::limits) bounds how deep the parser can recurse.

mod code;
mod cursor;
mod elements;
#[cfg(test)]
mod tests;

use super::limits::{Counter, Depth};
use crate::syntax::Blanked;
use cursor::Cursor;
use std::cell::OnceCell;
use std::collections::BTreeMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PieceKind {
    /// A quoted string in code or in an attribute. The text excludes the quotes.
    String,
    /// A literal section of a template.
    Template,
    /// An opening tag. The text is the element's name; empty for a fragment.
    Element,
    /// Text among an element's children.
    Text,
    /// `{…}` among an element's children. The text excludes the braces.
    Expression,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece<'a> {
    pub kind: PieceKind,
    pub text: &'a str,
    /// The byte offset of `text`.
    pub at: usize,
    /// Inside an `<svg>`.
    pub in_svg: bool,
}

/// The pieces of a source. Regular expressions and types are skipped.
pub(crate) struct Source<'a> {
    /// In source order, but an expression comes after the pieces inside it.
    pub pieces: Vec<Piece<'a>>,
    /// Comments with their delimiters, each with its byte offset.
    pub comments: Vec<(usize, &'a str)>,
    code: String,
}

impl<'a> Source<'a> {
    /// Extensions without JSX (`ts`, `mts`) have no elements.
    pub(crate) fn new(text: &'a str, extension: &str) -> Self {
        let mut lexer = Lexer::new(text, !matches!(extension, "ts" | "mts" | "cts"));
        lexer.output = Some(Output::default());
        while lexer.step().is_some() {}
        if lexer.top.kind == Kind::Template {
            lexer.push(PieceKind::Template, lexer.top.start, text.len());
        }
        let Output { pieces, comments } = lexer.output.unwrap_or_default();
        let mut blanked = Blanked::new(text);
        comments.iter().for_each(|(at, comment)| blanked.blank(*at, at + comment.len()));
        Self { pieces, comments, code: blanked.text() }
    }

    /// The source with comments replaced by spaces. Offsets stay the same.
    pub(crate) fn code(&self) -> &str {
        &self.code
    }

    /// The text of a piece with comments replaced by spaces.
    pub(crate) fn code_of(&self, piece: &Piece<'_>) -> &str {
        self.code.get(piece.at..piece.at + piece.text.len()).unwrap_or_default()
    }
}

#[derive(Default)]
struct Output<'s> {
    pieces: Vec<Piece<'s>>,
    comments: Vec<(usize, &'s str)>,
}

/// The last token. It decides whether `/` divides, whether `<` compares, and whether a line break ends the statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    /// An operand follows.
    Operator,
    Operand,
    /// A keyword that is followed by a name or a type, on the same or another line.
    Keyword,
    /// `.`: a property name follows, which may be a keyword.
    Dot,
    /// `}` of a block, an object or a function.
    Brace,
    /// `>`; it may close type arguments.
    Angle,
    /// `await`, `yield` or `of`: a keyword or an identifier.
    Unclear,
}

/// What a frame contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Code,
    /// The text of a template literal.
    Template,
    /// From `<` to the `>` of an opening tag.
    Tag,
    /// From an opening tag to its closing tag.
    Children,
}

/// An open bracket, template, tag or element.
#[derive(Debug, Clone, Copy)]
struct Frame {
    kind: Kind,
    /// The closing bracket, or 0 if the frame has none.
    closer: u8,
    /// The last token once the frame has closed.
    after: Last,
    /// Where the content, the current section of the template, or the tag's name starts.
    start: usize,
    in_svg: bool,
}

pub(super) struct Lexer<'s> {
    source: &'s str,
    cursor: Cursor<'s>,
    top: Frame,
    outer: Vec<(Frame, Depth)>,
    last: Last,
    /// There is a line break before the current token.
    is_new_line: bool,
    /// The next `(` is a statement's head: an operand follows its `)`.
    is_head: bool,
    /// `<` may open an element.
    elements: bool,
    /// Before this offset, no slash starts a regular expression.
    no_regex_before: usize,
    /// By name: the offsets of the closing tags.
    closing_tags: OnceCell<BTreeMap<&'s str, Vec<usize>>>,
    pub(super) count: Counter,
    /// For [`Source`], which also recovers from unclosed elements and brackets.
    output: Option<Output<'s>>,
}

const MODULE: Frame = Frame { kind: Kind::Code, closer: 0, after: Last::Operand, start: 0, in_svg: false };

impl<'s> Lexer<'s> {
    pub(super) fn new(source: &'s str, elements: bool) -> Self {
        let mut cursor = Cursor::new(source, 0);
        if source.starts_with("#!") {
            cursor.skip_line();
        }
        Self {
            source,
            cursor,
            top: MODULE,
            outer: Vec::new(),
            last: Last::Operator,
            is_new_line: true,
            is_head: false,
            elements,
            no_regex_before: 0,
            closing_tags: OnceCell::new(),
            count: Counter::new(),
            output: None,
        }
    }

    /// Reads one token, and returns its byte offset; `None` at the end.
    #[inline(always)]
    pub(super) fn step(&mut self) -> Option<usize> {
        let at = self.cursor.at();
        if self.cursor.at_end() {
            return None;
        }
        match self.top.kind {
            Kind::Template => self.template(),
            Kind::Children => self.children(),
            Kind::Tag if self.count.depth.angles == 0 => self.tag(),
            Kind::Tag | Kind::Code => self.code(),
        }
        Some(at)
    }

    fn open(&mut self, kind: Kind, closer: u8, after: Last) {
        let is_key = self.top.closer == b'}' && closer == b']';
        let inner = Frame { kind, closer, after, start: self.cursor.at(), in_svg: self.top.in_svg };
        let depth = self.count.enter(closer, is_key);
        self.outer.push((std::mem::replace(&mut self.top, inner), depth));
        self.last = Last::Operator;
    }

    fn close(&mut self) {
        if matches!(self.top.kind, Kind::Tag | Kind::Children) {
            self.count.leave_element();
        }
        self.last = self.top.after;
        if let Some((frame, depth)) = self.outer.pop() {
            (self.top, self.count.depth) = (frame, depth);
        }
    }

    fn push(&mut self, kind: PieceKind, from: usize, to: usize) {
        if let (Some(output), Some(text)) = (&mut self.output, self.source.get(from..to)) {
            output.pieces.push(Piece { kind, text, at: from, in_svg: self.top.in_svg });
        }
    }

    /// Skips white space and comments. Returns whether they contain a line break.
    fn skip_trivia(&mut self) -> bool {
        let mut comments = self.cursor;
        let line_ended = self.cursor.skip_trivia();
        if let Some(output) = &mut self.output {
            while comments.at() < self.cursor.at() {
                let start = comments.at();
                match (comments.peek(0), comments.peek(1)) {
                    (b'/', b'/') | (b'<', _) => comments.skip_line(),
                    (b'/', _) => drop(comments.skip_block_comment()),
                    _ => {
                        comments.skip_character();
                        continue;
                    }
                }
                output.comments.extend(self.source.get(start..comments.at()).map(|comment| (start, comment)));
            }
        }
        line_ended
    }
}
