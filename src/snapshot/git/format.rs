//! Git's file formats: a loose object, and a packfile with its index (`gitformat-pack`, version 2).
//!
//! Object bodies are zlib streams of stored blocks. Compressing them would take longer than everything else that the
//! core does for a snapshot; git compresses when it repacks.

use super::oid::Oid;
use sha1::{Digest, Sha1};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ObjectKind {
    Commit,
    Tree,
    Blob,
}

impl ObjectKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Commit => "commit",
            Self::Tree => "tree",
            Self::Blob => "blob",
        }
    }

    pub(crate) fn parse(name: &str) -> Option<Self> {
        [Self::Commit, Self::Tree, Self::Blob].into_iter().find(|kind| kind.name() == name)
    }
}

/// An object in memory; `body` lacks git's header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Object {
    pub kind: ObjectKind,
    pub oid: Oid,
    pub body: Vec<u8>,
}

impl Object {
    pub(crate) fn new(kind: ObjectKind, body: Vec<u8>) -> Self {
        Self { kind, oid: Oid::of_object(kind.name(), &body), body }
    }

    /// The bytes of the object's own file in `.git/objects`.
    pub(crate) fn to_loose(&self) -> Vec<u8> {
        let mut object = format!("{} {}\0", self.kind.name(), self.body.len()).into_bytes();
        object.extend_from_slice(&self.body);
        let mut file = Vec::new();
        push_stored(&mut file, &object);
        file
    }
}

/// The body of a loose object; `None` if the file is compressed, damaged, or holds another object.
pub(crate) fn body_of_loose(file: &[u8], kind: ObjectKind, oid: Oid) -> Option<Vec<u8>> {
    let mut object = read_stored(file)?;
    let start = object.iter().position(|byte| *byte == 0)? + 1;
    object.drain(..start);
    (Oid::of_object(kind.name(), &object) == oid).then_some(object)
}

/// A pack of these objects, and its index. No object may occur twice. Offsets have 31 bits, so a pack holds at most
/// 2 GB.
pub(crate) fn encode_pack(objects: &[Object]) -> (Vec<u8>, Vec<u8>) {
    let crcs = crc_table();
    let mut pack = b"PACK\0\0\0\x02".to_vec();
    pack.extend_from_slice(&be_u32(objects.len()));
    let mut places = Vec::with_capacity(objects.len());
    for object in objects {
        let start = pack.len();
        push_packed(&mut pack, object);
        let crc = crc_of(&crcs, pack.get(start..).unwrap_or_default());
        places.push((object.oid, crc, be_u32(start)));
    }
    let sum = Sha1::digest(&pack);
    pack.extend_from_slice(&sum);
    places.sort_by_key(|(oid, ..)| *oid);
    let index = encode_index(&places, &sum);
    (pack, index)
}

fn encode_index(places: &[(Oid, u32, [u8; 4])], pack_sum: &[u8]) -> Vec<u8> {
    let mut index = b"\xfftOc\0\0\0\x02".to_vec();
    for first in 0..=u8::MAX {
        let up_to = places.partition_point(|(oid, ..)| oid.as_bytes().first().is_some_and(|byte| *byte <= first));
        index.extend_from_slice(&be_u32(up_to));
    }
    places.iter().for_each(|(oid, ..)| index.extend_from_slice(oid.as_bytes()));
    places.iter().for_each(|(_, crc, _)| index.extend_from_slice(&crc.to_be_bytes()));
    places.iter().for_each(|(.., offset)| index.extend_from_slice(offset));
    index.extend_from_slice(pack_sum);
    let sum = Sha1::digest(&index);
    index.extend_from_slice(&sum);
    index
}

