//! `.loopgate/`: the harness's own folder, which git ignores by its own `.gitignore`.
//!
//! A file of the state is written beside the old one and then renamed: one of the two is always whole. The one beside
//! is the newer one.

use crate::port::{FsPort, Host, PortResult};
use crate::snapshot::git::oid::Oid;

const IGNORE: &str = crate::layout::STATE_IGNORE;

/// Makes the folder where it is missing.
pub(super) async fn prepare<H: Host>(host: &H) -> PortResult<()> {
    let project = host.project();
    match project.lstat(IGNORE).await? {
        Some(_) => Ok(()),
        None => project.write(IGNORE, "*\n").await,
    }
}

/// Makes the folder, unless that was done.
pub(super) async fn prepare_once<H: Host>(host: &H, is_done: &mut bool) -> PortResult<()> {
    if !*is_done {
        prepare(host).await?;
        *is_done = true;
    }
    Ok(())
}

/// Replaces a file of the state; durable with the next flush.
pub(super) async fn publish<H: Host>(host: &H, path: &str, text: &str) -> PortResult<()> {
    let project = host.project();
    let next = beside(path);
    project.write(&next, seal(text)).await?;
    host.fs().rename(&project.absolute(&next), &project.absolute(path)).await
}

/// The text of a file of the state; nothing where there is none that is whole.
pub(super) async fn published<H: Host>(host: &H, path: &str) -> PortResult<Option<String>> {
    for path in [&beside(path), path] {
        if let Some(text) = host.project().read(path).await?.as_deref().and_then(unseal) {
            return Ok(Some(text.to_owned()));
        }
    }
    Ok(None)
}

/// Removes a file of the state.
pub(super) async fn withdraw<H: Host>(host: &H, path: &str) -> PortResult<()> {
    host.project().remove_file(&beside(path)).await?;
    host.project().remove_file(path).await
}

/// A text with its hash, as it is stored.
pub(super) fn seal(text: &str) -> String {
    format!("{text}\n{}\n", Oid::of_blob(text.as_bytes()))
}

/// A text that was stored; nothing where it is damaged.
pub(super) fn unseal(bytes: &[u8]) -> Option<&str> {
    let (text, sum) = std::str::from_utf8(bytes).ok()?.strip_suffix('\n')?.rsplit_once('\n')?;
    (Oid::parse(sum)? == Oid::of_blob(text.as_bytes())).then_some(text)
}

fn beside(path: &str) -> String {
    format!("{path}.next")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_back_and_any_damage_is_noticed() {
        for text in ["", "one", "two\nlines\n🍓"] {
            let bytes = seal(text).into_bytes();
            assert_eq!(unseal(&bytes), Some(text));
            assert!((0..bytes.len()).all(|end| unseal(&bytes[..end]).is_none()));
            for at in 0..bytes.len() {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1;
                assert_eq!(unseal(&damaged), None, "byte {at}");
            }
        }
    }
}
