//! What the files of the newest snapshot looked like to a `stat`: a file that looks the same is not read again.
//!
//! `.loopgate/stat-cache` can be lost or torn at any time: then everything is read once. A file that was written
//! within the clock's grain of the scan could have been written again without a new time; it is read again.
//!
//! It is written whole by whoever looked at everything. A snapshot in a run that looked at a few paths writes those to
//! `.loopgate/stat-cache.changes`, which belongs to the cache whose hash it names, and to no other.

use crate::hex;
use crate::port::{ClockPort, FsPort, Host, PortResult, Stat};
use crate::snapshot::git::manifest::{Entry, Manifest, Mode};
use crate::snapshot::git::oid::Oid;
use std::collections::{BTreeMap, BTreeSet};

/// Where it lies.
pub(in crate::snapshot) const PATH: &str = crate::layout::STAT_CACHE;

const CHANGES: &str = crate::layout::STAT_CHANGES;

const HEADER: &str = "loopgate stat-cache 1";
const CHANGES_HEADER: &str = "loopgate stat-cache changes 1";

/// A file and how it looked when it was read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::snapshot) struct Seen {
    /// What it was.
    pub entry: Entry,
    /// Bytes.
    pub size: u64,
    /// Milliseconds since the epoch; not finite where the look cannot be trusted.
    pub mtime_ms: f64,
}

/// The files of a snapshot as a scan saw them.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::snapshot) struct StatCache {
    /// A tag of the newest snapshot.
    pub tag: String,
    /// Its commit.
    pub commit: Oid,
    /// When the scan began, by the host's clock.
    pub scanned_at: u64,
    /// Its files; the ids are those of its tree.
    pub files: BTreeMap<String, Seen>,
    /// A file that changed later than this is not trusted.
    trusted_until: f64,
    /// The hash of what is stored whole; none before it is.
    pub sum: Option<Oid>,
    /// The paths that were stored as changes of it.
    pub changed: BTreeSet<String>,
}

impl StatCache {
    /// A cache to be stored.
    pub(in crate::snapshot) fn new(tag: String, commit: Oid, scanned_at: u64, files: BTreeMap<String, Seen>) -> Self {
        Self { tag, commit, scanned_at, files, trusted_until: f64::NEG_INFINITY, sum: None, changed: BTreeSet::new() }
    }

    /// The stored cache; `None` where there is none, or it is damaged, or cannot be read.
    pub(in crate::snapshot) async fn load<H: Host>(host: &H) -> Option<Self> {
        let path = host.project().absolute(PATH);
        let (mut cache, written_at) = decode(&host.fs().read_file(&path).await.ok()?)?;
        let stat = host.fs().lstat(&path).await.ok()?;
        // The host's clock may run before the file system's: the cache's own file tells by how much.
        let ahead = (written_at as f64 - stat.mtime_ms).max(0.0);
        if ahead.is_finite() {
            cache.trusted_until = cache.scanned_at as f64 - ahead - grain(&cache.files);
        }
        if let Ok(Some(changes)) = host.project().read(CHANGES).await {
            cache.apply(&changes);
        }
        Some(cache)
    }

    /// Stores the cache; gives the hash of it.
    pub(in crate::snapshot) async fn store<H: Host>(&self, host: &H) -> PortResult<Oid> {
        let (bytes, sum) = encode(self, host.clock().now());
        host.fs().write_file(&host.project().absolute(PATH), &bytes).await?;
        Ok(sum)
    }

    /// Takes changes over, if they are whole and belong to this cache. The files in them are read again.
    fn apply(&mut self, bytes: &[u8]) {
        let changes = decode_changes(bytes).filter(|changes| Some(changes.sum) == self.sum);
        if let Some(Changes { tag, commit, files, .. }) = changes {
            (self.tag, self.commit) = (tag, commit);
            self.changed = files.iter().map(|(path, _)| path.clone()).collect();
            for (path, entry) in files {
                match entry {
                    Some(entry) => drop(self.files.insert(path, Seen { entry, size: 0, mtime_ms: f64::NAN })),
                    None => drop(self.files.remove(&path)),
                }
            }
        }
    }

