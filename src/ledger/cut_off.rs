//! A call whose page was closed, and whose the changes since are. Times decide: the times of the files, and the last one at
//! which the page was alive.

use super::ChangedBy;
use crate::snapshot::Entry;
use serde::{Deserialize, Serialize};

/// A call that may change any file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Call {
    /// Its name for the user.
    pub what: String,
    pub by: ChangedBy,
    /// What it changes is taken back.
    pub is_undone: bool,
    /// The commit of HEAD at its begin, if it may not move HEAD.
    pub head: Option<String>,
    /// In milliseconds since the epoch.
    pub began: u64,
    /// When its page was alive last; `None` while it may be.
    pub closed: Option<u64>,
}

/// A change that an interrupted call or the user made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Unclear {
    /// The call.
    pub what: String,
    pub before: Option<Entry>,
    pub after: Option<Entry>,
}

/// Who made a change since a call began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claim {
    User,
    /// The call, which is taken back.
    Undone,
    /// The call or the user.
    Unclear,
}

impl Call {
    /// Who made a change that is in the working tree of a resumed run. `changed` is the time of the file in milliseconds since
    /// the epoch; `None` for a deleted one.
    pub(crate) fn claim(&self, changed: Option<f64>) -> Claim {
        let (began, closed) = (self.began as f64, self.closed.unwrap_or(self.began) as f64);
        match changed {
            Some(changed) if changed > closed => Claim::User,
            // A file of the very millisecond may be later, and so may one whose time is rounded.
            Some(changed) if self.is_undone && began <= changed && latest(changed) < closed => Claim::Undone,
            _ => Claim::Unclear,
        }
    }
}

/// When a file with this time may have been changed: file systems round down to a second, or to two.
fn latest(changed: f64) -> f64 {
    if changed % 1_000.0 == 0.0 { changed + 2_000.0 } else { changed }
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_file_decides_who_changed_it() {
        use Claim::{Unclear as Either, Undone, User};
        const TABLE: [(Option<f64>, Claim, Claim); 9] = [
            (Some(2_001.0), User, User),
            (Some(2_000.5), User, User),
            (Some(2_000.0), Either, Either),
            (Some(1_999.9), Either, Undone),
            (Some(1_000.1), Either, Undone),
            // The time may be rounded.
            (Some(1_000.0), Either, Either),
            // A file that was moved or copied keeps its time.
            (Some(999.0), Either, Either),
            // The host has no times.
            (Some(0.0), Either, Either),
            (None, Either, Either),
        ];
        for (changed, kept, undone) in TABLE {
            for (is_undone, expected) in [(false, kept), (true, undone)] {
                let (what, by) = ("shell".to_owned(), ChangedBy::Agent);
                let call = Call { what, by, is_undone, head: None, began: 1_000, closed: Some(2_000) };
                assert_eq!(call.claim(changed), expected, "{changed:?}, undone: {is_undone}");
            }
        }
    }

    #[test]
    fn without_a_time_of_the_end_only_the_begin_is_known() {
        let (what, by) = (String::new(), ChangedBy::Harness);
        let call = Call { what, by, is_undone: true, head: None, began: 1_000, closed: None };
        assert_eq!([call.claim(Some(1_001.0)), call.claim(Some(1_000.0))], [Claim::User, Claim::Unclear]);
    }
}
