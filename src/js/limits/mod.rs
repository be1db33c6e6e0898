//! Limits on the size and nesting of a source.
//!
//! oxc and the walks over its tree recurse, and a wasm module has 1 MB of stack. An overflow ends the module for the
//! page. So before parsing, the lexer counts everything that can deepen the tree:
//!
//! - an open bracket, limited by [`MAX_LEVELS`];
//! - an open element, also limited by [`MAX_LEVELS`] but counted separately;
//! - a nesting operator (`!a`, `a = b`, `a => b`, `a ? b : c`, `typeof a`) or a keyword with a body (`if`, `else`),
//!   until the statement or comma-separated item ends: limited by [`MAX_LEVELS`];
//! - any other operator (`a + b`, `a.b`, `a()`), until the same end: limited by [`MAX_CHAIN`].
//!
//! If the meaning of a `/` or `<` is ambiguous and matters, the source is refused. Some operators count that the parser
//! reads in a loop. Code that people write does not reach these limits.

#[cfg(test)]
mod tests;

use super::lexer::Lexer;

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

/// Checks that a source can be parsed safely. `elements`: whether `<` may open an element, as in `.tsx`.
///
/// # Errors
/// The first limit that the source exceeds, and the byte offset.
pub(super) fn check(source: &str, elements: bool) -> Result<(), (Excess, usize)> {
    if source.len() > MAX_BYTES {
        return Err((Excess::Bytes, 0));
    }
    let mut lexer = Lexer::new(source, elements);
    while let Some(at) = lexer.step() {
        if let Some(excess) = lexer.count.excess {
            return Err((excess, at));
        }
    }
    Ok(())
}

/// The counts of a frame of the lexer: of the current statement or item in a bracket, template, tag or element.
#[derive(Debug, Clone, Copy)]
pub(super) struct Depth {
    /// Levels and operators of the enclosing frames, including this frame's bracket.
    levels: u32,
    chain_around: u32,
    /// Open keywords with a body.
    statements: u32,
    /// Nesting operators.
    pub(super) operators: u32,
    /// Other operators.
    pub(super) chain: u32,
    /// `<` without a matching `>`: possible type arguments.
    pub(super) angles: u32,
    /// How often the parser may read this frame: it backtracks for type arguments, `infer` and parameters.
    reads: u32,
    pub(super) has_infer: bool,
    /// A `(` with only identifiers so far: possible arrow-function parameters.
    pub(super) is_parameters: bool,
    /// A possible parameter pattern. The parser reads its defaults and keys twice.
    is_pattern: bool,
    /// There was a `=` since the last comma.
    pub(super) is_assigned: bool,
    /// A `;` ended the statement, unless an `else` follows.
    pub(super) is_ended: bool,
}

impl Depth {
    const MODULE: Depth = Depth {
        levels: 0,
        chain_around: 0,
        statements: 0,
        operators: 0,
        chain: 0,
        angles: 0,
        reads: 1,
        has_infer: false,
        is_parameters: false,
        is_pattern: false,
        is_assigned: false,
        is_ended: false,
    };

    fn levels(&self) -> u32 {
        self.levels + self.statements + self.operators + self.angles
    }
}

/// Counts for [`check`] while the lexer reads.
#[derive(Debug)]
pub(super) struct Counter {
    /// Of the current frame.
    pub(super) depth: Depth,
    open_elements: u32,
    elements: u32,
    reads: u32,
    /// The first limit that was exceeded.
    excess: Option<Excess>,
}

impl Counter {
    pub(super) fn new() -> Self {
        Self { depth: Depth::MODULE, open_elements: 0, elements: 0, reads: 0, excess: None }
    }

    /// Enters a bracket, or a frame without one if `closer` is 0. Returns the counts of the frame around it.
    pub(super) fn enter(&mut self, closer: u8, is_key: bool) -> Depth {
        let around = self.depth;
        let is_default = around.is_pattern && (around.is_assigned || is_key);
        let guesses = (1 + around.angles) << (u32::from(around.has_infer) + u32::from(is_default));
        self.depth = Depth {
            levels: around.levels() + u32::from(closer != 0),
            chain_around: around.chain_around + around.chain,
            reads: around.reads.saturating_mul(guesses),
            is_pattern: matches!(closer, b']' | b'}') && (around.is_parameters || around.is_pattern),
            ..Depth::MODULE
        };
        self.check();
        Depth { is_parameters: false, ..around }
    }

    pub(super) fn enter_element(&mut self, has_name: bool) {
        self.open_elements += 1;
        self.elements += u32::from(has_name);
        if self.elements > MAX_ELEMENTS {
            self.exceed(Excess::Elements);
        }
        self.check();
    }

    pub(super) fn leave_element(&mut self) {
        self.open_elements -= 1;
    }

    fn exceed(&mut self, excess: Excess) {
        self.excess.get_or_insert(excess);
    }

    fn check(&mut self) {
        let is_deep = self.depth.levels().max(self.open_elements) > MAX_LEVELS;
        if is_deep || self.depth.chain_around + self.depth.chain > MAX_CHAIN {
            self.exceed(Excess::Levels);
        }
    }

    pub(super) fn nest(&mut self) {
        self.depth.operators += 1;
        self.check();
    }

    /// Counts an operator that the parser reads in a loop. It still deepens the tree.
    pub(super) fn link(&mut self) {
        self.depth.chain += 1;
        self.depth.is_parameters = false;
        self.check();
    }

    pub(super) fn angle(&mut self) {
        self.depth.angles += 1;
        self.link();
    }

    /// Counts a keyword with a body.
    pub(super) fn body(&mut self) {
        self.depth.statements += 1;
        self.check();
    }

    /// Ends the operators of an item, at a comma or at the end of the statement.
    pub(super) fn end_item(&mut self) {
        (self.depth.operators, self.depth.chain) = (0, 0);
        (self.depth.is_assigned, self.depth.is_parameters) = (false, false);
    }

    /// Ends a statement. If it `goes_on`, for example with `else`, its keywords still count.
    pub(super) fn end_statement(&mut self, goes_on: bool) {
        self.end_item();
        self.depth.angles = 0;
        (self.depth.has_infer, self.depth.is_ended) = (false, false);
        if !goes_on {
            self.depth.statements = 0;
        }
    }

    pub(super) fn token(&mut self) {
        self.read(self.depth.reads.saturating_mul(1 + self.depth.angles));
    }

    fn read(&mut self, tokens: u32) {
        self.reads = self.reads.saturating_add(tokens);
        if self.reads > MAX_READS {
            self.exceed(Excess::Reads);
        }
    }

    /// Counts a text that is either an element or code. It must be too short to nest too deep, however it is read.
    pub(super) fn unclear(&mut self, text: &str) {
        self.read(text.len() as u32 / 32);
        if text.bytes().filter(|byte| !byte.is_ascii_alphanumeric()).count() > MAX_UNCLEAR {
            self.exceed(Excess::Reads);
        }
    }

    /// Counts a slash that is either a division or the start of a regular expression: `line` is the rest of its line.
    pub(super) fn unclear_slash(&mut self, rest: &str) {
        // Would the regular expression contain a string, a comment or a bracket?
        let is_sign = |c: char| "\"'`*()[]{}<\\".contains(c) || !c.is_ascii();
        let body = rest.split(['/', '\n', '\r']).next().unwrap_or_default();
        if rest.as_bytes().get(body.len()) == Some(&b'/') && body.contains(is_sign) {
            self.exceed(Excess::Reads);
        }
    }
}
