//! What an attempt leaves beside the sources: outputs that git ignores, and the objects of the harness.

use super::*;
use crate::engine::histories::repository::{bytes_of, commit, files_of, objects};
use loopgate::port::ShellOutput;
use loopgate::port::memory::{MemoryGit, MemoryShell};

/// A host with a shell whose command does this, and a reviewer who rejects the first attempt.
async fn commanding(command: impl Fn(&MemoryHost) + 'static, calls: Vec<Turn>) -> Roles {
    let mut roles = Roles::new(json!([chunk("a", &[])]), calls, [revise("No."), ship()]).await;
    let host = roles.host.clone();
    roles.host.shell = Some(MemoryShell::new(move |_| {
        command(&host);
        ShellOutput { exit_code: 0, stdout: String::new(), stderr: String::new() }
    }));
    roles
}

fn attempt() -> Turn {
    Turn::calls([("shell", json!({ "command": "generate" })), write("src/a.ts", "a\n"), done("Wrote it.")])
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn revise_takes_back_the_output_of_a_command_that_made_git_ignore_it() {
    for output in ["gen/deep/out.js", "out.js"] {
        let seen = Rc::new(RefCell::new(Vec::new()));
        let found = seen.clone();
        let generate = move |host: &MemoryHost| {
            found
                .borrow_mut()
                .push((host.text(output).is_some(), host.fs.dirs("/project").contains(&"/project/gen".to_owned())));
            host.put(".gitignore", &format!("node_modules\n{}\n", output.split('/').next().unwrap()));
            host.put(output, "generated\n");
            // A folder that git ignored before.
            host.put("node_modules/x.js", "x\n");
        };
        let roles = commanding(generate, vec![attempt()]).await;
        let outcome = run(&roles.host, options("run-1")).await;
        assert!(outcome.result().success, "{output}: {}", outcome.result().message);
        assert_eq!(*seen.borrow(), [(false, false), (false, false)], "{output}");
        assert_eq!(roles.host.text("node_modules/x.js").as_deref(), Some("x\n"));
        let git = roles.host.git.as_ref().unwrap();
        let head = git.read_commit(&git.resolve_ref("HEAD").await.unwrap().unwrap()).await.unwrap();
        let names = git.read_tree(&head.tree).await.unwrap().into_iter().map(|entry| entry.path);
        assert!(!names.into_iter().any(|name| name == "gen" || name == "out.js"), "{output}");
        assert_eq!(roles.host.text(output).as_deref(), Some("generated\n"));
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn revise_leaves_no_empty_folder_of_an_ignored_output() {
    let turns = vec![
        Turn::calls([write("node_modules/deep/out.js", "agent\n"), write("src/a.ts", "a\n"), done("")]),
        build("src/a.ts", "b\n"),
    ];
    let roles = commanding(|_| (), turns).await;
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let left = roles.host.fs.dirs("/project").into_iter().filter(|path| path.contains("node_modules"));
    assert_eq!(left.collect::<Vec<_>>(), [""; 0]);
}

/// The ids of the blobs that a ref leads to.
fn reachable(host: &MemoryHost) -> Vec<String> {
    let (mut next, mut seen, mut blobs) = (Vec::new(), Vec::new(), Vec::new());
    next.extend(host.git.as_ref().unwrap().refs().into_values());
    while let Some(oid) = next.pop() {
        if !seen.contains(&oid) {
            next.extend(commit(host, &oid).parents);
            blobs.extend(files_of(host, &oid).into_values().map(|(_, blob)| blob));
            seen.push(oid);
        }
    }
    blobs
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_repository_has_no_unreferenced_object_of_the_harness() {
    let mut host = MemoryHost::new([]);
    host.git = Some(MemoryGit::new(&host.fs, "/project/.git"));
    commit_project(&host, &json!([chunk("a", &[]), chunk("b", &["a"])])).await;
    host.model = Some(ScriptedModel::answering(|request| {
        let prompt = serde_json::to_string(&request.messages).unwrap();
        match request.role {
            AgentRole::Reviewer => ship(),
            AgentRole::Summarizer => Turn::Text(String::new()),
            _ if prompt.contains("Task: Add b") => build("src/b.ts", "b\n"),
            _ => build("src/a.ts", "a\n"),
        }
    }));
    let outcome = run(&host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let own: Vec<Vec<u8>> = host.fs.tree(&format!("/project/{FOLDER}")).into_values().collect();
    let kept: Vec<Vec<u8>> = reachable(&host).iter().map(|blob| bytes_of(&host, blob)).collect();
    for object in objects(&host).into_iter().filter(|object| object.starts_with(b"blob ")) {
        let content = object.splitn(2, |byte| *byte == 0).nth(1).unwrap().to_vec();
        let text = String::from_utf8_lossy(&content).into_owned();
        let is_own = own.contains(&content) || text.contains("loopgate") || text.starts_with('{');
        assert!(!is_own || kept.contains(&content), "{text}");
    }
}
