//! `list_files`: lists the project's files.

use super::open::locate;
use super::{Context, Outcome, Signature, text};
use crate::agent::arguments::Args;
use crate::agent::files::describe;
use crate::port::Host;

pub(super) fn schema() -> Signature {
    let description = "Lists the files of the project with their sizes, or those below a folder.";
    let arguments = const { &[text("path", "A folder, relative to the project; the whole project if omitted")] };
    (description.to_owned(), arguments, &[])
}

pub(super) async fn run<H: Host>(context: &Context<'_, H>, args: Args<'_>) -> Outcome {
    let path = args.optional_text("path").unwrap_or_default();
    let start = locate(context, path).await?;
    let listing = context.listing(&start, FILES_MAX).await?;
    let text = describe(&listing, &|_| true, LINES_MAX);
    Ok(if text.is_empty() { "There are no files.".to_owned() } else { text })
}

const FILES_MAX: usize = 5000;
const LINES_MAX: usize = 300;
