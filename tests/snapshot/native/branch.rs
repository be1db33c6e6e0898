//! The branch of a run: real git judges the repository, and a plain model judges random histories.

use super::disk::Disk;
use crate::branch::{BRANCH, Tree, acceptance, commit_tree, everything, tree_of};
use crate::project::{files, git, project, save};
use loopgate::port::GitPort;
use loopgate::port::memory::MemoryHost;
use loopgate::snapshot::Watch;
use loopgate::snapshot::branch::{self, Acceptance, Accepted};
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

fn read_by_memory(disk: &Disk) -> MemoryHost {
    let host = project([]);
    disk.copy_to("", &host);
    host
}

/// What git says of a project: the output of these commands.
async fn git_says(host: &MemoryHost, name: &str, commands: &[&str]) -> Vec<String> {
    let disk = Disk::new(name);
    disk.copy_from(host).await;
    assert_eq!(disk.git(&["fsck", "--strict", "--full", "--no-dangling"], b"").unwrap(), b"");
    let run = |command: &&str| disk.git(&command.split(' ').collect::<Vec<_>>(), b"").unwrap();
    commands.iter().map(|command| String::from_utf8(run(command)).unwrap()).collect()
}

async fn accept(host: &MemoryHost, acceptance: &Acceptance<'_>) -> String {
    match branch::accept(host, acceptance).await.unwrap() {
        Accepted::Committed { commit, .. } => commit,
        Accepted::Unmergeable { paths } => panic!("not mergeable: {paths:?}"),
    }
}

const STATUS: &str = "status --porcelain --untracked-files=all";

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
        let main = branch::switch(&host, &Watch::default(), BRANCH).await.unwrap().commit;
        let mut base = main.clone();
        for number in 0..2 {
            save(&host, "before").await;
            host.put("a.txt", &format!("chunk {number}\n"));
            host.put(&format!("new/{number}"), "1");
            host.fs.set_mode(&format!("/project/new/{number}"), 0o755);
            host.fs.delete(["/project/gone", "/project/deep/er"][number]);
            host.fs.put_link("/project/link", &format!("new/{number}"));
            save(&host, "after").await;
            let acceptance = Acceptance { message: "-m $(x) \"quoted\"\n\nbody", ..acceptance(base.as_deref()) };
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
    let base = branch::switch(&host, &Watch::default(), BRANCH).await.unwrap().commit;
    save(&host, "before").await;
    host.put("a.txt", "2\n");
    host.put("new", "1\n");
    save(&host, "after").await;
    accept(&host, &acceptance(base.as_deref())).await;
    let said =
        git_says(&host, "accept-dirty-back", &[STATUS, "show --name-status --format=%P", "diff --cached --stat"]).await;
    assert_eq!(said[0], expected);
    assert_eq!(said[1], format!("{}\n\nM\ta.txt\nA\tnew\n", base.unwrap()));
    assert!(said[2].contains("staged"), "{}", said[2]);
}

#[tokio::test]
async fn the_first_commit_of_a_repository_is_read_by_git() {
    let host = project([("untracked", "1\n")]);
    branch::switch(&host, &Watch::default(), BRANCH).await.unwrap();
    save(&host, "before").await;
    host.put("src/a", "1\n");
    save(&host, "after").await;
    accept(&host, &acceptance(None)).await;
    let said = git_says(&host, "accept-unborn", &[STATUS, "rev-list --count HEAD", "symbolic-ref HEAD"]).await;
    assert_eq!(said, ["?? untracked\n", "1\n", &format!("refs/heads/{BRANCH}\n")]);
    branch::reset(&host, BRANCH, None, true).await.unwrap();
    let said = git_says(&host, "reset-unborn", &[STATUS]).await;
    assert_eq!(said, ["?? src/a\n?? untracked\n"]);
}

