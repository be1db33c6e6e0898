//! Evaluates what a component renders without running it. The interpreter treats a condition that it cannot decide as
//! both true and false.
//!
//! | file | what |
//! |---|---|
//! | `value`, `node` | values, and what a component renders |
//! | `scope` | names, including names of other modules |
//! | `statement`, `expression`, `call`, `methods`, `builtins`, `jsx` | the language, as far as lists need it |

mod builtins;
mod call;
mod expression;
mod jsx;
mod methods;
mod node;
mod scope;
mod statement;
mod value;

pub(super) use call::{json_at, messages, translation_key};
pub(super) use methods::values;
pub(super) use node::{Element, Node};
pub(super) use value::{Entry, Identity, List, Origin, Record, Value};

use super::sources::{FileId, Sources};
use crate::js::tree::Function;
use scope::Scope;
use std::rc::Rc;

/// Maximum steps of one evaluation. An ordinary section takes a few thousand.
const MAX_STEPS: u32 = 200_000;
/// Maximum depth of nested expressions and calls. The stack of a wasm module is 1 MB.
const MAX_DEPTH: u32 = 120;
/// Maximum items of one list. Further items are unknown.
const MAX_ITEMS: usize = 2_000;

/// Evaluates the components of one state.
pub(super) struct Evaluator<'p, 's> {
    pub sources: &'p Sources<'s>,
    scopes: Vec<Scope>,
    /// The scopes of evaluated modules.
    modules: Vec<(FileId, usize)>,
    /// Files of components that are parts of their own; they are not evaluated.
    closed: Vec<FileId>,
    /// The props that these components were given.
    given: Vec<(FileId, Record)>,
    steps: u32,
    depth: u32,
    /// Components being rendered, to stop recursion.
    rendering: Vec<Rc<Function>>,
    /// Number of enclosing conditions that cannot be decided.
    unsure: u32,
    /// Number of enclosing loops over unknown items.
    repeating: u32,
}

impl<'p, 's> Evaluator<'p, 's> {
    pub(super) fn new(sources: &'p Sources<'s>, closed: Vec<FileId>) -> Self {
        Self {
            sources,
            scopes: Vec::new(),
            modules: Vec::new(),
            closed,
            given: Vec::new(),
            rendering: Vec::new(),
            steps: 0,
            depth: 0,
            unsure: 0,
            repeating: 0,
        }
    }

    /// What a component renders with these props; `None` if the module has no such component.
    pub(super) fn render(&mut self, file: FileId, component: &str, props: Value) -> Option<Vec<Node>> {
        let value = self.of_module(file, component);
        let Value::Function(component) = self.component(value) else { return None };
        let rendered = self.apply(&component, vec![props]);
        Some(Node::from_value(&rendered))
    }

    /// The props of a part's component where it is rendered. State and other changing values are unknown.
    pub(super) fn given(&self, file: FileId) -> Option<Value> {
        let mut given = self.given.iter().filter(|(known, _)| *known == file);
        given.next().map(|(_, props)| Value::Record(Rc::new(Record { is_open: true, ..props.clone() })).into_state())
    }

    /// Counts steps for the creation of items.
    fn steps_for(&mut self, items: usize) {
        self.steps = self.steps.saturating_add(items as u32);
    }

    /// Counts a step. Returns false past the limits; the result is then unknown.
    fn step(&mut self) -> bool {
        self.steps += 1;
        self.steps < MAX_STEPS && self.depth < MAX_DEPTH
    }
}
