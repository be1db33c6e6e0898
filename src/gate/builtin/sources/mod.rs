//! Gates for the text of the sources.

use crate::gate::compare::is_source;
use crate::gate::{ChangedFile, only_if};

pub(super) mod app_exists;
pub(super) mod app_has_content;
mod imports;
pub(super) mod no_placeholders;
pub(super) mod sources_parse;
mod templates;
mod wrapped;

/// The changed files that were read, with their texts.
///
/// # Errors
/// Why there are none.
fn read(files: &[ChangedFile]) -> Result<Vec<(&ChangedFile, &str)>, String> {
    let read: Vec<_> = files.iter().filter_map(|file| Some((file, file.after.as_deref()?))).collect();
    let is_unread = |file: &&ChangedFile| file.is_there && is_source(&file.path);
    let unread: Vec<&str> = files.iter().filter(is_unread).map(|file| file.path.as_str()).collect();
    only_if(!read.is_empty() || unread.is_empty(), &format!("too large or no text: {}", unread.join(", ")))?;
    only_if(!read.is_empty(), "the task changed no file in a language that is read")?;
    Ok(read)
}
