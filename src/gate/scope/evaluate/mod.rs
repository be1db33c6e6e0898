//! What the sources show of what a component renders, without running it: an interpreter for which a condition that it
//! cannot decide is true and false at once.
//!
//! | file | what |
//! |---|---|
//! | `value`, `node` | what an expression is, what a component renders |
//! | `scope` | names, also those of other modules |
//! | `statement`, `expression`, `call`, `methods`, `builtins`, `jsx` | the language, as far as lists go |

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
pub(super) use node::{Each, Element, Node, Row};
pub(super) use value::{Entry, Identity, Origin, Record, Value};

use super::sources::{FileId, Sources};
use crate::js::tree::Function;
use scope::Scope;
use std::rc::Rc;

/// Steps of one evaluation; an ordinary section takes some thousands.
const MAX_STEPS: u32 = 200_000;
/// Expressions within expressions, also through calls. The stack of a wasm module is 1 MB.
const MAX_DEPTH: u32 = 120;
/// Items of one list. What is more stays unknown.
const MAX_ITEMS: usize = 2_000;

/// Evaluates the components of one side of the comparison.
pub(super) struct Evaluator<'p, 's> {
    pub sources: &'p Sources<'s>,
    scopes: Vec<Scope>,
    /// The scope of each module that was evaluated.
    modules: Vec<(FileId, usize)>,
    /// Files whose components are parts of their own, and are not looked into.
    closed: Vec<FileId>,
    /// What those components were given.
    given: Vec<(FileId, Record)>,
    steps: u32,
    depth: u32,
    /// Components that are being rendered: one that renders itself has no end.
    rendering: Vec<Rc<Function>>,
    /// How many conditions that nobody can decide are around.
    unsure: u32,
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
        }
    }

    /// What a component renders with these props; `None` where the module has no such component.
    pub(super) fn render(&mut self, file: FileId, component: &str, props: Value) -> Option<Vec<Node>> {
        let value = self.of_module(file, component);
        let Value::Function(component) = self.component(value) else { return None };
        let rendered = self.apply(&component, vec![props]);
        Some(Node::of(&rendered))
    }

    /// The props that the component of a part was given where it was rendered; values that can change are unknown.
    pub(super) fn given(&self, file: FileId) -> Option<Value> {
        let mut given = self.given.iter().filter(|(known, _)| *known == file);
        given.next().map(|(_, props)| Value::Record(Rc::new(Record { is_open: true, ..props.clone() })).into_state())
    }

    /// Making so many items takes steps as well.
    fn steps_for(&mut self, items: usize) {
        self.steps = self.steps.saturating_add(items as u32);
    }

    /// Whether it may go on; what is past the bounds stays unknown.
    fn step(&mut self) -> bool {
        self.steps += 1;
        self.steps < MAX_STEPS && self.depth < MAX_DEPTH
    }
}
