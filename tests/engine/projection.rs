//! Events for the files that the harness writes to `.ralph/`.

use crate::engine::support::{Outcome, SUMMARY, complete, run, write};
use loopgate::port::memory::{MemoryHost, Turn};
use loopgate::run::Event;
use wasm_bindgen_test::wasm_bindgen_test;

async fn built() -> Outcome {
    let host = MemoryHost::new([("index.html", "<h1>Drinks</h1>")]);
    run(&host, [Turn::calls([write("src/a.ts", "export {}"), write(".ralph/summary.md", SUMMARY), complete()])]).await
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn each_step_projects_the_harness_files_in_one_event() {
    let outcome = built().await;
    assert!(outcome.result().success);
    let mut events = outcome.events.iter().map(|envelope| &envelope.event).peekable();
    let mut lists = Vec::new();
    while let Some(event) = events.next() {
        if let Event::HarnessFilesChanged { paths } = event {
            assert!(!matches!(events.peek(), Some(Event::HarnessFilesChanged { .. })), "two for one step: {paths:?}");
            lists.push(paths);
        }
    }
    let first = lists.first().unwrap();
    for path in ["origin.md", "task.md", "task-counter.txt", "phase.txt", "status.txt"] {
        assert!(first.contains(&format!(".ralph/{path}")), "{path}: {first:?}");
    }
    assert!(lists.iter().all(|paths| !paths.is_empty() && paths.iter().all(|path| path.starts_with(".ralph/"))));
    assert_eq!(lists.last().unwrap().as_slice(), [".ralph/status.txt"], "only what changed is named");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn file_changed_events_are_only_for_files_of_the_project_or_the_agent() {
    let outcome = built().await;
    let by_harness = |event: &Event| matches!(event, Event::FileChanged { by: loopgate::run::ChangedBy::Harness, .. });
    assert_eq!(outcome.count(by_harness), 0);
    assert_eq!(outcome.count(|event| matches!(event, Event::FileChanged { path, .. } if path == "src/a.ts")), 1);
}
