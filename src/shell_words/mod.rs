//! The words of POSIX shell commands: quoting them, splitting command lines (`read`), finding what they run (`programs`).

mod document;
mod escape;
mod programs;
mod read;
#[cfg(all(test, not(target_family = "wasm")))]
mod tests;

pub use programs::name;
pub use read::commands;

use programs::{EVALUATORS, KEYWORDS, RUNNERS, SHELLS, is_data, is_in};
use read::{Content, Document};

/// Stands in a word for an expansion: any text.
pub const UNKNOWN: char = '\u{fdd0}';

/// Stands in a word for a wildcard.
pub const ANY: char = '\u{fdd1}';

/// Brackets that are not quoted, while their word is read.
const CLASS: char = '\u{fdd2}';
const BRACE: char = '\u{fdd3}';

/// The text unquoted if every shell takes it as one plain word, otherwise in double quotes.
///
/// # Errors
/// As [`quoted`].
pub fn word(text: &str) -> Result<String, &'static str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-.,:/+".contains(c);
    let quoted = quoted(text)?;
    Ok(if text.chars().all(is_plain) { text.to_owned() } else { quoted })
}

/// The text in double quotes. Characters that a shell interprets between them are refused, not escaped. So every shell that
/// knows double quotes reads the same word, including an IDE's shell without escapes.
///
/// # Errors
/// Why the text cannot be an argument, as a clause without its subject: "is empty".
pub fn quoted(text: &str) -> Result<String, &'static str> {
    if text.is_empty() {
        Err("is empty")
    } else if text.chars().count() > 200 {
        Err("is longer than 200 characters")
    } else if text.starts_with('-') {
        Err("begins with `-` and would be parsed as an option")
    } else if text.chars().any(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')) {
        Err("has a line end or another control character")
    } else if text.contains(['"', '\\', '$', '`', '!']) {
        Err("has one of the characters \" \\ $ ` ! that a shell interprets")
    } else {
        Ok(format!("\"{text}\""))
    }
}

/// What a command line runs and names, the lines in it included.
#[derive(Debug, Default)]
pub struct Line {
    /// Those in `eval` and `sh -c` included.
    pub commands: Vec<Command>,
    /// The files of redirections that only read.
    pub reads: Vec<String>,
    /// The files of the other redirections.
    pub writes: Vec<String>,
    /// What is not read as every shell reads it.
    pub unread: Vec<String>,
    /// It has more lines in it than are read.
    pub is_cut: bool,
}

impl Line {
    /// Reads a command line.
    pub fn read(line: &str) -> Self {
        let mut found = Self::default();
        let mut rest = vec![Inner { text: line.to_owned(), by: None, is_guess: false, is_document: false }];
        let mut left = LEAST_READ + MOST_READ * line.len();
        for _ in 0..MOST_LINES {
            let Some(inner) = rest.pop() else { return found };
            let Some(after) = left.checked_sub(inner.text.len()) else {
                found.is_cut = true;
                return found;
            };
            left = after;
            found.add(&inner, &mut rest);
        }
        found.is_cut = !rest.is_empty();
        found
    }

    fn add(&mut self, line: &Inner, rest: &mut Vec<Inner>) {
        let (by, is_guess) = (line.by, line.is_guess);
        let read = if line.is_document { read::substitutions } else { read::content };
        let Content { commands, reads, writes, documents, is_ambiguous } = read(&line.text);
        if is_ambiguous && !is_guess {
            self.unread.push(line.text.clone());
        }
        self.reads.extend(reads);
        self.writes.extend(writes);
        let runs_input = |words: &Vec<String>| {
            let first = own(words).first();
            first.is_some_and(|first| first == "." || is_in(&RUNNERS, first))
        };
        let has_shell = commands.iter().flatten().any(|word| is_in(&SHELLS, word)) || commands.iter().any(runs_input);
        for Document { text, is_expanded } in documents {
            if is_expanded && text.contains(['$', '`']) {
                rest.push(Inner { text: text.clone(), by, is_guess, is_document: true });
            }
            if has_shell {
                rest.push(Inner { text, by, is_guess, is_document: false });
            }
        }
        for words in commands {
            if let Some(command) = by.and_then(|at| self.commands.get_mut(at)) {
                rest.extend(lines_within(&words).map(|text| Inner { text, by, is_guess, is_document: false }));
                command.guesses.push(words);
                continue;
            }
            let command = Command { words, guesses: Vec::new() };
            let certain = line_in(command.program());
            let by = Some(self.commands.len());
            let within = command.lines().filter(|text| Some(text) != certain.as_ref());
            let (runs_all, evaluates) = command.runs_texts();
            rest.extend(within.map(|text| {
                let is_guess = !(runs_all || evaluates && has_substitution(&text));
                Inner { text, by, is_guess, is_document: false }
            }));
            rest.extend(certain.map(|text| Inner { text, by: None, is_guess: false, is_document: false }));
            self.commands.push(command);
        }
    }

