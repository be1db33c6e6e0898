//! `search`: finds text in the project's files.

use super::open::locate;
use super::{Context, Outcome, Signature, fail, text};
use crate::agent::arguments::Args;
use crate::port::{FileKind, Host};

pub(super) fn schema() -> Signature {
    let description = "Finds plain text in the project's files (case-insensitive, not a pattern). Returns \
                       `path:line: text` for each matching line.";
    let arguments = const {
        &[
            text("query", "The text to find; it must not span lines"),
            text("path", "A folder or file to search; the whole project if omitted"),
        ]
    };
    (description.to_owned(), arguments, &["query"])
}

pub(super) async fn run<H: Host>(context: &Context<'_, H>, args: Args<'_>) -> Outcome {
    let query = args.text("query").to_ascii_lowercase();
    if query.trim().is_empty() || query.contains('\n') {
        return fail("`query` must be a non-empty text without line breaks");
    }
    let path = args.optional_text("path").unwrap_or_default();
    let start = locate(context, path).await?;
    let project = context.host.project();
    let listing = context.listing(&start, FILES_MAX).await?;
    let (mut found, mut too_large) = (Vec::new(), 0);
    for (file, stat) in &listing.files {
        match stat.kind {
            FileKind::File if stat.size <= SIZE_MAX => {}
            FileKind::File => {
                too_large += 1;
                continue;
            }
            _ => continue,
        }
        let Some(Ok(text)) = project.read(file).await?.map(String::from_utf8) else { continue };
        if !text.contains('\0') {
            found.extend(matches(file, &text, &query));
        }
        if found.len() > MATCHES_MAX {
            break;
        }
    }
    let mut notes = Vec::new();
    if found.len() > MATCHES_MAX {
        found.truncate(MATCHES_MAX);
        notes.push(format!("[only the first {MATCHES_MAX} lines: use a longer query, or search one folder]"));
    }
    if listing.more {
        notes.push(format!("[only the first {FILES_MAX} files: search one folder]"));
    }
    if too_large > 0 {
        notes.push(format!("[{too_large} files over {SIZE_MAX} bytes were not searched]"));
    }
    if found.is_empty() {
        notes.insert(0, format!("{:?} not found.", args.text("query")));
    }
    found.extend(notes);
    Ok(found.join("\n"))
}

/// `query` must be lower case.
fn matches(file: &str, text: &str, query: &str) -> Vec<String> {
    let lines = text.lines().enumerate().filter_map(|(index, line)| {
        let at = line.to_ascii_lowercase().find(query)?;
        Some(format!("{file}:{}: {}", index + 1, around(line, at, query.len())))
    });
    lines.take(MATCHES_MAX + 1).collect()
}

/// The line, or the part of a long line around the match.
fn around(line: &str, at: usize, length: usize) -> String {
    if line.len() <= LINE_MAX {
        return line.trim().to_owned();
    }
    let start = line.floor_char_boundary(at.saturating_sub(LINE_MAX / 2));
    let end = line.ceil_char_boundary((at + length.min(LINE_MAX) + LINE_MAX / 2).min(line.len()));
    format!("… {} …", line.get(start..end).unwrap_or_default())
}

const FILES_MAX: usize = 5000;
const MATCHES_MAX: usize = 100;
const SIZE_MAX: u64 = 1024 * 1024;
const LINE_MAX: usize = 160;
