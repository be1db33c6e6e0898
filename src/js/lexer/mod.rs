//! Splits TypeScript, JavaScript and JSX into the pieces that gates check: strings, templates, elements, element text
//! and expressions. Comments, regular expressions and types are skipped.

use crate::syntax::Blanked;
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

/// A tokenised source.
pub(crate) struct Source<'a> {
    /// In source order, but an expression comes after the pieces inside it.
    pub pieces: Vec<Piece<'a>>,
    /// Comments with their delimiters, each with its byte offset.
    pub comments: Vec<(usize, &'a str)>,
    code: String,
}

impl<'a> Source<'a> {
    /// Tokenises a source. Extensions without JSX (`ts`, `mts`) have no elements.
    pub(crate) fn new(text: &'a str, extension: &str) -> Self {
        let jsx = !matches!(extension, "ts" | "mts" | "cts");
        let mut lexer = Lexer {
            text,
            bytes: text.as_bytes(),
            at: 0,
            stack: vec![Frame::Code(Code::new(Until::End, 0))],
            elements: Vec::new(),
            svgs: 0,
            closed: if jsx { closing_tags(text) } else { BTreeMap::new() },
            jsx,
            no_regex_before: 0,
            pieces: Vec::new(),
            comments: Vec::new(),
            blanked: Blanked::new(text),
        };
        lexer.run();
        Self { pieces: lexer.pieces, comments: lexer.comments, code: lexer.blanked.text() }
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

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    stack: Vec<Frame>,
    elements: Vec<&'a str>,
    /// The number of open `<svg>` elements.
    svgs: usize,
    /// By name: the offset of the last closing tag.
    closed: BTreeMap<&'a str, usize>,
    jsx: bool,
    /// Before this offset, every slash is a division.
    no_regex_before: usize,
    pieces: Vec<Piece<'a>>,
    comments: Vec<(usize, &'a str)>,
    blanked: Blanked,
}

enum Frame {
    Code(Code),
    /// A template literal; the offset of its current section.
    Template(usize),
    /// Inside `<name …`.
    Tag,
    /// Between `<name …>` and `</name>`.
    Children,
}

struct Code {
    until: Until,
    from: usize,
    /// The last token ends an operand, so `/` divides and `<` compares.
    operand: bool,
}

impl Code {
    fn new(until: Until, from: usize) -> Self {
        Self { until, from, operand: false }
    }
}

/// What the closing brace of a code section ends.
#[derive(Clone, Copy, PartialEq)]
enum Until {
    End,
    Block,
    Hole,
    Attribute,
    Child,
}

impl<'a> Lexer<'a> {
    fn run(&mut self) {
        while let (Some(byte), Some(frame)) = (self.bytes.get(self.at).copied(), self.stack.last()) {
            match frame {
                Frame::Code(code) => {
                    let operand = code.operand;
                    self.code(byte, operand);
                }
                Frame::Template(from) => {
                    let from = *from;
                    self.template(byte, from);
                }
                Frame::Tag => self.tag(byte),
                Frame::Children => self.children(byte),
            }
        }
        if let Some(Frame::Template(from)) = self.stack.last() {
            self.push(PieceKind::Template, *from, self.bytes.len());
        }
    }

    fn code(&mut self, byte: u8, operand: bool) {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
            b'/' if matches!(self.peek(1), Some(b'/' | b'*')) => self.comment(),
            b'/' => self.slash(operand),
            b'"' | b'\'' => {
                let end = self.string_end(byte);
                self.push(PieceKind::String, self.at + 1, end);
                self.at = end + 1;
                self.operand(true);
            }
            b'`' => {
                self.at += 1;
                self.stack.push(Frame::Template(self.at));
            }
            b'{' => self.enter_code(Until::Block),
            b'}' => self.leave_code(),
            b'<' if self.jsx && !operand && self.opens_element() => self.open_element(),
            b')' | b']' => {
                self.at += 1;
                self.operand(true);
            }
            b'+' | b'-' if self.peek(1) == Some(byte) => self.at += 2,
            b'!' if operand && self.peek(1) != Some(b'=') => self.at += 1,
            _ if is_name(byte) => {
                let from = self.at;
                while self.bytes.get(self.at).is_some_and(|byte| is_name(*byte)) {
                    self.at += 1;
                }
                let word = self.text.get(from..self.at).unwrap_or_default();
                self.operand(!BEFORE_OPERAND.contains(&word));
            }
            _ => {
                self.at += 1;
                self.operand(false);
            }
        }
    }

    fn template(&mut self, byte: u8, from: usize) {
        match byte {
            b'\\' => self.at += 2,
            b'`' => {
                self.push(PieceKind::Template, from, self.at);
                self.at += 1;
                self.stack.pop();
                self.operand(true);
            }
            b'$' if self.peek(1) == Some(b'{') => {
                self.push(PieceKind::Template, from, self.at);
                self.at += 1;
                self.enter_code(Until::Hole);
            }
            _ => self.at += 1,
        }
    }

    fn tag(&mut self, byte: u8) {
        match byte {
            b'/' if self.peek(1) == Some(b'>') => {
                self.at += 2;
                self.close_element();
            }
            b'/' if matches!(self.peek(1), Some(b'/' | b'*')) => self.comment(),
            b'>' => {
                self.at += 1;
                let name = self.elements.last().copied().unwrap_or_default();
                if self.closed.get(name).is_some_and(|last| *last >= self.at) {
                    self.stack.pop();
                    self.stack.push(Frame::Children);
                } else {
                    self.abandon_element();
                }
            }
            b'"' | b'\'' => {
                let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
                let end = rest.iter().position(|b| *b == byte).map_or(self.bytes.len(), |n| self.at + 1 + n);
                self.push(PieceKind::String, self.at + 1, end);
                self.at = end + 1;
            }
            b'{' => self.enter_code(Until::Attribute),
            b'<' => match self.type_arguments_end() {
                Some(end) => self.at = end,
                None => self.abandon_element(),
            },
            _ => self.at += 1,
        }
    }

    fn children(&mut self, byte: u8) {
        match byte {
            b'{' => self.enter_code(Until::Child),
            b'<' if self.peek(1) == Some(b'/') => {
                let rest = self.bytes.get(self.at..).unwrap_or_default();
                self.at += rest.iter().position(|byte| *byte == b'>').map_or(rest.len(), |at| at + 1);
                self.close_element();
            }
            b'<' if self.opens_element() => self.open_element(),
            _ => {
                let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
                let end = rest.iter().position(|byte| matches!(byte, b'<' | b'{'));
                let end = end.map_or(self.bytes.len(), |n| self.at + 1 + n);
                if self.text.get(self.at..end).is_some_and(|text| !text.trim().is_empty()) {
                    self.push(PieceKind::Text, self.at, end);
                }
                self.at = end;
            }
        }
    }

    fn comment(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = if rest.starts_with("//") {
            rest.find('\n')
        } else {
            rest.get(2..).and_then(|rest| rest.find("*/")).map(|length| length + 4)
        };
        let end = length.map_or(self.bytes.len(), |length| self.at + length);
        self.blanked.blank(self.at, end);
        self.comments.extend(self.text.get(self.at..end).map(|text| (self.at, text)));
        self.at = end;
    }

    /// A division, or a regular expression that ends on the same line.
    fn slash(&mut self, operand: bool) {
        let (mut end, mut in_class) = (self.at + 1, false);
        if operand || self.at < self.no_regex_before {
            self.at = end;
            return self.operand(false);
        }
        loop {
            match self.bytes.get(end) {
                None | Some(b'\n') => {
                    self.no_regex_before = end;
                    self.at += 1;
                    return self.operand(false);
                }
                Some(b'\\') => end += 1,
                Some(b'[') => in_class = true,
                Some(b']') => in_class = false,
                Some(b'/') if !in_class => break,
                Some(_) => {}
            }
            end += 1;
        }
        self.at = end + 1;
        self.operand(true);
    }

    fn enter_code(&mut self, until: Until) {
        self.at += 1;
        self.stack.push(Frame::Code(Code::new(until, self.at)));
    }

    fn leave_code(&mut self) {
        let Some(Frame::Code(Code { until, from, .. })) = self.stack.last() else { return };
        let (until, from, end) = (*until, *from, self.at);
        self.at += 1;
        if until == Until::End {
            return;
        }
        self.stack.pop();
        match until {
            Until::Child => self.push(PieceKind::Expression, from, end),
            Until::Hole => {
                self.stack.pop();
                self.stack.push(Frame::Template(self.at));
            }
            Until::Block => self.operand(true),
            Until::Attribute | Until::End => {}
        }
    }

    /// Whether `<` opens an element, and not type parameters as in `<T,>(x: T) => x` or `<T extends U>(…)`.
    fn opens_element(&self) -> bool {
        let rest = self.text.get(self.at + 1..).unwrap_or_default();
        let name = tag_name(rest);
        let after = rest.get(name.len()..).unwrap_or_default();
        if name.is_empty() {
            return after.starts_with('>');
        }
        let next = after.trim_start();
        !name.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.')
            && !next.starts_with([',', '='])
            && !next.strip_prefix("extends").is_some_and(|rest| rest.starts_with(char::is_whitespace))
    }

    fn open_element(&mut self) {
        let name = tag_name(self.text.get(self.at + 1..).unwrap_or_default());
        self.elements.push(name);
        self.svgs += usize::from(name == "svg");
        self.push(PieceKind::Element, self.at + 1, self.at + 1 + name.len());
        self.at += 1 + name.len();
        self.stack.push(Frame::Tag);
    }

    fn close_element(&mut self) {
        self.leave_element();
        self.operand(true);
    }

    fn leave_element(&mut self) -> &'a str {
        self.stack.pop();
        let name = self.elements.pop().unwrap_or_default();
        self.svgs -= usize::from(name == "svg");
        name
    }

