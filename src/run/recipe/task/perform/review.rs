//! What the reviewer of a task is asked, and its answer.

use super::{Performed, Seen, Session};
use crate::agent::Observer;
use crate::error::Error;
use crate::gate::GateVerdict;
use crate::layout::{TASK, is_judged};
use crate::ledger::ChangedBy;
use crate::review::Tier;
use crate::run::diff;
use crate::run::machine::RunState;
use crate::run::recipe::Brief;
use crate::run::recipe::task::files;
use crate::run::review::{self, Subject};
use crate::snapshot::{self, Contents};
use crate::task;

/// The reviewer gets the files that the agent changed, as they differ from the state before the task.
pub(super) async fn brief(session: &Session<'_>, tier: Tier) -> Result<Brief, Error> {
    let (title, mut description, checked, pre, unreadable) = session.with(|machine: &Seen<'_>| {
        let title = task::title(machine.recipe.message());
        let pre = machine.run.snapshots.pre.clone();
        (title, files::task(machine), gates(machine.run), pre, machine.recipe.review.unreadable.clone())
    });
    let unchecked = session.with(|machine: &Seen<'_>| unchecked(machine.run));
    if !unchecked.is_empty() {
        description += &format!(
            "\n\nNo gate can judge these requirements. Judge each one by the difference. For each one that is not met, answer REVISE \
             with an issue that names it:\n{unchecked}"
        );
    }
    let now = snapshot::evidence(session.host, &is_judged).await?;
    let before = match pre {
        Some(tag) => Contents::since_tag(session.host, &session.saved_commit(&tag).await?, &now, &is_judged).await?,
        None => Contents::of_commit(session.host, None).await?,
    };
    let by_agent = session.ledger().changed_by(ChangedBy::Agent);
    let is_own = |path: &String| by_agent.contains(path);
    let mut changes = before.changes(&now);
    changes.retain(|change| is_own(&change.path) || change.from.as_ref().is_some_and(is_own));
    let difference = diff::between(session.host, &before, None, changes).await?;
    let subject = Subject {
        tier,
        title: &title,
        description: &description,
        task_file: TASK,
        difference: &difference,
        checked: &checked,
        unreadable: unreadable.as_deref(),
    };
    review::brief(session, &session.settings, &subject).await
}

pub(super) fn read(session: &Session<'_>, tier: Tier) -> Performed {
    review::judged(tier, session.with(|machine: &Seen<'_>| machine.recipe.review.answer.clone()))
}

/// The gates of the last round, one a line.
fn gates(run: &RunState) -> String {
    let line = |report: &crate::gate::GateReport| {
        let verdict = match report.verdict {
            GateVerdict::Warn => "warns",
            _ if report.not_applicable => return None,
            _ => "passed",
        };
        let feedback = report.feedback.as_deref().map(|feedback| format!(": {feedback}")).unwrap_or_default();
        Some(format!("- {} {verdict}{feedback}\n", report.gate))
    };
    run.reports().iter().filter_map(line).collect()
}

/// The requirements that no check settles, one a line.
fn unchecked(run: &RunState) -> String {
    let unsure = run.requirements.iter().filter(|report| report.is_unsure());
    unsure.map(|report| format!("- {}: {}\n", report.marker, report.text)).collect()
}
