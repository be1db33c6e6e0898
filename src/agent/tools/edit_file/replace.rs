//! Finds the text and replaces it. The file keeps its line ends.

use super::miss;
use crate::agent::tools::{Failure, fail};
use std::borrow::Cow;

/// How many occurrences an error names.
const SHOWN_MAX: usize = 10;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Edited {
    pub text: String,
    /// Where the replaced text begins, from 1.
    pub line: usize,
    /// What the agent should know about the edit.
    pub notes: Vec<String>,
}

/// The text is looked for with any line ends, then without white space at the ends of lines. If only line ends differ between
/// two places, the one that is like the text counts.
pub(super) fn replace_once(path: &str, content: &str, old: &str, new: &str) -> Result<Edited, Failure> {
    if old.is_empty() {
        return fail("`old_text` is empty; use write_file to create or replace a file");
    }
    if old == new {
        return fail("`old_text` and `new_text` are the same; nothing would change");
    }
    for is_loose in [false, true] {
        let places = Form::new(content, is_loose).places(&Form::new(old, is_loose));
        match places.as_slice() {
            [] => {}
            [place] => return replace(content, *place, old, new, is_loose),
            places => {
                let exact = occurrences(content, old);
                return match exact.as_slice() {
                    [place] => replace(content, *place, old, new, false),
                    _ => fail(ambiguous(path, content, places)),
                };
            }
        }
    }
    fail(miss::message(path, content, old))
}

fn replace(
    content: &str,
    (start, end): (usize, usize),
    old: &str,
    new: &str,
    is_loose: bool,
) -> Result<Edited, Failure> {
    let parts = (content.get(..start), content.get(start..end), content.get(end..));
    let (Some(before), Some(replaced), Some(after)) = parts else {
        return fail("`old_text` begins or ends within a character; nothing was changed");
    };
    let (windows, all) = (count(content, "\r\n"), count(content, "\n"));
    let new = match () {
        // What the file has not decided is as the agent sends it.
        () if all == 0 => Cow::Borrowed(new),
        () => with_ends(new, ends_at(replaced, before, after)),
    };
    let text = [before, &new, after].concat();
    if text == content {
        return fail(
            "`new_text` differs from the file only in its line ends, which an edit keeps; nothing would change",
        );
    }
    let mut notes = Vec::new();
    if is_loose {
        let what = if replaced.len() > old.len() { "The file has" } else { "`old_text` has other" };
        notes.push(format!("{what} white space at the ends of these lines; the match is unique without it"));
    }
    if windows > 0 && windows < all && new.contains('\n') {
        let kind = if new.contains("\r\n") { "CRLF" } else { "LF" };
        let unix = all - windows;
        notes.push(format!(
            "The file mixes line ends ({windows} CRLF, {unix} LF); the new lines end in {kind}, as the text there did"
        ));
    }
    Ok(Edited { text, line: count(before, "\n") + 1, notes })
}

/// Where the text has another one. Of places that overlap, a second one is enough to show that the first is not the only one.
fn occurrences(text: &str, other: &str) -> Vec<(usize, usize)> {
    let mut found: Vec<_> = text.match_indices(other).map(|(at, _)| (at, at + other.len())).collect();
    if let [(start, _)] = found.as_slice() {
        let next = text.ceil_char_boundary(start + 1);
        let second = text.get(next..).and_then(|rest| rest.find(other)).map(|at| at + next);
        found.extend(second.map(|at| (at, at + other.len())));
    }
    found
}

fn ambiguous(path: &str, content: &str, places: &[(usize, usize)]) -> String {
    let (mut line, mut read) = (1, 0);
    let lines = places.iter().take(SHOWN_MAX).map(|(start, _)| {
        line += count(content.get(read..*start).unwrap_or_default(), "\n");
        read = *start;
        line.to_string()
    });
    format!(
        "`old_text` occurs {} times in {path:?}, at lines {}; nothing was changed; include the lines around it to make it unique",
        places.len(),
        lines.collect::<Vec<_>>().join(", ")
    )
}

fn count(text: &str, what: &str) -> usize {
    text.matches(what).count()
}

/// The line end of the replaced text: its first one, else the next one, else the one before.
fn ends_at(replaced: &str, before: &str, after: &str) -> &'static str {
    let first = |text: &str| text.find('\n').map(|at| text.get(..at).is_some_and(|line| line.ends_with('\r')));
    let last = |text: &str| text.rfind('\n').map(|at| text.get(..at).is_some_and(|line| line.ends_with('\r')));
    match first(replaced).or_else(|| first(after)).or_else(|| last(before)) {
        Some(true) => "\r\n",
        _ => "\n",
    }
}

fn with_ends<'t>(text: &'t str, ends: &str) -> Cow<'t, str> {
    match text.contains('\n') {
        true => Cow::Owned(text.replace("\r\n", "\n").replace('\n', ends)),
        false => Cow::Borrowed(text),
    }
}

