//! Parses a command line like a POSIX shell, as far as needed to separate its commands.
//!
//! It does not follow shells into what they read in different ways, or what few lines have: such a text is ambiguous, and
//! whoever judges it takes it for what it may be.

use super::document::{End, is_end, is_plain_end};
use super::escape;
use super::{ANY, BRACE, CLASS, UNKNOWN};
use std::iter::Peekable;
use std::str::Chars;

/// The simple commands of a command line, in the order in which they end, each as unquoted words. Includes the commands in
/// `(…)`, `$(…)` and backticks; excludes comments, redirections and here-documents. [`UNKNOWN`] and [`ANY`] stand for what is
/// expanded. Total: accepts any text.
pub fn commands(line: &str) -> Vec<Vec<String>> {
    content(line).commands
}

/// What a command line has.
#[derive(Debug, Default)]
pub(super) struct Content {
    /// As of [`commands`].
    pub commands: Vec<Vec<String>>,
    /// The files of redirections that only read, as unquoted words.
    pub reads: Vec<String>,
    /// The files of the other redirections.
    pub writes: Vec<String>,
    /// What programs get as their input: the here-documents and here-strings.
    pub documents: Vec<Document>,
    /// Not all of the line is read as every shell reads it.
    pub is_ambiguous: bool,
}

#[derive(Debug)]
pub(super) struct Document {
    pub text: String,
    /// The shell runs the substitutions in it.
    pub is_expanded: bool,
}

/// Reads a command line.
pub(super) fn content(line: &str) -> Content {
    read(line, Frame::new(None), 0)
}

/// Reads the substitutions in a here-document.
pub(super) fn substitutions(document: &str) -> Content {
    read(document, Frame { is_document: true, in_quotes: true, ..Frame::new(None) }, 0)
}

/// `depth`: how many pairs of backticks the text is in.
fn read(text: &str, frame: Frame, depth: usize) -> Content {
    let found = Content {
        is_ambiguous: depth > DEEPEST_BACKTICKS || text.contains(['\r', '\0', UNKNOWN, ANY, CLASS, BRACE]),
        ..Content::default()
    };
    if depth > DEEPEST_BACKTICKS {
        return found;
    }
    let mut reader =
        Reader { rest: text.chars().peekable(), frames: Vec::new(), frame, ends: Vec::new(), found, depth };
    while let Some(c) = reader.rest.next() {
        match (reader.frame.in_quotes, reader.frame.parameter) {
            (true, _) => reader.within_quotes(c),
            (false, Some(is_quoted)) => reader.parameter(c, is_quoted),
            (false, None) => reader.plain(c),
        }
    }
    reader.found.is_ambiguous |=
        !reader.frames.is_empty() || !reader.ends.is_empty() || reader.frame.in_quotes && !reader.frame.is_document;
    loop {
        reader.end_command();
        let Some(outer) = reader.frames.pop() else { return reader.found };
        reader.frame = outer;
    }
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    /// The enclosing command lists, outermost first.
    frames: Vec<Frame>,
    frame: Frame,
    /// Delimiters of the here-documents that start on the next line.
    ends: Vec<End>,
    found: Content,
    depth: usize,
}

/// A command list that is being parsed.
struct Frame {
    /// The character that ends it; `None` for the end of the line.
    closer: Option<char>,
    /// It is `${…}`, which has no commands of its own; whether that is in double quotes.
    parameter: Option<bool>,
    words: Vec<String>,
    word: Option<String>,
    in_quotes: bool,
    /// A part of the word was quoted.
    was_quoted: bool,
    /// The word has a brace that is not quoted.
    has_brace: bool,
    /// It is the text of a here-document, which has no words and where quotes are text.
    is_document: bool,
    next: Next,
}

/// The role of the next word.
#[derive(PartialEq, Eq)]
enum Next {
    Word,
    /// The file of a redirection that only reads.
    Source,
    /// The file of another redirection.
    Target,
    /// The number of an open file, or a file.
    Duplicate,
    HereString,
    /// The delimiter of a here-document.
    DocumentEnd {
        strips_tabs: bool,
    },
}

/// Targets that are no files, even where the project's folder is the root folder.
const DEVICES: [&str; 3] = ["/dev/null", "/dev/stdout", "/dev/stderr"];

/// Maximum nesting; deeper lists are parsed as part of the enclosing one.
const DEEPEST: usize = 100;
const DEEPEST_BACKTICKS: usize = 8;

impl Frame {
    fn new(closer: Option<char>) -> Self {
        let (in_quotes, was_quoted, has_brace, is_document) = (false, false, false, false);
        let (words, word, next) = (Vec::new(), None, Next::Word);
        Self { closer, parameter: None, words, word, in_quotes, was_quoted, has_brace, is_document, next }
    }
}

