//! Whether a project has its own styles, which a theme would replace.

use crate::port::{PortResult, ProjectDir};
use crate::sources;
use crate::syntax::css::{CssItem, StyleSheet};

/// Style sheets of common templates outside `src/`.
const OUTSIDE_SRC: [&str; 8] = [
    "app/globals.css",
    "app/global.css",
    "app/app.css",
    "styles/globals.css",
    "styles/global.css",
    "index.css",
    "style.css",
    "styles.css",
];

/// Whether a style sheet of the project has declarations.
///
/// # Errors
/// Errors of the file system, except for a missing file.
pub async fn has_styles(dir: ProjectDir<'_>) -> PortResult<bool> {
    // A file that is too large to read counts as having declarations.
    if sources::read(dir, &["css"]).await?.iter().any(|(_, css)| css.as_deref().is_none_or(declares)) {
        return Ok(true);
    }
    for path in OUTSIDE_SRC {
        if sources::read_file(dir, path).await?.flatten().is_some_and(|css| declares(&css)) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn declares(css: &str) -> bool {
    StyleSheet::new(css).items().iter().any(|item| matches!(item, CssItem::Declaration { .. }))
}
