//! Finds the verdicts in a reviewer's text: the JSON objects with a `decision`.
//!
//! Only trailing commas are repaired. A quoted verdict does not count: in a fence of another language than JSON, on a line
//! of a diff or a quotation, in quotation marks, in the reviewer's reasoning. A verdict that is part of something else, or
//! that is not readable, ends the scan: the text has a verdict that cannot be determined.

use crate::json;
use serde_json::{Map, Value};

/// Maximum length of a text, in bytes.
const LONGEST: usize = 4 * 1024 * 1024;

/// Maximum number of bytes read for brackets that no other bracket closes.
const UNCLOSED: usize = 8 * 1024 * 1024;

/// The verdicts of a text, in text order, until the first one that cannot be read: an error with the reason.
pub(super) struct Verdicts<'t> {
    text: &'t str,
    /// Where the first character is that is not blank.
    first: usize,
    at: usize,
    is_line_start: bool,
    /// The mark of the quoting fence around `at`, and the indentation of its line.
    fence: Option<(&'t str, usize)>,
    /// A value ended at a line break inside a string, so what follows may be part of it.
    is_torn: bool,
    /// The end of the last run of quotation marks and white space that was checked for a torn verdict.
    checked: usize,
    /// Bytes left for brackets that are not closed.
    budget: usize,
    /// Whether a quoted verdict was skipped.
    pub has_quoted: bool,
    /// Whether an object without a decision was skipped.
    pub has_other: bool,
}

impl<'t> Verdicts<'t> {
    /// # Errors
    /// The text is too long.
    pub(super) fn of(text: &'t str) -> Result<Self, String> {
        if text.len() > LONGEST {
            return Err(format!("the answer has {} bytes, more than {LONGEST}", text.len()));
        }
        Ok(Self {
            text: text.trim_end_matches(is_blank),
            first: text.len() - text.trim_start_matches(is_blank).len(),
            at: 0,
            is_line_start: true,
            fence: None,
            is_torn: false,
            checked: 0,
            budget: UNCLOSED,
            has_quoted: false,
            has_other: false,
        })
    }

    /// Skips a text that does not count.
    fn skip_quoted(&mut self, length: usize) {
        let skipped = self.text.get(self.at..self.at + length).unwrap_or_default();
        self.has_quoted |= has_verdict(skipped);
        self.at += length;
    }

    /// Whether a line does not count.
    fn is_quoted(&mut self, line: &'t str) -> bool {
        let content = line.trim_start_matches(is_blank);
        let (mark, indent) = (fence_mark(content), line.len() - content.len());
        if let Some((open, least)) = self.fence {
            // A mark that is indented further is a line of the quoted text.
            let closes = mark.starts_with(open) && content.trim_end_matches(is_blank) == mark && indent <= least;
            self.fence = self.fence.filter(|_| !closes);
            return true;
        }
        let info = content.get(mark.len()..).unwrap_or_default();
        if mark.is_empty() || is_plain(info) {
            return content.starts_with(['>', '+', '-']);
        }
        // With a second mark on its line, the fence ends there.
        self.fence = (!info.contains(mark)).then_some((mark, indent));
        true
    }

    /// Skips reasoning in tags, such as `<think>`; without its end tag it reaches to the end.
    fn skip_tag(&mut self, rest: &str) {
        let name = |text: &str| REASONING.into_iter().find(|name| has_tag(text, name));
        let Some(name) = rest.get(1..).and_then(name) else {
            self.at += 1;
            return;
        };
        let mut ends = rest.match_indices("</").filter(|(at, _)| has_tag(rest.get(at + 2..).unwrap_or_default(), name));
        let length = ends.next().map_or(rest.len(), |(at, tag)| at + tag.len());
        self.skip_quoted(length);
    }

