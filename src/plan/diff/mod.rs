//! What the plan asks for and what the sources have, by their syntax trees.
//!
//! | file | what |
//! |---|---|
//! | `planned` | what the plan asks for |
//! | `entries` | where the app begins; [`crate::js::graph`] says what it reaches from there |
//! | `sighting`, `names` | where components are rendered, under which names, and when two names are one |
//! | `screens`, `sections`, `theme`, `data`, `extras` | the rules, one file for each kind of entry |
//! | `compare`, `report` | all of them together, and as a text |
//! | `rendered` | what the sections render, in words |
//! | `project` | reading a project and keeping the report |
//!
//! A name counts where it is the name of something: of a component, its file, a route, a tag. In a text or a comment it
//! does not. A component counts as built where it is rendered: where it is reached from the app's entry by elements,
//! lists, props and calls, through aliases, barrels and `lazy`.

mod compare;
mod data;
mod entries;
mod entry;
mod extras;
mod names;
mod planned;
mod project;
mod rendered;
mod report;
mod screens;
mod sections;
mod sighting;
mod theme;

pub use entry::{DiffCategory, DiffStatus, PlanDiff, PlanDiffEntry, PlanPlace, PlanSection};
pub(crate) use names::{key, same};
pub(crate) use project::{diff_project, read_plan, shown_by_project};
pub(crate) use rendered::{Shown, about};
pub(crate) use report::{line, status, summary};

use super::PLAN;
use super::position::Positions;
use super::tree::{self, Tree};
use crate::error::{Error, ErrorCode};
use crate::js::SyntaxError;
use crate::js::outline::{self, Module};
use crate::js::resolve::{CONFIGS, Resolver};
use crate::sources::extension;
use compare::Comparison;
use planned::Planned;

/// Compares the source of a plan with the files of a project: their paths, each with its text, or none where it was not
/// read. The same input gives the same comparison; no text of a file is an error.
///
/// # Errors
/// `invalid-argument` where the plan cannot be read, with its place.
pub fn diff(plan: &str, files: &[(&str, Option<&str>)]) -> Result<PlanDiff, Error> {
    let plan = plan.strip_prefix('\u{FEFF}').unwrap_or(plan);
    let planned = Planned::read(&parse_plan(plan)?, &Positions::new(plan));

    let (modules, sheets, unread) = read_modules(files, planned.asks_for_words());
    let comparison = Comparison::new(modules, unread, resolver(files));
    let found = comparison.with(&planned, &sheets);
    let report = report::report(&found.entries, &comparison.unread);
    Ok(PlanDiff { report, is_whole: comparison.unread.is_empty(), ..found })
}

/// Where the imports of a project lead, by the configurations among its files.
fn resolver(files: &[(&str, Option<&str>)]) -> Resolver {
    Resolver::new(|path| files.iter().find(|(known, _)| *known == path).and_then(|(_, text)| *text))
}

/// What was read of files: the modules, sorted by path, the style sheets, and what could not be read with the reason.
type Read<'s> = (Vec<Module<'s>>, Vec<(&'s str, &'s str)>, Vec<(String, String)>);

fn read_modules<'s>(files: &[(&'s str, Option<&'s str>)], words: bool) -> Read<'s> {
    let mut files: Vec<&(&str, Option<&str>)> =
        files.iter().filter(|(path, _)| !is_aside(path) && !CONFIGS.contains(path)).collect();
    files.sort_by_key(|(a, _)| *a);
    let (mut modules, mut sheets, mut unread) = (Vec::new(), Vec::new(), Vec::new());
    for (path, text) in files {
        let Some(text) = text else {
            unread.push(((*path).to_owned(), "it is too large, or there are too many files".to_owned()));
            continue;
        };
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        // A file without text builds nothing.
        if text.trim().is_empty() {
            continue;
        }
        if extension(path) == "css" {
            sheets.push((*path, text));
            continue;
        }
        let mut module = outline::read(path, text, words);
        // Declarations build nothing, but their types count.
        if path.ends_with(".d.ts") {
            module = Module { path: module.path, shapes: module.shapes, problem: module.problem, ..Module::default() };
        }
        unread.extend(module.problem.iter().map(|problem| ((*path).to_owned(), problem.clone())));
        modules.push(module);
    }
    (modules, sheets, unread)
}

/// The tree of a plan with an `App` as its root, also of one that has errors.
///
/// # Errors
/// `invalid-argument` where there is none, with the place.
pub(crate) fn parse_plan(plan: &str) -> Result<Tree<'_>, Error> {
    let parsed = tree::parse(plan).map_err(|_| unreadable(plan, None))?;
    match parsed.tree.root() {
        Some(root) if root.name == "App" => Ok(parsed.tree),
        _ => Err(unreadable(plan, parsed.errors.first())),
    }
}

/// Tests and stories are about the app and not of it.
fn is_aside(path: &str) -> bool {
    let aside = [".test.", ".spec.", ".stories.", "/__tests__/", "/__mocks__/"];
    aside.iter().any(|part| path.contains(part))
}

fn unreadable(plan: &str, error: Option<&SyntaxError>) -> Error {
    let (line, column) = error.map_or((1, 1), |error| Positions::new(plan).at(error.place.start));
    let why = error.map_or("It has no `<App>` as its root.", |error| &error.message);
    let message = format!("{PLAN} cannot be read: line {line}: {why} Run `plan validate` and fix it first.");
    let mut error = Error::new(ErrorCode::InvalidArgument, message).at_path(PLAN);
    (error.line, error.column) = (Some(line), Some(column));
    error
}
