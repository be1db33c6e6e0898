//! Finds the plan's schemas and endpoints: types by name, and addresses or functions.

use super::entry::{DiffCategory, PlanDiffEntry};
use super::names::{key, same};
use super::planned::Schema;
use crate::js::graph::{Graph, Node};
use crate::js::outline::UseKind;

/// Words that a type name may add to the schema's name.
const BESIDE_SCHEMA: [&str; 8] = ["schema", "type", "model", "dto", "record", "entity", "item", "data"];
/// Verbs in the names of functions for a resource.
const VERBS: [&str; 12] =
    ["use", "get", "fetch", "list", "load", "create", "add", "update", "delete", "remove", "save", "find"];
/// Nouns in the names of modules for a resource.
const HOLDERS: [&str; 8] = ["api", "service", "store", "client", "repository", "query", "endpoint", "resource"];

/// A type, class or value with the schema's name, compared by its fields if they are listed. The name may be plural and
/// may have an affix such as `Schema`.
pub(super) fn schema(graph: &Graph<'_>, schema: &Schema) -> PlanDiffEntry {
    let wanted = key(&schema.name);
    let is_it = |name: &str| {
        let name = key(name);
        let bare = BESIDE_SCHEMA.iter().find_map(|word| name.strip_suffix(word)).unwrap_or(&name);
        is_one(&name, &wanted) || is_one(bare, &wanted)
    };
    let planned = format!("Schema {}", schema.name);
    let found = |path: &str, has: &dyn Fn(&str) -> bool| {
        let missing: Vec<&str> = schema.fields.iter().map(String::as_str).filter(|field| !has(field)).collect();
        let detail = (!missing.is_empty()).then(|| format!("without {}", missing.join(", ")));
        entry(planned.clone(), Some(path), detail)
    };
    let shapes = || graph.modules.iter().flat_map(|module| module.shapes.iter().map(move |shape| (module, shape)));
    if let Some((module, shape)) = shapes().find(|(_, shape)| is_it(shape.name)) {
        // Fields declared elsewhere cannot be compared.
        let has =
            |field: &str| shape.fields.as_ref().is_none_or(|fields| fields.iter().any(|known| same(known, field)));
        return found(module.path, &has);
    }
    // A component is not data, whatever its name.
    let is_value = |node: &Node| !graph.renders(*node) && graph.part(*node).is_some_and(|part| is_it(part.name));
    if let Some(node) = graph.nodes().find(is_value) {
        let words = || graph.uses(node).filter(|(used, _)| matches!(used.kind, UseKind::Word | UseKind::Value));
        return found(graph.path_of(node), &|field: &str| words().any(|(used, _)| same(used.text, field)));
    }
    let detail = format!("no type of that name: declare {} with its fields", schema.name);
    entry(planned, None, Some(detail))
}

/// An address that contains the resource (`/api/drinks`), or a function or store named after it (`fetchDrinks`,
/// `useDrinks`, `drinksApi`).
pub(super) fn endpoint(graph: &Graph<'_>, resource: &str) -> PlanDiffEntry {
    let wanted = key(resource);
    let planned = format!("Endpoint {resource}");
    let is_address = |text: &str| text.split(['/', '?', '#']).any(|segment| is_one(&key(segment), &wanted));
    let is_function = |name: &str| {
        let name = key(name);
        let verb = VERBS.iter().filter_map(|verb| name.strip_prefix(verb));
        let holder = HOLDERS.iter().filter_map(|holder| name.strip_suffix(holder));
        verb.chain(holder)
            .any(|rest| is_one(rest, &wanted) || rest.strip_prefix("all").is_some_and(|rest| is_one(rest, &wanted)))
    };
    let found = graph.nodes().find(|node| {
        graph.part(*node).is_some_and(|part| is_function(part.name))
            || graph.uses(*node).any(|(used, _)| match used.kind {
                UseKind::Address => is_address(used.text),
                UseKind::Word => is_function(used.text),
                _ => false,
            })
    });
    let detail = format!("nothing reads or writes {resource}: no address with it, no function");
    entry(planned, found.map(|node| graph.path_of(node)), found.is_none().then_some(detail))
}

/// Equal except for a final s.
fn is_one(a: &str, b: &str) -> bool {
    !a.is_empty() && a.strip_suffix('s').unwrap_or(a) == b.strip_suffix('s').unwrap_or(b)
}

fn entry(planned: String, path: Option<&str>, detail: Option<String>) -> PlanDiffEntry {
    PlanDiffEntry::compared(DiffCategory::Data, planned, path, detail)
}
