//! What the events say about the working tree.

use crate::ledger::{Ledger, Write};
use crate::run::event::{ChangedBy, Event};

/// Folds what an event says about the working tree.
pub(crate) fn fold_ledger(ledger: &mut Ledger, event: &Event) {
    match event {
        Event::WriteStarted { writes, by } => ledger.announce(*by, writes),
        Event::FileChanged { path, by, from, before, after, .. } => {
            let write = Write { path: path.clone(), from: from.clone(), before: *before, after: *after };
            ledger.record(*by, &write);
        }
        Event::UserChanged { files } => {
            for file in files {
                ledger.record(ChangedBy::User, &Write::from(file.clone()));
            }
        }
        Event::ToolResult { .. } => ledger.returned(),
        Event::UnguardedStarted { by, .. } => ledger.call_began(*by),
        Event::UnguardedEnded => ledger.call_ended(),
        Event::RunResumed { repaired, .. } => ledger.resumed(!repaired.is_empty()),
        Event::SnapshotSaved { snapshot, .. } => ledger.saved(&snapshot.tree),
        _ => {}
    }
}
