//! Resolves names to declarations through imports, aliases and barrel files, and computes reachability.

use super::links::{Export, Found, Import, Index, Modules, Name, follow};
use super::outline::{Module, Part, Use, UseKind};
use super::resolve::Resolver;
use std::collections::BTreeSet;

/// The modules of a project, sorted by path. A [`Node`] is one part of a module.
pub(crate) struct Graph<'s> {
    pub modules: Vec<Module<'s>>,
    resolver: Resolver,
    /// By module: its first node.
    first: Vec<usize>,
    /// By node: its module.
    owners: Vec<usize>,
    /// By module: its top-level names and imports, sorted.
    declared: Vec<Vec<(&'s str, Declared)>>,
    /// By module: its exports by name.
    exported: Vec<Index<&'s str>>,
    /// By module: the files of its imports, then the files of its re-exports.
    files: Vec<[Vec<Option<usize>>; 2]>,
    /// By module: the targets of its imports.
    imported: Vec<Vec<Option<Target<'s>>>>,
    /// By node, then by use.
    targets: Vec<Vec<Option<Target<'s>>>>,
    /// By node.
    renders: Vec<bool>,
}

/// The index of a part, counted over all modules.
pub(crate) type Node = usize;

/// What a name resolves to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target<'s> {
    /// A declaration in the project. `default`: it is its module's default export.
    Part { node: Node, default: bool },
    /// The module namespace.
    Module(usize),
    /// An export of a package.
    Package { from: &'s str, name: &'s str },
}

/// Where a module declares a name: the index in its parts or imports.
#[derive(Debug, Clone, Copy)]
enum Declared {
    Part(usize),
    Import(usize),
}

/// If a name is declared twice, the first wins, and a declaration wins over an import.
fn declared<'s>(module: &Module<'s>) -> Vec<(&'s str, Declared)> {
    let parts = module.parts.iter().enumerate().map(|(at, part)| (part.name, Declared::Part(at)));
    let imports = module.imports.iter().enumerate().map(|(at, import)| (import.local, Declared::Import(at)));
    let mut names: Vec<(&str, Declared)> = parts.chain(imports).filter(|(name, _)| !name.is_empty()).collect();
    names.sort_by_key(|(a, _)| *a);
    names.dedup_by(|(later, _), (name, _)| later == name);
    names
}

/// Names that render without JSX.
const CALLS: [&str; 4] = ["createElement", "jsx", "jsxs", "React"];
impl<'s> Graph<'s> {
    /// `modules` must be sorted by path.
    pub(crate) fn new(modules: Vec<Module<'s>>, resolver: Resolver) -> Self {
        let mut graph = Self {
            modules,
            resolver,
            first: Vec::new(),
            owners: Vec::new(),
            declared: Vec::new(),
            exported: Vec::new(),
            files: Vec::new(),
            imported: Vec::new(),
            targets: Vec::new(),
            renders: Vec::new(),
        };
        for (at, module) in graph.modules.iter().enumerate() {
            graph.first.push(graph.owners.len());
            graph.owners.extend(module.parts.iter().map(|_| at));
            graph.declared.push(declared(module));
            graph.exported.push(Index::new(module.exports.iter().map(|export| export.name)));
            let imported = module.imports.iter().map(|import| graph.file(at, import.from));
            let passed_on = module.exports.iter().map(|export| graph.file(at, export.from?));
            graph.files.push([imported.collect(), passed_on.collect()]);
        }
        graph.imported = (0..graph.modules.len()).map(|module| graph.imported_by(module)).collect();
        graph.targets = graph.nodes().map(|node| graph.targets_of(node)).collect();
        graph.renders = graph.rendering();
        graph
    }

    pub(crate) fn nodes(&self) -> std::ops::Range<Node> {
        0..self.owners.len()
    }

    pub(crate) fn module_of(&self, node: Node) -> usize {
        self.owners.get(node).copied().unwrap_or_default()
    }

