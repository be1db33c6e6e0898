//! `edit_file`: replaces one exact occurrence of a text in a file.

use super::open;
use super::{Context, Failure, Outcome, Signature, fail, text};
use crate::agent::arguments::Args;
use crate::port::Host;
use crate::text::{beginning, counted};

pub(super) fn schema() -> Signature {
    let description = "Replaces one piece of text in a file. `old_text` must occur exactly once, with the same spaces and \
                       line breaks: include the line before and after if it would not be unique.";
    let arguments = const {
        &[
            text("path", "The file, relative to the project: src/App.tsx"),
            text("old_text", "The present text, exactly"),
            text("new_text", "The replacement; empty to delete the text"),
        ]
    };
    (description.to_owned(), arguments, &["path", "old_text", "new_text"])
}

pub(super) async fn run<H: Host>(context: &Context<'_, H>, args: Args<'_>) -> Outcome {
    let path = args.text("path");
    let file = context.files.file("writeFile", path).await?;
    let bytes = open::bytes_of(context, path, context.files.read(&file).await).await?;
    let content = open::text(path, bytes)?;
    let edited = replace_once(path, &content, args.text("old_text"), args.text("new_text"))?;
    context.files.write(&file, edited.text.as_bytes()).await?;
    Ok(format!("Edited {path} at line {} ({})", edited.line, counted(edited.text.len(), "byte")))
}

/// The bytes of the file after the call.
pub(super) fn result(args: Args<'_>, content: &str) -> Option<Vec<u8>> {
    let (old, new) = (args.optional_text("old_text")?, args.optional_text("new_text")?);
    Some(replace_once("", content, old, new).ok()?.text.into_bytes())
}

#[derive(Debug, PartialEq, Eq)]
struct Edited {
    text: String,
    line: usize,
}

/// In a file with CRLF line ends, texts with LF match and are written with CRLF.
fn replace_once(path: &str, content: &str, old: &str, new: &str) -> Result<Edited, Failure> {
    if old.is_empty() {
        return fail("`old_text` is empty; use write_file to create or replace a file");
    }
    if old == new {
        return fail("`old_text` and `new_text` are the same; nothing would change");
    }
    let windows = content.contains("\r\n") && !old.contains('\r') && !content.contains(old);
    let (old, new) = match windows {
        true => (old.replace('\n', "\r\n"), new.replace("\r\n", "\n").replace('\n', "\r\n")),
        false => (old.to_owned(), new.to_owned()),
    };
    let count = content.matches(&old).count();
    match first_lines(content, &old).as_slice() {
        [] => fail(format!("`old_text` not found in {path:?}; nothing was changed; {}", nearest(content, &old))),
        [line] if count == 1 => Ok(Edited { text: content.replacen(&old, &new, 1), line: *line }),
        lines => {
            let shown: Vec<String> = lines.iter().map(usize::to_string).collect();
            fail(format!(
                "`old_text` occurs {count} times in {path:?}, at lines {}; nothing was changed; include the lines around it to \
                 make it unique",
                shown.join(", ")
            ))
        }
    }
}

/// The lines of the first occurrences.
fn first_lines(content: &str, old: &str) -> Vec<usize> {
    let (mut line, mut read) = (1, 0);
    let places = content.match_indices(old).take(SHOWN_MAX).map(|(at, _)| {
        line += content.get(read..at).unwrap_or_default().matches('\n').count();
        read = at;
        line
    });
    places.collect()
}

/// A hint with the line that is most similar to the first line of `old`. In a large file, not every line is compared.
fn nearest(content: &str, old: &str) -> String {
    let wanted = old.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let mut budget = COMPARED_MAX;
    let lines = content.lines().enumerate().map(|(index, line)| (index + 1, line.trim(), line));
    let best = lines
        .filter(|(_, trimmed, _)| trimmed.len() / 2 <= wanted.len() && wanted.len() / 2 <= trimmed.len())
        .filter_map(|(number, trimmed, line)| {
            budget = budget.checked_sub(wanted.len().saturating_mul(trimmed.len()))?;
            Some((strsim::normalized_levenshtein(wanted, trimmed), number, line))
        })
        .min_by(|(a, ..), (b, ..)| b.total_cmp(a));
    match best {
        Some((similarity, number, line)) if similarity >= 0.5 => {
            let what = if similarity == 1.0 {
                "its first line matches, except for spaces,"
            } else {
                "the most similar line is"
            };
            let line = beginning(line, 200);
            format!("{what} at line {number}: `{line}`; read the file and copy the text exactly")
        }
        _ => "read the file and copy the text exactly".to_owned(),
    }
}

/// How many occurrences an error names.
const SHOWN_MAX: usize = 10;

/// Pairs of characters that a hint may compare.
const COMPARED_MAX: usize = 4_000_000;

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;

    fn edit(content: &str, old: &str, new: &str) -> Result<(String, usize), String> {
        replace_once("a.ts", content, old, new).map(|edited| (edited.text, edited.line)).map_err(|failure| failure.0)
    }

    #[test]
    fn the_only_occurrence_is_replaced_literally() {
        assert_eq!(edit("a\nb\nc\n", "b", "$& {x}"), Ok(("a\n$& {x}\nc\n".to_owned(), 2)));
        assert_eq!(edit("a\nb\nc\n", "b\n", ""), Ok(("a\nc\n".to_owned(), 2)));
        assert_eq!(edit("\u{feff}aé\nb", "é\nb", "🦀"), Ok(("\u{feff}a🦀".to_owned(), 1)));
    }

    #[test]
    fn the_line_ends_of_the_file_are_preserved() {
        assert_eq!(edit("a\r\nb\r\nc", "a\nb", "x\ny"), Ok(("x\r\ny\r\nc".to_owned(), 1)));
        assert_eq!(edit("a\r\nb", "a", "x\ny"), Ok(("x\ny\r\nb".to_owned(), 1)));
    }

    #[test]
    fn a_missing_text_is_reported_with_the_most_similar_line() {
        let content = "import a\n  const title = 'Hello'\nexport b\n";
        let message = edit(content, "const title = \"Hello\"", "x").unwrap_err();
        assert!(message.contains("line 2: `  const title = 'Hello'`"), "{message}");
        let message = edit(content, "\n\nconst title = 'Hello'\nexport c", "x").unwrap_err();
        assert!(message.contains("except for spaces") && message.contains("line 2"), "{message}");
        let message = edit(content, "zzzzzzzzzzzz", "x").unwrap_err();
        assert!(message.contains("copy the text exactly") && !message.contains("line"), "{message}");
        assert!(edit("", "a", "b").is_err());
        assert!(edit(&"y".repeat(1_000_000), &"x".repeat(1_000_000), "").unwrap_err().len() < 300);
    }

    #[test]
    fn an_ambiguous_text_is_reported_with_its_lines() {
        let message = edit("a\nb\na\na", "a", "x").unwrap_err();
        assert!(message.contains("3 times") && message.contains("lines 1, 3, 4"), "{message}");
        assert!(edit("a", "", "x").unwrap_err().contains("write_file"));
        assert!(edit("a", "a", "a").unwrap_err().contains("nothing would change"));
    }
}
