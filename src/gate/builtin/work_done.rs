//! `work-done`: a task that changed nothing is not done.

use crate::gate::contract::{FileGate, only_if};
use crate::gate::work::{WorkDone, is_blank_change};
use crate::gate::{ChangedFile, Comparison, Judgement, Project};
use crate::sources::{CODE, extension};

/// Applies to every task of every project. Fails where no file outside `.ralph/` that the agent changed differs from the
/// state before the task. What it compares are contents: a saved file with the same bytes, another time and a change that
/// was undone are no work. A change of white space alone fails, too; it is a warning where the task may ask for that. A
/// change of files alone that git ignores is a warning, because no snapshot holds what they were.
///
/// With git, the state before the task is its snapshot. Without git, it is a list of hashes, taken at the task's start:
/// that tells as much, but has no texts, so that a change of white space counts as work.
pub const GATE: FileGate = FileGate {
    name: "work-done",
    description: "a file outside .ralph/ differs from the state before the task",
    applies: |project| only_if(project.task().work.is_some(), "no task is judged"),
    judge,
};

/// Files beside code in which white space changes nothing but the layout of the text.
const LAYOUT: [&str; 8] = ["css", "scss", "less", "html", "vue", "svelte", "astro", "json"];
/// Files that are named in a report.
const SHOWN: usize = 8;

/// What an agent does that believes that there is nothing to do.
const ASK: &str = "If you believe that nothing needs changing, do not complete the task: write what you found and your \
                   question to the user into .ralph/summary.md, then write `waiting` into .ralph/status.txt.";

fn judge(project: &Project) -> Judgement {
    let Some(work) = &project.task().work else { return Judgement::pass() };
    match work.done() {
        WorkDone::Changed(paths) if is_blank(project, &paths) => blank(&paths, work.asks_for_more),
        WorkDone::Changed(_) => Judgement::pass(),
        WorkDone::Ignored(paths) => Judgement::warn(format!(
            "The task changed only files that git ignores ({}). No snapshot holds them, so that the change cannot be \
             compared with what was there before.",
            named(&paths)
        )),
        WorkDone::Unknown => Judgement::unknown(
            "What the task changed cannot be told: the state of the project before the task is not known.",
        ),
        WorkDone::Nothing(others) => Judgement::fail(nothing(&others)),
    }
}

fn blank(paths: &[String], asks_for_more: bool) -> Judgement {
    let changed = format!("The task changed nothing but white space ({}).", named(paths));
    let is_layout = |path: &String| CODE.contains(&extension(path)) || LAYOUT.contains(&extension(path));
    if asks_for_more && paths.iter().all(is_layout) {
        Judgement::fail(format!("{changed} Make the change that .ralph/task.md asks for. {ASK}"))
    } else {
        Judgement::warn(format!(
            "{changed} Make the change that .ralph/task.md asks for, unless it asks for that. {ASK}"
        ))
    }
}

fn nothing(others: &[String]) -> String {
    let mut text =
        "Nothing was done: no file outside .ralph/ that you changed differs from the state before the task. "
            .to_owned();
    if !others.is_empty() {
        text.push_str(&format!("These files changed, but not by you: {}. ", named(others)));
    }
    text.push_str("Make the change that .ralph/task.md asks for, then complete the task again. ");
    text.push_str(ASK);
    text
}

/// Only white space differs in each of these files.
fn is_blank(project: &Project, paths: &[String]) -> bool {
    let Comparison::Changed(files) = project.comparison() else { return false };
    let is_mine = |path: &String| paths.contains(path);
    let mine: Vec<&ChangedFile> =
        files.iter().filter(|file| is_mine(&file.path) || file.was.as_ref().is_some_and(is_mine)).collect();
    !mine.is_empty() && mine.into_iter().all(is_blank_change)
}

fn named(paths: &[String]) -> String {
    let shown: Vec<&str> = paths.iter().take(SHOWN).map(String::as_str).collect();
    let more = paths.len().saturating_sub(SHOWN);
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::{GateVerdict, TaskFacts, Work};

    fn judged(by_agent: &[&str], files: Vec<ChangedFile>) -> Judgement {
        let owned = |paths: &[&str]| -> Vec<String> { paths.iter().map(|path| (*path).to_owned()).collect() };
        let differing = files.iter().map(|file| file.path.clone()).collect();
        let work = Work { by_agent: owned(by_agent), differing: Some(differing), ..Work::default() };
        let facts = TaskFacts { work: Some(work), ..Comparison::Changed(files).into() };
        judge(&Project::of(&[]).after(facts))
    }

    #[test]
    fn nothing_done_fails_and_says_how_to_ask_instead() {
        let judgement = judged(&[], Vec::new());
        assert_eq!(judgement.verdict, GateVerdict::Fail);
        let text = judgement.feedback.unwrap();
        for said in ["Nothing was done", ".ralph/task.md", "`waiting` into .ralph/status.txt", ".ralph/summary.md"] {
            assert!(text.contains(said), "{text}");
        }
        assert!(!text.contains("not by you"), "{text}");
    }

    #[test]
    fn what_another_hand_changed_is_named_and_is_no_work() {
        let judgement = judged(&["src/a.ts"], vec![ChangedFile::of("src/b.ts", "1", "2")]);
        assert_eq!(judgement.verdict, GateVerdict::Fail);
        assert!(judgement.feedback.unwrap().contains("not by you: src/b.ts."));
    }

    #[test]
    fn white_space_alone_is_a_warning_beside_which_any_other_change_passes() {
        let blank = || ChangedFile::of("src/a.ts", "f(1)", "f( 1 )");
        let judgement = judged(&["src/a.ts"], vec![blank()]);
        assert_eq!((judgement.verdict, judgement.is_raisable), (GateVerdict::Warn, true));
        assert!(judgement.feedback.unwrap().contains("(src/a.ts)"));
        let both = vec![blank(), ChangedFile::of("src/b.ts", "1", "2")];
        assert_eq!(judged(&["src/a.ts", "src/b.ts"], both.clone()).verdict, GateVerdict::Pass);
        assert_eq!(judged(&["src/a.ts"], both).verdict, GateVerdict::Warn, "the other one is the user's");
    }

    #[test]
    fn white_space_alone_fails_where_the_task_asks_for_more() {
        let files = vec![ChangedFile::of("src/a.ts", "f(1)", "f( 1 )")];
        let paths = || vec!["src/a.ts".to_owned()];
        let work = Work { by_agent: paths(), differing: Some(paths()), asks_for_more: true, ..Work::default() };
        let facts = TaskFacts { work: Some(work), ..Comparison::Changed(files).into() };
        let judgement = judge(&Project::of(&[]).after(facts));
        assert_eq!(judgement.verdict, GateVerdict::Fail);
        assert!(judgement.feedback.unwrap().contains("nothing but white space (src/a.ts)"));
    }
}
