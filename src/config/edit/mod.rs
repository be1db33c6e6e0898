//! Changes of single values in the text of a configuration. Every other byte stays: comments, order, unknown keys, line
//! ends.

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests;

use super::yaml::{self, Data, Entry, Fault, Node};
use super::{Layer, Refused, Sources, json, layout, merge, text_of, without_mark};
use crate::error::Error;
use crate::port::ProjectDir;
use serde_json::{Map, Value};
use std::ops::Range;

/// Changes the project's file, or creates it. `changes` has the nested shape of the YAML; a value replaces the present
/// one, `null` removes its key.
///
/// # Errors
/// As of [`edit`], and then nothing is written; what the file system returns.
pub async fn save(project: ProjectDir<'_>, changes: &Value) -> Result<(), Error> {
    let bytes = project.read(layout::CONFIG).await?.unwrap_or_default();
    let text = text_of(&bytes).map_err(refused)?;
    let edited = edit(text, changes)?;
    if edited != text {
        project.write(layout::CONFIG, edited).await?;
        project.flush().await?;
    }
    Ok(())
}

/// The text with the changes.
///
/// # Errors
/// `invalid-config` if the text is not YAML, if the changed text is not a valid layer, or if a value comes from an alias
/// or a merge key, so that its change would change others.
pub fn edit(text: &str, changes: &Value) -> Result<String, Error> {
    if !changes.is_object() {
        let message = format!("the changes are `{changes}`: expected a mapping");
        return Err(Refused { layer: Layer::Spec, fault: Fault { message, place: None } }.into_error());
    }
    let body = without_mark(text);
    let mark = text.strip_suffix(body).unwrap_or_default();
    let mut changes = changes.clone();
    integral(&mut changes);
    let mut edited = body.to_owned();
    for (path, value) in leaves(&changes) {
        edited = set(&edited, &path, value).map_err(refused)?;
    }
    let sources = Sources { project: Some(edited.as_bytes()), ..Sources::default() };
    merge(sources, false).map_err(Refused::into_error)?;
    let mut expected = values(body).map_err(refused)?;
    apply(&mut expected, &changes);
    if values(&edited).map_err(refused)? != expected {
        let message = "the change would change other values as well: change the file in an editor".to_owned();
        return Err(refused(Fault { message, place: None }));
    }
    Ok(mark.to_owned() + &edited)
}

fn refused(fault: Fault) -> Error {
    Refused { layer: Layer::Project, fault }.into_error()
}

/// JavaScript has no integers.
fn integral(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(float) = number.as_f64().filter(|_| number.is_f64())
                && let Ok(number) = serde_json::from_str(&json::number(float))
            {
                *value = number;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(integral),
        Value::Object(fields) => fields.values_mut().for_each(integral),
        _ => {}
    }
}

/// The values of a text, without empty mappings.
fn values(text: &str) -> Result<Value, Fault> {
    let mut values = yaml::parse(text)?.map_or(Value::Null, |root| root.to_json());
    prune(&mut values);
    Ok(values)
}

fn apply(values: &mut Value, changes: &Value) {
    overlay(values, changes);
    prune(values);
}

fn overlay(values: &mut Value, changes: &Value) {
    match changes {
        Value::Object(changes) => {
            if !values.is_object() {
                *values = Value::Object(Map::new());
            }
            for (name, change) in changes {
                if let Value::Object(values) = values {
                    overlay(values.entry(name).or_insert(Value::Null), change);
                }
            }
        }
        changes => changes.clone_into(values),
    }
}

/// Removes what sets nothing.
fn prune(value: &mut Value) {
    if let Value::Object(fields) = value {
        fields.values_mut().for_each(prune);
        fields.retain(|_, value| !value.is_null());
        if fields.is_empty() {
            *value = Value::Null;
        }
    }
}

/// The paths of all values except mappings; `None` for `null`.
fn leaves(changes: &Value) -> Vec<(Vec<&str>, Option<&Value>)> {
    match changes {
        Value::Object(fields) => {
            let below = |(name, value)| {
                let name: &String = name;
                leaves(value).into_iter().map(move |(path, value)| ([&[name.as_str()][..], &path].concat(), value))
            };
            fields.iter().flat_map(below).collect()
        }
        Value::Null => vec![(Vec::new(), None)],
        value => vec![(Vec::new(), Some(value))],
    }
}

