//! Limits on the size and nesting of a source.
//!
//! oxc and the walks over its tree recurse, and a wasm module has 1 MB of stack. An overflow ends the module for the
//! page. So before parsing, one pass over the bytes counts everything that can deepen the tree:
//!
//! - an open bracket, limited by [`MAX_LEVELS`];
//! - an open element, also limited by [`MAX_LEVELS`] but counted separately;
//! - a nesting operator (`!a`, `a = b`, `a => b`, `a ? b : c`, `typeof a`) or a keyword with a body (`if`, `else`),
//!   until the statement or comma-separated item ends: limited by [`MAX_LEVELS`];
//! - any other operator (`a + b`, `a.b`, `a()`), until the same end: limited by [`MAX_CHAIN`].
//!
//! The pass does not parse. If the meaning of a `/` or `<` is ambiguous and matters, it refuses the source. It also
//! counts some operators that the parser reads in a loop. Code that people write does not reach these limits.

mod cursor;
mod elements;
#[cfg(test)]
mod tests;

use cursor::Cursor;

/// Maximum size in UTF-8 bytes.
pub(crate) const MAX_BYTES: usize = 1 << 20;
/// Maximum nesting of elements, including the root, and of code, counted separately.
pub(crate) const MAX_LEVELS: u32 = 256;
/// Maximum number of elements.
pub(crate) const MAX_ELEMENTS: u32 = 20_000;
/// Maximum number of operators in an expression and the expressions around it.
const MAX_CHAIN: u32 = 512;
/// Maximum number of tokens the parser reads, counting backtracking. An ordinary source of 1 MiB has about 300,000.
const MAX_READS: u32 = 2 << 20;
/// Maximum number of non-alphanumeric bytes in an element that could also be type parameters.
const MAX_UNCLEAR: usize = 256;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Excess {
    /// [`MAX_BYTES`].
    Bytes,
    /// [`MAX_LEVELS`] or [`MAX_CHAIN`].
    Levels,
    /// [`MAX_ELEMENTS`].
    Elements,
    /// Too much backtracking, or the nesting cannot be decided without parsing.
    Reads,
}

/// Checks that a source can be parsed safely. `elements`: whether `<` may open an element, as in `.tsx`. Linear time,
/// no recursion.
///
/// # Errors
/// The first limit that the source exceeds, and the byte offset.
pub(super) fn check(source: &str, elements: bool) -> Result<(), (Excess, usize)> {
    if source.len() > MAX_BYTES {
        return Err((Excess::Bytes, 0));
    }
    let mut scanner = Scanner::new(source, elements);
    while !scanner.cursor.at_end() {
        let at = scanner.cursor.at();
        scanner.step().map_err(|excess| (excess, at))?;
    }
    Ok(())
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

/// An open bracket, template, tag or element. The counts cover the current statement or item in it.
#[derive(Debug, Clone, Copy)]
struct Frame {
    kind: Kind,
    /// The closing bracket, or 0 if the frame has none.
    closer: u8,
    /// The last token once the frame has closed.
    after: Last,
    /// Levels and operators of the enclosing frames, including this frame's bracket.
    levels: u32,
    chain_around: u32,
    /// Open keywords with a body.
    statements: u32,
    /// Nesting operators.
    operators: u32,
    /// Other operators.
    chain: u32,
    /// `<` without a matching `>`: possible type arguments.
    angles: u32,
    /// `namespace a.b` nests.
    is_namespace: bool,
    /// How often the parser may read this frame: it backtracks for type arguments, `infer` and parameters.
    reads: u32,
    has_infer: bool,
    /// A `(` with only identifiers so far: possible arrow-function parameters.
    is_parameters: bool,
    /// A possible parameter pattern. The parser reads its defaults and keys twice.
    is_pattern: bool,
    /// There was a `=` since the last comma.
    is_assigned: bool,
    /// A `;` ended the statement, unless an `else` follows.
    is_ended: bool,
}

impl Frame {
    const MODULE: Frame = Frame {
        kind: Kind::Code,
        closer: 0,
        after: Last::Operand,
        levels: 0,
        chain_around: 0,
        statements: 0,
        operators: 0,
        chain: 0,
        angles: 0,
        is_namespace: false,
        reads: 1,
        has_infer: false,
        is_parameters: false,
        is_pattern: false,
        is_assigned: false,
        is_ended: false,
    };

    fn depth(&self) -> u32 {
        self.levels + self.statements + self.operators + self.angles
    }
}

struct Scanner<'s> {
    cursor: Cursor<'s>,
    top: Frame,
    outer: Vec<Frame>,
    last: Last,
    /// There is a line break before the current token.
    is_new_line: bool,
    /// The next `(` is a statement's head: an operand follows its `)`.
    is_head: bool,
    elements: bool,
    element_levels: u32,
    element_count: u32,
    reads: u32,
}

