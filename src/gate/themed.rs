//! Whether a project has a theme, for who is about to set one.

use super::builtin::Declared;
use crate::port::{FsPort, PortResult, ProjectDir};
use crate::sources::{self, MAX_FILE_BYTES};

/// Style sheets outside `src/` that templates put a theme into.
const ELSEWHERE: [&str; 6] =
    ["app/globals.css", "app/global.css", "app/app.css", "styles/globals.css", "styles/global.css", "index.css"];

/// The project's style sheets declare a theme's colours.
///
/// # Errors
/// What the file system says, other than that a file is not there.
pub async fn has_theme<F: FsPort>(dir: ProjectDir<'_, F>) -> PortResult<bool> {
    let mut sheets: Vec<String> = sources::read(dir, &["css"]).await?.into_iter().filter_map(|(_, css)| css).collect();
    for path in ELSEWHERE {
        if dir.lstat(path).await?.is_some_and(|stat| stat.size <= MAX_FILE_BYTES) {
            sheets.extend(dir.read_text(path).await?);
        }
    }
    Ok(Declared::in_sheets(sheets.iter().map(String::as_str)).is_theme())
}
