//! Reads what of an answer is the model's own words, and the JSON in them.
//!
//! What is quoted does not count: in a fence, in inline code, on an indented line, on a line of a diff or a quotation, in
//! quotation marks, in the model's reasoning.
//!
//! [`read`] is strict. It finds verdicts: the JSON objects with a certain field. Only trailing commas are repaired. A verdict
//! that is part of something else, or that is not readable, is an error: the text has a verdict that cannot be determined.
//! [`values`] is lenient. It repairs what it can, and skips what it cannot read.

use super::lenient::repaired;
use super::markdown::{code_span, fence_mark, is_indented, is_plain};
use crate::json;
use crate::text::prefix;
use serde_json::{Map, Value};

/// Maximum length of a text, in bytes.
const LONGEST: usize = 4 * 1024 * 1024;

/// What of a text is read leniently, in bytes.
const LENIENT: usize = 100_000;

/// Maximum number of bytes read for brackets and backticks that are not closed.
const UNCLOSED: usize = 8 * 1024 * 1024;

/// What a verdict looks like.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Format {
    /// The field that makes an object a verdict.
    pub key: &'static str,
    /// Its values, in lower case.
    pub words: &'static [&'static str],
    /// Whether fences of JSON or plain text count, and an answer that is inline code.
    pub counts_json_fences: bool,
}

/// The model's own words in an answer.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// In text order.
    pub verdicts: Vec<Map<String, Value>>,
    /// The other JSON objects and arrays.
    pub others: Vec<Value>,
    /// The text without what is quoted. Quoted lines are empty; inline code within a line stays.
    pub own: String,
    /// Whether a quoted verdict was skipped.
    pub has_quoted: bool,
    /// Why a verdict cannot be determined.
    pub error: Option<String>,
}

/// The outermost readable objects and arrays in a text, in its order.
pub(super) fn values(text: &str) -> Vec<Value> {
    Scan::read_text(prefix(text, LENIENT), None).others
}

/// Reads an answer with verdicts.
pub(crate) fn read(text: &str, format: Format) -> Reading {
    if text.len() > LONGEST {
        let error = format!("the answer has {} bytes, more than {LONGEST}", text.len());
        return Reading { error: Some(error), ..Reading::default() };
    }
    Scan::read_text(text, Some(format))
}

/// A fence that quotes what is in it.
#[derive(Clone, Copy)]
struct Fence<'t> {
    mark: &'t str,
    /// The indentation of its first line.
    indent: usize,
}

struct Scan<'t> {
    /// `None`: any value counts, and is read leniently.
    format: Option<Format>,
    text: &'t str,
    /// Where the first character is that is not blank.
    first: usize,
    at: usize,
    /// Where the own words begin that `reading` does not have yet.
    own_from: usize,
    is_line_start: bool,
    fence: Option<Fence<'t>>,
    /// A value ended at a line break inside a string, so what follows may be part of it.
    is_torn: bool,
    /// The end of the last run of quotation marks and white space that was checked for a torn verdict.
    checked: usize,
    /// Bytes left for brackets and backticks that are not closed.
    budget: usize,
    reading: Reading,
}

impl<'t> Scan<'t> {
    fn read_text(text: &'t str, format: Option<Format>) -> Reading {
        let mut scan = Scan {
            format,
            text: text.trim_end_matches(is_blank),
            first: text.len() - text.trim_start_matches(is_blank).len(),
            at: 0,
            own_from: 0,
            is_line_start: true,
            fence: None,
            is_torn: false,
            checked: 0,
            budget: UNCLOSED,
            reading: Reading::default(),
        };
        while scan.step().is_some() {}
        scan.keep_own();
        scan.reading
    }

    fn counts_json_fences(&self) -> bool {
        self.format.is_none_or(|format| format.counts_json_fences)
    }

    fn has_verdict(&self, text: &str) -> bool {
        self.format.is_some_and(|format| format.is_in(text))
    }

    /// Adds the own words up to `at`.
    fn keep_own(&mut self) {
        self.reading.own.push_str(self.text.get(self.own_from..self.at).unwrap_or_default());
        self.own_from = self.at;
    }

    /// Skips a text that does not count.
    fn skip_quoted(&mut self, length: usize) {
        self.keep_own();
        let skipped = self.text.get(self.at..self.at + length).unwrap_or_default();
        self.reading.has_quoted |= self.has_verdict(skipped);
        self.at += length;
        self.own_from = self.at;
    }