    /// Backs out of an element: it was a comparison, or no tag closes it.
    fn abandon_element(&mut self) {
        let name = self.leave_element();
        if let Some(at) = self.pieces.iter().rposition(|p| p.kind == PieceKind::Element && p.text == name) {
            self.pieces.remove(at);
        }
        self.operand(false);
    }

    /// The end of the type arguments in `<Select<Option> …`. Only short lists are accepted.
    fn type_arguments_end(&self) -> Option<usize> {
        let mut depth = 0_usize;
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        for (at, byte) in rest.iter().take(256).enumerate() {
            match byte {
                b'<' => depth += 1,
                b'>' if depth == 1 => return Some(self.at + at + 1),
                b'>' => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// The offset of the closing quote, or of the line's end if the string is not closed.
    fn string_end(&self, quote: u8) -> usize {
        let mut end = self.at + 1;
        while let Some(byte) = self.bytes.get(end) {
            match byte {
                b'\\' => end += 1,
                b'\n' => return end,
                _ if *byte == quote => return end,
                _ => {}
            }
            end += 1;
        }
        self.bytes.len()
    }

    fn push(&mut self, kind: PieceKind, from: usize, to: usize) {
        let Some(text) = self.text.get(from..to) else { return };
        self.pieces.push(Piece { kind, text, at: from, in_svg: self.svgs > 0 });
    }

    fn operand(&mut self, ends: bool) {
        if let Some(Frame::Code(code)) = self.stack.last_mut() {
            code.operand = ends;
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }
}

/// Words after which an operand begins.
const BEFORE_OPERAND: [&str; 16] = [
    "return",
    "default",
    "case",
    "else",
    "do",
    "typeof",
    "instanceof",
    "in",
    "of",
    "new",
    "delete",
    "void",
    "throw",
    "yield",
    "await",
    "extends",
];

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn tag_name(text: &str) -> &str {
    let end = text.bytes().position(|byte| !(is_name(byte) || matches!(byte, b'.' | b':' | b'-')));
    text.get(..end.unwrap_or(text.len())).unwrap_or_default()
}

fn closing_tags(text: &str) -> BTreeMap<&str, usize> {
    let tags = text.match_indices("</");
    tags.map(|(at, _)| (tag_name(text.get(at + 2..).unwrap_or_default().trim_start()), at)).collect()
}

#[cfg(test)]
mod tests;
