//! `no-placeholders`: a task adds no placeholders for code or content.

use super::read;
use crate::gate::feedback::{excerpt, list_entries};
use crate::gate::{ChangedFile, Check, Finding, Gate, Judgement, Project};
use crate::js::lexer::{PieceKind, Source};
use crate::js::line_of;
use crate::path::extension;
use crate::syntax::markup::{MARKUP, parts};
use crate::words::words;

/// Applies if the task changed a source.
pub(crate) const GATE: Gate = Gate {
    name: "no-placeholders",
    description: "no changed file contains placeholders for code",
    check: Check::Changes(check),
};

/// Maximum number of placeholders read from a file.
const COUNTED: usize = 200;

fn check(_: &Project, files: &[ChangedFile]) -> Finding {
    let read = read(files)?;
    let mut lines = Vec::new();
    // A placeholder that existed in any file before the task does not count.
    let was_there = |found: &str| files.iter().any(|file| file.before.as_deref().is_some_and(|it| it.contains(found)));
    for (file, text) in read {
        let found = placeholders(text, extension(&file.path)).into_iter().take(COUNTED);
        for (at, found) in found.filter(|(_, found)| !was_there(found)) {
            lines.push(format!("{}:{}: {}", file.path, line_of(text, at), excerpt(found)));
        }
    }
    if lines.is_empty() {
        return Ok(Judgement::pass());
    }
    Ok(Judgement::warn(format!(
        "Changed files contain placeholders for code or content:\n{}\nReplace each placeholder with the complete code or \
         content. If you omitted existing code when you rewrote a file, that code is lost: restore it.",
        list_entries(&lines)
    )))
}

/// Every placeholder of a source, with its byte offset.
fn placeholders<'a>(text: &'a str, extension: &str) -> Vec<(usize, &'a str)> {
    match extension {
        "css" => between(text, "/*", "*/"),
        extension if MARKUP.contains(&extension) => {
            let mut found = between(text, "<!--", "-->");
            found.extend(lines(0, text).filter(|(_, line)| is_dummy(line)));
            for part in parts(text, extension) {
                let inner = placeholders(part.text, part.extension).into_iter();
                found.extend(inner.map(|(at, text)| (part.at + at, text)));
            }
            found.sort_unstable();
            found
        }
        _ => {
            let source = Source::new(text, extension);
            let mut found: Vec<_> = source.comments.iter().copied().filter(|(_, text)| is_placeholder(text)).collect();
            for piece in &source.pieces {
                match piece.kind {
                    // A comment syntax in JSX text is visible text, not a comment.
                    PieceKind::Text => found.extend(
                        lines(piece.at, piece.text)
                            .filter(|(_, line)| is_dummy(line) || (has_mark(line) && is_placeholder(line))),
                    ),
                    PieceKind::String | PieceKind::Template if is_dummy(piece.text) => {
                        found.push((piece.at, piece.text))
                    }
                    _ => {}
                }
            }
            found
        }
    }
}

/// The trimmed lines of a text, each with its byte offset.
fn lines(at: usize, text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = at;
    text.split('\n').map(move |line| {
        let place = start + line.len() - line.trim_start().len();
        start += line.len() + 1;
        (place, line.trim())
    })
}

/// The placeholders among the comments of a text.
fn between<'a>(text: &'a str, open: &str, close: &str) -> Vec<(usize, &'a str)> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(rest) = text.get(at..)
        && let Some(start) = rest.find(open)
        && let Some(comment) = rest.get(start..)
        && let Some(length) = comment.find(close)
    {
        found.extend(comment.get(..length).filter(|comment| is_placeholder(comment)).map(|text| (at + start, text)));
        at += start + length + close.len();
    }
    found
}

/// Whether the text starts like a comment, or like an omission.
fn has_mark(text: &str) -> bool {
    ["//", "/*", "...", "…"].iter().any(|mark| text.starts_with(mark))
}

/// Whether the text is well-known dummy content.
fn is_dummy(text: &str) -> bool {
    let text = text.get(..text.len().min(DUMMY_BYTES)).unwrap_or(text).to_ascii_lowercase();
    text.contains("lorem ipsum") || text.trim().trim_end_matches(['.', '!']) == "not implemented"
}

/// Bytes of a text that are searched for dummy content.
const DUMMY_BYTES: usize = 200;
/// Maximum number of words of a placeholder comment.
const SHORT: usize = 12;

