//! Trees that are small and refer to the same part again and again.

use crate::growth::targets::ready;
use loopgate::ErrorCode;
use loopgate::port::memory::{MemoryGit, MemoryHost};
use loopgate::port::{Commit, EntryKind, GitPort, Person, TreeEntry};
use loopgate::snapshot;

/// A tree of so many levels, each of which refers twice to the next one.
fn doubled(git: &MemoryGit, levels: usize) -> String {
    let entry = |name: &str, mode: &str, kind, oid: &str| TreeEntry {
        path: name.to_owned(),
        mode: mode.to_owned(),
        kind,
        oid: oid.to_owned(),
    };
    let blob = ready(git.write_blob(b"a")).unwrap();
    let mut tree = ready(git.write_tree(&[entry("a", "100644", EntryKind::Blob, &blob)])).unwrap();
    for _ in 0..levels {
        let both = ["a", "b"].map(|name| entry(name, "040000", EntryKind::Tree, &tree));
        tree = ready(git.write_tree(&both)).unwrap();
    }
    tree
}

#[test]
fn a_tree_that_refers_twice_to_each_level_is_an_error_and_changes_nothing() {
    let mut host = MemoryHost::new([("src/a.ts", "a\n")]);
    host.git = Some(MemoryGit::new(&host.fs, "/project/.git"));
    let git = host.git.as_ref().unwrap();
    let author = Person { name: "U".into(), email: "u@x".into(), timestamp: 1, timezone_offset: 0 };
    let commit = Commit { tree: doubled(git, 40), parents: Vec::new(), message: "theirs\n".to_owned(), author };
    let commit = ready(git.write_commit(&commit)).unwrap();
    ready(git.write_ref("refs/tags/theirs", &commit)).unwrap();
    let error = ready(snapshot::rollback(&host, "refs/tags/theirs", false)).unwrap_err();
    assert!(error.code == ErrorCode::Unsupported && error.message.contains("too many"), "{error}");
    assert_eq!(host.text("src/a.ts").as_deref(), Some("a\n"));
}
