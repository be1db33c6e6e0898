//! Runs that are killed at any effect, as by a closed tab. Each is resumed, and must end like a run that was never killed.
#![cfg(not(target_family = "wasm"))]

use crate::engine::chunks::{build, chunk, commit_all, commit_project, revise, ship};
use crate::engine::support::{complete, until, write};
use futures_util::future::FutureExt;
use loopgate::port::memory::{MemoryGit, MemoryHost, MemoryShell, ScriptedModel, Turn};
use loopgate::port::{AgentRole, FsPort, GitPort, ModelRequest, ShellOutput};
use loopgate::run::{PlanMode, RunControl, RunOptions, RunResult, Work};
use loopgate::{Error, ErrorCode};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// What a run leaves behind.
#[derive(Debug, PartialEq)]
pub(crate) struct End {
    pub success: bool,
    /// The project's files without the journal, the logs and git; times are masked.
    pub files: BTreeMap<String, String>,
    tags: Vec<(String, String)>,
    /// HEAD's branch, then the messages and the trees of the commits of each branch.
    pub history: Vec<String>,
    /// The facts that decide: verdicts, failed attempts, invalidated plans, rounds of gates.
    pub decisions: Vec<String>,
}

/// What a step of the verification writes.
const GENERATED: &str = "/project/src/generated.ts";

type Start = fn() -> MemoryHost;

/// Kills the run at every write of its files and of git, with and without the loss of unflushed changes, and at every call of the
/// model. Returns the number of kills.
async fn kill_everywhere(project: Start, work: fn(&str) -> RunOptions) -> usize {
    let host = saved(project).await;
    host.fs.keep_states();
    drive(&host, work("run-1")).await.unwrap();
    let (expected, calls) = (end(&host, "run-1"), host.model.as_ref().unwrap().used());
    assert!(expected.success && !expected.decisions.is_empty(), "{expected:?}");
    let mut kills = 0;
    // A run that is killed at a write leaves what was there before it, so one run shows what each kill leaves.
    for (number, state) in host.fs.kept_states().iter().enumerate() {
        for lost in [false, true] {
            let host = project();
            host.fs.continue_from(state);
            if lost {
                host.fs.lose_unflushed();
                if host.fs.state() == *state {
                    continue;
                }
            }
            check(&host, work, &expected, &format!("write {number}, unflushed changes lost: {lost}")).await;
            kills += 1;
        }
    }
    for number in 0..calls {
        let mut host = saved(project).await;
        let model = host.model.take().unwrap();
        host.model = Some(model.hanging_at(number));
        let hung = host.model.clone().unwrap();
        kill(&host, work("run-1"), || hung.used() > number).await;
        host.model = Some(model);
        check(&host, work, &expected, &format!("model call {number}")).await;
        kills += 1;
    }
    kills
}

/// The project, whose files are durable.
async fn saved(project: Start) -> MemoryHost {
    let host = project();
    host.fs.flush().await.unwrap();
    host
}

/// Drops the run as soon as it is stuck.
async fn kill(host: &MemoryHost, options: RunOptions, is_stuck: impl Fn() -> bool) {
    let mut run = Box::pin(drive(host, options));
    futures_util::future::select(&mut run, Box::pin(until(is_stuck))).await;
}

async fn check(host: &MemoryHost, work: fn(&str) -> RunOptions, expected: &End, at: &str) {
    let mut id = "run-1";
    let mut result = drive(host, RunOptions { resume: true, ..work(id) }).await;
    match &result {
        // Killed before the first fact, or after the last one.
        Err(error) if error.code == ErrorCode::NotFound => {
            id = "run-2";
            result = drive(host, work(id)).await;
        }
        Err(error) if error.code == ErrorCode::InvalidArgument && error.message.contains("is finished") => {
            assert_eq!(&end(host, id), expected, "{at}");
            return;
        }
        _ => {}
    }
    result.unwrap_or_else(|error| panic!("{at}: {error}"));
    let mut found = end(host, id);
    // A step that was killed before its end leaves its file, which an event names: it may be the user's.
    if host.fs.tree(&format!("/project/.loopgate/journal/{id}")).into_values().any(|text| is_unclear(&text)) {
        found.files.remove(GENERATED);
    }
    assert_eq!(found.decisions, expected.decisions, "{at}");
    for path in found.files.keys().chain(expected.files.keys()) {
        assert_eq!(found.files.get(path), expected.files.get(path), "{at}: {path}");
    }
    assert_eq!(&found, expected, "{at}");
}

