//! Any bytes as a message: the same task each time, with spans inside the message.
//!
//! `cargo +nightly fuzz run intake -- -max_len=65536`
#![no_main]

use libfuzzer_sys::fuzz_target;
use loopgate::task::{TaskContext, format_task, parse_by_rules};

fuzz_target!(|bytes: &[u8]| {
    let message = String::from_utf8_lossy(bytes);
    let context = TaskContext { plan_exists: bytes.len() % 2 == 0, ..TaskContext::default() };
    let task = parse_by_rules(&message, &context);
    assert_eq!(parse_by_rules(&message, &context), task);
    let units = message.encode_utf16().count() as u32;
    for [start, end] in task.requirements.iter().filter_map(|requirement| requirement.span) {
        assert!(start < end && end <= units, "{start}..{end} of {units}");
    }
    assert_eq!(format_task(&task).matches("\n## Original Message\n").count(), 1);
});
