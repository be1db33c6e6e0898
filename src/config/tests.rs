//! What a configuration says, from its layers.

use super::*;
use crate::port::memory::{MemoryClock, MemoryFs};
use crate::port::{PricesPort, Usage};
use proptest::prelude::*;
use serde_json::json;

const EXAMPLE: &str = r#"
# .handoff/config.yaml (project-level, overrides global)
tools:
  executors:
    - id: opencode
      name: "OpenCode (GLM 4.7)"
      type: opencode
      endpoint: "http://localhost:4096"
    - id: claude-code
      name: "Claude Code"
      type: claude-code
      command: "claude"

  planners:
    - id: opus
      name: "Claude Opus"
      model: "claude-opus-4-5-20251101"

  reviewers:
    - id: sonnet-quick
      name: "Sonnet (Quick)"
      model: "claude-sonnet-4-5-20250929"
      checks: ["syntax", "types", "obvious_bugs"]
    - id: opus-thorough
      model: "claude-opus-4-5-20251101"

defaults:
  executor: opencode
  planner: opus
  quickReviewer: sonnet-quick
  finalReviewer: opus-thorough
  maxIterations: 7

rules:
  - "Use pnpm, never npm or yarn"
  - "TypeScript strict mode"

verification:
  enabled: true
  steps:
    - name: "Type Check"
      command: "pnpm tsc --noEmit"
    - name: "Lint"
      command: "pnpm lint"
      required: false
      timeoutMs: 5000
"#;

fn project(text: &str) -> Result<Config, Error> {
    resolve(Sources { project: Some(text.as_bytes()), ..Sources::default() })
}

fn spec(layer: Value) -> Result<Config, Error> {
    resolve(Sources { spec: Some(&layer), ..Sources::default() })
}

fn layers(global: &str, project: &str, spec: Value) -> Config {
    resolve(Sources { global: Some(global), project: Some(project.as_bytes()), spec: Some(&spec) }).unwrap()
}

#[track_caller]
fn refused(result: Result<Config, Error>, words: &[&str]) -> Error {
    let error = result.unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidConfig);
    assert!(words.iter().all(|words| error.message.contains(words)), "{words:?}: {}", error.message);
    error
}

#[tokio::test]
async fn without_files_the_defaults_apply_and_nothing_is_written() {
    let fs = MemoryFs::new(&MemoryClock::default());
    let config = load(ProjectDir::new(&fs, "/project"), None, None).await.unwrap();
    assert_eq!(config.settings, Settings::default());
    assert_eq!(config.values["defaults"], json!({ "maxIterations": 5, "maxRetries": 5, "stopOnFailure": false }));
    assert_eq!((&config.values["verification"]["enabled"], &config.values["rules"]), (&json!(false), &json!([])));
    assert!(config.warnings.is_empty() && config.origins.is_empty());
    assert_eq!(fs.writes(), 0);
}

#[test]
fn the_example_is_read() {
    let config = project(EXAMPLE).unwrap();
    assert_eq!(config.warnings, []);
    let Settings { tools, defaults, rules, verification, .. } = &config.settings;
    assert_eq!(tools.executors[0].kind.as_deref(), Some("opencode"));
    assert_eq!(tools.executors[1].command.as_deref(), Some("claude"));
    assert_eq!(tools.reviewers[0].checks, ["syntax", "types", "obvious_bugs"]);
    assert_eq!((defaults.max_iterations, rules.len()), (7, 2));
    let steps: Vec<(bool, u64)> = verification.steps.iter().map(|step| (step.required, step.timeout_ms)).collect();
    assert_eq!(steps, [(true, 120_000), (false, 5000)]);
    assert_eq!(config.values["verification"]["steps"][0]["required"], json!(true), "defaults of items are filled");
}

