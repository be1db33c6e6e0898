//! What a prompt says about an existing project, so that an agent uses what is there.

mod manifest;

use crate::error::Error;
use crate::js::graph::{Graph, Target, is_component_name};
use crate::js::links::DEFAULT;
use crate::js::outline::{self, Module};
use crate::js::resolve::{CONFIGS, Resolver, read_config};
use crate::json;
use crate::path;
use crate::port::Host;
use crate::sources::{self, is_aside};
use crate::text::listed;
use manifest::Root;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The version of the stored form. Another one is not read.
const VERSION: u32 = 1;
/// Maximum number of stored names of a kind.
const MAX_STORED: usize = 400;
/// Maximum number of names of a kind in the prompt.
const MAX_SHOWN: usize = 40;
/// The extensions of sources.
const EXTENSIONS: [&str; 11] = ["tsx", "jsx", "ts", "js", "mjs", "cjs", "mts", "cts", "vue", "svelte", "astro"];
/// The extensions of files that are one component each, and that the parser does not read.
const COMPONENT_FILES: [&str; 3] = ["vue", "svelte", "astro"];

/// The structure of a project.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Analysis {
    version: u32,
    /// The digest of the project that was analysed, from the caller.
    pub tree: String,
    /// `Next.js`, `Vite + React`.
    pub framework: Option<String>,
    /// `npm`, `pnpm`, `yarn` or `bun`.
    pub package_manager: Option<String>,
    /// `TypeScript (strict)`, `TypeScript` or `JavaScript`.
    pub language: Option<String>,
    /// The names of the scripts of `package.json`.
    pub scripts: Vec<String>,
    /// Exported interfaces, type aliases and enums; the most imported files first.
    pub key_types: Vec<Declared>,
    /// Exported components, in the same order.
    pub components: Vec<Declared>,
}

/// An exported declaration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Declared {
    pub name: String,
    pub file: String,
}

/// Analyses the project. `tree` identifies its state, so that the result can be stored until the state changes. A file that
/// cannot be parsed contributes what can be read of it.
///
/// # Errors
/// `fs`.
pub async fn analyse(host: &Host, tree: &str) -> Result<Analysis, Error> {
    let project = host.project();
    let names = project.read_dir("").await?.unwrap_or_default();
    let mut configs = BTreeMap::new();
    for path in CONFIGS {
        configs.insert(path, sources::read_file(project, path).await?.flatten());
    }
    let mut files = sources::read(project, &EXTENSIONS).await?;
    files.extend(sources::read_beside(project, &EXTENSIONS).await?);
    files.retain(|(path, _)| !is_aside(path) && !path.ends_with(".d.ts"));
    files.sort();
    let mut modules = Vec::with_capacity(files.len());
    for (path, text) in &files {
        modules.push(match text {
            Some(text) if !COMPONENT_FILES.contains(&path::extension(path)) => outline::read(path, text, false),
            _ => Module { path, ..Module::default() },
        });
        project.pause().await;
    }
    let config = |path: &str| configs.get(path)?.as_deref();
    let manifest = config("package.json").and_then(read_config).unwrap_or_default();
    let root = Root { names: &names, manifest: &manifest };
    let is_strict = |path: &&str| {
        let config = config(path).and_then(read_config).unwrap_or_default();
        config.pointer("/compilerOptions/strict") == Some(&Value::Bool(true))
    };
    let is_typed = |(path, _): &(String, _)| [".ts", ".tsx", ".mts", ".cts"].iter().any(|end| path.ends_with(end));
    let language = if root.has("tsconfig.json") || root.depends_on("typescript") || files.iter().any(is_typed) {
        Some(if CONFIGS.iter().any(is_strict) { "TypeScript (strict)" } else { "TypeScript" })
    } else {
        (!files.is_empty() || root.has("package.json")).then_some("JavaScript")
    };
    let graph = Graph::new(modules, Resolver::new(config));
    Ok(Analysis {
        version: VERSION,
        tree: tree.to_owned(),
        framework: root.framework(),
        package_manager: root.package_manager(),
        language: language.map(str::to_owned),
        scripts: root.scripts(),
        key_types: most_imported(&graph, types),
        components: most_imported(&graph, components),
    })
}

