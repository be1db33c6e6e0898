//! `changes-named`: a task changes existing files only if the plan or the task mentions them.

use crate::gate::feedback::list_entries;
use crate::gate::{ChangedFile, Check, Finding, Gate, Judgement, Project, only_if};
use crate::layout::{PLAN, SUMMARY, TASK};
use crate::path::{extension, name};
use crate::words::words;
use std::collections::BTreeSet;

/// Applies if the task changed existing files. New files are always expected.
pub(crate) const GATE: Gate = Gate {
    name: "changes-named",
    description: "every changed file that existed before is mentioned in the plan or the task",
    check: Check::Changes(check),
};

fn check(project: &Project, files: &[ChangedFile]) -> Finding {
    let existed: Vec<&ChangedFile> = files.iter().filter(|file| file.was.is_some()).collect();
    only_if(!existed.is_empty(), "the task changed no existing file")?;
    let mentioned: BTreeSet<String> =
        [PLAN, TASK].iter().flat_map(|path| words(project.text(path).unwrap_or_default())).collect();
    let asked = asked(project);
    let is_meant = |file: &ChangedFile| {
        is_named(&file.path, &mentioned) || abbreviates(&file.path, &asked) || follows(file, files)
    };
    let unnamed: Vec<&&ChangedFile> = existed.iter().filter(|file| !is_meant(file)).collect();
    // A task that mentions no file at all ("the toggle is broken") does not restrict the changes.
    if unnamed.is_empty() || (unnamed.len() == existed.len() && !project.has(PLAN)) || is_whole(&asked) {
        return Ok(Judgement::pass());
    }
    let gone = |file: &ChangedFile| if file.is_there { "" } else { " (removed or moved)" };
    let lines: Vec<String> = unnamed.iter().map(|file| format!("{}{}", file.path, gone(file))).collect();
    Ok(Judgement::warn(format!(
        "The task changed files that neither the plan nor the task mentions:\n{}\nIf the task needs such a change, say why in \
         {SUMMARY}. Undo the others.",
        list_entries(&lines)
    )))
}

/// The words of the user, in order.
fn asked(project: &Project) -> Vec<String> {
    let task = project.text(TASK).unwrap_or_default();
    task.lines().filter_map(|line| line.strip_prefix('>')).flat_map(words).collect()
}

/// Whether the task is about the project as a whole: "translate the page", "remove all comments".
fn is_whole(asked: &[String]) -> bool {
    let is_whole = |words: &[String]| {
        let [before, of, what] = words else { return false };
        !PLACING.contains(&before.as_str())
            && ["the", "my", "our", "this"].contains(&of.as_str())
            && ["page", "site", "website", "app", "project", "code"].contains(&what.as_str())
    };
    let says = |word: &String| ["all", "every", "everything", "everywhere", "whole", "entire"].contains(&word.as_str());
    asked.windows(3).any(is_whole) || asked.iter().any(says)
}

/// Words before a whole that is only a place: "a footer at the end of the page".
const PLACING: [&str; 10] = ["add", "on", "in", "at", "of", "to", "into", "below", "above", "from"];

/// Whether the name of a file is an abbreviation of the task's words: `Cta.tsx` for "call to action", `Nav.tsx` for
/// "navigation".
fn abbreviates(path: &str, asked: &[String]) -> bool {
    let own = own_words(path);
    let [short] = own.as_slice() else { return false };
    let is_initials = |words: &[String]| words.iter().filter_map(|word| word.chars().next()).eq(short.chars());
    let length = short.chars().count();
    length > 1 && asked.windows(length).any(is_initials)
        || length > 2 && asked.iter().any(|word| word.len() > short.len() + 2 && word.starts_with(short.as_str()))
}

/// Whether a file names another one that the task added, moved or removed.
fn follows(file: &ChangedFile, files: &[ChangedFile]) -> bool {
    let texts = || [&file.before, &file.after].into_iter().flatten();
    let mentions = |path: &str| {
        let (name, stem) = (name(path), crate::path::stem(name(path)));
        texts().any(|text| text.contains(name) || stem.len() > 2 && text.contains(stem))
    };
    let is_gone = |other: &&ChangedFile| !other.is_there || other.was.as_ref() != Some(&other.path);
    let others = files.iter().filter(|other| other.path != file.path).filter(is_gone);
    others.flat_map(|other| std::iter::once(&other.path).chain(&other.was)).any(|path| mentions(path))
}

/// Words that name the kind of a file, not the file.
const KINDS: [&str; 12] =
    ["section", "component", "page", "view", "screen", "test", "spec", "style", "module", "data", "d", "story"];
/// File names that most changes touch.
const ENTRIES: [&str; 4] = ["app", "main", "index", "global"];

