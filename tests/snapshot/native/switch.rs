//! Switching to the branch of a run: real git makes the projects and judges the results.

use super::disk::Disk;
use crate::snapshot::branch::{BRANCH, Tree, everything};
use crate::snapshot::project::project;
use loopgate::ErrorCode;
use loopgate::port::memory::MemoryHost;
use loopgate::snapshot::Watch;
use loopgate::snapshot::branch;
use proptest::prelude::*;
use std::cell::Cell;
use std::collections::BTreeSet;

fn run(disk: &Disk, command: &str) -> Result<String, String> {
    let output = disk.git(&command.split(' ').collect::<Vec<_>>(), b"")?;
    Ok(String::from_utf8(output).unwrap())
}

fn read_by_memory(disk: &Disk) -> MemoryHost {
    let host = project([]);
    disk.copy_to("", &host);
    host
}

#[tokio::test]
async fn the_operation_that_git_has_in_progress_is_found_until_it_ends() {
    let disk = Disk::new("in-progress");
    run(&disk, "init --quiet --initial-branch=main").unwrap();
    for (number, branch) in ["main", "side", "side", "main"].into_iter().enumerate() {
        run(&disk, if number == 1 { "checkout --quiet -b side" } else { "status" }).unwrap();
        if number > 1 {
            run(&disk, &format!("checkout --quiet {branch}")).unwrap();
        }
        disk.write("a", format!("{number}\n").as_bytes());
        run(&disk, "add a").unwrap();
        run(&disk, &format!("commit --quiet --message={number}")).unwrap();
    }
    let table = [
        ("merge side", "merge --abort", "merge"),
        ("cherry-pick side", "cherry-pick --abort", "cherry-pick"),
        ("cherry-pick side~1 side", "cherry-pick --abort", "cherry-pick"),
        ("revert --no-edit HEAD~1", "revert --abort", "revert"),
        ("rebase side", "rebase --abort", "rebase"),
        ("rebase --apply side", "rebase --abort", "rebase"),
        ("rebase --exec false HEAD~1", "rebase --abort", "rebase"),
        ("bisect start HEAD HEAD~1", "bisect reset", "bisect"),
    ];
    for (begin, end, operation) in table {
        run(&disk, "checkout --quiet --force main").unwrap();
        let _ = run(&disk, begin);
        assert_eq!(branch::in_progress(&read_by_memory(&disk)).await.unwrap(), Some(operation), "{begin}");
        run(&disk, end).unwrap();
        assert_eq!(branch::in_progress(&read_by_memory(&disk)).await.unwrap(), None, "{end}");
    }

    let _ = run(&disk, "cherry-pick side~1 side");
    run(&disk, "commit --all --quiet --message=picked").unwrap();
    let found = branch::in_progress(&read_by_memory(&disk)).await.unwrap();
    assert_eq!(found, Some("cherry-pick or revert"), "one of two commits is picked");
    run(&disk, "cherry-pick --quit").unwrap();

    let _ = run(&disk, "rebase side");
    for _ in 0..3 {
        disk.write("a", b"resolved\n");
        run(&disk, "add a").unwrap();
        let _ = run(&disk, "-c core.editor=true rebase --continue");
    }
    assert_eq!(branch::in_progress(&read_by_memory(&disk)).await.unwrap(), None, "the rebase is finished");
    assert!(disk.path(".git/REBASE_HEAD").exists(), "git leaves the ref of a finished rebase");
}

/// The result of a switch of the memory project, as real git sees it: `git ls-files --stage` and all files.
async fn seen_by_git(host: &MemoryHost, name: &str) -> (String, Tree) {
    let disk = Disk::new(name);
    disk.copy_from(host).await;
    run(&disk, "fsck --strict --full --no-dangling").unwrap();
    assert_eq!(run(&disk, "symbolic-ref HEAD").unwrap(), format!("refs/heads/{BRANCH}\n"));
    (run(&disk, "ls-files --stage").unwrap(), everything(host).await)
}

