//! YAML text and JSON values as one tree, whose nodes have their places in the text.
//!
//! A plain scalar has no type of its own here: the key that it belongs to decides how it is read, so `no` and `1e3` are
//! texts where a text belongs. An alias shares the node of its anchor, so no expansion takes memory, and what a reader of
//! the tree will meet is counted while the tree is built.

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span, Tag};
use serde_json::Value;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Bytes of the longest text that is read.
pub(super) const MAX_BYTES: usize = 1_000_000;
/// How deep lists and mappings may be nested, aliases expanded.
const MAX_DEPTH: usize = 32;
/// The budget of a tree with its aliases expanded: the bytes of its texts, and [`NODE_COST`] for each node.
const MAX_COST: usize = 4_000_000;
const NODE_COST: usize = 32;

/// Where something is in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// In bytes from the start of the text.
    pub offset: usize,
    /// 1-based.
    pub line: u32,
    /// 1-based, in UTF-16 code units.
    pub column: u32,
}

/// Why a layer is refused.
#[derive(Debug)]
pub(super) struct Fault {
    /// What is wrong and what to write, without the place.
    pub message: String,
    /// `None` for JSON.
    pub place: Option<Place>,
}

#[derive(Debug)]
pub(super) struct Node {
    pub data: Data,
    /// `None` for JSON.
    pub place: Option<Place>,
    /// The offset after its last character; for a block of text, after the line breaks that follow it.
    pub end: usize,
    /// Written by indentation: a list or a mapping without brackets, a text after `|` or `>`.
    pub is_block: bool,
    /// With everything in it, aliases expanded.
    cost: usize,
    height: usize,
}

#[derive(Debug)]
pub(super) enum Data {
    /// A scalar without quotes, as it is written.
    Plain(String),
    /// A text with quotes, a block of text, or a JSON string.
    Text(String),
    /// A number or a boolean of JSON.
    Literal(Value),
    List(Vec<Rc<Node>>),
    /// In the order of the text, each name once; the entries of merge keys last.
    Map(Vec<Entry>),
}

#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub name: String,
    /// `None` for JSON.
    pub key: Option<Place>,
    /// The offset after the key.
    pub key_end: usize,
    pub value: Rc<Node>,
    /// The offsets of the value, or of the alias that names it.
    pub span: (usize, usize),
    /// A merge key (`<<`) of the mapping brings it.
    pub is_merged: bool,
}

