//! `edit_file`: replaces one occurrence of a text in a file.

mod alike;
mod differences;
mod miss;
mod replace;

pub(in crate::agent) use miss::advice;

use super::open;
use super::{Context, Outcome, Signature, text};
use crate::agent::arguments::Args;
use crate::text::counted;
use replace::replace_once;

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

pub(super) async fn run(context: &Context<'_>, args: Args<'_>) -> Outcome {
    let path = args.text("path");
    let file = context.files.file("writeFile", path).await?;
    let bytes = open::bytes_of(context, path, context.files.read(&file).await).await?;
    let content = open::text(path, bytes)?;
    let edited = replace_once(path, &content, args.text("old_text"), args.text("new_text"))?;
    context.files.write(&file, edited.text.as_bytes()).await?;
    let done = format!("Edited {path} at line {} ({})", edited.line, counted(edited.text.len(), "byte"));
    Ok(std::iter::once(done).chain(edited.notes).collect::<Vec<_>>().join(". "))
}

/// The bytes of the file after the call.
pub(super) fn result(args: Args<'_>, content: &str) -> Option<Vec<u8>> {
    let (old, new) = (args.optional_text("old_text")?, args.optional_text("new_text")?);
    Some(replace_once("", content, old, new).ok()?.text.into_bytes())
}
