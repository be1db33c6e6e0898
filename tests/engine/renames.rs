//! Files that the user or the agent renamed: `changes` names them with their authors, and `revert` and REVISE take the agent's
//! part out of them wherever they are.

use crate::engine::chunks::{build, chunk, commit_project, done, revise, ship};
use crate::engine::support::{SUMMARY, complete, options, run_with, write};
use loopgate::ErrorCode;
use loopgate::port::AgentRole;
use loopgate::port::memory::{Fault, MemoryHost, ScriptedModel, Torn, Turn};
use loopgate::run::{Author, PlanMode, Reverted, RunControl, RunOptions, RunRef, changes, revert};
use loopgate::snapshot::{self, Change};
use serde_json::{Value, json};
use std::cell::Cell;
use wasm_bindgen_test::wasm_bindgen_test;

type Call = (&'static str, Value);

const BASE: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";

fn edit(path: &str, old: &str, new: &str) -> Call {
    ("edit_file", json!({ "path": path, "old_text": format!("{old}\n"), "new_text": format!("{new}\n") }))
}

fn mv(from: &str, to: &str) -> Call {
    ("move_file", json!({ "from": from, "to": to }))
}

fn renames(host: &MemoryHost, from: &str, to: &str, change: impl Fn(String) -> String) {
    host.clock.advance(1_000);
    host.put(to, &change(host.text(from).unwrap()));
    host.fs.delete(&format!("/project/{from}"));
}

/// A task: the agent makes calls, the user acts, the agent makes more.
async fn ran(first: Vec<Call>, user: impl Fn(&MemoryHost) + 'static, second: Vec<Call>) -> MemoryHost {
    let mut host = MemoryHost::new([("src/a.ts", BASE), ("src/other.ts", "other\n"), ("index.html", "<p>hi</p>")]);
    let (files, number) = (host.clone(), Cell::new(0));
    let calls = |calls: &[Call]| calls.iter().map(|(name, args)| ((*name).to_owned(), args.to_string())).collect();
    host.model = Some(ScriptedModel::answering(move |request| match number.get() {
        _ if request.role != AgentRole::Builder => Turn::Text(String::new()),
        _ if number.replace(number.get() + 1) > 1 => Turn::calls([complete()]),
        0 => Turn::Calls(calls(&first)),
        _ => {
            user(&files);
            Turn::Calls(calls(&[second.as_slice(), &[write(".ralph/summary.md", SUMMARY), complete()]].concat()))
        }
    }));
    let mut work = options("run-1", PlanMode::Off);
    work.config.layer = Some(json!({ "gates": { "only": ["has-summary"] } }));
    let outcome = run_with(&host, work, &RunControl::default()).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    host
}

fn of_run() -> RunRef {
    RunRef::Run("run-1".to_owned())
}

async fn reverted(host: &MemoryHost, paths: Option<&[&str]>) -> Reverted {
    let paths = paths.map(|paths| paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>());
    revert(host, &of_run(), paths.as_deref()).await.unwrap()
}

/// The files in `src/`, without the one that nobody changes.
fn sources(host: &MemoryHost) -> Vec<(String, String)> {
    let files = host.fs.tree("/project/src").into_iter();
    let files =
        files.map(|(path, bytes)| (path["/project/src/".len()..].to_owned(), String::from_utf8(bytes).unwrap()));
    files.filter(|(path, _)| path != "other.ts").collect()
}

fn files<const N: usize>(files: [(&str, &str); N]) -> Vec<(String, String)> {
    files.into_iter().map(|(path, text)| (path.to_owned(), text.to_owned())).collect()
}

async fn changed(host: &MemoryHost) -> Vec<(String, Change, Option<String>, Author)> {
    let found = changes(host, &of_run()).await.unwrap().into_iter();
    let found = found.filter(|change| change.path.starts_with("src/"));
    found.map(|change| (change.path, change.change, change.from, change.by)).collect()
}

fn renamed(by: Author) -> Vec<(String, Change, Option<String>, Author)> {
    vec![("src/b.ts".to_owned(), Change::Renamed, Some("src/a.ts".to_owned()), by)]
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_file_that_the_user_renamed_in_a_run_loses_only_the_agents_lines() {
    for is_edited in [false, true] {
        let user = move |text: String| if is_edited { text.replace("7\n", "user\n") } else { text };
        for paths in [None, Some(&["src/a.ts"][..]), Some(&["src/b.ts"]), Some(&["src"])] {
            let act = move |host: &MemoryHost| renames(host, "src/a.ts", "src/b.ts", user);
            let host = ran(vec![edit("src/a.ts", "3", "agent")], act, vec![]).await;
            assert_eq!(changed(&host).await, renamed(Author::Both), "{is_edited}");
            let answer = reverted(&host, paths).await;
            assert_eq!((answer.reverted, answer.conflicts), (vec!["src/b.ts".to_owned()], vec![]), "{paths:?}");
            assert_eq!(sources(&host), files([("b.ts", &user(BASE.to_owned()))]), "{is_edited}, {paths:?}");
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_file_that_the_user_renamed_after_a_run_loses_only_the_agents_lines() {
    for is_edited in [false, true] {
        let user = move |text: String| if is_edited { text.replace("7\n", "user\n") } else { text };
        for paths in [None, Some(&["src/a.ts"][..]), Some(&["src/b.ts"])] {
            let host = ran(vec![edit("src/a.ts", "3", "agent")], |_| (), vec![]).await;
            renames(&host, "src/a.ts", "src/b.ts", user);
            host.put("src/unrelated.ts", "the user's\n");
            let answer = reverted(&host, paths).await;
            assert_eq!((answer.reverted, answer.conflicts), (vec!["src/b.ts".to_owned()], vec![]), "{paths:?}");
            let expected = files([("b.ts", &user(BASE.to_owned())), ("unrelated.ts", "the user's\n")]);
            assert_eq!(sources(&host), expected, "{is_edited}, {paths:?}");
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_same_lines_in_a_renamed_file_are_a_conflict_that_is_named() {
    let act = |host: &MemoryHost| renames(host, "src/a.ts", "src/b.ts", |text| text.replace("agent\n", "user\n"));
    let host = ran(vec![edit("src/a.ts", "3", "agent")], act, vec![]).await;
    let answer = reverted(&host, None).await;
    assert_eq!((answer.reverted, answer.conflicts), (vec![], vec!["src/b.ts".to_owned()]));
    assert_eq!(sources(&host), files([("b.ts", &BASE.replace("3\n", "user\n"))]));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_file_that_the_agent_made_and_the_user_renamed_is_removed() {
    let act = |host: &MemoryHost| renames(host, "src/new.ts", "src/renamed.ts", |text| text);
    let host = ran(vec![write("src/new.ts", "agent 1\nagent 2\n")], act, vec![]).await;
    assert_eq!(changed(&host).await, [("src/renamed.ts".to_owned(), Change::Added, None, Author::Both)]);
    let answer = reverted(&host, Some(&["src/new.ts"])).await;
    assert_eq!((answer.conflicts, sources(&host)), (vec![], files([("a.ts", BASE)])));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_file_that_the_agent_moved_and_the_user_moved_back_loses_only_the_agents_lines() {
    for is_edited in [false, true] {
        let user = move |text: String| if is_edited { text.replace("7\n", "user\n") } else { text };
        for is_in_run in [false, true] {
            let moves = || vec![mv("src/a.ts", "src/b.ts"), edit("src/b.ts", "3", "agent")];
            let act = move |host: &MemoryHost| renames(host, "src/b.ts", "src/a.ts", user);
            let host = match is_in_run {
                true => ran(moves(), act, vec![]).await,
                false => ran(moves(), |_| (), vec![]).await,
            };
            if !is_in_run {
                act(&host);
            }
            let answer = reverted(&host, None).await;
            assert_eq!((answer.reverted, answer.conflicts), (vec!["src/a.ts".to_owned()], vec![]), "{is_in_run}");
            assert_eq!(sources(&host), files([("a.ts", &user(BASE.to_owned()))]), "{is_edited}, {is_in_run}");
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_file_that_the_agent_moved_comes_back_with_what_the_user_changed_in_it() {
    let user = |text: String| text.replace("7\n", "user\n");
    for is_in_run in [false, true] {
        let act = move |host: &MemoryHost| {
            host.clock.advance(1_000);
            host.put("src/b.ts", &user(host.text("src/b.ts").unwrap()));
        };
        let moves = vec![mv("src/a.ts", "src/b.ts"), edit("src/b.ts", "3", "agent")];
        let host = if is_in_run { ran(moves, act, vec![]).await } else { ran(moves, |_| (), vec![]).await };
        if !is_in_run {
            act(&host);
        }
        let answer = reverted(&host, None).await;
        let expected = files([("a.ts", &user(BASE.to_owned()))]);
        assert_eq!((answer.conflicts, sources(&host)), (vec![], expected), "{is_in_run}");
    }
    // The user has another file in its place: both stay.
    let act = |host: &MemoryHost| {
        host.put("src/a.ts", "another\n");
        host.put("src/b.ts", &BASE.replace("7\n", "user\n"));
    };
    let host = ran(vec![mv("src/a.ts", "src/b.ts")], act, vec![]).await;
    reverted(&host, None).await;
    assert_eq!(sources(&host), files([("a.ts", "another\n"), ("b.ts", &BASE.replace("7\n", "user\n"))]));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn only_the_file_itself_decides_what_comes_home() {
    let user = || BASE.replace("7\n", "user\n");
    let delete = |path: &str| ("delete_file", json!({ "path": path }));
    let shim = || write("src/a.ts", "shim\n");
    for (calls, put, text, expected) in [
        (vec![mv("src/a.ts", "src/z.ts"), mv("src/z.ts", "src/c.ts")], "src/c.ts", user(), vec![("a.ts", user())]),
        (
            vec![mv("src/a.ts", "src/b.ts"), delete("src/b.ts")],
            "src/b.ts",
            "mine\n".to_owned(),
            vec![("a.ts", BASE.to_owned()), ("b.ts", "mine\n".to_owned())],
        ),
        // Two files were at the place.
        (
            vec![mv("src/a.ts", "src/b.ts"), shim(), mv("src/a.ts", "src/c.ts")],
            "src/b.ts",
            user(),
            vec![("a.ts", BASE.to_owned()), ("b.ts", user())],
        ),
        // A folder is at the place.
        (
            vec![mv("src/a.ts", "src/b.ts")],
            "src/a.ts/x.ts",
            "mine\n".to_owned(),
            vec![("a.ts/x.ts", "mine\n".to_owned()), ("b.ts", BASE.to_owned())],
        ),
        // The agent made another file where it was.
        (
            vec![mv("src/a.ts", "src/b.ts"), mv("src/b.ts", "src/c.ts"), write("src/b.ts", "n\n")],
            "src/c.ts",
            user(),
            vec![("a.ts", user())],
        ),
    ] {
        let act = move |host: &MemoryHost| {
            host.clock.advance(1_000);
            host.put(put, &text);
        };
        let host = ran(calls, act, vec![]).await;
        reverted(&host, None).await;
        let expected: Vec<_> = expected.into_iter().map(|(path, text)| (path.to_owned(), text)).collect();
        assert_eq!(sources(&host), expected, "{put}");
    }
    let act = |host: &MemoryHost| renames(host, "src/b.ts", "src/c.ts", |text| text);
    let host = ran(vec![mv("src/a.ts", "src/b.ts"), shim()], act, vec![]).await;
    reverted(&host, None).await;
    assert_eq!(sources(&host), files([("c.ts", BASE)]));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn any_place_of_a_file_that_the_agent_moved_selects_the_move() {
    for paths in [None, Some(&["src/a.ts"][..]), Some(&["src/c.ts"]), Some(&["src/b.ts"])] {
        let host = ran(
            vec![mv("src/a.ts", "src/b.ts")],
            |_| (),
            vec![mv("src/b.ts", "src/c.ts"), edit("src/c.ts", "3", "agent")],
        )
        .await;
        let expected = ("src/c.ts".to_owned(), Change::Renamed, Some("src/a.ts".to_owned()), Author::Agent);
        assert_eq!(changed(&host).await, [expected]);
        let answer = reverted(&host, paths).await;
        assert_eq!((answer.conflicts, sources(&host)), (vec![], files([("a.ts", BASE)])), "{paths:?}");
    }
    let host = ran(vec![mv("src/a.ts", "src/b.ts")], |_| (), vec![]).await;
    let error = revert(&host, &of_run(), Some(&["src/none.ts".to_owned()])).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::NotFound);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_file_that_one_side_moved_on_after_the_other_is_followed() {
    // The agent moves, then the user: the file is where the user has it.
    for is_edited in [false, true] {
        let user = move |text: String| if is_edited { text.replace("7\n", "user\n") } else { text };
        for is_in_run in [false, true] {
            let act = move |host: &MemoryHost| renames(host, "src/b.ts", "src/c.ts", user);
            let moves = vec![mv("src/a.ts", "src/b.ts"), edit("src/b.ts", "3", "agent")];
            let host = if is_in_run { ran(moves, act, vec![]).await } else { ran(moves, |_| (), vec![]).await };
            if !is_in_run {
                act(&host);
            }
            let answer = reverted(&host, Some(&["src/a.ts"])).await;
            let expected = files([("c.ts", &user(BASE.to_owned()))]);
            assert_eq!((answer.conflicts, sources(&host)), (vec![], expected), "{is_edited}, {is_in_run}");
        }
    }
    // The user moves, then the agent: the file is where the user had it.
    for paths in [None, Some(&["src/a.ts"][..]), Some(&["src/c.ts"])] {
        let act = |host: &MemoryHost| renames(host, "src/a.ts", "src/b.ts", |text| text);
        let second = vec![edit("src/b.ts", "7", "agent 2"), mv("src/b.ts", "src/c.ts")];
        let host = ran(vec![edit("src/a.ts", "3", "agent")], act, second).await;
        let answer = reverted(&host, paths).await;
        assert_eq!((answer.conflicts, sources(&host)), (vec![], files([("b.ts", BASE)])), "{paths:?}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_rename_of_the_user_alone_is_no_change_of_the_agent() {
    let act = |host: &MemoryHost| renames(host, "src/a.ts", "src/b.ts", |text| text);
    let host = ran(vec![write("src/n.ts", "n\n")], act, vec![]).await;
    let own = changed(&host).await.into_iter().filter(|(path, ..)| path == "src/b.ts").collect::<Vec<_>>();
    assert_eq!(own, renamed(Author::User));
    reverted(&host, None).await;
    assert_eq!(sources(&host), files([("b.ts", BASE)]));
}

/// A run over one chunk: the agent makes a call that changes a file, which the user renames and edits.
async fn renamed_in_a_chunk(call: Call, is_revised: bool) -> MemoryHost {
    let path = call.1["path"].as_str().unwrap().to_owned();
    let act = move |host: &MemoryHost| {
        renames(host, &path, "src/page.ts", |text| text.replace("7\n", "user\n"));
    };
    in_a_chunk(call, act, is_revised).await
}

/// A run over one chunk: the agent makes a call, then the user acts.
async fn in_a_chunk(call: Call, user: impl Fn(&MemoryHost) + 'static, is_revised: bool) -> MemoryHost {
    let mut host = MemoryHost::new([("src/app.ts", BASE)]);
    commit_project(&host, &json!([chunk("a", &[])])).await;
    let (files_of, number, reviews) = (host.clone(), Cell::new(0), Cell::new(0));
    host.model = Some(ScriptedModel::answering(move |request| match request.role {
        AgentRole::Reviewer if is_revised && reviews.replace(1) == 0 => revise("No."),
        AgentRole::Reviewer => ship(),
        AgentRole::Summarizer => Turn::Text(String::new()),
        _ => match number.replace(number.get() + 1) {
            0 => Turn::calls([call.clone()]),
            1 => {
                user(&files_of);
                Turn::calls([done("")])
            }
            _ => build("src/a.ts", "a\n"),
        },
    }));
    let mut work = crate::engine::chunks::options("run-1");
    work.config.layer = Some(json!({ "reviews": { "deep": false, "final": false } }));
    let outcome = run_with(&host, work, &RunControl::default()).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    host
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn revise_follows_a_rename_of_the_user() {
    let host = renamed_in_a_chunk(edit("src/app.ts", "3", "agent"), true).await;
    assert_eq!(sources(&host), files([("a.ts", "a\n"), ("page.ts", &BASE.replace("7\n", "user\n"))]));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn what_came_home_from_a_rejected_attempt_stays_the_users() {
    let user = BASE.replace("7\n", "user\n");
    let text = user.clone();
    let act = move |host: &MemoryHost| {
        host.clock.advance(1_000);
        host.put("src/page.ts", &text);
    };
    let host = in_a_chunk(mv("src/app.ts", "src/page.ts"), act, true).await;
    assert_eq!(host.text("src/app.ts"), Some(user.clone()));
    host.clock.advance(1_000);
    let later = user.replace("2\n", "later\n");
    host.put("src/app.ts", &later);
    reverted(&host, Some(&["src/app.ts"])).await;
    assert_eq!(host.text("src/app.ts"), Some(later));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_agents_lines_in_a_file_that_the_user_renamed_are_committed_where_the_branch_has_it() {
    let host = renamed_in_a_chunk(edit("src/app.ts", "3", "agent"), false).await;
    assert_eq!(sources(&host), files([("page.ts", &BASE.replace("3\n", "agent\n").replace("7\n", "user\n"))]));
    let committed = |path: &'static str| snapshot::read_file(&host, "HEAD", path);
    let text = String::from_utf8(committed("src/app.ts").await.unwrap().unwrap()).unwrap();
    assert_eq!(text, BASE.replace("3\n", "agent\n"));
    assert_eq!(committed("src/page.ts").await.unwrap(), None);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_file_that_the_agent_made_is_committed_where_the_user_has_it() {
    let host = renamed_in_a_chunk(write("src/new.ts", BASE), false).await;
    let expected = files([("app.ts", BASE), ("page.ts", &BASE.replace("7\n", "user\n"))]);
    assert_eq!(sources(&host), expected);
    let committed = |path: &'static str| snapshot::read_file(&host, "HEAD", path);
    assert_eq!(committed("src/page.ts").await.unwrap().as_deref(), Some(BASE.as_bytes()));
    assert_eq!(committed("src/new.ts").await.unwrap(), None);
}

/// A project whose page was closed while the agent wrote a file, of which a part arrived.
async fn torn(path: &'static str, torn: Torn) -> MemoryHost {
    let mut host = MemoryHost::new([("src/a.ts", BASE), ("index.html", "<p>hi</p>")]);
    let (fs, text) = (host.fs.clone(), "agent 1\nagent 2\nagent 3\n");
    host.model = Some(ScriptedModel::answering(move |_| Turn::calls([write(path, text)])));
    let listener = |envelope: &loopgate::run::Envelope, _: &str| {
        if matches!(envelope.event, loopgate::run::Event::WriteStarted { .. }) {
            // The journal has it.
            fs.fail_write(0, Fault::TearTo(torn));
        }
    };
    let work: RunOptions = options("run-1", PlanMode::Off);
    loopgate::run::drive(&host, work, &RunControl::default(), &listener).await.unwrap_err();
    host.fs.heal();
    host
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn revert_takes_back_a_write_that_the_crash_of_an_abandoned_task_tore() {
    for length in Torn::ALL {
        for (path, before) in [("src/a.ts", Some(BASE)), ("src/new.ts", None)] {
            let host = torn(path, length).await;
            host.put("mine.txt", "the user's\n");
            let answer = reverted(&host, None).await;
            assert_eq!(host.text(path).as_deref(), before, "{length:?}, {path}");
            assert_eq!(answer.conflicts, [""; 0], "{length:?}, {path}");
            assert_eq!(host.text("mine.txt").as_deref(), Some("the user's\n"));
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn what_the_user_made_of_a_torn_write_later_is_not_taken_for_it() {
    let host = torn("src/a.ts", Torn::Half).await;
    host.clock.advance(60_000);
    host.put("src/a.ts", "agent 1\n");
    let answer = reverted(&host, None).await;
    assert_eq!((answer.reverted, host.text("src/a.ts").as_deref()), (vec![], Some("agent 1\n")));
}
