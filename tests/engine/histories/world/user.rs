//! What the user does.

use super::*;

impl World {
    /// The user does something in the files; the path.
    pub(in crate::engine::histories) fn user(&mut self, announced: bool) -> Option<String> {
        match self.random.below(15) {
            0..=5 => self.user_edits(announced),
            6 | 7 => self.user_creates(announced),
            8 => self.user_edits_ignored(announced),
            9 => self.user_deletes_own(),
            10 if announced => self.user_deletes(),
            11 if announced => self.user_makes_executable(),
            12 => self.user_restores(announced),
            // What is announced is one path.
            13 if announced && !self.in_call => self.user_renames(),
            _ => None,
        }
    }

    fn user_edits(&mut self, announced: bool) -> Option<String> {
        let sources = self.sources();
        if sources.is_empty() {
            return None;
        }
        let path = self.random.pick(&sources);
        let (mut lines, at) = self.line(&path);
        let replaced = marks(lines[at].as_bytes());
        for marker in &replaced {
            self.mine.remove(marker);
            self.unclear.remove(marker);
        }
        let marker = self.next("USER");
        lines[at].clone_from(&marker);
        self.put(&path, &lines.join("\n"));
        let is_agents = |marker: &String| marker.starts_with("AGENT") || self.unclear.contains_key(marker);
        if !announced || self.made.contains_key(&path) || replaced.iter().any(is_agents) {
            self.close(&path);
        }
        self.owns(marker, &path, announced)
    }

    fn user_creates(&mut self, announced: bool) -> Option<String> {
        let marker = self.next("USER");
        let path = format!("mine-{}.txt", self.count);
        match self.random.below(4) {
            0 => self
                .host
                .fs
                .put(format!("/project/{path}").as_str(), [b"\0\xff".as_slice(), marker.as_bytes()].concat()),
            1 => self.host.fs.put_link(&format!("/project/{path}"), &marker),
            _ => self.put(&path, &format!("{marker}\n")),
        }
        self.made_by_user.insert(path.clone());
        self.owns(marker, &path, announced)
    }

    fn user_edits_ignored(&mut self, announced: bool) -> Option<String> {
        let old = marks(self.host.text(".env").unwrap_or_default().as_bytes());
        let marker = self.next("USER");
        self.put(".env", &format!("{marker}\n"));
        self.mine.retain(|_, path| path != ".env");
        self.unclear.retain(|_, path| path != ".env");
        if !announced || old.iter().any(|marker| marker.starts_with("AGENT")) {
            self.close(".env");
        }
        self.owns(marker, ".env", announced)
    }

    fn user_deletes_own(&mut self) -> Option<String> {
        let found = self.markers();
        let (marker, path) = self
            .mine
            .iter()
            .find(|(marker, path)| path.starts_with("mine-") && found.contains_key(*marker))
            .map(|(marker, path)| (marker.clone(), path.clone()))?;
        self.mine.remove(&marker);
        self.note(format!("user deletes {path}"));
        self.host.fs.delete(&format!("/project/{path}"));
        Some(path)
    }

    fn user_deletes(&mut self) -> Option<String> {
        let sources: Vec<String> = self.sources().into_iter().filter(|path| !self.executable.contains(path)).collect();
        if sources.len() < 2 {
            return None;
        }
        let path = self.random.pick(&sources);
        let gone = marks(self.host.text(&path).unwrap_or_default().as_bytes());
        self.mine.retain(|marker, _| !gone.contains(marker));
        self.unclear.retain(|marker, _| !gone.contains(marker));
        self.host.fs.delete(&format!("/project/{path}"));
        self.close(&path);
        self.note(format!("user deletes {path}"));
        Some(path)
    }

