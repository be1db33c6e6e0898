//! Random histories of an agent and a user in one project. Whose a change is must hold in all of them.
//! `HISTORIES_SEED=17` runs one history, `HISTORIES=100` that many.

mod checks;
pub(crate) mod repository;
mod world;

use crate::engine::chunks::{chunk, commit_all, done, revise, ship};
use futures_util::future::{Either, select};
use loopgate::port::memory::{
    Fault, MemoryGit, MemoryHooks, MemoryHost, MemoryShell, MemoryTool, ScriptedModel, Torn, Turn,
};
use loopgate::port::{AgentRole, Answer, FsPort, ShellOutput, ToolAnswer};
use loopgate::run::{
    ChangedBy, ChunkFact, ConfigSources, Envelope, Event, RunControl, RunOptions, RunResult, StopReason, drive,
    find_unfinished,
};
use loopgate::{Error, ErrorCode};
use serde_json::json;
use std::cell::RefCell;
use std::rc::Rc;
use world::{World, text};

/// What the closures of the host share with the test.
struct Play {
    world: World,
    checks: checks::Checks,
    /// An attempt began, and its first answer is due.
    is_new: bool,
    /// The last page was closed.
    was_closed: bool,
    /// The answers before the attempt completes.
    left: usize,
    revisions: usize,
    is_last: bool,
    may_refuse: bool,
}

type Shared = Rc<RefCell<Play>>;

enum End {
    Result(Box<RunResult>),
    Error(Error),
    Closed,
}

async fn project(appends: bool) -> MemoryHost {
    let mut host = MemoryHost::new([]);
    if !appends {
        host.fs = host.fs.clone().without_append();
    }
    host.git = Some(MemoryGit::new(&host.fs, "/project/.git"));
    for at in 0..3 {
        host.put(&format!("src/f{at}.ts"), &text(&format!("f{at}")));
    }
    host.put(".gitignore", "node_modules\n.env\nbuild/\n");
    host.put(".env", "old\n");
    host.put(&format!("{}/spec.md", crate::engine::chunks::FOLDER), "# Shop\nSell things.\n");
    let mut chunks = [chunk("a", &[]), chunk("b", &["a"])];
    for chunk in &mut chunks {
        chunk["maxIterations"] = json!(3);
    }
    host.put(&format!("{}/chunks.json", crate::engine::chunks::FOLDER), &json!(chunks).to_string());
    let commit = commit_all(&host, "refs/heads/main").await;
    repository::write_index(&host, &repository::files_of(&host, &commit));
    host.fs.flush().await.unwrap();
    host
}

/// Up to four pages over one project. Nothing fails in the last one.
async fn play(seed: u64) {
    let host = project(!seed.is_multiple_of(3)).await;
    let world = World::new(seed, host.clone());
    let checks = checks::Checks::new(&host);
    let play = Play {
        world,
        checks,
        is_new: false,
        was_closed: false,
        left: 0,
        revisions: 0,
        is_last: false,
        may_refuse: false,
    };
    let shared: Shared = Rc::new(RefCell::new(play));
    let pages = 1 + shared.borrow_mut().world.random.below(3);
    let mut must_start = false;
    for page in 0..=pages {
        shared.borrow_mut().is_last = page == pages;
        let end = open(&shared, &host, page, must_start).await;
        let Some(starts) = between_pages(&mut shared.borrow_mut(), &end) else { return };
        must_start = starts;
        host.fs.flush().await.unwrap();
    }
}

/// Checks a page, and lets the user work until the next one. Returns whether that must start a run; `None` after the last.
fn between_pages(play: &mut Play, end: &End) -> Option<bool> {
    play.checks.commits(&play.world);
    let is_over = is_over(play, end);
    let must_start =
        matches!(end, End::Error(error) if error.code == ErrorCode::Conflict) && play.world.random.chance(70);
    if is_over || play.is_last {
        return None;
    }
    // It is evening.
    play.world.host.clock.advance(3_600_000);
    for _ in 0..play.world.random.below(3) {
        if play.world.random.chance(75) {
            play.world.user(true);
        } else {
            play.world.user_runs_git();
        }
    }
    Some(must_start)
}

/// Checks how a page ended.
fn is_over(play: &mut Play, end: &End) -> bool {
    let Play { world, checks, was_closed, .. } = play;
    match end {
        End::Result(result) => {
            world.note(format!("the run ends: {:?}, {}", result.reason, result.message));
            let is_expected = matches!(
                result.reason,
                StopReason::Done
                    | StopReason::NothingToDo
                    | StopReason::Aborted
                    | StopReason::MaxAttempts
                    | StopReason::Blocked
            );
            checks::require(world, is_expected, "the run ends as expected");
            checks.clean(world);
            checks.index(world);
            true
        }
        End::Error(error) => {
            world.note(format!("the run rejects: {:?}, {}", error.code, error.message));
            let is_named = world.close.iter().any(|path| error.message.contains(path.as_str()));
            let is_expected = match error.code {
                ErrorCode::Conflict => is_named || *was_closed,
                ErrorCode::Model => true,
                ErrorCode::Fs => *was_closed,
                ErrorCode::Git => *was_closed && error.message.contains("the test says so"),
                _ => false,
            };
            checks::require(world, is_expected, &format!("the run rejects for a reason: {error:?}"));
            false
        }
        End::Closed => {
            world.note("the page is closed");
            false
        }
    }
}

