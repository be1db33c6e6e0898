//! `work-done`: a completed task has changed a file.

use super::app::App;
use super::plain;
use super::used::{self, unformatted};
use crate::gate::asked::{self, Asked};
use crate::gate::{ChangedFile, Check, Finding, Gate, Judgement, Project, WorkEvidence, bare, only_line_ends_differ};
use crate::layout::{RALPH, STATUS, SUMMARY, TASK};
use crate::path::{extension, name, parent};
use crate::plan::MarkerKind;
use crate::port::Host;
use crate::sources::CODE;
use crate::text::listed;

/// Applies to every task. Fails unless a file outside `.ralph/` that the agent changed differs from the state before the
/// task. Only contents count, not timestamps or undone changes. A change of only blank lines and white space at line ends
/// fails, or is a warning if the message may ask for it. A change of only files that git ignores is a warning.
///
/// A change of only files that no page of a site of plain HTML loads ([`plain`]) fails, unless the message may ask for one.
/// A change of only comments and documents fails unless the message may ask for one. So does a change that the app does not
/// use ([`used`]), unless the message may ask for such code or the use is not known.
///
/// The state before the task is its snapshot. Without git, it is a list of hashes from the start of the task; any change
/// then counts as work, because the texts are not known.
pub(crate) const GATE: Gate = Gate {
    name: "work-done",
    description: "a file of the project differs from the state before the task",
    check: Check::Work,
};

/// Maximum number of files in a report.
const SHOWN: usize = 8;

/// The instruction for an agent that finds nothing to change.
fn ask(messages: &[String]) -> String {
    if asked::is_question(messages) {
        return format!(
            "The message is a question. If the answer needs no change, do not complete the task: write the answer into \
             {SUMMARY}, then write `waiting` into {STATUS}."
        );
    }
    format!(
        "If you believe that nothing needs to change, do not complete the task: write your findings and your question to \
         the user into {SUMMARY}, then write `waiting` into {STATUS}."
    )
}

pub(crate) async fn check(host: &Host, project: &Project) -> Finding {
    if project.task.work.is_some() && plain::is_site(project) {
        App::read(host, project).await;
    }
    let judgement = of_changes(project)?;
    if judgement != Judgement::pass() || asked::for_hidden(&project.task.request) == Asked::Yes {
        return Ok(judgement);
    }
    used::read(host, project).await;
    Ok(used::judge(project).unwrap_or(judgement))
}

/// A change counts if the journal attributes it to the agent and the contents differ. Changes that the user saved and
/// changes that were undone do not count.
fn of_changes(project: &Project) -> Finding {
    let work = project.task.work.as_ref().ok_or("there is no task")?;
    let (mine, others): (Vec<&String>, Vec<&String>) =
        work.differing.iter().flatten().partition(|path| is_mine(work, path));
    Ok(if !mine.is_empty() {
        changed(project, work, &mine)
    } else if work.differing.is_none() && (work.is_incomplete || !work.by_agent.is_empty()) {
        Judgement::unknown(
            "The changes of the task are not known: there is no record of the project before the task.".to_owned(),
        )
    } else if work.differing.is_some() && !work.ignored.is_empty() {
        let ignored: Vec<&String> = work.ignored.iter().collect();
        Judgement::warn(format!(
            "The task changed only files that git ignores ({}). Snapshots do not contain them, and the change cannot be \
             compared with the state before the task.",
            list_paths(&ignored)
        ))
    } else {
        nothing(&others, &project.task.request.messages)
    })
}

fn is_mine(work: &WorkEvidence, path: &str) -> bool {
    let is_in = |paths: &[String]| paths.iter().any(|other| other.eq_ignore_ascii_case(path));
    is_in(&work.by_agent) || work.is_incomplete && !is_in(&work.by_harness)
}

/// The files that the agent changed.
pub(in crate::gate) fn own_files(project: &Project) -> Vec<&ChangedFile> {
    let Some(work) = &project.task.work else { return Vec::new() };
    let files = project.task.comparison.files().unwrap_or_default().iter();
    files.filter(|file| is_mine(work, &file.path) || file.was.as_ref().is_some_and(|was| is_mine(work, was))).collect()
}

