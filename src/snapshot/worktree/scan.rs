//! What the files are now: the walk, and the id of everything that it found.

use super::ignore::Rules;
use super::stat_cache::{Seen, StatCache};
use super::walk::walk;
use crate::error::Error;
use crate::join;
use crate::port::{ClockPort, FileKind, FsPort, Host, PortErrorKind, PortResult, Stat};
use crate::snapshot::git::manifest::{Entry, Manifest, Mode, has_below};
use crate::snapshot::git::objects::Objects;
use crate::snapshot::git::oid::Oid;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The project's files.
#[derive(Default)]
pub(in crate::snapshot) struct Scan {
    /// By the host's clock.
    pub began_at: u64,
    /// Files, links and the submodules of the base.
    pub files: BTreeMap<String, Seen>,
    /// What a snapshot leaves alone, topmost entries only.
    pub left: BTreeMap<String, FileKind>,
    /// The ignore rules of every folder that has its own.
    pub rules: BTreeMap<String, Rc<Rules>>,
    /// What the user should know about.
    pub warnings: Vec<String>,
    /// How many files were read.
    pub read: u32,
}

impl Scan {
    /// The files without how they look.
    pub(in crate::snapshot) fn manifest(&self) -> Manifest {
        self.files.iter().map(|(path, seen)| (path.clone(), seen.entry)).collect()
    }
}

/// What a scan goes by.
#[derive(Clone, Copy, Default)]
pub(in crate::snapshot) struct Basis<'a> {
    /// How files looked before; without it everything is read.
    pub cache: Option<&'a StatCache>,
    /// What git would call tracked: ignored files in them count. Submodules and, where the host has no mode bits,
    /// modes are those of the first that has the path.
    pub tracked: &'a [&'a Manifest],
}

/// Scans the project and only looks.
pub(in crate::snapshot) async fn scan<H: Host>(host: &H, basis: Basis<'_>) -> Result<Scan, Error> {
    scan_into(host, basis, None).await
}

/// Scans the project and stores the blobs that git lacks.
pub(in crate::snapshot) async fn scan_and_store<H: Host>(
    host: &H,
    basis: Basis<'_>,
    objects: &mut Objects<'_, H>,
) -> Result<Scan, Error> {
    scan_into(host, basis, Some(objects)).await
}

async fn scan_into<H: Host>(
    host: &H,
    basis: Basis<'_>,
    mut objects: Option<&mut Objects<'_, H>>,
) -> Result<Scan, Error> {
    let began_at = host.clock().now();
    let walk = walk(host, basis.tracked).await?;
    let mut scan = Scan { began_at, left: walk.left, rules: walk.rules, warnings: walk.warnings, ..Scan::default() };
    let (mut files, mut unread) = (Vec::new(), Vec::new());
    for (path, stat) in walk.found {
        let mode = mode_of(host, &path, &stat, basis.tracked);
        let cached = basis.cache.and_then(|cache| cache.look_up(&path, &stat)).map(|entry| entry.oid);
        let known = cached.filter(|oid| objects.as_ref().is_none_or(|objects| objects.has(oid)));
        if let Some(oid) = known.filter(|_| mode != Mode::Symlink) {
            files.push((path, Seen { entry: Entry { mode, oid }, size: stat.size, mtime_ms: stat.mtime_ms }));
        } else {
            unread.push((path, stat, mode));
        }
    }
    for some in unread.chunks(join::AT_ONCE) {
        let reads = join::each(some, |(path, _, mode)| Box::pin(read_content(host, path, *mode)));
        for ((path, stat, mode), bytes) in some.iter().zip(reads.await) {
            let Some(bytes) = bytes? else { continue };
            scan.read += 1;
            // A size that differs was written in between: the look does not belong to these bytes.
            let mtime_ms = if bytes.len() as u64 == stat.size { stat.mtime_ms } else { f64::NAN };
            let oid = match objects.as_deref_mut() {
                Some(objects) => objects.write_blob(bytes).await.map_err(|error| error.at_path(path))?,
                None => Oid::of_blob(&bytes),
            };
            files.push((path.clone(), Seen { entry: Entry { mode: *mode, oid }, size: stat.size, mtime_ms }));
        }
    }
    scan.files = files.into_iter().collect();
    keep_submodules(&mut scan, basis.tracked);
    Ok(scan)
}

/// The bytes of a file or the target of a link; `None` where it vanished or became something else.
pub(in crate::snapshot) async fn read_content<H: Host>(
    host: &H,
    path: &str,
    mode: Mode,
) -> PortResult<Option<Vec<u8>>> {
    let absolute = host.project().absolute(path);
    let result = match mode {
        Mode::Symlink => host.fs().read_link(&absolute).await.map(String::into_bytes),
        _ => host.fs().read_file(&absolute).await,
    };
    match result {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if matches!(error.kind, PortErrorKind::NotFound | PortErrorKind::NotDirectory) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The mode that git would record. Where the host cannot set mode bits, what it tells about them means nothing:
/// the recorded mode stays.
pub(in crate::snapshot) fn mode_of<H: Host>(host: &H, path: &str, stat: &Stat, tracked: &[&Manifest]) -> Mode {
    if stat.kind == FileKind::Symlink {
        return Mode::Symlink;
    }
    let recorded = tracked.iter().find_map(|manifest| manifest.get(path)).map(|entry| entry.mode);
    match recorded {
        Some(mode @ (Mode::File | Mode::Executable)) if !host.fs().support().chmod || stat.mode.is_none() => mode,
        _ if stat.is_executable() => Mode::Executable,
        _ => Mode::File,
    }
}

/// A submodule stays in the snapshot as long as no file took its place.
fn keep_submodules(scan: &mut Scan, tracked: &[&Manifest]) {
    let base = tracked.first().into_iter().flat_map(|manifest| manifest.iter());
    for (path, entry) in base.filter(|(_, entry)| entry.mode == Mode::Submodule) {
        let above = path.char_indices().filter(|(_, c)| *c == '/').filter_map(|(at, _)| path.get(..at));
        let is_taken = above.chain([path.as_str()]).any(|path| scan.files.contains_key(path));
        if !is_taken && !has_below(&scan.files, path) {
            scan.files.insert(path.clone(), Seen { entry: *entry, size: 0, mtime_ms: f64::NAN });
        }
    }
}
