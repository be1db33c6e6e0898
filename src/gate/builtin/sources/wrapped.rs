//! Files that hold a source in the form of an answer: in fences or tags, with a sentence before it, or as a diff. And files
//! that lost all of their code.

use crate::gate::bare;
use crate::gate::compare::is_source;
use crate::path::{extension, name};
use crate::syntax::markup::MARKUP;

const AGAIN: &str = "Write the file again with nothing but its own text";

/// The 1-based line of what does not belong to the file, and what it is.
pub(super) fn fault(path: &str, text: &str) -> Option<(usize, String)> {
    let mut lines = text.lines().map(str::trim).zip(1..);
    let (first, at) = lines.find(|(line, _)| !line.is_empty())?;
    let last = text.trim_end().lines().next_back().map_or("", str::trim);
    let end = text.trim_end().lines().count();
    let extension = extension(path);
    let is_markup = MARKUP.contains(&extension);
    let found = |line: usize, what: &str| Some((line, format!("{what}. {AGAIN}")));
    if first.starts_with("```") || first.starts_with("~~~") {
        return found(at, "the file starts with a Markdown code fence");
    }
    if is_diff(first) {
        return found(at, "the file starts like a diff");
    }
    // The parser refuses what follows in other languages.
    if let Some(tag) = tag(first).filter(|tag| is_wrapper(path, first, tag, last)) {
        return found(at, &format!("the file is inside a tag <{tag}>"));
    }
    if !is_markup && extension != "css" {
        return None;
    }
    if last.chars().all(|c| c == '`') && last.len() > 2 || last == "</file>" {
        return found(end, &format!("the file ends with {last}"));
    }
    (is_markup && is_preceded(text, first, extension))
        .then(|| found(at, "the file starts with a sentence and not with its own text"))
        .flatten()
}

/// Whether a source that had code has none any more.
pub(super) fn is_emptied(was: &str, before: &str, path: &str, after: &str) -> bool {
    let has_code = |path: &str, text: &str| bare::code(path, text).is_some_and(|code| !code.trim().is_empty());
    has_code(was, before) && !has_code(path, after)
}

fn is_diff(line: &str) -> bool {
    ["diff --git ", "--- a/", "+++ b/", "@@ -", "*** Begin Patch", "*** Update File"]
        .iter()
        .any(|start| line.starts_with(start))
}

