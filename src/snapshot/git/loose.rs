//! The file in which git keeps an object alone.

use super::oid::Oid;
use super::zlib;

/// What the file of an object of this kind (`blob`, `tree`, `commit`) holds.
pub(in crate::snapshot) fn file(kind: &str, body: &[u8]) -> Vec<u8> {
    let mut object = format!("{kind} {}\0", body.len()).into_bytes();
    object.extend_from_slice(body);
    let mut file = Vec::new();
    zlib::push_stored(&mut file, &object);
    file
}

/// The body of the object of this kind with this id; nothing where the file is compressed, or damaged: git tells then.
pub(in crate::snapshot) fn body(mut file: Vec<u8>, kind: &str, oid: Oid) -> Option<Vec<u8>> {
    zlib::take_stored(&mut file)?;
    let start = file.iter().position(|byte| *byte == 0)? + 1;
    file.drain(..start);
    (Oid::of(kind, &file) == oid).then_some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_comes_back_and_nothing_else_does() {
        for size in [0, 1, 70_000] {
            let bytes = vec![b'x'; size];
            let oid = Oid::of_blob(&bytes);
            let file = file("blob", &bytes);
            assert_eq!(body(file.clone(), "tree", oid), None);
            assert_eq!(body(file.clone(), "blob", Oid::of_blob(b"other")), None);
            assert_eq!(body(file.clone(), "blob", oid), Some(bytes));
            let compressed = miniz_oxide::deflate::compress_to_vec_zlib(b"blob 1\0x", 6);
            assert_eq!(body(compressed, "blob", Oid::of_blob(b"x")), None);
        }
    }

    #[test]
    fn a_damaged_file_gives_nothing_but_what_it_should() {
        let bytes = b"one\ntwo\n";
        let (file, oid) = (file("blob", bytes), Oid::of_blob(bytes));
        for end in 0..file.len() - 4 {
            assert_eq!(body(file[..end].to_vec(), "blob", oid), None, "cut off at {end}");
        }
        for at in 0..file.len() {
            let mut damaged = file.clone();
            damaged[at] ^= 1;
            assert!(body(damaged, "blob", oid).is_none_or(|found| found == bytes), "byte {at}");
        }
    }
}