impl Node {
    /// Whether nothing is written, which means that the layer sets nothing here.
    pub(super) fn is_null(&self) -> bool {
        matches!(&self.data, Data::Plain(text) if matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL"))
    }

    /// The value as YAML reads it without a schema.
    pub(super) fn to_json(&self) -> Value {
        match &self.data {
            Data::Plain(text) => match text.as_str() {
                _ if self.is_null() => Value::Null,
                "true" | "True" | "TRUE" => Value::Bool(true),
                "false" | "False" | "FALSE" => Value::Bool(false),
                text => serde_json::from_str(text).map_or_else(|_| Value::from(text), Value::Number),
            },
            Data::Text(text) => Value::from(text.as_str()),
            Data::Literal(value) => value.clone(),
            Data::List(items) => items.iter().map(|item| item.to_json()).collect(),
            Data::Map(entries) => {
                let set = entries.iter().filter(|entry| !entry.value.is_null());
                set.map(|entry| (entry.name.clone(), entry.value.to_json())).collect()
            }
        }
    }

    fn new(data: Data, place: Option<Place>, end: usize, is_block: bool) -> Self {
        let (mut cost, mut height) = (NODE_COST, 0);
        match &data {
            Data::Plain(text) | Data::Text(text) => cost += text.len(),
            Data::Literal(_) => {}
            Data::List(items) => items.iter().for_each(|item| add(item, &mut cost, &mut height)),
            Data::Map(entries) => {
                for entry in entries {
                    cost += entry.name.len();
                    add(&entry.value, &mut cost, &mut height);
                }
            }
        }
        Self { data, place, end, is_block, cost, height }
    }

    /// # Errors
    /// A value that is nested too deep.
    pub(super) fn from_json(value: &Value) -> Result<Rc<Self>, Fault> {
        nested(value, MAX_DEPTH).ok_or_else(|| too_deep(None))
    }
}

fn add(child: &Node, cost: &mut usize, height: &mut usize) {
    *cost += child.cost;
    *height = (*height).max(child.height + 1);
}

/// `None` where the value is nested deeper than `levels`.
fn nested(value: &Value, levels: usize) -> Option<Rc<Node>> {
    let below = levels.checked_sub(1)?;
    let data = match value {
        Value::Null => Data::Plain(String::new()),
        Value::String(text) => Data::Text(text.clone()),
        Value::Bool(_) | Value::Number(_) => Data::Literal(value.clone()),
        Value::Array(items) => Data::List(items.iter().map(|item| nested(item, below)).collect::<Option<_>>()?),
        Value::Object(fields) => {
            let entry = |(name, value): (&String, &Value)| {
                let value = nested(value, below)?;
                Some(Entry { name: name.clone(), key: None, key_end: 0, value, span: (0, 0), is_merged: false })
            };
            Data::Map(fields.iter().map(entry).collect::<Option<_>>()?)
        }
    };
    Some(Rc::new(Node::new(data, None, 0, false)))
}

/// Reads a text without a byte order mark; `None` if it has no content.
///
/// # Errors
/// A text that is too long, is not YAML, has two documents, a key twice or a tag of its own, is nested too deep, or that
/// its aliases make too large.
pub(super) fn parse(text: &str) -> Result<Option<Rc<Node>>, Fault> {
    if text.len() > MAX_BYTES {
        let message = format!("the text has {} bytes: write at most {MAX_BYTES}", text.len());
        return Err(Fault { message, place: None });
    }
    let mut builder = Builder { places: Places::new(text), open: Vec::new(), anchors: Vec::new(), cost: 0, root: None };
    let mut documents = 0;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| Fault {
            message: format!("this is not valid YAML: {}", error.info()),
            place: Some(builder.places.at(*error.marker())),
        })?;
        if matches!(event, Event::DocumentStart(_)) {
            documents += 1;
            if documents > 1 {
                return Err(builder.fault(span, "a second YAML document begins here: write only one"));
            }
        }
        builder.event(event, span)?;
    }
    Ok(builder.root)
}

struct Builder<'t> {
    places: Places<'t>,
    open: Vec<Open>,
    /// By the number of the anchor.
    anchors: Vec<Option<Rc<Node>>>,
    /// Of the tree so far.
    cost: usize,
    root: Option<Rc<Node>>,
}

/// A list or a mapping that has not ended.
struct Open {
    start: Place,
    /// The offset after the last value or key so far.
    last: usize,
    anchor: usize,
    content: Content,
}

enum Content {
    List(Vec<Rc<Node>>),
    Map { entries: Vec<Entry>, names: BTreeSet<String>, key: Option<Key>, merged: Vec<Rc<Node>> },
}

struct Key {
    name: String,
    place: Place,
    end: usize,
    is_merge: bool,
}

