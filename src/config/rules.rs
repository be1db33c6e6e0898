//! The rules of the policy from all layers, so that no layer removes what an outer one denies.

use super::schema::Read;
use super::{Layer, Origin, Origins};
use crate::error::{Error, ErrorCode};
use crate::json;
use crate::port::PolicyRule;
use serde_json::{Map, Value};

/// The lists that add to the outer layers. Within a layer, the rules of the first one come first.
const LISTS: [(&str, &str); 2] = [("guard.deny", "/guard/deny"), ("policy", "/policy")];

/// Puts the items of the outer layers before the items of a layer, and gives each its origin.
pub(super) fn add_to(outer: &Value, read: &mut Read, layer: Layer) {
    for (name, pointer) in LISTS {
        let outer = outer.pointer(pointer).and_then(Value::as_array);
        let Some(own) = read.value.pointer_mut(pointer).and_then(Value::as_array_mut) else { continue };
        own.splice(0..0, outer.into_iter().flatten().cloned());
        let first = outer.map_or(0, Vec::len);
        for (index, (_, place)) in read.items.iter().filter(|(list, _)| list == name).enumerate() {
            read.origins.insert(format!("{name}[{}]", first + index), Origin::new(layer, *place));
        }
    }
}

/// The rules in the merged values, the outermost layer first, as [`PolicyRule`]s.
pub(super) fn collect_rules(values: &Value, origins: &Origins) -> Value {
    let mut rules = Vec::new();
    for layer in [Layer::Global, Layer::Project, Layer::Spec] {
        for (name, pointer) in LISTS {
            for (index, item) in values.pointer(pointer).and_then(Value::as_array).into_iter().flatten().enumerate() {
                let key = format!("{name}[{index}]");
                let Some(origin) = origins.get(&key).filter(|origin| origin.layer == layer) else { continue };
                let mut rule = match item {
                    Value::Object(rule) => rule.clone(),
                    item => Map::from_iter([
                        ("decision".to_owned(), "deny".into()),
                        ("path".to_owned(), literal(item.as_str().unwrap_or_default()).into()),
                    ]),
                };
                rule.insert("key".to_owned(), key.into());
                rule.insert("file".to_owned(), layer.file().into());
                rule.insert("line".to_owned(), origin.line.into());
                rules.push(Value::Object(rule));
            }
        }
    }
    Value::Array(rules)
}

/// The policy of the values and origins of a configuration.
///
/// # Errors
/// `invalid-argument` for values that no configuration has.
pub fn policy(values: &Value, origins: &Origins) -> Result<Vec<PolicyRule>, Error> {
    json::from_value(collect_rules(values, origins)).map_err(|message| Error::new(ErrorCode::InvalidArgument, message))
}

