//! Compares the plan with the sources, by their syntax trees: `compare` applies the rules of `screens`, `sections`,
//! `theme`, `data` and `extras`. `rendered` finds the words that sections render.
//!
//! A name counts only as the name of a component, file, route or tag; in a string or comment it does not. A component
//! counts as built if it is rendered: reachable from the app's entry through elements, lists, props and calls, and
//! through aliases, barrel files and `lazy`.

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

use super::position::Positions;
use super::tree::{self, Tree, without_bom};
use crate::error::{Error, ErrorCode};
use crate::js::SyntaxError;
use crate::js::outline::{self, Module};
use crate::js::resolve::{CONFIGS, Resolver};
use crate::layout::PLAN;
use crate::path::extension;
use crate::sources::is_aside;
use compare::Comparison;
use planned::Planned;

/// Compares a plan with a project's files: paths with their text, or `None` for a file that was not read.
/// Deterministic; a file's content is never an error.
///
/// # Errors
/// `invalid-argument` if the plan cannot be read, with the place.
pub fn diff(plan: &str, files: &[(&str, Option<&str>)]) -> Result<PlanDiff, Error> {
    Ok(OpenDiff::new(plan, files)?.finish())
}

/// A [`diff`] whose sources are parsed one by one.
pub(crate) struct OpenDiff<'s> {
    planned: Planned,
    sources: Sources<'s>,
}

impl<'s> OpenDiff<'s> {
    /// # Errors
    /// As of [`diff`].
    pub(crate) fn new(plan: &str, files: &[(&'s str, Option<&'s str>)]) -> Result<Self, Error> {
        let planned = Planned::read(&parse_plan(plan)?, &Positions::new(plan));
        Ok(Self { sources: Sources::new(files, planned.asks_for_words()), planned })
    }

    /// Parses the sources, one for each item.
    pub(crate) fn parse(&mut self) -> impl Iterator<Item = ()> {
        self.sources.parse()
    }

    /// The comparison. Sources that are left are parsed first.
    pub(crate) fn finish(self) -> PlanDiff {
        let (comparison, sheets) = self.sources.comparison();
        let found = comparison.with(&self.planned, &sheets);
        let report = report::report(&found.entries, &comparison.unread);
        let unread = comparison.unread.into_iter().map(|(path, _)| path).collect();
        PlanDiff { report, unread, ..found }
    }
}

/// The sources of a project, parsed one by one.
struct Sources<'s> {
    /// Those that are left to parse, by path.
    files: std::vec::IntoIter<(&'s str, Option<&'s str>)>,
    /// The words in elements count.
    words: bool,
    resolver: Resolver,
    modules: Vec<Module<'s>>,
    sheets: Vec<(&'s str, &'s str)>,
    /// Files that were not read, each with the reason.
    unread: Vec<(String, String)>,
}

impl<'s> Sources<'s> {
    fn new(files: &[(&'s str, Option<&'s str>)], words: bool) -> Self {
        let resolver = Resolver::new(|path| files.iter().find(|(known, _)| *known == path).and_then(|(_, text)| *text));
        let is_code = |path: &str| !is_aside(path) && !CONFIGS.contains(&path);
        let mut files: Vec<_> = files.iter().copied().filter(|(path, _)| is_code(path)).collect();
        files.sort_by_key(|(path, _)| *path);
        let (modules, sheets, unread) = Default::default();
        Self { files: files.into_iter(), words, resolver, modules, sheets, unread }
    }

    /// Parses the files, one for each item.
    fn parse(&mut self) -> impl Iterator<Item = ()> {
        std::iter::from_fn(|| self.files.next().map(|(path, text)| self.add(path, text)))
    }

    fn add(&mut self, path: &'s str, text: Option<&'s str>) {
        let Some(text) = text else {
            self.unread.push((path.to_owned(), "it is too large, or there are too many files".to_owned()));
            return;
        };
        let text = without_bom(text);
        // An empty file builds nothing.
        if text.trim().is_empty() {
            return;
        }
        if extension(path) == "css" {
            self.sheets.push((path, text));
            return;
        }
        let mut module = outline::read(path, text, self.words);
        // Declaration files render nothing, but their types count.
        if path.ends_with(".d.ts") {
            module = Module { path: module.path, shapes: module.shapes, problem: module.problem, ..Module::default() };
        }
        self.unread.extend(module.problem.iter().map(|problem| (path.to_owned(), problem.clone())));
        self.modules.push(module);
    }

    /// What a plan is compared with, and the style sheets. Files that are left are parsed first.
    fn comparison(mut self) -> (Comparison<'s>, Vec<(&'s str, &'s str)>) {
        self.parse().for_each(drop);
        (Comparison::new(self.modules, self.unread, self.resolver), self.sheets)
    }
}

/// The tree of a plan with an `App` root, even if the plan has errors.
///
/// # Errors
/// `invalid-argument` if there is none, with the place.
pub(crate) fn parse_plan(plan: &str) -> Result<Tree<'_>, Error> {
    let parsed = tree::parse(plan).map_err(|_| unreadable(plan, None))?;
    match parsed.tree.root() {
        Some(root) if root.name == "App" => Ok(parsed.tree),
        _ => Err(unreadable(plan, parsed.errors.first())),
    }
}

fn unreadable(plan: &str, error: Option<&SyntaxError>) -> Error {
    let (line, column) = error.map_or((1, 1), |error| Positions::new(plan).at(error.place.start));
    let why = error.map_or("It has no `<App>` as its root.", |error| &error.message);
    let message = format!("{PLAN} cannot be read: line {line}: {why} Run `plan validate` and fix it first.");
    let mut error = Error::new(ErrorCode::InvalidArgument, message).at_path(PLAN);
    (error.line, error.column) = (Some(line), Some(column));
    error
}
