//! Exports for snapshots. Every promise rejects like the function of the same name in [`snapshot`].

use super::{json, promise};
use crate::error::{Error, ErrorCode};
use crate::port::Host;
use crate::snapshot::{self, LabelChange, SaveOptions, SnapshotKind, Watch, command};
use crate::wasm::error::js_error;
use crate::wasm::host;
use crate::wasm::value::own_bytes;
use js_sys::Promise;
use serde::Serialize;
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

/// Saves the project; returns a `SnapshotInfo` as JSON text.
#[wasm_bindgen(js_name = saveSnapshot, unchecked_return_type = "Promise<string>")]
pub fn save(host: JsValue, message: Option<String>, tag: Option<String>, name: Option<String>) -> Promise {
    let options = SaveOptions { message, tag, name, ..SaveOptions::default() };
    report(host, async move |host| snapshot::save(host, &options).await)
}

/// Names or pins a snapshot; returns its `SnapshotInfo` as JSON text.
#[wasm_bindgen(js_name = labelSnapshot, unchecked_return_type = "Promise<string>")]
pub fn label(host: JsValue, tag: String, name: Option<String>, pinned: Option<bool>) -> Promise {
    let change = LabelChange { name, pinned };
    report(host, async move |host| snapshot::label(host, &tag, &change).await)
}

/// All snapshots of these kinds, or all except iterations; an array of `SnapshotInfo` as JSON text.
#[wasm_bindgen(js_name = listSnapshots, unchecked_return_type = "Promise<string>")]
pub fn list(host: JsValue, kinds: Option<Vec<String>>) -> Promise {
    report(host, async move |host| match kinds {
        Some(kinds) => snapshot::list_kinds(host, &known(&kinds)?).await,
        None => snapshot::list(host).await,
    })
}

fn known(kinds: &[String]) -> Result<Vec<SnapshotKind>, Error> {
    let known = |name: &String| {
        SnapshotKind::parse(name).ok_or_else(|| {
            let names = SnapshotKind::ALL.map(|(name, _)| name).join(", ");
            Error::new(ErrorCode::InvalidArgument, format!("there is no kind of snapshot {name:?}; use {names}"))
        })
    };
    kinds.iter().map(known).collect()
}

/// Runs the shell command `snapshot` with these arguments; returns `{ exitCode, stdout, stderr }` as JSON text.
#[wasm_bindgen(js_name = runSnapshotCommand, unchecked_return_type = "Promise<string>")]
pub fn run_command(host: JsValue, words: Vec<String>) -> Promise {
    report(host, async move |host| {
        Ok(match command::parse(&words) {
            Err(problem) => output(2, "", &format!("snapshot: {problem}\n{}", command::USAGE)),
            Ok(action) => match command::run(host, &Watch::default(), &action).await {
                Ok(answer) => output(0, &format!("{}\n", answer.text), ""),
                Err(error) => output(1, "", &format!("snapshot: {error}\n")),
            },
        })
    })
}

fn output(exit_code: i32, stdout: &str, stderr: &str) -> Value {
    json!({ "exitCode": exit_code, "stdout": stdout, "stderr": stderr })
}

/// Restores a snapshot, or only these files and folders of it; returns a `Rollback` as JSON text.
#[wasm_bindgen(js_name = rollbackTo, unchecked_return_type = "Promise<string>")]
pub fn rollback(host: JsValue, tag: String, dry_run: bool, paths: Option<Vec<String>>) -> Promise {
    report(host, async move |host| match paths {
        Some(paths) => snapshot::rollback_paths(host, &tag, &paths, dry_run).await,
        None => snapshot::rollback(host, &tag, dry_run).await,
    })
}

/// Undoes the last rollback; returns a `Rollback` as JSON text.
#[wasm_bindgen(js_name = undoRollback, unchecked_return_type = "Promise<string>")]
pub fn undo(host: JsValue) -> Promise {
    report(host, async |host| snapshot::undo(host).await)
}

/// The changes between two snapshots, or since one; an array of `FileChange` as JSON text.
#[wasm_bindgen(js_name = diffSnapshots, unchecked_return_type = "Promise<string>")]
pub fn diff(host: JsValue, from: String, to: Option<String>) -> Promise {
    report(host, async move |host| snapshot::diff(host, &from, to.as_deref()).await)
}

/// The state of the project; a `SnapshotStatus` as JSON text.
#[wasm_bindgen(js_name = snapshotStatus, unchecked_return_type = "Promise<string>")]
pub fn status(host: JsValue) -> Promise {
    report(host, async |host| snapshot::status(host).await)
}

/// Compares the files with a snapshot; returns a `Verification` as JSON text.
#[wasm_bindgen(js_name = verifySnapshot, unchecked_return_type = "Promise<string>")]
pub fn verify(host: JsValue, tag: String) -> Promise {
    report(host, async move |host| snapshot::verify(host, &tag).await)
}

/// The bytes of a file in a snapshot; `null` if it has no such file.
#[wasm_bindgen(js_name = readSnapshotFile, unchecked_return_type = "Promise<Uint8Array | null>")]
pub fn read_file(host: JsValue, tag: String, path: String) -> Promise {
    promise(async move {
        let host = host::open(&host, None).await.map_err(js_error)?;
        let bytes = snapshot::read_file(&host, &tag, &path).await.map_err(js_error)?;
        Ok(bytes.map_or(JsValue::NULL, |bytes| own_bytes(&bytes)))
    })
}

fn report<T, F>(host: JsValue, call: F) -> Promise
where
    T: Serialize,
    F: AsyncFnOnce(&Host) -> Result<T, Error> + 'static,
{
    promise(async move {
        let host = host::open(&host, None).await.map_err(js_error)?;
        json(call(&host).await)
    })
}
