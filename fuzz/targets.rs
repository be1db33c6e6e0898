//! A function per fuzz target: any bytes, and what must hold for them. The fuzzer and `tests/fuzz.rs` share it.

use loopgate::Error;
use loopgate::agent::{Asked, explain};
use loopgate::config::{Sources, resolve};
use loopgate::gate::{ScopeVerdict, check_scope};
use loopgate::plan::{Registry, diff, validate};
use loopgate::port::memory::{MemoryGit, MemoryHost, ScriptedModel, Turn};
use loopgate::port::{AgentRole, Commit, Effect, EntryKind, FinishReason, FunctionCall, GitPort};
use loopgate::port::{ModelResponse, Person, Phase, Rights, ToolCall, TreeEntry};
use loopgate::review::{self as reviews, Decision, Judgement};
use loopgate::run::{ConfigSources, RunControl, RunOptions, drive, find_unfinished, read_events};
use loopgate::snapshot::{self, SaveOptions, Watch, branch};
use loopgate::task::{Intake, StructuredTask, TaskContext, format_task, parse_by_rules};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

type Target = fn(&[u8]);

/// Runs the target of this name.
pub(crate) fn run(name: &str, bytes: &[u8]) {
    TARGETS.iter().filter(|(other, _)| *other == name).for_each(|(_, target)| target(bytes));
}

/// The targets by name. Each has a folder of inputs in `seeds/`.
pub(crate) const TARGETS: [(&str, Target); 13] = [
    ("plan", plan),
    ("message", message),
    ("review", review),
    ("answer", answer),
    ("calls", calls),
    ("config", config),
    ("journal", journal),
    ("redo_log", redo_log),
    ("ignore", ignore),
    ("tree", tree),
    ("restore", restore),
    ("index", index),
    ("shell", shell),
];

/// A report with places in the source, the same each time; as the plan and the source of an unchanged project, nothing is
/// lost in it.
fn plan(bytes: &[u8]) {
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
}

/// The same task each time, with spans inside the message.
fn message(bytes: &[u8]) {
    let message = String::from_utf8_lossy(bytes);
    let context = TaskContext { plan_exists: bytes.len().is_multiple_of(2), ..TaskContext::default() };
    let task = parse_by_rules(&message, &context);
    assert_eq!(parse_by_rules(&message, &context), task);
    is_of(&task, &message);
}

/// A model's answer about a message gives a task, and forges no section of the task file.
fn answer(bytes: &[u8]) {
    let answer = String::from_utf8_lossy(bytes).into_owned();
    let (message, context) = ("Add two drinks to the menu.\nMake it dark.", TaskContext::default());
    for may_ask in [true, false] {
        let intake = Intake { message, context: &context, asked: None, may_ask };
        let parsed = ready(intake.parse(async |_| Ok(answer.clone())));
        is_of(&parsed.task, message);
    }
}

/// An agent's answer of a text and calls gives each call one result, and the journal has all of it. It changes no closed file
/// and nothing outside of the project; calls that are only text change nothing.
fn calls(bytes: &[u8]) {
    let answer = answer_with_calls(bytes);
    let made = answer.tool_calls.iter().flatten().count();
    let host = project().with(|ports| ports.model = Some(ScriptedModel::new([Turn::Answer(answer)])));
    host.fs.put("/project/closed/a", b"closed");
    host.fs.put("/secret", b"secret");
    let files = || {
        let notes = |path: &String| path.starts_with("/project/.ralph/");
        sources(&host).into_iter().filter(|(path, _)| !notes(path)).collect::<BTreeMap<_, _>>()
    };
    let before = files();
    let config = ConfigSources { global: Some("guard: { deny: [closed] }\n".to_owned()), layer: None };
    let options = RunOptions::task("run-1", "Fix the typo in a.ts", Cow::Borrowed(Registry::builtin()));
    let _ = ready(drive(&host, RunOptions { config, ..options }, &RunControl::default(), &|_, _| {}));

    let events = ready(read_events(host.project(), Some("run-1"), 0)).unwrap();
    let of_type = |name: &str| -> Vec<&str> {
        let named = events.iter().filter(|event| event["type"] == name);
        named.map(|event| event["id"].as_str().unwrap()).collect()
    };
    let (called, results) = (of_type("tool-call"), of_type("tool-result"));
    assert_eq!(called, results);
    assert_eq!(called.len(), made.min(1_000));
    assert_eq!(called.iter().collect::<BTreeSet<_>>().len(), called.len(), "ids are unique");
    if made == 0 {
        assert_eq!(files(), before);
    }
    assert_eq!(host.text("closed/a").as_deref(), Some("closed"));
    assert_eq!(host.fs.text("/secret").as_deref(), Some("secret"));
    let outside = host.fs.tree("/").into_keys().filter(|path| !path.starts_with("/project/"));
    assert_eq!(outside.collect::<Vec<_>>(), ["/secret"]);
}

