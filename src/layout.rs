//! The files that a project has beside its sources: their names, and who may do what with them.
//!
//! **To change what the agent may write, change one row of the table below.** A row holds for its path and for everything
//! below it; the first row that fits a path decides. The guard, the prompt, the projection, the snapshots, the gates and the
//! texts for the agent take names and rights from here, and no other source may contain these names
//! (`tests/architecture.rs`), so a file without a row cannot exist.

use crate::path;
use crate::phase::Area;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    Agent,
    Git,
    Harness,
    User,
}

/// What the agent may do with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Agent {
    /// Nothing, wherever the name occurs in a path.
    Closed,
    Reads,
    /// Reads it, and writes it in a role that writes one of these parts of the project.
    Writes(&'static [Area]),
}

/// What a rollback does with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rollback {
    /// Snapshots contain it, and a rollback restores it.
    Restores,
    /// No snapshot contains it, and no rollback changes it.
    Skips,
}

/// Whether the verdict of the gates is bound to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// A change of the file makes the verdict stale.
    Bound,
    /// The file changes with the verdict.
    Free,
}

/// A row of the table.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// A path in the project; `*` is any one name.
    pub path: &'static str,
    pub owner: Owner,
    pub agent: Agent,
    pub rollback: Rollback,
    pub verdict: Verdict,
}

const WORK: Agent = Agent::Writes(&[Area::Project, Area::TaskPlan]);
const PLANS: Agent = Agent::Writes(&[Area::SpecPlan]);

