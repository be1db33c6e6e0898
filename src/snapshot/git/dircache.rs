//! Git's index: the files of the next commit, with the stats of the working tree by which git skips unchanged files.
//!
//! The format is gitformat-index(5), version 2, or 3 if an entry has extended flags. Entries of unchanged paths are kept
//! byte by byte. New entries have a zero stat, as `git update-index --cacheinfo` writes them: the next `git status`
//! compares the file and fills it in.

use super::tree::{Entry, Manifest, Mode};
use crate::path::folders_above;
use sha1::{Digest, Sha1};
use std::collections::{BTreeMap, BTreeSet};

/// The bytes of an entry before its flags, and the offsets of what is read from them.
const FIXED: usize = 60;
const MODE: usize = 24;
const OID: usize = 40;

/// Flags of an entry.
const EXTENDED: u16 = 0x4000;
const NAME_MASK: u16 = 0x0fff;

/// The entries of an index by path and stage, in git's order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct DirCache {
    entries: BTreeMap<(Vec<u8>, u16), CacheEntry>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct CacheEntry {
    /// The stat, the mode and the id.
    fixed: Vec<u8>,
    /// The flags without the length of the name.
    flags: u16,
    /// Not 0 only with [`EXTENDED`].
    extended: u16,
}

impl DirCache {
    /// Reads the file of an index; `None` if it is damaged, or in a form that is not read: version 4, a split or a sparse
    /// index.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let (content, sum) = bytes.split_at_checked(bytes.len().checked_sub(20)?)?;
        // With `index.skipHash`, git writes no checksum.
        if *Sha1::digest(content) != *sum && sum.iter().any(|byte| *byte != 0) {
            return None;
        }
        let mut rest = content.strip_prefix(b"DIRC")?;
        let version = u32_of(take(&mut rest, 4)?)?;
        let count = u32_of(take(&mut rest, 4)?)?;
        if !matches!(version, 2 | 3) {
            return None;
        }
        let mut entries = BTreeMap::new();
        for _ in 0..count {
            let start = rest.len();
            let fixed = take(&mut rest, FIXED)?.to_vec();
            let flags = u16_of(take(&mut rest, 2)?)?;
            let extended = if flags & EXTENDED == 0 { 0 } else { u16_of(take(&mut rest, 2)?)? };
            let length = rest.iter().position(|byte| *byte == 0)?;
            let path = take(&mut rest, length)?.to_vec();
            // From 1 to 8 bytes, so that the length of the entry is a multiple of 8.
            let read = start - rest.len();
            take(&mut rest, 8 - read % 8)?;
            let stage = (flags >> 12) & 3;
            entries.insert((path, stage), CacheEntry { fixed, flags: flags & !NAME_MASK, extended });
        }
        while !rest.is_empty() {
            let name = take(&mut rest, 4)?;
            // An extension with a lower-case name changes what the entries mean.
            if !name.first()?.is_ascii_uppercase() {
                return None;
            }
            let length = usize::try_from(u32_of(take(&mut rest, 4)?)?).ok()?;
            take(&mut rest, length)?;
        }
        Some(Self { entries })
    }

    /// The index of a commit with these files.
    pub(crate) fn of(files: &Manifest) -> Self {
        let entry = |(path, entry): (&String, &Entry)| ((path.as_bytes().to_vec(), 0), CacheEntry::new(entry));
        Self { entries: files.iter().map(entry).collect() }
    }

    /// The bytes of the file. Extensions are caches of git and left out.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let version: u32 = if self.entries.values().any(|entry| entry.flags & EXTENDED != 0) { 3 } else { 2 };
        let mut bytes = b"DIRC".to_vec();
        bytes.extend_from_slice(&version.to_be_bytes());
        bytes.extend_from_slice(&u32::try_from(self.entries.len()).unwrap_or(u32::MAX).to_be_bytes());
        for ((path, _), entry) in &self.entries {
            let start = bytes.len();
            bytes.extend_from_slice(&entry.fixed);
            let length = u16::try_from(path.len()).unwrap_or(NAME_MASK).min(NAME_MASK);
            bytes.extend_from_slice(&(entry.flags | length).to_be_bytes());
            if entry.flags & EXTENDED != 0 {
                bytes.extend_from_slice(&entry.extended.to_be_bytes());
            }
            bytes.extend_from_slice(path);
            let padding = 8 - (bytes.len() - start) % 8;
            bytes.resize(bytes.len() + padding, 0);
        }
        let sum = Sha1::digest(&bytes);
        bytes.extend_from_slice(&sum);
        bytes
    }

    /// At these paths, the index has what `files` has. An entry that is the same keeps its stat. Entries that conflict with
    /// a new one go: those of a merge, a file in place of its folder, files below it.
    pub(crate) fn follow<'a>(&mut self, files: &Manifest, paths: impl IntoIterator<Item = &'a str>) {
        for path in paths {
            let wanted = files.get(path);
            for stage in 1..=3 {
                self.entries.remove(&(path.as_bytes().to_vec(), stage));
            }
            let key = (path.as_bytes().to_vec(), 0);
            match wanted {
                Some(wanted) if self.entries.get(&key).is_some_and(|entry| entry.is(wanted)) => {}
                Some(wanted) => {
                    self.make_way(path);
                    self.entries.insert(key, CacheEntry::new(wanted));
                }
                None => drop(self.entries.remove(&key)),
            }
        }
    }

    fn make_way(&mut self, path: &str) {
        let below = format!("{path}/").into_bytes();
        let is_below = |other: &[u8]| other.starts_with(&below);
        let is_above = |other: &[u8]| folders_above(path).any(|folder| folder.as_bytes() == other);
        self.entries.retain(|(other, _), _| !is_below(other) && !is_above(other));
    }

    /// The index of a checkout of `files`: no other entries.
    pub(crate) fn check_out(&mut self, files: &Manifest) {
        self.entries.retain(|(path, _), _| std::str::from_utf8(path).is_ok_and(|path| files.contains_key(path)));
        self.follow(files, files.keys().map(String::as_str));
    }

    /// The paths at which it differs from `files`: what is staged.
    pub(crate) fn staged(&self, files: &Manifest) -> BTreeSet<String> {
        let same =
            |path: &str, stage, entry: &CacheEntry| stage == 0 && files.get(path).is_some_and(|file| entry.is(file));
        let entries = self.entries.iter().map(|((path, stage), entry)| (String::from_utf8_lossy(path), *stage, entry));
        let changed = entries.filter(|(path, stage, entry)| !same(path, *stage, entry));
        let mut staged: BTreeSet<String> = changed.map(|(path, ..)| path.into_owned()).collect();
        let is_removed = |path: &&String| !self.entries.contains_key(&(path.as_bytes().to_vec(), 0));
        staged.extend(files.keys().filter(is_removed).cloned());
        staged
    }
}

