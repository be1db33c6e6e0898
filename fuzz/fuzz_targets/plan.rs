//! Any bytes as a plan: a report with places in the source, the same each time; and any bytes as the plan and the source
//! of an unchanged project: nothing is lost in it.
//!
//! `cargo +nightly fuzz run plan -- -dict=fuzz_targets/plan.dict -max_len=65536`
#![no_main]

use libfuzzer_sys::fuzz_target;
use loopgate::gate::{ScopeVerdict, check_scope};
use loopgate::plan::{Registry, diff, validate};
use std::collections::BTreeMap;

fuzz_target!(|bytes: &[u8]| {
    let source = String::from_utf8_lossy(bytes);
    let report = validate(&source, Registry::builtin(), Some(3));
    assert_eq!(validate(&source, Registry::builtin(), Some(3)), report);
    assert_eq!(report.ok, report.failures.is_empty());

    let text = source.replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<usize> = text.split('\n').map(|line| line.encode_utf16().count()).collect();
    let is_inside = |line: u32, column: u32| {
        let length = lines.get((line as usize).wrapping_sub(1));
        length.is_some_and(|length| (1..=length + 1).contains(&(column as usize)))
    };
    for diagnostic in report.failures.iter().chain(&report.warnings) {
        let (start, end) = ((diagnostic.line, diagnostic.column), (diagnostic.end_line, diagnostic.end_column));
        assert!(is_inside(start.0, start.1), "{diagnostic:?}");
        if let (Some(line), Some(column)) = end {
            assert!(is_inside(line, column) && (line, column) >= start, "{diagnostic:?}");
        }
    }
    assert!(report.markers.iter().all(|marker| is_inside(marker.line, 1)), "{:?}", report.markers);

    let files = BTreeMap::from([("src/App.tsx".to_owned(), source.to_string())]);
    let scope = check_scope(&source, 3, &files, &files);
    assert_eq!(check_scope(&source, 3, &files, &files), scope);
    let worst = scope.markers.iter().map(|marker| marker.verdict).max();
    assert_eq!(worst.unwrap_or(ScopeVerdict::Pass), scope.overall);
    for marker in scope.markers.iter().filter(|marker| marker.marker == "NO CHANGES") {
        let is_broken = marker.reason.contains("does not parse");
        assert!(is_broken || marker.verdict != ScopeVerdict::Fail, "unchanged: {}", marker.reason);
    }
    if let Ok(compared) = diff(&source, &[("src/App.tsx", Some(&source))]) {
        assert_eq!(diff(&source, &[("src/App.tsx", Some(&source))]).ok(), Some(compared));
    }
});
