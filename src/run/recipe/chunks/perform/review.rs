//! The reviews: what a reviewer gets, and what its answer decides.

use super::{Performed, Seen, Session, changes, of_tier, record};
use crate::error::Error;
use crate::review::Tier;
use crate::run::branch::committed;
use crate::run::diff::{self, Difference};
use crate::run::recipe::chunks::state::Folder;
use crate::run::recipe::{Brief, json_text};
use crate::run::review::{self, ReviewFact, Subject};
use crate::snapshot::Contents;
use crate::verification;

/// The reviewer's role. It gets the difference of the attempt; in the final review, everything since the base of the spec.
pub(super) async fn brief(session: &Session<'_>, tier: Tier) -> Result<Brief, Error> {
    let (chunks, chunk, messages) = session.with(|machine: &Seen<'_>| {
        (machine.recipe.clone(), machine.recipe.chunk(), machine.recipe.messages(machine.run))
    });
    let (current, prepared) = (&chunks.current, &chunks.prepared);
    let ignored = current.candidate.as_ref().map(|candidate| candidate.ignored.clone()).unwrap_or_default();
    let Difference { changes, mut files, omitted } = match (&current.candidate, tier) {
        (candidate, Tier::Final) => {
            let before = Contents::of_commit(session.host, prepared.base.as_deref()).await?;
            let (after, extra) = match candidate {
                Some(candidate) => {
                    let ignored = ignored.iter().cloned().collect();
                    let committed =
                        committed(session.host, prepared.head.as_deref(), &candidate.ledger, &ignored).await?;
                    (Contents::from(committed.files), candidate.files.clone())
                }
                None => (Contents::of_commit(session.host, prepared.head.as_deref()).await?, Vec::new()),
            };
            let touched = chunks.state.shipped.values().flat_map(|shipped| &shipped.files).chain(&extra);
            let paths = touched.flat_map(|file| [Some(&file.path), file.from.as_ref()]).flatten().cloned().collect();
            let files = before.changes_at(&after, &paths);
            diff::between(session.host, &before, Some(&after), files).await?
        }
        (Some(candidate), _) => changes::Attempt::load(session, &candidate.ledger).await?.difference(session).await?,
        (None, _) => Difference { changes: Vec::new(), files: Vec::new(), omitted: Vec::new() },
    };
    for file in files.iter_mut().filter(|file| ignored.contains(&file.path)) {
        file.text.push_str("[git ignores this file, so the commit does not have it]\n");
    }
    let titles = chunks.chunks.iter().map(|chunk| format!("- {}\n{}\n", chunk.title, chunk.description));
    let mut description = if chunks.is_final() { titles.collect::<String>() } else { chunk.description.clone() };
    for message in messages {
        description += &format!("\n\nAdded by the user while the work ran:\n{message}\n");
    }
    let (title, difference) =
        (if chunks.is_final() { &chunks.title } else { &chunk.title }, Difference { changes, files, omitted });
    let subject = Subject {
        tier,
        title,
        description: &description,
        task_file: &Folder(chunks.spec()).chunks(),
        difference: &difference,
        checked: &verification::listed(&current.results),
        unreadable: current.unreadable.as_deref(),
    };
    let brief = review::brief(session, &current.settings, &subject).await?;
    record(session, &of_tier(tier, "md"), &brief.prompt.user).await?;
    Ok(brief)
}

/// Reads the reviewer's final answer. What cannot be read is asked for once more, and never a verdict.
pub(super) async fn read(session: &Session<'_>) -> Result<Performed, Error> {
    let (step, answer) = session.with(|machine: &Seen<'_>| (machine.recipe.step, machine.recipe.answer.clone()));
    let super::Step::ReadReview(tier) = step else { return Ok(Performed::Facts(Vec::new())) };
    let text = review::text_of(answer);
    record(session, &of_tier(tier, "txt"), &text).await?;
    let (mut facts, fact) = review::read(tier, &text);
    if let ReviewFact::ReviewGiven { review, .. } = &fact {
        for name in [of_tier(tier, "json"), "review.json".to_owned()] {
            record(session, &name, &json_text(&name, review)?).await?;
        }
    }
    facts.push(fact.into());
    Ok(Performed::Facts(facts))
}
