//! The components of the plan language: what each may carry and where it may stand.

/// A component, as data.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Component {
    pub name: &'static str,
    pub props: &'static [&'static str],
    /// The components that it may stand in; empty for the root.
    pub parents: &'static [&'static str],
}

/// Every component, outermost first. They stand at one place, by which they can be told apart.
pub(super) static COMPONENTS: [Component; 20] = [
    component("App", &["name", "description"], &[]),
    component(
        "Theme",
        &["mood", "seed", "pattern", "font", "monoFont", "shadowProfile", "radius", "chroma", "philosophy"],
        &["App"],
    ),
    component("Typography", &["hero", "titles", "labels", "body", "code"], &["Theme"]),
    component("Animation", &["hover", "cards", "pages", "micro", "reveals"], &["Theme"]),
    component("Rule", &["no", "always", "prefer"], &["Theme"]),
    component("Screen", &["name", "layout", "gumdrop"], &["App"]),
    component("Nav", &["gumdrop"], &["Screen"]),
    component("NavItem", &["icon", "label", "to"], &["Nav"]),
    component("Content", &["className"], &["Screen"]),
    component("Aside", &["className"], &["Screen"]),
    component(
        "Section",
        &["gumdrop", "variant", "cols", "span", "source", "className"],
        &["Screen", "Content", "Aside"],
    ),
    component("Gumdrop", &["use", "variant", "source", "label", "span"], &["Section", "Gumdrop"]),
    component("Column", &["field", "sortable", "filterable", "format", "width"], &["Section"]),
    component("Field", &["name", "type", "required", "options", "range", "placeholder"], &["Section"]),
    component("Action", &["trigger", "gumdrop", "intent", "hotkey"], &["Section"]),
    component("Slot", &["name", "description"], &["Section"]),
    component("Custom", &["intent"], &["Screen", "Content", "Aside", "Section"]),
    component("Data", &[], &["App"]),
    component("Schema", &["name", "fields"], &["Data"]),
    component("Endpoint", &["resource", "pattern", "auth"], &["Data"]),
];

/// The component of that name.
pub(super) fn find(name: &str) -> Option<&'static Component> {
    COMPONENTS.iter().find(|component| equal(component.name, name))
}

pub(super) use crate::js::document::equal;

const fn component(name: &'static str, props: &'static [&'static str], parents: &'static [&'static str]) -> Component {
    Component { name, props, parents }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parent_is_a_component() {
        for component in &COMPONENTS {
            for parent in component.parents {
                assert!(find(parent).is_some(), "{} stands in {parent}", component.name);
            }
        }
    }

    #[test]
    fn only_the_root_has_no_parent() {
        let roots: Vec<_> =
            COMPONENTS.iter().filter(|component| component.parents.is_empty()).map(|root| root.name).collect();
        assert_eq!(roots, ["App"]);
    }
}
