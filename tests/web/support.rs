//! Hosts for the tests.

use js_sys::{Array, Function, Promise, Reflect};
use loopgate::wasm::JsFs;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, future_to_promise};

/// Calls a function of `host.js` and awaits its result. The module is imported by the first call: the server of the test
/// runner may not answer if a page requests more modules at once than it keeps connections.
async fn call_host(name: &str, arguments: &[&JsValue]) -> JsValue {
    let module = js_sys::eval("import('/tests/web/host.js')").unwrap();
    let module = settled(module.unchecked_into()).await;
    let function: Function = get(&module, name).unchecked_into();
    let arguments: Array = arguments.iter().copied().collect();
    match function.apply(&JsValue::UNDEFINED, &arguments) {
        Ok(answer) => settled(Promise::resolve(&answer)).await,
        Err(thrown) => wasm_bindgen::throw_val(thrown),
    }
}

/// A new LightningFS instance. Its `promises` implement the port.
pub(crate) async fn lightning_fs() -> JsValue {
    call_host("lightningFs", &[]).await
}

/// Another LightningFS instance over the same storage.
pub(crate) async fn reopened(fs: &JsValue) -> JsValue {
    call_host("reopened", &[fs]).await
}

pub(crate) async fn git_port(fs: &JsValue, dir: &str) -> JsValue {
    call_host("gitPort", &[fs, &dir.into()]).await
}

/// The port without its optional methods.
pub(crate) async fn plain_port(port: &JsValue) -> JsValue {
    call_host("plainPort", &[port]).await
}

/// The files that isomorphic-git reports as changed, with the cache of the port or without one.
pub(crate) async fn git_status(fs: &JsValue, dir: &str, is_cached: bool) -> Vec<String> {
    let status = call_host("gitStatus", &[fs, &dir.into(), &is_cached.into()]).await;
    serde_json::from_str(&status.as_string().unwrap()).unwrap()
}

pub(crate) async fn git_log(fs: &JsValue, dir: &str, reference: &str) -> serde_json::Value {
    let log = call_host("gitLog", &[fs, &dir.into(), &reference.into()]).await;
    serde_json::from_str(&log.as_string().unwrap()).unwrap()
}

pub(crate) async fn annotated_tag(fs: &JsValue, dir: &str, name: &str, oid: &str) {
    call_host("annotatedTag", &[fs, &dir.into(), &name.into(), &oid.into()]).await;
}

/// Runs `work` while every timer of ten seconds or more fires immediately.
pub(crate) async fn with_hasty_timers(work: impl Future<Output = ()> + 'static) {
    let work = Closure::once_into_js(move || {
        future_to_promise(async {
            work.await;
            Ok(JsValue::UNDEFINED)
        })
    });
    call_host("withHastyTimers", &[&work]).await;
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