fn changed(project: &Project, work: &WorkEvidence, paths: &[&String]) -> Judgement {
    let files = own_files(project);
    let idle: Vec<Idle> = files.iter().map_while(|file| idle(project, file)).collect();
    if files.is_empty() || idle.len() < files.len() {
        return Judgement::pass();
    }
    let messages = &project.task.request.messages;
    let (paths, ask) = (list_paths(paths), ask(messages));
    if idle.iter().all(|idle| *idle == Idle::Blank) {
        let changed = format!("The task changed nothing but blank lines and white space at line ends ({paths}).");
        return if work.asks_for_more {
            Judgement::fail(format!("{changed} Make the change that {TASK} asks for. {ask}"))
        } else {
            Judgement::warn(format!(
                "{changed} Make the change that {TASK} asks for, unless it asks for white space. {ask}"
            ))
        };
    }
    if idle.iter().all(|idle| matches!(idle, Idle::Blank | Idle::Format)) {
        return if work.asks_for_more {
            Judgement::warn(format!(
                "The task changed nothing but the format of the code ({paths}). Make the change that {TASK} asks for, \
                 unless it asks for another format. {ask}"
            ))
        } else {
            Judgement::pass()
        };
    }
    let unloaded: Vec<&String> =
        files.iter().map(|file| &file.path).filter(|path| plain::is_unloaded(project, path)).collect();
    if !unloaded.is_empty() {
        let found = format!("No page loads what you changed ({}).", list_paths(&unloaded));
        let advice = "Load it in the page that shows it (<script src=\"…\">, <link rel=\"stylesheet\" href=\"…\">)";
        return match asked::for_hidden(&project.task.request) {
            Asked::No => Judgement::fail(format!("{found} {advice}. {ask}")),
            Asked::Perhaps => Judgement::warn(format!("{found} {advice}, unless {TASK} asks for no more than this.")),
            Asked::Yes => Judgement::pass(),
        };
    }
    let is_fix = project.task.request.all.iter().any(|one| one.kind == MarkerKind::Fix);
    let is_named =
        |file: &&ChangedFile| !is_fix && is_document(project, &file.path) && asked::names_file(messages, &file.path);
    let changed = format!("The task changed nothing but comments and documents ({paths}).");
    match asked::for_text(messages) {
        Asked::Yes => Judgement::pass(),
        _ if files.iter().any(is_named) => Judgement::pass(),
        // A project of documents.
        Asked::No
            if has_no_code(project) && (!project.task.builds_app || files.iter().all(|file| file.was.is_some())) =>
        {
            Judgement::warn(format!(
                "{changed} Make the change that {TASK} asks for, unless the documents are the project. {ask}"
            ))
        }
        Asked::Perhaps => Judgement::warn(format!(
            "{changed} Make the change that {TASK} asks for, unless it asks for comments or documents. {ask}"
        )),
        Asked::No => Judgement::fail(format!(
            "{changed} A comment does nothing. Make the change that {TASK} asks for in the code. {ask}"
        )),
    }
}

fn has_no_code(project: &Project) -> bool {
    project.sources(&CODE).next().is_none() && project.markup.is_empty()
}

/// Why the change of a file does nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Idle {
    /// At most blank lines, line ends and the mode of the file differ, or the file is new and blank.
    Blank,
    /// Only white space, semicolons, commas or quotes differ.
    Format,
    /// Only comments differ.
    Comments,
    /// The file is for readers of the project.
    Document,
    /// No page of a site of plain HTML loads the script or style sheet.
    Unloaded,
}

/// Extensions of languages in which white space rarely has a meaning.
const FORMATTED: [&str; 14] =
    ["tsx", "jsx", "ts", "js", "mjs", "cjs", "mts", "cts", "css", "html", "htm", "vue", "svelte", "astro"];

/// `None` for a change that may do something, such as the move of a file, or an unread one.
pub(super) fn idle(project: &Project, file: &ChangedFile) -> Option<Idle> {
    if is_document(project, &file.path) && file.is_there {
        return Some(Idle::Document);
    }
    let (before, after) = texts(file)?;
    if only_line_ends_differ(before, after) {
        return Some(Idle::Blank);
    }
    if FORMATTED.contains(&extension(&file.path)) && unformatted(before) == unformatted(after) {
        return Some(Idle::Format);
    }
    if file.is_there && plain::is_unloaded(project, &file.path) {
        return Some(Idle::Unloaded);
    }
    let code = |text| bare::code(&file.path, text);
    let is_same = bare::with_comments(before) != bare::with_comments(after) && code(before)? == code(after)?;
    is_same.then_some(Idle::Comments)
}

