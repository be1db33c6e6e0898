//! Whose a change is, in a run over chunks.

use super::*;
use loopgate::port::memory::{Fault, MemoryGit};
use std::cell::Cell;

/// A host whose user acts before each answer of the builder; the reviewer rejects the first attempt.
async fn acting(turns: Vec<Turn>, reviews: Vec<Turn>, act: impl Fn(&MemoryHost, usize) + 'static) -> Roles {
    let mut roles = Roles::new(json!([chunk("a", &[])]), turns, reviews).await;
    let (builder, reviewer) = (roles.builder.clone(), roles.reviewer.clone());
    let (host, number) = (roles.host.clone(), Cell::new(0));
    roles.host.model = Some(ScriptedModel::answering(move |request| match request.role {
        AgentRole::Reviewer => next(&reviewer),
        AgentRole::Summarizer => Turn::Text(String::new()),
        _ => {
            act(&host, number.replace(number.get() + 1));
            next(&builder)
        }
    }));
    roles
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_file_that_the_user_edited_and_the_agent_moved_on_comes_back_with_the_edit() {
    let mv = |from: &str, to: &str| Turn::calls([("move_file", json!({ "from": from, "to": to }))]);
    let turns = vec![mv("index.html", "moved.html"), mv("moved.html", "again.html"), Turn::calls([done("")])];
    let turns = [turns, vec![build("src/a.ts", "a\n")]].concat();
    let roles = acting(turns, vec![revise("No."), ship()], |host, number| {
        if number == 1 {
            host.put("moved.html", "<p>hi</p>\n<p>the user's</p>\n");
        }
    })
    .await;
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(roles.host.text("index.html").as_deref(), Some("<p>hi</p>\n<p>the user's</p>\n"));
    assert_eq!((roles.host.text("again.html"), roles.host.text("moved.html")), (None, None));
    let is_whole =
        |fact: &ChunkFact| matches!(fact, ChunkFact::AttemptReverted { conflicts, .. } if conflicts.is_empty());
    assert_eq!(outcome.count(is_whole), 1);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_line_of_the_user_in_a_file_that_the_agent_moves_and_edits_is_not_committed() {
    let lines = "1\n2\n3\n4\n5\n";
    let edit = json!({ "path": "src/b.ts", "old_text": "5\n", "new_text": "'of the agent'\n" });
    let turns = vec![
        Turn::calls([write("src/a.ts", lines)]),
        Turn::calls([("move_file", json!({ "from": "src/a.ts", "to": "src/b.ts" })), ("edit_file", edit), done("")]),
    ];
    let roles = acting(turns, vec![ship()], |host, number| {
        if number == 1 {
            host.clock.advance(1);
            host.put("src/a.ts", "'of the user'\n2\n3\n4\n5\n");
        }
    })
    .await;
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let git = roles.host.git.as_ref().unwrap();
    let head = git.read_commit(&git.resolve_ref("HEAD").await.unwrap().unwrap()).await.unwrap();
    let src = git.read_tree(&head.tree).await.unwrap().into_iter().find(|entry| entry.path == "src").unwrap();
    let file = git.read_tree(&src.oid).await.unwrap().into_iter().find(|entry| entry.path == "b.ts").unwrap();
    assert_eq!(git.read_blob(&file.oid).await.unwrap(), b"1\n2\n3\n4\n'of the agent'\n");
    assert_eq!(roles.host.text("src/b.ts").as_deref(), Some("'of the user'\n2\n3\n4\n'of the agent'\n"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_commit_that_an_abandoned_run_did_not_record_counts_as_shipped() {
    let mut adopted = 0;
    for number in 0..60 {
        let mut host = MemoryHost::new([]);
        host.git = Some(MemoryGit::new(&host.fs, "/project/.git"));
        commit_project(&host, &json!([chunk("a", &[])])).await;
        let (fs, is_first) = (host.fs.clone(), Cell::new(true));
        host.model = Some(ScriptedModel::answering(move |request| match request.role {
            AgentRole::Reviewer => {
                if is_first.replace(false) {
                    fs.fail_write(number, Fault::Crash);
                }
                ship()
            }
            AgentRole::Summarizer => Turn::Text(String::new()),
            _ => build("src/a.ts", "a\n"),
        }));
        let closed = run(&host, options("run-1")).await;
        host.fs.heal();
        let outcome = run(&host, options("run-2")).await;
        assert!(outcome.result.is_ok(), "{number}: {outcome:?}");
        adopted += outcome.count(|fact| {
            matches!(fact, ChunkFact::RunPrepared { repaired, .. } if repaired.iter().any(|text| text.contains("counts as shipped")))
        });
        assert_eq!(host.text("src/a.ts").as_deref(), Some("a\n"), "{number}: {closed:?}");
        let dirty = loopgate::snapshot::branch::dirty(&host).await.unwrap();
        assert!(dirty.iter().all(|change| change.path.starts_with(".handoff")), "{number}: {dirty:?}");
    }
    assert!(adopted > 0);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn what_changed_since_an_abandoned_run_was_closed_in_a_command_stays_and_is_named() {
    use loopgate::port::ShellOutput;
    use loopgate::port::memory::MemoryShell;
    let mut host = MemoryHost::new([]);
    host.git = Some(MemoryGit::new(&host.fs, "/project/.git"));
    commit_project(&host, &json!([chunk("a", &[])])).await;
    host.put(".gitignore", "node_modules\n.env\n");
    host.put(".env", "KEY=1\n");
    let files = host.clone();
    host.shell = Some(MemoryShell::new(move |_| {
        files.put(".env", "KEY=2\n");
        files.put("made.txt", "by the command\n");
        files.fs.fail_write(0, Fault::Crash);
        ShellOutput { exit_code: 0, stdout: String::new(), stderr: String::new() }
    }));
    let is_first = Cell::new(true);
    host.model = Some(ScriptedModel::answering(move |request| match request.role {
        AgentRole::Reviewer => ship(),
        AgentRole::Summarizer => Turn::Text(String::new()),
        _ if is_first.replace(false) => {
            Turn::calls([write("src/half.ts", "half\n"), ("shell", json!({ "command": "make" })), done("")])
        }
        _ => build("src/a.ts", "a\n"),
    }));
    let closed = run(&host, options("run-1")).await;
    assert!(closed.result.is_err(), "{closed:?}");
    host.fs.heal();
    host.put("own.txt", "the user's\n");
    let outcome = run(&host, options("run-2")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let is_status = |text: &str| {
        ["run-1", ".env", "made.txt", "own.txt"].iter().all(|name| text.contains(name)) && !text.contains("half.ts")
    };
    let statuses =
        outcome.events.iter().filter(|envelope| matches!(&envelope.event, Event::Status { text } if is_status(text)));
    assert_eq!(statuses.count(), 1, "{outcome:?}");
    assert_eq!(host.text("src/half.ts"), None);
    for (path, text) in [(".env", "KEY=2\n"), ("made.txt", "by the command\n"), ("own.txt", "the user's\n")] {
        assert_eq!(host.text(path).as_deref(), Some(text));
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn changes_of_files_in_another_repository_below_the_project_are_taken_back_and_not_committed() {
    use loopgate::port::{EntryKind, TreeEntry};
    for is_submodule in [false, true] {
        let delete = ("delete_file", json!({ "path": "sub/deep/gone.ts" }));
        let (edit, add) = (write("sub/edited.ts", "agent\n"), write("sub/new.ts", "1\n"));
        let change = || Turn::calls([write("src/a.ts", "a\n"), edit.clone(), add.clone(), delete.clone(), done("")]);
        let roles = Roles::new(json!([chunk("a", &[])]), [change(), change()], [revise("No."), ship()]).await;
        let (host, git) = (&roles.host, roles.host.git.as_ref().unwrap());
        for (path, text) in [(".git/HEAD", "x"), ("edited.ts", "one\n"), ("deep/gone.ts", "two\n")] {
            host.put(&format!("sub/{path}"), text);
        }
        if is_submodule {
            let head = git.resolve_ref("HEAD").await.unwrap().unwrap();
            let base = git.read_commit(&head).await.unwrap();
            let mut entries = git.read_tree(&base.tree).await.unwrap();
            let (mode, path) = ("160000".to_owned(), "sub".to_owned());
            entries.push(TreeEntry { mode, path, oid: head.clone(), kind: EntryKind::Commit });
            let tree = git.write_tree(&entries).await.unwrap();
            let commit = git.write_commit(&Commit { tree, parents: vec![head], ..base }).await.unwrap();
            git.write_ref("refs/heads/main", &commit).await.unwrap();
        }
        let outcome = run(host, options("run-1")).await;
        let reverted = outcome.facts().find_map(|fact| match fact {
            ChunkFact::AttemptReverted { restored, deleted, conflicts, .. } => Some((restored, deleted, conflicts)),
            _ => None,
        });
        let (mut restored, mut deleted) = (Vec::new(), Vec::new());
        if let Some((back, gone, conflicts)) = reverted {
            (restored, deleted) = (back.clone(), gone.clone());
            assert!(conflicts.is_empty(), "{conflicts:?}");
        }
        restored.sort();
        deleted.sort();
        assert_eq!(restored, ["sub/deep/gone.ts", "sub/edited.ts"], "{is_submodule}: {outcome:?}");
        assert_eq!(deleted, ["src/a.ts", "sub/new.ts"]);
        assert!(!outcome.events.iter().any(|envelope| matches!(envelope.event, Event::UserChanged { .. })));
        let shipped = outcome.facts().find_map(|fact| match fact {
            ChunkFact::ChunkCommitted { files, .. } => Some(files.iter().map(|file| file.path.as_str()).collect()),
            _ => None,
        });
        assert_eq!(shipped, Some(vec!["src/a.ts"]), "{is_submodule}");
        let head = git.read_commit(&git.resolve_ref("HEAD").await.unwrap().unwrap()).await.unwrap();
        let sub = git.read_tree(&head.tree).await.unwrap().into_iter().find(|entry| entry.path == "sub");
        assert_eq!(sub.map(|entry| entry.kind), is_submodule.then_some(EntryKind::Commit));
        assert_eq!(host.text("sub/edited.ts").as_deref(), Some("agent\n"));
    }
}
