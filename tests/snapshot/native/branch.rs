//! The branch of a run: real git judges the repository, and a plain model judges random histories.

use super::disk::Disk;
use crate::snapshot::branch::{
    BRANCH, Changes, Tree, accept, acceptance, changes_of, commit_tree, everything, tree_of,
};
use crate::snapshot::project::{files, git, project};
use loopgate::port::GitPort;
use loopgate::port::memory::MemoryHost;
use loopgate::snapshot::branch::{self, Acceptance, Accepted};
use loopgate::snapshot::{Entry, Watch};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// A repository that git made, with a file of every kind.
fn repository(name: &str) -> Disk {
    let disk = Disk::new(name);
    for (path, text) in [("a.txt", "1\n"), ("deep/er/b", "1\n"), ("deep-er", "1\n"), ("gone", "1\n"), ("mine", "1\n")] {
        disk.write(path, text.as_bytes());
    }
    disk.write(".gitignore", b"out/\n");
    std::os::unix::fs::symlink("a.txt", disk.path("link")).unwrap();
    disk.git(&["init", "--quiet", "--initial-branch=main"], b"").unwrap();
    disk.git(&["add", "--all"], b"").unwrap();
    disk.git(&["update-index", "--chmod=+x", "deep-er"], b"").unwrap();
    disk.git(&["commit", "--quiet", "--message=one"], b"").unwrap();
    disk.git(&["checkout", "--quiet", "--force", "main"], b"").unwrap();
    disk
}

pub(super) fn read_by_memory(disk: &Disk) -> MemoryHost {
    let host = project([]);
    disk.copy_to("", &host);
    host
}

/// What git says of a project: the output of these commands.
pub(super) async fn git_says(host: &MemoryHost, name: &str, commands: &[&str]) -> Vec<String> {
    let disk = Disk::new(name);
    disk.copy_from(host).await;
    assert_eq!(disk.git(&["fsck", "--strict", "--full", "--no-dangling"], b"").unwrap(), b"");
    let run = |command: &&str| disk.git(&command.split(' ').collect::<Vec<_>>(), b"").unwrap();
    commands.iter().map(|command| String::from_utf8(run(command)).unwrap()).collect()
}

pub(super) const STATUS: &str = "status --porcelain --untracked-files=all";

#[tokio::test]
async fn git_status_is_clean_after_each_commit_of_a_clean_project() {
    for index in ["2", "4", "absent", "damaged"] {
        let disk = repository("accept-clean");
        match index {
            "absent" => std::fs::remove_file(disk.path(".git/index")).unwrap(),
            "damaged" => disk.write(".git/index", b"DIRC\0\0\0\x02\0\0\0\x09"),
            version => drop(disk.git(&["update-index", "--index-version", version], b"").unwrap()),
        }
        let host = read_by_memory(&disk);
        host.put("out/ignored", "1");
        let main = branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap().commit;
        let mut base = main.clone();
        for number in 0..2 {
            let work = |host: &MemoryHost| {
                host.put("a.txt", &format!("chunk {number}\n"));
                host.put(&format!("new/{number}"), "1");
                host.fs.set_mode(&format!("/project/new/{number}"), 0o755);
                host.fs.delete(["/project/gone", "/project/deep/er"][number]);
                host.fs.put_link("/project/link", &format!("new/{number}"));
            };
            let changes = changes_of(&host, work).await;
            let message = "-m $(x) \"quoted\"\n\nbody";
            let acceptance = Acceptance { message, ..acceptance(base.as_deref(), &changes) };
            base = Some(accept(&host, &acceptance).await);
            let said = git_says(
                &host,
                "accept-clean-back",
                &[STATUS, "log -1 --format=%s%x00%b%x00%P%x00%an", "rev-parse main"],
            )
            .await;
            assert_eq!(said[0], "", "an index: {index}");
            let parent = git(&host).read_commit(base.as_ref().unwrap()).await.unwrap().parents;
            assert_eq!(said[1], format!("-m $(x) \"quoted\"\0body\n\0{}\0U\n", parent[0]));
            assert_eq!(said[2].trim(), main.as_ref().unwrap());
        }
        let log = git_says(&host, "accept-clean-log", &["log --format=%s --name-status -1", "ls-files --stage"]).await;
        assert!(
            log[0].contains("M\ta.txt") && log[0].contains("D\tdeep/er/b") && log[0].contains("A\tnew/1"),
            "{}",
            log[0]
        );
        assert!(log[1].contains("100755") && log[1].contains("120000"), "{}", log[1]);
    }
}

