//! The files of a project before or after a task, parsed on demand.

use super::evaluate::Node;
use super::locate;
use super::reach::{Reached, declares};
use crate::js::links::{DEFAULT, Export, Found, Import, Modules, Name, follow};
use crate::js::markup;
use crate::js::resolve::Resolver;
use crate::js::tree::{Module, Parsed, Statement, parse};
use crate::path::extension;
use crate::syntax::markup::MARKUP;
use serde_json::Value;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The sources before and after a task.
pub(in crate::gate) struct States<'s> {
    pub(in crate::gate) old: Sources<'s>,
    pub(in crate::gate) new: Sources<'s>,
    /// No file differs.
    pub(super) is_same: bool,
}

impl<'s> States<'s> {
    /// Texts by path.
    pub(in crate::gate) fn new(before: &'s BTreeMap<String, String>, after: &'s BTreeMap<String, String>) -> Self {
        let old = Sources::new(before.iter().map(|(path, text)| (path.as_str(), text.as_str())));
        let new = Sources::sharing(after.iter().map(|(path, text)| (path.as_str(), text.as_str())), &old);
        Self { old, new, is_same: before == after }
    }

    /// Parses the files, one for each item. The checks parse those that are left, all at once.
    pub(in crate::gate) fn parse(&self) -> impl Iterator<Item = ()> {
        [&self.old, &self.new].into_iter().flat_map(|sources| {
            let files = sources.ids().map(|file| {
                sources.parsed(file);
            });
            files.chain(std::iter::once_with(|| {
                sources.reached();
            }))
        })
    }
}

/// The index of a file in [`Sources`].
pub(in crate::gate) type FileId = usize;

/// Sorted by path.
pub(in crate::gate) struct Sources<'s> {
    files: Vec<File<'s>>,
    resolver: Resolver,
    /// `package.json`.
    manifest: Value,
    /// A bundler's configuration may have aliases that the resolver does not know.
    has_aliases: bool,
    reached: OnceCell<Option<Reached>>,
    page_content: OnceCell<Option<Vec<Node>>>,
}

struct File<'s> {
    path: &'s str,
    text: &'s str,
    /// Shared with the other state if the text is the same.
    read: Rc<OnceCell<Read>>,
}

/// A file that is read.
struct Read {
    /// The source that a markup file is read as.
    source: Option<String>,
    parsed: Parsed,
    root_keys: OnceCell<BTreeSet<Rc<str>>>,
}

impl File<'_> {
    fn read(&self) -> &Read {
        self.read.get_or_init(|| {
            if !is_markup(self.path) {
                return Read { source: None, parsed: parse(self.path, self.text), root_keys: OnceCell::new() };
            }
            let (source, parsed) = markup::read(self.text, extension(self.path));
            Read { source: Some(source), parsed, root_keys: OnceCell::new() }
        })
    }
}

/// Whether a file has a template and scripts of its own.
pub(in crate::gate) fn is_markup(path: &str) -> bool {
    MARKUP.contains(&extension(path))
}

impl<'s> Sources<'s> {
    /// `files` must be sorted by path.
    pub(super) fn new(files: impl Iterator<Item = (&'s str, &'s str)>) -> Self {
        let files: Vec<File<'s>> = files.map(|(path, text)| File { path, text, read: Rc::default() }).collect();
        let config = |path: &str| files.iter().find(|file| file.path == path).map(|file| file.text);
        let manifest = config("package.json").and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        let is_config = |file: &&File<'_>| !file.path.starts_with("src/") && file.path.contains("config");
        let has_aliases = files.iter().filter(is_config).any(|file| file.text.contains("alias"));
        let resolver = Resolver::new(config);
        Self { resolver, manifest, has_aliases, files, reached: OnceCell::new(), page_content: OnceCell::new() }
    }

