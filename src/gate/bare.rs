//! A source without its comments.

use super::scope::stripped;
use crate::js::lexer::Source;
use crate::path::extension;
use crate::syntax::css::StyleSheet;
use crate::syntax::markup::{MARKUP, parts};

/// The code of a source without comments, white space and empty braces, in a form to compare; `None` for a language that is
/// not read. Comments that instruct a tool are code.
pub(super) fn code(path: &str, text: &str) -> Option<String> {
    Some(bare(text, &comments(extension(path), text)?))
}

/// The same, with the comments.
pub(super) fn with_comments(text: &str) -> String {
    bare(text, &[])
}

fn bare(text: &str, blanks: &[(u32, u32)]) -> String {
    // JSX has comments in braces.
    stripped(text, blanks, None).replace("{}", "")
}

/// The byte ranges of the comments.
pub(super) fn comments(extension: &str, text: &str) -> Option<Vec<(u32, u32)>> {
    let mut found = match extension {
        "tsx" | "jsx" | "ts" | "js" | "mjs" | "cjs" | "mts" | "cts" => of_code(text, extension),
        "json" | "jsonc" => of_code(text, "ts"),
        "css" => StyleSheet::new(text).comments().iter().map(|(from, to)| (*from as u32, *to as u32)).collect(),
        extension if MARKUP.contains(&extension) => of_markup(text, extension),
        _ => return None,
    };
    found.sort_unstable();
    Some(found)
}

fn of_code(text: &str, extension: &str) -> Vec<(u32, u32)> {
    let source = Source::new(text, extension);
    let explains = source.comments.iter().filter(|(_, comment)| !instructs(comment));
    explains.map(|(at, comment)| (*at as u32, (at + comment.len()) as u32)).collect()
}

fn of_markup(text: &str, extension: &str) -> Vec<(u32, u32)> {
    let parts = parts(text, extension);
    let is_inside = |at: usize| parts.iter().any(|part| (part.at..part.at + part.text.len()).contains(&at));
    let mut found = Vec::new();
    for part in &parts {
        let own = comments(part.extension, part.text).unwrap_or_default();
        found.extend(own.into_iter().map(|(from, to)| (part.at as u32 + from, part.at as u32 + to)));
    }
    for (open, close) in [("<!--", "-->"), ("{/*", "*/}")] {
        let mut at = 0;
        while let Some(from) = text.get(at..).and_then(|rest| rest.find(open)).map(|start| at + start) {
            let rest = text.get(from..).unwrap_or_default();
            at = rest.find(close).map_or(text.len(), |end| from + end + close.len());
            // `<!--[if IE]>` is code.
            if !is_inside(from) && !rest.starts_with("<!--[") {
                found.push((from as u32, at as u32));
            }
        }
    }
    found
}

/// First words of comments that tools read.
const INSTRUCTIONS: [&str; 21] = [
    "eslint",
    "prettier-",
    "biome-",
    "oxlint-",
    "tslint:",
    "stylelint-",
    "deno-",
    "istanbul",
    "c8 ",
    "v8 ",
    "webpack",
    "@ts-",
    "@type",
    "@jsx",
    "@vite",
    "@refresh",
    "#__",
    "@__",
    "# source",
    "<reference",
    "<amd",
];

fn instructs(comment: &str) -> bool {
    let text = comment.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '/' | '*'));
    INSTRUCTIONS.iter().any(|start| text.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_comments_and_white_space_around_them_are_left_out() {
        for (path, with, without) in [
            ("a.tsx", "const a = 1 // one\n", "const a = 1"),
            ("a.tsx", "/** Doc. */\nconst a = <p>{/* x */}\n{/* y */ /* z */} b</p>", "const a = <p>\n b</p>"),
            ("a.ts", "f(/* x */ a)", "f(a)"),
            ("a.css", "/* x */ a { color: red }", "a { color: red }"),
            ("a.json", "{ // x\n \"a\": 1 }", "{ \"a\": 1 }"),
            ("a.html", "<p>a</p><!-- x --><script>// y\nf()</script>", "<p>a</p><script>f()</script>"),
            ("a.vue", "<style>/* x */ a { b: c }</style>", "<style> a { b: c }</style>"),
            ("a.svelte", "<p>{/* x */}</p>", "<p></p>"),
        ] {
            assert_eq!(code(path, with), code(path, without), "{with}");
            assert_ne!(with_comments(with), with_comments(without), "{with}");
        }
        for (path, before, after) in [
            ("a.tsx", "<h1>Night bar</h1>", "<h1>Nightbar</h1>"),
            ("a.ts", "f(1)", "// @ts-expect-error x\nf(1)"),
            ("a.ts", "f(1)", "f(1) // eslint-disable-line"),
            ("a.ts", "f('// a')", "f('// b')"),
            ("a.tsx", "<p>// a</p>", "<p>// b</p>"),
            ("a.css", "a { content: '/* a */' }", "a { content: '/* b */' }"),
            ("a.html", "<p>a</p>", "<!--[if IE]><p>a</p>"),
        ] {
            assert_ne!(code(path, before), code(path, after), "{before}");
        }
        assert_eq!(code("a.md", "text"), None);
    }
}
