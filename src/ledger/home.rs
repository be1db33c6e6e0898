//! Where the files that the run moved belong without its moves: where the user had them last, with what the user changed since.

use super::{Ledger, Part, take_back};
use crate::error::Error;
use crate::port::Host;
use crate::snapshot::{Entry, Manifest};
use std::collections::BTreeMap;

/// What the places of these files are without the run: the file is at its home, and the other places are as they were without
/// it. Leaves out a file whose part of the user cannot be told apart, and one whose home is taken.
///
/// # Errors
/// What a port returns.
pub(super) async fn homes<H: Host>(
    host: &H,
    ledger: &Ledger,
    files: &Manifest,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Result<BTreeMap<String, Option<Entry>>, Error> {
    let mut homes = BTreeMap::new();
    for (path, history) in ledger.histories().iter().filter(|(path, _)| is_wanted(path)) {
        let Some((home, whole)) = history.life(path) else { continue };
        let Part::State(Some(file)) = take_back(host, &whole, files.get(path).copied(), 0).await? else { continue };
        let earlier = history.before_move();
        let Part::State(without) = take_back(host, &earlier, earlier.last(), 0).await? else { continue };
        let present = |place: &str| files.get(place).copied();
        if home != path && present(home).is_some_and(|other| other != file) {
            continue;
        }
        let left = history.sources().into_iter().map(|source| (source.to_owned(), present(source)));
        homes.extend(left);
        if home != path {
            homes.insert(path.clone(), without);
        }
        homes.insert(home.to_owned(), Some(file));
    }
    Ok(homes)
}