/// A text in the form in which texts are compared: lines end in LF, and if it is loose, no white space is before that.
struct Form {
    text: String,
    /// Sorted by their places.
    cuts: Vec<Cut>,
    /// The last line lost white space at its end, so only the end of a line is like it.
    ends_line: bool,
    is_loose: bool,
}

/// What the form leaves out.
struct Cut {
    /// Its place in the form.
    at: usize,
    /// The number of bytes that are left out up to its end.
    left_out: usize,
    /// It is the CR of a line end.
    is_end: bool,
}

impl Form {
    fn new(text: &str, is_loose: bool) -> Self {
        let mut form = Self { text: String::with_capacity(text.len()), cuts: Vec::new(), ends_line: false, is_loose };
        let mut left_out = 0;
        for line in text.split_inclusive('\n') {
            let (body, end) = line.strip_suffix('\n').map_or((line, ""), |body| (body, "\n"));
            let without_end = if end.is_empty() { body } else { body.strip_suffix('\r').unwrap_or(body) };
            let kept = if is_loose { without_end.trim_end_matches([' ', '\t']) } else { without_end };
            form.text.push_str(kept);
            for (count, is_end) in [(without_end.len() - kept.len(), false), (body.len() - without_end.len(), true)] {
                left_out += count;
                if count > 0 {
                    form.cuts.push(Cut { at: form.text.len(), left_out, is_end });
                }
            }
            form.ends_line = end.is_empty() && kept.len() < body.len();
            form.text.push_str(end);
        }
        form
    }

    /// Where the text has the other one, as bytes of the original text.
    fn places(&self, other: &Form) -> Vec<(usize, usize)> {
        if self.is_loose && other.text.trim().is_empty() {
            return Vec::new();
        }
        let mut found = occurrences(&self.text, &other.text);
        // The text may have a line break after the last line, and the file none.
        let body = other.text.trim_end_matches('\n');
        if found.is_empty() && self.is_loose && body.len() < other.text.len() && self.text.ends_with(body) {
            found.push((self.text.len() - body.len(), self.text.len()));
        }
        let is_line = |(_, end): &(usize, usize)| {
            !other.ends_line || self.text.get(*end..).is_some_and(|rest| rest.is_empty() || rest.starts_with('\n'))
        };
        found.into_iter().filter(is_line).map(|(start, end)| (self.start(start), self.end(end))).collect()
    }

    /// The place in the original text, before what was left out there.
    fn start(&self, at: usize) -> usize {
        self.original(at, self.cuts.partition_point(|cut| cut.at < at))
    }

    /// The place in the original text, behind the white space that was left out there.
    fn end(&self, at: usize) -> usize {
        self.original(at, self.cuts.partition_point(|cut| cut.at < at || cut.at == at && !cut.is_end))
    }

