//! Every built-in tool, on valid and on invalid calls.
#![cfg(not(target_family = "wasm"))]

mod history;

use super::*;
use crate::agent::fact::FileChangeKind;
use crate::agent::images::IMAGE_MAX;
use crate::agent::iteration::tests::Recorder;
use crate::agent::{Prompt, SteerQueue};
use crate::plan::Registry;
use crate::port::memory::{Fault, MemoryHost, MemoryShell, MemoryTool, ScriptedModel};
use crate::port::{FsPort, Phase, ShellOutput, ToolAnswer};
use crate::snapshot::Watch;

static BUILD: Rights = Rights::task(Phase::Build, true);
static PLAN: Rights = Rights::task(Phase::Plan, true);

struct Called {
    outcome: Result<String, String>,
    images: Vec<Image>,
    changed: Vec<(String, FileChangeKind)>,
    denied: Vec<String>,
}

impl Called {
    fn output(&self) -> &str {
        self.outcome.as_ref().unwrap()
    }

    fn error(&self) -> &str {
        self.outcome.as_ref().unwrap_err()
    }
}

async fn call_in(rights: &Rights, host: &MemoryHost, tool: &str, args: Value) -> Called {
    let rights = rights.clone().with_theme(Some("theme preset mono --apply".to_owned()));
    let files = GuardedFs::new(&host.fs, "/project", &rights);
    let tool = BuiltIn::from_name(tool).unwrap();
    let args =
        crate::agent::arguments::check(tool.name(), &tool.schema(host, None, None).function.parameters, args).unwrap();
    let input = IterationInput {
        model: None,
        rights: &rights,
        prompt: &Prompt { system: String::new(), user: String::new() },
        registry: Registry::builtin(),
        max_tool_calls: 1,
        model_idle_ms: 1,
        steering: &SteerQueue::default(),
        watch: &Watch::default(),
        answer: None,
    };
    let (abort, observer, images) = (&Abort::new(), &Recorder::default(), &RefCell::default());
    let context = Context { host, input: &input, files: &files, abort, observer, images };
    let outcome = tool.run(&context, Args(&args)).await.map_err(|failure| failure.0);
    let denied = files.take_denials().into_iter().map(|(_, rule)| rule).collect();
    let changed = files.take_changes().into_iter().map(|change| (change.write.path, change.change)).collect();
    Called { outcome, images: images.take(), changed, denied }
}

async fn call(host: &MemoryHost, tool: &str, args: Value) -> Called {
    call_in(&BUILD, host, tool, args).await
}

fn numbered(lines: usize) -> String {
    (1..=lines).map(|line| format!("line {line}\n")).collect()
}

#[test]
fn every_tool_has_a_closed_schema() {
    let host = MemoryHost::default();
    for tool in BuiltIn::ALL {
        let schema = tool.schema(&host, None, None);
        assert_eq!(schema.function.name, tool.name());
        assert_eq!(BuiltIn::from_name(tool.name()), Some(tool));
        assert!(!schema.function.description.is_empty());
        let parameters = schema.function.parameters;
        assert_eq!(parameters["additionalProperties"], json!(false));
        for field in parameters["required"].as_array().unwrap() {
            assert!(parameters["properties"].get(field.as_str().unwrap()).is_some(), "{field}");
        }
        for (name, field) in parameters["properties"].as_object().unwrap() {
            assert!(field["type"].is_string() && field["description"].is_string(), "{name}");
        }
    }
}

#[test]
fn tools_that_the_host_or_the_phase_lacks_are_not_offered() {
    let with_all = MemoryHost::new([]).with(|ports| ports.shell = Some(MemoryShell::new(|_| unreachable!())));
    assert!(BuiltIn::ALL.iter().all(|tool| tool.is_offered(&with_all, &BUILD)));
    assert!(!BuiltIn::Shell.is_offered(&with_all, &PLAN));
    let bare = MemoryHost::new([]).with(|ports| ports.git = None);
    assert!(!BuiltIn::Shell.is_offered(&bare, &BUILD) && !BuiltIn::Snapshot.is_offered(&bare, &BUILD));
    assert!(!BuiltIn::History.is_offered(&bare, &BUILD));
}

