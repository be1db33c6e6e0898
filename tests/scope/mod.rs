//! Scores the scope gate on complete projects before and after a task.

use loopgate::gate::{ScopeVerdict, check_scope};
use serde_json::Value;
use std::collections::BTreeMap;

const CASES: &str = include_str!("../fixtures/scope/cases.jsonl");

fn name(verdict: ScopeVerdict) -> &'static str {
    match verdict {
        ScopeVerdict::Pass => "pass",
        ScopeVerdict::Warn => "warn",
        ScopeVerdict::Fail => "fail",
    }
}

/// The files of a state; `null` deletes a file.
fn files(states: [&Value; 2]) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for (path, text) in states.into_iter().filter_map(Value::as_object).flatten() {
        match text.as_str() {
            Some(text) => drop(files.insert(path.clone(), text.to_owned())),
            None => drop(files.remove(path)),
        }
    }
    files
}

#[test]
fn every_case_is_judged_as_labelled() {
    let mut wrong = Vec::new();
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let before = files([&case["before"], &Value::Null]);
        let after = files([&case["before"], &case["after"]]);
        let task = case["taskNumber"].as_u64().unwrap() as u32;
        let report = check_scope(case["plan"].as_str().unwrap(), task, &before, &after);
        let mut found = report.markers.iter();
        let expected = case["expect"].as_array().unwrap();
        for marker in expected {
            let key = (marker["section"].as_str().unwrap(), marker["marker"].as_str().unwrap());
            match found.next() {
                Some(judged) if (judged.section.as_str(), judged.marker.as_str()) == key => {
                    if marker["verdict"] != name(judged.verdict) {
                        wrong.push(format!(
                            "{} {key:?}: {:?}, not {}: {}",
                            case["id"], judged.verdict, marker["verdict"], judged.reason
                        ));
                    }
                }
                other => wrong.push(format!("{} {key:?}: {other:?}", case["id"])),
            }
        }
        wrong.extend(found.map(|more| format!("{}: {more:?}", case["id"])));
        if case["overall"] != name(report.overall) {
            wrong.push(format!("{}: {:?}, not {}", case["id"], report.overall, case["overall"]));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
