//! Snapshots.

use super::json;
use crate::snapshot::{self, SaveOptions};
use crate::wasm::error::js_error;
use crate::wasm::host::JsHost;
use wasm_bindgen::prelude::*;

/// Saves the project; a `SnapshotInfo` as JSON text.
///
/// # Errors
/// What [`snapshot::save`] says.
#[wasm_bindgen(js_name = saveSnapshot)]
pub async fn save(host: JsValue, message: Option<String>, tag: Option<String>) -> Result<String, JsValue> {
    let host = JsHost::new(&host).map_err(js_error)?;
    json(snapshot::save(&host, &SaveOptions { message, tag }).await)
}

/// All snapshots; an array of `SnapshotInfo` as JSON text.
///
/// # Errors
/// What [`snapshot::list`] says.
#[wasm_bindgen(js_name = listSnapshots)]
pub async fn list(host: JsValue) -> Result<String, JsValue> {
    let host = JsHost::new(&host).map_err(js_error)?;
    json(snapshot::list(&host).await)
}

/// Brings the project back to a snapshot; a `Rollback` as JSON text.
///
/// # Errors
/// What [`snapshot::rollback`] says.
#[wasm_bindgen(js_name = rollbackTo)]
pub async fn rollback(host: JsValue, tag: String, dry_run: bool) -> Result<String, JsValue> {
    let host = JsHost::new(&host).map_err(js_error)?;
    json(snapshot::rollback(&host, &tag, dry_run).await)
}

/// What changed between two snapshots, or since one; an array of `FileChange` as JSON text.
///
/// # Errors
/// What [`snapshot::diff`] says.
#[wasm_bindgen(js_name = diffSnapshots)]
pub async fn diff(host: JsValue, from: String, to: Option<String>) -> Result<String, JsValue> {
    let host = JsHost::new(&host).map_err(js_error)?;
    json(snapshot::diff(&host, &from, to.as_deref()).await)
}

/// Where the project stands; a `SnapshotStatus` as JSON text.
///
/// # Errors
/// What [`snapshot::status`] says.
#[wasm_bindgen(js_name = snapshotStatus)]
pub async fn status(host: JsValue) -> Result<String, JsValue> {
    let host = JsHost::new(&host).map_err(js_error)?;
    json(snapshot::status(&host).await)
}
