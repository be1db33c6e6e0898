//! The commit of an accepted attempt.

use crate::snapshot::branch::{
    BRANCH, accept, acceptance, author, changes_of, commit_tree, everything, listed, map, repository, state, texts,
    tree_of,
};
use crate::snapshot::project::{files, git, plain_git, project};
use loopgate::ErrorCode;
use loopgate::port::memory::MemoryHost;
use loopgate::port::{GitPort, Person};
use loopgate::snapshot::branch::{self, Acceptance, Accepted};
use loopgate::snapshot::{Change, FileChange, Watch};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_accepted_attempt_is_one_commit_of_the_given_changes() {
    let (host, base) =
        repository([("kept", "1"), ("edited", "1"), ("removed/x", "1"), ("mine", "1"), ("gone", "1")]).await;
    // The user's own work, before and during the attempt.
    host.put("mine", "dirty");
    host.put("notes", "untracked");
    host.fs.delete("/project/gone");
    let work = |host: &MemoryHost| {
        host.put("edited", "2");
        host.fs.delete("/project/removed/x");
        host.put("added/y", "3");
    };
    let changes = changes_of(&host, work).await;
    host.put("kept", "edited by the user meanwhile");
    let now = files(&host);

    let acceptance = acceptance(Some(&base), &changes);
    let accepted = branch::accept(&host, &acceptance).await.unwrap();
    let Accepted::Committed { commit, files: changed, warnings } = &accepted else { panic!("{accepted:?}") };
    assert_eq!(listed(changed), ["Added added/y", "Modified edited", "Deleted removed/x"]);
    assert_eq!(warnings, &[] as &[String]);
    let expected = map([("kept", "1"), ("edited", "2"), ("mine", "1"), ("gone", "1"), ("added/y", "3")]);
    assert_eq!(texts(&host, commit).await, expected);
    let found = git(&host).read_commit(commit).await.unwrap();
    assert_eq!((found.parents, found.message.as_str(), found.author), (vec![base.clone()], "Add the cart\n", author()));
    assert_eq!(files(&host), now);
    assert_eq!(
        listed(&branch::dirty(&host).await.unwrap()),
        ["Deleted gone", "Modified kept", "Modified mine", "Added notes"]
    );
    assert_eq!(git(&host).refs()["refs/heads/main"], base);
    // Again, as after a crash.
    assert_eq!(branch::accept(&host, &acceptance).await.unwrap(), accepted);
    assert_eq!(branch::head(&host).await.unwrap(), state(BRANCH, Some(commit)));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_commit_has_the_given_states_whatever_the_working_tree_has() {
    let (host, base) = repository([("merged", "1\n2\n3\n"), ("removed", "1"), ("same", "1"), ("user", "1")]).await;
    let work = |host: &MemoryHost| {
        host.put("merged", "1\n2\nagent\n");
        host.fs.delete("/project/removed");
        host.put("new", "agent");
    };
    let mut changes = changes_of(&host, work).await;
    changes.insert("same".to_owned(), changes_of(&host, |host| host.fs.delete("/project/user")).await["user"]);
    host.put("merged", "user\n2\nagent\n");
    host.put("removed", "user");
    host.fs.delete("/project/new");
    host.put("user", "1");
    let now = files(&host);
    let commit = accept(&host, &acceptance(Some(&base), &changes)).await;
    let expected = map([("merged", "1\n2\nagent\n"), ("new", "agent"), ("user", "1")]);
    assert_eq!(texts(&host, &commit).await, expected);
    assert_eq!(files(&host), now);
    assert_eq!(
        listed(&branch::dirty(&host).await.unwrap()),
        ["Modified merged", "Deleted new", "Added removed", "Added same"]
    );
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_state_that_the_base_has_is_no_change_of_the_commit() {
    let (host, base) = repository([("a", "1"), ("b", "1")]).await;
    let mut changes = changes_of(&host, |host| host.put("a", "2")).await;
    host.put("b", "dirty");
    let same = changes_of(&host, |host| host.put("b", "1")).await["b"];
    changes.extend([("b".to_owned(), same), ("absent".to_owned(), None)]);
    let accepted = branch::accept(&host, &acceptance(Some(&base), &changes)).await.unwrap();
    let Accepted::Committed { commit, files, .. } = accepted else { panic!("{accepted:?}") };
    assert_eq!(listed(&files), ["Modified a"]);
    assert_eq!(texts(&host, &commit).await, map([("a", "2"), ("b", "1")]));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn files_that_no_snapshot_has_are_not_committed() {
    let (host, base) = repository([("a", "1"), (".handoff/specs/x/iterations/1/log", "tracked")]).await;
    let mut changes = changes_of(&host, |host| host.put("a", "2")).await;
    let state = changes["a"];
    for path in [".loopgate/lease", ".git/config", ".handoff/specs/x/iterations/2/log"] {
        changes.insert(path.to_owned(), state);
    }
    changes.insert(".handoff/specs/x/iterations/1/log".to_owned(), None);
    let commit = accept(&host, &acceptance(Some(&base), &changes)).await;
    assert_eq!(texts(&host, &commit).await, map([("a", "2"), (".handoff/specs/x/iterations/1/log", "tracked")]));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_file_in_place_of_a_folder_is_not_mergeable_unless_the_other_is_removed() {
    let table: [(&str, &str); 2] = [("a", "a/agents"), ("a/mine", "a")];
    for (head, added) in table {
        let (host, base) = repository([(head, "1"), ("b", "1")]).await;
        let work = |host: &MemoryHost| {
            host.fs.delete("/project/a");
            host.put(added, "2");
        };
        let mut changes = changes_of(&host, work).await;
        let head_state = changes.remove(head).unwrap();
        let (now, refs) = (files(&host), git(&host).refs());
        let accepted = branch::accept(&host, &acceptance(Some(&base), &changes)).await.unwrap();
        assert_eq!(accepted, Accepted::Unmergeable { paths: vec![added.to_owned()] });
        assert_eq!((files(&host), git(&host).refs()), (now, refs));
        changes.insert(head.to_owned(), head_state);
        let commit = accept(&host, &acceptance(Some(&base), &changes)).await;
        assert_eq!(texts(&host, &commit).await, map([(added, "2"), ("b", "1")]));
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_first_commit_of_a_branch_has_no_parent() {
    let host = project([("mine", "untracked")]);
    branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap();
    let changes = changes_of(&host, |host| host.put("a", "1")).await;
    let acceptance = acceptance(None, &changes);
    let commit = accept(&host, &acceptance).await;
    assert_eq!(accept(&host, &acceptance).await, commit);
    assert_eq!(texts(&host, &commit).await, map([("a", "1")]));
    assert_eq!(git(&host).read_commit(&commit).await.unwrap().parents, Vec::<String>::new());
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn links_modes_submodules_and_files_that_no_snapshot_has_survive() {
    let host =
        project([("a", "1"), ("run.sh", "1"), (".handoff/specs/x/iterations/1/log", "tracked"), ("deep/er/b", "1")]);
    host.fs.set_mode("/project/run.sh", 0o755);
    host.fs.put_link("/project/link", "a");
    let mut tree = everything(&host).await;
    tree.insert("vendor/lib".to_owned(), ("160000".to_owned(), b"0123456789012345678901234567890123456789".to_vec()));
    host.fs.put_dir("/project/vendor/lib");
    let base = commit_tree(&host, &tree, &[], "refs/heads/main").await;
    branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap();
    assert_eq!(branch::dirty(&host).await.unwrap(), []);
    let work = |host: &MemoryHost| {
        host.put("a", "2");
        host.put("tool", "1");
        host.fs.set_mode("/project/tool", 0o755);
        host.fs.put_link("/project/other", "b");
    };
    let changes = changes_of(&host, work).await;
    let commit = accept(&host, &acceptance(Some(&base), &changes)).await;
    let mut put = |path: &str, mode: &str, text: &str| tree.insert(path.to_owned(), (mode.to_owned(), text.into()));
    put("a", "100644", "2");
    put("tool", "100755", "1");
    put("other", "120000", "b");
    assert_eq!(tree_of(git(&host), &commit).await, tree);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn tree_entries_without_a_path_are_left_out_with_a_warning() {
    let (mut host, base) = repository([("a", "1"), ("b", "1")]).await;
    let changes = changes_of(&host, |host| host.put("a", "2")).await;
    host.git = Some(plain_git(&host).behind_broken_bridge());
    let accepted = branch::accept(&host, &acceptance(Some(&base), &changes)).await.unwrap();
    let Accepted::Committed { commit, warnings, .. } = accepted else { panic!("{accepted:?}") };
    assert!(warnings.iter().any(|warning| warning.contains("invalid entry")), "{warnings:?}");
    host.git = Some(plain_git(&host));
    assert_eq!(texts(&host, &commit).await, map([("a", "2"), ("b", "1")]));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_message_is_kept_with_its_first_line_cut_and_nothing_is_run() {
    let (host, mut base) = repository([("a", "1")]).await;
    let long = format!("{}{}", "é".repeat(72), "x".repeat(228));
    let cut = format!("{}\n\n{}\n", "é".repeat(72), "x".repeat(228));
    let table = [
        (
            "--amend \"quoted\" 'x' `y` $(z)\n\nbody\n# no comment",
            "--amend \"quoted\" 'x' `y` $(z)\n\nbody\n# no comment\n",
        ),
        ("title\nsecond line\n\n\n", "title\nsecond line\n"),
        ("a\0b\r\nc", "ab\nc\n"),
        ("\n\n", "\n"),
        (&long, &cut),
    ];
    for (at, (message, expected)) in table.into_iter().enumerate() {
        let changes = changes_of(&host, |host| host.put("a", &format!("edit {at}"))).await;
        let odd = Person { name: "A <b>\nparent x".to_owned(), email: "<\n>".to_owned(), ..author() };
        let acceptance = Acceptance { message, author: odd, ..acceptance(Some(&base), &changes) };
        let commit = accept(&host, &acceptance).await;
        assert_eq!(accept(&host, &acceptance).await, commit, "{message:?} is found again");
        let found = git(&host).read_commit(&commit).await.unwrap();
        assert_eq!((found.message.as_str(), &found.parents), (expected, &vec![base]));
        assert_eq!((found.author.name.as_str(), found.author.email.as_str()), ("A bparent x", "loopgate@localhost"));
        base = commit;
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn commits_of_others_on_top_of_the_base_are_reported_and_stay() {
    let (host, base) = repository([("a", "1"), ("user", "1")]).await;
    let changes = changes_of(&host, |host| host.put("a", "2")).await;
    let (mut tip, place) = (base.clone(), format!("refs/heads/{BRANCH}"));
    for number in 1..4 {
        host.put("user", &format!("commit {number}"));
        tip = commit_tree(&host, &everything(&host).await, &[&tip], &place).await;
        assert!(branch::is_ancestor(&host, &base, &tip).await.unwrap());
        assert!(!branch::is_ancestor(&host, &tip, &base).await.unwrap());
        let (now, refs) = (files(&host), git(&host).refs());
        let accepted = branch::accept(&host, &acceptance(Some(&base), &changes)).await.unwrap();
        assert_eq!(accepted, Accepted::Moved(tip.clone()));
        assert_eq!((files(&host), git(&host).refs()), (now, refs));
    }
    let commit = accept(&host, &acceptance(Some(&tip), &changes)).await;
    assert_eq!(git(&host).read_commit(&commit).await.unwrap().parents, [tip]);
    assert_eq!(texts(&host, &commit).await["a"], "2");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_commit_of_an_interrupted_call_is_found_below_commits_of_others() {
    for is_first in [false, true] {
        let (host, base) = if is_first {
            let host = project([("a", "1")]);
            branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap();
            (host, None)
        } else {
            let (host, base) = repository([("a", "1")]).await;
            (host, Some(base))
        };
        let changes = changes_of(&host, |host| host.put("a", "2")).await;
        let acceptance = acceptance(base.as_deref(), &changes);
        let commit = accept(&host, &acceptance).await;
        let (mut tip, place) = (commit.clone(), format!("refs/heads/{BRANCH}"));
        for number in 0..3 {
            host.put("user", &format!("commit {number}"));
            tip = commit_tree(&host, &everything(&host).await, &[&tip], &place).await;
            assert_eq!(accept(&host, &acceptance).await, commit);
            assert_eq!(branch::head(&host).await.unwrap(), state(BRANCH, Some(&tip)));
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_head_elsewhere_or_a_branch_that_does_not_follow_the_base_is_a_conflict() {
    let (host, base) = repository([("a", "1")]).await;
    let changes = changes_of(&host, |host| host.put("a", "2")).await;
    let other = commit_tree(&host, &everything(&host).await, &[], "refs/heads/other").await;
    let follows = commit_tree(&host, &everything(&host).await, &[&base], "refs/heads/follows").await;
    let place = format!("refs/heads/{BRANCH}");
    for (tip, head) in [(&other, BRANCH), (&base, "main"), (&base, "other"), (&follows, "follows"), (&base, &base)] {
        git(&host).write_ref(&place, tip).await.unwrap();
        let content = if head == base { format!("{base}\n") } else { format!("ref: refs/heads/{head}\n") };
        host.fs.put("/project/.git/HEAD", content);
        let (refs, before) = (git(&host).refs(), branch::head(&host).await.unwrap());
        let error = branch::accept(&host, &acceptance(Some(&base), &changes)).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::Conflict);
        assert!(error.message.contains(BRANCH), "{error}");
        assert_eq!((git(&host).refs(), branch::head(&host).await.unwrap()), (refs, before));
        assert_eq!(host.text("a").as_deref(), Some("2"));
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn changes_of_the_same_bytes_elsewhere_are_renames() {
    let (host, base) = repository([("old", "the same text"), ("b", "1")]).await;
    let work = |host: &MemoryHost| {
        host.fs.delete("/project/old");
        host.put("new", "the same text");
    };
    let changes = changes_of(&host, work).await;
    let accepted = branch::accept(&host, &acceptance(Some(&base), &changes)).await.unwrap();
    let Accepted::Committed { files, .. } = accepted else { panic!("{accepted:?}") };
    assert_eq!(files, [FileChange { path: "new".to_owned(), change: Change::Renamed, from: Some("old".to_owned()) }]);
}
