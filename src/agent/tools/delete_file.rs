//! `delete_file`: deletes one file.

use super::open::file_stat;
use super::{Context, Outcome, Signature, text};
use crate::agent::arguments::Args;
use crate::port::{FsPort, Host};

pub(super) fn schema() -> Signature {
    let arguments = const { &[text("path", "The file, relative to the project: src/Old.tsx")] };
    ("Deletes a file.".to_owned(), arguments, &["path"])
}

pub(super) async fn run<H: Host>(context: &Context<'_, H>, args: Args<'_>) -> Outcome {
    let path = args.text("path");
    file_stat(context, path).await?;
    context.files.remove_file(path).await?;
    Ok(format!("Deleted {path}"))
}
