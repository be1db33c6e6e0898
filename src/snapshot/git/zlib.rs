//! Streams of zlib (RFC 1950) whose blocks are stored as they are.
//!
//! Nothing is compressed: the code for it would be in the binary for this alone, and git compresses when it packs anew.

/// Appends a stream of these bytes.
pub(in crate::snapshot) fn push_stored(stream: &mut Vec<u8>, bytes: &[u8]) {
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
    stream.extend_from_slice(&adler_of(bytes).to_be_bytes());
}

/// Leaves of a stream what it holds; nothing where it is none, or compressed. The checksum at its end is not looked at.
pub(in crate::snapshot) fn take_stored(stream: &mut Vec<u8>) -> Option<()> {
    let mut rest = stream.strip_prefix(&[0x78, 0x01])?;
    let mut held = Vec::with_capacity(rest.len());
    loop {
        let (head, after) = rest.split_first_chunk::<5>()?;
        let [last @ (0 | 1), low, high, ..] = *head else { return None };
        let (block, after) = after.split_at_checked(usize::from(u16::from_le_bytes([low, high])))?;
        held.extend_from_slice(block);
        rest = after;
        if last == 1 {
            *stream = held;
            return Some(());
        }
    }
}

/// Adler-32 (RFC 1950).
fn adler_of(bytes: &[u8]) -> u32 {
    let (mut a, mut b) = (1_u32, 0_u32);
    // The sums of so many bytes cannot overflow.
    for chunk in bytes.chunks(5_552) {
        for byte in chunk {
            a += u32::from(*byte);
            b += a;
        }
        (a, b) = (a % 65_521, b % 65_521);
    }
    (b << 16) | a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_books() {
        assert_eq!(adler_of(b"Wikipedia"), 0x11e6_0398);
        assert_eq!(adler_of(&[0xff; 100_000]), adler32_slow(&[0xff; 100_000]));
    }

    fn adler32_slow(bytes: &[u8]) -> u32 {
        let (a, b) = bytes.iter().fold((1_u64, 0_u64), |(a, b), byte| {
            let a = (a + u64::from(*byte)) % 65_521;
            (a, (b + a) % 65_521)
        });
        u32::try_from((b << 16) | a).unwrap()
    }

    #[test]
    fn whoever_inflates_it_has_the_bytes_again() {
        for size in [0, 1, 65_535, 65_536, 200_000] {
            let bytes: Vec<u8> = (0..=255).cycle().take(size).collect();
            let mut stream = Vec::new();
            push_stored(&mut stream, &bytes);
            assert_eq!(miniz_oxide::inflate::decompress_to_vec_zlib(&stream).unwrap(), bytes);
        }
    }
}