async fn drive(host: &MemoryHost, options: RunOptions) -> Result<RunResult, Error> {
    loopgate::run::drive(host, options, &RunControl::default(), &|_, _| {}).await
}

fn is_unclear(journal: &[u8]) -> bool {
    let text = String::from_utf8_lossy(journal);
    text.lines().any(|line| line.contains("changes-unclear") && line.contains("src/generated.ts"))
}

/// The branch of HEAD, and the commits of all branches.
fn history(host: &MemoryHost) -> Vec<String> {
    let read = async {
        let git = host.git.as_ref().unwrap();
        let mut lines: Vec<String> = git.current_branch().await.unwrap().into_iter().collect();
        for (name, tip) in git.refs().into_iter().filter(|(name, _)| name.starts_with("refs/heads/")) {
            lines.push(name);
            let mut next = Some(tip);
            while let Some(oid) = next {
                let commit = git.read_commit(&oid).await.unwrap();
                // The done file of a spec has times.
                let tree = if commit.message.contains("Loopgate-Spec") { String::new() } else { commit.tree };
                lines.push(format!("{tree} {}", commit.message));
                next = commit.parents.first().cloned();
            }
        }
        lines
    };
    read.now_or_never().unwrap()
}

pub(crate) fn end(host: &MemoryHost, run: &str) -> End {
    let text = |bytes: Vec<u8>| mask(&String::from_utf8_lossy(&bytes));
    // An iteration that is repeated after its plan was accepted builds at once, so a task may have one fewer; and a theme
    // whose command was interrupted is not noted.
    let differs = [
        "/project/.git/",
        "/project/.loopgate/",
        "/project/runs/",
        "/project/.ralph/iteration.txt",
        "/project/.ralph/theme.txt",
        "/project/.handoff/specs/shop/codebase-analysis.json",
        // An interrupted iteration has another prompt, and is in the record of the attempt.
        "/context-",
        "/transcript.md",
        "/attempt.json",
    ];
    let files = host
        .fs
        .tree("/project")
        .into_iter()
        .filter(|(path, _)| !differs.iter().any(|differs| path.starts_with(differs) || path.contains(differs)));
    let journal = host.fs.tree(&format!("/project/.loopgate/journal/{run}"));
    let lines: Vec<Value> = journal
        .values()
        .flat_map(|segment| String::from_utf8_lossy(segment).lines().map(str::to_owned).collect::<Vec<_>>())
        .filter_map(|line| serde_json::from_str(&line).ok())
        .collect();
    let starts = lines.iter().filter(|line| line["type"] == "iteration-started");
    let numbers: Vec<u64> = starts.filter_map(|line| line["iteration"].as_u64()).collect();
    let recorded: BTreeSet<String> = numbers.iter().map(u64::to_string).collect();
    assert_eq!(recorded.len(), numbers.len(), "no number is used twice");
    let records = format!("/project/.loopgate/runs/{run}/");
    let names: Vec<_> = recorded
        .iter()
        .flat_map(|number| {
            ["iteration.json", "prompt.md", "transcript.md"].map(|name| format!("{records}{number}/{name}"))
        })
        .collect();
    assert!(host.fs.tree(&records).into_keys().eq(names), "each iteration has one record, which is complete");
    let result = lines.iter().rev().find(|line| line["type"] == "run-finished").map(|line| line["result"].clone());
    let result = result.unwrap_or_default();
    let git = host.git.as_ref().unwrap();
    let trees = git
        .refs()
        .into_iter()
        .filter(|(name, _)| ["snapshots/spec=", "snapshots/chunks=", "task-"].iter().any(|part| name.contains(part)));
    End {
        success: result["success"] == true,
        files: files.map(|(path, bytes)| (path, text(bytes))).collect(),
        history: history(host),
        tags: trees.map(|(name, _)| (name, String::new())).collect(),
        decisions: lines.iter().filter_map(decision).collect(),
    }
}