#[tokio::test]
async fn three_commits_of_the_agent_are_undone_exactly() {
    for base_is_root in [true, false] {
        let disk = repository("agents-commits");
        if !base_is_root {
            disk.git(&["commit", "--quiet", "--allow-empty", "--message=two"], b"").unwrap();
        }
        disk.write("untracked", b"1\n");
        let host = read_by_memory(&disk);
        let base = branch::switch(&host, &Watch::default(), BRANCH).await.unwrap().commit;
        save(&host, "before").await;
        let before = files(&host);

        let work = Disk::new("agents-commits-work");
        work.copy_from(&host).await;
        for number in 0..3 {
            work.write(&format!("new/{number}"), b"1\n");
            work.write("a.txt", format!("{number}\n").as_bytes());
            work.git(&["rm", "--quiet", "--ignore-unmatch", "gone"], b"").unwrap();
            work.git(&["add", "new", "a.txt"], b"").unwrap();
            work.git(&["commit", "--quiet", "--message=agent"], b"").unwrap();
        }
        work.git(&["checkout", "--quiet", "-b", "agents-branch"], b"").unwrap();
        let host = {
            let copy = read_by_memory(&work);
            for (path, bytes) in host.fs.tree("/project/.loopgate") {
                copy.fs.put(&path, bytes);
            }
            copy
        };
        let tip = branch::head(&host).await.unwrap().commit.unwrap();
        assert!(branch::is_ancestor(&host, base.as_ref().unwrap(), &tip).await.unwrap());
        branch::reset(&host, BRANCH, base.as_deref(), true).await.unwrap();
        branch::rollback_paths(&host, &Watch::default(), "before", None).await.unwrap();
        assert_eq!(files(&host), before);
        let said = git_says(&host, "agents-commits-back", &[STATUS, "rev-parse HEAD", "symbolic-ref HEAD"]).await;
        assert_eq!(said, ["?? untracked\n", &format!("{}\n", base.unwrap()), &format!("refs/heads/{BRANCH}\n")]);
    }
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
    // Staged work whose file is as in HEAD would be lost, too.
    disk.write("mine", b"staged\n");
    disk.git(&["add", "mine"], b"").unwrap();
    disk.write("mine", b"1\n");
    let staged = read_by_memory(&disk);
    let error = branch::switch(&staged, &Watch::default(), BRANCH).await.unwrap_err();
    assert_eq!((error.code, error.path.as_deref()), (loopgate::ErrorCode::Conflict, Some("mine")));

    branch::switch(&host, &Watch::default(), BRANCH).await.unwrap();
    let said = git_says(&host, "checkout-back", &[STATUS, "symbolic-ref HEAD", "log -1 --format=%s"]).await;
    assert_eq!(said, ["", &format!("refs/heads/{BRANCH}\n"), "chunk\n"]);
}

/// The content of a file: a line for each of three places, between lines that never change.
type Text = [u8; 3];

#[derive(Debug, Clone, PartialEq)]
enum Node {
    File(Text, bool),
    Link(u8),
}

const PATHS: [&str; 8] = ["a", "a/b", "a-b", "dir/x", "dir/y", "🍓/ü", "-rf", "z"];

fn edits() -> impl Strategy<Value = Vec<(usize, Option<Node>)>> {
    let text = || [0..3_u8, 0..3_u8, 0..3_u8];
    let node = prop_oneof![
        8 => (text(), prop::bool::weighted(0.1)).prop_map(|(text, is_executable)| Some(Node::File(text, is_executable))),
        1 => (0..3_u8).prop_map(|target| Some(Node::Link(target))),
        2 => Just(None),
    ];
    prop::collection::vec((0..PATHS.len(), node), 0..6)
}

fn encoded(node: &Node) -> (String, Vec<u8>) {
    match node {
        Node::File([a, b, c], is_executable) => {
            let mode = if *is_executable { "100755" } else { "100644" };
            (mode.to_owned(), format!("first {a}\n--\nsecond {b}\n==\nthird {c}\n").into_bytes())
        }
        Node::Link(target) => ("120000".to_owned(), target.to_string().into_bytes()),
    }
}