impl Reader<'_> {
    fn plain(&mut self, c: char) {
        match c {
            ' ' | '\t' | '\r' => self.end_word(),
            '\n' => {
                self.end_command();
                self.read_documents();
            }
            ';' | '&' | '|' => self.end_command(),
            '(' => {
                let is_array = self.frame.word.as_ref().is_some_and(|word| word.ends_with('='));
                let is_function = self.rest.peek() == Some(&')');
                let is_pattern = self.frame.word.is_some() && !is_array && !is_function;
                self.found.is_ambiguous |= is_pattern || self.rest.peek() == Some(&'(');
                self.end_command();
                self.open(')');
            }
            ')' => self.close(')'),
            '<' | '>' => self.redirect(c),
            '#' if self.frame.word.is_none() => while self.rest.next_if(|c| *c != '\n').is_some() {},
            '\'' => {
                self.begin_quoted();
                self.literal();
            }
            '"' => {
                self.begin_quoted();
                self.frame.in_quotes = true;
            }
            '\\' => match self.rest.next() {
                Some('\n') => self.found.is_ambiguous |= !self.ends.is_empty(),
                None => {}
                Some(c) => {
                    self.begin_quoted();
                    self.push_quoted(c);
                }
            },
            '$' if self.rest.next_if_eq(&'\'').is_some() => self.escaped(),
            '$' if self.rest.peek() == Some(&'"') => {}
            '*' | '?' => self.push(ANY),
            '[' => self.push(CLASS),
            '{' => {
                self.push(BRACE);
                self.frame.has_brace = true;
            }
            '~' if self.frame.word.is_none() => {
                while self.rest.next_if(|c| c.is_alphanumeric() || "_+-.".contains(*c)).is_some() {}
                self.push(UNKNOWN);
            }
            c => self.substitution_or(c),
        }
    }

    /// The text of `'…'`.
    fn literal(&mut self) {
        loop {
            match self.rest.next() {
                Some('\'') => return,
                Some(c) => self.push_quoted(c),
                None => return self.found.is_ambiguous = true,
            }
        }
    }

    /// The text of `$'…'`.
    fn escaped(&mut self) {
        self.begin_quoted();
        match escape::decode(&mut self.rest) {
            Ok(text) => text.chars().for_each(|c| self.push_quoted(c)),
            Err(text) => {
                self.found.is_ambiguous = true;
                text.chars().for_each(|c| self.push(c));
            }
        }
    }

    /// Within `${…}`, whose own text is no command.
    fn parameter(&mut self, c: char, is_quoted: bool) {
        match c {
            '}' => self.close('}'),
            '\'' if is_quoted => self.found.is_ambiguous = true,
            '\'' => self.literal(),
            '"' => {
                self.found.is_ambiguous |= is_quoted;
                self.frame.in_quotes = true;
            }
            '\\' => {
                self.found.is_ambiguous |= is_quoted;
                self.rest.next();
            }
            '<' | '>' if self.rest.peek() == Some(&'(') => self.found.is_ambiguous = true,
            '\n' => self.found.is_ambiguous |= !self.ends.is_empty(),
            '$' if self.rest.peek() == Some(&'\'') => self.found.is_ambiguous = true,
            c => self.substitution_or(c),
        }
    }

    fn within_quotes(&mut self, c: char) {
        match c {
            '"' if !self.frame.is_document => self.frame.in_quotes = false,
            '\\' => match self.rest.next_if(|c| matches!(c, '$' | '`' | '"' | '\\' | '\n')) {
                Some('\n') => {}
                Some(c) => self.push(c),
                None => self.push('\\'),
            },
            c @ (',' | '}') => self.push_quoted(c),
            c => self.substitution_or(c),
        }
    }

    fn substitution_or(&mut self, c: char) {
        match c {
            '$' => self.dollar(),
            '`' => self.backticks(),
            c => self.push(c),
        }
    }

    /// What `$` begins.
    fn dollar(&mut self) {
        match self.rest.peek().copied() {
            Some('(') if self.skip_arithmetic() => self.push(UNKNOWN),
            Some('(') => {
                self.rest.next();
                self.push(UNKNOWN);
                self.found.is_ambiguous |= self.rest.peek() == Some(&'(');
                self.open(')');
            }
            Some('{') => {
                self.rest.next();
                self.push(UNKNOWN);
                self.found.is_ambiguous |= self.rest.peek().is_none_or(|c| c.is_whitespace() || *c == '|');
                let is_quoted = self.frame.in_quotes || self.frame.parameter == Some(true);
                self.open('}');
                self.frame.parameter = Some(is_quoted);
            }
            Some('[') => {
                self.found.is_ambiguous = true;
                self.push(UNKNOWN);
            }
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                while self.rest.next_if(|c| c.is_ascii_alphanumeric() || *c == '_').is_some() {}
                self.push(UNKNOWN);
            }
            Some(c) if c.is_ascii_digit() || "@*#?-$!".contains(c) => {
                self.rest.next();
                self.push(UNKNOWN);
            }
            _ => self.push('$'),
        }
    }

    /// Skips `((…))` if it can be nothing but arithmetic without commands.
    fn skip_arithmetic(&mut self) -> bool {
        let mut ahead = self.rest.clone();
        let (mut depth, mut last) = (0_usize, ' ');
        if !(ahead.next() == Some('(') && ahead.next() == Some('(')) {
            return false;
        }
        loop {
            let Some(c) = ahead.next() else { return false };
            match c {
                '(' if last == '$' => return false,
                '(' => depth += 1,
                ')' if depth == 0 => break,
                ')' => depth -= 1,
                c if c.is_ascii_alphanumeric() || " \t_+-*/%<>=!&|^~?:,$#@{}[]".contains(c) => {}
                _ => return false,
            }
            last = c;
        }
        let is_closed = ahead.next() == Some(')');
        if is_closed {
            self.rest = ahead;
        }
        is_closed
    }

    /// Reads a command in backticks, whose text a shell unescapes first.
    fn backticks(&mut self) {
        let is_quoted = self.frame.in_quotes && !self.frame.is_document;
        let mut text = String::new();
        loop {
            match self.rest.next() {
                Some('`') => break,
                Some('\\') => match self.rest.next_if(|c| matches!(c, '\\' | '$' | '`')) {
                    Some(c) => text.push(c),
                    None => text.push('\\'),
                },
                Some(c) => text.push(c),
                None => {
                    self.found.is_ambiguous = true;
                    break;
                }
            }
        }
        self.push(UNKNOWN);
        let is_odd = is_quoted && text.contains('"') || text.contains('\n') && !self.ends.is_empty();
        let Content { commands, reads, writes, documents, is_ambiguous } =
            read(&text, Frame::new(None), self.depth + 1);
        self.found.commands.extend(commands);
        self.found.reads.extend(reads);
        self.found.writes.extend(writes);
        self.found.documents.extend(documents);
        self.found.is_ambiguous |= is_ambiguous || is_odd || self.frame.parameter.is_some();
    }

    fn open(&mut self, closer: char) {
        if self.frames.len() < DEEPEST {
            self.frames.push(std::mem::replace(&mut self.frame, Frame::new(Some(closer))));
        } else {
            self.found.is_ambiguous = true;
            self.end_command();
        }
    }

    fn close(&mut self, closer: char) {
        self.end_command();
        self.found.is_ambiguous |= self.ends.iter().any(|end| end.depth >= self.frames.len());
        if self.frame.closer == Some(closer)
            && let Some(outer) = self.frames.pop()
        {
            self.frame = outer;
        }
    }

    /// Parses a redirection operator. Its target is not a word of the command.
    fn redirect(&mut self, first: char) {
        if self.frame.word.as_ref().is_some_and(|word| is_file_number(word)) {
            self.frame.word = None;
        }
        self.end_word();
        let mut operator = String::from(first);
        while let Some(c) = self.rest.next_if(|c| matches!(c, '<' | '>' | '&' | '|')) {
            operator.push(c);
        }
        self.frame.next = match operator.as_str() {
            "<<" => Next::DocumentEnd { strips_tabs: self.rest.next_if_eq(&'-').is_some() },
            "<<<" => Next::HereString,
            "<" => Next::Source,
            ">&" | "<&" => Next::Duplicate,
            ">" | ">>" | ">|" | "<>" => Next::Target,
            _ => {
                self.found.is_ambiguous = true;
                Next::Target
            }
        };
        if self.rest.peek() == Some(&'(') {
            self.frame.next = Next::Word;
        }
    }

    fn begin_word(&mut self) {
        self.frame.word.get_or_insert_default();
    }

    /// Adds a character that is quoted: in braces, it separates and ends nothing.
    fn push_quoted(&mut self, c: char) {
        let is_mark = self.frame.has_brace && matches!(c, ',' | '}');
        self.push(if is_mark { UNKNOWN } else { c });
    }

    fn begin_quoted(&mut self) {
        self.begin_word();
        self.frame.was_quoted = true;
    }

    fn push(&mut self, c: char) {
        self.found.is_ambiguous |= c == '\n' && !self.ends.is_empty();
        self.frame.word.get_or_insert_default().push(c);
    }

    fn end_word(&mut self) {
        let is_quoted = std::mem::take(&mut self.frame.was_quoted);
        self.frame.has_brace = false;
        let has_text = !self.frame.is_document && self.frame.parameter.is_none();
        let Some(raw) = self.frame.word.take().filter(|_| has_text) else { return };
        let mut words = if raw.contains([BRACE, CLASS]) { resolved(&raw) } else { vec![raw.clone()] };
        let Some(word) = words.pop() else { return };
        self.found.is_ambiguous |= !words.is_empty() && self.frame.next != Next::Word;
        self.frame.words.append(&mut words);
        let begins_subscript = raw.split_once(CLASS).is_some_and(|(name, rest)| is_name(name) && !rest.contains(']'));
        self.found.is_ambiguous |= begins_subscript;
        match std::mem::replace(&mut self.frame.next, Next::Word) {
            Next::Word => self.frame.words.push(word),
            Next::Source => self.found.reads.push(word),
            Next::Target if DEVICES.contains(&word.as_str()) => {}
            Next::Target => self.found.writes.push(word),
            Next::Duplicate if word.chars().all(|c| c.is_ascii_digit() || c == '-') => {}
            Next::Duplicate => self.found.writes.push(word),
            Next::HereString => self.found.documents.push(Document { text: word, is_expanded: false }),
            Next::DocumentEnd { strips_tabs } => {
                self.found.is_ambiguous |= !is_plain_end(&word);
                self.ends.push(End { word, is_quoted, strips_tabs, depth: self.frames.len() });
            }
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        self.frame.in_quotes = false;
        self.frame.next = Next::Word;
        let words = std::mem::take(&mut self.frame.words);
        if !words.is_empty() {
            self.found.is_ambiguous |= !self.frames.is_empty() && words.iter().any(|word| word == "case");
            self.found.commands.push(words);
        }
    }

    fn read_documents(&mut self) {
        for end in std::mem::take(&mut self.ends) {
            let (mut text, mut is_ended) = (String::new(), false);
            while self.rest.peek().is_some() {
                let mut line = String::new();
                while let Some(c) = self.rest.next().filter(|c| *c != '\n') {
                    line.push(c);
                }
                is_ended = is_end(&line, &end);
                if is_ended {
                    break;
                }
                // A shell joins the lines before it looks for the end.
                self.found.is_ambiguous |= !end.is_quoted && line.ends_with('\\');
                text.push_str(&line);
                text.push('\n');
            }
            self.found.is_ambiguous |= !is_ended || end.depth != self.frames.len();
            self.found.documents.push(Document { text, is_expanded: !end.is_quoted });
        }
    }
}

