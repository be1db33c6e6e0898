//! Broken imports: of a file that does not exist, or of a name that a module does not export.

use crate::gate::scope::{FileId, Sources, States};
use crate::gate::{ChangedFile, Project};
use crate::js::line_of;
use crate::js::resolve::CONFIGS;
use crate::path::{extension, join, name, parent, stem};
use crate::port::{Host, PortResult};
use crate::sources::{CODE, is_aside};
use std::collections::{BTreeMap, BTreeSet};

/// The imports below `src/` that the task broke. Uncertain ones are left out.
///
/// # Errors
/// Errors of the file system.
pub(super) async fn broken(host: &Host, project: &Project, files: &[ChangedFile]) -> PortResult<Vec<String>> {
    let (before, after) = texts(project);
    let states = States::new(&before, &after);
    let mut found = Vec::new();
    if project.unread() > 0 {
        return Ok(found);
    }
    let changed: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    // Other files may import what the task removed or renamed.
    let stems: BTreeSet<&str> = files
        .iter()
        .filter(|file| file.before != file.after)
        .filter_map(|file| file.was.as_deref())
        .filter(|was| CODE.contains(&extension(was)))
        .map(stem)
        .collect();
    let may_import = |text: &str| stems.iter().any(|stem| text.contains(stem));
    for id in states.new.ids() {
        let (path, text) = (states.new.path(id), states.new.text(id));
        let is_read = changed.contains(path) || may_import(text);
        if !path.starts_with("src/") || is_aside(path) || !is_read {
            continue;
        }
        host.fs.pause().await;
        let Some(module) = states.new.module(id) else { continue };
        let old = states.old.find(path);
        for ((start, _), specifier) in module.specifiers.iter().take(IMPORTS_MAX) {
            let place = || format!("{path}:{}", line_of(text, *start as usize));
            match states.new.resolve(id, specifier) {
                Some(target) => {
                    let names = missing(&states.new, id, specifier, target);
                    let was_missing = old
                        .and_then(|old| Some(missing(&states.old, old, specifier, states.old.resolve(old, specifier)?)))
                        .unwrap_or_default();
                    for missing in names.into_iter().filter(|name| !was_missing.contains(name)).take(IMPORTS_MAX) {
                        let target = states.new.path(target);
                        found.push(format!(
                            "{}: it imports {missing} from {target}, which does not export that name. Export it there, or \
                             correct the import.",
                            place()
                        ));
                    }
                }
                None if old.is_some_and(|old| is_lost(&states.old, old, specifier)) => {}
                // An import of types needs no file when the app is built.
                None if !module.imports.iter().any(|import| import.from == *specifier)
                    && !module.exports.iter().any(|export| export.from.as_ref() == Some(specifier))
                    && !text.get(..*start as usize).is_some_and(|before| before.trim_end().ends_with("import")) => {}
                None if is_absent(host, project, path, specifier).await? => found.push(format!(
                    "{}: it imports {specifier}, and there is no such file. Create the file, or correct the import.",
                    place()
                )),
                None => {}
            }
        }
    }
    Ok(found)
}

/// How many imports of a file are looked at.
const IMPORTS_MAX: usize = 300;

/// The sources below `src/` before and after the task.
fn texts(project: &Project) -> (BTreeMap<String, String>, BTreeMap<String, String>) {
    let owned = |(path, text): (&str, &str)| (path.to_owned(), text.to_owned());
    let configs = || CONFIGS.iter().filter_map(|path| Some((*path, project.text(path)?))).map(owned);
    let before = project.sources_before(&CODE).unwrap_or_default().into_iter().map(owned);
    (before.chain(configs()).collect(), project.sources(&CODE).map(owned).chain(configs()).collect())
}

/// Whether the module has this import, and it resolves to no file.
fn is_lost(sources: &Sources<'_>, file: FileId, specifier: &str) -> bool {
    let has = |module: &crate::js::tree::Module| module.specifiers.iter().any(|(_, known)| known == specifier);
    sources.module(file).is_some_and(has) && sources.resolve(file, specifier).is_none()
}

/// The names that a file imports from a module, and that the module certainly does not export.
fn missing(sources: &Sources<'_>, file: FileId, specifier: &str, target: FileId) -> BTreeSet<String> {
    const OTHER: [&str; 5] = ["module.exports", "exports.", "export =", "declare ", "namespace "];
    let (Some(module), Some(exporting)) = (sources.module(file), sources.module(target)) else {
        return BTreeSet::new();
    };
    let text = sources.text(target);
    if exporting.exports.is_empty() && exporting.types.is_empty() || OTHER.iter().any(|mark| text.contains(mark)) {
        return BTreeSet::new();
    }
    let mut types: BTreeSet<&str> = exporting.types.iter().map(String::as_str).collect();
    for export in exporting.exports.iter().filter(|export| export.name == "*") {
        let source = export.from.as_deref().and_then(|from| sources.resolve(target, from));
        let Some(inner) = source.and_then(|source| sources.module(source)) else { return BTreeSet::new() };
        if inner.exports.iter().any(|export| export.name == "*") {
            return BTreeSet::new();
        }
        types.extend(inner.types.iter().map(String::as_str));
    }
    let names: BTreeSet<String> = sources.export_names(target).into_iter().collect();
    let imports = module.imports.iter().filter(|import| import.from == specifier && import.name != "*");
    let imports = imports.map(|import| import.name.as_str()).filter(|name| !name.is_empty() && !types.contains(name));
    imports.filter(|name| !names.contains(*name)).map(str::to_owned).collect()
}

