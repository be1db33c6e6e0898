//! The tokens of code, as far as nesting needs them.

use super::Excess;
use super::cursor::Cursor;
use super::nesting::{Kind, Nesting};

/// What the last token leaves behind: it decides whether `/` divides, whether `<` compares, and whether the end of a
/// line ends a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    /// A statement begins, or a block.
    Start,
    /// An operand must follow.
    Operator,
    /// An operand has ended.
    Operand,
    /// A word after which a name or a type goes on: reads like an operand, but the statement does not end.
    Word,
    /// `.`: what follows is a name, whatever it says.
    Dot,
    /// `}`: a block or an operand has ended.
    Brace,
    /// `>` that may have closed type arguments.
    Angle,
    /// `await` or `yield`, which are names in some places.
    Await,
}

/// Walks the source once and keeps count.
pub(super) struct Scanner<'s> {
    pub(super) cursor: Cursor<'s>,
    pub(super) nesting: Nesting,
    pub(super) last: Last,
    /// A line ended since the last token.
    line_ended: bool,
    /// The next `(` opens the head of a statement.
    head: bool,
    /// An angle bracket can open an element.
    pub(super) elements: bool,
}

impl<'s> Scanner<'s> {
    pub(super) fn new(source: &'s str, elements: bool) -> Self {
        let mut cursor = Cursor::new(source);
        if cursor.starts_with("#!") {
            cursor.skip_line();
        }
        Self { cursor, nesting: Nesting::new(), last: Last::Start, line_ended: true, head: false, elements }
    }

    pub(super) fn run(mut self) -> Result<(), Excess> {
        while !self.at_end() {
            self.step()?;
        }
        Ok(())
    }

    /// One token, or what is skipped as a whole.
    #[inline(always)]
    pub(super) fn step(&mut self) -> Result<(), Excess> {
        match self.nesting.kind() {
            Kind::Template => self.template(),
            Kind::Children => self.children(),
            Kind::Tag if !self.nesting.in_type_arguments() => self.tag(),
            _ => self.code(),
        }
    }

    pub(super) fn at_end(&self) -> bool {
        self.cursor.at_end()
    }