/// A page that starts or resumes a run.
async fn open(shared: &Shared, host: &MemoryHost, page: usize, must_start: bool) -> End {
    let unfinished = find_unfinished(host.project()).await.unwrap();
    let (options, control) = {
        let play = &mut *shared.borrow_mut();
        let (world, is_last) = (&mut play.world, play.is_last);
        world.of_page.clear();
        world.in_call = false;
        world.control = RunControl::default();
        world.closes_at = None;
        if !is_last && world.random.chance(60) {
            let torn = Fault::TearTo(world.random.pick(&Torn::ALL));
            let fault = world.random.pick(&[Fault::Kill, Fault::Kill, Fault::Crash, torn]);
            let number = world.random.below(350) as u64;
            world.closes_at = Some((host.fs.writes() + number, fault));
            host.fs.fail_write(number, fault);
        }
        play.may_refuse = !is_last && world.closes_at.is_none();
        let resumes = unfinished.filter(|_| !must_start && world.random.chance(60)).map(|run| run.run_id);
        world.note(format!("page {page}: {resumes:?} is resumed, closed at {:?}", world.closes_at));
        play.checks.begins(world, resumes.is_some());
        let options = RunOptions {
            resume: resumes.is_some(),
            config: ConfigSources { layer: Some(layer(world.verifies)), ..ConfigSources::default() },
            ..crate::engine::chunks::options(&resumes.unwrap_or_else(|| format!("run-{page}")))
        };
        (options, world.control.clone())
    };
    let mut host = host.clone();
    let (model, shell) = (shared.clone(), shared.clone());
    host.model = Some(ScriptedModel::answering(move |request| answer(&mut model.borrow_mut(), request.role)));
    host.shell = Some(MemoryShell::new(move |command| {
        shell.borrow_mut().world.shell(command);
        ShellOutput { exit_code: 0, stdout: String::new(), stderr: String::new() }
    }));
    others(&mut host, shared);
    let listener = |envelope: &Envelope, json: &str| {
        if std::env::var("HISTORIES_EVENTS").is_ok() {
            shared.borrow_mut().world.note(json);
        }
        listen(&mut shared.borrow_mut(), &envelope.event);
    };
    let end = {
        let run = Box::pin(drive(&host, options, &control, &listener));
        let is_killed = || {
            shared.try_borrow().is_ok_and(|play| {
                play.world.closes_at.is_some_and(|(at, fault)| fault == Fault::Kill && host.fs.writes() > at)
            })
        };
        match select(run, Box::pin(until_or_never(is_killed))).await {
            Either::Left((Ok(result), _)) => End::Result(Box::new(result)),
            Either::Left((Err(error), _)) => End::Error(error),
            Either::Right(_) => End::Closed,
        }
    };
    host.fs.heal();
    let play = &mut *shared.borrow_mut();
    play.was_closed = play.world.is_closed();
    play.checks.ends(&mut play.world);
    play.world.closes_at = None;
    end
}

/// Waits until it is so, and forever if it never is.
async fn until_or_never(is: impl Fn() -> bool) {
    std::future::poll_fn(|context| {
        if is() {
            return std::task::Poll::Ready(());
        }
        context.waker().wake_by_ref();
        std::task::Poll::Pending
    })
    .await;
}

/// A tool that only reads, and hooks.
fn others(host: &mut MemoryHost, shared: &Shared) {
    let (tool, before, after, whose) = (shared.clone(), shared.clone(), shared.clone(), shared.clone());
    host.tools = vec![
        MemoryTool::new("look", json!({ "type": "object" }), move |_| {
            drop(tool.borrow_mut().world.user(true));
            Ok(ToolAnswer::text(true, "nothing"))
        })
        .reading(),
    ];
    let has_hooks = shared.borrow_mut().world.random.chance(40);
    let mut hooks = MemoryHooks::default().whose(move |details| {
        let value = whose.borrow_mut().world.says_whose(details);
        Answer { value: Some(value), ..Answer::allow() }
    });
    if has_hooks {
        hooks = hooks
            .before_tool(move |name, _| {
                before.borrow_mut().world.hook(name);
                Answer::allow().into()
            })
            .after_tool(move |name| after.borrow_mut().world.hook(name));
    }
    host.hooks = Some(hooks);
}