fn decision(line: &Value) -> Option<String> {
    let kind = line["type"].as_str()?;
    let what = match kind {
        "verdict-given" => &line["verdict"],
        "verification-finished" => &line["feedback"],
        "attempt-failed" => &line["role"],
        "plan-invalidated" | "plan-accepted" => &line["attempt"],
        "spec-finished" => &line["spec"],

        "gates-finished" => &line["round"],
        "review-given" => &line["review"]["decision"],
        "attempt-reverted" => &line["attempt"],
        "chunk-committed" | "summary-written" => &line["chunk"],
        _ => return None,
    };
    Some(format!("{kind} {what}"))
}

/// Replaces what depends on time: commits and times.
fn mask(text: &str) -> String {
    let is_masked = |line: &&str| {
        !["_utc\":", "\"commit\":", "- commit:", "- verified:", "Commit ", "- Usage"]
            .iter()
            .any(|key| line.contains(key))
    };
    text.lines().filter(is_masked).map(|line| format!("{line}\n")).collect()
}

/// A host whose repository is in the same file system, so that git's writes are killed as well.
fn host(answer: fn(&MemoryHost, &ModelRequest) -> Turn) -> MemoryHost {
    let mut host = MemoryHost::new([
        ("specs/0001-foo.md", "# Foo\nExport foo.\n"),
        ("specs/area/0002-bar.md", "# Bar\nExport bar.\n"),
        ("index.html", "<p>hi</p>"),
    ]);
    host.git = Some(MemoryGit::new(&host.fs, "/project/.git"));
    let files = host.clone();
    host.model = Some(ScriptedModel::answering(move |request| answer(&files, request)));
    host
}

/// A verification whose step also writes a file, which nobody may keep.
fn verify(host: &mut MemoryHost, step: impl Fn(&MemoryHost, &str) -> ShellOutput + 'static) {
    host.put(".handoff/config.yaml", "verification: { enabled: true, steps: [{ name: Types, command: tsc }] }\n");
    let files = host.clone();
    host.shell = Some(MemoryShell::new(move |command| {
        if command == "tsc" {
            files.put("src/generated.ts", "x");
        }
        step(&files, command)
    }));
}

fn output(exit_code: u8, stdout: &str) -> ShellOutput {
    ShellOutput { exit_code, stdout: stdout.to_owned(), stderr: String::new() }
}

/// The first spec needs a second implementation and a second plan, the second one fails its verification once.
fn specs() -> MemoryHost {
    let mut host = planned_specs();
    verify(&mut host, |files, _| match files.text("src/bar.ts").as_deref() {
        Some("draft") => output(1, "say more"),
        _ => output(0, ""),
    });
    host
}

fn planned_specs() -> MemoryHost {
    host(|host, request| {
        let prompt = serde_json::to_string(&request.messages).unwrap();
        let verdict =
            |verdict: &str, reason: &str| Turn::call("complete_task", json!({ "verdict": verdict, "reason": reason }));
        let (spec, source) = if prompt.contains("- spec: specs/area/0002-bar.md") {
            ("area/0002-bar", "src/bar.ts")
        } else {
            ("0001-foo", "src/foo.ts")
        };
        match request.role {
            AgentRole::Planner => {
                let text = if prompt.contains("wrong module") { "# Plan B\n" } else { "# Plan A\n" };
                Turn::calls([write(&format!("specs/plans/{spec}.md"), text), complete()])
            }
            AgentRole::Builder => {
                let text = match (prompt.contains("# Plan B"), prompt.contains("say more")) {
                    (true, _) => "final",
                    (false, true) => "more",
                    (false, false) => "draft",
                };
                Turn::calls([write(source, text), complete()])
            }
            _ => match (spec, host.text(source).unwrap_or_default().as_str()) {
                ("0001-foo", "draft") => verdict("fix", "say more"),
                ("0001-foo", "more") => verdict("invalidate_plan", "wrong module"),
                _ => verdict("accept", "all there"),
            },
        }
    })
}

