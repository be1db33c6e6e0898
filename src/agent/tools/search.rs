//! `search`: finds text in the project's files.

use super::open::locate;
use super::{Context, Outcome, Signature, fail, line, text};
use crate::agent::arguments::Args;
use crate::port::FileKind;
use crate::text::counted;

pub(super) fn schema() -> Signature {
    let description = "Finds plain text in the project's files (case-insensitive, not a pattern). Returns \
                       `path:line: text` for each matching line.";
    let arguments = const {
        &[
            text("query", "The text to find; it must not span lines"),
            text("path", "A folder or file to search; the whole project if omitted"),
            line("context", "How many lines to show before and after each matching line, at most 10"),
            line("limit", "Maximum number of matching lines; at most 100"),
        ]
    };
    (description.to_owned(), arguments, &["query"])
}

pub(super) async fn run(context: &Context<'_>, args: Args<'_>) -> Outcome {
    let query = args.text("query").to_ascii_lowercase();
    if query.trim().is_empty() || query.contains('\n') {
        return fail("`query` must be a non-empty text without line breaks");
    }
    let path = args.optional_text("path").unwrap_or_default();
    let start = locate(context, path).await?;
    let project = context.host.project();
    let listing = context.listing(&start, FILES_MAX).await?;
    let around = args.optional_number("context").unwrap_or(0).min(CONTEXT_MAX);
    let most = args.optional_number("limit").unwrap_or(MATCHES_MAX).min(MATCHES_MAX);
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
            found.extend(matches(file, &text, &query, around, most + 1 - found.len()));
        }
        if found.len() > most {
            break;
        }
    }
    let mut notes = Vec::new();
    if found.len() > most {
        found.truncate(most);
        notes.push(format!("[only the first {most} matching lines: use a longer query, or search one folder]"));
    }
    if listing.more {
        notes.push(format!("[only the first {FILES_MAX} files: search one folder]"));
    }
    if too_large > 0 {
        notes.push(format!("[not searched: {} over {SIZE_MAX} bytes]", counted(too_large, "file")));
    }
    if found.is_empty() {
        notes.insert(0, format!("{:?} not found.", args.text("query")));
    }
    found.extend(notes);
    Ok(found.join("\n"))
}

/// The first `most` matches, each with `around` lines before and after it that no other match shows. `query` must be lower case.
fn matches(file: &str, text: &str, query: &str, around: usize, most: usize) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let places = places(text, query, most);
    let mut shown = 0;
    let found = places.iter().enumerate().map(|(number, (index, at))| {
        let next = places.get(number + 1).map_or(lines.len(), |(next, _)| *next);
        let from = index.saturating_sub(around).max(shown);
        let to = (index + 1 + around).min(next);
        let gap = if around > 0 && from > shown { "--\n" } else { "" };
        shown = to;
        let line = |number: usize| match lines.get(number) {
            Some(line) if number == *index => format!("{file}:{}: {}", number + 1, part(line, *at, query.len())),
            Some(line) => format!("{file}-{}- {}", number + 1, part(line, 0, 0)),
            None => String::new(),
        };
        format!("{gap}{}", (from..to).map(line).collect::<Vec<_>>().join("\n"))
    });
    found.collect()
}

/// The lines of the first `most` matches, and where the first match of each begins. Compares the query with the text once.
fn places(text: &str, query: &str, most: usize) -> Vec<(usize, usize)> {
    let mut places: Vec<(usize, usize)> = Vec::new();
    if text.len() < query.len() {
        return places;
    }
    let text = text.to_ascii_lowercase();
    let (mut line, mut start, mut read) = (0, 0, 0);
    for (at, _) in text.match_indices(query) {
        for (end, _) in text.get(read..at).unwrap_or_default().match_indices('\n') {
            (line, start) = (line + 1, read + end + 1);
        }
        read = at;
        if places.last().is_none_or(|(last, _)| *last != line) {
            if places.len() == most {
                break;
            }
            places.push((line, at - start));
        }
    }
    places
}

/// The line, or the part of a long line around the match.
fn part(line: &str, at: usize, length: usize) -> String {
    if line.len() <= LINE_MAX {
        return line.trim().to_owned();
    }
    let start = line.floor_char_boundary(at.saturating_sub(LINE_MAX / 2));
    let end = line.ceil_char_boundary((at + length.min(LINE_MAX) + LINE_MAX / 2).min(line.len()));
    format!("… {} …", line.get(start..end).unwrap_or_default())
}

const FILES_MAX: usize = 5000;
const MATCHES_MAX: usize = 100;
const CONTEXT_MAX: usize = 10;
const SIZE_MAX: u64 = 1024 * 1024;
const LINE_MAX: usize = 160;
