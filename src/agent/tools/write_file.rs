//! `write_file`: a whole file, created or replaced.

use super::open::explain;
use super::{Context, Outcome, Signature, fail, text};
use crate::agent::arguments::Args;
use crate::port::{FsPort, Host, PortError, PortErrorKind};

pub(super) fn schema() -> Signature {
    let description = "Creates a file, or replaces all of it. Folders above it are created. To change a part of a \
                       file, use edit_file.";
    let arguments = const {
        &[text("path", "The file, relative to the project: src/App.tsx"), text("content", "The whole new text")]
    };
    (description.to_owned(), arguments, &["path", "content"])
}

pub(super) async fn run<H: Host>(context: &Context<'_, H>, args: Args<'_>) -> Outcome {
    let (path, content) = (args.text("path"), args.text("content"));
    let mut written = context.files.write_file(path, content.as_bytes()).await;
    if written.as_ref().is_err_and(PortError::is_not_found) {
        written = match context.files.make_parents(path).await {
            Ok(()) => context.files.write_file(path, content.as_bytes()).await,
            failed => failed,
        };
    }
    match written {
        Ok(()) => Ok(format!("Wrote {path} ({} bytes)", content.len())),
        Err(error) if error.kind == PortErrorKind::NotDirectory => {
            fail(format!("{path:?} passes a file where a folder is needed; nothing was written"))
        }
        Err(error) => explain(context, path, error).await,
    }
}
