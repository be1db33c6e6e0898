//! Truncation of long texts for the model.

/// Maximum size of a tool result, in bytes.
pub(super) const RESULT_CAP: usize = 16 * 1024;

/// Room for the line between head and tail, in bytes.
const NOTE: usize = 240;

/// The text, or its head and tail around a line with the number of omitted bytes and the text of `rest`, which says how to
/// get them. At most `cap` bytes in total, if the text of `rest(head, tail)` has at most 160 bytes.
pub fn head_and_tail(text: &str, cap: usize, rest: &dyn Fn(&str, &str) -> String) -> String {
    if text.len() <= cap {
        return text.to_owned();
    }
    let half = cap.saturating_sub(NOTE) / 2;
    let head = text.get(..text.floor_char_boundary(half)).unwrap_or_default();
    let tail = text.get(text.ceil_char_boundary(text.len() - half)..).unwrap_or_default();
    let (omitted, rest) = (text.len() - head.len() - tail.len(), rest(head, tail));
    format!("{head}\n[… {omitted} of {} bytes omitted: {rest} …]\n{tail}", text.len())
}

/// The text, or its beginning with an ellipsis, at most `cap` bytes.
pub fn beginning(text: &str, cap: usize) -> String {
    if text.len() <= cap {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(cap.saturating_sub("…".len()));
    format!("{}…", text.get(..end).unwrap_or_default())
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

    proptest! {
        #[test]
        fn the_beginning_is_a_prefix_within_the_cap(text in "\\PC{0,200}", cap in 3_usize..300) {
            let shown = beginning(&text, cap);
            prop_assert!(shown.len() <= cap && text.starts_with(shown.trim_end_matches('…')));
            prop_assert!(shown == text || shown.len() + 4 > cap);
        }
    }
}
