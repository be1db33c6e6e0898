//! The files of a project, listed without reading one: by a walk, and between two prompts from the watch.

use super::guard::{Access, decide};
use super::project_rules::AGENTS;
use crate::layout::is_task_file;
use crate::path;
use crate::port::{AgentRole, FileKind, Host, Phase, PortResult, ProjectDir, Rights, Stat, Walk};
use crate::snapshot::ignore::Rules;
use crate::snapshot::{Follower, Watch, read_exclude};
use crate::text::{counted, path_line};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The files below a folder.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Listing {
    /// Files and links by relative path.
    pub files: BTreeMap<String, Stat>,
    /// Folders that were not entered: ignored by git, or installed packages. Sorted.
    pub skipped: Vec<String>,
    /// There are more files than `limit`.
    pub more: bool,
}

/// The first `limit` paths of the project's own files, sorted: readable by the agent, not ignored by git, and outside the
/// harness's folder.
///
/// # Errors
/// Errors of the file system.
pub async fn list_files(host: &Host, limit: usize) -> PortResult<Vec<String>> {
    let listing = walk(host.project(), "", limit).await?;
    Ok(listing.files.into_keys().filter(|path| !is_task_file(path)).collect())
}

/// The list of files for the prompts of a run. It looks only at the paths that changed since the last prompt, and walks
/// the project if any file may have changed.
#[derive(Default)]
pub struct FileList(RefCell<Option<Walked>>);

/// What a prompt says about the project's files.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// The project's own files, one line per file.
    pub text: String,
    /// The paths of the files with instructions for agents.
    pub guides: Vec<String>,
}

impl FileList {
    /// What the role may read of the files. The same as after a walk.
    ///
    /// # Errors
    /// Errors of the file system.
    pub async fn list(&self, host: &Host, watch: &Watch, rights: &Rights) -> PortResult<Files> {
        let (known, changed) = (self.0.take(), watch.take_changed(Follower::FileList));
        let mut refreshed = None;
        if let (Some(mut known), Some(changed)) = (known, changed)
            && !changed.iter().any(|path| path::name(path) == ".gitignore")
        {
            known.refresh(host.project(), &changed).await?;
            refreshed = Some(known);
        }
        let is_complete = |walked: &Walked| walked.listing.files.len() < FILES_MAX;
        let walked = match refreshed.filter(is_complete) {
            Some(refreshed) => refreshed,
            None => Walked::new(host.project(), "", FILES_MAX).await?,
        };
        let text = describe(&walked.listing, &|path| !is_task_file(path) && is_readable(path, rights), LINES_MAX);
        let is_guide = |path: &&String| path::name(path) == AGENTS && is_told(path, rights);
        let guides = walked.listing.files.keys().filter(is_guide).cloned().collect();
        self.0.replace(Some(walked).filter(is_complete));
        Ok(Files { text, guides })
    }
}

/// Walks a folder (or one file) of the project and lists at most `limit` files. Links are listed and not followed. Leaves
/// out paths that the agent may not read, and paths below `start` that git ignores.
pub(super) async fn walk(project: ProjectDir<'_>, start: &str, limit: usize) -> PortResult<Listing> {
    Ok(Walked::new(project, start, limit).await?.listing)
}

/// A listing with what is needed to update it.
struct Walked {
    listing: Listing,
    /// The ignore rules of each folder that was entered.
    rules: BTreeMap<String, Rc<Rules>>,
}

/// Where a walk puts an entry.
#[derive(PartialEq, Eq)]
enum Place {
    /// A file is listed; a folder is entered.
    Open,
    /// A folder that is named and not entered.
    Skipped,
    Hidden,
}

impl Place {
    /// By the rules of the folder that the entry is in. The agent may read it.
    fn from_path(path: &str, is_folder: bool, rules: Option<&Rules>) -> Self {
        match (is_folder, rules.is_some_and(|rules| rules.ignore(path, is_folder))) {
            (true, false) if !is_of_packages(path) => Place::Open,
            (true, _) => Place::Skipped,
            (false, true) => Place::Hidden,
            (false, false) => Place::Open,
        }
    }
}

