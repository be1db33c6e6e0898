//! The branch of a spec whose work is committed: HEAD goes there before the spec starts, and the verified candidate becomes
//! one commit on it.

use super::{Performed, Seen, Session, Specs, spec};
use crate::agent::Observer;
use crate::config::{Branch, GitSettings};
use crate::error::{Error, ErrorCode};
use crate::layout::is_source;
use crate::path::folders_above;
use crate::port::Host;
use crate::run::branch::{
    BranchFact, Committed, begin, branch_of, committed, follow, moved, require_branch, spec_branch, uncommittable,
};
use crate::run::event::Event;
use crate::run::machine::Machine;
use crate::run::ownership;
use crate::run::recipe::Recipe;
use crate::run::recipe::specs::branch::OnBranch;
use crate::run::recipe::specs::catalog::{SkippedSpec, SpecInfo, ref_part};
use crate::snapshot::branch::{self, Acceptance, Accepted, Beginning};
use crate::snapshot::{self, Oid};
use std::collections::BTreeSet;

/// Refuses what a run that commits cannot work with, before any model is called.
///
/// # Errors
/// `conflict` or `unsupported`, with what to do.
pub(super) async fn require(host: &Host, settings: &GitSettings) -> Result<(), Error> {
    branch::require_index(host).await?;
    branch::refuse_in_progress(host).await?;
    let head = branch::head(host).await?;
    if head.commit.is_none() {
        let message = "`git.commit` is on, and the repository has no commit to start a branch from: make a first commit, \
                       or set `git.commit` to false";
        return Err(Error::new(ErrorCode::Conflict, message));
    }
    branch_of(settings.branch, "", head.branch.as_deref()).map(drop)
}

/// Splits off the specs that are done on their branch: their done files may not be in the working tree.
pub(super) async fn without_committed(
    host: &Host,
    settings: &GitSettings,
    specs: Vec<SpecInfo>,
) -> Result<(Vec<SpecInfo>, Vec<SkippedSpec>), Error> {
    let head = branch::head(host).await?;
    let at_head = branch::files_of(host, head.commit.as_deref()).await?;
    let (mut left, mut skipped) = (Vec::new(), Vec::new());
    for spec in specs {
        let own = spec_branch(&ref_part(spec.id()));
        let is_elsewhere = settings.branch == Branch::Spec && head.branch.as_ref() != Some(&own);
        let tip = if is_elsewhere { branch::tip(host, &own).await? } else { None };
        let reason = match tip {
            Some(tip) if branch::files_of(host, Some(&tip)).await?.contains_key(&spec.done()) => {
                Some(format!("branch {own} has it, verified: merge the branch, or pass `force` to do it again"))
            }
            Some(_) => None,
            // The page was closed after the commit, maybe while the branch was left.
            None => {
                let done = host.project().read(&spec.done()).await?.map(|bytes| Oid::of_blob(&bytes));
                let committed = at_head.get(&spec.done()).map(|entry| entry.oid);
                let is_committed = committed.is_some() && (done.is_none() || done == committed);
                is_committed.then(|| format!("{} is committed: pass `force` to do it again", spec.done()))
            }
        };
        match reason {
            Some(reason) => skipped.push(SkippedSpec { path: spec.path, reason, done: true }),
            None => left.push(spec),
        }
    }
    Ok((left, skipped))
}

/// Refuses specs whose branches git cannot have beside each other, or beside those that exist: `a` and `a/b`.
///
/// # Errors
/// `conflict`, with what to do; errors of the ports.
pub(super) async fn refuse_nested(host: &Host, settings: &GitSettings, specs: &[SpecInfo]) -> Result<(), Error> {
    if settings.branch == Branch::Current {
        return Ok(());
    }
    let mut names: BTreeSet<String> = branch::beginnings(host).await?.into_keys().collect();
    for spec in specs {
        let own = spec_branch(&ref_part(spec.id()));
        branch::refuse_folder(host, &own).await?;
        names.insert(own);
    }
    let nested = names.iter().find_map(|name| Some((name, folders_above(name).find(|above| names.contains(*above))?)));
    match nested {
        None => Ok(()),
        Some((lower, upper)) => {
            let message = format!(
                "git cannot store branch {lower} beside branch {upper}: rename the spec or its folder, or set `git.branch` to \
                 `current`"
            );
            Err(Error::new(ErrorCode::Conflict, message))
        }
    }
}