/// The names that `read` finds in each module, the most imported modules first.
fn most_imported<'s>(graph: &Graph<'s>, read: fn(&Graph<'s>, usize) -> Vec<&'s str>) -> Vec<Declared> {
    let mut ranked: Vec<(usize, usize)> = graph.importers().into_iter().enumerate().collect();
    ranked.sort_by_key(|(_, importers)| Reverse(*importers));
    let declared = ranked.into_iter().flat_map(|(module, _)| {
        let file = graph.modules.get(module).map_or("", |module| module.path);
        let mut names = read(graph, module);
        names.sort_unstable();
        names.dedup();
        names.into_iter().map(move |name| Declared { name: name.to_owned(), file: file.to_owned() })
    });
    declared.take(MAX_STORED).collect()
}

/// The types that a module declares and exports.
fn types<'s>(graph: &Graph<'s>, module: usize) -> Vec<&'s str> {
    let Some(module) = graph.modules.get(module) else { return Vec::new() };
    let shapes: BTreeSet<&str> = module.shapes.iter().map(|shape| shape.name).collect();
    let is_shape = |name: &str| shapes.contains(name);
    let untyped = module.exports.iter().filter(|export| is_shape(export.local));
    module.types.iter().chain(untyped).filter(|export| export.from.is_none()).map(|export| export.local).collect()
}

/// The components that a module declares and exports.
fn components<'s>(graph: &Graph<'s>, at: usize) -> Vec<&'s str> {
    let Some(module) = graph.modules.get(at) else { return Vec::new() };
    if COMPONENT_FILES.contains(&path::extension(module.path)) {
        // `+page.svelte` is a route.
        return Some(path::stem(module.path)).filter(|name| !name.starts_with('+')).into_iter().collect();
    }
    let own = module.exports.iter().filter(|export| export.from.is_none());
    own.filter_map(|export| match graph.exported(at, export.name)? {
        Target::Part { node, .. } if graph.module_of(node) == at && graph.renders(node) => {
            let name = graph.part(node)?.name;
            let is_anonymous = name == DEFAULT;
            let name = if is_anonymous { path::stem(module.path) } else { name };
            (is_anonymous || is_component_name(name)).then_some(name)
        }
        _ => None,
    })
    .collect()
}

impl Analysis {
    /// A stored analysis, if it is of this state.
    pub fn stored(text: &str, tree: &str) -> Option<Self> {
        json::read(text).ok().filter(|stored: &Self| stored.version == VERSION && stored.tree == tree)
    }

    /// The lines of a prompt. What is not known has no line; an empty project has none.
    pub fn text(&self) -> String {
        let names =
            |all: &[Declared]| all.iter().map(|Declared { name, file }| format!("{name} ({file})")).collect::<Vec<_>>();
        let fact = |fact: &Option<String>| fact.iter().cloned().collect();
        let lines = [
            ("Framework", fact(&self.framework)),
            ("Package Manager", fact(&self.package_manager)),
            ("Language", fact(&self.language)),
            ("Scripts", self.scripts.clone()),
            ("Key Types", names(&self.key_types)),
            ("Existing Components", names(&self.components)),
        ];
        lines.iter().filter(|(_, values)| !values.is_empty()).map(|(label, values)| line(label, values)).collect()
    }
}

fn line(label: &str, values: &[String]) -> String {
    // A name with a line break would become a line of its own.
    format!("{label}: {}\n", listed(values, MAX_SHOWN).replace(char::is_control, " "))
}

/// The names that a source exports, types included, in alphabetical order. A default export has the name of its
/// declaration, or `default`.
pub fn exports(path: &str, source: &str) -> Vec<String> {
    let module = outline::read(path, source, false);
    let exports = module.exports.iter().chain(&module.types);
    let mut names: Vec<String> = exports
        .map(|export| match (export.name, export.from) {
            ("*", Some(from)) => format!("* from {from}"),
            (DEFAULT, None) => export.local.to_owned(),
            (name, _) => name.to_owned(),
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests;
