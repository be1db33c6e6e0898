//! What a stretch of words does in a message.

/// The part that words play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    /// Asks for something new.
    Add,
    /// Asks for a whole app.
    App,
    /// Asks for a change.
    Modify,
    /// Asks for a repair.
    Fix,
    /// Says that something is broken.
    Bug,
    /// Asks for a deletion.
    Remove,
    /// Says what stays.
    Keep,
    /// Says what must not be done.
    Forbid,
    /// Cannot be told apart: new things or changed ones?
    Unclear,
    /// Wants a new start.
    Restart,
    /// Takes back what was said before.
    Cancel,
    /// Asks for words, or asks nothing.
    Talk,
    /// Says more of what was said before.
    Detail,
    /// Stands for itself in no way.
    Fragment,
}

impl Act {
    /// It becomes a requirement.
    pub(super) fn is_request(self) -> bool {
        matches!(self, Self::Add | Self::App | Self::Modify | Self::Fix | Self::Bug | Self::Remove)
    }
}

/// What was read of a stretch of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reading {
    pub act: Act,
    /// Where what it is about begins: a token.
    pub object: usize,
    /// Where the words that matter begin: a token.
    pub start: usize,
    /// It speaks of something that was named before: "it", "the page".
    pub refers: bool,
}

impl Reading {
    /// Nothing yet, from a token on.
    pub(super) fn at(start: usize) -> Self {
        Self { act: Act::Fragment, object: start, start, refers: false }
    }
}
