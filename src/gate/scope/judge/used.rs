//! Files that a part uses and that a task changed: style sheets, and modules that it imports.

use super::Case;
use crate::gate::scope::locate;
use crate::gate::scope::own::stripped;
use crate::gate::scope::sources::{FileId, Sources};
use crate::path::extension;
use std::collections::BTreeSet;

/// The paths, sorted. Files whose declarations are part of the part's own source are compared there.
pub(super) fn changed(case: &Case<'_>) -> Vec<String> {
    let (old, new) = (case.old, case.new);
    let Some(file) = case.after.file else { return Vec::new() };
    let own: Vec<&str> = [&case.before.own, &case.after.own]
        .into_iter()
        .flat_map(|own| own.as_ref().and_then(|own| own.as_ref().ok()))
        .flat_map(|own| own.data.iter().map(|piece| piece.path.as_str()))
        .collect();
    // The page imports every other part.
    let imported = if locate::page(new) == Some(file) { BTreeSet::new() } else { imported(new, file) };
    let is_used = |file: FileId| {
        let path = new.path(file);
        let is_style = extension(path) == "css";
        let is_module = imported.contains(&file) && !own.contains(&path);
        let is_shared = is_style && !path.ends_with(".module.css");
        let differs = match old.find(path) {
            Some(before) => code(old, before) != code(new, file),
            None => is_style,
        };
        (is_module || is_shared) && differs
    };
    new.ids().filter(|used| *used != file && is_used(*used)).map(|used| new.path(used).to_owned()).collect()
}

/// The files that a module imports, directly and through others. Components are parts of their own.
fn imported(sources: &Sources<'_>, file: FileId) -> BTreeSet<FileId> {
    let (mut found, mut next) = (BTreeSet::new(), vec![file]);
    while let Some(file) = next.pop() {
        let names = sources.module(file).map(|module| module.specifiers.as_slice()).unwrap_or_default();
        for file in names.iter().filter_map(|(_, name)| sources.resolve(file, name)) {
            let path = sources.path(file);
            let is_hook = locate::name_of(path).starts_with("use");
            if (is_hook || !locate::is_component_file(path)) && found.insert(file) {
                next.push(file);
            }
        }
    }
    found
}

/// The text without white space, and for a module without comments.
fn code(sources: &Sources<'_>, file: FileId) -> String {
    match sources.module(file) {
        Some(module) => stripped(sources.text(file), &module.blanks, None),
        None => sources.written(file).split_whitespace().collect(),
    }
}
