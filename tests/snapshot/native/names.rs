//! Commits of a run in repositories with names that are not UTF-8, and with other trees that the core would not write.

use super::disk::Disk;
use crate::snapshot::branch::{BRANCH, acceptance, changes_of};
use crate::snapshot::project::{git, project};
use loopgate::port::GitPort;
use loopgate::port::memory::MemoryHost;
use loopgate::snapshot::Watch;
use loopgate::snapshot::branch::{self, Accepted};

/// A repository with these entries, in any encoding, beside `src/a`. The files of the working tree are those in UTF-8.
fn repository(name: &str, entries: &[&[u8]]) -> (MemoryHost, Disk) {
    let disk = Disk::new(name);
    disk.write("src/a", b"1\n");
    disk.git(&["init", "--quiet", "--initial-branch=main"], b"").unwrap();
    disk.git(&["add", "--all"], b"").unwrap();
    let mut info = Vec::new();
    let blob = disk.git(&["hash-object", "-w", "--stdin"], b"1\n").unwrap();
    for path in entries {
        info.extend([b"100644 ", blob.trim_ascii(), b"\t", path, b"\0"].concat());
        if let Ok(path) = std::str::from_utf8(path) {
            disk.write(path, b"1\n");
        }
    }
    disk.git(&["update-index", "-z", "--index-info"], &info).unwrap();
    disk.git(&["commit", "--quiet", "--message=one"], b"").unwrap();
    let host = project([]);
    disk.copy_to("", &host);
    (host, disk)
}

/// Commits what `work` changes.
async fn commit(host: &MemoryHost, work: impl FnOnce(&MemoryHost)) -> Accepted {
    let base = branch::switch(host, &Watch::default(), BRANCH, None).await.unwrap().commit;
    let changes = changes_of(host, work).await;
    branch::accept(host, &acceptance(base.as_deref(), &changes)).await.unwrap()
}

/// What git says of the project after the commit: the changed files, and all files with their modes and blobs.
async fn git_says(host: &MemoryHost, name: &str) -> (String, Vec<u8>) {
    let disk = Disk::new(name);
    disk.copy_from(host).await;
    let changes = disk.git(&["diff", "--name-status", "HEAD~1", "HEAD"], b"").unwrap();
    (String::from_utf8(changes).unwrap(), disk.git(&["ls-tree", "-r", "-z", "HEAD"], b"").unwrap())
}

#[tokio::test]
async fn a_commit_keeps_the_names_of_other_folders_byte_for_byte() {
    let entries: [&[u8]; 4] = [b"latin/caf\xe9", b"latin/caf\xe8", b"latin/other", "utf-8/caf\u{fffd}".as_bytes()];
    let (host, before) = repository("latin-1", &entries);
    let accepted = commit(&host, |host| host.put("src/a", "2\n")).await;
    assert!(matches!(&accepted, Accepted::Committed { files, .. } if files.len() == 1), "{accepted:?}");
    let (changes, files) = git_says(&host, "latin-1-back").await;
    assert_eq!(changes, "M\tsrc/a\n");
    let latin = |files: &[u8]| -> Vec<Vec<u8>> {
        files.split(|byte| *byte == 0).filter(|line| !line.ends_with(b"src/a")).map(<[u8]>::to_vec).collect()
    };
    assert_eq!(latin(&files), latin(&before.git(&["ls-tree", "-r", "-z", "HEAD"], b"").unwrap()));

    let index = |host: &MemoryHost| host.fs.get("/project/.git/index").unwrap();
    assert!(index(&host).windows(4).any(|bytes| bytes == b"caf\xe9"));

    // A name that has the replacement character in UTF-8 is exact.
    let accepted = commit(&host, |host| host.put("utf-8/new", "2\n")).await;
    assert!(matches!(accepted, Accepted::Committed { .. }), "{accepted:?}");
    assert_eq!(git_says(&host, "latin-1-again").await.0, "A\tutf-8/new\n");
}

#[tokio::test]
async fn names_that_are_not_utf_8_make_no_new_index() {
    let (host, _) = repository("latin-1-index", &[b"latin/caf\xe9"]);
    host.fs.delete("/project/.git/index");
    let accepted = commit(&host, |host| host.put("src/a", "2\n")).await;
    assert!(matches!(accepted, Accepted::Committed { .. }), "{accepted:?}");
    assert_eq!(host.fs.get("/project/.git/index"), None);
}