type Checked = Result<(), Excess>;

impl<'s> Scanner<'s> {
    fn new(source: &'s str, elements: bool) -> Self {
        let mut cursor = Cursor::new(source);
        if source.starts_with("#!") {
            cursor.skip_line();
        }
        Self {
            cursor,
            top: Frame::MODULE,
            outer: Vec::new(),
            last: Last::Operator,
            is_new_line: true,
            is_head: false,
            elements,
            element_levels: 0,
            element_count: 0,
            reads: 0,
        }
    }

    #[inline(always)]
    fn step(&mut self) -> Checked {
        match self.top.kind {
            Kind::Template => self.template(),
            Kind::Children => self.children(),
            Kind::Tag if self.top.angles == 0 => self.tag(),
            Kind::Tag | Kind::Code => self.code(),
        }
    }

    // ---- Frames and counts ----------------------------------------------------------------------------------------

    fn open(&mut self, kind: Kind, closer: u8, after: Last) -> Checked {
        let top = &self.top;
        let is_key = top.closer == b'}' && closer == b']';
        let is_default = top.is_pattern && (top.is_assigned || is_key);
        let guesses = (1 + top.angles) << (u32::from(top.has_infer) + u32::from(is_default));
        let is_pattern = matches!(closer, b']' | b'}') && (top.is_parameters || top.is_pattern);
        let inner = Frame {
            kind,
            closer,
            after,
            levels: top.depth() + u32::from(closer != 0),
            chain_around: top.chain_around + top.chain,
            reads: top.reads.saturating_mul(guesses),
            is_pattern,
            ..Frame::MODULE
        };
        self.element_levels += u32::from(kind == Kind::Tag);
        self.top.is_parameters = false;
        self.outer.push(std::mem::replace(&mut self.top, inner));
        self.check()
    }

    fn close(&mut self) {
        self.element_levels -= u32::from(matches!(self.top.kind, Kind::Tag | Kind::Children));
        self.last = self.top.after;
        self.top = self.outer.pop().unwrap_or(Frame::MODULE);
    }

    fn check(&self) -> Checked {
        let is_deep = self.top.depth().max(self.element_levels) > MAX_LEVELS;
        if is_deep || self.top.chain_around + self.top.chain > MAX_CHAIN { Err(Excess::Levels) } else { Ok(()) }
    }

    /// Counts a nesting operator.
    fn nest(&mut self) -> Checked {
        self.top.operators += 1;
        self.last = Last::Operator;
        self.check()
    }

    /// Counts an operator that the parser reads in a loop. It still deepens the tree.
    fn link(&mut self, last: Last) -> Checked {
        self.top.chain += 1;
        self.top.is_parameters = false;
        self.last = last;
        self.check()
    }

    fn angle(&mut self) -> Checked {
        self.top.angles += 1;
        self.link(Last::Operator)
    }

    /// Ends the operators of an item, at a comma or at the end of the statement.
    fn end_item(&mut self) {
        (self.top.operators, self.top.chain) = (0, 0);
        (self.top.is_assigned, self.top.is_parameters) = (false, false);
    }

    /// Ends a statement. If it `goes_on`, for example with `else`, its keywords still count.
    fn end_statement(&mut self, goes_on: bool) {
        self.end_item();
        self.top.angles = 0;
        (self.top.is_namespace, self.top.has_infer, self.top.is_ended) = (false, false, false);
        if !goes_on {
            self.top.statements = 0;
        }
    }