impl Walked {
    async fn new(project: ProjectDir<'_>, start: &str, limit: usize) -> PortResult<Self> {
        let (mut listing, mut rules) = (Listing::default(), BTreeMap::<String, Rc<Rules>>::new());
        let above = rules_above(project, start).await?;
        let mut walk = Walk::new(project, start, usize::MAX);
        while listing.files.len() < limit
            && let Some((path, stat)) = walk.next().await?
        {
            project.pause().await;
            let is_folder = stat.kind == FileKind::Directory;
            let is_start = path == start;
            let outer = if is_start { above.as_ref() } else { rules.get(path::parent(&path)) };
            let place =
                if is_start { Place::Open } else { Place::from_path(&path, is_folder, outer.map(|rules| &**rules)) };
            match place {
                Place::Open if is_folder => {
                    let inner = rules_in(project, &path, outer.map(Rc::clone)).await?;
                    walk.enter(&path, |path| is_readable(path, &READING)).await?;
                    rules.insert(path, inner);
                }
                Place::Open if stat.kind == FileKind::Special => {}
                Place::Open => drop(listing.files.insert(path, stat)),
                Place::Skipped => listing.skipped.push(path),
                Place::Hidden => {}
            }
        }
        listing.more = walk.has_more();
        listing.skipped.sort();
        Ok(Self { listing, rules })
    }

    /// Looks at these paths, and at folders above them that a walk does not enter. Ignore files did not change.
    async fn refresh(&mut self, project: ProjectDir<'_>, paths: &BTreeSet<String>) -> PortResult<()> {
        // A path below a link leads elsewhere.
        let mut not_folders: BTreeSet<&str> = BTreeSet::new();
        for path in paths {
            let closed = path::folders_above(path).find(|folder| self.place(folder, true) != Place::Open);
            let entry = closed.unwrap_or(path);
            let is_below = path::folders_above(entry).any(|folder| not_folders.contains(folder));
            let stat = if is_below { None } else { project.lstat(entry).await? };
            if stat.is_some_and(|stat| stat.kind != FileKind::Directory) {
                not_folders.insert(entry);
            }
            self.put(entry, stat);
        }
        Ok(())
    }

    fn put(&mut self, path: &str, stat: Option<Stat>) {
        let is_folder = stat.is_some_and(|stat| stat.kind == FileKind::Directory);
        let place = self.place(path, is_folder);
        let Listing { files, skipped, .. } = &mut self.listing;
        let is_file = |stat: &Stat| !matches!(stat.kind, FileKind::Directory | FileKind::Special);
        match stat.filter(is_file).filter(|_| place == Place::Open) {
            Some(stat) => drop(files.insert(path.to_owned(), stat)),
            None => drop(files.remove(path)),
        }
        match (skipped.binary_search_by(|other| other.as_str().cmp(path)), place == Place::Skipped) {
            (Err(at), true) => skipped.insert(at, path.to_owned()),
            (Ok(at), false) => drop(skipped.remove(at)),
            _ => {}
        }
    }

    fn place(&self, path: &str, is_folder: bool) -> Place {
        if !is_readable(path, &READING) {
            return Place::Hidden;
        }
        let above = std::iter::once("").chain(path::folders_above(path));
        let rules = above.filter_map(|folder| self.rules.get(folder)).last();
        Place::from_path(path, is_folder, rules.map(|rules| &**rules))
    }
}

fn is_readable(path: &str, rights: &Rights) -> bool {
    decide("", path, Access::Read, rights, "").is_ok()
}

/// Whether a prompt may have the file's text: only what the role's tool may read.
fn is_told(path: &str, rights: &Rights) -> bool {
    is_readable(path, rights) && decide("", path, Access::Read, rights, "read_file").is_ok()
}