#[tokio::test]
async fn a_switch_keeps_names_that_are_not_utf_8_in_the_index() {
    let (_, disk) = repository("latin-1-switch", &[b"latin/caf\xe9", b"latin/other"]);
    disk.git(&["branch", BRANCH], b"").unwrap();
    disk.write("src/a", b"2\n");
    disk.write("latin/other", b"2\n");
    disk.git(&["commit", "--quiet", "--message=two", "src/a", "latin/other"], b"").unwrap();
    let host = project([]);
    disk.copy_to("", &host);
    branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap();
    assert_eq!(host.text("latin/other").as_deref(), Some("1\n"));
    let switched = Disk::new("latin-1-switch-back");
    switched.copy_from(&host).await;
    assert_eq!(switched.git(&["diff", "--cached", "--name-status"], b"").unwrap(), b"");
}

#[tokio::test]
async fn a_change_below_a_folder_with_a_name_that_is_not_utf_8_is_not_committed() {
    for (entry, changed) in [
        (&b"latin/caf\xe9"[..], "latin/new"),
        (b"latin/caf\xe9", "latin/below/new"),
        (b"latin/caf\xe9/file", "latin/new"),
        (b"caf\xe9", "src/a"),
    ] {
        let (host, _) = repository("latin-1-refused", &[entry]);
        let head = branch::head(&host).await.unwrap().commit;
        let accepted = commit(&host, |host| host.put(changed, "2\n")).await;
        assert_eq!(accepted, Accepted::Unmergeable { paths: vec![changed.to_owned()] });
        assert_eq!(branch::head(&host).await.unwrap().commit, head);
    }
}

#[tokio::test]
async fn trees_that_the_core_would_not_write_stay_unless_a_file_beside_them_changes() {
    let disk = Disk::new("odd-trees");
    disk.git(&["init", "--quiet", "--initial-branch=main"], b"").unwrap();
    let made =
        |args: &[&str], input: &[u8]| String::from_utf8(disk.git(args, input).unwrap()).unwrap().trim().to_owned();
    let blob = made(&["hash-object", "-w", "--stdin"], b"1\n");
    let oid: Vec<u8> = (0..20).map(|at| u8::from_str_radix(&blob[at * 2..at * 2 + 2], 16).unwrap()).collect();
    let literal = |head: &[u8]| {
        made(&["hash-object", "--literally", "-t", "tree", "-w", "--stdin"], &[head, b"\0", &oid].concat())
    };
    let (dotted, group) = (literal(b"100644 .."), literal(b"100664 file"));
    let empty = made(&["mktree"], b"");
    let odd = made(&["mktree"], format!("040000 tree {dotted}\tdotted\n040000 tree {group}\tgroup\n").as_bytes());
    let kept = made(&["mktree"], format!("040000 tree {empty}\tempty\n100644 blob {blob}\tfile\n").as_bytes());
    let plain = made(&["mktree"], format!("100644 blob {blob}\ta\n").as_bytes());
    let entries = format!("040000 tree {kept}\tkept\n040000 tree {odd}\todd\n040000 tree {plain}\tsrc\n");
    let root = made(&["mktree"], entries.as_bytes());
    let base = made(&["commit-tree", "-m", "one", &root], b"");
    disk.git(&["update-ref", "refs/heads/main", &base], b"").unwrap();
    for path in ["src/a", "kept/file", "odd/group/file"] {
        disk.write(path, b"1\n");
    }
    let host = project([]);
    disk.copy_to("", &host);

    let accepted = commit(&host, |host| host.put("src/a", "2\n")).await;
    let Accepted::Committed { commit: made, warnings, .. } = accepted else { panic!("{accepted:?}") };
    assert!(warnings.iter().any(|warning| warning.contains("invalid entry")), "{warnings:?}");
    let tree = git(&host).read_commit(&made).await.unwrap().tree;
    let oids: Vec<String> = git(&host).read_tree(&tree).await.unwrap().into_iter().map(|entry| entry.oid).collect();
    assert_eq!(oids[..2], [kept, odd]);

    for path in ["kept/file", "odd/dotted/new", "odd/new"] {
        let accepted = commit(&host, |host| host.put(path, "2\n")).await;
        let expected = Accepted::Unmergeable { paths: vec![path.to_owned()] };
        assert_eq!(accepted, expected);
        host.put(path, "1\n");
        if path != "kept/file" {
            host.fs.delete(&format!("/project/{path}"));
        }
    }
}
