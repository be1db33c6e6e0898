//! Reads a project's sources within bounds: `src/` and the other source folders.

use crate::port::{FileKind, FsPort, PortResult, ProjectDir};

/// Files larger than this, in bytes, are known but not read.
pub(crate) const MAX_FILE_BYTES: u64 = 1024 * 1024;
/// Past this many files the rest is known but not read.
const MAX_FILES: usize = 2_000;
/// Past this many entries nothing more is looked at.
const MAX_ENTRIES: usize = 20_000;
/// The extensions of code and style sheets.
pub(crate) const CODE: [&str; 7] = ["tsx", "jsx", "ts", "js", "mjs", "mts", "css"];

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
    "specs",
    "static",
    "target",
    "test",
    "tests",
    "vendor",
];

/// The files of `src/` with one of these extensions and their texts; `None` for those that were not read. Hidden folders,
/// `node_modules` and links are left out.
///
/// # Errors
/// What the file system says, other than that a file is not there.
pub(crate) async fn read<F: FsPort>(
    dir: ProjectDir<'_, F>,
    extensions: &[&str],
) -> PortResult<Vec<(String, Option<String>)>> {
    let root = dir.lstat("src").await?.filter(|stat| stat.kind == FileKind::Directory);
    let folders = root.map(|_| "src".to_owned()).into_iter().collect();
    read_below(dir, folders, extensions, &|name| name == "node_modules").await
}

/// As [`read`], for other source folders: `shared/`, `types/`, `app/`, `packages/ui/src/`. Files directly in the project's
/// folder are left out.
///
/// # Errors
/// What the file system says, other than that a file is not there.
pub(crate) async fn read_beside<F: FsPort>(
    dir: ProjectDir<'_, F>,
    extensions: &[&str],
) -> PortResult<Vec<(String, Option<String>)>> {
    let is_left_out = |name: &str| NO_SOURCES.contains(&name);
    let mut folders = Vec::new();
    for name in dir.read_dir("").await?.unwrap_or_default() {
        let may_hold_sources = name != "src" && !name.starts_with('.') && !is_left_out(&name);
        if may_hold_sources && dir.lstat(&name).await?.is_some_and(|stat| stat.kind == FileKind::Directory) {
            folders.push(name);
        }
    }
    read_below(dir, folders, extensions, &is_left_out).await
}

async fn read_below<F: FsPort>(
    dir: ProjectDir<'_, F>,
    mut folders: Vec<String>,
    extensions: &[&str],
    is_left_out: &dyn Fn(&str) -> bool,
) -> PortResult<Vec<(String, Option<String>)>> {
    let (mut files, mut seen) = (Vec::new(), 0);
    while let Some(folder) = folders.pop() {
        for name in dir.read_dir(&folder).await?.unwrap_or_default() {
            seen += 1;
            if seen > MAX_ENTRIES {
                return Ok(files);
            }
            if name.starts_with('.') || is_left_out(&name) {
                continue;
            }
            let path = format!("{folder}/{name}");
            let Some(stat) = dir.lstat(&path).await? else { continue };
            match stat.kind {
                FileKind::Directory => folders.push(path),
                FileKind::File if extensions.contains(&extension(&path)) => {
                    let fits = files.len() < MAX_FILES && stat.size <= MAX_FILE_BYTES;
                    let text = if fits { dir.read_text(&path).await? } else { None };
                    files.push((path, text));
                }
                FileKind::File | FileKind::Symlink => {}
            }
        }
    }
    Ok(files)
}

/// The extension of a path, without the dot; empty where there is none.
pub(crate) fn extension(path: &str) -> &str {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extension_is_that_of_the_name() {
        assert_eq!(extension("src/App.tsx"), "tsx");
        assert_eq!(extension("src/v1.2/README"), "");
        assert_eq!(extension("src/a.d.ts"), "ts");
    }

    #[cfg(not(target_family = "wasm"))]
    #[tokio::test]
    async fn sources_beside_src_are_those_of_folders_that_hold_some() {
        use crate::port::Host;
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