    /// What has been read; `None` within a character.
    pub(super) fn before(&self) -> Option<&'s str> {
        self.cursor.before()
    }

    /// One token of code.
    fn code(&mut self) -> Result<(), Excess> {
        self.line_ended |= self.cursor.skip_trivia();
        if self.cursor.at_end() {
            return Ok(());
        }
        self.nesting.token()?;
        let head = std::mem::take(&mut self.head);
        match self.cursor.peek(0) {
            b'(' | b'[' | b'{' => self.open(head)?,
            b')' | b']' | b'}' => self.close(),
            b'"' | b'\'' => {
                self.end_statement_at_line_end();
                self.cursor.skip_string();
                self.last = Last::Operand;
            }
            b'`' => {
                self.cursor.skip(1);
                self.nesting.open(Kind::Template)?;
            }
            b'/' => self.slash()?,
            b'<' if self.line_ended && self.cursor.starts_with("<!--") => self.cursor.skip_line(),
            b'<' => self.angle()?,
            b'0'..=b'9' => self.number(),
            b'.' if self.cursor.peek(1).is_ascii_digit() => self.number(),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | b'#' | b'\\' | 0x80.. => self.word(head)?,
            _ => self.operator()?,
        }
        self.line_ended = false;
        Ok(())
    }

    fn open(&mut self, head: bool) -> Result<(), Excess> {
        let kind = match self.cursor.peek(0) {
            b'(' => Kind::Paren { head, group: !matches!(self.last, Last::Operand | Last::Dot) },
            b'[' => Kind::Bracket,
            _ => Kind::Brace,
        };
        self.cursor.skip(1);
        self.last = if kind == Kind::Brace { Last::Start } else { Last::Operator };
        self.nesting.open(kind)
    }

    /// A bracket that closes nothing is skipped: the parser stops there.
    fn close(&mut self) {
        let (closes, last) = match (self.cursor.peek(0), self.nesting.kind()) {
            (b')', Kind::Paren { head, .. }) => (true, if head { Last::Start } else { Last::Operand }),
            (b']', Kind::Bracket) | (b'}', Kind::Hole | Kind::Container) => (true, Last::Operand),
            (b'}', Kind::Brace) => (true, Last::Brace),
            _ => (false, self.last),
        };
        self.cursor.skip(1);
        self.last = last;
        if closes {
            self.nesting.close();
        }
    }

    fn template(&mut self) -> Result<(), Excess> {
        match self.cursor.peek(0) {
            b'`' => {
                self.cursor.skip(1);
                self.nesting.close();
                self.last = Last::Operand;
            }
            b'$' if self.cursor.peek(1) == b'{' => {
                self.cursor.skip(2);
                self.last = Last::Operator;
                return self.nesting.open(Kind::Hole);
            }
            b'\\' => self.cursor.skip(2),
            _ => self.cursor.skip(1),
        }
        Ok(())
    }

    fn number(&mut self) {
        self.end_statement_at_line_end();
        self.cursor.skip_number();
        self.last = Last::Operand;
    }

    /// Division or a regular expression. After a brace or type arguments it can be either: where the two would read on
    /// differently, the source is refused.
    fn slash(&mut self) -> Result<(), Excess> {
        match self.last {
            Last::Start | Last::Operator => {
                self.cursor.skip_regular_expression();
                self.last = Last::Operand;
            }
            Last::Brace | Last::Angle | Last::Await if hides_something(self.cursor.rest()) => {
                return Err(Excess::Reads);
            }
            _ => return self.operator(),
        }
        Ok(())
    }

    fn word(&mut self, head: bool) -> Result<(), Excess> {
        let word = self.cursor.take_name();
        if word.is_empty() {
            // A character that belongs to no token: the parser stops here.
            let letter = self.cursor.rest().chars().next().map_or(1, char::len_utf8);
            self.cursor.skip(letter);
            return Ok(());
        }
        if self.last == Last::Dot {
            self.last = Last::Operand;
            return Ok(());
        }
        // As bytes: a compiler for size compares texts with one after the other.
        let word = word.as_bytes();
        let goes_on = matches!(
            word,
            b"as"
                | b"satisfies"
                | b"is"
                | b"in"
                | b"of"
                | b"instanceof"
                | b"extends"
                | b"implements"
                | b"from"
                | b"else"
                | b"while"
                | b"catch"
                | b"finally"
        );
        if !goes_on {
            self.end_statement_at_line_end();
        }
        self.last = match word {
            b"if" | b"for" | b"with" => {
                self.head = true;
                self.nesting.statement()?;
                Last::Start
            }
            b"while" => {
                self.head = true;
                self.nesting.repeat_while()?;
                Last::Start
            }
            b"do" => {
                self.nesting.repeat()?;
                Last::Start
            }
            b"else" => {
                self.nesting.otherwise()?;
                Last::Start
            }
            b"try" | b"finally" => Last::Start,
            b"case" | b"default" => {
                self.nesting.boundary();
                Last::Operator
            }
            b"return" | b"throw" | b"export" => Last::Operator,
            b"typeof" | b"void" | b"delete" | b"new" => {
                self.nesting.prefix()?;
                Last::Operator
            }
            b"await" => {
                self.head = head;
                self.nesting.prefix()?;
                Last::Await
            }
            b"yield" => {
                self.nesting.link()?;
                Last::Await
            }
            b"extends" => {
                self.nesting.link()?;
                Last::Operator
            }
            b"in" | b"instanceof" => {
                self.nesting.infix();
                Last::Operator
            }
            b"of" if self.last == Last::Operand || self.last == Last::Brace => Last::Operator,
            b"keyof" | b"unique" | b"readonly" | b"abstract" => {
                self.nesting.prefix()?;
                Last::Word
            }
            b"asserts" => {
                self.nesting.link()?;
                Last::Word
            }
            b"infer" => {
                self.nesting.infer();
                self.nesting.prefix()?;
                Last::Word
            }
            b"as" | b"satisfies" | b"is" => {
                self.nesting.infix();
                Last::Word
            }
            b"function" | b"class" | b"enum" | b"implements" => Last::Word,
            b"namespace" | b"module" => {
                self.nesting.namespace();
                Last::Operand
            }
            _ => Last::Operand,
        };
        Ok(())
    }

    fn operator(&mut self) -> Result<(), Excess> {
        let after_operand = matches!(self.last, Last::Operand | Last::Word | Last::Brace | Last::Angle | Last::Dot);
        let (length, token) = operator(&self.cursor);
        self.cursor.skip(length);
        let last = std::mem::replace(&mut self.last, Last::Operator);
        match token {
            Token::Semicolon => {
                self.nesting.boundary();
                self.last = Last::Start;
            }
            Token::Comma => self.nesting.comma(),
            Token::Dot => {
                self.nesting.dot()?;
                self.last = Last::Dot;
            }
            Token::Question => self.nesting.question()?,
            Token::Colon => self.nesting.colon()?,
            Token::Arrow => {
                self.nesting.link()?;
                self.last = Last::Start;
            }
            Token::Right => self.nesting.assign()?,
            Token::CloseAngle => {
                if self.nesting.close_angle() {
                    self.last = Last::Angle;
                }
            }
            // A postfix operator, `a++` or `a!`, must stand on its operand's line.
            Token::Step | Token::Not if after_operand && !self.line_ended => self.last = last,
            Token::Step | Token::Not => {
                self.last = last;
                self.end_statement_at_line_end();
                self.last = Last::Operator;
                self.nesting.prefix()?;
            }
            Token::Sign if !after_operand => self.nesting.prefix()?,
            Token::Sign | Token::Left => self.nesting.infix(),
        }
        Ok(())
    }

    /// Where an operand has ended and a new one begins, only the end of a line or a block's brace can be between them,
    /// and it ends the statement.
    fn end_statement_at_line_end(&mut self) {
        let operand_ended = matches!(self.last, Last::Operand | Last::Angle);
        if self.last == Last::Brace || operand_ended && self.line_ended {
            self.nesting.boundary();
        }
    }
}

