//! The patterns of a policy's rules. A denial and a question hold for every spelling of what it names; an allowance for the exact one, so
//! that no other spelling lifts a denial.

use super::policy::Effect;
use super::unknown::{has_unknown, may_hide, may_match};
use crate::layout::{self, Agent};
use crate::path::{self, Glob};
use crate::shell_words::{self, Command};

/// A pattern and what it covers besides: everything below a path, every longer command.
#[derive(Debug, Clone)]
struct Pair([Glob; 2]);

impl Pair {
    fn new(text: &str, more: &str) -> Option<Self> {
        Some(Self([Glob::compile(text.as_bytes())?, Glob::compile(format!("{text}{more}").as_bytes())?]))
    }

    fn matches(&self, text: &str) -> bool {
        self.0.iter().any(|glob| glob.matches(text.as_bytes()))
    }
}

/// A pattern for paths, as in a `.gitignore`: without a slash, it is a name in any folder.
#[derive(Debug, Clone)]
pub(super) struct PathPattern {
    exact: Pair,
    folded: Pair,
    text: String,
    /// The folded names without wildcards, for the short names of FAT and NTFS.
    names: Vec<String>,
    /// It begins with a wildcard, so it does not mean the role's own notes.
    is_general: bool,
}

impl PathPattern {
    /// `None` for a pattern that can match nothing.
    pub(super) fn new(pattern: &str) -> Option<Self> {
        let text = pattern.trim_end_matches('/');
        let text = text.strip_prefix("./").map_or_else(|| text.to_owned(), |text| format!("/{text}"));
        // `.gitignore` has no alternatives in braces, a rule is never negated, and no path of the project has `..`.
        let is_braced = text.find('{').is_some_and(|open| text.get(open..).is_some_and(|rest| rest.contains('}')));
        if is_braced || text.starts_with('!') || text.split('/').any(|part| part == "..") {
            return None;
        }
        let text = text.as_str();
        let is_general = text.split('/').next().is_some_and(has_wildcard);
        let text = match text.strip_prefix('/') {
            Some(text) => text.to_owned(),
            None if text.contains('/') => text.to_owned(),
            None => format!("**/{text}"),
        };
        let folded = path::caseless(&path::fold(&text));
        let names = folded.split('/').filter(|name| !has_wildcard(name)).map(str::to_owned).collect();
        let is_empty = text.trim_start_matches("**/").is_empty();
        let (exact, folded_pair) = (Pair::new(&text, "/**")?, Pair::new(&folded, "/**")?);
        Some(Self { exact, folded: folded_pair, text: folded, names, is_general }).filter(|_| !is_empty)
    }

    /// Whether it covers a normal path.
    pub(super) fn covers(&self, path: &str, effect: Effect) -> bool {
        if path.is_empty() {
            return false;
        }
        let folded = path::fold(path);
        if self.is_general && layout::entry(&folded).is_some_and(|entry| matches!(entry.agent, Agent::Writes(_))) {
            return false;
        }
        self.exact.matches(path) || effect != Effect::Allow && self.folded.matches(&self.long_names(&folded))
    }

    /// Whether it covers a path that a word with expansions may name.
    pub(super) fn may_cover(&self, path: &str) -> bool {
        let path = path::caseless(&path::fold(path));
        may_match(&self.text, &path) || may_match(&format!("{}/**", self.text), &path)
    }

    /// Whether a text that is not read exactly may name what it covers.
    pub(super) fn may_be_in(&self, text: &str) -> bool {
        may_hide(&self.text, text)
    }

    /// The folded path without case and normal forms, with the long names for short ones.
    fn long_names(&self, folded: &str) -> String {
        let long = |name: &str| match self.names.iter().find(|long| name.contains('~') && path::means(name, long)) {
            Some(long) => long.clone(),
            None => path::caseless(name),
        };
        path::folded_names(folded).map(long).collect::<Vec<_>>().join("/")
    }
}

fn has_wildcard(name: &str) -> bool {
    name.contains(['*', '?', '[', '\\'])
}

/// A pattern for commands. `*` is any text; more words may follow.
#[derive(Debug, Clone)]
pub(super) struct CommandPattern {
    exact: Pair,
    folded: Pair,
    text: String,
    words: Vec<WordPattern>,
}

impl CommandPattern {
    /// `None` for a pattern that can match nothing.
    pub(super) fn new(pattern: &str) -> Option<Self> {
        let text = flat(pattern.split_whitespace());
        let lower = text.to_lowercase();
        // A class with a space is no word.
        let words = lower.split(' ').map(WordPattern::new).collect::<Option<_>>().unwrap_or_default();
        let (exact, folded) = (Pair::new(&text, " *")?, Pair::new(&lower, " *")?);
        Some(Self { exact, folded, text: lower, words }).filter(|_| !text.is_empty())
    }