/// Switches to the branch of the next spec.
pub(super) async fn prepare(session: &Session<'_>) -> Result<Performed, Error> {
    session.watch.distrust(session.host);
    let (host, spec, settings) = (session.host, spec(session), &session.settings.git);
    // Before HEAD moves.
    let repaired = ownership::take_back_abandoned(session).await?;
    let mut head = branch::head(host).await?;
    let own = branch_of(settings.branch, &ref_part(spec.id()), head.branch.as_deref())?;
    let (mut base_branch, mut warnings) = (None, Vec::new());
    if settings.branch == Branch::Spec {
        let tip = branch::tip(host, &own).await?;
        let known = branch::beginning(host, &own).await?.filter(|_| tip.is_some());
        let Beginning { branch: from, commit } = match known {
            Some(known) => known,
            None => {
                let beginning = begin(host, &own, settings.base.as_deref()).await?;
                branch::record_beginning(host, &own, &beginning).await?;
                beginning
            }
        };
        let newer = match (&tip, &from) {
            (Some(tip), Some(from)) if head.branch.as_ref() != Some(&own) => newer(host, from, tip).await?,
            _ => None,
        };
        let target = newer.as_deref().or(tip.as_deref()).or(commit.as_deref());
        if let (Some(here), Some(there)) = (&head.commit, target)
            && lacks(host, there, here, &spec.path).await?
        {
            let message = format!(
                "{} as HEAD has it is not where branch {own} {}: commit it there, merge it, or set `git.base` to a branch \
                 that has it",
                spec.path,
                if tip.is_some() { "is" } else { "starts" }
            );
            return Err(Error::new(ErrorCode::Conflict, message).at_path(&spec.path));
        }
        if let Some(from) = from.as_ref().filter(|_| newer.is_some()) {
            branch::merge(host, &session.watch, from, &own).await?;
        }
        (head, warnings) = branch::switch_with(host, &session.watch, &own, commit.as_deref()).await?;
        base_branch = from;
    }
    let dirty = branch::dirty(host).await?.into_iter().map(|change| change.path).filter(|path| is_source(path));
    let dirty = dirty.collect();
    let fact = BranchFact::BranchPrepared { branch: own, base_branch, head: head.commit, dirty };
    let texts = repaired.into_iter().chain(warnings);
    Ok(Performed::Facts(texts.map(Event::status).chain([fact.into()]).collect()))
}

/// The commit of the branch `from`, if it is on top of `tip`: a branch without a commit of its own, or that is merged, goes on
/// there.
async fn newer(host: &Host, from: &str, tip: &str) -> Result<Option<String>, Error> {
    match branch::tip(host, from).await?.filter(|now| now != tip) {
        Some(now) if branch::is_ancestor(host, tip, &now).await? => Ok(Some(now)),
        _ => Ok(None),
    }
}

/// Whether the commit `there` lacks the file of the commit `here`, or what `here` changed in it since their common ancestor.
async fn lacks(host: &Host, there: &str, here: &str, path: &str) -> Result<bool, Error> {
    let file = async |commit| Ok::<_, Error>(branch::files_of(host, Some(commit)).await?.get(path).copied());
    let (own, other) = (file(here).await?, file(there).await?);
    if own.is_none() || own == other || other.is_none() {
        return Ok(own.is_some() && other.is_none());
    }
    Ok(match branch::merge_base(host, here, there).await? {
        Some(base) => file(&base).await? != own,
        None => true,
    })
}

/// The fact of commits that the user made on the branch; `None` without one, or if nothing is committed.
///
/// # Errors
/// As [`follow`].
pub(super) async fn followed(session: &Session<'_>) -> Result<Option<Event>, Error> {
    match session.with(|machine: &Seen<'_>| machine.recipe.branch().cloned()) {
        Some(on) => follow(session.host, &on.branch, on.head.as_deref()).await,
        None => Ok(None),
    }
}

