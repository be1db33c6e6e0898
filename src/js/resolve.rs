//! Resolves imports to files.

use super::lexer::Source;
use serde_json::{Map, Value};

/// Files at the project root that configure import resolution.
pub(crate) const CONFIGS: [&str; 4] = ["tsconfig.json", "tsconfig.app.json", "jsconfig.json", "package.json"];

/// Extensions that an import may omit.
const ENDINGS: [&str; 11] = [".tsx", ".ts", ".jsx", ".js", ".mjs", ".mts", ".cjs", ".cts", ".json", ".css", ".d.ts"];

#[derive(Debug, Default)]
pub(crate) struct Resolver {
    aliases: Vec<Alias>,
    /// Folders in which bare imports are looked up (`baseUrl`).
    bases: Vec<String>,
}

/// `"@/*": ["src/*"]`. Without a star, only the exact name matches.
#[derive(Debug)]
struct Alias {
    before: String,
    after: Option<String>,
    targets: Vec<String>,
}

impl Resolver {
    /// Reads the [`CONFIGS`]. Invalid entries are ignored.
    pub(crate) fn new<'t>(text: impl Fn(&str) -> Option<&'t str>) -> Self {
        let mut resolver = Self::default();
        for path in CONFIGS {
            let Some(Value::Object(config)) = text(path).and_then(read_config) else { continue };
            if path == "package.json" {
                resolver.add_aliases(config.get("imports"), "");
            } else if let Some(options) = config.get("compilerOptions") {
                let base = options.get("baseUrl").and_then(Value::as_str).and_then(|base| join("", base));
                resolver.add_aliases(options.get("paths"), base.as_deref().unwrap_or_default());
                resolver.bases.extend(base);
            }
        }
        resolver
    }

    fn add_aliases(&mut self, paths: Option<&Value>, base: &str) {
        for (name, targets) in paths.and_then(Value::as_object).into_iter().flat_map(Map::iter) {
            let (before, after) = match name.split_once('*') {
                Some((before, after)) => (before.to_owned(), Some(after.to_owned())),
                None => (name.clone(), None),
            };
            let targets = targets_of(targets).iter().filter_map(|target| join(base, target)).collect();
            self.aliases.push(Alias { before, after, targets });
        }
    }

    /// The file that an import in `from` resolves to; `None` for a package. `find` looks up a path.
    ///
    /// Without a configuration, the common aliases apply: `@/data`, `~/data`, `#/data`, `/src/data`, `@data/teas`.
    pub(crate) fn resolve<T>(&self, from: &str, specifier: &str, find: impl Fn(&str) -> Option<T>) -> Option<T> {
        let specifier = specifier.split(['?', '#']).next().filter(|path| !path.is_empty()).unwrap_or(specifier);
        let find = |path: &str| with_any_ending(path, &find);
        if specifier.starts_with('.') {
            return find(&join(crate::path::parent(from), specifier)?);
        }
        let aliased = self.aliases.iter().flat_map(|alias| alias.paths(specifier)).find_map(|path| find(&path));
        let based = || self.bases.iter().find_map(|base| find(&join(base, specifier)?));
        let guessed = || {
            let tail = specifier.trim_start_matches(['@', '~', '#', '$', '/']);
            let is_aliased = tail.len() < specifier.len();
            let inner = tail.split_once('/').filter(|_| is_aliased).map(|(_, inner)| format!("src/{inner}"));
            [Some(format!("src/{tail}")), Some(tail.to_owned()), inner].iter().flatten().find_map(|path| find(path))
        };
        aliased.or_else(based).or_else(guessed)
    }
}

impl Alias {
    /// The candidate paths for an import that this alias matches.
    fn paths(&self, specifier: &str) -> Vec<String> {
        let star = match &self.after {
            None => (specifier == self.before).then_some(""),
            Some(after) => specifier.strip_prefix(&self.before).and_then(|rest| rest.strip_suffix(after.as_str())),
        };
        let Some(star) = star else { return Vec::new() };
        self.targets.iter().map(|target| target.replacen('*', star, 1)).collect()
    }
}

/// Tries the path, the path with an extension, and the path as a folder with an index file. `./x.js` may be `x.ts`.
fn with_any_ending<T>(path: &str, find: &impl Fn(&str) -> Option<T>) -> Option<T> {
    let with = |stem: &str| ENDINGS.iter().find_map(|ending| find(&format!("{stem}{ending}")));
    let bare = [".js", ".jsx", ".mjs", ".cjs"].iter().find_map(|ending| path.strip_suffix(ending));
    find(path).or_else(|| with(path)).or_else(|| with(bare?)).or_else(|| with(&join(path, "index")?))
}

