//! Tags and what stands between them; and whether a `<` opens one.

use super::Excess;
use super::code::{Last, Scanner};
use super::cursor::Cursor;
use super::nesting::Kind;

/// How much may stand in what could be an element as well as code.
const MAX_DOUBTFUL: usize = 256;

impl Scanner<'_> {
    /// `<`: a tag, the start of type parameters or arguments, or an operator.
    pub(super) fn angle(&mut self) -> Result<(), Excess> {
        if matches!(self.last, Last::Operand | Last::Word | Last::Dot) {
            return self.less_than();
        }
        if !self.elements {
            // `<T>a` nests, also behind its `>`.
            self.nesting.link()?;
            return self.less_than();
        }
        let mut tag = self.cursor;
        tag.skip(1);
        tag.skip_trivia();
        let name = tag.take_tag_name();
        let after_name = tag;
        tag.skip_trivia();
        if (name.is_empty() && tag.peek(0) != b'>') || opens_type_parameters(name, tag) {
            return self.less_than();
        }
        if self.doubtful(tag) && !self.closes(name, tag)? {
            return self.less_than();
        }
        self.cursor.skip(1);
        self.open_tag(after_name)
    }

    /// Inside an opening tag.
    pub(super) fn tag(&mut self) -> Result<(), Excess> {
        self.cursor.skip_trivia();
        match self.cursor.peek(0) {
            b'>' => {
                self.cursor.skip(1);
                self.nesting.enter_children();
            }
            b'/' => {
                self.cursor.skip(1);
                self.cursor.skip_trivia();
                if self.cursor.peek(0) == b'>' {
                    self.cursor.skip(1);
                    self.close_element();
                }
            }
            b'"' | b'\'' => self.cursor.skip_attribute_string(),
            b'{' => self.open_container()?,
            b'=' => {
                self.cursor.skip(1);
                self.cursor.skip_trivia();
                if self.cursor.peek(0) == b'<' {
                    self.cursor.skip(1);
                    self.open_named_tag()?;
                }
            }
            b'<' => {
                self.cursor.skip(1);
                self.last = Last::Operator;
                self.nesting.open_angle()?;
            }
            _ if self.cursor.skip_tag_name() => self.nesting.token()?,
            _ if self.cursor.at_end() => {}
            _ => self.no_tag()?,
        }
        Ok(())
    }

    /// Between an opening tag and its closing tag.
    pub(super) fn children(&mut self) -> Result<(), Excess> {
        self.cursor.skip_text();
        match self.cursor.peek(0) {
            b'{' => self.open_container()?,
            b'<' if self.cursor.peek(1) == b'!' && self.cursor.starts_with("<!--") => self.cursor.skip_line(),
            b'<' => {
                self.cursor.skip(1);
                self.cursor.skip_trivia();
                if self.cursor.peek(0) == b'/' {
                    self.closing_tag();
                } else {
                    self.open_named_tag()?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn open_named_tag(&mut self) -> Result<(), Excess> {
        self.cursor.skip_trivia();
        let mut after_name = self.cursor;
        after_name.skip_tag_name();
        self.open_tag(after_name)
    }

    fn open_tag(&mut self, after_name: Cursor<'_>) -> Result<(), Excess> {
        let name = self.cursor.bytes_to(after_name);
        self.cursor.skip(name);
        self.nesting.token()?;
        if name > 0 {
            self.nesting.element()?;
        }
        self.nesting.open(Kind::Tag)
    }

    fn open_container(&mut self) -> Result<(), Excess> {
        self.cursor.skip(1);
        self.last = Last::Operator;
        self.nesting.token()?;
        self.nesting.open(Kind::Container)
    }

    fn closing_tag(&mut self) {
        while !self.cursor.at_end() {
            self.cursor.skip_trivia();
            if self.cursor.skip_tag_name() {
                continue;
            }
            let ends = self.cursor.peek(0) == b'>';
            let letter = self.cursor.rest().chars().next().map_or(0, char::len_utf8);
            self.cursor.skip(letter);
            if ends {
                break;
            }
        }
        self.close_element();
    }

    fn close_element(&mut self) {
        self.nesting.close();
        self.last = Last::Operand;
    }

    /// A character that no tag can have. The parser either stops here or reads code.
    fn no_tag(&mut self) -> Result<(), Excess> {
        if matches!(self.nesting.outer_kind(), Kind::Tag | Kind::Children) {
            let letter = self.cursor.rest().chars().next().map_or(0, char::len_utf8);
            self.cursor.skip(letter);
            return Ok(());
        }
        self.nesting.close();
        self.last = Last::Operand;
        self.nesting.open_angle()
    }

    fn less_than(&mut self) -> Result<(), Excess> {
        let shift = self.cursor.peek(1) == b'<';
        self.cursor.skip(if shift { 2 } else { 1 });
        self.last = Last::Operator;
        if self.cursor.peek(0) == b'=' {
            self.cursor.skip(1);
            if shift {
                return self.nesting.link();
            }
            self.nesting.infix();
            return Ok(());
        }
        if shift {
            self.cursor.skip_trivia();
            if self.cursor.peek(0).is_ascii_digit() {
                self.nesting.infix();
                return Ok(());
            }
            self.nesting.open_angle()?;
        }
        self.nesting.open_angle()
    }

    /// Whether this may be no tag although it looks like one: after `}`, `>` or `await` it may compare, and a bare tag before `(`
    /// may be the type parameters of a signature.
    fn doubtful(&self, mut after_name: Cursor<'_>) -> bool {
        if matches!(self.last, Last::Brace | Last::Angle | Last::Await) {
            return true;
        }
        let bare = after_name.peek(0) == b'>';
        after_name.skip(1);
        after_name.skip_trivia();
        bare && after_name.peek(0) == b'('
    }

    /// Whether a doubtful tag has a closing tag. What stands before it must then be so little that it can do no harm
    /// whichever way the parser reads it.
    fn closes(&mut self, name: &str, after_name: Cursor<'_>) -> Result<bool, Excess> {
        let mut search = after_name;
        let mut found = false;
        while let Some(next) = search.rest().find("</") {
            search.skip(next + 2);
            let mut closing = search;
            closing.skip_trivia();
            if closing.starts_with(if name.is_empty() { ">" } else { name }) {
                found = true;
                break;
            }
        }
        let end = if found { search.rest() } else { "" };
        let between = after_name.rest().len() - end.len();
        self.nesting.read(between as u32 / 32)?;
        let text = after_name.rest().get(..between).unwrap_or_default();
        let signs = text.bytes().filter(|byte| !byte.is_ascii_alphanumeric()).count();
        if found && signs > MAX_DOUBTFUL { Err(Excess::Reads) } else { Ok(found) }
    }
}

/// `<T,`, `<T = …`, `<T extends U`, `<const T`: no tag begins like that.
fn opens_type_parameters(name: &str, mut after_name: Cursor<'_>) -> bool {
    match after_name.peek(0) {
        b',' | b'=' => return true,
        _ if name.is_empty() => return false,
        _ => {}
    }
    let second = after_name.take_name();
    after_name.skip_trivia();
    match second {
        "" => false,
        "extends" => !matches!(after_name.peek(0), b'=' | b'>' | b'/'),
        _ => matches!(name, "const" | "in" | "out"),
    }
}