/// The kind and the size in groups of 4 and then 7 bits, then the body as a zlib stream.
fn push_packed(pack: &mut Vec<u8>, object: &Object) {
    let kind: u8 = match object.kind {
        ObjectKind::Commit => 1,
        ObjectKind::Tree => 2,
        ObjectKind::Blob => 3,
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
    push_stored(pack, &object.body);
}

fn be_u32(count: usize) -> [u8; 4] {
    u32::try_from(count).unwrap_or(u32::MAX).to_be_bytes()
}

fn low_bits(size: usize, bits: u32) -> u8 {
    u8::try_from(size & ((1 << bits) - 1)).unwrap_or_default()
}

/// A zlib stream of stored blocks.
pub(crate) fn stored_zlib(bytes: &[u8]) -> Vec<u8> {
    let mut stream = Vec::new();
    push_stored(&mut stream, bytes);
    stream
}

/// Appends a zlib stream (RFC 1950) of stored blocks.
fn push_stored(stream: &mut Vec<u8>, bytes: &[u8]) {
    stream.extend_from_slice(&[0x78, 0x01]);
    let mut rest = bytes;
    loop {
        let (block, after) = rest.split_at(rest.len().min(usize::from(u16::MAX)));
        let size = u16::try_from(block.len()).unwrap_or(u16::MAX);
        stream.push(u8::from(after.is_empty()));
        stream.extend_from_slice(&size.to_le_bytes());
        stream.extend_from_slice(&(!size).to_le_bytes());
        stream.extend_from_slice(block);
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    stream.extend_from_slice(&adler2::adler32_slice(bytes).to_be_bytes());
}

/// The content of a zlib stream; `None` if it is compressed or truncated. Does not verify the checksum at its end: the
/// caller compares the object's id.
fn read_stored(stream: &[u8]) -> Option<Vec<u8>> {
    let mut rest = stream.strip_prefix(&[0x78, 0x01])?;
    let mut content = Vec::with_capacity(rest.len());
    loop {
        let (head, after) = rest.split_first_chunk::<5>()?;
        let [last @ (0 | 1), low, high, ..] = *head else { return None };
        let (block, after) = after.split_at_checked(usize::from(u16::from_le_bytes([low, high])))?;
        content.extend_from_slice(block);
        rest = after;
        if last == 1 {
            return Some(content);
        }
    }
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

    fn blob(bytes: &[u8]) -> Object {
        Object::new(ObjectKind::Blob, bytes.to_vec())
    }

    #[test]
    fn the_checksum_of_a_packed_object_is_that_of_the_standard() {
        assert_eq!(crc_of(&crc_table(), b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn a_stored_stream_inflates_to_the_same_bytes() {
        for size in [0, 1, 65_535, 65_536, 200_000] {
            let bytes: Vec<u8> = (0..=255).cycle().take(size).collect();
            let mut stream = Vec::new();
            push_stored(&mut stream, &bytes);
            assert_eq!(miniz_oxide::inflate::decompress_to_vec_zlib(&stream).unwrap(), bytes);
        }
    }

    #[test]
    fn a_loose_object_reads_back_only_as_itself() {
        for size in [0, 1, 70_000] {
            let object = blob(&vec![b'x'; size]);
            let file = object.to_loose();
            assert_eq!(body_of_loose(&file, ObjectKind::Tree, object.oid), None);
            assert_eq!(body_of_loose(&file, ObjectKind::Blob, Oid::of_blob(b"other")), None);
            assert_eq!(body_of_loose(&file, ObjectKind::Blob, object.oid), Some(object.body));
            let compressed = miniz_oxide::deflate::compress_to_vec_zlib(b"blob 1\0x", 6);
            assert_eq!(body_of_loose(&compressed, ObjectKind::Blob, Oid::of_blob(b"x")), None);
        }
    }

    #[test]
    fn a_damaged_loose_object_never_reads_as_other_bytes() {
        let object = blob(b"one\ntwo\n");
        let file = object.to_loose();
        for end in 0..file.len() - 4 {
            assert_eq!(body_of_loose(&file[..end], ObjectKind::Blob, object.oid), None, "cut off at {end}");
        }
        for at in 0..file.len() {
            let mut damaged = file.clone();
            damaged[at] ^= 1;
            let body = body_of_loose(&damaged, ObjectKind::Blob, object.oid);
            assert!(body.is_none_or(|body| body == object.body), "byte {at}");
        }
    }

    #[test]
    fn a_packed_size_is_written_in_groups_of_bits() {
        let head = |size: usize| {
            let mut pack = Vec::new();
            push_packed(&mut pack, &blob(&vec![b'x'; size]));
            pack.iter().take_while(|byte| **byte != 0x78).copied().collect::<Vec<u8>>()
        };
        assert_eq!(head(0), [0x30]);
        assert_eq!(head(15), [0x3f]);
        assert_eq!(head(16), [0xb0, 0x01]);
        assert_eq!(head(70_000), [0xb0, 0x97, 0x22]);
    }
}