/// The text before the first line that begins with `@`. Each such line has the name and the id of a call, and its arguments
/// follow.
fn answer_with_calls(bytes: &[u8]) -> ModelResponse {
    use FinishReason::{ContentFilter, Length, Stop, ToolCalls};
    let text = format!("\n{}", String::from_utf8_lossy(bytes));
    let mut parts = text.split("\n@");
    let content = parts.next().and_then(|text| text.get(1..)).map(str::to_owned);
    let calls = parts.map(|part| {
        let (head, arguments) = part.split_once('\n').unwrap_or((part, ""));
        let (name, id) = head.split_once(' ').unwrap_or((head, ""));
        let function = FunctionCall { name: name.to_owned(), arguments: arguments.to_owned() };
        ToolCall { id: id.to_owned(), kind: "function".to_owned(), function, provider_data: None }
    });
    let tool_calls = Some(calls.collect());
    let finish_reason = [ToolCalls, Stop, ToolCalls, Length, ContentFilter][bytes.len() % 5];
    ModelResponse { content, tool_calls, finish_reason, usage: None, model: None, provider_data: None }
}

fn is_of(task: &StructuredTask, message: &str) {
    let units = message.encode_utf16().count() as u32;
    for [start, end] in task.requirements.iter().filter_map(|requirement| requirement.span) {
        assert!(start < end && end <= units, "{start}..{end} of {units}");
    }
    assert_eq!(format_task(task).matches("\n## Original Message\n").count(), 1);
}

/// The same judgement each time, with consistent counts.
fn review(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let judgement = reviews::parse(&text);
    assert_eq!(reviews::parse(&text), judgement);
    match &judgement {
        Judgement::Ship { review } => assert!(review.decision == Decision::Ship && review.summary.high == 0),
        Judgement::Revise { review } => {
            assert!(review.decision == Decision::Revise && !review.issues.is_empty());
            assert!(review.summary.total as usize >= review.issues.len());
        }
        Judgement::Inconclusive { .. } => {}
    }
}

/// A configuration is the same each time; an error has a place in the text.
fn config(bytes: &[u8]) {
    let sources = Sources { project: Some(bytes), ..Sources::default() };
    match (resolve(sources), resolve(sources)) {
        (Ok(config), Ok(again)) => assert_eq!((config.hash(), &config), (again.hash(), &again)),
        (Err(error), Err(again)) => {
            assert_eq!(error.to_string(), again.to_string());
            let lines =
                bytes.split(|byte| *byte == b'\n').count() + bytes.iter().filter(|byte| **byte == b'\r').count();
            assert!(error.line.is_none_or(|line| (1..=lines + 1).contains(&(line as usize))), "{error:?}");
        }
        (first, second) => panic!("{first:?} and {second:?}"),
    }
}

/// Bytes in place of a journal are an error or events in order, and reading them writes nothing; also if their lines are
/// sealed.
fn journal(bytes: &[u8]) {
    let host = project();
    let text = String::from_utf8_lossy(bytes);
    let seal = |line: &str| {
        let open = line.rsplit_once(",\"sum\":\"").map_or(line, |(open, _)| open);
        format!("{open},\"sum\":\"{}\"}}\n", &host.state_key.sign("run-1", open)[..32])
    };
    read_journal(&host, bytes);
    read_journal(&host, text.lines().map(seal).collect::<String>().as_bytes());
}

fn read_journal(host: &MemoryHost, bytes: &[u8]) {
    host.fs.put("/project/.loopgate/journal/run-1/0-1.jsonl", bytes);
    let before = host.fs.tree("/project");
    let _: Result<_, Error> = ready(find_unfinished(host.project()));
    if let Ok(events) = ready(read_events(host.project(), Some("run-1"), 0)) {
        let numbers: Vec<u64> = events.iter().filter_map(|event| event.get("seq")?.as_u64()).collect();
        assert!(numbers.len() == events.len() && numbers.is_sorted(), "{events:?}");
    }
    assert_eq!(host.fs.tree("/project"), before);
}

