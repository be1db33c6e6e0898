//! A part's own source: its file, the data that it renders, and its texts.

use super::evaluate::{json_at, messages};
use super::reach::declares;
use super::sources::{FileId, Sources};
use super::walk::{Use, Walk, chain};
use crate::js::tree::Parsed;
use crate::js::tree::{Declaration, Expression, Property, Statement};

/// Own source without white space, line breaks and comments.
#[derive(Debug, Default)]
pub(super) struct OwnSource {
    /// The text of the part's file and of its declarations in other files.
    pub text: String,
    pub data: Vec<Piece>,
    /// The statements of the part's file that are not only data.
    code: Vec<String>,
}

impl OwnSource {
    /// For a part that shares its file: what it renders.
    pub(super) fn rendered(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    /// Whether only locations differ: file paths and import specifiers are ignored.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let texts = |own: &Self| {
            let mut texts: Vec<String> = own.data.iter().map(|piece| unexported(&piece.text).to_owned()).collect();
            texts.sort();
            texts
        };
        self.text == other.text && texts(self) == texts(other)
    }

    /// Whether the code is the same and only data may have moved to another file.
    pub(super) fn is_moved(&self, other: &Self) -> bool {
        let places = |own: &Self| {
            let mut places: Vec<String> = own.data.iter().map(|piece| piece.path.clone()).collect();
            places.sort();
            places.dedup();
            places
        };
        self.code == other.code && places(self) != places(other)
    }
}

/// A statement without `export`.
fn unexported(text: &str) -> &str {
    let text = text.strip_prefix("export ").unwrap_or(text);
    text.strip_prefix("default ").unwrap_or(text)
}

/// A declaration, or a subtree of translations, in another file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Piece {
    pub path: String,
    pub name: String,
    pub text: String,
}

/// Why the own source cannot be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    Broken {
        path: String,
        line: usize,
        message: String,
    },
    /// The file exceeds the parser's limits.
    Unreadable {
        path: String,
    },
}

/// The own source of the part in this file.
///
/// # Errors
/// The first of its files that cannot be read.
pub(super) fn own_source(sources: &Sources<'_>, file: FileId) -> Result<OwnSource, Fault> {
    let Some(module) = sources.module(file) else {
        return Err(fault(sources, file).unwrap_or(unreadable(sources, file)));
    };
    let mut own = Own { sources, data: Vec::new(), seen: Vec::new(), next: Vec::new() };
    own.uses_of(file, &module.body, true)?;
    while let Some(wanted) = own.next.pop() {
        own.declaration(wanted)?;
    }
    let mut data = own.data;
    data.sort();
    let is_own = |name: &str| sources.resolve(file, name).is_some();
    let inner = module.specifiers.iter().filter(|(_, name)| is_own(name)).map(|(span, _)| *span);
    let mut blanks: Vec<(u32, u32)> = module.blanks.iter().copied().chain(inner).collect();
    blanks.sort();
    let declared = module.body.iter().filter_map(|statement| match statement {
        Statement::Declare(declaration) => Some(declaration),
        _ => None,
    });
    let code = declared.filter(|declaration| declaration.value.as_ref().is_some_and(has_code));
    let text = sources.text(file);
    let mut code: Vec<String> =
        code.map(|declaration| unexported(&stripped(text, &blanks, Some(declaration.span))).to_owned()).collect();
    code.sort();
    Ok(OwnSource { text: stripped(text, &blanks, None), data, code })
}

/// Whether the value contains a function or an element.
fn has_code(value: &Expression) -> bool {
    match value {
        Expression::Function(_) | Expression::Element(_) => true,
        Expression::Array(items) => items.iter().any(|item| has_code(&item.value)),
        Expression::Object(properties) => properties.iter().any(|property| match property {
            Property::Pair { value, .. } | Property::Spread(value) => has_code(value),
        }),
        Expression::Call(call) => call.arguments.iter().any(|argument| has_code(&argument.value)),
        _ => false,
    }
}

fn fault(sources: &Sources<'_>, file: FileId) -> Option<Fault> {
    match sources.parsed(file) {
        Parsed::Broken { line, message } => {
            Some(Fault::Broken { path: sources.path(file).to_owned(), line: *line, message: message.clone() })
        }
        Parsed::Unreadable => Some(unreadable(sources, file)),
        Parsed::Module(_) | Parsed::Data(_) | Parsed::Foreign => None,
    }
}

