//! Quotes a text as one word of a command.
//!
//! Characters that a shell interprets between double quotes are refused, not escaped. So every shell that knows double
//! quotes reads the same word, even an IDE's shell that knows no escapes.

/// Why a text cannot be an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unquotable {
    /// The text is empty.
    #[error("is empty")]
    Empty,
    /// More than 200 characters.
    #[error("is longer than 200 characters")]
    Long,
    /// It would be parsed as an option.
    #[error("begins with `-` and would be parsed as an option")]
    Option,
    /// A line end or another control character.
    #[error("has a line end or another control character")]
    Control,
    /// A character that double quotes do not protect.
    #[error("has one of the characters \" \\ $ ` ! that a shell interprets")]
    Meaning,
}

/// The text unquoted if every shell takes it as one plain word, otherwise in double quotes.
///
/// # Errors
/// [`Unquotable`] if the text cannot be quoted safely.
pub fn word(text: &str) -> Result<String, Unquotable> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-.,:/+".contains(c);
    let quoted = quoted(text)?;
    Ok(if text.chars().all(is_plain) { text.to_owned() } else { quoted })
}

/// The text in double quotes.
///
/// # Errors
/// [`Unquotable`] if the text cannot be quoted safely.
pub fn quoted(text: &str) -> Result<String, Unquotable> {
    if text.is_empty() {
        return Err(Unquotable::Empty);
    }
    if text.chars().count() > LONGEST {
        return Err(Unquotable::Long);
    }
    if text.starts_with('-') {
        return Err(Unquotable::Option);
    }
    if text.chars().any(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')) {
        return Err(Unquotable::Control);
    }
    if text.contains(['"', '\\', '$', '`', '!']) {
        return Err(Unquotable::Meaning);
    }
    Ok(format!("\"{text}\""))
}

/// Maximum length, in characters.
const LONGEST: usize = 200;
