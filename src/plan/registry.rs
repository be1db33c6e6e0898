//! What a plan may name: moods, fonts, gumdrops.

use crate::json;
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

/// The names that a plan may use. The built-in one is embedded; an IDE can inject its own.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct Registry {
    /// Moods of a theme.
    pub moods: Vec<String>,
    /// Ready themes; valid as a mood too.
    pub presets: Vec<String>,
    /// Colour patterns.
    pub patterns: Vec<String>,
    /// Font families.
    pub fonts: Vec<String>,
    /// Shadow profiles.
    pub shadow_profiles: Vec<String>,
    /// Corner radii.
    pub radii: Vec<String>,
    /// Section recipes.
    pub gumdrops: Vec<String>,
    /// UI components; for prompts, unknown as plan tags.
    pub components: Vec<String>,
    /// Gumdrops that are grids: two in a row tire the eye.
    pub grid_heavy_gumdrops: Vec<String>,
    /// Gumdrops that need a `Data` block.
    pub stateful_gumdrops: Vec<String>,
}

impl Registry {
    /// The embedded registry, read once.
    pub fn builtin() -> &'static Self {
        static BUILTIN: OnceLock<Registry> = OnceLock::new();
        // The text is part of the binary and a test reads it; an empty registry would refuse every name.
        BUILTIN.get_or_init(|| json::read(include_str!("registry.json")).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::Registry;

    #[test]
    fn the_embedded_text_is_a_registry_and_nothing_else() {
        let text = include_str!("registry.json");
        let written: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_value(Registry::builtin()).unwrap(), written);
    }

    #[test]
    fn what_is_grid_heavy_or_stateful_is_a_gumdrop() {
        let registry = Registry::builtin();
        for gumdrop in registry.grid_heavy_gumdrops.iter().chain(&registry.stateful_gumdrops) {
            assert!(registry.gumdrops.contains(gumdrop), "{gumdrop}");
        }
    }
}
