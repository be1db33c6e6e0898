//! A place in the source, and what can be skipped from there as a whole.

/// Reads bytes; past the end it reads NUL.
#[derive(Debug, Clone, Copy)]
pub struct Cursor<'s> {
    source: &'s str,
    at: usize,
}

impl<'s> Cursor<'s> {
    pub fn new(source: &'s str) -> Self {
        Self { source, at: 0 }
    }

    pub fn at_end(&self) -> bool {
        self.at >= self.source.len()
    }

    /// The byte `ahead` of this place.
    pub fn peek(&self, ahead: usize) -> u8 {
        self.source.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    pub fn skip(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.source.len());
    }

    /// What has not been read.
    pub fn rest(&self) -> &'s str {
        self.source.get(self.at..).unwrap_or_default()
    }

    pub fn starts_with(&self, text: &str) -> bool {
        self.rest().as_bytes().starts_with(text.as_bytes())
    }

    /// Skips white space and comments, also those of HTML at the start of a line; whether a line ended in them.
    pub fn skip_trivia(&mut self) -> bool {
        let mut line_ended = false;
        loop {
            match self.peek(0) {
                b'\n' | b'\r' => {
                    line_ended = true;
                    self.at += 1;
                }
                b' ' | b'\t' | 0x0B | 0x0C => self.at += 1,
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

    /// Skips to the end of the line, and not past it.
    pub fn skip_line(&mut self) {
        let end = self.rest().find(ends_line).unwrap_or(self.rest().len());
        self.skip(end);
    }

    fn skip_block_comment(&mut self) -> bool {
        let comment = self.rest().get(2..).unwrap_or_default();
        let length = comment.find("*/").map_or(comment.len(), |end| end + 2);
        self.skip(2 + length);
        comment.get(..length).unwrap_or_default().contains(ends_line)
    }

    /// Skips a string with escapes, which a line's end ends too.
    pub fn skip_string(&mut self) {
        let quote = self.peek(0);
        self.at += 1;
        while !self.at_end() {
            match self.peek(0) {
                b'\\' if self.peek(1) == b'\r' && self.peek(2) == b'\n' => self.skip(3),
                b'\\' => self.skip(2),
                b'\n' | b'\r' => return,
                byte => {
                    self.at += 1;
                    if byte == quote {
                        return;
                    }
                }
            }
        }
    }

    /// Skips an attribute's string: no escapes, any number of lines.
    pub fn skip_attribute_string(&mut self) {
        let quote = char::from(self.peek(0));
        self.at += 1;
        let end = self.rest().find(quote).map_or(self.rest().len(), |end| end + 1);
        self.skip(end);
    }

    /// Skips a regular expression; where the line ends before it does, only its slash.
    pub fn skip_regular_expression(&mut self) {
        let mut ahead = 1;
        let mut in_class = false;
        loop {
            match self.peek(ahead) {
                0 | b'\n' | b'\r' => return self.skip(1),
                b'\\' if !matches!(self.peek(ahead + 1), b'\n' | b'\r') => ahead += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => return self.skip(ahead + 1),
                _ => {}
            }
            ahead += 1;
        }
    }

    /// Skips a name and gives it; empty where none begins here.
    pub fn take_name(&mut self) -> &'s str {
        self.take_while(|letter| letter == '$' || letter == '_' || letter == '#' || letter == '\\')
    }

    /// Skips the name of a tag, which may have parts: `Nav.Item`, `my-tag`, `a:b`.
    pub fn take_tag_name(&mut self) -> &'s str {
        self.take_while(|letter| matches!(letter, '$' | '_' | '-' | '.' | ':'))
    }

    /// Skips a number and gives it.
    pub fn skip_number(&mut self) {
        self.take_while(|letter| letter == '.' || letter == '_');
    }

    /// Letters, digits, and what else belongs to the name.
    fn take_while(&mut self, belongs: fn(char) -> bool) -> &'s str {
        let rest = self.rest();
        let end = rest
            .find(|letter: char| {
                !(letter.is_ascii_alphanumeric()
                    || belongs(letter)
                    || !letter.is_ascii() && !is_space(letter) && !ends_line(letter))
            })
            .unwrap_or(rest.len());
        self.skip(end);
        rest.get(..end).unwrap_or_default()
    }

    fn letter(&self) -> Option<char> {
        self.rest().chars().next()
    }
}

/// What ends a line of JavaScript: two more characters than end a line in an editor.
fn ends_line(letter: char) -> bool {
    matches!(letter, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

fn is_space(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{FEFF}' | '\u{200B}')
}