#[test]
fn the_innermost_layer_wins_and_each_value_has_its_origin() {
    let config = layers(
        "# global\ndefaults: { maxIterations: 3, maxRetries: 1 }\n",
        "\ndefaults:\n  maxIterations: 5\nrules: [a]\n",
        json!({ "defaults": { "maxIterations": 7 } }),
    );
    assert_eq!(config.settings.defaults.max_iterations, 7);
    let explained = |key: &str| {
        let Explained { value, layer, file, line } = config.explain(key).unwrap();
        (value, layer, file, line)
    };
    assert_eq!(explained("defaults.maxIterations"), (json!(7), Layer::Spec, None, None));
    assert_eq!(explained("defaults.maxRetries"), (json!(1), Layer::Global, None, Some(2)));
    assert_eq!(explained("rules"), (json!(["a"]), Layer::Project, Some(layout::CONFIG), Some(4)));
    assert_eq!(explained("rules[0]"), (json!("a"), Layer::Project, Some(layout::CONFIG), Some(4)));
    assert_eq!(explained("verification.enabled"), (json!(false), Layer::Default, None, None));
    assert_eq!(explained("defaults.executor"), (Value::Null, Layer::Default, None, None));
    assert_eq!(explained("defaults").1, Layer::Spec);
}

#[test]
fn an_unknown_key_cannot_be_explained_and_the_nearest_one_is_named() {
    let error = project("").unwrap().explain("defaults.maxIteratons").unwrap_err();
    assert_eq!(error.code, ErrorCode::NotFound);
    assert!(error.message.contains("defaults.maxIterations"), "{}", error.message);
}

#[test]
fn a_name_with_dots_and_an_item_of_a_list_can_be_explained() {
    let config = project(
        "tools:\n  executors:\n    - id: a\nmodels:\n  gpt-4.1:\n    inputPerMillion: 2\n    outputPerMillion: 8\n",
    )
    .unwrap();
    assert_eq!(config.explain("models.gpt-4.1.inputPerMillion").unwrap().line, Some(6));
    let Explained { value, line, .. } = config.explain("tools.executors[0].id").unwrap();
    assert_eq!((value, line), (json!("a"), Some(3)));
    let usage = Usage { output_tokens: 1_000_000, ..Usage::default() };
    assert_eq!(config.settings.models.cost(&usage, Some("gpt-4.1")), Some(8.0));
}

#[test]
fn mappings_merge_lists_replace_and_null_inherits() {
    let cases = [
        ("rules: [a]", "rules: [b]", "/rules", json!(["b"])),
        ("rules: [a]", "defaults: {}", "/rules", json!(["a"])),
        ("rules: [a]", "rules:\n", "/rules", json!(["a"])),
        ("defaults: { maxIterations: 3 }", "defaults: ~", "/defaults/maxIterations", json!(3)),
        ("defaults: { maxIterations: 3 }", "defaults:\n  maxIterations: null", "/defaults/maxIterations", json!(3)),
        ("x: { y: 1, z: 1 }", "x: { y: 2, z: ~ }", "/x", json!({ "y": 2, "z": 1 })),
    ];
    for (global, project, path, expected) in cases {
        assert_eq!(layers(global, project, json!({})).values.pointer(path), Some(&expected), "{project}");
        assert_eq!(
            layers("{}", global, yaml_value(project)).values.pointer(path),
            Some(&expected),
            "{project} as the spec's layer"
        );
    }
    let config = layers(
        "",
        "verification: { enabled: true, steps: [{ name: x, command: y, required: null }] }",
        json!({ "verification": { "enabled": false } }),
    );
    let VerificationSettings { enabled, steps } = config.settings.verification;
    assert_eq!((enabled, steps.len(), steps[0].required), (false, 1, true));
}

fn yaml_value(text: &str) -> Value {
    yaml::parse(text).unwrap().unwrap().to_json()
}

#[test]
fn an_empty_layer_is_no_layer() {
    let none = resolve(Sources::default()).unwrap();
    for text in ["", "\n\n", "# comment\n", "\u{feff}", "---\n", "--- # comment\n...\n", "~", "{}"] {
        assert_eq!(project(text).unwrap(), none, "{text:?}");
        assert_eq!(resolve(Sources { global: Some(text), ..Sources::default() }).unwrap(), none, "{text:?}");
    }
    assert_eq!(spec(json!(null)).unwrap(), none);
    assert_eq!(spec(json!({})).unwrap(), none);
}