/// What a commit of the spec would have of the sources.
///
/// # Errors
/// `conflict` if a change needs uncommitted lines of the user; errors of the ports.
pub(super) async fn changes(session: &Session<'_>, on: &OnBranch) -> Result<Committed, Error> {
    let ignored = ownership::record_user_changes(session).await?.map(|captured| captured.ignored).unwrap_or_default();
    committed(session.host, on.head.as_deref(), &session.ledger(), &ignored).await
}

/// The commit of the spec that an interrupted call made.
///
/// # Errors
/// `conflict` if HEAD is not at the branch; errors of the ports.
pub(super) async fn adopted(session: &Session<'_>, on: &OnBranch, spec: &SpecInfo) -> Result<Option<String>, Error> {
    require_branch(session.host, &on.branch).await?;
    let found = branch::find_marked(session.host, &on.branch, on.head.as_deref(), &mark(spec)).await?;
    Ok(found.map(|(commit, _)| commit))
}

/// Finishes the commit of a spec by another run, whose page was closed before git's index had it. Returns the commit; `None` if
/// the run made none, or HEAD is elsewhere.
///
/// # Errors
/// What a port returns.
pub(in crate::run) async fn finish_commit(host: &Host, machine: &Machine) -> Result<Option<String>, Error> {
    let specs = Specs::downcast(&machine.recipe);
    let Some((on, spec)) = specs.and_then(|specs| Some((specs.finishing()?, specs.spec()))) else { return Ok(None) };
    if branch::head(host).await?.branch.as_ref() != Some(&on.branch) {
        return Ok(None);
    }
    let found = branch::find_marked(host, &on.branch, on.head.as_deref(), &mark(&spec)).await?;
    if found.is_some() {
        host.project().remove_file(&spec.candidate()).await?;
    }
    Ok(found.map(|(commit, _)| commit))
}

/// Commits the sources, the done file, and the plan if the planner wrote it. Returns the commit, `None` if git ignores all of
/// that; and the facts. Or what the user committed meanwhile.
///
/// # Errors
/// As [`branch::accept`].
pub(super) async fn commit(
    session: &Session<'_>,
    on: &OnBranch,
    spec: &SpecInfo,
    committed: Committed,
) -> Result<Result<(Option<String>, Vec<Event>), Event>, Error> {
    let Committed { mut changes, mut ignored, files } = committed;
    let mut paths = BTreeSet::from([spec.done()]);
    let is_adopted = |machine: &Seen<'_>| machine.recipe.current.plan.as_ref().is_none_or(|plan| plan.adopted);
    if !session.with(is_adopted) {
        paths.extend([spec.plan(), spec.plan_state()]);
    }
    let captured = snapshot::capture(session.host, &session.watch, &paths).await?;
    for path in paths {
        match captured.files.get(&path) {
            _ if captured.ignored.contains(&path) => drop(ignored.insert(path)),
            entry => drop(changes.insert(path, entry.copied())),
        }
    }
    // The user may have committed it. A spec that is done has none.
    if files.contains_key(&spec.candidate()) {
        changes.insert(spec.candidate(), None);
    }
    let mut facts = Vec::new();
    if !ignored.is_empty() {
        let names: Vec<String> = ignored.into_iter().collect();
        let text = "Git ignores these files or has them in another repository, so they are not in the commit";
        facts.push(Event::status(format!("{text}: {}", names.join(", "))));
    }
    if changes.is_empty() {
        facts.push(Event::status(format!("Nothing of {} can be committed.", spec.path)));
        return Ok(Ok((None, facts)));
    }
    let acceptance = Acceptance {
        branch: &on.branch,
        base: on.head.as_deref(),
        changes: &changes,
        message: &format!("{}\n\n{}", spec.title.trim(), mark(spec)),
        author: branch::author(session.host).await?,
    };
    match branch::accept(session.host, &acceptance).await? {
        Accepted::Committed { commit, warnings, .. } => {
            facts.extend(warnings.into_iter().map(Event::status));
            Ok(Ok((Some(commit), facts)))
        }
        Accepted::Moved(to) => Ok(Err(moved(on.head.as_deref(), to))),
        Accepted::Unmergeable { paths } => Err(uncommittable(&paths)),
    }
}

/// What the message of the commit of a spec has.
fn mark(spec: &SpecInfo) -> String {
    format!("Loopgate-Spec: {}\n", spec.path)
}
