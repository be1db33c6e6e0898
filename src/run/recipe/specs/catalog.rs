//! The specs of a project, and the files that belong to each.

use crate::error::{Error, ErrorCode};
use crate::layout::{SPEC_CANDIDATES, SPEC_DONE, SPEC_PLANS, SPECS};
use crate::nearest::nearest;
use crate::path;
use crate::port::{FileKind, PortErrorKind, ProjectDir, Walk};
use crate::run::options::Work;
use crate::run::recipe::heading;
use crate::task::hash_bytes;
use serde::{Deserialize, Serialize};

/// A spec that can run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpecInfo {
    /// Relative to the project, such as `specs/area/0002-bar.md`.
    pub path: String,
    /// The text of its first heading; without one, the name of its file.
    pub title: String,
}

/// A file below `specs/` that does not run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct SkippedSpec {
    pub path: String,
    pub reason: String,
    /// It is a spec that is done.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub done: bool,
}

impl SpecInfo {
    /// The id: the path below `specs/` without its extension, such as `area/0002-bar`.
    pub(super) fn id(&self) -> &str {
        let below = self.path.strip_prefix(SPECS).map_or(self.path.as_str(), |rest| rest.trim_start_matches('/'));
        below.strip_suffix(".md").unwrap_or(below)
    }

    pub(super) fn plan(&self) -> String {
        format!("{SPEC_PLANS}/{}.md", self.id())
    }

    pub(super) fn plan_state(&self) -> String {
        format!("{SPEC_PLANS}/{}.json", self.id())
    }

    /// An invalidated plan.
    pub(super) fn archive(&self, number: u32) -> String {
        format!("{SPEC_PLANS}/{}.attempt-{number}.md", self.id())
    }

    pub(super) fn candidate(&self) -> String {
        format!("{SPEC_CANDIDATES}/{}.json", self.id())
    }

    pub(super) fn done(&self) -> String {
        format!("{SPEC_DONE}/{}.md", self.id())
    }

    /// The tag of a snapshot of this spec. It moves within a run; a later run adds a number.
    pub(super) fn tag(&self, name: &str) -> String {
        format!("spec/{}/{name}", ref_part(self.id()))
    }
}

/// The length of an id in a tag, in bytes.
const TAG_PART_MAX: usize = 160;

/// How much of the name of a spec with a longer id is in its tag, in bytes.
const TAG_NAME_MAX: usize = 80;

/// An id as part of a tag or branch that git accepts, and that no other id has. Letters, digits, `-`, `_` and single dots stay; every
/// other byte is `%` and two hex digits. Of a long id, the name stays, cut, and `%h` with the hash of the id follows it.
pub(in crate::run) fn ref_part(id: &str) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let (mut part, mut before) = (String::new(), None);
    for (at, byte) in id.bytes().enumerate() {
        let rest = id.as_bytes().get(at + 1..).unwrap_or_default();
        let stays = match byte {
            b'/' => true,
            b'.' => {
                let is_lock = rest == b"lock" || rest.starts_with(b"lock/");
                before.as_ref().is_some_and(is_plain) && rest.first().is_some_and(is_plain) && !is_lock
            }
            _ if before == Some(b'/') => {
                let name = id.get(at..).and_then(|path| path.split('/').next()).unwrap_or_default();
                is_plain(&byte) && !is_tag(name)
            }
            _ => is_plain(&byte),
        };
        match stays {
            true => part.push(char::from(byte)),
            false => part += &format!("%{byte:02x}"),
        }
        before = Some(byte);
    }
    match part.rsplit('/').next() {
        Some(name) if part.len() > TAG_PART_MAX => {
            format!("{}%h{}", name.get(..TAG_NAME_MAX).unwrap_or(name), hash_bytes(id.as_bytes()))
        }
        _ => part,
    }
}

/// Whether a spec has a snapshot of this name. No folder is there: `0001-a/base/0002-b` beside the tag `0001-a/base`.
fn is_tag(name: &str) -> bool {
    matches!(name, "base" | "planning" | "candidate" | "done") || name.starts_with("base-")
}

