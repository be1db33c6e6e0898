//! The reader of JavaScript, TypeScript and JSX: source → tree → module graph. Nothing else names the parser.
//!
//! | module | what |
//! |---|---|
//! | `limits` | refuses sources that nest too deep for the stack, before they are parsed |
//! | `parse` | calls the parser |
//! | `document` | the JSX that a module exports by default, as data: elements, attributes, comments |
//! | `tree`, `module`, `statement`, `expression` | a source as a tree without types |
//! | `outline` | what a module imports, exports and declares, and what its declarations name |
//! | `resolve` | the file that an import means |
//! | `graph` | which declaration a name leads to; what is reached from where |
//! | `lexer`, `calls` | strings, elements and calls of any source, also of one that does not parse |
//!
//! Total: any text gives a result or an error, in bounded time and on a bounded stack.

pub(crate) mod calls;
pub(crate) mod document;
mod expression;
pub(crate) mod graph;
pub(crate) mod lexer;
mod limits;
mod module;
pub(crate) mod outline;
mod parse;
pub(crate) mod resolve;
mod statement;
pub(crate) mod tree;

pub(crate) use limits::{Excess, MAX_BYTES, MAX_ELEMENTS, MAX_LEVELS};
pub(crate) use parse::{Place, SyntaxError, line_of};
