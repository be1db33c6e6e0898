//! `delete_file`: deletes one file.

use super::open::require_file;
use super::{Context, Outcome, Signature, text};
use crate::agent::arguments::Args;

pub(super) fn schema() -> Signature {
    let arguments = const { &[text("path", "The file, relative to the project: src/Old.tsx")] };
    ("Deletes a file.".to_owned(), arguments, &["path"])
}

pub(super) async fn run(context: &Context<'_>, args: Args<'_>) -> Outcome {
    let path = args.text("path");
    let file = context.files.entry_at("unlink", path).await?;
    require_file(context, path, file.stat).await?;
    context.files.remove(&file).await?;
    Ok(format!("Deleted {path}"))
}