    /// Shares the trees of files that are equal in `other`.
    pub(super) fn sharing(files: impl Iterator<Item = (&'s str, &'s str)>, other: &Sources<'_>) -> Self {
        let mut sources = Self::new(files);
        for file in &mut sources.files {
            if let Some(same) = other.find(file.path).and_then(|id| other.files.get(id))
                && same.text == file.text
            {
                file.read = same.read.clone();
            }
        }
        sources
    }

    pub(in crate::gate) fn ids(&self) -> std::ops::Range<FileId> {
        0..self.files.len()
    }

    pub(in crate::gate) fn find(&self, path: &str) -> Option<FileId> {
        self.files.binary_search_by(|file| file.path.cmp(path)).ok()
    }

    pub(in crate::gate) fn path(&self, file: FileId) -> &'s str {
        self.files.get(file).map_or("", |file| file.path)
    }

    /// The source that the file's tree is about.
    pub(in crate::gate) fn text(&self, file: FileId) -> &str {
        let Some(file) = self.files.get(file) else { return "" };
        if is_markup(file.path) { file.read().source.as_deref().unwrap_or(file.text) } else { file.text }
    }

    /// The text of the file.
    pub(super) fn written(&self, file: FileId) -> &'s str {
        self.files.get(file).map_or("", |file| file.text)
    }

    pub(in crate::gate) fn parsed(&self, file: FileId) -> &Parsed {
        const NONE: &Parsed = &Parsed::Foreign;
        self.files.get(file).map_or(NONE, |file| &file.read().parsed)
    }

    pub(in crate::gate) fn module(&self, file: FileId) -> Option<&Module> {
        match self.parsed(file) {
            Parsed::Module(module) => Some(module),
            _ => None,
        }
    }

    /// The keys of the root elements of a module; the keys in a source that cannot be parsed.
    pub(super) fn root_keys(&self, file: FileId) -> &BTreeSet<Rc<str>> {
        const NONE: &BTreeSet<Rc<str>> = &BTreeSet::new();
        let Some(Read { parsed, root_keys, .. }) = self.files.get(file).map(File::read) else { return NONE };
        root_keys.get_or_init(|| match parsed {
            Parsed::Module(module) => locate::root_keys(module),
            Parsed::Broken { .. } | Parsed::Unreadable => locate::written_keys(self.text(file)),
            Parsed::Data(_) | Parsed::Foreign => BTreeSet::new(),
        })
    }

    /// What the page reaches, if known.
    pub(in crate::gate) fn reached(&self) -> Option<&Reached> {
        self.reached.get_or_init(|| Reached::from_entries(self)).as_ref()
    }

    /// What the page renders, if it can be evaluated.
    pub(super) fn page_content(&self) -> Option<&[Node]> {
        self.page_content.get_or_init(|| locate::page_content(self)).as_deref()
    }

    /// The file of an import; `None` for a package.
    pub(in crate::gate) fn resolve(&self, from: FileId, specifier: &str) -> Option<FileId> {
        let is_constant = !specifier.is_empty();
        self.resolver.resolve(self.path(from), specifier, |path| self.find(path)).filter(|_| is_constant)
    }

    /// The file of a path in a folder.
    pub(super) fn resolve_in(&self, folder: &str, path: &str) -> Option<FileId> {
        self.resolver.resolve(&crate::path::join(folder, "document"), path, |path| self.find(path))
    }

    pub(super) fn manifest(&self) -> &Value {
        &self.manifest
    }

    /// Whether the manifest lists a package.
    pub(in crate::gate) fn depends_on(&self, package: &str) -> bool {
        ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"]
            .iter()
            .any(|list| self.manifest.get(list).is_some_and(|packages| packages.get(package).is_some()))
    }

    /// Whether an import may load code that is not read: through an unknown alias, from a generated module, or in another
    /// language.
    pub(super) fn is_lost(&self, from: FileId, specifier: &str) -> bool {
        const CODE: [&str; 13] =
            ["", "tsx", "ts", "jsx", "js", "mjs", "mts", "cjs", "cts", "vue", "svelte", "astro", "mdx"];
        const COMPONENTS: [&str; 4] = ["vue", "svelte", "astro", "mdx"];
        if let Some(file) = self.resolve(from, specifier) {
            return COMPONENTS.contains(&extension(self.path(file)));
        }
        let path = specifier.split('?').next().unwrap_or_default();
        if path.starts_with(['.', '/']) {
            return CODE.contains(&extension(path));
        }
        let mut parts = path.split('/');
        let package = match (parts.next().unwrap_or_default(), parts.next()) {
            (scope, Some(name)) if scope.starts_with('@') => format!("{scope}/{name}"),
            (name, _) => name.to_owned(),
        };
        let is_odd = path.starts_with("virtual:") || path.starts_with('~');
        let is_alias = self.has_aliases || path.starts_with(['@', '#', '$']);
        is_odd || is_alias && self.manifest.is_object() && !path.starts_with("node:") && !self.depends_on(&package)
    }

    /// The file and name that declare a module's export; the name is `None` for the module namespace.
    pub(in crate::gate) fn exported(&self, file: FileId, name: &str) -> Option<(FileId, Option<String>)> {
        self.module(file)?;
        declared(follow(&self, Name::Exported(file, name)))
    }

    /// The names that a module exports, including re-exports.
    pub(in crate::gate) fn export_names(&self, file: FileId) -> Vec<String> {
        let (mut names, mut seen, mut next) = (Vec::new(), Vec::new(), vec![file]);
        while let Some(at) = next.pop() {
            let Some(module) = self.module(at).filter(|_| !seen.contains(&at)) else { continue };
            seen.push(at);
            for export in &module.exports {
                match (export.name.as_str(), &export.from) {
                    ("*", Some(from)) => next.extend(self.resolve(at, from)),
                    (DEFAULT, _) if at != file => {}
                    (name, _) => names.push(name.to_owned()),
                }
            }
        }
        names
    }

    /// Whether a module declares a name itself.
    pub(in crate::gate) fn declares(&self, file: FileId, name: &str) -> bool {
        self.module(file).is_some_and(|module| module.body.iter().any(|statement| declares_name(statement, name)))
    }

    /// The declaration of a name in a module, following its import.
    pub(in crate::gate) fn binding(&self, file: FileId, name: &str) -> Option<(FileId, Option<String>)> {
        self.module(file)?;
        declared(follow(&self, Name::Local(file, name)))
    }
}

