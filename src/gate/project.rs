//! The project as gates see it: its files, read once a round, and what kind of project they make.

use super::changes::Comparison;
use crate::ordered::{Map, Set};
use crate::port::{FileKind, FsPort, PortResult, ProjectDir};
use serde_json::Value;

/// Files larger than this, in bytes, are known but not read.
const MAX_FILE_BYTES: u64 = 1024 * 1024;
/// Past this many files of `src/` the rest is known but not read.
const MAX_FILES: usize = 2_000;
/// Past this many entries of `src/` nothing more is looked at.
const MAX_ENTRIES: usize = 20_000;
/// What the gates judge below `src/`.
const EXTENSIONS: [&str; 7] = ["tsx", "jsx", "ts", "js", "mjs", "mts", "css"];
/// Files outside `src/` that gates judge by.
const OTHERS: [&str; 4] = ["package.json", SUMMARY, PLAN, TASK];

/// Where the agent says what it built (`state-layout.md`).
pub const SUMMARY: &str = ".ralph/summary.md";
/// The agent's plan.
pub const PLAN: &str = ".ralph/plan.tsx";
/// What the user asks for.
pub const TASK: &str = ".ralph/task.md";

/// React projects of these frameworks have their own layout: nothing says that they have a `src/App.tsx`.
const FRAMEWORKS: [&str; 18] = [
    "next",
    "gatsby",
    "expo",
    "react-native",
    "astro",
    "waku",
    "blitz",
    "umi",
    "ink",
    "nextra",
    "vike",
    "@docusaurus/core",
    "@react-router/dev",
    "@remix-run/dev",
    "@remix-run/react",
    "@redwoodjs/core",
    "@tanstack/react-start",
    "@storybook/react",
];
/// Libraries whose projects look like React's and are not.
const OTHER_LIBRARIES: [&str; 8] =
    ["solid-js", "preact", "vue", "svelte", "lit", "@angular/core", "@builder.io/qwik", "@qwik.dev/core"];

/// A project's files and what its manifest says.
#[derive(Debug, Clone, Default)]
pub struct Project {
    /// By path. `None`: it is there, and was not read.
    files: Map<String, Option<String>>,
    dependencies: Set<String>,
    peers: Set<String>,
    comparison: Comparison,
}

impl Project {
    /// Reads `src/` (without hidden folders, `node_modules` and links), the manifest and the summary.
    ///
    /// # Errors
    /// What the file system says, other than that a file is not there.
    pub async fn load<F: FsPort>(dir: ProjectDir<'_, F>) -> PortResult<Self> {
        let mut files = Vec::new();
        for path in OTHERS {
            if let Some(stat) = dir.lstat(path).await?
                && stat.kind == FileKind::File
            {
                let text = if stat.size > MAX_FILE_BYTES { None } else { dir.read_text(path).await? };
                files.push((path.to_owned(), text));
            }
        }
        read_sources(dir, &mut files).await?;
        Ok(Self::new(files.into_iter().collect()))
    }

    fn new(files: Map<String, Option<String>>) -> Self {
        let manifest = files.get("package.json").and_then(Option::as_deref);
        let manifest: Value = manifest.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        let mut dependencies = names(&manifest, "dependencies");
        dependencies.extend(names(&manifest, "devDependencies"));
        Self { files, dependencies, peers: names(&manifest, "peerDependencies"), comparison: Comparison::None }
    }

    /// With what is known of it from before the task.
    #[must_use]
    pub fn compared(self, comparison: Comparison) -> Self {
        Self { comparison, ..self }
    }

    /// What the task did to its files.
    pub fn comparison(&self) -> &Comparison {
        &self.comparison
    }