impl CacheEntry {
    fn new(entry: &Entry) -> Self {
        let mode: u32 = match entry.mode {
            Mode::File => 0o100_644,
            Mode::Executable => 0o100_755,
            Mode::Symlink => 0o120_000,
            Mode::Submodule => 0o160_000,
        };
        let mut fixed = vec![0; MODE];
        fixed.extend_from_slice(&mode.to_be_bytes());
        fixed.resize(OID, 0);
        fixed.extend_from_slice(entry.oid.as_bytes());
        Self { fixed, flags: 0, extended: 0 }
    }

    /// It has this mode and this id.
    fn is(&self, entry: &Entry) -> bool {
        let new = Self::new(entry);
        self.fixed.get(MODE..MODE + 4) == new.fixed.get(MODE..MODE + 4) && self.fixed.get(OID..) == new.fixed.get(OID..)
    }
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(taken)
}

fn u32_of(bytes: &[u8]) -> Option<u32> {
    bytes.try_into().ok().map(u32::from_be_bytes)
}

fn u16_of(bytes: &[u8]) -> Option<u16> {
    bytes.try_into().ok().map(u16::from_be_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::git::Oid;

    fn files(entries: &[(&str, Mode, &str)]) -> Manifest {
        let entry = |mode, text: &str| Entry { mode, oid: Oid::of_blob(text.as_bytes()) };
        entries.iter().map(|(path, mode, text)| ((*path).to_owned(), entry(*mode, text))).collect()
    }

    /// The bytes of an index, with the fields of its entries: path, stage, seconds of the stat, extended flags.
    fn index(version: u32, entries: &[(&str, u16, u32, u16)], after: &[u8]) -> Vec<u8> {
        let mut bytes = b"DIRC".to_vec();
        bytes.extend(version.to_be_bytes());
        bytes.extend(u32::try_from(entries.len()).unwrap().to_be_bytes());
        for (path, stage, seconds, extended) in entries {
            let start = bytes.len();
            bytes.extend(seconds.to_be_bytes());
            bytes.resize(start + MODE, 0);
            bytes.extend(0o100_644_u32.to_be_bytes());
            bytes.resize(start + OID, 0);
            bytes.extend(Oid::of_blob(b"1").as_bytes());
            let flags = (stage << 12) | u16::try_from(path.len()).unwrap() | if *extended == 0 { 0 } else { EXTENDED };
            bytes.extend(flags.to_be_bytes());
            if *extended != 0 {
                bytes.extend(extended.to_be_bytes());
            }
            bytes.extend(path.as_bytes());
            bytes.resize(start + (bytes.len() - start) / 8 * 8 + 8, 0);
        }
        bytes.extend(after);
        let sum = Sha1::digest(&bytes);
        bytes.extend(sum);
        bytes
    }

    #[test]
    fn an_index_is_written_as_it_was_read_without_its_extensions() {
        let entries = [("a", 0, 7, 0), ("a-b/1234567", 0, 8, 0), ("a/b", 0, 9, 0), ("é", 1, 1, 0), ("é", 3, 1, 0)];
        let bytes = index(2, &entries, b"TREE\0\0\0\x02ab");
        assert_eq!(DirCache::decode(&bytes).unwrap().encode(), index(2, &entries, b""));
        let skipped = [("a", 0, 7, 0x4000), ("b", 0, 7, 0)];
        let bytes = index(3, &skipped, b"");
        assert_eq!(DirCache::decode(&bytes).unwrap().encode(), bytes);
        let mut unsummed = index(2, &entries, b"");
        let end = unsummed.len();
        unsummed[end - 20..].fill(0);
        assert!(DirCache::decode(&unsummed).is_some());
        assert_eq!(DirCache::default().encode(), index(2, &[], b""));
    }

    #[test]
    fn an_index_that_is_damaged_or_in_another_form_is_not_read() {
        let good = index(2, &[("a", 0, 7, 0), ("b", 0, 7, 0)], b"TREE\0\0\0\x02ab");
        for end in 0..good.len() {
            assert_eq!(DirCache::decode(&good[..end]), None, "cut at {end}");
        }
        for at in 0..good.len() {
            let mut other = good.clone();
            other[at] ^= 1;
            assert_eq!(DirCache::decode(&other), None, "changed at {at}");
        }
        let mut many = index(2, &[], b"");
        many[8..12].fill(0xff);
        many.truncate(12);
        many.extend([0; 20]);
        assert_eq!(DirCache::decode(&many), None, "a count without entries");
        assert_eq!(DirCache::decode(&index(4, &[], b"")), None);
        assert_eq!(DirCache::decode(&index(2, &[], b"link\0\0\0\0")), None);
        assert_eq!(DirCache::decode(&index(2, &[], b"sdir\0\0\0\0")), None);
    }

    #[test]
    fn an_index_follows_at_the_given_paths_only() {
        let bytes = index(2, &[("a", 0, 7, 0), ("b", 0, 7, 0), ("c", 0, 7, 0), ("d", 2, 7, 0), ("e", 0, 7, 0)], b"");
        let mut index = DirCache::decode(&bytes).unwrap();
        let target = files(&[
            ("a", Mode::File, "1"),
            ("b", Mode::Executable, "1"),
            ("d", Mode::File, "2"),
            ("e/x", Mode::Symlink, "3"),
        ]);
        index.follow(&target, ["a", "b", "c", "d", "e/x"]);
        let paths: Vec<_> = index.entries.keys().map(|(path, stage)| (String::from_utf8_lossy(path), *stage)).collect();
        assert_eq!(paths, [("a".into(), 0), ("b".into(), 0), ("d".into(), 0), ("e/x".into(), 0)]);
        let seconds = |path: &str| index.entries[&(path.as_bytes().to_vec(), 0)].fixed[3];
        assert_eq!((seconds("a"), seconds("b")), (7, 0), "the stat of an unchanged entry is kept");
        assert_eq!(index.staged(&target), BTreeSet::new());
        assert_eq!(DirCache::decode(&index.encode()), Some(index.clone()));

        let other = files(&[("a", Mode::File, "2"), ("b", Mode::Executable, "1"), ("new", Mode::File, "1")]);
        assert_eq!(index.staged(&other).into_iter().collect::<Vec<_>>(), ["a", "d", "e/x", "new"]);
        index.check_out(&other);
        assert_eq!(index.staged(&other), BTreeSet::new());
        assert_eq!(DirCache::of(&other).staged(&other), BTreeSet::new());
    }

    #[test]
    fn a_file_in_place_of_a_folder_leaves_no_entry_below_it() {
        let bytes = index(2, &[("a/b", 0, 7, 0), ("a/c/d", 0, 7, 0), ("a0", 0, 7, 0)], b"");
        let mut index = DirCache::decode(&bytes).unwrap();
        index.follow(&files(&[("a", Mode::File, "1")]), ["a"]);
        let paths: Vec<_> = index.entries.keys().map(|(path, _)| String::from_utf8_lossy(path)).collect();
        assert_eq!(paths, ["a", "a0"]);
    }
}
