//! What the page's entry reaches.

mod entries;

use super::sources::{FileId, Sources, is_markup};
use super::walk::{Use, Walk};
use crate::js::lexer::{PieceKind, Source};
use crate::js::tree::{DEFAULT, Parsed, Pattern, Statement};
use crate::path::extension;
pub(in crate::gate) use entries::{is_page, is_run_elsewhere};
use std::collections::{BTreeMap, BTreeSet};

/// What the page's entry reaches.
pub(in crate::gate) struct Reached {
    /// The names of the reachable declarations, by file.
    names: BTreeMap<FileId, BTreeSet<String>>,
    /// Files that are reached completely: entries that run, and modules that are loaded for their effect.
    whole: BTreeSet<FileId>,
    /// Whether what is not reached is certainly unused: the entries are known, and so is each file that they load.
    pub(in crate::gate) is_certain: bool,
}

impl Reached {
    /// Follows the entries; `None` without an entry, if it is unknown what the entry loads, or if the compiler of a
    /// framework decides what templates use.
    pub(super) fn from_entries(sources: &Sources<'_>) -> Option<Self> {
        let is_document = |file: &FileId| extension(sources.path(*file)).starts_with("htm");
        if sources.ids().any(|file| is_markup(sources.path(file)) && !is_document(&file)) {
            return None;
        }
        let mut entries = entries::find_entries(sources);
        if entries.files.is_empty() {
            return None;
        }
        entries.files.extend(sources.ids().filter(is_document).filter(|file| sources.module(*file).is_some()));
        let mut reached = Self { names: BTreeMap::new(), whole: BTreeSet::new(), is_certain: entries.is_certain };
        // Calling `render` starts the page; a framework renders the exports of a page.
        let (mut modules, mut next, mut entered) = (Vec::new(), Vec::new(), BTreeSet::new());
        // An import runs the statements of a module, also if none of its names is used.
        let (mut run, mut loaded, mut looked) = (Vec::new(), BTreeSet::new(), 0);
        for entry in entries.files {
            let is_app = crate::path::stem(sources.path(entry)).eq_ignore_ascii_case("app");
            let root = sources.exported(entry, DEFAULT).filter(|_| is_app);
            match exports(sources, entry) {
                exported if exported.is_empty() => modules.push(entry),
                // Nothing else uses the other exports of the root component by convention.
                _ if let Some((file, Some(root))) = root => next.push((file, root)),
                exported => next.extend(exported),
            }
        }
        loop {
            if looked > LOOKED_MAX {
                return None;
            }
            let mut uses = Vec::new();
            let file = if let Some(file) = modules.pop() {
                if !reached.whole.insert(file) {
                    continue;
                }
                uses_of_module(sources, file, &mut entered, None, &mut uses)?;
                file
            } else if let Some((file, name)) = next.pop() {
                if reached.contains(file, &name) {
                    continue;
                }
                uses_of_module(sources, file, &mut entered, Some(&name), &mut uses)?;
                reached.names.entry(file).or_default().insert(name);
                file
            } else if let Some(file) = run.pop() {
                if entered.contains(&file) || sources.module(file).is_none() {
                    continue;
                }
                uses_of_module(sources, file, &mut entered, Some(""), &mut uses)?;
                file
            } else {
                return Some(reached);
            };
            looked += sources.module(file).map_or(0, |module| module.body.len());
            if loaded.insert(file) {
                modules.extend(loads(sources, file));
                for (_, specifier) in sources.module(file).iter().flat_map(|module| &module.specifiers) {
                    run.extend(sources.resolve(file, specifier));
                    reached.is_certain &= !sources.is_lost(file, specifier);
                }
            }
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
                    Use::Module(path) => match sources.resolve(file, path) {
                        Some(module) if sources.module(module).is_some() => match exports(sources, module) {
                            exported if exported.is_empty() => modules.push(module),
                            exported => {
                                next.extend(exported);
                                run.push(module);
                            }
                        },
                        Some(_) => reached.is_certain &= !sources.is_lost(file, path),
                        // The path is not constant.
                        None if path.is_empty() => return None,
                        None if sources.is_lost(file, path) => reached.is_certain = false,
                        // A package, or data.
                        None if !path.starts_with(['.', '/']) || path.ends_with(".json") => {}
                        None => return None,
                    },
                    Use::Message(_) => {}
                }
            }
        }
    }

    pub(in crate::gate) fn contains(&self, file: FileId, name: &str) -> bool {
        self.whole.contains(&file) || self.names.get(&file).is_some_and(|names| names.contains(name))
    }

    /// Whether the page runs the file.
    pub(in crate::gate) fn enters(&self, file: FileId) -> bool {
        self.whole.contains(&file) || self.names.contains_key(&file)
    }

    /// Whether the page uses a name that this pattern declares.
    pub(in crate::gate) fn uses(&self, file: FileId, pattern: &Pattern) -> bool {
        let is_used = |names: &BTreeSet<String>| any_name(pattern, &|name| names.contains(name));
        self.whole.contains(&file) || self.names.get(&file).is_some_and(is_used)
    }
}

/// The modules that a file loads without a name: for their effect, as a worker, or with `require`.
fn loads(sources: &Sources<'_>, file: FileId) -> Vec<FileId> {
    let Some(module) = sources.module(file) else { return Vec::new() };
    let exported = module.exports.iter().filter_map(|export| export.from.as_deref());
    let bound: BTreeSet<&str> = module.imports.iter().map(|import| import.from.as_str()).chain(exported).collect();
    let is_bound = |name: &str| bound.contains(name);
    let specifiers = module.specifiers.iter().map(|(_, name)| name.as_str()).filter(|name| !is_bound(name));
    let mut loaded: Vec<FileId> = specifiers.filter_map(|name| sources.resolve(file, name)).collect();
    let text = sources.text(file);
    if ["require(", "new URL("].iter().any(|call| text.contains(call)) {
        let source = Source::new(text, extension(sources.path(file)));
        let texts = source.pieces.iter().filter(|piece| piece.kind == PieceKind::String);
        let paths = texts.map(|piece| piece.text).filter(|text| text.starts_with(['.', '/', '@']));
        loaded.extend(paths.filter(|path| !is_bound(path)).filter_map(|path| sources.resolve(file, path)));
    }
    loaded.retain(|file| sources.module(*file).is_some());
    loaded
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

/// How many statements are looked at for names: a module is looked at for each of its names that the page uses. Beyond, it
/// is unknown what the page reaches.
const LOOKED_MAX: usize = 10_000_000;

pub(super) fn declares(pattern: &Pattern, name: &str) -> bool {
    any_name(pattern, &|known| known == name)
}

fn any_name(pattern: &Pattern, is_wanted: &dyn Fn(&str) -> bool) -> bool {
    match pattern {
        Pattern::Name(name) => is_wanted(name),
        Pattern::Object(fields, rest) => {
            fields.iter().map(|(_, field)| field).chain(rest.as_deref()).any(|field| any_name(field, is_wanted))
        }
        Pattern::Array(items, rest) => {
            items.iter().flatten().chain(rest.as_deref()).any(|item| any_name(item, is_wanted))
        }
        Pattern::Default(pattern, _) => any_name(pattern, is_wanted),
        Pattern::Other => false,
    }
}