impl Builder<'_> {
    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), Fault> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let is_plain = self.is_plain(style, tag.as_deref(), span)?;
                let text_len = text.len();
                let data = if is_plain { Data::Plain(text.into_owned()) } else { Data::Text(text.into_owned()) };
                let (place, mut end) = self.places.place_of(span);
                if matches!(style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted) {
                    end = self.places.end_of_quoted(place.offset, end);
                }
                let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
                self.spend(NODE_COST + text_len, span)?;
                self.add(Node::new(data, Some(place), end, is_block), place, anchor)
            }
            Event::SequenceStart(anchor, tag) => self.open(Content::List(Vec::new()), anchor, tag.as_deref(), span),
            Event::MappingStart(anchor, tag) => {
                let content =
                    Content::Map { entries: Vec::new(), names: BTreeSet::new(), key: None, merged: Vec::new() };
                self.open(content, anchor, tag.as_deref(), span)
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(span),
            Event::Alias(anchor) => {
                let Some(node) = self.anchors.get(anchor).cloned().flatten() else {
                    return Err(self.fault(span, "this alias is inside its own anchor: write the value"));
                };
                self.spend(node.cost, span)?;
                let (place, end) = self.places.place_of(span);
                self.place(node, place, end)
            }
            _ => Ok(()),
        }
    }

    /// Whether the key decides the type of the scalar.
    fn is_plain(&mut self, style: ScalarStyle, tag: Option<&Tag>, span: Span) -> Result<bool, Fault> {
        match tag {
            None => Ok(style == ScalarStyle::Plain),
            Some(tag) if tag.is_yaml_core_schema() => Ok(tag.suffix != "str"),
            Some(tag) if tag.handle.is_empty() && tag.suffix == "!" => Ok(false),
            Some(tag) => Err(self.fault(span, &format!("the tag `{tag}` is unknown: remove it"))),
        }
    }

    fn open(&mut self, content: Content, anchor: usize, tag: Option<&Tag>, span: Span) -> Result<(), Fault> {
        self.is_plain(ScalarStyle::Plain, tag, span)?;
        let mut start = self.places.at(span.start);
        if matches!(content, Content::List(_)) && span.is_empty() {
            start = self.places.start_of_list(start);
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(too_deep(Some(start)));
        }
        self.open.push(Open { start, last: start.offset, anchor, content });
        Ok(())
    }

    fn close(&mut self, span: Span) -> Result<(), Fault> {
        let Some(Open { start, last, anchor, content }) = self.open.pop() else { return Ok(()) };
        // The end of a block comes with the next token, which may be many lines below.
        let is_block = span.is_empty();
        let end = if is_block { last } else { self.places.end_of_flow(span) };
        let data = match content {
            Content::List(items) => Data::List(items),
            Content::Map { mut entries, mut names, merged, .. } => {
                for source in merged {
                    self.merge(&mut entries, &mut names, &source, span)?;
                }
                Data::Map(entries)
            }
        };
        self.spend(NODE_COST, span)?;
        self.add(Node::new(data, Some(start), end, is_block), start, anchor)
    }

    /// Adds what a merge key names; the mapping's own entries win, then the first source.
    fn merge(
        &mut self,
        entries: &mut Vec<Entry>,
        names: &mut BTreeSet<String>,
        source: &Rc<Node>,
        span: Span,
    ) -> Result<(), Fault> {
        match &source.data {
            Data::Map(more) => {
                for entry in more {
                    if names.insert(entry.name.clone()) {
                        self.spend(NODE_COST + entry.name.len() + entry.value.cost, span)?;
                        entries.push(Entry { is_merged: true, ..entry.clone() });
                    }
                }
                Ok(())
            }
            Data::List(sources) if sources.iter().all(|source| matches!(source.data, Data::Map(_))) => {
                sources.iter().try_for_each(|source| self.merge(entries, names, source, span))
            }
            _ => Err(self.fault(span, "the merge key `<<` of this mapping needs a mapping or a list of them")),
        }
    }

    /// Adds a node that is written here.
    fn add(&mut self, node: Node, place: Place, anchor: usize) -> Result<(), Fault> {
        let end = node.end;
        let node = Rc::new(node);
        if anchor > 0 {
            self.anchors.resize(self.anchors.len().max(anchor + 1), None);
            if let Some(anchored) = self.anchors.get_mut(anchor) {
                *anchored = Some(node.clone());
            }
        }
        self.place(node, place, end)
    }

    /// Puts a node into what is open.
    fn place(&mut self, node: Rc<Node>, place: Place, end: usize) -> Result<(), Fault> {
        if self.open.len() + node.height > MAX_DEPTH {
            return Err(too_deep(Some(place)));
        }
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        open.last = end;
        match &mut open.content {
            Content::List(items) => items.push(node),
            Content::Map { entries, names, key, merged } => match key.take() {
                None => {
                    let (Data::Plain(name) | Data::Text(name)) = &node.data else {
                        let message = "a list or a mapping is the key here: write a name".to_owned();
                        return Err(Fault { message, place: Some(place) });
                    };
                    let is_merge = name == "<<" && matches!(node.data, Data::Plain(_));
                    *key = Some(Key { name: name.clone(), place, end, is_merge });
                }
                Some(key) if key.is_merge => merged.push(node),
                Some(Key { name, place: key, end: key_end, .. }) => {
                    if !names.insert(name.clone()) {
                        let message = format!("the key `{name}` occurs twice in this mapping: remove one");
                        return Err(Fault { message, place: Some(key) });
                    }
                    let span = (place.offset, end);
                    entries.push(Entry { name, key: Some(key), key_end, value: node, span, is_merged: false });
                }
            },
        }
        Ok(())
    }

    fn spend(&mut self, cost: usize, span: Span) -> Result<(), Fault> {
        self.cost += cost;
        if self.cost <= MAX_COST {
            return Ok(());
        }
        Err(self.fault(span, "the text is too large here, with its aliases expanded: write fewer values"))
    }

    fn fault(&mut self, span: Span, message: &str) -> Fault {
        Fault { message: message.to_owned(), place: Some(self.places.at(span.start)) }
    }
}

