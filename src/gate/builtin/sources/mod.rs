//! Gates for the text of the sources.

pub(super) mod app_exists;
pub(super) mod app_has_content;
mod imports;
pub(super) mod no_placeholders;
pub(super) mod sources_parse;
mod templates;
