//! Changes that a command or a tool of the IDE made to the project's files.

use super::fact::FileChangeKind;
use super::files::{Listing, walk};
use crate::port::{FileKind, Host, PortResult, Stat};
use sha1::{Digest, Sha1};
use std::collections::BTreeMap;

/// The state of the files before such a call.
pub(crate) struct Before {
    listing: Listing,
    /// Hashes of files modified so recently that another edit may leave the same stat.
    young: BTreeMap<String, Vec<u8>>,
}

/// Records the state of the files. Reads only recently modified ones.
pub(crate) async fn before(host: &Host) -> PortResult<Before> {
    let listing = walk(host.project(), "", usize::MAX).await?;
    let mut young = BTreeMap::new();
    for (path, _) in listing.files.iter().filter(|(_, stat)| is_young(stat, host.clock.now())) {
        young.insert(path.clone(), hash(host, path).await?);
    }
    Ok(Before { listing, young })
}

/// The changes since then, by path.
pub(crate) async fn since(host: &Host, before: &Before) -> PortResult<Vec<(String, FileChangeKind)>> {
    let after = walk(host.project(), "", usize::MAX).await?;
    let gone = before.listing.files.keys().filter(|path| !after.files.contains_key(*path));
    let mut changes = BTreeMap::new();
    changes.extend(gone.map(|path| (path.clone(), FileChangeKind::Deleted)));
    for (path, stat) in &after.files {
        let kind = match before.listing.files.get(path) {
            None => FileChangeKind::Created,
            Some(old) if old != stat => FileChangeKind::Modified,
            Some(_) => match before.young.get(path) {
                Some(old) if *old != hash(host, path).await? => FileChangeKind::Modified,
                _ => continue,
            },
        };
        changes.insert(path.clone(), kind);
    }
    Ok(changes.into_iter().collect())
}

/// The coarsest timestamp resolution of a file system in use (FAT), in milliseconds.
const GRAIN_MS: f64 = 2000.0;

fn is_young(stat: &Stat, now: u64) -> bool {
    stat.kind == FileKind::File && stat.is_racy(now as f64 - GRAIN_MS)
}

async fn hash(host: &Host, path: &str) -> PortResult<Vec<u8>> {
    Ok(Sha1::digest(host.project().read(path).await?.unwrap_or_default()).to_vec())
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::port::memory::MemoryHost;

    #[tokio::test]
    async fn changes_are_detected_even_if_the_stat_is_unchanged() {
        let host = MemoryHost::new([("a", "1"), ("b", "1"), ("c", "1"), ("e", "1")]);
        let start = before(&host).await.unwrap();
        host.put("b", "2");
        host.put("d", "1");
        host.put("e", "1");
        host.fs.delete("/project/c");
        let expected =
            [("b", FileChangeKind::Modified), ("c", FileChangeKind::Deleted), ("d", FileChangeKind::Created)];
        assert_eq!(since(&host, &start).await.unwrap(), expected.map(|(path, kind)| (path.to_owned(), kind)));
        let now = before(&host).await.unwrap();
        assert_eq!(since(&host, &now).await.unwrap(), Vec::new());
    }

    #[tokio::test]
    async fn files_modified_long_ago_are_not_read() {
        let host = MemoryHost::new([("a", "1"), ("b", "1")]);
        host.clock.advance(10_000);
        host.put("b", "1");
        let start = before(&host).await.unwrap();
        assert_eq!(start.young.keys().collect::<Vec<_>>(), ["b"]);
        host.put("a", "2");
        let expected = vec![("a".to_owned(), FileChangeKind::Modified)];
        assert_eq!(since(&host, &start).await.unwrap(), expected);
    }
}