#[test]
fn line_ends_and_the_byte_order_mark_do_not_matter() {
    let plain = project(EXAMPLE).unwrap();
    assert_eq!(project(&EXAMPLE.replace('\n', "\r\n")).unwrap(), plain);
    assert_eq!(project(&format!("\u{feff}{EXAMPLE}")).unwrap(), plain);
    let bytes = format!("\u{feff}{}", EXAMPLE.replace('\n', "\r\n"));
    assert_eq!(project(&bytes).unwrap().hash(), plain.hash());
}

#[test]
fn scalars_of_text_keys_stay_as_they_are_written() {
    let text = "rules: [no, on, 1e3, 0x1F, true, 1.50, 'null', yes]\nverification:\n  steps:\n    - name: off\n      command: 007\n";
    let Settings { rules, verification, .. } = project(text).unwrap().settings;
    assert_eq!(rules, ["no", "on", "1e3", "0x1F", "true", "1.50", "null", "yes"]);
    assert_eq!((verification.steps[0].name.as_str(), verification.steps[0].command.as_str()), ("off", "007"));
    assert_eq!(project("rules: [!!str 1, ! 2]").unwrap().settings.rules, ["1", "2"]);
}

#[test]
fn a_wrong_value_is_refused_with_its_key_and_place() {
    for (value, found) in
        [("0", "`0`"), ("21", "`21`"), ("2.5", "`2.5`"), ("\"5\"", "\"5\""), ("true", "`true`"), ("[5]", "list")]
    {
        let error = refused(
            project(&format!("defaults:\n  maxIterations: {value}\n")),
            &["`defaults.maxIterations`", found, "an integer from 1 to 20", "line 2, column 18"],
        );
        assert_eq!((error.path.as_deref(), error.line, error.column), (Some(layout::CONFIG), Some(2), Some(18)));
    }
    for value in [json!(0), json!(21), json!(2.5), json!("5"), json!(true), json!({})] {
        let error =
            refused(spec(json!({ "defaults": { "maxIterations": value } })), &["`defaults.maxIterations`", "spec"]);
        assert_eq!((error.path.as_deref(), error.line), (None, None));
    }
    for (text, words) in [
        ("rules: a", vec!["`rules`", "a list"]),
        ("rules: [[a]]", vec!["`rules[0]`", "not blank"]),
        ("rules: [a, ' ']", vec!["`rules[1]`", "not blank"]),
        ("rules:\n  - a\n  -\n", vec!["`rules[1]`", "remove the item", "line 3"]),
        ("defaults: 3", vec!["`defaults`", "a mapping"]),
        ("defaults: { maxRetries: -1 }", vec!["`defaults.maxRetries`", "at least 0"]),
        ("defaults: { executor: '' }", vec!["`defaults.executor`", "not blank"]),
        ("verification: { enabled: yes }", vec!["`verification.enabled`", "`true` or `false`"]),
        ("verification: { steps: [{ name: a, command: '  ' }] }", vec!["`verification.steps[0].command`", "blank"]),
        ("verification: { steps: [{ name: a }] }", vec!["`verification.steps[0].command`", "missing"]),
        ("verification: { steps: [{ name: a, command: b, timeoutMs: 0 }] }", vec!["timeoutMs", "at least 1"]),
        ("tools: { executors: [{ name: a }] }", vec!["`tools.executors[0].id`", "missing"]),
        ("tools: { executors: [{ id: ' ' }] }", vec!["`tools.executors[0].id`", "blank"]),
        ("tools: { planners: [{ id: a }, { id: b }, { id: a }] }", vec!["`tools.planners[2].id`", "`a`"]),
        ("git: { branch: main }", vec!["`git.branch`", "`spec` or `current`"]),
        ("guard: { deny: [src/a, ../b] }", vec!["`guard.deny[1]`", "path"]),
        ("guard: { deny: [/etc] }", vec!["`guard.deny[0]`", "path"]),
        ("snapshots: { iterations: 10001 }", vec!["`snapshots.iterations`", "0 to 10000"]),
        ("records: { iterations: 10001 }", vec!["`records.iterations`", "0 to 10000"]),
        ("iterations: { keep: 0 }", vec!["`iterations.keep`", "at least 1"]),
        ("limits: { maxCostUsd: 0 }", vec!["`limits.maxCostUsd`", "above 0"]),
        ("limits: { maxTokens: 0.5 }", vec!["`limits.maxTokens`", "at least 1"]),
        ("models: { m: { inputPerMillion: 1 } }", vec!["`models.m.outputPerMillion`", "missing"]),
        ("gates: { only: [1, {}] }", vec!["`gates.only[1]`"]),
        ("reviews: { deep: 1 }", vec!["`reviews.deep`"]),
        ("reviews: { task: true }", vec!["`reviews.task`", "`off` or `quick`"]),
        ("approvals: { plan: later }", vec!["`approvals.plan`", "`true` or `false`"]),
        ("approvals: { expiresAfterMs: 0 }", vec!["`approvals.expiresAfterMs`", "at least 1"]),
    ] {
        refused(project(text), &words);
    }
    refused(spec(json!({ "rules": [1] })), &["`rules[0]`", "`1`", "text"]);
    refused(spec(json!([])), &["expected a mapping"]);
}

