//! What must hold at the end of an attempt, of a page and of a run.

use super::repository;
use super::world::{World, marks};
use loopgate::port::memory::MemoryHost;
use std::collections::BTreeSet;

pub(super) struct Checks {
    /// The user's commit before the first run.
    base: String,
    /// The texts of the events that name files with a conflict.
    named: String,
    /// The files that events name as the agent's.
    changed: BTreeSet<String>,
    /// The files in commits of the run.
    committed: BTreeSet<String>,
    /// The page was closed in a call, or the end of the journal is lost.
    is_uncertain: bool,
    /// An attempt is being taken back: a file that the user edits then may have the agent's lines or not.
    pub is_reverting: bool,
}

/// As `.gitignore` says.
fn is_ignored(path: &str) -> bool {
    path == ".env" || path.starts_with("build/")
}

#[track_caller]
pub(super) fn require(world: &World, is: bool, what: &str) {
    assert!(is, "HISTORIES_SEED={}: not so: {what}\n{}", world.seed, world.log.join("\n"));
}

impl Checks {
    pub(super) fn new(host: &MemoryHost) -> Self {
        Self {
            base: repository::tip(host, "HEAD").unwrap(),
            named: String::new(),
            changed: BTreeSet::new(),
            committed: BTreeSet::new(),
            is_uncertain: false,
            is_reverting: false,
        }
    }

    pub(super) fn names(&mut self, text: &str) {
        self.named += text;
        self.named.push('\n');
    }

    pub(super) fn changes(&mut self, path: &str) {
        self.changed.insert(path.to_owned());
    }

    /// A page opens. What a call left may count as the user's.
    pub(super) fn begins(&mut self, world: &mut World, resumes: bool) {
        if !self.is_uncertain {
            return;
        }
        // Moves and deletions that are not recorded, and files that came back, count as the user's.
        world.paths.extend(repository::files_of(&world.host, &self.base).into_keys());
        world.paths.extend(self.committed.iter().cloned());
        world.paths.extend(world.tree().into_keys());
        let is_unknown = !resumes || std::mem::take(&mut self.is_reverting);
        // Nothing shows that these lines of an abandoned run, of a call, or of lines that the journal lost are the agent's.
        let of_call = world.of_call.clone();
        let is_given = |marker: &String| is_unknown || of_call.contains(marker);
        for (marker, paths) in world.markers().into_iter().filter(|(marker, _)| marker.starts_with("AGENT")) {
            if is_given(&marker) {
                world.given.insert(marker);
                world.close.extend(paths.iter().cloned());
                world.paths.extend(paths);
            }
        }
        world.executable.clear();
    }

    /// The journal has what the page found at its start.
    pub(super) fn has_begun(&mut self) {
        self.is_uncertain = false;
    }

    /// A page was closed, maybe with the loss of what was not flushed.
    pub(super) fn ends(&mut self, world: &mut World) {
        if !world.is_closed() {
            return;
        }
        let is_lost = world.random.chance(25);
        if is_lost {
            world.host.fs.lose_unflushed();
            let found = world.markers();
            world.mine.retain(|marker, _| found.contains_key(marker));
            world.unclear.retain(|marker, _| found.contains_key(marker));
            let mut executable = std::mem::take(&mut world.executable);
            executable.retain(|path| repository::mode_of(&world.host, path) == "100755");
            world.executable = executable;
            world.note("what was not flushed is lost");
        }
        self.is_uncertain |= world.in_call || self.is_reverting;
    }

