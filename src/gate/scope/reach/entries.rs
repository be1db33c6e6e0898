//! Where the page starts: what its documents load, what the bundler's configuration names, and files by convention.

use super::super::sources::{FileId, Sources};
use super::super::walk::{Use, Walk};
use crate::js::lexer::{PieceKind, Source};
use crate::js::tree::{Parsed, parse};
use crate::path::{extension, name, parent, stem};
use crate::syntax::markup::{Script, scripts};

pub(super) struct Entries {
    pub files: Vec<FileId>,
    /// There is no other entry.
    pub is_certain: bool,
}

pub(super) fn find_entries(sources: &Sources<'_>) -> Entries {
    let mut found = Found { sources, files: Vec::new(), is_named: false, is_lost: false };
    for file in sources.ids() {
        match extension(sources.path(file)) {
            "html" | "htm" => found.document(file),
            _ if is_config(sources.path(file)) => found.config(file),
            _ => {}
        }
    }
    let Found { mut files, is_named, is_lost, .. } = found;
    let starts: Vec<FileId> = sources.ids().filter(|file| is_entry(sources.path(*file))).collect();
    let is_app = |file: &&FileId| stem(sources.path(**file)).eq_ignore_ascii_case("app");
    let is_clear = is_named || starts.iter().filter(|file| !is_app(file)).count() == 1;
    files.extend(starts);
    if files.is_empty() {
        let is_next = sources.depends_on("next");
        files.extend(sources.ids().filter(|file| is_routed(sources.path(*file), is_next)));
        return Entries { files, is_certain: false };
    }
    files.extend(of_manifest(sources));
    files.extend(sources.ids().filter(|file| is_run_elsewhere(sources.path(*file))));
    files.sort_unstable();
    files.dedup();
    Entries { files, is_certain: is_clear && !is_lost }
}

struct Found<'a, 's> {
    sources: &'a Sources<'s>,
    files: Vec<FileId>,
    is_named: bool,
    /// Something loads a file that is not known.
    is_lost: bool,
}

impl Found<'_, '_> {
    fn document(&mut self, document: FileId) {
        let (before, mut is_lost) = (self.files.len(), false);
        for script in scripts(self.sources.written(document)) {
            match script.address {
                Some(address) => match (self.address(document, address), script.is_module) {
                    (Ok(file), _) => self.files.extend(file),
                    (Err(()), true) => self.is_lost = true,
                    (Err(()), false) => is_lost = true,
                },
                None => self.inline(document, &script),
            }
        }
        // Beside a module, a plain script is a static file.
        self.is_lost |= is_lost && self.files.len() == before;
        self.is_named |= self.files.len() > before;
    }

    /// What a script in the document imports.
    fn inline(&mut self, document: FileId, script: &Script<'_>) {
        if !script.text.contains("import") {
            return;
        }
        let Parsed::Module(module) = parse("inline.jsx", script.text) else {
            self.is_lost = true;
            return;
        };
        let mut paths: Vec<&str> = module.specifiers.iter().map(|(_, path)| path.as_str()).collect();
        Walk::new(&mut |used| {
            if let Use::Module(path) = used {
                paths.push(path);
            }
        })
        .statements(&module.body);
        for path in paths.into_iter().filter(|path| path.is_empty() || path.starts_with(['.', '/', '@', '~'])) {
            match self.address(document, path) {
                Ok(file) => self.files.extend(file),
                Err(()) => self.is_lost = true,
            }
        }
    }

    /// The file of an address in a document; `None` for one elsewhere.
    ///
    /// # Errors
    /// The file is not known.
    fn address(&self, document: FileId, address: &str) -> Result<Option<FileId>, ()> {
        let address = address.split(['?', '#']).next().unwrap_or_default();
        // `%PUBLIC_URL%/src/main.tsx`, `{{ base }}/src/main.tsx`.
        let marks = [("%", "%"), ("{{", "}}"), ("<%", "%>")];
        let after = |(open, close): (&str, &str)| Some(address.strip_prefix(open)?.split_once(close)?.1);
        let path = marks.into_iter().find_map(after).unwrap_or(address);
        if path.contains("://") || path.starts_with("//") || path.starts_with("data:") {
            return Ok(None);
        }
        let folder = parent(self.sources.path(document));
        let folders = if path.starts_with('/') { ["", folder, "public"] } else { [folder, "", "public"] };
        let relative = format!("./{}", path.trim_start_matches('/'));
        let mut found = folders.into_iter().filter_map(|folder| self.sources.resolve_in(folder, &relative));
        found.find(|file| self.sources.module(*file).is_some()).map(Some).ok_or(())
    }