    pub(crate) fn path_of(&self, node: Node) -> &'s str {
        self.modules.get(self.module_of(node)).map_or("", |module| module.path)
    }

    pub(crate) fn part(&self, node: Node) -> Option<&Part<'s>> {
        let module = self.module_of(node);
        self.modules.get(module)?.parts.get(node - self.first.get(module)?)
    }

    /// The uses of a part, each with its target.
    pub(crate) fn uses(&self, node: Node) -> impl Iterator<Item = (&Use<'s>, Option<Target<'s>>)> {
        let uses = self.part(node).map_or(&[][..], |part| &part.uses);
        let targets = self.targets.get(node).map_or(&[][..], |targets| targets);
        uses.iter().zip(targets.iter().copied())
    }

    pub(crate) fn nodes_of(&self, module: usize) -> std::ops::Range<Node> {
        let first = self.first.get(module).copied().unwrap_or_default();
        first..first + self.modules.get(module).map_or(0, |module| module.parts.len())
    }

    /// The part renders an element, a lazily loaded component, or another part that renders.
    pub(crate) fn renders(&self, node: Node) -> bool {
        self.renders.get(node) == Some(&true)
    }

    /// The part is a component by its name and file, even if it renders nothing.
    pub(crate) fn is_component(&self, node: Node) -> bool {
        let path = self.path_of(node);
        let is_named = || self.part(node).is_some_and(|part| part.name == "default" || is_component_name(part.name));
        path.ends_with(".tsx") || path.ends_with(".jsx") || is_named()
    }

    fn rendering(&self) -> Vec<bool> {
        let mut named_by: Vec<Vec<Node>> = vec![Vec::new(); self.owners.len()];
        let mut waiting = Vec::new();
        for node in self.nodes() {
            for (used, target) in self.uses(node) {
                match (used.kind, target) {
                    (UseKind::Tag | UseKind::HostTag | UseKind::Load(_), _) => waiting.push(node),
                    (UseKind::Value | UseKind::Member, Some(Target::Part { node: other, .. })) => {
                        named_by.get_mut(other).into_iter().for_each(|by| by.push(node));
                    }
                    (UseKind::Value, _) if CALLS.contains(&used.text) => waiting.push(node),
                    _ => {}
                }
            }
        }
        let mut rendering = vec![false; self.owners.len()];
        while let Some(node) = waiting.pop() {
            if let Some(seen @ false) = rendering.get_mut(node) {
                *seen = true;
                waiting.extend(named_by.get(node).into_iter().flatten());
            }
        }
        rendering
    }

    /// The declaration that a module exports under `name`.
    pub(crate) fn exported(&self, module: usize, name: &'s str) -> Option<Target<'s>> {
        self.follow(Name::Exported(module, name))
    }

    fn follow(&self, name: Name<'s>) -> Option<Target<'s>> {
        match follow(self, name)? {
            Found::Declared { module, name, default } => match self.declared(module, name)? {
                Declared::Part(part) => Some(Target::Part { node: self.first.get(module)? + part, default }),
                Declared::Import(_) => None,
            },
            Found::Module(module) => Some(Target::Module(module)),
            Found::Package { from, name } => Some(Target::Package { from, name }),
        }
    }

    fn imported_by(&self, module: usize) -> Vec<Option<Target<'s>>> {
        self.imports(module).map(|(import, _)| self.follow(Name::Local(module, import.local))).collect()
    }

    fn declared(&self, module: usize, name: &str) -> Option<Declared> {
        let names = self.declared.get(module)?;
        let at = names.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
        names.get(at).map(|(_, declared)| *declared)
    }

    /// The exports of a module, with the files of re-exports.
    pub(crate) fn exports(&self, module: usize) -> impl Iterator<Item = (&Export<&'s str>, Option<usize>)> {
        let exports = self.modules.get(module).map_or(&[][..], |module| &module.exports);
        let files = self.files.get(module).map_or(&[][..], |[_, passed_on]| passed_on);
        exports.iter().zip(files.iter().copied())
    }

    /// The imports of a module, with their files.
    pub(crate) fn imports(&self, module: usize) -> impl Iterator<Item = (&Import<&'s str>, Option<usize>)> {
        let imports = self.modules.get(module).map_or(&[][..], |module| &module.imports);
        let files = self.files.get(module).map_or(&[][..], |[imported, _]| imported);
        imports.iter().zip(files.iter().copied())
    }

    /// By module: how many others import it, for values or types.
    pub(crate) fn importers(&self) -> Vec<usize> {
        let mut counts = vec![0; self.modules.len()];
        for (at, module) in self.modules.iter().enumerate() {
            let imported: BTreeSet<usize> = module.specifiers.iter().filter_map(|from| self.file(at, from)).collect();
            for other in imported.into_iter().filter(|other| *other != at) {
                counts.get_mut(other).into_iter().for_each(|count| *count += 1);
            }
        }
        counts
    }

    /// All parts that a module exports.
    pub(crate) fn exports_of(&self, module: usize) -> Vec<Node> {
        let (mut nodes, mut modules, mut seen, mut at) = (Vec::new(), vec![module], BTreeSet::from([module]), 0);
        while let Some(module) = modules.get(at).copied() {
            at += 1;
            for (export, file) in self.exports(module) {
                match file {
                    Some(file) if export.name == "*" => modules.extend(seen.insert(file).then_some(file)),
                    _ => {
                        if let Some(Target::Part { node, .. }) = self.exported(module, export.name) {
                            nodes.push(node);
                        }
                    }
                }
            }
        }
        nodes
    }

    fn targets_of(&self, node: Node) -> Vec<Option<Target<'s>>> {
        let module = self.module_of(node);
        let uses = self.part(node).map_or(&[][..], |part| &part.uses);
        uses.iter()
            .map(|used| match used.kind {
                UseKind::Load(name) => {
                    let file = self.file(module, used.text)?;
                    self.exported(file, name).or(Some(Target::Module(file)))
                }
                UseKind::Tag => self.resolve_name(module, used.text, true),
                UseKind::Member => self.resolve_name(module, used.text, false),
                UseKind::Value => self.bare(module, used.text),
                _ => None,
            })
            .collect()
    }

    /// Resolves `Hero` or `UI.Hero`. As a tag, a member of a component resolves to the component.
    fn resolve_name(&self, module: usize, name: &'s str, is_tag: bool) -> Option<Target<'s>> {
        let Some((object, member)) = name.split_once('.') else { return self.bare(module, name) };
        match self.bare(module, object)? {
            Target::Module(file) => self.exported(file, member.split('.').next().unwrap_or(member)),
            Target::Package { from, .. } => {
                Some(Target::Package { from, name: member.rsplit('.').next().unwrap_or(member) })
            }
            target => is_tag.then_some(target),
        }
    }

    /// A name without dots.
    fn bare(&self, module: usize, name: &str) -> Option<Target<'s>> {
        match self.declared(module, name)? {
            Declared::Part(part) => Some(Target::Part { node: self.first.get(module)? + part, default: false }),
            Declared::Import(import) => *self.imported.get(module)?.get(import)?,
        }
    }

    /// The project file of an import specifier.
    fn file(&self, from: usize, specifier: &str) -> Option<usize> {
        let path = self.modules.get(from)?.path;
        let known = |path: &str| self.modules.binary_search_by(|module| module.path.cmp(path)).ok();
        self.resolver.resolve(path, specifier, known)
    }

    /// By node: whether it can be reached `from` these nodes without passing through `avoid`. Entering a module runs
    /// its top-level statements and the statements of its side-effect imports.
    pub(crate) fn reach(&self, from: &[Node], avoid: &[Node]) -> Vec<bool> {
        let mut reached = vec![false; self.owners.len()];
        let mut waiting = from.to_vec();
        let mut entered = vec![false; self.modules.len()];
        while let Some(node) = waiting.pop() {
            match reached.get_mut(node) {
                Some(seen) if !*seen && !avoid.contains(&node) => *seen = true,
                _ => continue,
            }
            let module = self.module_of(node);
            if let Some(entered) = entered.get_mut(module).filter(|entered| !**entered) {
                *entered = true;
                self.enter(module, &mut waiting);
            }
            for target in self.targets.get(node).into_iter().flatten().flatten() {
                match target {
                    Target::Part { node, .. } => waiting.push(*node),
                    Target::Module(module) => waiting.extend(self.exports_of(*module)),
                    Target::Package { .. } => {}
                }
            }
        }
        reached
    }

    fn enter(&self, module: usize, waiting: &mut Vec<Node>) {
        waiting.extend(self.first.get(module));
        let run = self.imports(module).filter(|(import, _)| import.local.is_empty());
        waiting.extend(run.filter_map(|(_, file)| self.first.get(file?)));
    }
}

/// `Hero`, not `HEROES` and not `hero`.
pub(crate) fn is_component_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_uppercase()) && name.contains(|c: char| c.is_lowercase())
}

impl<'s> Modules<'s> for Graph<'s> {
    fn is_code(&self, _: usize) -> bool {
        true
    }

    fn export(&self, module: usize, at: usize) -> Option<Export<&'s str>> {
        self.modules.get(module)?.exports.get(at).copied()
    }

    fn exports_named(&self, module: usize, name: &str) -> Vec<usize> {
        self.exported.get(module).map(|index| index.places(name).collect()).unwrap_or_default()
    }

    fn export_file(&self, module: usize, at: usize) -> Option<usize> {
        let [_, passed_on] = self.files.get(module)?;
        *passed_on.get(at)?
    }

    fn import(&self, module: usize, local: &str) -> Option<(Import<&'s str>, Option<usize>)> {
        match self.declared(module, local)? {
            Declared::Part(_) => None,
            Declared::Import(at) => {
                let [imported, _] = self.files.get(module)?;
                Some((*self.modules.get(module)?.imports.get(at)?, *imported.get(at)?))
            }
        }
    }
}
