//! A recovery from a stall: what is there is saved, and the agent is told where it is stuck (`seeds/003 §8`).

use super::save::save_as;
use crate::error::Error;
use crate::layout::CHECKED_PLAN;
use crate::plan;
use crate::port::Host;
use crate::run::Machine;
use crate::run::event::Event;
use crate::run::session::Session;
use crate::run::stall::{Recovery, given_up, guidance, stuck_on};

/// Performed again after a crash, it saves the same files under the same tag.
pub(super) async fn recover<H: Host>(session: &Session<'_, H>, task: u32, recovery: u32) -> Result<Event, Error> {
    let iteration = session.with_machine(Machine::iteration);
    let tag = format!("stall-{task}-recovery");
    if session.host.git().is_some() {
        save_as(session, &tag, &format!("task-{task} makes no progress, iteration {iteration}")).await?;
    } else {
        session.record(Event::SnapshotSkipped { tag }).await?;
    }
    let source = session.host.project().read_text(CHECKED_PLAN).await?.unwrap_or_default();
    let source = if session.with_machine(Machine::keeps_plan) { source.as_str() } else { "" };
    let report = plan::validate(source, &session.registry, Some(task));
    let stuck = session.with_machine(|machine| stuck_on(&report, task, machine.last_actions(), machine.reports()));
    let max = session.with_machine(|machine| machine.limits().max_stall_recoveries);
    let is_last = recovery >= max;
    let feedback = session.with_machine(|machine| {
        if is_last {
            let because = machine.pre_snapshot().is_none().then(|| why_not_rolled_back(session, task));
            return given_up(task, recovery, because.as_deref());
        }
        let (stuck, actions, is_last_chance) = (stuck.as_ref(), machine.last_actions(), recovery + 1 >= max);
        let rolls_back = machine.pre_snapshot().is_some();
        guidance(&Recovery { iteration, stuck, actions, is_last_chance, rolls_back }, machine.feedback())
    });
    let marker = stuck.as_ref().and_then(|stuck| stuck.marker.as_ref()).map(|marker| marker.kind.name().to_owned());
    Ok(Event::StallDetected { section: stuck.map(|stuck| stuck.name), marker, recovery, is_last, feedback })
}

fn why_not_rolled_back<H: Host>(session: &Session<'_, H>, task: u32) -> String {
    match session.host.git() {
        Some(_) => {
            format!("it was empty before the task; its files are as they were left, and in stall-{task}-recovery")
        }
        None => "there is no git port; its files are as they were left".to_owned(),
    }
}
