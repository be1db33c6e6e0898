//! Git's object formats, as far as [`super::MemoryGit`] needs them.

use crate::port::{EntryKind, TreeEntry};

fn unhex(text: &str) -> Option<Vec<u8>> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok()).collect()
}

/// The body of a tree, its entries in git's order. A name that comes twice or an id that is none is refused.
pub(super) fn encode_tree(entries: &[TreeEntry]) -> Result<Vec<u8>, String> {
    let mut sorted: Vec<&TreeEntry> = entries.iter().collect();
    sorted.sort_by_key(
        |entry| {
            if entry.kind == EntryKind::Tree { format!("{}/", entry.path) } else { entry.path.clone() }
        },
    );
    let mut body = Vec::new();
    for (index, entry) in sorted.iter().enumerate() {
        if sorted.iter().skip(index + 1).any(|other| other.path == entry.path) {
            return Err(format!("{:?} comes twice", entry.path));
        }
        let oid = unhex(&entry.oid).filter(|oid| oid.len() == 20).ok_or(format!("{:?} is no id", entry.oid))?;
        body.extend_from_slice(format!("{} {}\0", entry.mode.trim_start_matches('0'), entry.path).as_bytes());
        body.extend_from_slice(&oid);
    }
    Ok(body)
}

/// What an annotated tag points to.
pub(super) fn tag_target(body: &[u8]) -> Option<String> {
    String::from_utf8_lossy(body).lines().next()?.strip_prefix("object ").map(str::to_owned)
}
