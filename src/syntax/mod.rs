//! Style sheets, colours, and the parts and templates of markup files as text. Total: any text is read, also a broken one, in linear time and without recursion.

pub(crate) mod amount;
pub(crate) mod color;
pub(crate) mod css;
pub(crate) mod markup;
pub(crate) mod place;
pub(crate) mod template;

/// A text with some of its bytes replaced by spaces, so that every offset and line stays as it is.
pub(crate) struct Blanked(Vec<u8>);

impl Blanked {
    pub(crate) fn new(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }

    /// Blanks what lies between two character boundaries, less its line ends.
    pub(crate) fn blank(&mut self, from: usize, to: usize) {
        let bytes = self.0.get_mut(from..to).into_iter().flatten();
        bytes.filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }

    /// A text without these ranges.
    pub(crate) fn without<'r>(text: &str, ranges: impl Iterator<Item = &'r (u32, u32)>) -> String {
        let mut blanked = Self::new(text);
        ranges.for_each(|(from, to)| blanked.blank(*from as usize, *to as usize));
        blanked.text()
    }

    pub(crate) fn text(self) -> String {
        match String::from_utf8(self.0) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        }
    }
}
