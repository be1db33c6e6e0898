//! What the agent needs to build a plan: the theme's command, and the recipe and file of each section.
//!
//! Nothing here has effects: the caller runs the command and looks up the recipes.

mod instructions;
mod recipe;
mod theme;

pub use instructions::{format_build_instructions, format_update_instructions};

use super::PropValue;
use super::diff::Shown;
use super::mutation::PlannedChanges;
use super::report::PlanNode;
use crate::json;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The context of a plan. An IDE may pass one in.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct PlanContext {
    /// The theme and the result of its command.
    pub theme: ThemeContext,
    /// In source order.
    pub sections: Vec<SectionContext>,
}

/// The theme and the result of its command.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct ThemeContext {
    /// Whether the project has this theme.
    pub applied: bool,
    /// The command; empty if the plan gives none.
    pub command: String,
    /// The output of the command.
    pub output: String,
    /// Why the theme is not applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The plan's mood or preset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mood: Option<String>,
    /// The plan's font.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub font: Option<String>,
}

/// The error of a theme whose command cannot run.
pub(crate) const NO_SHELL: &str = "this IDE has no shell";

/// A section and its recipe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct SectionContext {
    /// The name of the recipe; empty if the section has none.
    pub gumdrop: String,
    /// The variant of the recipe.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// The recipe, Markdown with front matter; `None` if it was not found.
    #[cfg_attr(target_family = "wasm", tsify(type = "string | null"))]
    pub recipe: Option<String>,
    /// The components listed in the recipe's front matter.
    pub components: Vec<String>,
    /// The file for the section, such as `src/sections/HeroSection.tsx`.
    pub suggested_file: String,
}

impl PlanContext {
    /// The context from the plan alone: the theme not applied, the recipes not looked up.
    pub fn declared(root: &PlanNode) -> Self {
        let mut sections = Vec::new();
        collect_sections(root, &mut BTreeMap::new(), &mut sections);
        Self { theme: theme::declared(root), sections }
    }

    /// Retains only the sections that an update changes, each with its file in the sources.
    pub fn keep_work(&mut self, work: &PlannedChanges, shown: &[Shown]) {
        let sections = std::mem::take(&mut self.sections);
        for (mut section, has_work) in sections.into_iter().zip(&work.sections) {
            if !has_work {
                continue;
            }
            let mut known = shown.iter().filter(|shown| shown.gumdrop == section.gumdrop);
            if let (Some(only), None) = (known.next(), known.next()) {
                section.suggested_file.clone_from(&only.path);
            }
            self.sections.push(section);
        }
    }
}

impl ThemeContext {
    /// The command succeeded.
    #[must_use]
    pub fn applied(self, output: String) -> Self {
        Self { applied: true, output, error: None, ..self }
    }

    /// The command failed or did not run.
    #[must_use]
    pub fn failed(self, error: impl Into<String>) -> Self {
        Self { applied: false, error: Some(error.into()), ..self }
    }
}

impl SectionContext {
    /// The id of the recipe.
    pub fn recipe_id(&self) -> String {
        format!("gumdrop-{}", self.gumdrop)
    }

    /// Sets the recipe that was found under this id, if any.
    pub fn take_recipe(&mut self, content: Option<String>) {
        self.components = content.as_deref().map(recipe::components).unwrap_or_default();
        self.recipe = content;
    }
}

fn collect_sections(node: &PlanNode, seen: &mut BTreeMap<String, u32>, sections: &mut Vec<SectionContext>) {
    if node.component == "Section" {
        let gumdrop = text(node, "gumdrop").unwrap_or_default();
        let suggested_file = section_file(&gumdrop, seen);
        let variant = text(node, "variant").filter(|variant| !variant.is_empty());
        sections.push(SectionContext { gumdrop, variant, recipe: None, components: Vec::new(), suggested_file });
    }
    node.children.iter().for_each(|child| collect_sections(child, seen, sections));
}

/// The file is named after the gumdrop. Further sections with the same name get a number, because each section has its own
/// file. Case is ignored, because file systems may ignore it.
pub(super) fn section_file(gumdrop: &str, seen: &mut BTreeMap<String, u32>) -> String {
    let words = gumdrop.split(|c: char| !c.is_alphanumeric());
    let name: String = words
        .flat_map(|word| {
            let mut letters = word.chars();
            letters.next().into_iter().flat_map(char::to_uppercase).chain(letters)
        })
        .collect();
    let key = name.chars().flat_map(char::to_uppercase).collect();
    let count = seen.entry(key).or_insert(0);
    *count += 1;
    let number = if *count > 1 { count.to_string() } else { String::new() };
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
    use crate::plan::root;

    fn sections(screens: &str) -> Vec<SectionContext> {
        let source = format!("export default (<App><Theme mood=\"zen\" />{screens}</App>)");
        PlanContext::declared(&root(&source).unwrap()).sections
    }

    #[test]
    fn sections_of_every_depth_are_in_source_order() {
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
    fn suggested_files_are_unique_and_inside_the_folder() {
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
