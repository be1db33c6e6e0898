//! Where the files that the run moved belong without its moves: where the user had them last, with what the user changed since.

use super::{History, Ledger, Part, Write, take_back};
use crate::error::Error;
use crate::path::folders_above;
use crate::port::Host;
use crate::snapshot::{Entry, Manifest};
use std::collections::BTreeMap;

/// What the places of moved files are without the run.
#[derive(Default)]
pub(super) struct Homes {
    pub places: BTreeMap<String, Option<Entry>>,
    /// What the user changed in files that come home.
    pub users: Vec<Write>,
}

/// A file that the run moved.
struct Moved<'a> {
    path: &'a str,
    home: &'a str,
    places: BTreeMap<String, Option<Entry>>,
    /// The file at home, without and with what the user changed since it left.
    before: Option<Entry>,
    file: Entry,
}

/// Brings each file home; its other places are as they were without it. Leaves out a file whose part of the user cannot be told
/// apart, one whose home is taken, and files that have a place in common.
///
/// # Errors
/// What a port returns.
pub(super) async fn homes(
    host: &Host,
    ledger: &Ledger,
    files: &Manifest,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Result<Homes, Error> {
    let (mut moved, mut claims) = (Vec::new(), BTreeMap::<String, usize>::new());
    for path in ledger.histories().keys().filter(|path| is_wanted(path)) {
        let Some(file) = find(host, ledger, files, path).await? else { continue };
        file.places.keys().for_each(|place| *claims.entry(place.clone()).or_default() += 1);
        moved.push(file);
    }
    let mut homes = Homes::default();
    for Moved { path, home, places, before, file } in moved {
        if places.keys().any(|place| claims.get(place).is_some_and(|count| *count > 1)) {
            continue;
        }
        homes.places.extend(places);
        if home != path && before.is_some_and(|before| before != file) {
            homes.users.push(Write { path: home.to_owned(), from: None, before, after: Some(file) });
        }
    }
    Ok(homes)
}

async fn find<'a>(
    host: &Host,
    ledger: &'a Ledger,
    files: &Manifest,
    path: &'a str,
) -> Result<Option<Moved<'a>>, Error> {
    let present = |place: &str| files.get(place).copied();
    let Some(history) = ledger.histories().get(path) else { return Ok(None) };
    let Some((home, whole)) = history.life(path) else { return Ok(None) };
    // The file moved on, and the run made another one here.
    let is_source = |(other, history): (&String, &History)| {
        other != path && history.last().is_some() && history.sources().contains(&path)
    };
    if ledger.histories().iter().any(is_source) || (history.last().is_none() && present(path).is_some()) {
        return Ok(None);
    }
    let Part::State(Some(file)) = take_back(host, &whole, present(path), 0).await? else { return Ok(None) };
    let is_blocked = files.keys().any(|other| {
        folders_above(home).any(|folder| folder == other) || folders_above(other).any(|folder| folder == home)
    });
    if is_blocked || (home != path && present(home).is_some_and(|other| other != file)) {
        return Ok(None);
    }
    let mut places = BTreeMap::new();
    let (mut before, mut origin) = (None, history.origin());
    while let Some(from) = origin {
        origin = from.history.origin();
        let other = present(&from.path);
        if from.path != home && other.is_none() {
            places.insert(from.path.clone(), None);
            continue;
        }
        let there = take_back(host, &from.history.of_file(), from.history.last(), 0).await?;
        let Part::State(there) = there else { return Ok(None) };
        if from.path == home {
            before = there;
            continue;
        }
        let own = ledger.histories().get(&from.path).map(History::of_file);
        let without = match own {
            Some(own) => take_back(host, &own, other, 0).await?,
            None => Part::State(other),
        };
        let Part::State(without) = without else { return Ok(None) };
        places.insert(from.path.clone(), without.filter(|_| without != there));
    }
    if home != path {
        let earlier = history.before_move();
        let Part::State(without) = take_back(host, &earlier, earlier.last(), 0).await? else { return Ok(None) };
        places.insert(path.to_owned(), without);
    }
    places.insert(home.to_owned(), Some(file));
    Ok(Some(Moved { path, home, places, before, file }))
}