#[test]
fn the_names_of_the_ides_tools_are_valid_and_unique() {
    let check = |names: &[&str]| {
        let answer = |_: &Value| Ok(ToolAnswer::text(true, ""));
        let tools = names.iter().map(|name| MemoryTool::new(name, json!({}), answer)).collect();
        check_tool_names(&MemoryHost::default().with(|ports| ports.tools = tools))
            .map_err(|error| error.message.clone())
    };
    assert_eq!(check(&["preview", "open-file_2"]), Ok(()));
    assert!(check(&["preview", "read_file"]).unwrap_err().contains("\"read_file\" is the name of a built-in"));
    assert!(check(&["a", "a"]).unwrap_err().contains("two tools"));
    for name in ["", "with space", "é", &"n".repeat(65)] {
        assert!(check(&[name]).unwrap_err().contains("not a valid tool name"), "{name}");
    }
}

#[tokio::test]
async fn read_file_returns_a_file_or_some_of_its_lines() {
    let host = MemoryHost::new([("a.ts", "one\r\ntwo\nthree"), ("bom.ts", "\u{feff}x"), ("empty", "")]);
    let read = async |args| call(&host, "read_file", args).await.outcome;
    assert_eq!(read(json!({ "path": "a.ts" })).await.unwrap(), "one\r\ntwo\nthree");
    assert_eq!(read(json!({ "path": "./a.ts", "start": 2 })).await.unwrap(), "[./a.ts: lines 2 to 3 of 3]\ntwo\nthree");
    let one = json!({ "path": "a.ts", "start": 1, "end": 1 });
    assert_eq!(read(one).await.unwrap(), "[a.ts: lines 1 to 1 of 3]\none\r\n");
    assert_eq!(read(json!({ "path": "a.ts", "end": 99 })).await.unwrap(), "one\r\ntwo\nthree");
    assert!(read(json!({ "path": "a.ts", "start": 4 })).await.unwrap_err().contains("has 3 lines"));
    assert!(read(json!({ "path": "a.ts", "start": 3, "end": 2 })).await.unwrap_err().contains("from line 3 to line 2"));
    assert_eq!(read(json!({ "path": "bom.ts" })).await.unwrap(), "x");
    assert_eq!(read(json!({ "path": "empty" })).await.unwrap(), "");
}

#[tokio::test]
async fn a_file_that_is_too_large_is_neither_read_nor_edited() {
    let host = MemoryHost::new([("fits.txt", &"x".repeat(8 << 20)), ("large.txt", &"x".repeat((8 << 20) + 1))]);
    let edit =
        async |path| call(&host, "edit_file", json!({ "path": path, "old_text": "y", "new_text": "z" })).await.outcome;
    let read = async |path| call(&host, "read_file", json!({ "path": path })).await.outcome;
    for outcome in [read("large.txt").await, edit("large.txt").await] {
        assert!(
            outcome.unwrap_err().contains("has 8388609 bytes; files over 8388608 bytes are neither read nor edited")
        );
    }
    assert!(read("fits.txt").await.is_ok());
    assert!(edit("fits.txt").await.unwrap_err().contains("not found"));
}

#[tokio::test]
async fn read_file_explains_why_a_path_cannot_be_read() {
    let host = MemoryHost::new([("src/ui/Button.tsx", "x"), ("src/App.tsx", "x")]);
    host.fs.put("/project/logo.png", [0x89, 0x50, 0, 0xff]);
    let read = async |path: &str| call(&host, "read_file", json!({ "path": path })).await.outcome.unwrap_err();
    assert!(
        read("src/Button.tsx").await.contains("did you mean src/ui/Button.tsx"),
        "{}",
        read("src/Button.tsx").await
    );
    assert!(read("zzz").await.contains("list_files"));
    assert!(read("src/App.tsx/x").await.contains("does not exist"));
    assert!(read("src").await.contains("is a folder"));
    assert!(read("logo.png").await.contains("4 bytes of binary data"));
    assert!(read(".git/config").await.contains("belongs to git"));
}