/// Whether the comment replaces omitted code or code still to be written.
fn is_placeholder(comment: &str) -> bool {
    let marks: &[char] = &['/', '*', '{', '}', '<', '!', '-', '#'];
    let text = comment.trim_matches(|c: char| c.is_whitespace() || marks.contains(&c));
    let is_end = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    if ["TODO", "FIXME"].iter().any(|mark| text.strip_prefix(mark).is_some_and(is_end))
        || ["todo:", "fixme:"].iter().any(|mark| text.starts_with(mark))
    {
        return true;
    }
    let words = words(text);
    let says = |phrase: &str| {
        let phrase = crate::words::words(phrase);
        words.windows(phrase.len()).any(|window| window == phrase)
    };
    let starts = |phrase: &&str| words.starts_with(&crate::words::words(phrase));
    let any = |phrases: &[&str]| phrases.iter().any(|phrase| says(phrase));
    let leads = text.starts_with("...") || text.starts_with('…');
    let trails = text.ends_with("...") || text.ends_with('…');
    if words.is_empty() {
        return leads;
    }
    if words.len() > SHORT {
        return false;
    }
    let is_rest = any(&["rest", "remaining", "remainder", "existing", "previous", "original", "everything"]);
    let is_kept = any(&["unchanged", "same", "omitted", "brevity", "as before", "as is", "here", "above", "not shown"]);
    let is_code = any(&CODE);
    let left_out = (is_rest && is_kept && (is_code || says("everything")))
        || ((leads || trails) && (is_rest || says("unchanged") || says("omitted")))
        || (leads && any(&["other", "more"]) && is_code)
        || (words.len() <= 6 && is_code && ["rest of", "existing code"].iter().any(starts))
        || (is_code && any(&["unchanged", "omitted"]) && words.len() <= 6);
    let to_write = any(&[
        "not implemented",
        "to be implemented",
        "goes here",
        "go here",
        "your code here",
        "code here",
        "add logic here",
        "implement me",
        "implement this",
        "implement here",
        "implement later",
        "implementation here",
        "in a real implementation",
        "in a real app",
        "stub",
    ]) && (is_code || words.len() <= 6);
    left_out || to_write
}

/// Words for parts of a file.
const CODE: [&str; 15] = [
    "code",
    "file",
    "component",
    "function",
    "implementation",
    "import",
    "style",
    "logic",
    "content",
    "section",
    "markup",
    "jsx",
    "method",
    "handler",
    "item",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::GateVerdict::{Pass, Warn};

    #[test]
    fn placeholder_comments_are_recognised_and_explanations_are_not() {
        for comment in [
            "// rest of the code unchanged",
            "// ... existing code ...",
            "// ...rest of the component",
            "/* ... */",
            "// … remaining sections stay the same",
            "{/* rest of the sections here */}",
            "// existing code here",
            "// Everything else unchanged",
            "// other handlers omitted for brevity... code",
            "// imports unchanged",
            "// keep the existing imports as is",
            "// ... other imports",
            "// TODO: add the submit handler",
            "// FIXME later",
            "// TODO",
            "// TODO(anna): the map",
            "/* todo: write this */",
            "// implementation goes here",
            "// Your code here",
            "// not implemented",
            "// add logic here",
            "// stub",
        ] {
            assert!(is_placeholder(comment), "{comment}");
        }
        for comment in [
            "// The rest of the row is padded, so that columns line up.",
            "// existing ids stay the same, so that keys are stable",
            "// Loading…",
            "// e.g. 1, 2, 3...",
            "// unchanged since the last render",
            "// the original order is kept",
            "// see the todo list component",
            "// TODOS_KEY is where they are kept",
            "// TODOs are sorted by their date",
            "// TODO_KEY of the store",
            "// FIXMEs",
            "// adds the item to the list",
            "// eslint-disable-next-line no-console",
            "/** Renders the hero. */",
            "// -----------------",
            "// rest parameters",
            "",
        ] {
            assert!(!is_placeholder(comment), "{comment}");
        }
    }

    fn judged(path: &str, before: &str, after: &str) -> Judgement {
        check(&Project::default(), &[ChangedFile::from_texts(path, before, after)]).unwrap()
    }

    #[test]
    fn new_placeholders_are_found_in_every_kind_of_source() {
        for (path, text) in [
            ("a.tsx", "const a = 1\n// ... existing code ...\n"),
            ("a.tsx", "const a = <main>\n  {/* rest of the code unchanged */}\n</main>\n"),
            ("a.tsx", "const a = <main>\n  // ... existing code\n</main>\n"),
            ("a.tsx", "const a = 1\nfunction save() { throw new Error('Not implemented.') }\n"),
            ("a.tsx", "const a = 1\nfunction save() { /* TODO */ }\n"),
            ("a.tsx", "const a =\n <p>Lorem ipsum dolor</p>\n"),
            ("a.css", "a { color: red }\n/* rest of the styles unchanged */\n"),
            ("a.html", "<p>\n<!-- existing content here --></p>\n"),
            ("a.vue", "<template>\n<p>Lorem ipsum dolor</p></template>\n"),
            ("a.vue", "<script setup>\n// TODO: the map\n</script>\n"),
            ("a.svelte", "<style>\n/* rest of the styles unchanged */\n</style>\n"),
            ("a.astro", "---\n// ... existing code ...\n---\n<p />\n"),
        ] {
            let judgement = judged(path, "", text);
            assert_eq!(judgement.verdict, Warn, "{text}");
            let feedback = judgement.feedback.unwrap_or_default();
            assert!(feedback.contains(&format!("{path}:2: ")), "{feedback}");
            assert_eq!(judged(path, text, &format!("{text}\n")).verdict, Pass, "it existed before: {text}");
        }
        let todo = "// TODO: the map\n";
        let moved = [ChangedFile::from_texts("a.ts", todo, "1"), ChangedFile::from_texts("b.ts", "", todo)];
        assert_eq!(check(&Project::default(), &moved).unwrap().verdict, Pass, "the placeholder moved");
        assert_eq!(judged("a.tsx", "", "const s = '// ... existing code'\n").verdict, Pass);
        let removed = [ChangedFile::from_texts("a.tsx", "// TODO: x", "")];
        assert!(check(&Project::default(), &removed).is_err());
    }
}
