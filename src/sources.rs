//! Reads a project's sources within bounds: `src/` and the other source folders.

use crate::layout::SPECS;
use crate::path;
use crate::port::{FileKind, PortResult, ProjectDir, Walk};

/// Files larger than this, in bytes, are listed but not read.
const MAX_FILE_BYTES: u64 = 1024 * 1024;
/// Past this many files the rest is listed but not read.
const MAX_FILES: usize = 2_000;
/// Entries past this many are left out.
const MAX_ENTRIES: usize = 20_000;
/// The extensions of code and style sheets.
pub(crate) const CODE: [&str; 7] = ["tsx", "jsx", "ts", "js", "mjs", "mts", "css"];

/// The extensions of all files that may load others.
pub(crate) const ALL: [&str; 19] = [
    "tsx", "jsx", "ts", "js", "mjs", "mts", "css", "cjs", "cts", "scss", "sass", "less", "md", "mdx", "html", "htm",
    "vue", "svelte", "astro",
];

/// Folders without sources of the app: build output, static files, documentation.
const NO_SOURCES: [&str; 27] = [
    "__mocks__",
    "__tests__",
    "android",
    "bin",
    "build",
    "coverage",
    "cypress",
    "dist",
    "doc",
    "docs",
    "e2e",
    "example",
    "examples",
    "fixtures",
    "ios",
    "node_modules",
    "out",
    "playwright",
    "public",
    "runs",
    "scripts",
    SPECS,
    "static",
    "target",
    "test",
    "tests",
    "vendor",
];

/// Paths and texts; a text is `None` if the file was not read.
pub(crate) type Sources = Vec<(String, Option<String>)>;

/// The files of `src/` with one of these extensions. Hidden folders, `node_modules` and links are left out.
///
/// # Errors
/// What the file system says, except that a file does not exist.
pub(crate) async fn read(dir: ProjectDir<'_>, extensions: &[&str]) -> PortResult<Sources> {
    read_below(dir, "src", extensions, &|path| path::name(path) == "node_modules").await
}

/// The files of the other source folders: `shared/`, `types/`, `app/`, `packages/ui/src/`. Files directly in the project's
/// folder are left out.
///
/// # Errors
/// What the file system says, except that a file does not exist.
pub(crate) async fn read_beside(dir: ProjectDir<'_>, extensions: &[&str]) -> PortResult<Sources> {
    read_below(dir, "", extensions, &|path| path == "src" || NO_SOURCES.contains(&path::name(path))).await
}

/// The files directly in the project's folder.
///
/// # Errors
/// What the file system says, except that a file does not exist.
pub(crate) async fn read_root(dir: ProjectDir<'_>, extensions: &[&str]) -> PortResult<Sources> {
    let mut files = Vec::new();
    for name in dir.read_dir("").await?.unwrap_or_default() {
        if extensions.contains(&path::extension(&name)) && !name.starts_with('.') {
            files.extend(read_file(dir, &name).await?.map(|text| (name, text)));
        }
    }
    Ok(files)
}

/// Whether a file in this folder may be a source of the app.
pub(crate) fn is_source(path: &str) -> bool {
    let folders = path::parent(path).split('/');
    path.starts_with("src/") || !folders.into_iter().any(|name| name.starts_with('.') || NO_SOURCES.contains(&name))
}

/// The text of a file that is not a link; `Some(None)` if it is too large.
pub(crate) async fn read_file(dir: ProjectDir<'_>, path: &str) -> PortResult<Option<Option<String>>> {
    Ok(match dir.lstat(path).await?.filter(|stat| stat.kind == FileKind::File) {
        None => None,
        Some(stat) if stat.size > MAX_FILE_BYTES => Some(None),
        Some(_) => Some(dir.read_text(path).await?),
    })
}

/// Tests and stories are not part of the app.
pub(crate) fn is_aside(path: &str) -> bool {
    let aside = [".test.", ".spec.", ".stories.", "/__tests__/", "/__mocks__/"];
    aside.iter().any(|part| path.contains(part))
}

async fn read_below(
    dir: ProjectDir<'_>,
    start: &str,
    extensions: &[&str],
    is_left_out: &dyn Fn(&str) -> bool,
) -> PortResult<Sources> {
    let (mut walk, mut files) = (Walk::new(dir, start, MAX_ENTRIES), Vec::new());
    while let Some((path, stat)) = walk.next().await? {
        match stat.kind {
            FileKind::Directory => {
                walk.enter(&path, |path| !path::name(path).starts_with('.') && !is_left_out(path)).await?;
            }
            FileKind::File if path.contains('/') && extensions.contains(&path::extension(&path)) => {
                let fits = files.len() < MAX_FILES && stat.size <= MAX_FILE_BYTES;
                let text = if fits { dir.read_text(&path).await? } else { None };
                files.push((path, text));
            }
            FileKind::File | FileKind::Symlink | FileKind::Special => {}
        }
    }
    Ok(files)
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;

    #[tokio::test]
    async fn sources_beside_src_are_those_of_folders_that_hold_some() {
        let host = crate::port::memory::MemoryHost::new([
            ("src/App.tsx", "1"),
            ("shared/types.ts", "2"),
            ("packages/ui/src/Button.tsx", "3"),
            ("packages/ui/dist/index.js", "4"),
            ("packages/ui/node_modules/react/index.js", "5"),
            ("node_modules/react/index.js", "6"),
            ("dist/index.js", "7"),
            (".ralph/plan.tsx", "8"),
            ("vite.config.ts", "9"),
            ("shared/README.md", "10"),
        ]);
        let mut found = read_beside(host.project(), &CODE).await.unwrap();
        found.sort();
        let expected = [("packages/ui/src/Button.tsx", "3"), ("shared/types.ts", "2")];
        assert_eq!(found, expected.map(|(path, text)| (path.to_owned(), Some(text.to_owned()))));
    }
}
