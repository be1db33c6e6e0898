//! Rules and syntax forms, each as a small project before and after a task.
#![cfg(not(target_family = "wasm"))]

mod added;
mod changed;
mod content;
mod forms;
mod identities;
mod markup;
mod parts;
mod properties;
mod renamed;

use super::{ScopeReport, ScopeVerdict, check_scope};
use std::collections::BTreeMap;

pub(super) const PASS: ScopeVerdict = ScopeVerdict::Pass;
pub(super) const WARN: ScopeVerdict = ScopeVerdict::Warn;
pub(super) const FAIL: ScopeVerdict = ScopeVerdict::Fail;

const APP: &str = "import Teas from './sections/Teas'\nexport default function App() { return <main><Teas /></main> }";

pub(super) type Files<'f> = &'f [(&'f str, &'f str)];

pub(super) fn map(files: Files<'_>) -> BTreeMap<String, String> {
    files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

/// A plan with these comments in the section `teas`.
pub(super) fn plan(comments: &str) -> String {
    format!("<App name=\"Shop\"><Screen name=\"home\"><Section gumdrop=\"teas\">{comments}</Section></Screen></App>")
}

/// `.RECORDS` and `.STRINGS` in a source are maps of items to `<li>` elements.
pub(super) fn markup(text: &str) -> String {
    text.replace(".RECORDS", ".map((t) => <li key={t.name}>{t.name}</li>)")
        .replace(".STRINGS", ".map((t) => <li key={t}>{t}</li>)")
}

pub(super) fn check(comments: &str, before: Files<'_>, after: Files<'_>) -> ScopeReport {
    check_scope(&plan(comments), 3, &map(before), &map(after))
}

/// The page and these two files, sorted by path.
pub(super) fn files<'f>(path: &'f str, text: &'f str, teas: &'f str) -> [(&'f str, &'f str); 3] {
    [("src/App.tsx", APP), (path, text), ("src/sections/Teas.tsx", teas)]
}

/// The page with this file of the section `teas`.
pub(super) fn page(teas: &str) -> [(&str, &str); 2] {
    [("src/App.tsx", APP), ("src/sections/Teas.tsx", teas)]
}

/// The verdicts for these two texts of the file of the section `teas`.
pub(super) fn verdicts(comments: &str, before: &str, after: &str) -> Vec<ScopeVerdict> {
    let report = check(comments, &page(before), &page(after));
    // Output of a failing test.
    println!("{report:?}");
    verdicts_of(&report)
}

pub(super) fn verdicts_of(report: &ScopeReport) -> Vec<ScopeVerdict> {
    report.markers.iter().map(|marker| marker.verdict).collect()
}

/// A section with these declarations and this markup.
pub(super) fn section(declared: &str, rendered: &str) -> String {
    let (declared, rendered) = (markup(declared), markup(rendered));
    format!(
        "{declared}\nexport default function Teas() {{ return <section id=\"teas\"><h2>Teas</h2>{rendered}</section> }}\n"
    )
}

/// A section that renders teas with these names.
pub(super) fn teas(names: &[&str]) -> String {
    let items: Vec<String> = names.iter().map(|name| format!("{{ name: '{name}' }}")).collect();
    section(&format!("const teas = [{}]", items.join(", ")), "<ul>{teas.RECORDS}</ul>")
}