fn unreadable(sources: &Sources<'_>, file: FileId) -> Fault {
    Fault::Unreadable { path: sources.path(file).to_owned() }
}

/// A module's declaration, and the path of the field that is read.
type Wanted = (FileId, String, Vec<String>);

struct Own<'p, 's> {
    sources: &'p Sources<'s>,
    data: Vec<Piece>,
    seen: Vec<Wanted>,
    next: Vec<Wanted>,
}

impl<'p> Own<'p, '_> {
    /// Adds what code uses. JSON read by the part's own code belongs to the part; JSON read by a helper does not.
    fn uses_of(&mut self, file: FileId, statements: &'p [Statement], is_direct: bool) -> Result<(), Fault> {
        let mut uses = Vec::new();
        let mut visit = |used| uses.push(used);
        Walk::new(&mut visit).statements(statements);
        self.take(file, uses, is_direct)
    }

    fn take(&mut self, file: FileId, uses: Vec<Use<'p>>, is_direct: bool) -> Result<(), Fault> {
        for used in uses {
            match used {
                Use::Message(key) => {
                    let Some(messages) = messages(self.sources) else { continue };
                    let path = key.split(['.', ':']).filter(|part| !part.is_empty()).map(str::to_owned).collect();
                    self.json(messages, path)?;
                }
                Use::Name(name, path) => self.name(file, name, &path, is_direct)?,
                Use::Module(_) => {}
            }
        }
        Ok(())
    }

    fn name(&mut self, file: FileId, name: &str, path: &[&str], is_direct: bool) -> Result<(), Fault> {
        let Some(module) = self.sources.module(file) else { return Ok(()) };
        let place = module.imports_by_name.places(name).next();
        let Some(import) = place.and_then(|place| module.imports.get(place)) else {
            if !is_direct {
                let path = path.iter().map(|part| (*part).to_owned()).collect();
                self.next.push((file, name.to_owned(), path));
            }
            return Ok(());
        };
        let Some(source) = self.sources.resolve(file, &import.from) else { return Ok(()) };
        self.refuse_broken(source, 4)?;
        if fault(self.sources, source).is_some() {
            return Ok(());
        }
        let mut path: Vec<String> = path.iter().map(|part| (*part).to_owned()).collect();
        match self.sources.binding(file, name) {
            Some((source, exported)) if self.sources.module(source).is_none() => {
                let is_read = is_direct || !self.sources.path(source).contains("locales/");
                path.splice(0..0, exported);
                return if is_read { self.json(source, path) } else { Ok(()) };
            }
            Some((source, Some(exported))) => self.next.push((source, exported, path)),
            // A namespace import: one field, or all of it.
            Some((source, None)) => {
                let exports = self.sources.module(source).into_iter().flat_map(|module| &module.exports);
                let wanted = exports.filter(|export| path.first().is_none_or(|name| *name == export.name));
                for export in wanted {
                    if let Some((file, Some(name))) = self.sources.exported(source, &export.name) {
                        self.next.push((file, name, path.get(1..).unwrap_or_default().to_vec()));
                    }
                }
            }
            None => {}
        }
        Ok(())
    }

    /// Fails on data that does not parse, also through re-exports.
    fn refuse_broken(&self, file: FileId, hops: u32) -> Result<(), Fault> {
        let path = self.sources.path(file);
        if let (Some(fault), true) = (fault(self.sources, file), is_data(path)) {
            return Err(fault);
        }
        let Some(module) = self.sources.module(file).filter(|_| hops > 0) else { return Ok(()) };
        let passed_on = module.exports.iter().filter_map(|export| export.from.as_deref());
        let mut sources = passed_on.filter_map(|from| self.sources.resolve(file, from));
        sources.try_for_each(|source| self.refuse_broken(source, hops - 1))
    }

    fn json(&mut self, file: FileId, path: Vec<String>) -> Result<(), Fault> {
        if let Some(fault) = fault(self.sources, file) {
            return Err(fault);
        }
        let Parsed::Data(data) = self.sources.parsed(file) else { return Ok(()) };
        // Lists and strings have no fields to follow: `items.map`, `title.length`.
        let is_object =
            |depth: &usize| path.get(..*depth).and_then(|path| json_at(data, path)).is_some_and(|at| at.is_object());
        let depth = (0..path.len()).take_while(is_object).count();
        let path = path.get(..depth).unwrap_or_default();
        let text = json_at(data, path).map(ToString::to_string).unwrap_or_default();
        self.add(file, path.join("."), text);
        Ok(())
    }

    /// Adds a declaration of another module: data with its dependencies; for functions, only the data that they use.
    fn declaration(&mut self, wanted: Wanted) -> Result<(), Fault> {
        if self.seen.contains(&wanted) {
            return Ok(());
        }
        let (file, name, path) = wanted.clone();
        self.seen.push(wanted);
        let Some(module) = self.sources.module(file) else { return Ok(()) };
        let place = self.sources.path(file);
        for statement in &module.body {
            let Statement::Declare(declaration) = statement else { continue };
            if !declares(&declaration.pattern, &name) {
                continue;
            }
            // An alias of a name or of a field.
            if let Some((alias, of)) = declaration.value.as_ref().and_then(chain) {
                let path: Vec<&str> = of.into_iter().chain(path.iter().map(String::as_str)).collect();
                self.name(file, alias, &path, false)?;
                continue;
            }
            let is_function = is_function(declaration);
            // Components and their files are shared.
            if is_function && super::locate::is_component_file(place) && !is_data_folder(place) {
                continue;
            }
            let mut uses = Vec::new();
            let mut visit = |used| uses.push(used);
            let mut walk = Walk::new(&mut visit);
            let (span, depth) = match declaration.value.as_ref().and_then(|value| field(value, &path)) {
                Some((span, value, depth)) => {
                    walk.expression(value);
                    (span, depth)
                }
                None => {
                    walk.declaration(declaration);
                    (declaration.span, 0)
                }
            };
            if !is_function || is_data_folder(place) {
                let fields = path.get(..depth).unwrap_or_default();
                let name = [std::slice::from_ref(&name), fields].concat().join(".");
                self.add(file, name, stripped(self.sources.text(file), &module.blanks, Some(span)));
            }
            self.take(file, uses, false)?;
        }
        Ok(())
    }

    fn add(&mut self, file: FileId, name: String, text: String) {
        let piece = Piece { path: self.sources.path(file).to_owned(), name, text };
        if !self.data.contains(&piece) {
            self.data.push(piece);
        }
    }
}