/// Whether a word before a redirection is the number of an open file, or the name of a variable for it.
fn is_file_number(word: &str) -> bool {
    let name = word.strip_prefix(BRACE).and_then(|word| word.strip_suffix('}'));
    word.chars().all(|c| c.is_ascii_digit()) || name.is_some_and(is_name)
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The words that a shell makes of one with alternatives in braces, with [`ANY`] for classes, and with the other brackets as
/// they are written. Ranges, and what is left of very many alternatives, are [`UNKNOWN`].
fn resolved(word: &str) -> Vec<String> {
    let plain = |word: &str| {
        let class = word.split_once(CLASS).and_then(|(before, rest)| {
            let (inner, after) = rest.rsplit_once(']')?;
            (!inner.is_empty()).then(|| format!("{before}{ANY}{after}"))
        });
        class.unwrap_or_else(|| word.to_owned()).replace(CLASS, "[")
    };
    let (mut open, mut words, mut left) = (vec![word.to_owned()], Vec::new(), CHOICES_MAX);
    while let Some(word) = open.pop() {
        let Some((before, rest)) = word.split_once(BRACE) else {
            words.push(plain(&word));
            continue;
        };
        let texts = alternatives(rest);
        match left.checked_sub(texts.len()) {
            Some(after) => {
                left = after;
                open.extend(texts.iter().rev().map(|text| format!("{before}{text}")));
            }
            None => {
                let after = rest.rsplit_once('}').map_or("", |(_, after)| after);
                words.push(plain(&format!("{before}{UNKNOWN}{after}")));
            }
        }
    }
    words
}

/// What a shell makes of the text after a brace.
fn alternatives(rest: &str) -> Vec<String> {
    let (mut depth, mut start, mut texts) = (0_usize, 0, Vec::new());
    for (at, c) in rest.char_indices() {
        let text = rest.get(start..at).unwrap_or_default();
        match c {
            BRACE => depth += 1,
            ',' if depth == 0 && texts.len() <= CHOICES_MAX => {
                texts.push(text);
                start = at + 1;
            }
            '}' if depth == 0 => {
                let after = rest.get(at + 1..).unwrap_or_default();
                return match texts.as_slice() {
                    [] if text.contains("..") => vec![format!("{UNKNOWN}{after}")],
                    [] => vec![format!("{{{text}}}{after}")],
                    _ => texts.iter().chain([&text]).map(|text| format!("{text}{after}")).collect(),
                };
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    vec![format!("{{{rest}")]
}

/// The most words that one with alternatives is read as.
const CHOICES_MAX: usize = 50;
