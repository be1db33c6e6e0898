//! Every operation, with every trick of paths and links.
#![cfg(not(target_family = "wasm"))]

use super::*;
use crate::port::memory::{Fault, MemoryFs};
use crate::port::{FsSupport, Phase};

static BUILD: Rights = Rights::task(Phase::Build, true);
static PLAN: Rights = Rights::task(Phase::Plan, true);

fn project(files: &[&str]) -> MemoryFs {
    let fs = MemoryFs::default();
    fs.put("/project/.ralph/task.md", "the task");
    fs.put("/project/.git/config", "git");
    fs.put("/outside/secret", "secret");
    files.iter().for_each(|path| fs.put(&format!("/project/{path}"), path));
    fs
}

fn guarded<'a>(fs: &'a MemoryFs, rights: &'a Rights) -> GuardedFs<'a> {
    GuardedFs::new(fs, "/project", rights)
}

async fn link(fs: &MemoryFs, target: &str, path: &str) {
    fs.symlink(target, &format!("/project/{path}")).await.unwrap();
}

fn rules(fs: &GuardedFs<'_>) -> Vec<String> {
    fs.take_denials().into_iter().map(|(_, rule)| rule).collect()
}

/// Every operation that could change what a path names.
async fn try_all_writes(fs: &GuardedFs<'_>, path: &str) -> Vec<PortResult<()>> {
    vec![
        fs.write_file(path, b"agent").await,
        fs.rename("a.txt", path).await,
        fs.remove_dir(path).await,
        fs.chmod(path, 0o755).await,
        fs.symlink("a.txt", path).await,
    ]
}

/// The changes by path.
fn changes(guarded: &GuardedFs<'_>) -> Vec<(String, FileChangeKind)> {
    let mut changes: Vec<_> =
        guarded.take_changes().into_iter().map(|change| (change.write.path, change.change)).collect();
    changes.sort_by(|a, b| a.0.cmp(&b.0));
    changes
}

#[tokio::test]
async fn no_operation_reaches_a_closed_path() {
    let fs = project(&["a.txt", "src/App.tsx"]);
    link(&fs, "../outside", "out").await;
    link(&fs, "/outside/secret", "out.txt").await;
    link(&fs, ".git", "g").await;
    link(&fs, ".git/config", "config").await;
    link(&fs, ".ralph/task.md", "task.md").await;
    let before = fs.tree("/");
    let guarded = guarded(&fs, &BUILD);
    let too_long = "x/".repeat(2500);
    let closed = ["../x", ".g\u{200c}it/config", "a\0b", &too_long];
    let linked = ["out/secret", "out/new", "out.txt", "g/config", "g/hooks/pre-commit", "config"];
    for path in closed.into_iter().chain(linked) {
        for result in try_all_writes(&guarded, path).await {
            assert!(result.is_err(), "{path:?}");
        }
        assert!(guarded.make_dir(path).await.is_err(), "{path:?}");
        let error = guarded.read_file(path).await.unwrap_err();
        assert_eq!(error.kind, PortErrorKind::Denied, "{path:?}");
        assert!(!guarded.take_denials().is_empty(), "{path:?}");
    }
    for result in try_all_writes(&guarded, "task.md").await {
        assert!(result.is_err());
    }
    assert_eq!(guarded.read_file("task.md").await.unwrap(), b"the task");
    assert_eq!(fs.tree("/"), before);
    assert_eq!(changes(&guarded), Vec::new());
}

#[tokio::test]
async fn links_inside_the_project_work() {
    let fs = project(&["src/App.tsx", "lib/a/b.txt"]);
    link(&fs, "lib/a", "short").await;
    link(&fs, "../src", "lib/back").await;
    link(&fs, "short", "chain").await;
    link(&fs, "chain", "loop").await;
    let guarded = guarded(&fs, &BUILD);
    assert_eq!(guarded.read_file("chain/b.txt").await.unwrap(), b"lib/a/b.txt");
    guarded.write_file("lib/back/New.tsx", b"new").await.unwrap();
    guarded.symlink("src/App.tsx", "entry").await.unwrap();
    assert_eq!(fs.text("/project/src/New.tsx").as_deref(), Some("new"));
    assert_eq!(guarded.read_dir("lib/back").await.unwrap(), ["App.tsx", "New.tsx"]);
    assert_eq!(guarded.stat("chain").await.unwrap().kind, FileKind::Directory);
    assert_eq!(guarded.lstat("chain").await.unwrap().kind, FileKind::Symlink);
    let created = FileChangeKind::Created;
    assert_eq!(changes(&guarded), [("entry".to_owned(), created), ("src/New.tsx".to_owned(), created)]);

    guarded.remove_file("chain").await.unwrap();
    link(&fs, "chain", "chain").await;
    assert_eq!(guarded.read_file("chain").await.unwrap_err().kind, PortErrorKind::Denied);
    assert_eq!(rules(&guarded), ["link"]);
}

