//! Hosts that throw, reject with any value, answer synchronously, answer nonsense, or hang.

use crate::support::{fs_object, fs_with, js, with_hasty_timers};
use loopgate::port::{FileKind, FsPort, FsSupport, GitPort, PortErrorKind, Stat};
use loopgate::wasm::{JsFs, JsGit, js_error, port_error};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
fn thrown_values_become_port_errors() {
    use PortErrorKind::*;
    let with_code = |code: &str| format!("Object.assign(new Error('words'), {{ code: '{code}' }})");
    let cases = [
        (with_code("ENOENT"), NotFound, "words"),
        (with_code("NotFoundError"), NotFound, "words"),
        (with_code("EEXIST"), Exists, "words"),
        (with_code("ENOTDIR"), NotDirectory, "words"),
        (with_code("EISDIR"), IsDirectory, "words"),
        (with_code("ENOTEMPTY"), NotEmpty, "words"),
        (with_code("EACCES"), Denied, "words"),
        (with_code("ENOSPC"), Quota, "words"),
        (with_code("ECONNRESET"), Unavailable, "words"),
        (with_code("WHATEVER"), Other, "words"),
        ("new DOMException('full', 'QuotaExceededError')".into(), Quota, "QuotaExceededError: full"),
        ("new DOMException('gone', 'NotFoundError')".into(), NotFound, "NotFoundError: gone"),
        ("new DOMException('stop', 'AbortError')".into(), Aborted, "AbortError: stop"),
        ("new Error('ENOENT: no such file')".into(), NotFound, "ENOENT: no such file"),
        ("new TypeError('Failed to fetch')".into(), Unavailable, "TypeError: Failed to fetch"),
        ("new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })".into(), Unavailable, "fetch failed"),
        ("Object.assign(new Error('busy'), { status: 503 })".into(), Unavailable, "busy"),
        ("Object.assign(new Error('busy'), { status: 503, retryAfter: 3 })".into(), RateLimited(Some(3_000)), "busy"),
        ("Object.assign(new Error('busy'), { status: 529, retryAfter: 3 })".into(), RateLimited(Some(3_000)), "busy"),
        ("{ message: 'busy', status: 529, headers: { 'retry-after': '4' } }".into(), RateLimited(Some(4_000)), "busy"),
        ("Object.assign(new Error('busy'), { status: 529 })".into(), Unavailable, "busy"),
        ("Object.assign(new Error('slow'), { status: 429 })".into(), RateLimited(None), "slow"),
        ("Object.assign(new Error('slow'), { status: 429, retryAfter: 10n })".into(), RateLimited(None), "slow"),
        ("Object.assign(new Error('slow'), { status: 429, retryAfter: Symbol() })".into(), RateLimited(None), "slow"),
        ("Object.assign(new Error('slow'), { status: 429, retryAfter: 1.5 })".into(), RateLimited(Some(1_500)), "slow"),
        ("{ message: 'slow', status: 429, headers: { 'retry-after': '2' } }".into(), RateLimited(Some(2_000)), "slow"),
        (
            "{ message: 'slow', response: new Response('', { status: 429, headers: { 'retry-after-ms': '30' } }) }"
                .into(),
            RateLimited(Some(30)),
            "slow",
        ),
        ("new Error('line 429')".into(), Other, "line 429"),
        ("Object.assign(new Error('key'), { status: 401 })".into(), Other, "key"),
        ("'just words'".into(), Other, "just words"),
        ("undefined".into(), Other, "the host threw undefined, which is not an Error"),
        ("null".into(), Other, "the host threw null, which is not an Error"),
        ("42".into(), Other, "the host threw 42, which is not an Error"),
        ("Symbol('x')".into(), Other, "which is not an Error"),
        ("{}".into(), Other, "the host threw an object, which is not an Error"),
        ("{ why: 'this' }".into(), Other, "the host threw {\"why\":\"this\"}, which is not an Error"),
        ("Object.freeze(Object.assign(new Error('cold'), { code: 'ENOENT' }))".into(), NotFound, "cold"),
        ("{ get message() { throw 1 }, get code() { throw 2 }, toJSON() { throw 3 } }".into(), Other, "an object"),
        ("new Proxy({}, { get() { throw 1 } })".into(), Other, "an object"),
        ("(() => { const cycle = {}; cycle.cycle = cycle; return cycle })()".into(), Other, "an object"),
    ];
    for (thrown, kind, words) in cases {
        let error = port_error("fs", "stat", js(&thrown));
        assert_eq!(error.kind, kind, "{thrown}");
        assert!(error.message.contains(words), "{thrown}: {}", error.message);
    }
}

