//! Bytes as lower-case hex digits, without the cost of `format!`: a snapshot writes thousands of ids.

/// Two digits for every byte.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    push(&mut text, bytes);
    text
}

/// Appends two digits for every byte.
pub(crate) fn push(text: &mut String, bytes: &[u8]) {
    for digit in bytes.iter().flat_map(|byte| [byte >> 4, byte & 0xf]) {
        text.push(char::from(if digit < 10 { b'0' + digit } else { b'a' + digit - 10 }));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_byte_has_two_digits() {
        let bytes: Vec<u8> = (0..=255).collect();
        let expected: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(super::encode(&bytes), expected);
        assert_eq!(super::encode(&[]), "");
    }
}
