//! A complete host, read from the object that the IDE passes.

use crate::support::{fs_object, js};
use loopgate::port::{Abort, Answer, Decision, HookAnswer, HooksPort, Host, Image, Phase, Rights};
use loopgate::wasm::{JsHooks, host as wasm_host};
use loopgate::{Error, ErrorCode};
use serde_json::json;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

fn host(fields: &str) -> Result<Host, Error> {
    let host = js(&format!("{{ dir: '/project', {fields} }}"));
    js_sys::Reflect::set(&host, &"fs".into(), &fs_object("")).unwrap();
    wasm_host::read(&host, None)
}

#[wasm_bindgen_test]
fn a_wrong_field_is_named() {
    for (fields, name) in [
        ("dir: 7", "`dir` must be an absolute path, not a number"),
        ("dir: 'project'", "`dir` must be an absolute path, such as /project"),
        ("dir: '/a/../b'", "without `..`"),
        ("model: {}", "`model` must be a function"),
        ("model: Object.assign(() => {}, { images: 'yes' })", "`model.images` must be a boolean, not a string"),
        ("git: {}", "`git` has no method `init`"),
        ("shell: () => {}", "`shell` has no method `execute`"),
        ("build: {}", "`build` must be a function"),
        ("preview: {}", "`preview` has no method `runtimeErrors`"),
        ("tools: {}", "`tools` must be an array, not an object"),
        ("tools: [{ name: 'x' }]", "`tools[0].execute` must be a function, not undefined"),
        ("tools: [{ name: 'x', description: 'y', execute() {} }]", "`tools[0].parameters` must be a JSON Schema"),
        ("gates: [{ check() {}, name: '' }]", "`gates[0].name` is empty"),
        ("hooks: { beforeTool: 1 }", "`hooks.beforeTool` must be a function, not a number"),
    ] {
        let error = host(fields).err().unwrap();
        assert_eq!(error.code, ErrorCode::InvalidArgument, "{fields}");
        assert!(error.message.contains(name), "{fields}: {}", error.message);
    }
    assert!(wasm_host::read(&JsValue::NULL, None).is_err());
}

#[wasm_bindgen_test]
fn a_bare_host_has_files_and_a_clock() {
    let host = host("git: null, model: undefined").unwrap();
    assert!(host.git.is_none() && host.model.is_none() && host.tools.is_empty());
    assert!(host.clock.now() > 1_600_000_000_000);
}

#[wasm_bindgen_test]
fn the_project_folder_is_normalised() {
    for (dir, normal) in [("/", ""), ("/a/", "/a"), ("//a/./b", "/a/b")] {
        assert_eq!(host(&format!("dir: '{dir}'")).unwrap().dir, normal);
    }
}

#[wasm_bindgen_test]
fn the_host_may_bring_its_own_clock() {
    assert_eq!(host("now: () => 5").unwrap().clock.now(), 5);
    assert!(host("now: () => NaN").unwrap().clock.now() > 5);
    assert!(host("now() { throw 1 }").unwrap().clock.now() > 5);
}

#[wasm_bindgen_test]
async fn a_tool_is_called_with_its_arguments_and_its_context() {
    let host = host(
        "tools: [{ name: 'echo', description: 'says', parameters: { type: 'object' }, writes: true, async execute(args, context) {
            return `${this.name} ${JSON.stringify(args)} ${context.dir} ${context.signal.aborted} ${typeof context.fs.call}` } },
          { name: 'fail', description: 'fails', parameters: {}, readOnly: true, execute: () => ({ ok: false, output: 'no' }) },
          { name: 'odd', description: 'is odd', parameters: {}, execute: () => 7 }]",
    )
    .unwrap();
    let call = async |at: usize| {
        let tool = &host.tools[at];
        tool.execute(&json!({ "a": [1, null] }), &Rights::executor(), &Abort::new()).await
    };
    assert!(host.tools[0].writes() && !host.tools[1].writes());
    assert!(!host.tools[0].reads_only() && host.tools[1].reads_only());
    assert_eq!(call(0).await.unwrap().output, r#"echo {"a":[1,null]} /project false function"#);
    assert!(!call(1).await.unwrap().ok);
    assert!(call(2).await.unwrap_err().message.contains("a number instead of a string or { ok, output }"));
}

#[wasm_bindgen_test]
async fn a_tool_returns_images() {
    let host = host(
        "tools: [{ name: 'shoot', description: 'shoots', parameters: {}, execute: ({ images }) => ({ ok: true, output: 'seen', images }) }]",
    )
    .unwrap();
    let call =
        async |images| host.tools[0].execute(&json!({ "images": images }), &Rights::executor(), &Abort::new()).await;
    let answer = call(json!([{ "mediaType": "image/png", "data": "Zm9v" }])).await.unwrap();
    let image = Image { media_type: "image/png".to_owned(), data: "Zm9v".to_owned() };
    assert_eq!((answer.output.as_str(), answer.images), ("seen", vec![image]));
    assert_eq!(call(json!(null)).await.unwrap().images, []);
    let error = call(json!([{ "mediaType": 7, "data": "Zm9v" }])).await.unwrap_err();
    assert!(error.message.contains("expected a string, not 7 at `images[0].mediaType`"), "{error}");
}

#[wasm_bindgen_test]
async fn a_gate_returns_pass_and_feedback() {
    let host = host(
        "gates: [{ name: 'g', description: 'd', check: ({ phase, dir }) => ({ pass: false, feedback: `${phase} ${dir}` }) },
          { name: 'h', description: 'd', check: () => 'yes' }]",
    )
    .unwrap();
    let answer = host.gates[0].check(Phase::Check, &Abort::new()).await.unwrap();
    assert_eq!((answer.pass, answer.feedback.as_deref()), (false, Some("check /project")));
    assert!(host.gates[1].check(Phase::Check, &Abort::new()).await.is_err());
}

#[wasm_bindgen_test]
async fn a_hook_denies_unless_it_allows_or_asks() {
    let is_denied =
        |answer: &HookAnswer| matches!(answer, HookAnswer::Answer(answer) if answer.decision == Decision::Deny);
    let ask = async |hook: &str| {
        let hooks = JsHooks::new(&js(&format!("{{ beforeTool: {hook} }}"))).unwrap();
        hooks.before_tool("write_file", &json!({}), Phase::Build, &Abort::new()).await
    };
    assert_eq!(ask("undefined").await, HookAnswer::from(Answer::allow()));
    assert_eq!(ask("() => ({ decision: 'allow' })").await, HookAnswer::from(Answer::allow()));
    let changed = ask("async ({ name, phase }) => ({ decision: 'allow', args: { name, phase } })").await;
    assert_eq!(
        changed,
        HookAnswer::from(Answer { value: Some(json!({ "name": "write_file", "phase": "build" })), ..Answer::allow() })
    );
    assert_eq!(
        ask("() => ({ decision: 'deny', reason: 'no' })").await,
        HookAnswer::from(Answer::deny("no".to_owned()))
    );
    for hook in ["() => { throw new Error('broken') }", "() => 'allow'", "() => ({})", "() => ({ decision: 'yes' })"] {
        assert!(is_denied(&ask(hook).await), "{hook}");
    }
    assert_eq!(ask("() => ({ decision: 'ask', reason: 'risky' })").await, HookAnswer::Ask("risky".to_owned()));
    let aborted = Abort::new();
    aborted.fire("enough");
    let hooks = JsHooks::new(&js("{ beforeTool: () => new Promise(() => {}) }")).unwrap();
    assert!(is_denied(&hooks.before_tool("write_file", &json!({}), Phase::Build, &aborted).await));
}