    /// Whether it covers a command. A denial also holds for what a program like `sudo` may run, for a program by any path,
    /// and with options between its words.
    pub(super) fn covers(&self, command: &Command, effect: Effect) -> bool {
        let written = flat(command.words.iter().map(String::as_str));
        if effect == Effect::Allow {
            return self.exact.matches(&written);
        }
        let program = command.program();
        let name = program.first().map(|first| shell_words::name(first));
        let named = flat(name.into_iter().chain(program.iter().skip(1).map(String::as_str)));
        let may_be = has_unknown(&named) && self.may_be(&named.to_lowercase());
        may_be
            || [written, flat(program.iter().map(String::as_str)), named]
                .iter()
                .any(|text| self.folded.matches(&text.to_lowercase()))
            || !self.words.is_empty() && command.runs().any(|(words, anywhere)| self.occurs_in(words, anywhere))
    }

    /// Whether it covers a command in which something is expanded. What is read of a long one is enough.
    fn may_be(&self, command: &str) -> bool {
        let command = command.get(..command.floor_char_boundary(UNKNOWN_MAX)).unwrap_or_default();
        may_match(&self.text, command) || may_match(&format!("{} *", self.text), command)
    }

    /// Whether a text that is not read exactly may have a command that it covers.
    pub(super) fn may_be_in(&self, text: &str) -> bool {
        may_hide(&self.text, text)
    }

    /// Whether its words are in a command, in their order: the first one as the first word or anywhere, the others with nothing
    /// but options and their values between. A word of which nothing is known may be any word, but not all of them.
    fn occurs_in(&self, words: &[String], anywhere: bool) -> bool {
        use Fit::{Known, None, Unknown};
        let texts: Vec<String> = words.iter().map(|word| flat(std::iter::once(word.as_str())).to_lowercase()).collect();
        // Where the next word of the pattern may be, and whether one before it is known.
        let mut open: Vec<Fit> = (0..texts.len()).map(|at| if anywhere || at == 0 { Unknown } else { None }).collect();
        let mut follows_any = false;
        for (index, pattern) in self.words.iter().enumerate() {
            let mut next = vec![None];
            let (mut after, mut option, mut has_value, mut value) = (None, None, None, None);
            for (begins, text) in open.iter().copied().zip(&texts) {
                let here = begins.max(after).max(option).max(value);
                let fit = match pattern.fit(text, index == 0) {
                    // It is rather the value of an option.
                    Unknown if begins == None => None,
                    fit => fit,
                };
                next.push(if here.min(fit) == None { None } else { here.max(fit) });
                if follows_any || pattern.begins_with_any {
                    after = after.max(here);
                }
                value = has_value;
                option = if index > 0 && text.starts_with(['-', '+']) { here } else { None };
                has_value = if text.contains('=') { None } else { option };
            }
            (open, follows_any) = (next, pattern.ends_with_any);
        }
        open.contains(&Known)
    }
}

/// How a word fits a word of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    None,
    /// Nothing of it is known.
    Unknown,
    Known,
}

/// A word of a pattern for commands. `*` at its ends stands for other words as well.
#[derive(Debug, Clone)]
struct WordPattern {
    glob: Glob,
    text: String,
    begins_with_any: bool,
    ends_with_any: bool,
}

impl WordPattern {
    fn new(text: &str) -> Option<Self> {
        let (begins_with_any, ends_with_any) = (text.starts_with('*'), text.ends_with('*'));
        Some(Self { glob: Glob::compile(text.as_bytes())?, text: text.to_owned(), begins_with_any, ends_with_any })
    }

    /// How a word fits, or the name of a program.
    fn fit(&self, word: &str, is_program: bool) -> Fit {
        let name = word.rsplit('\u{1}').next().filter(|_| is_program).map(shell_words::name);
        let covers =
            |text: &str| self.glob.matches(text.as_bytes()) || has_unknown(text) && may_match(&self.text, text);
        match std::iter::once(word).chain(name).any(covers) {
            true if word.chars().all(|c| has_unknown(c.encode_utf8(&mut [0; 4]))) => Fit::Unknown,
            true => Fit::Known,
            false => Fit::None,
        }
    }
}

/// How much of a command with expansions is compared, in bytes.
const UNKNOWN_MAX: usize = 1_000;

/// The words as one text without slashes, which a wildcard does not match.
fn flat<'w>(words: impl Iterator<Item = &'w str>) -> String {
    words.collect::<Vec<_>>().join(" ").replace('/', "\u{1}")
}
