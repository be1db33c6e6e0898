//! Real git reads what snapshots write, and snapshots read what real git writes.

use super::disk::Disk;
use crate::snapshot::project::{files, git, project, save};
use loopgate::port::memory::MemoryHost;
use loopgate::snapshot;

fn odd_project() -> MemoryHost {
    let host = project([("a.txt", "1"), ("deep/er/b", "2"), ("deep-er/c", "3"), ("deep.er", "4"), ("empty", "")]);
    host.put("with space \"quoted\" 🍓.md", "odd");
    host.fs.put("/project/binary", (0..=255).collect::<Vec<u8>>());
    host.put("run.sh", "#!/bin/sh\n");
    host.fs.set_mode("/project/run.sh", 0o755);
    host.fs.put_link("/project/link", "a.txt");
    host
}

#[tokio::test]
async fn git_finds_nothing_to_complain_of_and_checks_out_the_same_files() {
    let host = odd_project();
    let options = snapshot::SaveOptions {
        tag: Some("task-1-pre".to_owned()),
        message: Some("first \"x\"".to_owned()),
        ..snapshot::SaveOptions::default()
    };
    snapshot::save(&host, &options).await.unwrap();
    let before = files(&host);
    host.put("a.txt", "changed");
    host.fs.delete("/project/deep");
    save(&host, "task-1-post").await;
    let after = files(&host);
    snapshot::rollback(&host, "task-1-pre", false).await.unwrap();

    let disk = Disk::new("fsck");
    disk.copy_from(&host).await;
    let complaints = disk.git(&["fsck", "--strict", "--full", "--no-dangling"], b"").unwrap();
    assert_eq!(String::from_utf8_lossy(&complaints), "");
    let subject = disk.git(&["log", "-1", "--format=%s", "task-1-pre"], b"").unwrap();
    assert_eq!(String::from_utf8_lossy(&subject), "first \"x\"\n");
    for (tag, expected) in [("task-1-post", after), ("task-1-pre", before)] {
        disk.git(&["checkout", "--force", tag], b"").unwrap();
        disk.git(&["clean", "--force", "-d"], b"").unwrap();
        assert_eq!(disk.git(&["status", "--porcelain"], b"").unwrap(), b"");
        let copy = project([]);
        disk.copy_to("", &copy);
        assert_eq!(files(&copy), expected, "{tag}");
    }
}

#[tokio::test]
async fn git_reads_a_pack_that_a_snapshot_wrote() {
    let host = crate::snapshot::packs::large_project(100);
    let before = files(&host);
    save(&host, "task-1-pre").await;
    let disk = Disk::new("packs");
    disk.copy_from(&host).await;
    assert_eq!(disk.git(&["fsck", "--strict", "--full", "--no-dangling"], b"").unwrap(), b"");
    let pack = host.fs.tree("/project/.git/objects/pack").into_keys().find(|path| path.ends_with(".idx")).unwrap();
    let verified = disk.git(&["verify-pack", "--verbose", pack.trim_start_matches("/project/")], b"").unwrap();
    assert!(String::from_utf8_lossy(&verified).contains(": ok"), "{}", String::from_utf8_lossy(&verified));
    disk.git(&["checkout", "--force", "task-1-pre"], b"").unwrap();
    assert_eq!(disk.git(&["status", "--porcelain"], b"").unwrap(), b"");
    // The index that git makes of the same pack is the same.
    let ours = host.fs.get(&pack).unwrap();
    let bytes = host.fs.get(&pack.replace(".idx", ".pack")).unwrap();
    disk.write("again.pack", &bytes);
    disk.git(&["index-pack", "--index-version=2", "again.pack"], b"").unwrap();
    let mut theirs = project([]);
    theirs.git = None;
    disk.copy_to("", &theirs);
    assert_eq!(theirs.fs.get("/project/again.idx").unwrap(), ours);
    let copy = project([]);
    disk.git(&["repack", "-a", "-d", "--quiet"], b"").unwrap();
    disk.git(&["clean", "--force", "--quiet"], b"").unwrap();
    disk.copy_to("", &copy);
    assert_eq!(files(&copy), before);
}

#[tokio::test]
async fn a_rollback_to_tags_that_git_wrote() {
    let disk = Disk::new("user-tags");
    disk.copy_from(&odd_project()).await;
    disk.git(&["init", "--quiet", "--initial-branch=main"], b"").unwrap();
    disk.git(&["add", "--all"], b"").unwrap();
    disk.git(&["commit", "--quiet", "--message=release"], b"").unwrap();
    disk.git(&["tag", "light"], b"").unwrap();
    disk.git(&["tag", "--annotate", "--message=words", "annotated"], b"").unwrap();
    let host = project([]);
    disk.copy_to("", &host);
    let released = files(&host);

    let info = save(&host, "base").await;
    assert_eq!((info.changed, info.files as usize), (0, released.len()), "git would see no change either");
    for tag in ["refs/tags/light", "refs/tags/annotated", "refs/heads/main"] {
        host.put("a.txt", "work");
        host.put("new/file", "work");
        host.fs.delete("/project/deep");
        let done = snapshot::rollback(&host, tag, false).await.unwrap();
        assert_eq!(
            (done.restored, done.deleted),
            (vec!["a.txt".to_owned(), "deep/er/b".to_owned()], vec!["new/file".to_owned()])
        );
        assert_eq!(files(&host), released, "{tag}");
        assert!(snapshot::verify(&host, tag).await.unwrap().ok);
    }
    let back = Disk::new("user-tags-back");
    back.copy_from(&host).await;
    assert_eq!(back.git(&["status", "--porcelain"], b"").unwrap(), b"", "index and HEAD are as git left them");
    assert_eq!(back.git(&["fsck", "--strict", "--no-dangling"], b"").unwrap(), b"");
}

#[tokio::test]
async fn a_users_annotation_on_a_snapshot_does_not_become_a_parent() {
    let host = project([("a.txt", "1")]);
    save(&host, "one").await;
    let disk = Disk::new("annotation");
    disk.copy_from(&host).await;
    disk.git(&["tag", "--annotate", "--message=words", "zzz", "one"], b"").unwrap();
    let host = project([]);
    disk.copy_to("", &host);
    host.put("a.txt", "2");
    let two = save(&host, "two").await;
    let parents = loopgate::port::GitPort::read_commit(git(&host), &two.oid).await.unwrap().parents;
    assert_eq!(parents, [git(&host).refs()["refs/tags/one"].clone()]);
    assert_eq!(snapshot::list(&host).await.unwrap().len(), 3);
}
