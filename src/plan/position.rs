//! Converts byte offsets to lines and columns as editors count them.

use super::tree::without_bom;

/// The line starts and the wide characters of a source.
///
/// LF, CRLF and CR end a line; U+2028 and U+2029 do not, because editors do not break lines there either.
pub(crate) struct Positions<'s> {
    source: &'s [u8],
    lines: Vec<u32>,
    /// By character with fewer UTF-16 code units than bytes: the offset of its end, and the sum of the differences up to
    /// there.
    wide: Vec<(u32, u32)>,
}

impl<'s> Positions<'s> {
    pub(crate) fn new(source: &'s str) -> Self {
        let source = without_bom(source);
        let bytes = source.as_bytes();
        let mut lines = Vec::with_capacity(bytes.len() / 32 + 1);
        lines.push(0);
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            if (bytes.get(at), bytes.get(at + 1)) != (Some(&b'\r'), Some(&b'\n')) {
                lines.push(at as u32 + 1);
            }
        }
        let wide = if source.is_ascii() { Vec::new() } else { wide_characters(bytes) };
        Self { source: bytes, lines, wide }
    }

    /// The line and the column of a byte offset: both 1-based, the column in UTF-16 code units.
    pub(crate) fn at(&self, offset: u32) -> (u32, u32) {
        let mut offset = offset.min(self.source.len() as u32);
        // An offset between CR and LF counts as before the CR.
        if offset > 0 && self.source.get(offset as usize - 1..offset as usize + 1) == Some(b"\r\n") {
            offset -= 1;
        }
        let line = self.lines.partition_point(|start| *start <= offset).max(1);
        let start = self.lines.get(line - 1).copied().unwrap_or(0);
        (line as u32, offset - start - (self.surplus(offset) - self.surplus(start)) + 1)
    }

    fn surplus(&self, offset: u32) -> u32 {
        let before = self.wide.partition_point(|(end, _)| *end <= offset);
        self.wide.get(before.wrapping_sub(1)).map_or(0, |(_, surplus)| *surplus)
    }
}

fn wide_characters(bytes: &[u8]) -> Vec<(u32, u32)> {
    let mut surplus = 0;
    let first_bytes = bytes.iter().enumerate().filter(|(_, byte)| **byte >= 0xC0);
    let wide = first_bytes.map(|(at, first)| {
        // The first byte determines the length: four bytes are two code units, fewer are one.
        let (bytes, units) = match first {
            0xF0.. => (4, 2),
            0xE0.. => (3, 1),
            _ => (2, 1),
        };
        surplus += bytes - units;
        (at as u32 + bytes, surplus)
    });
    wide.collect()
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn offsets_inside_crlf_and_past_the_end_are_clamped() {
        for (source, offset, place) in [("ab\r\nc", 3, (1, 3)), ("ab", 99, (1, 3)), ("", 0, (1, 1))] {
            assert_eq!(Positions::new(source).at(offset), place, "{source:?} {offset}");
        }
    }

    proptest! {
        #[test]
        fn positions_agree_with_a_naive_count(source in "[aé🙂\\n\\r\u{2028}]{0,400}") {
            let positions = Positions::new(&source);
            for (offset, _) in source.char_indices() {
                let before = source[..offset].replace("\r\n", "\n ").replace('\r', "\n");
                let split = source.as_bytes()[..offset].ends_with(b"\r") && source.as_bytes()[offset] == b'\n';
                let line = before.matches('\n').count() + 1 - usize::from(split);
                prop_assert_eq!(positions.at(offset as u32).0 as usize, line);
            }
            let last = positions.at(source.len() as u32);
            let tail = source.rsplit(['\n', '\r']).next().unwrap();
            prop_assert_eq!(last.1 as usize, tail.encode_utf16().count() + 1);
        }
    }
}
