//! What a style sheet imports, Tailwind, and its rules.

use super::change::{Change, Changed};
use super::{Kind, Lost};
use crate::gate::Project;
use crate::gate::builtin::work::app::App;
use crate::gate::scope::{stems, telling};
use crate::path::{extension, name, stem};
use crate::syntax::css::{CssItem, StyleSheet, at_rule};
use crate::syntax::markup::parts;
use crate::text::{counted, one_line};
use std::collections::BTreeSet;

/// A style sheet with fewer rules is too small to say that most are gone.
const FEW: usize = 3;

/// A style sheet, or the styles of a document or component.
#[derive(Default)]
struct Sheet {
    /// What it imports: addresses, in the order of the file.
    imports: Vec<String>,
    /// It loads Tailwind.
    has_tailwind: bool,
    has_theme: bool,
    /// Selectors.
    rules: BTreeSet<String>,
}

impl Sheet {
    fn read(path: &str, text: &str) -> Self {
        let mut sheet = Self::default();
        match extension(path) {
            "css" => sheet.add(text),
            extension => {
                parts(text, extension)
                    .iter()
                    .filter(|part| part.extension == "css")
                    .for_each(|part| sheet.add(part.text));
            }
        }
        sheet
    }

    fn add(&mut self, css: &str) {
        let sheet = StyleSheet::new(css);
        let mut in_steps = 0_usize;
        for item in sheet.items() {
            match item {
                CssItem::Statement { text, .. } => match at_rule(text) {
                    Some((name, _)) if name == "tailwind" => self.has_tailwind = true,
                    Some((name, rest)) if name == "import" => {
                        let address = rest.trim_start_matches("url(").trim_start_matches(['"', '\'', ' ']);
                        let address = address.split(['"', '\'', ')']).next().unwrap_or_default();
                        match address.split('/').next() {
                            Some("tailwindcss") => self.has_tailwind = true,
                            _ => self.imports.push(address.to_owned()),
                        }
                    }
                    _ => {}
                },
                CssItem::Open { prelude, .. } => match at_rule(prelude) {
                    Some((name, _)) if name.ends_with("keyframes") => in_steps = 1,
                    Some((name, _)) => self.has_theme |= name == "theme",
                    None if in_steps > 0 => in_steps += 1,
                    None => {
                        self.rules.insert(one_line(prelude));
                    }
                },
                CssItem::Close { .. } => in_steps = in_steps.saturating_sub(1),
                CssItem::Declaration { .. } => {}
            }
        }
    }

    fn has_less_than(&self, other: &Self) -> bool {
        other.imports.iter().any(|address| !self.imports.contains(address))
            || other.has_tailwind && !self.has_tailwind
            || other.has_theme && !self.has_theme
            || is_most(other.rules.difference(&self.rules).count(), other.rules.len())
    }
}

fn is_most(lost: usize, of: usize) -> bool {
    of > FEW && lost * 2 > of
}

fn sheets(file: &Changed<'_>) -> (Sheet, Sheet) {
    (Sheet::read(file.was, file.before), Sheet::read(file.path, file.after))
}

/// Whether a changed style sheet has less than before.
pub(super) fn may_be_lost(change: &Change<'_>) -> bool {
    change.files.iter().map(sheets).any(|(had, has)| has.has_less_than(&had))
}

pub(super) fn lost(change: &Change<'_>, project: &Project, app: &App) -> Vec<Lost> {
    let mut lost = Vec::new();
    for file in &change.files {
        let (had, has) = sheets(file);
        if !has.has_less_than(&had) {
            continue;
        }
        let mut others = Sheet::default();
        for (path, text) in change.others(file.path) {
            let other = Sheet::read(path, text);
            others.rules.extend(other.rules);
            others.has_tailwind |= other.has_tailwind;
            others.has_theme |= other.has_theme;
        }
        let mut add = |what: String, names: &[&str], is_certain: bool| {
            let names = telling(names.iter().flat_map(|name| stems(name)).collect());
            let is_certain = is_certain && file.is_there;
            lost.push(Lost {
                what,
                path: file.path.to_owned(),
                names,
                said: Vec::new(),
                kind: Kind::Style,
                is_certain,
            });
        };
        let compiles = project.compiles_tailwind();
        if had.has_tailwind && !has.has_tailwind && !others.has_tailwind && compiles {
            add("Tailwind (@import \"tailwindcss\")".to_owned(), &["tailwind", "tailwindcss"], true);
        }
        if had.has_theme && !has.has_theme && !others.has_theme && compiles {
            add("@theme".to_owned(), &["theme"], true);
        }
        for address in had.imports.iter().filter(|address| !has.imports.contains(address)) {
            let host = address.split_once("//").map(|(_, rest)| rest.split('/').next().unwrap_or_default());
            let is_elsewhere = change.has_besides(host.unwrap_or(name(address)), file.path) || change.is_gone(address);
            if !is_elsewhere {
                add(format!("@import \"{address}\""), &["import", address], has.imports.len() < had.imports.len());
            }
        }
        let rules: Vec<&String> =
            had.rules.difference(&has.rules).filter(|rule| !others.rules.contains(*rule)).collect();
        // A rule that nothing matches any more is not missed.
        let missed: Vec<&str> = rules.iter().map(|rule| rule.as_str()).filter(|rule| is_matched(app, rule)).collect();
        if is_most(missed.len(), had.rules.len()) {
            let some: Vec<&str> = missed.iter().copied().take(3).collect();
            let what = format!("{} of {} ({}, …)", missed.len(), counted(had.rules.len(), "rule"), some.join(", "));
            let names = [stem(file.path), "css", "style", "styling", "design"];
            add(what, &names, true);
        }
    }
    lost
}

/// Whether a source still has the classes and ids of a selector; a selector without any may match.
fn is_matched(app: &App, selector: &str) -> bool {
    let mut names = selector.split(['.', '#']).skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_')).unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default()
    });
    let is_code = |path: &str| !matches!(extension(path), "css" | "scss" | "sass" | "less" | "md");
    names.all(|name| name == "dark" || app.after.iter().any(|(path, text)| is_code(path) && text.contains(name)))
}