/// A document in the project's root or a folder of documents. Others may be content of the app, and in a project without
/// code all are.
fn is_document(project: &Project, path: &str) -> bool {
    let name = name(path).to_ascii_lowercase();
    let (stem, _) = name.rsplit_once('.').unwrap_or((&name, ""));
    let is_text = match extension(&name) {
        "md" | "markdown" | "rst" | "adoc" => true,
        "txt" | "" => ["readme", "changelog", "notes", "todo", "summary", "changes", "license", "plan"].contains(&stem),
        _ => false,
    };
    let is_aside = match parent(path) {
        "" => true,
        "doc" | "docs" | "notes" => !project.has_framework(),
        _ => false,
    };
    is_text && is_aside && (project.task.builds_app || project.sources(&CODE).next().is_some())
}

fn nothing(others: &[&String], messages: &[String]) -> Judgement {
    let others = match others {
        [] => String::new(),
        others => format!("These files changed, but you did not change them: {}. ", list_paths(others)),
    };
    Judgement::fail(format!(
        "You changed nothing: no file outside {RALPH}/ that you wrote differs from the state before the task. {others}Make \
         the change that {TASK} asks for, then call `complete_task` again. {}",
        ask(messages)
    ))
}

fn list_paths(paths: &[&String]) -> String {
    listed(paths, SHOWN)
}