fn declares_name(statement: &Statement, name: &str) -> bool {
    matches!(statement, Statement::Declare(declaration) if declares(&declaration.pattern, name))
}

fn declared(found: Option<Found<'_>>) -> Option<(FileId, Option<String>)> {
    match found? {
        Found::Declared { module, name, .. } => Some((module, Some(name.to_owned()))),
        Found::Module(module) => Some((module, None)),
        Found::Package { .. } => None,
    }
}

impl<'m> Modules<'m> for &'m Sources<'_> {
    fn is_code(&self, module: usize) -> bool {
        self.module(module).is_some()
    }

    fn export(&self, module: usize, at: usize) -> Option<Export<&'m str>> {
        let Export { name, from, local } = self.module(module)?.exports.get(at)?;
        Some(Export { name, from: from.as_deref(), local })
    }

    fn exports_named(&self, module: usize, name: &str) -> Vec<usize> {
        self.module(module).map(|module| module.exports_by_name.places(name).collect()).unwrap_or_default()
    }

    fn export_file(&self, module: usize, at: usize) -> Option<usize> {
        let from = self.module(module)?.exports.get(at)?.from.as_deref()?;
        self.resolve(module, from)
    }

    fn import(&self, module: usize, local: &str) -> Option<(Import<&'m str>, Option<usize>)> {
        let found = self.module(module)?;
        let Import { local, from, name } = found.imports.get(found.imports_by_name.places(local).next()?)?;
        Some((Import { local, from, name }, self.resolve(module, from)))
    }
}