    /// The value that begins here, if it is a verdict.
    ///
    /// # Errors
    /// Why the text has a verdict that cannot be read.
    fn value(&mut self, rest: &'t str) -> Result<Option<Map<String, Value>>, String> {
        let extent = Extent::of(rest);
        let (start, end) = (self.at, self.at + extent.length);
        match extent.end {
            End::Closed => {}
            End::OfText if is_json_start(rest) => {
                return Err("the JSON is not complete: the answer ends in it".to_owned());
            }
            end => {
                self.is_torn |= matches!(end, End::OfLine) && is_json_start(rest);
                self.budget = self.budget.checked_sub(extent.length).ok_or("the answer has too many open brackets")?;
                self.at += 1;
                return Ok(None);
            }
        }
        self.at = end;
        let written = rest.get(..extent.length).unwrap_or_default();
        match json::value(&extent.json) {
            Ok(Value::Object(fields)) if fields.contains_key(KEY) => {
                if self.is_in_quotes(start, end) {
                    self.has_quoted = true;
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
            Ok(value) if contains_verdict(&value) => Err("the verdict is wrapped in another value".to_owned()),
            Err(error) if has_verdict(written) => Err(format!("the verdict is not valid JSON: {error}")),
            value => {
                self.has_other |= value.is_ok();
                Ok(None)
            }
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
}

impl Iterator for Verdicts<'_> {
    type Item = Result<Map<String, Value>, String>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
            if self.is_line_start {
                self.is_line_start = false;
                let line = rest.split(['\n', '\r']).next().unwrap_or_default();
                if self.is_quoted(line) {
                    self.skip_quoted(line.len());
                }
                continue;
            }
            let is_stop = |byte| matches!(byte, b'{' | b'[' | b'<' | b'"' | b'\n' | b'\r');
            let Some(skipped) = rest.bytes().position(is_stop) else {
                self.at = self.text.len();
                return None;
            };
            self.at += skipped;
            let rest = rest.get(skipped..).unwrap_or_default();
            match rest.as_bytes().first() {
                Some(b'\n' | b'\r') => {
                    self.at += 1;
                    self.is_line_start = true;
                }
                Some(b'<') => self.skip_tag(rest),
                Some(b'"') if self.is_torn && self.at >= self.checked => {
                    if names_verdict(rest) {
                        return Some(Err("the verdict is not valid JSON: a string has a line break".to_owned()));
                    }
                    self.checked = self.text.len() - unquoted(rest).len();
                }
                Some(b'"') => self.at += 1,
                _ => match self.value(rest) {
                    Ok(None) => {}
                    Ok(Some(fields)) => return Some(Ok(fields)),
                    Err(reason) => {
                        self.at = self.text.len();
                        return Some(Err(reason));
                    }
                },
            }
        }
    }
}

/// Names of tags around a model's reasoning.
const REASONING: [&str; 3] = ["think", "thinking", "reasoning"];

const QUOTES: [(char, char); 5] = [('`', '`'), ('"', '"'), ('\'', '\''), ('“', '”'), ('‘', '’')];

/// White space, and what editors and pipes put before a text.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\0')
}

/// The run of backticks or tildes that begins a line; empty if it is too short for a fence.
fn fence_mark(content: &str) -> &str {
    let Some(mark @ ('`' | '~')) = content.chars().next() else { return "" };
    let length = content.len() - content.trim_start_matches(mark).len();
    content.get(..length).filter(|mark| mark.len() >= 3).unwrap_or_default()
}

/// Whether a fence with this info string has JSON or plain text.
fn is_plain(info: &str) -> bool {
    let info = info.trim_start();
    let language = info.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_ascii_lowercase();
    language.starts_with("json") || matches!(language.as_str(), "" | "text" | "txt" | "plain" | "plaintext")
}

/// Whether a text begins with the name of a tag and its end.
fn has_tag(text: &str, name: &str) -> bool {
    let (tag, rest) = text.split_at_checked(name.len()).unwrap_or_default();
    tag.eq_ignore_ascii_case(name) && rest.starts_with('>')
}

/// Whether a bracket with what follows it can only be JSON.
fn is_json_start(rest: &str) -> bool {
    let inner = rest.get(1..).unwrap_or_default().trim_start();
    inner.starts_with('"') || (rest.starts_with('[') && inner.starts_with(['{', '[']))
}

/// Whether a value contains an object with a decision.
fn contains_verdict(value: &Value) -> bool {
    match value {
        Value::Object(fields) => {
            let is_decided = |decision: &str| DECISIONS.iter().any(|name| decision.trim().eq_ignore_ascii_case(name));
            fields.get("decision").and_then(Value::as_str).is_some_and(is_decided)
                || fields.values().any(contains_verdict)
        }
        Value::Array(items) => items.iter().any(contains_verdict),
        _ => false,
    }
}

/// Whether a text that is not JSON has the field `decision` with a decision.
fn has_verdict(text: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    text.match_indices(KEY).any(|(at, _)| {
        let (before, field) = text.split_at(at);
        !before.ends_with(is_name) && names_verdict(field)
    })
}

/// Whether a text begins with the field `decision` and a decision. A choice of both, as in a description of the format, is
/// not a decision.
fn names_verdict(text: &str) -> bool {
    let Some(value) = unquoted(text).strip_prefix(KEY).and_then(|rest| unquoted(rest).strip_prefix(':')) else {
        return false;
    };
    let value = unquoted(value);
    let word = value.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    let rest = unquoted(value.get(word.len()..).unwrap_or_default());
    let has_choice = ["|", "/", "or "].iter().any(|or| rest.starts_with(or));
    !has_choice && DECISIONS.iter().any(|name| word.eq_ignore_ascii_case(name))
}

fn unquoted(text: &str) -> &str {
    text.trim_start_matches(['"', '\'', '`', '*', ' ', '\t', '\r', '\n'])
}

const KEY: &str = "decision";

const DECISIONS: [&str; 2] = ["ship", "revise"];

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
    fn of(text: &str) -> Self {
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
