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
    let host = JsHost::new(&host, None).map_err(js_error)?;
    json(snapshot::save(&host, &SaveOptions { message, tag }).await)
}

/// All snapshots; an array of `SnapshotInfo` as JSON text.
///
/// # Errors
/// What [`snapshot::list`] says.
#[wasm_bindgen(js_name = listSnapshots)]
pub async fn list(host: JsValue) -> Result<String, JsValue> {
    let host = JsHost::new(&host, None).map_err(js_error)?;
    json(snapshot::list(&host).await)
}

/// Brings the project back to a snapshot; a `Rollback` as JSON text.
///
/// # Errors
/// What [`snapshot::rollback`] says.
#[wasm_bindgen(js_name = rollbackTo)]
pub async fn rollback(host: JsValue, tag: String, dry_run: bool) -> Result<String, JsValue> {
    let host = JsHost::new(&host, None).map_err(js_error)?;
    json(snapshot::rollback(&host, &tag, dry_run).await)
}

/// What changed between two snapshots, or since one; an array of `FileChange` as JSON text.
///
/// # Errors
/// What [`snapshot::diff`] says.
#[wasm_bindgen(js_name = diffSnapshots)]
pub async fn diff(host: JsValue, from: String, to: Option<String>) -> Result<String, JsValue> {
    let host = JsHost::new(&host, None).map_err(js_error)?;
    json(snapshot::diff(&host, &from, to.as_deref()).await)
}

/// Where the project stands; a `SnapshotStatus` as JSON text.
///
/// # Errors
/// What [`snapshot::status`] says.
#[wasm_bindgen(js_name = snapshotStatus)]
pub async fn status(host: JsValue) -> Result<String, JsValue> {
    let host = JsHost::new(&host, None).map_err(js_error)?;
    json(snapshot::status(&host).await)
}

/// Brings back what the last rollback replaced; a `Rollback` as JSON text.
///
/// # Errors
/// What [`snapshot::undo`] says.
#[wasm_bindgen(js_name = undoRollback)]
pub async fn undo(host: JsValue) -> Result<String, JsValue> {
    let host = JsHost::new(&host, None).map_err(js_error)?;
    json(snapshot::undo(&host).await)
}

/// How the files compare with a snapshot; a `Verification` as JSON text.
///
/// # Errors
/// What [`snapshot::verify`] says.
#[wasm_bindgen(js_name = verifySnapshot)]
pub async fn verify(host: JsValue, tag: String) -> Result<String, JsValue> {
    let host = JsHost::new(&host, None).map_err(js_error)?;
    json(snapshot::verify(&host, &tag).await)
}

/// The bytes of a file of a snapshot; nothing where it has no such file.
///
/// # Errors
/// What [`snapshot::read_file`] says.
#[wasm_bindgen(js_name = readSnapshotFile)]
pub async fn read_file(host: JsValue, tag: String, path: String) -> Result<Option<Vec<u8>>, JsValue> {
    let host = JsHost::new(&host, None).map_err(js_error)?;
    snapshot::read_file(&host, &tag, &path).await.map_err(js_error)
}
