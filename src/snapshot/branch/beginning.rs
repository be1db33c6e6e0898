//! Where the branches of specs began. Git does not say from which branch another one started.

use crate::error::Error;
use crate::json;
use crate::layout::BEGINNINGS as PATH;
use crate::port::Host;
use crate::snapshot::{git_of, state};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The project before the first commit of a spec.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Beginning {
    /// The branch of the user.
    pub branch: Option<String>,
    /// HEAD's commit.
    pub commit: Option<String>,
}

/// Where a branch began; `None` if it is not recorded.
///
/// # Errors
/// What a port returns.
pub(crate) async fn beginning(host: &Host, branch: &str) -> Result<Option<Beginning>, Error> {
    Ok(read(host).await?.remove(branch))
}

/// Where the branches that still exist began, by their names.
///
/// # Errors
/// `unsupported` without git; otherwise what a port returns.
pub(crate) async fn beginnings(host: &Host) -> Result<BTreeMap<String, Beginning>, Error> {
    let (git, mut kept) = (git_of(host)?, BTreeMap::new());
    for (name, began) in read(host).await? {
        if git.resolve_ref(&format!("refs/heads/{name}")).await?.is_some() {
            kept.insert(name, began);
        }
    }
    Ok(kept)
}

/// Records where a branch begins, before it is created. Forgets branches that are gone.
///
/// # Errors
/// `unsupported` without git; otherwise what a port returns.
pub(crate) async fn record_beginning(host: &Host, branch: &str, beginning: &Beginning) -> Result<(), Error> {
    let mut kept = beginnings(host).await?;
    kept.insert(branch.to_owned(), beginning.clone());
    let text = serde_json::to_string(&kept).unwrap_or_default();
    state::prepare(host, &mut false).await?;
    state::write(host, PATH, &text).await?;
    Ok(host.fs.flush().await?)
}

async fn read(host: &Host) -> Result<BTreeMap<String, Beginning>, Error> {
    let text = state::read(host, PATH).await?;
    Ok(text.and_then(|text| json::read(&text).ok()).unwrap_or_default())
}
