//! How texts are put on one line, cut and listed, for prompts, messages and titles.

use std::borrow::Cow;

/// Mark of a cut.
const ELLIPSIS: &str = "…";

/// Room for the line between head and tail, in bytes.
const NOTE: usize = 240;

/// The quoted parts of a text that are not blank: where each starts and ends with its quotes, and what is in them. An
/// apostrophe opens one only at the start of a word.
pub(crate) fn quotations(text: &str) -> Vec<(usize, usize, &str)> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some((start, open)) = text.get(at..).and_then(|rest| {
        let opens = |(at, c): &(usize, char)| match c {
            '"' | '“' | '„' | '”' | '`' | '«' => true,
            '\'' | '‘' => !rest.get(..*at).is_some_and(|before| before.ends_with(char::is_alphanumeric)),
            _ => false,
        };
        rest.char_indices().find(opens)
    }) {
        let from = at + start + open.len_utf8();
        let closes: &[char] = match open {
            '“' | '”' | '„' => &['”', '“'],
            '‘' => &['’'],
            '«' => &['»'],
            '`' => &['`'],
            '\'' => &['\''],
            _ => &['"'],
        };
        let inside = text.get(from..).unwrap_or_default();
        let ends = |(at, c): &(usize, char)| {
            let after = inside.get(at + c.len_utf8()..).unwrap_or_default();
            closes.contains(c) && (*c != '\'' || !after.starts_with(char::is_alphanumeric))
        };
        at = from;
        if let Some((end, close)) = inside.char_indices().find(ends) {
            at = from + end + close.len_utf8();
            let quoted = inside.get(..end).unwrap_or_default().trim();
            found.extend((!quoted.is_empty()).then_some((from - open.len_utf8(), at, quoted)));
        }
    }
    found
}

/// Collapses white space and removes control characters, so the text stays one line of a list.
pub(crate) fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The text with its control characters, and what is invisible or changes the direction, as `\u{…}`. Line breaks and tabs stay.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    text.chars()
        .fold(String::with_capacity(text.len()), |mut visible, c| {
            match is_hidden(c) {
                true => visible.extend(c.escape_unicode()),
                false => visible.push(c),
            }
            visible
        })
        .into()
}

fn is_hidden(c: char) -> bool {
    let code = u32::from(c);
    c.is_control() && !matches!(c, '\n' | '\t')
        || matches!(
            c,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'
                | '\u{1160}'
                | '\u{17b4}'
                | '\u{17b5}'
                | '\u{3164}'
                | '\u{feff}'
                | '\u{ffa0}'
        )
        || matches!(code, 0x180b..=0x180f | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0xfff0..=0xfffb)
        || matches!(code, 0xfe00..=0xfe0e | 0xe0000..=0xe0fff)
}

/// A path on one line: control characters are escaped, so it still names its file.
pub(crate) fn path_line(path: &str) -> String {
    if path.chars().any(char::is_control) { format!("{path:?}") } else { path.to_owned() }
}

/// A number of things: `1 iteration`, `2 iterations`.
pub(crate) fn counted(number: impl TryInto<u64>, thing: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// A number of things and the form of a verb: `1 file was`, `2 files were`.
pub(crate) fn counted_with(number: impl TryInto<u64>, thing: &str, [one, more]: [&str; 2]) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!("{} {}", counted(number, thing), if number == 1 { one } else { more })
}

/// At most the first `bytes` bytes of the text, without a mark: for readers with a budget.
pub(crate) fn prefix(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes)).unwrap_or_default()
}

/// The text, or its beginning with an ellipsis: at most `chars` characters. For what people read.
pub(crate) fn shortened(text: &str, chars: usize) -> String {
    match (text.char_indices().nth(chars), chars.checked_sub(1)) {
        (None, _) => text.to_owned(),
        (_, None) => String::new(),
        (_, Some(room)) => text.chars().take(room).chain(ELLIPSIS.chars()).collect(),
    }
}

/// The text, or its beginning with an ellipsis: at most `bytes` bytes. For what a budget in bytes counts.
pub(crate) fn beginning(text: &str, bytes: usize) -> String {
    if text.len() <= bytes {
        return text.to_owned();
    }
    bytes.checked_sub(ELLIPSIS.len()).map_or_else(String::new, |room| format!("{}{ELLIPSIS}", prefix(text, room)))
}

