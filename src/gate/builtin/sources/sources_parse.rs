//! `sources-parse`: every source that a task changes can be read.

use super::super::work::work_done::own_files;
use super::{imports, read, templates, wrapped};
use crate::gate::feedback::list_entries;
use crate::gate::{ChangedFile, Check, Finding, Gate, Judgement, Project};
use crate::js::markup::is_return;
use crate::js::resolve::read_config;
use crate::js::tree::{Parsed, parse};
use crate::js::{faults, line_of};
use crate::path::{extension, name};
use crate::port::{Host, PortResult};
use crate::syntax::css::StyleSheet;
use crate::syntax::markup::{MARKUP, parts};

/// Applies if the task changed a source: JavaScript, TypeScript, JSON, style sheets, and the scripts and styles of HTML,
/// Vue, Svelte and Astro files. Fails for one that does not parse, that is wrapped like an answer ([`wrapped`]) or that has no
/// code any more, unless it did not parse before the task either. So does an import that the task broke. Templates are read as far as that is certain ([`templates`]).
pub(crate) const GATE: Gate =
    Gate { name: "sources-parse", description: "every changed source parses", check: Check::Sources };

pub(crate) async fn check(host: &Host, project: &Project, files: &[ChangedFile]) -> PortResult<Finding> {
    Ok(judge(project, files, imports::broken(host, project, files).await?))
}

fn judge(project: &Project, files: &[ChangedFile], imports: Vec<String>) -> Finding {
    let read = match read(files) {
        Err(why) if imports.is_empty() => return Err(why),
        read => read.unwrap_or_default(),
    };
    let own = own_files(project);
    // The user's own files are no fault of the agent.
    let is_own = |path: &str| project.task.work.is_none() || own.iter().any(|file| file.path == path);
    let (mut new, mut old) = (Vec::new(), Vec::new());
    for (file, text) in read {
        let before = file.before.as_deref().unwrap_or_default();
        let fault = |path: &str, text: &str| fault(path, text).or_else(|| of_types(project, path, text));
        let Some((line, message)) = of_emptied(file, text)
            .or_else(|| fault(&file.path, text))
            .or_else(|| of_components(project, &file.path, text, before))
        else {
            continue;
        };
        let was_broken = file.was.as_deref().zip(file.before.as_deref());
        let was_broken = was_broken.is_some_and(|(path, text)| fault(path, text).is_some());
        let found = format!("{}:{line}: {message}", file.path);
        if was_broken || is_fixture(&file.path) || !is_own(&file.path) { old.push(found) } else { new.push(found) }
    }
    new.extend(imports);
    Ok(if !new.is_empty() {
        Judgement::fail(format!(
            "Changed sources do not parse, or cannot be built:\n{}\nFix each place.",
            list_entries(&new)
        ))
    } else if !old.is_empty() {
        Judgement::warn(format!(
            "Changed sources do not parse, and perhaps are not meant to:\n{}\nFix the syntax if the app uses them.",
            list_entries(&old)
        ))
    } else {
        Judgement::pass()
    })
}

/// A file without any code that had some.
fn of_emptied(file: &ChangedFile, text: &str) -> Option<(usize, String)> {
    let (was, before) = file.was.as_deref().zip(file.before.as_deref())?;
    let message = "the file has no code any more. Write its code again; delete the file if nothing needs it";
    wrapped::is_emptied(was, before, &file.path, text).then(|| (1, message.to_owned()))
}

/// Types in a JavaScript file, unless the project uses Flow.
fn of_types(project: &Project, path: &str, text: &str) -> Option<(usize, String)> {
    let is_javascript = matches!(extension(path), "js" | "jsx" | "mjs" | "cjs");
    let manifest = project.text("package.json").unwrap_or_default();
    let has_flow = text.contains("@flow") || ["flow-", "react-native"].iter().any(|name| manifest.contains(name));
    if !is_javascript || has_flow || text.starts_with("<?xml") || !matches!(parse(path, text), Parsed::Module(_)) {
        return None;
    }
    let line = faults::as_javascript(text)?;
    Some((line, "this is TypeScript in a JavaScript file. Remove the types".to_owned()))
}