/// Two specs that are committed, each on its own branch.
pub(crate) fn committed_specs() -> MemoryHost {
    let host = host(|_, request| {
        let prompt = serde_json::to_string(&request.messages).unwrap();
        let is_second = prompt.contains("- spec: specs/area/0002-bar.md");
        let (spec, source) = if is_second { ("area/0002-bar", "src/bar.ts") } else { ("0001-foo", "src/foo.ts") };
        match request.role {
            AgentRole::Planner => Turn::calls([write(&format!("specs/plans/{spec}.md"), "# Plan\n"), complete()]),
            AgentRole::Builder => Turn::calls([write(source, "export {};\n"), complete()]),
            _ => Turn::call("complete_task", json!({ "verdict": "accept", "reason": "all there" })),
        }
    });
    host.put(".handoff/config.yaml", "git: { commit: true, after: return }\n");
    commit_all(&host, "refs/heads/main").now_or_never().unwrap();
    host.put("index.html", "<p>the user's draft</p>");
    host
}

pub(crate) fn spec_work(id: &str) -> RunOptions {
    RunOptions {
        work: Work::Spec { path: None, force: false },
        ..RunOptions::task(id, "", crate::engine::support::registry())
    }
}

/// A planned task with a theme, a shell, an own gate and two iterations of work.
fn task() -> MemoryHost {
    let mut host = crate::engine::crash::project();
    host.git = Some(MemoryGit::new(&host.fs, "/project/.git"));
    let shell = |files: &MemoryHost, command: &str| {
        if command != "tsc" {
            files.put("src/index.css", &format!("/* {command} */\nbody {{ margin: 0 }}\n"));
        }
        output(0, "")
    };
    verify(&mut host, shell);
    host
}

fn task_work(id: &str) -> RunOptions {
    crate::engine::support::options(id, PlanMode::Auto)
}

#[tokio::test]
async fn a_run_over_specs_that_is_killed_anywhere_ends_like_one_that_is_not() {
    let kills = kill_everywhere(specs, spec_work).await;
    assert!(kills >= 100, "{kills}");
}

#[tokio::test]
async fn a_run_that_commits_its_specs_and_is_killed_anywhere_commits_each_once() {
    let kills = kill_everywhere(committed_specs, spec_work).await;
    assert!(kills >= 100, "{kills}");
}

#[tokio::test]
async fn a_task_that_is_killed_anywhere_ends_like_one_that_is_not() {
    let kills = kill_everywhere(task, task_work).await;
    assert!(kills >= 100, "{kills}");
}

/// Two chunks. The first one fails its verification, then a review; the review of the second one is unreadable once.
fn chunks() -> MemoryHost {
    let mut host = MemoryHost::new([]);
    host.git = Some(MemoryGit::new(&host.fs, "/project/.git"));
    host.put(".handoff/config.yaml", "verification: { enabled: true, steps: [{ name: Types, command: tsc }] }\n");
    let list = json!([chunk("a", &[]), chunk("b", &["a"])]);
    commit_project(&host, &list).now_or_never().unwrap();
    let files = host.clone();
    host.shell = Some(MemoryShell::new(move |_| ShellOutput {
        exit_code: u8::from(files.text("src/a.ts").as_deref() == Some("broken\n")),
        stdout: "line 1 is broken".to_owned(),
        stderr: String::new(),
    }));
    host.model = Some(ScriptedModel::answering(|request| {
        let prompt = serde_json::to_string(&request.messages).unwrap();
        let has = |text: &str| prompt.contains(text);
        match request.role {
            AgentRole::Reviewer if has("+racy") => revise("Take the lock first."),
            AgentRole::Reviewer if has("Title: Add b") && !has("not usable") => Turn::Text("Fine.".to_owned()),
            AgentRole::Reviewer => ship(),
            AgentRole::Summarizer => Turn::Text(r#"{"summary":"It exists."}"#.to_owned()),
            _ if has("Task: Add b") => build("src/b.ts", "b\n"),
            _ if has("Take the lock") => build("src/a.ts", "safe\n"),
            _ if has("is broken") => build("src/a.ts", "racy\n"),
            _ => build("src/a.ts", "broken\n"),
        }
    }));
    host
}

#[tokio::test]
async fn a_run_over_chunks_that_is_killed_anywhere_ends_like_one_that_is_not() {
    let kills = kill_everywhere(chunks, crate::engine::chunks::options).await;
    assert!(kills >= 100, "{kills}");
}