/// The text, or its end below a line with the number of omitted bytes. `bytes` is the maximum of the end.
pub(crate) fn tail(text: &str, bytes: usize) -> String {
    let start = text.ceil_char_boundary(text.len().saturating_sub(bytes));
    match text.get(start..) {
        Some(end) if start > 0 => format!("[… {start} bytes before this are left out …]\n{end}"),
        _ => text.to_owned(),
    }
}

/// The text, or its head and tail around a line with the number of omitted bytes and the text of `rest`, which says how to
/// get them. At most `cap` bytes in total, if the text of `rest(head, tail)` has at most 160 bytes. A small `cap` has room
/// for an ellipsis only.
pub(crate) fn head_and_tail(text: &str, cap: usize, rest: &dyn Fn(&str, &str) -> String) -> String {
    if text.len() <= cap { text.to_owned() } else { around(text, text, text.len(), cap, rest) }
}

/// Truncates `text.len() > cap` bytes, of which `start` and `end` have the first and the last `cap` ones.
fn around(start: &str, end: &str, bytes: usize, cap: usize, rest: &dyn Fn(&str, &str) -> String) -> String {
    let is_small = cap < NOTE + 32;
    let half = cap.saturating_sub(if is_small { ELLIPSIS.len() } else { NOTE }) / 2;
    let head = start.get(..start.floor_char_boundary(half)).unwrap_or_default();
    let tail = end.get(end.ceil_char_boundary(end.len().saturating_sub(half))..).unwrap_or_default();
    if is_small {
        return if cap < ELLIPSIS.len() { String::new() } else { format!("{head}{ELLIPSIS}{tail}") };
    }
    let (omitted, rest) = (bytes - head.len() - tail.len(), rest(head, tail));
    format!("{head}\n[… {omitted} of {bytes} bytes omitted: {rest} …]\n{tail}")
}

/// [`head_and_tail`] of a text that arrives in characters, without holding all of it.
#[derive(Debug)]
pub(crate) struct Ends {
    cap: usize,
    bytes: usize,
    /// The first `cap` bytes or a few more.
    start: String,
    /// The last `cap` bytes or more; empty while `start` has everything.
    end: String,
}

impl Ends {
    /// `cap` is the maximum of the result, in bytes.
    pub(crate) fn new(cap: usize) -> Self {
        Self { cap, bytes: 0, start: String::new(), end: String::new() }
    }

    /// Whether a part of the text is left out.
    pub(crate) fn is_truncated(&self) -> bool {
        self.bytes > self.cap
    }

    /// The text so far, as [`head_and_tail`] truncates it.
    pub(crate) fn join(&self, rest: &dyn Fn(&str, &str) -> String) -> String {
        if !self.is_truncated() {
            return self.start.clone();
        }
        // A short end follows the start without a gap.
        let end = if self.end.len() < self.cap { &format!("{}{}", self.start, self.end) } else { &self.end };
        around(&self.start, end, self.bytes, self.cap, rest)
    }
}

impl Extend<char> for Ends {
    fn extend<T: IntoIterator<Item = char>>(&mut self, chars: T) {
        for c in chars {
            self.bytes += c.len_utf8();
            if self.start.len() < self.cap {
                self.start.push(c);
                continue;
            }
            self.end.push(c);
            if self.end.len() > 2 * self.cap + 64 {
                self.end.drain(..self.end.floor_char_boundary(self.end.len() - self.cap));
            }
        }
    }
}

