//! What a run needs of its host: refused before the first model call.

use crate::config::{Config, Role};
use crate::error::{Error, ErrorCode};
use crate::port::Host;

/// Refuses a run without a model for each of these roles, or without a shell for its verification.
///
/// # Errors
/// `unsupported` without a shell; `invalid-config` with the key and its place for a model.
pub(in crate::run) fn check_host(host: &Host, config: &Config, roles: &[Role]) -> Result<(), Error> {
    let steps: Vec<&str> = config.settings.verification.due().iter().map(|step| step.name.as_str()).collect();
    if host.shell.is_none() && !steps.is_empty() {
        let message = format!(
            "`verification.steps` needs a shell for {}, and this IDE has no shell: pass `shell` with the host, or set \
             `verification.enabled` to false",
            steps.join(", ")
        );
        return Err(Error::new(ErrorCode::Unsupported, message));
    }
    // Chunks need git anyway.
    if host.git.is_none() && roles.iter().any(|role| matches!(role, Role::Reviewer(_))) {
        let message = "a review needs git, to compare the work with the state before it: pass `git` with the host, or set \
                       `reviews.task` to `off`";
        return Err(Error::new(ErrorCode::Unsupported, message));
    }
    for role in roles {
        let (key, id) = config.settings.model(*role);
        let problem = match id {
            Some(id) if host.model_of(Some(id)).is_none() => {
                format!(
                    "`{key}` is {id:?}, and the host has no such model: pass `models[{id:?}]`, a function or an adapter"
                )
            }
            None if host.model.is_none() => {
                format!("`{key}` is not set, and the host has no model: pass `model`, or configure one")
            }
            _ => continue,
        };
        return Err(config.refuse(key, problem));
    }
    Ok(())
}
