//! Snapshots.

use super::json;
use crate::error::Error;
use crate::snapshot::{self, SaveOptions};
use crate::wasm::error::js_error;
use crate::wasm::host::JsHost;
use crate::wasm::value::{own_bytes, promise};
use js_sys::Promise;
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// Saves the project; a `SnapshotInfo` as JSON text.
///
/// # Errors
/// What [`snapshot::save`] says.
#[wasm_bindgen(js_name = saveSnapshot)]
pub fn save(host: JsValue, message: Option<String>, tag: Option<String>) -> Promise {
    report(host, async move |host| snapshot::save(host, &SaveOptions { message, tag }).await)
}

/// All snapshots; an array of `SnapshotInfo` as JSON text.
///
/// # Errors
/// What [`snapshot::list`] says.
#[wasm_bindgen(js_name = listSnapshots)]
pub fn list(host: JsValue) -> Promise {
    report(host, async move |host| snapshot::list(host).await)
}

/// Brings the project back to a snapshot; a `Rollback` as JSON text.
///
/// # Errors
/// What [`snapshot::rollback`] says.
#[wasm_bindgen(js_name = rollbackTo)]
pub fn rollback(host: JsValue, tag: String, dry_run: bool) -> Promise {
    report(host, async move |host| snapshot::rollback(host, &tag, dry_run).await)
}

/// What changed between two snapshots, or since one; an array of `FileChange` as JSON text.
///
/// # Errors
/// What [`snapshot::diff`] says.
#[wasm_bindgen(js_name = diffSnapshots)]
pub fn diff(host: JsValue, from: String, to: Option<String>) -> Promise {
    report(host, async move |host| snapshot::diff(host, &from, to.as_deref()).await)
}

/// Where the project stands; a `SnapshotStatus` as JSON text.
///
/// # Errors
/// What [`snapshot::status`] says.
#[wasm_bindgen(js_name = snapshotStatus)]
pub fn status(host: JsValue) -> Promise {
    report(host, async move |host| snapshot::status(host).await)
}

/// Brings back what the last rollback replaced; a `Rollback` as JSON text.
///
/// # Errors
/// What [`snapshot::undo`] says.
#[wasm_bindgen(js_name = undoRollback)]
pub fn undo(host: JsValue) -> Promise {
    report(host, async move |host| snapshot::undo(host).await)
}

/// How the files compare with a snapshot; a `Verification` as JSON text.
///
/// # Errors
/// What [`snapshot::verify`] says.
#[wasm_bindgen(js_name = verifySnapshot)]
pub fn verify(host: JsValue, tag: String) -> Promise {
    report(host, async move |host| snapshot::verify(host, &tag).await)
}

/// The bytes of a file of a snapshot; nothing where it has no such file.
///
/// # Errors
/// What [`snapshot::read_file`] says.
#[wasm_bindgen(js_name = readSnapshotFile)]
pub fn read_file(host: JsValue, tag: String, path: String) -> Promise {
    promise(async move {
        let host = JsHost::new(&host, None).map_err(js_error)?;
        let bytes = snapshot::read_file(&host, &tag, &path).await.map_err(js_error)?;
        Ok(bytes.map_or(JsValue::UNDEFINED, |bytes| own_bytes(&bytes)))
    })
}

/// The JSON text of what `work` gives for a host.
fn report<T: Serialize>(host: JsValue, work: impl AsyncFnOnce(&JsHost) -> Result<T, Error> + 'static) -> Promise {
    promise(async move {
        let host = JsHost::new(&host, None).map_err(js_error)?;
        json(work(&host).await).map(JsValue::from)
    })
}
