//! Seals of the harness's state: a reader gets what this user's harness wrote in this project, completely, or learns that it
//! did not.

use hmac::digest::KeyInit;
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};

/// The secret that seals the state of the harness. It is not in the project, so state from elsewhere does not verify.
#[derive(Clone)]
pub struct StateKey(Option<Hmac<Sha256>>);

impl StateKey {
    /// Nothing verifies with it.
    pub const NONE: Self = Self(None);

    /// The key of a secret of any length; at least 16 random bytes are hard to guess.
    pub fn new(secret: &[u8]) -> Self {
        let mut block = hmac::digest::Key::<Hmac<Sha256>>::default();
        block.iter_mut().zip(Sha256::digest(secret)).for_each(|(byte, of_secret)| *byte = of_secret);
        Self(Some(Hmac::new(&block)))
    }

    /// The key of one of the user's projects. State that is copied to another one does not verify.
    #[must_use]
    pub fn of_project(&self, project: &str) -> Self {
        Self(self.0.clone().map(|mac| mac.chain_update(project).chain_update([0])))
    }

    /// The seal of a text, in hex digits: 64, or none without a key. A text that is moved to another `place` does not verify.
    pub fn sign(&self, place: &str, text: &str) -> String {
        let Some(mac) = &self.0 else { return String::new() };
        let signed = mac.clone().chain_update(place).chain_update([0]).chain_update(text);
        crate::hex::encode(&signed.finalize().into_bytes())
    }

    /// Whether `seal` is the beginning of the text's seal.
    pub(crate) fn verifies(&self, place: &str, text: &str, seal: &str) -> bool {
        !seal.is_empty() && self.sign(place, text).starts_with(seal)
    }
}

/// What the bytes of a sealed file are.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unsealed<'a> {
    Text(&'a str),
    /// A write was interrupted.
    Torn,
    /// A complete file that was sealed with another key, for another project, or by an older release.
    Foreign,
}

impl<'a> Unsealed<'a> {
    pub(crate) fn text(self) -> Option<&'a str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }
}

/// The text with its seal on a last line.
pub(crate) fn seal(key: &StateKey, place: &str, text: &str) -> String {
    format!("{text}\n{}\n", key.sign(place, text))
}

/// The text that was sealed.
pub(crate) fn unseal<'a>(key: &StateKey, place: &str, bytes: &'a [u8]) -> Unsealed<'a> {
    let whole = std::str::from_utf8(bytes).ok().and_then(|text| text.strip_suffix('\n')?.rsplit_once('\n'));
    match whole {
        Some((text, seal)) if seal.len() == SEAL && key.verifies(place, text, seal) => Unsealed::Text(text),
        Some((_, seal)) if is_seal(seal) => Unsealed::Foreign,
        _ => Unsealed::Torn,
    }
}

const SUM_KEY: &str = r#","sum":""#;

/// The JSON text of an object with its seal as the last field, so that others can read it.
pub(crate) fn seal_json(key: &StateKey, place: &str, json: &str) -> String {
    let open = json.strip_suffix('}').unwrap_or(json);
    format!("{open}{SUM_KEY}{}\"}}\n", key.sign(place, open))
}

/// Whether a JSON text has its seal.
pub(crate) fn is_sealed_json(key: &StateKey, place: &str, text: &str) -> bool {
    let parts = text.rsplit_once(SUM_KEY).and_then(|(open, rest)| Some((open, rest.strip_suffix("\"}\n")?)));
    parts.is_some_and(|(open, seal)| seal.len() == SEAL && key.verifies(place, open, seal))
}

/// Hex digits of a seal.
const SEAL: usize = 64;

/// Whether a text has the form of a seal, or of a checksum of an older release.
pub(crate) fn is_seal(text: &str) -> bool {
    text.len() >= 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_or_missing_byte_is_noticed() {
        let key = StateKey::new(b"secret");
        for text in ["", "one", "two\nlines\n🍓"] {
            let bytes = seal(&key, "place", text).into_bytes();
            assert_eq!(unseal(&key, "place", &bytes), Unsealed::Text(text));
            for end in 0..bytes.len() {
                assert_eq!(unseal(&key, "place", &bytes[..end]), Unsealed::Torn, "{end} bytes of {text:?}");
            }
            for at in 0..bytes.len() {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1;
                assert_eq!(unseal(&key, "place", &damaged).text(), None, "byte {at}");
            }
        }
    }

    #[test]
    fn what_another_key_or_another_place_sealed_is_foreign() {
        let key = StateKey::new(b"secret");
        let sealed = seal(&key, "place", "text");
        for (key, place) in [(&StateKey::new(b"other"), "place"), (&StateKey::NONE, "place"), (&key, "elsewhere")] {
            assert_eq!(unseal(key, place, sealed.as_bytes()), Unsealed::Foreign, "{place}");
        }
        let of_older_release = b"hello\nb6fc4c620b67d95f953a5c1c1230aaab5db5a1b0\n";
        assert_eq!(unseal(&key, "place", of_older_release), Unsealed::Foreign);
        assert_ne!(unseal(&StateKey::NONE, "place", seal(&StateKey::NONE, "place", "x").as_bytes()).text(), Some("x"));
    }

    #[test]
    fn a_seal_holds_for_one_project() {
        let user = StateKey::new(b"secret");
        let (here, there) = (user.of_project("/here"), user.of_project("/there"));
        let sealed = seal(&here, "place", "text");
        assert_eq!(unseal(&here, "place", sealed.as_bytes()), Unsealed::Text("text"));
        for key in [&there, &user, &here.of_project("/here"), &StateKey::NONE.of_project("/here")] {
            assert_eq!(unseal(key, "place", sealed.as_bytes()), Unsealed::Foreign);
        }
    }

    #[test]
    fn sealed_json_is_json_and_every_change_is_noticed() {
        let key = StateKey::new(b"secret");
        let sealed = seal_json(&key, "place", r#"{"runs":[{"sum":"1"}]}"#);
        assert!(serde_json::from_str::<serde_json::Value>(&sealed).is_ok() && is_sealed_json(&key, "place", &sealed));
        assert!(!is_sealed_json(&key, "elsewhere", &sealed) && !is_sealed_json(&StateKey::NONE, "place", &sealed));
        for at in 0..sealed.len() {
            let mut damaged = sealed.clone().into_bytes();
            damaged[at] ^= 1;
            let text = String::from_utf8_lossy(&damaged);
            assert!(!is_sealed_json(&key, "place", &text), "byte {at}");
            assert!(!is_sealed_json(&key, "place", &sealed[..at]), "cut off at {at}");
        }
        assert!(!is_sealed_json(&key, "place", "{}"));
    }

    #[test]
    fn a_seal_is_the_hmac_of_the_place_and_the_text() {
        // `openssl dgst -sha256 -mac HMAC` computes the same, with the hash of the secret as the key.
        let sum = "bef806e1bcb1a2d42aa6194ef9fb07e36912a7c9cb22369fc4b0fb037cfb48cd";
        assert_eq!(StateKey::new(b"secret").sign("place", "text"), sum);
    }
}
