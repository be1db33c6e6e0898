//! The guard: what the agent may read and write. Every door asks [`decide`] and nothing else.

use super::look_alikes::fold;
use crate::port::Phase;

/// What a path is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reading a file, listing a folder, asking what is there.
    Read,
    /// Creating, replacing, changing, moving or removing.
    Write,
    /// Creating a folder, which alone changes nothing of what is there.
    MakeDir,
}

/// What the guard goes by beside the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// Check, review and accept allow no writes.
    pub phase: Phase,
    /// In PLAN, only the agent's own `.ralph/` files may be written.
    pub plan_required: bool,
}

/// The rule that refused a path; stable, for `write-denied` events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// It names no file: empty, NUL, a backslash, a component of dots and spaces.
    BadPath,
    /// More than 4,096 bytes, or a name of more than 255.
    TooLong,
    /// It leads out of the project.
    OutsideProject,
    /// It belongs to git.
    Git,
    /// It belongs to loopgate.
    Loopgate,
    /// The harness writes it.
    HarnessFile,
    /// The user writes it: `.handoff`, `specs`, `SCRATCHPAD.md`.
    UserFile,
    /// PLAN is closed because a plan or its update is due.
    PlanPhase,
    /// Check, review or accept.
    ReadOnlyPhase,
    /// A symbolic link leads where the agent may not go, or cannot be followed.
    Link,
}

impl Rule {
    /// Its name in events.
    pub fn as_str(self) -> &'static str {
        match self {
            Rule::BadPath => "bad-path",
            Rule::TooLong => "too-long",
            Rule::OutsideProject => "outside-project",
            Rule::Git => "git",
            Rule::Loopgate => "loopgate",
            Rule::HarnessFile => "harness-file",
            Rule::UserFile => "user-file",
            Rule::PlanPhase => "plan-phase",
            Rule::ReadOnlyPhase => "read-only-phase",
            Rule::Link => "link",
        }
    }
}

/// A refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denied {
    /// Why, for events.
    pub rule: Rule,
    /// Why, and what to do instead, for the agent.
    pub message: String,
}

/// Decides a path that is absolute, or relative to the project's folder `dir`. What it allows, it returns as a
/// normal path relative to `dir` (empty for the folder itself), which is the path to use from then on.
/// Symbolic links are followed by [`super::GuardedFs`], which asks about every path that they lead to.
///
/// # Errors
/// The rule that refused it (`state-layout.md`, rules 1 and 2).
pub fn decide(dir: &str, path: &str, access: Access, policy: Policy) -> Result<String, Denied> {
    check_form(path)?;
    let normal = relative(dir, path)?;
    let names = meanings(&normal);
    check_names(path, &names)?;
    if access == Access::Read {
        return Ok(normal);
    }
    check_closed(path, &normal, &names, access)?;
    check_phase(path, &normal, policy)?;
    Ok(normal)
}

/// The harness keeps it, or both do: what it says is no part of what is judged.
pub fn is_kept_by_harness(path: &str) -> bool {
    let own = |name: &str| HARNESS_FILES.contains(&name) || name == "status.txt";
    path.strip_prefix(".ralph/").is_some_and(own)
}

const PATH_MAX: usize = 4096;
const NAME_MAX: usize = 255;

/// What the harness writes in `.ralph/`, by the only name that the agent could use for it.
const HARNESS_FILES: [&str; 12] = [
    "origin.md",
    "task.md",
    "feedback.md",
    "phase.txt",
    "iteration.txt",
    "task-counter.txt",
    "task-history.md",
    "theme.txt",
    "plan-diff.md",
    "build-errors.md",
    "errors.md",
    "console.md",
];

/// What the user writes at the project's root. The agent reads it.
const USER_FILES: [&str; 3] = [".handoff", "specs", "scratchpad.md"];

fn check_form(path: &str) -> Result<(), Denied> {
    if path.len() > PATH_MAX {
        return deny(Rule::TooLong, format!("a path of {} bytes is too long: {PATH_MAX} is the limit", path.len()));
    }
    if let Some(name) = path.split('/').find(|name| name.len() > NAME_MAX) {
        return deny(Rule::TooLong, format!("a name of {} bytes is too long: {NAME_MAX} is the limit", name.len()));
    }
    if path.contains('\0') {
        return deny(Rule::BadPath, format!("{path:?} holds a NUL, which no path may"));
    }
    if path.contains('\\') {
        return deny(Rule::BadPath, format!("{path:?} holds a backslash: separate folders with `/`"));
    }
    Ok(())
}

