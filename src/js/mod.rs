//! The reader of JavaScript, TypeScript and JSX: source → tree → module graph. No other module names the parser.
//!
//! | module | what |
//! |---|---|
//! | `limits` | refuses sources that nest too deep to parse |
//! | `parse` | calls the parser |
//! | `document` | a module's default-exported JSX as data: elements, attributes, comments |
//! | `tree`, `statement`, `expression` | a source as a tree without types |
//! | `faults` | errors that the parser does not report |
//! | `markup` | HTML, Vue, Svelte and Astro files as such trees |
//! | `links` | a module's imports and exports, and where they lead |
//! | `outline` | a module's declarations, and the names they use |
//! | `resolve` | the file of an import |
//! | `graph` | the declarations of a project; reachability |
//! | `json_places` | where the objects of a JSON list and their keys are |
//! | `lexer`, `calls` | strings, elements and calls of any source, including sources that do not parse |
//!
//! Every input gives a result or an error, in bounded time and on a bounded stack.

pub(crate) mod calls;
mod dead;
pub(crate) mod document;
mod expression;
pub(crate) mod faults;
pub(crate) mod graph;
pub(crate) mod json_places;
pub(crate) mod lexer;
mod limits;
pub(crate) mod links;
pub(crate) mod markup;
pub(crate) mod outline;
mod parse;
pub(crate) mod resolve;
mod statement;
pub(crate) mod tree;

pub(crate) use limits::{Excess, MAX_BYTES, MAX_ELEMENTS, MAX_LEVELS};
pub(crate) use parse::{Place, SyntaxError, line_of};
