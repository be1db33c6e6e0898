//! `move_file`: moves or renames one file.

use super::open::require_file;
use super::{Context, Outcome, Signature, fail, text};
use crate::agent::arguments::Args;
use crate::port::{FsPort, PortErrorKind};

pub(super) fn schema() -> Signature {
    let arguments = const {
        &[
            text("from", "The file, relative to the project: src/Old.tsx"),
            text("to", "The new path, which must not exist yet: src/ui/New.tsx"),
        ]
    };
    ("Moves or renames a file. Creates missing folders.".to_owned(), arguments, &["from", "to"])
}

pub(super) async fn run(context: &Context<'_>, args: Args<'_>) -> Outcome {
    let (from, to) = (args.text("from"), args.text("to"));
    let source = context.files.entry_at("rename", from).await?;
    require_file(context, from, source.stat).await?;
    match context.files.lstat(to).await {
        Ok(_) => {
            return fail(format!("{to:?} already exists; nothing was moved; delete it first, or choose another path"));
        }
        Err(error) if error.kind == PortErrorKind::Denied => return Err(error.into()),
        Err(_) => {}
    }
    let moved = match context.files.rename(from, to).await {
        Err(error) if error.is_not_found() => {
            context.files.make_parents(to).await?;
            context.files.rename(from, to).await
        }
        moved => moved,
    };
    moved?;
    Ok(format!("Moved {from} to {to}"))
}
