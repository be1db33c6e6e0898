//! Sites of plain HTML: what their pages load. Without a bundler, a file that no page names has no effect.

use super::app::App;
use crate::gate::Project;
use crate::gate::scope::is_page;
use crate::path::{extension, name};
use crate::sources::is_aside;
use std::collections::BTreeSet;

/// Larger sites are not read.
const MAX_FILES: usize = 300;
/// Words of scripts that do not run in a page.
const ELSEWHERE: [&str; 6] = ["require(", "process.", "Deno.", "Bun.", "'node:", "\"node:"];
/// What loads files whose names are not in the text.
const DYNAMIC: [&str; 4] = ["import(`", "import(", "importScripts(", ".src ="];

/// Whether the project is a site of plain HTML: it has a page in its folder, and its manifest, if any, has no packages.
pub(super) fn is_site(project: &Project) -> bool {
    !project.has_packages()
        && project.markup.iter().any(|(path, _)| !path.contains('/') && extension(path).starts_with("htm"))
}

/// Whether the file is a script or a style sheet that certainly no page loads.
pub(super) fn is_unloaded(project: &Project, path: &str) -> bool {
    let Some(app) = project.app.get().filter(|app| is_site(project) && app.is_complete) else { return false };
    let Some(text) = app.after.get(path).filter(|_| app.after.len() <= MAX_FILES) else { return false };
    let is_script = matches!(extension(path), "js" | "mjs");
    let runs_elsewhere = is_script && ELSEWHERE.iter().any(|word| text.contains(word));
    let is_judged = (is_script || extension(path) == "css") && !is_aside(path) && !name(path).contains(".config.");
    is_judged && !runs_elsewhere && !is_page(path, false) && loaded(app).is_some_and(|loaded| !loaded.contains(path))
}

/// What the pages load, and what that loads; `None` if the names are not in the texts.
fn loaded(app: &App) -> Option<BTreeSet<&str>> {
    let is_document = |path: &&str| extension(path).starts_with("htm");
    let mut next: Vec<&str> = app.after.keys().map(String::as_str).filter(is_document).collect();
    let mut loaded = BTreeSet::new();
    while let Some(path) = next.pop() {
        if !loaded.insert(path) {
            continue;
        }
        let text = app.after.get(path)?;
        if DYNAMIC.iter().any(|call| text.contains(call)) {
            return None;
        }
        next.extend(app.after.keys().map(String::as_str).filter(|other| text.contains(name(other))));
    }
    Some(loaded)
}