#[test]
fn a_number_without_a_fraction_is_an_integer() {
    assert_eq!(spec(json!({ "snapshots": { "iterations": 7.0 } })).unwrap().settings.snapshots.iterations, 7);
    assert_eq!(project("snapshots: { iterations: 0 }").unwrap().settings.snapshots.iterations, 0);
    assert_eq!(project("defaults: { maxRetries: 0 }").unwrap().settings.defaults.max_retries, 0);
    assert_eq!(project("limits: { maxCostUsd: 0.5 }").unwrap().settings.limits.max_cost_usd, Some(0.5));
}

#[test]
fn a_layer_that_is_not_a_mapping_is_refused() {
    for text in ["hello", "5", "- a\n- b\n", "[a]", "'a'"] {
        refused(project(text), &["expected a mapping", "line 1"]);
    }
}

#[test]
fn text_that_is_not_yaml_is_refused_with_its_place() {
    for (text, line) in [
        ("a: b: c", 1),
        ("rules: [a\nb: c\n", 2),
        ("a: 'x\n", 1),
        ("a:\n\tb: 1\n\tc: 2", 2),
        ("a: *b", 1),
        ("a: 1\n---\nb: 2\n", 2),
        ("a: 1\na: 2", 2),
    ] {
        let error = refused(project(text), &[layout::CONFIG, "line"]);
        assert!(error.line.is_some_and(|found| found >= line) && error.column.is_some(), "{text}: {}", error.message);
    }
    let error = resolve(Sources { global: Some("é😀: [\n"), ..Sources::default() }).unwrap_err();
    assert!(error.message.starts_with("global configuration, line "), "{}", error.message);
    assert_eq!(error.path, None);
    refused(resolve(Sources { project: Some(b"a: \xff"), ..Sources::default() }), &["UTF-8", "byte 3"]);
}

#[test]
fn columns_count_utf_16_code_units() {
    let error = refused(project("defaults: { 😀é: 1, maxIterations: 0 }"), &["maxIterations"]);
    assert_eq!((error.line, error.column), (Some(1), Some(36)));
}

#[test]
fn a_key_that_occurs_twice_is_refused_by_name() {
    for text in
        ["rules: []\nrules: []", "defaults:\n  maxIterations: 3\n  \"maxIterations\": 3\n", "x: { rules: 1, rules: 1 }"]
    {
        let key = if text.contains("max") { "`maxIterations`" } else { "`rules`" };
        refused(project(text), &[key, "twice"]);
    }
}

