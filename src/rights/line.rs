//! Which rule of the policy denies a command line. What is not read exactly counts as what a rule is about.

use super::Rights;
use super::policy::{Deed, PolicyRule, Reach};
use super::unknown::has_unknown;
use crate::path;
use crate::shell_words::{self, Line, UNKNOWN};
use std::collections::BTreeSet;

/// A command line of a tool.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AskedLine<'a> {
    pub tool: &'a str,
    /// The project's folder.
    pub dir: &'a str,
    pub line: &'a str,
    /// What the line changes in denied files is undone at its end.
    pub is_undone: bool,
}

/// A rule that denies a command line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LineDenial<'r> {
    pub rule: &'r PolicyRule,
    /// The rule only may concern the line, which is not read exactly or too long.
    pub is_guess: bool,
}

/// The most comparisons of a word with a rule for a line.
const COMPARED_MAX: usize = 50_000;

/// What may precede or follow the name of a file in a word.
const SEPARATORS: [char; 4] = [':', '=', '@', ','];

/// Maximum number of folders in which a line may be.
const FOLDERS_MAX: usize = 20;

/// Maximum number of files at which a host looks for links.
const NAMED_MAX: usize = 200;

impl Rights {
    /// The rule of the policy that denies a command line: one of its commands, a file for reading that it names, or the file of
    /// a redirection.
    pub(crate) fn line_denial(&self, asked: AskedLine<'_>) -> Option<LineDenial<'_>> {
        let AskedLine { tool, dir, line, is_undone } = asked;
        let whom = (self.role, self.policy_phase());
        let first =
            |fits: fn(&PolicyRule) -> bool| self.policy.first_for(whom, tool, |rule| fits(rule) && self.refuses(rule));
        let of_reading = first(|rule| rule.access == Some(Reach::Read));
        let of_paths = first(|rule| rule.path.is_some());
        first(|rule| rule.path.is_none()).or(of_paths)?;
        let line = Line::read(line);
        let is_seen = |rule: &PolicyRule| rule.path.is_some() && rule.access != Some(Reach::Read) && is_undone;
        let hidden =
            |text: &str| self.policy.first_hidden(whom, tool, text, |rule| self.refuses(rule) && !is_seen(rule));
        let folders = folders(&line);
        let parts: usize = line.words().map(|word| word.split(SEPARATORS).count()).sum();
        let words = parts * folders.as_ref().map_or(1, Vec::len) + 4 * line.commands.len();
        let is_cut = line.is_cut || words.saturating_mul(self.policy.len()) > COMPARED_MAX;
        // What is cut off may be anything.
        let unread = line.unread.iter().map(String::as_str).chain(is_cut.then_some("\0"));
        if let Some(rule) = unread.into_iter().find_map(hidden) {
            return Some(LineDenial { rule, is_guess: true });
        }
        if is_cut {
            return None;
        }
        let command = line.commands.iter().find_map(|command| self.denial(tool, Deed::Run(command)));
        let root = [String::new()];
        let in_folders = |word: &str| -> Vec<String> {
            folders.as_deref().unwrap_or(&root).iter().flat_map(|folder| files_in(dir, folder, word)).collect()
        };
        let read = || {
            let words: BTreeSet<&str> = line.words().collect();
            of_reading.and_then(|_| words.into_iter().find_map(|word| self.word_denial(tool, &in_folders, word)))
        };
        let written = || {
            of_paths?;
            let is_lost = |word: &str| !is_undone && (folders.is_none() && !word.starts_with('/') || is_unknown(word));
            line.writes.iter().find_map(|word| {
                in_folders(word)
                    .iter()
                    .find_map(|file| self.file_denial(tool, file, Reach::Write))
                    .or_else(|| first(|rule| rule.path.is_some()).filter(|_| is_lost(word)))
            })
        };
        command.or_else(read).or_else(written).map(|rule| LineDenial { rule, is_guess: false })
    }

    /// The files that a command line may name as far as rules deny some, for looking at links.
    pub(crate) fn named_files(&self, asked: AskedLine<'_>) -> Vec<(String, Reach)> {
        let AskedLine { tool, dir, line, .. } = asked;
        let has = |fits: fn(&PolicyRule) -> bool| {
            let whom = (self.role, self.policy_phase());
            self.policy.first_for(whom, tool, |rule| fits(rule) && self.refuses(rule)).is_some()
        };
        let (reads, writes) = (has(|rule| rule.access == Some(Reach::Read)), has(|rule| rule.path.is_some()));
        if !writes {
            return Vec::new();
        }
        let line = Line::read(line);
        let folders = folders(&line).unwrap_or_else(|| vec![String::new()]);
        let read =
            line.words().filter(|_| reads).flat_map(|word| std::iter::once(word).chain(shell_words::value(word)));
        let named: BTreeSet<(&str, bool)> =
            read.map(|word| (word, false)).chain(line.writes.iter().map(|word| (word.as_str(), true))).collect();
        let files = named.into_iter().filter(|(word, _)| !has_unknown(word)).flat_map(|(word, is_write)| {
            let reach = if is_write { Reach::Write } else { Reach::Read };
            let files = folders.iter().flat_map(|folder| files_in(dir, folder, word)).collect::<Vec<_>>();
            files.into_iter().filter(|file| !file.is_empty()).map(move |file| (file, reach))
        });
        files.take(NAMED_MAX).collect()
    }

    /// The rule that denies what a command line does with a file that it names, or with what is below it.
    pub(crate) fn named_denial(&self, tool: &str, file: &str, reach: Reach) -> Option<&PolicyRule> {
        let below = || self.file_denial(tool, &path::join(file, "any"), reach).filter(|_| reach == Reach::Read);
        self.file_denial(tool, file, reach).or_else(below)
    }

    /// The rule that denies reading the file or the folder that a word of a command names.
    fn word_denial(&self, tool: &str, files: &dyn Fn(&str) -> Vec<String>, word: &str) -> Option<&PolicyRule> {
        // `HEAD:a`, `file:///a`, `-Fa=@b`.
        let parts = word.split(SEPARATORS);
        let mut names = std::iter::once(word).chain(shell_words::value(word)).chain(parts);
        names.find_map(|name| {
            files(name)
                .into_iter()
                .filter(|file| !file.is_empty())
                .find_map(|file| self.named_denial(tool, &file, Reach::Read))
        })
    }

    fn file_denial(&self, tool: &str, file: &str, reach: Reach) -> Option<&PolicyRule> {
        if has_unknown(file) {
            let names: Vec<String> = file.split('/').map(known_part).collect();
            return self.denial(tool, Deed::Guess(&names.join("/"), reach));
        }
        self.denial(tool, Deed::Name(file, reach))
    }
}

/// A name of which nothing is known is no guess: every word may be every file.
fn known_part(name: &str) -> String {
    if is_unknown(name) { char::REPLACEMENT_CHARACTER.into() } else { name.to_owned() }
}

fn is_unknown(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c == UNKNOWN)
}

