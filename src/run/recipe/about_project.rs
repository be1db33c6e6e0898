//! What a prompt of any recipe says about the project: what it asks of agents, and its files.

use crate::agent::{Files, Observer, ProjectRules};
use crate::error::Error;
use crate::ledger::ChangedBy;
use crate::port::{AgentRole, Rights};
use crate::run::session::Session;

/// The rules of the configuration with the files `AGENTS.md`, and the list of files: what the role may read of them. For a
/// role that judges, a file that the judged work changed is left out: the difference shows the change.
pub(in crate::run) async fn about_project(
    session: &Session<'_>,
    rights: &Rights,
    rules: &[String],
) -> Result<(ProjectRules, String), Error> {
    let Files { text, mut guides } = session.files.list(session.host, &session.watch, rights).await?;
    if matches!(rights.role, AgentRole::Verifier | AgentRole::Reviewer) {
        let changed = session.ledger().changed_by(ChangedBy::Agent);
        guides.retain(|path| !changed.contains(path));
    }
    Ok((ProjectRules::read(session.host, rules, &guides).await?, text))
}
