//! A source file as the scope gate reads it: what can render items, what can decide whether they are rendered, and
//! where each of them stands. Types are gone, and what no rule asks about is [`Expression::Other`].

use std::rc::Rc;

/// A module, with its declarations, imports and exports told apart.
#[derive(Debug, Default)]
pub(super) struct Module {
    pub body: Vec<Statement>,
    pub imports: Vec<Import>,
    pub exports: Vec<Export>,
    /// The modules of `export * from`.
    pub stars: Vec<String>,
    /// Where modules are named that this one imports or passes on: the place in bytes, and the name.
    pub specifiers: Vec<((u32, u32), String)>,
    /// Comments, and braces in JSX that hold nothing else: start and end in bytes, in source order.
    pub blanks: Vec<(u32, u32)>,
}

/// What a default export without a name of its own is declared as.
pub(super) const DEFAULT: &str = "default";

#[derive(Debug)]
pub(super) struct Import {
    pub local: String,
    pub from: String,
    pub name: Imported,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Imported {
    /// `default` for the default export.
    Name(String),
    Namespace,
}

#[derive(Debug)]
pub(super) struct Export {
    pub name: String,
    pub what: Exported,
}

#[derive(Debug)]
pub(super) enum Exported {
    Local(String),
    From(String, Imported),
}

#[derive(Debug)]
pub(super) enum Statement {
    Declare(Declaration),
    Return(Option<Expression>),
    If {
        test: Expression,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    /// A loop over the items of a value; without a pattern its variable does not matter.
    Each {
        item: Option<Pattern>,
        over: Expression,
        body: Vec<Statement>,
    },
    Expression(Expression),
    Block(Vec<Statement>),
}

#[derive(Debug)]
pub(super) struct Declaration {
    pub pattern: Pattern,
    pub value: Option<Expression>,
    /// The words of its type: `Project[]`.
    pub type_words: String,
    /// The whole statement, in bytes.
    pub span: (u32, u32),
}

#[derive(Debug)]
pub(super) enum Pattern {
    Name(Rc<str>),
    /// By key; the rest takes what no key took.
    Object(Vec<(String, Pattern)>, Option<Box<Pattern>>),
    Array(Vec<Option<Pattern>>, Option<Box<Pattern>>),
    Default(Box<Pattern>, Expression),
    /// A member (`a.b = c`), which is not followed.
    Other,
}

#[derive(Debug)]
pub(super) struct Function {
    pub parameters: Vec<Pattern>,
    pub rest: Option<Pattern>,
    pub body: Vec<Statement>,
}

#[derive(Debug)]
pub(super) enum Expression {
    Text(Rc<str>),
    Number(f64),
    Boolean(bool),
    /// `null` and `undefined`.
    Nothing,
    Template(Vec<Expression>),
    Name(Rc<str>),
    Member(Box<[Expression; 2]>),
    Call(Box<Call>),
    Array(Vec<Item>),
    Object(Vec<Property>),
    Function(Rc<Function>),
    Element(Box<Element>),
    /// `test ? then : otherwise`.
    Choice(Box<[Expression; 3]>),
    And(Box<[Expression; 2]>),
    Or(Box<[Expression; 2]>),
    /// `??`.
    Else(Box<[Expression; 2]>),
    Not(Box<Expression>),
    Binary(Operator, Box<[Expression; 2]>),
    Assign(Box<(Pattern, Expression)>),
    /// `import('…')`.
    Import(String),
    /// Anything else, by what stands in it.
    Other(Vec<Expression>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

#[derive(Debug)]
pub(super) struct Call {
    pub callee: Expression,
    pub arguments: Vec<Item>,
    /// The words of its type arguments.
    pub type_words: String,
}

/// An element of an array, or an argument.
#[derive(Debug)]
pub(super) struct Item {
    pub at: u32,
    pub spread: bool,
    pub value: Expression,
}

#[derive(Debug)]
pub(super) enum Property {
    /// With its place in bytes.
    Pair {
        span: (u32, u32),
        key: Expression,
        value: Expression,
    },
    Spread(Expression),
}

/// A JSX element; a fragment has no name.
#[derive(Debug)]
pub(super) struct Element {
    pub at: u32,
    pub name: Rc<str>,
    pub attributes: Vec<Attribute>,
    pub children: Vec<Child>,
}

#[derive(Debug)]
pub(super) enum Attribute {
    /// Without a value it is `true`. With the place of its value in bytes.
    Named(Rc<str>, Expression, (u32, u32)),
    Spread(Expression),
}

#[derive(Debug)]
pub(super) enum Child {
    Text(Rc<str>),
    /// With its place in bytes.
    Expression(Expression, (u32, u32)),
}

impl Element {
    /// It names a component, not a tag of HTML.
    pub(super) fn is_component(&self) -> bool {
        is_component(&self.name)
    }
}

/// A tag that names a component: `Card`, `motion.li`.
pub(super) fn is_component(tag: &str) -> bool {
    tag.contains('.') || tag.starts_with(|first: char| first.is_uppercase() || first == '_' || first == '$')
}