    /// Whether a line does not count.
    fn is_quoted(&mut self, line: &'t str) -> bool {
        let content = line.trim_start_matches(is_blank);
        let (mark, indent) = (fence_mark(content), line.len() - content.len());
        if let Some(fence) = self.fence {
            // A mark that is indented further is a line of the quoted text.
            let closes =
                mark.starts_with(fence.mark) && content.trim_end_matches(is_blank) == mark && indent <= fence.indent;
            self.fence = self.fence.filter(|_| !closes);
            return true;
        }
        let info = content.get(mark.len()..).unwrap_or_default();
        if is_indented(line) {
            return true;
        }
        if mark.is_empty() || (self.counts_json_fences() && is_plain(info)) {
            return content.starts_with(['>', '+', '-']);
        }
        // With a second mark on its line, the fence ends there.
        self.fence = (!info.contains(mark)).then_some(Fence { mark, indent });
        true
    }

    /// Skips reasoning in tags, such as `<think>`; without its end tag it reaches to the end. An end tag without a start
    /// ends reasoning that began before the text.
    fn skip_tag(&mut self, rest: &str) {
        let name = |text: &str| TAGS.into_iter().find(|name| has_tag(text, name));
        if rest.strip_prefix("</").and_then(name).is_some() && self.reading.error.is_none() {
            let has_quoted = self.reading.has_quoted || !self.reading.verdicts.is_empty();
            self.reading = Reading { has_quoted, ..Reading::default() };
            self.at += rest.find('>').map_or(rest.len(), |end| end + 1);
            self.own_from = self.at;
            return;
        }
        let Some(name) = rest.get(1..).and_then(name) else {
            self.at += 1;
            return;
        };
        let mut depth = 0_usize;
        let end = rest.match_indices('<').find_map(|(at, _)| {
            let tag = rest.get(at + 1..)?;
            let (is_end, tag) = tag.strip_prefix('/').map_or((false, tag), |tag| (true, tag));
            match (has_tag(tag, name), is_end) {
                (true, false) => depth += 1,
                (true, true) => depth -= 1,
                _ => {}
            }
            (depth == 0).then(|| tag.find('>').map(|end| rest.len() - tag.len() + end + 1))?
        });
        self.skip_quoted(end.unwrap_or(rest.len()));
    }

    /// Skips inline code. What it has in one line stays in the own words.
    fn skip_code(&mut self, rest: &str) {
        let mark = rest.len() - rest.trim_start_matches('`').len();
        let may_be_fence = self.counts_json_fences() && mark >= 3;
        let (length, is_closed) = code_span(rest, mark);
        let is_all = self.counts_json_fences() && self.at == self.first && self.at + length == self.text.len();
        if may_be_fence || (is_closed && is_all) {
            self.at += mark;
        } else if is_closed {
            let code = rest.get(..length).unwrap_or_default();
            self.reading.has_quoted |= self.has_verdict(code);
            if code.contains(['\n', '\r']) {
                self.skip_quoted(length);
            } else {
                self.at += length;
            }
        } else {
            self.at += mark;
            self.spend(length);
        }
    }

    /// Counts bytes that were read in vain.
    fn spend(&mut self, length: usize) {
        match self.budget.checked_sub(length) {
            Some(left) => self.budget = left,
            None => {
                self.reading.error.get_or_insert_with(|| "the answer has too many open brackets".to_owned());
                self.at = self.text.len();
            }
        }
    }

    /// Keeps the value that begins here, if it can be read.
    fn keep_value(&mut self, rest: &str) {
        let Some((json, length)) = repaired(rest) else {
            self.at += 1;
            return self.spend(rest.len());
        };
        match json::value(&json) {
            Ok(value) => {
                let start = self.at;
                self.at += length;
                if !self.is_in_quotes(start, self.at) {
                    self.reading.others.push(value);
                }
            }
            Err(_) => {
                self.at += 1;
                self.spend(length);
            }
        }
    }

