//! The selection of gates by configuration.

use super::builtin::GATES;
use crate::error::{Error, ErrorCode};
use crate::json;
use crate::nearest::nearest;
use crate::port::{GatePort, Host};
use serde_json::Value;
use std::collections::BTreeSet;

/// The selection of gates.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GateSelection {
    /// If set, only these gates run.
    pub only: Option<Vec<String>>,
    /// These gates do not run.
    pub disabled: Vec<String>,
    /// The warnings of these gates are failures.
    pub raise: Vec<String>,
}

impl GateSelection {
    /// The selection of a configuration layer: `{ gates: { only?: string[], disabled?: string[], raise?: string[] } }`.
    ///
    /// # Errors
    /// `invalid-config` with the key that is malformed; `unsupported` for an unknown key.
    pub fn from_config(layer: &Value) -> Result<Self, Error> {
        let layer = layer.as_object().ok_or_else(|| malformed("config", "an object"))?;
        if let Some(other) = layer.keys().find(|key| !matches!(key.as_str(), "gates" | "snapshots")) {
            let message = format!(
                "`config.{other}` is not supported by this version of loopgate; supported are `config.gates` and `config.snapshots`"
            );
            return Err(Error::new(ErrorCode::Unsupported, message));
        }
        let Some(gates) = layer.get("gates") else { return Ok(Self::default()) };
        let gates = gates.as_object().ok_or_else(|| malformed("config.gates", "an object"))?;
        let mut selection = Self::default();
        for (key, value) in gates {
            let names: Vec<String> = json::from_value(value.clone())
                .map_err(|_| malformed(&format!("config.gates.{key}"), "a list of names"))?;
            match key.as_str() {
                "only" => selection.only = Some(names),
                "disabled" => selection.disabled = names,
                "raise" => selection.raise = names,
                _ => return Err(malformed(&format!("config.gates.{key}"), "`only`, `disabled` or `raise`")),
            }
        }
        Ok(selection)
    }

    /// Whether a warning of this gate is a failure.
    pub fn raises(&self, name: &str) -> bool {
        self.raise.iter().any(|listed| listed == name)
    }

    /// Whether this gate runs.
    pub fn includes(&self, name: &str) -> bool {
        let names = |list: &[String]| list.iter().any(|listed| listed == name);
        self.only.as_deref().is_none_or(names) && !names(&self.disabled)
    }
}

/// Refuses gates with ambiguous names and selections of unknown gates. Called before a run starts: a misspelled name in
/// `disabled` would leave a gate on, and one in `only` would turn all gates off.
///
/// # Errors
/// `invalid-argument` if a gate of the IDE has no name or a duplicate one; `invalid-config`, with the nearest names, if the
/// selection names an unknown gate.
pub fn check_selection<H: Host>(host: &H, selection: &GateSelection) -> Result<(), Error> {
    let mut known: BTreeSet<&str> = GATES.iter().map(|gate| gate.name).collect();
    for gate in host.gates() {
        let name = gate.name();
        if name.trim().is_empty() {
            return Err(Error::new(ErrorCode::InvalidArgument, "a gate of the host has no name; set its `name`"));
        }
        if !known.insert(name) {
            let message = format!("two gates are named \"{name}\"; rename the one in the host's `gates`");
            return Err(Error::new(ErrorCode::InvalidArgument, message));
        }
    }
    let only = selection.only.iter().flatten();
    let mut names = only.chain(&selection.disabled).chain(&selection.raise);
    let Some(name) = names.find(|name| !known.contains(name.as_str())) else { return Ok(()) };
    let near = nearest(name, known.iter().copied());
    let hint = if near.is_empty() {
        let all: Vec<&str> = known.into_iter().collect();
        format!("the gates are {}", all.join(", "))
    } else {
        format!("did you mean {}?", near.join(" or "))
    };
    Err(Error::new(ErrorCode::InvalidConfig, format!("unknown gate \"{name}\"; {hint}")))
}

fn malformed(key: &str, expected: &str) -> Error {
    Error::new(ErrorCode::InvalidConfig, format!("`{key}` must be {expected}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_config_layer_selects_gates() {
        let layer =
            json!({ "gates": { "only": ["has-summary"], "disabled": ["app-exists"], "raise": ["tests-kept"] } });
        let selection = GateSelection::from_config(&layer).unwrap();
        assert!(selection.includes("has-summary"));
        assert!(!selection.includes("app-exists") && !selection.includes("build-succeeds"));
        assert!(selection.raises("tests-kept") && !selection.raises("has-summary"));
        assert_eq!(GateSelection::from_config(&json!({})).unwrap(), GateSelection::default());
    }

    #[test]
    fn a_malformed_config_layer_is_refused_with_its_key() {
        let cases = [
            (json!([]), ErrorCode::InvalidConfig, "`config`"),
            (json!({ "gates": [] }), ErrorCode::InvalidConfig, "`config.gates`"),
            (json!({ "gates": { "only": "has-summary" } }), ErrorCode::InvalidConfig, "`config.gates.only`"),
            (json!({ "gates": { "disabled": [1] } }), ErrorCode::InvalidConfig, "`config.gates.disabled`"),
            (json!({ "gates": { "disable": [] } }), ErrorCode::InvalidConfig, "`config.gates.disable`"),
            (json!({ "rules": [] }), ErrorCode::Unsupported, "`config.rules`"),
        ];
        for (layer, code, key) in cases {
            let error = GateSelection::from_config(&layer).unwrap_err();
            assert_eq!(error.code, code, "{layer}");
            assert!(error.message.contains(key), "{}", error.message);
        }
    }
}
