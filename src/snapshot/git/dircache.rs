//! Git's index: the files of the next commit, with the stats of the working tree by which git skips unchanged files.
//!
//! The format is gitformat-index(5). Version 2 is written, or 3 if an entry has extended flags; version 4 is read, too. Entries of unchanged paths are kept
//! byte by byte. New entries have a zero stat, as `git update-index --cacheinfo` writes them: the next `git status`
//! compares the file and fills it in.

use super::oid::Oid;
use super::tree::{Entry, MAX_PATH, Manifest, Mode};
use crate::path::folders_above;
use sha1::{Digest, Sha1};
use std::collections::{BTreeMap, BTreeSet};

/// The bytes of an entry before its flags, and the offsets of what is read from them.
const FIXED: usize = 60;
const MODE: usize = 24;
const ID: usize = 40;

/// Flags of an entry.
const EXTENDED: u16 = 0x4000;
/// An extended flag: `git add --intent-to-add` made the entry, and nothing is staged.
const INTENT_TO_ADD: u16 = 0x2000;
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

/// Why an index is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unread {
    Damaged,
    /// Most entries are in another file.
    Split,
    /// Some entries are folders.
    Sparse,
    /// An extension that changes what the entries mean.
    Other,
}

impl DirCache {
    /// Reads the file of an index.
    ///
    /// # Errors
    /// Why it is not read.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, Unread> {
        let (index, form) = Self::read(bytes).ok_or(Unread::Damaged)?;
        form.map_or(Ok(index), Err)
    }

    /// The entries, and the extension that changes what they mean.
    fn read(bytes: &[u8]) -> Option<(Self, Option<Unread>)> {
        let (content, sum) = bytes.split_at_checked(bytes.len().checked_sub(20)?)?;
        // With `index.skipHash`, git writes no checksum.
        if *Sha1::digest(content) != *sum && sum.iter().any(|byte| *byte != 0) {
            return None;
        }
        let mut rest = content.strip_prefix(b"DIRC")?;
        let version = u32_of(take(&mut rest, 4)?)?;
        let count = u32_of(take(&mut rest, 4)?)?;
        if !matches!(version, 2..=4) {
            return None;
        }
        let (mut entries, mut path) = (BTreeMap::new(), Vec::new());
        for _ in 0..count {
            let start = rest.len();
            let fixed = take(&mut rest, FIXED)?.to_vec();
            let flags = u16_of(take(&mut rest, 2)?)?;
            let extended = if flags & EXTENDED == 0 { 0 } else { u16_of(take(&mut rest, 2)?)? };
            // Version 4 has what differs from the path before, and no padding.
            let shared = if version == 4 { path.len().checked_sub(read_offset(&mut rest)?)? } else { 0 };
            path.truncate(shared);
            let length = rest.iter().position(|byte| *byte == 0)?;
            path.extend_from_slice(take(&mut rest, length)?);
            if path.len() > MAX_PATH {
                return None;
            }
            // From 1 to 8 bytes, so that the length of the entry is a multiple of 8.
            let padding = if version == 4 { 1 } else { 8 - (start - rest.len()) % 8 };
            take(&mut rest, padding)?;
            let stage = (flags >> 12) & 3;
            entries.insert((path.clone(), stage), CacheEntry { fixed, flags: flags & !NAME_MASK, extended });
        }
        let mut form = None;
        while !rest.is_empty() {
            let name = take(&mut rest, 4)?;
            let length = usize::try_from(u32_of(take(&mut rest, 4)?)?).ok()?;
            take(&mut rest, length)?;
            match name {
                b"link" => form = Some(Unread::Split),
                b"sdir" => form = form.or(Some(Unread::Sparse)),
                // A name in lower case: git must not skip the extension.
                [first, ..] if !first.is_ascii_uppercase() => form = form.or(Some(Unread::Other)),
                _ => {}
            }
        }
        Some((Self { entries }, form))
    }

    /// The index of a commit with these files.
    pub(crate) fn from_files(files: &Manifest) -> Self {
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

    /// Puts an entry at a path, or removes the one there. The same entry keeps its stat. Returns `false` and changes nothing
    /// if an entry is in place of a folder above the path, or below it.
    pub(crate) fn set(&mut self, path: &str, wanted: Option<Entry>) -> bool {
        let key = (path.as_bytes().to_vec(), 0);
        let Some(wanted) = wanted else {
            self.entries.remove(&key);
            return true;
        };
        if self.entries.get(&key).is_some_and(|entry| entry.is(&wanted)) {
            return true;
        }
        let below = format!("{path}/").into_bytes();
        let has_below =
            self.entries.range((below.clone(), 0)..).next().is_some_and(|((path, _), _)| path.starts_with(&below));
        let mut above = folders_above(path).flat_map(|folder| (0..=3).map(|stage| (folder.as_bytes().to_vec(), stage)));
        if has_below || above.any(|key| self.entries.contains_key(&key)) {
            return false;
        }
        self.entries.insert(key, CacheEntry::new(&wanted));
        true
    }

    /// What is staged at a path; `None` if that is not one entry or none, as in a conflict of a merge.
    pub(crate) fn staged(&self, path: &str) -> Option<Option<Entry>> {
        let at = |stage| self.entries.get(&(path.as_bytes().to_vec(), stage));
        if (1..=3).any(|stage| at(stage).is_some()) {
            return None;
        }
        match at(0).filter(|entry| entry.extended & INTENT_TO_ADD == 0) {
            Some(entry) => Some(Some(entry.read()?)),
            None => Some(None),
        }
    }

    /// At this path, it has exactly this entry, or none.
    pub(crate) fn is_at(&self, path: &str, wanted: Option<&Entry>) -> bool {
        let at = |stage| self.entries.get(&(path.as_bytes().to_vec(), stage));
        let is_merged = (1..=3).all(|stage| at(stage).is_none());
        is_merged
            && match (at(0), wanted) {
                (Some(entry), Some(wanted)) => entry.is(wanted),
                (None, None) => true,
                _ => false,
            }
    }

    /// The paths of all entries. Names that are not UTF-8 are lossy.
    pub(crate) fn paths(&self) -> BTreeSet<String> {
        self.entries.keys().map(|(path, _)| String::from_utf8_lossy(path).into_owned()).collect()
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
        fixed.resize(ID, 0);
        fixed.extend_from_slice(entry.oid.as_bytes());
        Self { fixed, flags: 0, extended: 0 }
    }

    /// Its mode and its id; `None` for a mode that git does not write.
    fn read(&self) -> Option<Entry> {
        let mode = match u32_of(self.fixed.get(MODE..MODE + 4)?)? {
            0o100_644 => Mode::File,
            0o100_755 => Mode::Executable,
            0o120_000 => Mode::Symlink,
            0o160_000 => Mode::Submodule,
            _ => return None,
        };
        Some(Entry { mode, oid: Oid::from_bytes(self.fixed.get(ID..)?)? })
    }

    /// It has this mode and this id.
    fn is(&self, entry: &Entry) -> bool {
        let new = Self::new(entry);
        self.fixed.get(MODE..MODE + 4) == new.fixed.get(MODE..MODE + 4) && self.fixed.get(ID..) == new.fixed.get(ID..)
    }
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(taken)
}