/// What an operator does to the nesting.
enum Token {
    Semicolon,
    Comma,
    Dot,
    Question,
    Colon,
    Arrow,
    /// Associates to the right.
    Right,
    /// Associates to the left, or is no operator.
    Left,
    /// `+`, `-`: a prefix where no operand is before it.
    Sign,
    /// `++`, `--`.
    Step,
    /// `!`, `~`.
    Not,
    /// `>`.
    CloseAngle,
}

/// The operator here and its length.
fn operator(cursor: &Cursor<'_>) -> (usize, Token) {
    let (first, second, third) = (cursor.peek(0), cursor.peek(1), cursor.peek(2));
    match (first, second) {
        (b';', _) => (1, Token::Semicolon),
        (b',', _) => (1, Token::Comma),
        (b'.', b'.') if third == b'.' => (3, Token::Left),
        (b'.', _) => (1, Token::Dot),
        (b'?', b'.') if !third.is_ascii_digit() => (2, Token::Dot),
        (b'?', b'?') if third == b'=' => (3, Token::Right),
        (b'?', b'?') => (2, Token::Left),
        (b'?', _) => (1, Token::Question),
        (b':', _) => (1, Token::Colon),
        (b'=', b'>') => (2, Token::Arrow),
        (b'=' | b'!', b'=') if third == b'=' => (3, Token::Left),
        (b'=' | b'!', b'=') => (2, Token::Left),
        (b'=', _) => (1, Token::Right),
        (b'+' | b'-', second) if second == first => (2, Token::Step),
        (b'*' | b'&' | b'|', second) if second == first && third == b'=' => (3, Token::Right),
        (b'*', b'*') => (2, Token::Right),
        (b'&' | b'|', second) if second == first => (2, Token::Left),
        (b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^', b'=') => (2, Token::Right),
        (b'+' | b'-', _) => (1, Token::Sign),
        (b'!' | b'~', _) => (1, Token::Not),
        (b'>', b'=') => (2, Token::Left),
        (b'>', b'>') if third == b'=' => (3, Token::Right),
        (b'>', _) => (1, Token::CloseAngle),
        _ => (1, Token::Left),
    }
}

/// Whether the line, read as a regular expression up to its next slash, would hide a string, a comment or a bracket.
fn hides_something(from_slash: &str) -> bool {
    let mut body = from_slash.bytes().skip(1).take_while(|byte| !matches!(byte, b'\n' | b'\r'));
    let mut hides = false;
    for byte in body.by_ref() {
        match byte {
            b'/' => return hides,
            b'"' | b'\'' | b'`' | b'*' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'\\' | 0x80.. => {
                hides = true
            }
            _ => {}
        }
    }
    false
}
