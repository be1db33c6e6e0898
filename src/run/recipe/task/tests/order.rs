//! Which event can follow in which step.

use super::*;
use std::collections::BTreeSet;

/// One event of every type. `file-changed` and `snapshot-saved` are there twice, because they have two meanings.
const EVENTS: [(&str, &str); 40] = [
    ("run-started", r#""work":{"kind":"task","message":"m"},"taskNumber":3,"plan":"auto","notes":[]"#),
    ("run-resumed", r#""repaired":[],"plan":null"#),
    (
        "task-started",
        r##""task":"# Task","origin":"","history":"","plan":null,"stalePlan":null,"appliedTheme":"","pre":null"##,
    ),
    ("phase-changed", r#""from":"plan","to":"build","why":"w""#),
    ("iteration-started", r#""iteration":1,"attempt":1,"role":"builder","promptBytes":1"#),
    ("text-delta", r#""text":"t""#),
    ("reasoning-delta", r#""text":"t""#),
    ("tool-call", r#""id":"1","name":"read_file","args":{}"#),
    ("tool-result", r#""id":"1","ok":true,"output":"o","durationMs":1,"changed":[]"#),
    ("file-changed", r#""path":"src/a.ts","change":"created","by":"agent""#),
    ("file-changed by harness", r#""path":"src/a.ts","change":"created","by":"harness""#),
    ("write-started", r#""writes":[],"by":"agent""#),
    ("user-changed", r#""files":[]"#),
    ("unguarded-started", r#""what":"shell","by":"agent""#),
    ("unguarded-ended", ""),
    ("harness-files-changed", r#""paths":[".ralph/task.md"]"#),
    ("write-denied", r#""path":".git","rule":"git""#),
    (
        "plan-checked",
        r#""report":{"ok":true,"root":null,"failures":[],"warnings":[],"markers":[]},"plan":"a","accepted":true,"feedback":"""#,
    ),
    ("theme-started", r#""command":"theme""#),
    ("plan-context", r#""theme":{"applied":false,"command":"","output":""},"sections":[],"feedback":"""#),
    ("completion-refused", r#""feedback":"f""#),
    ("gate-checked", r#""report":{"gate":"g","verdict":"pass","durationMs":1}"#),
    ("gates-finished", r#""round":1,"feedback":null"#),
    ("fixes-applied", r#""gates":["g"]"#),
    (
        "snapshot-saved",
        r#""snapshot":{"tag":"task-3-post","oid":"","tree":"","message":"","at":1,"files":1,"changed":1},"durationMs":1"#,
    ),
    (
        "snapshot-saved of iteration",
        r#""snapshot":{"tag":"refs/loopgate/iterations/run/1","oid":"","tree":"","message":"","at":1,"files":1,"changed":1},"durationMs":1"#,
    ),
    ("snapshot-skipped", r#""tag":"task-3-post""#),
    ("evidence-outdated", r#""judged":"t","paths":[]"#),
    ("stall-detected", r#""recovery":1,"feedback":"""#),
    ("snapshot-restored", r#""tag":"t","restored":1,"deleted":0,"durationMs":1,"feedback":"""#),
    ("budget-warning", r#""limit":"maxTokens","used":8.0,"max":10.0"#),
    ("usage", r#""usage":{"inputTokens":1,"outputTokens":1},"total":{"inputTokens":1,"outputTokens":1}"#),
    ("provider-data", r#""data":[1]"#),
    ("steered", r#""message":"m""#),
    ("status", r#""text":"t""#),
    (
        "iteration-finished",
        r#""iteration":1,"toolCalls":0,"filesChanged":[],"close":"stopped","worked":false,"plan":null"#,
    ),
    ("waited", r#""ms":1"#),
    ("abort-requested", r#""reason":"r""#),
    (
        "run-finished",
        r#""result":{"runId":"run","success":true,"reason":"done","message":"","iterations":1,"usage":{"inputTokens":1,"outputTokens":1},"gates":[],"snapshots":{}}"#,
    ),
    ("run-failed", r#""error":{"code":"fs","message":"m"}"#),
];

/// Events that can come in any step between the first fact and the end.
const ALWAYS: [&str; 15] = [
    "run-resumed",
    "run-failed",
    "phase-changed",
    "harness-files-changed",
    "file-changed",
    "file-changed by harness",
    "write-started",
    "user-changed",
    "unguarded-started",
    "unguarded-ended",
    "budget-warning",
    "usage",
    "status",
    "text-delta",
    "reasoning-delta",
];

fn event(name: &str) -> Event<TaskFact> {
    let (_, fields) = EVENTS.iter().find(|(other, _)| *other == name).unwrap();
    let kind = name.split(' ').next().unwrap();
    let comma = if fields.is_empty() { "" } else { "," };
    let json = serde_json::from_str(&format!(r#"{{"type":"{kind}"{comma}{fields}}}"#)).unwrap();
    Event::read(&json).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A machine in each step, with the events that can follow in addition to [`ALWAYS`].
fn steps() -> Vec<(&'static str, Table, Vec<&'static str>)> {
    let folded = |mut table: Table, names: &[&str]| {
        names.iter().for_each(|name| drop(table.fold(event(name))));
        table
    };
    let new = || Table::of(Limits::default());
    let working = |names: &[&str]| folded(Table::auto(), names);
    let judged = |report: GateReport| {
        let mut table = Table::auto();
        table.complete(None);
        table.judge(&[report]);
        table
    };
    let failed = |kind| {
        let mut table = Table { fault: kind, ..Table::auto() };
        table.iterate(IterationClose::ModelFailed, None, false);
        table
    };
    let mut ended = Table::auto();
    ended.iterate(IterationClose::Stopped, None, true);
    let mut fixing = judged(fixable("css"));
    fixing.complete(None);
    fixing.judge(&[fixable("css")]);
    let mut last_stall = Table::auto();
    last_stall.read(json!({ "type": "stall-detected", "recovery": 2, "isLast": true, "feedback": "" }));
    let between = vec![
        "abort-requested",
        "iteration-started",
        "gate-checked",
        "gates-finished",
        "plan-checked",
        "completion-refused",
        "stall-detected",
        "snapshot-saved",
        "snapshot-skipped",
        "run-finished",
    ];
    let mut after_iteration = between.clone();
    after_iteration.retain(|name| *name != "iteration-started");
    after_iteration.push("snapshot-saved of iteration");
    let inconclusive = || judged(report("g", GateVerdict::Error));
    vec![
        ("start", folded(new(), &["run-started"]), vec!["abort-requested", "task-started", "snapshot-saved"]),
        ("between", Table::auto(), between),
        ("after an iteration", ended, after_iteration),
        (
            "iteration",
            working(&["iteration-started"]),
            vec![
                "abort-requested",
                "tool-call",
                "tool-result",
                "write-denied",
                "provider-data",
                "steered",
                "iteration-finished",
            ],
        ),
        ("wait for the model", failed(FaultKind::Timeout), vec!["abort-requested", "waited"]),
        ("context", working(&["plan-checked"]), vec!["abort-requested", "theme-started", "plan-context"]),
        ("wait for the gates", inconclusive(), vec!["abort-requested", "waited"]),
        ("judge", folded(inconclusive(), &["waited"]), vec!["abort-requested", "gate-checked", "gates-finished"]),
        ("fix", fixing, vec!["abort-requested", "fixes-applied"]),
        (
            "save",
            judged(report("g", GateVerdict::Pass)),
            vec!["abort-requested", "steered", "evidence-outdated", "snapshot-saved", "snapshot-skipped"],
        ),
        ("roll back", last_stall, vec!["abort-requested", "snapshot-restored"]),
        ("stopped", working(&["abort-requested"]), vec!["run-finished"]),
        ("failed", failed(FaultKind::Lasting), vec![]),
    ]
}

fn accepted(table: &Table) -> BTreeSet<&'static str> {
    let can_follow = |name: &&str| {
        let mut machine = table.machine.clone();
        let envelope = Envelope { seq: 99, at: 1_000, run_id: "run".to_owned(), lease: 1, event: event(name) };
        let Err(error) = machine.apply(&envelope) else { return true };
        assert_eq!(error.code, crate::ErrorCode::Corrupt);
        let kind = name.split(' ').next().unwrap();
        assert!(error.message.contains("event 99") && error.message.contains(kind), "{}", error.message);
        assert_eq!(machine.next(), Command::Finish(Ending::Failed(Fault::from(&error))), "{name}");
        let status = Envelope { event: event("status"), ..envelope };
        assert!(machine.apply(&status).is_err(), "a poisoned machine folds nothing");
        false
    };
    EVENTS.iter().map(|(name, _)| *name).filter(can_follow).collect()
}

#[test]
fn every_event_in_every_step_can_follow_or_poisons_the_machine() {
    for (step, table, expected) in steps() {
        let expected: BTreeSet<&str> = ALWAYS.into_iter().chain(expected).collect();
        let found = accepted(&table);
        let differing: Vec<_> = expected.symmetric_difference(&found).collect();
        assert!(differing.is_empty(), "in step {step}: {differing:?}");
    }
    let new = Table::of(Limits::default());
    assert_eq!(accepted(&new), BTreeSet::from(["run-started"]));
    let mut finished = Table::auto();
    finished.fold(event("abort-requested"));
    finished.fold(event("run-finished"));
    assert_eq!(accepted(&finished), BTreeSet::from(["budget-warning", "phase-changed"]));
}
