//! The texts after the task, in which a part may be somewhere else.

use super::page::Page;
use crate::gate::ChangedFile;
use crate::gate::bare::comments;
use crate::path::{extension, name};
use crate::syntax::Blanked;
use crate::text::one_line;

pub(super) struct Change<'c> {
    /// The agent's files that were there before, with what their templates had and have.
    pub files: Vec<Changed<'c>>,
    /// The code of all changed files, by path, on one line and without comments.
    after: Vec<(&'c str, String)>,
    /// Former paths of files that are not there any more.
    gone: Vec<&'c str>,
}

pub(super) struct Changed<'c> {
    pub path: &'c str,
    pub was: &'c str,
    pub before: &'c str,
    /// Empty if the file is gone.
    pub after: &'c str,
    pub is_there: bool,
    pub had: Page,
    pub has: Page,
}

impl<'c> Change<'c> {
    /// `all` are the changed files, `own` the ones that the agent changed and that had a text before the task.
    pub(super) fn new(all: &'c [ChangedFile], own: Vec<&'c ChangedFile>) -> Self {
        let after = all.iter().filter_map(|file| {
            let text = file.after.as_deref()?;
            Some((file.path.as_str(), one_line(&without_comments(&file.path, text))))
        });
        let gone = all.iter().filter(|file| !file.is_there || file.was.as_ref().is_some_and(|was| *was != file.path));
        let gone = gone.filter_map(|file| file.was.as_deref()).collect();
        // What was not read may have everything.
        let is_read = |file: &&ChangedFile| !file.is_there || file.after.is_some();
        let files = own.into_iter().filter(is_read).filter_map(|file| {
            let (was, before) = (file.was.as_deref()?, file.before.as_deref()?);
            let after = file.after.as_deref().unwrap_or_default();
            let (had, has) = (Page::read(was, before), Page::read(&file.path, after));
            Some(Changed { path: &file.path, was, before, after, is_there: file.is_there, had, has })
        });
        Self { files: files.collect(), after: after.collect(), gone }
    }

    /// Whether a changed file has this text, on one line, after the task.
    pub(super) fn has(&self, text: &str) -> bool {
        self.has_besides(text, "")
    }

    /// The same, without one file.
    pub(super) fn has_besides(&self, text: &str, path: &str) -> bool {
        self.after.iter().any(|(known, code)| *known != path && code.contains(text))
    }

    /// Whether at least half of these texts are in other files or places.
    pub(super) fn has_most(&self, texts: &[String], besides: &str) -> bool {
        let there = texts.iter().filter(|text| self.has_besides(text, besides)).count();
        !texts.is_empty() && there * 2 >= texts.len()
    }

    /// Whether the file at an address is not there any more.
    pub(super) fn is_gone(&self, address: &str) -> bool {
        self.gone.iter().any(|path| name(path) == name(address))
    }

    /// The style sheets after the task, without one.
    pub(super) fn others(&self, path: &str) -> impl Iterator<Item = (&'c str, &str)> {
        self.after.iter().filter(move |(known, _)| *known != path).map(|(path, text)| (*path, text.as_str()))
    }
}

fn without_comments(path: &str, text: &str) -> String {
    let mut blanked = Blanked::new(text);
    for (from, to) in comments(extension(path), text).unwrap_or_default() {
        blanked.blank(from as usize, to as usize);
    }
    blanked.text()
}
