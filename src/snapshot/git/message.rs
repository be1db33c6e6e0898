//! What a snapshot's commit says: the message, and trailers that make a list cheap.

/// The content of a commit's message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::snapshot) struct Message {
    /// The caller's words, without the trailers.
    pub text: String,
    /// The tag that it was made for.
    pub tag: String,
    /// Milliseconds since the epoch.
    pub at: u64,
    /// How many files are in it.
    pub files: u32,
    /// How many files differ from the snapshot before it.
    pub changed: u32,
}

const TAG: &str = "Loopgate-Snapshot";
const AT: &str = "Loopgate-At";
const FILES: &str = "Loopgate-Files";
const CHANGED: &str = "Loopgate-Changed";

impl Message {
    /// The text of the commit.
    pub(in crate::snapshot) fn encode(&self) -> String {
        let Self { text, tag, at, files, changed } = self;
        format!("{text}\n\n{TAG}: {tag}\n{AT}: {at}\n{FILES}: {files}\n{CHANGED}: {changed}\n")
    }

    /// The content of a snapshot's commit; nothing for any other commit. A number that cannot be read is 0.
    pub(in crate::snapshot) fn decode(message: &str) -> Option<Self> {
        let whole = message.trim_end_matches('\n');
        let (text, trailers) = whole.rsplit_once("\n\n")?;
        let value =
            |key: &str| trailers.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':')).map(str::trim);
        Some(Self {
            text: text.to_owned(),
            tag: value(TAG).filter(|tag| !tag.is_empty())?.to_owned(),
            at: value(AT).and_then(|text| text.parse().ok()).unwrap_or_default(),
            files: value(FILES).and_then(|text| text.parse().ok()).unwrap_or_default(),
            changed: value(CHANGED).and_then(|text| text.parse().ok()).unwrap_or_default(),
        })
    }
}

/// The caller's words as git keeps them: LF line ends, no NUL, no space around them. Nothing where nothing is left.
pub(in crate::snapshot) fn clean(text: &str) -> Option<String> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{fffd}");
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comes_back_as_it_was() {
        for text in ["one", "two\nlines", "para\n\ngraphs", "Loopgate-Snapshot: fake\n\nwords", "-x $(y) \"z\" 🍓"] {
            let message = Message { text: text.to_owned(), tag: "task-1-pre".to_owned(), at: 17, files: 3, changed: 2 };
            assert_eq!(Message::decode(&message.encode()), Some(message));
        }
    }

    #[test]
    fn other_commits_are_no_snapshots() {
        for message in ["", "fix", "fix\n\nSigned-off-by: me", "Loopgate-Snapshot: x", "a\n\nLoopgate-Snapshot:\n"] {
            assert_eq!(Message::decode(message), None, "{message:?}");
        }
    }

    #[test]
    fn broken_numbers_are_zero() {
        let message = Message::decode("a\n\nLoopgate-Snapshot: t\nLoopgate-Files: many").unwrap();
        assert_eq!((message.files, message.changed, message.at), (0, 0, 0));
    }

    #[test]
    fn words_are_cleaned_as_git_would() {
        assert_eq!(clean(" a\r\nb\0 \n").as_deref(), Some("a\nb\u{fffd}"));
        assert_eq!(clean(" \r\n"), None);
    }
}