/// Whether a relative import certainly leads to no file. Generated files may come later.
async fn is_absent(host: &Host, project: &Project, from: &str, specifier: &str) -> PortResult<bool> {
    const CODE: [&str; 8] = ["tsx", "ts", "jsx", "js", "mjs", "mts", "cjs", "cts"];
    let is_generated = |part: &str| {
        let part = part.to_ascii_lowercase();
        part.starts_with(['+', '$', '_']) || part.len() > 2 && part.starts_with('.') || part.contains("gen")
    };
    if !specifier.starts_with('.') || specifier.contains(['?', '#', '!', ':']) || specifier.split('/').any(is_generated)
    {
        return Ok(false);
    }
    if CONFIGS.iter().any(|config| project.text(config).is_some_and(|text| text.contains("rootDirs"))) {
        return Ok(false);
    }
    let mut folders: Vec<&str> = parent(from).split('/').filter(|part| !part.is_empty()).collect();
    for part in specifier.split('/') {
        match part {
            "" | "." => {}
            ".." if folders.pop().is_some() => {}
            ".." => return Ok(false),
            part => folders.push(part),
        }
    }
    let path = folders.join("/");
    let last = name(&path).to_lowercase();
    let wanted = match last.rsplit_once('.') {
        Some((stem, extension)) if CODE.contains(&extension) => stem.to_owned(),
        Some(_) => return Ok(false),
        None => last,
    };
    let entries = host.project().read_dir(&join("", parent(&path))).await?.unwrap_or_default();
    let is_there = |entry: &String| {
        let entry = entry.to_lowercase();
        entry == wanted || entry.strip_prefix(&wanted).is_some_and(|rest| rest.starts_with('.'))
    };
    Ok(!wanted.is_empty() && !entries.iter().any(is_there))
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;
    use crate::gate::{Comparison, TaskFacts};
    use crate::port::memory::MemoryHost;

    /// What `broken` finds after the task wrote these files; an empty text removes one.
    async fn findings(written: &[(&str, &str)]) -> Vec<String> {
        const BEFORE: [(&str, &str); 6] = [
            ("src/App.tsx", "import { Hero } from './Hero'\nimport './old.css'\nexport default () => <Hero />"),
            ("src/Hero.tsx", "export const Hero = () => <p />\nexport type Props = { a: string }"),
            ("src/data/teas.json", "[]"),
            ("src/list/index.ts", "export * from '../Hero'"),
            ("src/plain.js", "module.exports = { a: 1 }"),
            ("src/Lost.tsx", "import { a } from './nowhere'\nexport const Lost = () => a"),
        ];
        let host = MemoryHost::new(BEFORE);
        let mut files = Vec::new();
        for (path, text) in written {
            let before = BEFORE.iter().find(|(known, _)| known == path).map_or("", |(_, text)| text);
            files.push(ChangedFile::from_texts(path, before, text));
            match *text {
                "" => host.project().remove_file(path).await.unwrap(),
                text => host.put(path, text),
            }
        }
        let facts = TaskFacts::from(Comparison::Changed(files.clone()));
        let project = Project::load(host.project(), facts).await.unwrap();
        broken(&host, &project, &files).await.unwrap()
    }

    #[tokio::test]
    async fn an_import_that_the_task_broke_is_found() {
        for (written, expected) in [
            (
                vec![("src/A.tsx", "import { Footer } from './Footer'\nf(Footer)")],
                "src/A.tsx:1: it imports ./Footer, and",
            ),
            (
                vec![("src/A.tsx", "import { Cta } from './Hero'\nf(Cta)")],
                "src/A.tsx:1: it imports Cta from src/Hero.tsx",
            ),
            (vec![("src/A.tsx", "import Hero from './Hero'\nf(Hero)")], "it imports default from src/Hero.tsx"),
            (vec![("src/A.tsx", "import { Cta } from './list'\nf(Cta)")], "it imports Cta from src/list/index.ts"),
            (vec![("src/Hero.tsx", "")], "src/App.tsx:1: it imports ./Hero, and there is no such file"),
            (vec![("src/Hero.tsx", "export const Banner = 1")], "src/App.tsx:1: it imports Hero from src/Hero.tsx"),
        ] {
            let found = findings(&written).await;
            assert!(found.iter().any(|line| line.contains(expected)), "{written:?}: {found:?}");
        }
    }

    #[tokio::test]
    async fn other_imports_are_not_judged() {
        for text in [
            "import { Hero, type Props } from './Hero'",
            "import { Props } from './list'",
            "import type { Other } from './types'",
            "import teas from './data/teas'",
            "import { a } from './plain'",
            "import * as hero from './Hero'",
            "import logo from './logo.svg'; import text from './a.tsx?raw'; import './theme.css'",
            "import { a } from 'virtual:a'; import { b } from '@/b'; import { c } from 'c'",
            "import { Route } from './+types/route'; import { tree } from './routeTree.gen'",
            "import { hero } from './HERO'",
        ] {
            let found = findings(&[("src/A.tsx", &format!("{text}\nexport const A = 1"))]).await;
            assert!(found.is_empty(), "{text}: {found:?}");
        }
        assert_eq!(
            findings(&[("src/Lost.tsx", "import { a } from './nowhere'\nexport const Lost = () => a + 1")]).await,
            [""; 0]
        );
    }
}