/// A number in groups of 7 bits, as for the offset of a delta in a pack.
fn read_offset(rest: &mut &[u8]) -> Option<usize> {
    let mut number = 0_usize;
    loop {
        let byte = *take(rest, 1)?.first()?;
        number = number.checked_mul(128)?.checked_add(usize::from(byte & 0x7f))?;
        if byte & 0x80 == 0 {
            return Some(number);
        }
        number = number.checked_add(1)?;
    }
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
            bytes.resize(start + ID, 0);
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
        assert!(DirCache::decode(&unsummed).is_ok());
        assert_eq!(DirCache::default().encode(), index(2, &[], b""));
    }

    #[test]
    fn an_index_that_is_damaged_or_in_another_form_is_not_read() {
        let good = index(2, &[("a", 0, 7, 0), ("b", 0, 7, 0)], b"TREE\0\0\0\x02ab");
        for end in 0..good.len() {
            assert_eq!(DirCache::decode(&good[..end]), Err(Unread::Damaged), "cut at {end}");
        }
        for at in 0..good.len() {
            let mut other = good.clone();
            other[at] ^= 1;
            assert_eq!(DirCache::decode(&other), Err(Unread::Damaged), "changed at {at}");
        }
        let mut many = index(2, &[], b"");
        many[8..12].fill(0xff);
        many.truncate(12);
        many.extend([0; 20]);
        assert_eq!(DirCache::decode(&many), Err(Unread::Damaged), "a count without entries");
        assert_eq!(DirCache::decode(&index(5, &[], b"")), Err(Unread::Damaged));
        for (extension, unread) in [(b"link", Unread::Split), (b"sdir", Unread::Sparse), (b"next", Unread::Other)] {
            let extensions = [b"TREE\0\0\0\x02ab".as_slice(), extension, b"\0\0\0\0"].concat();
            assert_eq!(DirCache::decode(&index(2, &[], &extensions)), Err(unread));
        }
    }

    #[test]
    fn an_entry_is_set_at_its_path_only() {
        let bytes = index(2, &[("a", 0, 7, 0), ("b", 0, 7, 0), ("c", 0, 7, 0), ("e", 0, 7, 0)], b"");
        let mut index = DirCache::decode(&bytes).unwrap();
        let entry = |mode, text: &str| Some(Entry { mode, oid: Oid::of_blob(text.as_bytes()) });
        for (path, wanted) in [
            ("a", entry(Mode::File, "1")),
            ("b", entry(Mode::Executable, "1")),
            ("c", None),
            ("d/x", entry(Mode::Symlink, "3")),
        ] {
            assert!(index.set(path, wanted));
            assert_eq!(index.staged(path), Some(wanted));
        }
        let paths: Vec<_> = index.entries.keys().map(|(path, _)| String::from_utf8_lossy(path)).collect();
        assert_eq!(paths, ["a", "b", "d/x", "e"]);
        let seconds = |path: &str| index.entries[&(path.as_bytes().to_vec(), 0)].fixed[3];
        assert_eq!((seconds("a"), seconds("b")), (7, 0), "the stat of an unchanged entry is kept");
        assert_eq!(DirCache::decode(&index.encode()), Ok(index.clone()));
        let before = index.clone();
        assert!(!index.set("d", entry(Mode::File, "1")) && !index.set("e/y", entry(Mode::File, "1")));
        assert_eq!(index, before, "entries that are in the way stay");
    }

    #[test]
    fn nothing_is_staged_by_an_intention_and_a_conflict_is_no_entry() {
        let bytes = index(3, &[("a", 0, 7, INTENT_TO_ADD), ("b", 2, 7, 0), ("c", 0, 7, 0)], b"");
        let index = DirCache::decode(&bytes).unwrap();
        let one = Entry { mode: Mode::File, oid: Oid::of_blob(b"1") };
        assert_eq!(["a", "b", "c"].map(|path| index.staged(path)), [Some(None), None, Some(Some(one))]);
    }

    #[test]
    fn an_entry_of_another_mode_or_stage_is_not_at_its_path() {
        let index = DirCache::decode(&index(2, &[("a", 0, 7, 0), ("b", 2, 7, 0)], b"")).unwrap();
        let entry = |mode, text: &str| Entry { mode, oid: Oid::of_blob(text.as_bytes()) };
        assert!(index.is_at("a", Some(&entry(Mode::File, "1"))));
        assert!(!index.is_at("a", Some(&entry(Mode::File, "2"))));
        assert!(!index.is_at("a", Some(&entry(Mode::Executable, "1"))));
        assert!(!index.is_at("a", None));
        assert!(!index.is_at("b", Some(&entry(Mode::File, "1"))) && !index.is_at("b", None));
        assert!(index.is_at("c", None) && !index.is_at("c", Some(&entry(Mode::File, "1"))));
    }
}
