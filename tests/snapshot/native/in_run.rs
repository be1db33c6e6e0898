//! Random histories of two projects through the guard: one looks at touched paths, the other scans.

use crate::snapshot::project::project;
use loopgate::agent::GuardedFs;
use loopgate::port::memory::MemoryHost;
use loopgate::port::{FileKind, FsPort, Rights};
use loopgate::snapshot::{self, SaveOptions, SnapshotInfo, Watch};
use proptest::prelude::*;

#[derive(Debug, Clone)]
enum Step {
    Write(usize, usize),
    Remove(usize),
    Rename(usize, usize),
    Link(usize, usize),
    Mode(usize, bool),
    MakeDir(usize),
    RemoveDir(usize),
    /// A write past the guard; the watch is distrusted.
    Unguarded(usize, usize),
    Wait,
    Save,
    Rollback(usize),
    Undo,
    LoseCache,
    /// The page was reloaded: the watch is new.
    Reopen,
}

const PATHS: [&str; 17] = [
    "a",
    "a/b",
    "a/b/c",
    "a-b",
    "src",
    "src/x.log",
    "src/keep.log",
    "src/deep/y.ts",
    "src/deep",
    "dist",
    "dist/out.js",
    "dist/deep/more.js",
    "other/mine.ts",
    "other/sub",
    ".gitignore",
    "src/.gitignore",
    "🍓/ü",
];

const TEXTS: [&str; 7] = ["", "one", "two", "dist/\n", "*.log\n!keep.log\n", "deep\n/a\n", "src/*\n"];

/// A path by its place.
fn at(path: &str) -> usize {
    PATHS.iter().position(|other| *other == path).unwrap()
}

/// The text with these lines by its place.
fn rules(lines: &str) -> usize {
    TEXTS.iter().position(|text| text.contains(lines)).unwrap()
}

fn step() -> impl Strategy<Value = Step> {
    let (path, text) = (0..PATHS.len(), 0..TEXTS.len());
    prop_oneof![
        12 => (path.clone(), text.clone()).prop_map(|(path, text)| Step::Write(path, text)),
        4 => path.clone().prop_map(Step::Remove),
        4 => (path.clone(), path.clone()).prop_map(|(from, to)| Step::Rename(from, to)),
        1 => (path.clone(), path.clone()).prop_map(|(path, target)| Step::Link(path, target)),
        1 => (path.clone(), any::<bool>()).prop_map(|(path, is_executable)| Step::Mode(path, is_executable)),
        1 => path.clone().prop_map(Step::MakeDir),
        2 => path.clone().prop_map(Step::RemoveDir),
        1 => (path, text).prop_map(|(path, text)| Step::Unguarded(path, text)),
        2 => Just(Step::Wait),
        8 => Just(Step::Save),
        2 => (0_usize..100).prop_map(Step::Rollback),
        1 => Just(Step::Undo),
        1 => Just(Step::LoseCache),
        1 => Just(Step::Reopen),
    ]
}

/// Performs a step on the files. A step that is refused or fails changes both projects in the same way.
async fn act(host: &MemoryHost, step: &Step) -> Vec<String> {
    let rights = Rights::executor();
    let fs = GuardedFs::new(&host.fs, "/project", &rights);
    let _ = match step {
        Step::Write(path, text) => {
            let _ = fs.make_parents(PATHS[*path]).await;
            fs.write_file(PATHS[*path], TEXTS[*text].as_bytes()).await
        }
        Step::Remove(path) => fs.remove_file(PATHS[*path]).await,
        Step::Rename(from, to) => {
            let _ = fs.make_parents(PATHS[*to]).await;
            fs.rename(PATHS[*from], PATHS[*to]).await
        }
        Step::Link(path, target) => fs.symlink(&format!("/project/{}", PATHS[*target]), PATHS[*path]).await,
        Step::Mode(path, is_executable) => fs.chmod(PATHS[*path], if *is_executable { 0o755 } else { 0o644 }).await,
        Step::MakeDir(path) => fs.make_dir(PATHS[*path]).await,
        Step::RemoveDir(path) => fs.remove_dir(PATHS[*path]).await,
        Step::Unguarded(path, text) => {
            let path = format!("/project/{}", PATHS[*path]);
            let folder = path.rsplit_once('/').unwrap().0.to_owned();
            let is = async |path: &str, kind| host.fs.lstat(path).await.is_ok_and(|stat| stat.kind == kind);
            if is(&folder, FileKind::Directory).await && !is(&path, FileKind::Directory).await {
                host.fs.put(&path, TEXTS[*text]);
            }
            Ok(())
        }
        _ => Ok(()),
    };
    fs.take_touched()
}

/// The same snapshot. Warnings differ, because a scan sees more files.
fn same(a: &SnapshotInfo, b: &SnapshotInfo) {
    assert_eq!(
        (&a.tag, &a.oid, &a.tree, a.at, a.files, a.changed),
        (&b.tag, &b.oid, &b.tree, b.at, b.files, b.changed)
    );
}