    /// Every word of the commands, and the files of the redirections.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let of_commands =
            self.commands.iter().flat_map(|command| command.words.iter().chain(command.guesses.iter().flatten()));
        of_commands.chain(&self.reads).chain(&self.writes).map(String::as_str)
    }
}

/// A line in a line.
struct Inner {
    text: String,
    /// The command that may run it; without one, it certainly runs.
    by: Option<usize>,
    /// Only an argument of a program that is not known: it may be a text in another language.
    is_guess: bool,
    /// It is a here-document, of which only the substitutions run.
    is_document: bool,
}

/// A command of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// All words, as they are written.
    pub words: Vec<String>,
    /// The commands of what may be lines among the arguments of a program that runs another one.
    guesses: Vec<Vec<String>>,
}

impl Command {
    /// The words from the program's name on: without assignments, keywords, and programs that run another one with their
    /// options.
    pub fn program(&self) -> &[String] {
        let mut words = own(&self.words);
        while let Some((_, rest)) = words.split_first().filter(|(first, _)| is_in(&RUNNERS, first)) {
            let options = rest.iter().take_while(|word| word.starts_with('-')).count();
            words = own(rest.get(options..).unwrap_or_default());
        }
        words
    }

    /// What may be lines among its words: of a program that may run its arguments, and of its environment. A shell runs what
    /// is in the value of a variable only where that has a substitution.
    fn lines(&self) -> impl Iterator<Item = String> {
        let own = own(&self.words);
        let variables = self.words.get(..self.words.len() - own.len()).unwrap_or_default();
        let is_run = |text: &String| !own.is_empty() || has_substitution(text);
        lines_within(self.arguments().unwrap_or_default()).chain(lines_within(variables).filter(is_run))
    }

    /// What it may run, and whether the program's name can be any of the words. Which words are the options and values of a
    /// program that runs another one, only that program decides.
    pub fn runs(&self) -> impl Iterator<Item = (&[String], bool)> {
        let first = self.arguments().map_or_else(|| (self.program(), false), |words| (words, true));
        std::iter::once(first).chain(self.guesses.iter().map(|words| (words.as_slice(), true)))
    }

    /// The words of a program that may run another one; `None` for one that is known to run none.
    fn arguments(&self) -> Option<&[String]> {
        Some(own(&self.words)).filter(|words| !is_data(words))
    }

    /// Whether each text among its words is known to be a line, and whether one with a substitution is.
    fn runs_texts(&self) -> (bool, bool) {
        let Some(first) = own(&self.words).first() else { return (false, true) };
        (is_in(&RUNNERS, first) || is_in(&SHELLS, first), is_in(&EVALUATORS, first))
    }
}

fn has_substitution(text: &str) -> bool {
    text.contains("$(") || text.contains('`')
}

/// The words without assignments and keywords.
fn own(words: &[String]) -> &[String] {
    let skipped = words.iter().take_while(|word| is_assignment(word) || KEYWORDS.contains(&word.as_str())).count();
    words.get(skipped..).unwrap_or_default()
}

/// The command line that this program gets as an argument.
fn line_in(words: &[String]) -> Option<String> {
    let (first, rest) = words.split_first()?;
    if is_in(&["eval"], first) {
        return Some(rest.join(" ").trim_start_matches("-- ").to_owned());
    }
    let is_short = |word: &String| word.starts_with(['-', '+']) && !word.starts_with("--");
    let is_command = |word: &&String| word.starts_with('-') && is_short(word) && word.contains('c');
    let mut rest = rest.iter().skip_while(|word| !is_command(word)).take_while(|_| is_in(&SHELLS, first));
    while let Some(word) = rest.next() {
        if !word.starts_with(['-', '+']) {
            return Some(word.clone());
        }
        if is_short(word) && word.contains(['o', 'O']) {
            rest.next();
        }
    }
    None
}

/// What may be command lines among arguments: `git push` in `su -c 'git push'`, `su -c'git push'` and
/// `su --command='git push'`.
fn lines_within(words: &[String]) -> impl Iterator<Item = String> {
    let is_line = |text: &String| text.contains(|c: char| c.is_whitespace() || ";&|()<>`".contains(c));
    let texts = words.iter().flat_map(|word| [Some(word.as_str()), value(word)]).flatten();
    // An alias of git begins with `!`. `env -S` reads `\_` as a space.
    texts.map(|text| text.trim_start_matches('!').replace("\\_", " ")).filter(is_line)
}

/// The value in a word like `name=value`, `--name=value` or `-nvalue`.
pub fn value(word: &str) -> Option<&str> {
    let short = word.strip_prefix('-').filter(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
    match short {
        Some(rest) => rest.get(1..).map(|value| value.strip_prefix('=').unwrap_or(value)),
        None => word.split_once('=').map(|(_, value)| value),
    }
}

fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else { return false };
    // A name may have a subscript.
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | ANY);
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.chars().all(is_name)
}

/// Maximum number of command lines in a line, itself included; quoting makes nesting rare.
const MOST_LINES: usize = 100;

/// How much of the lines in a line is read: so many bytes, and so many times its length.
const LEAST_READ: usize = 64 * 1024;
const MOST_READ: usize = 8;