/// The specs that a run works on, in order, and the other files with the reasons. `commits`: a done spec is committed.
///
/// # Errors
/// `not-found` or `invalid-argument` for a path that is not a runnable spec; errors of the file system.
pub(super) async fn find(
    project: ProjectDir<'_>,
    work: &Work,
    commits: bool,
) -> Result<(Vec<SpecInfo>, Vec<SkippedSpec>), Error> {
    let (path, force) = match work {
        Work::Spec { path, force } => (path.as_deref().map(|path| relative(project, path)), *force),
        _ => (None, false),
    };
    let (mut specs, mut skipped, mut denied) = (Vec::new(), Vec::new(), None);
    for file in files(project).await? {
        let read = match project.read_text(&file).await {
            Ok(text) => read(&file, &text.unwrap_or_default()),
            // A link, or a folder behind one. Where all specs are behind one, no spec is there.
            Err(error) if error.kind == PortErrorKind::Denied && file != SPECS => {
                let reason = error.message.clone();
                denied = Some(error);
                Err(reason)
            }
            Err(error) => return Err(error.into()),
        };
        match read {
            Ok(title) => specs.push(SpecInfo { path: file, title }),
            Err(reason) => skipped.push(SkippedSpec { path: file, reason, done: false }),
        }
    }
    if let Some(denied) = denied.filter(|_| specs.is_empty()) {
        return Err(denied.into());
    }
    specs.sort_by(|a, b| path::name(&a.path).cmp(path::name(&b.path)).then_with(|| a.path.cmp(&b.path)));
    if let Some(path) = path {
        specs = vec![chosen(&path, specs, &skipped)?];
        skipped.clear();
    }
    let mut runnable = Vec::new();
    for spec in specs {
        // The candidate is removed after the commit.
        let is_uncommitted = commits && project.lstat(&spec.candidate()).await?.is_some();
        let is_done = project.lstat(&spec.done()).await?.is_some() && !is_uncommitted;
        if is_done && !force {
            let reason = format!("{} exists: the spec is done. Pass `force` to do it again", spec.done());
            skipped.push(SkippedSpec { path: spec.path, reason, done: true });
        } else {
            runnable.push(spec);
        }
    }
    Ok((runnable, skipped))
}

/// Every text file below `specs/` that is not in a folder of the harness.
async fn files(project: ProjectDir<'_>) -> Result<Vec<String>, Error> {
    let mut files = Vec::new();
    let mut walk = Walk::new(project, SPECS, FILES_MAX);
    while let Some((path, stat)) = walk.next().await? {
        let is_state = [SPEC_PLANS, SPEC_CANDIDATES, SPEC_DONE].contains(&path.as_str());
        match stat.kind {
            FileKind::Directory if !is_state => walk.enter(&path, |_| true).await?,
            FileKind::File | FileKind::Symlink if is_text(&path) => files.push(path),
            // Reading a link refuses it.
            FileKind::Symlink if path == SPECS => files.push(path),
            _ => {}
        }
    }
    Ok(files)
}

/// Whether a user may have meant the file as a spec.
fn is_text(path: &str) -> bool {
    let extension = path::extension(path).to_ascii_lowercase();
    ["md", "markdown", "mdx", "txt"].contains(&extension.as_str())
}

/// How many entries below `specs/` are looked at.
const FILES_MAX: usize = 10_000;

/// The length of a spec's name without its extension, in bytes: file systems take 255, and the names of its files are longer.
const NAME_MAX: usize = 220;

/// The title of a spec, or why the file is not a spec.
fn read(path: &str, text: &str) -> Result<String, String> {
    let stem = path::name(path).strip_suffix(".md").unwrap_or_default();
    let (number, name) = stem.split_once('-').unwrap_or_default();
    if number.len() != 4 || !number.bytes().all(|byte| byte.is_ascii_digit()) || name.is_empty() {
        return Err("a spec's file is named like 0001-short-name.md".to_owned());
    }
    if stem.rsplit_once(".attempt-").is_some_and(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit())) {
        return Err("`.attempt-` and a number name an archived plan: rename the spec".to_owned());
    }
    if path.contains(char::is_control) || stem.len() > NAME_MAX {
        return Err(format!(
            "a spec's path has no control characters, and its name at most {NAME_MAX} bytes: rename the spec"
        ));
    }
    let text = text.trim_start_matches('\u{feff}');
    if !text.contains(char::is_alphanumeric) {
        return Err("the file is empty".to_owned());
    }
    Ok(heading(text).unwrap_or_else(|| stem.to_owned()))
}

