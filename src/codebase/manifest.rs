//! What the files in a project's root say about it: `package.json`, lock files, configuration files.

use serde_json::{Map, Value};

/// The files in the project's root.
pub(super) struct Root<'s> {
    /// Their names.
    pub names: &'s [String],
    /// `package.json`, `Null` if it is missing or broken.
    pub manifest: &'s Value,
}

/// Frameworks: the name, the packages that a project of it depends on, the beginning of its configuration file. The first
/// that fits wins, so one that builds on another comes before it.
const FRAMEWORKS: [(&str, &[&str], &str); 21] = [
    ("Next.js", &["next"], "next.config."),
    ("Remix", &["@remix-run/react", "@remix-run/dev"], "remix.config."),
    ("React Router", &["@react-router/dev"], "react-router.config."),
    ("TanStack Start", &["@tanstack/react-start", "@tanstack/solid-start"], ""),
    ("Docusaurus", &["@docusaurus/core"], "docusaurus.config."),
    ("Astro", &["astro"], "astro.config."),
    ("SvelteKit", &["@sveltejs/kit"], ""),
    ("SolidStart", &["@solidjs/start"], ""),
    ("Nuxt", &["nuxt"], "nuxt.config."),
    ("Qwik", &["@builder.io/qwik", "@qwik.dev/core"], ""),
    ("Gatsby", &["gatsby"], "gatsby-config."),
    ("Expo", &["expo"], ""),
    ("React Native", &["react-native"], ""),
    ("Angular", &["@angular/core"], "angular.json"),
    ("Create React App", &["react-scripts"], ""),
    ("Vite", &["vite"], "vite.config."),
    ("NestJS", &["@nestjs/core"], ""),
    ("Express", &["express"], ""),
    ("Fastify", &["fastify"], ""),
    ("Hono", &["hono"], ""),
    ("Koa", &["koa"], ""),
];

/// Libraries for user interfaces. Those that use another's package come first.
const LIBRARIES: [(&str, &str); 6] = [
    ("Preact", "preact"),
    ("Solid", "solid-js"),
    ("Vue", "vue"),
    ("Svelte", "svelte"),
    ("Lit", "lit"),
    ("React", "react"),
];

/// Lock files, and the package managers that write them.
const LOCKS: [(&str, &str); 6] = [
    ("pnpm-lock.yaml", "pnpm"),
    ("yarn.lock", "yarn"),
    ("bun.lock", "bun"),
    ("bun.lockb", "bun"),
    ("package-lock.json", "npm"),
    ("npm-shrinkwrap.json", "npm"),
];

impl Root<'_> {
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    pub(super) fn framework(&self) -> Option<String> {
        let configures = |start: &str| !start.is_empty() && self.names.iter().any(|name| name.starts_with(start));
        let framework = FRAMEWORKS.iter().find(|(_, packages, _)| packages.iter().any(|name| self.depends_on(name)));
        let framework = framework.or_else(|| FRAMEWORKS.iter().find(|(_, _, config)| configures(config)));
        let framework = framework.map(|(name, ..)| *name);
        let library = LIBRARIES.iter().find(|(_, package)| self.depends_on(package)).map(|(name, _)| *name);
        match (framework, library) {
            (Some("Vite"), Some(library)) => Some(format!("Vite + {library}")),
            (Some(framework), _) => Some(framework.to_owned()),
            (None, Some(library)) => Some(library.to_owned()),
            (None, None) => {
                let is_library = ["exports", "main", "module"].iter().any(|field| self.manifest.get(field).is_some());
                is_library.then(|| "none (a library)".to_owned())
            }
        }
    }

    /// By the field of `package.json`, then by the lock file. A project without either uses npm.
    pub(super) fn package_manager(&self) -> Option<String> {
        let field = self.manifest.get("packageManager").and_then(Value::as_str);
        let named = field.and_then(|field| field.split('@').next());
        let named = LOCKS.iter().find(|(_, manager)| named == Some(manager));
        let locked = || LOCKS.iter().find(|(file, _)| self.has(file));
        let manager = named.or_else(locked).map(|(_, manager)| *manager);
        manager.or_else(|| self.has("package.json").then_some("npm")).map(str::to_owned)
    }

    /// The names of the scripts, in alphabetical order.
    pub(super) fn scripts(&self) -> Vec<String> {
        self.manifest.get("scripts").and_then(Value::as_object).into_iter().flat_map(Map::keys).cloned().collect()
    }

    pub(super) fn depends_on(&self, package: &str) -> bool {
        let lists = |field: &&str| self.manifest.get(field).is_some_and(|packages| packages.get(package).is_some());
        ["dependencies", "devDependencies", "peerDependencies"].iter().any(lists)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn the_framework_follows_from_dependencies_then_configuration_files() {
        for (packages, files, expected) in [
            (&["next", "react"][..], &[][..], Some("Next.js")),
            (&["@remix-run/react", "react", "vite"], &["vite.config.ts"], Some("Remix")),
            (&["astro", "react"], &[], Some("Astro")),
            (&["@sveltejs/kit", "svelte", "vite"], &[], Some("SvelteKit")),
            (&["nuxt", "vue"], &[], Some("Nuxt")),
            (&["vite", "react"], &["vite.config.ts"], Some("Vite + React")),
            (&["vite", "vue"], &[], Some("Vite + Vue")),
            (&["vite", "svelte"], &[], Some("Vite + Svelte")),
            (&["vite", "solid-js"], &[], Some("Vite + Solid")),
            (&["vite", "preact", "react"], &[], Some("Vite + Preact")),
            (&["vite"], &[], Some("Vite")),
            (&["react-scripts", "react"], &[], Some("Create React App")),
            (&["@angular/core"], &[], Some("Angular")),
            (&["express"], &[], Some("Express")),
            (&["react"], &[], Some("React")),
            (&[], &["next.config.mjs"], Some("Next.js")),
            (&["react"], &["astro.config.mjs", "vite.config.ts"], Some("Astro")),
            (&["lodash"], &["index.js"], None),
        ] {
            let list: Map<String, Value> = packages.iter().map(|name| ((*name).to_owned(), json!("^1.0.0"))).collect();
            let manifest = json!({ "devDependencies": list });
            let files = names(files);
            let root = Root { names: &files, manifest: &manifest };
            assert_eq!(root.framework().as_deref(), expected, "{packages:?} {files:?}");
        }
        let library = json!({ "exports": "./index.js", "dependencies": ["broken"] });
        let framework = Root { names: &[], manifest: &library }.framework();
        assert!(framework.is_some_and(|framework| framework.contains("library")));
    }

    #[test]
    fn the_package_manager_follows_from_its_field_then_the_lock_file() {
        for (field, files, expected) in [
            (json!("pnpm@9.1.0+sha512.abc"), &["package.json", "yarn.lock"][..], Some("pnpm")),
            (json!("deno@2"), &["package.json", "yarn.lock"], Some("yarn")),
            (json!(null), &["package.json", "pnpm-lock.yaml", "package-lock.json"], Some("pnpm")),
            (json!(7), &["package.json", "bun.lockb"], Some("bun")),
            (json!(null), &["package.json", "package-lock.json"], Some("npm")),
            (json!(null), &["package.json"], Some("npm")),
            (json!(null), &["index.html"], None),
        ] {
            let manifest = json!({ "packageManager": field });
            let files = names(files);
            let root = Root { names: &files, manifest: &manifest };
            assert_eq!(root.package_manager().as_deref(), expected, "{field} {files:?}");
        }
    }
}
