//! Packfiles as [`super::MemoryGit`] reads them: objects that are no deltas, found through the index.

use crate::hex;
use sha1::{Digest, Sha1};

/// Where an object lies in the pack of this index; nothing where it is not in there, or the index is not whole.
pub(super) fn offset_in(index: &[u8], oid: &str) -> Option<usize> {
    let (content, sum) = index.split_at_checked(index.len().checked_sub(20)?)?;
    if *Sha1::digest(content) != *sum || !content.starts_with(b"\xfftOc\0\0\0\x02") {
        return None;
    }
    let count = number_at(content, 8 + 255 * 4)?;
    let names = 8 + 256 * 4;
    let place = (0..count).find(|at| {
        let start = names + at * 20;
        content.get(start..start + 20).is_some_and(|name| hex::of(name) == oid)
    })?;
    number_at(content, names + count * 24 + place * 4)
}

/// The kind and the body of the object at an offset.
pub(super) fn object_at(pack: &[u8], offset: usize) -> Option<(&'static str, Vec<u8>)> {
    let head = pack.get(offset..)?;
    let kind = match (head.first()? >> 4) & 7 {
        2 => "tree",
        3 => "blob",
        _ => return None,
    };
    let start = head.iter().position(|byte| byte & 0x80 == 0)? + 1;
    Some((kind, miniz_oxide::inflate::decompress_to_vec_zlib(head.get(start..)?).ok()?))
}

/// The name of a pack: its own checksum, if that is right.
pub(super) fn name_of(pack: &[u8]) -> Option<String> {
    let (content, sum) = pack.split_at_checked(pack.len().checked_sub(20)?)?;
    (*Sha1::digest(content) == *sum && content.starts_with(b"PACK\0\0\0\x02")).then(|| hex::of(sum))
}

fn number_at(bytes: &[u8], at: usize) -> Option<usize> {
    let number: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
    usize::try_from(u32::from_be_bytes(number)).ok()
}
