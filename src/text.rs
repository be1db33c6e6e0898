//! Text for lines of prompts, lists and messages.

/// Collapses white space and removes control characters, so the text stays one line of a list.
pub(crate) fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