#[wasm_bindgen_test]
fn an_error_in_javascript_has_its_code_and_cause() {
    let thrown = js("Object.assign(new Error('full'), { code: 'ENOSPC' })");
    let error = js_error(port_error("fs", "writeFile", thrown.clone()).at_path("/a").into());
    let field = |name: &str| crate::support::get(&error, name);
    assert!(error.is_instance_of::<js_sys::Error>());
    assert_eq!(field("name").as_string().unwrap(), "LoopgateError");
    assert_eq!(field("code").as_string().unwrap(), "fs");
    assert_eq!(field("message").as_string().unwrap(), "fs.writeFile of /a failed: full");
    assert_eq!(field("path").as_string().unwrap(), "/a");
    assert_eq!(field("retryable").as_bool(), Some(false));
    assert_eq!(field("cause"), thrown);
}

#[wasm_bindgen_test]
async fn a_fast_listing_needs_ordinary_entries() {
    let stat = "({ isFile: () => true, isDirectory: () => false, isSymbolicLink: () => false, size: 3, mtimeMs: 7, mode: 0o644 })";
    let listed = async |names: &str, lstat: &str| {
        let fs = fs_with(&format!("readdir: async () => {names}, stat: async () => 0, lstat: async (path) => {lstat}"));
        fs.list("/d").await.unwrap()
    };
    let plain = Stat { kind: FileKind::File, size: 3, mtime_ms: 7.0, mode: Some(0o644) };
    assert_eq!(listed("['a', 'b']", stat).await, Some(vec![("a".to_owned(), plain), ("b".to_owned(), plain)]));
    let bare = "({ isFile: () => true, isDirectory: () => false, size: 3, mtime: new Date(7) })";
    assert_eq!(listed("['a']", bare).await, Some(vec![("a".to_owned(), Stat { mode: None, ..plain })]));
    let pipe = stat.replace("isFile: () => true", "isFile: () => false");
    assert_eq!(listed("['a']", &pipe).await, Some(vec![("a".to_owned(), Stat { kind: FileKind::Special, ..plain })]));
    for (names, lstat) in [
        ("7", stat),
        ("['a', 7]", stat),
        ("['']", stat),
        ("['a/b']", stat),
        ("[{ name: 'a' }]", stat),
        ("['a']", "null"),
        ("['a']", "({})"),
        ("['a']", "({ isDirectory: () => false, size: 3, mtimeMs: 7 })"),
        ("['a']", "({ isFile() {}, isDirectory: () => false, mtimeMs: 7 })"),
        ("['a', 'b']", "{ if (path === '/d/b') throw new Error('gone'); return 0 }"),
    ] {
        assert_eq!(listed(names, lstat).await, None, "{names} {lstat}");
    }
}

#[wasm_bindgen_test]
async fn a_synchronous_throw_counts_as_a_rejection() {
    let fs = fs_with("readFile() { throw new Error('at once') }, readdir: () => Promise.reject('words')");
    assert_eq!(fs.read_file("/a").await.unwrap_err().to_string(), "fs.readFile of /a failed: at once");
    assert_eq!(fs.read_dir("/d").await.unwrap_err().to_string(), "fs.readdir of /d failed: words");
}

#[wasm_bindgen_test]
async fn a_host_may_answer_synchronously() {
    let fs = fs_with("readFile: (path) => `text of ${path}`, readdir: () => ['a', { name: 'b' }], mkdir() {}");
    assert_eq!(fs.read_file("/ö").await.unwrap(), "text of /ö".as_bytes());
    assert_eq!(fs.read_dir("/").await.unwrap(), ["a", "b"]);
    fs.make_dir("/d").await.unwrap();
    fs.flush().await.unwrap();
}

#[wasm_bindgen_test]
async fn bytes_are_accepted_in_every_form() {
    for bytes in [
        "new Uint8Array([1, 2, 3])",
        "new Uint8Array([0, 1, 2, 3, 4]).subarray(1, 4)",
        "new Uint8Array([1, 2, 3]).buffer",
        "new DataView(new Uint8Array([0, 1, 2, 3]).buffer, 1)",
        "'\\u0001\\u0002\\u0003'",
    ] {
        let fs = fs_with(&format!("readFile: async () => {bytes}"));
        assert_eq!(fs.read_file("/a").await.unwrap(), [1, 2, 3], "{bytes}");
    }
    let fs = fs_with("readFile: async () => 7, stat: async () => ({ isFile: () => true, isDirectory: () => false })");
    let error = fs.read_file("/a").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "fs.readFile of /a failed: the answer cannot be read: a number instead of bytes or text"
    );
}

#[wasm_bindgen_test]
async fn methods_are_called_with_their_this() {
    let class =
        "new (class { constructor() { this.text = 'mine' } async readFile() { return this.text } async writeFile() {}
        async readdir() {} async mkdir() {} async rmdir() {} async unlink() {} async rename() {} async stat() {} })()";
    assert_eq!(JsFs::new(&js(class)).unwrap().read_file("/a").await.unwrap(), b"mine");
}

