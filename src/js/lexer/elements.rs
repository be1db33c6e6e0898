//! Decides whether a `<` opens a tag, and reads tags and their children.

use super::cursor::Cursor;
use super::{Kind, Last, Lexer, PieceKind};
use std::collections::BTreeMap;

impl<'s> Lexer<'s> {
    /// Reads a `<` in code: a tag, type parameters, type arguments, or an operator.
    pub(super) fn less_than(&mut self) {
        if !matches!(self.last, Last::Operand | Last::Keyword | Last::Dot) {
            if !self.elements {
                // `<T>a` nests, also after its `>`.
                self.count.depth.operators += 1;
            } else if self.opens_tag() {
                return self.open_tag();
            }
        }
        let is_shift = self.cursor.peek(1) == b'<';
        self.cursor.skip(if is_shift { 2 } else { 1 });
        if self.cursor.peek(0) == b'=' {
            self.cursor.skip(1);
            return if is_shift { self.nest(Last::Operator) } else { self.link(Last::Operator) };
        }
        if is_shift {
            self.skip_trivia();
            if self.cursor.peek(0).is_ascii_digit() {
                return self.link(Last::Operator);
            }
            self.angle();
        }
        self.angle();
    }

    fn angle(&mut self) {
        self.count.angle();
        self.last = Last::Operator;
    }

    /// Whether the `<` here opens a tag, if an operand can follow.
    fn opens_tag(&mut self) -> bool {
        let mut after = self.cursor;
        after.skip(1);
        after.skip_trivia();
        let name = after.take_tag_name();
        after.skip_trivia();
        let is_bare = after.peek(0) == b'>';
        if name.is_empty() && !is_bare || opens_type_parameters(name, after) {
            return false;
        }
        let mut inside = after;
        inside.skip(1);
        inside.skip_trivia();
        // A comparison, or the type parameters of a signature, `<T>(a: T) => T`?
        let is_unclear = matches!(self.last, Last::Brace | Last::Angle | Last::Unclear);
        if !(is_unclear || is_bare && inside.peek(0) == b'(') {
            return true;
        }
        let end = self.closing_tag(name, after.at());
        if let (Some(end), None) = (end, &self.output) {
            self.count.unclear(self.source.get(after.at()..end).unwrap_or_default());
        }
        end.is_some()
    }

    /// The offset of the first closing tag with this name after an offset.
    fn closing_tag(&self, name: &str, after: usize) -> Option<usize> {
        let tags = self.closing_tags.get_or_init(|| closing_tags(self.source));
        let first = |name: &str| {
            let offsets = tags.get(name)?;
            offsets.get(offsets.partition_point(|at| *at < after)).copied()
        };
        first(name).into_iter().chain(first(UNCLEAR)).min()
    }

    /// Opens the tag whose `<` is here.
    fn open_tag(&mut self) {
        self.cursor.skip(1);
        self.cursor.skip_trivia();
        let start = self.cursor.at();
        let name = self.cursor.take_tag_name();
        self.count.token();
        self.count.enter_element(!name.is_empty());
        self.open(Kind::Tag, 0, Last::Operand);
        self.top.start = start;
        self.top.in_svg |= name == "svg";
        self.push(PieceKind::Element, start, self.cursor.at());
    }

    /// Backs out of a tag: it was a comparison, or no tag closes it.
    fn abandon_tag(&mut self) {
        let start = self.top.start;
        self.close();
        let pieces = self.output.as_mut().map(|output| &mut output.pieces);
        if let Some(pieces) = pieces
            && let Some(at) = pieces.iter().rposition(|piece| piece.at == start && piece.kind == PieceKind::Element)
        {
            pieces.remove(at);
        }
    }

    fn open_braces(&mut self) {
        self.cursor.skip(1);
        self.count.token();
        self.open(Kind::Code, b'}', Last::Operand);
    }

