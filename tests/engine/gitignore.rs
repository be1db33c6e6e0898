//! A user whose `.gitignore` names loopgate's files gets the same snapshots, results and rollbacks as one without.

use crate::engine::support::{PLAN, SUMMARY, complete, fresh, run, run_scripted, work, write};
use crate::engine::{chunks, specs};
use loopgate::port::memory::{MemoryHost, Turn};
use loopgate::run::{Envelope, PlanMode, RunControl, RunOptions, RunResult, drive};
use loopgate::snapshot::{FileChange, diff, list, rollback, undo};
use std::collections::BTreeMap;
use wasm_bindgen_test::wasm_bindgen_test;

const IGNORED: &str = "node_modules\n.ralph/\n/runs/\n.handoff/specs/*/iterations/\nspecs/done/\nspecs/candidates/\n";

/// The tags with what each changed since the first snapshot, except `.gitignore`.
async fn snapshots(host: &MemoryHost) -> BTreeMap<String, Vec<FileChange>> {
    let tags: Vec<String> = list(host).await.unwrap().into_iter().map(|info| info.tag).collect();
    let mut all = BTreeMap::new();
    for tag in &tags {
        let changes = diff(host, tags.last().unwrap(), Some(tag)).await.unwrap();
        all.insert(tag.clone(), changes.into_iter().filter(|change| change.path != ".gitignore").collect());
    }
    all
}

/// The names of the files, and the texts of those that snapshots have. Logs and ids of commits contain times.
fn files(host: &MemoryHost) -> BTreeMap<String, Option<Vec<u8>>> {
    let files = host.fs.tree("/project").into_iter();
    let shown = files
        .filter(|(path, _)| ![".git/", ".loopgate/", ".gitignore", "/runs/"].iter().any(|part| path.contains(part)));
    shown
        .map(|(path, bytes)| (path.contains(".ralph/").then_some(bytes), path))
        .map(|(bytes, path)| (path, bytes))
        .collect()
}

async fn finished(host: &MemoryHost, options: RunOptions) -> RunResult {
    let ignore = |_: &Envelope, _: &_| {};
    drive(host, options, &RunControl::default(), &ignore).await.unwrap()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn tasks_and_a_rollback_do_not_depend_on_the_gitignore() {
    let mut seen = Vec::new();
    for ignore in ["node_modules\n", IGNORED] {
        let host = MemoryHost::new([(".gitignore", ignore), ("index.html", "<h1>Drinks</h1>")]);
        let script = [
            Turn::calls([write(".ralph/plan.tsx", PLAN)]),
            Turn::Text("The plan is written.".to_owned()),
            Turn::calls([work(), write(".ralph/summary.md", SUMMARY), complete()]),
        ];
        let first = run(&host, script.clone()).await;
        assert!(first.result().success, "{}", first.result().message);
        let next = [
            Turn::calls([write(".ralph/plan.tsx", PLAN)]),
            Turn::calls([
                write("src/tea.ts", "export const hero = '<h1>Tea</h1>'\n"),
                write(".ralph/notes.md", "tea"),
                complete(),
            ]),
            Turn::Text("Nothing more.".to_owned()),
        ];
        let mut options = fresh("run-2", PlanMode::Auto);
        options.limits.max_iterations = Some(2.0);
        let (second, _) = run_scripted(&host, options, next).await;
        let after = files(&host);
        let changed = rollback(&host, "task-1-post", false).await.unwrap();
        let before = files(&host);
        undo(&host).await.unwrap();
        assert_eq!(files(&host), after);
        seen.push((second.result().reason, snapshots(&host).await, changed.restored, changed.deleted, before, after));
    }
    assert!(seen[1].4.keys().any(|path| path.ends_with(".ralph/plan.tsx")));
    assert_eq!(seen[0], seen[1]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_spec_does_not_depend_on_the_gitignore() {
    let mut seen = Vec::new();
    for ignore in ["node_modules\n", IGNORED] {
        let host = specs::shipping_host();
        host.put(".gitignore", ignore);
        let result = finished(&host, specs::options("run-1")).await;
        assert!(result.success, "{}", result.message);
        seen.push((snapshots(&host).await, files(&host)));
    }
    assert_eq!(seen[0], seen[1]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn chunks_ship_the_same_commits() {
    let mut seen = Vec::new();
    for ignore in ["node_modules\n", IGNORED] {
        let host = chunks::shipping_host(ignore).await;
        let result = finished(&host, chunks::options("run-1")).await;
        assert!(result.success, "{}", result.message);
        let committed = loopgate::snapshot::branch::dirty(&host).await.unwrap();
        seen.push((
            snapshots(&host).await,
            files(&host),
            committed.into_iter().map(|change| change.path).collect::<Vec<_>>(),
        ));
    }
    assert_eq!(seen[0], seen[1]);
}
