//! The merge of a file that the user had changed before the agent changed it.

use imara_diff::{Algorithm, Diff, Hunk, InternedInput};
use std::iter::Peekable;
use std::vec::IntoIter;

/// Larger files are not merged, in bytes.
const SIZE_MAX: usize = 1024 * 1024;

/// Applies the change from `base` to `theirs` to `ours`, line by line. `None` if a change of `ours` and one of `theirs`
/// overlap or touch and are not the same, or if a file is binary or large.
pub(super) fn merge(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    if [base, ours, theirs].iter().any(|bytes| bytes.len() > SIZE_MAX || bytes.contains(&0)) {
        return None;
    }
    let base_lines = lines(base);
    let mut sides = [Side::new(base, ours), Side::new(base, theirs)];
    let (mut merged, mut done) = (Vec::new(), 0);
    while let Some(start) = sides.iter_mut().filter_map(|side| side.next_start()).min() {
        // All hunks that overlap or touch are one change.
        let mut end = start;
        while sides.iter_mut().any(|side| side.take(&mut end)) {}
        merged.extend_from_slice(base_lines.get(done..start)?);
        let [ours, theirs] = [0, 1].map(|at| sides.get_mut(at)?.replacement(start, end));
        merged.extend(match (ours, theirs) {
            (Some(ours), Some(theirs)) if ours != theirs => return None,
            (Some(changed), _) | (None, Some(changed)) => changed,
            (None, None) => return None,
        });
        done = end;
    }
    merged.extend_from_slice(base_lines.get(done..)?);
    Some(merged.concat())
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

/// One of the two changed files.
struct Side<'a> {
    lines: Vec<&'a [u8]>,
    hunks: Peekable<IntoIter<Hunk>>,
    /// The lines of the base, and of this file, up to the last hunk of the change before this one.
    before: (usize, usize),
    /// The same up to the last hunk that was taken.
    taken: (usize, usize),
}

impl<'a> Side<'a> {
    fn new(base: &[u8], changed: &'a [u8]) -> Self {
        let input = InternedInput::new(base, changed);
        let hunks: Vec<Hunk> = Diff::compute(Algorithm::Histogram, &input).hunks().collect();
        Self { lines: lines(changed), hunks: hunks.into_iter().peekable(), before: (0, 0), taken: (0, 0) }
    }

    /// Where its next hunk begins in the base.
    fn next_start(&mut self) -> Option<usize> {
        self.hunks.peek().map(|hunk| hunk.before.start as usize)
    }

    /// Adds the next hunk to the change that ends at `end`, if it overlaps or touches it.
    fn take(&mut self, end: &mut usize) -> bool {
        let Some(hunk) = self.hunks.next_if(|hunk| hunk.before.start as usize <= *end) else { return false };
        self.taken = (hunk.before.end as usize, hunk.after.end as usize);
        *end = (*end).max(self.taken.0);
        true
    }

    /// What it has in place of these lines of the base; `None` if the change has none of its hunks.
    fn replacement(&mut self, start: usize, end: usize) -> Option<Vec<&'a [u8]>> {
        let (before, taken) = (std::mem::replace(&mut self.before, self.taken), self.taken);
        if before == taken {
            return None;
        }
        let from = before.1 + (start - before.0);
        let to = taken.1 + (end - taken.0);
        self.lines.get(from..to).map(<[_]>::to_vec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(base: &str, ours: &str, theirs: &str) -> Option<String> {
        let lines = |text: &str| text.chars().map(|line| format!("{line}\n")).collect::<String>();
        let merged = merge(lines(base).as_bytes(), lines(ours).as_bytes(), lines(theirs).as_bytes())?;
        Some(String::from_utf8(merged).unwrap().replace('\n', ""))
    }

    #[test]
    fn changes_of_different_lines_merge_and_others_do_not() {
        let table = [
            ("abcde", "abcde", "abcde", Some("abcde")),
            ("abcde", "Abcde", "abcdE", Some("AbcdE")),
            ("abcde", "abcdE", "Abcde", Some("AbcdE")),
            ("abcde", "bcde", "abcdexy", Some("bcdexy")),
            ("abcde", "abXYcde", "abcd", Some("abXYcd")),
            ("abcde", "XYabcde", "abcZe", Some("XYabcZe")),
            ("abcdefghi", "aBcdeFghi", "abcDefgHi", Some("aBcDeFgHi")),
            ("abcdefghi", "XbcdefghY", "abcdZefghi", Some("XbcdZefghY")),
            // The same change on both sides.
            ("abcde", "abXde", "abXde", Some("abXde")),
            ("abcde", "abXde", "abXdE", Some("abXdE")),
            ("", "a", "a", Some("a")),
            // The same line, adjacent lines, two insertions at one place, a deleted line that was changed.
            ("abcde", "abXde", "abYde", None),
            ("abcde", "abXde", "abcYe", None),
            ("abcde", "abXcde", "abYcde", None),
            ("abcde", "abde", "abYde", None),
            ("", "a", "b", None),
            ("abc", "", "abC", None),
        ];
        for (base, ours, theirs, expected) in table {
            assert_eq!(merged(base, ours, theirs).as_deref(), expected, "{base} {ours} {theirs}");
        }
    }

    #[test]
    fn a_missing_line_end_and_other_line_ends_are_kept() {
        assert_eq!(merge(b"a\r\nb\nc", b"A\r\nb\nc", b"a\r\nb\nC").as_deref(), Some(&b"A\r\nb\nC"[..]));
        assert_eq!(merge(b"a\nb\nc\n", b"A\nb\nc\n", b"a\nb\nc").as_deref(), Some(&b"A\nb\nc"[..]));
    }

    #[test]
    fn binary_and_large_files_are_not_merged() {
        assert_eq!(merge(b"a\0", b"a\0b", b"a\0"), None);
        let large = vec![b'x'; SIZE_MAX + 1];
        assert_eq!(merge(&large, &large, &large), None);
    }

    #[cfg(not(target_family = "wasm"))]
    mod properties {
        use super::*;
        use proptest::prelude::*;

        proptest! {
            #[test]
            fn a_merge_with_an_unchanged_side_is_the_other_side(base in "[abc\n]{0,40}", changed in "[abc\n]{0,40}") {
                let (base, changed) = (base.as_bytes(), changed.as_bytes());
                prop_assert_eq!(merge(base, base, changed), Some(changed.to_vec()));
                prop_assert_eq!(merge(base, changed, base), Some(changed.to_vec()));
                prop_assert_eq!(merge(base, changed, changed), Some(changed.to_vec()));
            }

            #[test]
            fn a_merge_does_not_depend_on_the_order_of_the_sides(
                base in "([abcdef]\n){0,12}",
                ours in "([abcdef]\n){0,12}",
                theirs in "([abcdef]\n){0,12}",
            ) {
                let (base, ours, theirs) = (base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
                prop_assert_eq!(merge(base, ours, theirs), merge(base, theirs, ours));
            }
        }
    }
}
