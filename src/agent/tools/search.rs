//! `search`: where a text stands.

use super::open::locate;
use super::{Context, Outcome, Signature, fail, text};
use crate::agent::arguments::Args;
use crate::agent::files::walk;
use crate::port::{FileKind, Host};

pub(super) fn schema() -> Signature {
    let description = "Finds a plain text (no pattern; case does not matter) in the project's files. Gives one \
                       `path:line: text` for each line that holds it.";
    let arguments = const {
        &[
            text("query", "The text to find, within one line"),
            text("path", "A folder or a file to look in; without it, the whole project"),
        ]
    };
    (description.to_owned(), arguments, &["query"])
}

pub(super) async fn run<H: Host>(context: &Context<'_, H>, args: Args<'_>) -> Outcome {
    let query = args.text("query").to_ascii_lowercase();
    if query.trim().is_empty() || query.contains('\n') {
        return fail("`query` must be a text within one line");
    }
    let path = args.optional_text("path").unwrap_or_default();
    let start = locate(context, path).await?;
    let project = context.host.project();
    let listing = walk(project, &start, FILES_MAX).await?;
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
        notes.push(format!("[only the first {MATCHES_MAX} lines: search for more text, or in one folder]"));
    }
    if listing.more {
        notes.push(format!("[only the first {FILES_MAX} files: search in one folder]"));
    }
    if too_large > 0 {
        notes.push(format!("[{too_large} files over {SIZE_MAX} bytes were not searched]"));
    }
    if found.is_empty() {
        notes.insert(0, format!("{:?} stands nowhere.", args.text("query")));
    }
    found.extend(notes);
    Ok(found.join("\n"))
}

/// `query` is in lower case.
fn matches(file: &str, text: &str, query: &str) -> Vec<String> {
    let lines = text.lines().enumerate().filter_map(|(index, line)| {
        let at = line.to_ascii_lowercase().find(query)?;
        Some(format!("{file}:{}: {}", index + 1, around(line, at, query.len())))
    });
    lines.take(MATCHES_MAX + 1).collect()
}

/// The line, or the part of a long one around what was found.
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