    /// The files that the configuration of a bundler names.
    fn config(&mut self, config: FileId) {
        let (path, text) = (self.sources.path(config), self.sources.text(config));
        let source = Source::new(text, extension(path));
        let texts = source.pieces.iter().filter(|piece| matches!(piece.kind, PieceKind::String | PieceKind::Template));
        let mut is_named = false;
        for text in texts.map(|piece| piece.text).filter(|text| text.contains(['.', '/'])) {
            for folder in ["", parent(path)] {
                let Some(file) = file_named(self.sources, folder, text).filter(|file| *file != config) else {
                    continue;
                };
                is_named = true;
                self.files.extend(self.sources.module(file).map(|_| file));
            }
        }
        self.is_named |= is_named;
        self.is_lost |= !is_named && ["entry", "input"].iter().any(|key| source.code().contains(key));
    }
}

/// The module or document that a text names.
fn file_named(sources: &Sources<'_>, folder: &str, text: &str) -> Option<FileId> {
    let file = sources.resolve_in(folder, &format!("./{}", text.trim_start_matches('/')))?;
    let is_read = sources.module(file).is_some() || matches!(extension(sources.path(file)), "html" | "htm");
    // A folder names no entry.
    let base = |path| name(path).split('.').next();
    (is_read && base(sources.path(file)) == base(text)).then_some(file)
}

/// The files that the manifest runs or publishes.
fn of_manifest(sources: &Sources<'_>) -> Vec<FileId> {
    let manifest = sources.manifest();
    let fields = ["main", "module", "browser", "source"].into_iter().filter_map(|field| manifest.get(field)?.as_str());
    let scripts = manifest.get("scripts").and_then(serde_json::Value::as_object);
    let scripts = scripts.into_iter().flat_map(serde_json::Map::values).filter_map(|script| script.as_str());
    let words = fields.chain(scripts).flat_map(|text| text.split([' ', '=', '"', '\'']));
    let files = words.filter(|word| word.contains('.')).filter_map(|word| file_named(sources, "", word));
    files.filter(|file| sources.module(*file).is_some()).collect()
}

/// The configuration of a bundler.
fn is_config(path: &str) -> bool {
    const TOOLS: [&str; 8] = ["webpack", "rollup", "vite.config", "rspack", "rsbuild", "esbuild", "tsup", "craco"];
    let is_code = matches!(extension(path), "js" | "ts" | "mjs" | "mts" | "cjs" | "cts");
    is_code && !path.starts_with("src/") && TOOLS.iter().any(|tool| name(path).contains(tool))
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

/// Files that frameworks load from the folder `app` or the project's folder, by name.
const LOADED: [&str; 20] = [
    "page",
    "layout",
    "route",
    "loading",
    "error",
    "global-error",
    "not-found",
    "template",
    "default",
    "root",
    "entry.client",
    "entry.server",
    "routes",
    "middleware",
    "instrumentation",
    "sitemap",
    "robots",
    "manifest",
    "icon",
    "opengraph-image",
];

/// Folders of what something other than a page runs: mails, PDFs, functions of a host, workers, databases, CI.
const ELSEWHERE: [&str; 18] = [
    "email",
    "emails",
    "mail",
    "mails",
    "pdf",
    "pdfs",
    "functions",
    "edge-functions",
    "workers",
    "cron",
    "jobs",
    "supabase",
    "prisma",
    "drizzle",
    "migrations",
    ".github",
    ".gitlab",
    ".circleci",
];
/// Names of service workers.
const SERVICE_WORKERS: [&str; 5] = ["sw", "service-worker", "serviceworker", "service_worker", "firebase-messaging-sw"];

/// A file that something other than a page runs, by its place or its name.
pub(in crate::gate) fn is_run_elsewhere(path: &str) -> bool {
    let base = name(path).split('.').next().unwrap_or_default().to_ascii_lowercase();
    let mut folders = parent(path).split('/');
    SERVICE_WORKERS.contains(&base.as_str())
        || matches!(extension(path), "sql" | "mjml" | "prisma")
        || folders.any(|folder| ELSEWHERE.contains(&folder))
}

/// A file that is used because of its place: a framework with file-based routing loads it, or something other than a page.
pub(in crate::gate) fn is_page(path: &str, is_next: bool) -> bool {
    is_run_elsewhere(path) || is_routed(path, is_next)
}

/// A file that a framework with file-based routing loads.
fn is_routed(path: &str, is_next: bool) -> bool {
    let inner = path.strip_prefix("src/").unwrap_or(path);
    let is_loaded = name(inner).rsplit_once('.').is_some_and(|(name, _)| LOADED.contains(&name));
    match inner.split_once('/') {
        None => matches!(stem(inner), "middleware" | "instrumentation" | "proxy" | "_app" | "_document"),
        Some(("app", rest)) => is_loaded || !is_next && (rest.contains('/') || stem(rest).starts_with('_')),
        Some(("pages" | "routes", _)) => true,
        _ => false,
    }
}