#[wasm_bindgen_test]
async fn a_proxy_with_every_property_is_a_file_system() {
    let proxy = js("new Proxy(() => {}, { get: (_, name) => async (path) => `${String(name)} ${path}` })");
    assert_eq!(JsFs::new(&proxy).unwrap().read_file("/a").await.unwrap(), b"readFile /a");
}

#[wasm_bindgen_test]
async fn a_host_may_retain_its_arguments() {
    let object =
        fs_object("async writeFile(path, bytes) { this.kept ??= bytes }, async readFile() { return this.kept }");
    let fs = JsFs::new(&object).unwrap();
    fs.write_file("/a", b"first").await.unwrap();
    fs.write_file("/b", &vec![7; 1 << 20]).await.unwrap();
    assert_eq!(fs.read_file("/a").await.unwrap(), b"first");
}

#[wasm_bindgen_test]
async fn optional_fields_of_stats_may_be_missing() {
    let stat = "({ isFile: () => true, isDirectory: () => false, size: 3, mtime: new Date(5) })";
    let fs = fs_with(&format!("stat: () => {stat}"));
    let read = fs.lstat("/a").await.unwrap();
    assert_eq!((read.kind, read.size, read.mtime_ms, read.mode), (FileKind::File, 3, 5.0, None));
    assert_eq!(fs.support(), FsSupport::default());
    let pipe = fs_with("stat: () => ({ isFile: () => false, isDirectory: () => false })");
    assert_eq!(pipe.lstat("/a").await.unwrap().kind, FileKind::Special);
    for nonsense in ["undefined", "7", "({})", "({ isFile: 1, isDirectory: 2 })"] {
        let fs = fs_with(&format!("stat: async () => {nonsense}"));
        assert_eq!(fs.lstat("/a").await.unwrap_err().kind, PortErrorKind::Other, "{nonsense}");
    }
}

#[wasm_bindgen_test]
async fn only_a_file_without_bytes_reads_as_empty() {
    let entry = |is_file: bool| format!("stat: () => ({{ isFile: () => {is_file}, isDirectory: () => !{is_file} }})");
    let fs = |is_file| fs_with(&format!("readFile: async () => undefined, {}", entry(is_file)));
    assert_eq!(fs(true).read_file("/torn").await.unwrap(), b"");
    assert_eq!(fs(false).read_file("/folder").await.unwrap_err().kind, PortErrorKind::IsDirectory);
    let null = fs_with(&format!("readFile: async () => null, {}", entry(true)));
    assert_eq!(null.read_file("/a").await.unwrap_err().kind, PortErrorKind::Other);
}

#[wasm_bindgen_test]
fn link_methods_may_exist_without_link_support() {
    let support = |more: &str| fs_with(&format!("lstat() {{}}, readlink() {{}}, symlink() {{}}, {more}")).support();
    assert!(support("").symlinks && support("hasLinks: true").symlinks);
    assert!(!support("hasLinks: false").symlinks);
}

#[wasm_bindgen_test]
fn missing_methods_of_a_port_are_named() {
    let refused = |host: JsValue| JsFs::new(&host).err().unwrap().to_string();
    assert!(refused(JsValue::UNDEFINED).contains("`fs` has no method `readFile`"));
    assert!(refused(js("{ readFile() {}, writeFile: 1 }")).contains("`writeFile`"));
    assert!(JsGit::new(&js("{ init() {} }")).err().unwrap().message.contains("`resolveRef`"));
}

#[wasm_bindgen_test]
async fn a_hanging_port_is_named() {
    with_hasty_timers(async {
        let fs = fs_with("readFile: () => new Promise(() => {})");
        let error = fs.read_file("/a").await.unwrap_err();
        assert_eq!(error.kind, PortErrorKind::Timeout);
        assert_eq!(
            error.to_string(),
            "fs.readFile of /a failed: no answer within 60000 ms; check that the host's fs port settles its promises"
        );
        let methods = [
            "init",
            "resolveRef",
            "writeRef",
            "deleteRef",
            "listTags",
            "readCommit",
            "readTree",
            "readBlob",
            "writeBlob",
            "writeTree",
            "writeCommit",
        ];
        let methods: String = methods.iter().map(|name| format!("{name}: () => new Promise(() => {{}}),")).collect();
        let error = JsGit::new(&js(&format!("{{ {methods} }}"))).unwrap().write_blob(b"").await.unwrap_err();
        assert_eq!((error.kind, error.port, error.operation.as_str()), (PortErrorKind::Timeout, "git", "writeBlob"));
    })
    .await;
}
