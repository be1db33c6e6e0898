//! A world in which every line has its author's name, so the files themselves show whose change is where.

mod user;

use super::repository::{self, Files};
use crate::engine::support::write;
use loopgate::port::FsPort;
use loopgate::port::memory::{Fault, MemoryHost};
use loopgate::run::RunControl;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Splitmix64: a seed gives the same numbers on every machine.
pub(super) struct Random(pub u64);

impl Random {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % end.max(1) as u64).unwrap()
    }

    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(super) fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }
}

pub(super) struct World {
    pub seed: u64,
    pub host: MemoryHost,
    pub random: Random,
    pub control: RunControl,
    pub log: Vec<String>,
    count: u32,
    /// What the user wrote last, with the file of each marker.
    pub mine: BTreeMap<String, String>,
    /// Markers of the user that count as a call's, with their files: they were not announced.
    pub unclear: BTreeMap<String, String>,
    /// All markers that were unclear.
    pub doubted: BTreeSet<String>,
    /// Markers of the agent that count as the user's: a command wrote them to a file that was announced.
    pub given: BTreeSet<String>,
    /// The files that the user changed.
    pub paths: BTreeSet<String>,
    /// The files that only the user made.
    pub made_by_user: BTreeSet<String>,
    /// The files that the user made executable.
    pub executable: BTreeSet<String>,
    /// The files in which one side changed what the other had written: a conflict is possible there.
    pub close: BTreeSet<String>,
    /// The files that the agent created, moved or replaced, with the file that each was before.
    made: BTreeMap<String, Option<String>>,
    /// The user's commits.
    pub commits: Vec<String>,
    /// The markers in the user's commits.
    pub committed: BTreeSet<String>,
    /// What the user staged.
    pub staged: Files,
    /// Markers of the agent that were in the files when a chunk shipped.
    pub shipped: BTreeSet<String>,
    /// The number of the write at which the page is closed.
    pub closes_at: Option<(u64, Fault)>,
    /// A command of the shell runs, or its changes are not recorded.
    pub in_call: bool,
    /// What the last command, hook or step of the verification wrote: a page that is closed may leave it as the user's.
    pub of_call: Vec<String>,
    /// The verification has a step.
    pub verifies: bool,
    /// Markers that the user wrote since the page was opened.
    pub of_page: Vec<String>,
}

pub(super) fn marks(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let is_mark = |word: &&str| word.starts_with("AGENT-") || word.starts_with("USER-");
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').filter(is_mark).map(str::to_owned).collect()
}

/// Only each second line changes, so two changes conflict only where they change the same line.
pub(super) fn text(name: &str) -> String {
    (0..9).map(|at| format!("{name} {at}\n")).collect()
}

