//! A position in a source. Skips whole tokens.

/// Reads bytes. Past the end it returns NUL.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'s> {
    source: &'s str,
    at: usize,
}

impl<'s> Cursor<'s> {
    pub(super) fn new(source: &'s str, at: usize) -> Self {
        Self { source, at }
    }

    pub(super) fn at_end(&self) -> bool {
        self.at >= self.source.len()
    }

    /// The byte at this offset from the position.
    pub(super) fn peek(&self, ahead: usize) -> u8 {
        self.source.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    pub(super) fn skip(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.source.len());
    }

    /// The byte offset.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn rest(&self) -> &'s str {
        self.source.get(self.at..).unwrap_or_default()
    }

    fn rest_of_bytes(&self) -> &'s [u8] {
        self.source.as_bytes().get(self.at..).unwrap_or_default()
    }

    pub(super) fn starts_with(&self, text: &str) -> bool {
        self.rest_of_bytes().starts_with(text.as_bytes())
    }

    pub(super) fn skip_character(&mut self) {
        self.at += self.letter().map_or(1, char::len_utf8);
    }

    /// Skips an operator and returns it: a single byte if it is not a known operator.
    pub(super) fn take_operator(&mut self) -> &'s [u8] {
        let rest = self.rest_of_bytes();
        let length = match rest {
            [b'?', b'.', b'0'..=b'9', ..] => 1,
            [b'.', b'.', b'.', ..] => 3,
            [b'=' | b'!', b'=', b'=', ..] | [b'?', b'?', b'=', ..] | [b'>', b'>', b'=', ..] => 3,
            [b'*', b'*', b'=', ..] | [b'&', b'&', b'=', ..] | [b'|', b'|', b'=', ..] => 3,
            [b'?', b'.' | b'?', ..] | [b'=', b'>', ..] | [b'+', b'+', ..] | [b'-', b'-', ..] => 2,
            [b'*', b'*', ..] | [b'&', b'&', ..] | [b'|', b'|', ..] => 2,
            [b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b'=' | b'!' | b'>', b'=', ..] => 2,
            _ => 1,
        };
        self.skip(length);
        rest.get(..length).unwrap_or(rest)
    }

    /// Skips template text up to a character that may end it.
    pub(super) fn skip_template_text(&mut self) {
        let end = memchr::memchr3(b'`', b'$', b'\\', self.rest_of_bytes());
        self.at = end.map_or(self.source.len(), |end| self.at + end);
    }

    /// Skips white space and comments, including HTML comments at the start of a line. Returns whether they contain a
    /// line break.
    pub(super) fn skip_trivia(&mut self) -> bool {
        let mut line_ended = false;
        loop {
            match self.peek(0) {
                b' ' | b'\t' | 0x0B | 0x0C => self.at += 1,
                b'\n' | b'\r' => {
                    line_ended = true;
                    self.at += 1;
                }
                b'/' if self.peek(1) == b'/' => self.skip_line(),
                b'/' if self.peek(1) == b'*' => line_ended |= self.skip_block_comment(),
                b'<' if line_ended && self.starts_with("<!--") => self.skip_line(),
                0x80.. => match self.letter() {
                    Some(letter) if is_space(letter) => {
                        line_ended |= ends_line(letter);
                        self.at += letter.len_utf8();
                    }
                    _ => return line_ended,
                },
                _ => return line_ended,
            }
        }
    }

    /// Skips to the line's end, excluding the line break.
    pub(super) fn skip_line(&mut self) {
        while !self.at_end() && !self.at_line_end() {
            self.at += 1;
        }
    }

    pub(super) fn skip_block_comment(&mut self) -> bool {
        let mut line_ended = false;
        self.at += 2;
        while !self.at_end() {
            match self.peek(0) {
                b'*' if self.peek(1) == b'/' => {
                    self.at += 2;
                    break;
                }
                _ => line_ended |= self.at_line_end(),
            }
            self.at += 1;
        }
        line_ended
    }

    /// Whether the position is at a line terminator. JavaScript includes U+2028 and U+2029.
    fn at_line_end(&self) -> bool {
        match self.peek(0) {
            b'\n' | b'\r' => true,
            0xE2 => self.peek(1) == 0x80 && matches!(self.peek(2), 0xA8 | 0xA9),
            _ => false,
        }
    }

    /// Skips a string with escapes, and returns the range between its quotes. An unclosed string ends at the line's end.
    pub(super) fn skip_string(&mut self) -> (usize, usize) {
        let quote = self.peek(0);
        self.at += 1;
        let start = self.at;
        while !self.at_end() {
            match self.peek(0) {
                b'\\' if self.peek(1) == b'\r' && self.peek(2) == b'\n' => self.skip(3),
                b'\\' => self.skip(2),
                b'\n' | b'\r' => break,
                byte => {
                    self.at += 1;
                    if byte == quote {
                        return (start, self.at - 1);
                    }
                }
            }
        }
        (start, self.at)
    }

    /// Skips a string in an attribute, and returns the range between its quotes. It has no escapes and may have line
    /// breaks.
    pub(super) fn skip_attribute_string(&mut self) -> (usize, usize) {
        let quote = self.peek(0);
        let start = self.at + 1;
        self.at = start;
        let end = memchr::memchr(quote, self.rest_of_bytes()).map_or(self.source.len(), |end| start + end);
        self.at = end;
        self.skip(1);
        (start, end)
    }

    /// Skips the text between tags.
    pub(super) fn skip_text(&mut self) {
        let end = memchr::memchr2(b'<', b'{', self.rest_of_bytes());
        self.at = end.map_or(self.source.len(), |end| self.at + end);
    }

    /// Skips a regular expression. If the line ends first, skips only the slash and returns the line's end.
    pub(super) fn skip_regular_expression(&mut self) -> Option<usize> {
        let mut ahead = 1;
        let mut in_class = false;
        loop {
            match self.peek(ahead) {
                0 | b'\n' | b'\r' => {
                    let line_end = self.at + ahead;
                    self.skip(1);
                    return Some(line_end);
                }
                b'\\' if !matches!(self.peek(ahead + 1), b'\n' | b'\r') => ahead += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => {
                    self.skip(ahead + 1);
                    return None;
                }
                _ => {}
            }
            ahead += 1;
        }
    }

    /// Skips an identifier and returns it; empty if there is none.
    pub(super) fn take_name(&mut self) -> &'s str {
        let start = self.at;
        self.skip_while(|byte| matches!(byte, b'$' | b'_' | b'#' | b'\\'));
        self.source.get(start..self.at).unwrap_or_default()
    }

    /// Skips a tag name (`Nav.Item`, `my-tag`, `a:b`) and returns it; empty if there is none.
    pub(super) fn take_tag_name(&mut self) -> &'s str {
        let start = self.at;
        self.skip_while(|byte| matches!(byte, b'$' | b'_' | b'-' | b'.' | b':'));
        self.source.get(start..self.at).unwrap_or_default()
    }

    pub(super) fn skip_number(&mut self) {
        self.skip_while(|byte| matches!(byte, b'.' | b'_'));
    }

    /// Skips letters, digits, and bytes that `belongs` accepts.
    #[inline]
    fn skip_while(&mut self, belongs: impl Fn(u8) -> bool) {
        loop {
            match self.peek(0) {
                byte if byte.is_ascii_alphanumeric() || belongs(byte) => self.at += 1,
                0x80.. => match self.letter() {
                    Some(letter) if !is_space(letter) => self.at += letter.len_utf8(),
                    _ => break,
                },
                _ => break,
            }
        }
    }

    fn letter(&self) -> Option<char> {
        self.rest().chars().next()
    }
}

fn ends_line(letter: char) -> bool {
    matches!(letter, '\u{2028}' | '\u{2029}')
}

fn is_space(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{FEFF}' | '\u{200B}')
}
