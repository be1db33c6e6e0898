//! What the project's file may change of the values that an outer layer sets: it only narrows them, as its rules of the
//! policy do. The file may come with a stranger's project; the outer layer is the user's.

use super::schema::{KEYS, Kind, Narrowing, Read, dotted};
use super::{Layer, Origin, Origins, Warning};
use crate::port::is_dated;
use crate::text::shortened;
use serde_json::Value;

/// Longest value in a message, in characters.
const SHOWN: usize = 60;

/// Takes back what does not narrow the outer values, with a warning for each.
pub(super) fn narrow(outer: &Value, read: &mut Read) {
    let Read { value, origins, warnings, .. } = read;
    let mut narrower = Narrower { origins, warnings };
    narrower.fields(KEYS, "", outer, value);
    narrower.gates(outer, value);
}

struct Narrower<'r> {
    origins: &'r mut Origins,
    warnings: &'r mut Vec<Warning>,
}

impl Narrower<'_> {
    fn fields(&mut self, keys: &[super::schema::Key], parent: &str, outer: &Value, inner: &mut Value) {
        let (Some(outer), Some(fields)) = (outer.as_object(), inner.as_object_mut()) else { return };
        for key in keys {
            let (Some(outer), Some(value)) = (outer.get(key.name), fields.get_mut(key.name)) else { continue };
            let name = dotted(parent, key.name);
            match (&key.kind, &key.narrowing) {
                (Kind::Map(keys), _) => self.fields(keys, &name, outer, value),
                (Kind::Named(_), Narrowing::Nothing) => self.narrow_field(&name, outer, value),
                (_, Narrowing::More(id)) => self.more(&name, *id, outer, value),
                (_, Narrowing::Fewer) => {
                    let listed: Vec<_> = outer.as_array().into_iter().flatten().collect();
                    self.fewer(&name, value, |item| listed.contains(&item), "leave items out");
                }
                (kind, narrowing) if !narrowing.allows(kind, outer, value) => {
                    let message =
                        format!("`{name}` is {}, but the global configuration sets {}", text(value), text(outer));
                    self.ignore(&name, &message, narrowing.advice());
                    self.origins.remove(&name);
                    fields.remove(key.name);
                }
                _ => {}
            }
        }
    }

    /// The names that an outer layer sets stay as they are: the names of models, also with a date.
    fn narrow_field(&mut self, name: &str, outer: &Value, inner: &mut Value) {
        let (Some(outer), Some(fields)) = (outer.as_object(), inner.as_object_mut()) else { return };
        fields.retain(|field, value| {
            let dated = || outer.iter().find(|(held, _)| is_dated(field, held)).map(|(_, held)| held);
            let Some(held) = outer.get(field).or_else(dated) else { return true };
            let name = dotted(name, field);
            if value != held {
                let message = format!("`{name}` is {}, but the global configuration sets {}", text(value), text(held));
                self.ignore(&name, &message, "add other names");
            }
            self.origins.retain(|origin, _| !origin.strip_prefix(&name).is_some_and(|rest| rest.starts_with('.')));
            false
        });
    }

    /// The items of the outer list come first. An item with the id of one of them is left out.
    fn more(&mut self, name: &str, id: Option<&str>, outer: &Value, inner: &mut Value) {
        let (Some(outer), Some(items)) = (outer.as_array(), inner.as_array_mut()) else { return };
        for held in outer.iter().filter(|held| !items.contains(held)) {
            let message = format!("`{name}` does not have {} of the global configuration", text(held));
            self.ignore(name, &message, "add to the list");
        }
        let id_of = |item: &Value| id.map_or(item.clone(), |id| item.get(id).cloned().unwrap_or_default());
        items.retain(|item| outer.iter().all(|held| id_of(held) != id_of(item)));
        if items.is_empty() {
            self.origins.remove(name);
        }
        items.splice(0..0, outer.iter().cloned());
    }

    /// Leaves out the items that do not `hold`.
    fn fewer(&mut self, name: &str, inner: &mut Value, holds: impl Fn(&Value) -> bool, may: &str) {
        let Some(items) = inner.as_array_mut() else { return };
        for item in items.iter().filter(|item| !holds(item)) {
            self.ignore(
                name,
                &format!("`{name}` has {}, which the global configuration does not allow", text(item)),
                may,
            );
        }
        items.retain(holds);
    }

    /// A gate that an outer layer names as one to run, or as one whose warnings are failures, runs.
    fn gates(&mut self, outer: &Value, inner: &mut Value) {
        let list = |field: &str| outer.pointer(&format!("/gates/{field}")).and_then(Value::as_array);
        let disabled = list("disabled");
        let due: Vec<&Value> = (list("only").into_iter().chain(list("raise")).flatten())
            .filter(|gate| disabled.is_none_or(|disabled| !disabled.contains(gate)))
            .collect();
        if let Some(only) = inner.pointer_mut("/gates/only").and_then(Value::as_array_mut) {
            for gate in due.iter().filter(|gate| !only.contains(gate)).copied().cloned().collect::<Vec<_>>() {
                let message = format!("`gates.only` does not have {} of the global configuration", text(&gate));
                self.ignore("gates.only", &message, "add to the gates");
                only.push(gate);
            }
        }
        if let Some(disabled) = inner.pointer_mut("/gates/disabled") {
            self.fewer("gates.disabled", disabled, |gate| due.iter().all(|held| *held != gate), "disable other gates");
        }
    }

    fn ignore(&mut self, name: &str, message: &str, may: &str) {
        let is_part = |origin: &str| origin.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        let origin = self.origins.get(name).or_else(|| {
            let parts = self.origins.iter().filter(|(origin, _)| is_part(origin)).map(|(_, origin)| origin);
            parts.min_by_key(|origin| (origin.line, origin.column))
        });
        let place = origin.copied().and_then(Origin::place);
        let message = format!("{message}, which holds: {} may only {may}", Layer::Project.name());
        self.warnings.push(Warning::new("not-narrower", Layer::Project, message, place, Vec::new()));
    }
}

