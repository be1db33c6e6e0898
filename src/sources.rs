//! A project's sources: the files of `src/`, read within bounds.

use crate::port::{FileKind, FsPort, PortResult, ProjectDir};

/// Files larger than this, in bytes, are known but not read.
pub const MAX_FILE_BYTES: u64 = 1024 * 1024;
/// Past this many files the rest is known but not read.
const MAX_FILES: usize = 2_000;
/// Past this many entries nothing more is looked at.
const MAX_ENTRIES: usize = 20_000;
/// The extensions of code and style sheets.
pub const CODE: [&str; 7] = ["tsx", "jsx", "ts", "js", "mjs", "mts", "css"];

/// The files of `src/` with one of these extensions and their texts; `None` for those that were not read. Hidden folders,
/// `node_modules` and links are left out.
///
/// # Errors
/// What the file system says, other than that a file is not there.
pub async fn read<F: FsPort>(dir: ProjectDir<'_, F>, extensions: &[&str]) -> PortResult<Vec<(String, Option<String>)>> {
    let root = dir.lstat("src").await?.filter(|stat| stat.kind == FileKind::Directory);
    let mut folders: Vec<String> = root.map(|_| "src".to_owned()).into_iter().collect();
    let (mut files, mut seen) = (Vec::new(), 0);
    while let Some(folder) = folders.pop() {
        for name in dir.read_dir(&folder).await?.unwrap_or_default() {
            seen += 1;
            if seen > MAX_ENTRIES {
                return Ok(files);
            }
            if name.starts_with('.') || name == "node_modules" {
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
pub fn extension(path: &str) -> &str {
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
}
