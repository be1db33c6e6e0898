//! What the agent needs to build a plan: the theme's command, and the recipe and file of each section.
//!
//! Nothing here has effects: the caller runs the command and looks up the recipes.

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
        Self { theme: theme::declared(root), sections: sections::declared(root) }
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
        self.components = content.as_deref().map(front_matter::components).unwrap_or_default();
        self.recipe = content;
    }
}
