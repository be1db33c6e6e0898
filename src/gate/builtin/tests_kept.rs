//! `tests-kept`: a task removes no test and skips none.

use super::test_file::{self, Test};
use crate::gate::contract::ChangeGate;
use crate::gate::{ChangedFile, Judgement, Project};
use std::fmt::Write;

/// Applies where the task changed a test file that was there.
pub const GATE: ChangeGate = ChangeGate {
    name: "tests-kept",
    description: "the tests that were there still run",
    applies: |files| files.iter().any(|file| file.is_test() && file.was_there),
    judge,
};

/// Tests that are named in a report.
const SHOWN: usize = 12;

fn judge(_project: &Project, files: &[ChangedFile]) -> Judgement {
    let files: Vec<Compared<'_>> = files.iter().filter(|file| file.is_test()).map(Compared::new).collect();
    // A test may move from one file to another.
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
                lines.push(format!("{}: \"{}\" is skipped now", file.path, test.title));
            } else if let Some(renamed) = new.iter().position(|other| other.runs && is_rename(test, other)) {
                new.remove(renamed);
            } else {
                lines.push(format!("{}: \"{}\" is gone", file.path, test.title));
            }
        }
        let narrowed = file.after.iter().filter(|test| test.is_only && !was_only(&file.before, &test.title));
        lines.extend(narrowed.map(|test| format!("{}: \"{}\" is the only one that runs now", file.path, test.title)));
    }
    if lines.is_empty() {
        return Judgement::pass();
    }
    let mut text = String::from("Tests that ran before the task do not run any more:\n");
    for line in lines.iter().take(SHOWN) {
        let _ = writeln!(text, "- {line}");
    }
    if lines.len() > SHOWN {
        let _ = writeln!(text, "- and {} more", lines.len() - SHOWN);
    }
    text.push_str(
        "Bring them back and make the code pass them. Where the task removes what a test is about, say so in \
                   .ralph/summary.md.",
    );
    Judgement::warn(text)
}

struct Compared<'f> {
    path: &'f str,
    before: Vec<Test>,
    after: Vec<Test>,
}

impl<'f> Compared<'f> {
    fn new(file: &'f ChangedFile) -> Self {
        let tests = |text: &Option<String>| test_file::read(text.as_deref(), file.extension()).tests;
        Self { path: &file.path, before: tests(&file.before), after: tests(&file.after) }
    }
}

fn has(tests: &[Test], title: &str) -> bool {
    tests.iter().any(|test| test.title == title)
}

fn was_only(tests: &[Test], title: &str) -> bool {
    tests.iter().any(|test| test.is_only && test.title == title)
}

/// Titles that are this much alike, from 0 to 1, are two names of one test.
const ALIKE: f64 = 0.85;

fn is_rename(test: &Test, other: &Test) -> bool {
    strsim::jaro_winkler(&test.title, &other.title) >= ALIKE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::GateVerdict::{self, Pass, Warn};

    const BEFORE: &str =
        "it('adds two numbers', () => { expect(add(1, 2)).toBe(3) })\nit('is zero', f)\nit.skip('later', f)\n";

    fn judged(files: &[(&str, &str, &str)]) -> (GateVerdict, String) {
        let files: Vec<ChangedFile> =
            files.iter().map(|(path, before, after)| ChangedFile::of(path, before, after)).collect();
        let judgement = judge(&Project::default(), &files);
        (judgement.verdict, judgement.feedback.unwrap_or_default())
    }

    #[test]
    fn a_test_that_no_longer_runs_is_named() {
        let change = |from: &str, to: &str| BEFORE.replace(from, to);
        for (after, verdict, words) in [
            (BEFORE.to_owned(), Pass, ""),
            (format!("{BEFORE}it('is new', f)\n"), Pass, ""),
            (change("it.skip", "it"), Pass, ""),
            (change("adds two numbers", "adds two integers"), Pass, ""),
            (change("it('is zero', f)", ""), Warn, "src/a.test.ts: \"is zero\" is gone"),
            (change("it('is zero', f)", "// it('is zero', f)"), Warn, "\"is zero\" is gone"),
            (change("it('is zero', f)", "it('renders the page', f)"), Warn, "\"is zero\" is gone"),
            (change("it('is zero'", "it.skip('is zero'"), Warn, "\"is zero\" is skipped now"),
            (change("it('is zero'", "xit('is zero'"), Warn, "\"is zero\" is skipped now"),
            (change("it('is zero'", "it.only('is zero'"), Warn, "\"is zero\" is the only one that runs now"),
            (String::new(), Warn, "\"adds two numbers\" is gone\n- src/a.test.ts: \"is zero\" is gone"),
        ] {
            let (found, feedback) = judged(&[("src/a.test.ts", BEFORE, &after)]);
            assert_eq!(found, verdict, "{after}");
            assert!(feedback.contains(words), "{feedback}");
        }
    }

    #[test]
    fn a_test_that_moved_is_there_and_other_files_are_no_tests() {
        assert_eq!(judged(&[("src/a.test.ts", BEFORE, ""), ("src/b.spec.tsx", "", BEFORE)]).0, Pass);
        assert_eq!(judged(&[("src/a.ts", BEFORE, "")]).0, Pass);
    }
}
