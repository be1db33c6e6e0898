//! What an edit changes, and what it leaves.

use super::*;
use crate::ErrorCode;
use crate::config::{Config, load, resolve};
use crate::port::memory::{MemoryClock, MemoryFs};
use proptest::prelude::*;
use serde_json::json;

fn read(text: &str) -> Config {
    resolve(Sources { project: Some(text.as_bytes()), ..Sources::default() }).unwrap()
}

#[test]
fn a_change_touches_nothing_else() {
    let cases = [
        // Scalars.
        (
            "defaults:\n  maxIterations: 5 # few\n  maxRetries: 1\n",
            json!({ "defaults": { "maxIterations": 7 } }),
            "defaults:\n  maxIterations: 7 # few\n  maxRetries: 1\n",
        ),
        ("git:\n  branch: 'spec'  # x", json!({ "git": { "branch": "current" } }), "git:\n  branch: current  # x"),
        (
            "defaults:\n  executor:  # pick\nx: 1\n",
            json!({ "defaults": { "executor": "a" } }),
            "defaults:\n  executor: a  # pick\nx: 1\n",
        ),
        ("x: |\n  text\n  more\n\n# after\ny: 1\n", json!({ "x": "no" }), "x: \"no\"\n\n# after\ny: 1\n"),
        ("x: >-\n  text\n", json!({ "x": ["a"] }), "x:\n  - a\n"),
        ("x: &a 1\ny: 2\n", json!({ "x": 3 }), "x: 3\ny: 2\n"),
        ("a: &a 1\nx: *a # c\n", json!({ "x": 3 }), "a: &a 1\nx: 3 # c\n"),
        // Missing keys.
        ("", json!({ "rules": ["a b", "c"] }), "rules:\n  - \"a b\"\n  - c\n"),
        ("# mine", json!({ "defaults": { "maxRetries": 0 } }), "# mine\ndefaults:\n  maxRetries: 0\n"),
        ("a: 1", json!({ "b": 2 }), "a: 1\nb: 2"),
        (
            "defaults:\n    maxRetries: 1 # c\n\n# next\nrules: []\n",
            json!({ "defaults": { "maxIterations": 2 } }),
            "defaults:\n    maxRetries: 1 # c\n    maxIterations: 2\n\n# next\nrules: []\n",
        ),
        (
            "defaults: # c\nrules: []\n",
            json!({ "defaults": { "maxIterations": 2 } }),
            "defaults: # c\n  maxIterations: 2\nrules: []\n",
        ),
        ("defaults: ~ # c\n", json!({ "defaults": { "maxIterations": 2 } }), "defaults: # c\n  maxIterations: 2\n"),
        (
            "defaults: { maxRetries: 1, }\n",
            json!({ "defaults": { "maxIterations": 2 } }),
            "defaults: { maxRetries: 1, maxIterations: 2, }\n",
        ),
        ("defaults: {}\n", json!({ "defaults": { "maxIterations": 2 } }), "defaults: {maxIterations: 2}\n"),
        ("a: &m { x: 1 }\nb:\n  <<: *m\n", json!({ "b": { "x": 2 } }), "a: &m { x: 1 }\nb:\n  <<: *m\n  x: 2\n"),
        // Lists.
        ("rules: [a, b] # c\n", json!({ "rules": ["d"] }), "rules: # c\n  - d\n"),
        ("rules:\n# c\n- a\n- b\n# d\nx: 1\n", json!({ "rules": ["d", "e"] }), "rules:\n# c\n- d\n- e\n# d\nx: 1\n"),
        ("rules: # b\n  # c\n  - a\n  - b\n\nx: 1\n", json!({ "rules": [] }), "rules: [] # b\n  # c\n\nx: 1\n"),
        ("rules: &r\n  - a\n", json!({ "rules": ["b"] }), "rules:\n  - b\n"),
        (
            "tools:\n  executors: []\n",
            json!({ "tools": { "executors": [{ "id": "a", "name": "b c" }] } }),
            "tools:\n  executors:\n    - id: a\n      name: \"b c\"\n",
        ),
        // Removal.
        ("a: 1\n  # c\nb: 2 # d\nc: 3\n", json!({ "b": null }), "a: 1\n  # c\nc: 3\n"),
        ("a: { x: 1, y: 2 }\n", json!({ "a": { "x": null } }), "a: { y: 2 }\n"),
        ("a: { x: 1, y: 2 }\n", json!({ "a": { "y": null } }), "a: { x: 1 }\n"),
        ("rules:\n  - a\n  - b", json!({ "rules": null }), ""),
        ("a: 1\n", json!({ "b": null, "c": { "d": null } }), "a: 1\n"),
        // Several.
        ("a: 1\nb: 2\n", json!({ "a": null, "b": 3, "c": { "d": 4, "e": 5 } }), "b: 3\nc:\n  d: 4\n  e: 5\n"),
    ];
    for (text, changes, expected) in cases {
        assert_eq!(edit(text, &changes).unwrap(), expected, "{text}");
        let windows = |text: &str| format!("\u{feff}{}", text.replace('\n', "\r\n"));
        if text.contains('\n') {
            assert_eq!(edit(&windows(text), &changes).unwrap(), windows(expected), "{text} with a mark and CRLF");
        }
    }
}