/// One review of each attempt, and nothing that takes time.
fn layer(verifies: bool) -> serde_json::Value {
    json!({
        "reviews": { "deep": false, "final": false },
        "summaries": { "enabled": false },
        "snapshots": { "iterations": 0 },
        "verification": { "enabled": verifies, "steps": [{ "name": "Types", "command": "tsc" }] },
    })
}

/// What the user does while the model thinks.
fn acts(world: &mut World) {
    if world.random.chance(35) {
        if let Some(path) = world.user(true)
            && world.random.chance(30)
        {
            world.control.edited.add([path]);
        }
    } else if world.random.chance(15) {
        world.user_runs_git();
    }
}

fn answer(play: &mut Play, role: AgentRole) -> Turn {
    let Play { world, checks, is_new, left, revisions, is_last, may_refuse, .. } = play;
    if world.is_closed() {
        return Turn::Hang;
    }
    // The facts of a call are written before the next one.
    world.in_call = false;
    checks.has_begun();
    if role == AgentRole::Reviewer {
        acts(world);
        let verdict = *revisions < 3 && world.random.chance(45);
        world.note(if verdict { "REVISE" } else { "SHIP" });
        *revisions += usize::from(verdict);
        return if verdict { revise("Do it differently.") } else { ship() };
    }
    let begins = std::mem::take(is_new);
    if begins {
        world.note("a new attempt");
        checks.clean(world);
        *left = 1 + world.random.below(3);
    }
    acts(world);
    if world.random.chance(if *is_last { 8 } else { 4 }) {
        world.note("abort");
        world.control.abort.fire("stop");
    } else if *may_refuse && world.random.chance(6) {
        world.note("the provider refuses");
        return Turn::Refuse("the provider refuses".to_owned());
    }
    let calls = match (begins, left.checked_sub(1)) {
        (true, _) => vec![world.creation(), world.agent()],
        (false, None) => {
            let (name, args) = done("Done.");
            vec![(name.to_owned(), args)]
        }
        (false, Some(fewer)) => {
            *left = fewer;
            vec![world.agent()]
        }
    };
    Turn::Calls(calls.into_iter().map(|(name, args)| (name, args.to_string())).collect())
}

fn listen(play: &mut Play, event: &Event) {
    let Play { world, checks, is_new, .. } = play;
    match event {
        Event::WriteStarted { by: ChangedBy::Harness, .. } => checks.is_reverting = true,
        Event::UnguardedEnded => checks.is_reverting = false,
        Event::Status { text } => checks.names(text),
        Event::FileChanged { path, by: ChangedBy::Agent, .. } => checks.changes(path),
        Event::Chunks(ChunkFact::AttemptStarted { .. }) => *is_new = true,
        Event::Chunks(ChunkFact::RunPrepared { repaired, shipped, .. }) => {
            repaired.iter().for_each(|text| checks.names(text));
            for chunk in shipped.values() {
                checks.has_shipped(world, &chunk.commit, chunk.files.iter().map(|file| file.path.as_str()));
            }
        }
        Event::Chunks(ChunkFact::AttemptReverted { conflicts, .. }) => {
            checks.is_reverting = false;
            conflicts.iter().for_each(|path| checks.names(path));
        }
        Event::Chunks(ChunkFact::ChunkCommitted { files, .. }) => {
            checks.ships(world, files.iter().map(|file| file.path.as_str()));
        }
        _ => {}
    }
}

#[cfg(not(target_family = "wasm"))]
#[test]
fn whose_a_change_is_holds_in_random_histories() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let seeds = match number("HISTORIES_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("HISTORIES").unwrap_or(2000),
    };
    let threads = 2;
    let failed: Vec<u64> = std::thread::scope(|scope| {
        let part = |at: u64| seeds.clone().filter(move |seed| seed % threads == at);
        let run = |seeds: Box<dyn Iterator<Item = u64>>| -> Vec<u64> {
            let fails = |seed: &u64| {
                let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
                let history = std::panic::AssertUnwindSafe(|| runtime.block_on(play(*seed)));
                std::panic::catch_unwind(history).is_err()
            };
            seeds.filter(fails).collect()
        };
        let started: Vec<_> = (0..threads)
            .map(|at| {
                let seeds: Vec<u64> = part(at).collect();
                scope.spawn(move || run(Box::new(seeds.into_iter())))
            })
            .collect();
        started.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(failed.is_empty(), "{} histories fail; run one with HISTORIES_SEED=n: {failed:?}", failed.len());
}

#[wasm_bindgen_test::wasm_bindgen_test(unsupported = tokio::test)]
async fn whose_a_change_is_holds_in_a_few_histories() {
    for seed in 0..20 {
        play(seed).await;
    }
}
