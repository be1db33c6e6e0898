//! Parses a command line like a POSIX shell, as far as needed to separate its commands.

use std::iter::Peekable;
use std::str::Chars;

/// The simple commands of a command line, in the order in which they end, each as unquoted words. Includes the commands in
/// `(…)`, `$(…)` and backticks; excludes comments, redirections and here-documents. Variables, patterns and aliases are not
/// expanded. Total: accepts any text.
pub fn commands(line: &str) -> Vec<Vec<String>> {
    read(line).commands
}

/// The files of the redirections of a command line, as unquoted words.
pub fn targets(line: &str) -> Vec<String> {
    read(line).targets
}

fn read(line: &str) -> Reader<'_> {
    let mut reader = Reader {
        rest: line.chars().peekable(),
        frames: Vec::new(),
        frame: Frame::new(None),
        documents: Vec::new(),
        commands: Vec::new(),
        targets: Vec::new(),
    };
    while let Some(c) = reader.rest.next() {
        if reader.frame.in_quotes { reader.within_quotes(c) } else { reader.plain(c) }
    }
    loop {
        reader.end_command();
        let Some(outer) = reader.frames.pop() else { return reader };
        reader.frame = outer;
    }
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    /// The enclosing command lists, outermost first.
    frames: Vec<Frame>,
    frame: Frame,
    /// Delimiters of the here-documents that start on the next line.
    documents: Vec<String>,
    commands: Vec<Vec<String>>,
    targets: Vec<String>,
}

/// A command list that is being parsed.
struct Frame {
    /// The character that ends it: `)` or a backtick; `None` for the end of the line.
    closer: Option<char>,
    words: Vec<String>,
    word: Option<String>,
    in_quotes: bool,
    next: Next,
}

/// The role of the next word.
#[derive(PartialEq, Eq)]
enum Next {
    Word,
    /// The file of a redirection.
    Target,
    /// The delimiter of a here-document.
    DocumentEnd,
}

/// Maximum nesting; deeper lists are parsed as part of the enclosing one.
const DEEPEST: usize = 100;

impl Frame {
    fn new(closer: Option<char>) -> Self {
        Self { closer, words: Vec::new(), word: None, in_quotes: false, next: Next::Word }
    }
}

impl Reader<'_> {
    fn plain(&mut self, c: char) {
        match c {
            ' ' | '\t' | '\r' => self.end_word(),
            '\n' => {
                self.end_command();
                self.skip_documents();
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
                self.begin_word();
                while let Some(c) = self.rest.next().filter(|c| *c != '\'') {
                    self.push(c);
                }
            }
            '"' => {
                self.begin_word();
                self.frame.in_quotes = true;
            }
            '\\' => match self.rest.next() {
                Some('\n') | None => {}
                Some(c) => self.push(c),
            },
            // `$'…'` and `$"…"` are quotes.
            '$' if matches!(self.rest.peek(), Some('\'' | '"')) => {}
            c => self.substitution_or(c),
        }
    }

    fn within_quotes(&mut self, c: char) {
        match c {
            '"' => self.frame.in_quotes = false,
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
        let again = self.rest.next_if_eq(&first).is_some();
        self.frame.next = if first == '<' && again && self.rest.peek() != Some(&'<') {
            self.rest.next_if_eq(&'-');
            Next::DocumentEnd
        } else {
            while self.rest.next_if(|c| matches!(c, '<' | '>' | '&' | '|')).is_some() {}
            Next::Target
        };
        if self.rest.peek() == Some(&'(') {
            self.frame.next = Next::Word;
        }
    }

    fn begin_word(&mut self) {
        self.frame.word.get_or_insert_default();
    }

    fn push(&mut self, c: char) {
        self.frame.word.get_or_insert_default().push(c);
    }

    fn end_word(&mut self) {
        let Some(word) = self.frame.word.take() else { return };
        match std::mem::replace(&mut self.frame.next, Next::Word) {
            Next::Word => self.frame.words.push(word),
            Next::Target => self.targets.push(word),
            Next::DocumentEnd => self.documents.push(word),
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        self.frame.in_quotes = false;
        self.frame.next = Next::Word;
        let words = std::mem::take(&mut self.frame.words);
        if !words.is_empty() {
            self.commands.push(words);
        }
    }

    fn skip_documents(&mut self) {
        for end in std::mem::take(&mut self.documents) {
            while self.rest.peek().is_some() {
                let mut line = String::new();
                while let Some(c) = self.rest.next().filter(|c| *c != '\n') {
                    line.push(c);
                }
                if line.trim_start_matches('\t').trim_end_matches('\r') == end {
                    break;
                }
            }
        }
    }
}