#[test]
fn an_unknown_key_is_a_warning_and_stays_in_the_values() {
    let text = "defaults:\n  maxIteratons: 3\nmood: { a: [1, 'b'] }\ntools:\n  executors:\n    - { id: a, temperature: 0.5 }\n";
    let config = project(text).unwrap();
    let warnings: Vec<_> = config.warnings.iter().map(|warning| (warning.line, warning.column)).collect();
    assert_eq!(warnings, [(2, 3), (3, 1), (6, 16)]);
    let Warning { id, message, suggestions, file, .. } = &config.warnings[0];
    assert_eq!((id.as_str(), file.as_deref()), ("unknown-key", Some(layout::CONFIG)));
    assert!(message.contains("`defaults.maxIteratons`") && message.contains("maxIterations"), "{message}");
    assert_eq!(suggestions[0], "maxIterations");
    assert_eq!(config.values["mood"], json!({ "a": [1, "b"] }));
    assert_eq!(config.values["tools"]["executors"][0]["temperature"], json!(0.5));
    assert_eq!(config.explain("mood.a").unwrap().line, Some(3));
    assert_eq!(config.settings.defaults.max_iterations, 5);
    assert_eq!(project("limits: { maxIteration: 3, maxTokens: 4 }").unwrap().settings.limits.max_tokens, Some(4.0));
}

#[test]
fn many_unknown_keys_give_a_bounded_number_of_warnings() {
    let text: String = (0..5000).map(|n| format!("key{n}: {n}\n")).collect();
    assert!(project(&text).unwrap().warnings.len() <= 100);
}

#[test]
fn an_id_that_tools_does_not_list_is_refused_with_the_listed_ids() {
    let tools = "tools:\n  executors: [{ id: opencode }, { id: claude-code }]\n";
    let error = refused(
        project(&format!("{tools}defaults:\n  executor: ghost\n")),
        &["`defaults.executor`", "`ghost`", "opencode, claude-code", "line 4"],
    );
    assert_eq!((error.line, error.column), (Some(4), Some(13)));
    refused(project(&format!("{tools}defaults:\n  executor: opncode\n")), &["did you mean `opencode`?"]);
    refused(project("defaults: { planner: opus }"), &["`tools.planners`", "no ids"]);
    for key in ["quickReviewer", "deepReviewer", "finalReviewer"] {
        refused(project(&format!("{tools}defaults: {{ {key}: opencode }}")), &[key, "`tools.reviewers`"]);
    }
    for key in ["summarizer", "verifier", "parser"] {
        assert!(project(&format!("{tools}defaults: {{ {key}: opencode }}")).is_ok(), "{key}");
    }
    // The list may be in another layer, and an inner layer may replace it.
    let config = resolve(Sources {
        global: Some("defaults: { executor: a }"),
        project: Some(b"tools: { executors: [{ id: a }] }"),
        spec: None,
    });
    assert_eq!(config.unwrap().settings.defaults.executor.as_deref(), Some("a"));
}

#[test]
fn a_layer_alone_may_name_ids_of_other_layers() {
    let settings = resolve_layer(&json!({ "defaults": { "executor": "ghost" }, "gates": { "only": ["scope"] } }))
        .unwrap()
        .settings;
    assert_eq!(settings.defaults.executor.as_deref(), Some("ghost"));
    assert!(settings.gates.includes("scope") && !settings.gates.includes("work-done"));
    assert_eq!(resolve_layer(&Value::Null).unwrap().settings, Settings::default());
    refused(resolve_layer(&json!({ "snapshots": { "iterations": -1 } })), &["`snapshots.iterations`"]);
}

#[test]
fn a_tier_without_a_reviewer_of_its_own_has_the_final_one_or_none() {
    let tools = "tools:\n  reviewers: [{ id: q }, { id: f }]\n";
    let reviewers = |rest: &str| {
        let settings = project(&format!("{tools}{rest}")).unwrap().settings;
        [ReviewTier::Quick, ReviewTier::Deep, ReviewTier::Final]
            .map(|tier| settings.model_id(Role::Reviewer(tier)).unwrap_or_default())
    };
    assert_eq!(reviewers(""), ["", "", ""]);
    assert_eq!(reviewers("defaults: { quickReviewer: q, finalReviewer: f }"), ["q", "f", "f"]);
    assert_eq!(reviewers("defaults: { deepReviewer: q, finalReviewer: f }"), ["", "q", "f"]);
}