#[tokio::test]
async fn read_file_shows_an_image_to_a_model_that_takes_images() {
    let png = |bytes: usize| [b"\x89PNG\r\n\x1a\n".as_slice(), &vec![0; bytes - 8]].concat();
    let host = MemoryHost::new([]);
    host.fs.put("/project/logo.txt", png(9));
    host.fs.put("/project/fits.png", png(IMAGE_MAX));
    host.fs.put("/project/large.png", png(IMAGE_MAX + 1));
    host.put("text.png", "no image");
    let read = async |host: &MemoryHost, path: &str| call(host, "read_file", json!({ "path": path })).await;
    assert!(read(&host, "logo.txt").await.error().contains("9 bytes of binary data"));
    let host = host.with(|ports| ports.model = Some(ScriptedModel::new([]).with_images()));
    let shown = read(&host, "logo.txt").await;
    assert_eq!(shown.outcome.as_deref(), Ok(""));
    assert_eq!(shown.images, [Image { media_type: "image/png".to_owned(), data: "iVBORw0KGgoA".to_owned() }]);
    assert_eq!(read(&host, "fits.png").await.images.len(), 1);
    let large = read(&host, "large.png").await;
    assert_eq!(large.error(), "\"large.png\" has 3932161 bytes; images over 3932160 bytes are not shown");
    assert!(large.images.is_empty());
    assert_eq!(read(&host, "text.png").await.output(), "no image");
}

#[tokio::test]
async fn read_file_truncates_a_long_file_and_says_how_to_read_the_rest() {
    let host = MemoryHost::new([]);
    host.put("big.txt", &numbered(500_000));
    let shown = call(&host, "read_file", json!({ "path": "big.txt" })).await;
    let shown = shown.output();
    assert!(shown.len() <= 16 * 1024, "{}", shown.len());
    assert!(shown.starts_with("line 1\nline 2\n") && shown.ends_with("line 499999\nline 500000\n"));
    let (_, hint) = shown.split_once("read_file with start=").unwrap();
    let (start, rest) = hint.split_once(" and end=").unwrap();
    let (start, end) = (start.parse::<usize>().unwrap(), rest.split(' ').next().unwrap().parse::<usize>().unwrap());
    let complete = |line: usize| shown.contains(&format!("\nline {line}\n"));
    assert!(complete(start - 1) && !complete(start + 1) && !complete(end - 1) && complete(end + 1), "{start} {end}");
    let next = call(&host, "read_file", json!({ "path": "big.txt", "start": start, "end": end })).await;
    assert!(next.output().contains(&format!("]\nline {start}\n")) && next.output().len() <= 16 * 1024);

    host.put("min.js", &"x".repeat(100_000));
    let line = call(&host, "read_file", json!({ "path": "min.js" })).await;
    assert!(line.output().contains("line 1 alone"), "{}", line.output());
}

#[tokio::test]
async fn write_file_creates_folders_and_replaces_files() {
    let host = MemoryHost::new([("a.txt", "old")]);
    let written = call(&host, "write_file", json!({ "path": "src/ui/New.tsx", "content": "né" })).await;
    assert_eq!(written.output(), "Wrote src/ui/New.tsx (3 bytes)");
    assert_eq!(written.changed, [("src/ui/New.tsx".to_owned(), FileChangeKind::Created)]);
    let written = call(&host, "write_file", json!({ "path": "/project/a.txt", "content": "" })).await;
    assert_eq!(written.changed, [("a.txt".to_owned(), FileChangeKind::Modified)]);
    assert_eq!((host.text("src/ui/New.tsx").as_deref(), host.text("a.txt").as_deref()), (Some("né"), Some("")));
    let below = call(&host, "write_file", json!({ "path": "a.txt/b", "content": "" })).await;
    assert!(below.error().contains("is a file"), "{}", below.error());
    let folder = call(&host, "write_file", json!({ "path": "src", "content": "" })).await;
    assert!(folder.error().contains("is a folder"));
}