/// What git ignores by the files above a path; `None` above the project's folder.
async fn rules_above(project: ProjectDir<'_>, path: &str) -> PortResult<Option<Rc<Rules>>> {
    let mut rules = None;
    for folder in std::iter::once("").filter(|_| !path.is_empty()).chain(path::folders_above(path)) {
        rules = Some(rules_in(project, folder, rules).await?);
    }
    Ok(rules)
}

/// The folder's own ignore rules, added to the rules of the folders above it. As in git, a link does not count.
async fn rules_in(project: ProjectDir<'_>, folder: &str, above: Option<Rc<Rules>>) -> PortResult<Rc<Rules>> {
    let path = path::join(folder, ".gitignore");
    let ignore = match project.lstat(&path).await? {
        Some(stat) if stat.kind == FileKind::File => project.read(&path).await?,
        _ => None,
    };
    match above {
        Some(above) => Ok(above.enter(folder, ignore.as_deref())),
        None => {
            let exclude = read_exclude(project).await?;
            Ok(Rules::of_project(&exclude, ignore.as_deref()))
        }
    }
}

/// Folders of installed packages are never listed, whether git ignores them or not.
fn is_of_packages(path: &str) -> bool {
    path::name(path) == "node_modules"
}

/// One line per shown file with its size, at most `lines` of them, and lines for what is not listed.
pub(super) fn describe(listing: &Listing, is_shown: &dyn Fn(&str) -> bool, lines: usize) -> String {
    let mut text = String::new();
    let shown: Vec<_> = listing.files.iter().filter(|(path, _)| is_shown(path)).collect();
    for (path, stat) in shown.iter().take(lines) {
        let size = match stat.kind {
            FileKind::Symlink => "link".to_owned(),
            _ => counted(stat.size, "byte"),
        };
        text.push_str(&format!("{} ({size})\n", path_line(path)));
    }
    for path in &listing.skipped {
        text.push_str(&format!("{}/ (not listed)\n", path_line(path)));
    }
    let more = shown.len().saturating_sub(lines);
    if more > 0 || listing.more {
        let at_least = if listing.more { "at least " } else { "" };
        text.push_str(&format!("… and {at_least}{} more: list one folder\n", more.max(1)));
    }
    text
}

/// How many files a walk for the prompt lists. Only a list of fewer files is complete, so only that can be updated.
const FILES_MAX: usize = 20_000;
/// How many files the prompt shows.
const LINES_MAX: usize = 200;

