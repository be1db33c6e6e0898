//! Opening files that must exist.

use super::{Context, Failure, fail};
use crate::agent::guarded_fs::Content;
use crate::nearest::nearest;
use crate::port::{FileKind, PortError, PortErrorKind, PortResult, Stat};
use crate::text::counted;

/// The bytes of a file. One that is too large is not read.
pub(super) async fn bytes_of(context: &Context<'_>, path: &str, read: PortResult<Content>) -> Result<Vec<u8>, Failure> {
    match read {
        Ok(Content::Bytes(bytes)) => Ok(bytes),
        Ok(Content::TooLarge { size, max }) => {
            fail(format!("{path:?} has {size} bytes; files over {max} bytes are neither read nor edited"))
        }
        Err(error) => explain(context, path, error).await,
    }
}

/// The bytes of a file as text.
pub(super) fn text(path: &str, bytes: Vec<u8>) -> Result<String, Failure> {
    let size = bytes.len();
    match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => Ok(text),
        _ => fail(format!("{path:?} is not text: {} of binary data", counted(size, "byte"))),
    }
}

/// Fails unless a path is a file or a link.
pub(super) async fn require_file(context: &Context<'_>, path: &str, stat: Option<Stat>) -> Result<(), Failure> {
    match stat {
        Some(stat) if stat.kind == FileKind::Directory => fail(is_folder(path)),
        Some(stat) if stat.kind == FileKind::Special => Err(PortError::special("stat", path).into()),
        Some(_) => Ok(()),
        None => fail(is_missing(context, path).await),
    }
}

/// The path of an existing file or folder, with links resolved.
pub(super) async fn locate(context: &Context<'_>, path: &str) -> Result<String, Failure> {
    match context.files.stat(path).await {
        Ok(stat) if stat.kind == FileKind::Special => Err(PortError::special("stat", path).into()),
        Ok(_) => Ok(context.files.follow(path).await?),
        Err(error) => explain(context, path, error).await,
    }
}

/// Turns an error of the file system into one that says what to do.
pub(super) async fn explain<T>(context: &Context<'_>, path: &str, error: PortError) -> Result<T, Failure> {
    match error.kind {
        PortErrorKind::NotFound | PortErrorKind::NotDirectory => fail(is_missing(context, path).await),
        PortErrorKind::IsDirectory => fail(is_folder(path)),
        _ => Err(error.into()),
    }
}

/// The message for a missing path, with similar paths.
async fn is_missing(context: &Context<'_>, path: &str) -> String {
    let listing = context.listing("", WALK_MAX).await.unwrap_or_default();
    let names = nearest(path, listing.files.keys().map(String::as_str));
    match names.is_empty() {
        true => format!("{path:?} does not exist; call list_files to see which files do"),
        false => format!("{path:?} does not exist; did you mean {}?", names.join(" or ")),
    }
}

fn is_folder(path: &str) -> String {
    format!("{path:?} is a folder; name a file in it (list_files lists them)")
}

/// How many files are searched for similar names.
const WALK_MAX: usize = 2000;