#[tokio::test]
async fn what_the_user_staged_changed_and_created_has_the_same_status_after_a_commit() {
    let disk = repository("accept-dirty");
    disk.write("staged", b"new\n");
    disk.write("mine", b"staged\n");
    disk.git(&["add", "staged", "mine"], b"").unwrap();
    disk.write("mine", b"dirty\n");
    disk.write("untracked", b"1\n");
    std::fs::remove_file(disk.path("gone")).unwrap();
    let expected = "D gone\nMM mine\nA  staged\n?? untracked\n".replacen('D', " D", 1);
    assert_eq!(String::from_utf8(disk.git(&["status", "--porcelain"], b"").unwrap()).unwrap(), expected);

    let host = read_by_memory(&disk);
    let base = branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap().commit;
    let work = |host: &MemoryHost| {
        host.put("a.txt", "2\n");
        host.put("new", "1\n");
    };
    let changes = changes_of(&host, work).await;
    accept(&host, &acceptance(base.as_deref(), &changes)).await;
    let said =
        git_says(&host, "accept-dirty-back", &[STATUS, "show --name-status --format=%P", "diff --cached --stat"]).await;
    assert_eq!(said[0], expected);
    assert_eq!(said[1], format!("{}\n\nM\ta.txt\nA\tnew\n", base.unwrap()));
    assert!(said[2].contains("staged"), "{}", said[2]);
}

#[tokio::test]
async fn the_first_commit_of_a_repository_is_read_by_git() {
    let host = project([("untracked", "1\n")]);
    branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap();
    let changes = changes_of(&host, |host| host.put("src/a", "1\n")).await;
    accept(&host, &acceptance(None, &changes)).await;
    let said = git_says(&host, "accept-unborn", &[STATUS, "rev-list --count HEAD", "symbolic-ref HEAD"]).await;
    assert_eq!(said, ["?? untracked\n", "1\n", &format!("refs/heads/{BRANCH}\n")]);
}

#[tokio::test]
async fn a_checkout_of_the_branch_is_clean_for_git() {
    let disk = repository("checkout");
    disk.git(&["checkout", "--quiet", "-b", BRANCH], b"").unwrap();
    disk.write("a.txt", b"2\n");
    disk.write("new/x", b"1\n");
    disk.git(&["rm", "--quiet", "gone"], b"").unwrap();
    disk.git(&["add", "--all"], b"").unwrap();
    disk.git(&["commit", "--quiet", "--message=chunk"], b"").unwrap();
    disk.git(&["checkout", "--quiet", "main"], b"").unwrap();
    let host = read_by_memory(&disk);
    branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap();
    let said = git_says(&host, "checkout-back", &[STATUS, "symbolic-ref HEAD", "log -1 --format=%s"]).await;
    assert_eq!(said, ["", &format!("refs/heads/{BRANCH}\n"), "chunk\n"]);
}

#[tokio::test]
async fn with_autocrlf_git_sees_only_the_committed_change() {
    let disk = repository("autocrlf");
    disk.git(&["config", "core.autocrlf", "true"], b"").unwrap();
    for path in ["a.txt", "deep/er/b", "mine"] {
        disk.write(path, b"1\r\n2\r\n3\r\n");
    }
    disk.git(&["commit", "--quiet", "--all", "--message=two"], b"").unwrap();
    let host = read_by_memory(&disk);
    let base = branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap().commit;
    // A commit has the line ends of HEAD, and the working tree its own.
    let work = |host: &MemoryHost| {
        host.put("a.txt", "1\n2\n3\nagent\n");
        host.put("mine", "agent\n2\n3\n");
        host.fs.delete("/project/deep/er/b");
    };
    let changes = changes_of(&host, work).await;
    host.put("a.txt", "1\r\n2\r\n3\r\nagent\r\n");
    host.put("mine", "agent\r\n2\r\nuser\r\n");
    accept(&host, &acceptance(base.as_deref(), &changes)).await;
    let commands = ["diff --numstat HEAD~1 HEAD", STATUS, "show HEAD:mine"];
    let said = git_says(&host, "autocrlf-back", &commands).await;
    assert_eq!(said, ["1\t0\ta.txt\n0\t3\tdeep/er/b\n1\t1\tmine\n", " M mine\n", "agent\n2\n3\n"]);
}

#[derive(Debug, Clone, PartialEq)]
enum Node {
    File(u8, bool),
    Link(u8),
}

const PATHS: [&str; 8] = ["a", "a/b", "a-b", "dir/x", "dir/y", "🍓/ü", "-rf", "z"];

