//! The names and pins that people give to snapshots, in `.loopgate/labels`. A label belongs to a snapshot and not to its
//! tag: it is valid while the tag points to the commit.

use super::git::{NamedCommit, list, tags};
use super::info::SnapshotInfo;
use super::{git_of, iterations, state};
use crate::error::{Error, ErrorCode};
use crate::json;
use crate::layout::LABELS as PATH;
use crate::port::{GitPort, Host, PortResult};
use crate::snapshot::Watch;
use crate::snapshot::git::Catalog;
use serde::{Deserialize, Serialize};

/// Maximum length of a name, in characters.
const NAME_MAX: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Label {
    tag: String,
    oid: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pinned: bool,
}

/// All labels.
#[derive(Debug, Default)]
pub(super) struct Labels(Vec<Label>);

impl Labels {
    /// Reads the labels; none if the file is missing or damaged.
    pub(super) async fn load(host: &Host) -> PortResult<Self> {
        let text = state::read(host, PATH).await?.unwrap_or_default();
        Ok(Self(text.lines().filter_map(|line| json::read(line).ok()).collect()))
    }

    fn get(&self, tag: &str, oid: &str) -> Option<&Label> {
        self.0.iter().find(|label| label.tag == tag && label.oid == oid)
    }

    /// The harness must neither remove nor replace the snapshot.
    pub(super) fn pins(&self, tag: &str, oid: &str) -> bool {
        self.get(tag, oid).is_some_and(|label| label.pinned)
    }

    /// As [`Self::pins`], for a ref that never moves.
    pub(super) fn pins_any(&self, name: &str) -> bool {
        self.0.iter().any(|label| label.tag == name && label.pinned)
    }

    /// Adds the labels to what callers see.
    pub(super) fn add_to(&self, infos: &mut [SnapshotInfo]) {
        for info in infos {
            if let Some(label) = self.get(&info.tag, &info.oid) {
                (info.name, info.pinned) = (label.name.clone(), label.pinned);
            }
        }
    }

    /// Replaces the label of a snapshot.
    fn put(&mut self, label: Label) {
        self.0.retain(|other| (&other.tag, &other.oid) != (&label.tag, &label.oid));
        if label.name.is_some() || label.pinned {
            self.0.push(label);
        }
    }

    /// Drops the labels of other commits that the tag had; whether there were any.
    fn drop_outdated(&mut self, tag: &str, oid: &str) -> bool {
        let before = self.0.len();
        self.0.retain(|label| label.tag != tag || label.oid == oid);
        self.0.len() < before
    }

    /// Stores all; durable with the next flush.
    async fn store(&self, host: &Host) -> PortResult<()> {
        let lines: Vec<String> = self.0.iter().filter_map(|label| serde_json::to_string(label).ok()).collect();
        state::prepare(host, &mut false).await?;
        state::write(host, PATH, &lines.join("\n")).await
    }
}

/// Gives a commit that is about to be saved a name. The tag may still have another commit, with a label of its own.
pub(super) async fn set_name(host: &Host, commit: &NamedCommit, name: &str) -> PortResult<()> {
    let (tag, oid) = (commit.name.clone(), commit.oid.to_string());
    let mut labels = Labels::load(host).await?;
    let pinned = labels.pins(&tag, &oid);
    labels.put(Label { tag, oid, name: Some(name.to_owned()), pinned });
    labels.store(host).await
}

/// Drops the labels of the commits that the tag of a saved one had.
pub(super) async fn drop_outdated(host: &Host, commit: &NamedCommit) -> PortResult<()> {
    let mut labels = Labels::load(host).await?;
    match labels.drop_outdated(&commit.name, &commit.oid.to_string()) {
        true => labels.store(host).await,
        false => Ok(()),
    }
}

/// A name as it is stored; `None` for none.
///
/// # Errors
/// `invalid-argument` if it is too long or not one line.
pub(super) fn checked(name: &str) -> Result<Option<String>, Error> {
    let name = name.trim();
    if name.chars().count() > NAME_MAX || name.chars().any(char::is_control) {
        let message = format!("the name of a snapshot is one line of at most {NAME_MAX} characters");
        return Err(Error::new(ErrorCode::InvalidArgument, message));
    }
    Ok((!name.is_empty()).then(|| name.to_owned()))
}

/// What [`label`] changes; `None` leaves it as it is.
#[derive(Debug, Clone, Default)]
pub struct LabelChange {
    /// The name; an empty one removes it.
    pub name: Option<String>,
    /// Whether the harness must neither remove nor replace the snapshot.
    pub pinned: Option<bool>,
}

/// Names or pins a snapshot; returns it.
///
/// # Errors
/// `not-found` with the nearest tags; `invalid-argument` for a name that is too long or not one line, and for what is no
/// snapshot of the lists; `unsupported` without git; otherwise what a port returns.
pub async fn label(host: &Host, tag: &str, change: &LabelChange) -> Result<SnapshotInfo, Error> {
    let git = git_of(host)?;
    let name = change.name.as_deref().map(checked).transpose()?;
    let _turn = Watch::default().turn(host).await;
    let mut found = tags::find(git, tag).await?;
    let catalog = Catalog::load(host).await?;
    if let Some(name) = listed_name(host, git, &catalog, &found).await? {
        found.name = name;
    } else {
        // A commit and a branch have a message, too, but no list would have their label.
        found.message = None;
    }
    catalog.complete(&mut found);
    let Some(message) = found.message.clone() else {
        let message =
            format!("{tag} is not a snapshot, so it has no name and no pin; pass the tag of a listed snapshot");
        return Err(Error::new(ErrorCode::InvalidArgument, message));
    };
    let mut info = found.info(&message);
    let mut labels = Labels::load(host).await?;
    labels.add_to(std::slice::from_mut(&mut info));
    if let Some(name) = name {
        info.name = name;
    }
    info.pinned = change.pinned.unwrap_or(info.pinned);
    let (tag, oid) = (info.tag.clone(), info.oid.clone());
    labels.drop_outdated(&tag, &oid);
    labels.put(Label { tag, oid, name: info.name.clone(), pinned: info.pinned });
    labels.store(host).await?;
    host.project().flush().await?;
    Ok(info)
}

/// The name of a snapshot in the lists; `None` if they do not have it.
async fn listed_name(
    host: &Host,
    git: &dyn GitPort,
    catalog: &Catalog,
    found: &NamedCommit,
) -> Result<Option<String>, Error> {
    let listed = list::names(git, catalog).await?;
    if listed.contains(&found.name) {
        return Ok(Some(found.name.clone()));
    }
    let short = tags::short(&found.name);
    // A tag that another one hides has its full name.
    if listed.contains(&short) && tags::read(git, &short).await?.is_some_and(|commit| commit.oid == found.oid) {
        return Ok(Some(short));
    }
    let iterations = iterations::names(host, git).await?;
    Ok(iterations.contains(&found.name).then(|| found.name.clone()))
}
