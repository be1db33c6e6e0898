//! Any bytes as a plan: a report comes back, the same each time, and survives its wire form.
//!
//! `cargo +nightly fuzz run plan -- -dict=fuzz_targets/plan.dict -max_len=65536`
#![no_main]

use libfuzzer_sys::fuzz_target;
use loopgate::plan::{PlanReport, Registry, validate};

fuzz_target!(|bytes: &[u8]| {
    let source = String::from_utf8_lossy(bytes);
    let report = validate(&source, Registry::builtin(), Some(3));
    assert_eq!(validate(&source, Registry::builtin(), Some(3)), report);
    assert_eq!(report.ok, report.failures.is_empty());
    let lines = source.replace("\r\n", "\n").replace('\r', "\n").split('\n').count() as u32;
    for diagnostic in report.failures.iter().chain(&report.warnings) {
        assert!((1..=lines).contains(&diagnostic.line) && diagnostic.column >= 1, "{diagnostic:?}");
    }
    // A tree may be deeper than serde_json reads.
    let treeless = PlanReport { root: None, ..report };
    let wire = serde_json::to_string(&treeless).expect("a report is JSON");
    assert_eq!(serde_json::from_str::<PlanReport>(&wire).expect("and comes back"), treeless);
});
