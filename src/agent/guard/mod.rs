//! The guard: what the agent may read and write. Every door asks [`decide`] and nothing else.

use crate::layout::{self, Agent, Entry, Owner, PLAN, RALPH, STATUS, SUMMARY};
use crate::path;
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

/// What decides beside the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// Check, review and accept allow no writes.
    pub phase: Phase,
    /// In PLAN, only the agent's own files of the task may be written.
    pub plan_required: bool,
}

/// The rule that refused a path; stable, for `write-denied` events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// No file can have this path: it is empty, or has a NUL, a backslash or a component of dots and spaces.
    BadPath,
    /// More than 4,096 bytes, or a name of more than 255.
    TooLong,
    /// It leads out of the project.
    OutsideProject,
    /// Git owns it.
    Git,
    /// It is in the harness's closed folder.
    Loopgate,
    /// The harness writes it.
    HarnessFile,
    /// The user writes it.
    UserFile,
    /// PLAN is closed because a plan or its update is due.
    PlanPhase,
    /// Check, review or accept.
    ReadOnlyPhase,
    /// A symbolic link leads to a closed path, or cannot be followed.
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

/// Decides a path that is absolute, or relative to the project's folder `dir`. An allowed path is returned as a normal path
/// relative to `dir` (empty for the folder itself), which is the path to use from then on. What the files beside the
/// sources allow is in [`layout`]. Symbolic links are followed by [`super::GuardedFs`], which asks about every path that
/// they lead to.
///
/// # Errors
/// The rule that refused the path.
pub fn decide(dir: &str, path: &str, access: Access, policy: Policy) -> Result<String, Denied> {
    check_form(path)?;
    let normal = relative(dir, path)?;
    let folded = path::fold(&normal);
    if !normal.is_empty() && path::folded_names(&folded).any(str::is_empty) {
        return deny(Rule::BadPath, format!("{path:?} has a name of dots, spaces or invisible characters alone"));
    }
    let entry = layout::entry(&folded);
    match entry {
        Some(Entry { agent: Agent::Closed, owner: Owner::Git, .. }) => {
            return deny(
                Rule::Git,
                format!("{path:?} belongs to git, which is closed; use the `snapshot` tool to save or restore files"),
            );
        }
        Some(Entry { agent: Agent::Closed, .. }) => {
            return deny(Rule::Loopgate, format!("{path:?} belongs to the harness and is closed; go on without it"));
        }
        _ if access == Access::Read => return Ok(normal),
        _ if normal.is_empty() => {
            return deny(Rule::BadPath, format!("{path:?} is the project's folder itself; name a file in it"));
        }
        Some(entry) => check_entry(path, &normal, entry, access, policy)?,
        None => check_source(path, policy)?,
    }
    Ok(normal)
}

const PATH_MAX: usize = 4096;
const NAME_MAX: usize = 255;

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

/// The normal path relative to `dir`.
fn relative(dir: &str, path: &str) -> Result<String, Denied> {
    let whole = if path.starts_with('/') { path::normalise(path) } else { path::normalise(&format!("{dir}/{path}")) };
    let dir = path::normalise(dir);
    if whole == dir {
        return Ok(String::new());
    }
    if path::is_below(&whole, &dir) {
        return Ok(whole.get(dir.len()..).unwrap_or_default().trim_start_matches('/').to_owned());
    }
    deny(
        Rule::OutsideProject,
        format!("{path:?} lies outside the project; name files relative to its folder, such as \"src/App.tsx\""),
    )
}

/// Writing a file that [`layout`] has a row for.
fn check_entry(path: &str, normal: &str, entry: &Entry, access: Access, policy: Policy) -> Result<(), Denied> {
    let is_exact = entry.path.split('/').next() == normal.split('/').next();
    match (entry.agent, entry.owner) {
        (Agent::Writes(_), _) if !is_exact => {
            deny(Rule::HarnessFile, format!("{path:?} is another spelling of `{RALPH}`; write it `{RALPH}/`"))
        }
        (Agent::Writes(phases), _) if phases.contains(&policy.phase) => Ok(()),
        (Agent::Writes(_), _) => read_only(path, policy),
        _ if normal == RALPH && access == Access::MakeDir => {
            check_source(path, Policy { plan_required: false, ..policy })
        }
        (_, Owner::User) => deny(
            Rule::UserFile,
            format!("{path:?} is the user's (`{}`): read it, and write your own notes below `{RALPH}/`", entry.path),
        ),
        _ => deny(
            Rule::HarnessFile,
            format!("{path:?} is written by the harness: read it; you write `{PLAN}`, `{SUMMARY}` and `{STATUS}`"),
        ),
    }
}

/// Writing one of the project's own files.
fn check_source(path: &str, policy: Policy) -> Result<(), Denied> {
    match policy.phase {
        Phase::Check | Phase::Review | Phase::Accept => read_only(path, policy),
        Phase::Plan if policy.plan_required => deny(
            Rule::PlanPhase,
            format!(
                "{path:?} is closed in the PLAN phase. First write the plan of this task to `{PLAN}` (to update an \
                 existing plan, call `plan` with the action `update`), then call `complete_task`. The harness checks \
                 the plan and opens the BUILD phase; change this file there"
            ),
        ),
        Phase::Plan | Phase::Build => Ok(()),
    }
}

fn read_only(path: &str, policy: Policy) -> Result<(), Denied> {
    deny(
        Rule::ReadOnlyPhase,
        format!("{path:?} cannot be written in phase `{}`: the gates judge the project", policy.phase.as_str()),
    )
}

fn deny<T>(rule: Rule, message: String) -> Result<T, Denied> {
    Err(Denied { rule, message })
}

#[cfg(test)]
mod tests;
