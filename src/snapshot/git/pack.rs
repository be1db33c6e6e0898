//! Many objects as one packfile and its index (`gitformat-pack`, version 2).
//!
//! The index is made here, where every offset is known; a reader of the pack alone would have to unpack it.

use super::oid::Oid;
use super::zlib;
use sha1::{Digest, Sha1};

/// What an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::snapshot) enum PackedKind {
    /// The bytes of a file or a link.
    Blob,
    /// A folder.
    Tree,
}

impl PackedKind {
    /// Git's word.
    pub(in crate::snapshot) fn name(self) -> &'static str {
        match self {
            Self::Blob => "blob",
            Self::Tree => "tree",
        }
    }
}

/// An object to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::snapshot) struct Packed {
    /// What it is.
    pub kind: PackedKind,
    /// Its id.
    pub oid: Oid,
    /// Its bytes, as git keeps them.
    pub body: Vec<u8>,
}

/// The pack of these objects, each once, and its index. Offsets have 31 bits: no more than 2 GB go into one.
pub(in crate::snapshot) fn encode(objects: &[Packed]) -> (Vec<u8>, Vec<u8>) {
    let crcs = crc_table();
    let mut pack = b"PACK\0\0\0\x02".to_vec();
    pack.extend_from_slice(&length(objects.len()));
    let mut places = Vec::with_capacity(objects.len());
    for object in objects {
        let start = pack.len();
        push_object(&mut pack, object);
        let crc = crc_of(&crcs, pack.get(start..).unwrap_or_default());
        places.push((object.oid, crc, length(start)));
    }
    let sum = Sha1::digest(&pack);
    pack.extend_from_slice(&sum);
    places.sort_by_key(|(a, ..)| *a);
    let index = encode_index(&places, &sum);
    (pack, index)
}

fn encode_index(places: &[(Oid, u32, [u8; 4])], pack_sum: &[u8]) -> Vec<u8> {
    let mut index = b"\xfftOc\0\0\0\x02".to_vec();
    for first in 0..=u8::MAX {
        let up_to = places.partition_point(|(oid, ..)| oid.as_bytes().first().is_some_and(|byte| *byte <= first));
        index.extend_from_slice(&length(up_to));
    }
    places.iter().for_each(|(oid, ..)| index.extend_from_slice(oid.as_bytes()));
    places.iter().for_each(|(_, crc, _)| index.extend_from_slice(&crc.to_be_bytes()));
    places.iter().for_each(|(.., offset)| index.extend_from_slice(offset));
    index.extend_from_slice(pack_sum);
    let sum = Sha1::digest(&index);
    index.extend_from_slice(&sum);
    index
}

/// The kind and the size in groups of 4 and then 7 bits, then the body as a stream of zlib.
fn push_object(pack: &mut Vec<u8>, object: &Packed) {
    let kind: u8 = match object.kind {
        PackedKind::Tree => 2,
        PackedKind::Blob => 3,
    };
    let mut size = object.body.len();
    let mut byte = (kind << 4) | low_bits(size, 4);
    size >>= 4;
    while size > 0 {
        pack.push(byte | 0x80);
        byte = low_bits(size, 7);
        size >>= 7;
    }
    pack.push(byte);
    zlib::push_stored(pack, &object.body);
}

fn length(count: usize) -> [u8; 4] {
    u32::try_from(count).unwrap_or(u32::MAX).to_be_bytes()
}

fn low_bits(size: usize, bits: u32) -> u8 {
    u8::try_from(size & ((1 << bits) - 1)).unwrap_or_default()
}

/// CRC-32 (RFC 1952).
fn crc_of(table: &[u32], bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        let place = (crc ^ u32::from(*byte)) & 0xff;
        table.get(place as usize).copied().unwrap_or_default() ^ (crc >> 8)
    })
}

fn crc_table() -> Vec<u32> {
    let step = |crc: u32| if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 };
    (0..256).map(|byte| (0..8).fold(byte, |crc, _| step(crc))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_books() {
        assert_eq!(crc_of(&crc_table(), b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn a_size_is_written_in_groups_of_bits() {
        let head = |size: usize| {
            let body = vec![b'x'; size];
            let object = Packed { kind: PackedKind::Blob, oid: Oid::of_blob(&body), body };
            let mut pack = Vec::new();
            push_object(&mut pack, &object);
            pack.iter().take_while(|byte| **byte != 0x78).copied().collect::<Vec<u8>>()
        };
        assert_eq!(head(0), [0x30]);
        assert_eq!(head(15), [0x3f]);
        assert_eq!(head(16), [0xb0, 0x01]);
        assert_eq!(head(70_000), [0xb0, 0x97, 0x22]);
    }
}
