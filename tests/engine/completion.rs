//! Every way to signal completion, in every phase.

use crate::engine::support::{PLAN, SUMMARY, complete, run, work, write};
use loopgate::port::Phase::{Build, Check, Plan};
use loopgate::port::memory::{MemoryHost, Turn};
use loopgate::run::{Event, StopReason};
use wasm_bindgen_test::wasm_bindgen_test;

fn project() -> MemoryHost {
    MemoryHost::new([("index.html", "<h1>Drinks</h1>"), (".ralph/summary.md", "")])
}

/// A tool call, the status file, and an answer without calls do not complete a task while a plan waits for its check.
#[wasm_bindgen_test(unsupported = tokio::test)]
async fn every_completion_signal_is_deferred_while_a_plan_waits() {
    let plan = || write(".ralph/plan.tsx", PLAN);
    let signals: [Vec<Turn>; 3] = [
        vec![Turn::calls([plan(), complete()])],
        vec![Turn::calls([plan(), write(".ralph/status.txt", "complete")])],
        vec![Turn::calls([plan()]), Turn::Text("All done.".to_owned())],
    ];
    for mut script in signals {
        script.push(Turn::calls([work(), write(".ralph/summary.md", SUMMARY), complete()]));
        let outcome = run(&project(), script.clone()).await;
        assert_eq!(outcome.phases().first(), Some(&(Plan, Build)), "{script:?}");
        assert_eq!(outcome.result().iterations, 2, "{script:?}");
        assert!(outcome.result().success, "{script:?}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn every_completion_signal_counts_without_a_plan() {
    let summary = || write(".ralph/summary.md", SUMMARY);
    let signals: [Vec<Turn>; 4] = [
        vec![Turn::calls([work(), summary(), complete()])],
        vec![Turn::calls([work(), summary(), write(".ralph/status.txt", "complete")])],
        vec![Turn::calls([work(), summary(), write(".ralph/status.txt", "  COMPLETE\n")])],
        vec![Turn::calls([work(), summary()]), Turn::Text("All done.".to_owned())],
    ];
    for script in signals {
        let outcome = run(&project(), script.clone()).await;
        assert_eq!(outcome.phases().first(), Some(&(Plan, Check)), "{script:?}");
        assert!(outcome.result().success, "{script:?}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_blank_plan_does_not_count_as_a_plan() {
    let script =
        [Turn::calls([write(".ralph/plan.tsx", " \n\t"), work(), write(".ralph/summary.md", SUMMARY), complete()])];
    assert!(run(&project(), script).await.result().success);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_status_waiting_ends_the_run() {
    let host = project();
    let outcome = run(&host, [Turn::calls([write(".ralph/status.txt", "waiting")])]).await;
    assert_eq!(outcome.result().reason, StopReason::Waiting);
    assert!(!outcome.result().success);
    assert_eq!(host.text(".ralph/status.txt").as_deref(), Some("waiting"));
}

/// None of these is a completion or a failed gate, and each gets feedback.
#[wasm_bindgen_test(unsupported = tokio::test)]
async fn bad_calls_get_feedback_and_neither_complete_nor_fail() {
    let bad: [Turn; 6] = [
        Turn::Calls(vec![("write_file".to_owned(), "{path: src/a.ts".to_owned())]),
        Turn::Calls(vec![("write_fil".to_owned(), "{}".to_owned())]),
        Turn::Calls(vec![("write_file".to_owned(), r#"{"path":"src/a.ts"}"#.to_owned())]),
        Turn::Calls(vec![("write_file".to_owned(), r#"{"path":1,"content":"x"}"#.to_owned())]),
        Turn::Text("```bash\necho \"complete\" > .ralph/status.txt\n```".to_owned()),
        Turn::Text("write_file(\"src/a.ts\", \"x\")".to_owned()),
    ];
    for turn in bad {
        let script = [turn.clone(), Turn::calls([work(), write(".ralph/summary.md", SUMMARY), complete()])];
        let outcome = run(&project(), script).await;
        assert!(outcome.result().success, "{turn:?}: {:?}", outcome.result().message);
        assert_eq!(outcome.result().iterations, 1, "{turn:?}");
        assert_eq!(outcome.count(|event| matches!(event, Event::GatesFinished { .. })), 1, "{turn:?}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_cut_off_answer_does_not_complete_the_task() {
    let script =
        [Turn::Cut("All done, and".to_owned()), Turn::calls([work(), write(".ralph/summary.md", SUMMARY), complete()])];
    let outcome = run(&project(), script).await;
    assert!(outcome.result().success);
    assert_eq!(outcome.count(|event| matches!(event, Event::GatesFinished { .. })), 1);
}