#[test]
fn anchors_aliases_and_merge_keys_are_expanded() {
    let text = "base: &base\n  required: false\n  timeoutMs: 7\nverification:\n  steps:\n    - { <<: *base, name: a, command: b }\n    - <<: [*base, { command: c }]\n      name: d\n      timeoutMs: 9\nrules: &r [x]\ngates: { disabled: *r }\n";
    let Settings { verification, gates, .. } = project(text).unwrap().settings;
    let steps: Vec<_> =
        verification.steps.iter().map(|step| (step.command.as_str(), step.required, step.timeout_ms)).collect();
    assert_eq!(steps, [("b", false, 7), ("c", false, 9)]);
    assert_eq!(gates.disabled, ["x"]);
    refused(project("a: { <<: 5 }"), &["merge key"]);
}

#[test]
fn a_bomb_is_refused_within_the_budget() {
    let mut lists = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    let mut maps = "a0: &a0 { k: v }\n".to_owned();
    let mut merges = "a0: &a0 { k: v }\n".to_owned();
    for n in 1..40 {
        let list = format!("*a{}, ", n - 1).repeat(9);
        lists += &format!("a{n}: &a{n} [{list}]\n");
        maps += &format!("a{n}: &a{n} {{ x: *a{0}, y: *a{0}, z: *a{0} }}\n", n - 1);
        merges += &format!("a{n}: &a{n} {{ <<: *a{0}, x{n}: *a{0}, y{n}: *a{0} }}\n", n - 1);
    }
    let text = format!("a: &a {}\nb: [{}]", "x".repeat(500_000), "*a, ".repeat(1000));
    for bomb in [lists, maps, merges, text] {
        refused(project(&bomb), &["too large", "line"]);
    }
    refused(project("a: &a [*a]"), &["alias"]);
    refused(project(&format!("# {}", "x".repeat(5_000_000))), &["5000002 bytes", "at most 1000000"]);
}

#[test]
fn deep_nesting_is_refused() {
    let indented: String = (0..2000).map(|n| format!("{}a:\n", " ".repeat(n))).collect();
    let mut aliased = "a0: &a0 [[[[[[[[[[[[[[[[[[[[x]]]]]]]]]]]]]]]]]]]]\n".to_owned();
    for n in 1..50 {
        aliased += &format!("a{n}: &a{n} [[[[[[[[*a{}]]]]]]]]\n", n - 1);
    }
    for text in
        ["[".repeat(100_000), "- ".repeat(100_000), "{a: ".repeat(100_000), "? ".repeat(100_000), indented, aliased]
    {
        refused(project(&text), &[]);
    }
    let mut deep = json!(1);
    for _ in 0..1000 {
        deep = json!([deep]);
    }
    refused(spec(json!({ "x": deep })), &["nested"]);
}

#[tokio::test]
async fn a_lenient_reading_leaves_out_what_is_refused() {
    let fs = MemoryFs::new(&MemoryClock::default());
    let dir = ProjectDir::new(&fs, "/project");
    fs.put("/project/.handoff/config.yaml", b"defaults: [\n");
    assert_eq!(load(dir, Some("rules: [a]"), None).await.unwrap_err().code, ErrorCode::InvalidConfig);
    let spec = json!({ "defaults": { "maxIterations": 2 } });
    let config = load_lenient(dir, Some("rules: [a]"), Some(&spec)).await.unwrap();
    assert_eq!((config.settings.rules.len(), config.settings.defaults.max_iterations), (1, 2));
    let Warning { id, file, line, message, .. } = &config.warnings[0];
    assert_eq!((id.as_str(), file.as_deref()), ("invalid-layer", Some(layout::CONFIG)));
    assert!(*line >= 1 && message.contains("left out"), "{message}");
    let spec = json!({ "defaults": { "executor": "ghost" } });
    assert_eq!(load_lenient(dir, None, Some(&spec)).await.unwrap().warnings.len(), 2);
}