/// Bytes in place of a redo log change no file of the project; none outside even if they are sealed.
fn redo_log(bytes: &[u8]) {
    let host = project();
    let before = sources(&host);
    apply_log(&host, bytes);
    assert_eq!(sources(&host), before);
    let text = String::from_utf8_lossy(bytes);
    let open = text.trim_end().rsplit_once('\n').map_or(&*text, |(open, _)| open);
    apply_log(&host, format!("{open}\n{}\n", host.state_key.sign(".loopgate/undo", open)).as_bytes());
}

fn apply_log(host: &MemoryHost, bytes: &[u8]) {
    host.fs.put("/secret", b"secret");
    host.fs.put("/project/.loopgate/undo", bytes);
    let _ = ready(snapshot::finish_rollback(host));
    let _ = ready(snapshot::save(host, &SaveOptions::default()));
    let _ = ready(snapshot::undo(host));
    assert_eq!(host.fs.text("/secret").as_deref(), Some("secret"));
}

/// Any ignore rules give a snapshot that has the files of the project, and the same one again.
fn ignore(bytes: &[u8]) {
    let host = project();
    host.fs.put("/project/.gitignore", bytes);
    let before = sources(&host);
    let first = ready(snapshot::save(&host, &SaveOptions::default())).unwrap();
    let second = ready(snapshot::save(&host, &SaveOptions::default())).unwrap();
    assert_eq!((first.tree, second.changed), (second.tree, 0));
    assert!(first.files as usize <= before.len());
    assert_eq!(sources(&host), before);
}

/// A rollback to any tree changes nothing outside the project, and not the files that rollbacks skip. A refused one changes
/// nothing.
fn tree(bytes: &[u8]) {
    let host = project();
    host.fs.put("/secret", b"secret");
    let git = host.git.as_ref().unwrap();
    let Some(mut entries) = TreeEntry::read_all(bytes) else { return };
    let blob = ready(git.write_blob(b"theirs")).unwrap();
    for entry in entries.iter_mut().filter(|entry| entry.kind == EntryKind::Blob) {
        entry.oid.clone_from(&blob);
    }
    entries.retain(|entry| entry.kind == EntryKind::Blob);
    let Ok(tree) = ready(git.write_tree(&entries)) else { return };
    let author = Person { name: "U".into(), email: "u@x".into(), timestamp: 1, timezone_offset: 0 };
    let commit = Commit { tree, parents: Vec::new(), message: "theirs\n".to_owned(), author };
    let commit = ready(git.write_commit(&commit)).unwrap();
    ready(git.write_ref("refs/tags/theirs", &commit)).unwrap();
    host.fs.put("/project/.loopgate/names", b"");
    let before = sources(&host);
    let outcome = ready(snapshot::rollback(&host, "refs/tags/theirs", false));
    if outcome.is_err() {
        assert_eq!(sources(&host), before);
    }
    assert_eq!(host.fs.text("/secret").as_deref(), Some("secret"));
    let outside = host.fs.tree("/").into_keys().filter(|path| !path.starts_with("/project/"));
    assert_eq!(outside.collect::<Vec<_>>(), ["/secret"]);
    assert_eq!(ready(git.resolve_ref("refs/heads/main")).unwrap(), None);
}

/// A rollback to any trees in each other, with any names twice, or a checkout of them, writes nothing outside of the project,
/// and no link that leads there. A refused one changes nothing. Undo brings the files back.
fn restore(bytes: &[u8]) {
    for is_checkout in [false, true] {
        let host = project();
        host.fs.put("/outside/precious", b"precious");
        let git = host.git.as_ref().unwrap();
        ready(git.init()).unwrap();
        let main = commit_of(git, ready(git.store_tree(b"")).unwrap());
        ready(git.write_ref("refs/heads/main", &main)).unwrap();
        let theirs = commit_of(git, trees(git, &mut bytes.chunks_exact(2)));
        ready(git.write_ref("refs/heads/theirs", &theirs)).unwrap();
        let before = sources(&host);
        let is_done = match is_checkout {
            true => ready(branch::switch(&host, &Watch::default(), "theirs", None)).is_ok(),
            false => ready(snapshot::rollback(&host, "refs/heads/theirs", false)).is_ok(),
        };
        let after = sources(&host);
        assert!(is_done || after == before, "a refused one changes nothing");
        let leads_out = |target: &&[u8]| matches!(*target, b"/outside" | b".." | b"../.." | b".git" | b"..\\..");
        let contents = || after.values().map(Vec::as_slice).filter(|content| !content.starts_with(b"file "));
        assert!(!contents().any(|content| leads_out(&content)), "{after:?}");
        if is_done && !is_checkout {
            ready(snapshot::undo(&host)).unwrap();
            assert_eq!(sources(&host), before);
        }
        let outside = host.fs.tree("/").into_iter().filter(|(path, _)| !path.starts_with("/project/"));
        assert_eq!(outside.collect::<Vec<_>>(), [("/outside/precious".to_owned(), b"precious".to_vec())]);
    }
}

