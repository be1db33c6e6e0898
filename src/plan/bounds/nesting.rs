//! How deep a recursive-descent parser can be at a place of the source.
//!
//! A parser recurses for brackets, and without brackets for prefix operators (`!!a`), for what associates to the right
//! (`a = b = c`, `a ? b : c ? d : e`, `a => b => c`), for statements that hold one (`if (a) if (b)`) and for type
//! arguments (`a<b<c`). Each frame counts those that are open in it; what ends them takes them away.

use super::{Excess, MAX_ELEMENTS, MAX_LEVELS, MAX_READS};

/// What a frame stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The module.
    Module,
    /// `(`. `head`: of an `if`, `for`, `while` or `with`. `group`: where an operand is expected, so no call.
    Paren { head: bool, group: bool },
    /// `[`.
    Bracket,
    /// `{` of code.
    Brace,
    /// A template literal's text.
    Template,
    /// `${` in a template literal.
    Hole,
    /// An opening tag.
    Tag,
    /// What stands between an opening tag and its closing tag.
    Children,
    /// `{` in a tag or between tags.
    Container,
}

impl Kind {
    fn is_element(self) -> bool {
        matches!(self, Kind::Tag | Kind::Children)
    }
}

/// Every bracket copies one, so it is small: what counts levels ends the pass soon after [`MAX_LEVELS`].
#[derive(Debug, Clone, Copy)]
struct Frame {
    kind: Kind,
    /// Levels up to this frame and with it.
    levels: u16,
    /// Statements that hold another: `if (a) if (b)`.
    statements: u16,
    /// What associates to the right.
    links: u16,
    /// Prefix operators of the operand.
    prefixes: u16,
    /// `<` that may be type arguments.
    angles: u16,
    /// `?` without their `:`.
    questions: u16,
    /// The statements and links of the last statement: what an `else` or the `while` of a `do` goes on with.
    before_else: u16,
    /// `do` without their `while`.
    repeats: u32,
    /// `a.b.c` nests: it follows `namespace`.
    dotted: bool,
    /// An `infer` may make the parser read twice.
    infer: bool,
    /// Nothing but words since the bracket.
    fresh: bool,
    /// May be a pattern: the parser tries it as parameters first, and reads what its defaults and keys hold twice.
    pattern: bool,
    /// `=` since the last comma.
    assigned: bool,
    /// How often the parser may read what stands here.
    reads: u32,
}

impl Frame {
    fn module() -> Self {
        Frame {
            kind: Kind::Module,
            levels: 0,
            statements: 0,
            links: 0,
            prefixes: 0,
            angles: 0,
            questions: 0,
            before_else: 0,
            repeats: 0,
            dotted: false,
            infer: false,
            fresh: true,
            pattern: false,
            assigned: false,
            reads: 1,
        }
    }

    fn depth(&self) -> u16 {
        self.levels + self.statements + self.links + self.prefixes + self.angles
    }
}

/// The open frames, and what they add up to.
#[derive(Debug)]
pub(super) struct Nesting {
    /// The innermost frame.
    top: Frame,
    outer: Vec<Frame>,
    element_levels: u32,
    elements: u32,
    reads: u32,
}

impl Nesting {
    pub(super) fn new() -> Self {
        Self { top: Frame::module(), outer: Vec::new(), element_levels: 0, elements: 0, reads: 0 }
    }

    pub(super) fn kind(&self) -> Kind {
        self.top.kind
    }

    /// The frame around the innermost one.
    pub(super) fn outer_kind(&self) -> Kind {
        self.outer.last().map_or(Kind::Module, |frame| frame.kind)
    }

    pub(super) fn in_type_arguments(&self) -> bool {
        self.top.angles > 0
    }

    pub(super) fn open(&mut self, kind: Kind) -> Result<(), Excess> {
        let (top, brackets) = (&self.top, matches!(kind, Kind::Brace | Kind::Bracket));
        let parameters = matches!(top.kind, Kind::Paren { group: true, .. }) && top.fresh;
        let computed_key = matches!((top.kind, kind), (Kind::Brace, Kind::Bracket));
        let tried_first = top.pattern && (top.assigned || computed_key);
        let guesses = (1 + u32::from(top.angles)) << (u32::from(top.infer) + u32::from(tried_first));
        let level = u16::from(!matches!(kind, Kind::Tag | Kind::Children | Kind::Template));
        let inner = Frame {
            kind,
            levels: top.depth() + level,
            reads: top.reads.saturating_mul(guesses),
            pattern: brackets && (parameters || top.pattern),
            ..Frame::module()
        };
        if matches!(kind, Kind::Tag) {
            self.element_levels += 1;
        }
        self.top.fresh = false;
        self.outer.push(std::mem::replace(&mut self.top, inner));
        self.check()
    }

