//! What a snapshot says about itself: the message, the time and the counts.
//!
//! They are in the commit's message. A save without changes shares the commit of another snapshot; its own message is in
//! the [catalog](super::catalog). Without that file, all snapshots of a commit have the commit's message.

use crate::snapshot::info::SnapshotKind;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Message {
    /// The caller's text, without the trailers.
    pub text: String,
    /// The tag or ref that the commit was made for.
    pub tag: String,
    /// Milliseconds since the epoch.
    pub at: u64,
    /// How many files the snapshot has.
    pub files: u32,
    /// How many files differ from the snapshot before it.
    pub changed: u32,
    pub kind: SnapshotKind,
    /// The run that saved it.
    pub run: Option<String>,
}

const TAG: &str = "Loopgate-Snapshot";
const AT: &str = "Loopgate-At";
const FILES: &str = "Loopgate-Files";
const CHANGED: &str = "Loopgate-Changed";
const KIND: &str = "Loopgate-Kind";
const RUN: &str = "Loopgate-Run";

/// The latest time of JavaScript.
const AT_MAX: u64 = 8_640_000_000_000_000;

impl Message {
    /// The commit's message: the text, then trailers.
    pub(crate) fn encode(&self) -> String {
        let Self { text, tag, at, files, changed, kind, run } = self;
        let kind = kind.name();
        let run = run.as_ref().map(|run| format!("{RUN}: {run}\n")).unwrap_or_default();
        format!("{text}\n\n{TAG}: {tag}\n{AT}: {at}\n{FILES}: {files}\n{CHANGED}: {changed}\n{KIND}: {kind}\n{run}")
    }

    /// Reads a commit's message; `None` if the commit is not a snapshot. A number that cannot be read is 0.
    pub(crate) fn decode(message: &str) -> Option<Self> {
        let (text, trailers) = message.trim_end_matches('\n').rsplit_once("\n\n")?;
        let value =
            |key: &str| trailers.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':')).map(str::trim);
        let tag = value(TAG).filter(|tag| !tag.is_empty())?.to_owned();
        Some(Self {
            kind: value(KIND).and_then(SnapshotKind::parse).unwrap_or_else(|| SnapshotKind::guess(&tag, text)),
            run: value(RUN).filter(|run| !run.is_empty()).map(str::to_owned),
            text: text.to_owned(),
            tag,
            at: value(AT).and_then(|text| text.parse().ok()).filter(|at| *at <= AT_MAX).unwrap_or_default(),
            files: value(FILES).and_then(|text| text.parse().ok()).unwrap_or_default(),
            changed: value(CHANGED).and_then(|text| text.parse().ok()).unwrap_or_default(),
        })
    }
}

/// The caller's text as git stores it: LF line ends, no NUL, trimmed; `None` if nothing is left.
pub(crate) fn clean(text: &str) -> Option<String> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{fffd}");
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_reads_back_from_its_commit() {
        for text in ["one", "two\nlines", "para\n\ngraphs", "Loopgate-Snapshot: fake\n\nwords", "-x $(y) \"z\" 🍓"] {
            for run in [None, Some("run".to_owned())] {
                let (tag, kind) = ("task-1-pre".to_owned(), SnapshotKind::Base);
                let message = Message { text: text.to_owned(), tag, at: 17, files: 3, changed: 2, kind, run };
                assert_eq!(Message::decode(&message.encode()), Some(message));
            }
        }
    }

    #[test]
    fn a_commit_without_the_trailer_is_not_a_snapshot() {
        for message in ["", "fix", "fix\n\nSigned-off-by: me", "Loopgate-Snapshot: x", "a\n\nLoopgate-Snapshot:\n"] {
            assert_eq!(Message::decode(message), None, "{message:?}");
        }
    }

    #[test]
    fn an_unreadable_number_is_zero() {
        let message = Message::decode("a\n\nLoopgate-Snapshot: t\nLoopgate-Files: many").unwrap();
        assert_eq!((message.files, message.changed, message.at), (0, 0, 0));
        assert_eq!((message.kind, message.run), (SnapshotKind::Manual, None));
    }

    #[test]
    fn a_time_that_javascript_does_not_have_is_unreadable() {
        for (at, expected) in [(u64::MAX, 0), (AT_MAX + 1, 0), (AT_MAX, AT_MAX)] {
            let message = Message::decode(&format!("a\n\nLoopgate-Snapshot: t\nLoopgate-At: {at}")).unwrap();
            assert_eq!(message.at, expected);
        }
    }

    #[test]
    fn a_text_is_cleaned_as_git_does_it() {
        assert_eq!(clean(" a\r\nb\0 \n").as_deref(), Some("a\nb\u{fffd}"));
        assert_eq!(clean(" \r\n"), None);
    }
}
