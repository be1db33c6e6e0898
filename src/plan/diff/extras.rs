//! What the sources have and the plan does not.

use super::compare::Comparison;
use super::entry::{DiffCategory, DiffStatus, PlanDiffEntry};
use super::names::{Wanted, key};
use super::planned::Planned;
use super::sections::wanted;
use super::sighting::stem;

/// Folders whose files are screens.
const SCREENS: [&str; 4] = ["pages", "screens", "views", "routes"];
/// Files in them that are none.
const NO_SCREENS: [&str; 7] = ["layout", "root", "error", "notfound", "404", "loading", "index"];

/// The files that are a section or a screen by their folder or their name and that nothing of the plan asks for.
/// `known` are the files that build something planned.
pub fn judge(project: &Comparison<'_>, planned: &Planned, known: &[&str]) -> Vec<PlanDiffEntry> {
    let sections: Vec<Wanted> = planned.sections().map(|(screen, section)| wanted(screen, section)).collect();
    let screens: Vec<Wanted> = planned.screens.iter().map(|screen| Wanted::screen(&screen.name)).collect();
    let graph = &project.graph;
    let mut entries = Vec::new();
    let mut pages = Vec::new();
    for (at, module) in graph.modules.iter().enumerate() {
        let mut shown = graph.nodes_of(at).filter(|node| graph.renders(*node)).peekable();
        if known.contains(&module.path) || shown.peek().is_none() {
            continue;
        }
        let name = key(stem(module.path));
        if sections.iter().chain(&screens).any(|wanted| wanted.is(&name)) {
            continue;
        }
        let category = match folder(module.path) {
            "sections" => DiffCategory::Section,
            _ if name.len() > "section".len() && name.ends_with("section") => DiffCategory::Section,
            folder if SCREENS.contains(&folder) && is_screen(&name, module.path) => DiffCategory::Screen,
            _ => continue,
        };
        let is_shown = shown.any(|node| project.reached.get(node) == Some(&true));
        let detail =
            if is_shown { "the plan does not have it" } else { "the plan does not have it, and nothing renders it" };
        let entry = PlanDiffEntry {
            status: DiffStatus::Extra,
            category,
            planned: String::new(),
            found: Some(module.path.to_owned()),
            detail: Some(detail.to_owned()),
        };
        if category == DiffCategory::Screen { pages.push(entry) } else { entries.push(entry) }
    }
    // The one page of an app with one screen is that screen, whatever its name.
    if !(planned.screens.len() == 1 && pages.len() == 1) {
        entries.extend(pages);
    }
    entries
}

/// The folder of a file; of an index the folder above its own.
fn folder(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    if parts.next().is_some_and(|name| name.starts_with("index.")) {
        parts.next();
    }
    parts.next().unwrap_or_default()
}

fn is_screen(name: &str, path: &str) -> bool {
    !NO_SCREENS.contains(&name) && !path.rsplit('/').next().is_some_and(|file| file.starts_with('_'))
}