    /// Closes the innermost frame.
    pub(super) fn close(&mut self) {
        let closed = self.top.kind;
        if let Some(outer) = self.outer.pop() {
            self.top = outer;
        }
        if closed.is_element() {
            self.element_levels = self.element_levels.saturating_sub(1);
        }
    }

    /// The opening tag ends; its children begin.
    pub(super) fn enter_children(&mut self) {
        self.top.kind = Kind::Children;
    }

    pub(super) fn element(&mut self) -> Result<(), Excess> {
        self.elements += 1;
        if self.elements > MAX_ELEMENTS { Err(Excess::Elements) } else { Ok(()) }
    }

    /// A token, as often as the parser may read it.
    pub(super) fn token(&mut self) -> Result<(), Excess> {
        self.read(self.top.reads.saturating_mul(1 + u32::from(self.top.angles)))
    }

    pub(super) fn read(&mut self, tokens: u32) -> Result<(), Excess> {
        self.reads = self.reads.saturating_add(tokens);
        if self.reads > MAX_READS { Err(Excess::Reads) } else { Ok(()) }
    }

    pub(super) fn link(&mut self) -> Result<(), Excess> {
        self.top.links += 1;
        self.infix();
        self.check()
    }

    /// `=` and its kind.
    pub(super) fn assign(&mut self) -> Result<(), Excess> {
        self.top.assigned = true;
        self.link()
    }

    pub(super) fn prefix(&mut self) -> Result<(), Excess> {
        self.top.prefixes += 1;
        self.check()
    }

    /// What follows an operand ends its prefix operators.
    pub(super) fn infix(&mut self) {
        self.top.prefixes = 0;
        self.top.fresh = false;
    }

    pub(super) fn statement(&mut self) -> Result<(), Excess> {
        self.top.statements += 1;
        self.check()
    }

    /// `do`.
    pub(super) fn repeat(&mut self) -> Result<(), Excess> {
        self.top.repeats += 1;
        self.statement()
    }

    /// `while`: a statement of its own, or the end of a `do`.
    pub(super) fn repeat_while(&mut self) -> Result<(), Excess> {
        if self.top.repeats == 0 {
            return self.statement();
        }
        self.top.repeats -= 1;
        self.resume();
        self.check()
    }

    /// `else`.
    pub(super) fn otherwise(&mut self) -> Result<(), Excess> {
        self.resume();
        self.statement()
    }

    /// The last statement goes on although it seemed to have ended.
    fn resume(&mut self) {
        if self.top.statements == 0 {
            self.top.statements = self.top.before_else;
        }
    }

    pub(super) fn question(&mut self) -> Result<(), Excess> {
        self.top.questions += 1;
        self.link()
    }

    /// The `:` of a `?`, or one that makes a level of its own (a label).
    pub(super) fn colon(&mut self) -> Result<(), Excess> {
        if self.top.questions > 0 {
            self.top.questions -= 1;
            self.infix();
            Ok(())
        } else {
            self.link()
        }
    }

    pub(super) fn dot(&mut self) -> Result<(), Excess> {
        if self.top.dotted { self.link() } else { Ok(()) }
    }

    pub(super) fn namespace(&mut self) {
        self.top.dotted = true;
    }

    pub(super) fn infer(&mut self) {
        self.top.infer = true;
    }

    pub(super) fn open_angle(&mut self) -> Result<(), Excess> {
        self.infix();
        self.top.angles += 1;
        self.check()
    }

    /// Whether there was one to close.
    pub(super) fn close_angle(&mut self) -> bool {
        let open = self.top.angles > 0;
        self.top.angles = self.top.angles.saturating_sub(1);
        self.infix();
        open
    }

    /// A comma ends expressions, but neither statements nor type arguments.
    pub(super) fn comma(&mut self) {
        self.infix();
        self.top.links = 0;
        self.top.questions = 0;
        self.top.assigned = false;
    }

    /// The statement ends.
    pub(super) fn boundary(&mut self) {
        let ended = self.top.statements + self.top.links;
        if ended > 0 {
            self.top.before_else = ended;
        }
        self.comma();
        self.top.statements = 0;
        self.top.angles = 0;
        self.top.dotted = false;
        self.top.infer = false;
    }

    fn check(&self) -> Result<(), Excess> {
        if u32::from(self.top.depth()) > MAX_LEVELS || self.element_levels > MAX_LEVELS {
            Err(Excess::Levels)
        } else {
            Ok(())
        }
    }
}