/// Items of a sentence: the first `max`, and the number of the others.
pub(crate) fn listed<T: AsRef<str>>(items: &[T], max: usize) -> String {
    let shown = items.iter().take(max).map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    match items.len().saturating_sub(max) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Items as a list, a line each: the first `max`, and the number of the others. `total` counts items that are not given.
pub(crate) fn bullets<T: AsRef<str>>(items: &[T], max: usize, total: usize) -> String {
    let mut lines: Vec<String> = items.iter().take(max).map(|item| format!("- {}", item.as_ref())).collect();
    if total > lines.len() {
        lines.push(format!("- and {} more", total - lines.len()));
    }
    lines.join("\n")
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn head_and_tail_stay_within_the_cap() {
        let cut = |text: &str, cap| head_and_tail(text, cap, &|_, _| "x".repeat(160));
        for text in [format!("HEAD{}TAIL", "x".repeat(10_000_000)), format!("HEAD{}TAIL", "ü🦀".repeat(2_000_000))] {
            for cap in [300, 301, 302, 303, 2000] {
                let shown = cut(&text, cap);
                assert!(shown.len() <= cap, "{} > {cap}", shown.len());
                assert!(shown.starts_with("HEAD") && shown.ends_with("TAIL"));
                assert!(shown.contains(&format!("of {} bytes omitted: x", text.len())));
            }
        }
        assert_eq!(cut("short", 5), "short");
    }

    #[test]
    fn a_small_cap_has_room_for_an_ellipsis_only() {
        let long = format!("HEADü{}🦀TAIL", "ü🦀".repeat(1000));
        for (cap, expected) in [(0, ""), (1, ""), (2, ""), (3, "…"), (4, "…"), (11, "HEAD…TAIL"), (14, "HEAD…TAIL")]
        {
            assert_eq!(head_and_tail(&long, cap, &|_, _| String::new()), expected, "{cap}");
        }
        for cap in 15..NOTE + 40 {
            let shown = head_and_tail(&long, cap, &|_, _| String::new());
            assert!(shown.len() <= cap && shown.starts_with("HEAD") && shown.ends_with("TAIL"), "{cap}: {shown}");
        }
        assert_eq!(["", "", "…"].map(str::len), [0, 1, 3].map(|cap| beginning("long", cap).len()));
    }

    #[test]
    fn characters_and_bytes_are_limits_that_the_ellipsis_counts_for() {
        for (max, in_chars, in_bytes) in [
            (0, "", ""),
            (1, "…", ""),
            (3, "üü…", "…"),
            (5, "üüüü…", "ü…"),
            (6, "üüüüüü", "ü…"),
            (12, "üüüüüü", "üüüüüü"),
        ] {
            assert_eq!(
                (shortened("üüüüüü", max).as_str(), beginning("üüüüüü", max).as_str()),
                (in_chars, in_bytes),
                "{max}"
            );
        }
        assert_eq!((prefix("üü", 3), prefix("üü", 9)), ("ü", "üü"));
        assert_eq!(
            (tail("üü", 4), tail("üü", 3)),
            ("üü".to_owned(), "[… 2 bytes before this are left out …]\nü".to_owned())
        );
    }

    #[test]
    fn a_long_list_names_the_first_items_and_counts_the_others() {
        let items = ["a", "b", "c"];
        assert_eq!([3, 2, 1].map(|max| listed(&items, max)), ["a, b, c", "a, b and 1 more", "a and 2 more"]);
        assert_eq!(listed(&[""; 0], 3), "");
        assert_eq!(bullets(&items, 3, 3), "- a\n- b\n- c");
        assert_eq!(bullets(&items, 2, 9), "- a\n- b\n- and 7 more");
        assert_eq!(bullets(&items, 9, 4), "- a\n- b\n- c\n- and 1 more");
    }

    #[test]
    fn a_text_on_one_line_has_no_control_characters_and_a_path_keeps_its_name() {
        assert_eq!(one_line(" a\u{2028}b\n\u{1b}c  d "), "a b c d");
        assert_eq!(visible("a\u{202e}b\n\u{1b}[c\u{200b}"), "a\\u{202e}b\n\\u{1b}[c\\u{200b}");
        assert_eq!(visible("a é 🙂\u{fe0f}\tb"), "a é 🙂\u{fe0f}\tb");
        assert_eq!((path_line("a b"), path_line("a\nb")), ("a b".to_owned(), "\"a\\nb\"".to_owned()));
    }

    #[test]
    fn a_text_that_arrives_in_characters_is_truncated_alike() {
        for text in ["", "a", "ü🦀", &"ü🦀x".repeat(40), &"line 🦀\n".repeat(900)] {
            for cap in [0, 1, 3, 5, 9, 50, 100, 271, 272, 280, 300, 1000, 9000] {
                let mut ends = Ends::new(cap);
                text.chars().for_each(|c| ends.extend([c]));
                let rest = |_: &str, _: &str| "see the file".to_owned();
                assert_eq!(ends.join(&rest), head_and_tail(text, cap, &rest), "{cap} of {}", text.len());
                assert_eq!(ends.is_truncated(), text.len() > cap);
                assert!(ends.start.len() + ends.end.len() <= 3 * cap + 72);
            }
        }
    }

    proptest! {
        #[test]
        fn the_beginning_is_a_prefix_within_the_cap(text in "\\PC{0,200}", cap in 3_usize..300) {
            let shown = beginning(&text, cap);
            prop_assert!(shown.len() <= cap && text.starts_with(shown.trim_end_matches('…')));
            prop_assert!(shown == text || shown.len() + 4 > cap);
        }
    }
}
