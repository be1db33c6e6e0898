//! The scan: a walk through the working tree, and the id of everything that it found.

use super::ignore::{Rules, read_exclude};
use super::stat_cache::{StatCache, StatEntry, entries_of};
use crate::error::Error;
use crate::path::{Unsafe, folders_above, unsafe_on_windows};
use crate::port::{FileKind, Host, PortError, PortErrorKind, PortResult, Stat};
use crate::snapshot::AT_ONCE;
use crate::snapshot::git::{Entry, MAX_PATH, Manifest, Mode, ObjectWriter, Oid, has_below, is_name};
use crate::snapshot::protect::{is_protected, is_refused_link};
use futures_util::future::join_all;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The files of the working tree.
#[derive(Default)]
pub(crate) struct Scan {
    /// When the scan began, by the host's clock.
    pub began_at: u64,
    /// Files, links and submodules.
    pub files: BTreeMap<String, StatEntry>,
    /// Ignored or protected entries and other repositories; topmost entries only.
    pub skipped: BTreeMap<String, FileKind>,
    /// The ignore rules of the project's folder and of every folder with a `.gitignore`.
    pub rules: BTreeMap<String, Rc<Rules>>,
    /// What the user should know about.
    pub warnings: Vec<String>,
    /// How many files were read.
    pub read: u32,
}

impl Scan {
    pub(crate) fn manifest(&self) -> Manifest {
        entries_of(&self.files)
    }
}

/// Scans the working tree and stores the blobs that `objects` lacks, if there are `objects`.
///
/// Without `cache`, every file is read. An ignored file counts if one of the `tracked` manifests has it. Submodules, and
/// modes where the host has no mode bits, come from the first `tracked` manifest with the path.
pub(crate) async fn scan(
    host: &Host,
    cache: Option<&StatCache>,
    tracked: &[&Manifest],
    mut objects: Option<&mut ObjectWriter<'_>>,
) -> Result<Scan, Error> {
    let (found, mut scan) = walk(host, tracked).await?;
    let mut unread = Vec::new();
    for (path, stat) in found {
        let mode = mode_of(host, &path, &stat, tracked);
        let cached = cache.and_then(|cache| cache.look_up(&path, &stat)).map(|entry| entry.oid);
        let stored = cached.filter(|oid| objects.as_ref().is_none_or(|objects| objects.has(oid)));
        match stored.filter(|_| mode != Mode::Symlink) {
            Some(oid) => drop(scan.files.insert(path, StatEntry::new(Entry { mode, oid }, &stat))),
            None => unread.push((path, stat, mode)),
        }
    }
    for chunk in unread.chunks(AT_ONCE) {
        let reads = chunk.iter().map(|(path, _, mode)| read_content(host, path, *mode));
        for ((path, stat, mode), bytes) in chunk.iter().zip(join_all(reads).await) {
            let Some(bytes) = bytes? else { continue };
            scan.read += 1;
            let is_same_size = bytes.len() as u64 == stat.size;
            let oid = match objects.as_deref_mut() {
                Some(objects) => objects.write_blob(bytes).await.map_err(|error| error.at_path(path))?,
                None => Oid::of_blob(&bytes),
            };
            let mut file = StatEntry::new(Entry { mode: *mode, oid }, stat);
            if !is_same_size {
                // The file was written between the two calls: the stat does not belong to these bytes.
                file.mtime_ms = f64::NAN;
            }
            scan.files.insert(path.clone(), file);
        }
    }
    add_submodules(&mut scan, tracked);
    Ok(scan)
}