#[test]
fn a_text_is_read_back_as_it_was() {
    for text in
        ["no", "1e3", "", "a: b", "# x", "'", "\"", "a\nb", "\u{85}\u{2028}\u{feff}\0\u{7f}é😀", "- a", "~", "*a", "{"]
    {
        let edited = edit("x: 1\n", &json!({ "y": { text: text }, "z": [text] })).unwrap();
        let values = read(&edited).values;
        assert_eq!((&values["y"][text], &values["z"][0]), (&json!(text), &json!(text)), "{edited}");
    }
}

#[test]
fn a_change_that_cannot_be_made_is_refused() {
    let cases = [
        ("defaults:\n  maxIterations: 5\n", json!({ "defaults": { "maxIterations": 21 } }), "`defaults.maxIterations`"),
        ("rules: [a\n", json!({ "rules": [] }), "YAML"),
        ("- a\n", json!({ "rules": [] }), "mapping"),
        ("a: &a { x: 1 }\nb: *a\n", json!({ "b": { "x": 2 } }), "other values"),
        ("a: &a { x: 1 }\nb: *a\n", json!({ "a": null }), "YAML"),
        ("a: { x: 1 }\n", json!([1]), "mapping"),
        ("tools: { executors: [{ id: a }] }", json!({ "defaults": { "executor": "b" } }), "`defaults.executor`"),
        ("", json!({ "rules": "a" }), "`rules`"),
    ];
    for (text, changes, words) in cases {
        let error = edit(text, &changes).unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidConfig, "{text}");
        assert!(error.message.contains(words), "{text}: {}", error.message);
    }
}

#[test]
fn a_change_can_repair_a_value_and_name_an_id_of_another_layer() {
    let changes = json!({ "defaults": { "maxIterations": 3, "executor": "of-the-global-layer" } });
    let edited = edit("defaults: { maxIterations: 99 }\n", &changes).unwrap();
    assert_eq!(edited, "defaults: { maxIterations: 3, executor: of-the-global-layer }\n");
}

#[tokio::test]
async fn a_save_creates_the_file_and_writes_nothing_if_it_is_refused() {
    let fs = MemoryFs::new(&MemoryClock::default());
    let dir = ProjectDir::new(&fs, "/project");
    fs.put_dir("/project");
    save(dir, &json!({ "defaults": { "maxIterations": 9.0 } })).await.unwrap();
    assert_eq!(load(dir, None, None).await.unwrap().settings.defaults.max_iterations, 9);
    let (writes, text) = (fs.writes(), fs.text("/project/.handoff/config.yaml"));
    assert_eq!(text.as_deref(), Some("defaults:\n  maxIterations: 9\n"));
    assert!(save(dir, &json!({ "defaults": { "maxIterations": 0 } })).await.is_err());
    save(dir, &json!({ "defaults": { "maxIterations": 9 } })).await.unwrap();
    assert_eq!(fs.writes(), writes);
}