/// Joins a relative path to a folder; `None` if it leaves the project.
fn join(folder: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The targets in a string, a list, or the conditions of `package.json`.
fn targets_of(value: &Value) -> Vec<&str> {
    match value {
        Value::String(target) => vec![target],
        Value::Array(targets) => targets.iter().flat_map(targets_of).collect(),
        Value::Object(conditions) => conditions.values().flat_map(targets_of).collect(),
        _ => Vec::new(),
    }
}

/// Reads JSON with comments and trailing commas.
pub(crate) fn read_config(text: &str) -> Option<Value> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    if let Ok(value) = serde_json::from_str(text) {
        return Some(value);
    }
    let source = Source::new(text, "ts");
    let code = source.code();
    let closes = |at: usize| code.get(at + 1..).is_some_and(|rest| rest.trim_start().starts_with(['}', ']']));
    let in_text = |at: usize| {
        let before = source.pieces.partition_point(|piece| piece.at <= at);
        source.pieces.get(before.wrapping_sub(1)).is_some_and(|piece| at < piece.at + piece.text.len())
    };
    let is_superfluous = |(at, letter): &(usize, char)| *letter == ',' && closes(*at) && !in_text(*at);
    let strict: String =
        code.char_indices().filter(|letter| !is_superfluous(letter)).map(|(_, letter)| letter).collect();
    serde_json::from_str(&strict).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: [&str; 10] = [
        "lib/api.ts",
        "src/Card.jsx",
        "src/data/teas.json",
        "src/data/teas.module.css",
        "src/hooks/use.mts",
        "src/pages/Home.tsx",
        "src/sections/index.ts",
        "src/sections/Hero.tsx",
        "src/store.cts",
        "src/util.ts",
    ];

    fn resolved(configs: &[(&str, &str)], from: &str, specifier: &str) -> Option<String> {
        let text = |path: &str| configs.iter().find(|(known, _)| *known == path).map(|(_, text)| *text);
        let find = |path: &str| FILES.iter().find(|known| **known == path).map(|path| (*path).to_owned());
        Resolver::new(text).resolve(from, specifier, find)
    }

    #[test]
    fn a_relative_import_resolves_to_any_extension_or_an_index() {
        for (specifier, expected) in [
            ("../util", Some("src/util.ts")),
            ("../util.js", Some("src/util.ts")),
            ("../Card", Some("src/Card.jsx")),
            ("../hooks/use.mjs", Some("src/hooks/use.mts")),
            ("../store", Some("src/store.cts")),
            ("../sections", Some("src/sections/index.ts")),
            ("../sections/", Some("src/sections/index.ts")),
            ("../data/teas", Some("src/data/teas.json")),
            ("../data/teas.module.css", Some("src/data/teas.module.css")),
            ("../data/teas.json?raw", Some("src/data/teas.json")),
            ("./Home", Some("src/pages/Home.tsx")),
            ("../../lib/api", Some("lib/api.ts")),
            ("../../../lib/api", None),
            ("./Missing", None),
        ] {
            assert_eq!(resolved(&[], "src/pages/Home.tsx", specifier).as_deref(), expected, "{specifier}");
        }
    }

    #[test]
    fn common_aliases_need_no_configuration() {
        for specifier in ["@/util", "~/util", "#/util", "$/util", "/src/util", "src/util", "@app/util", "/util"] {
            assert_eq!(resolved(&[], "src/App.tsx", specifier).as_deref(), Some("src/util.ts"), "{specifier}");
        }
        assert_eq!(resolved(&[], "src/App.tsx", "@data/teas").as_deref(), Some("src/data/teas.json"));
        assert_eq!(resolved(&[], "src/App.tsx", "@/lib/api").as_deref(), Some("lib/api.ts"));
        assert_eq!(resolved(&[], "src/App.tsx", "react"), None);
    }

    #[test]
    fn the_configuration_precedes_common_aliases() {
        let tsconfig = "{ // paths\n \"compilerOptions\": { \"baseUrl\": \"./src\", \"paths\": {\n \
                        \"@ui/*\": [\"./sections/*\"], \"api\": [\"../lib/api.ts\"], /* , */ }, } }";
        let package = r##"{"imports": {"#t/*.json": {"default": "./src/data/*.json"}, "#u": ["./src/util.ts"]}}"##;
        for (specifier, expected) in [
            ("@ui/Hero", Some("src/sections/Hero.tsx")),
            ("api", Some("lib/api.ts")),
            ("pages/Home", Some("src/pages/Home.tsx")),
            ("#t/teas.json", Some("src/data/teas.json")),
            ("#u", Some("src/util.ts")),
            ("react", None),
        ] {
            let configs = [("tsconfig.json", tsconfig), ("package.json", package)];
            assert_eq!(resolved(&configs, "src/App.tsx", specifier).as_deref(), expected, "{specifier}");
        }
        assert_eq!(resolved(&[("tsconfig.json", "{,")], "src/App.tsx", "@/util").as_deref(), Some("src/util.ts"));
    }
}
