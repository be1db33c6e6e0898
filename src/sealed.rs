//! Texts with a checksum: a reader gets the complete text, or learns that it is torn.

use sha1::{Digest, Sha1};

/// The text with its checksum on a last line, and the checksum.
pub(crate) fn seal(text: &str) -> (String, String) {
    let sum = checksum(text);
    (format!("{text}\n{sum}\n"), sum)
}

/// The text that was sealed, and its checksum; `None` if the bytes are damaged.
pub(crate) fn unseal(bytes: &[u8]) -> Option<(&str, &str)> {
    let (text, sum) = std::str::from_utf8(bytes).ok()?.strip_suffix('\n')?.rsplit_once('\n')?;
    (sum == checksum(text)).then_some((text, sum))
}

/// The id that `git hash-object` prints for the text.
fn checksum(text: &str) -> String {
    let hash = Sha1::new().chain_update(format!("blob {}\0", text.len())).chain_update(text);
    crate::hex::of(&hash.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_or_missing_byte_is_noticed() {
        for text in ["", "one", "two\nlines\n🍓"] {
            let (sealed, sum) = seal(text);
            let bytes = sealed.into_bytes();
            assert_eq!(unseal(&bytes), Some((text, sum.as_str())));
            assert!((0..bytes.len()).all(|end| unseal(&bytes[..end]).is_none()));
            for at in 0..bytes.len() {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1;
                assert_eq!(unseal(&damaged), None, "byte {at}");
            }
        }
    }

    #[test]
    fn stored_texts_stay_readable() {
        let sum = "ce013625030ba8dba906f756967f9e9ca394464a";
        assert_eq!(unseal(format!("hello\n\n{sum}\n").as_bytes()), Some(("hello\n", sum)));
    }
}