/// Declares a row and the constant of its path together.
macro_rules! layout {
    ($($(#[$doc:meta])* $name:ident = $path:literal, $owner:expr, $agent:expr, $rollback:expr, $verdict:expr;)*) => {
        $($(#[$doc])* pub(crate) const $name: &str = $path;)*
        pub(crate) const ENTRIES: &[Entry] = &[
            $(Entry { path: $name, owner: $owner, agent: $agent, rollback: $rollback, verdict: $verdict },)*
        ];
    };
}

use Agent::{Closed, Reads};
use Owner::{Agent as Own, Git, Harness, User};
use Rollback::{Restores, Skips};
use Verdict::{Bound, Free};

#[rustfmt::skip]
layout! {
    // constant      path                       owner    agent   rollback  verdict
    GIT            = ".git",                    Git,     Closed, Skips,    Free;

    /// Makes git ignore the folder.
    STATE_IGNORE   = ".loopgate/.gitignore",    Harness, Closed, Skips,    Free;
    /// The events of the runs, a folder each.
    JOURNAL        = ".loopgate/journal",       Harness, Closed, Skips,    Free;
    /// The runs that have a journal, in order.
    JOURNAL_INDEX  = ".loopgate/journal-index", Harness, Closed, Skips,    Free;
    /// The records of the iterations of the runs, a folder each.
    RECORDS        = ".loopgate/runs",          Harness, Closed, Skips,    Free;
    /// The run that may write the project.
    LEASE          = ".loopgate/lease",        Harness, Closed, Skips,    Free;
    /// The last plan that was checked, to restore a deleted one.
    CHECKED_PLAN   = ".loopgate/plan.tsx",      Harness, Closed, Skips,    Free;
    /// The plan before the task updates it; without this file no update is due.
    PLAN_BEFORE    = ".loopgate/plan-before.tsx", Harness, Closed, Skips,  Free;
    /// The hashes of all files at the task's start, for a project without git.
    FILES_BEFORE   = ".loopgate/files-before",  Harness, Closed, Skips,    Free;
    /// The files as the last scan found them.
    STAT_CACHE     = ".loopgate/stat-cache",    Harness, Closed, Skips,    Free;
    /// The redo log of a rollback.
    UNDO           = ".loopgate/undo",          Harness, Closed, Skips,    Free;
    /// The bytes of an ignored file that is taken back, until they replace it.
    RESTORING      = ".loopgate/restoring",     Harness, Closed, Skips,    Free;
    /// The objects that a save writes.
    SAVING         = ".loopgate/saving",        Harness, Closed, Skips,    Free;
    /// The refs of the iterations' snapshots.
    ITERATIONS     = ".loopgate/iterations",    Harness, Closed, Skips,    Free;
    /// Where the branches of the specs began.
    BEGINNINGS     = ".loopgate/branches",      Harness, Closed, Skips,    Free;
    /// What the runs spent.
    SPENDING       = ".loopgate/spending.json", Harness, Closed, Skips,    Free;
    /// The catalog of snapshots: the commit, kind, time and message of each.
    NAMES          = ".loopgate/names",         Harness, Closed, Skips,    Free;
    /// The names and pins of snapshots.
    LABELS         = ".loopgate/labels",        Harness, Closed, Skips,    Free;
    /// Files in place of those above that this harness did not write.
    FOREIGN        = ".loopgate/foreign",       Harness, Closed, Skips,    Free;
    LOOPGATE       = ".loopgate",               Harness, Closed, Skips,    Free;

    /// The plan.
    PLAN           = ".ralph/plan.tsx",         Own,     WORK,   Restores, Bound;
    /// What the agent built.
    SUMMARY        = ".ralph/summary.md",       Own,     WORK,   Restores, Bound;
    /// The state of the task: `running`, `complete`, `waiting` or `failed`. The harness writes it as well.
    STATUS         = ".ralph/status.txt",       Own,     WORK,   Restores, Free;
    /// The plan's rules as JSON, for linters.
    LINT_CONFIG    = ".ralph/lint-config.json", Own,     WORK,   Restores, Bound;
    /// The first request of the project.
    ORIGIN         = ".ralph/origin.md",        Harness, Reads,  Restores, Free;
    /// The parsed task.
    TASK           = ".ralph/task.md",          Harness, Reads,  Restores, Free;
    /// What the last check found.
    FEEDBACK       = ".ralph/feedback.md",      Harness, Reads,  Restores, Free;
    /// `plan` or `build`.
    PHASE          = ".ralph/phase.txt",        Harness, Reads,  Restores, Free;
    /// The number of the iteration.
    ITERATION      = ".ralph/iteration.txt",    Harness, Reads,  Restores, Free;
    /// The number of the task.
    TASK_COUNTER   = ".ralph/task-counter.txt", Harness, Reads,  Restores, Free;
    /// The accepted tasks, one a line.
    TASK_HISTORY   = ".ralph/task-history.md",  Harness, Reads,  Restores, Free;
    /// The theme's command that the sources were made with; a rollback restores it with them.
    THEME          = ".ralph/theme.txt",        Harness, Reads,  Restores, Free;
    /// Reports of the gates.
    PLAN_DIFF      = ".ralph/plan-diff.md",     Harness, Reads,  Restores, Free;
    BUILD_ERRORS   = ".ralph/build-errors.md",  Harness, Reads,  Restores, Free;
    RUNTIME_ERRORS = ".ralph/errors.md",        Harness, Reads,  Restores, Free;
    CONSOLE        = ".ralph/console.md",       Harness, Reads,  Restores, Free;
    /// The agent's scratch files. Without this row, the next one refuses every other file.
    SCRATCH        = ".ralph/*",                Own,     WORK,   Restores, Bound;
    RALPH          = ".ralph",                  Harness, Reads,  Restores, Bound;

    /// The attempts at a spec.
    ATTEMPTS       = ".handoff/specs/*/iterations", Harness, Reads, Skips, Bound;
    /// What the harness writes beside the chunks of a spec. Git ignores it.
    SPEC_IGNORE    = ".handoff/specs/*/.gitignore", Harness, Reads, Skips, Bound;
    SPEC_ANALYSIS  = ".handoff/specs/*/codebase-analysis.json", Harness, Reads, Skips, Bound;
    SPEC_PULL_REQUEST = ".handoff/specs/*/pull-request.md", Harness, Reads, Skips, Bound;
    /// The project's layer of the configuration.
    CONFIG         = ".handoff/config.yaml",    User,    Reads,  Restores, Bound;
    HANDOFF        = ".handoff",                User,    Reads,  Restores, Bound;
    /// The plans of the specs with their state, archived plans and drafts.
    SPEC_PLANS     = "specs/plans",             User,    PLANS,  Restores, Free;
    /// The candidates that wait for their verification.
    SPEC_CANDIDATES = "specs/candidates",       Harness, Reads,  Restores, Free;
    /// The verified specs.
    SPEC_DONE      = "specs/done",              Harness, Reads,  Restores, Free;
    SPECS          = "specs",                   User,    Reads,  Restores, Bound;
    /// What planners note for each other.
    SCRATCHPAD     = "SCRATCHPAD.md",           User,    PLANS,  Restores, Free;
}

/// The first row that fits a folded path ([`path::fold`]); `None` for the project's own files.
pub(crate) fn entry(folded: &str) -> Option<&'static Entry> {
    let names: Vec<&str> = path::folded_names(folded).collect();
    // The names of closed files begin with a dot, their short names have a `~`. Few paths have either.
    let hidden: Vec<&[&str]> = (0..names.len())
        .filter_map(|from| names.get(from..))
        .filter(|names| names.first().is_some_and(|name| name.starts_with('.') || name.contains('~')))
        .collect();
    let begins_a_row = |name: &&str| FIRST_NAMES.iter().any(|first| name.eq_ignore_ascii_case(first));
    if hidden.is_empty() && !names.first().is_some_and(begins_a_row) {
        return None;
    }
    ENTRIES.iter().find(|entry| match entry.agent {
        Agent::Closed => hidden.iter().any(|names| fits(entry.path, names)),
        Agent::Reads | Agent::Writes(_) => fits(entry.path, &names),
    })
}

/// The names that rows begin with. Most paths begin with another one.
static FIRST_NAMES: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| ENTRIES.iter().filter_map(|entry| entry.path.split('/').next()).collect());

/// The names begin with the names of the pattern.
fn fits(pattern: &str, names: &[&str]) -> bool {
    let mut names = names.iter();
    pattern.split('/').all(|part| names.next().is_some_and(|name| part == "*" || path::means(name, part)))
}

/// Whether the file is in the folder of the task's files, which is no part of the app.
pub(crate) fn is_task_file(path: &str) -> bool {
    path::is_below(path, RALPH)
}

/// Whether the file is the harness's note of a task.
pub(crate) fn is_note(path: &str) -> bool {
    is_task_file(path) && entry(&path::fold(path)).is_some_and(|entry| entry.owner == Owner::Harness)
}

/// Whether the file is one of the project's own.
pub(crate) fn is_source(path: &str) -> bool {
    entry(&path::fold(path)).is_none() && !is_spec_log(path)
}

/// Whether the harness keeps the file, or reads it as its own: every file of the table except git's, and the logs.
pub(crate) fn is_harness_file(path: &str) -> bool {
    entry(&path::fold(path)).is_some_and(|entry| entry.owner != Owner::Git) || is_spec_log(path)
}

/// Whether snapshots have the file even if git ignores it: it is the state of the work, and a rollback restores it with the
/// sources.
pub(crate) fn is_in_every_snapshot(path: &str) -> bool {
    entry(&path::fold(path)).is_some_and(|entry| entry.rollback == Rollback::Restores && entry.owner != Owner::User)
}

/// Whether the file belongs to the work of the harness and the agent and not to the project, so that an IDE shows it apart:
/// tasks, plans, attempts, logs, and git's own files. The user's specs and configuration belong to the project.
pub fn is_work_file(path: &str) -> bool {
    let entry = entry(&path::fold(path));
    entry.is_some_and(|entry| entry.owner != Owner::User || entry.agent == PLANS) || is_spec_log(path)
}

/// Whether only the harness writes the file.
pub(crate) fn is_state(path: &str) -> bool {
    entry(&path::fold(path)).is_some_and(|entry| entry.owner == Owner::Harness) || is_spec_log(path)
}

/// Whether the gates' verdict is bound to the file.
pub fn is_judged(path: &str) -> bool {
    entry(&path::fold(path)).is_none_or(|entry| entry.verdict == Verdict::Bound)
}

/// The folder of the specs with chunks.
pub(crate) const HANDOFF_SPECS: &str = ".handoff/specs";

/// The folder of the logs of the specs. Other files below it are the project's own.
pub(crate) const SPEC_LOGS: &str = "runs";

/// Whether a path is a log of a spec, or its folder: `runs/<spec>/<time>/`. A nested spec has more folders.
pub(crate) fn is_spec_log(path: &str) -> bool {
    let mut parts = path.split('/');
    parts.next() == Some(SPEC_LOGS) && parts.next().is_some() && parts.any(is_time)
}

/// A folder's name that is a date with a time: `2026-01-31T12-00-00Z`, `1700000000000`.
fn is_time(name: &str) -> bool {
    let digits = name.bytes().filter(u8::is_ascii_digit).count();
    let only = name.bytes().all(|byte| byte.is_ascii_digit() || b"-_:.TZ".contains(&byte));
    digits >= 12 && only && name.bytes().next().is_some_and(|byte| byte.is_ascii_digit())
}

/// What the repository has while an operation of the user is in progress, and the operation. The first one counts: a
/// rebase may be in progress together with one of the others.
pub(crate) const GIT_OPERATIONS: [(&str, &str); 7] = [
    (".git/rebase-merge", "rebase"),
    (".git/rebase-apply", "rebase"),
    (".git/MERGE_HEAD", "merge"),
    (".git/CHERRY_PICK_HEAD", "cherry-pick"),
    (".git/REVERT_HEAD", "revert"),
    (".git/sequencer/todo", "cherry-pick or revert"),
    (".git/BISECT_LOG", "bisect"),
];

/// The folder of the refs of the harness's own snapshots, which are no tags of the user. It has no folders, so one call
/// lists it.
pub(crate) const SNAPSHOT_REFS: &str = "refs/loopgate/snapshots";

/// The folder of the refs of the iterations' snapshots.
pub(crate) const ITERATION_REFS: &str = "refs/loopgate/iterations";

/// The folder of the refs that keep the commits which a branch lost.
pub(crate) const KEPT_REFS: &str = "refs/loopgate/kept";

/// The ref that keeps a tree that no commit has: of the files after the last partial rollback, or after one that was taken back
/// or recovered.
pub(crate) const ROLLBACK_REF: &str = "refs/loopgate/rollback";

/// The tag of the snapshot before a task.
pub(crate) fn tag_before(task: u32) -> String {
    format!("task-{task}-pre")
}

/// The tag of the snapshot after a task.
pub(crate) fn tag_after(task: u32) -> String {
    format!("task-{task}-post")
}

/// The number of the task in a tag of [`tag_before`] or [`tag_after`], as it is written there.
pub(crate) fn task_of_tag(tag: &str) -> Option<&str> {
    let rest = tag.strip_prefix("task-")?;
    rest.strip_suffix("-pre").or_else(|| rest.strip_suffix("-post"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_decides_its_own_path() {
        for row in ENTRIES {
            let path = row.path.replace('*', "any");
            assert_eq!(entry(&path), Some(row), "a row above the row of {path} hides it");
        }
    }

    #[test]
    fn work_files_are_those_of_the_harness_the_agent_and_the_planner() {
        let work = [".git/config", ".loopgate/lease", ".ralph/task.md", ".ralph/notes.md", "specs/plans/0001-cart.md"];
        let more =
            ["specs/done/0001-cart.md", ".handoff/specs/cart/iterations/a/1/x", "runs/cart/2026-01-31T12-00-00Z/a.log"];
        for path in [&work[..], &more].concat() {
            assert!(is_work_file(path), "{path}");
        }
        let project = ["src/App.tsx", "specs/0001-cart.md", ".handoff/config.yaml", ".handoff/specs/cart/spec.md"];
        for path in [&project[..], &["runs/a.ts", "runs/detect/20240131/a.yaml", "a/.ralph/task.md", ""]].concat() {
            assert!(!is_work_file(path), "{path}");
        }
    }

    #[test]
    fn closed_folders_are_closed_in_every_folder_and_the_others_at_the_root() {
        for (path, expected) in [
            ("a/b/.GIT/config", Some(GIT)),
            ("a/LOOPGA~1/x", Some(LOOPGATE)),
            (".ralph/.loopgate/x", Some(LOOPGATE)),
            ("HANDOF~1/specs/s/Iterations/1/x", Some(ATTEMPTS)),
            (".ralph/task.md/below", Some(TASK)),
            (".ralph/notes/task.md", Some(SCRATCH)),
            ("Specs/a.md", Some(SPECS)),
            ("docs/specs/a.md", None),
            ("a/.ralph/task.md", None),
            ("src/App.tsx", None),
            ("", None),
        ] {
            assert_eq!(entry(path).map(|entry| entry.path), expected, "{path}");
        }
    }

    #[test]
    fn closed_rows_come_first_because_they_apply_in_every_folder() {
        assert!(ENTRIES.iter().map(|row| row.agent != Closed).is_sorted());
    }

    #[test]
    fn no_closed_file_is_in_a_snapshot_or_in_a_verdict() {
        for row in ENTRIES.iter().filter(|row| row.agent == Closed) {
            assert_eq!((row.rollback, row.verdict), (Skips, Free), "{}", row.path);
            assert!(row.path.starts_with('.'), "`entry` looks only for names with a dot: {}", row.path);
        }
    }

    #[test]
    fn the_tag_of_a_task_names_its_number() {
        assert_eq!(task_of_tag(&tag_before(3)), Some("3"));
        assert_eq!(task_of_tag(&tag_after(12)), Some("12"));
        assert_eq!(["task-3", "manual-3", "task-3-x"].map(task_of_tag), [None; 3]);
    }
}
