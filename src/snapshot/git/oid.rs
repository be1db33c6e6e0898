//! The id of a git object.

use crate::hex;
use sha1::{Digest, Sha1};
use std::fmt;

/// A SHA-1 id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Oid([u8; 20]);

impl Oid {
    /// Reads 40 hex digits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
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

    /// The id that git gives an object of this kind (`blob`, `tree`, `commit`) with this body.
    pub(crate) fn of_object(kind: &str, body: &[u8]) -> Self {
        let header = format!("{kind} {}\0", body.len());
        Self(Sha1::new().chain_update(header).chain_update(body).finalize().into())
    }

    /// The id of the bytes of a file, or of a link's target.
    pub(crate) fn of_blob(bytes: &[u8]) -> Self {
        Self::of_object("blob", bytes)
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    pub(crate) fn as_bytes(&self) -> &[u8; 20] {
        &self.0
    }
}

impl fmt::Display for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(&self.0))
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
    fn ids_are_those_of_git() {
        assert_eq!(Oid::of_blob(b"").to_string(), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
        assert_eq!(Oid::of_blob(b"hello\n").to_string(), "ce013625030ba8dba906f756967f9e9ca394464a");
        assert_eq!(Oid::of_object("tree", b"").to_string(), "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
    }

    #[test]
    fn only_forty_hex_digits_are_an_id() {
        let text = "ce013625030ba8dba906f756967f9e9ca394464a";
        assert_eq!(Oid::parse(text).map(|oid| oid.to_string()).as_deref(), Some(text));
        for bad in ["", "ce01", &text[1..], &format!("{text}0"), &text.replace("ce", "+e"), &"é".repeat(20)] {
            assert_eq!(Oid::parse(bad), None, "{bad}");
        }
    }
}