#[tokio::test]
async fn an_error_of_the_file_system_names_the_operation() {
    let host = MemoryHost::new([("a.txt", "old")]);
    host.fs.fail_write(0, Fault::Crash);
    let written = call(&host, "write_file", json!({ "path": "a.txt", "content": "new" })).await;
    assert!(written.error().contains("fs.writeFile") && written.error().contains("Quota"), "{}", written.error());
    assert_eq!((written.changed, host.text("a.txt").as_deref()), (Vec::new(), Some("old")));
}

#[tokio::test]
async fn edit_file_replaces_one_occurrence() {
    let host = MemoryHost::new([("a.ts", "let a = 1\nconst b = 1\n")]);
    let args = json!({ "path": "a.ts", "old_text": "const b = 1", "new_text": "const b = 2" });
    let edited = call(&host, "edit_file", args.clone()).await;
    assert_eq!(edited.output(), "Edited a.ts at line 2 (22 bytes)");
    assert_eq!(edited.changed, [("a.ts".to_owned(), FileChangeKind::Modified)]);
    assert_eq!(host.text("a.ts").as_deref(), Some("let a = 1\nconst b = 2\n"));
    assert!(call(&host, "edit_file", args).await.error().contains("\n2: const b = 2"));
    let missing = call(&host, "edit_file", json!({ "path": "b.ts", "old_text": "a", "new_text": "b" })).await;
    assert!(missing.error().contains("does not exist"));
}

#[tokio::test]
async fn list_files_lists_the_project_or_one_folder() {
    let host = MemoryHost::new([("src/App.tsx", "12345"), ("src/a/b.ts", ""), (".git/HEAD", "x"), ("z", "1")]);
    host.fs.symlink("src/a", "/project/short").await.unwrap();
    let list = async |args| call(&host, "list_files", args).await.outcome;
    assert_eq!(
        list(json!({})).await.unwrap(),
        "short (link)\nsrc/App.tsx (5 bytes)\nsrc/a/b.ts (0 bytes)\nz (1 byte)\n"
    );
    assert_eq!(list(json!({ "path": "src/a/" })).await.unwrap(), "src/a/b.ts (0 bytes)\n");
    assert_eq!(list(json!({ "path": "short" })).await.unwrap(), "src/a/b.ts (0 bytes)\n");
    assert!(list(json!({ "path": "nowhere" })).await.unwrap_err().contains("does not exist"));
    assert!(list(json!({ "path": ".git" })).await.unwrap_err().contains("belongs to git"));
    assert_eq!(call(&MemoryHost::new([]), "list_files", json!({})).await.output(), "There are no files.");
}

#[tokio::test]
async fn search_finds_plain_text_in_text_files() {
    let host = MemoryHost::new([
        ("src/a.ts", "const Title = '$x.*'\n  title()\n"),
        ("src/b.ts", "none"),
        ("node_modules/c.js", "title"),
        (".git/d", "title"),
    ]);
    host.fs.put("/project/logo.bin", b"title\0");
    let search = async |args| call(&host, "search", args).await.outcome;
    assert_eq!(
        search(json!({ "query": "TITLE" })).await.unwrap(),
        "src/a.ts:1: const Title = '$x.*'\nsrc/a.ts:2: title()"
    );
    assert_eq!(search(json!({ "query": "$x.*", "path": "src" })).await.unwrap(), "src/a.ts:1: const Title = '$x.*'");
    assert!(search(json!({ "query": "title", "path": "src/b.ts" })).await.unwrap().contains("not found"));
    assert!(search(json!({ "query": " " })).await.is_err() && search(json!({ "query": "a\nb" })).await.is_err());
    assert!(search(json!({ "query": "x", "path": "../" })).await.unwrap_err().contains("outside"));
}

