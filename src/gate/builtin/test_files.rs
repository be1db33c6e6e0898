//! The gates of the project's own tests: `tests-kept` and `assertions-kept`.

use crate::gate::feedback::list_entries;
use crate::gate::{ChangedFile, Check, Finding, Gate, Judgement, Project, only_if};
use crate::js::calls::{Call, calls};
use crate::layout::SUMMARY;
use crate::path::extension;

/// A task neither removes nor skips tests. Applies if the task changed an existing test file.
pub(super) const TESTS_KEPT: Gate =
    Gate { name: "tests-kept", description: "the existing tests still run", check: Check::Changes(tests_kept) };

/// A task does not reduce the assertions of the tests. Applies if the task changed an existing test file.
pub(super) const ASSERTIONS_KEPT: Gate = Gate {
    name: "assertions-kept",
    description: "the tests have no fewer assertions than before",
    check: Check::Changes(assertions_kept),
};

/// Maximum number of tests read from a file.
const TESTS: usize = 1_000;
/// Maximum length of a title, in characters.
const TITLE: usize = 160;
/// Minimum similarity of two titles, from 0 to 1, to count as a rename.
const ALIKE: f64 = 0.85;

/// A changed test file before and after the task.
struct Compared<'f> {
    path: &'f str,
    before: TestFile,
    after: TestFile,
}

/// The contents of a test file.
#[derive(Debug, PartialEq, Eq, Default)]
struct TestFile {
    /// Tests and suites, in source order.
    tests: Vec<Test>,
    /// Number of assertions that can fail; `expect(true)` cannot.
    assertions: usize,
}

/// A test or a suite.
#[derive(Debug, PartialEq, Eq)]
struct Test {
    title: String,
    /// Whether the file lets it run.
    runs: bool,
    /// Only tests with this flag run (`it.only`).
    is_only: bool,
}

fn tests_kept(_: &Project, files: &[ChangedFile]) -> Finding {
    let files = compared(files)?;
    // A test may have moved to another file.
    let now: Vec<&Test> = files.iter().flat_map(|file| &file.after.tests).collect();
    let mut lines = Vec::new();
    for Compared { path, before, after } in &files {
        let mut new: Vec<&Test> =
            after.tests.iter().filter(|test| !before.tests.iter().any(|other| other.title == test.title)).collect();
        for test in before.tests.iter().filter(|test| test.runs) {
            let again: Vec<&&Test> = now.iter().filter(|other| other.title == test.title).collect();
            let is_rename = |other: &&Test| other.runs && strsim::jaro_winkler(&test.title, &other.title) >= ALIKE;
            if again.iter().any(|other| other.runs) {
                continue;
            }
            if !again.is_empty() {
                lines.push(format!("{path}: \"{}\" is now skipped", test.title));
            } else if let Some(renamed) = new.iter().position(is_rename) {
                new.remove(renamed);
            } else {
                lines.push(format!("{path}: \"{}\" was removed", test.title));
            }
        }
        let narrowed = after.tests.iter().filter(|test| {
            test.is_only && !before.tests.iter().any(|other| other.is_only && other.title == test.title)
        });
        lines.extend(narrowed.map(|test| format!("{path}: \"{}\" is now the only one that runs", test.title)));
    }
    if lines.is_empty() {
        return Ok(Judgement::pass());
    }
    Ok(Judgement::warn(format!(
        "Tests that ran before the task no longer run:\n{}\nRestore them and make the code pass them. If the task removes \
         what a test covers, say so in {SUMMARY}.",
        list_entries(&lines)
    )))
}

fn assertions_kept(_: &Project, files: &[ChangedFile]) -> Finding {
    let (mut before, mut after, mut fewer) = (0, 0, Vec::new());
    for file in compared(files)? {
        let (had, has) = (file.before.assertions, file.after.assertions);
        (before, after) = (before + had, after + has);
        if has < had {
            fewer.push(format!("{}: {had} before, {has} now", file.path));
        }
    }
    if after >= before {
        return Ok(Judgement::pass());
    }
    Ok(Judgement::warn(format!(
        "Assertions of the tests that can fail: {after}, and {before} before the task.\n{}\nRestore the removed \
         assertions and make the code pass them. If the task removes what they test, say so in {SUMMARY}.",
        list_entries(&fewer)
    )))
}