fn decoded((mode, bytes): &(String, Vec<u8>)) -> Option<Text> {
    let text = String::from_utf8(bytes.clone()).unwrap();
    let variants = text.lines().filter_map(|line| line.rsplit_once(' ')?.1.parse().ok()).collect::<Vec<u8>>();
    variants.try_into().ok().filter(|_| mode != "120000")
}

/// Neither path can exist beside the other.
fn exclude(a: &str, b: &str) -> bool {
    a.starts_with(&format!("{b}/")) || b.starts_with(&format!("{a}/"))
}

fn edit(host: &MemoryHost, edits: &[(usize, Option<Node>)]) {
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
fn expected(head: &Tree, before: &Tree, after: &Tree) -> Result<Tree, BTreeSet<String>> {
    let (mut tree, mut refused, mut set) = (head.clone(), BTreeSet::new(), Vec::new());
    for path in PATHS {
        let [ours, old, theirs] = [head, before, after].map(|files| files.get(path));
        if old == theirs || ours == theirs {
            continue;
        }
        let merged = || {
            let (ours, old, theirs) = (ours?, old?, theirs?);
            let texts = [decoded(ours)?, decoded(old)?, decoded(theirs)?];
            let place = |at: usize| match texts.map(|text| text[at]) {
                [ours, old, theirs] if old == theirs || ours == theirs => Some(ours),
                [ours, old, theirs] if ours == old => Some(theirs),
                _ => None,
            };
            let text = [place(0)?, place(1)?, place(2)?];
            (ours.0 == old.0 && ours.0 == theirs.0).then(|| encoded(&Node::File(text, ours.0 == "100755")))
        };
        let result = if ours == old { Some(theirs.cloned()) } else { merged().map(Some) };
        match result {
            Some(Some(file)) => {
                tree.insert(path.to_owned(), file);
                set.push(path);
            }
            Some(None) => drop(tree.remove(path)),
            None => drop(refused.insert(path.to_owned())),
        }
    }
    let is_blocked = |path: &&&str| tree.keys().any(|other| exclude(other, path));
    refused.extend(set.iter().filter(is_blocked).map(|path| (*path).to_owned()));
    if refused.is_empty() { Ok(tree) } else { Err(refused) }
}

async fn play(committed: &[(usize, Option<Node>)], users: &[(usize, Option<Node>)], agents: &[(usize, Option<Node>)]) {
    let host = project([]);
    host.fs.put_dir("/project");
    edit(&host, committed);
    let head = everything(&host).await;
    let base = commit_tree(&host, &head, &[], "refs/heads/main").await;
    branch::switch(&host, &Watch::default(), BRANCH).await.unwrap();
    edit(&host, users);
    let before = everything(&host).await;
    save(&host, "before").await;
    edit(&host, agents);
    let after = everything(&host).await;
    save(&host, "after").await;
    // The user works meanwhile.
    host.put("meanwhile/user", "1");
    let now = files(&host);

    let accepted = branch::accept(&host, &acceptance(Some(&base))).await.unwrap();
    assert_eq!(files(&host), now);
    let tree = match (accepted, expected(&head, &before, &after)) {
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

    let paths = PATHS.iter().filter(|path| before.get(**path) != after.get(**path)).map(|path| (*path).to_owned());
    branch::rollback_paths(&host, &Watch::default(), "before", Some(&paths.collect())).await.unwrap();
    let mut back = everything(&host).await;
    assert!(back.remove("meanwhile/user").is_some());
    assert_eq!(back, before);
}

#[test]
fn the_agents_changes_are_committed_and_rolled_back_in_random_projects() {
    let config = ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let result = runner.run(&(edits(), edits(), edits()), |(committed, users, agents)| {
        runtime.block_on(play(&committed, &users, &agents));
        Ok(())
    });
    result.unwrap();
}
