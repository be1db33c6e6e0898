//! Stalls: a recovery saves the project and guides the agent; the last one restores the project from before the task.

use super::{Performed, Seen, Session};
use crate::error::Error;
use crate::layout::{CHECKED_PLAN, is_note};
use crate::plan;
use crate::run::event::Event;
use crate::run::ownership;
use crate::run::perform::save_as;
use crate::run::recipe::stall::{Recovery, failed, guidance, stuck_on};
use crate::run::recipe::task::{TaskFact, files};
use crate::snapshot::numbered;
use crate::snapshot::{self, SnapshotKind, Step};
use std::collections::BTreeMap;

/// If a crash repeats this command, it saves the same files under the same tag.
pub(super) async fn recover(session: &Session<'_>, recovery: u32, is_last: bool) -> Result<Performed, Error> {
    session.watch.distrust(session.host);
    let (task, iteration) = session.with(|machine: &Seen<'_>| (machine.recipe.number, machine.run.iteration));
    let tag = numbered(&format!("stall-{task}-recovery"), recovery);
    let message = format!("task-{task} makes no progress, iteration {iteration}");
    let (tag, saved) = match session.host.git.as_deref() {
        Some(_) => save_as(session, &tag, SnapshotKind::Base, &message).await?,
        None => (tag.clone(), Event::SnapshotSkipped { tag }),
    };
    let source = session.host.project().read_text(CHECKED_PLAN).await?.unwrap_or_default();
    let source = if session.with(|machine: &Seen<'_>| machine.recipe.plan.seen) { source.as_str() } else { "" };
    let report = plan::validate(source, &session.registry, Some(task));
    let stuck = session
        .with(|machine: &Seen<'_>| stuck_on(&report, task, machine.recipe.watch.actions(), machine.run.reports()));
    let max = session.with(|machine: &Seen<'_>| machine.run.limits.max_stall_recoveries);
    let feedback = session.with(|machine: &Seen<'_>| {
        if is_last {
            let project = match (&machine.run.snapshots.pre, session.host.git.as_deref()) {
                (Some(tag), _) => format!("is being rolled back to {tag}"),
                (None, None) => "not rolled back: there is no git port; its files are unchanged".to_owned(),
                (None, Some(_)) => {
                    format!(
                        "not rolled back: it was empty before the task; its files are unchanged, and saved as {tag}"
                    )
                }
            };
            return failed(task, recovery, &format!("Project {project}."));
        }
        let (stuck, actions, is_last_chance) = (stuck.as_ref(), machine.recipe.watch.actions(), recovery + 1 >= max);
        let rolls_back = machine.run.snapshots.pre.is_some();
        let has_shell = session.host.shell.is_some();
        guidance(&Recovery { iteration, stuck, actions, is_last_chance, rolls_back, has_shell }, &machine.run.feedback)
    });
    let marker = stuck.as_ref().and_then(|stuck| stuck.marker.as_ref()).map(|marker| marker.kind.name().to_owned());
    let section = stuck.map(|stuck| stuck.name);
    let detected = TaskFact::StallDetected { section, marker, recovery, is_last, feedback };
    Ok(Performed::Facts(vec![saved, detected.into()]))
}

/// Takes the task's changes back. The changes of the user stay; the notes of the harness are those from before the task.
pub(super) async fn roll_back(session: &Session<'_>, tag: String) -> Result<Performed, Error> {
    let began = session.now();
    let (task, recoveries) =
        session.with(|machine: &Seen<'_>| (machine.recipe.number, machine.recipe.watch.recoveries));
    let before = session.saved_commit(&tag).await?;
    let mut taken = ownership::take_back(session, &tag).await?;
    let saved = snapshot::files_of_tag(session.host, &before).await?;
    let present = ownership::record_user_changes(session).await?.map(|captured| captured.files).unwrap_or_default();
    let own = session.with(files::files);
    let is_own = |path: &String| own.iter().any(|(own, _)| own == path);
    let notes = saved.keys().chain(present.keys()).filter(|path| is_note(path) && !is_own(path));
    let changed = notes.filter(|path| saved.get(*path) != present.get(*path));
    let step = |path: &str| Step { before: present.get(path).copied(), after: saved.get(path).copied() };
    let wanted: BTreeMap<String, Step> = changed.map(|path| (path.clone(), step(path))).collect();
    if !wanted.is_empty() {
        let notes = snapshot::restore_files(session.host, &session.watch, &tag, &wanted).await?;
        taken.restored.extend(notes.restored);
        taken.deleted.extend(notes.deleted);
    }
    let kept = match taken.conflicts.as_slice() {
        [] => String::new(),
        paths => format!(" These files keep changes of the user in the same lines: {}.", paths.join(", ")),
    };
    Ok(Performed::fact(TaskFact::SnapshotRestored {
        restored: count(&taken.restored),
        deleted: count(&taken.deleted),
        duration_ms: session.now().saturating_sub(began),
        feedback: failed(task, recoveries, &format!("The changes of the task are rolled back to {tag}.{kept}")),
        tag,
    }))
}

fn count(paths: &[String]) -> u32 {
    u32::try_from(paths.len()).unwrap_or(u32::MAX)
}
