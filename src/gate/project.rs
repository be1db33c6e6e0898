//! The project as gates see it: its files, read once per round, and the kind of project.

use super::TaskFacts;
use super::builtin::{App, Used};
use super::scope::Counted;
use crate::error::Error;
use crate::js::resolve::CONFIGS;
use crate::layout::{PLAN, SUMMARY, TASK};
use crate::path::extension;
use crate::plan::{self, OpenDiff, PlanDiff};
use crate::port::{PortResult, ProjectDir};
use crate::sources;
use crate::syntax::markup::MARKUP;
use serde_json::Value;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Files outside `src/` that gates read.
const OTHERS: [&str; 3] = [SUMMARY, PLAN, TASK];

/// Prefixes of configuration files that may enable Tailwind.
const CONFIGURATIONS: [&str; 4] = ["tailwind.config.", "postcss.config.", ".postcssrc", "vite.config."];

/// Packages that compile Tailwind.
const TAILWIND: [&str; 5] =
    ["tailwindcss", "@tailwindcss/vite", "@tailwindcss/postcss", "@tailwindcss/cli", "@tailwindcss/browser"];

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

/// React frameworks with a layout of their own, without a `src/App.tsx`.
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
/// Libraries other than React that also use JSX or `src/App`.
const OTHER_LIBRARIES: [&str; 8] =
    ["solid-js", "preact", "vue", "svelte", "lit", "@angular/core", "@builder.io/qwik", "@qwik.dev/core"];

/// Frameworks and libraries whose components are not JavaScript modules, or that load files by their place.
const OTHER_FRAMEWORKS: [&str; 10] = [
    "vue",
    "nuxt",
    "svelte",
    "@sveltejs/kit",
    "@angular/core",
    "@builder.io/qwik",
    "@qwik.dev/core",
    "vitepress",
    "@solidjs/start",
    "lit",
];

/// A project's files and its dependencies.
#[derive(Debug, Clone, Default)]
pub(super) struct Project {
    /// By path. `None` for a file that exists and was not read.
    files: BTreeMap<String, Option<String>>,
    /// Sources outside `src/`, for the comparison with the plan.
    beside: Vec<(String, Option<String>)>,
    /// HTML files in the project's root, and HTML, Vue, Svelte and Astro files below `src/`.
    pub markup: Vec<(String, String)>,
    /// `package.json`.
    manifest: Value,
    /// A configuration file in the project's root mentions Tailwind.
    configures_tailwind: bool,
    /// The facts of the task.
    pub task: TaskFacts,
    plan_diff: OnceCell<Option<Result<PlanDiff, Error>>>,
    /// The files of the app before and after the task; read on demand.
    pub app: OnceCell<Rc<App>>,
    /// What the app does with the change; computed on demand.
    pub used: OnceCell<Used>,
    /// What `scope` found about the requirements.
    pub judged: OnceCell<Vec<Counted>>,
}

impl Project {
    /// Reads `src/` (without hidden folders, `node_modules` and links), the manifest and the summary. If there is a plan, also
    /// reads the sources outside `src/`, and compares them with the plan.
    ///
    /// # Errors
    /// Errors of the file system, except for a missing file.
    pub(super) async fn load(dir: ProjectDir<'_>, task: TaskFacts) -> PortResult<Self> {
        let mut files = BTreeMap::new();
        for path in CONFIGS.into_iter().chain(OTHERS) {
            if let Some(text) = sources::read_file(dir, path).await? {
                files.insert(path.to_owned(), text);
            }
        }
        let beside =
            if files.contains_key(PLAN) { sources::read_beside(dir, &sources::CODE).await? } else { Vec::new() };
        files.extend(sources::read(dir, &sources::CODE).await?);
        let configures_tailwind = configures_tailwind(dir).await?;
        let markup = markup(dir).await?;
        let project = Self { beside, markup, configures_tailwind, ..Self::new(files, task) };
        project.compare_with_plan(dir).await;
        Ok(project)
    }

    fn new(files: BTreeMap<String, Option<String>>, task: TaskFacts) -> Self {
        let manifest = files.get("package.json").and_then(Option::as_deref);
        let manifest = manifest.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        Self { files, manifest, task, ..Self::default() }
    }

