//! The names that a plan may use: moods, fonts, gumdrops.

use crate::json;
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

/// The names that a plan may use. The built-in registry is embedded; an IDE can provide its own.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct Registry {
    /// Moods of a theme.
    pub moods: Vec<String>,
    /// Preset themes; also valid as a mood.
    pub presets: Vec<String>,
    /// Color patterns.
    pub patterns: Vec<String>,
    /// Font families.
    pub fonts: Vec<String>,
    /// Shadow profiles.
    pub shadow_profiles: Vec<String>,
    /// Corner radii.
    pub radii: Vec<String>,
    /// Section recipes.
    pub gumdrops: Vec<String>,
    /// UI components, listed in prompts; not valid as plan tags.
    pub components: Vec<String>,
    /// Gumdrops that are grids; two in a row look monotonous.
    pub grid_heavy_gumdrops: Vec<String>,
    /// Gumdrops that need a `Data` block.
    pub stateful_gumdrops: Vec<String>,
}

impl Registry {
    /// The embedded registry, read once.
    pub fn builtin() -> &'static Self {
        static BUILTIN: OnceLock<Registry> = OnceLock::new();
        // The text is embedded and covered by a test. An empty registry would refuse every name.
        BUILTIN.get_or_init(|| json::read(include_str!("registry.json")).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::Registry;

    #[test]
    fn the_embedded_registry_parses_completely() {
        let text = include_str!("registry.json");
        let written: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_value(Registry::builtin()).unwrap(), written);
    }

    #[test]
    fn grid_heavy_and_stateful_names_are_gumdrops() {
        let registry = Registry::builtin();
        for gumdrop in registry.grid_heavy_gumdrops.iter().chain(&registry.stateful_gumdrops) {
            assert!(registry.gumdrops.contains(gumdrop), "{gumdrop}");
        }
    }
}
