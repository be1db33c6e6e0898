//! Git's index after a commit: real git reads what the user staged.

use super::branch::{STATUS, git_says, read_by_memory};
use super::disk::{Disk, read};
use crate::snapshot::branch::{BRANCH, acceptance, changes_of};
use crate::snapshot::project::files;
use loopgate::ErrorCode;
use loopgate::port::memory::MemoryHost;
use loopgate::snapshot::Watch;
use loopgate::snapshot::branch::{self, Accepted};

const LINES: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";

fn run(disk: &Disk, command: &str) -> String {
    String::from_utf8(disk.git(&command.split(' ').collect::<Vec<_>>(), b"").unwrap()).unwrap()
}

fn repository(name: &str) -> Disk {
    let disk = Disk::new(name);
    for path in ["a", "b", "dir/x", "other/y"] {
        disk.write(path, LINES.as_bytes());
    }
    run(&disk, "init --quiet --initial-branch=main");
    run(&disk, "add --all");
    run(&disk, "commit --quiet --message=one");
    disk
}

/// What the agent does.
fn work(host: &MemoryHost) {
    host.put("a", &LINES.replace('1', "agent"));
    host.put("new", "agent\n");
    host.fs.delete("/project/b");
}

/// Commits the work twice, as after a crash, beside what the user has staged. Returns the warnings.
async fn commit(host: &MemoryHost) -> Vec<String> {
    let base = branch::switch(host, &Watch::default(), BRANCH, None).await.unwrap().commit;
    let changes = changes_of(host, work).await;
    let acceptance = acceptance(base.as_deref(), &changes);
    let accepted = branch::accept(host, &acceptance).await.unwrap();
    let index = host.fs.get("/project/.git/index");
    assert_eq!(branch::accept(host, &acceptance).await.unwrap(), accepted);
    assert_eq!(host.fs.get("/project/.git/index"), index);
    let Accepted::Committed { warnings, .. } = accepted else { panic!("{accepted:?}") };
    warnings
}

#[tokio::test]
async fn what_the_user_staged_in_a_file_that_the_agent_changed_stays_staged() {
    let staged = LINES.replace('9', "user");
    for working in [LINES, &staged] {
        let disk = repository("index-merged");
        disk.write("a", staged.as_bytes());
        run(&disk, "add a");
        disk.write("a", working.as_bytes());
        let host = read_by_memory(&disk);
        assert_eq!(commit(&host).await, [""; 0]);
        let said = git_says(&host, "index-merged-back", &["show :a", "diff --cached --numstat", "show HEAD:a"]).await;
        assert_eq!(said[0], staged.replace('1', "agent"));
        assert_eq!(said[1], "1\t1\ta\n");
        assert_eq!(said[2], LINES.replace('1', "agent"), "the commit has only the agent's line");
    }
}

#[tokio::test]
async fn what_the_user_staged_in_the_same_lines_stays_and_a_warning_names_the_file() {
    for (name, path, left) in [
        ("the same line", "a", "a"),
        ("a file that the agent deleted", "b", "b"),
        ("a file that the agent made", "new", "new"),
        ("a folder in place of a file", "new/x", "new"),
    ] {
        let disk = repository("index-left");
        disk.write(path, b"user\n");
        run(&disk, "add --all");
        let expected = run(&disk, "diff --cached");
        // The working tree is as in the commit.
        run(&disk, "stash --quiet");
        run(&disk, "read-tree stash@{0}^2");
        let host = read_by_memory(&disk);
        assert_eq!(git_says(&host, "index-left-before", &["diff --cached"]).await, [expected], "{name}");
        let warnings = commit(&host).await.concat();
        assert!(warnings.contains("staged") && warnings.ends_with(left), "{name}: {warnings}");
        let said = git_says(&host, "index-left-back", &[&format!("show :{path}")]).await;
        assert_eq!(said, ["user\n"], "{name}");
    }
}

#[tokio::test]
async fn an_intention_to_add_and_a_staged_change_that_is_the_same_are_no_conflict() {
    let disk = repository("index-same");
    disk.write("new", b"");
    run(&disk, "add --intent-to-add new");
    run(&disk, "rm --quiet --cached b");
    let host = read_by_memory(&disk);
    assert_eq!(commit(&host).await, [""; 0]);
    assert_eq!(git_says(&host, "index-same-back", &[STATUS]).await, [""]);
}

#[tokio::test]
async fn a_split_or_sparse_index_is_refused_and_what_the_error_says_makes_the_commit_possible() {
    for (make, remedy) in [
        ("update-index --split-index", "update-index --no-split-index"),
        ("sparse-checkout set --cone --sparse-index dir", "sparse-checkout reapply --no-sparse-index"),
    ] {
        let disk = repository("index-form");
        run(&disk, make);
        disk.write("staged", b"user\n");
        run(&disk, "add staged");
        let status = run(&disk, STATUS);
        let host = read_by_memory(&disk);
        let base = branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap().commit;
        let changes = changes_of(&host, work).await;
        let (acceptance, before) = (acceptance(base.as_deref(), &changes), files(&host));
        let error = branch::accept(&host, &acceptance).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::Unsupported);
        assert!(error.message.contains(remedy), "{error}");
        assert_eq!(files(&host), before);
        assert_eq!(branch::head(&host).await.unwrap().commit, base);

        run(&disk, remedy);
        host.fs.put("/project/.git/index", read(&disk.path(".git/index")));
        assert!(matches!(branch::accept(&host, &acceptance).await.unwrap(), Accepted::Committed { .. }));
        assert_eq!(git_says(&host, "index-form-back", &["status --porcelain -uno"]).await, [status]);
    }
}
