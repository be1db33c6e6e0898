//! `tests-kept`: a task neither removes nor skips tests.

use super::test_file::{self, Test};
use crate::gate::contract::{ChangeGate, only_if};
use crate::gate::{ChangedFile, Judgement, Project};
use crate::layout::SUMMARY;
use std::fmt::Write;

/// Applies if the task changed an existing test file.
pub(crate) const GATE: ChangeGate = ChangeGate {
    name: "tests-kept",
    description: "the existing tests still run",
    applies: |files| only_if(test_file::has_changed(files), "the task changed no existing test file"),
    judge,
};

/// Maximum number of tests in a report.
const SHOWN: usize = 12;

fn judge(_project: &Project, files: &[ChangedFile]) -> Judgement {
    let files: Vec<Compared<'_>> = files.iter().filter_map(Compared::of).collect();
    // A test may have moved to another file.
    let now: Vec<&Test> = files.iter().flat_map(|file| &file.after).collect();
    let mut lines = Vec::new();
    for file in &files {
        let mut new: Vec<&Test> = file.after.iter().filter(|test| !has(&file.before, &test.title)).collect();
        for test in file.before.iter().filter(|test| test.runs) {
            let again: Vec<&&Test> = now.iter().filter(|other| other.title == test.title).collect();
            if again.iter().any(|other| other.runs) {
                continue;
            }
            if !again.is_empty() {
                lines.push(format!("{}: \"{}\" is now skipped", file.path, test.title));
            } else if let Some(renamed) = new.iter().position(|other| other.runs && is_rename(test, other)) {
                new.remove(renamed);
            } else {
                lines.push(format!("{}: \"{}\" was removed", file.path, test.title));
            }
        }
        let narrowed = file.after.iter().filter(|test| test.is_only && !was_only(&file.before, &test.title));
        lines.extend(narrowed.map(|test| format!("{}: \"{}\" is now the only one that runs", file.path, test.title)));
    }
    if lines.is_empty() {
        return Judgement::pass();
    }
    let mut text = String::from("Tests that ran before the task no longer run:\n");
    for line in lines.iter().take(SHOWN) {
        let _ = writeln!(text, "- {line}");
    }
    if lines.len() > SHOWN {
        let _ = writeln!(text, "- and {} more", lines.len() - SHOWN);
    }
    let _ = write!(
        text,
        "Restore them and make the code pass them. If the task removes what a test covers, say so in {SUMMARY}."
    );
    Judgement::warn(text)
}

struct Compared<'f> {
    path: &'f str,
    before: Vec<Test>,
    after: Vec<Test>,
}

impl<'f> Compared<'f> {
    fn of(file: &'f ChangedFile) -> Option<Self> {
        let (before, after) = test_file::compared(file)?;
        Some(Self { path: file.was.as_deref().unwrap_or(&file.path), before: before.tests, after: after.tests })
    }
}

fn has(tests: &[Test], title: &str) -> bool {
    tests.iter().any(|test| test.title == title)
}

fn was_only(tests: &[Test], title: &str) -> bool {
    tests.iter().any(|test| test.is_only && test.title == title)
}

/// Minimum similarity of two titles, from 0 to 1, to count as a rename.
const ALIKE: f64 = 0.85;

fn is_rename(test: &Test, other: &Test) -> bool {
    strsim::jaro_winkler(&test.title, &other.title) >= ALIKE
}

#[cfg(test)]
mod tests {
    use super::super::test_file::judged;
    use super::*;
    use crate::gate::GateVerdict::{Pass, Warn};

    const BEFORE: &str =
        "it('adds two numbers', () => { expect(add(1, 2)).toBe(3) })\nit('is zero', f)\nit.skip('later', f)\n";

    #[test]
    fn every_removed_or_skipped_test_is_reported() {
        let change = |from: &str, to: &str| BEFORE.replace(from, to);
        for (after, verdict, words) in [
            (BEFORE.to_owned(), Pass, ""),
            (format!("{BEFORE}it('is new', f)\n"), Pass, ""),
            (change("it.skip", "it"), Pass, ""),
            (change("adds two numbers", "adds two integers"), Pass, ""),
            (change("it('is zero', f)", ""), Warn, "src/a.test.ts: \"is zero\" was removed"),
            (change("it('is zero', f)", "// it('is zero', f)"), Warn, "\"is zero\" was removed"),
            (change("it('is zero', f)", "it('renders the page', f)"), Warn, "\"is zero\" was removed"),
            (change("it('is zero'", "it.skip('is zero'"), Warn, "\"is zero\" is now skipped"),
            (change("it('is zero'", "xit('is zero'"), Warn, "\"is zero\" is now skipped"),
            (change("it('is zero'", "it.only('is zero'"), Warn, "\"is zero\" is now the only one that runs"),
            (String::new(), Warn, "\"adds two numbers\" was removed\n- src/a.test.ts: \"is zero\" was removed"),
        ] {
            let (found, feedback) = judged(&GATE, &[ChangedFile::of("src/a.test.ts", BEFORE, &after)]);
            assert_eq!(found, verdict, "{after}");
            assert!(feedback.contains(words), "{feedback}");
        }
    }

    #[test]
    fn moved_tests_and_files_without_tests_pass() {
        for files in [
            vec![ChangedFile::of("src/a.test.ts", BEFORE, ""), ChangedFile::of("src/b.spec.tsx", "", BEFORE)],
            vec![ChangedFile::renamed("src/a.test.ts", "src/b.spec.ts", BEFORE)],
            vec![ChangedFile::renamed("src/a.ts", "src/a.test.ts", BEFORE)],
            vec![ChangedFile::of("src/a.ts", BEFORE, "")],
            vec![ChangedFile::unread("src/a.test.ts")],
        ] {
            assert_eq!(judged(&GATE, &files).0, Pass, "{files:?}");
        }
    }

    #[test]
    fn renaming_a_test_file_so_that_it_no_longer_runs_warns() {
        for to in ["src/a.ts", "src/a.test", "src/a.txt"] {
            let (verdict, feedback) = judged(&GATE, &[ChangedFile::renamed("src/a.test.ts", to, BEFORE)]);
            assert_eq!(verdict, Warn, "{to}");
            assert!(feedback.contains("- src/a.test.ts: \"is zero\" was removed"), "{feedback}");
        }
    }
}
