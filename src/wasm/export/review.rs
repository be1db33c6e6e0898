//! Export of `parseReview`.

use super::json_text;
use crate::review;
use wasm_bindgen::prelude::*;

/// Reads a reviewer's answer; returns a `Judgement` as JSON text.
///
/// # Errors
/// None for any text.
#[wasm_bindgen(js_name = parseReview)]
pub fn parse_review(text: &str) -> Result<String, JsValue> {
    json_text(&review::parse(text))
}
