//! Elements.

use super::Evaluator;
use super::node::{Element as Rendered, Node};
use super::value::{Field, Origin, Record, Value};
use crate::js::tree::{Attribute, Child, Element};
use std::rc::Rc;

impl Evaluator<'_, '_> {
    pub(super) fn element(&mut self, element: &Element, scope: usize) -> Value {
        let origin = Origin { file: self.file_of(scope), at: element.at, index: 0 };
        let mut props = self.props(element, origin, scope);
        let mut children = Vec::new();
        for child in &element.children {
            match child {
                Child::Text(text) => children.push(Node::Text(text.clone())),
                Child::Expression(expression, place) => match self.expression(expression, scope) {
                    Value::Unknown => children.push(Node::Opaque(self.written(scope, *place))),
                    value => children.extend(Node::from_value(&value)),
                },
            }
        }
        let is_fragment =
            element.name.is_empty() || &*element.name == "Fragment" || element.name.ends_with(".Fragment");
        if is_fragment {
            return Value::Nodes(Rc::new(children));
        }
        let unread = self.unread(element, &props, scope);
        let attributes = props.fields.iter().map(|field| (field.name.clone(), field.value.clone())).collect();
        if !children.is_empty() {
            let value = Value::Nodes(Rc::new(children.clone()));
            props.set(Field { name: "children".into(), value, origin });
        }
        let (is_known, inside) = match self.inside(element, props, scope) {
            Some(inside) => (true, inside),
            None => (false, Vec::new()),
        };
        let tag = element.name.clone();
        let rendered = Rendered { tag, attributes, unread, children, inside, is_known, origin };
        Value::Nodes(Rc::new(vec![Node::Element(Rc::new(rendered))]))
    }

    fn props(&mut self, element: &Element, origin: Origin, scope: usize) -> Record {
        let mut props = Record::default();
        for attribute in &element.attributes {
            match attribute {
                Attribute::Named(name, value, _) => {
                    let value = self.expression(value, scope);
                    props.set(Field { name: name.clone(), value, origin });
                }
                Attribute::Spread(value) => props.spread(&self.expression(value, scope)),
            }
        }
        props
    }

    /// The source text of attributes whose values are unknown.
    fn unread(&self, element: &Element, props: &Record, scope: usize) -> Vec<(Rc<str>, Rc<str>)> {
        let mut unread = Vec::new();
        for attribute in &element.attributes {
            if let Attribute::Named(name, _, place) = attribute
                && matches!(props.get(name), Some(Value::Unknown | Value::Function(_)))
            {
                unread.push((name.clone(), self.written(scope, *place)));
            }
        }
        unread
    }

    /// A range of the source, without white space.
    fn written(&self, scope: usize, (from, to): (u32, u32)) -> Rc<str> {
        let text = self.sources.text(self.file_of(scope)).get(from as usize..to as usize).unwrap_or_default();
        text.split_whitespace().collect::<String>().into()
    }

    /// What the element's component renders, if its source is in the project and it is not a part of its own.
    fn inside(&mut self, element: &Element, props: Record, scope: usize) -> Option<Vec<Node>> {
        if !element.is_component() {
            return None;
        }
        let mut path = element.name.split('.');
        let mut value = self.look_up(scope, path.next()?)?;
        for name in path {
            value = self.field(&value, name);
        }
        let Value::Function(component) = self.component(value) else { return None };
        let file = self.file_of(component.scope);
        if self.closed.contains(&file) && file != self.file_of(scope) {
            self.given.push((file, props));
            return Some(Vec::new());
        }
        if self.rendering.iter().any(|known| Rc::ptr_eq(known, &component.function)) {
            return Some(vec![Node::Opaque(Rc::from(""))]);
        }
        self.rendering.push(component.function.clone());
        let rendered = self.apply(&component, vec![Value::Record(Rc::new(props))]);
        self.rendering.pop();
        Some(Node::from_value(&rendered))
    }
}