/// A new component that the file renders, and neither imports nor declares. `None` where a tool may add imports.
fn of_components(project: &Project, path: &str, text: &str, before: &str) -> Option<(usize, String)> {
    let manifest = project.text("package.json").unwrap_or_default();
    let may_be_added = ["unplugin", "auto-import", "babel-plugin"].iter().any(|name| manifest.contains(name));
    if !matches!(extension(path), "tsx" | "jsx" | "js") || may_be_added || !project.depends_on("react") {
        return None;
    }
    let undeclared = faults::read(path, text).undeclared.into_iter();
    let mut new = undeclared.filter(|(_, name)| !before.contains(&format!("<{name}")));
    let (line, name) = new.next()?;
    Some((line, format!("the file renders <{name}>, and neither imports nor declares {name}. Import it")))
}

/// Data of tests may be broken on purpose.
fn is_fixture(path: &str) -> bool {
    path.split('/').any(|part| ["fixture", "testdata", "snapshots", "template"].iter().any(|word| part.contains(word)))
}

/// The 1-based line of the first syntax error, and what is wrong.
pub(super) fn fault(path: &str, text: &str) -> Option<(usize, String)> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    wrapped::fault(path, text).or_else(|| of_conflict(text)).or_else(|| of_language(path, text))
}

/// The marks of a merge that is not resolved.
fn of_conflict(text: &str) -> Option<(usize, String)> {
    let line = |mark: &str| text.lines().position(|line| line.starts_with(mark));
    let start = line("<<<<<<< ").filter(|start| line(">>>>>>> ").is_some_and(|end| end > *start))?;
    Some((start + 1, "a merge conflict is not resolved. Keep one side and remove the marks".to_owned()))
}

fn of_language(path: &str, text: &str) -> Option<(usize, String)> {
    match extension(path) {
        "css" => of_style(text),
        "jsonc" => of_config(text),
        "json" if !is_strict(path) => of_config(text),
        extension if MARKUP.contains(&extension) => {
            let parts = parts(text, extension).into_iter();
            let mut faults = parts.filter_map(|part| {
                let fault = of_language(&format!("part.{}", part.extension), part.text);
                // The frontmatter of Astro may return.
                let (line, message) = fault.filter(|(_, message)| !is_return(message))?;
                Some((line_of(text, part.at) + line - 1, message))
            });
            faults.next().or_else(|| templates::fault(text, extension))
        }
        // Translations of Qt have the extension of TypeScript, and a type annotation of Flow is another language.
        _ if text.starts_with("<?xml") || text.contains("@flow") => None,
        _ => of_code(path, text),
    }
}

fn of_code(path: &str, text: &str) -> Option<(usize, String)> {
    match parse(path, text) {
        Parsed::Broken { message, .. } if message.contains("'return'") && is_script(path, text) => {
            // Node runs a script in a function.
            let body = text.strip_prefix("#!").map_or(text.to_owned(), |rest| format!("//{rest}"));
            of_code("function.js", &format!("function script() {{{body}\n}}"))
        }
        Parsed::Broken { line, message } => Some((line, message)),
        Parsed::Module(_) => {
            let (line, name) = faults::read(path, text).twice?;
            Some((line, format!("{name} is declared a second time. Rename or remove one of the declarations")))
        }
        Parsed::Data(_) | Parsed::Unreadable | Parsed::Foreign => None,
    }
}

/// Whether a file is a CommonJS script.
fn is_script(path: &str, text: &str) -> bool {
    let is_esm = |line: &str| ["import ", "import{", "export "].iter().any(|word| line.starts_with(word));
    path != "function.js" && (extension(path) == "cjs" || extension(path) == "js" && !text.lines().any(is_esm))
}

fn of_style(text: &str) -> Option<(usize, String)> {
    StyleSheet::new(text).fault().map(|(at, message)| (line_of(text, at), message.to_owned()))
}

