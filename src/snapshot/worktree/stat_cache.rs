//! The stat cache: how `stat` saw the files of the newest snapshot. A file with the same stat is not read again.
//!
//! `.loopgate/stat-cache` may be lost or torn at any time: then every file is read once. A file that was written within
//! the clock's grain of the scan could change without a new time; it is read again.

use crate::hex;
use crate::port::{Host, PortResult, Stat, StateKey};
use crate::sealed::{seal, unseal};
use crate::snapshot::git::{Entry, Manifest, NamedCommit, Oid};
use futures_util::future::try_join;
use std::collections::BTreeMap;

pub(crate) use crate::layout::STAT_CACHE as PATH;

const HEADER: &str = "loopgate stat-cache 3";

/// A file, and its stat when it was read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct StatEntry {
    pub entry: Entry,
    /// Bytes.
    pub size: u64,
    /// Milliseconds since the epoch; NaN if the stat cannot be trusted.
    pub mtime_ms: f64,
}

impl StatEntry {
    pub(crate) fn new(entry: Entry, stat: &Stat) -> Self {
        Self { entry, size: stat.size, mtime_ms: stat.mtime_ms }
    }

    /// An entry that no stat equals.
    pub(super) fn unread(entry: Entry) -> Self {
        Self { entry, size: 0, mtime_ms: f64::NAN }
    }
}

/// The files of a snapshot with their stats.
#[derive(Debug)]
pub(crate) struct StatCache {
    /// A tag of the newest snapshot.
    pub tag: String,
    /// Its commit.
    pub commit: Oid,
    /// When the scan began, by the host's clock.
    pub scanned_at: u64,
    /// Its files, with the ids in its tree.
    pub files: BTreeMap<String, StatEntry>,
    /// Files with a later time are racy.
    settled_ms: f64,
}

impl StatCache {
    /// The stored cache; `None` if there is none, or it is damaged, or cannot be read.
    pub(super) async fn load(host: &Host) -> Option<Self> {
        let project = host.project();
        let (bytes, stat) = try_join(project.read(PATH), project.lstat(PATH)).await.ok()?;
        let ((mut cache, written_at), stat) = (decode(project.key(), &bytes?)?, stat?);
        // The host's clock may be ahead of the file system's; the cache's own file shows by how much.
        let ahead = (written_at as f64 - stat.mtime_ms).max(0.0);
        if ahead.is_finite() {
            cache.settled_ms = cache.scanned_at as f64 - ahead - grain(&cache.files);
        }
        Some(cache)
    }

    /// The entry of a file whose stat is unchanged. Mode bits do not matter.
    pub(super) fn look_up(&self, path: &str, stat: &Stat) -> Option<Entry> {
        let file = self.files.get(path)?;
        let is_same = file.size == stat.size && file.mtime_ms == stat.mtime_ms;
        (is_same && !stat.is_racy(self.settled_ms)).then_some(file.entry)
    }

    pub(super) fn manifest(&self) -> Manifest {
        entries_of(&self.files)
    }
}

pub(super) fn entries_of(files: &BTreeMap<String, StatEntry>) -> Manifest {
    let mut entries = Manifest::new();
    entries.extend(files.iter().map(|(path, file)| (path.clone(), file.entry)));
    entries
}

/// Stores the stats that a scan found for a snapshot's files.
pub(crate) async fn store(
    host: &Host,
    newest: &NamedCommit,
    scanned_at: u64,
    files: &BTreeMap<String, StatEntry>,
) -> PortResult<()> {
    let text = encode(&host.state_key, &newest.name, newest.oid, scanned_at, host.clock.now(), files);
    host.project().write(PATH, text).await
}

/// The coarsest step that all times are multiples of, in milliseconds; at least what coarse kernel clocks and browsers'
/// protection against fingerprinting need.
pub(super) fn grain(files: &BTreeMap<String, StatEntry>) -> f64 {
    let is_multiple = |step: f64| files.values().all(|file| !file.mtime_ms.is_finite() || file.mtime_ms % step == 0.0);
    [2_000.0, 1_000.0, 100.0].into_iter().find(|step| is_multiple(*step)).unwrap_or(20.0)
}

