//! The parts of a plan that can contain a change marker, and how users and requirements name them.

use crate::error::{Error, ErrorCode};
use crate::nearest::nearest;
use crate::plan::diff::{key, same};
use crate::plan::tree::Tree;
use std::collections::BTreeMap;

/// A `Theme`, a `Screen`, or a `Section` with a gumdrop.
#[derive(Debug)]
pub(super) struct Target {
    /// Its index in the tree.
    pub element: usize,
    pub kind: Kind,
    /// `theme`, `home`, `home/hero`, `home/hero#2`.
    pub name: String,
    /// The index of its screen in the tree; `None` unless it is a section.
    pub screen: Option<usize>,
    /// Its name in texts: the gumdrop, or the name of the screen.
    pub called: String,
    /// The number of earlier sections with its gumdrop in the screen.
    pub nth: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Theme,
    Screen,
    Section,
}

impl Target {
    /// The label in change markers: the gumdrop, with `#2` for the second section with it in a screen.
    pub(super) fn label(&self) -> String {
        numbered(&self.called, self.nth + 1)
    }
}

/// All targets, in source order.
pub(super) fn targets(tree: &Tree<'_>) -> Vec<Target> {
    let (mut targets, mut counts) = (Vec::new(), BTreeMap::new());
    for (element, found) in tree.elements.iter().enumerate() {
        let (kind, called) = match found.name.as_ref() {
            "Theme" => (Kind::Theme, "theme"),
            "Screen" => (Kind::Screen, found.text("name").unwrap_or_default()),
            "Section" => match found.text("gumdrop") {
                Some(gumdrop) => (Kind::Section, gumdrop),
                None => continue,
            },
            _ => continue,
        };
        let mut target =
            Target { element, kind, name: called.to_owned(), screen: None, called: called.to_owned(), nth: 0 };
        if kind == Kind::Section {
            let screen = tree.around(element).find(|(_, outer)| outer.name == "Screen");
            target.screen = screen.map(|(at, _)| at);
            let count = counts.entry((target.screen, called)).or_insert(0);
            target.nth = *count;
            *count += 1;
            let screen = screen.and_then(|(_, screen)| screen.text("name")).unwrap_or_default();
            target.name = format!("{screen}/{}", target.label());
        }
        targets.push(target);
    }
    targets
}

/// The name of the nth section with the same gumdrop in a screen: `hero`, `hero#2`.
pub fn numbered(gumdrop: &str, nth: usize) -> String {
    if nth == 1 { gumdrop.to_owned() } else { format!("{gumdrop}#{nth}") }
}

/// The target that a user names: `hero`, `home/hero`, `home`, `theme`.
///
/// # Errors
/// `invalid-argument` if no target or several targets have the name.
pub(super) fn find<'t>(targets: &'t [Target], name: &str) -> Result<&'t Target, Error> {
    let wrong = |message: String| Error::new(ErrorCode::InvalidArgument, message);
    if let Some(target) = targets.iter().find(|target| target.name == name) {
        return Ok(target);
    }
    let last = |target: &Target| target.name.rsplit('/').next().is_some_and(|last| last == name || same(last, name));
    let found: Vec<&Target> = targets.iter().filter(|target| last(target)).collect();
    match found.as_slice() {
        [target] => Ok(target),
        [] => {
            let near = nearest(name, targets.iter().map(|target| target.name.as_str())).join(" or ");
            let near = if near.is_empty() { String::new() } else { format!("did you mean {near}? ") };
            let all = joined(targets, ", ");
            Err(wrong(format!("the plan has no part {name:?}; {near}The parts are {all}")))
        }
        several => {
            let names = joined(several.iter().copied(), " or ");
            Err(wrong(format!("several parts of the plan are named {name:?}; use {names}")))
        }
    }
}

/// The names of the targets.
pub(super) fn joined<'t>(targets: impl IntoIterator<Item = &'t Target>, between: &str) -> String {
    targets.into_iter().map(|target| target.name.as_str()).collect::<Vec<_>>().join(between)
}

/// The targets that a requirement mentions: sections by their gumdrop, also in the singular; the theme by its name or its
/// mood; screens if it mentions none of their sections.
pub(super) fn spoken_of<'t>(targets: &'t [Target], text: &str) -> Vec<&'t Target> {
    let words: Vec<String> =
        text.split(|c: char| !c.is_alphanumeric()).map(key).filter(|word| !word.is_empty()).collect();
    let says = |name: &str| {
        let name = key(name);
        // `data table` for `data-table`.
        let runs = (0..words.len()).flat_map(|at| (1..=3).map(move |length| (at, length)));
        !name.is_empty()
            && runs.filter_map(|(at, length)| words.get(at..at + length)).any(|run| {
                let run = run.concat();
                run.strip_suffix('s').unwrap_or(&run) == name.strip_suffix('s').unwrap_or(&name)
            })
    };
    let named = |target: &&Target| says(&target.called) || target.kind == Kind::Theme && says("mood");
    let mut found: Vec<&Target> = targets.iter().filter(named).collect();
    let screens: Vec<usize> =
        found.iter().filter(|target| target.kind == Kind::Screen).map(|target| target.element).collect();
    let sections = |screen: usize| found.iter().any(|target| target.screen == Some(screen));
    if screens.iter().any(|screen| sections(*screen)) {
        // "The hero of the shop": only sections in the mentioned screens.
        found.retain(|target| {
            target.screen.is_some_and(|screen| screens.contains(&screen)) || target.kind == Kind::Theme
        });
    }
    found
}