/// The path relative to the project, given one that may be absolute.
fn relative(project: ProjectDir<'_>, path: &str) -> String {
    let absolute = if path.starts_with('/') { path.to_owned() } else { project.absolute(path) };
    let (normal, dir) = (path::normalise(&absolute), path::normalise(&project.absolute("")));
    normal.strip_prefix(&dir).unwrap_or(&normal).trim_start_matches('/').to_owned()
}

fn chosen(path: &str, specs: Vec<SpecInfo>, skipped: &[SkippedSpec]) -> Result<SpecInfo, Error> {
    if let Some(SkippedSpec { reason, .. }) = skipped.iter().find(|skipped| skipped.path == path) {
        return Err(Error::new(ErrorCode::InvalidArgument, format!("{path} cannot run: {reason}")).at_path(path));
    }
    let near = nearest(path, specs.iter().map(|spec| spec.path.as_str())).into_iter().next();
    specs.into_iter().find(|spec| spec.path == path).ok_or_else(|| {
        let hint = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
        Error::new(ErrorCode::NotFound, format!("there is no spec {path}{hint}")).at_path(path)
    })
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;
    use crate::port::memory::MemoryHost;
    use crate::snapshot::is_valid_tag;

    #[test]
    fn every_file_of_a_nested_spec_mirrors_its_folder() {
        let spec = SpecInfo { path: "specs/area/0002-bar.md".to_owned(), title: "Bar".to_owned() };
        let paths = [spec.plan(), spec.plan_state(), spec.archive(1), spec.candidate(), spec.done(), spec.tag("base")];
        assert_eq!(
            paths,
            [
                "specs/plans/area/0002-bar.md",
                "specs/plans/area/0002-bar.json",
                "specs/plans/area/0002-bar.attempt-1.md",
                "specs/candidates/area/0002-bar.json",
                "specs/done/area/0002-bar.md",
                "spec/area/0002-bar/base",
            ]
        );
    }

    #[test]
    fn a_plain_name_is_in_its_tag_as_it_is() {
        for id in ["0002-bar", "area/0002-bar", "v1.2/a_B/0002-x.y-z", "base/0002-a", "a/baseline/0002-a"] {
            assert_eq!(ref_part(id), id);
        }
        for (id, expected) in [
            ("0002-my spec", "0002-my%20spec"),
            ("a..b/0002-ä", "a%2e%2eb/0002-%c3%a4"),
            (".x/0001-a.", "%2ex/0001-a%2e"),
            ("0001-a.lock", "0001-a%2elock"),
            ("0001-100%h", "0001-100%25h"),
        ] {
            assert_eq!(ref_part(id), expected);
        }
    }

    #[test]
    fn the_tag_of_every_name_is_valid_and_its_own() {
        let (long, longer) = ("x".repeat(210), "ä".repeat(90));
        let names = [
            "a b",
            "a~b",
            "a..b",
            "a:b",
            "a@{b",
            "a.lock",
            "a^b",
            "a*b",
            "a[b",
            "a\\b",
            "a%20b",
            "a%b",
            "äöü",
            "日本",
            "a.",
            "a",
            "A",
            &long,
            &format!("{long}y"),
            &longer,
            &format!("{longer}b"),
        ];
        let folders = ["", "a b/", "a..b/", ".x/", "a.lock/", "-/", "@/", &format!("{}/", "d ".repeat(100))];
        let ids: Vec<String> =
            folders.iter().flat_map(|folder| names.map(|name| format!("{folder}0001-{name}"))).collect();
        let tag = |id: &String| SpecInfo { path: format!("specs/{id}.md"), title: String::new() }.tag("base-12");
        let tags: std::collections::BTreeSet<String> = ids.iter().map(tag).collect();
        assert_eq!(tags.len(), ids.len());
        for tag in tags {
            assert!(is_valid_tag(&tag) && tag.is_ascii(), "{tag}");
        }
    }

    #[test]
    fn no_folder_of_specs_is_in_the_place_of_a_tag() {
        let spec = |id: &str| SpecInfo { path: format!("specs/{id}.md"), title: String::new() };
        for name in ["base", "base-2", "planning", "candidate", "done"] {
            let (upper, lower) = (spec("0001-a").tag(name), spec(&format!("0001-a/{name}/0002-b")).tag("base"));
            assert!(!lower.starts_with(&format!("{upper}/")), "{lower}");
        }
    }

    #[test]
    fn a_name_that_no_file_of_the_harness_can_have_is_not_a_spec() {
        for name in ["0001-a\nb".to_owned(), format!("0001-{}", "x".repeat(220))] {
            assert!(read(&format!("specs/{name}.md"), "# X").unwrap_err().contains("rename"), "{name}");
        }
        assert!(read(&format!("specs/0001-{}.md", "x".repeat(200)), "# X").is_ok());
    }

    #[tokio::test]
    async fn only_numbered_specs_run_in_order_and_the_others_have_a_reason() {
        let host = MemoryHost::new([
            ("specs/0003-last.md", "# Last\n"),
            ("specs/area/0002-bar.md", "\u{feff}# Bar\n"),
            ("specs/0001-foo.md", "intro\n\n# Foo\n"),
            ("specs/0004-done.md", "# Done\n"),
            ("specs/done/0004-done.md", "verified"),
            ("specs/README.md", "# Specs\n"),
            ("specs/done.md", "# Done\n"),
            ("specs/0005-empty.md", "\u{feff} \n"),
            ("specs/0006-plain.md", "no heading\n"),
            ("specs/0008-bare.md", "# \n"),
            ("specs/0009-UPPER.MD", "# Upper\n"),
            ("specs/0001-foo.attempt-1.md", "# An old plan\n"),
            ("specs/plans/0001-foo.md", "# A plan\n"),
            ("specs/candidates/0009-x.md", "# X\n"),
        ]);
        host.fs.put_link("/project/specs/0007-link.md", "0001-foo.md");
        let work = |path: Option<&str>, force| Work::Spec { path: path.map(str::to_owned), force };
        let (specs, skipped) = find(host.project(), &work(None, false), false).await.unwrap();
        let titles: Vec<_> = specs.iter().map(|spec| spec.title.as_str()).collect();
        assert_eq!(titles, ["Foo", "Bar", "Last", "0006-plain"]);
        let reason = |path: &str| skipped.iter().find(|skipped| skipped.path == path).map(|skipped| &skipped.reason);
        for (path, words) in [
            ("specs/README.md", "named like"),
            ("specs/done.md", "named like"),
            ("specs/0005-empty.md", "empty"),
            ("specs/0008-bare.md", "empty"),
            ("specs/0009-UPPER.MD", "named like"),
            ("specs/0007-link.md", "link"),
            ("specs/0001-foo.attempt-1.md", "archived plan"),
            ("specs/0004-done.md", "force"),
        ] {
            assert!(reason(path).is_some_and(|reason| reason.contains(words)), "{path}: {:?}", reason(path));
        }
        assert_eq!(skipped.len(), 8, "state folders are not listed: {skipped:?}");
        assert_eq!(find(host.project(), &work(None, true), false).await.unwrap().0.len(), 5);
        for (path, code) in [("specs/README.md", ErrorCode::InvalidArgument), ("specs/0001-fo.md", ErrorCode::NotFound)]
        {
            let error = find(host.project(), &work(Some(path), false), false).await.unwrap_err();
            assert_eq!(error.code, code, "{}", error.message);
        }
        let (one, _) = find(host.project(), &work(Some("./specs/area/0002-bar.md"), false), false).await.unwrap();
        assert_eq!(one.len(), 1);
    }
}
