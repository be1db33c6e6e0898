//! Prepares a run: reverts what an abandoned run left, reads what earlier runs shipped, and switches to the branch.

use super::{Performed, Seen, Session, spec};
use crate::config::Branch;
use crate::error::{Error, ErrorCode};
use crate::layout::{is_source, is_state};
use crate::port::Host;
use crate::run::branch::{begin, branch_of, uncommittable};
use crate::run::event::Event;
use crate::run::options::Work;
use crate::run::ownership;
use crate::run::perform::save_as;
use crate::run::recipe::chunks::list::PRE;
use crate::run::recipe::chunks::state::{Folder, State, exact_mark, ignore_records, mark};
use crate::run::recipe::chunks::{ChunkFact, Shipped};
use crate::snapshot::branch::{self, Acceptance, Accepted, Beginning};
use crate::snapshot::{self, SnapshotKind};
use std::collections::BTreeMap;

/// Before HEAD moves: afterwards, nothing names the user's branch.
pub(super) async fn read_state(session: &Session<'_>) -> Result<Performed, Error> {
    session.watch.distrust(session.host);
    let (host, project, spec) = (session.host, session.host.project(), spec(session));
    let folder = Folder(&spec);
    let mut repaired = ownership::take_back_abandoned(session).await?;
    let head = branch::head(host).await?;
    let settings = &session.settings.git;
    let name = branch_of(settings.branch, &spec, head.branch.as_deref())?;
    ignore_records(project, folder).await?;
    let State { beginning, shipped, failed, finished, .. } = State::read(project, folder, &mut repaired).await?;
    let shipped = on_branch(session, &name, beginning.as_ref(), shipped).await?;
    // The user may have removed the branch, to begin again.
    let is_there = branch::tip(host, &name).await?.is_some();
    let beginning = match beginning.filter(|beginning| is_there || beginning.commit.is_none()) {
        Some(beginning) => beginning,
        None if settings.branch == Branch::Spec => begin(host, &name, settings.base.as_deref()).await?,
        None => Beginning { branch: head.branch.filter(|own| *own != name), commit: head.commit },
    };
    Ok(Performed::fact(ChunkFact::StateRead { branch: name, beginning, shipped, failed, finished, repaired }))
}

pub(super) async fn prepare(session: &Session<'_>) -> Result<Performed, Error> {
    let (host, spec) = (session.host, spec(session));
    let chunks = session.with(|machine: &Seen<'_>| machine.recipe.clone());
    let start = chunks.state.beginning.as_ref().and_then(|beginning| beginning.commit.as_deref());
    let (mut head, warnings) = branch::switch_with(host, &session.watch, &chunks.prepared.branch, start).await?;
    let message = format!("before the chunks of {spec}");
    let (tag, saved) = save_as(session, &Folder(&spec).tag(PRE), SnapshotKind::Pre, &message).await?;
    let state = chunks.state;
    let Beginning { branch: base_branch, commit: mut base } = state.beginning.unwrap_or_default();
    let mut facts: Vec<Event> = warnings.into_iter().map(Event::status).collect();
    facts.push(saved);
    if base.is_none() && state.shipped.is_empty() {
        base = match &head.commit {
            None => {
                let commit = commit_files(host, &chunks.prepared.branch, &tag).await?;
                let text = format!(
                    "The repository had no commit. The files as they are, are commit {commit} on {}.",
                    chunks.prepared.branch
                );
                facts.push(Event::Status { text });
                Some(commit)
            }
            // The page was closed after that commit.
            Some(_) => branch::find_marked(host, &chunks.prepared.branch, None, FIRST).await?.map(|(commit, _)| commit),
        };
        head = branch::head(host).await?;
    }
    let dirty = branch::dirty(host).await?.into_iter().map(|change| change.path).filter(|path| is_source(path));
    let all_shipped = chunks.chunks.iter().all(|chunk| state.shipped.contains_key(&chunk.id));
    let is_selected = matches!(&chunks.work, Some(Work::Chunks { only: Some(_), .. }));
    let finished = all_shipped && (is_selected || (head.commit.is_some() && state.finished == head.commit));
    let fact = ChunkFact::RunPrepared {
        branch: chunks.prepared.branch,
        base_branch,
        base,
        head: head.commit,
        tag,
        shipped: state.shipped,
        dirty: dirty.collect(),
        finished,
        repaired: chunks.prepared.repaired,
    };
    facts.push(fact.into());
    Ok(Performed::Facts(facts))
}

/// The message of the commit before the first chunk in a repository without one.
const FIRST: &str = "The project before the first chunk";

/// Commits the files of a snapshot to a branch without a commit.
async fn commit_files(host: &Host, branch: &str, tag: &str) -> Result<String, Error> {
    let files = snapshot::files_of_tag(host, tag).await?;
    let changes = files.into_iter().filter(|(path, _)| !is_state(path)).map(|(path, entry)| (path, Some(entry)));
    let acceptance = Acceptance {
        branch,
        base: None,
        changes: &changes.collect(),
        message: FIRST,
        author: branch::author(host).await?,
    };
    match branch::accept(host, &acceptance).await? {
        Accepted::Committed { commit, .. } => Ok(commit),
        Accepted::Moved(tip) => {
            let message = format!("branch {branch} got commit {tip} while the run began: start again");
            Err(Error::new(ErrorCode::Conflict, message))
        }
        Accepted::Unmergeable { paths } => Err(uncommittable(&paths)),
    }
}

/// The chunks whose commits are on the branch, and that still ask for the same. `known` come from `state.json`; for the
/// others, the branch is searched, so that a lost file repeats nothing.
async fn on_branch(
    session: &Session<'_>,
    branch: &str,
    beginning: Option<&Beginning>,
    mut known: BTreeMap<String, Shipped>,
) -> Result<BTreeMap<String, Shipped>, Error> {
    let (spec, mut found) = (spec(session), BTreeMap::new());
    let tip = match session.host.git.as_deref() {
        Some(git) => git.resolve_ref(&format!("refs/heads/{branch}")).await?,
        None => None,
    };
    let Some(tip) = tip else { return Ok(found) };
    let mut missing = Vec::new();
    for chunk in session.with(|machine: &Seen<'_>| machine.recipe.chunks.clone()) {
        let Some(shipped) = known.remove(&chunk.id) else {
            missing.push(chunk);
            continue;
        };
        let is_ours = branch::message(session.host, &shipped.commit)
            .await?
            .is_some_and(|message| message.contains(&mark(&chunk.id, &spec)));
        let is_same = chunk.hash() == shipped.hash;
        if is_same && is_ours && branch::is_ancestor(session.host, &shipped.commit, &tip).await? {
            found.insert(chunk.id, shipped);
        }
    }
    let marks: Vec<String> = missing.iter().map(|chunk| exact_mark(chunk, &spec)).collect();
    let base = beginning.and_then(|beginning| beginning.commit.as_deref());
    let commits = branch::find_all_marked(session.host, &tip, base, &marks).await?;
    for (chunk, commit) in missing.into_iter().zip(commits) {
        if let Some((commit, files)) = commit {
            let files = files.into_iter().filter(|file| is_source(&file.path)).collect();
            found.insert(chunk.id.clone(), Shipped { hash: chunk.hash(), commit, files, summary: None });
        }
    }
    Ok(found)
}