#[tokio::test]
async fn a_link_may_only_lead_to_a_writable_path() {
    let fs = project(&["src/App.tsx"]);
    let guarded = guarded(&fs, &BUILD);
    for target in ["../outside/secret", "/etc/passwd", ".git", ".ralph/task.md", "../project/.git/config"] {
        assert!(guarded.symlink(target, "link").await.is_err(), "{target}");
    }
    assert!(guarded.symlink("../../outside", "src/link").await.is_err());
    assert!(guarded.symlink("../.git", "src/link").await.is_err());
    assert_eq!(rules(&guarded).len(), 7);
}

#[tokio::test]
async fn link_targets_resolve_as_in_a_file_system() {
    let fs = project(&["a/file", "x/y/file"]);
    link(&fs, "../outside", "out").await;
    link(&fs, ".ralph", "kept").await;
    let guarded = guarded(&fs, &BUILD);
    guarded.symlink("../../a", "x/y/up").await.unwrap();
    // `..` is resolved from `a`, not from `x/y/up`.
    for target in ["x/y/up/../../outside/secret", "x/y/../../a", "out/secret", "out/new", "kept/task.md"] {
        assert!(guarded.symlink(target, "link").await.is_err(), "{target}");
    }
    assert_eq!(rules(&guarded), ["link"; 5]);
    guarded.symlink("./x//y/up/file", "link").await.unwrap();
}

#[tokio::test]
async fn a_moved_link_must_still_lead_to_a_writable_path() {
    let fs = project(&["x/y/z/file"]);
    link(&fs, "/outside/secret", "out").await;
    let guarded = guarded(&fs, &BUILD);
    guarded.symlink("../../../outside/secret", "x/y/z/link").await.unwrap();
    guarded.symlink("file", "x/y/z/inner").await.unwrap();
    let before = fs.tree("/");
    for (from, to) in [("x/y/z/link", ".ralph/status.txt"), ("x/y/z", "z"), ("x", ".ralph/x"), ("out", "a")] {
        let moved = guarded.rename(from, to).await;
        assert_eq!(moved.is_ok(), from == "x", "{from} to {to}");
    }
    assert_eq!(rules(&guarded), ["outside-project"; 3]);
    guarded.rename(".ralph/x", "x").await.unwrap();
    assert_eq!(fs.tree("/"), before);
    guarded.rename("x/y/z/inner", "x/y/inner").await.unwrap();
    assert_eq!(fs.read_link("/project/x/y/inner").await.unwrap(), "file");
}

#[tokio::test]
async fn links_are_denied_on_a_host_without_links() {
    let fs = project(&["src/App.tsx"]);
    link(&fs, "src", "link").await;
    let plain = fs.clone().with_support(FsSupport::default());
    let guarded = guarded(&plain, &BUILD);
    assert!(guarded.read_file("link/App.tsx").await.is_err());
    assert!(guarded.symlink("src", "other").await.is_err());
    assert_eq!(rules(&guarded), ["link", "link"]);
    assert!(guarded.read_file("src/App.tsx").await.is_ok());
}

#[tokio::test]
async fn the_plan_phase_denies_every_change_of_sources() {
    let fs = project(&["src/App.tsx", "a.txt", ".ralph/notes.md"]);
    let before = fs.tree("/");
    let guarded = guarded(&fs, &PLAN);
    for result in try_all_writes(&guarded, "src/App.tsx").await {
        assert!(result.unwrap_err().message.contains(".ralph/plan.tsx"));
    }
    assert!(guarded.remove_file("src/App.tsx").await.is_err());
    assert!(guarded.rename(".ralph/notes.md", "src/App.tsx").await.is_err());
    assert!(guarded.rename("src/App.tsx", ".ralph/notes.md").await.is_err());
    assert!(guarded.rename("src", ".ralph/src").await.is_err());
    assert!(guarded.make_dir("src/ui").await.is_err());
    assert_eq!(guarded.take_denials().len(), 10);
    assert_eq!(fs.tree("/"), before);

    guarded.write_file(".ralph/plan.tsx", b"plan").await.unwrap();
    guarded.make_dir(".ralph/notes").await.unwrap();
    guarded.rename(".ralph/notes.md", ".ralph/notes/one.md").await.unwrap();
    let changes: Vec<String> = changes(&guarded).into_iter().map(|(path, _)| path).collect();
    assert_eq!(changes, [".ralph/notes.md", ".ralph/notes/one.md", ".ralph/plan.tsx"]);
}

