//! The changed lines that show a requirement.

use super::code_words;
use super::values::{Value, stated};
use crate::gate::builtin::{Line, own_files};
use crate::gate::scope::{fit, stems, telling};
use crate::gate::{Project, RequestedChange};
use crate::plan::MarkerKind;
use std::collections::BTreeSet;

/// The changes of a task, as lines.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// What the page may show.
    pub new: Vec<Line>,
    /// What the agent removed, with its old place.
    pub gone: Vec<Line>,
    /// The changed files as they are now.
    pub now: Vec<Line>,
}

impl Lines {
    pub(super) fn from_project(project: &Project) -> Self {
        let new = project.used.get().map_or(&[][..], |used| &used.lines);
        let mut lines = Self { new: new.iter().filter(|line| shows(&line.text)).cloned().collect(), ..Self::default() };
        for file in own_files(project) {
            let (old, new) = (file.before.as_deref().unwrap_or_default(), file.after.as_deref().unwrap_or_default());
            let left: BTreeSet<&str> = new.lines().map(str::trim).collect();
            let was = file.was.as_deref().unwrap_or(&file.path);
            lines.gone.extend(lines_of(was, old).filter(|line| !left.contains(line.text.as_str())));
            if file.is_there {
                lines.now.extend(lines_of(&file.path, new));
            }
        }
        lines
    }
}

fn lines_of(path: &str, text: &str) -> impl Iterator<Item = Line> {
    let lines = text.lines().map(str::trim).zip(1..).filter(|(line, _)| !line.is_empty() && !is_comment(line));
    lines.map(|(line, number)| Line {
        path: path.to_owned(),
        line: number,
        text: line.to_owned(),
        around: String::new(),
    })
}

fn is_comment(line: &str) -> bool {
    ["//", "/*", "*", "<!--", "{/*"].iter().any(|start| line.starts_with(start))
}

/// Whether a line may be seen on the page or have an effect there.
fn shows(line: &str) -> bool {
    const STARTS: [&str; 8] =
        ["console.", "import ", "type ", "interface ", "export type ", "export interface ", "<meta", "debugger"];
    let is_open = line.ends_with('{') && ["function ", "class "].iter().any(|word| line.contains(word));
    !is_comment(line)
        && !STARTS.iter().any(|start| line.starts_with(start))
        && !is_open
        && !line.ends_with("{}")
        && !line.ends_with("{ }")
}

/// A line without the attributes that nothing shows.
fn visible(line: &str) -> String {
    let mut text = line.to_owned();
    while let Some(at) = text.find(" data-") {
        let rest = text.get(at + 1..).unwrap_or_default();
        let value = rest.find('=').and_then(|equals| {
            let quote = rest.get(equals + 1..)?.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            Some(equals + 2 + rest.get(equals + 2..)?.find(quote)? + 1)
        });
        let name = rest.find(|c: char| c.is_whitespace() || matches!(c, '=' | '>' | '/')).unwrap_or(rest.len());
        text.replace_range(at..at + 1 + value.unwrap_or(name), "");
    }
    text
}

