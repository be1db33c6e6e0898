//! Prepares a run: reverts what an abandoned run left, switches to the branch, reads what earlier runs shipped.

use super::{Performed, Seen, Session, spec};
use crate::config::Branch;
use crate::error::{Error, ErrorCode};
use crate::layout::is_source;
use crate::port::Host;
use crate::run::ownership;
use crate::run::perform::save_as;
use crate::run::recipe::chunks::state::{Beginning, Folder, State, ignore_records, mark};
use crate::run::recipe::chunks::{ChunkFact, Shipped};
use crate::snapshot::branch;
use std::collections::BTreeMap;

pub(super) async fn prepare<H: Host>(session: &Session<'_, H>) -> Result<Performed, Error> {
    session.watch.distrust(session.host);
    let (host, project, spec) = (session.host, session.host.project(), spec(session));
    let folder = Folder(&spec);
    let repaired = ownership::take_back_abandoned(session).await?;
    let before = branch::head(host).await?;
    let name = match (session.settings.git.branch, before.branch.clone()) {
        (Branch::Spec, _) => format!("spec/{spec}"),
        (Branch::Current, Some(branch)) => branch,
        (Branch::Current, None) => {
            let message =
                "HEAD is detached, and `git.branch` is `current`: check out a branch, or set `git.branch` to `spec`";
            return Err(Error::new(ErrorCode::Conflict, message));
        }
    };
    ignore_records(project, folder).await?;
    let mut state = State::load(project, folder).await?;
    let beginning = state
        .beginning
        .get_or_insert_with(|| Beginning { branch: before.branch.filter(|own| *own != name), commit: before.commit });
    let (base_branch, base) = (beginning.branch.clone(), beginning.commit.clone());
    // Before HEAD moves: afterwards, nothing names the user's branch.
    state.store(project, folder).await?;
    let head = branch::switch(host, &session.watch, &name).await?;
    let tag = folder.tag("pre");
    let saved = save_as(session, &tag, &format!("before the chunks of {spec}")).await?;
    state.shipped = still_shipped(session, state.shipped, head.commit.as_deref()).await?;
    state.store(project, folder).await?;
    let dirty = branch::dirty(host).await?.into_iter().map(|change| change.path).filter(|path| is_source(path));
    let (chunks, only) =
        session.with(|machine: &Seen<'_>| (machine.recipe.chunks.clone(), machine.recipe.only().is_some()));
    let all_shipped = chunks.iter().all(|chunk| state.shipped.contains_key(&chunk.id));
    let finished = all_shipped && (only || (head.commit.is_some() && state.finished == head.commit));
    let fact = ChunkFact::RunPrepared {
        branch: name,
        base_branch,
        base,
        head: head.commit,
        tag,
        shipped: state.shipped,
        dirty: dirty.collect(),
        finished,
        repaired,
    };
    Ok(Performed::Facts(vec![saved, fact.into()]))
}

/// The shipped chunks that still ask for the same, and whose commits are still on the branch.
async fn still_shipped<H: Host>(
    session: &Session<'_, H>,
    shipped: BTreeMap<String, Shipped>,
    head: Option<&str>,
) -> Result<BTreeMap<String, Shipped>, Error> {
    let chunks = session.with(|machine: &Seen<'_>| machine.recipe.chunks.clone());
    let (spec, mut still) = (spec(session), BTreeMap::new());
    for (id, shipped) in shipped {
        let is_same = chunks.iter().any(|chunk| chunk.id == id && chunk.hash() == shipped.hash);
        let Some(head) = head.filter(|_| is_same) else { continue };
        let is_ours = branch::message(session.host, &shipped.commit)
            .await?
            .is_some_and(|message| message.ends_with(&mark(&id, &spec)));
        if is_ours && branch::is_ancestor(session.host, &shipped.commit, head).await? {
            still.insert(id, shipped);
        }
    }
    Ok(still)
}