    /// What a file is, if it still looks as it did. Its mode bits are not part of the look.
    pub(in crate::snapshot) fn look_up(&self, path: &str, stat: &Stat) -> Option<Entry> {
        let seen = self.files.get(path)?;
        let same = seen.size == stat.size && seen.mtime_ms == stat.mtime_ms;
        (same && stat.mtime_ms > 0.0 && stat.mtime_ms <= self.trusted_until).then_some(seen.entry)
    }

    /// The snapshot's files.
    pub(in crate::snapshot) fn manifest(&self) -> Manifest {
        self.files.iter().map(|(path, seen)| (path.clone(), seen.entry)).collect()
    }
}

/// Stores how the files of a snapshot differ from the stored cache with this hash: at these paths alone.
pub(in crate::snapshot) async fn store_changes<H: Host>(
    host: &H,
    sum: Oid,
    tag: &str,
    commit: Oid,
    files: &Manifest,
    paths: &BTreeSet<String>,
) -> PortResult<()> {
    let mut text = format!("{CHANGES_HEADER}\0{sum} {commit} {tag}\0");
    for path in paths.iter() {
        let record = match files.get(path) {
            Some(entry) => format!("{} {} {path}\0", entry.mode.as_str(), entry.oid),
            None => format!("- - {path}\0"),
        };
        text.push_str(&record);
    }
    host.project().write(CHANGES, seal(text).0).await
}

/// How the files of a newer snapshot differ.
struct Changes {
    sum: Oid,
    commit: Oid,
    tag: String,
    files: Vec<(String, Option<Entry>)>,
}

/// The coarsest step that all times are a multiple of, in milliseconds; at least what coarse kernel clocks and
/// browsers' protection against fingerprinting need.
fn grain(files: &BTreeMap<String, Seen>) -> f64 {
    let is_multiple = |step: f64| files.values().all(|seen| !seen.mtime_ms.is_finite() || seen.mtime_ms % step == 0.0);
    [2_000.0, 1_000.0, 100.0].into_iter().find(|step| is_multiple(*step)).unwrap_or(20.0)
}

/// Records that end with NUL, which no path holds; the last one is the hash of all before it.
fn encode(cache: &StatCache, written_at: u64) -> (Vec<u8>, Oid) {
    let mut text = format!("{HEADER}\0{} {} {written_at} {}\0", cache.commit, cache.scanned_at, cache.tag);
    for (path, Seen { entry, size, mtime_ms }) in &cache.files {
        text.push_str(entry.mode.as_str());
        text.push(' ');
        hex::push(&mut text, entry.oid.as_bytes());
        text.push(' ');
        text.push_str(&size.to_string());
        text.push(' ');
        hex::push(&mut text, &mtime_ms.to_bits().to_be_bytes());
        text.push(' ');
        text.push_str(path);
        text.push('\0');
    }
    seal(text)
}

fn decode(bytes: &[u8]) -> Option<(StatCache, u64)> {
    let (text, sum) = unseal(bytes)?;
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
        let (path, seen) = decode_file(record)?;
        files.insert(path, seen);
    }
    let cache = StatCache { sum: Some(sum), ..StatCache::new(tag, commit, scanned_at, files) };
    Some((cache, written_at))
}

fn decode_changes(bytes: &[u8]) -> Option<Changes> {
    let (text, _) = unseal(bytes)?;
    let mut records = text.split('\0');
    if records.next()? != CHANGES_HEADER {
        return None;
    }
    let mut fields = records.next()?.splitn(3, ' ');
    let sum = Oid::parse(fields.next()?)?;
    let commit = Oid::parse(fields.next()?)?;
    let tag = fields.next()?.to_owned();
    let mut files = Vec::new();
    for record in records {
        let mut fields = record.splitn(3, ' ');
        let entry = match (fields.next()?, fields.next()?) {
            ("-", "-") => None,
            (mode, oid) => Some(Entry { mode: Mode::parse(mode)?, oid: Oid::parse(oid)? }),
        };
        files.push((fields.next()?.to_owned(), entry));
    }
    Some(Changes { sum, commit, tag, files })
}