impl World {
    pub(super) fn new(seed: u64, host: MemoryHost) -> Self {
        Self {
            seed,
            host,
            random: Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d)),
            control: RunControl::default(),
            log: Vec::new(),
            count: 0,
            mine: BTreeMap::new(),
            unclear: BTreeMap::new(),
            doubted: BTreeSet::new(),
            given: BTreeSet::new(),
            paths: BTreeSet::new(),
            made_by_user: BTreeSet::new(),
            executable: BTreeSet::new(),
            close: BTreeSet::new(),
            made: BTreeMap::new(),
            commits: Vec::new(),
            committed: BTreeSet::new(),
            staged: Files::new(),
            shipped: BTreeSet::new(),
            closes_at: None,
            in_call: false,
            of_call: Vec::new(),
            verifies: seed.is_multiple_of(3),
            of_page: Vec::new(),
        }
    }

    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.log.push(text.into());
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closes_at.is_some_and(|(at, _)| self.host.fs.writes() > at)
    }

    /// The files of the project without the harness's, by path.
    pub(super) fn tree(&self) -> BTreeMap<String, Vec<u8>> {
        let files = self.host.fs.tree("/project").into_iter();
        let is_own =
            |path: &String| ![".git/", ".loopgate/", ".handoff/"].iter().any(|folder| path.starts_with(folder));
        files
            .map(|(path, bytes)| (path["/project/".len()..].to_owned(), bytes))
            .filter(|(path, _)| is_own(path))
            .collect()
    }

    /// The files with each marker.
    pub(super) fn markers(&self) -> BTreeMap<String, Vec<String>> {
        let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (path, bytes) in self.tree() {
            for marker in marks(&bytes) {
                found.entry(marker).or_default().push(path.clone());
            }
        }
        found
    }

    fn put(&self, path: &str, text: &str) {
        self.host.clock.advance(1);
        self.host.put(path, text);
        if self.executable.contains(path) {
            self.host.fs.set_mode(&format!("/project/{path}"), 0o755);
        }
    }

    fn next(&mut self, author: &str) -> String {
        self.count += 1;
        format!("{author}-{}", self.count)
    }

    fn sources(&self) -> Vec<String> {
        let is_source = |path: &String| path.starts_with("src/") && path.ends_with(".ts");
        self.tree().into_keys().filter(is_source).collect()
    }

    /// The lines of a file, and the index of one that may change.
    fn line(&mut self, path: &str) -> (Vec<String>, usize) {
        let text = self.host.text(path).unwrap_or_default();
        let lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
        let at = self.random.below(lines.len().div_ceil(2)) * 2;
        let at = at.min(lines.len().saturating_sub(2) / 2 * 2);
        (lines, at)
    }

    /// Where a file is and was.
    pub(in crate::engine::histories) fn places<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a str> {
        std::iter::successors(Some(path), |path| self.made.get(*path)?.as_deref())
    }

    /// Both sides changed the file, or what it was before.
    fn close(&mut self, path: &str) {
        let mut next = Some(path.to_owned());
        while let Some(path) = next.filter(|path| self.close.insert(path.clone())) {
            self.paths.insert(path.clone());
            next = self.made.get(&path).cloned().flatten();
        }
        // What the agent replaced before cannot be told from what the user replaces here.
        let found = self.markers();
        let close = self.close.clone();
        self.mine.retain(|marker, path| found.contains_key(marker) || !close.contains(path));
    }

    fn owns(&mut self, marker: String, path: &str, announced: bool) -> Option<String> {
        self.note(format!("user writes {marker} to {path}{}", if announced { "" } else { ", unannounced" }));
        self.of_page.push(marker.clone());
        self.paths.insert(path.to_owned());
        if announced {
            self.mine.insert(marker, path.to_owned());
        } else {
            self.doubt(marker, path);
        }
        Some(path.to_owned())
    }

    /// The marker of the user counts as a call's.
    pub(super) fn doubt(&mut self, marker: String, path: &str) {
        self.doubted.insert(marker.clone());
        self.unclear.insert(marker, path.to_owned());
    }

    /// A call of the agent.
    pub(super) fn agent(&mut self) -> (String, Value) {
        let marker = self.next("AGENT");
        let sources = self.sources();
        let free: Vec<String> = sources.iter().filter(|path| !self.executable.contains(*path)).cloned().collect();
        let what = self.random.below(17);
        let (name, args) = match what {
            0..=4 if !sources.is_empty() => {
                let path = self.random.pick(&sources);
                let (lines, at) = self.line(&path);
                let old = lines[at].clone();
                if old.is_empty() {
                    return self.agent_creates(&marker);
                }
                if old.contains("USER") {
                    self.close(&path);
                }
                (
                    "edit_file",
                    json!({ "path": path, "old_text": format!("{old}\n"), "new_text": format!("{marker}\n") }),
                )
            }
            5 | 6 if free.len() > 1 => {
                let path = self.random.pick(&free);
                self.touches(&path);
                ("delete_file", json!({ "path": path }))
            }
            7 | 8 if free.len() > 1 => {
                let (path, to) = (self.random.pick(&free), format!("src/m{}.ts", self.count));
                self.touches(&path);
                // What the user changed moves along.
                if self.paths.contains(&path) {
                    self.paths.insert(to.clone());
                }
                if self.close.contains(&path) {
                    self.close.insert(to.clone());
                }
                self.made.insert(to.clone(), Some(path.clone()));
                ("move_file", json!({ "from": path, "to": to }))
            }
            9 if !free.is_empty() => {
                let path = self.random.pick(&free);
                self.touches(&path);
                self.made.insert(path.clone(), None);
                write(&path, &format!("{marker}\na\n{marker} again\nb\n"))
            }
            10 => {
                self.touches(".env");
                write(".env", &format!("{marker}\n"))
            }
            11 => write(&format!("build/{marker}.txt"), &format!("{marker}\n")),
            12 | 13 => {
                // What an interrupted call moved in git is not put back.
                let commands = if self.closes_at.is_some() { &COMMANDS[..8] } else { &COMMANDS };
                ("shell", json!({ "command": self.random.pick(commands) }))
            }
            14 => ("look", json!({})),
            _ => return self.agent_creates(&marker),
        };
        self.note(format!("agent: {name} {args}"));
        (name.to_owned(), args)
    }

    /// A step of the verification, during which the user may save a file.
    fn verification(&mut self, marker: &str) {
        if self.random.chance(60) {
            let path = format!("step-{}.txt", self.count);
            self.put(&path, &format!("{marker}\n"));
            self.note(format!("the verification writes {path}"));
        }
        if self.random.chance(30)
            && let Some(path) = self.user(true)
        {
            self.control.edited.add([path]);
        }
    }

    /// A hook of the IDE: around a call that writes, what it changes is the agent's; around one that reads, the user may save a
    /// file meanwhile.
    pub(super) fn hook(&mut self, name: &str) {
        let writes = ["write_file", "edit_file", "delete_file", "move_file"].contains(&name);
        if writes && self.random.chance(12) {
            let marker = self.next("AGENT");
            let path = format!("hook-{}.txt", self.count);
            self.note(format!("a hook of {name} writes {path}"));
            self.put(&path, &format!("{marker}\n"));
            self.in_call = true;
            self.of_call.push(marker);
        } else if ["look", "complete_task"].contains(&name) && self.random.chance(15) {
            self.user(true);
        }
    }

    /// The user's answer about changes of a call or of the user.
    pub(super) fn says_whose(&mut self, details: &Value) -> Value {
        let mut answer = serde_json::Map::new();
        for file in details["files"].as_array().unwrap() {
            let path = file["path"].as_str().unwrap().to_owned();
            let marks = marks(self.host.text(&path).unwrap_or_default().as_bytes());
            let is_agents = marks.iter().any(|marker| self.of_call.contains(marker)) && !self.paths.contains(&path);
            self.note(format!("{path} is the agent's: {is_agents}"));
            if !is_agents {
                self.given.extend(marks.into_iter().filter(|marker| marker.starts_with("AGENT")));
                self.close.insert(path.clone());
                self.paths.insert(path.clone());
            }
            answer.insert(path, json!(if is_agents { "agent" } else { "user" }));
        }
        Value::Object(answer)
    }

    /// The agent changes a whole file, maybe with lines of the user.
    fn touches(&mut self, path: &str) {
        if self.host.text(path).unwrap_or_default().contains("USER") || self.paths.contains(path) {
            self.close(path);
        }
    }

    pub(super) fn agent_creates(&mut self, marker: &str) -> (String, Value) {
        let path = format!("src/n{}.ts", self.count);
        self.made.insert(path.clone(), None);
        self.note(format!("agent creates {path} with {marker}"));
        let (name, args) = write(&path, &format!("{marker}\na\n{marker} again\nb\n"));
        (name.to_owned(), args)
    }

    pub(super) fn creation(&mut self) -> (String, Value) {
        let marker = self.next("AGENT");
        self.agent_creates(&marker)
    }

    /// A command of the agent's shell.
    pub(super) fn shell(&mut self, command: &str) {
        self.in_call = true;
        let marker = self.next("AGENT");
        self.of_call = vec![marker.clone()];
        if command == "tsc" {
            return self.verification(&marker);
        }
        let sources: Vec<String> = self.sources().into_iter().filter(|path| !self.paths.contains(path)).collect();
        let path = if sources.is_empty() { format!("src/n{}.ts", self.count) } else { self.random.pick(&sources) };
        let mut written = Vec::new();
        match command {
            "rm" if sources.len() > 1 => self.host.fs.delete(&format!("/project/{path}")),
            "mv" if sources.len() > 1 => {
                let to = format!("src/m{}.ts", self.count);
                self.put(&to, &self.host.text(&path).unwrap_or_default());
                self.host.fs.delete(&format!("/project/{path}"));
                self.made.insert(to, Some(path.clone()));
            }
            "link" => self.host.fs.put_link(&format!("/project/link-{}", self.count), &marker),
            "chmod" => self.host.fs.set_mode(&format!("/project/{path}"), 0o755),
            "git add" => self.with_git(|world| {
                world.sources().iter().for_each(|path| drop(repository::stage(&world.host, path)));
            }),
            "git commit" => {
                if let Some(path) = sources.first() {
                    self.with_git(|world| repository::commit_file(&world.host, path, "agent"));
                }
            }
            _ => {
                let (mut lines, at) = self.line(&path);
                if lines.len() > at && !lines[at].contains("USER") {
                    lines[at].clone_from(&marker);
                    self.put(&path, &lines.join("\n"));
                    written.push(path.clone());
                }
            }
        }
        self.note(format!("the command {command} changes {path} ({marker})"));
        let announced = match command {
            "edit with user" => true,
            "edit with somebody" => false,
            _ => return,
        };
        let Some(edited) = self.user(announced) else { return };
        if announced {
            self.control.edited.add([edited.clone()]);
        }
        // What was announced is the file: the line of the command in it counts as the user's.
        if written.contains(&edited) {
            self.given.insert(marker);
            self.close(&edited);
        }
    }
}

const COMMANDS: [&str; 10] = [
    "edit",
    "edit",
    "edit with user",
    "edit with user",
    "edit with somebody",
    "rm",
    "mv",
    "chmod",
    "git add",
    "git commit",
];