#[tokio::test]
async fn list_files_opens_as_many_levels_as_asked() {
    let host = MemoryHost::new([("a.ts", "1"), ("src/b.ts", "2"), ("src/ui/c.ts", "3"), ("src/ui/deep/d.ts", "4")]);
    for (args, expected) in [
        (json!({ "depth": 1 }), "src/ (3 files)\na.ts (1 byte)\n"),
        (json!({ "depth": 2 }), "src/ui/ (2 files)\na.ts (1 byte)\nsrc/b.ts (1 byte)\n"),
        (json!({ "depth": 1, "path": "src" }), "src/ui/ (2 files)\nsrc/b.ts (1 byte)\n"),
        (json!({ "depth": 9, "path": "src/ui" }), "src/ui/c.ts (1 byte)\nsrc/ui/deep/d.ts (1 byte)\n"),
    ] {
        assert_eq!(call(&host, "list_files", args.clone()).await.outcome.unwrap(), expected, "{args}");
    }
}

#[tokio::test]
async fn search_shows_the_lines_around_each_match_once() {
    let host = MemoryHost::new([("a.txt", "1\n  2 x\n3\n4 x\n5\n6\n7\n8 x\n")]);
    let found = call(&host, "search", json!({ "query": "x", "context": 1 })).await.outcome.unwrap();
    let lines =
        ["a.txt-1- 1", "a.txt:2: 2 x", "a.txt-3- 3", "a.txt:4: 4 x", "a.txt-5- 5", "--", "a.txt-7- 7", "a.txt:8: 8 x"];
    assert_eq!(found, lines.join("\n"));
    let limited = call(&host, "search", json!({ "query": "x", "limit": 1 })).await.outcome.unwrap();
    assert!(limited.starts_with("a.txt:2: 2 x\n[only the first 1 matching"), "{limited}");
}

#[tokio::test]
async fn search_results_are_bounded() {
    let host = MemoryHost::new([]);
    host.put("many.txt", &numbered(5000));
    host.put("min.js", &format!("{}needle{}", "é".repeat(5000), "é".repeat(5000)));
    host.put("huge.txt", &"line\n".repeat(300_000));
    let found = call(&host, "search", json!({ "query": "line" })).await;
    assert_eq!(found.output().matches("many.txt:").count(), 100);
    assert!(found.output().contains("only the first 100") && found.output().contains("not searched: 1 file over"));
    let found = call(&host, "search", json!({ "query": "needle" })).await;
    assert!(found.output().starts_with("min.js:1: …") && found.output().contains("éneedleé"));
    assert!(found.output().len() < 600);
}

#[tokio::test]
async fn delete_file_deletes_only_files() {
    let host = MemoryHost::new([("src/a.ts", "x"), (".ralph/plan.tsx", "x")]);
    let deleted = call(&host, "delete_file", json!({ "path": "src/a.ts" })).await;
    assert_eq!(deleted.changed, [("src/a.ts".to_owned(), FileChangeKind::Deleted)]);
    assert_eq!(host.text("src/a.ts"), None);
    assert!(call(&host, "delete_file", json!({ "path": "src" })).await.error().contains("is a folder"));
    assert!(call(&host, "delete_file", json!({ "path": "src/a.ts" })).await.error().contains("does not exist"));
    assert!(call(&host, "delete_file", json!({ "path": ".ralph/plan.tsx" })).await.outcome.is_ok());
}

#[tokio::test]
async fn move_file_replaces_no_file() {
    let host = MemoryHost::new([("src/a.ts", "a"), ("src/b.ts", "b")]);
    let args = |from: &str, to: &str| json!({ "from": from, "to": to });
    let moved = call(&host, "move_file", args("src/a.ts", "lib/deep/c.ts")).await;
    assert_eq!(moved.output(), "Moved src/a.ts to lib/deep/c.ts");
    let changed: Vec<&str> = moved.changed.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(changed, ["lib/deep/c.ts", "src/a.ts"]);
    assert!(call(&host, "move_file", args("lib/deep/c.ts", "src/b.ts")).await.error().contains("already exists"));
    assert!(call(&host, "move_file", args("src/a.ts", "x")).await.error().contains("does not exist"));
    assert!(call(&host, "move_file", args("src", "lib2")).await.error().contains("is a folder"));
    assert_eq!(host.text("src/b.ts").as_deref(), Some("b"));
}