    /// A chunk is committed: the agent's lines stay, and so does what it deleted.
    pub(super) fn ships<'a>(&mut self, world: &mut World, paths: impl Iterator<Item = &'a str>) {
        self.committed.extend(paths.map(str::to_owned));
        let found = world.markers();
        world.shipped.extend(found.keys().filter(|marker| marker.starts_with("AGENT")).cloned());
        self.is_gone(world);
        self.commits(world);
        self.index(world);
    }

    /// What the agent replaced of the user's may be gone once its attempt is shipped; an object keeps it.
    fn is_gone(&self, world: &mut World) {
        let found = world.markers();
        let gone: Vec<(String, String)> = world
            .mine
            .iter()
            .filter(|(marker, _)| !found.contains_key(*marker))
            .map(|(marker, path)| (marker.clone(), path.clone()))
            .collect();
        for (marker, path) in gone {
            if world.committed.contains(&marker) {
                world.mine.remove(&marker);
                continue;
            }
            let may_go = path == ".env" || world.host.text(&path).is_none();
            require(world, may_go && self.changed.contains(&path), &format!("{marker} in {path} is there after SHIP"));
            self.is_kept(world, &marker);
            world.mine.remove(&marker);
        }
    }

    /// An earlier page committed a chunk, and may not have recorded it.
    pub(super) fn has_shipped<'a>(&mut self, world: &mut World, commit: &str, paths: impl Iterator<Item = &'a str>) {
        self.committed.extend(paths.map(str::to_owned));
        // What the attempt wrote to ignored files stays.
        let ignored = world.markers().into_iter().filter(|(_, paths)| paths.iter().any(|path| is_ignored(path)));
        world.shipped.extend(ignored.map(|(marker, _)| marker));
        for (_, blob) in repository::files_of(&world.host, commit).into_values() {
            world.shipped.extend(marks(&repository::bytes_of(&world.host, &blob)));
        }
        self.is_gone(world);
    }

    fn is_kept(&self, world: &World, marker: &str) {
        let has = |object: &Vec<u8>| {
            marks(object.split(|byte| *byte == 0).next_back().unwrap_or_default()).iter().any(|mark| mark == marker)
        };
        require(world, repository::objects(&world.host).iter().any(has), &format!("an object keeps {marker}"));
    }

    /// Nothing of the agent is left, and everything of the user is there.
    pub(super) fn clean(&self, world: &World) {
        let found = world.markers();
        for (marker, paths) in found.iter().filter(|(marker, _)| marker.starts_with("AGENT")) {
            let is_named = |path: &String| world.close.contains(path) && self.is_named(world, path);
            let may_stay = world.shipped.contains(marker) || world.given.contains(marker) || paths.iter().all(is_named);
            require(world, may_stay, &format!("{marker} of the agent is left in {paths:?}"));
        }
        for (marker, path) in &world.mine {
            let is_named = world.close.contains(path) && self.named.contains(path.as_str());
            require(
                world,
                // A file that the agent moved is removed if HEAD has it.
                found.contains_key(marker) || is_named || world.committed.contains(marker),
                &format!("{marker}, which the user wrote to {path}, is there"),
            );
        }
        for (marker, path) in world.unclear.iter().filter(|(marker, _)| !found.contains_key(*marker)) {
            require(
                world,
                world.places(path).any(|place| self.changed.contains(place)) || self.is_named(world, path),
                &format!("an event names {path} with {marker}"),
            );
            self.is_kept(world, marker);
        }
        for path in world.executable.iter().filter(|path| world.host.text(path).is_some()) {
            require(world, repository::mode_of(&world.host, path) == "100755", &format!("{path} is executable"));
        }
        self.status(world);
    }

    /// An event names the file's conflict, here or where it was before the user renamed it.
    fn is_named(&self, world: &World, path: &str) -> bool {
        world.places(path).any(|place| self.named.contains(place))
    }

    /// Only files of the user differ from HEAD.
    fn status(&self, world: &World) {
        let head = repository::tip(&world.host, "HEAD");
        require(world, head.is_some(), "HEAD has a commit");
        let files = repository::files_of(&world.host, &head.unwrap());
        let tree = world.tree();
        let paths: BTreeSet<&String> = files.keys().chain(tree.keys()).collect();
        for path in paths.into_iter().filter(|path| !path.starts_with(".handoff/") && !path.starts_with("build/")) {
            let committed = files.get(path).map(|(_, oid)| repository::bytes_of(&world.host, oid));
            let is_users = world.paths.contains(path)
                || path == ".env"
                || (world.close.contains(path) && self.named.contains(path.as_str()));
            require(world, is_users || committed.as_ref() == tree.get(path), &format!("{path} is as in HEAD"));
        }
    }

    /// No commit of the run has lines or files of the user, and the branches have no other commits than commits of the run and
    /// of the user.
    pub(super) fn commits(&self, world: &World) {
        let host = &world.host;
        require(
            world,
            repository::tip(host, "refs/heads/main").as_ref() == Some(&self.base),
            "the branch of the user stays",
        );
        let log = repository::log(host, "refs/heads/spec/shop");
        // The ref is torn, until the run is resumed.
        if log.is_empty() {
            return;
        }
        for commit in &world.commits {
            require(world, log.contains(commit), &format!("the user's commit {commit} is on the branch"));
        }
        let lines = |oid: &String| -> BTreeSet<String> {
            let files = repository::files_of(host, oid).into_iter().filter(|(path, _)| !path.starts_with(".handoff"));
            files.flat_map(|(_, (_, blob))| marks(&repository::bytes_of(host, &blob))).collect()
        };
        for oid in log.iter().filter(|oid| **oid != self.base && !world.commits.contains(oid)) {
            let commit = repository::commit(host, oid);
            require(
                world,
                commit.message.contains("of shop."),
                &format!("the commit {oid} is the run's: {}", commit.message),
            );
            let parent = commit.parents.first().unwrap();
            let before = lines(parent);
            for marker in lines(oid).iter().filter(|marker| marker.starts_with("USER") && !before.contains(*marker)) {
                require(world, world.doubted.contains(marker), &format!("{marker} of the user is not in {oid}"));
            }
            let (files, before) = (repository::files_of(host, oid), repository::files_of(host, parent));
            for (path, (mode, _)) in files.iter().filter(|(path, _)| !before.contains_key(*path)) {
                require(
                    world,
                    !world.made_by_user.contains(path) || world.unclear.values().any(|own| own == path),
                    &format!("{path} of the user is not in {oid}"),
                );
                require(
                    world,
                    !world.executable.contains(path) || mode == "100644",
                    &format!("the mode of {path} is not in {oid}"),
                );
            }
        }
    }

    /// The index has what HEAD has, and what the user staged, or both, merged.
    pub(super) fn index(&self, world: &World) {
        let head = repository::files_of(&world.host, &repository::tip(&world.host, "HEAD").unwrap());
        let index = repository::index(&world.host);
        let paths: BTreeSet<&String> = head.keys().chain(index.keys()).collect();
        for path in paths {
            let (is, staged) = (index.get(path), world.staged.get(path));
            let is_shipped = self.committed.contains(path);
            let may_be = if staged.is_some() && !is_shipped {
                is == staged
            } else {
                let text = |entry: Option<&(String, String)>| {
                    let bytes = entry.map(|(_, oid)| repository::bytes_of(&world.host, oid)).unwrap_or_default();
                    String::from_utf8_lossy(&bytes).into_owned()
                };
                let (merged, sources) = (text(is), text(staged) + &text(head.get(path)));
                // An earlier commit may have been merged into it.
                let is_from = |line: &str| line.contains("AGENT") || sources.lines().any(|of| of == line);
                let is_merged = staged.is_some() && merged.lines().all(is_from);
                is == head.get(path) || is == staged || is_merged
            };
            require(world, may_be, &format!("the index has {path} as HEAD has it, and as the user staged it: {is:?}"));
        }
    }
}