    fn original(&self, at: usize, cuts: usize) -> usize {
        at + cuts.checked_sub(1).and_then(|last| self.cuts.get(last)).map_or(0, |cut| cut.left_out)
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn edit(content: &str, old: &str, new: &str) -> Result<(String, usize), String> {
        replace_once("a.ts", content, old, new).map(|edited| (edited.text, edited.line)).map_err(|failure| failure.0)
    }

    #[test]
    fn the_only_occurrence_is_replaced_literally() {
        assert_eq!(edit("a\nb\nc\n", "b", "$& {x}"), Ok(("a\n$& {x}\nc\n".to_owned(), 2)));
        assert_eq!(edit("a\nb\nc\n", "b\n", ""), Ok(("a\nc\n".to_owned(), 2)));
        assert_eq!(edit("\u{feff}aé\nb", "é\nb", "🦀"), Ok(("\u{feff}a🦀".to_owned(), 1)));
    }

    #[test]
    fn the_line_ends_of_the_file_are_kept() {
        for (content, old, new, result) in [
            ("a\r\nb\r\nc", "a\nb", "x\ny", "x\r\ny\r\nc"),
            ("a\r\nb\r\nc", "a\r\nb", "x\r\ny", "x\r\ny\r\nc"),
            ("a\r\nb\r\nc", "a\r\nb", "x\ny", "x\r\ny\r\nc"),
            ("a\r\nb", "a", "x\ny", "x\r\ny\r\nb"),
            ("a\r\nb", "b", "x\ny", "a\r\nx\r\ny"),
            ("a\nb\nc", "a\r\nb", "x\r\ny", "x\ny\nc"),
            ("a\nb\nc", "b", "x\r\ny", "a\nx\ny\nc"),
            ("a\r\nb\r\n", "a\n", "", "b\r\n"),
            ("a\r\nb\r\n", "\nb", "\nx\ny", "a\r\nx\r\ny\r\n"),
            ("a", "a", "x\r\ny", "x\r\ny"),
        ] {
            assert_eq!(
                edit(content, old, new).map(|(text, _)| text).as_deref(),
                Ok(result),
                "{content:?} {old:?} {new:?}"
            );
        }
        assert!(edit("a\nb\nc", "a\nb", "a\r\nb").unwrap_err().contains("only in its line ends"));
    }

    #[test]
    fn a_file_with_mixed_line_ends_stays_mixed_and_the_answer_says_so() {
        let content = "a\r\nb\nc\r\nd\n";
        for (old, new, result) in [
            ("a", "x\ny", "x\r\ny\r\nb\nc\r\nd\n"),
            ("b", "x\r\ny", "a\r\nx\ny\nc\r\nd\n"),
            ("b\nc", "x\ny", "a\r\nx\ny\r\nd\n"),
            ("c\nd", "x\ny", "a\r\nb\nx\r\ny\n"),
        ] {
            let edited = replace_once("a.ts", content, old, new).unwrap();
            assert_eq!(edited.text, result, "{old:?}");
            assert!(edited.notes[0].contains("(2 CRLF, 2 LF)"), "{:?}", edited.notes);
        }
    }

    #[test]
    fn a_unique_match_without_trailing_white_space_is_taken_and_said() {
        for (content, old, new, result) in [
            ("a;  \nb;\t\nc", "a;\nb;\nc", "x", "x"),
            ("a;\nb;\nc", "a;  \nb;\t\nc", "x\n", "x\n"),
            ("a;  \r\nb;  \r\nc\r\n", "a;\nb; ", "x\ny", "x\r\ny\r\nc\r\n"),
            ("if {\n  \n}\n", "{\n\n}", "{}", "if {}\n"),
            ("ab\na", "a ", "x", "ab\nx"),
            // The file ends without a line break.
            ("a\nb", "b\n", "x\n", "a\nx\n"),
            ("a\r\nb", "b\r\n", "x", "a\r\nx"),
        ] {
            let edited = replace_once("a.ts", content, old, new).unwrap();
            assert_eq!(edited.text, result, "{content:?} {old:?}");
            assert!(edited.notes[0].contains("white space at the ends of these lines"), "{:?}", edited.notes);
        }
        assert!(edit("ab", "a ", "x").is_err());
        assert!(edit("a;  \nb\na; \nb", "a;\nb", "x").unwrap_err().contains("2 times"));
        assert!(edit("a\n \nb", " \t\n\t", "x").is_err());
        assert!(edit("a\nb\nc", "b\n\n", "x").is_err());
    }

    #[test]
    fn an_ambiguous_text_is_reported_with_its_lines() {
        // The places overlap.
        for (content, old) in [("  }\n  }\n  }\n", "  }\n  }\n"), ("aaa", "aa"), ("é é é", "é é")] {
            assert!(edit(content, old, "x").unwrap_err().contains("occurs 2 times"), "{old:?}");
        }
        let message = edit("a\nb\na\na", "a", "x").unwrap_err();
        assert!(message.contains("3 times") && message.contains("lines 1, 3, 4"), "{message}");
        assert!(edit("a", "", "x").unwrap_err().contains("write_file"));
        assert!(edit("a", "a", "a").unwrap_err().contains("nothing would change"));
    }

    proptest! {
        /// Whatever is sent, an edit changes one place, and what is around it stays byte for byte.
        #[test]
        fn what_is_around_the_text_stays(content in "[ab \t\r\né]{0,24}", old in "[ab \t\r\né]{1,6}", new in "[xy\r\n]{0,4}") {
            if let Ok(edited) = replace_once("a.ts", &content, &old, &new) {
                let least = content.len().saturating_sub(old.len() * 2 + content.matches([' ', '\t', '\r']).count());
                let before = content.bytes().zip(edited.text.bytes()).take_while(|(a, b)| a == b).count();
                let after = content.bytes().rev().zip(edited.text.bytes().rev()).take_while(|(a, b)| a == b).count();
                prop_assert!(before + after >= least, "{:?}", edited);
            }
        }

        /// An exact and unique text is always found, with any line ends.
        #[test]
        fn a_text_of_the_file_is_found_with_any_line_ends(lines in prop::collection::vec("[a-c]{1,3} ?", 1..8), at in 0..8_usize, windows: bool) {
            let numbered: Vec<String> = lines.iter().enumerate().map(|(number, line)| format!("{number}{line}")).collect();
            let content = numbered.join(if windows { "\r\n" } else { "\n" });
            let from = at % numbered.len();
            let (lf, crlf) = (numbered[from..].join("\n"), numbered[from..].join("\r\n"));
            for old in [lf, crlf] {
                let edited = replace_once("a.ts", &content, &old, "x").unwrap();
                prop_assert_eq!(&edited.text[edited.text.len() - 1..], "x");
                prop_assert_eq!(edited.line, from + 1);
            }
        }
    }
}