#[tokio::test]
async fn every_file_tool_refuses_a_closed_path_with_one_denial() {
    let host = MemoryHost::new([("a.txt", "a"), (".git/config", "x"), (".ralph/task.md", "task")]);
    host.fs.put("/etc/x", "x");
    host.fs.symlink("../outside", "/project/out").await.unwrap();
    host.fs.symlink(".git", "/project/g").await.unwrap();
    let before = host.fs.tree("/");
    for path in ["/etc/x", ".GIT/config", ".loopgate/lease", "out/x", "g/config", "a\0b", &"x/".repeat(2500)] {
        for (tool, args) in [
            ("write_file", json!({ "path": path, "content": "agent" })),
            ("edit_file", json!({ "path": path, "old_text": "x", "new_text": "agent" })),
            ("delete_file", json!({ "path": path })),
            ("move_file", json!({ "from": "a.txt", "to": path })),
            ("move_file", json!({ "from": path, "to": "b.txt" })),
            ("read_file", json!({ "path": path })),
        ] {
            let called = call(&host, tool, args).await;
            assert!(called.outcome.is_err(), "{tool} {path:?}");
            assert_eq!(called.denied.len(), 1, "{tool} {path:?}: {:?}", called.outcome);
        }
    }
    assert_eq!(host.fs.tree("/"), before);
}

#[tokio::test]
async fn the_plan_phase_denies_every_tool_that_changes_sources() {
    let shell = MemoryShell::new(|_| ShellOutput { exit_code: 0, stdout: String::new(), stderr: String::new() });
    let host = MemoryHost::new([("src/App.tsx", "x")]).with(|ports| ports.shell = Some(shell.clone()));
    for (tool, args) in [
        ("write_file", json!({ "path": "src/App.tsx", "content": "y" })),
        ("edit_file", json!({ "path": "src/App.tsx", "old_text": "x", "new_text": "y" })),
        ("delete_file", json!({ "path": "src/App.tsx" })),
        ("move_file", json!({ "from": "src/App.tsx", "to": ".ralph/App.tsx" })),
        ("shell", json!({ "command": "echo y > src/App.tsx" })),
        ("shell", json!({ "command": "mv a b; cp a src/App.tsx; rm -r src" })),
        ("snapshot", json!({ "action": "rollback", "tag": "task-1-pre" })),
    ] {
        let called = call_in(&PLAN, &host, tool, args).await;
        assert!(called.error().contains(".ralph/plan.tsx"), "{tool}: {}", called.error());
        assert_eq!(called.denied, ["plan-phase"], "{tool}");
    }
    assert_eq!(shell.commands(), Vec::<String>::new());
    assert_eq!(host.text("src/App.tsx").as_deref(), Some("x"));
    let plan = call_in(&PLAN, &host, "write_file", json!({ "path": ".ralph/plan.tsx", "content": "<App/>" })).await;
    assert!(plan.outcome.is_ok());
}

#[tokio::test]
async fn shell_returns_the_exit_code_and_both_streams() {
    let host = MemoryHost::new([]);
    let shell = MemoryShell::new(move |command| {
        let exit_code = u8::from(command == "fail");
        ShellOutput { exit_code, stdout: "out".to_owned(), stderr: "warning".to_owned() }
    });
    let host = host.with(|ports| ports.shell = Some(shell));
    let ran = call(&host, "shell", json!({ "command": "go" })).await;
    assert_eq!(ran.output(), "exit code 0\nout\nstderr:\nwarning");
    assert!(call(&host, "shell", json!({ "command": "fail" })).await.error().starts_with("exit code 1\n"));
    assert!(call(&host, "shell", json!({ "command": " " })).await.outcome.is_err());
    let bare = call(&MemoryHost::new([]), "shell", json!({ "command": "ls" })).await;
    assert!(bare.error().contains("no shell"));
}