/// The lines that show a requirement: they have the values that it states, at least half of its words, and its place, some
/// of them perhaps in the path or in the code around the line. A text or an address is enough on its own.
pub(super) fn showing<'l>(wanted: &RequestedChange, lines: &'l Lines) -> Vec<&'l Line> {
    let (values, rest) = stated(wanted.kind, &wanted.text);
    let is_removal = wanted.kind == MarkerKind::Remove;
    let changed = if is_removal { &lines.gone } else { &lines.new };
    let found = |value: &Value| changed.iter().filter(|line| value.is_in(&visible(&line.text))).collect::<Vec<_>>();
    let mut with_values = Vec::new();
    let mut missing = 0;
    for value in &values {
        let found = found(value);
        // "Fine teas" in `Change "Fine teas" to "Great teas"`.
        let is_old = found.is_empty() && lines.gone.iter().any(|line| value.is_in(&line.text));
        let may_be_old = values.len() > 1 || wanted.kind == MarkerKind::Fix;
        missing += usize::from(found.is_empty() && !(is_old && may_be_old));
        with_values.push((value, found));
    }
    let has_none = !values.is_empty() && with_values.iter().all(|(_, found)| found.is_empty());
    if missing > 0 || has_none && wanted.kind != MarkerKind::Fix {
        return Vec::new();
    }
    let telling = with_values.iter().filter(|(value, _)| value.is_telling()).flat_map(|(_, found)| found.clone());
    let telling: Vec<&Line> = telling.collect();
    if !telling.is_empty() && !is_removal {
        return telling;
    }
    let names = names(&rest);
    let places = code_words::places(&rest);
    let mut named: Vec<Named<'l>> = changed.iter().map(|line| Named::from_line(line, &names)).collect();
    named.retain(|line| line.is_in(&places));
    let said = names_in(&named, names.len());
    if names.is_empty() {
        return with_values.into_iter().flat_map(|(_, found)| found).collect();
    }
    if said.is_empty() || said.len() * 2 < names.len() {
        return Vec::new();
    }
    let is_gone = |at: &usize| {
        let name = names.get(*at).map(std::slice::from_ref).unwrap_or_default();
        lines.gone.iter().any(|line| fit(name, &stems(&line.text)) > 1)
    };
    // "Replace Sencha with Matcha" needs a line with one of them, and no other name.
    let proper = proper(&rest, &names);
    let is_missing = |at: &usize| !said.contains(at) && !is_gone(at);
    if proper.iter().any(is_missing) || !proper.is_empty() && proper.is_disjoint(&said) {
        return Vec::new();
    }
    if is_removal && lines.now.iter().any(|line| Named::from_line(line, &names).has_all(&said)) {
        return Vec::new();
    }
    let is_valued = |line: &Named<'_>| values.is_empty() || values.iter().any(|value| value.is_in(&line.line.text));
    // A new part may be named by its file alone.
    let is_in_place = |line: &Named<'_>| line.said.len() == names.len() && !names.is_empty();
    named.retain(|line| line.is_telling || is_in_place(line) || !values.is_empty() && is_valued(line));
    // A line with one common word says little next to one with most of the words.
    let most = named.iter().map(|line| line.said.len()).max().unwrap_or_default();
    named.retain(|line| line.said.len() * 2 >= most);
    named.sort_by_key(|line| std::cmp::Reverse((is_valued(line), line.said.len())));
    named.into_iter().map(|line| line.line).collect()
}

/// Whether a requirement states values that the change must have.
pub(super) fn states_values(wanted: &RequestedChange) -> bool {
    !stated(wanted.kind, &wanted.text).0.is_empty()
}

/// The names that lines have.
fn names_in(lines: &[Named<'_>], names: usize) -> BTreeSet<usize> {
    (0..names).filter(|at| lines.iter().any(|line| line.said.contains(at))).collect()
}

/// A line, and which names of a requirement it has.
struct Named<'l> {
    line: &'l Line,
    /// The stems of the path and of the code around.
    around: Vec<String>,
    /// The indices of the names.
    said: BTreeSet<usize>,
    /// The line itself has one of them.
    is_telling: bool,
}

impl<'l> Named<'l> {
    fn from_line(line: &'l Line, names: &[String]) -> Self {
        let text = stems(&visible(&line.text));
        let around: Vec<String> = [&line.path, &line.around].into_iter().flat_map(|text| stems(text)).collect();
        let is_telling = names.iter().any(|name| code_words::names(&text, name));
        let has = |name: &String| code_words::names(&text, name) || fit(std::slice::from_ref(name), &around) > 1;
        let said = names.iter().enumerate().filter(|(_, name)| has(name)).map(|(at, _)| at).collect();
        Self { line, around, said, is_telling }
    }

    fn is_in(&self, places: &[String]) -> bool {
        let text = stems(&self.line.text);
        let is_here = |place| code_words::names(&text, place) || code_words::names(&self.around, place);
        places.is_empty() || places.iter().any(is_here)
    }

    fn has_all(&self, names: &BTreeSet<usize>) -> bool {
        self.said.is_superset(names)
    }
}

/// The indices of the names that begin with a capital letter within the text.
fn proper(text: &str, names: &[String]) -> BTreeSet<usize> {
    let words = text.split_whitespace().skip(1).filter(|word| word.starts_with(char::is_uppercase));
    let stems: Vec<String> = words.flat_map(stems).collect();
    names.iter().enumerate().filter(|(_, name)| stems.contains(name)).map(|(at, _)| at).collect()
}

/// The stems that say what a requirement is about.
pub(super) fn names(text: &str) -> Vec<String> {
    let mut names = telling(stems(text));
    names.retain(|name| !ACTS.contains(&name.as_str()));
    names
}

/// Words that name an action or a degree, not a thing.
const ACTS: [&str; 48] = [
    "add", "make", "fix", "change", "update", "set", "put", "create", "build", "remove", "delete", "replace",
    "improve", "refine", "turn", "use", "show", "say", "broken", "wrong", "should", "please", "into", "one", "two",
    "three", "four", "five", "my", "our", "your", "i", "we", "you", "go", "lead", "point", "read", "titled", "called",
    "named", "rename", "mode", "so", "but", "too", "very", "€",
];
