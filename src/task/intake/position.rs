//! Places in a message as JavaScript counts them: in UTF-16 code units.

use std::ops::Range;

/// Bytes to code units. What rises is walked once.
pub(super) struct Positions<'m> {
    message: &'m str,
    byte: usize,
    units: u32,
}

impl<'m> Positions<'m> {
    /// At the beginning of a message.
    pub(super) fn new(message: &'m str) -> Self {
        Self { message, byte: 0, units: 0 }
    }

    /// Start and end of a range of bytes.
    pub(super) fn span(&mut self, bytes: &Range<usize>) -> [u32; 2] {
        self.go_to(bytes.start);
        let within = self.message.get(bytes.clone()).unwrap_or_default();
        [self.units, self.units.saturating_add(units(within))]
    }

    fn go_to(&mut self, byte: usize) {
        if byte < self.byte {
            (self.byte, self.units) = (0, 0);
        }
        let passed = self.message.get(self.byte..byte).unwrap_or_default();
        self.units = self.units.saturating_add(units(passed));
        self.byte = byte;
    }
}

fn units(text: &str) -> u32 {
    u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::Positions;

    #[test]
    fn spans_count_code_units() {
        let mut positions = Positions::new("é🙂ab");
        assert_eq!(positions.span(&(2..6)), [1, 3]);
        assert_eq!(positions.span(&(6..8)), [3, 5]);
        assert_eq!(positions.span(&(0..2)), [0, 1]);
    }
}