/// The texts of a file that was not moved, before and after the task.
fn texts(file: &ChangedFile) -> Option<(&str, &str)> {
    let before = match &file.was {
        None => "",
        Some(was) if *was == file.path => file.before.as_deref()?,
        Some(_) => return None,
    };
    Some((before, file.after.as_deref().filter(|_| file.is_there)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::GateVerdict::{Fail, Pass, Warn};
    use crate::gate::{Comparison, TaskFacts, TaskRequest};

    fn owned(paths: &[&str]) -> Vec<String> {
        paths.iter().map(|path| (*path).to_owned()).collect()
    }

    fn of_work(work: WorkEvidence, comparison: Comparison) -> Judgement {
        of_changes(&Project::from_files(&[]).after(TaskFacts { work: Some(work), ..comparison.into() })).unwrap()
    }

    fn judged(by_agent: &[&str], files: Vec<ChangedFile>, asks_for_more: bool) -> Judgement {
        let differing = Some(files.iter().map(|file| file.path.clone()).collect());
        let work = WorkEvidence { by_agent: owned(by_agent), differing, asks_for_more, ..WorkEvidence::default() };
        of_work(work, Comparison::Changed(files))
    }

    #[test]
    fn work_is_a_change_of_the_agent_that_still_differs() {
        let work = |by_agent: &[&str], differing: Option<&[&str]>| WorkEvidence {
            by_agent: owned(by_agent),
            by_harness: owned(&["src/theme.css"]),
            differing: differing.map(owned),
            ..WorkEvidence::default()
        };
        let cut = |differing: Option<&[&str]>| WorkEvidence { is_incomplete: true, ..work(&[], differing) };
        let ignored = WorkEvidence { ignored: owned(&[".env"]), ..work(&[".env"], Some(&["b"])) };
        for (case, work, verdict, words) in [
            ("nothing", work(&[], Some(&[])), Fail, "You changed nothing"),
            ("undone", work(&["a"], Some(&[])), Fail, "You changed nothing"),
            ("by the user", work(&[], Some(&["b"])), Fail, "did not change them: b."),
            ("by the harness", work(&[], Some(&["src/theme.css"])), Fail, "did not change them: src/theme.css."),
            ("by both", work(&["a"], Some(&["a", "b"])), Pass, ""),
            ("undone, and the user saved", work(&["a"], Some(&["b"])), Fail, "did not change them: b."),
            ("before is not known", work(&["a"], None), Warn, "not known"),
            ("before is not known, nothing done", work(&[], None), Fail, "You changed nothing"),
            ("cut off", cut(Some(&["a", "src/theme.css"])), Pass, ""),
            ("cut off, nothing done", cut(Some(&[])), Fail, "You changed nothing"),
            ("cut off, not known", cut(None), Warn, "not known"),
            ("by another case of its name", work(&["SRC/A"], Some(&["src/a"])), Pass, ""),
            ("only ignored", ignored, Warn, "git ignores (.env)"),
        ] {
            let is_unknown = work.differing.is_none() && verdict == Warn;
            let judgement = of_work(work, Comparison::None);
            assert_eq!((judgement.verdict, judgement.is_raisable), (verdict, !is_unknown), "{case}");
            assert!(judgement.feedback.unwrap_or_default().contains(words), "{case}");
        }
    }

    #[test]
    fn the_feedback_says_how_to_ask_the_user() {
        let text = judged(&[], Vec::new(), false).feedback.unwrap();
        for words in [".ralph/task.md", "`waiting` into .ralph/status.txt", ".ralph/summary.md"] {
            assert!(text.contains(words), "{text}");
        }
        assert!(!text.contains("did not change them"), "{text}");
    }

    #[test]
    fn a_question_may_be_answered_without_a_change() {
        for (message, expected) in [("what does server.js do?", true), ("Add a footer", false)] {
            let request = TaskRequest { messages: vec![message.to_owned()], ..TaskRequest::default() };
            let work = Some(WorkEvidence { differing: Some(Vec::new()), ..WorkEvidence::default() });
            let project = Project::from_files(&[]).after(TaskFacts { work, request, ..Comparison::None.into() });
            let text = of_changes(&project).unwrap().feedback.unwrap();
            assert_eq!(text.contains("write the answer into .ralph/summary.md"), expected, "{text}");
        }
    }

    #[test]
    fn a_change_of_only_blank_lines_and_line_ends_warns_and_fails_if_the_task_asks_for_more() {
        for (file, verdict, if_more) in [
            (ChangedFile::from_texts("a.ts", "f(1)", "f(1)"), Warn, Fail),
            (ChangedFile::from_texts("a.ts", "f(1)", "\nf(1) \n"), Warn, Fail),
            (ChangedFile::from_texts("a.css", "a {\r\n}", "a {\n}"), Warn, Fail),
            (ChangedFile { after: Some(" ".to_owned()), ..ChangedFile::from_texts("a.ts", "", "x") }, Warn, Fail),
            (ChangedFile::from_texts("a.tsx", "<h1>Nightbar</h1>", "<h1>Night bar</h1>"), Pass, Pass),
            (ChangedFile::from_texts("a.ts", "f(1)", "f(2)"), Pass, Pass),
            (ChangedFile::from_texts("a.ts", "f(1)", ""), Pass, Pass),
            (ChangedFile::renamed("a.ts", "b.ts", "f(1)"), Pass, Pass),
            (ChangedFile::unread("logo.png"), Pass, Pass),
        ] {
            for (asks_for_more, expected) in [(false, verdict), (true, if_more)] {
                let judgement = judged(&[&file.path], vec![file.clone()], asks_for_more);
                assert_eq!((judgement.verdict, judgement.is_raisable), (expected, true), "{file:?}");
                let words = format!("nothing but blank lines and white space at line ends ({})", file.path);
                assert_eq!(judgement.feedback.is_some_and(|text| text.contains(&words)), expected != Pass, "{file:?}");
            }
        }
        for (before, after) in [("f( 1 )", "f(\n1)\n"), ("f(1)", "  f(1)"), ("f('a');", "f(\"a\")"), ("f(a,)", "f(a)")]
        {
            for (asks_for_more, expected) in [(false, Pass), (true, Warn)] {
                let judgement = judged(&["a.ts"], vec![ChangedFile::from_texts("a.ts", before, after)], asks_for_more);
                assert_eq!(judgement.verdict, expected, "{before} {after}");
            }
        }
        let both =
            vec![ChangedFile::from_texts("src/a.ts", "f(1)", "f(1)\n"), ChangedFile::from_texts("src/b.ts", "1", "2")];
        assert_eq!(judged(&["src/a.ts", "src/b.ts"], both.clone(), false).verdict, Pass);
        assert_eq!(judged(&["src/a.ts"], both, false).verdict, Warn, "the user made the other change");
    }
}
