//! The state of a spec in its files: the plan's metadata, the candidate, and what follows from them at a start.

use super::catalog::SpecInfo;
use crate::error::{Error, ErrorCode};
use crate::json;
use crate::path;
use crate::port::ProjectDir;
use crate::utc;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The version of the JSON files.
const VERSION: u32 = 1;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum PlanStatus {
    /// The planner works on it: its text is a draft.
    Drafting,
    Active,
    Invalidated,
}

/// The state of a plan: `specs/plans/<rel>.json`, which is a projection of the machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanInfo {
    #[serde(default = "current")]
    version: u32,
    spec_rel: String,
    spec_id: String,
    pub(super) status: PlanStatus,
    created_at_utc: String,
    #[serde(default)]
    invalidated_at_utc: Option<String>,
    #[serde(default)]
    pub(super) invalidation_reason: Option<String>,
    /// 1-based.
    pub(super) attempt: u32,
    /// What the next attempt of the implementer must fix.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) feedback: String,
    /// A person wrote the plan, so it is not part of the spec's commit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) adopted: bool,
}

/// `specs/candidates/<rel>.json`: an implementation that waits for its verification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    #[serde(default = "current")]
    pub(super) version: u32,
    pub(super) spec_rel: String,
    pub(super) spec_id: String,
    /// The snapshot's commit.
    pub commit: String,
    /// The git tree of the files that the verdict is bound to.
    pub tree: String,
    /// The hash of the plan that it implements.
    pub plan: String,
    pub(super) created_at_utc: String,
}

/// The text of the file.
pub(super) fn to_text<T: Serialize>(value: &T) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

fn current() -> u32 {
    VERSION
}

impl PlanInfo {
    pub(super) fn new(spec: &SpecInfo, status: PlanStatus, attempt: u32, now: u64) -> Self {
        Self {
            version: VERSION,
            spec_rel: spec.path.clone(),
            spec_id: spec.id().to_owned(),
            status,
            created_at_utc: utc::seconds(now),
            invalidated_at_utc: None,
            invalidation_reason: None,
            attempt,
            feedback: String::new(),
            adopted: false,
        }
    }

    pub(super) fn written_by_hand(self) -> Self {
        Self { adopted: true, ..self }
    }

    /// The plan is wrong.
    pub(super) fn invalidated(self, reason: &str, now: u64) -> Self {
        Self {
            status: PlanStatus::Invalidated,
            invalidated_at_utc: Some(utc::seconds(now)),
            invalidation_reason: Some(reason.to_owned()),
            feedback: String::new(),
            ..self
        }
    }
}

impl Candidate {
    pub(super) fn new(spec: &SpecInfo, commit: &str, tree: &str, plan: &str, now: u64) -> Self {
        Self {
            version: VERSION,
            spec_rel: spec.path.clone(),
            spec_id: spec.id().to_owned(),
            commit: commit.to_owned(),
            tree: tree.to_owned(),
            plan: plan.to_owned(),
            created_at_utc: utc::seconds(now),
        }
    }
}

/// A JSON file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stored<T> {
    Missing,
    /// Unreadable; the text says why.
    Corrupt(String),
    Read(T),
}

impl<T: DeserializeOwned> Stored<T> {
    /// # Errors
    /// `unsupported` for a file of a newer version; errors of the file system.
    pub(super) async fn read(project: ProjectDir<'_>, path: &str) -> Result<Self, Error> {
        #[derive(Deserialize)]
        struct Versioned {
            #[serde(default)]
            version: u32,
        }
        let Some(bytes) = project.read(path).await? else { return Ok(Self::Missing) };
        let text = String::from_utf8_lossy(&bytes);
        if json::read::<Versioned>(&text).is_ok_and(|file| file.version > VERSION) {
            let message = format!("{path} was written by a newer version of loopgate: update to work on this spec");
            return Err(Error::new(ErrorCode::Unsupported, message).at_path(path));
        }
        Ok(json::read(&text).map_or_else(Self::Corrupt, Self::Read))
    }
}

/// What a plan's files mean at the start of a spec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    /// The planner writes the plan with this number. `reason` says why the plan before it is void, and its text is in the
    /// archive with that number, or still in the plan's file.
    Plan { attempt: u32, reason: Option<String>, archive: Archive },
    /// The plan is used.
    Active { attempt: u32 },
    /// A person wrote the plan.
    Adopt { attempt: u32 },
}

/// Where the text of a void plan is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Archive {
    None,
    /// In the plan's file; it belongs in the archive with this number.
    Due(u32),
    /// In the archive with this number.
    Done(u32),
}

/// Why a plan is written again if its file is gone.
pub(super) const MISSING: &str = "plan file missing";

