//! The list of snapshots after random saves, rollbacks and undos, with a clock that jumps.

use crate::snapshot::project::{files, project};
use loopgate::port::memory::MemoryClock;
use loopgate::snapshot::{self, SaveOptions, SnapshotInfo, Watch};
use proptest::prelude::*;
use std::collections::BTreeMap;

#[derive(Debug, Clone)]
enum Step {
    Edit(usize, usize),
    Remove(usize),
    /// A tag out of few, so that tags are moved; and a message, or none.
    Save(Option<usize>, bool),
    Rollback(usize),
    Undo,
    /// The clock advances.
    Wait(u64),
    /// From here on the host has the other clock: it is ahead, or goes back.
    SwitchClock,
    LoseCache,
    /// The page was reloaded: the watch is new.
    Reopen,
}

const PATHS: [&str; 3] = ["a.txt", "src/b.ts", "z"];
const TAGS: [&str; 4] = ["task-1-pre", "task-1-post", "before/redesign", "a"];

fn step() -> impl Strategy<Value = Step> {
    let path = 0..PATHS.len();
    prop_oneof![
        4 => (path.clone(), 0_usize..3).prop_map(|(path, text)| Step::Edit(path, text)),
        1 => path.prop_map(Step::Remove),
        6 => (prop::option::of(0..TAGS.len()), any::<bool>()).prop_map(|(tag, has_message)| Step::Save(tag, has_message)),
        3 => (0_usize..100).prop_map(Step::Rollback),
        2 => Just(Step::Undo),
        1 => prop::sample::select(vec![1, 999, 60_000]).prop_map(Step::Wait),
        1 => Just(Step::SwitchClock),
        1 => Just(Step::LoseCache),
        1 => Just(Step::Reopen),
    ]
}

type Files = BTreeMap<String, Vec<u8>>;

/// The expected list.
#[derive(Default)]
struct Expected {
    lines: Vec<(String, String, u32)>,
    /// The files of the newest snapshot.
    newest: Files,
}

impl Expected {
    fn saved(&mut self, tag: &str, message: Option<String>, now: &Files) {
        let all = self.newest.keys().chain(now.keys()).collect::<std::collections::BTreeSet<_>>();
        let changed = all.into_iter().filter(|path| self.newest.get(*path) != now.get(*path)).count();
        let mut line =
            (tag.to_owned(), message.clone().unwrap_or_else(|| tag.to_owned()), u32::try_from(changed).unwrap());
        if changed == 0 && self.lines.last().is_some_and(|last| last.0 == tag) {
            // A save under the same name.
            let before = self.lines.pop().unwrap();
            line = (before.0, message.unwrap_or(before.1), before.2);
        }
        self.lines.retain(|other| other.0 != tag);
        self.lines.push(line);
        self.newest.clone_from(now);
    }
}

fn lines(infos: &[SnapshotInfo]) -> Vec<(String, String, u32)> {
    infos.iter().map(|info| (info.tag.clone(), info.message.clone(), info.changed)).collect()
}

async fn play(steps: &[Step]) {
    let mut host = project([("a.txt", "0")]);
    let mut other = MemoryClock::default();
    other.advance(3_600_000);
    let (mut watch, mut expected, mut undo) = (Watch::default(), Expected::default(), None);
    for (number, step) in steps.iter().enumerate() {
        match step {
            Step::Edit(path, text) => {
                // Every text has its own length, so that the times of files do not matter.
                host.put(PATHS[*path], &"x".repeat(number * 3 + text + 1));
                watch.touch(PATHS[*path]);
            }
            Step::Remove(path) => {
                host.fs.delete(&format!("/project/{}", PATHS[*path]));
                watch.touch(PATHS[*path]);
            }
            Step::Save(tag, has_message) => {
                let message = has_message.then(|| format!("words {number}"));
                let options = SaveOptions {
                    tag: tag.map(|tag| TAGS[tag].to_owned()),
                    message: message.clone(),
                    ..SaveOptions::default()
                };
                let info = snapshot::save_in(&host, &watch, &options).await.unwrap();
                expected.saved(&info.tag, message, &files(&host));
                assert_eq!(snapshot::list(&host).await.unwrap().last(), Some(&info));
            }
            Step::Rollback(number) if !expected.lines.is_empty() => {
                let target = expected.lines[number % expected.lines.len()].0.clone();
                let before = files(&host);
                let done = snapshot::rollback_in(&host, &watch, &target).await.unwrap();
                expected.saved(&done.undo, Some(format!("before the rollback to {target}")), &before);
                undo = Some(done.undo);
            }
            Step::Undo => {
                if let Some(target) = undo.take() {
                    let before = files(&host);
                    let done = snapshot::undo(&host).await.unwrap();
                    assert_eq!(done.tag, target);
                    expected.saved(&done.undo, Some(format!("before the rollback to {target}")), &before);
                    undo = Some(done.undo);
                }
            }
            Step::Wait(ms) => host.clock.advance(*ms),
            Step::SwitchClock => {
                let now = std::mem::replace(&mut other, host.clock.clone());
                host = host.with(|ports| ports.clock = now);
            }
            Step::LoseCache => host.fs.delete("/project/.loopgate/stat-cache"),
            Step::Reopen => watch = Watch::default(),
            Step::Rollback(_) => {}
        }
        let infos = snapshot::list(&host).await.unwrap();
        assert_eq!(lines(&infos), expected.lines, "after {step:?}");
        assert!(infos.is_sorted_by(|a, b| a.at < b.at), "after {step:?}");
    }
}

#[test]
fn the_list_has_order_messages_and_counts_of_random_sequences() {
    super::play_sequences(step(), 25, async |steps| play(steps).await);
}
