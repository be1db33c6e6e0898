//! The reviews: what a reviewer gets, and what its answer decides.

use super::changes;
use super::{Performed, Seen, Session, of_tier, record};
use crate::config::Role;
use crate::error::Error;
use crate::port::{AgentRole, Host, Phase, Rights};
use crate::review::{self, Judgement, Request, Tier};
use crate::run::branch::committed;
use crate::run::diff::{self, Difference};
use crate::run::event::Event;
use crate::run::recipe::chunks::ChunkFact;
use crate::run::recipe::chunks::state::Folder;
use crate::run::recipe::{Brief, about_project, json_text};
use crate::snapshot::Contents;
use crate::verification;
use serde_json::Value;

/// The reviewer's role. It gets the difference of the attempt; in the final review, everything since the base of the spec.
pub(super) async fn brief<H: Host>(session: &Session<'_, H>, tier: Tier) -> Result<Brief, Error> {
    let (chunks, chunk, messages) = session.with(|machine: &Seen<'_>| {
        (machine.recipe.clone(), machine.recipe.chunk(), machine.recipe.messages(machine.run))
    });
    let (current, prepared) = (&chunks.current, &chunks.prepared);
    let ignored = current.candidate.as_ref().map(|candidate| candidate.ignored.clone()).unwrap_or_default();
    let Difference { mut files, omitted, .. } = match (&current.candidate, tier) {
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
        (Some(candidate), _) => changes::Attempt::of(session, &candidate.ledger).await?.difference(session).await?,
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
    let rights = Rights::reader(AgentRole::Reviewer, Phase::Review).under(&current.settings.policy);
    let (rules, _) = about_project(session, &rights, &current.settings.rules).await?;
    let mut prompt = review::prompt(&Request {
        tier,
        title: if chunks.is_final() { &chunks.title } else { &chunk.title },
        description: &description,
        task_file: &Folder(chunks.spec()).chunks(),
        checks: current.settings.checks(tier),
        rules: &rules,
        verification: &verification::listed(&current.results),
        files: &files,
        omitted: &omitted,
    });
    if let Some(reason) = &current.unreadable {
        prompt.user += &format!("\n{}", review::again(reason));
    }
    record(session, &of_tier(tier, "md"), &prompt.user).await?;
    let model = current.settings.model_id(Role::Reviewer(tier));
    Ok(Brief { rights, model, prompt, answer: Some(review::shape()) })
}

/// Reads the reviewer's final answer. What cannot be read is asked for once more, and never a verdict.
pub(super) async fn read<H: Host>(session: &Session<'_, H>) -> Result<Performed, Error> {
    let (step, answer) = session.with(|machine: &Seen<'_>| (machine.recipe.step, machine.recipe.answer.clone()));
    let super::Step::ReadReview(tier) = step else { return Ok(Performed::Facts(Vec::new())) };
    let text = match answer {
        Some(Value::String(text)) => text,
        Some(arguments) => arguments.to_string(),
        None => String::new(),
    };
    record(session, &of_tier(tier, "txt"), &text).await?;
    let (judgement, warnings) = review::read(&text);
    let status = |warning| Event::status(format!("The {} review: {warning}", tier.as_str()));
    let mut facts: Vec<Event> = warnings.into_iter().map(status).collect();
    let review = match judgement {
        Judgement::Ship { review } | Judgement::Revise { review } => review,
        Judgement::Inconclusive { reason } => {
            facts.push(ChunkFact::ReviewUnreadable { tier, reason }.into());
            return Ok(Performed::Facts(facts));
        }
    };
    for name in [of_tier(tier, "json"), "review.json".to_owned()] {
        record(session, &name, &json_text(&name, &review)?).await?;
    }
    facts.push(ChunkFact::ReviewGiven { tier, review }.into());
    Ok(Performed::Facts(facts))
}