async fn play(steps: &[Step]) -> u64 {
    let (run, scanned) = (project([("a", "one")]), project([("a", "one")]));
    let mut watch = Watch::default();
    let mut tags = Vec::new();
    let mut spared = 0;
    for step in steps {
        // No two files have the same time: a scan would miss a file that replaced another.
        [&run, &scanned].iter().for_each(|host| host.clock.advance(1));
        act(&run, step).await.iter().for_each(|path| watch.touch(path));
        act(&scanned, step).await;
        match step {
            Step::Unguarded(..) => watch.distrust(&run),
            Step::Wait => [&run, &scanned].iter().for_each(|host| host.clock.advance(60_000)),
            Step::LoseCache => [&run, &scanned].iter().for_each(|host| host.fs.delete("/project/.loopgate/stat-cache")),
            Step::Reopen => watch = Watch::default(),
            Step::Save => {
                let (options, calls) = (SaveOptions::default(), (run.fs.calls(), scanned.fs.calls()));
                let a = snapshot::save_in(&run, &watch, &options).await.unwrap();
                let b = snapshot::save(&scanned, &options).await.unwrap();
                spared += (scanned.fs.calls() - calls.1).saturating_sub(run.fs.calls() - calls.0);
                same(&a, &b);
                tags.push(a.tag);
            }
            Step::Rollback(number) if !tags.is_empty() => {
                let tag = &tags[number % tags.len()];
                let a = snapshot::rollback_in(&run, &watch, tag).await;
                let b = snapshot::rollback(&scanned, tag, false).await;
                match (a, b) {
                    (Ok(a), Ok(b)) => {
                        assert_eq!((&a.restored, &a.deleted, &a.undo), (&b.restored, &b.deleted, &b.undo));
                        tags.push(a.undo);
                    }
                    (Err(a), Err(b)) => assert_eq!(a.code, b.code, "{a} / {b}"),
                    (a, b) => panic!("{a:?} / {b:?}"),
                }
            }
            Step::Undo => {
                let (a, b) = (snapshot::undo(&run).await, snapshot::undo(&scanned).await);
                assert_eq!(a.is_ok(), b.is_ok(), "{a:?} / {b:?}");
            }
            _ => {}
        }
        assert_eq!(files(&run), files(&scanned), "after {step:?}");
    }
    let status = (snapshot::status(&run).await.unwrap(), snapshot::status(&scanned).await.unwrap());
    assert_eq!((status.0.current, status.0.changes), (status.1.current, status.1.changes));
    spared
}

fn files(host: &MemoryHost) -> Vec<(String, Vec<u8>)> {
    let all = host.fs.tree(&host.dir).into_iter();
    all.filter(|(path, _)| !path.contains("/.git/") && !path.contains("/.loopgate/")).collect()
}

#[test]
fn touched_paths_give_the_same_snapshots_as_scans() {
    let spared = std::cell::Cell::new(0);
    super::play_sequences(step(), 30, async |steps| spared.set(spared.get() + play(steps).await));
    assert!(spared.get() > 10_000, "touched paths were hardly ever enough, they saved {} calls", spared.get());
}

#[tokio::test]
async fn a_target_with_files_in_an_ignored_folder_reopens_it() {
    let (more, ignore) = (at("dist/deep/more.js"), at(".gitignore"));
    let deep = rules("deep");
    play(&[
        Step::Save,
        Step::Write(more, 0),
        Step::Save,
        Step::Write(ignore, deep),
        // To the first and back: the file exists again, in a folder that is ignored meanwhile.
        Step::Rollback(0),
        Step::Rollback(2),
        Step::Save,
        Step::Save,
        Step::Remove(more),
        Step::Save,
        Step::Rollback(2),
    ])
    .await;
}

#[tokio::test]
async fn an_ignored_folder_without_files_is_not_in_the_way() {
    let deep = rules("deep");
    play(&[
        Step::Write(at(".gitignore"), deep),
        // Fails and leaves the folder `dist/deep`.
        Step::Rename(at("a/b"), at("dist/deep/more.js")),
        Step::Write(at("other/sub"), 0),
        Step::Save,
        Step::Rename(at("dist"), at("other/sub")),
        Step::Rollback(0),
        Step::Save,
    ])
    .await;
}

#[tokio::test]
async fn an_ignored_folder_in_the_way_refuses_a_rollback_before_it_saves() {
    let dist = rules("dist/\n");
    play(&[
        Step::Write(at(".gitignore"), dist),
        Step::Write(at("dist"), 0),
        Step::Save,
        Step::Write(at("src/deep/y.ts"), 0),
        Step::Reopen,
        Step::Rename(at("src"), at("dist")),
        Step::Save,
        Step::Rollback(0),
    ])
    .await;
}

#[tokio::test]
async fn a_refused_rollback_leaves_no_snapshot() {
    let logs = rules("*.log");
    play(&[
        Step::Save,
        Step::Write(at("src"), 0),
        Step::Rollback(0),
        Step::Write(at(".gitignore"), logs),
        // A folder with an ignored file is in the place of the file that the undo restores.
        Step::Write(at("src/x.log"), 0),
        Step::Save,
        Step::Write(at("src/keep.log"), 0),
        Step::Undo,
        Step::Save,
    ])
    .await;
}

#[tokio::test]
async fn restored_files_are_tracked_even_if_they_are_ignored() {
    let ignore_a = rules("/a\n");
    let steps =
        [Step::Save, Step::Write(at(".gitignore"), ignore_a), Step::Save, Step::Remove(at("a")), Step::Rollback(1)];
    play(&steps).await;
    play(&[&steps[..], &[Step::Save]].concat()).await;
}
