//! Decides whether a `<` opens a tag, and reads tags and their children.

use super::cursor::Cursor;
use super::{Checked, Excess, Kind, Last, MAX_ELEMENTS, MAX_UNCLEAR, Scanner};

impl Scanner<'_> {
    /// Reads a `<`: a tag, type parameters, type arguments, or an operator.
    pub(super) fn less_than(&mut self) -> Checked {
        if !matches!(self.last, Last::Operand | Last::Keyword | Last::Dot) {
            if !self.elements {
                // `<T>a` nests, also after its `>`.
                self.top.operators += 1;
            } else if let Some(name) = self.tag_name()? {
                self.cursor.skip(1);
                return self.open_tag(name);
            }
        }
        let is_shift = self.cursor.peek(1) == b'<';
        self.cursor.skip(if is_shift { 2 } else { 1 });
        if self.cursor.peek(0) == b'=' {
            self.cursor.skip(1);
            return if is_shift { self.nest() } else { self.link(Last::Operator) };
        }
        if is_shift {
            self.cursor.skip_trivia();
            if self.cursor.peek(0).is_ascii_digit() {
                return self.link(Last::Operator);
            }
            self.angle()?;
        }
        self.angle()
    }

    /// If this `<` opens a tag, the number of bytes from after it to the end of the tag name.
    fn tag_name(&mut self) -> Result<Option<usize>, Excess> {
        let mut after = self.cursor;
        after.skip(1);
        let start = after.at();
        after.skip_trivia();
        let name = after.take_tag_name();
        let length = after.at() - start;
        after.skip_trivia();
        let is_bare = after.peek(0) == b'>';
        if name.is_empty() && !is_bare || opens_type_parameters(name, after) {
            return Ok(None);
        }
        let mut inside = after;
        inside.skip(1);
        inside.skip_trivia();
        // A comparison, or the type parameters of a signature, `<T>(a: T) => T`?
        let is_unclear = matches!(self.last, Last::Brace | Last::Angle | Last::Unclear);
        if (is_unclear || is_bare && inside.peek(0) == b'(') && !self.is_closed(name, after.rest())? {
            return Ok(None);
        }
        Ok(Some(length))
    }

    /// Whether an ambiguous tag has a closing tag. The text between them must be too short to nest too deep, however
    /// the parser reads it.
    fn is_closed(&mut self, name: &str, rest: &str) -> Result<bool, Excess> {
        let closes = |at: &usize| {
            let mut closing = Cursor::new(rest.get(at + 2..).unwrap_or_default());
            closing.skip_trivia();
            closing.starts_with(if name.is_empty() { ">" } else { name })
        };
        let end = rest.match_indices("</").map(|(at, _)| at).find(closes);
        let between = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        self.read(between.len() as u32 / 32)?;
        let signs = between.bytes().filter(|byte| !byte.is_ascii_alphanumeric()).count();
        if end.is_some() && signs > MAX_UNCLEAR { Err(Excess::Reads) } else { Ok(end.is_some()) }
    }

    fn open_tag(&mut self, name: usize) -> Checked {
        self.cursor.skip(name);
        self.token()?;
        self.element_count += u32::from(name > 0);
        if self.element_count > MAX_ELEMENTS {
            return Err(Excess::Elements);
        }
        self.open(Kind::Tag, 0, Last::Operand)
    }

    /// Reads a `<` among children, where only a tag can follow.
    fn open_inner_tag(&mut self) -> Checked {
        self.cursor.skip(1);
        self.cursor.skip_trivia();
        let mut after = self.cursor;
        after.take_tag_name();
        self.open_tag(after.at() - self.cursor.at())
    }

    fn open_braces(&mut self) -> Checked {
        self.cursor.skip(1);
        self.token()?;
        self.last = Last::Operator;
        self.open(Kind::Code, b'}', Last::Operand)
    }

    pub(super) fn tag(&mut self) -> Checked {
        self.cursor.skip_trivia();
        match self.cursor.peek(0) {
            b'>' => {
                self.cursor.skip(1);
                self.top.kind = Kind::Children;
            }
            b'/' => {
                self.cursor.skip(1);
                self.cursor.skip_trivia();
                if self.cursor.peek(0) == b'>' {
                    self.cursor.skip(1);
                    self.close();
                }
            }
            b'"' | b'\'' => self.cursor.skip_attribute_string(),
            b'{' => self.open_braces()?,
            b'=' => {
                self.cursor.skip(1);
                self.cursor.skip_trivia();
                if self.cursor.peek(0) == b'<' {
                    self.open_inner_tag()?;
                }
            }
            b'<' => {
                self.cursor.skip(1);
                self.angle()?;
            }
            _ if !self.cursor.take_tag_name().is_empty() => self.token()?,
            // A tag cannot contain this character. In an element the parser stops here; elsewhere this was not a tag.
            _ if self.outer.last().is_some_and(|outer| matches!(outer.kind, Kind::Tag | Kind::Children)) => {
                self.cursor.skip_character();
            }
            _ if self.cursor.at_end() => {}
            _ => {
                self.close();
                self.angle()?;
                self.last = Last::Operand;
            }
        }
        Ok(())
    }

    pub(super) fn children(&mut self) -> Checked {
        self.cursor.skip_text();
        match self.cursor.peek(0) {
            b'{' => self.open_braces()?,
            b'<' if self.cursor.starts_with("<!--") => self.cursor.skip_line(),
            b'<' => {
                let mut closing = self.cursor;
                closing.skip(1);
                closing.skip_trivia();
                if closing.peek(0) != b'/' {
                    return self.open_inner_tag();
                }
                self.cursor = closing;
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
            _ => {}
        }
        Ok(())
    }
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