    /// Whether the file exists.
    pub(super) fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// The text of a file, if it was read.
    pub(super) fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path)?.as_deref()
    }

    /// The files of `src/` with one of these extensions, by path.
    pub(super) fn sources<'a>(&'a self, extensions: &'a [&str]) -> impl Iterator<Item = (&'a str, &'a str)> {
        let sources = self.files.iter().filter(|(path, _)| is_source(path, extensions));
        sources.filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)))
    }

    /// [`Project::sources`] before the task; `None` if they are not known.
    pub(super) fn sources_before<'a>(&'a self, extensions: &'a [&str]) -> Option<Vec<(&'a str, &'a str)>> {
        let changed = self.task.comparison.files()?;
        let is_new: BTreeSet<&str> = changed.iter().map(|file| file.path.as_str()).collect();
        let same = self.sources(extensions).filter(|(path, _)| !is_new.contains(path));
        let were = changed.iter().filter_map(|file| Some((file.was.as_deref()?, file.before.as_deref()?)));
        Some(same.chain(were.filter(|(path, _)| is_source(path, extensions))).collect())
    }

    /// Whether the plan has a theme.
    pub(super) fn plan_has_theme(&self) -> bool {
        let root = self.text(PLAN).and_then(plan::root);
        root.is_some_and(|root| root.children.iter().any(|child| child.component == "Theme"))
    }

    /// The comparison of the plan with the sources, computed once; `None` without a plan.
    pub(super) fn plan_diff(&self) -> Option<&Result<PlanDiff, Error>> {
        self.plan_diff.get_or_init(|| self.open_plan_diff().map(|open| open.map(OpenDiff::finish))).as_ref()
    }

    /// Computes [`Project::plan_diff`] with pauses between the sources.
    async fn compare_with_plan(&self, dir: ProjectDir<'_>) {
        let mut open = self.open_plan_diff();
        for () in open.iter_mut().flatten().flat_map(OpenDiff::parse) {
            dir.pause().await;
        }
        self.plan_diff.get_or_init(|| open.map(|open| open.map(OpenDiff::finish)));
    }

    fn open_plan_diff(&self) -> Option<Result<OpenDiff<'_>, Error>> {
        let plan = self.text(PLAN).filter(|plan| !plan.trim().is_empty())?;
        let sources =
            self.files.iter().filter(|(path, _)| path.starts_with("src/") || CONFIGS.contains(&path.as_str()));
        let beside = self.beside.iter().map(|(path, text)| (path, text));
        let sources: Vec<(&str, Option<&str>)> =
            sources.chain(beside).map(|(path, text)| (path.as_str(), text.as_deref())).collect();
        Some(OpenDiff::new(plan, &sources))
    }

    /// The number of files that were not read because they are too large or too many.
    pub(super) fn unread(&self) -> usize {
        self.files.values().filter(|text| text.is_none()).count()
    }

    /// Whether the manifest lists this package, other than as a peer dependency.
    pub(super) fn depends_on(&self, package: &str) -> bool {
        self.lists("dependencies", package) || self.lists("devDependencies", package)
    }

    fn lists(&self, field: &str, package: &str) -> bool {
        self.manifest.get(field).is_some_and(|packages| packages.get(package).is_some())
    }

    /// Whether the manifest lists a package.
    pub(super) fn has_packages(&self) -> bool {
        let lists =
            ["dependencies", "devDependencies"].into_iter().filter_map(|field| self.manifest.get(field)?.as_object());
        lists.into_iter().any(|packages| !packages.is_empty())
    }

    /// Whether the project's build compiles Tailwind, by its manifest or configuration.
    pub(super) fn compiles_tailwind(&self) -> bool {
        let lists = |name: &&str| self.depends_on(name) || self.lists("peerDependencies", name);
        self.configures_tailwind || TAILWIND.iter().any(lists)
    }

    /// The path of the root component.
    pub(super) fn app_file(&self) -> Option<&'static str> {
        APP_FILES.into_iter().find(|path| self.has(path))
    }

    /// Whether a framework decides what the app shows.
    pub(super) fn has_framework(&self) -> bool {
        FRAMEWORKS.iter().chain(&OTHER_FRAMEWORKS).any(|name| self.depends_on(name))
    }

    /// Whether React's rules apply: React is a dependency, or there is a `src/App.tsx` or `.jsx`. Not for frameworks with a
    /// layout of their own (Next, Expo …), other JSX libraries (Solid, Preact …), or component libraries (React as a peer
    /// dependency), which have no app.
    pub(super) fn is_react_app(&self) -> bool {
        if FRAMEWORKS.iter().any(|name| self.depends_on(name)) {
            return false;
        }
        let has_app = self.has("src/App.tsx") || self.has("src/App.jsx");
        if self.depends_on("react") {
            return has_app || !self.lists("peerDependencies", "react");
        }
        has_app && !OTHER_LIBRARIES.iter().any(|name| self.depends_on(name))
    }
}

async fn markup(dir: ProjectDir<'_>) -> PortResult<Vec<(String, String)>> {
    let mut found = Vec::new();
    for name in dir.read_dir("").await?.unwrap_or_default() {
        if extension(&name) == "html" {
            found.extend(sources::read_file(dir, &name).await?.flatten().map(|text| (name, text)));
        }
    }
    let below = sources::read(dir, &MARKUP).await?.into_iter();
    found.extend(below.filter_map(|(path, text)| Some((path, text?))));
    Ok(found)
}

/// Whether a configuration file in the project's root mentions Tailwind.
async fn configures_tailwind(dir: ProjectDir<'_>) -> PortResult<bool> {
    for name in dir.read_dir("").await?.unwrap_or_default() {
        let Some(kind) = CONFIGURATIONS.iter().find(|start| name.starts_with(**start)) else { continue };
        let text = sources::read_file(dir, &name).await?.flatten();
        if text.is_some_and(|text| *kind == "tailwind.config." || text.contains("tailwind")) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn is_source(path: &str, extensions: &[&str]) -> bool {
    path.starts_with("src/") && extensions.contains(&extension(path))
}

#[cfg(test)]
impl Project {
    /// A project with these files.
    pub(super) fn from_files(files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), Some((*text).to_owned())));
        Self::new(files.collect(), TaskFacts::default())
    }

    /// Sets the facts of the task.
    pub(super) fn after(self, task: impl Into<TaskFacts>) -> Self {
        Self { task: task.into(), ..self }
    }

    /// Adds files that were not read.
    pub(super) fn with_unread(mut self, files: &[&str]) -> Self {
        self.files.extend(files.iter().map(|path| ((*path).to_owned(), None)));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn react_apps_are_detected_by_the_manifest_or_the_root_component() {
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
            assert_eq!(Project::from_files(files).is_react_app(), expected, "{files:?}");
        }
    }
}
