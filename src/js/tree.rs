//! A source file for the scope gate: what can render items, what can decide whether they render, and their positions.
//! Types are dropped, and expressions that no rule needs become [`Expression::Other`].

pub(crate) use super::links::DEFAULT;
use super::links::{self, Export, Import, Index};
use super::parse::{self, has_elements, line_of};
use super::statement::{Reader, span};
use crate::syntax::Blanked;
use oxc_ast::ast::{self, ExportDefaultDeclarationKind, Program};
use std::rc::Rc;

#[derive(Debug)]
pub(crate) enum Parsed {
    Module(Module),
    Data(serde_json::Value),
    /// A syntax error: the 1-based line and the parser's message.
    Broken {
        line: usize,
        message: String,
    },
    /// The file exceeds a limit, so its content is unknown.
    Unreadable,
    /// Neither code nor JSON.
    Foreign,
}

/// Parses a file by its extension.
pub(crate) fn parse(path: &str, text: &str) -> Parsed {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        _ if path.ends_with(".d.ts") => Parsed::Foreign,
        "tsx" | "jsx" | "js" | "mjs" | "cjs" | "ts" | "mts" | "cts" => code(path, text, &|_| false),
        "json" => match serde_json::from_str(text) {
            Ok(value) => Parsed::Data(value),
            Err(error) => Parsed::Broken { line: error.line(), message: format!("{error}.") },
        },
        _ => Parsed::Foreign,
    }
}

/// Parses code; errors with an allowed message do not count.
pub(super) fn code(path: &str, text: &str, is_allowed: &dyn Fn(&str) -> bool) -> Parsed {
    let first = |errors: Vec<parse::SyntaxError>| errors.into_iter().find(|error| !is_allowed(&error.message));
    let read = |program: &Program<'_>, errors: Vec<parse::SyntaxError>| match first(errors) {
        None => Parsed::Module(module(program, text)),
        Some(error) => Parsed::Broken { line: line_of(text, error.place.start as usize), message: error.message },
    };
    parse::parse(text, has_elements(path), read).unwrap_or(Parsed::Unreadable)
}

fn module(program: &Program<'_>, text: &str) -> Module {
    let mut reader = Reader::new(text);
    let mut module = Module::default();
    for import in links::imports(program, text).iter().filter(|import| !import.local.is_empty()) {
        let [local, from, name] = [import.local, import.from, import.name].map(str::to_owned);
        module.imports.push(Import { local, from, name });
    }
    for export in links::exports(program, text) {
        let [name, local] = [export.name, export.local].map(str::to_owned);
        module.exports.push(Export { name, from: export.from.map(str::to_owned), local });
    }
    module.imports_by_name = Index::new(module.imports.iter().map(|import| import.local.clone()));
    module.exports_by_name = Index::new(module.exports.iter().map(|export| export.name.clone()));
    reader.note_constants(&program.body);
    for statement in &program.body {
        let source = match statement {
            ast::Statement::ImportDeclaration(import) => Some(&import.source),
            ast::Statement::ExportAllDeclaration(export) => Some(&export.source),
            ast::Statement::ExportFromDeclaration(export) => Some(&export.source),
            _ => None,
        };
        module.specifiers.extend(source.map(|source| (span(source.span), source.value.to_string())));
        match statement {
            ast::Statement::ExportDeclaration(export) => {
                reader.declaration(&export.declaration, export.span, &mut module.body);
            }
            ast::Statement::ExportDefaultDeclaration(export) => {
                module.body.extend(read_default(export, &mut reader));
            }
            statement => reader.statement(statement, &mut module.body),
        }
    }
    module.blanks = std::mem::take(&mut reader.blanks);
    module.blanks.extend(program.comments.iter().map(|comment| (comment.span.start, comment.span.end)));
    module.blanks.sort();
    module.dead = reader.dead(&Blanked::without(text, module.blanks.iter()));
    module.types = links::types(program, text).iter().map(|one| one.name.to_owned()).collect();
    module
}

/// Declares a default export under its own name or [`links::DEFAULT`].
fn read_default(export: &ast::ExportDefaultDeclaration<'_>, reader: &mut Reader<'_>) -> Option<Statement> {
    if links::default_reference(&export.declaration).is_some() {
        return None;
    }
    let value = match &export.declaration {
        ExportDefaultDeclarationKind::FunctionDeclaration(function) => Some(reader.function(function)),
        ExportDefaultDeclarationKind::ClassDeclaration(class) => Some(reader.class(class)),
        declaration => declaration.as_expression().map(|value| reader.expression(value)),
    };
    Some(Statement::Declare(Declaration {
        pattern: Pattern::Name(links::default_name(&export.declaration, reader.text).into()),
        value,
        type_words: String::new(),
        span: span(export.span),
    }))
}