#[tokio::test]
async fn a_folder_moves_only_if_all_its_files_are_writable() {
    let fs = project(&["pkg/src/a.ts", "pkg/b.ts", "vendor/.git/config", "vendor/x.ts"]);
    let guarded = guarded(&fs, &BUILD);
    assert!(guarded.rename("vendor", "third").await.is_err());
    assert!(guarded.rename(".ralph", "mine").await.is_err());
    assert_eq!(rules(&guarded), ["git", "harness-file"]);
    guarded.rename("pkg", "lib").await.unwrap();
    let changes = changes(&guarded);
    let expected = [
        ("lib/b.ts", FileChangeKind::Created),
        ("lib/src/a.ts", FileChangeKind::Created),
        ("pkg/b.ts", FileChangeKind::Deleted),
        ("pkg/src/a.ts", FileChangeKind::Deleted),
    ];
    assert_eq!(changes, expected.map(|(path, kind)| (path.to_owned(), kind)));
}

#[tokio::test]
async fn listings_omit_closed_paths() {
    let fs = project(&["src/App.tsx", ".loopgate/lease", ".gitignore"]);
    let guarded = guarded(&fs, &BUILD);
    assert_eq!(guarded.read_dir("").await.unwrap(), [".gitignore", ".ralph", "src"]);
    assert_eq!(guarded.read_dir("/project").await.unwrap(), [".gitignore", ".ralph", "src"]);
    assert!(guarded.take_denials().is_empty());
}

#[tokio::test]
async fn creating_an_existing_folder_reports_that_it_exists() {
    let fs = project(&["specs/a.md"]);
    let guarded = guarded(&fs, &PLAN);
    for path in ["", "/project", "specs", ".ralph"] {
        assert_eq!(guarded.make_dir(path).await.unwrap_err().kind, PortErrorKind::Exists, "{path:?}");
    }
    assert!(guarded.take_denials().is_empty());
}

#[tokio::test]
async fn changes_of_one_file_are_merged() {
    let fs = project(&["old.txt", "gone.txt"]);
    let guarded = guarded(&fs, &BUILD);
    guarded.write_file("new.txt", b"1").await.unwrap();
    guarded.write_file("new.txt", b"2").await.unwrap();
    guarded.write_file("brief.txt", b"1").await.unwrap();
    guarded.remove_file("brief.txt").await.unwrap();
    guarded.remove_file("old.txt").await.unwrap();
    guarded.write_file("old.txt", b"3").await.unwrap();
    guarded.remove_file("gone.txt").await.unwrap();
    let expected = [
        ("gone.txt", FileChangeKind::Deleted),
        ("new.txt", FileChangeKind::Created),
        ("old.txt", FileChangeKind::Modified),
    ];
    assert_eq!(changes(&guarded), expected.map(|(path, kind)| (path.to_owned(), kind)));
}

#[tokio::test]
async fn a_folder_that_replaces_a_file_deletes_it() {
    let fs = project(&["file", "folder/a"]);
    let guarded = guarded(&fs, &BUILD);
    guarded.rename("folder", "file").await.unwrap();
    let expected =
        [("file", FileChangeKind::Deleted), ("file/a", FileChangeKind::Created), ("folder/a", FileChangeKind::Deleted)];
    assert_eq!(changes(&guarded), expected.map(|(path, kind)| (path.to_owned(), kind)));
    assert_eq!(guarded.take_touched(), ["file/a", "folder/a", "file"]);
}

#[tokio::test]
async fn an_ended_call_changes_nothing() {
    let fs = project(&["a.txt", "src/App.tsx", "empty/x"]);
    fs.delete("/project/empty/x");
    let ended = Rc::default();
    let guarded = guarded(&fs, &BUILD).until(&ended);
    guarded.write_file("new.txt", b"1").await.unwrap();
    guarded.take_touched();
    let before = fs.tree("/");
    ended.set(true);
    let mut results = try_all_writes(&guarded, "other").await;
    results.extend([guarded.remove_file("a.txt").await, guarded.make_dir("folder").await]);
    results.push(guarded.remove_dir("empty").await);
    assert!(results.iter().all(Result::is_err), "{results:?}");
    assert_eq!((fs.tree("/"), guarded.take_touched()), (before, Vec::new()));
    assert!(guarded.read_file("a.txt").await.is_ok());
}

#[tokio::test]
async fn a_failed_operation_still_counts_as_touching_its_path() {
    let fs = project(&["src/App.tsx"]);
    let guarded = guarded(&fs, &BUILD);
    fs.fail_write(0, Fault::Tear);
    assert!(guarded.write_file("src/App.tsx", b"longer").await.is_err());
    assert!(guarded.write_file(".git/config", b"").await.is_err());
    assert!(guarded.read_file("src/App.tsx").await.is_ok());
    assert_eq!((changes(&guarded), guarded.take_touched()), (Vec::new(), vec!["src/App.tsx".to_owned()]));
}
