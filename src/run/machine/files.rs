//! What the events say about the working tree.

use super::whose::gives;
use crate::config::Whose;
use crate::ledger::{Call, Ledger, Write};
use crate::port::QuestionKind;
use crate::run::event::{ChangedBy, Event};

/// Folds what an event of this time says about the working tree.
pub(crate) fn fold_ledger(ledger: &mut Ledger, event: &Event, at: u64) {
    match event {
        Event::WriteStarted { writes, by } => ledger.announce(*by, writes),
        Event::FileChanged { path, by, from, before, after, .. } => {
            let write = Write { path: path.clone(), from: from.clone(), before: *before, after: *after };
            ledger.record(*by, &write);
        }
        Event::UserChanged { files } => {
            for file in files {
                match file.before == file.after {
                    true => ledger.clear_up(&file.path, false),
                    false => ledger.record(ChangedBy::User, &Write::from(file.clone())),
                }
            }
        }
        Event::ChangesUnclear { what, by, whose, files } => {
            for file in files {
                ledger.record_unclear((what, *by), &Write::from(file.clone()), *whose == Whose::Ask);
            }
        }
        Event::QuestionAsked { question } if question.kind == QuestionKind::Whose => ledger.ask(&question.id),
        Event::QuestionAnswered { id, answer } => ledger.answer(id, &|path| gives(answer, path)),
        Event::ToolResult { .. } => ledger.returned(),
        Event::UnguardedStarted { what, by, undone, head } => {
            let (what, head) = (what.clone(), head.clone());
            ledger.call_began(Call { what, by: *by, is_undone: *undone, head, began: at, closed: None });
        }
        Event::UnguardedEnded => ledger.call_ended(),
        Event::UserEdits { paths } => ledger.told(paths),
        Event::RunResumed { closed, repaired, .. } => ledger.resumed(*closed, !repaired.is_empty()),
        Event::SnapshotSaved { snapshot, .. } => ledger.saved(&snapshot.tree),
        _ => {}
    }
}