#[derive(Debug, Default)]
pub(crate) struct Module {
    pub body: Vec<Statement>,
    pub imports: Vec<Import<String>>,
    pub exports: Vec<Export<String>>,
    /// The imports by their local name, and the exports.
    pub imports_by_name: Index<String>,
    pub exports_by_name: Index<String>,
    /// The byte ranges and names of imported and re-exported modules.
    pub specifiers: Vec<((u32, u32), String)>,
    /// Byte ranges of comments and of JSX braces that contain only comments, in source order.
    pub blanks: Vec<(u32, u32)>,
    /// Byte ranges, in source order and apart, of what never runs, that nothing names, or that nobody sees:
    /// `{false && <Footer />}`.
    pub dead: Vec<(u32, u32)>,
    /// The names of exported types.
    pub types: Vec<String>,
}

#[derive(Debug)]
pub(crate) enum Statement {
    Declare(Declaration),
    Return(Option<Expression>),
    If {
        test: Expression,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    /// A loop over the items of a value. Without a pattern, the loop variable is ignored.
    Each {
        item: Option<Pattern>,
        over: Expression,
        body: Vec<Statement>,
    },
    Expression(Expression),
    Block(Vec<Statement>),
}

#[derive(Debug)]
pub(crate) struct Declaration {
    pub pattern: Pattern,
    pub value: Option<Expression>,
    /// The source text of its type: `Project[]`.
    pub type_words: String,
    /// The byte range of the statement.
    pub span: (u32, u32),
}

#[derive(Debug)]
pub(crate) enum Pattern {
    Name(Rc<str>),
    /// By key, and the rest pattern.
    Object(Vec<(String, Pattern)>, Option<Box<Pattern>>),
    Array(Vec<Option<Pattern>>, Option<Box<Pattern>>),
    Default(Box<Pattern>, Expression),
    /// A member (`a.b = c`); assignments to members are not tracked.
    Other,
}

#[derive(Debug)]
pub(crate) struct Function {
    pub parameters: Vec<Pattern>,
    pub rest: Option<Pattern>,
    pub body: Vec<Statement>,
}

#[derive(Debug)]
pub(crate) enum Expression {
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
    /// `[test, then, otherwise]` of `test ? then : otherwise`.
    Choice(Box<[Expression; 3]>),
    And(Box<[Expression; 2]>),
    Or(Box<[Expression; 2]>),
    /// `??`.
    Else(Box<[Expression; 2]>),
    Not(Box<Expression>),
    Binary(Operator, Box<[Expression; 2]>),
    Assign(Box<(Pattern, Expression)>),
    /// `import('…')`; empty if the path is not constant.
    Import(String),
    /// Any other expression, with its subexpressions.
    Other(Vec<Expression>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
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
pub(crate) struct Call {
    pub callee: Expression,
    pub arguments: Vec<Item>,
    /// The source text of the type arguments.
    pub type_words: String,
}

/// An array element or an argument.
#[derive(Debug)]
pub(crate) struct Item {
    pub at: u32,
    pub spread: bool,
    pub value: Expression,
}

#[derive(Debug)]
pub(crate) enum Property {
    /// With its byte range.
    Pair {
        span: (u32, u32),
        key: Expression,
        value: Expression,
    },
    Spread(Expression),
}

/// A JSX element. Fragments have no name.
#[derive(Debug)]
pub(crate) struct Element {
    pub at: u32,
    pub name: Rc<str>,
    pub attributes: Vec<Attribute>,
    pub children: Vec<Child>,
}

#[derive(Debug)]
pub(crate) enum Attribute {
    /// Without a value it is `true`. The byte range covers the value.
    Named(Rc<str>, Expression, (u32, u32)),
    Spread(Expression),
}

#[derive(Debug)]
pub(crate) enum Child {
    Text(Rc<str>),
    /// With its byte range.
    Expression(Expression, (u32, u32)),
}

impl Element {
    pub(crate) fn is_component(&self) -> bool {
        is_component(&self.name)
    }
}

/// Whether a tag names a component (`Card`, `motion.li`) and not an HTML element.
pub(crate) fn is_component(tag: &str) -> bool {
    tag.contains('.') || tag.starts_with(|first: char| first.is_uppercase() || first == '_' || first == '$')
}