fn too_deep(place: Option<Place>) -> Fault {
    Fault { message: format!("the value is nested deeper than {MAX_DEPTH} levels: flatten it"), place }
}

/// Converts the parser's places, which count characters. They come in the order of the text.
struct Places<'t> {
    text: &'t str,
    index: usize,
    offset: usize,
    /// In UTF-16 code units, 0-based.
    column: usize,
}

impl<'t> Places<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, index: 0, offset: 0, column: 0 }
    }

    fn at(&mut self, marker: Marker) -> Place {
        if marker.index() < self.index {
            *self = Self::new(self.text);
        }
        for c in self.text.get(self.offset..).unwrap_or_default().chars().take(marker.index() - self.index) {
            self.offset += c.len_utf8();
            self.column = if matches!(c, '\n' | '\r') { 0 } else { self.column + c.len_utf16() };
        }
        self.index = marker.index();
        Place { offset: self.offset, line: marker.line() as u32, column: self.column as u32 + 1 }
    }

    /// The start of a span, and the offset of its end.
    fn place_of(&mut self, span: Span) -> (Place, usize) {
        let start = self.at(span.start);
        (start, self.at(span.end).offset)
    }

    /// The place of the first dash. A list that is indented as its key begins after it for the parser.
    fn start_of_list(&self, place: Place) -> Place {
        let (before, after) = self.text.split_at_checked(place.offset).unwrap_or_default();
        match before.trim_end_matches(' ') {
            dash if dash.ends_with('-') && !after.starts_with('-') => {
                let back = before.len() - dash.len() + 1;
                Place { offset: place.offset - back, column: place.column - back as u32, ..place }
            }
            _ => place,
        }
    }

    /// The offset after the bracket that closes a list or a mapping. After a comma, it is the span of the comma.
    fn end_of_flow(&mut self, span: Span) -> usize {
        let start = self.at(span.start).offset;
        let rest = self.text.get(start..).unwrap_or_default();
        start + rest.find(['}', ']']).map_or(0, |at| at + 1)
    }

    /// The offset after the quote that closes a text. The span of the parser has the comment after it as well.
    fn end_of_quoted(&self, start: usize, end: usize) -> usize {
        let text = self.text.get(start..end).unwrap_or_default();
        let mut chars = text.char_indices().skip_while(|(_, c)| !matches!(c, '\'' | '"')).peekable();
        let Some((_, quote)) = chars.next() else { return end };
        while let Some((at, c)) = chars.next() {
            let is_escaped =
                c == '\\' && quote == '"' || c == '\'' && quote == c && chars.peek().is_some_and(|next| next.1 == c);
            if is_escaped {
                chars.next();
            } else if c == quote {
                return start + at + 1;
            }
        }
        end
    }
}