/// Records between NULs, which no path has.
fn encode(
    key: &StateKey,
    tag: &str,
    commit: Oid,
    scanned_at: u64,
    written_at: u64,
    files: &BTreeMap<String, StatEntry>,
) -> String {
    let mut text = format!("{HEADER}\0{commit} {scanned_at} {written_at} {tag}");
    for (path, StatEntry { entry, size, mtime_ms }) in files {
        text.push('\0');
        text.push_str(entry.mode.as_str());
        text.push(' ');
        hex::push(&mut text, entry.oid.as_bytes());
        text.push(' ');
        text.push_str(&size.to_string());
        text.push(' ');
        hex::push(&mut text, &mtime_ms.to_bits().to_be_bytes());
        text.push(' ');
        text.push_str(path);
    }
    seal(key, PATH, &text)
}

fn decode(key: &StateKey, bytes: &[u8]) -> Option<(StatCache, u64)> {
    let text = unseal(key, PATH, bytes).text()?;
    let mut records = text.split('\0');
    if records.next()? != HEADER {
        return None;
    }
    let mut fields = records.next()?.splitn(4, ' ');
    let commit = Oid::parse(fields.next()?)?;
    let scanned_at = fields.next()?.parse().ok()?;
    let written_at = fields.next()?.parse().ok()?;
    let tag = fields.next()?.to_owned();
    let mut files = BTreeMap::new();
    for record in records {
        let (path, file) = decode_file(record)?;
        files.insert(path, file);
    }
    Some((StatCache { tag, commit, scanned_at, files, settled_ms: f64::NEG_INFINITY }, written_at))
}

fn decode_file(record: &str) -> Option<(String, StatEntry)> {
    let mut fields = record.splitn(5, ' ');
    let entry = Entry::parse(fields.next()?, fields.next()?)?;
    let size = fields.next()?.parse().ok()?;
    let mtime_ms = f64::from_bits(u64::from_str_radix(fields.next()?, 16).ok()?);
    Some((fields.next()?.to_owned(), StatEntry { entry, size, mtime_ms }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::port::FileKind;
    use crate::snapshot::git::Mode;

    fn cache() -> StatCache {
        let file = |mtime_ms| StatEntry {
            entry: Entry { mode: Mode::Executable, oid: Oid::of_blob(b"x") },
            size: 1,
            mtime_ms,
        };
        let files = [("a b\n\"c\"", 17.5), ("🍓", 1_234.0), ("gone", f64::NAN)];
        let files = files.into_iter().map(|(path, time)| (path.to_owned(), file(time))).collect();
        let (tag, commit) = ("task 1".to_owned(), Oid::of_blob(b"commit"));
        StatCache { tag, commit, scanned_at: 99, files, settled_ms: f64::NEG_INFINITY }
    }

    #[test]
    fn a_cache_reads_back_and_a_torn_one_does_not() {
        let cache = cache();
        let key = StateKey::new(b"key");
        let text = encode(&key, &cache.tag, cache.commit, cache.scanned_at, 7, &cache.files);
        let (found, written_at) = decode(&key, text.as_bytes()).unwrap();
        assert_eq!((format!("{found:?}"), written_at), (format!("{cache:?}"), 7));
        assert!((0..text.len()).all(|end| decode(&key, &text.as_bytes()[..end]).is_none()));
    }

    #[test]
    fn the_grain_is_the_coarsest_step_of_all_times() {
        let with = |times: &[f64]| {
            let base = cache();
            let file = base.files.values().next().unwrap();
            let files =
                times.iter().enumerate().map(|(at, time)| (at.to_string(), StatEntry { mtime_ms: *time, ..*file }));
            grain(&files.collect())
        };
        assert_eq!(with(&[4_000.0, 2_000.0]), 2_000.0);
        assert_eq!(with(&[4_000.0, 3_000.0, f64::NAN]), 1_000.0);
        assert_eq!(with(&[4_000.0, 100.0]), 100.0);
        assert_eq!(with(&[4_000.0, 101.5]), 20.0);
    }

    #[test]
    fn only_an_unchanged_stat_that_is_not_racy_is_found() {
        let mut cache = cache();
        cache.settled_ms = 1_000.0;
        let stat = |size, mtime_ms| Stat { kind: FileKind::File, size, mtime_ms, mode: None };
        assert!(cache.look_up("a b\n\"c\"", &stat(1, 17.5)).is_some());
        assert!(cache.look_up("a b\n\"c\"", &stat(2, 17.5)).is_none());
        assert!(cache.look_up("a b\n\"c\"", &stat(1, 17.6)).is_none());
        assert!(cache.look_up("🍓", &stat(1, 1_234.0)).is_none(), "racy");
        assert!(cache.look_up("gone", &stat(1, f64::NAN)).is_none());
        assert!(cache.look_up("absent", &stat(1, 17.5)).is_none());
    }
}
