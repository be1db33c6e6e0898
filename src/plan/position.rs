//! Byte offsets to lines and columns, as editors count them.

/// One stored count for this many bytes of source that is not ASCII.
const STRIDE: usize = 128;

/// Where the lines of a source begin.
///
/// LF, CRLF and CR end a line; U+2028 and U+2029 do not, because editors do not break lines there either.
pub struct Positions<'s> {
    source: &'s [u8],
    lines: Vec<u32>,
    /// UTF-16 code units before each multiple of [`STRIDE`]; empty where the source is ASCII.
    units: Vec<u32>,
}

impl<'s> Positions<'s> {
    /// Reads the source once.
    pub fn new(source: &'s str) -> Self {
        let units = if source.is_ascii() { Vec::new() } else { count_units(source.as_bytes()) };
        Self { source: source.as_bytes(), lines: line_starts(source.as_bytes()), units }
    }

    /// The line and the column of a byte offset: both 1-based, the column in UTF-16 code units.
    pub fn at(&self, offset: u32) -> (u32, u32) {
        let line = self.lines.partition_point(|start| *start <= offset).max(1);
        let start = self.lines.get(line - 1).copied().unwrap_or(0);
        (line as u32, self.units_before(offset) - self.units_before(start) + 1)
    }

    fn units_before(&self, offset: u32) -> u32 {
        let end = (offset as usize).min(self.source.len());
        match self.units.get(end / STRIDE) {
            None => end as u32,
            Some(before) => before + units(self.source.get(end / STRIDE * STRIDE..end).unwrap_or_default()),
        }
    }
}

fn line_starts(source: &[u8]) -> Vec<u32> {
    let mut lines = Vec::with_capacity(source.len() / 32 + 1);
    lines.push(0);
    let mut bytes = source.iter().enumerate().peekable();
    while let Some((at, byte)) = bytes.next() {
        let crlf = *byte == b'\r' && bytes.peek().is_some_and(|(_, next)| **next == b'\n');
        if matches!(byte, b'\n' | b'\r') && !crlf {
            lines.push(at as u32 + 1);
        }
    }
    lines
}

fn count_units(source: &[u8]) -> Vec<u32> {
    let mut before = 0;
    let mut counts = Vec::with_capacity(source.len() / STRIDE + 1);
    for chunk in source.chunks(STRIDE) {
        counts.push(before);
        before += units(chunk);
    }
    if source.len().is_multiple_of(STRIDE) {
        counts.push(before);
    }
    counts
}

/// UTF-16 code units of a piece of UTF-8: one for each character's first byte, two where it has four bytes.
fn units(bytes: &[u8]) -> u32 {
    bytes.iter().map(|byte| u32::from(byte & 0xC0 != 0x80) + u32::from(*byte >= 0xF0)).sum()
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_line_ending_ends_one_line() {
        let positions = Positions::new("a\nb\r\nc\rd\u{2028}e\n\nf");
        let found: Vec<_> = "abcdef"
            .chars()
            .map(|letter| positions.at("a\nb\r\nc\rd\u{2028}e\n\nf".find(letter).unwrap() as u32))
            .collect();
        assert_eq!(found, [(1, 1), (2, 1), (3, 1), (4, 1), (4, 3), (6, 1)]);
    }

    #[test]
    fn columns_count_utf_16_code_units() {
        let source = "äß🙂x";
        assert_eq!(Positions::new(source).at(source.find('x').unwrap() as u32), (1, 5));
    }

    #[test]
    fn an_offset_past_the_end_is_the_end() {
        assert_eq!(Positions::new("ab").at(99), (1, 3));
        assert_eq!(Positions::new("").at(0), (1, 1));
    }

    proptest! {
        #[test]
        fn agrees_with_counting_from_the_start(source in "[aé🙂\\n\\r\u{2028}]{0,400}") {
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