/// The changed test files, without those that exist and were not read.
///
/// # Errors
/// The task changed no existing test file.
fn compared(files: &[ChangedFile]) -> Result<Vec<Compared<'_>>, String> {
    let has_changed = files.iter().any(|file| file.was.as_deref().is_some_and(is_test));
    only_if(has_changed, "the task changed no existing test file")?;
    Ok(files.iter().filter_map(compare).collect())
}

fn compare(file: &ChangedFile) -> Option<Compared<'_>> {
    let was = file.was.as_deref().filter(|path| is_test(path));
    let is = Some(file.path.as_str()).filter(|path| file.is_there && is_test(path));
    if (was.is_none() && is.is_none()) || (is.is_some() && file.after.is_none()) {
        return None;
    }
    let side = |path: Option<&str>, text: &Option<String>| {
        path.map_or_else(TestFile::default, |path| read(text.as_deref().unwrap_or_default(), extension(path)))
    };
    let path = file.was.as_deref().unwrap_or(&file.path);
    Some(Compared { path, before: side(was, &file.before), after: side(is, &file.after) })
}

/// Whether the path names a test file.
fn is_test(path: &str) -> bool {
    path.contains(".test.") || path.contains(".spec.") || path.contains("__tests__/")
}

fn read(text: &str, extension: &str) -> TestFile {
    let mut file = TestFile::default();
    for call in calls(text, extension) {
        file.tests.extend(test(&call).filter(|_| file.tests.len() < TESTS));
        file.assertions += usize::from(is_assertion(&call));
    }
    file
}

fn test(call: &Call<'_>) -> Option<Test> {
    let mut names = call.callee.split('.').filter(|name| *name != "Deno");
    let first = names.next()?;
    let modifiers: Vec<&str> = names.collect();
    let (skipped, is_only) = match first {
        "it" | "test" | "describe" | "suite" | "context" | "specify" => (false, false),
        "xit" | "xtest" | "xdescribe" | "xcontext" | "xspecify" => (true, false),
        "fit" | "fdescribe" | "ftest" => (false, true),
        _ => return None,
    };
    let title = call.title?.chars().take(TITLE).collect();
    let any = |names: &[&str]| modifiers.iter().any(|modifier| names.contains(modifier));
    // Hooks and steps are not tests.
    if any(&["step", "beforeEach", "afterEach", "beforeAll", "afterAll", "use"]) {
        return None;
    }
    let skipped =
        skipped || any(&["skip", "todo", "fixme", "failing", "fails", "fail"]) || is_skipped_by_option(&call.rest);
    Some(Test { title, runs: !skipped, is_only: is_only || any(&["only"]) })
}

/// `test('adds', { skip: true }, …)`, as in the test runners of Node.js and Deno.
fn is_skipped_by_option(rest: &str) -> bool {
    let options = rest.trim_start().strip_prefix(',').map(str::trim_start).and_then(|rest| rest.strip_prefix('{'));
    let options = options.and_then(|rest| rest.split_once('}')).map(|(options, _)| options).unwrap_or_default();
    options
        .split(',')
        .filter_map(|option| option.split_once(':'))
        .any(|(name, value)| matches!(name.trim(), "skip" | "todo" | "ignore") && !value.trim().starts_with("false"))
}

