//! Hosts for the tests.

use js_sys::{Function, Promise, Reflect};
use loopgate::wasm::JsFs;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, future_to_promise};

#[wasm_bindgen(module = "/tests/web/host.js")]
extern "C" {
    #[wasm_bindgen(js_name = lightningFs)]
    fn new_lightning_fs() -> Promise;
    pub fn reopened(fs: &JsValue) -> JsValue;
    #[wasm_bindgen(js_name = gitPort)]
    fn new_git_port(fs: &JsValue, dir: &str) -> Promise;
    #[wasm_bindgen(js_name = gitLog)]
    fn read_git_log(fs: &JsValue, dir: &str, reference: &str) -> Promise;
    #[wasm_bindgen(js_name = annotatedTag)]
    fn write_annotated_tag(fs: &JsValue, dir: &str, name: &str, oid: &str) -> Promise;
    #[wasm_bindgen(js_name = withHastyTimers)]
    fn run_with_hasty_timers(work: &Function) -> Promise;
}

/// A new LightningFS instance. Its `promises` implement the port.
pub(crate) async fn lightning_fs() -> JsValue {
    settled(new_lightning_fs()).await
}

pub(crate) async fn git_port(fs: &JsValue, dir: &str) -> JsValue {
    settled(new_git_port(fs, dir)).await
}

pub(crate) async fn git_log(fs: &JsValue, dir: &str, reference: &str) -> serde_json::Value {
    serde_json::from_str(&settled(read_git_log(fs, dir, reference)).await.as_string().unwrap()).unwrap()
}

pub(crate) async fn annotated_tag(fs: &JsValue, dir: &str, name: &str, oid: &str) {
    settled(write_annotated_tag(fs, dir, name, oid)).await;
}

/// Runs `work` while every timer of ten seconds or more fires immediately.
pub(crate) async fn with_hasty_timers(work: impl Future<Output = ()> + 'static) {
    let work = Closure::once_into_js(move || {
        future_to_promise(async {
            work.await;
            Ok(JsValue::UNDEFINED)
        })
    });
    settled(run_with_hasty_timers(work.unchecked_ref())).await;
}

/// A value written in JavaScript.
pub(crate) fn js(source: &str) -> JsValue {
    js_sys::eval(&format!("({source})")).unwrap()
}

/// A file system whose methods all fail like for a missing file, except for those given in JavaScript.
pub(crate) fn fs_with(methods: &str) -> JsFs {
    JsFs::new(&fs_object(methods)).unwrap()
}

/// The object of [`fs_with`].
pub(crate) fn fs_object(methods: &str) -> JsValue {
    js(&format!(
        "{{ ...Object.fromEntries(['readFile', 'writeFile', 'readdir', 'mkdir', 'rmdir', 'unlink', 'rename', 'stat']
            .map((name) => [name, async () => {{ throw Object.assign(new Error('none'), {{ code: 'ENOENT' }}) }}])),
            {methods} }}"
    ))
}

pub(crate) fn get(target: &JsValue, name: &str) -> JsValue {
    Reflect::get(target, &name.into()).unwrap()
}

async fn settled(promise: Promise) -> JsValue {
    match JsFuture::from(promise).await {
        Ok(value) => value,
        Err(thrown) => wasm_bindgen::throw_val(thrown),
    }
}
