//! `changes-named`: a task changes existing files only if the plan or the task mentions them.

use crate::gate::feedback::shown;
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
    let unnamed: Vec<&&ChangedFile> = existed.iter().filter(|file| !is_named(&file.path, &mentioned)).collect();
    // A task that mentions no file at all ("the toggle is broken") does not restrict the changes.
    if unnamed.is_empty() || (unnamed.len() == existed.len() && !project.has(PLAN)) {
        return Ok(Judgement::pass());
    }
    let gone = |file: &ChangedFile| if file.is_there { "" } else { " (removed or moved)" };
    let lines: Vec<String> = unnamed.iter().map(|file| format!("{}{}", file.path, gone(file))).collect();
    Ok(Judgement::warn(format!(
        "The task changed files that neither the plan nor the task mentions:\n{}\nUndo changes that the task does not ask \
         for. If a change is needed, say why in {SUMMARY}.",
        shown(&lines)
    )))
}

/// Words that name the kind of a file, not the file.
const KINDS: [&str; 12] =
    ["section", "component", "page", "view", "screen", "test", "spec", "style", "module", "data", "d", "story"];
/// File names that most changes touch.
const ENTRIES: [&str; 4] = ["app", "main", "index", "global"];

/// Whether all words of the file's name, except for its kind, occur in the plan or the task.
fn is_named(path: &str, mentioned: &BTreeSet<String>) -> bool {
    let name = name(path);
    let stem = name.strip_suffix(extension(name)).unwrap_or(name);
    let mut own = words(stem);
    if own.iter().any(|word| !KINDS.contains(&word.as_str())) {
        own.retain(|word| !KINDS.contains(&word.as_str()));
    }
    if path.starts_with("src/") && own.iter().all(|word| ENTRIES.contains(&word.as_str())) {
        return true;
    }
    if extension(name) == "css" && mentioned.contains("theme") {
        return true;
    }
    !own.is_empty() && own.iter().all(|word| mentioned.contains(word))
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
        let files: Vec<ChangedFile> = files.iter().map(|path| ChangedFile::of(path, "a", "b")).collect();
        let judgement = check(&Project::of(&notes), &files).unwrap();
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
    fn removed_files_are_marked_and_unread_files_are_not() {
        let files = [ChangedFile::unread("README.md"), ChangedFile::of("src/Old.tsx", "a", "")];
        let feedback = check(&Project::of(&[(PLAN, A_PLAN)]), &files).unwrap().feedback.unwrap();
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
