//! `sources-parse`: every source that a task changes can be read.

use super::read;
use crate::gate::feedback::shown;
use crate::gate::{ChangedFile, Check, Finding, Gate, Judgement, Project};
use crate::js::line_of;
use crate::js::markup::is_return;
use crate::js::resolve::read_config;
use crate::js::tree::{Parsed, parse};
use crate::path::{extension, name};
use crate::syntax::css::StyleSheet;
use crate::syntax::markup::{MARKUP, parts};

/// Applies if the task changed a source: JavaScript, TypeScript, JSON, style sheets, and the scripts and styles of HTML,
/// Vue, Svelte and Astro files. Fails for one that does not parse, unless it did not parse before the task either.
pub(crate) const GATE: Gate =
    Gate { name: "sources-parse", description: "every changed source parses", check: Check::Changes(check) };

fn check(_: &Project, files: &[ChangedFile]) -> Finding {
    let (mut new, mut old) = (Vec::new(), Vec::new());
    for (file, text) in read(files)? {
        let Some((line, message)) = fault(&file.path, text) else { continue };
        let was_broken = file.was.as_deref().zip(file.before.as_deref());
        let was_broken = was_broken.is_some_and(|(path, text)| fault(path, text).is_some());
        let found = format!("{}:{line}: {message}", file.path);
        if was_broken || is_fixture(&file.path) { old.push(found) } else { new.push(found) }
    }
    Ok(if !new.is_empty() {
        Judgement::fail(format!("Changed sources do not parse:\n{}\nFix the syntax of each file.", shown(&new)))
    } else if !old.is_empty() {
        Judgement::warn(format!(
            "Changed sources do not parse, and perhaps are not meant to:\n{}\nFix the syntax if the app uses them.",
            shown(&old)
        ))
    } else {
        Judgement::pass()
    })
}

/// Data of tests may be broken on purpose.
fn is_fixture(path: &str) -> bool {
    path.split('/').any(|part| ["fixture", "testdata", "snapshots", "template"].iter().any(|word| part.contains(word)))
}

/// The 1-based line of the first syntax error, and what is wrong.
fn fault(path: &str, text: &str) -> Option<(usize, String)> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    match extension(path) {
        "css" => of_style(text),
        "jsonc" => of_config(text),
        "json" if !is_strict(path) => of_config(text),
        extension if MARKUP.contains(&extension) => {
            let parts = parts(text, extension).into_iter();
            let mut faults = parts.filter_map(|part| {
                let fault = fault(&format!("part.{}", part.extension), part.text);
                // The frontmatter of Astro may return.
                let (line, message) = fault.filter(|(_, message)| !is_return(message))?;
                Some((line_of(text, part.at) + line - 1, message))
            });
            faults.next()
        }
        // Translations of Qt have the extension of TypeScript, and a type annotation of Flow is another language.
        _ if text.starts_with("<?xml") || text.contains("@flow") => None,
        _ => of_code(path, text),
    }
}

fn of_code(path: &str, text: &str) -> Option<(usize, String)> {
    match parse(path, text) {
        Parsed::Broken { line, message } => Some((line, message)),
        Parsed::Module(_) | Parsed::Data(_) | Parsed::Unreadable | Parsed::Foreign => None,
    }
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
        let judgement = check(&Project::default(), &[ChangedFile::of(path, before, after)]).unwrap();
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
        ] {
            let (verdict, feedback) = judged(path, "", text);
            assert_eq!(verdict, Fail, "{path}: {text}");
            assert!(feedback.contains(place), "{feedback}");
            assert_eq!(judged(path, text, &format!("{text}\n")).0, Warn, "it did not parse before: {path}");
        }
        assert_eq!(judged("test/fixtures/broken.js", "", "function (").0, Warn);
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
            assert_eq!(check(&Project::default(), &[ChangedFile::unread(path)]), Err(expected.to_owned()));
        }
    }
}