/// Reads the bytes of a file or the target of a link; `None` if it vanished or became something else.
pub(crate) async fn read_content(host: &Host, path: &str, mode: Mode) -> PortResult<Option<Vec<u8>>> {
    let absolute = host.project().absolute(path);
    let result = match mode {
        Mode::Symlink => host.fs.read_link(&absolute).await.map(String::into_bytes),
        _ => host.fs.read_file(&absolute).await,
    };
    match result {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if matches!(error.kind, PortErrorKind::NotFound | PortErrorKind::NotDirectory) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The mode that git would record. Where the host cannot set mode bits, the mode that is `tracked` stays.
pub(super) fn mode_of(host: &Host, path: &str, stat: &Stat, tracked: &[&Manifest]) -> Mode {
    if stat.kind == FileKind::Symlink {
        return Mode::Symlink;
    }
    let recorded = tracked.iter().find_map(|manifest| manifest.get(path)).map(|entry| entry.mode);
    match recorded {
        Some(mode @ (Mode::File | Mode::Executable)) if !host.fs.support().chmod || stat.mode.is_none() => mode,
        _ if stat.is_executable() => Mode::Executable,
        _ => Mode::File,
    }
}

/// A submodule stays in the snapshot unless a file took its place.
fn add_submodules(scan: &mut Scan, tracked: &[&Manifest]) {
    let tracked = tracked.first().into_iter().flat_map(|manifest| manifest.iter());
    for (path, entry) in tracked.filter(|(_, entry)| entry.mode == Mode::Submodule) {
        let is_taken = folders_above(path).chain([path.as_str()]).any(|path| scan.files.contains_key(path));
        if !is_taken && !has_below(&scan.files, path) {
            scan.files.insert(path.clone(), StatEntry::unread(*entry));
        }
    }
}

struct Folder {
    path: String,
    rules: Option<Rc<Rules>>,
    is_ignored: bool,
    is_retry: bool,
}

/// Walks through the working tree without reading files other than `.gitignore`: the files, and a scan that still lacks
/// them. What vanishes meanwhile is left out.
///
/// # Errors
/// What the file system returns, also if the project's folder does not exist.
pub(crate) async fn walk(host: &Host, tracked: &[&Manifest]) -> PortResult<(Vec<(String, Stat)>, Scan)> {
    let project = host.project();
    let exclude = read_exclude(project).await?;
    let mut scan = Scan { began_at: host.clock.now(), ..Scan::default() };
    let mut files = Vec::new();
    let mut open = vec![Folder { path: String::new(), rules: None, is_ignored: false, is_retry: false }];
    while let Some(Folder { path: folder, rules, is_ignored, is_retry }) = open.pop() {
        let entries = match project.list(&folder).await? {
            Some(entries) => entries,
            None if folder.is_empty() => return Err(no_project(&project.absolute(""))),
            None => continue,
        };
        let has_tracked = tracked.iter().any(|manifest| has_below(manifest, &folder));
        let has = |wanted: &str| entries.iter().any(|(name, _)| name == wanted);
        if !folder.is_empty() && !has_tracked && has(".git") {
            scan.skipped.insert(folder, FileKind::Directory);
            continue;
        }
        let ignore = match has(".gitignore") {
            true => read_ignore(host, &folder).await?,
            false => Ignore::None,
        };
        let ignore = match ignore {
            Ignore::Rules(text) => Some(text),
            // Another program replaces the file. Without its rules, ignored files would be saved and rolled back.
            Ignore::Vanished if !is_retry => {
                open.push(Folder { path: folder, rules, is_ignored, is_retry: true });
                continue;
            }
            Ignore::Vanished | Ignore::None => None,
        };
        let above = rules;
        let rules = match &above {
            Some(above) => above.enter(&folder, ignore.as_deref()),
            None => Rules::of_project(&exclude, ignore.as_deref()),
        };
        scan.warnings.extend(rules.warning(above.as_deref(), &folder));
        if folder.is_empty() || ignore.is_some() {
            scan.rules.insert(folder.clone(), Rc::clone(&rules));
        }
        for (name, stat) in entries {
            host.fs.pause().await;
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            if !is_name(&name) || path.len() > MAX_PATH {
                scan.warnings.push(format!("{path:?} is left out: git cannot store an entry of this name"));
                continue;
            }
            let stat = match stat {
                Some(stat) => Some(stat),
                None => project.lstat(&path).await?,
            };
            let Some(stat) = stat else { continue };
            if is_protected(&path) || is_submodule(tracked, &path) {
                scan.skipped.insert(path, stat.kind);
                continue;
            }
            let is_folder = stat.kind == FileKind::Directory;
            let is_ignored = is_ignored || rules.ignore(&path, is_folder);
            let is_tracked = |manifest: &&Manifest| {
                if is_folder { has_below(manifest, &path) } else { manifest.contains_key(&path) }
            };
            if is_ignored && !tracked.iter().any(is_tracked) {
                scan.skipped.insert(path, stat.kind);
            } else if is_folder {
                open.push(Folder { path, rules: Some(Rc::clone(&rules)), is_ignored, is_retry: false });
            } else if stat.kind == FileKind::Special {
                scan.warnings.push(format!("{path} is left out: it is a pipe, a socket or a device"));
                scan.skipped.insert(path, stat.kind);
            } else if stat.kind == FileKind::Symlink && !host.fs.support().symlinks {
                scan.warnings.push(format!("{path} is left out: the file system does not support links"));
                scan.skipped.insert(path, stat.kind);
            } else if stat.kind == FileKind::Symlink && is_refused_link(&name) {
                scan.warnings.push(format!("{path} is left out: git refuses a link of this name"));
                scan.skipped.insert(path, stat.kind);
            } else {
                let found = unsafe_on_windows(&name).filter(|found| found.leads_away);
                let warning = |found: Unsafe| {
                    format!("{path:?} {}: no rollback brings it back after it is deleted; rename it", found.reason)
                };
                scan.warnings.extend(found.map(warning));
                files.push((path, stat));
            }
        }
    }
    scan.warnings.extend(scan.rules.get("").and_then(|rules| rules.slow_warning()));
    Ok((files, scan))
}

/// Fails if the project's folder does not exist: it must not count as a project without files.
pub(super) async fn require_project(host: &Host) -> PortResult<()> {
    match host.project().lstat("").await? {
        Some(_) => Ok(()),
        None => Err(no_project(&host.project().absolute(""))),
    }
}

fn no_project(folder: &str) -> PortError {
    let message = "the project's folder does not exist; check `dir`";
    PortError::new("fs", "readdir", PortErrorKind::NotFound, message).at_path(folder)
}

/// The `.gitignore` of a folder whose listing has that name.
enum Ignore {
    Rules(Vec<u8>),
    /// It is not a file; git does not read it either.
    None,
    Vanished,
}

async fn read_ignore(host: &Host, folder: &str) -> PortResult<Ignore> {
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
