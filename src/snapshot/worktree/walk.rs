//! Which files a snapshot is about: the walk through the project.

use super::ignore::Rules;
use crate::port::{FileKind, FsPort, Host, PortError, PortErrorKind, PortResult, ProjectDir, Stat};
use crate::snapshot::git::manifest::{Manifest, Mode, has_below};
use crate::snapshot::git::objects::{MAX_PATH, is_name};
use crate::snapshot::protect::{is_protected, is_refused_link};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a walk found.
#[derive(Default)]
pub(in crate::snapshot) struct Walk {
    /// Files and links that belong to a snapshot.
    pub found: BTreeMap<String, Stat>,
    /// What it leaves alone, topmost entries only: ignored, protected, another repository.
    pub left: BTreeMap<String, FileKind>,
    /// The ignore rules of every folder that has its own, and of the root.
    pub rules: BTreeMap<String, Rc<Rules>>,
    /// What the user should know about.
    pub warnings: Vec<String>,
}

/// Walks through the project. As in git, an ignored file that a `tracked` manifest holds is not ignored. What
/// vanishes meanwhile does not exist.
pub(in crate::snapshot) async fn walk<H: Host>(host: &H, tracked: &[&Manifest]) -> PortResult<Walk> {
    let project = host.project();
    let exclude = read_exclude(project).await?;
    let (mut walk, mut found) = (Walk::default(), Vec::new());
    let mut open = vec![Folder { path: String::new(), rules: None, is_ignored: false, is_second_look: false }];
    while let Some(Folder { path: folder, rules, is_ignored, is_second_look }) = open.pop() {
        let entries = match project.list(&folder).await? {
            Some(entries) => entries,
            None if folder.is_empty() => return Err(no_project(&project.absolute(""))),
            None => continue,
        };
        let has_tracked = tracked.iter().any(|manifest| has_below(manifest, &folder));
        let has = |wanted: &str| entries.iter().any(|(name, _)| name == wanted);
        if !folder.is_empty() && !has_tracked && has(".git") {
            walk.left.insert(folder, FileKind::Directory);
            continue;
        }
        let ignore = match has(".gitignore") {
            true => read_ignore(host, &folder).await?,
            false => Ignore::None,
        };
        let ignore = match ignore {
            Ignore::Rules(text) => Some(text),
            // Somebody replaces the file. Without its rules, what they speak of would be saved and rolled back.
            Ignore::Vanished if !is_second_look => {
                open.push(Folder { path: folder, rules, is_ignored, is_second_look: true });
                continue;
            }
            Ignore::Vanished | Ignore::None => None,
        };
        let rules = match rules {
            Some(rules) => Rules::enter(&rules, &folder, ignore.as_deref()),
            None => Rules::of_project(&exclude, ignore.as_deref()),
        };
        if folder.is_empty() || ignore.is_some() {
            walk.rules.insert(folder.clone(), Rc::clone(&rules));
        }
        for (name, stat) in entries {
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            if !is_name(&name) || path.len() > MAX_PATH {
                walk.warnings.push(format!("{path:?} is left out: git cannot hold an entry of this name"));
                continue;
            }
            let told = match stat {
                Some(stat) => Some(stat),
                None => project.lstat(&path).await?,
            };
            let Some(stat) = told else { continue };
            if is_protected(&path) || is_submodule(tracked, &path) {
                walk.left.insert(path, stat.kind);
                continue;
            }
            let is_folder = stat.kind == FileKind::Directory;
            let is_ignored = is_ignored || rules.ignore(&path, is_folder);
            let is_tracked = |manifest: &&Manifest| {
                if is_folder { has_below(manifest, &path) } else { manifest.contains_key(&path) }
            };
            if is_ignored && !tracked.iter().any(is_tracked) {
                walk.left.insert(path, stat.kind);
            } else if is_folder {
                open.push(Folder { path, rules: Some(Rc::clone(&rules)), is_ignored, is_second_look: false });
            } else if stat.kind == FileKind::Symlink && !host.fs().support().symlinks {
                walk.warnings.push(format!("{path} is left out: the file system cannot read or write links"));
                walk.left.insert(path, stat.kind);
            } else if stat.kind == FileKind::Symlink && is_refused_link(&name) {
                walk.warnings.push(format!("{path} is left out: git takes no link of this name"));
                walk.left.insert(path, stat.kind);
            } else {
                found.push((path, stat));
            }
        }
    }
    walk.found = found.into_iter().collect();
    Ok(walk)
}

struct Folder {
    path: String,
    rules: Option<Rc<Rules>>,
    is_ignored: bool,
    is_second_look: bool,
}

/// What a `.gitignore` says that a listing told of.
enum Ignore {
    Rules(Vec<u8>),
    /// As in git, one that is no file does not count.
    None,
    Vanished,
}

/// A project that is gone is no project without files.
///
/// # Errors
/// `fs` where its folder does not exist.
pub(in crate::snapshot) async fn require_project<H: Host>(host: &H) -> PortResult<()> {
    match host.project().lstat("").await? {
        Some(_) => Ok(()),
        None => Err(no_project(&host.project().absolute(""))),
    }
}

fn no_project(folder: &str) -> PortError {
    let message = "the project's folder does not exist; check `dir`";
    PortError::new("fs", "readdir", PortErrorKind::NotFound, message).at_path(folder)
}

/// The repository's own rules; none where there is no such file. Rules that cannot be read are not none: what they speak of
/// would be saved, and removed by a rollback.
///
/// # Errors
/// What the file system says.
pub(crate) async fn read_exclude<F: FsPort>(project: ProjectDir<'_, F>) -> PortResult<Vec<u8>> {
    match project.read(".git/info/exclude").await {
        Err(error) if error.kind != PortErrorKind::IsDirectory => Err(error),
        rules => Ok(rules.ok().flatten().unwrap_or_default()),
    }
}

async fn read_ignore<H: Host>(host: &H, folder: &str) -> PortResult<Ignore> {
    let path = if folder.is_empty() { ".gitignore".to_owned() } else { format!("{folder}/.gitignore") };
    match host.project().lstat(&path).await? {
        Some(stat) if stat.kind != FileKind::File => Ok(Ignore::None),
        Some(_) => Ok(host.project().read(&path).await?.map_or(Ignore::Vanished, Ignore::Rules)),
        None => Ok(Ignore::Vanished),
    }
}

fn is_submodule(tracked: &[&Manifest], path: &str) -> bool {
    tracked.iter().any(|manifest| manifest.get(path).is_some_and(|entry| entry.mode == Mode::Submodule))
}
