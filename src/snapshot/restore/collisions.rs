//! Names that some file systems treat as one. If one of them is a link, what is written under another one may land where the
//! link leads.

use super::plan::RestorePlan;
use crate::error::{Error, ErrorCode};
use crate::path::{caseless, fold, folded_names, folders_above};
use crate::port::Host;
use crate::snapshot::git::{Manifest, Mode};
use std::collections::{BTreeMap, BTreeSet};

/// Refuses a plan that writes a link and something at or below another spelling of its name, unless the file system shows that
/// it has both.
///
/// # Errors
/// `unsupported` with the link; what a port returns.
pub(super) async fn refuse_collisions(host: &Host, target: &Manifest, plan: &RestorePlan) -> Result<(), Error> {
    for Collision { link, other } in collisions(target, plan) {
        if !has_both(host, link, other).await? {
            let message = format!(
                "{link:?} is a link, and {other:?} is a file or folder with the same name on some file systems, so nothing \
                 is written; rename one of them"
            );
            return Err(Error::new(ErrorCode::Unsupported, message).at_path(link));
        }
    }
    Ok(())
}

/// Two paths of a target that may be one.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Collision<'a> {
    link: &'a str,
    /// A file, a link, or a folder above one.
    other: &'a str,
}

/// The collisions of the files that a plan writes.
fn collisions<'a>(target: &'a Manifest, plan: &RestorePlan) -> BTreeSet<Collision<'a>> {
    let mut links: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (path, _) in target.iter().filter(|(_, entry)| entry.mode == Mode::Symlink) {
        links.entry(spelling(path)).or_default().push(path);
    }
    let mut found = BTreeSet::new();
    if links.is_empty() {
        return found;
    }
    let written: BTreeSet<&str> = plan.restore.iter().map(String::as_str).collect();
    for path in target.keys() {
        for other in folders_above(path).chain([path.as_str()]) {
            let links = links.get(&spelling(other)).into_iter().flatten();
            // A link is itself at its path, and nothing may be below it.
            let links = links.filter(|link| **link != other || other.len() < path.len());
            let links = links.filter(|link| written.contains(**link) || written.contains(path.as_str()));
            found.extend(links.map(|link| Collision { link, other }));
        }
    }
    found
}

/// A path as the least exact file system reads it.
fn spelling(path: &str) -> String {
    let folded = caseless(&fold(path));
    folded_names(&folded).collect::<Vec<_>>().join("/")
}

/// Whether the folder in which the paths part lists both names.
async fn has_both(host: &Host, link: &str, other: &str) -> Result<bool, Error> {
    let parts = link.split('/').zip(other.split('/'));
    let Some(depth) = parts.clone().position(|(a, b)| a != b) else { return Ok(false) };
    let Some((a, b)) = parts.clone().nth(depth) else { return Ok(false) };
    let folder = depth.checked_sub(1).and_then(|above| folders_above(link).nth(above)).unwrap_or_default();
    let names = host.project().read_dir(folder).await?.unwrap_or_default();
    Ok([a, b].iter().all(|name| names.iter().any(|listed| listed == name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::restore::plan::tests::manifest;

    fn among(files: &[(&str, Mode)], written: &[&str]) -> Vec<(String, String)> {
        let target = manifest(&files.iter().map(|(path, mode)| (*path, *mode, "1")).collect::<Vec<_>>());
        let restore = written.iter().map(|path| (*path).to_owned()).collect();
        let found = collisions(&target, &RestorePlan { restore, delete: Vec::new() });
        found.into_iter().map(|found| (found.link.to_owned(), found.other.to_owned())).collect()
    }

    #[test]
    fn a_link_collides_with_every_spelling_of_its_name_and_what_is_below() {
        for (link, path, other) in [
            ("a", "a/x", "a"),
            ("A", "a", "a"),
            ("a", "A/x/y", "A"),
            ("src/Lib", "SRC/lib/x", "SRC/lib"),
            ("lib.", "lib/x", "lib"),
            ("lib", "lib::$INDEX_ALLOCATION/x", "lib::$INDEX_ALLOCATION"),
            ("lib", "li\u{200c}b/x", "li\u{200c}b"),
            ("gro\u{308}ße", "GRÖße/x", "GRÖße"),
            ("ｌｉｂ", "lib/x", "lib"),
            ("lib/a", "LIB\\a/x", "LIB\\a"),
        ] {
            let files = [(link, Mode::Symlink), (path, Mode::File)];
            for written in [link, path] {
                assert_eq!(among(&files, &[written]), [(link.to_owned(), other.to_owned())], "{link} and {path}");
            }
            assert_eq!(among(&files, &[]), [], "nothing is written");
            assert_eq!(among(&[(link, Mode::File), (path, Mode::File)], &[link, path]), [], "no link");
        }
    }

    #[test]
    fn two_links_collide_and_other_names_do_not() {
        let two = [("a", Mode::Symlink), ("A", Mode::Symlink)];
        assert_eq!(among(&two, &["a"]).len(), 2);
        let files = [("a", Mode::Symlink), ("b/a", Mode::Symlink), ("ab", Mode::File), ("b/x", Mode::File)];
        assert_eq!(among(&files, &["a", "b/a", "ab", "b/x"]), []);
    }

    #[cfg(not(target_family = "wasm"))]
    #[tokio::test]
    async fn a_file_system_that_lists_both_names_has_both() {
        use crate::port::memory::MemoryHost;
        let host = MemoryHost::new([("src/LIB/a/x", "1"), ("B", "1"), ("b", "1")]);
        host.fs.put_link("/project/src/lib", "LIB");
        for (link, other, expected) in [
            ("src/lib", "src/LIB", true),
            ("src/lib", "src/Lib", false),
            ("src/lib/a", "src/LIB/A/x", true),
            ("B", "b", true),
            ("a", "A", false),
            ("a", "a", false),
        ] {
            assert_eq!(has_both(&host, link, other).await.unwrap(), expected, "{link} and {other}");
        }
    }
}