#[test]
fn the_schema_and_the_settings_have_the_same_keys() {
    let full = Settings {
        defaults: Defaults {
            executor: Some(String::new()),
            planner: Some(String::new()),
            quick_reviewer: Some(String::new()),
            deep_reviewer: Some(String::new()),
            final_reviewer: Some(String::new()),
            verifier: Some(String::new()),
            summarizer: Some(String::new()),
            parser: Some(String::new()),
            ..Defaults::default()
        },
        reviews: ReviewSettings::default(),
        approvals: ApprovalSettings { plan: true, expires_after_ms: Some(1), whose: Some(crate::config::Whose::Ask) },
        gates: GateSelection { only: Some(Vec::new()), ..GateSelection::default() },
        git: GitSettings { base: Some(String::new()), ..GitSettings::default() },
        runs: RunSettings { keep: 1 },
        iterations: AttemptSettings { keep: Some(1) },
        limits: LimitOptions {
            max_iterations: Some(1.0),
            max_tool_calls_per_iteration: Some(1.0),
            max_consecutive_gate_failures: Some(1.0),
            max_tokens: Some(1.0),
            max_cost_usd: Some(1.0),
            per_task: Some(1.0),
            per_day: Some(1.0),
            max_wall_ms: Some(1.0),
            stall_threshold: Some(1.0),
            max_stall_recoveries: Some(1.0),
            model_idle_ms: Some(1.0),
            max_attempts: Some(1.0),
            max_replans: Some(1.0),
        },
        ..Settings::default()
    };
    let mut keys = Vec::new();
    for (name, value) in serde_json::to_value(&full).unwrap().as_object().unwrap() {
        keys.extend(value.as_object().into_iter().flatten().map(|(inner, _)| format!("{name}.{inner}")));
        keys.push(name.clone());
    }
    let mut names = schema::names();
    keys.sort();
    names.sort();
    assert_eq!(keys, names);
}

#[test]
fn every_item_of_a_list_survives_the_settings() {
    let layer = json!({
        "tools": {
            "executors": [{ "id": "a", "name": "b", "type": "c", "endpoint": "d", "command": "e", "model": "f" }],
            "planners": [{ "id": "a", "name": "b", "model": "c" }],
            "reviewers": [{ "id": "a", "name": "b", "model": "c", "checks": ["d"] }],
        },
        "verification": { "enabled": true, "steps": [{ "name": "a", "command": "b", "required": false, "timeoutMs": 3 }] },
        "models": { "a": { "inputPerMillion": 1.5, "outputPerMillion": 2.5, "cachedInputPerMillion": 0.5 } },
    });
    let config = spec(layer.clone()).unwrap();
    assert_eq!(config.warnings, []);
    let settings = serde_json::to_value(&config.settings).unwrap();
    for key in ["tools", "models"] {
        assert_eq!(settings[key], layer[key]);
    }
    assert_eq!(settings["verification"]["steps"], layer["verification"]["steps"]);
    assert_eq!(json::from_value::<Settings>(settings).unwrap(), config.settings);
}

#[test]
fn the_hash_changes_with_a_value_and_not_with_a_comment() {
    let hash = |text: &str| project(text).unwrap().hash();
    assert_eq!(hash("rules: [a] # why"), hash("rules:\n- a"));
    assert_ne!(hash("rules: [a]"), hash("rules: [b]"));
    assert_ne!(hash("rules: [a]"), hash("rules: [a]\nunknown: 1"));
    assert_eq!(hash("").len(), 16);
}

proptest! {
    #[test]
    fn any_text_gives_a_configuration_or_an_error(text in "([a-c&*!|>%@`{}\\[\\],:?#'\"\\-~<.\\\\0-2 \t\r\né😀\u{feff}\u{85}\u{2028}\0]|---|\\.\\.\\.|<<: |: |- |\n  |rules: |defaults:\n)*") {
        let _ = project(&text);
    }

    #[test]
    fn any_bytes_give_a_configuration_or_an_error(bytes: Vec<u8>) {
        let _ = resolve(Sources { project: Some(&bytes), ..Sources::default() });
    }
}
