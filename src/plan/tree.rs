//! Source text to the tree of a plan.

use super::language::{self, Component};
use crate::js::document::{self, Document, RootProblem};
use crate::js::{Excess, SyntaxError};

pub(super) use crate::js::Place;
pub(super) use crate::js::document::{Attribute, AttributeValue, Comment};

pub(super) type Tree<'s> = document::Tree<'s, &'static Component>;
pub(super) type Element<'s> = document::Element<'s, &'static Component>;

/// What a source gives.
#[derive(Debug, Default)]
pub(super) struct Parsed<'s> {
    /// Empty where no root was found.
    pub tree: Tree<'s>,
    /// Why it is not a plan, in source order; empty where it is one.
    pub errors: Vec<SyntaxError>,
}

/// The source that offsets count from: a byte order mark takes no place.
pub(super) fn without_bom(source: &str) -> &str {
    source.strip_prefix('\u{FEFF}').unwrap_or(source)
}

/// Parses a plan. Total: within the limits, any text gives a tree or an error.
///
/// # Errors
/// The limit that the source exceeds; it is then not parsed.
pub(super) fn parse(source: &str) -> Result<Parsed<'_>, Excess> {
    let Document { tree, mut errors, problem } = document::read(without_bom(source), language::find)?;
    errors.extend(problem.map(|(problem, place)| SyntaxError { message: message(problem).to_owned(), place }));
    Ok(Parsed { tree, errors })
}

fn message(problem: RootProblem) -> &'static str {
    match problem {
        RootProblem::NoDefaultExport => {
            "There is no default export. Write the plan as `export default (<App …>…</App>)`."
        }
        RootProblem::SecondDefaultExport => "There is a second default export. A plan is one tree: remove one.",
        RootProblem::Fragment => "The plan's root is a fragment. Make one `<App>` the root and put everything into it.",
        RootProblem::NotAnElement => {
            "The default export is not a JSX element. Export `<App …>…</App>`, a `const` that holds it, or a function \
             that returns it."
        }
    }
}
