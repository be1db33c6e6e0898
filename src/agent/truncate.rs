//! Truncation of long texts for the model.

/// Maximum size of a tool result, in bytes.
pub(super) const RESULT_CAP: usize = 16 * 1024;

/// Maximum size of a file or another long text in a prompt, in bytes.
pub(crate) const PROMPT_TEXT_MAX: usize = 64 * 1024;

/// The text of a file in a prompt. Where it is cut, it says how to read the rest.
pub(crate) fn in_prompt(text: &str, path: &str) -> String {
    head_and_tail(text, PROMPT_TEXT_MAX, &|_, _| format!("read_file {path} by lines"))
}

/// Room for the line between head and tail, in bytes.
const NOTE: usize = 240;

const ELLIPSIS: &str = "…";

/// The text, or its head and tail around a line with the number of omitted bytes and the text of `rest`, which says how to
/// get them. At most `cap` bytes in total, if the text of `rest(head, tail)` has at most 160 bytes. A small `cap` has room
/// for an ellipsis only.
pub fn head_and_tail(text: &str, cap: usize, rest: &dyn Fn(&str, &str) -> String) -> String {
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
pub struct Ends {
    cap: usize,
    bytes: usize,
    /// The first `cap` bytes or a few more.
    start: String,
    /// The last `cap` bytes or more; empty while `start` has everything.
    end: String,
}

impl Ends {
    /// `cap` is the maximum of the result, in bytes.
    pub fn new(cap: usize) -> Self {
        Self { cap, bytes: 0, start: String::new(), end: String::new() }
    }

    /// Whether a part of the text is left out.
    pub fn is_truncated(&self) -> bool {
        self.bytes > self.cap
    }

    /// The text so far, as [`head_and_tail`] truncates it.
    pub fn join(&self, rest: &dyn Fn(&str, &str) -> String) -> String {
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

/// The text, or its beginning with an ellipsis, at most `cap` bytes.
pub fn beginning(text: &str, cap: usize) -> String {
    if text.len() <= cap {
        return text.to_owned();
    }
    let Some(room) = cap.checked_sub(ELLIPSIS.len()) else { return String::new() };
    format!("{}{ELLIPSIS}", text.get(..text.floor_char_boundary(room)).unwrap_or_default())
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
