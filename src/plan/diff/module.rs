//! A module of the sources, as far as the comparison asks: what it takes from elsewhere, what it gives, and what its
//! declarations render, name and call.

/// What a module holds. Names are those of the source.
#[derive(Debug, Default)]
pub(crate) struct Module<'s> {
    /// Relative to the project.
    pub path: &'s str,
    pub imports: Vec<Import<'s>>,
    pub exports: Vec<Export<'s>>,
    /// What it declares at its top level. The first stands for its statements and has no name.
    pub parts: Vec<Part<'s>>,
    /// The types that it declares.
    pub shapes: Vec<Shape<'s>>,
    /// Why it was not read, or not to its end.
    pub problem: Option<String>,
}

/// `import { name as local } from 'from'`. What is only a type is left out.
#[derive(Debug)]
pub(crate) struct Import<'s> {
    /// Empty where the module is only run.
    pub local: &'s str,
    pub from: &'s str,
    /// `default`, a name, or `*` for all.
    pub name: &'s str,
}

/// `export { local as name } from 'from'`.
#[derive(Debug)]
pub(crate) struct Export<'s> {
    /// `default`, a name, or `*` where every name of `from` is passed on.
    pub name: &'s str,
    pub from: Option<&'s str>,
    /// The name here, or in `from`; `*` for all.
    pub local: &'s str,
}

/// A declaration at the top level of a module.
#[derive(Debug)]
pub(crate) struct Part<'s> {
    /// `default` for a default export without a name.
    pub name: &'s str,
    pub uses: Vec<Use<'s>>,
}

/// Something that a part names.
#[derive(Debug)]
pub(crate) struct Use<'s> {
    pub kind: UseKind<'s>,
    pub text: &'s str,
    /// Where it stands; of a tag its whole element, of a route the element or the object that it belongs to.
    pub start: u32,
    pub end: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UseKind<'s> {
    /// `<Hero />`, `<UI.Hero />`.
    Tag,
    /// `<footer>`.
    HostTag,
    /// A name in an expression.
    Value,
    /// `UI.Hero` in an expression.
    Member,
    /// `import('./Hero')`, of which this name is taken.
    Load(&'s str),
    /// `data-gumdrop="hero"`, or the `id` of an element that is a section by its tag.
    Label,
    /// The path of a route; `/` for an index.
    Route,
    /// A text that something is compared with: `view === 'shop'`.
    Case,
    /// A text with a slash, where it is no attribute, no route and no import.
    Address,
    /// A whole text, a key, a property or a binding.
    Word,
}

/// A type with its fields.
#[derive(Debug)]
pub(crate) struct Shape<'s> {
    pub name: &'s str,
    /// `None` where they cannot all be seen here.
    pub fields: Option<Vec<&'s str>>,
}