/// The pattern that means one path.
fn literal(path: &str) -> String {
    let escape = |c: char| if "*?[\\".contains(c) { vec!['\\', c] } else { vec![c] };
    std::iter::once('/').chain(path.chars().flat_map(escape)).collect()
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use crate::config::{Config, Sources, edit, policy, resolve};
    use serde_json::{Value, json};

    fn project(text: &str) -> Result<Config, String> {
        resolve(Sources { project: Some(text.as_bytes()), ..Sources::default() }).map_err(|error| error.message.clone())
    }

    fn keys(config: &Config) -> Vec<(&str, Option<&str>, Option<u32>)> {
        config.settings.policy.iter().map(|rule| (rule.key.as_str(), rule.file.as_deref(), rule.line)).collect()
    }

    #[test]
    fn the_rules_of_all_layers_add_to_each_other_and_have_their_places() {
        let global = "guard: { deny: [keys] }\npolicy: [{ decision: deny, tool: shell }]\n";
        let text = "policy:\n  - decision: deny\n    path: \"a/**\"\n  - { decision: allow, path: a/b }\nguard:\n  deny:\n    - \"app/[id]\"\n";
        let spec = json!({ "policy": [{ "decision": "allow", "role": "builder" }] });
        let config =
            resolve(Sources { global: Some(global), project: Some(text.as_bytes()), spec: Some(&spec) }).unwrap();
        let file = Some(".handoff/config.yaml");
        let expected = [
            ("guard.deny[0]", None, Some(1)),
            ("policy[0]", None, Some(2)),
            ("guard.deny[1]", file, Some(7)),
            ("policy[1]", file, Some(2)),
            ("policy[2]", file, Some(4)),
            ("policy[3]", None, None),
        ];
        assert_eq!(keys(&config), expected);
        assert_eq!(config.settings.policy[2].path.as_deref(), Some("/app/\\[id]"));
        assert_eq!(config.values["guard"]["deny"], json!(["keys", "app/[id]"]));
        assert_eq!(config.values["policy"][1], json!({ "decision": "deny", "path": "a/**" }));
        let explained = config.explain("policy[2]").unwrap();
        assert_eq!((explained.file, explained.line), (file, Some(4)));
        assert_eq!(policy(&config.values, &config.origins).unwrap(), config.settings.policy);
    }

    #[test]
    fn a_rule_that_would_hold_for_more_than_is_meant_is_refused() {
        for (text, words) in [
            ("policy: [{ decision: maybe }]", vec!["`policy[0].decision`", "`allow` or `ask` or `deny`"]),
            ("policy: [{ path: a }]", vec!["`policy[0].decision`", "missing"]),
            (
                "policy:\n  - decision: deny\n    pth: a",
                vec!["line 3, column 5", "`policy[0].pth`", "did you mean `path`?"],
            ),
            ("policy: [{ decision: deny, path: }]", vec!["`policy[0].path`", "empty"]),
            ("policy: [{ decision: deny, path: 'a[' }]", vec!["`policy[0].path`", "matches nothing"]),
            ("policy: [{ decision: deny, path: 'a.{js,ts}' }]", vec!["`policy[0].path`", "for each of"]),
            ("policy: [{ decision: deny, path: '/' }]", vec!["`policy[0].path`", "matches nothing"]),
            ("policy: [{ decision: deny, command: ' ' }]", vec!["`policy[0].command`"]),
            ("policy: [{ decision: deny, path: a, command: b }]", vec!["`path` and `command`"]),
            ("policy: [{ decision: deny, access: read }]", vec!["`access` without `path`"]),
            ("policy: [{ decision: deny, role: boss }]", vec!["`policy[0].role`", "`builder`"]),
            ("policy: [{ decision: deny, phase: lunch }]", vec!["`policy[0].phase`", "`build`"]),
            ("policy: { decision: deny }", vec!["`policy`", "list"]),
            ("policy: [deny]", vec!["`policy[0]`", "mapping"]),
        ] {
            let message = project(text).unwrap_err();
            assert!(words.iter().all(|words| message.contains(words)), "{text}: {message}");
        }
        let many = format!("policy:\n{}", "  - { decision: deny, path: a }\n".repeat(201));
        assert!(project(&many).unwrap_err().contains("201 items"));
        assert!(project(&format!("policy: [{{ decision: deny, path: {} }}]", "a".repeat(201))).is_err());
    }

    #[test]
    fn an_edit_sets_and_removes_the_rules() {
        let rules =
            json!({ "policy": [{ "decision": "deny", "path": "migrations/**", "reason": "they are applied" }] });
        let text = edit("# mine\nrules: [a]\n", &rules).unwrap();
        assert!(text.starts_with("# mine\n"), "{text}");
        assert_eq!(project(&text).unwrap().values["policy"], rules["policy"]);
        assert_eq!(edit(&text, &json!({ "policy": Value::Null })).unwrap(), "# mine\nrules: [a]\n");
        assert!(edit("", &json!({ "policy": [{ "decision": "deny", "pth": "a" }] })).is_err());
    }
}
