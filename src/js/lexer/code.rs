//! Tokens in code: words, operators, brackets, strings, templates and regular expressions.

use super::{Kind, Last, Lexer, PieceKind};

impl Lexer<'_> {
    pub(super) fn code(&mut self) {
        self.is_new_line |= self.skip_trivia();
        if self.cursor.at_end() {
            return;
        }
        self.count.token();
        let is_head = std::mem::take(&mut self.is_head);
        let byte = self.cursor.peek(0);
        let is_word = matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | b'#' | b'\\' | 0x80..);
        if self.count.depth.is_ended && !is_word {
            self.count.end_statement(false);
        }
        match byte {
            _ if is_word => self.word(is_head),
            b'(' | b'[' | b'{' => self.open_bracket(byte, is_head),
            b')' | b']' | b'}' => self.close_bracket(byte),
            b'"' | b'\'' => {
                self.begin_operand(false);
                let (start, end) = self.cursor.skip_string();
                self.push(PieceKind::String, start, end);
                self.last = Last::Operand;
            }
            b'`' => {
                if self.last == Last::Operand {
                    self.link(Last::Operand);
                }
                self.cursor.skip(1);
                self.open(Kind::Template, 0, Last::Operand);
            }
            b'<' if self.is_new_line && self.cursor.starts_with("<!--") => self.cursor.skip_line(),
            b'<' => self.less_than(),
            b'/' => self.slash(),
            b'0'..=b'9' => self.number(),
            b'.' if self.cursor.peek(1).is_ascii_digit() => self.number(),
            _ => self.operator(),
        }
        self.is_new_line = false;
    }

    /// Starts an operand. Directly after another operand it starts a new statement, if a line break or a block is
    /// between them.
    fn begin_operand(&mut self, goes_on: bool) {
        let is_after_operand = matches!(self.last, Last::Operand | Last::Angle) && self.is_new_line;
        if self.count.depth.is_ended || is_after_operand || self.last == Last::Brace {
            self.count.end_statement(goes_on);
        }
    }

    /// Reads a nesting operator.
    pub(super) fn nest(&mut self, last: Last) {
        self.count.nest();
        self.last = last;
    }

    /// Reads another operator.
    pub(super) fn link(&mut self, last: Last) {
        self.count.link();
        self.last = last;
    }

    fn number(&mut self) {
        self.begin_operand(false);
        self.cursor.skip_number();
        self.last = Last::Operand;
    }

    fn open_bracket(&mut self, bracket: u8, is_head: bool) {
        let is_call = matches!(self.last, Last::Operand | Last::Dot);
        let (closer, after) = match bracket {
            b'(' => (b')', if is_head { Last::Operator } else { Last::Operand }),
            b'[' => (b']', Last::Operand),
            _ => (b'}', Last::Brace),
        };
        if is_call && bracket != b'{' {
            self.count.depth.chain += 1;
        }
        self.cursor.skip(1);
        self.open(Kind::Code, closer, after);
        self.count.depth.is_parameters = bracket == b'(' && !is_call;
    }

    /// Reads a closing bracket. The parser stops at one that closes nothing.
    fn close_bracket(&mut self, bracket: u8) {
        let end = self.cursor.at();
        self.cursor.skip(1);
        // In a broken source, a brace also closes the brackets in it.
        while self.output.is_some() && bracket == b'}' && matches!(self.top.closer, b')' | b']') {
            self.close();
        }
        if self.top.closer == bracket {
            let start = self.top.start;
            self.close();
            match self.top.kind {
                Kind::Children => self.push(PieceKind::Expression, start, end),
                Kind::Template => self.top.start = end + 1,
                Kind::Code | Kind::Tag => {}
            }
        }
    }

    pub(super) fn template(&mut self) {
        self.cursor.skip_template_text();
        let end = self.cursor.at();
        match (self.cursor.peek(0), self.cursor.peek(1)) {
            (b'`', _) => {
                self.push(PieceKind::Template, self.top.start, end);
                self.cursor.skip(1);
                self.close();
            }
            (b'$', b'{') => {
                self.push(PieceKind::Template, self.top.start, end);
                self.cursor.skip(2);
                self.open(Kind::Code, b'}', Last::Operand);
            }
            (b'\\', _) => self.cursor.skip(2),
            _ => self.cursor.skip(1),
        }
    }

    /// Reads a division or a regular expression.
    fn slash(&mut self) {
        match self.last {
            Last::Operator if self.cursor.at() < self.no_regex_before => self.cursor.skip(1),
            Last::Operator => {
                let unclosed = self.cursor.skip_regular_expression();
                // The parser stops here, but a broken source may have many such slashes in a line.
                if let (Some(line_end), Some(_)) = (unclosed, &self.output) {
                    self.no_regex_before = line_end;
                }
                self.last = Last::Operand;
            }
            Last::Brace | Last::Angle | Last::Unclear if self.output.is_none() => {
                self.count.unclear_slash(self.cursor.rest().get(1..).unwrap_or_default());
                self.operator();
            }
            _ => self.operator(),
        }
    }

    fn word(&mut self, is_head: bool) {
        let word = self.cursor.take_name();
        if word.is_empty() {
            // A token cannot start with this byte: the parser stops here.
            self.cursor.skip_character();
            return;
        }
        if self.last == Last::Dot {
            self.last = Last::Operand;
            return;
        }
        // As bytes: smaller code than comparing strings.
        let word = word.as_bytes();
        match word {
            b"in" | b"instanceof" => return self.link(Last::Operator),
            b"as" | b"satisfies" | b"is" => return self.link(Last::Keyword),
            b"extends" => return self.nest(Last::Operator),
            b"implements" | b"from" => {
                self.last = Last::Keyword;
                return;
            }
            b"of" if matches!(self.last, Last::Operand | Last::Brace) => {
                self.last = if self.is_new_line { Last::Unclear } else { Last::Operator };
                return;
            }
            // These may continue a statement; the last three follow a decorator.
            b"else" | b"while" | b"catch" | b"finally" | b"class" | b"abstract" | b"export" => self.begin_operand(true),
            _ => self.begin_operand(false),
        }
        self.last = match word {
            b"if" | b"for" | b"with" | b"while" | b"do" | b"else" => {
                self.is_head = !matches!(word, b"do" | b"else");
                self.count.body();
                Last::Operator
            }
            b"case" | b"default" => {
                self.count.end_statement(true);
                Last::Operator
            }
            b"return" | b"throw" | b"export" | b"try" | b"finally" => Last::Operator,
            b"typeof" | b"void" | b"delete" | b"new" => return self.nest(Last::Operator),
            b"await" | b"yield" => {
                self.is_head = is_head && word == b"await";
                return self.nest(Last::Unclear);
            }
            b"keyof" | b"unique" | b"readonly" | b"abstract" | b"asserts" | b"infer" => {
                self.count.depth.has_infer |= word == b"infer";
                return self.nest(Last::Keyword);
            }
            b"function" | b"class" | b"enum" => Last::Keyword,
            _ => Last::Operand,
        };
    }

    fn operator(&mut self) {
        let is_after_operand =
            matches!(self.last, Last::Operand | Last::Keyword | Last::Brace | Last::Angle | Last::Dot);
        match self.cursor.take_operator() {
            b";" => {
                self.count.end_statement(true);
                self.count.depth.is_ended = true;
                self.last = Last::Operator;
            }
            b"," => {
                if self.count.depth.angles == 0 {
                    self.count.end_item();
                }
                self.last = Last::Operator;
            }
            b"." | b"?." => self.link(Last::Dot),
            b">" => {
                let is_open = self.count.depth.angles > 0;
                self.count.depth.angles = self.count.depth.angles.saturating_sub(1);
                self.link(if is_open { Last::Angle } else { Last::Operator });
            }
            // A postfix operator (`a++`, `a!`) is on the same line as its operand.
            b"++" | b"--" | b"!" if is_after_operand && !self.is_new_line => self.link(self.last),
            b"++" | b"--" | b"!" | b"~" => {
                self.begin_operand(false);
                self.nest(Last::Operator);
            }
            b"+" | b"-" if !is_after_operand => self.nest(Last::Operator),
            b"=" => {
                self.count.depth.is_assigned = true;
                self.nest(Last::Operator);
            }
            b"?" | b":" | b"=>" | b"**" => self.nest(Last::Operator),
            // Comparisons are not assignments; every other `…=` is.
            b"==" | b"!=" | b"===" | b"!==" | b">=" | b"<=" => self.link(Last::Operator),
            [.., b'='] => self.nest(Last::Operator),
            // Type arguments cannot contain this, so the `<` before it is a comparison.
            b"&&" | b"||" | b"??" => {
                self.count.depth.angles = 0;
                self.link(Last::Operator);
            }
            _ => self.link(Last::Operator),
        }
    }
}
