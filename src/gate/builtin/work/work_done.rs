//! `work-done`: a completed task has changed a file.

use crate::gate::contract::{FileGate, only_if};
use crate::gate::work::{WorkDone, is_blank_change, keeps_words};
use crate::gate::{ChangedFile, Judgement, Project};
use crate::layout::{RALPH, STATUS, SUMMARY, TASK};
use crate::sources::CODE;

/// Applies to every task. Fails unless a file outside `.ralph/` that the agent changed differs from the state before the
/// task. Only contents count, not timestamps or undone changes. A change of only blank lines and indentation fails, unless
/// the message may ask for it. A change of other white space, or only of files that git ignores, is a warning.
///
/// The state before the task is its snapshot. Without git, it is a list of hashes from the start of the task; a change of
/// white space then counts as work, because the texts are not known.
pub(crate) const GATE: FileGate = FileGate {
    name: "work-done",
    description: "a file of the project differs from the state before the task",
    applies: |project| only_if(project.task().work.is_some(), "there is no task"),
    judge,
};

/// Extensions of files other than code in which blank lines and indentation have no meaning.
const LAYOUT: [&str; 8] = ["css", "scss", "less", "html", "vue", "svelte", "astro", "json"];
/// Maximum number of files in a report.
const SHOWN: usize = 8;

/// The instruction for an agent that finds nothing to change.
fn ask() -> String {
    format!(
        "If you believe that nothing needs to change, do not complete the task: write your findings and your question to \
         the user into {SUMMARY}, then write `waiting` into {STATUS}."
    )
}

fn judge(project: &Project) -> Judgement {
    let Some(work) = &project.task().work else { return Judgement::pass() };
    match work.done() {
        WorkDone::Changed(paths) => changed(&paths, &files(project, &paths), work.asks_for_more),
        WorkDone::Ignored(paths) => Judgement::warn(format!(
            "The task changed only files that git ignores ({}). Snapshots do not contain them, and the change cannot be \
             compared with the state before the task.",
            named(&paths)
        )),
        WorkDone::Unknown => Judgement::unknown(
            "The changes of the task are not known: there is no record of the project before the task.",
        ),
        WorkDone::Nothing(others) => Judgement::fail(nothing(&others)),
    }
}

fn changed(paths: &[String], files: &[&ChangedFile], asks_for_more: bool) -> Judgement {
    if files.is_empty() || !files.iter().all(|file| is_blank_change(file)) {
        return Judgement::pass();
    }
    let (changed, ask) = (format!("The task changed only white space ({}).", named(paths)), ask());
    if asks_for_more && files.iter().all(|file| is_layout(file)) {
        Judgement::fail(format!("{changed} Make the change that {TASK} asks for. {ask}"))
    } else {
        Judgement::warn(format!(
            "{changed} Make the change that {TASK} asks for, unless it asks for white space. {ask}"
        ))
    }
}

fn is_layout(file: &ChangedFile) -> bool {
    let extension = file.extension();
    keeps_words(file) && (CODE.contains(&extension) || LAYOUT.contains(&extension))
}

fn nothing(others: &[String]) -> String {
    let mut text = format!(
        "You changed nothing: no file outside {RALPH}/ that you wrote differs from the state before the task. "
    );
    if !others.is_empty() {
        text.push_str(&format!("These files changed, but you did not change them: {}. ", named(others)));
    }
    text + &format!("Make the change that {TASK} asks for, then complete the task again. {}", ask())
}

/// The changed files with these paths, before or after the task.
fn files<'a>(project: &'a Project, paths: &[String]) -> Vec<&'a ChangedFile> {
    let is_named = |path: &String| paths.contains(path);
    let files = project.comparison().files().unwrap_or_default().iter();
    files.filter(|file| is_named(&file.path) || file.was.as_ref().is_some_and(is_named)).collect()
}

fn named(paths: &[String]) -> String {
    let shown: Vec<&str> = paths.iter().take(SHOWN).map(String::as_str).collect();
    let more = paths.len().saturating_sub(SHOWN);
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::{Comparison, GateVerdict, TaskFacts, WorkEvidence};

    fn judged(by_agent: &[&str], files: Vec<ChangedFile>) -> Judgement {
        let owned = |paths: &[&str]| -> Vec<String> { paths.iter().map(|path| (*path).to_owned()).collect() };
        let differing = files.iter().map(|file| file.path.clone()).collect();
        let work = WorkEvidence { by_agent: owned(by_agent), differing: Some(differing), ..WorkEvidence::default() };
        let facts = TaskFacts { work: Some(work), ..Comparison::Changed(files).into() };
        judge(&Project::of(&[]).after(facts))
    }

    #[test]
    fn a_task_without_changes_fails_and_the_feedback_says_how_to_ask_the_user() {
        let judgement = judged(&[], Vec::new());
        assert_eq!(judgement.verdict, GateVerdict::Fail);
        let text = judgement.feedback.unwrap();
        for words in ["You changed nothing", ".ralph/task.md", "`waiting` into .ralph/status.txt", ".ralph/summary.md"]
        {
            assert!(text.contains(words), "{text}");
        }
        assert!(!text.contains("did not change them"), "{text}");
    }

    #[test]
    fn changes_by_others_do_not_count_and_are_listed() {
        let judgement = judged(&["src/a.ts"], vec![ChangedFile::of("src/b.ts", "1", "2")]);
        assert_eq!(judgement.verdict, GateVerdict::Fail);
        assert!(judgement.feedback.unwrap().contains("you did not change them: src/b.ts."));
    }

    #[test]
    fn a_change_of_only_white_space_warns() {
        let blank = || ChangedFile::of("src/a.ts", "f(1)", "f( 1 )");
        let judgement = judged(&["src/a.ts"], vec![blank()]);
        assert_eq!((judgement.verdict, judgement.is_raisable), (GateVerdict::Warn, true));
        assert!(judgement.feedback.unwrap().contains("(src/a.ts)"));
        let both = vec![blank(), ChangedFile::of("src/b.ts", "1", "2")];
        assert_eq!(judged(&["src/a.ts", "src/b.ts"], both.clone()).verdict, GateVerdict::Pass);
        assert_eq!(judged(&["src/a.ts"], both).verdict, GateVerdict::Warn, "the user made the other change");
    }

    #[test]
    fn a_change_of_only_blank_lines_and_indentation_fails_if_the_task_asks_for_more() {
        for (path, before, after, expected) in [
            ("src/a.ts", "f(1)", "\n  f(1)\n", GateVerdict::Fail),
            ("src/a.css", "a {\r\n}", "a {\n}", GateVerdict::Fail),
            ("src/a.tsx", "<h1>Nightbar</h1>", "<h1>Night bar</h1>", GateVerdict::Warn),
            ("notes.md", "- a", "  - a", GateVerdict::Warn),
        ] {
            let files = vec![ChangedFile::of(path, before, after)];
            let paths = || vec![path.to_owned()];
            let work = WorkEvidence {
                by_agent: paths(),
                differing: Some(paths()),
                asks_for_more: true,
                ..WorkEvidence::default()
            };
            let facts = TaskFacts { work: Some(work), ..Comparison::Changed(files).into() };
            let judgement = judge(&Project::of(&[]).after(facts));
            assert_eq!(judgement.verdict, expected, "{path}: {before} -> {after}");
            assert!(judgement.feedback.unwrap().contains(&format!("only white space ({path})")));
        }
    }
}
