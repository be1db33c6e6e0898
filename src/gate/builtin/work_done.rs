//! `work-done`: a completed task has changed a file.

use crate::gate::contract::{FileGate, only_if};
use crate::gate::work::{WorkDone, is_blank_change};
use crate::gate::{ChangedFile, Comparison, Judgement, Project};

/// Applies to every task. Fails unless a file outside `.ralph/` that the agent changed differs from the state before the
/// task. Only contents count: a new timestamp or an undone change is not work. Two changes are warnings: white space
/// alone, which a task may ask for, and files alone that git ignores, which no snapshot contains.
///
/// The state before the task is its snapshot. Without git it is a list of hashes from the task's start; without texts, a
/// change of white space counts as work.
pub const GATE: FileGate = FileGate {
    name: "work-done",
    description: "a file outside .ralph/ differs from the state before the task",
    applies: |project| only_if(project.task().work.is_some(), "there is no task"),
    judge,
};

/// Maximum of files in a report.
const SHOWN: usize = 8;

/// The instruction for an agent that finds nothing to change.
const ASK: &str = "If you believe that nothing needs changing, do not complete the task: write what you found and your \
                   question to the user into .ralph/summary.md, then write `waiting` into .ralph/status.txt.";

fn judge(project: &Project) -> Judgement {
    let Some(work) = &project.task().work else { return Judgement::pass() };
    match work.done() {
        WorkDone::Changed(paths) if is_blank(project, &paths) => Judgement::warn(format!(
            "The task changed only white space ({}). Make the change that .ralph/task.md asks for, unless it asks for \
             white space. {ASK}",
            named(&paths)
        )),
        WorkDone::Changed(_) => Judgement::pass(),
        WorkDone::Ignored(paths) => Judgement::warn(format!(
            "The task changed only files that git ignores ({}). Snapshots do not contain them, and the change cannot be \
             compared with the state before the task.",
            named(&paths)
        )),
        WorkDone::Unknown => Judgement::unknown(
            "The change of the task is not known: there is no record of the project before the task.",
        ),
        WorkDone::Nothing(others) => Judgement::fail(nothing(&others)),
    }
}

fn nothing(others: &[String]) -> String {
    let mut text =
        "You changed nothing: no file outside .ralph/ that you wrote differs from the state before the task. "
            .to_owned();
    if !others.is_empty() {
        text.push_str(&format!("These files changed, but you did not change them: {}. ", named(others)));
    }
    text.push_str("Make the change that .ralph/task.md asks for, then complete the task again. ");
    text.push_str(ASK);
    text
}

/// Whether each of these files differs only in white space.
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
    fn no_change_fails_and_the_feedback_says_how_to_ask_the_user() {
        let judgement = judged(&[], Vec::new());
        assert_eq!(judgement.verdict, GateVerdict::Fail);
        let text = judgement.feedback.unwrap();
        for said in ["You changed nothing", ".ralph/task.md", "`waiting` into .ralph/status.txt", ".ralph/summary.md"] {
            assert!(text.contains(said), "{text}");
        }
        assert!(!text.contains("did not change them"), "{text}");
    }

    #[test]
    fn changes_by_others_are_listed_and_do_not_count() {
        let judgement = judged(&["src/a.ts"], vec![ChangedFile::of("src/b.ts", "1", "2")]);
        assert_eq!(judgement.verdict, GateVerdict::Fail);
        assert!(judgement.feedback.unwrap().contains("you did not change them: src/b.ts."));
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
}