/// The name of the tag that a line starts with.
fn tag(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('<')?;
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_' | ':')).unwrap_or(rest.len());
    rest.get(..end).filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Whether the tag is no part of the file: no style sheet and no module starts with one, and no element names its own file.
fn is_wrapper(path: &str, line: &str, tag: &str, last: &str) -> bool {
    let head = line.split_once('>').map_or(line, |(head, _)| head);
    let names_file =
        tag == "file" || head.contains(&format!("{}\"", name(path))) || head.contains(&format!("{}'", name(path)));
    let is_closed = last.ends_with(&format!("</{tag}>"));
    match extension(path) {
        "css" => true,
        extension if MARKUP.contains(&extension) => {
            names_file && !matches!(tag, "html" | "link" | "meta" | "a" | "script")
        }
        _ => is_source(path) && is_closed,
    }
}

/// Whether text stands before a document, the blocks of a Vue or Svelte file, or the frontmatter of an Astro file.
fn is_preceded(text: &str, first: &str, extension: &str) -> bool {
    if !first.starts_with(char::is_alphabetic) {
        return false;
    }
    let rest = text.split_once(first).map_or("", |(_, rest)| rest).to_ascii_lowercase();
    let starts = |marks: &[&str]| marks.iter().any(|mark| rest.trim_start().starts_with(mark));
    match extension {
        "astro" => rest.contains("\n---"),
        "vue" => ["<template", "<script"].iter().any(|mark| rest.contains(mark)),
        "svelte" => starts(&["<script"]),
        _ => starts(&["<!doctype", "<html"]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: [(&str, &str); 8] = [
        ("src/index.css", "@import \"tailwindcss\";\n:root { --radius: 1rem }\n"),
        ("index.html", "<!doctype html>\n<html><body><p>Bread</p></body></html>\n"),
        ("src/App.vue", "<script setup>\nconst a = 1\n</script>\n<template><p>{{ a }}</p></template>\n"),
        ("src/App.svelte", "<script>\nlet a = 1\n</script>\n<p>{a}</p>\n"),
        ("src/pages/index.astro", "---\nconst a = 1\n---\n<p>{a}</p>\n"),
        ("src/data/cakes.json", "[{ \"name\": \"Plum\" }]\n"),
        ("src/App.tsx", "import { Menu } from './Menu'\nexport default function App() { return <Menu /> }\n"),
        ("src/prices.ts", "export const price = (n: number): string => `${n} €`\n"),
    ];

    #[test]
    fn a_wrapped_file_is_found_in_every_language() {
        use crate::gate::builtin::sources::sources_parse::fault;
        for (path, text) in FILES {
            assert_eq!(fault(path, text), None, "{path}");
            for wrapped in [
                format!("```\n{text}```\n"),
                format!("```tsx\n{text}\n```"),
                format!("\n~~~css\n{text}~~~"),
                format!("<file path=\"{path}\">\n{text}</file>"),
                format!("<file name='{path}'>\n{text}\n</file>\n"),
                format!("<dyad-write path=\"{path}\" description=\"a\">\n{text}</dyad-write>"),
                format!("<boltAction type=\"file\" filePath=\"{path}\">\n{text}</boltAction>"),
                format!("Here is the file:\n\n{text}"),
                format!("Here is the updated file.\n{text}"),
                format!("--- a/{path}\n+++ b/{path}\n@@ -1,2 +1,3 @@\n{text}"),
                format!("@@ -1,2 +1,3 @@\n{text}"),
                format!("*** Begin Patch\n*** Update File: {path}\n{text}"),
            ] {
                assert!(fault(path, &wrapped).is_some(), "{wrapped}");
            }
            let emptied = ["", "\n", "// nothing\n", "/* nothing */", "<!-- nothing -->"]
                .iter()
                .filter(|empty| is_emptied(path, text, path, empty));
            assert!(emptied.count() >= 2, "{path}");
            assert!(!is_emptied(path, text, path, text) && !is_emptied(path, "", path, "\n"), "{path}");
        }
    }

    #[test]
    fn a_file_that_ends_in_its_wrapping_is_found() {
        use crate::gate::builtin::sources::sources_parse::fault;
        for (path, text) in FILES {
            for end in ["```\n", "</file>\n"] {
                assert!(fault(path, &format!("{text}{end}")).is_some(), "{path}: {end}");
            }
        }
        for end in ["I changed the radius.", "Note: the radius is smaller."] {
            assert!(fault("src/index.css", &format!("{}{end}\n", FILES[0].1)).is_some(), "{end}");
        }
        assert!(fault("src/a.css", "a {\n-  color: red;\n+  color: blue;\n}").is_some());
    }

    #[test]
    fn texts_that_resemble_a_wrapping_are_sources() {
        use crate::gate::builtin::sources::sources_parse::fault;
        for (path, text) in [
            ("a.html", "Hello <b>there</b>"),
            ("a.html", "<link rel=\"stylesheet\" href=\"a.html\">"),
            ("a.html", "---\ntitle: a\n---\n<p>a</p>"),
            ("a.html", "{% extends 'b.html' %}\n<p>a</p>"),
            ("a.html", "<pre>\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n</pre>"),
            ("src/A.svelte", "Hello {name}\n<p>a</p>"),
            ("src/A.vue", "<docs>\nHow to use it: a\n</docs>\n<template><p /></template>"),
            ("src/a.astro", "<Layout title=\"a\">b</Layout>"),
            ("src/a.ts", "export const diff = `\n--- a/b\n+++ b/b\n`"),
            ("src/a.ts", "export const markdown = `\n\\`\\`\\`\n`"),
            ("src/a.css", "@charset \"utf-8\";\n\n/* Here is the file: */\na { b: c }\n"),
            ("src/a.css", "a + b, a > b, a:not(.b) { &:hover { c: d } > e { f: g } + h { i: j } *zoom: 1 }"),
            ("src/a.css", "@layer base;\n@tailwind base;\n@media (min-width: 1px) { a { b: c } };\n"),
            ("src/a.css", "@keyframes a { from { b: c } 50.5% { b: d } to { b: e } }"),
        ] {
            assert_eq!(fault(path, text), None, "{text}");
        }
    }
}