#[tokio::test]
async fn work_that_is_not_committed_is_carried_along_as_by_git() {
    for version in [2, 4] {
        let disk = Disk::new("switch-dirty");
        let long = "folder/".repeat(40);
        for path in
            ["both", "edited", "staged", "gone", "removed", "moved", &format!("{long}x"), &format!("{long}y"), "z"]
        {
            disk.write(path, b"1\n");
        }
        disk.write(".gitignore", b"*.log\n");
        run(&disk, "init --quiet --initial-branch=main").unwrap();
        run(&disk, "add --all").unwrap();
        run(&disk, "commit --quiet --message=one").unwrap();
        run(&disk, &format!("checkout --quiet -b {BRANCH}")).unwrap();
        disk.write("both", b"2\n");
        disk.write("new/x", b"2\n");
        run(&disk, "rm --quiet gone").unwrap();
        run(&disk, "add --all").unwrap();
        run(&disk, "commit --quiet --message=two").unwrap();
        run(&disk, "checkout --quiet main").unwrap();
        run(&disk, &format!("update-index --index-version {version}")).unwrap();
        disk.write("staged", b"staged\n");
        disk.write("added", b"staged\n");
        run(&disk, "rm --quiet --cached removed").unwrap();
        run(&disk, "mv moved elsewhere").unwrap();
        run(&disk, "add staged added").unwrap();
        run(&disk, "update-index --chmod=+x z").unwrap();
        disk.write("staged", b"edited\n");
        disk.write("edited", b"edited\n");
        disk.write("new/mine", b"untracked\n");
        disk.write("ignored.log", b"ignored\n");
        let status = run(&disk, "status --porcelain --untracked-files=all").unwrap();

        let host = read_by_memory(&disk);
        branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap();
        let (index, files) = seen_by_git(&host, "switch-dirty-ours").await;
        run(&disk, &format!("switch --quiet {BRANCH}")).unwrap();
        assert_eq!(index, run(&disk, "ls-files --stage").unwrap(), "version {version}");
        assert_eq!(files_of(&disk).await, files);
        assert_eq!(run(&disk, "status --porcelain --untracked-files=all").unwrap(), status);
    }
}

#[tokio::test]
async fn a_staged_file_that_is_in_the_way_only_in_the_index_prevents_a_switch() {
    let disk = Disk::new("switch-staged");
    run(&disk, "init --quiet --initial-branch=main").unwrap();
    run(&disk, "commit --quiet --allow-empty --message=one").unwrap();
    run(&disk, &format!("checkout --quiet -b {BRANCH}")).unwrap();
    disk.write("a", b"2\n");
    run(&disk, "add a").unwrap();
    run(&disk, "commit --quiet --message=two").unwrap();
    run(&disk, "checkout --quiet main").unwrap();
    disk.write("a/staged", b"1\n");
    run(&disk, "add a").unwrap();
    std::fs::remove_dir_all(disk.path("a")).unwrap();
    for is_written in [false, true] {
        if is_written {
            disk.write("a", b"2\n");
        }
        let error = branch::switch(&read_by_memory(&disk), &Watch::default(), BRANCH, None).await.unwrap_err();
        assert_eq!((error.code, error.path.as_deref()), (ErrorCode::Conflict, Some("a/staged")));
    }
}

#[tokio::test]
async fn an_index_that_is_split_prevents_a_switch_to_another_commit() {
    let disk = Disk::new("switch-split");
    disk.write("a", b"1\n");
    run(&disk, "init --quiet --initial-branch=main").unwrap();
    run(&disk, "add --all").unwrap();
    run(&disk, "commit --quiet --message=one").unwrap();
    run(&disk, &format!("branch {BRANCH}")).unwrap();
    run(&disk, "commit --quiet --allow-empty --message=two").unwrap();
    run(&disk, "update-index --split-index").unwrap();
    let host = read_by_memory(&disk);
    let error = branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Unsupported);
    assert!(error.message.contains("index"), "{error}");
    assert_eq!(branch::head(&host).await.unwrap().branch.as_deref(), Some("main"));
}

async fn files_of(disk: &Disk) -> Tree {
    everything(&read_by_memory(disk)).await
}

const PATHS: [&str; 7] = ["a", "a/b", "b", "dir/x", "dir/y", "z", ".gitignore"];

/// For every path: nothing, or a content and a mode; `.gitignore` ignores one of the names.
type Edits = Vec<(usize, Option<(u8, bool)>)>;

fn edits(max: usize) -> impl Strategy<Value = Edits> {
    let node = prop_oneof![4 => (0..3_u8, prop::bool::weighted(0.1)).prop_map(Some), 1 => Just(None)];
    prop::collection::vec((0..PATHS.len(), node), 0..max)
}

fn exclude(a: &str, b: &str) -> bool {
    a.starts_with(&format!("{b}/")) || b.starts_with(&format!("{a}/"))
}

fn edit(files: &mut Tree, edits: &Edits) {
    for (path, node) in edits {
        let path = PATHS[*path];
        files.retain(|other, _| other != path && !exclude(other, path));
        let Some((content, is_executable)) = node else { continue };
        let text = match path {
            ".gitignore" => ["z\n", "dir\n", "a\n"][usize::from(*content)].to_owned(),
            _ => format!("{content}\n"),
        };
        let mode = if *is_executable { "100755" } else { "100644" };
        files.insert(path.to_owned(), (mode.to_owned(), text.into_bytes()));
    }
}

