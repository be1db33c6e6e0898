//! `list_files`: lists the project's files.

use super::open::locate;
use super::{Context, Outcome, Signature, line, text};
use crate::agent::arguments::Args;
use crate::agent::files::{Listing, describe};
use crate::text::{counted, path_line};
use std::collections::BTreeMap;

pub(super) fn schema() -> Signature {
    let description = "Lists the files of the project with their sizes, or those below a folder.";
    let arguments = const {
        &[
            text("path", "A folder, relative to the project; the whole project if omitted"),
            line("depth", "How many levels of folders to open; the others are one line each"),
        ]
    };
    (description.to_owned(), arguments, &[])
}

pub(super) async fn run(context: &Context<'_>, args: Args<'_>) -> Outcome {
    let path = args.optional_text("path").unwrap_or_default();
    let start = locate(context, path).await?;
    let listing = context.listing(&start, FILES_MAX).await?;
    let text = match args.optional_number("depth") {
        Some(depth) => to_depth(listing, &start, depth, LINES_MAX),
        None => describe(&listing, &|_| true, LINES_MAX),
    };
    Ok(if text.is_empty() { "There are no files.".to_owned() } else { text })
}

/// The same with one line for each folder below `depth` levels.
fn to_depth(mut listing: Listing, start: &str, depth: usize, lines: usize) -> String {
    let mut folders: BTreeMap<String, usize> = BTreeMap::new();
    listing.files.retain(|path, _| {
        let below = path.strip_prefix(start).unwrap_or(path).trim_start_matches('/');
        let Some((at, _)) = below.match_indices('/').nth(depth.saturating_sub(1)) else { return true };
        let folder = path.len() - below.len() + at;
        *folders.entry(path.get(..folder).unwrap_or_default().to_owned()).or_default() += 1;
        false
    });
    let folder =
        |(path, count): (&String, &usize)| format!("{}/ ({})\n", path_line(path), counted(*count as u64, "file"));
    let shown: String = folders.iter().take(lines).map(folder).collect();
    shown + &describe(&listing, &|_| true, lines.saturating_sub(folders.len()))
}

const FILES_MAX: usize = 5000;
const LINES_MAX: usize = 300;