const TEXTS: [&str; 4] = [
    "# c0\ndefaults: # c1\n  # c2\n  maxIterations: 3 # c3\n  # c4\n\n  maxRetries: 1\n# c5\nrules: # c6\n  # c7\n  - a\n  - 'b'\n  # c8\nunknown:\n  deep: { a: 1, b: [x, y] } # c9\n# c10\n",
    "{ defaults: { maxIterations: 3 }, rules: [a, b], unknown: { deep: { a: 1 } } } # c0",
    "# c0\n---\nrules: [a] # c1\ndefaults: {} # c2\nunknown:\n    # c3\n    deep:\n        a: |\n            text\n\n            more\n\n# c4\n",
    "defaults:\n  maxIterations: 3\nunknown:\n  deep:\n    # c0\n    a:\n    - b: 1\n      c: 2\n    - - d\n      - e\n\n\n    # c1\nsummaries: { enabled: false }\nrules:\n- a\n",
];

fn change() -> impl Strategy<Value = Value> {
    let text =
        prop_oneof!["[a-z]{1,4}", "[ -~é😀\n]{1,8}"].prop_filter("blank", |text: &String| !text.trim().is_empty());
    let texts = prop::collection::vec(text, 0..3);
    let optional = |value: BoxedStrategy<Value>| prop_oneof![3 => value, 1 => Just(Value::Null)];
    let iterations = optional((1..20_u32).prop_map(Value::from).boxed());
    let list = texts.prop_map(Value::from).boxed();
    let deep = prop_oneof![
        list.clone(),
        any::<f32>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        list.clone().prop_map(|list| json!([{ "x": list.clone(), "y z": [list] }])),
        list.clone().prop_map(|list| json!({ "inner": { "most": list } })),
    ];
    let steps = prop::collection::vec("[a-z ]{0,3}[a-z]", 0..3).prop_map(|names| {
        names.into_iter().map(|name| json!({ "name": name, "command": format!("run {name}") })).collect::<Value>()
    });
    let fields =
        (optional(iterations.boxed()), optional(list), optional(deep.boxed()), optional(steps.boxed()), any::<u8>());
    fields.prop_map(|(iterations, rules, deep, steps, chosen)| {
        let mut changes = json!({
            "defaults": { "maxIterations": iterations },
            "rules": rules,
            "unknown": { "deep": { "a": deep }, "new": 1 },
            "verification": { "steps": steps },
        });
        let mut bit = 0;
        changes.as_object_mut().unwrap().retain(|_, _| {
            bit += 1;
            chosen & (1 << bit) != 0
        });
        changes
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn a_change_sets_its_values_and_leaves_all_others_and_the_comments(
        text in prop::sample::select(&TEXTS[..]),
        is_windows: bool,
        first in change(),
        second in change(),
    ) {
        let mut text = if is_windows { text.replace('\n', "\r\n") } else { text.to_owned() };
        for changes in [first, second] {
            let edited = edit(&text, &changes).unwrap();
            let mut expected = values(&text).unwrap();
            let mut normal = changes.clone();
            integral(&mut normal);
            apply(&mut expected, &normal);
            prop_assert_eq!(values(&edited).unwrap(), expected, "{}", &edited);
            // What is removed or replaced takes the comments in it along.
            let has_removed = changes.to_string().contains("null");
            for comment in text.match_indices("# c").map(|(at, _)| text[at..].split_whitespace().nth(1).unwrap()) {
                prop_assert!(has_removed || edited.contains(comment), "{comment} is lost:\n{text}\n{changes}\n{edited}");
            }
            prop_assert_eq!(is_windows && edited.replace("\r\n", "").contains('\n'), false);
            text = edited;
        }
    }
}