/// Replaces all files of the disk.
fn put_files(disk: &Disk, files: &Tree) {
    use std::os::unix::fs::PermissionsExt;
    for name in ["a", "b", "dir", "z", ".gitignore"] {
        let path = disk.path(name);
        let _ = std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir_all(&path));
    }
    for (path, (mode, bytes)) in files {
        disk.write(path, bytes);
        let mode = if mode == "100755" { 0o755 } else { 0o644 };
        std::fs::set_permissions(disk.path(path), std::fs::Permissions::from_mode(mode)).unwrap();
    }
}

/// The index and the files after a switch; `None` if it is refused.
fn expected(left: &Tree, target: &Tree, staged: &Tree, now: &Tree) -> Option<(Tree, Tree)> {
    let (mut index, mut files) = (staged.clone(), now.clone());
    let differing: Vec<&str> = PATHS.into_iter().filter(|path| left.get(*path) != target.get(*path)).collect();
    let put = |tree: &mut Tree, path: &str| match target.get(path) {
        Some(file) => drop(tree.insert(path.to_owned(), file.clone())),
        None => drop(tree.remove(path)),
    };
    let mut written = Vec::new();
    for path in &differing {
        let [old, new, staged, now] = [left, target, staged, now].map(|files| files.get(*path));
        match (staged == old, staged == new, now == old, now == new) {
            (_, true, _, true) => {}
            (true, _, _, true) | (true, _, true, _) => written.push(*path),
            _ => return None,
        }
        put(&mut index, path);
        put(&mut files, path);
    }
    let is_in_the_way = |path: &&str| {
        let mut others = staged.keys().chain(now.keys()).filter(|other| !differing.contains(&other.as_str()));
        target.contains_key(*path) && others.any(|other| exclude(other, path))
    };
    if written.iter().any(is_in_the_way) { None } else { Some((index, files)) }
}

async fn play(left: &Edits, target: &Edits, staged: &Edits, now: &Edits, both: &Cell<u32>) {
    let disk = Disk::new("switch-random");
    run(&disk, "init --quiet --initial-branch=main").unwrap();
    let mut trees = Vec::new();
    for (tree, branch) in [(left, "main"), (target, BRANCH)] {
        let mut files: Tree = trees.last().cloned().unwrap_or_default();
        edit(&mut files, tree);
        if branch != "main" {
            run(&disk, &format!("checkout --quiet -b {branch}")).unwrap();
        }
        put_files(&disk, &files);
        run(&disk, "add --all --force").unwrap();
        run(&disk, &format!("commit --quiet --allow-empty --message={branch}")).unwrap();
        trees.push(files);
    }
    run(&disk, "checkout --quiet --force main").unwrap();
    let [left, target] = [&trees[0], &trees[1]];
    let mut index = left.clone();
    edit(&mut index, staged);
    put_files(&disk, &index);
    run(&disk, "add --all --force").unwrap();
    let mut files = index.clone();
    edit(&mut files, now);
    put_files(&disk, &files);

    let host = read_by_memory(&disk);
    let before = (host.fs.tree("/project/.git/refs"), host.fs.tree("/project/.git/index"));
    let switched = branch::switch(&host, &Watch::default(), BRANCH, None).await;
    let by_git = run(&disk, &format!("switch --quiet {BRANCH}"));
    match (switched, expected(left, target, &index, &files)) {
        (Ok(_), Some((index, files))) => {
            let (listed, found) = seen_by_git(&host, "switch-random-ours").await;
            assert_eq!(found, files);
            let paths: BTreeSet<&str> = listed.lines().filter_map(|line| Some(line.split_once('\t')?.1)).collect();
            assert_eq!(paths, index.keys().map(String::as_str).collect());
            // Git loses a staged file in a folder whose path is a file of the commits, and the reverse.
            let mut committed = left.keys().chain(target.keys());
            let is_lost = index.keys().any(|path| committed.any(|other| exclude(path, other)));
            if by_git.is_ok() && !is_lost {
                assert_eq!(listed, run(&disk, "ls-files --stage").unwrap());
                assert_eq!(files_of(&disk).await, files);
                both.set(both.get() + u32::from(left != target));
            }
        }
        (Err(error), None) => {
            assert_eq!(error.code, ErrorCode::Conflict, "{error}");
            assert_eq!(everything(&host).await, files);
            assert_eq!((host.fs.tree("/project/.git/refs"), host.fs.tree("/project/.git/index")), before);
            assert_eq!(branch::head(&host).await.unwrap().branch.as_deref(), Some("main"));
        }
        (switched, expected) => panic!("{switched:?}, expected {expected:?}"),
    }
}

#[test]
fn a_switch_in_random_projects_is_that_of_git_or_refused() {
    let config = ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let both = Cell::new(0);
    let result = runner.run(&(edits(8), edits(4), edits(2), edits(3)), |(left, target, staged, now)| {
        runtime.block_on(play(&left, &target, &staged, &now, &both));
        Ok(())
    });
    result.unwrap();
    assert!(both.get() > 10, "git switched to other files in only {} projects", both.get());
}
