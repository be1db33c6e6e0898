//! The id of a git object.

use crate::hex;
use sha1::{Digest, Sha1};
use std::fmt;

/// A SHA-1 id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::snapshot) struct Oid([u8; 20]);

impl Oid {
    /// 40 hex digits, or nothing.
    pub(in crate::snapshot) fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; 20];
        if text.len() != 40 {
            return None;
        }
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
            for digit in pair {
                *byte = (*byte << 4) | u8::try_from(char::from(*digit).to_digit(16)?).ok()?;
            }
        }
        Some(Self(bytes))
    }

    /// The id that git gives an object of this kind (`blob`, `tree`) with this body.
    pub(in crate::snapshot) fn of(kind: &str, body: &[u8]) -> Self {
        let mut hash = Sha1::new();
        hash.update(kind.as_bytes());
        hash.update(b" ");
        hash.update(body.len().to_string().as_bytes());
        hash.update(b"\0");
        hash.update(body);
        Self(hash.finalize().into())
    }

    /// The id of a file's or a link's bytes.
    pub(in crate::snapshot) fn of_blob(bytes: &[u8]) -> Self {
        Self::of("blob", bytes)
    }

    /// The 20 bytes, as they stand in a tree.
    pub(in crate::snapshot) fn as_bytes(&self) -> &[u8; 20] {
        &self.0
    }
}

impl fmt::Display for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::of(&self.0))
    }
}

impl fmt::Debug for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_as_git_does() {
        assert_eq!(Oid::of_blob(b"").to_string(), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
        assert_eq!(Oid::of_blob(b"hello\n").to_string(), "ce013625030ba8dba906f756967f9e9ca394464a");
        assert_eq!(Oid::of("tree", b"").to_string(), "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
    }

    #[test]
    fn reads_only_forty_hex_digits() {
        let text = "ce013625030ba8dba906f756967f9e9ca394464a";
        assert_eq!(Oid::parse(text).map(|oid| oid.to_string()).as_deref(), Some(text));
        for bad in ["", "ce01", &text[1..], &format!("{text}0"), &text.replace("ce", "+e"), &"é".repeat(20)] {
            assert_eq!(Oid::parse(bad), None, "{bad}");
        }
    }
}
