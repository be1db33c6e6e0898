//! Random histories, compared byte by byte with a plain model.

use crate::snapshot::crash::FAULTS;
use crate::snapshot::project::{check_repository, files, git, project};
use loopgate::port::memory::{Fault, MemoryHost};
use loopgate::port::{FileKind, FsPort};
use loopgate::snapshot::{self, SaveOptions};
use proptest::prelude::*;
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq)]
enum Node {
    File { bytes: Vec<u8>, is_executable: bool },
    Link(String),
}

type State = BTreeMap<String, Node>;

#[derive(Debug, Clone)]
enum Step {
    Put(usize, Node),
    Delete(usize),
    Rename(usize, usize),
    /// The clock advances, so that no stat is racy.
    Wait,
    LoseCache,
    Save,
    Rollback(usize),
    Undo,
    /// A save, or a rollback, that fails at a write, and a reload.
    Fault(Option<usize>, u64, (Fault, bool)),
}

const PATHS: [&str; 14] = [
    "a",
    "a/b",
    "a/b/c",
    "a-b",
    "a.b/x",
    "deep/er/and/deeper/file",
    "deep/er",
    "with space",
    "q\"uo'te",
    "🍓/ü",
    "-rf",
    "new\nline",
    ".ralph/task-counter.txt",
    "src/[x]*?.ts",
];