    pub(super) fn tag(&mut self) {
        self.skip_trivia();
        match self.cursor.peek(0) {
            b'>' => {
                self.cursor.skip(1);
                let name = Cursor::new(self.source, self.top.start).take_tag_name();
                if self.output.is_some() && self.closing_tag(name, self.cursor.at()).is_none() {
                    self.abandon_tag();
                    self.last = Last::Operator;
                } else {
                    self.top.kind = Kind::Children;
                }
            }
            b'/' => {
                self.cursor.skip(1);
                self.skip_trivia();
                if self.cursor.peek(0) == b'>' {
                    self.cursor.skip(1);
                    self.close();
                }
            }
            b'"' | b'\'' => {
                let (start, end) = self.cursor.skip_attribute_string();
                self.push(PieceKind::String, start, end);
            }
            b'{' => self.open_braces(),
            b'=' => {
                self.cursor.skip(1);
                self.skip_trivia();
                if self.cursor.peek(0) == b'<' {
                    self.open_tag();
                }
            }
            b'<' => {
                self.cursor.skip(1);
                self.angle();
            }
            _ if !self.cursor.take_tag_name().is_empty() => self.count.token(),
            _ if self.cursor.at_end() => {}
            // A tag cannot contain this character. In an element the parser stops here; elsewhere this was not a tag.
            _ if self.output.is_some()
                || self.outer.last().is_some_and(|(outer, _)| matches!(outer.kind, Kind::Tag | Kind::Children)) =>
            {
                self.cursor.skip_character();
            }
            _ => {
                self.abandon_tag();
                self.angle();
                self.last = Last::Operand;
            }
        }
    }

    pub(super) fn children(&mut self) {
        let start = self.cursor.at();
        self.cursor.skip_text();
        let end = self.cursor.at();
        let is_text = |text: &str| !text.trim().is_empty();
        if self.output.is_some() && self.source.get(start..end).is_some_and(is_text) {
            self.push(PieceKind::Text, start, end);
        }
        match self.cursor.peek(0) {
            b'{' => self.open_braces(),
            b'<' if self.cursor.starts_with("<!--") => self.cursor.skip_line(),
            b'<' => {
                let mut closing = self.cursor;
                closing.skip(1);
                closing.skip_trivia();
                if closing.peek(0) == b'/' {
                    self.cursor = closing;
                    self.close_element();
                } else if self.output.is_none() || !matches!(self.cursor.peek(1), b' ' | b'=' | b'0'..=b'9') {
                    self.open_tag();
                } else {
                    self.cursor.skip(1);
                }
            }
            _ => {}
        }
    }

    fn close_element(&mut self) {
        while !self.cursor.at_end() {
            self.cursor.skip_trivia();
            if self.cursor.take_tag_name().is_empty() {
                let is_end = self.cursor.peek(0) == b'>';
                self.cursor.skip_character();
                if is_end {
                    break;
                }
            }
        }
        self.close();
    }
}

/// The name of a closing tag that may have any name: a comment precedes it.
const UNCLEAR: &str = "/";

fn closing_tags(source: &str) -> BTreeMap<&str, Vec<usize>> {
    let mut tags: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, _) in source.match_indices("</") {
        let rest = source.get(at + 2..).unwrap_or_default().trim_start();
        let name = Cursor::new(rest, 0).take_tag_name();
        let name = if name.is_empty() && !rest.starts_with('>') { UNCLEAR } else { name };
        tags.entry(name).or_default().push(at);
    }
    tags
}

/// `<T,`, `<T = …`, `<T extends U`, `<const T` cannot open a tag.
fn opens_type_parameters(name: &str, mut after: Cursor<'_>) -> bool {
    match after.peek(0) {
        b',' | b'=' => return true,
        _ if name.is_empty() => return false,
        _ => {}
    }
    let second = after.take_name();
    after.skip_trivia();
    match second {
        "" => false,
        "extends" => !matches!(after.peek(0), b'=' | b'>' | b'/'),
        _ => matches!(name, "const" | "in" | "out"),
    }
}
