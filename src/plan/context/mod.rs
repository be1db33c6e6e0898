//! What a plan needs to be built: the theme's command, and each section's recipe and file (`seeds/002`).
//!
//! Nothing here runs or asks anything: who resolves a context runs the command and looks the recipes up.

mod front_matter;
mod headings;
mod instructions;
mod sections;
mod theme;

pub use instructions::{format_build_instructions, format_update_instructions};
pub(super) use sections::file as section_file;

use super::diff::Shown;
use super::mutation::PlannedChanges;
use super::report::PlanNode;
use serde::{Deserialize, Serialize};

/// A plan's context. Deserialised, it may come from an IDE.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct PlanContext {
    /// The theme.
    pub theme: ThemeContext,
    /// The sections, in source order.
    pub sections: Vec<SectionContext>,
}

/// The theme, and what became of its command.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct ThemeContext {
    /// The project has it.
    pub applied: bool,
    /// The command; empty where the plan gives none.
    pub command: String,
    /// What the command printed.
    pub output: String,
    /// Why it is not applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The plan's mood or preset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mood: Option<String>,
    /// The plan's font.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub font: Option<String>,
}

/// A section and what it is built from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct SectionContext {
    /// The recipe's name; empty where the section has none.
    pub gumdrop: String,
    /// Which of the recipe's variants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// The recipe, markdown with its front matter; `None` where there is none.
    #[cfg_attr(target_family = "wasm", tsify(type = "string | null"))]
    pub recipe: Option<String>,
    /// The components that the recipe's front matter names.
    pub components: Vec<String>,
    /// Where the section belongs, such as `src/sections/HeroSection.tsx`.
    pub suggested_file: String,
}

impl PlanContext {
    /// What the plan says: the theme is not applied, the recipes are not looked up.
    pub fn declared(root: &PlanNode) -> Self {
        Self { theme: theme::declared(root), sections: sections::declared(root) }
    }

    /// Keeps only the sections that an update changes, each with its file in the sources.
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
    /// The command did what it should.
    #[must_use]
    pub fn applied(self, output: String) -> Self {
        Self { applied: true, output, error: None, ..self }
    }

    /// The command did not, or did not run.
    #[must_use]
    pub fn failed(self, error: impl Into<String>) -> Self {
        Self { applied: false, error: Some(error.into()), ..self }
    }
}

impl SectionContext {
    /// The id of its recipe.
    pub fn recipe_id(&self) -> String {
        format!("gumdrop-{}", self.gumdrop)
    }

    /// Takes the recipe that was found under this id, if there is one.
    pub fn take_recipe(&mut self, content: Option<String>) {
        self.components = content.as_deref().map(front_matter::components).unwrap_or_default();
        self.recipe = content;
    }
}