/// Sets the value of a path, or removes it.
fn set(text: &str, path: &[&str], value: Option<&Value>) -> Result<String, Fault> {
    let text = Text { text, line_end: if text.contains("\r\n") { "\r\n" } else { "\n" } };
    let root = yaml::parse(text.text)?;
    let mut node = root.as_ref();
    for (depth, name) in path.iter().enumerate() {
        let below = path.get(depth + 1..).unwrap_or_default();
        let Some(parent) = node else { return Ok(text.append(path, value)) };
        let Data::Map(entries) = &parent.data else {
            return Err(Fault {
                message: "a value is here, but the change needs a mapping".to_owned(),
                place: parent.place,
            });
        };
        let entry = entries.iter().find(|entry| entry.name == *name && !entry.is_merged);
        node = match (entry, value) {
            (None, None) => break,
            (None, Some(value)) => return Ok(text.insert(parent, entries, name, &wrapped(below, value))),
            (Some(entry), _) if !below.is_empty() && matches!(entry.value.data, Data::Map(_)) => Some(&entry.value),
            (Some(entry), None) if below.is_empty() => return Ok(text.remove(parent, entry)),
            (Some(_), None) => break,
            (Some(entry), Some(value)) => return Ok(text.replace(parent, entry, &wrapped(below, value))),
        };
    }
    Ok(text.text.to_owned())
}

/// The value in mappings of the names.
fn wrapped(names: &[&str], value: &Value) -> Value {
    let wrap = |value, name: &&str| Value::Object(Map::from_iter([((*name).to_owned(), value)]));
    names.iter().rev().fold(value.clone(), wrap)
}

/// How a value is written.
enum Old {
    Nothing,
    Inline,
    /// A list or a mapping by indentation.
    Lines,
    /// A text after `|` or `>`.
    Text,
}

impl Entry {
    fn old(&self) -> Old {
        let is_alias = self.value.place.is_none_or(|place| place.offset != self.span.0);
        match &self.value.data {
            _ if self.span.0 == self.span.1 => Old::Nothing,
            _ if is_alias || !self.value.is_block => Old::Inline,
            Data::Text(_) => Old::Text,
            _ => Old::Lines,
        }
    }
}

struct Text<'t> {
    text: &'t str,
    line_end: &'static str,
}

