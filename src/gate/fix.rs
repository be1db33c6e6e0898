//! Applies the fix that a gate proposes.

use super::GateFix;
use crate::error::{Error, ErrorCode};
use crate::path::folders_above;
use crate::port::{FileKind, Host};

/// Writes a gate's fix; the result is whether the file existed. Only a plain file below `src/` is written, never a hidden
/// one and never through a link.
///
/// # Errors
/// `denied` for any other path; errors of the file system.
pub async fn apply_fix(host: &Host, fix: &GateFix) -> Result<bool, Error> {
    let path = fix.file.as_str();
    if !is_source_path(path) {
        return Err(denied(path, "a fix may only write plain files below src/"));
    }
    let project = host.project();
    for folder in folders_above(path) {
        if project.lstat(folder).await?.is_some_and(|stat| stat.kind != FileKind::Directory) {
            return Err(denied(path, "a parent of the path is a link or a file; replace it with a folder"));
        }
    }
    let before = project.lstat(path).await?;
    if before.is_some_and(|stat| stat.kind != FileKind::File) {
        return Err(denied(path, "it is not a plain file; replace it with one"));
    }
    project.write(path, &fix.content).await?;
    Ok(before.is_some())
}

fn is_source_path(path: &str) -> bool {
    let part = |part: &str| !part.is_empty() && !part.starts_with('.');
    path.starts_with("src/")
        && path.split('/').all(part)
        && !path.chars().any(|c| c.is_control() || c == '\\' || c == ':')
}

fn denied(path: &str, why: &str) -> Error {
    Error::new(ErrorCode::Denied, format!("the fix of {path:?} was not written: {why}")).at_path(path)
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::port::FsPort;
    use crate::port::memory::MemoryHost;

    fn fix(file: &str) -> GateFix {
        GateFix { file: file.to_owned(), content: "new".to_owned(), description: "New text.".to_owned() }
    }

    #[tokio::test]
    async fn a_fix_creates_or_replaces_a_source_file() {
        let host = MemoryHost::new([("src/index.css", "old")]);
        assert!(apply_fix(&host, &fix("src/index.css")).await.unwrap());
        assert_eq!(host.text("src/index.css").as_deref(), Some("new"));
        assert!(!apply_fix(&host, &fix("src/styles/theme.css")).await.unwrap());
        assert_eq!(host.text("src/styles/theme.css").as_deref(), Some("new"));
    }

    #[tokio::test]
    async fn a_fix_outside_plain_source_files_is_denied() {
        let host = MemoryHost::new([("src/file", "old"), ("package.json", "{}")]);
        host.fs.symlink("/elsewhere", "/project/src/link").await.unwrap();
        host.fs.symlink("/elsewhere/passwd", "/project/src/index.css").await.unwrap();
        let before = host.fs.tree("/");
        for path in [
            "package.json",
            "/src/a.css",
            "src",
            "src/",
            "src//a",
            "src/../a",
            "src/./a",
            "../src/a",
            ".git/config",
            "src/.git/config",
            ".ralph/plan.tsx",
            "src\\a",
            "src/a\0",
            "src/a:b",
            "src/link/a.css",
            "src/index.css",
            "src/file/a.css",
        ] {
            let error = apply_fix(&host, &fix(path)).await.unwrap_err();
            assert_eq!(error.code, ErrorCode::Denied, "{path:?}");
        }
        assert_eq!(host.fs.tree("/"), before);
    }
}
