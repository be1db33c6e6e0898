//! Finds the part of a file that looks like a text on a screen.

use crate::path::{caseless, fold};
use std::ops::Range;

/// A larger file is not searched.
const FILE_MAX: usize = 2_000_000;

/// The key of a shorter text is in many words.
const KEY_MIN: usize = 4;

/// Where the file has a text that is the same but for what cannot be seen, in bytes. Of several places, the one whose length is
/// nearest.
pub(super) fn place(content: &str, old: &str) -> Option<Range<usize>> {
    let wanted = key(old);
    if wanted.len() < KEY_MIN || content.len() > FILE_MAX {
        return None;
    }
    // For each byte of the key of the file, where its character is.
    let (mut keys, mut origins) = (String::with_capacity(content.len()), Vec::with_capacity(content.len()));
    for (at, c) in content.char_indices() {
        let before = keys.len();
        if c.is_ascii() {
            keys.extend((!c.is_whitespace()).then(|| c.to_ascii_lowercase()));
        } else {
            keys.push_str(&key(c.encode_utf8(&mut [0; 4])));
        }
        origins.extend((before..keys.len()).map(|_| at));
    }
    let places = keys.match_indices(&wanted).filter_map(|(at, _)| {
        let (first, last): (usize, usize) = (*origins.get(at)?, *origins.get(at + wanted.len() - 1)?);
        Some(with_white_space(content, first..content.ceil_char_boundary(last + 1), old))
    });
    places.min_by_key(|place| place.len().abs_diff(old.len()))
}

/// The place with the white space around it, as far as the text has some there and in no more lines.
fn with_white_space(content: &str, place: Range<usize>, old: &str) -> Range<usize> {
    let (before, after) =
        (content.get(..place.start).unwrap_or_default(), content.get(place.end..).unwrap_or_default());
    let kept = |text: &mut dyn Iterator<Item = char>, own: &mut dyn Iterator<Item = char>| {
        let own: Vec<char> = own.take_while(|c| c.is_whitespace()).collect();
        let mut breaks = own.iter().filter(|c| **c == '\n').count();
        let is_kept = |c: &char| {
            c.is_whitespace() && (*c != '\n' || breaks.checked_sub(1).inspect(|left| breaks = *left).is_some())
        };
        if own.is_empty() { 0 } else { text.take_while(is_kept).map(char::len_utf8).sum::<usize>() }
    };
    let start = place.start - kept(&mut before.chars().rev(), &mut old.chars());
    start..place.end + kept(&mut after.chars(), &mut old.chars().rev())
}

/// A text without what cannot be seen: white space, marks without a width, case, normal forms, characters that look like ASCII
/// ones.
pub(super) fn key(text: &str) -> String {
    let is_unseen = |c: char| {
        c.is_whitespace()
            || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
    };
    caseless(&fold(text)).chars().filter(|c| !is_unseen(*c)).collect()
}
