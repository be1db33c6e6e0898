//! The project as gates see it: its files, read once a round, and what kind of project they make.

use super::changes::Comparison;
use super::work::TaskFacts;
use crate::error::Error;
use crate::js::resolve::CONFIGS;
use crate::plan::{self, PLAN, PlanDiff, TASK};
use crate::port::{FileKind, FsPort, PortResult, ProjectDir};
use crate::sources::{self, MAX_FILE_BYTES, extension};
use serde_json::Value;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// Files outside `src/` that gates judge by.
const OTHERS: [&str; 3] = [SUMMARY, PLAN, TASK];

/// Prefixes of configurations that may compile Tailwind.
const CONFIGURATIONS: [&str; 4] = ["tailwind.config.", "postcss.config.", ".postcssrc", "vite.config."];

/// Packages that compile Tailwind.
const TAILWIND: [&str; 5] =
    ["tailwindcss", "@tailwindcss/vite", "@tailwindcss/postcss", "@tailwindcss/cli", "@tailwindcss/browser"];

/// Where the agent says what it built (`state-layout.md`).
pub(super) const SUMMARY: &str = ".ralph/summary.md";

/// Paths of the root component.
pub(super) const APP_FILES: [&str; 8] = [
    "src/App.tsx",
    "src/App.jsx",
    "src/App.js",
    "src/App.ts",
    "src/App/index.tsx",
    "src/App/index.jsx",
    "src/app/App.tsx",
    "src/app/App.jsx",
];

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
    files: BTreeMap<String, Option<String>>,
    /// Sources outside `src/`, for the comparison with the plan.
    beside: Vec<(String, Option<String>)>,
    dependencies: BTreeSet<String>,
    peers: BTreeSet<String>,
    /// A configuration at the project's root names Tailwind.
    configures_tailwind: bool,
    task: TaskFacts,
    plan_diff: OnceCell<Option<Result<PlanDiff, Error>>>,
}

impl Project {
    /// Reads `src/` (without hidden folders, `node_modules` and links), the manifest and the summary; for a plan also the
    /// sources beside `src/`.
    ///
    /// # Errors
    /// What the file system says, other than that a file is not there.
    pub async fn load<F: FsPort>(dir: ProjectDir<'_, F>) -> PortResult<Self> {
        let mut files = Vec::new();
        for path in CONFIGS.into_iter().chain(OTHERS) {
            if let Some(stat) = dir.lstat(path).await?
                && stat.kind == FileKind::File
            {
                let text = if stat.size > MAX_FILE_BYTES { None } else { dir.read_text(path).await? };
                files.push((path.to_owned(), text));
            }
        }
        let has_plan = files.iter().any(|(path, _)| path == PLAN);
        let beside = if has_plan { sources::read_beside(dir, &sources::CODE).await? } else { Vec::new() };
        files.extend(sources::read(dir, &sources::CODE).await?);
        let configures_tailwind = configures_tailwind(dir).await?;
        Ok(Self { beside, configures_tailwind, ..Self::new(files.into_iter().collect()) })
    }

    fn new(files: BTreeMap<String, Option<String>>) -> Self {
        let manifest = files.get("package.json").and_then(Option::as_deref);
        let manifest: Value = manifest.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        let mut dependencies = names(&manifest, "dependencies");
        dependencies.extend(names(&manifest, "devDependencies"));
        let peers = names(&manifest, "peerDependencies");
        Self {
            files,
            beside: Vec::new(),
            dependencies,
            peers,
            configures_tailwind: false,
            task: TaskFacts::default(),
            plan_diff: OnceCell::new(),
        }
    }

    /// Sets the facts of the task.
    #[must_use]
    pub fn after(self, task: impl Into<TaskFacts>) -> Self {
        Self { task: task.into(), ..self }
    }

    /// The facts of the task.
    pub fn task(&self) -> &TaskFacts {
        &self.task
    }

    /// What the task did to its files.
    pub fn comparison(&self) -> &Comparison {
        &self.task.comparison
    }

