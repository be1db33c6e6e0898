//! What a plan may name: moods, fonts, gumdrops.

use serde::{Deserialize, Serialize};

/// The names that a plan may use. The built-in one is embedded; an IDE can inject its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The embedded registry.
    ///
    /// # Errors
    /// Never for the embedded text; a test holds it.
    pub fn builtin() -> Result<Self, serde_json::Error> {
        serde_json::from_str(include_str!("registry.json"))
    }
}