/// Resolves `.` and `..` and makes the path relative to `dir`.
fn relative(dir: &str, path: &str) -> Result<String, Denied> {
    let mut parts: Vec<&str> = Vec::new();
    let base = if path.starts_with('/') { "" } else { dir };
    for part in base.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let mut parts = parts.into_iter();
    if dir.split('/').filter(|part| !part.is_empty()).all(|part| parts.next() == Some(part)) {
        return Ok(parts.collect::<Vec<_>>().join("/"));
    }
    deny(
        Rule::OutsideProject,
        format!("{path:?} lies outside the project; name files relative to its folder, such as \"src/App.tsx\""),
    )
}

/// The names in a path as the least exact file system would read them: folded, without an NTFS stream and without
/// the trailing dots and spaces that Windows drops.
fn meanings(normal: &str) -> Vec<String> {
    let folded = fold(normal);
    let names = folded.split(['/', '\\']).map(|name| {
        let name = name.split(':').next().unwrap_or_default();
        name.trim_end_matches(['.', ' ']).to_owned()
    });
    if normal.is_empty() { Vec::new() } else { names.collect() }
}

/// What no component may be, for reading either.
fn check_names(path: &str, names: &[String]) -> Result<(), Denied> {
    for name in names {
        if name.is_empty() {
            return deny(Rule::BadPath, format!("{path:?} has a name of dots, spaces or invisible characters alone"));
        }
        if means(name, ".git") {
            return deny(
                Rule::Git,
                format!("{path:?} belongs to git, which is closed; use the `snapshot` tool to save or restore files"),
            );
        }
        if means(name, ".loopgate") {
            return deny(Rule::Loopgate, format!("{path:?} belongs to the harness and is closed; go on without it"));
        }
    }
    Ok(())
}

/// What is read but never written by the agent, in any phase.
fn check_closed(path: &str, normal: &str, names: &[String], access: Access) -> Result<(), Denied> {
    let Some(root) = names.first() else {
        return deny(Rule::BadPath, format!("{path:?} is the project's folder itself; name a file in it"));
    };
    if let Some(closed) = USER_FILES.iter().find(|closed| means(root, closed)) {
        return deny(
            Rule::UserFile,
            format!("{path:?} is the user's (`{closed}`): read it, and write your own notes below `.ralph/`"),
        );
    }
    if !means(root, ".ralph") {
        return Ok(());
    }
    if normal != ".ralph" && !normal.starts_with(".ralph/") {
        return deny(Rule::HarnessFile, format!("{path:?} is another spelling of `.ralph`; write it `.ralph/`"));
    }
    match names.get(1) {
        None if access == Access::MakeDir => Ok(()),
        None => deny(Rule::HarnessFile, format!("{path:?} holds the harness's files; change your own files in it")),
        Some(name) if HARNESS_FILES.iter().any(|file| means(name, file)) => deny(
            Rule::HarnessFile,
            format!(
                "{path:?} is written by the harness: read it; you write `.ralph/plan.tsx`, `.ralph/summary.md` and \
                 `.ralph/status.txt`"
            ),
        ),
        Some(_) => Ok(()),
    }
}

fn check_phase(path: &str, normal: &str, policy: Policy) -> Result<(), Denied> {
    match policy.phase {
        Phase::Check | Phase::Review | Phase::Accept => deny(
            Rule::ReadOnlyPhase,
            format!("{path:?} cannot be written in phase `{}`: what is judged must not change", policy.phase.as_str()),
        ),
        Phase::Plan if policy.plan_required && normal != ".ralph" && !normal.starts_with(".ralph/") => deny(
            Rule::PlanPhase,
            format!(
                "{path:?} is closed in the PLAN phase. First write the plan of this task to `.ralph/plan.tsx` (to update an \
                 existing plan, call `plan` with the action `update`), then call `complete_task`. The harness checks \
                 the plan and opens the BUILD phase; change this file there"
            ),
        ),
        Phase::Plan | Phase::Build => Ok(()),
    }
}

/// The folded name is this one, or its short name on a FAT or NTFS volume (`GIT~1` for `.git`).
fn means(name: &str, closed: &str) -> bool {
    name == closed || is_short_name(name, closed)
}

/// Short names are eight characters, a dot and three: the first six of the name, `~` and a number.
fn is_short_name(name: &str, of: &str) -> bool {
    let of = of.trim_start_matches('.');
    let (stem, extension) = of.rsplit_once('.').unwrap_or((of, ""));
    let Some((head, rest)) = name.rsplit_once('~') else { return false };
    let (number, short_extension) = rest.split_once('.').unwrap_or((rest, ""));
    let room = 7_usize.saturating_sub(number.len());
    !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && head.len() == stem.len().min(room)
        && stem.starts_with(head)
        && short_extension.len() == extension.len().min(3)
        && extension.starts_with(short_extension)
}

fn deny<T>(rule: Rule, message: String) -> Result<T, Denied> {
    Err(Denied { rule, message })
}

#[cfg(test)]
mod tests;