static READING: Rights = Rights::reader(AgentRole::Builder, Phase::Build);

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::agent::GuardedFs;
    use crate::port::memory::MemoryHost;
    use crate::port::{FsPort, PolicyRule};
    use serde_json::json;

    fn paths(listing: &Listing) -> Vec<&str> {
        listing.files.keys().map(String::as_str).collect()
    }

    #[tokio::test]
    async fn a_walk_leaves_out_what_is_closed_and_what_packages_bring() {
        let host = MemoryHost::new([
            ("src/App.tsx", "x"),
            ("src/ui/a.ts", "x"),
            (".git/config", "x"),
            (".loopgate/lease", "x"),
            ("pkg/node_modules/a/index.js", "x"),
        ]);
        host.fs.symlink("/etc", "/project/link").await.unwrap();
        let listing = walk(host.project(), "", 100).await.unwrap();
        assert_eq!(paths(&listing), ["link", "src/App.tsx", "src/ui/a.ts"]);
        assert_eq!((listing.skipped, listing.more), (vec!["pkg/node_modules".to_owned()], false));
        assert_eq!(paths(&walk(host.project(), "src/ui", 100).await.unwrap()), ["src/ui/a.ts"]);
        assert_eq!(paths(&walk(host.project(), "src/App.tsx", 100).await.unwrap()), ["src/App.tsx"]);
        assert_eq!(paths(&walk(host.project(), "nowhere", 100).await.unwrap()), Vec::<&str>::new());
        let first = walk(host.project(), "", 2).await.unwrap();
        assert_eq!((paths(&first), first.more), (vec!["link", "src/App.tsx"], true));
    }

    #[tokio::test]
    async fn what_git_ignores_is_left_out_unless_it_is_asked_for() {
        let host = MemoryHost::new([
            (".gitignore", "dist/\n*.log\n!/keep.log\n"),
            (".git/info/exclude", "mine\n"),
            ("dist/a.js", "x"),
            ("a.log", "x"),
            ("keep.log", "x"),
            ("mine", "x"),
            ("node_modules/x.js", "x"),
            ("src/.gitignore", "/gen\n"),
            ("src/gen/a.ts", "x"),
            ("src/lib/gen/b.ts", "x"),
            ("src/b.log", "x"),
        ]);
        let listing = walk(host.project(), "", 100).await.unwrap();
        assert_eq!(paths(&listing), [".gitignore", "keep.log", "src/.gitignore", "src/lib/gen/b.ts"]);
        assert_eq!(listing.skipped, ["dist", "node_modules", "src/gen"]);
        assert_eq!(paths(&walk(host.project(), "dist", 100).await.unwrap()), ["dist/a.js"]);
        assert_eq!(paths(&walk(host.project(), "src", 100).await.unwrap()), ["src/.gitignore", "src/lib/gen/b.ts"]);
        assert_eq!(paths(&walk(host.project(), "a.log", 100).await.unwrap()), ["a.log"]);
    }

    #[tokio::test]
    async fn a_list_is_bounded_and_one_line_a_file() {
        let host = MemoryHost::new([("a", "1"), ("b\nc", "22"), ("d", "1"), ("node_modules/x", "1")]);
        host.fs.symlink("a", "/project/link").await.unwrap();
        let listing = walk(host.project(), "", 100).await.unwrap();
        assert_eq!(
            describe(&listing, &|_| true, 100),
            "a (1 byte)\n\"b\\nc\" (2 bytes)\nd (1 byte)\nlink (link)\nnode_modules/ (not listed)\n"
        );
        assert!(describe(&listing, &|_| true, 3).ends_with("… and 1 more: list one folder\n"));
        let part = walk(host.project(), "", 3).await.unwrap();
        assert!(describe(&part, &|_| true, 2).ends_with("… and at least 1 more: list one folder\n"));
        assert!(describe(&part, &|_| true, 3).ends_with("… and at least 1 more: list one folder\n"));
    }

    /// A change as a tool of the agent makes it. Many fail, because the file is missing or a file is in the way.
    async fn change(host: &MemoryHost, watch: &Watch, number: usize) {
        const PATHS: [&str; 14] = [
            "a",
            "a/x",
            "a/x/y",
            "src/b.ts",
            "src/gen/c.ts",
            "src/new/gen/d.ts",
            "dist/e.js",
            "lib/node_modules/f.js",
            "link/g",
            "link",
            "h.log",
            "keep.log",
            ".ralph/summary.md",
            "src/.gitignore",
        ];
        let path = |number: usize| PATHS.get(number % PATHS.len()).copied().unwrap_or_default();
        let files = GuardedFs::new(&host.fs, &host.dir, &READING);
        let (from, to) = (path(number / 4), path(number / 64));
        let content = "x".repeat(number % 7);
        let attempt = async || match number % 4 {
            0 | 1 => files.write_file(from, content.as_bytes()).await,
            2 => files.remove_file(from).await,
            _ => files.rename(from, to).await,
        };
        let is_file = files.lstat(from).await.is_ok_and(|stat| stat.kind == FileKind::File);
        if (number % 4 < 2 || is_file)
            && attempt().await.is_err_and(|error| error.is_not_found())
            && files.make_parents(if number % 4 < 2 { from } else { to }).await.is_ok()
        {
            let _ = attempt().await;
        }
        files.take_touched().iter().for_each(|path| watch.touch(path));
    }

    #[tokio::test]
    async fn the_list_for_the_prompt_equals_that_of_a_walk_after_any_changes() {
        let mut random = 1_u64;
        for round in 0..25 {
            let host = MemoryHost::new([
                (".gitignore", "dist/\n*.log\n!/keep.log\n"),
                ("src/.gitignore", "gen\n"),
                ("src/b.ts", "b"),
                ("other/z", "z"),
            ]);
            host.fs.put_link("/project/link", "other");
            let (list, watch) = (FileList::default(), Watch::default());
            for step in 0..40 {
                for _ in 0..=step % 4 {
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    change(&host, &watch, (random >> 33) as usize).await;
                }
                let walked = FileList::default().list(&host, &Watch::default(), &READING).await.unwrap();
                assert_eq!(list.list(&host, &watch, &READING).await.unwrap(), walked, "round {round}, step {step}");
            }
        }
    }

    #[tokio::test]
    async fn the_list_for_the_prompt_walks_only_if_any_file_may_have_changed() {
        let host = MemoryHost::new([]);
        (0..100).for_each(|number| host.put(&format!("src/{number}.ts"), "x"));
        let (list, watch) = (FileList::default(), Watch::default());
        let listed = async |calls: u64, text: &str| {
            let before = host.fs.calls();
            let found = list.list(&host, &watch, &READING).await.unwrap().text;
            assert!(host.fs.calls() - before <= calls && found.contains(text), "{}", host.fs.calls() - before);
        };
        listed(110, "src/7.ts (1 byte)").await;
        listed(0, "src/7.ts (1 byte)").await;
        host.put("src/7.ts", "changed");
        listed(0, "src/7.ts (1 byte)").await;
        watch.touch("src/7.ts");
        listed(1, "src/7.ts (7 bytes)").await;
        host.put("src/8.ts", "changed");
        watch.distrust(&host);
        listed(110, "src/8.ts (7 bytes)").await;
        host.put(".gitignore", "src\n");
        watch.touch(".gitignore");
        listed(110, "src/ (not listed)").await;
    }

    #[tokio::test]
    async fn what_the_policy_closes_is_neither_listed_nor_a_guide() {
        let host = MemoryHost::new([("AGENTS.md", "x"), ("api/AGENTS.md", "x"), ("src/a.ts", "x")]);
        let (list, watch) = (FileList::default(), Watch::default());
        let open = list.list(&host, &watch, &READING).await.unwrap();
        assert_eq!(open.guides, ["AGENTS.md", "api/AGENTS.md"]);
        let rules = |rule: serde_json::Value| -> Vec<PolicyRule> { vec![serde_json::from_value(rule).unwrap()] };
        for (rule, guides, listed) in [
            (json!({ "path": "/AGENTS.md", "access": "read" }), vec!["api/AGENTS.md"], 2),
            (json!({ "path": "AGENTS.md", "access": "read" }), vec![], 1),
            (json!({ "path": "api", "access": "read", "role": "builder" }), vec!["AGENTS.md"], 2),
            (json!({ "path": "AGENTS.md", "access": "read", "tool": "read_file" }), vec![], 3),
            (
                json!({ "path": "AGENTS.md", "access": "read", "role": "reviewer" }),
                vec!["AGENTS.md", "api/AGENTS.md"],
                3,
            ),
            (json!({ "path": "AGENTS.md" }), vec!["AGENTS.md", "api/AGENTS.md"], 3),
        ] {
            let mut denied = rule.clone();
            denied["decision"] = json!("deny");
            denied["key"] = json!("policy[0]");
            let rights = READING.clone().under(&rules(denied));
            let files = list.list(&host, &watch, &rights).await.unwrap();
            assert_eq!(
                (files.guides, files.text.lines().count()),
                (guides.into_iter().map(str::to_owned).collect(), listed),
                "{rule}"
            );
            assert_eq!(list.list(&host, &watch, &READING).await.unwrap(), open, "{rule}");
        }
    }
}