    /// There is a file at this path.
    pub fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// The text of a file, where it was read.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path)?.as_deref()
    }

    /// The files of `src/` with one of these extensions, by path.
    pub fn sources<'a>(&'a self, extensions: &'a [&str]) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.files.iter().filter_map(|(path, text)| {
            let judged = path.starts_with("src/") && extensions.contains(&extension(path));
            if judged { Some((path.as_str(), text.as_deref()?)) } else { None }
        })
    }

    /// How many files are there that were not read: too large, or too many.
    pub fn unread(&self) -> usize {
        self.files.values().filter(|text| text.is_none()).count()
    }

    /// The manifest names this package, other than as a peer.
    pub fn depends_on(&self, package: &str) -> bool {
        self.dependencies.contains(package)
    }

    /// The root component's file: `src/App.` with an extension that can hold it.
    pub fn app_file(&self) -> Option<&'static str> {
        ["src/App.tsx", "src/App.jsx", "src/App.js", "src/App.ts"].into_iter().find(|path| self.has(path))
    }

    /// It is judged by React's rules: React is one of its dependencies, or it has a `src/App.tsx` or `.jsx`.
    ///
    /// Not where a framework lays the project out (Next, Expo …), not where another library owns the JSX
    /// (Solid, Preact …), and not where React is a peer: a library of components has no app.
    pub fn is_react_app(&self) -> bool {
        if FRAMEWORKS.iter().any(|name| self.depends_on(name)) {
            return false;
        }
        let has_app = self.has("src/App.tsx") || self.has("src/App.jsx");
        if self.depends_on("react") {
            return has_app || !self.peers.contains("react");
        }
        has_app && !OTHER_LIBRARIES.iter().any(|name| self.depends_on(name))
    }
}

/// The extension of a path, without the dot; empty where there is none.
pub fn extension(path: &str) -> &str {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

async fn read_sources<F: FsPort>(dir: ProjectDir<'_, F>, files: &mut Vec<(String, Option<String>)>) -> PortResult<()> {
    let root = dir.lstat("src").await?.filter(|stat| stat.kind == FileKind::Directory);
    let mut folders: Vec<String> = root.map(|_| "src".to_owned()).into_iter().collect();
    let (mut read, mut seen) = (0, 0);
    while let Some(folder) = folders.pop() {
        for name in dir.read_dir(&folder).await?.unwrap_or_default() {
            seen += 1;
            if seen > MAX_ENTRIES {
                return Ok(());
            }
            if name.starts_with('.') || name == "node_modules" {
                continue;
            }
            let path = format!("{folder}/{name}");
            let Some(stat) = dir.lstat(&path).await? else { continue };
            match stat.kind {
                FileKind::Directory => folders.push(path),
                FileKind::File if EXTENSIONS.contains(&extension(&path)) => {
                    read += 1;
                    let fits = read <= MAX_FILES && stat.size <= MAX_FILE_BYTES;
                    let text = if fits { dir.read_text(&path).await? } else { None };
                    files.push((path, text));
                }
                FileKind::File | FileKind::Symlink => {}
            }
        }
    }
    Ok(())
}

fn names(manifest: &Value, field: &str) -> Set<String> {
    let packages = manifest.get(field).and_then(Value::as_object);
    packages.into_iter().flat_map(|packages| packages.keys().cloned()).collect()
}

#[cfg(test)]
impl Project {
    /// A project of these files.
    pub fn of(files: &[(&str, &str)]) -> Self {
        Self::new(files.iter().map(|(path, text)| ((*path).to_owned(), Some((*text).to_owned()))).collect())
    }

    /// A project of these files, none of which was read.
    pub fn unread_of(files: &[&str]) -> Self {
        Self::new(files.iter().map(|path| ((*path).to_owned(), None)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn react_is_told_by_the_manifest_or_by_the_app() {
        let react = r#"{"dependencies":{"react":"19"}}"#;
        let next = r#"{"dependencies":{"react":"19","next":"15"}}"#;
        let library = r#"{"devDependencies":{"react":"19"},"peerDependencies":{"react":">=18"}}"#;
        let solid = r#"{"dependencies":{"solid-js":"1"}}"#;
        let vanilla = r#"{"devDependencies":{"vite":"7"}}"#;
        let cases: [(&[(&str, &str)], bool); 11] = [
            (&[("package.json", react)], true),
            (&[("package.json", r#"{"devDependencies":{"react":"19"}}"#)], true),
            (&[("src/App.tsx", "")], true),
            (&[("src/App.jsx", "")], true),
            (&[("package.json", next), ("src/App.tsx", "")], false),
            (&[("package.json", library)], false),
            (&[("package.json", library), ("src/App.tsx", "")], true),
            (&[("package.json", solid), ("src/App.tsx", "")], false),
            (&[("package.json", vanilla), ("src/main.js", "")], false),
            (&[("package.json", "{ not json"), ("src/main.ts", "")], false),
            (&[], false),
        ];
        for (files, expected) in cases {
            assert_eq!(Project::of(files).is_react_app(), expected, "{files:?}");
        }
    }

    #[test]
    fn an_extension_is_that_of_the_name() {
        assert_eq!(extension("src/App.tsx"), "tsx");
        assert_eq!(extension("src/v1.2/README"), "");
        assert_eq!(extension("src/a.d.ts"), "ts");
    }
}
