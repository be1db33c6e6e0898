//! Gates for the style sheets and their theme.

mod asked_colors;
pub(super) mod css_no_tailwind_directives;
pub(super) mod css_theme_complete;
pub(super) mod no_hardcoded_colors;
mod variables;

pub(in crate::gate) use asked_colors::{Asked as AskedColors, is_color};