/// Closes a text with its hash.
fn seal(mut text: String) -> (Vec<u8>, Oid) {
    let sum = Oid::of_blob(text.as_bytes());
    text.push_str(&format!("{sum}\0"));
    (text.into_bytes(), sum)
}

/// The records of a text that was closed, without the end of the last one, and its hash.
fn unseal(bytes: &[u8]) -> Option<(&str, Oid)> {
    let text = std::str::from_utf8(bytes).ok()?.strip_suffix('\0')?;
    let sum = Oid::parse(text.get(text.len().checked_sub(40)?..)?)?;
    let text = text.get(..text.len() - 40)?;
    if Oid::of_blob(text.as_bytes()) != sum {
        return None;
    }
    Some((text.strip_suffix('\0')?, sum))
}

fn decode_file(record: &str) -> Option<(String, Seen)> {
    let mut fields = record.splitn(5, ' ');
    let mode = Mode::parse(fields.next()?)?;
    let oid = Oid::parse(fields.next()?)?;
    let size = fields.next()?.parse().ok()?;
    let mtime_ms = f64::from_bits(u64::from_str_radix(fields.next()?, 16).ok()?);
    Some((fields.next()?.to_owned(), Seen { entry: Entry { mode, oid }, size, mtime_ms }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::port::FileKind;

    fn cache() -> StatCache {
        let seen =
            |mtime_ms| Seen { entry: Entry { mode: Mode::Executable, oid: Oid::of_blob(b"x") }, size: 1, mtime_ms };
        let files = [("a b\n\"c\"", 17.5), ("🍓", 1_234.0), ("gone", f64::NAN)];
        let files = files.into_iter().map(|(path, time)| (path.to_owned(), seen(time))).collect();
        StatCache::new("task 1".to_owned(), Oid::of_blob(b"commit"), 99, files)
    }

    #[test]
    fn comes_back_as_it_was() {
        let (bytes, sum) = encode(&cache(), 7);
        let (found, written_at) = decode(&bytes).unwrap();
        let expected = StatCache { sum: Some(sum), ..cache() };
        assert_eq!((format!("{found:?}"), written_at), (format!("{expected:?}"), 7));
    }

    #[test]
    fn any_damage_is_noticed() {
        let (bytes, _) = encode(&cache(), 7);
        assert!((0..bytes.len()).all(|end| decode(&bytes[..end]).is_none()));
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(decode(&damaged).is_none(), "byte {at}");
        }
    }

    #[test]
    fn the_grain_is_the_coarsest_step_of_all_times() {
        let with = |times: &[f64]| {
            let base = cache();
            let seen = base.files.values().next().unwrap();
            let files = times.iter().enumerate().map(|(at, time)| (at.to_string(), Seen { mtime_ms: *time, ..*seen }));
            grain(&files.collect())
        };
        assert_eq!(with(&[4_000.0, 2_000.0]), 2_000.0);
        assert_eq!(with(&[4_000.0, 3_000.0, f64::NAN]), 1_000.0);
        assert_eq!(with(&[4_000.0, 100.0]), 100.0);
        assert_eq!(with(&[4_000.0, 101.5]), 20.0);
    }

    #[test]
    fn only_an_old_unchanged_look_is_trusted() {
        let mut cache = cache();
        cache.trusted_until = 1_000.0;
        let stat = |size, mtime_ms| Stat { kind: FileKind::File, size, mtime_ms, mode: None };
        assert!(cache.look_up("a b\n\"c\"", &stat(1, 17.5)).is_some());
        assert!(cache.look_up("a b\n\"c\"", &stat(2, 17.5)).is_none());
        assert!(cache.look_up("a b\n\"c\"", &stat(1, 17.6)).is_none());
        assert!(cache.look_up("🍓", &stat(1, 1_234.0)).is_none(), "too young");
        assert!(cache.look_up("gone", &stat(1, f64::NAN)).is_none());
        assert!(cache.look_up("absent", &stat(1, 17.5)).is_none());
    }
}