impl Narrowing {
    fn allows(&self, kind: &Kind, outer: &Value, inner: &Value) -> bool {
        let rank = |value: &Value| match kind {
            Kind::OneOf(names) => names.iter().position(|name| value == name),
            _ => value.as_bool().map(usize::from),
        };
        match self {
            Self::Any => true,
            Self::Smaller => inner.as_f64() <= outer.as_f64(),
            Self::Later => rank(inner) >= rank(outer),
            Self::Nothing | Self::More(_) | Self::Fewer => inner == outer,
        }
    }

    fn advice(&self) -> &'static str {
        match self {
            Self::Smaller => "lower it",
            Self::Later => "ask for more",
            _ => "set it where that does not",
        }
    }
}

fn text(value: &Value) -> String {
    let name = value.get("name").or_else(|| value.get("id")).unwrap_or(value);
    format!("`{}`", shortened(&name.as_str().map_or_else(|| name.to_string(), str::to_owned), SHOWN))
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use crate::config::{Config, Layer, Settings, Sources, resolve};
    use crate::error::Error;
    use serde_json::{Value, json};

    fn layers(global: &str, project: &str) -> Result<Config, Error> {
        resolve(Sources { global: Some(global), project: Some(project.as_bytes()), spec: None })
    }

    #[test]
    fn the_projects_file_only_narrows_what_an_outer_layer_sets() {
        for (global, project, pointer, expected, is_ignored) in [
            ("limits: { maxCostUsd: 3 }", "limits: { maxCostUsd: 11 }", "/limits/maxCostUsd", json!(3.0), true),
            ("limits: { maxCostUsd: 3 }", "limits: { maxCostUsd: 2 }", "/limits/maxCostUsd", json!(2.0), false),
            ("limits: { maxCostUsd: 3 }", "limits: { maxCostUsd: }", "/limits/maxCostUsd", json!(3.0), false),
            ("limits: { maxCostUsd: 3 }", "limits: { perDay: 11 }", "/limits/perDay", json!(11.0), false),
            ("limits: { maxTokens: 9 }", "limits: { maxTokens: 9 }", "/limits/maxTokens", json!(9), false),
            ("limits: { modelIdleMs: 9 }", "limits: { modelIdleMs: 10 }", "/limits/modelIdleMs", json!(9), true),
            ("defaults: { maxRetries: 0 }", "defaults: { maxRetries: 9 }", "/defaults/maxRetries", json!(0), true),
            (
                "defaults: { maxIterations: 3 }",
                "defaults: { maxIterations: 5 }",
                "/defaults/maxIterations",
                json!(3),
                true,
            ),
            (
                "defaults: { stopOnFailure: true }",
                "defaults: { stopOnFailure: false }",
                "/defaults/stopOnFailure",
                json!(true),
                true,
            ),
            (
                "verification: { enabled: true }",
                "verification: { enabled: false }",
                "/verification/enabled",
                json!(true),
                true,
            ),
            (
                "verification: { enabled: false }",
                "verification: { enabled: true }",
                "/verification/enabled",
                json!(true),
                false,
            ),
            ("reviews: { quick: true }", "reviews: { quick: false }", "/reviews/quick", json!(true), true),
            ("reviews: { quick: false }", "reviews: { quick: true }", "/reviews/quick", json!(true), false),
            ("reviews: { task: deep }", "reviews: { task: 'off' }", "/reviews/task", json!("deep"), true),
            ("reviews: { spec: final }", "reviews: { spec: quick }", "/reviews/spec", json!("final"), true),
            ("reviews: { spec: quick }", "reviews: { spec: deep }", "/reviews/spec", json!("deep"), false),
            ("approvals: { plan: true }", "approvals: { plan: false }", "/approvals/plan", json!(true), true),
            (
                "approvals: { expiresAfterMs: 5 }",
                "approvals: { expiresAfterMs: 6 }",
                "/approvals/expiresAfterMs",
                json!(5),
                true,
            ),
            ("gates: { only: [a, b] }", "gates: { only: [c] }", "/gates/only", json!(["c", "a", "b"]), true),
            ("gates: { only: [a] }", "gates: { only: [c, a] }", "/gates/only", json!(["c", "a"]), false),
            ("gates: { raise: [a] }", "gates: { only: [c] }", "/gates/only", json!(["c", "a"]), true),
            ("gates: { raise: [a] }", "gates: { raise: [c] }", "/gates/raise", json!(["a", "c"]), true),
            ("gates: { raise: [a] }", "gates: { disabled: [a, c] }", "/gates/disabled", json!(["c"]), true),
            ("gates: { only: [a, c] }", "gates: { disabled: [a] }", "/gates/disabled", json!([]), true),
            ("gates: { disabled: [a, b] }", "gates: { disabled: [b, c] }", "/gates/disabled", json!(["b"]), true),
            ("gates: { disabled: [a, b] }", "gates: { disabled: [b] }", "/gates/disabled", json!(["b"]), false),
            ("git: { branch: spec }", "git: { branch: current }", "/git/branch", json!("spec"), true),
            ("git: { commit: false }", "git: { commit: true }", "/git/commit", json!(false), true),
            ("snapshots: { iterations: 9 }", "snapshots: { iterations: 0 }", "/snapshots/iterations", json!(9), true),
            ("records: { iterations: 9 }", "records: { iterations: 0 }", "/records/iterations", json!(9), true),
            ("rules: [a]", "rules: [b]", "/rules", json!(["b"]), false),
            ("git: { base: a }", "git: { base: b }", "/git/base", json!("b"), false),
        ] {
            let config = layers(global, project).unwrap();
            assert_eq!(config.values.pointer(pointer), Some(&expected), "{global} {project}");
            let ids: Vec<_> = config.warnings.iter().map(|warning| warning.id.as_str()).collect();
            let expected = if is_ignored { "not-narrower" } else { "" };
            assert!(ids.iter().all(|id| *id == expected) && ids.is_empty() != is_ignored, "{project}: {ids:?}");
            let key = pointer.trim_start_matches('/').replace('/', ".");
            let layer = config.explain(&key).unwrap().layer;
            let is_outer = is_ignored && !pointer.starts_with("/gates");
            assert_eq!(layer == Layer::Global, is_outer || project.ends_with(": }"), "{global} {project}: {layer:?}");
        }
    }

    #[test]
    fn prices_of_the_projects_file_are_only_for_models_without_one() {
        let price = |input: u32| format!("{{ inputPerMillion: {input}, outputPerMillion: {input} }}");
        let config = layers(
            &format!("models:\n  gpt-4.1: {}\n  gpt: {}", price(8), price(9)),
            &format!(
                "models:\n  gpt-4.1: {}\n  gpt: {}\n  other: {}\n  gpt-4.1-2026-08-07: {}\n",
                price(0),
                price(9),
                price(1),
                price(0)
            ),
        )
        .unwrap();
        let input = |model: &str| config.values["models"][model]["inputPerMillion"].as_f64();
        assert_eq!([input("gpt-4.1"), input("gpt"), input("other")], [Some(8.0), Some(9.0), Some(1.0)]);
        assert_eq!(input("gpt-4.1-2026-08-07"), None, "the answers of a service have dates");
        let places: Vec<_> = config.warnings.iter().map(|warning| (warning.line, warning.file.as_deref())).collect();
        let file = Some(".handoff/config.yaml");
        assert_eq!(places, [(2, file), (5, file)], "{:?}", config.warnings);
        assert!(config.warnings[0].message.contains("`models.gpt-4.1`"), "{:?}", config.warnings);
        assert_eq!(config.explain("models.gpt-4.1.inputPerMillion").unwrap().layer, Layer::Global);
        assert_eq!(config.explain("models.other.inputPerMillion").unwrap().line, Some(4));
    }

    #[test]
    fn the_steps_and_the_reviewers_of_an_outer_layer_stay_as_they_are() {
        let config = layers(
            "verification: { steps: [{ name: Lint, command: lint }, { name: Test, command: test }] }\n\
             tools: { reviewers: [{ id: opus, checks: [security] }] }\ndefaults: { finalReviewer: opus }\n",
            "verification:\n  steps:\n    - { name: Lint, command: 'true', required: false }\n    - { name: Build, command: build }\n\
             tools:\n  reviewers: [{ id: opus, checks: [syntax] }, { id: weak }]\ndefaults: { finalReviewer: weak }\n",
        ).unwrap();
        let Settings { verification, tools, defaults, .. } = &config.settings;
        let steps: Vec<_> = verification.steps.iter().map(|step| (step.command.as_str(), step.required)).collect();
        assert_eq!(steps, [("lint", true), ("test", true), ("build", true)]);
        let reviewers: Vec<_> = tools.reviewers.iter().map(|tool| (tool.id.as_str(), tool.checks.as_slice())).collect();
        assert_eq!(reviewers, [("opus", &["security".to_owned()][..]), ("weak", &[])]);
        assert_eq!(defaults.final_reviewer.as_deref(), Some("opus"));
        let lines: Vec<_> = config.warnings.iter().filter(|warning| warning.id == "not-narrower").collect();
        let lines: Vec<_> = lines.into_iter().map(|warning| warning.line).collect();
        assert_eq!(lines, [6, 7, 3, 3], "{:?}", config.warnings);
    }

    #[test]
    fn the_layer_of_the_ide_replaces_what_the_projects_file_narrows() {
        let spec = json!({ "limits": { "maxCostUsd": 20 }, "reviews": { "quick": false } });
        let (global, project) =
            ("limits: { maxCostUsd: 3 }\n", "limits: { maxCostUsd: 2 }\nreviews: { quick: true }\n");
        let sources = Sources { global: Some(global), project: Some(project.as_bytes()), spec: Some(&spec) };
        let Config { values, warnings, .. } = resolve(sources).unwrap();
        assert_eq!((&values["limits"]["maxCostUsd"], &values["reviews"]["quick"]), (&json!(20.0), &json!(false)));
        assert_eq!(warnings, []);
        let alone = resolve(Sources { project: Some(b"reviews: { quick: false }\n"), ..Sources::default() }).unwrap();
        assert_eq!(alone.values["reviews"]["quick"], Value::Bool(false));
    }
}
