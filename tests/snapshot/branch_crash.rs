//! Faults at every write to HEAD, the branch and the index.

use crate::branch::{BRANCH, acceptance, commit_tree, everything, tree_of};
use crate::crash::FAULTS;
use crate::project::{check_repository, files, git, plain_git, project, save};
use loopgate::port::memory::{Fault, MemoryGit, MemoryHost};
use loopgate::port::{FsPort, GitPort};
use loopgate::snapshot::branch::{self, Acceptance, Accepted};
use loopgate::snapshot::{self, Watch};
use wasm_bindgen_test::wasm_bindgen_test;

/// HEAD, the refs of branches and the index.
async fn place(host: &MemoryHost) -> (Option<String>, Vec<(String, String)>, Option<Vec<u8>>) {
    let refs = git(host).refs().into_iter().filter(|(name, _)| name.starts_with("refs/heads/")).collect();
    (git(host).current_branch().await.unwrap(), refs, git(host).read_index().await.unwrap())
}

/// Runs `work` with a fault at each of its writes, then again without one. The final state must be that of a run without
/// faults, and the files must be the same in between.
async fn with_faults(prepare: impl AsyncFn() -> MemoryHost, work: impl AsyncFn(&MemoryHost) -> bool, writes_min: u64) {
    let expected = {
        let host = prepare().await;
        assert!(work(&host).await);
        (place(&host).await, files(&host))
    };
    for (fault, loses) in FAULTS {
        let mut number = 0;
        loop {
            let host = prepare().await;
            host.fs.flush().await.unwrap();
            let writes = host.fs.writes();
            host.fs.fail_write(number, fault);
            let is_done = work(&host).await;
            let is_past = host.fs.writes() - writes <= number;
            host.fs.heal();
            if loses {
                host.fs.lose_unflushed();
            }
            let at = format!("{fault:?} at write {number}, loses: {loses}");
            assert!(
                !is_done || is_past || (place(&host).await, files(&host)) == expected,
                "{at}: done, but not complete"
            );

            snapshot::finish_rollback(&host).await.unwrap();
            check_repository(git(&host)).await;
            // HEAD is never torn; a commit on a branch has all its objects.
            let (head, refs, index) = place(&host).await;
            assert!(head.is_some(), "{at}: HEAD is torn");
            assert!(index.is_none_or(|index| index.starts_with(b"DIRC")), "{at}");
            for (_, commit) in refs {
                tree_of(git(&host), &commit).await;
            }

            assert!(work(&host).await, "{at}: cannot be completed");
            assert_eq!((place(&host).await, files(&host)), expected, "{at}");
            if is_past {
                break;
            }
            number += 1;
        }
        assert!(number >= writes_min, "{fault:?} met only {number} writes");
    }
}

/// An attempt with its snapshots; the agent moved HEAD and the branch if `is_moved`.
async fn attempt(bridge: impl Fn(MemoryGit) -> MemoryGit, is_moved: bool) -> MemoryHost {
    let mut host = project([("a", "1\n2\n3\n"), ("b", "1"), ("deep/c", "1")]);
    host.git = Some(bridge(plain_git(&host)));
    let base = commit_tree(&host, &everything(&host).await, &[], "refs/heads/main").await;
    branch::switch(&host, &Watch::default(), BRANCH).await.unwrap();
    host.put("a", "user\n2\n3\n");
    host.put("untracked", "user");
    save(&host, "before").await;
    host.put("a", "user\n2\nagent\n");
    host.put("new/d", "agent");
    host.fs.delete("/project/deep");
    save(&host, "after").await;
    if is_moved {
        commit_tree(&host, &everything(&host).await, &[&base], "refs/heads/feature").await;
        commit_tree(&host, &everything(&host).await, &[&base], &format!("refs/heads/{BRANCH}")).await;
        git(&host).write_head("feature").await.unwrap();
    }
    host
}

async fn base_of(host: &MemoryHost) -> String {
    git(host).resolve_ref("refs/heads/main").await.unwrap().unwrap()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_accepted_attempt_with_a_fault_is_completed_as_one_commit() {
    for is_moved in [false, true] {
        let accept = async |host: &MemoryHost| {
            let base = base_of(host).await;
            let acceptance = Acceptance { moved_by_agent: is_moved, ..acceptance(Some(&base)) };
            matches!(branch::accept(host, &acceptance).await, Ok(Accepted::Committed { .. }))
        };
        with_faults(async || attempt(|git| git, is_moved).await, accept, 8).await;
        with_faults(async || attempt(MemoryGit::with_fast_paths, is_moved).await, accept, 8).await;
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_reset_with_a_fault_is_completed() {
    let reset = async |host: &MemoryHost| branch::reset(host, BRANCH, Some(&base_of(host).await), true).await.is_ok();
    with_faults(async || attempt(|git| git, true).await, reset, 4).await;
    let unborn = async |host: &MemoryHost| branch::reset(host, BRANCH, None, true).await.is_ok();
    with_faults(async || attempt(|git| git, true).await, unborn, 4).await;
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_switch_with_a_fault_is_completed() {
    let switch = async |host: &MemoryHost| branch::switch(host, &Watch::default(), BRANCH).await.is_ok();
    let new_branch = async || {
        let host = project([("a", "1")]);
        commit_tree(&host, &everything(&host).await, &[], "refs/heads/main").await;
        host.put("a", "dirty");
        host
    };
    with_faults(new_branch, switch, 4).await;
    let other_commit = async || {
        let host = attempt(|git| git, false).await;
        let base = base_of(&host).await;
        commit_tree(&host, &everything(&host).await, &[&base], &format!("refs/heads/{BRANCH}")).await;
        host.put("a", "1\n2\n3\n");
        host.put("deep/c", "1");
        host.fs.delete("/project/untracked");
        host.fs.delete("/project/new");
        git(&host).write_head("main").await.unwrap();
        host
    };
    with_faults(other_commit, switch, 15).await;
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_rollback_of_paths_with_a_fault_is_absent_or_finished() {
    let paths = ["a", "new/d", "deep/c"].map(str::to_owned).into();
    for (fault, loses) in FAULTS {
        let mut number = 0;
        loop {
            let host = attempt(|git| git, false).await;
            host.put("untracked", "edited meanwhile");
            host.fs.flush().await.unwrap();
            let before = files(&host);
            let writes = host.fs.writes();
            host.fs.fail_write(number, fault);
            let result = branch::rollback_paths(&host, &Watch::default(), "before", Some(&paths)).await;
            let is_past = host.fs.writes() - writes <= number;
            host.fs.heal();
            if loses {
                host.fs.lose_unflushed();
            }
            snapshot::finish_rollback(&host).await.unwrap();
            let at = format!("{fault:?} at write {number}, loses: {loses}");
            assert_eq!(host.text("untracked").as_deref(), Some("edited meanwhile"), "{at}");
            let is_back = host.text("a").as_deref() == Some("user\n2\n3\n") && host.text("new/d").is_none();
            assert!(is_back || files(&host) == before, "{at}: a mixture");
            assert!(is_back || result.is_err(), "{at}");
            branch::rollback_paths(&host, &Watch::default(), "before", Some(&paths)).await.unwrap();
            assert_eq!(host.text("deep/c").as_deref(), Some("1"), "{at}");
            assert_eq!(host.text("untracked").as_deref(), Some("edited meanwhile"), "{at}");
            if is_past {
                break;
            }
            number += 1;
        }
        assert!(number > 15 || fault == Fault::Kill, "{fault:?} met only {number} writes");
    }
}
