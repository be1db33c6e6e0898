//! Faults at every write to HEAD, the branch and the index.

use crate::snapshot::branch::{BRANCH, Changes, acceptance, changes_of, commit_tree, everything, tree_of};
use crate::snapshot::crash::FAULTS;
use crate::snapshot::project::{check_repository, files, git, plain_git, project};
use loopgate::port::memory::{MemoryGit, MemoryHost};
use loopgate::port::{FsPort, GitPort};
use loopgate::snapshot::branch::{self, Accepted};
use loopgate::snapshot::{self, Watch};
use wasm_bindgen_test::wasm_bindgen_test;

/// HEAD, the refs of branches and the index.
async fn place(host: &MemoryHost) -> (Option<String>, Vec<(String, String)>, Option<Vec<u8>>) {
    let refs = git(host).refs().into_iter().filter(|(name, _)| name.starts_with("refs/heads/")).collect();
    (git(host).current_branch().await.unwrap(), refs, git(host).read_index().await.unwrap())
}

/// Runs `work` with a fault at each of its writes, then again without one. The final state must be as after a run without
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

/// A project with an attempt, and what to commit of it.
async fn attempt(bridge: impl Fn(MemoryGit) -> MemoryGit) -> (MemoryHost, Changes) {
    let mut host = project([("a", "1\n2\n3\n"), ("b", "1"), ("deep/c", "1")]);
    host.git = Some(bridge(plain_git(&host)));
    commit_tree(&host, &everything(&host).await, &[], "refs/heads/main").await;
    branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap();
    let work = |host: &MemoryHost| {
        host.put("a", "1\n2\nagent\n");
        host.put("new/d", "agent");
        host.fs.delete("/project/deep");
    };
    let changes = changes_of(&host, work).await;
    host.put("a", "user\n2\nagent\n");
    host.put("untracked", "user");
    (host, changes)
}

async fn base_of(host: &MemoryHost) -> String {
    git(host).resolve_ref("refs/heads/main").await.unwrap().unwrap()
}

/// Commits the attempt.
async fn accept(host: &MemoryHost, changes: &Changes) -> bool {
    let base = base_of(host).await;
    matches!(branch::accept(host, &acceptance(Some(&base), changes)).await, Ok(Accepted::Committed { .. }))
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_accepted_attempt_with_a_fault_is_completed_as_one_commit() {
    let (_, changes) = attempt(|git| git).await;
    let accept = async |host: &MemoryHost| accept(host, &changes).await;
    with_faults(async || attempt(|git| git).await.0, accept, 8).await;
    with_faults(async || attempt(MemoryGit::with_fast_paths).await.0, accept, 8).await;
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_first_commit_of_a_branch_with_a_fault_is_completed() {
    let first = async || {
        let host = project([("a", "1")]);
        branch::switch(&host, &Watch::default(), BRANCH, None).await.unwrap();
        let changes = changes_of(&host, |host| host.put("new/d", "agent")).await;
        (host, changes)
    };
    let changes = first().await.1;
    let accept = async |host: &MemoryHost| {
        matches!(branch::accept(host, &acceptance(None, &changes)).await, Ok(Accepted::Committed { .. }))
    };
    with_faults(async || first().await.0, accept, 6).await;
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_switch_with_a_fault_is_completed() {
    let switch = async |host: &MemoryHost| branch::switch(host, &Watch::default(), BRANCH, None).await.is_ok();
    let new_branch = async || {
        let host = project([("a", "1")]);
        commit_tree(&host, &everything(&host).await, &[], "refs/heads/main").await;
        host.put("a", "dirty");
        host
    };
    with_faults(new_branch, switch, 4).await;
    // The branch has a commit, and the user has work on main that is not committed.
    let other_commit = async || {
        let (host, changes) = attempt(|git| git).await;
        assert!(accept(&host, &changes).await);
        host.put("a", "1\n2\nagent\n");
        branch::switch(&host, &Watch::default(), "main", None).await.unwrap();
        assert_eq!(host.text("a").as_deref(), Some("1\n2\n3\n"));
        host.put("b", "dirty");
        host.put("new/mine", "user");
        host
    };
    with_faults(other_commit, switch, 15).await;
}
