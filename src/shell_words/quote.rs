//! A text as one word of a command.
//!
//! What a shell acts on even between double quotes is refused instead of escaped, so that every shell that knows
//! double quotes reads the same word, also one of an IDE that knows no escapes.

/// Why a text is no argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// Nothing is in it.
    #[error("is empty")]
    Empty,
    /// More than 200 characters.
    #[error("is longer than 200 characters")]
    Long,
    /// It would be read as an option.
    #[error("begins with `-`, so that it would be read as an option")]
    Option,
    /// A line end or another control character.
    #[error("has a line end or another control character")]
    Control,
    /// What quotes do not take the meaning from.
    #[error("has one of the characters \" \\ $ ` ! which mean something to a shell")]
    Meaning,
}

/// The text as it stands where every shell takes it for one plain word, else between double quotes.
///
/// # Errors
/// [`Unfit`].
pub fn word(text: &str) -> Result<String, Unfit> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-.,:/+".contains(c);
    let quoted = quoted(text)?;
    Ok(if text.chars().all(is_plain) { text.to_owned() } else { quoted })
}

/// The text between double quotes.
///
/// # Errors
/// [`Unfit`].
pub fn quoted(text: &str) -> Result<String, Unfit> {
    if text.is_empty() {
        return Err(Unfit::Empty);
    }
    if text.chars().count() > LONGEST {
        return Err(Unfit::Long);
    }
    if text.starts_with('-') {
        return Err(Unfit::Option);
    }
    if text.chars().any(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')) {
        return Err(Unfit::Control);
    }
    if text.contains(['"', '\\', '$', '`', '!']) {
        return Err(Unfit::Meaning);
    }
    Ok(format!("\"{text}\""))
}

/// Characters of a word.
const LONGEST: usize = 200;