    /// The value that begins here, if it is a verdict.
    ///
    /// # Errors
    /// Why the text has a verdict that cannot be read.
    fn verdict(&mut self, rest: &'t str, format: Format) -> Result<Option<Map<String, Value>>, String> {
        let extent = Extent::from_text(rest);
        let (start, end) = (self.at, self.at + extent.length);
        match extent.end {
            End::Closed => {}
            End::OfText if is_json_start(rest) => {
                return Err("the JSON is not complete: the answer ends in it".to_owned());
            }
            end => {
                self.is_torn |= matches!(end, End::OfLine) && is_json_start(rest);
                self.at += 1;
                self.spend(extent.length);
                return Ok(None);
            }
        }
        self.at = end;
        let written = rest.get(..extent.length).unwrap_or_default();
        match json::value(&extent.json) {
            Ok(Value::Object(fields)) if fields.contains_key(format.key) => {
                if self.is_in_quotes(start, end) {
                    self.reading.has_quoted = true;
                    return Ok(None);
                }
                if self.is_part(start, end) {
                    return Err("the verdict is part of another value".to_owned());
                }
                if extent.pairs != pairs(&fields) {
                    return Err("the verdict has an object with duplicate keys".to_owned());
                }
                Ok(Some(fields))
            }
            Ok(value) if format.is_within(&value) => Err("the verdict is wrapped in another value".to_owned()),
            Err(error) if format.is_in(written) => Err(format!("the verdict is not valid JSON: {error}")),
            Ok(value) if !self.is_in_quotes(start, end) => {
                self.reading.others.push(value);
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    /// Whether quotation marks enclose a range. Backticks around the complete text only format it.
    fn is_in_quotes(&self, start: usize, end: usize) -> bool {
        let before = self.text.get(..start).unwrap_or_default();
        let after = self.text.get(end..).unwrap_or_default();
        let encloses = |(open, close): &(char, char)| before.ends_with(*open) && after.starts_with(*close);
        match QUOTES.iter().find(|quotes| encloses(quotes)) {
            Some(('`', _)) => !before.ends_with("```") && (start, after) != (self.first + 1, "`"),
            quotes => quotes.is_some(),
        }
    }

    /// Whether the text around a range shows that it is an element or a field of something that is not readable.
    fn is_part(&self, start: usize, end: usize) -> bool {
        let before = self.text.get(..start).unwrap_or_default().trim_end();
        let after = self.text.get(end..).unwrap_or_default();
        let is_field = before.strip_suffix(':').is_some_and(|key| key.trim_end().ends_with(['"', '\'']));
        is_field
            || before.ends_with(['[', '{'])
            || after.trim_start_matches([' ', '\t', '\r', '\n', ',']).starts_with(['}', ']'])
    }

    /// Reads up to the next character that may end the own words; `None` at the end.
    fn step(&mut self) -> Option<()> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        if self.is_line_start {
            self.is_line_start = false;
            let line = rest.split(['\n', '\r']).next().unwrap_or_default();
            if self.is_quoted(line) {
                self.skip_quoted(line.len());
            }
            return Some(());
        }
        let is_stop = |byte| matches!(byte, b'{' | b'[' | b'<' | b'"' | b'`' | b'\n' | b'\r');
        let skipped = rest.bytes().position(is_stop).unwrap_or(rest.len());
        self.at += skipped;
        let rest = rest.get(skipped..).unwrap_or_default();
        let is_readable = self.reading.error.is_none();
        match rest.as_bytes().first() {
            None => {}
            Some(b'\n' | b'\r') => {
                self.at += 1;
                self.is_line_start = true;
            }
            Some(b'<') => self.skip_tag(rest),
            Some(b'`') => self.skip_code(rest),
            Some(b'"') if self.is_torn && is_readable && self.at >= self.checked => {
                if self.format.is_some_and(|format| format.begins(rest)) {
                    self.reading.error = Some("the verdict is not valid JSON: a string has a line break".to_owned());
                }
                self.checked = self.text.len() - unquoted(rest).len();
            }
            Some(b'{' | b'[') if is_readable => match self.format.map(|format| self.verdict(rest, format)) {
                None => self.keep_value(rest),
                Some(Ok(fields)) => self.reading.verdicts.extend(fields),
                Some(Err(reason)) => self.reading.error = Some(reason),
            },
            _ => self.at += 1,
        }
        Some(())
    }
}

/// Names of tags around a model's reasoning.
pub(super) const TAGS: [&str; 6] = ["think", "thinking", "thought", "thoughts", "reasoning", "scratchpad"];

const QUOTES: [(char, char); 5] = [('`', '`'), ('"', '"'), ('\'', '\''), ('“', '”'), ('‘', '’')];

/// White space, and what editors and pipes put before a text.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\0')
}

/// Whether a text begins with the name of a tag.
pub(super) fn has_tag(text: &str, name: &str) -> bool {
    let (tag, rest) = text.split_at_checked(name.len()).unwrap_or_default();
    tag.eq_ignore_ascii_case(name) && rest.starts_with(['>', '/', ' ', '\t', '\r', '\n'])
}

/// Whether a bracket with what follows it can only be JSON.
fn is_json_start(rest: &str) -> bool {
    let inner = rest.get(1..).unwrap_or_default().trim_start();
    inner.starts_with('"') || (rest.starts_with('[') && inner.starts_with(['{', '[']))
}

impl Format {
    fn has_word(self, text: &str) -> bool {
        let word = text.trim().replace(['-', ' '], "_");
        self.words.iter().any(|name| word.eq_ignore_ascii_case(name))
    }