/// JSON with comments and trailing commas.
fn of_config(text: &str) -> Option<(usize, String)> {
    if read_config(text).is_some() || text.trim().is_empty() {
        return None;
    }
    of_code("config.json", text)
}

/// Whether a JSON file is read by something that refuses comments: the manifest, and data of the app.
fn is_strict(path: &str) -> bool {
    let name = name(path);
    let is_config = name.starts_with("tsconfig") || name.starts_with("jsconfig") || name.starts_with('.');
    let is_data = ["src/", "public/", "part."].iter().any(|start| path.starts_with(start));
    !is_config && (is_data || name == "package.json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::GateVerdict::{self, Fail, Pass, Warn};

    fn judged(path: &str, before: &str, after: &str) -> (GateVerdict, String) {
        let react = Project::from_files(&[("package.json", "{\"dependencies\":{\"react\":\"19\"}}")]);
        let judgement = judge(&react, &[ChangedFile::from_texts(path, before, after)], Vec::new()).unwrap();
        (judgement.verdict, judgement.feedback.unwrap_or_default())
    }

    #[test]
    fn a_changed_source_that_does_not_parse_fails_in_every_language() {
        for (path, text, place) in [
            ("src/App.tsx", "const a = 1\nexport default () => <main>", "src/App.tsx:2: "),
            ("src/a.ts", "const a: = 1", "src/a.ts:1: "),
            ("src/a.js", "function (", "src/a.js:1: "),
            ("vite.config.mjs", "export default {", "vite.config.mjs:1: "),
            ("src/a.css", "a { color: red }\nb { color: blue", "src/a.css:2: "),
            ("src/data/teas.json", "[\n { \"name\": \"Lime\", }\n]", "src/data/teas.json:2: "),
            ("src/data/teas.json", "// teas\n[]", "src/data/teas.json:1: "),
            ("package.json", "{ \"name\": \"a\",, }", "package.json:1: "),
            ("tsconfig.json", "{ // paths\n \"a\": [ }", "tsconfig.json:"),
            ("index.html", "<p>\n<script>\nconst a = ;\n</script>", "index.html:3: "),
            (
                "src/A.vue",
                "<template><p /></template>\n<script setup lang=\"ts\">\nconst a: = 1\n</script>",
                "src/A.vue:3: ",
            ),
            ("src/A.svelte", "<p />\n<style>\n a { color: red\n</style>", "src/A.svelte:3: "),
            ("src/a.astro", "---\nconst a = ;\n---\n<p />", "src/a.astro:2: "),
            (
                "src/a.tsx",
                "```tsx\nexport const a = 1\n```\n",
                "src/a.tsx:1: the file starts with a Markdown code fence",
            ),
            ("src/a.css", "```css\na { color: red }\n```", "src/a.css:1: "),
            ("index.html", "\n```html\n<p></p>\n```", "index.html:2: "),
            ("src/a.css", "a { }\n<<<<<<< HEAD\n=======\n>>>>>>> b\n", "src/a.css:2: a merge conflict"),
            ("src/a.css", "a {\n padding 4rem;\n}", "src/a.css:2: "),
            ("src/a.ts", "const a = 1\nconst a = 2", "src/a.ts:2: a is declared a second time"),
            ("src/a.js", "export const a: number = 1", "src/a.js:1: this is TypeScript"),
            ("server.cjs", "if (a) return\nconst b = ;", "server.cjs:2: "),
            ("src/A.vue", "<template>\n<p>{{ a( }}</p></template>", "src/A.vue:2: "),
            (
                "src/a.css",
                "<file path=\"src/a.css\">\n@import \"b\";\n</file>",
                "src/a.css:1: the file is inside a tag",
            ),
            ("src/a.css", "Here are the styles:\n\na { b: c }", "src/a.css:1: "),
        ] {
            let (verdict, feedback) = judged(path, "", text);
            assert_eq!(verdict, Fail, "{path}: {text}");
            assert!(feedback.contains(place), "{feedback}");
            assert_eq!(judged(path, text, &format!("{text}\n")).0, Warn, "it did not parse before: {path}");
        }
        assert_eq!(judged("test/fixtures/broken.js", "", "function (").0, Warn);
        let (verdict, feedback) = judged("src/a.css", "a { b: c }", "/* the rest */\n");
        assert!(verdict == Fail && feedback.contains("src/a.css:1: the file has no code any more"), "{feedback}");
    }

    #[test]
    fn sources_in_every_form_that_tools_accept_pass() {
        for (path, text) in [
            ("tsconfig.json", "{\n  // comments\n  \"compilerOptions\": { \"strict\": true, /* more */ },\n}"),
            ("tsconfig.app.json", "{ \"include\": [\"src\",], }"),
            ("src/tsconfig.json", "{ // a\n}"),
            (".vscode/settings.json", "{ // a\n}"),
            (".eslintrc.json", "{ // a\n}"),
            ("turbo.json", "{ // a\n}"),
            ("src/data/teas.json", "\u{FEFF}[1]"),
            ("package.json", "{}"),
            ("src/a.ts", "const a = <string>b; enum C { D } namespace E {}"),
            ("src/a.d.ts", "declare module '*.svg'"),
            ("src/a.js", "import a from './a.json' with { type: 'json' }\nexport default <p>{a}</p>"),
            ("server.cjs", "const a = require('a')\nmodule.exports = { a }"),
            ("server.cjs", "#!/usr/bin/env node\nif (a) return\nmodule.exports = 1"),
            ("old.js", "if (a) return\nmodule.exports = 1"),
            ("src/flow.js", "// @flow\nconst a: number = 1"),
            ("src/a.ts", "export const a = `\n<<<<<<< a`"),
            ("de.ts", "<?xml version=\"1.0\"?><TS></TS>"),
            ("src/a.css", "@import 'tailwindcss';\n@theme { --a: {b} } a { &:hover { b: url(data:x;y) } }"),
            ("index.html", "<script>{{ engine }}</script><script type=\"text/x\">(</script><style>a {{{ b }}}</style>"),
            ("src/A.vue", "<script setup>\nawait f()\n</script><style lang=\"scss\">a { @if (</style>"),
            ("src/A.svelte", "<script>$: b = a; let c = $state(0)</script>{#if a < b}<p />{/if}"),
            ("src/a.astro", "---\nif (!a) return Astro.redirect('/')\nconst b = <p>a</p> as any\n---\n<p>{a < b}</p>"),
        ] {
            let (verdict, feedback) = judged(path, "", text);
            assert_eq!(verdict, Pass, "{path}: {feedback}");
        }
    }

    #[test]
    fn the_reason_why_nothing_is_judged_is_true() {
        for (path, expected) in [
            ("logo.png", "the task changed no file in a language that is read"),
            ("src/all.ts", "too large or no text: src/all.ts"),
        ] {
            let files = [ChangedFile::unread(path)];
            assert_eq!(judge(&Project::default(), &files, Vec::new()), Err(expected.to_owned()));
        }
    }

    #[test]
    fn a_module_renders_only_components_that_it_declares_or_imports() {
        let rendered = "export default () => <main>\n<Footer /></main>";
        let (verdict, feedback) = judged("src/App.tsx", "export default () => <main />", rendered);
        assert_eq!(verdict, Fail);
        assert!(feedback.contains("src/App.tsx:2: the file renders <Footer>"), "{feedback}");
        assert_eq!(judged("src/App.tsx", rendered, &format!("{rendered}\n")).0, Pass, "a tool may add it");
        let automatic = Project::from_files(&[(
            "package.json",
            "{\"dependencies\":{\"react\":\"1\",\"unplugin-auto-import\":\"1\"}}",
        )]);
        let files = [ChangedFile::from_texts("src/App.tsx", "", rendered)];
        assert_eq!(judge(&automatic, &files, Vec::new()).unwrap().verdict, Pass);
    }
}