/// The resume table. `has_text`: the plan's file is not blank. `archives`: the numbers of archived plans.
pub(super) fn resume_from(info: &Stored<PlanInfo>, has_text: bool, archives: &[u32]) -> Found {
    let last = archives.iter().copied().max().unwrap_or_default();
    let free = |attempt: u32| if archives.contains(&attempt) { last + 1 } else { attempt };
    let info = match info {
        Stored::Read(info) if info.attempt > 0 => info,
        _ if has_text => return Found::Adopt { attempt: last + 1 },
        _ => return Found::Plan { attempt: last + 1, reason: None, archive: Archive::None },
    };
    let reason = info.invalidation_reason.clone();
    match (info.status, has_text) {
        (PlanStatus::Active, true) => Found::Active { attempt: info.attempt },
        (PlanStatus::Active, false) => Found::Plan {
            attempt: info.attempt.max(last) + 1,
            reason: Some(MISSING.to_owned()),
            archive: if archives.contains(&info.attempt) { Archive::Done(info.attempt) } else { Archive::None },
        },
        (PlanStatus::Drafting, _) => Found::Plan {
            attempt: info.attempt.max(last + 1),
            reason,
            archive: if last > 0 { Archive::Done(last) } else { Archive::None },
        },
        (PlanStatus::Invalidated, true) => {
            let number = free(info.attempt);
            Found::Plan { attempt: number + 1, reason, archive: Archive::Due(number) }
        }
        (PlanStatus::Invalidated, false) => Found::Plan {
            attempt: info.attempt.max(last) + 1,
            reason,
            archive: if last > 0 { Archive::Done(last) } else { Archive::None },
        },
    }
}

/// The numbers of the archived plans of a spec.
pub(super) async fn archives(project: ProjectDir<'_>, spec: &SpecInfo) -> Result<Vec<u32>, Error> {
    let plan = spec.plan();
    let prefix = format!("{}.attempt-", path::name(&plan).trim_end_matches(".md"));
    let names = project.read_dir(path::parent(&plan)).await?.unwrap_or_default();
    let number = |name: &String| name.strip_prefix(&prefix)?.strip_suffix(".md")?.parse().ok();
    Ok(names.iter().filter_map(number).collect())
}

/// Whether a text has something to read; a byte order mark is nothing.
pub(super) fn is_blank(text: &str) -> bool {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').is_empty()
}

pub(super) async fn rename(project: ProjectDir<'_>, from: &str, to: &str) -> Result<(), Error> {
    Ok(project.rename(from, to).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(status: PlanStatus, attempt: u32) -> Stored<PlanInfo> {
        let spec = SpecInfo { path: "specs/0001-foo.md".to_owned(), title: "Foo".to_owned() };
        let info = PlanInfo::new(&spec, status, attempt, 0);
        Stored::Read(if status == PlanStatus::Invalidated { info.invalidated("wrong module", 1) } else { info })
    }

    #[test]
    fn the_files_decide_what_happens_to_the_plan() {
        use PlanStatus::{Active, Drafting, Invalidated};
        let plan = |attempt, reason: Option<&str>, archive| Found::Plan {
            attempt,
            reason: reason.map(str::to_owned),
            archive,
        };
        let active = |attempt| Found::Active { attempt };
        let corrupt = Stored::Corrupt("x".to_owned());
        let wrong = Some("wrong module");
        for (stored, has_text, archives, expected) in [
            (Stored::Missing, false, &[][..], plan(1, None, Archive::None)),
            (Stored::Missing, false, &[1, 2], plan(3, None, Archive::None)),
            (Stored::Missing, true, &[], Found::Adopt { attempt: 1 }),
            (corrupt.clone(), true, &[1, 4], Found::Adopt { attempt: 5 }),
            (corrupt, false, &[], plan(1, None, Archive::None)),
            (info(Active, 0), true, &[2], Found::Adopt { attempt: 3 }),
            (info(Active, 2), true, &[1], active(2)),
            (info(Active, 2), false, &[1], plan(3, Some(MISSING), Archive::None)),
            (info(Active, 1), false, &[1], plan(2, Some(MISSING), Archive::Done(1))),
            (info(Drafting, 1), true, &[], plan(1, None, Archive::None)),
            (info(Drafting, 2), false, &[1], plan(2, None, Archive::Done(1))),
            (info(Invalidated, 1), false, &[1], plan(2, wrong, Archive::Done(1))),
            (info(Invalidated, 1), true, &[], plan(2, wrong, Archive::Due(1))),
            (info(Invalidated, 1), true, &[1], plan(3, wrong, Archive::Due(2))),
        ] {
            assert_eq!(resume_from(&stored, has_text, archives), expected, "{stored:?} {has_text} {archives:?}");
        }
    }

    #[test]
    fn a_byte_order_mark_is_no_plan() {
        assert!(is_blank("\u{feff}\n \t") && is_blank("") && !is_blank("\u{feff}# Plan"));
    }
}