fn node() -> impl Strategy<Value = Node> {
    let bytes = prop_oneof![
        Just(Vec::new()),
        prop::collection::vec(any::<u8>(), 1..4),
        Just((0..=255).cycle().take(5_000).collect::<Vec<u8>>()),
        prop::sample::select(vec!["one", "two", "six"]).prop_map(|text| text.as_bytes().to_vec()),
    ];
    prop_oneof![
        6 => (bytes, any::<bool>()).prop_map(|(bytes, is_executable)| Node::File { bytes, is_executable }),
        1 => prop::sample::select(vec!["a", "../project/a", "deep"]).prop_map(|target| Node::Link(target.to_owned())),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let path = 0..PATHS.len();
    prop_oneof![
        8 => (path.clone(), node()).prop_map(|(path, node)| Step::Put(path, node)),
        3 => path.clone().prop_map(Step::Delete),
        2 => (path.clone(), path).prop_map(|(from, to)| Step::Rename(from, to)),
        2 => Just(Step::Wait),
        1 => Just(Step::LoseCache),
        3 => Just(Step::Save),
        3 => (0_usize..100).prop_map(Step::Rollback),
        2 => Just(Step::Undo),
        3 => (prop::option::of(0_usize..100), 0_u64..40, prop::sample::select(FAULTS.to_vec()))
            .prop_map(|(rollback, write, fault)| Step::Fault(rollback, write, fault)),
    ]
}

/// Removes what is at a path, below it, and any file in place of a folder above it.
fn clear(host: &MemoryHost, state: &mut State, path: &str) {
    let conflicts =
        |other: &str| other == path || other.starts_with(&format!("{path}/")) || path.starts_with(&format!("{other}/"));
    let gone: Vec<String> = state.keys().filter(|other| conflicts(other)).cloned().collect();
    host.fs.delete(&format!("/project/{path}"));
    for other in gone {
        host.fs.delete(&format!("/project/{other}"));
        state.remove(&other);
    }
}

fn put(host: &MemoryHost, state: &mut State, path: &str, node: Node) {
    let absolute = format!("/project/{path}");
    // An edit in place keeps the entry; anything else makes a new one.
    if !matches!((state.get(path), &node), (Some(Node::File { .. }), Node::File { .. })) {
        clear(host, state, path);
    }
    match &node {
        Node::File { bytes, is_executable } => {
            host.fs.put(&absolute, bytes);
            host.fs.set_mode(&absolute, if *is_executable { 0o755 } else { 0o644 });
        }
        Node::Link(target) => host.fs.put_link(&absolute, target),
    }
    state.insert(path.to_owned(), node);
}

async fn state_of(host: &MemoryHost) -> State {
    let mut state = State::new();
    for (path, bytes) in files(host) {
        let stat = host.fs.lstat(&format!("/project/{path}")).await.unwrap();
        let node = match stat.kind {
            FileKind::Symlink => Node::Link(String::from_utf8(bytes).unwrap()),
            _ => Node::File { bytes, is_executable: stat.is_executable() },
        };
        state.insert(path, node);
    }
    state
}

/// Saves, or rolls back to a tag, with a fault at a write, and reloads.
async fn fail(host: &MemoryHost, tag: Option<&str>, write: u64, (fault, loses): (Fault, bool)) {
    host.fs.flush().await.unwrap();
    host.fs.fail_write(write, fault);
    // Either may succeed, with fewer writes than that.
    match tag {
        Some(tag) => drop(snapshot::rollback(host, tag, false).await),
        None => drop(snapshot::save(host, &SaveOptions::default()).await),
    }
    host.fs.heal();
    if loses {
        host.fs.lose_unflushed();
    }
    snapshot::finish_rollback(host).await.unwrap();
    check_repository(git(host)).await;
}

async fn play(steps: &[Step]) {
    let host = project([]);
    host.fs.put_dir("/project");
    let (mut state, mut undo): (State, Option<State>) = (State::new(), None);
    let mut saved: Vec<(String, State)> = Vec::new();
    // After a fault, it is open which rollback an undo reverts.
    let mut is_undo_known = true;
    for step in steps {
        match step {
            Step::Put(path, node) => put(&host, &mut state, PATHS[*path], node.clone()),
            Step::Delete(path) => clear(&host, &mut state, PATHS[*path]),
            Step::Rename(from, to) => {
                if let Some(node) = state.get(PATHS[*from]).cloned() {
                    clear(&host, &mut state, PATHS[*from]);
                    put(&host, &mut state, PATHS[*to], node);
                }
            }
            Step::Wait => host.clock.advance(60_000),
            Step::LoseCache => host.fs.delete("/project/.loopgate/stat-cache"),
            Step::Save => {
                let info = snapshot::save(&host, &SaveOptions::default()).await.unwrap();
                assert_eq!(info.files as usize, state.len());
                saved.push((info.tag, state.clone()));
            }
            Step::Rollback(number) if !saved.is_empty() => {
                let (tag, target) = saved[number % saved.len()].clone();
                let dry = snapshot::rollback(&host, &tag, true).await.unwrap();
                let done = snapshot::rollback(&host, &tag, false).await.unwrap();
                assert_eq!((&dry.restored, &dry.deleted), (&done.restored, &done.deleted));
                assert!(snapshot::verify(&host, &tag).await.unwrap().ok);
                saved.push((done.undo, state.clone()));
                undo = Some(std::mem::replace(&mut state, target));
                is_undo_known = true;
            }
            Step::Undo if !is_undo_known => {}
            Step::Undo => match undo.take() {
                Some(before) => {
                    snapshot::undo(&host).await.unwrap();
                    undo = Some(std::mem::replace(&mut state, before));
                }
                None => drop(snapshot::undo(&host).await.unwrap_err()),
            },
            Step::Fault(rollback, write, fault) => {
                let target = rollback.and_then(|number| saved.get(number % saved.len().max(1)).cloned());
                fail(&host, target.as_ref().map(|(tag, _)| tag.as_str()), *write, *fault).await;
                if let Some((_, target)) = target {
                    is_undo_known = false;
                    if state_of(&host).await == target {
                        state = target;
                    }
                }
            }
            Step::Rollback(_) => {}
        }
        assert_eq!(state_of(&host).await, state, "after {step:?}");
    }
    check_repository(git(&host)).await;
    for (tag, state) in &saved {
        let last = snapshot::rollback(&host, tag, false).await.unwrap();
        assert_eq!(&state_of(&host).await, state, "{last:?}");
    }
}

#[test]
fn rollbacks_restore_random_histories_byte_by_byte() {
    super::play_sequences(step(), 25, async |steps| play(steps).await);
}
