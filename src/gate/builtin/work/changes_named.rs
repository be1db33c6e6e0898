//! `changes-named`: a task changes existing files only if the plan or the task mentions them.

use crate::gate::contract::{ChangeGate, only_if};
use crate::gate::{ChangedFile, Judgement, Project};
use crate::layout::{PLAN, SUMMARY, TASK};
use crate::path;
use crate::path::extension;
use crate::words::words;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Applies if the task changed existing files. New files are always expected.
pub(crate) const GATE: ChangeGate = ChangeGate {
    name: "changes-named",
    description: "every changed file that existed before is mentioned in the plan or the task",
    applies: |files| only_if(files.iter().any(|file| file.was.is_some()), "the task changed no existing file"),
    judge,
};

/// Maximum number of files in a report.
const SHOWN: usize = 12;

fn judge(project: &Project, files: &[ChangedFile]) -> Judgement {
    let named: BTreeSet<String> =
        [PLAN, TASK].iter().flat_map(|path| words(project.text(path).unwrap_or_default())).collect();
    let (named_files, unnamed): (Vec<&ChangedFile>, Vec<&ChangedFile>) =
        files.iter().filter(|file| file.was.is_some()).partition(|file| is_named(&file.path, &named));
    // A task that mentions no file at all ("the toggle is broken") does not restrict the changes.
    if unnamed.is_empty() || (named_files.is_empty() && !project.has(PLAN)) {
        return Judgement::pass();
    }
    let mut text = String::from("The task changed files that neither the plan nor the task mentions:\n");
    for file in unnamed.iter().take(SHOWN) {
        let gone = if file.is_there { "" } else { " (removed or moved)" };
        let _ = writeln!(text, "- {}{gone}", file.path);
    }
    if unnamed.len() > SHOWN {
        let _ = writeln!(text, "- and {} more", unnamed.len() - SHOWN);
    }
    let _ = write!(text, "Undo changes that the task does not ask for. If a change is needed, say why in {SUMMARY}.");
    Judgement::warn(text)
}

/// Words that name the kind of a file, not the file.
const KINDS: [&str; 12] =
    ["section", "component", "page", "view", "screen", "test", "spec", "style", "module", "data", "d", "story"];
/// File names that most changes touch.
const ENTRIES: [&str; 4] = ["app", "main", "index", "global"];

/// Whether all words of the file's name, except for its kind, occur in the plan or the task.
fn is_named(path: &str, named: &BTreeSet<String>) -> bool {
    let name = path::name(path);
    let stem = name.strip_suffix(extension(name)).unwrap_or(name);
    let mut own = words(stem);
    if own.iter().any(|word| !KINDS.contains(&word.as_str())) {
        own.retain(|word| !KINDS.contains(&word.as_str()));
    }
    if path.starts_with("src/") && own.iter().all(|word| ENTRIES.contains(&word.as_str())) {
        return true;
    }
    if extension(name) == "css" && named.contains("theme") {
        return true;
    }
    !own.is_empty() && own.iter().all(|word| named.contains(word))
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
        let judgement = judge(&Project::of(&notes), &files);
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
        let feedback = judge(&Project::of(&[(PLAN, A_PLAN)]), &files).feedback.unwrap();
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
