//! The ends of here-documents.

/// The delimiter of a here-document.
pub(super) struct End {
    pub word: String,
    pub is_quoted: bool,
    /// `<<-`: tabs before the delimiter and the lines do not count.
    pub strips_tabs: bool,
    /// In how many command lists it is.
    pub depth: usize,
}

/// Whether every shell takes a word for the same delimiter.
pub(super) fn is_plain_end(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
}

/// Whether a line ends a here-document.
pub(super) fn is_end(line: &str, end: &End) -> bool {
    let line = if end.strips_tabs { line.trim_start_matches('\t') } else { line };
    line == end.word
}
