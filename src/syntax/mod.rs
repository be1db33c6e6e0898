//! Reading sources as text, just well enough to judge them. Total: any text is read, also a broken one, in
//! time linear in its length and without recursion, so no file can hang a gate or overflow the stack.
//!
//! Not the parser of the plan language: a file that does not parse is judged here all the same, and what a
//! gate asks ("which strings does it hold, and where?") needs no tree.

pub(crate) mod calls;
pub(crate) mod color;
pub(crate) mod css;
pub(crate) mod tsx;

/// The 1-based line of a byte of a text.
pub(crate) fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1
}

/// A text with some of its bytes replaced by spaces, so that every offset and line stays as it is.
struct Blanked(Vec<u8>);

impl Blanked {
    fn new(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }

    /// Blanks what lies between two character boundaries, less its line ends.
    fn blank(&mut self, from: usize, to: usize) {
        let bytes = self.0.get_mut(from..to).into_iter().flatten();
        bytes.filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }

    fn text(self) -> String {
        match String::from_utf8(self.0) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        }
    }
}
