//! Changes of single values in the text of a configuration. Every other byte stays: comments, order, unknown keys, line
//! ends.

use super::yaml::{self, Data, Entry, Fault, Node};
use super::{Layer, Refused, Sources, json, layout, merge, text_of, without_mark};
use crate::error::Error;
use crate::port::{FsPort, ProjectDir};
use serde_json::{Map, Value};
use std::ops::Range;

/// Changes the project's file, or creates it. `changes` has the nested shape of the YAML; a value replaces the present
/// one, `null` removes its key.
///
/// # Errors
/// As of [`edit`], and then nothing is written; what the file system returns.
pub async fn save<F: FsPort>(project: ProjectDir<'_, F>, changes: &Value) -> Result<(), Error> {
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

/// The paths of all values that are no mappings; `None` for `null`.
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
        let entry = entries.get(*name).filter(|entry| !entry.is_merged);
        node = match (entry, value) {
            (None, None) => break,
            (None, Some(value)) => return Ok(text.insert(parent, entries.values(), name, &wrapped(below, value))),
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
    fn insert<'e>(&self, parent: &Node, entries: impl Iterator<Item = &'e Entry>, name: &str, value: &Value) -> String {
        let own: Vec<&Entry> = entries.filter(|entry| !entry.is_merged).collect();
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
        let (start, end) = entry.span;
        let colon = self.find(entry.key_end, ':');
        let key = entry.key.map_or(0, |key| key.offset);
        let inner = format!("{}  ", self.indentation(key));
        let is_new_block = parent.is_block && is_block(value);
        let is_old_block = entry.value.is_block && entry.value.place.is_some_and(|place| place.offset == start);
        let end = self.trimmed(start, end);
        let is_below = self.before(start).trim().is_empty() && start > colon;
        if start == end {
            let at = if is_new_block { self.line_end_after(colon) } else { colon };
            let new = if is_new_block { self.block(value, &inner) } else { format!(" {}", inline(value)) };
            return self.with(&[(at..at, &new)]);
        }
        let is_text = matches!(entry.value.data, Data::Text(_));
        match (is_old_block, is_new_block) {
            (false, false) => self.with(&[(start..end, &inline(value))]),
            // A comment may follow the old value in its line.
            (false, true) => {
                let at = self.line_end_after(end);
                self.with(&[(self.trimmed(0, start).max(colon)..end, ""), (at..at, &self.block(value, &inner))])
            }
            (true, true) if is_below && !is_text => {
                let present = self.before(start);
                // A list may be indented as its key, a mapping may not.
                let is_deep = value.is_array() || present.len() >= inner.len() - 1;
                let block = self.block(value, if is_deep { present } else { &inner });
                self.with(&[(start - present.len()..end, block.trim_start_matches(['\r', '\n']))])
            }
            (true, false) if is_below && !is_text => {
                let from = self.trimmed(0, start - self.before(start).len()).max(colon);
                let lines = self.line_end_after(from)..end;
                self.with(&[(colon..colon, &format!(" {}", inline(value))), (lines, "")])
            }
            (true, true) => self.with(&[(colon..end, &self.block(value, &inner))]),
            (true, false) => self.with(&[(colon..end, &format!(" {}", inline(value)))]),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorCode;
    use crate::config::{Config, load, resolve};
    use crate::port::memory::{MemoryClock, MemoryFs};
    use proptest::prelude::*;
    use serde_json::json;

    fn read(text: &str) -> Config {
        resolve(Sources { project: Some(text.as_bytes()), ..Sources::default() }).unwrap()
    }

    #[test]
    fn a_change_touches_nothing_else() {
        let cases = [
            // Scalars.
            (
                "defaults:\n  maxIterations: 5 # few\n  maxRetries: 1\n",
                json!({ "defaults": { "maxIterations": 7 } }),
                "defaults:\n  maxIterations: 7 # few\n  maxRetries: 1\n",
            ),
            ("git:\n  branch: 'spec'  # x", json!({ "git": { "branch": "current" } }), "git:\n  branch: current  # x"),
            (
                "defaults:\n  executor:  # pick\nx: 1\n",
                json!({ "defaults": { "executor": "a" } }),
                "defaults:\n  executor: a  # pick\nx: 1\n",
            ),
            ("x: |\n  text\n  more\n\n# after\ny: 1\n", json!({ "x": "no" }), "x: \"no\"\n\n# after\ny: 1\n"),
            ("x: >-\n  text\n", json!({ "x": ["a"] }), "x:\n  - a\n"),
            ("x: &a 1\ny: 2\n", json!({ "x": 3 }), "x: 3\ny: 2\n"),
            ("a: &a 1\nx: *a # c\n", json!({ "x": 3 }), "a: &a 1\nx: 3 # c\n"),
            // Missing keys.
            ("", json!({ "rules": ["a b", "c"] }), "rules:\n  - \"a b\"\n  - c\n"),
            ("# mine", json!({ "defaults": { "maxRetries": 0 } }), "# mine\ndefaults:\n  maxRetries: 0\n"),
            ("a: 1", json!({ "b": 2 }), "a: 1\nb: 2"),
            (
                "defaults:\n    maxRetries: 1 # c\n\n# next\nrules: []\n",
                json!({ "defaults": { "maxIterations": 2 } }),
                "defaults:\n    maxRetries: 1 # c\n    maxIterations: 2\n\n# next\nrules: []\n",
            ),
            (
                "defaults: # c\nrules: []\n",
                json!({ "defaults": { "maxIterations": 2 } }),
                "defaults: # c\n  maxIterations: 2\nrules: []\n",
            ),
            ("defaults: ~ # c\n", json!({ "defaults": { "maxIterations": 2 } }), "defaults: # c\n  maxIterations: 2\n"),
            (
                "defaults: { maxRetries: 1, }\n",
                json!({ "defaults": { "maxIterations": 2 } }),
                "defaults: { maxRetries: 1, maxIterations: 2, }\n",
            ),
            ("defaults: {}\n", json!({ "defaults": { "maxIterations": 2 } }), "defaults: {maxIterations: 2}\n"),
            ("a: &m { x: 1 }\nb:\n  <<: *m\n", json!({ "b": { "x": 2 } }), "a: &m { x: 1 }\nb:\n  <<: *m\n  x: 2\n"),
            // Lists.
            ("rules: [a, b] # c\n", json!({ "rules": ["d"] }), "rules: # c\n  - d\n"),
            (
                "rules:\n# c\n- a\n- b\n# d\nx: 1\n",
                json!({ "rules": ["d", "e"] }),
                "rules:\n# c\n- d\n- e\n# d\nx: 1\n",
            ),
            ("rules: # b\n  # c\n  - a\n  - b\n\nx: 1\n", json!({ "rules": [] }), "rules: [] # b\n  # c\n\nx: 1\n"),
            ("rules: &r\n  - a\n", json!({ "rules": ["b"] }), "rules:\n  - b\n"),
            (
                "tools:\n  executors: []\n",
                json!({ "tools": { "executors": [{ "id": "a", "name": "b c" }] } }),
                "tools:\n  executors:\n    - id: a\n      name: \"b c\"\n",
            ),
            // Removal.
            ("a: 1\n  # c\nb: 2 # d\nc: 3\n", json!({ "b": null }), "a: 1\n  # c\nc: 3\n"),
            ("a: { x: 1, y: 2 }\n", json!({ "a": { "x": null } }), "a: { y: 2 }\n"),
            ("a: { x: 1, y: 2 }\n", json!({ "a": { "y": null } }), "a: { x: 1 }\n"),
            ("rules:\n  - a\n  - b", json!({ "rules": null }), ""),
            ("a: 1\n", json!({ "b": null, "c": { "d": null } }), "a: 1\n"),
            // Several.
            ("a: 1\nb: 2\n", json!({ "a": null, "b": 3, "c": { "d": 4, "e": 5 } }), "b: 3\nc:\n  d: 4\n  e: 5\n"),
        ];
        for (text, changes, expected) in cases {
            assert_eq!(edit(text, &changes).unwrap(), expected, "{text}");
            let windows = |text: &str| format!("\u{feff}{}", text.replace('\n', "\r\n"));
            if text.contains('\n') {
                assert_eq!(edit(&windows(text), &changes).unwrap(), windows(expected), "{text} with a mark and CRLF");
            }
        }
    }

    #[test]
    fn a_text_is_read_back_as_it_was() {
        for text in [
            "no",
            "1e3",
            "",
            "a: b",
            "# x",
            "'",
            "\"",
            "a\nb",
            "\u{85}\u{2028}\u{feff}\0\u{7f}é😀",
            "- a",
            "~",
            "*a",
            "{",
        ] {
            let edited = edit("x: 1\n", &json!({ "y": { text: text }, "z": [text] })).unwrap();
            let values = read(&edited).values;
            assert_eq!((&values["y"][text], &values["z"][0]), (&json!(text), &json!(text)), "{edited}");
        }
    }

    #[test]
    fn a_change_that_cannot_be_made_is_refused() {
        let cases = [
            (
                "defaults:\n  maxIterations: 5\n",
                json!({ "defaults": { "maxIterations": 21 } }),
                "`defaults.maxIterations`",
            ),
            ("rules: [a\n", json!({ "rules": [] }), "YAML"),
            ("- a\n", json!({ "rules": [] }), "mapping"),
            ("a: &a { x: 1 }\nb: *a\n", json!({ "b": { "x": 2 } }), "other values"),
            ("a: &a { x: 1 }\nb: *a\n", json!({ "a": null }), "YAML"),
            ("a: { x: 1 }\n", json!([1]), "mapping"),
            ("tools: { executors: [{ id: a }] }", json!({ "defaults": { "executor": "b" } }), "`defaults.executor`"),
            ("", json!({ "rules": "a" }), "`rules`"),
        ];
        for (text, changes, words) in cases {
            let error = edit(text, &changes).unwrap_err();
            assert_eq!(error.code, ErrorCode::InvalidConfig, "{text}");
            assert!(error.message.contains(words), "{text}: {}", error.message);
        }
    }

    #[test]
    fn a_change_can_repair_a_value_and_name_an_id_of_another_layer() {
        let changes = json!({ "defaults": { "maxIterations": 3, "executor": "of-the-global-layer" } });
        let edited = edit("defaults: { maxIterations: 99 }\n", &changes).unwrap();
        assert_eq!(edited, "defaults: { maxIterations: 3, executor: of-the-global-layer }\n");
    }

    #[tokio::test]
    async fn a_save_creates_the_file_and_writes_nothing_if_it_is_refused() {
        let fs = MemoryFs::new(&MemoryClock::default());
        let dir = ProjectDir::new(&fs, "/project");
        fs.put_dir("/project");
        save(dir, &json!({ "defaults": { "maxIterations": 9.0 } })).await.unwrap();
        assert_eq!(load(dir, None, None).await.unwrap().settings.defaults.max_iterations, 9);
        let (writes, text) = (fs.writes(), fs.text("/project/.handoff/config.yaml"));
        assert_eq!(text.as_deref(), Some("defaults:\n  maxIterations: 9\n"));
        assert!(save(dir, &json!({ "defaults": { "maxIterations": 0 } })).await.is_err());
        save(dir, &json!({ "defaults": { "maxIterations": 9 } })).await.unwrap();
        assert_eq!(fs.writes(), writes);
    }

    const TEXTS: [&str; 4] = [
        "# c0\ndefaults: # c1\n  # c2\n  maxIterations: 3 # c3\n  # c4\n\n  maxRetries: 1\n# c5\nrules: # c6\n  # c7\n  - a\n  - 'b'\n  # c8\nunknown:\n  deep: { a: 1, b: [x, y] } # c9\n# c10\n",
        "{ defaults: { maxIterations: 3 }, rules: [a, b], unknown: { deep: { a: 1 } } } # c0",
        "# c0\n---\nrules: [a] # c1\ndefaults: {} # c2\nunknown:\n    # c3\n    deep:\n        a: |\n            text\n\n            more\n\n# c4\n",
        "defaults:\n  maxIterations: 3\nunknown:\n  deep:\n    # c0\n    a:\n    - b: 1\n      c: 2\n    - - d\n      - e\n\n\n    # c1\nsummaries: { enabled: false }\nrules:\n- a\n",
    ];

    fn change() -> impl Strategy<Value = Value> {
        let text =
            prop_oneof!["[a-z]{1,4}", "[ -~é😀\n]{1,8}"].prop_filter("blank", |text: &String| !text.trim().is_empty());
        let texts = prop::collection::vec(text, 0..3);
        let optional = |value: BoxedStrategy<Value>| prop_oneof![3 => value, 1 => Just(Value::Null)];
        let iterations = optional((1..20_u32).prop_map(Value::from).boxed());
        let list = texts.prop_map(Value::from).boxed();
        let deep = prop_oneof![
            list.clone(),
            any::<f32>().prop_map(Value::from),
            any::<bool>().prop_map(Value::from),
            list.clone().prop_map(|list| json!([{ "x": list.clone(), "y z": [list] }])),
            list.clone().prop_map(|list| json!({ "inner": { "most": list } })),
        ];
        let steps = prop::collection::vec("[a-z ]{0,3}[a-z]", 0..3).prop_map(|names| {
            names.into_iter().map(|name| json!({ "name": name, "command": format!("run {name}") })).collect::<Value>()
        });
        let fields = (
            optional(iterations.boxed()),
            optional(list),
            optional(deep.boxed()),
            optional(steps.boxed()),
            any::<u8>(),
        );
        fields.prop_map(|(iterations, rules, deep, steps, chosen)| {
            let mut changes = json!({
                "defaults": { "maxIterations": iterations },
                "rules": rules,
                "unknown": { "deep": { "a": deep }, "new": 1 },
                "verification": { "steps": steps },
            });
            let mut bit = 0;
            changes.as_object_mut().unwrap().retain(|_, _| {
                bit += 1;
                chosen & (1 << bit) != 0
            });
            changes
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        #[test]
        fn a_change_sets_its_values_and_leaves_all_others_and_the_comments(
            text in prop::sample::select(&TEXTS[..]),
            is_windows: bool,
            first in change(),
            second in change(),
        ) {
            let mut text = if is_windows { text.replace('\n', "\r\n") } else { text.to_owned() };
            for changes in [first, second] {
                let edited = edit(&text, &changes).unwrap();
                let mut expected = values(&text).unwrap();
                let mut normal = changes.clone();
                integral(&mut normal);
                apply(&mut expected, &normal);
                prop_assert_eq!(values(&edited).unwrap(), expected, "{}", &edited);
                // What is removed or replaced takes the comments in it along.
                let has_removed = changes.to_string().contains("null");
                for comment in text.match_indices("# c").map(|(at, _)| text[at..].split_whitespace().nth(1).unwrap()) {
                    prop_assert!(has_removed || edited.contains(comment), "{comment} is lost:\n{text}\n{changes}\n{edited}");
                }
                prop_assert_eq!(is_windows && edited.replace("\r\n", "").contains('\n'), false);
                text = edited;
            }
        }
    }
}
