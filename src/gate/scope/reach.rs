//! What the page's entry reaches.

use super::sources::{FileId, Sources};
use super::walk::{Use, Walk};
use crate::js::tree::{Parsed, Pattern, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// The names of the reachable declarations, by file.
pub(super) struct Reached(BTreeMap<FileId, BTreeSet<String>>);

impl Reached {
    /// Follows the entries; `None` without an entry, or if it is unknown what the entry loads.
    pub(super) fn from_entries(sources: &Sources<'_>) -> Option<Self> {
        let mut reached = Self(BTreeMap::new());
        let mut entries: Vec<FileId> = sources.ids().filter(|file| is_entry(sources.path(*file))).collect();
        if entries.is_empty() {
            entries.extend(sources.ids().filter(|file| is_page(sources.path(*file))));
        }
        if entries.is_empty() {
            return None;
        }
        // Calling `render` starts the page; a framework renders the exports of a page.
        let (mut modules, mut next, mut entered) = (Vec::new(), Vec::new(), BTreeSet::new());
        for entry in entries {
            match exports(sources, entry) {
                none if none.is_empty() => modules.push(entry),
                exported => next.extend(exported),
            }
        }
        loop {
            let mut uses = Vec::new();
            let file = if let Some(file) = modules.pop() {
                uses_of_module(sources, file, &mut entered, None, &mut uses)?;
                file
            } else if let Some((file, name)) = next.pop() {
                if reached.contains(file, &name) {
                    continue;
                }
                uses_of_module(sources, file, &mut entered, Some(&name), &mut uses)?;
                reached.0.entry(file).or_default().insert(name);
                file
            } else {
                return Some(reached);
            };
            for used in uses {
                match used {
                    Use::Name(name, path) => match sources.binding(file, name) {
                        Some((file, Some(name))) => next.push((file, name)),
                        Some((module, None)) => match path.first().map(|name| sources.exported(module, name)) {
                            Some(Some((file, Some(name)))) => next.push((file, name)),
                            Some(_) => {}
                            None => next.extend(exports(sources, module)),
                        },
                        None => {}
                    },
                    Use::Module(path) => {
                        let module = sources.resolve(file, path)?;
                        next.extend(exports(sources, module));
                    }
                    Use::Message(_) => {}
                }
            }
        }
    }

    pub(super) fn contains(&self, file: FileId, name: &str) -> bool {
        self.0.get(&file).is_some_and(|names| names.contains(name))
    }
}

/// `src/main.tsx`, `src/index.js`, `App.jsx`.
fn is_entry(path: &str) -> bool {
    let (extensions, name): (&[&str], _) = match path.strip_prefix("src/") {
        Some(name) => (&["tsx", "jsx", "ts", "js"], name),
        None => (&["tsx", "jsx"], path),
    };
    let Some((stem, extension)) = name.split_once('.') else { return false };
    matches!(stem, "main" | "index" | "App" | "app") && extensions.contains(&extension)
}

/// A page of a framework with file-based routing.
fn is_page(path: &str) -> bool {
    let name = crate::path::name(path);
    let folders = path.strip_prefix("src/").unwrap_or(path);
    let is_routed = name.starts_with("page.") || name.starts_with("layout.");
    folders.starts_with("app/") && is_routed || folders.starts_with("pages/") || folders.starts_with("routes/")
}

/// What a module uses: all of it, or one declaration and, on first entry, the top-level statements.
fn uses_of_module<'p>(
    sources: &'p Sources<'_>,
    file: FileId,
    entered: &mut BTreeSet<FileId>,
    name: Option<&str>,
    uses: &mut Vec<Use<'p>>,
) -> Option<()> {
    let module = match sources.parsed(file) {
        Parsed::Module(module) => module,
        Parsed::Data(_) | Parsed::Foreign => return Some(()),
        Parsed::Broken { .. } | Parsed::Unreadable => return None,
    };
    if ["import.meta.glob", "require.context"].iter().any(|loads| sources.text(file).contains(loads)) {
        return None;
    }
    let is_first = entered.insert(file);
    let mut visit = |used| uses.push(used);
    let mut walk = Walk::new(&mut visit);
    walk.note_constants(&module.body);
    for statement in &module.body {
        let is_wanted = match statement {
            Statement::Declare(declaration) => name.is_none_or(|name| declares(&declaration.pattern, name)),
            _ => is_first,
        };
        if is_wanted {
            walk.statement(statement);
        }
    }
    Some(())
}

fn exports(sources: &Sources<'_>, file: FileId) -> Vec<(FileId, String)> {
    let names = sources.export_names(file);
    let exports = names.iter().filter_map(|name| sources.exported(file, name));
    exports.filter_map(|(file, name)| Some((file, name?))).collect()
}

pub(super) fn declares(pattern: &Pattern, name: &str) -> bool {
    match pattern {
        Pattern::Name(known) => &**known == name,
        Pattern::Object(fields, rest) => {
            fields.iter().map(|(_, field)| field).chain(rest.as_deref()).any(|field| declares(field, name))
        }
        Pattern::Array(items, rest) => items.iter().flatten().chain(rest.as_deref()).any(|item| declares(item, name)),
        Pattern::Default(pattern, _) => declares(pattern, name),
        Pattern::Other => false,
    }
}