    /// Whether the task builds the app ([`TaskFacts::builds_app`]).
    pub fn is_built_by_task(&self) -> bool {
        self.task.builds_app
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

    /// [`Project::sources`] before the task; `None` if they are not known.
    pub fn sources_before<'a>(&'a self, extensions: &'a [&str]) -> Option<Vec<(&'a str, &'a str)>> {
        let changed = self.comparison().files()?;
        let is_new: BTreeSet<&str> = changed.iter().map(|file| file.path.as_str()).collect();
        let same = self.sources(extensions).filter(|(path, _)| !is_new.contains(path));
        let were = changed.iter().filter_map(|file| Some((file.was.as_deref()?, file.before.as_deref()?)));
        let judged = |path: &str| path.starts_with("src/") && extensions.contains(&extension(path));
        Some(same.chain(were.filter(|(path, _)| judged(path))).collect())
    }

    /// Whether the plan has a theme.
    pub fn plan_has_theme(&self) -> bool {
        let root = self.text(PLAN).and_then(plan::root);
        root.is_some_and(|root| root.children.iter().any(|child| child.component == "Theme"))
    }

    /// The plan compared with the sources, once; `None` without a plan.
    pub fn plan_diff(&self) -> Option<&Result<PlanDiff, Error>> {
        let compared = self.plan_diff.get_or_init(|| {
            let plan = self.text(PLAN).filter(|plan| !plan.trim().is_empty())?;
            let sources =
                self.files.iter().filter(|(path, _)| path.starts_with("src/") || CONFIGS.contains(&path.as_str()));
            let beside = self.beside.iter().map(|(path, text)| (path, text));
            let sources: Vec<(&str, Option<&str>)> =
                sources.chain(beside).map(|(path, text)| (path.as_str(), text.as_deref())).collect();
            Some(plan::diff(plan, &sources))
        });
        compared.as_ref()
    }

    /// How many files are there that were not read: too large, or too many.
    pub fn unread(&self) -> usize {
        self.files.values().filter(|text| text.is_none()).count()
    }

    /// The manifest names this package, other than as a peer.
    pub fn depends_on(&self, package: &str) -> bool {
        self.dependencies.contains(package)
    }

    /// Whether the project's build compiles Tailwind, by its manifest or configuration.
    pub fn compiles_tailwind(&self) -> bool {
        self.configures_tailwind || TAILWIND.iter().any(|name| self.depends_on(name) || self.peers.contains(*name))
    }

    /// The file of the root component.
    pub fn app_file(&self) -> Option<&'static str> {
        APP_FILES.into_iter().find(|path| self.has(path))
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

/// A configuration at the project's root names Tailwind.
async fn configures_tailwind<F: FsPort>(dir: ProjectDir<'_, F>) -> PortResult<bool> {
    for name in dir.read_dir("").await?.unwrap_or_default() {
        let Some(kind) = CONFIGURATIONS.iter().find(|start| name.starts_with(**start)) else { continue };
        let stat = dir.lstat(&name).await?.filter(|stat| stat.kind == FileKind::File && stat.size <= MAX_FILE_BYTES);
        if stat.is_none() {
            continue;
        }
        if *kind == "tailwind.config." || dir.read_text(&name).await?.is_some_and(|text| text.contains("tailwind")) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn names(manifest: &Value, field: &str) -> BTreeSet<String> {
    let packages = manifest.get(field).and_then(Value::as_object);
    packages.into_iter().flat_map(|packages| packages.keys().cloned()).collect()
}

#[cfg(test)]
impl Project {
    /// A project of these files.
    pub fn of(files: &[(&str, &str)]) -> Self {
        Self::new(files.iter().map(|(path, text)| ((*path).to_owned(), Some((*text).to_owned()))).collect())
    }

    /// A project with these files unread.
    pub fn with_unread(mut self, files: &[&str]) -> Self {
        self.files.extend(files.iter().map(|path| ((*path).to_owned(), None)));
        self
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
}
