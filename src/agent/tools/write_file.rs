//! `write_file`: creates or replaces a file.

use super::open::explain;
use super::{Context, Outcome, Signature, fail, text};
use crate::agent::arguments::Args;
use crate::port::{FsPort, PortError, PortErrorKind};
use crate::text::counted;

pub(super) fn schema() -> Signature {
    let description = "Creates or replaces a file with the given content. Creates missing folders. To change part of a \
                       file, use edit_file.";
    let arguments = const {
        &[text("path", "The file, relative to the project: src/App.tsx"), text("content", "The complete new text")]
    };
    (description.to_owned(), arguments, &["path", "content"])
}

pub(super) async fn run(context: &Context<'_>, args: Args<'_>) -> Outcome {
    let (path, content) = (args.text("path"), args.text("content"));
    let mut written = context.files.write_file(path, content.as_bytes()).await;
    if written.as_ref().is_err_and(PortError::is_not_found) {
        written = match context.files.make_parents(path).await {
            Ok(()) => context.files.write_file(path, content.as_bytes()).await,
            failed => failed,
        };
    }
    match written {
        Ok(()) => Ok(format!("Wrote {path} ({})", counted(content.len(), "byte"))),
        Err(error) if error.kind == PortErrorKind::NotDirectory => {
            fail(format!("a parent folder of {path:?} is a file; nothing was written"))
        }
        Err(error) => explain(context, path, error).await,
    }
}
