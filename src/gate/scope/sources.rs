//! The files of a project before or after a task, parsed on demand.

use crate::js::resolve::Resolver;
use crate::js::tree::{DEFAULT, Exported, Imported, Module};
use crate::js::tree::{Parsed, parse};
use std::cell::OnceCell;
use std::rc::Rc;

/// The index of a file in [`Sources`].
pub(super) type FileId = usize;

/// Sorted by path.
pub(super) struct Sources<'s> {
    files: Vec<File<'s>>,
    resolver: Resolver,
}

struct File<'s> {
    path: &'s str,
    text: &'s str,
    /// Shared with the other state if the text is the same.
    parsed: Rc<OnceCell<Parsed>>,
}

/// Maximum number of re-exports to follow.
const MAX_HOPS: u32 = 16;

impl<'s> Sources<'s> {
    /// `files` must be sorted by path.
    pub(super) fn new(files: impl Iterator<Item = (&'s str, &'s str)>) -> Self {
        let files: Vec<File<'s>> = files.map(|(path, text)| File { path, text, parsed: Rc::default() }).collect();
        let config = |path: &str| files.iter().find(|file| file.path == path).map(|file| file.text);
        Self { resolver: Resolver::new(config), files }
    }

    /// Shares the trees of files that are equal in `other`.
    pub(super) fn sharing(files: impl Iterator<Item = (&'s str, &'s str)>, other: &Sources<'_>) -> Self {
        let mut sources = Self::new(files);
        for file in &mut sources.files {
            if let Some(same) = other.find(file.path).and_then(|id| other.files.get(id))
                && same.text == file.text
            {
                file.parsed = same.parsed.clone();
            }
        }
        sources
    }

    pub(super) fn ids(&self) -> std::ops::Range<FileId> {
        0..self.files.len()
    }

    pub(super) fn find(&self, path: &str) -> Option<FileId> {
        self.files.binary_search_by(|file| file.path.cmp(path)).ok()
    }

    pub(super) fn path(&self, file: FileId) -> &'s str {
        self.files.get(file).map_or("", |file| file.path)
    }

    pub(super) fn text(&self, file: FileId) -> &'s str {
        self.files.get(file).map_or("", |file| file.text)
    }

    pub(super) fn parsed(&self, file: FileId) -> &Parsed {
        const NONE: &Parsed = &Parsed::Foreign;
        self.files.get(file).map_or(NONE, |file| file.parsed.get_or_init(|| parse(file.path, file.text)))
    }

    pub(super) fn module(&self, file: FileId) -> Option<&Module> {
        match self.parsed(file) {
            Parsed::Module(module) => Some(module),
            _ => None,
        }
    }

    /// The file of an import; `None` for a package.
    pub(super) fn resolve(&self, from: FileId, specifier: &str) -> Option<FileId> {
        self.resolver.resolve(self.path(from), specifier, |path| self.find(path))
    }

    /// The file and name that declare a module's export; the name is `None` for the module namespace.
    pub(super) fn exported(&self, file: FileId, name: &str) -> Option<(FileId, Option<String>)> {
        self.exported_within(file, name, MAX_HOPS)
    }

    fn exported_within(&self, file: FileId, name: &str, hops: u32) -> Option<(FileId, Option<String>)> {
        let hops = hops.checked_sub(1)?;
        let module = self.module(file)?;
        if let Some(export) = module.exports.iter().find(|export| export.name == name) {
            return match &export.what {
                Exported::Local(local) => self.binding_within(file, local, hops),
                Exported::From(from, imported) => self.imported_within(self.resolve(file, from)?, imported, hops),
            };
        }
        let stars = module.stars.iter().filter(|_| name != DEFAULT);
        stars.filter_map(|from| self.resolve(file, from)).find_map(|star| self.exported_within(star, name, hops))
    }

    /// The names that a module exports, including re-exports.
    pub(super) fn export_names(&self, file: FileId) -> Vec<String> {
        let (mut names, mut seen, mut next) = (Vec::new(), Vec::new(), vec![file]);
        while let Some(at) = next.pop() {
            let Some(module) = self.module(at).filter(|_| !seen.contains(&at)) else { continue };
            seen.push(at);
            let own = module.exports.iter().map(|export| &export.name);
            names.extend(own.filter(|name| at == file || *name != DEFAULT).cloned());
            next.extend(module.stars.iter().filter_map(|from| self.resolve(at, from)));
        }
        names
    }

    /// The declaration of a name in a module, following its import.
    pub(super) fn binding(&self, file: FileId, name: &str) -> Option<(FileId, Option<String>)> {
        self.binding_within(file, name, MAX_HOPS)
    }

    fn binding_within(&self, file: FileId, name: &str, hops: u32) -> Option<(FileId, Option<String>)> {
        match self.module(file)?.imports.iter().find(|import| import.local == name) {
            Some(import) => self.imported_within(self.resolve(file, &import.from)?, &import.name, hops),
            None => Some((file, Some(name.to_owned()))),
        }
    }

    fn imported_within(&self, file: FileId, imported: &Imported, hops: u32) -> Option<(FileId, Option<String>)> {
        match (imported, self.parsed(file)) {
            (Imported::Name(name), Parsed::Module(_)) => self.exported_within(file, name, hops),
            // A name exported by JSON is one of its fields.
            (Imported::Name(name), _) if name != DEFAULT => Some((file, Some(name.clone()))),
            _ => Some((file, None)),
        }
    }
}