    /// Starts an operand. Directly after another operand it starts a new statement, if a line break or a block is
    /// between them.
    fn begin_operand(&mut self, goes_on: bool) {
        let is_after_operand = matches!(self.last, Last::Operand | Last::Angle) && self.is_new_line;
        if self.top.is_ended || is_after_operand || self.last == Last::Brace {
            self.end_statement(goes_on);
        }
    }

    fn read(&mut self, tokens: u32) -> Checked {
        self.reads = self.reads.saturating_add(tokens);
        if self.reads > MAX_READS { Err(Excess::Reads) } else { Ok(()) }
    }

    fn token(&mut self) -> Checked {
        self.read(self.top.reads.saturating_mul(1 + self.top.angles))
    }

    // ---- Code -----------------------------------------------------------------------------------------------------

    fn code(&mut self) -> Checked {
        self.is_new_line |= self.cursor.skip_trivia();
        if self.cursor.at_end() {
            return Ok(());
        }
        self.token()?;
        let is_head = std::mem::take(&mut self.is_head);
        let byte = self.cursor.peek(0);
        let is_word = matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | b'#' | b'\\' | 0x80..);
        if self.top.is_ended && !is_word {
            self.end_statement(false);
        }
        match byte {
            _ if is_word => self.word(is_head)?,
            b'(' | b'[' | b'{' => self.open_bracket(byte, is_head)?,
            b')' | b']' | b'}' => {
                self.cursor.skip(1);
                // The parser stops at a bracket that closes nothing.
                if self.top.closer == byte {
                    self.close();
                }
            }
            b'"' | b'\'' => {
                self.begin_operand(false);
                self.cursor.skip_string();
                self.last = Last::Operand;
            }
            b'`' => {
                if self.last == Last::Operand {
                    self.link(Last::Operand)?;
                }
                self.cursor.skip(1);
                self.open(Kind::Template, 0, Last::Operand)?;
            }
            b'<' if self.is_new_line && self.cursor.starts_with("<!--") => self.cursor.skip_line(),
            b'<' => self.less_than()?,
            b'/' => self.slash()?,
            b'0'..=b'9' => self.number(),
            b'.' if self.cursor.peek(1).is_ascii_digit() => self.number(),
            _ => self.operator()?,
        }
        self.is_new_line = false;
        Ok(())
    }

    fn number(&mut self) {
        self.begin_operand(false);
        self.cursor.skip_number();
        self.last = Last::Operand;
    }

    fn open_bracket(&mut self, bracket: u8, is_head: bool) -> Checked {
        let is_call = matches!(self.last, Last::Operand | Last::Dot);
        let (closer, after) = match bracket {
            b'(' => (b')', if is_head { Last::Operator } else { Last::Operand }),
            b'[' => (b']', Last::Operand),
            _ => (b'}', Last::Brace),
        };
        if is_call && bracket != b'{' {
            self.top.chain += 1;
        }
        self.cursor.skip(1);
        self.open(Kind::Code, closer, after)?;
        self.top.is_parameters = bracket == b'(' && !is_call;
        self.last = Last::Operator;
        Ok(())
    }

    fn template(&mut self) -> Checked {
        self.cursor.skip_template_text();
        match (self.cursor.peek(0), self.cursor.peek(1)) {
            (b'`', _) => {
                self.cursor.skip(1);
                self.close();
            }
            (b'$', b'{') => {
                self.cursor.skip(2);
                self.open(Kind::Code, b'}', Last::Operand)?;
                self.last = Last::Operator;
            }
            (b'\\', _) => self.cursor.skip(2),
            _ => self.cursor.skip(1),
        }
        Ok(())
    }

    /// Reads a division or a regular expression.
    fn slash(&mut self) -> Checked {
        match self.last {
            Last::Operator => {
                self.cursor.skip_regular_expression();
                self.last = Last::Operand;
                Ok(())
            }
            Last::Brace | Last::Angle | Last::Unclear if hides_code(self.cursor.rest()) => Err(Excess::Reads),
            _ => self.operator(),
        }
    }

    fn word(&mut self, is_head: bool) -> Checked {
        let word = self.cursor.take_name();
        if word.is_empty() {
            // A token cannot start with this byte: the parser stops here.
            self.cursor.skip_character();
            return Ok(());
        }
        if self.last == Last::Dot {
            self.last = Last::Operand;
            return Ok(());
        }
        // As bytes: smaller code than comparing strings.
        let word = word.as_bytes();
        match word {
            b"in" | b"instanceof" => return self.link(Last::Operator),
            b"as" | b"satisfies" | b"is" => return self.link(Last::Keyword),
            b"extends" => return self.nest(),
            b"implements" | b"from" => {
                self.last = Last::Keyword;
                return Ok(());
            }
            b"of" if matches!(self.last, Last::Operand | Last::Brace) => {
                self.last = if self.is_new_line { Last::Unclear } else { Last::Operator };
                return Ok(());
            }
            // These may continue a statement; the last three follow a decorator.
            b"else" | b"while" | b"catch" | b"finally" | b"class" | b"abstract" | b"export" => self.begin_operand(true),
            _ => self.begin_operand(false),
        }
        match word {
            b"if" | b"for" | b"with" | b"while" | b"do" | b"else" => {
                self.is_head = !matches!(word, b"do" | b"else");
                self.top.statements += 1;
                self.last = Last::Operator;
                self.check()?;
            }
            b"case" | b"default" => {
                self.end_statement(true);
                self.last = Last::Operator;
            }
            b"return" | b"throw" | b"export" | b"try" | b"finally" => self.last = Last::Operator,
            b"typeof" | b"void" | b"delete" | b"new" => self.nest()?,
            b"await" | b"yield" => {
                self.nest()?;
                self.last = Last::Unclear;
                self.is_head = is_head && word == b"await";
            }
            b"keyof" | b"unique" | b"readonly" | b"abstract" | b"asserts" | b"infer" => {
                self.top.has_infer |= word == b"infer";
                self.nest()?;
                self.last = Last::Keyword;
            }
            b"function" | b"class" | b"enum" => self.last = Last::Keyword,
            b"namespace" | b"module" => {
                self.top.is_namespace = true;
                self.last = Last::Operand;
            }
            _ => self.last = Last::Operand,
        }
        Ok(())
    }

    fn operator(&mut self) -> Checked {
        let is_after_operand =
            matches!(self.last, Last::Operand | Last::Keyword | Last::Brace | Last::Angle | Last::Dot);
        let operator = self.cursor.take_operator();
        match operator {
            b";" => {
                self.end_statement(true);
                self.top.is_ended = true;
                self.last = Last::Operator;
            }
            b"," => {
                if self.top.angles == 0 {
                    self.end_item();
                }
                self.last = Last::Operator;
            }
            b"." | b"?." => {
                self.top.operators += u32::from(self.top.is_namespace);
                self.link(Last::Dot)?;
            }
            b">" => {
                let is_open = self.top.angles > 0;
                self.top.angles = self.top.angles.saturating_sub(1);
                self.link(if is_open { Last::Angle } else { Last::Operator })?;
            }
            // A postfix operator (`a++`, `a!`) is on the same line as its operand.
            b"++" | b"--" | b"!" if is_after_operand && !self.is_new_line => self.link(self.last)?,
            b"++" | b"--" | b"!" | b"~" => {
                self.begin_operand(false);
                self.nest()?;
            }
            b"+" | b"-" if !is_after_operand => self.nest()?,
            b"=" => {
                self.top.is_assigned = true;
                self.nest()?;
            }
            b"?" | b":" | b"=>" | b"**" => self.nest()?,
            // Comparisons are not assignments; every other `…=` is.
            b"==" | b"!=" | b"===" | b"!==" | b">=" | b"<=" => self.link(Last::Operator)?,
            [.., b'='] => self.nest()?,
            // Type arguments cannot contain this, so the `<` before it is a comparison.
            b"&&" | b"||" | b"??" => {
                self.top.angles = 0;
                self.link(Last::Operator)?;
            }
            _ => self.link(Last::Operator)?,
        }
        Ok(())
    }
}

/// Whether reading the line as a regular expression up to the next slash would skip a string, a comment or a bracket.
fn hides_code(from_slash: &str) -> bool {
    let line = from_slash.get(1..).unwrap_or_default().split(['\n', '\r']).next().unwrap_or_default();
    let is_sign = |c: char| "\"'`*()[]{}<\\".contains(c) || !c.is_ascii();
    line.split_once('/').is_some_and(|(body, _)| body.contains(is_sign))
}
