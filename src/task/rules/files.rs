//! The files that a change is probably in: those that the message names, by path or by what they are called after.

use super::requirements::Wish;
use super::tokens::{Kind, Text};
use crate::task::structured::TaskContext;
use crate::words::words;
use std::collections::BTreeSet;

/// Words of file names that say nothing about what a file is of.
const GENERAL: &str =
    "section page component view panel app index main screen container wrapper list api grid use strip block src";

/// Paths and traces of a message that are searched for.
const NAMED: usize = 50;

/// Files of the project, in the order of its list.
pub(super) fn affected(text: &Text<'_>, wishes: &[Wish], context: &TaskContext) -> Vec<String> {
    let of_kind = |kind| (0..text.len()).filter(move |at| text.kind(*at) == Some(kind));
    let paths: Vec<&str> = of_kind(Kind::Path).map(|at| text.norm(at)).take(NAMED).collect();
    let traces: Vec<&str> = of_kind(Kind::Trace).map(|at| text.slice(&(at..at + 1))).take(NAMED).collect();
    let requests = wishes.iter().filter(|wish| wish.is_request());
    let mentioned: BTreeSet<String> = requests.flat_map(|wish| words(text.slice(&wish.words))).collect();
    let is_affected = |file: &&String| {
        let name = crate::path::name(file);
        let parts = words(name.split('.').next().unwrap_or_default());
        paths.iter().any(|path| is_path_of(path, file))
            || traces.iter().any(|trace| trace.contains(file.as_str()))
            || parts
                .iter()
                .find(|part| !GENERAL.split(' ').any(|word| word == *part))
                .is_some_and(|part| mentioned.contains(part))
    };
    context.file_list.iter().flatten().filter(is_affected).cloned().collect()
}

/// Whether a path in a message (`Footer.tsx:42`, `./src/App`) is that of a file.
fn is_path_of(path: &str, file: &str) -> bool {
    let path = path.trim_start_matches(['.', '/', '@']).split(':').next().unwrap_or_default();
    let file = file.to_lowercase();
    path.len() > 2 && file.strip_suffix(path).is_some_and(|head| head.is_empty() || head.ends_with('/'))
}