/// The folders, relative to the project's, in which the commands of a line may run; `None` if one of them is not known.
fn folders(line: &Line) -> Option<Vec<String>> {
    let mut folders = vec![String::new()];
    for words in line.commands.iter().flat_map(shell_words::Command::runs).map(|(words, _)| words) {
        for (at, word) in words.iter().enumerate() {
            let moves = ["cd", "pushd", "chdir"].contains(&word.as_str());
            if !moves && word != "-C" {
                continue;
            }
            let mut rest = words.get(at + 1..).unwrap_or_default().iter();
            let target = rest.find(|word| !word.starts_with('-') || *word == "-").filter(|word| !has_unknown(word));
            let Some(target) = target.filter(|word| *word != "-" && folders.len() <= FOLDERS_MAX) else {
                if moves {
                    return None;
                }
                continue;
            };
            let more: Vec<String> = match target.starts_with('/') {
                true => vec![target.clone()],
                false => folders.iter().map(|folder| path::join(folder, target)).collect(),
            };
            folders.extend(more.into_iter().filter(|folder| !folders.contains(folder)).collect::<Vec<_>>());
        }
    }
    Some(folders)
}

/// The files in the project's folder `dir` that a word of a command may name that runs in a folder. `..` may lead out of a
/// folder below.
fn files_in(dir: &str, folder: &str, name: &str) -> Vec<String> {
    let dir = path::normalise(dir);
    // The folders of a process lead back.
    let within = |mark| name.strip_prefix("/proc/").and_then(|rest| rest.split_once(mark)).map(|(_, file)| file);
    let name = within("/cwd/").or_else(|| within("/root")).unwrap_or(name);
    // An unknown folder may be the project's.
    let below = name.strip_prefix(UNKNOWN).filter(|rest| rest.starts_with('/'));
    let name = below.map_or(name, |rest| rest.trim_start_matches('/'));
    let start = if folder.starts_with('/') { folder.to_owned() } else { format!("{dir}/{folder}") };
    let absolute =
        if name.starts_with('/') { path::normalise(name) } else { path::normalise(&format!("{start}/{name}")) };
    let is_inside = absolute == dir || path::is_below(&absolute, &dir);
    let inside = absolute.strip_prefix(&dir).filter(|_| is_inside).map(|file| file.trim_start_matches('/').to_owned());
    let below = name.starts_with("..").then(|| path::normalise(name));
    inside.into_iter().chain(below).collect()
}