#[tokio::test]
async fn a_locked_theme_can_be_modified_but_not_replaced() {
    let shell = MemoryShell::new(|_| ShellOutput { exit_code: 0, stdout: String::new(), stderr: String::new() });
    let host = MemoryHost::new([]).with(|ports| ports.shell = Some(shell.clone()));
    let refused = [
        "theme preset cyberpunk --apply",
        "theme generate --seed 1 --pattern triadic --apply",
        "cd x && theme preset y",
        "echo y | xargs theme preset",
        "echo $(theme preset y)",
        "./bin/theme --quiet preset y",
        "'theme' pre\"set\" y",
    ];
    for command in refused {
        let called = call(&host, "shell", json!({ "command": command })).await;
        for words in ["theme modify", "locked", "theme preset mono --apply"] {
            assert!(called.error().contains(words), "{command}: {}", called.error());
        }
    }
    assert_eq!(shell.commands(), Vec::<String>::new());
    let allowed =
        ["theme modify --shift-hue 20 --apply", "theme list preset", "theme", "echo theme preset", "my-theme preset y"];
    for command in allowed {
        assert!(call(&host, "shell", json!({ "command": command })).await.outcome.is_ok(), "{command}");
    }
    assert_eq!(shell.commands(), allowed);
}

#[tokio::test]
async fn shell_truncates_long_output_to_both_ends_of_both_streams() {
    let long = |name: &str| format!("{name} begins {}{name} ends", "é".repeat(2_500_000));
    let output = ShellOutput { exit_code: 0, stdout: long("stdout"), stderr: long("stderr") };
    let shell = MemoryShell::new(move |_| output.clone());
    let host = MemoryHost::new([]).with(|ports| ports.shell = Some(shell));
    let ran = call(&host, "shell", json!({ "command": "go" })).await;
    assert!(ran.output().len() <= 16 * 1024);
    for part in ["stdout begins", "stdout ends", "stderr begins", "stderr ends", "bytes omitted", "in a file"] {
        assert!(ran.output().contains(part), "{part}");
    }
}

#[tokio::test]
async fn snapshot_is_refused_without_git_or_with_wrong_arguments() {
    let host = MemoryHost::new([]).with(|ports| ports.git = None);
    let called = call(&host, "snapshot", json!({ "action": "save" })).await;
    assert!(called.error().contains("no git"));
    let host = MemoryHost::new([]);
    let called = call(&host, "snapshot", json!({ "action": "save", "tag": "task-1-post" })).await;
    assert!(called.error().contains("`message`"));
    for action in ["rollback", "diff"] {
        assert!(call(&host, "snapshot", json!({ "action": action })).await.error().contains("needs `tag`"));
    }
}

#[tokio::test]
async fn snapshot_saves_lists_compares_and_rolls_back_nothing_of_others() {
    let host = MemoryHost::new([("src/App.tsx", "one"), ("src/b.ts", "b")]);
    let call = async |args| call(&host, "snapshot", args).await;
    let saved = call(json!({ "action": "save", "message": "before the hero" })).await;
    let tag = saved.output().strip_prefix("Saved ").unwrap().split(':').next().unwrap().to_owned();
    assert!(tag.starts_with("manual-") && saved.output().contains("before the hero (2 files"), "{}", saved.output());
    assert!(call(json!({ "action": "list" })).await.output().starts_with(&format!("{tag}: before the hero")));

    host.put("src/App.tsx", "two");
    host.put("src/New.tsx", "new");
    host.fs.delete("/project/src/b.ts");
    let diff = call(json!({ "action": "diff", "tag": tag })).await;
    assert_eq!(diff.output(), format!("Since {tag}:\nmodified src/App.tsx\nadded src/New.tsx\ndeleted src/b.ts"));
    assert!(call(json!({ "action": "status" })).await.output().starts_with(&format!("last: {tag}; ")));

    let back = call(json!({ "action": "rollback", "tag": tag })).await;
    assert!(back.output().contains("Took 0 files back"), "{}", back.output());
    assert_eq!((back.changed, host.text("src/App.tsx").as_deref()), (Vec::new(), Some("two")));
    let unknown = call(json!({ "action": "rollback", "tag": "manual-1" })).await;
    assert!(unknown.error().contains("manual-"), "{}", unknown.error());
}