fn commit_of(git: &MemoryGit, tree: String) -> String {
    let author = Person { name: "U".into(), email: "u@x".into(), timestamp: 1, timezone_offset: 0 };
    let commit = Commit { tree, parents: Vec::new(), message: "theirs\n".to_owned(), author };
    ready(git.write_commit(&commit)).unwrap()
}

/// Stores a tree of pairs of bytes: a name, and what has it. Returns its id.
fn trees(git: &MemoryGit, pairs: &mut std::slice::ChunksExact<'_, u8>) -> String {
    const NAMES: [&str; 10] = ["a", "A", "a.", "b", "src", "SRC", "precious", "a\u{200c}", ".git", "a\\b"];
    const TARGETS: [&str; 8] = ["/outside", "..", "../..", "a", "b", ".git", "src/deep", "..\\.."];
    let mut body = Vec::new();
    while let Some(pair) = pairs.next() {
        let [name, what] = [pair[0], pair[1]].map(usize::from);
        let (mode, oid) = match what % 8 {
            0 => break,
            1..=2 => ("40000", trees(git, pairs)),
            3..=5 => ("120000", ready(git.write_blob(TARGETS[what / 8 % TARGETS.len()].as_bytes())).unwrap()),
            _ => ("100644", ready(git.write_blob(format!("file {what}").as_bytes())).unwrap()),
        };
        body.extend_from_slice(format!("{mode} {}\0", NAMES[name % NAMES.len()]).as_bytes());
        body.extend((0..20).map(|at| u8::from_str_radix(&oid[2 * at..2 * at + 2], 16).unwrap()));
    }
    ready(git.store_tree(&body)).unwrap()
}

/// With any bytes as git's index, a switch of the branch changes no file.
fn index(bytes: &[u8]) {
    let host = project();
    let git = host.git.as_ref().unwrap();
    ready(git.write_index(bytes)).unwrap();
    let before = sources(&host);
    let _ = ready(branch::switch(&host, &Watch::default(), "other", None));
    assert_eq!(sources(&host), before);
}

/// What follows a line is judged whatever the line is, and the decision is the same each time.
fn shell(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let yaml = "policy:\n  - { decision: deny, command: git push }\n  - { decision: ask, path: .env, access: read }\n";
    let config = resolve(Sources { global: Some(yaml), ..Sources::default() }).unwrap();
    let rights = Rights::for_role(AgentRole::Builder, Phase::Build).under(&config.settings.policy);
    let decide = |line: &str| {
        let asked = Asked { tool: "shell", command: Some(line), ..Asked::default() };
        let reason = explain("/project", &rights, &asked);
        assert_eq!(explain("/project", &rights, &asked), reason);
        reason.decision
    };
    decide(&text);
    // A backslash joins the next line to its own.
    if !text.ends_with('\\') {
        assert_ne!(decide(&format!("{text}\ngit push\n")), Effect::Allow, "{text:?}");
        assert_ne!(decide(&format!("{text}\ncat .env\n")), Effect::Allow, "{text:?}");
    }
}

fn project() -> MemoryHost {
    let mut host = MemoryHost::new([("src/a.ts", "a\n"), ("src/deep/b.ts", "b\n"), (".env", "KEY=1\n")]);
    host.git = Some(MemoryGit::new(&host.fs, "/project/.git"));
    host
}

/// The files without git's and the harness's.
fn sources(host: &MemoryHost) -> BTreeMap<String, Vec<u8>> {
    let is_source = |path: &String| !path.starts_with("/project/.git/") && !path.starts_with("/project/.loopgate/");
    host.fs.tree("/project").into_iter().filter(|(path, _)| is_source(path)).collect()
}

/// Ports in memory wait for nothing.
pub(crate) fn ready<T>(future: impl Future<Output = T>) -> T {
    let (mut future, mut context) = (pin!(future), Context::from_waker(Waker::noop()));
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
}
