//! Files that the user renamed and edited. Their contents differ, so only similar lines show that they are one file.

use super::{History, Ledger, Write};
use crate::error::Error;
use crate::port::Host;
use crate::snapshot::{Entry, read_object};
use std::collections::{BTreeMap, BTreeSet};

/// How many new files are compared with those that are gone.
const COMPARED_MAX: usize = 100;

/// Pairs files with changes of the run that the user removed, now or before, with the new files of the user that have at least
/// half of their lines. A scan may see that a file is gone before another one sees where it is.
///
/// # Errors
/// What a port returns.
pub(crate) async fn pair_similar(host: &Host, ledger: &Ledger, writes: &mut [Write]) -> Result<(), Error> {
    let histories = ledger.histories();
    let taken: BTreeSet<&str> = histories.values().flat_map(History::sources).collect();
    let now: Vec<String> = writes.iter().filter_map(|write| write.from.clone()).collect();
    let is_free = |path: &String| {
        let has_run = histories.get(path).is_some_and(|history| history.of_file().has_run());
        has_run && !now.contains(path)
    };
    let before = histories.iter().filter(|(path, _)| !taken.contains(path.as_str()));
    let before = before.filter_map(|(path, history)| Some((path.clone(), history.removed_by_user()?)));
    let gone = writes.iter().filter(|write| write.after.is_none()).map(|write| (write.path.clone(), write.before));
    let gone: Vec<(String, Option<Entry>)> = gone.chain(before).filter(|(path, _)| is_free(path)).collect();
    for (path, before) in gone {
        let Some(old) = lines(host, before).await? else { continue };
        let mut best: Option<(usize, usize)> = None;
        let is_new = |(_, write): &(usize, &Write)| write.before.is_none() && write.from.is_none();
        for (at, write) in writes.iter().enumerate().filter(is_new).take(COMPARED_MAX) {
            let Some(new) = lines(host, write.after).await? else { continue };
            let common = if write.after == before { usize::MAX } else { common(&old, &new) };
            let is_similar = common > 0 && common >= count(&old).max(count(&new)).div_ceil(2);
            if is_similar && best.is_none_or(|(most, _)| common > most) {
                best = Some((common, at));
            }
        }
        if let Some(write) = best.and_then(|(_, at)| writes.get_mut(at)) {
            write.from = Some(path);
        }
    }
    writes.sort_by_key(|write| write.from.is_none());
    Ok(())
}

/// How often a text has each line.
type Lines = BTreeMap<String, usize>;

async fn lines(host: &Host, entry: Option<Entry>) -> Result<Option<Lines>, Error> {
    let Some(entry) = entry else { return Ok(None) };
    // Git may have removed what no snapshot has.
    let Ok(bytes) = read_object(host, entry).await else { return Ok(None) };
    let Ok(text) = String::from_utf8(bytes) else { return Ok(None) };
    let mut lines = Lines::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        *lines.entry(line.to_owned()).or_default() += 1;
    }
    Ok(Some(lines))
}

fn count(lines: &Lines) -> usize {
    lines.values().sum()
}

fn common(a: &Lines, b: &Lines) -> usize {
    a.iter().map(|(line, count)| *count.min(b.get(line).unwrap_or(&0))).sum()
}
