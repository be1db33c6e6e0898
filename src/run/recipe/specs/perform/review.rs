//! What the reviewer of a spec is asked, and its answer.

use super::{Performed, Seen, Session};
use crate::agent::in_prompt;
use crate::error::Error;
use crate::layout::is_judged;
use crate::review::Tier;
use crate::run::diff;
use crate::run::recipe::Brief;
use crate::run::review::{self, Subject};
use crate::{snapshot, verification};

/// The reviewer gets what the verifier accepted.
pub(super) async fn brief(session: &Session<'_>, tier: Tier) -> Result<Brief, Error> {
    let (spec, current, messages) = session.with(|machine: &Seen<'_>| {
        (machine.recipe.spec(), machine.recipe.current.clone(), machine.run.steered.clone())
    });
    let text = session.host.project().read_text(&spec.path).await?.unwrap_or_default();
    let mut description = in_prompt(&text, &spec.path);
    for message in messages {
        description += &format!("\n\nAdded by the user while the work ran:\n{message}\n");
    }
    let now = snapshot::evidence(session.host, &is_judged).await?;
    let difference = diff::since(session.host, &session.saved_commit(&current.base).await?, &now).await?;
    let subject = Subject {
        tier,
        title: &spec.title,
        description: &description,
        task_file: &spec.path,
        difference: &difference,
        checked: &verification::listed(&current.results),
        unreadable: current.unreadable.as_deref(),
    };
    review::brief(session, &session.settings, &subject).await
}

pub(super) fn read(session: &Session<'_>, tier: Tier) -> Performed {
    review::judged(tier, session.with(|machine: &Seen<'_>| machine.recipe.answer.clone()))
}