fn is_assertion(call: &Call<'_>) -> bool {
    let names: Vec<&str> = call.callee.split('.').collect();
    let asserts = match names.as_slice() {
        ["expect"] | ["expect", "soft" | "poll"] => true,
        [first, ..] => first.starts_with("assert") || names.contains(&"assert"),
        [] => false,
    };
    let argument = call.rest.trim_start();
    asserts && !["true)", "1)", "true,"].iter().any(|always| argument.starts_with(always))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::GateVerdict::{self, Pass, Warn};

    const BEFORE: &str =
        "it('adds two numbers', () => { expect(add(1, 2)).toBe(3) })\nit('is zero', f)\nit.skip('later', f)\n";

    /// Verdict and feedback; a gate that does not apply passes.
    fn judged(gate: fn(&Project, &[ChangedFile]) -> Finding, files: &[ChangedFile]) -> (GateVerdict, String) {
        let judgement = gate(&Project::default(), files).unwrap_or_else(|_| Judgement::pass());
        (judgement.verdict, judgement.feedback.unwrap_or_default())
    }

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
            let (found, feedback) = judged(tests_kept, &[ChangedFile::from_texts("src/a.test.ts", BEFORE, &after)]);
            assert_eq!(found, verdict, "{after}");
            assert!(feedback.contains(words), "{feedback}");
        }
    }

    #[test]
    fn moved_tests_and_files_without_tests_pass() {
        for files in [
            vec![
                ChangedFile::from_texts("src/a.test.ts", BEFORE, ""),
                ChangedFile::from_texts("src/b.spec.tsx", "", BEFORE),
            ],
            vec![ChangedFile::renamed("src/a.test.ts", "src/b.spec.ts", BEFORE)],
            vec![ChangedFile::renamed("src/a.ts", "src/a.test.ts", BEFORE)],
            vec![ChangedFile::from_texts("src/a.ts", BEFORE, "")],
            vec![ChangedFile::unread("src/a.test.ts")],
        ] {
            assert_eq!(judged(tests_kept, &files).0, Pass, "{files:?}");
            assert_eq!(judged(assertions_kept, &files).0, Pass, "{files:?}");
        }
    }

    #[test]
    fn renaming_a_test_file_so_that_it_no_longer_runs_warns() {
        for to in ["src/a.ts", "src/a.test", "src/a.txt"] {
            let renamed = [ChangedFile::renamed("src/a.test.ts", to, BEFORE)];
            let (verdict, feedback) = judged(tests_kept, &renamed);
            assert_eq!((verdict, judged(assertions_kept, &renamed).0), (Warn, Warn), "{to}");
            assert!(feedback.contains("- src/a.test.ts: \"is zero\" was removed"), "{feedback}");
        }
    }

    #[test]
    fn fewer_assertions_than_before_warn() {
        let two = "it('a', () => { expect(a).toBe(1); expect(b).toBe(2) })";
        for (after, verdict) in [
            (two, Pass),
            ("it('a', () => { expect(a).toBe(1); expect(b).toBe(2); expect(c).toBe(3) })", Pass),
            ("it('a', () => { expect(a).toBe(1) })", Warn),
            ("it('a', () => { expect(a).toBe(1); expect(true).toBe(true) })", Warn),
            ("it('a', () => { expect(a).toBe(1); // expect(b).toBe(2)\n})", Warn),
            ("", Warn),
        ] {
            let changed = [ChangedFile::from_texts("src/a.test.ts", two, after)];
            assert_eq!(judged(assertions_kept, &changed).0, verdict, "{after}");
        }
        let (_, feedback) = judged(assertions_kept, &[ChangedFile::from_texts("src/a.test.ts", two, "")]);
        assert!(
            feedback.contains("can fail: 0, and 2 before the task.")
                && feedback.contains("- src/a.test.ts: 2 before, 0 now"),
            "{feedback}"
        );
    }

    #[test]
    fn skipped_and_exclusive_tests_are_recognised() {
        for (text, runs, is_only) in [
            ("it('a', () => {})", true, false),
            ("test.each([1])('a', () => {})", true, false),
            ("test.concurrent('a', f)", true, false),
            ("Deno.test('a', f)", true, false),
            ("test('a', { timeout: 5 }, f)", true, false),
            ("test('a', { skip: false }, f)", true, false),
            ("describe.skip('a', f)", false, false),
            ("it.todo('a')", false, false),
            ("xit('a', f)", false, false),
            ("test('a', { skip: 'later' }, f)", false, false),
            ("it.only('a', f)", true, true),
            ("fdescribe('a', f)", true, true),
        ] {
            assert_eq!(read(text, "ts").tests, [Test { title: "a".to_owned(), runs, is_only }], "{text}");
        }
        for text in ["edit('a', f)", "// it('a', f)", "test.step('a', f)", "it(name, f)", "model.it('a')"] {
            assert_eq!(read(text, "ts").tests, [], "{text}");
        }
        assert_eq!(read("", "ts"), TestFile::default());
    }

    #[test]
    fn only_assertions_that_can_fail_are_counted() {
        for (text, expected) in [
            ("expect(a).toBe(1); expect.soft(b).toBe(2)", 2),
            ("assert(a); assert.equal(a, b); t.assert.ok(c); assertEquals(a, b)", 4),
            ("expect(true).toBe(true); assert(true); assert(1)", 0),
            ("expect.any(String); // expect(a)\nconst s = 'expect(a)'", 0),
            ("expect(trueish)", 1),
        ] {
            assert_eq!(read(text, "ts").assertions, expected, "{text}");
        }
    }
}
