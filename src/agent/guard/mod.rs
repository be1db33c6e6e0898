//! The guard: what the agent may read and write. [`decide`] checks every path.

use crate::layout::{self, Agent, Entry, Owner, RALPH};
use crate::path;
use crate::port::{Area, Deed, Effect, PolicyRule, Rights};

/// The kind of access to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reading a file, listing a folder, reading a stat.
    Read,
    /// Creating, replacing, changing, moving or removing.
    Write,
    /// Creating a folder, which changes no file.
    MakeDir,
}

/// The rule that refused a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum Rule {
    /// The path is empty, or has a NUL, a backslash or a component of dots and spaces.
    BadPath,
    TooLong,
    OutsideProject,
    Git,
    Loopgate,
    /// Only the harness writes the file.
    HarnessFile,
    /// Only the user writes the file.
    UserFile,
    /// The role writes only a plan that is due.
    PlanPhase,
    /// The role writes nothing, because the project is judged or because it only reads.
    ReadOnlyPhase,
    /// A symbolic link leads to a closed path, or cannot be followed.
    Link,
    /// The role does not have the tool.
    Tools,
    /// The configuration denies it.
    Policy,
}

impl Rule {
    /// The rule that refuses what is outside of the part of the project that a role writes.
    pub(super) fn of_area(rights: &Rights) -> Self {
        if rights.is_planning() { Rule::PlanPhase } else { Rule::ReadOnlyPhase }
    }

    /// The stable name.
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
            Rule::Tools => "tools",
            Rule::Policy => "policy",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Denied {
    pub rule: Rule,
    /// For the agent: the reason, and what to do instead.
    pub message: String,
    /// The configuration's rule.
    pub policy: Option<Box<PolicyRule>>,
}

impl Denied {
    pub(super) fn new(rule: Rule, message: impl Into<String>) -> Self {
        Self { rule, message: message.into(), policy: None }
    }

    /// By a rule of the policy. `what` is the path, the command or the tool.
    pub(super) fn by_policy(rule: &PolicyRule, what: &str) -> Self {
        let how = if rule.decision == Effect::Ask {
            "needs the user's approval, which this call does not have,"
        } else {
            "is denied"
        };
        let message = format!("{what:?} {how} by the policy ({}): do the work without it", rule.source());
        Self { policy: Some(Box::new(rule.clone())), ..Self::new(Rule::Policy, message) }
    }

    /// The name of the rule in `write-denied` events: the key of the configuration's rule, or the name of the guard's.
    pub fn name(&self) -> &str {
        self.policy.as_ref().map_or(self.rule.as_str(), |rule| &rule.key)
    }
}

/// Checks a path that is absolute, or relative to the project's folder `dir`. Returns the normal path relative to `dir`
/// (empty for the folder itself), which the caller must use. The rights of the files next to the sources are in
/// [`layout`]. `tool` is the tool of the call, for the rules of the policy. [`super::GuardedFs`] follows symbolic links and
/// checks every path that they lead to.
///
/// # Errors
/// The rule that refused the path.
pub fn decide(dir: &str, path: &str, access: Access, rights: &Rights, tool: &str) -> Result<String, Denied> {
    let normal = guarded(dir, path, access, rights)?;
    let deed = if access == Access::Read { Deed::Read(&normal) } else { Deed::Write(&normal) };
    match rights.denial(tool, deed) {
        // A folder has no content, and a file that is allowed may be below it.
        Some(rule) if access == Access::MakeDir && rights.allows_paths(tool, rule) => Ok(normal),
        Some(rule) => Err(Denied::by_policy(rule, path)),
        None => Ok(normal),
    }
}

/// The decision without the policy of the configuration, which lifts nothing.
fn guarded(dir: &str, path: &str, access: Access, rights: &Rights) -> Result<String, Denied> {
    check_form(path)?;
    let normal = relative(dir, path)?;
    let folded = path::fold(&normal);
    if !normal.is_empty() && path::folded_names(&folded).any(str::is_empty) {
        return deny(
            Rule::BadPath,
            format!("{path:?} has a name with only dots, spaces or invisible characters; use another name"),
        );
    }
    let entry = layout::entry(&folded);
    match entry {
        Some(Entry { agent: Agent::Closed, owner: Owner::Git, .. }) => {
            return deny(Rule::Git, format!("{path:?} belongs to git, which is closed; continue without it"));
        }
        Some(Entry { agent: Agent::Closed, .. }) => {
            return deny(Rule::Loopgate, format!("{path:?} belongs to the harness and is closed; continue without it"));
        }
        _ if access == Access::Read => return Ok(normal),
        _ if normal.is_empty() => {
            return deny(Rule::BadPath, format!("{path:?} is the project's folder; name a file in it"));
        }
        Some(entry) => check_entry(path, &normal, entry, access, rights)?,
        None if layout::is_spec_log(&normal) => {
            return deny(Rule::HarnessFile, format!("{path:?} is a log that the harness writes; read it"));
        }
        None => check_area(path, rights)?,
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
        return deny(Rule::BadPath, format!("{path:?} contains a NUL; remove it"));
    }
    if path.contains('\\') {
        return deny(Rule::BadPath, format!("{path:?} contains a backslash; separate folders with `/`"));
    }
    Ok(())
}

/// The normal path relative to `dir`.
fn relative(dir: &str, path: &str) -> Result<String, Denied> {
    let absolute =
        if path.starts_with('/') { path::normalise(path) } else { path::normalise(&format!("{dir}/{path}")) };
    let dir = path::normalise(dir);
    if absolute == dir {
        return Ok(String::new());
    }
    if path::is_below(&absolute, &dir) {
        return Ok(absolute.get(dir.len()..).unwrap_or_default().trim_start_matches('/').to_owned());
    }
    deny(
        Rule::OutsideProject,
        format!("{path:?} is outside the project; name files relative to its folder, such as \"src/App.tsx\""),
    )
}

/// Writing a file that [`layout`] has a row for.
fn check_entry(path: &str, normal: &str, entry: &Entry, access: Access, rights: &Rights) -> Result<(), Denied> {
    let is_exact = entry.path.split('/').next() == normal.split('/').next();
    match (entry.agent, entry.owner) {
        (Agent::Writes(_), Owner::Agent) if !is_exact => {
            deny(Rule::HarnessFile, format!("{path:?} is another spelling of `{RALPH}`; write it `{RALPH}/`"))
        }
        (Agent::Writes(areas), _) if areas.contains(&rights.writes) => Ok(()),
        (Agent::Writes(_), Owner::Agent) => check_area(path, rights),
        _ if normal == RALPH && access == Access::MakeDir && rights.writes != Area::Nothing => Ok(()),
        _ if normal == RALPH && access == Access::MakeDir => check_area(path, rights),
        (_, Owner::User) => {
            deny(Rule::UserFile, format!("{path:?} is the user's (`{}`): read it, and write other files", entry.path))
        }
        _ => deny(Rule::HarnessFile, format!("{path:?} is written by the harness: read it, and write other files")),
    }
}

/// Writing one of the project's own files.
fn check_area(path: &str, rights: &Rights) -> Result<(), Denied> {
    match rights.no_write(path) {
        None => Ok(()),
        Some(message) => deny(Rule::of_area(rights), message),
    }
}

fn deny<T>(rule: Rule, message: String) -> Result<T, Denied> {
    Err(Denied::new(rule, message))
}

#[cfg(test)]
mod tests;
