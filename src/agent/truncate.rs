//! Truncation of long texts for the model.

/// Maximum size of a tool result, in bytes.
pub(super) const RESULT_CAP: usize = 16 * 1024;

/// The two ends of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ends<'a> {
    pub head: &'a str,
    pub tail: &'a str,
    /// Number of bytes between them.
    pub omitted: usize,
}

/// The head and the tail of a text, roughly equal, at most `room` bytes together, cut between characters.
pub(super) fn ends(text: &str, room: usize) -> Ends<'_> {
    if text.len() <= room {
        return Ends { head: text, tail: "", omitted: 0 };
    }
    let head = text.get(..text.floor_char_boundary(room - room / 2)).unwrap_or_default();
    let tail = text.get(text.ceil_char_boundary(text.len() - room / 2)..).unwrap_or_default();
    Ends { head, tail, omitted: text.len() - head.len() - tail.len() }
}

/// The text, or its head and tail around a line with the number of omitted bytes and `rest`, which says how to get them.
/// At most `cap` bytes in total. If `cap` is too small for the line, only a mark separates the ends.
pub(super) fn head_and_tail(text: &str, cap: usize, rest: &dyn Fn(&Ends<'_>) -> String) -> String {
    if text.len() <= cap {
        return text.to_owned();
    }
    let line = |ends: &Ends<'_>| format!("\n[… {} of {} bytes omitted: {} …]\n", ends.omitted, text.len(), rest(ends));
    // The length of the line depends on the cuts, and the cuts on that length: measure the line at the cuts of the full cap.
    let room = cap.saturating_sub(line(&ends(text, cap)).len() + SLACK);
    let ends_in_room = ends(text, room);
    let shown = format!("{}{}{}", ends_in_room.head, line(&ends_in_room), ends_in_room.tail);
    if room >= cap / 2 && shown.len() <= cap {
        return shown;
    }
    match cap.checked_sub(MARK.len() + 2) {
        Some(_) => {
            let ends = ends(text, cap - MARK.len());
            format!("{}{MARK}{}", ends.head, ends.tail)
        }
        None => text.get(..text.floor_char_boundary(cap)).unwrap_or_default().to_owned(),
    }
}

/// How much longer the line may get when its numbers change.
const SLACK: usize = 32;

const MARK: &str = "…";

#[cfg(all(test, not(target_family = "wasm")))]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(text: &str, cap: usize) -> String {
        head_and_tail(text, cap, &|_| "ask for less".to_owned())
    }

    #[test]
    fn head_and_tail_stay_within_the_cap() {
        let ascii = format!("HEAD{}TAIL", "x".repeat(10_000_000));
        let wide = format!("🦀é{}é🦀", "ü".repeat(5_000_000));
        for cap in [0, 1, 2, 3, 4, 5, 50, 100, 2000] {
            for text in [&ascii, &wide] {
                let shown = cut(text, cap);
                assert!(shown.len() <= cap, "{} > {cap}", shown.len());
                assert!(cap < 50 || shown.contains(MARK), "{shown}");
            }
            assert!(cap < 50 || (cut(&ascii, cap).starts_with("HEAD") && cut(&ascii, cap).ends_with("TAIL")));
            assert!(cap < 50 || (cut(&wide, cap).starts_with("🦀é") && cut(&wide, cap).ends_with("é🦀")));
        }
        assert!(cut(&ascii, 2000).contains("of 10000008 bytes omitted: ask for less"));
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("", 0), "");
    }

    proptest! {
        #[test]
        fn the_ends_are_a_prefix_and_a_suffix_of_the_text(text in "\\PC{0,200}", cap in 0_usize..300) {
            let shown = cut(&text, cap);
            prop_assert!(shown.len() <= cap);
            let Ends { head, tail, omitted } = ends(&text, cap);
            prop_assert!(text.starts_with(head) && text.ends_with(tail));
            prop_assert_eq!(head.len() + tail.len() + omitted, text.len());
            prop_assert!(omitted == 0 || head.len() + tail.len() + 6 >= cap);
        }
    }
}