    fn user_renames(&mut self) -> Option<String> {
        let sources: Vec<String> = self.sources().into_iter().filter(|path| !self.executable.contains(path)).collect();
        if sources.len() < 2 {
            return None;
        }
        let from = self.random.pick(&sources);
        self.next("USER");
        let to = format!("src/r{}.ts", self.count);
        self.close(&from);
        self.put(&to, &self.host.text(&from).unwrap_or_default());
        self.host.fs.delete(&format!("/project/{from}"));
        for path in self.mine.values_mut().chain(self.unclear.values_mut()).filter(|path| **path == from) {
            path.clone_from(&to);
        }
        self.paths.insert(to.clone());
        self.close.insert(to.clone());
        // Otherwise the agent made or moved it, so its commit has it here.
        let head = repository::tip(&self.host, "HEAD").map(|tip| repository::files_of(&self.host, &tip));
        if self.made_by_user.contains(&from) || head.is_some_and(|files| files.contains_key(&from)) {
            self.made_by_user.insert(to.clone());
        }
        self.note(format!("user renames {from} to {to}"));
        self.made.insert(to.clone(), Some(from));
        Some(to)
    }

    fn user_makes_executable(&mut self) -> Option<String> {
        let sources: Vec<String> =
            self.sources().into_iter().filter(|path| path.starts_with("src/f") && !self.close.contains(path)).collect();
        let is_plain = |path: &&String| repository::mode_of(&self.host, path) == "100644";
        let path = sources.iter().find(is_plain)?.clone();
        self.host.fs.set_mode(&format!("/project/{path}"), 0o755);
        self.executable.insert(path.clone());
        self.paths.insert(path.clone());
        self.note(format!("user makes {path} executable"));
        Some(path)
    }

    /// The user writes a file that is missing.
    fn user_restores(&mut self, announced: bool) -> Option<String> {
        let path = (0..3).map(|at| format!("src/f{at}.ts")).find(|path| self.host.text(path).is_none())?;
        let marker = self.next("USER");
        self.close(&path);
        self.put(&path, &format!("{marker}\nx\ny\n"));
        self.owns(marker, &path, announced)
    }

    /// Runs git for the user: its writes do not belong to the page that closes.
    pub(super) fn with_git<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        let left = self.closes_at.map(|(at, fault)| (at.saturating_sub(self.host.fs.writes()), fault));
        self.host.fs.heal();
        let result = act(self);
        repository::ready(self.host.fs.flush()).unwrap();
        if let Some((left, fault)) = left {
            self.host.fs.fail_write(left, fault);
            self.closes_at = Some((self.host.fs.writes() + left, fault));
        }
        result
    }

    /// The user commits on the branch of the run, or stages a file.
    pub(in crate::engine::histories) fn user_runs_git(&mut self) {
        // A crash may have torn the ref of the branch.
        let has_tip = repository::tip(&self.host, "HEAD").is_some();
        let is_free = has_tip && repository::branch(&self.host) == "spec/shop";
        let text = |path: &String| self.host.text(path).unwrap_or_default();
        let own = |path: &String| {
            !text(path).contains("AGENT") && !self.close.contains(path) && !self.executable.contains(path)
        };
        let edited: Vec<String> =
            self.sources().into_iter().filter(|path| text(path).contains("USER") && own(path)).collect();
        let untracked: Vec<String> =
            self.made_by_user.iter().filter(|path| text(path).starts_with("USER")).cloned().collect();
        let all = [edited, untracked].concat();
        let what = self.random.below(3);
        if what == 0 && !all.is_empty() {
            let path = self.random.pick(&all);
            self.note(format!("user stages {path}"));
            let entry = self.with_git(|world| repository::stage(&world.host, &path));
            self.staged.insert(path, entry);
            return;
        }
        if !is_free {
            return;
        }
        let path = if what == 1 && !all.is_empty() {
            self.random.pick(&all)
        } else {
            let marker = self.next("USER");
            let path = format!("doc-{}.md", self.count);
            self.put(&path, &format!("{marker}\n"));
            self.owns(marker, &path, true);
            path
        };
        let commit = self.with_git(|world| repository::commit_file(&world.host, &path, "doc"));
        self.committed.extend(marks(self.host.text(&path).unwrap_or_default().as_bytes()));
        self.note(format!("user commits {path}: {commit}"));
        self.made_by_user.remove(&path);
        self.staged.remove(&path);
        self.commits.push(commit);
    }
}
