//! Links that stand for files which a command line may not name.

use super::guarded_fs::link_target;
use crate::path;
use crate::port::{AskedLine, FileKind, FsPort, PolicyRule, ProjectDir, Rights};

/// Maximum number of links that a path leads through.
const LINKS_MAX: usize = 40;

/// The rule that denies a file to which a name in a command line leads. Without rules about paths, it looks at nothing; what
/// cannot be looked at is no link.
pub(super) async fn linked_denial<'r>(
    fs: &dyn FsPort,
    rights: &'r Rights,
    asked: AskedLine<'_>,
) -> Option<&'r PolicyRule> {
    if !fs.support().symlinks {
        return None;
    }
    let project = ProjectDir::new(fs, asked.dir);
    for (file, reach) in rights.named_files(asked) {
        let Some(real) = real_path(fs, &project, asked.dir, &file).await else { continue };
        if let Some(rule) = rights.named_denial(asked.tool, &real, reach) {
            return Some(rule);
        }
    }
    None
}

/// The path in the project to which a name leads through links; `None` without a link, and outside of the project.
async fn real_path(fs: &dyn FsPort, project: &ProjectDir<'_>, dir: &str, file: &str) -> Option<String> {
    let mut real = file.to_owned();
    for passed in 0..LINKS_MAX {
        let Some(link) = first_link(project, &real).await else { return (passed > 0).then_some(real) };
        let target = fs.read_link(&path::join(dir, &link)).await.ok()?;
        let next = link_target(&link, &target, real.strip_prefix(&link).unwrap_or_default());
        let absolute = path::normalise(&if next.starts_with('/') { next } else { format!("{dir}/{next}") });
        let dir = path::normalise(dir);
        real = absolute.strip_prefix(&dir)?.strip_prefix('/')?.to_owned();
    }
    None
}

async fn first_link(project: &ProjectDir<'_>, file: &str) -> Option<String> {
    for prefix in path::folders_above(file).chain([file]) {
        match project.lstat(prefix).await.ok()?? {
            stat if stat.kind == FileKind::Symlink => return Some(prefix.to_owned()),
            _ => {}
        }
    }
    None
}
