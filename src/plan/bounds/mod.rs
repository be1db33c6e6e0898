//! What a parser may be asked to read.
//!
//! oxc recurses, and the stack of a wasm module is 1 MB: a source of nothing but `(` would end in a trap instead of a
//! report. So one pass over the bytes, before the parser, bounds how deep the parser can get and how often it can read
//! the same place again.

mod code;
mod cursor;
mod jsx;
mod nesting;

/// Bytes of UTF-8.
pub(super) const MAX_BYTES: usize = 1 << 20;
/// Levels of elements, the root being the first; and, counted apart, levels of everything else that nests.
pub(super) const MAX_LEVELS: u32 = 256;
/// Elements of a source.
pub(super) const MAX_ELEMENTS: u32 = 20_000;
/// Tokens that a parser reads in the worst case, again and again where it guesses. An ordinary source of 1 MiB has
/// some 300,000, and a parser reads some two to five million in a second.
const MAX_READS: u32 = 2 << 20;

/// Which bound a source passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Excess {
    /// [`MAX_BYTES`].
    Bytes,
    /// [`MAX_LEVELS`].
    Levels,
    /// [`MAX_ELEMENTS`].
    Elements,
    /// The parser would read the same text too often, or the text cannot be told apart without parsing it.
    Reads,
}

/// Whether a parser can read the source within the bounds. Linear, and does not recurse.
///
/// # Errors
/// The first bound that the source passes.
pub(super) fn check(source: &str) -> Result<(), Excess> {
    check_as(source, true)
}

/// The same for a language without elements: in a file named `.ts` an angle bracket opens none.
///
/// # Errors
/// The first bound that the source passes.
pub(super) fn check_plain(source: &str) -> Result<(), Excess> {
    check_as(source, false)
}

/// What stands before the place where a source is refused for how it seems to nest, where a parser can read that. An angle
/// bracket opens an element where there are `elements`.
pub(super) fn before_excess(source: &str, elements: bool) -> Option<&str> {
    if source.len() > MAX_BYTES {
        return None;
    }
    let mut scanner = code::Scanner::new(source, elements);
    let mut readable = scanner.before();
    while !scanner.at_end() {
        match scanner.step() {
            Ok(()) => readable = scanner.before(),
            Err(Excess::Levels | Excess::Reads) => {
                return readable.filter(|readable| check_as(readable, elements).is_ok());
            }
            Err(Excess::Bytes | Excess::Elements) => break,
        }
    }
    None
}

fn check_as(source: &str, elements: bool) -> Result<(), Excess> {
    if source.len() > MAX_BYTES { Err(Excess::Bytes) } else { code::Scanner::new(source, elements).run() }
}

#[cfg(test)]
mod tests;