#[tokio::test]
async fn the_plan_command_is_a_tool() {
    const SOURCE: &str = "export default (\n  <App name=\"Tea\">\n    <Theme />\n    <Screen name=\"home\">\n      \
                          <Section gumdrop=\"hero\" />\n    </Screen>\n  </App>\n)\n";
    let host = MemoryHost::new([(".ralph/plan.tsx", SOURCE), (".ralph/task-counter.txt", "3")]);
    let plan = async |args| call_in(&PLAN, &host, "plan", args).await;
    assert!(plan(json!({ "action": "validate" })).await.output().starts_with(".ralph/plan.tsx is valid."));
    assert!(plan(json!({ "action": "show" })).await.output().contains("Section gumdrop=\"hero\" (line 5)"));

    let compared = plan(json!({ "action": "diff" })).await;
    assert!(compared.output().contains("- missing: section hero"), "{}", compared.output());
    assert_eq!((compared.changed, compared.denied), (vec![], vec![]), "the harness writes the report");
    assert!(host.text(".ralph/plan-diff.md").is_some());

    let marked = plan(json!({ "action": "update", "section": "hero", "marker": "ADD", "text": "2 teas" })).await;
    assert_eq!(marked.output(), "home/hero: TASK-3 [ADD]: 2 teas\n");
    assert_eq!(marked.changed, [(".ralph/plan.tsx".to_owned(), FileChangeKind::Modified)]);
    assert!(host.text(".ralph/plan.tsx").unwrap().contains("        {/* TASK-3 [ADD]: 2 teas */}\n"));
    assert!(plan(json!({ "action": "update", "section": "hero" })).await.error().contains("all three"));
    assert!(plan(json!({ "action": "update" })).await.error().contains("lists no requirements"));
    let linted = plan(json!({ "action": "lint-config" })).await;
    assert_eq!(linted.changed, [(".ralph/lint-config.json".to_owned(), FileChangeKind::Created)]);

    let review = Rights::task(Phase::Review, true);
    let late = json!({ "action": "update", "section": "hero", "marker": "FIX", "text": "it" });
    let late = call_in(&review, &host, "plan", late).await;
    assert!(late.outcome.is_err() && late.denied == ["read-only-phase"]);
    let bare = MemoryHost::new([]);
    assert!(call(&bare, "plan", json!({ "action": "show" })).await.error().contains("there is no plan"));
}

#[tokio::test]
async fn a_tool_that_names_a_pipe_fails_and_no_tool_opens_one() {
    let host = MemoryHost::new([("src/a.ts", "text")]);
    host.fs.put_pipe("/project/src/pipe");
    host.fs.put_link("/project/src/link", "pipe");
    for path in ["src/pipe", "src/link"] {
        for (tool, args) in [
            ("read_file", json!({ "path": path })),
            ("write_file", json!({ "path": path, "content": "x" })),
            ("edit_file", json!({ "path": path, "old_text": "a", "new_text": "b" })),
            ("list_files", json!({ "path": path })),
            ("search", json!({ "path": path, "query": "x" })),
        ] {
            let called = call(&host, tool, args).await;
            assert!(called.error().contains("pipe, a socket or a device"), "{tool} {path}: {:?}", called.outcome);
        }
    }
    for (tool, args) in
        [("delete_file", json!({ "path": "src/pipe" })), ("move_file", json!({ "from": "src/pipe", "to": "src/b" }))]
    {
        let called = call(&host, tool, args).await;
        assert!(called.error().contains("pipe, a socket or a device"), "{tool}: {:?}", called.outcome);
    }
    let found = call(&host, "search", json!({ "query": "text" })).await;
    assert!(found.output().contains("src/a.ts") && !found.output().contains("pipe"), "{}", found.output());
    let listed = call(&host, "list_files", json!({})).await;
    assert!(listed.output().contains("src/a.ts") && !listed.output().contains("src/pipe"), "{}", listed.output());
}
