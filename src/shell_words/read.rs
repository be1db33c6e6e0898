//! Parses a command line like a POSIX shell, as far as needed to separate its commands.

use std::iter::Peekable;
use std::str::Chars;

/// The simple commands of a command line, in the order in which they end, each as unquoted words. Includes the commands in
/// `(…)`, `$(…)` and backticks; excludes comments, redirections and here-documents. Variables, patterns and aliases are not
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
    /// Shells differ in where a quote ends: `$'\'` is closed for some of them.
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
    read(line, Frame::new(None))
}

/// Reads the substitutions in a here-document.
pub(super) fn substitutions(document: &str) -> Content {
    read(document, Frame { is_document: true, in_quotes: true, ..Frame::new(None) })
}

fn read(text: &str, frame: Frame) -> Content {
    let mut reader = Reader {
        rest: text.chars().peekable(),
        frames: Vec::new(),
        frame,
        ends: Vec::new(),
        found: Content::default(),
    };
    while let Some(c) = reader.rest.next() {
        if reader.frame.in_quotes { reader.within_quotes(c) } else { reader.plain(c) }
    }
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
}

/// The delimiter of a here-document.
struct End {
    word: String,
    is_quoted: bool,
}

/// A command list that is being parsed.
struct Frame {
    /// The character that ends it: `)` or a backtick; `None` for the end of the line.
    closer: Option<char>,
    words: Vec<String>,
    word: Option<String>,
    in_quotes: bool,
    /// A part of the word was quoted.
    was_quoted: bool,
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
    DocumentEnd,
}

/// Targets that are no files, even where the project's folder is the root folder.
const DEVICES: [&str; 3] = ["/dev/null", "/dev/stdout", "/dev/stderr"];

/// Maximum nesting; deeper lists are parsed as part of the enclosing one.
const DEEPEST: usize = 100;

impl Frame {
    fn new(closer: Option<char>) -> Self {
        let (in_quotes, was_quoted, is_document) = (false, false, false);
        Self { closer, words: Vec::new(), word: None, in_quotes, was_quoted, is_document, next: Next::Word }
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
                self.end_command();
                self.open(')');
            }
            ')' => self.close(')'),
            '<' | '>' => self.redirect(c),
            '#' if self.frame.word.is_none() => while self.rest.next_if(|c| *c != '\n').is_some() {},
            '\'' => {
                self.begin_quoted();
                while let Some(c) = self.rest.next().filter(|c| *c != '\'') {
                    self.push(c);
                }
            }
            '"' => {
                self.begin_quoted();
                self.frame.in_quotes = true;
            }
            '\\' => match self.rest.next() {
                Some('\n') | None => {}
                Some(c) => {
                    self.begin_quoted();
                    self.push(c);
                }
            },
            '$' if self.rest.next_if_eq(&'\'').is_some() => self.escaped(),
            '$' if self.rest.peek() == Some(&'"') => {}
            c => self.substitution_or(c),
        }
    }

    /// The text of `$'…'`, whose escapes stay as they are.
    fn escaped(&mut self) {
        self.begin_quoted();
        while let Some(c) = self.rest.next().filter(|c| *c != '\'') {
            self.push(c);
            if c == '\\'
                && let Some(next) = self.rest.next()
            {
                self.found.is_ambiguous |= next == '\'';
                self.push(next);
            }
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
            c => self.substitution_or(c),
        }
    }

    fn substitution_or(&mut self, c: char) {
        match c {
            '$' if self.rest.next_if_eq(&'(').is_some() => {
                self.begin_word();
                self.open(')');
            }
            '`' if self.frame.closer == Some('`') => self.close('`'),
            '`' => {
                self.begin_word();
                self.open('`');
            }
            c => self.push(c),
        }
    }

    fn open(&mut self, closer: char) {
        if self.frames.len() < DEEPEST {
            self.frames.push(std::mem::replace(&mut self.frame, Frame::new(Some(closer))));
        } else {
            self.end_command();
        }
    }

    fn close(&mut self, closer: char) {
        self.end_command();
        if self.frame.closer == Some(closer)
            && let Some(outer) = self.frames.pop()
        {
            self.frame = outer;
        }
    }

    /// Parses a redirection operator. Its target is not a word of the command.
    fn redirect(&mut self, first: char) {
        if self.frame.word.as_ref().is_some_and(|word| word.chars().all(|c| c.is_ascii_digit())) {
            self.frame.word = None;
        }
        self.end_word();
        let mut operator = String::from(first);
        while let Some(c) = self.rest.next_if(|c| matches!(c, '<' | '>' | '&' | '|')) {
            operator.push(c);
        }
        self.frame.next = match operator.as_str() {
            "<<" => {
                self.rest.next_if_eq(&'-');
                Next::DocumentEnd
            }
            "<<<" => Next::HereString,
            "<" => Next::Source,
            ">&" | "<&" => Next::Duplicate,
            _ => Next::Target,
        };
        if self.rest.peek() == Some(&'(') {
            self.frame.next = Next::Word;
        }
    }

    fn begin_word(&mut self) {
        self.frame.word.get_or_insert_default();
    }

    fn begin_quoted(&mut self) {
        self.begin_word();
        self.frame.was_quoted = true;
    }

    fn push(&mut self, c: char) {
        self.frame.word.get_or_insert_default().push(c);
    }

    fn end_word(&mut self) {
        let is_quoted = std::mem::take(&mut self.frame.was_quoted);
        let Some(word) = self.frame.word.take().filter(|_| !self.frame.is_document) else { return };
        match std::mem::replace(&mut self.frame.next, Next::Word) {
            Next::Word => self.frame.words.push(word),
            Next::Source => self.found.reads.push(word),
            Next::Target if DEVICES.contains(&word.as_str()) => {}
            Next::Target => self.found.writes.push(word),
            Next::Duplicate if word.chars().all(|c| c.is_ascii_digit() || c == '-') => {}
            Next::Duplicate => self.found.writes.push(word),
            Next::HereString => self.found.documents.push(Document { text: word, is_expanded: false }),
            Next::DocumentEnd => self.ends.push(End { word, is_quoted }),
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        self.frame.in_quotes = false;
        self.frame.next = Next::Word;
        let words = std::mem::take(&mut self.frame.words);
        if !words.is_empty() {
            self.found.commands.push(words);
        }
    }

    fn read_documents(&mut self) {
        for End { word, is_quoted } in std::mem::take(&mut self.ends) {
            let mut text = String::new();
            while self.rest.peek().is_some() {
                let mut line = String::new();
                while let Some(c) = self.rest.next().filter(|c| *c != '\n') {
                    line.push(c);
                }
                if line.trim_start_matches('\t').trim_end_matches('\r') == word {
                    break;
                }
                text.push_str(&line);
                text.push('\n');
            }
            self.found.documents.push(Document { text, is_expanded: !is_quoted });
        }
    }
}