    /// Whether a value contains a verdict.
    fn is_within(self, value: &Value) -> bool {
        match value {
            Value::Object(fields) => {
                fields.get(self.key).and_then(Value::as_str).is_some_and(|word| self.has_word(word))
                    || fields.values().any(|value| self.is_within(value))
            }
            Value::Array(items) => items.iter().any(|value| self.is_within(value)),
            _ => false,
        }
    }

    /// Whether a text that is not JSON has the field of a verdict with one of its words.
    fn is_in(self, text: &str) -> bool {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        text.match_indices(self.key).any(|(at, _)| {
            let (before, field) = text.split_at(at);
            !before.ends_with(is_name) && self.begins(field)
        })
    }

    /// Whether a text begins with the field of a verdict and one of its words. A choice of words, as in a description of
    /// the format, is not a verdict.
    fn begins(self, text: &str) -> bool {
        let Some(value) = unquoted(text).strip_prefix(self.key).and_then(|rest| unquoted(rest).strip_prefix(':'))
        else {
            return false;
        };
        let value = unquoted(value);
        let word = value.split(|c: char| !c.is_ascii_alphabetic() && c != '_').next().unwrap_or_default();
        let rest = unquoted(value.get(word.len()..).unwrap_or_default());
        let has_choice = ["|", "/", "or "].iter().any(|or| rest.starts_with(or));
        !has_choice && self.has_word(word)
    }
}

fn unquoted(text: &str) -> &str {
    text.trim_start_matches(['"', '\'', '`', '*', ' ', '\t', '\r', '\n'])
}

/// The number of fields of an object and of the objects in it.
fn pairs(fields: &Map<String, Value>) -> usize {
    fields.len() + fields.values().map(value_pairs).sum::<usize>()
}

/// serde_json limits the depth of a value, so the recursion is bounded.
fn value_pairs(value: &Value) -> usize {
    match value {
        Value::Object(fields) => pairs(fields),
        Value::Array(items) => items.iter().map(value_pairs).sum(),
        _ => 0,
    }
}

/// Whether the bracket that begins a text is closed at its end.
pub(super) fn is_closed(text: &str) -> bool {
    let extent = Extent::from_text(text);
    matches!(extent.end, End::Closed) && extent.length == text.len()
}

/// The text from a bracket to the one that closes it. Brackets are counted, not checked.
struct Extent {
    length: usize,
    end: End,
    /// The text without trailing commas, if it is closed.
    json: String,
    /// The number of colons outside strings: in valid JSON, the number of fields.
    pairs: usize,
}

enum End {
    Closed,
    OfText,
    /// The end of a line in a string.
    OfLine,
}

impl Extent {
    fn from_text(text: &str) -> Self {
        let bytes = text.as_bytes();
        let (mut depth, mut pairs, mut json, mut copied, mut at) = (0_usize, 0, String::new(), 0, 0);
        // The last comma, if a value precedes it, and the last byte that is not white space.
        let (mut comma, mut last) = (None, b'{');
        let open = |length, end| Self { length, end, json: String::new(), pairs: 0 };
        while let Some(byte) = bytes.get(at).copied() {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => {
                    at += 1;
                    continue;
                }
                b'"' => match string_end(bytes, at + 1) {
                    None => return open(text.len(), End::OfText),
                    Some(end) if bytes.get(end) == Some(&b'\n') => return open(end, End::OfLine),
                    Some(end) => at = end,
                },
                b',' => comma = (!matches!(last, b',' | b'{' | b'[')).then_some(at),
                b':' => pairs += 1,
                b'{' | b'[' => depth += 1,
                b'}' | b']' => {
                    depth -= 1;
                    if let Some(comma) = comma.filter(|_| last == b',') {
                        json.push_str(text.get(copied..comma).unwrap_or_default());
                        copied = comma + 1;
                    }
                    if depth == 0 {
                        json.push_str(text.get(copied..=at).unwrap_or_default());
                        return Self { length: at + 1, end: End::Closed, json, pairs };
                    }
                }
                _ => {}
            }
            last = byte;
            at += 1;
        }
        open(text.len(), End::OfText)
    }
}

/// The end of a string whose content begins at an offset: its quotation mark, or a line break.
fn string_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr::memchr3(b'"', b'\\', b'\n', bytes.get(at..)?)?;
        if bytes.get(at) != Some(&b'\\') {
            return Some(at);
        }
        at += 2;
    }
}
