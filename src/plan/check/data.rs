//! Checks of the data block: endpoints have a schema, and stateful sections have data.

use super::gumdrops::uses;
use super::{Finding, Plan};
use crate::nearest::nearest;
use crate::plan::language::equal;
use std::collections::BTreeSet;

pub(super) fn schema_endpoint_match(plan: &Plan<'_, '_>, findings: &mut Vec<Finding>) {
    let names: Vec<&str> = plan.tree.named("Schema").filter_map(|(_, schema)| schema.text("name")).collect();
    let known: BTreeSet<String> = names.iter().map(|name| singular(name)).collect();
    for (_, endpoint) in plan.tree.named("Endpoint") {
        let Some(resource) = endpoint.attribute("resource") else { continue };
        match (resource.text(), resource.is_literal()) {
            (None, false) => {}
            (Some(name), _) if known.contains(&singular(name)) => {}
            (Some(name), _) => findings.push(
                Finding::failure(
                    "schema-endpoint-match",
                    resource.place,
                    format!("There is no `Schema` for \"{name}\"."),
                )
                .or_meant(
                    nearest(name, names.iter().copied()),
                    &format!("Add `<Schema name=\"{name}\" fields={{…}} />`."),
                ),
            ),
            (None, true) => {
                let message = "`resource` must be a string. Name a `Schema`, for example `resource=\"user\"`.";
                findings.push(Finding::failure("schema-endpoint-match", resource.place, message));
            }
        }
    }
}

pub(super) fn no_data_for_stateful(plan: &Plan<'_, '_>, findings: &mut Vec<Finding>) {
    if plan.tree.named("Data").next().is_some() {
        return;
    }
    let stateful = |name: &str| plan.registry.stateful_gumdrops.iter().any(|stateful| equal(stateful, name));
    let mut uses = plan.tree.elements.iter().flat_map(uses);
    if let Some((place, name)) =
        uses.find_map(|gumdrop| gumdrop.text().filter(|name| stateful(name)).map(|name| (gumdrop.place, name)))
    {
        let message = format!(
            "\"{name}\" shows stored data, but the plan has no `Data`. Add `<Data>` with its schemas to `App`."
        );
        findings.push(Finding::warning("no-data-for-stateful", place, message));
    }
}

/// Lower case, without one trailing `s`.
fn singular(name: &str) -> String {
    let mut name = name.to_lowercase();
    if name.ends_with('s') {
        name.pop();
    }
    name
}
