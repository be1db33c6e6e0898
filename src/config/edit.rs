//! e
use crate::error::Error;
use serde_json::Value;
/// e
pub fn edit(text: &str, _changes: &Value) -> Result<String, Error> {
    Ok(text.to_owned())
}
/// e
pub async fn save() {}