type Edits = Vec<(usize, Option<Node>)>;

fn edits() -> impl Strategy<Value = Edits> {
    let node = prop_oneof![
        8 => (0..3_u8, prop::bool::weighted(0.1)).prop_map(|(text, is_executable)| Some(Node::File(text, is_executable))),
        1 => (0..3_u8).prop_map(|target| Some(Node::Link(target))),
        2 => Just(None),
    ];
    prop::collection::vec((0..PATHS.len(), node), 0..6)
}

fn encoded(node: &Node) -> (String, Vec<u8>) {
    let (mode, content) = match node {
        Node::File(text, true) => ("100755", text),
        Node::File(text, false) => ("100644", text),
        Node::Link(target) => ("120000", target),
    };
    (mode.to_owned(), content.to_string().into_bytes())
}

/// Neither path can exist beside the other.
fn exclude(a: &str, b: &str) -> bool {
    a.starts_with(&format!("{b}/")) || b.starts_with(&format!("{a}/"))
}

fn edit(host: &MemoryHost, edits: &Edits) {
    for (path, node) in edits {
        let path = PATHS[*path];
        for other in PATHS.iter().filter(|other| **other == path || exclude(other, path)) {
            host.fs.delete(&format!("/project/{other}"));
        }
        let Some(node) = node else { continue };
        let absolute = format!("/project/{path}");
        let (mode, bytes) = encoded(node);
        if mode == "120000" {
            host.fs.put_link(&absolute, &String::from_utf8(bytes).unwrap());
        } else {
            host.fs.put(&absolute, bytes);
            host.fs.set_mode(&absolute, if mode == "100755" { 0o755 } else { 0o644 });
        }
    }
}

/// The tree of the commit, or the paths that prevent it.
fn expected(head: &Tree, changes: &Edits) -> Result<Tree, BTreeSet<String>> {
    let mut tree = head.clone();
    for (path, node) in changes {
        match node {
            Some(node) => drop(tree.insert(PATHS[*path].to_owned(), encoded(node))),
            None => drop(tree.remove(PATHS[*path])),
        }
    }
    let is_refused =
        |path: &&String| tree.get(*path) != head.get(*path) && tree.keys().any(|other| exclude(other, path));
    let refused: BTreeSet<String> = tree.keys().filter(is_refused).cloned().collect();
    if refused.is_empty() { Ok(tree) } else { Err(refused) }
}

/// Commits the changes while the user has other work.
async fn play(committed: &Edits, users: &Edits, changes: &Edits) {
    let host = project([]);
    host.fs.put_dir("/project");
    edit(&host, committed);
    let head = everything(&host).await;
    let base = commit_tree(&host, &head, &[], "refs/heads/main").await;
    branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap();
    edit(&host, users);
    let now = files(&host);
    let mut states = Changes::new();
    for (path, node) in changes {
        let state = match node.as_ref().map(encoded) {
            Some((mode, bytes)) => {
                let oid = git(&host).write_blob(&bytes).await.unwrap();
                Some(Entry::try_from(format!("{mode} {oid}")).unwrap())
            }
            None => None,
        };
        states.insert(PATHS[*path].to_owned(), state);
    }

    let accepted = branch::accept(&host, &acceptance(Some(&base), &states)).await.unwrap();
    assert_eq!(files(&host), now);
    let tree = match (accepted, expected(&head, changes)) {
        (Accepted::Committed { commit, .. }, Ok(expected)) => {
            assert_eq!(tree_of(git(&host), &commit).await, expected);
            expected
        }
        (Accepted::Unmergeable { paths }, Err(expected)) => {
            assert_eq!(paths, expected.into_iter().collect::<Vec<_>>());
            head
        }
        (accepted, expected) => panic!("{accepted:?}, expected {expected:?}"),
    };
    let now = everything(&host).await;
    let dirty: Vec<String> = branch::dirty(&host).await.unwrap().into_iter().map(|change| change.path).collect();
    let all: BTreeSet<&String> = tree.keys().chain(now.keys()).collect();
    let differing: Vec<&String> = all.into_iter().filter(|path| tree.get(*path) != now.get(*path)).collect();
    assert_eq!(dirty.iter().collect::<Vec<_>>(), differing);
}

#[test]
fn the_given_changes_are_committed_in_random_projects() {
    let config = ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let result = runner.run(&(edits(), edits(), edits()), |(committed, users, changes)| {
        runtime.block_on(play(&committed, &users, &changes));
        Ok(())
    });
    result.unwrap();
}