impl Text<'_> {
    /// Puts a value at the end of a text without values.
    fn append(&self, path: &[&str], value: Option<&Value>) -> String {
        let Some(value) = value else { return self.text.to_owned() };
        let break_before = if self.text.is_empty() || self.text.ends_with(['\n', '\r']) { "" } else { self.line_end };
        let lines: String =
            lines(&wrapped(path, value)).iter().map(|line| format!("{line}{}", self.line_end)).collect();
        format!("{}{break_before}{lines}", self.text)
    }

    /// Adds a key at the end of its mapping.
    fn insert(&self, parent: &Node, entries: &[Entry], name: &str, value: &Value) -> String {
        let own: Vec<&Entry> = entries.iter().filter(|entry| !entry.is_merged).collect();
        let start = parent.place.map_or(0, |place| place.offset);
        if !parent.is_block {
            let last = own.iter().max_by_key(|entry| entry.span.1);
            let (at, comma) = match last {
                Some(last) => (self.end_of(last), ", "),
                None => (self.find(start, '{'), ""),
            };
            return self.with(&[(at..at, &format!("{comma}{}: {}", scalar(name), inline(value)))]);
        }
        let first = own.iter().filter_map(|entry| entry.key).map(|key| key.offset).min().unwrap_or(start);
        let at = self.line_end_after(self.trimmed(start, parent.end));
        let pair = Value::Object(Map::from_iter([(name.to_owned(), value.clone())]));
        self.with(&[(at..at, &self.block(&pair, &self.indentation(first)))])
    }

    fn replace(&self, parent: &Node, entry: &Entry, value: &Value) -> String {
        let (start, end) = (entry.span.0, self.trimmed(entry.span.0, entry.span.1));
        let colon = self.find(entry.key_end, ':');
        let inner = format!("{}  ", self.indentation(entry.key.map_or(0, |key| key.offset)));
        let is_block = parent.is_block && is_block(value);
        let new = if is_block { self.block(value, &inner) } else { format!(" {}", inline(value)) };
        let present = self.before(start);
        match entry.old() {
            // Comments may follow the colon.
            Old::Nothing => {
                let at = if is_block { self.line_end_after(colon) } else { colon };
                self.with(&[(at..at, &new)])
            }
            Old::Inline if is_block => {
                let at = self.line_end_after(end);
                self.with(&[(self.trimmed(0, start).max(colon)..end, ""), (at..at, &new)])
            }
            Old::Inline => self.with(&[(start..end, new.trim_start())]),
            // Comments may be between the key and the lines of the value.
            Old::Lines if present.trim().is_empty() && is_block => {
                // A list may be indented as its key, a mapping may not.
                let is_deep = value.is_array() || present.len() > inner.len() - 2;
                let block = self.block(value, if is_deep { present } else { &inner });
                self.with(&[(start - present.len()..end, block.trim_start_matches(['\r', '\n']))])
            }
            Old::Lines if present.trim().is_empty() => {
                let above = self.trimmed(0, start - present.len()).max(colon);
                self.with(&[(colon..colon, &new), (self.line_end_after(above)..end, "")])
            }
            Old::Lines | Old::Text => self.with(&[(colon..end, &new)]),
        }
    }

    fn remove(&self, parent: &Node, entry: &Entry) -> String {
        let (start, end) = (entry.key.map_or(0, |key| key.offset), self.end_of(entry));
        if parent.is_block {
            let from = start - self.before(start).len();
            let to = self.line_end_after(end);
            let rest = self.text.get(to..).unwrap_or_default();
            let break_after = if rest.starts_with("\r\n") { 2 } else { rest.len().min(1) };
            return self.with(&[(from..to + break_after, "")]);
        }
        let rest = self.text.get(end..).unwrap_or_default();
        let after = rest.trim_start();
        let range = match after.strip_prefix(',') {
            Some(after) => start..self.text.len() - after.trim_start_matches(' ').len(),
            None => {
                let before = self.text.get(..start).unwrap_or_default().trim_end();
                before.strip_suffix(',').map_or(start, str::len)..end
            }
        };
        self.with(&[(range, "")])
    }

    /// Replaces ranges that do not overlap, in the order of the text.
    fn with(&self, changes: &[(Range<usize>, &str)]) -> String {
        let (mut edited, mut done) = (String::new(), 0);
        for (range, new) in changes {
            edited += self.text.get(done..range.start).unwrap_or_default();
            edited += new;
            done = range.end;
        }
        edited + self.text.get(done..).unwrap_or_default()
    }

    /// A value in lines of their own.
    fn block(&self, value: &Value, indentation: &str) -> String {
        lines(value).iter().map(|line| format!("{}{indentation}{line}", self.line_end)).collect()
    }

    /// The offset after the value of an entry, or after the colon if it has none.
    fn end_of(&self, entry: &Entry) -> usize {
        let (start, end) = entry.span;
        if start == end { self.find(entry.key_end, ':') } else { self.trimmed(start, end) }
    }

    /// The end of a range without the white space before it.
    fn trimmed(&self, start: usize, end: usize) -> usize {
        start + self.text.get(start..end).map_or(0, |text| text.trim_end().len())
    }

    /// The offset after the next such character.
    fn find(&self, from: usize, c: char) -> usize {
        self.text.get(from..).and_then(|rest| rest.find(c)).map_or(from, |at| from + at + 1)
    }

    /// The offset of the end of the line.
    fn line_end_after(&self, offset: usize) -> usize {
        let rest = self.text.get(offset..).unwrap_or_default();
        offset + rest.find(['\n', '\r']).unwrap_or(rest.len())
    }

    /// The text before the offset in its line.
    fn before(&self, offset: usize) -> &str {
        let before = self.text.get(..offset).unwrap_or_default();
        before.rsplit(['\n', '\r']).next().unwrap_or_default()
    }

    fn indentation(&self, offset: usize) -> String {
        self.before(offset).chars().map(|c| if c.is_whitespace() { c } else { ' ' }).collect()
    }
}

fn is_block(value: &Value) -> bool {
    match value {
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        _ => false,
    }
}

/// A value in block style.
fn lines(value: &Value) -> Vec<String> {
    let mut all = Vec::new();
    match value {
        Value::Array(items) if is_block(value) => {
            for item in items {
                let marks = std::iter::once("- ").chain(std::iter::repeat("  "));
                all.extend(marks.zip(lines(item)).map(|(mark, line)| format!("{mark}{line}")));
            }
        }
        Value::Object(fields) if is_block(value) => {
            for (name, value) in fields {
                if is_block(value) {
                    all.push(format!("{}:", scalar(name)));
                    all.extend(lines(value).iter().map(|line| format!("  {line}")));
                } else {
                    all.push(format!("{}: {}", scalar(name), inline(value)));
                }
            }
        }
        _ => all.push(inline(value)),
    }
    all
}

/// A value in one line; JSON is YAML.
fn inline(value: &Value) -> String {
    match value {
        Value::String(text) => scalar(text),
        Value::Array(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(name, value)| format!("{}: {}", scalar(name), inline(value))).collect();
            format!("{{{}}}", fields.join(", "))
        }
        value => value.to_string(),
    }
}

/// A text, in quotes unless every reader of YAML takes it for a text without them.
fn scalar(text: &str) -> String {
    const TAKEN: [&str; 9] = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"];
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c))
        && !TAKEN.contains(&text.to_ascii_lowercase().as_str());
    if is_plain {
        return text.to_owned();
    }
    let mut quoted = String::new();
    for c in Value::from(text).to_string().chars() {
        match c {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                quoted += &format!("\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted
}