/// Whether all words of the file's name, except for its kind, occur in the plan or the task.
fn is_named(path: &str, mentioned: &BTreeSet<String>) -> bool {
    let own = own_words(path);
    if path.starts_with("src/") && own.iter().all(|word| ENTRIES.contains(&word.as_str())) {
        return true;
    }
    if extension(path) == "css" && mentioned.contains("theme") {
        return true;
    }
    !own.is_empty() && own.iter().all(|word| mentioned.contains(word))
}

/// The words of a file's name, except for its kind.
fn own_words(path: &str) -> Vec<String> {
    let name = name(path);
    let stem = name.strip_suffix(extension(name)).unwrap_or(name);
    let mut own = words(stem);
    if own.iter().any(|word| !KINDS.contains(&word.as_str())) {
        own.retain(|word| !KINDS.contains(&word.as_str()));
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::GateVerdict::{self, Pass, Warn};

    const A_PLAN: &str = "<App><Theme mood=\"zen\" /><Screen name=\"shop\"><Section gumdrop=\"flavor-grid\" />\
                          {/* TASK-3 [FIX]: theme toggle */}</Screen></App>";

    fn judged(plan: &str, task: &str, files: &[&str]) -> (GateVerdict, String) {
        let notes: Vec<(&str, &str)> =
            [(PLAN, plan), (TASK, task)].into_iter().filter(|(_, text)| !text.is_empty()).collect();
        let files: Vec<ChangedFile> = files.iter().map(|path| ChangedFile::from_texts(path, "a", "b")).collect();
        let judgement = check(&Project::from_files(&notes), &files).unwrap();
        (judgement.verdict, judgement.feedback.unwrap_or_default())
    }

    #[test]
    fn a_file_is_mentioned_by_the_words_of_its_name() {
        for (file, expected) in [
            ("src/sections/FlavorGridSection.tsx", Pass),
            ("src/data/flavors.ts", Pass),
            ("src/FlavorGrid.test.tsx", Pass),
            ("src/components/ThemeToggle.tsx", Pass),
            ("src/screens/Shop.tsx", Pass),
            ("src/App.tsx", Pass),
            ("src/main.tsx", Pass),
            ("src/index.css", Pass),
            ("src/theme/colors.css", Pass),
            ("src/sections/HeroSection.tsx", Warn),
            ("package.json", Warn),
            ("vite.config.ts", Warn),
            ("src/data.ts", Warn),
        ] {
            assert_eq!(judged(A_PLAN, "> refine", &[file]).0, expected, "{file}");
        }
        assert_eq!(judged(A_PLAN, "> the hero, and upgrade package.json", &["src/Hero.tsx", "package.json"]).0, Pass);
    }

    #[test]
    fn a_change_that_the_task_needs_is_meant() {
        let project = |task: &str| Project::from_files(&[(PLAN, A_PLAN), (TASK, task)]);
        let moved = ChangedFile::renamed("b.js", "a.js", "x");
        let page = |text: &str| ChangedFile::from_texts("index.html", text, "<p>new</p>");
        let cta = || ChangedFile::from_texts("src/sections/Cta.tsx", "a", "b");
        for (task, files, expected) in [
            ("> Rename b.js to a.js", vec![moved.clone(), page("<script src=b.js>")], Pass),
            ("> Rename b.js to a.js", vec![moved, page("<p>")], Warn),
            ("> Remove the call to action", vec![ChangedFile::from_texts("src/sections/Cta.tsx", "a", "")], Pass),
            ("> Make the navigation blue", vec![ChangedFile::from_texts("src/Nav.tsx", "a", "b")], Pass),
            ("> Translate the page to German", vec![cta()], Pass),
            ("> Remove all comments", vec![cta()], Pass),
            ("> Add a footer at the end of the page", vec![cta()], Warn),
            ("> Make the menu blue", vec![cta()], Warn),
        ] {
            let judgement = check(&project(task), &files).unwrap();
            assert_eq!(judgement.verdict, expected, "{task}: {:?}", judgement.feedback);
        }
    }

    #[test]
    fn removed_files_are_marked_and_unread_files_are_not() {
        let files = [ChangedFile::unread("README.md"), ChangedFile::from_texts("src/Old.tsx", "a", "")];
        let feedback = check(&Project::from_files(&[(PLAN, A_PLAN)]), &files).unwrap().feedback.unwrap();
        assert!(feedback.contains("- README.md\n- src/Old.tsx (removed or moved)\n"), "{feedback}");
    }

    #[test]
    fn a_task_that_mentions_no_file_allows_every_change() {
        assert_eq!(judged("", "> it is broken", &["src/Hero.tsx"]).0, Pass);
        let (verdict, feedback) = judged("", "> the hero is broken", &["src/Hero.tsx", "src/Nav.tsx"]);
        assert_eq!(verdict, Warn);
        assert!(feedback.contains("- src/Nav.tsx\n") && !feedback.contains("src/Hero.tsx"), "{feedback}");
    }
}
