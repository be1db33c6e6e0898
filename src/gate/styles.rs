//! Whether a project has styles of its own, for who is about to set a theme.

use crate::port::{FileKind, FsPort, PortResult, ProjectDir};
use crate::sources::{self, MAX_FILE_BYTES};
use crate::syntax::css::{CssItem, StyleSheet};

/// Style sheets outside `src/` that templates have.
const ELSEWHERE: [&str; 8] = [
    "app/globals.css",
    "app/global.css",
    "app/app.css",
    "styles/globals.css",
    "styles/global.css",
    "index.css",
    "style.css",
    "styles.css",
];

/// A style sheet of the project declares something.
///
/// # Errors
/// What the file system says, other than that a file is not there.
pub async fn has_styles<F: FsPort>(dir: ProjectDir<'_, F>) -> PortResult<bool> {
    // One that is too large to be read declares something.
    if sources::read(dir, &["css"]).await?.iter().any(|(_, css)| css.as_deref().is_none_or(declares)) {
        return Ok(true);
    }
    for path in ELSEWHERE {
        let stat = dir.lstat(path).await?.filter(|stat| stat.kind == FileKind::File && stat.size <= MAX_FILE_BYTES);
        if stat.is_some() && dir.read_text(path).await?.is_some_and(|css| declares(&css)) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn declares(css: &str) -> bool {
    StyleSheet::new(css).items().iter().any(|item| matches!(item, CssItem::Declaration { .. }))
}
