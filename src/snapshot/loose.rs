//! The file in which git keeps an object alone.

use super::zlib;

/// What the file of an object of this kind (`blob`, `tree`, `commit`) holds.
pub fn file(kind: &str, body: &[u8]) -> Vec<u8> {
    let mut object = format!("{kind} {}\0", body.len()).into_bytes();
    object.extend_from_slice(body);
    let mut file = Vec::new();
    zlib::push_stored(&mut file, &object);
    file
}
