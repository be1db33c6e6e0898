//! The words of POSIX shell commands: quoting them, splitting command lines (`read`), finding the programs that they run.

mod read;
#[cfg(all(test, not(target_family = "wasm")))]
mod tests;

pub use read::{commands, targets};

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

/// The programs that a command line runs, each with its arguments. Skips assignments, keywords and programs that run
/// another one, and includes command lines in `eval` and `sh -c`. Programs that depend on expansions are not found.
pub fn programs(line: &str) -> Vec<Vec<String>> {
    let programs = all_commands(line).0.into_iter().map(|command| command.program().to_vec());
    programs.filter(|words| !words.is_empty()).collect()
}

/// A command of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// All words, as they are written.
    pub words: Vec<String>,
}

impl Command {
    /// The words from the program's name on: without assignments, keywords and programs that run another one.
    pub fn program(&self) -> &[String] {
        program(&self.words)
    }
}

/// Every command of a line, those in `eval` and `sh -c` included, and whether these are all. Lines are read up to a limit.
pub fn all_commands(line: &str) -> (Vec<Command>, bool) {
    let mut found = Vec::new();
    let mut lines = vec![line.to_owned()];
    let mut read = 0;
    while let Some(line) = lines.pop() {
        if read == MOST_LINES {
            return (found, false);
        }
        read += 1;
        for words in commands(&line) {
            lines.extend(line_in(program(&words)));
            found.push(Command { words });
        }
    }
    (found, true)
}

/// The words from the program name on.
fn program(command: &[String]) -> &[String] {
    let mut words = command;
    while let Some((first, rest)) = words.split_first() {
        if is_assignment(first) || KEYWORDS.contains(&first.as_str()) {
            words = rest;
        } else if RUNNERS.contains(&first.as_str()) {
            let options = rest.iter().take_while(|word| word.starts_with('-')).count();
            words = rest.get(options..).unwrap_or_default();
        } else {
            break;
        }
    }
    words
}

/// The command line that this program gets as an argument.
fn line_in(words: &[String]) -> Option<String> {
    let (first, rest) = words.split_first()?;
    match first.rsplit('/').next()? {
        "eval" => Some(rest.join(" ")),
        "sh" | "bash" | "dash" | "ash" | "zsh" | "ksh" => {
            let is_command = |word: &String| word.starts_with('-') && !word.starts_with("--") && word.ends_with('c');
            rest.iter().skip_while(|word| !is_command(word)).nth(1).cloned()
        }
        _ => None,
    }
}

fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else { return false };
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '+');
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.chars().all(is_name)
}

/// Words that may precede a command.
const KEYWORDS: [&str; 10] = ["!", "{", "}", "if", "then", "elif", "else", "while", "until", "do"];

/// Programs that run the program after them.
const RUNNERS: [&str; 11] =
    ["builtin", "command", "env", "exec", "nice", "nohup", "npx", "stdbuf", "sudo", "time", "xargs"];

/// Maximum number of nested command lines; quoting makes nesting rare.
const MOST_LINES: usize = 100;
