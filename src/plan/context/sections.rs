//! The sections of a plan, each with the file that it belongs in.

use super::SectionContext;
use crate::json;
use crate::plan::PropValue;
use crate::plan::report::PlanNode;
use std::collections::BTreeMap;

/// Every section in source order, without its recipe.
pub(super) fn declared(root: &PlanNode) -> Vec<SectionContext> {
    let mut sections = Vec::new();
    collect(root, &mut BTreeMap::new(), &mut sections);
    sections
}

fn collect(node: &PlanNode, seen: &mut BTreeMap<String, u32>, sections: &mut Vec<SectionContext>) {
    if node.component == "Section" {
        let gumdrop = text(node, "gumdrop").unwrap_or_default();
        let suggested_file = file(&gumdrop, seen);
        let variant = text(node, "variant").filter(|variant| !variant.is_empty());
        sections.push(SectionContext { gumdrop, variant, recipe: None, components: Vec::new(), suggested_file });
    }
    node.children.iter().for_each(|child| collect(child, seen, sections));
}

/// The file is named after the gumdrop; a further section of the same name has its number at the end, because each
/// section is a file of its own. Case does not count, as file systems may ignore it.
pub(crate) fn file(gumdrop: &str, seen: &mut BTreeMap<String, u32>) -> String {
    let words = gumdrop.split(|c: char| !c.is_alphanumeric());
    let name: String = words
        .flat_map(|word| {
            let mut letters = word.chars();
            letters.next().into_iter().flat_map(char::to_uppercase).chain(letters)
        })
        .collect();
    let key = name.chars().flat_map(char::to_uppercase).collect();
    let count = seen.get(&key).map_or(1, |count| count + 1);
    seen.insert(key, count);
    let number = if count > 1 { count.to_string() } else { String::new() };
    format!("src/sections/{name}Section{number}.tsx")
}

fn text(node: &PlanNode, prop: &str) -> Option<String> {
    match node.props.get(prop)? {
        PropValue::String(text) => Some(text.clone()),
        PropValue::Number(number) => Some(json::number(*number)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Registry, validate};

    fn sections(screens: &str) -> Vec<SectionContext> {
        let source = format!("export default (<App><Theme mood=\"zen\" />{screens}</App>)");
        declared(&validate(&source, Registry::builtin(), None).root.unwrap())
    }

    #[test]
    fn sections_come_from_every_depth_in_source_order() {
        let found = sections(
            r#"<Screen><Content><Section gumdrop="hero" variant="split-image"><Gumdrop use="cta" /></Section></Content>
               <Section gumdrop="sidebar-nav" variant="" /></Screen><Screen><Aside><Section /></Aside></Screen>"#,
        );
        let shown: Vec<_> = found
            .iter()
            .map(|section| (section.gumdrop.as_str(), section.variant.as_deref(), section.suggested_file.as_str()))
            .collect();
        let expected = [
            ("hero", Some("split-image"), "src/sections/HeroSection.tsx"),
            ("sidebar-nav", None, "src/sections/SidebarNavSection.tsx"),
            ("", None, "src/sections/Section.tsx"),
        ];
        assert_eq!(shown, expected);
        assert_eq!(found[1].recipe_id(), "gumdrop-sidebar-nav");
    }

    #[test]
    fn no_two_sections_share_a_file_and_none_leaves_the_folder() {
        let gumdrops = ["hero", "cta", "hero", "HERO", "../../etc/x", "a-b", "ab", "a--b", "3d", "éa"];
        let screens: String = gumdrops.iter().map(|name| format!("<Section gumdrop=\"{name}\" />")).collect();
        let files: Vec<_> = sections(&format!("<Screen>{screens}</Screen>"))
            .into_iter()
            .map(|section| section.suggested_file.trim_start_matches("src/sections/").to_owned())
            .collect();
        let expected = [
            "HeroSection.tsx",
            "CtaSection.tsx",
            "HeroSection2.tsx",
            "HEROSection3.tsx",
            "EtcXSection.tsx",
            "ABSection.tsx",
            "AbSection2.tsx",
            "ABSection3.tsx",
            "3dSection.tsx",
            "ÉaSection.tsx",
        ];
        assert_eq!(files, expected);
    }
}