/// The innermost field that a path reaches in an object, with its byte range and the length of the path.
fn field<'e>(value: &'e Expression, path: &[String]) -> Option<((u32, u32), &'e Expression, usize)> {
    let Expression::Object(properties) = value else { return None };
    let (name, rest) = path.split_first()?;
    let found = properties.iter().rev().find_map(|property| match property {
        Property::Pair { span, key: Expression::Text(key), value } if **key == **name => Some((*span, value)),
        _ => None,
    });
    let (span, value) = found?;
    Some(field(value, rest).map_or((span, value, 1), |(span, value, depth)| (span, value, depth + 1)))
}

fn is_function(declaration: &Declaration) -> bool {
    match &declaration.value {
        Some(Expression::Function(_)) => true,
        Some(Expression::Call(call)) => {
            call.arguments.iter().any(|argument| matches!(argument.value, Expression::Function(_)))
        }
        _ => false,
    }
}

fn is_data_folder(path: &str) -> bool {
    path.split('/').any(|folder| matches!(folder, "data" | "content" | "locales" | "constants"))
}

/// Whether a file can hold data, by its folder or its extension.
fn is_data(path: &str) -> bool {
    is_data_folder(path) || [".ts", ".json", ".mjs", ".js"].iter().any(|extension| path.ends_with(extension))
}

/// A text or a range of it without white space and comments. White space between two words becomes one space.
pub(in crate::gate) fn stripped(text: &str, blanks: &[(u32, u32)], span: Option<(u32, u32)>) -> String {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let (mut at, end) = span.map_or((0, text.len()), |(start, end)| (start as usize, end as usize));
    let mut stripped = String::with_capacity(end.saturating_sub(at));
    let mut is_apart = false;
    let mut write = |part: &str| {
        for letter in part.chars() {
            if letter.is_whitespace() {
                is_apart = true;
                continue;
            }
            let joins = |other: char| other.is_alphanumeric() || other == '_' || other == '$';
            if is_apart && joins(letter) && stripped.ends_with(joins) {
                stripped.push(' ');
            }
            stripped.push(letter);
            is_apart = false;
        }
        is_apart = true;
    };
    for (from, to) in blanks {
        let (from, to) = (*from as usize, *to as usize);
        if to <= at || from >= end {
            continue;
        }
        write(text.get(at..from).unwrap_or_default());
        at = at.max(to);
    }
    write(text.get(at..end).unwrap_or_default());
    stripped
}
