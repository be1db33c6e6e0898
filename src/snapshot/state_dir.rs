//! `.loopgate/`: the harness's own folder, which git ignores by its own `.gitignore`.

use crate::port::{Host, PortResult};

const IGNORE: &str = ".loopgate/.gitignore";

/// Makes the folder where it is missing.
pub async fn prepare<H: Host>(host: &H) -> PortResult<()> {
    let project = host.project();
    match project.lstat(IGNORE).await? {
        Some(_) => Ok(()),
        None => project.write(IGNORE, "*\n").await,
    }
}
