//! The tests of a test file, and the number of its assertions.

use crate::gate::ChangedFile;
#[cfg(test)]
use crate::gate::{GateVerdict, Project, contract::ChangeGate};
use crate::js::calls::{Call, calls};
use crate::path::extension;

/// The contents of a test file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct TestFile {
    /// Tests and suites, in source order.
    pub tests: Vec<Test>,
    /// Number of assertions that can fail; `expect(true)` cannot.
    pub assertions: usize,
}

/// A test or a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Test {
    pub title: String,
    /// Whether the file lets it run.
    pub runs: bool,
    /// Only tests with this flag run (`it.only`).
    pub is_only: bool,
}

/// Maximum number of tests read from a file.
const TESTS: usize = 1_000;
/// Maximum length of a title, in characters.
const TITLE: usize = 160;

/// Whether the task changed an existing test file.
pub(super) fn has_changed(files: &[ChangedFile]) -> bool {
    files.iter().any(|file| file.was.as_deref().is_some_and(is_test))
}

/// A changed test file before and after the task. `None` if it is not a test file, or exists and was not read.
pub(super) fn compared(file: &ChangedFile) -> Option<(TestFile, TestFile)> {
    let was = file.was.as_deref().filter(|path| is_test(path));
    let is = Some(file.path.as_str()).filter(|path| file.is_there && is_test(path));
    if (was.is_none() && is.is_none()) || (is.is_some() && file.after.is_none()) {
        return None;
    }
    let side = |path: Option<&str>, text: &Option<String>| {
        path.map_or_else(TestFile::default, |path| read(text.as_deref(), extension(path)))
    };
    Some((side(was, &file.before), side(is, &file.after)))
}

/// Whether the path is that of a test file.
fn is_test(path: &str) -> bool {
    path.contains(".test.") || path.contains(".spec.") || path.contains("__tests__/")
}

/// Reads a test file. A missing file has no tests.
fn read(text: Option<&str>, extension: &str) -> TestFile {
    let mut file = TestFile::default();
    for call in calls(text.unwrap_or_default(), extension) {
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

/// The verdict and feedback of a gate for these changed files.
#[cfg(test)]
pub(super) fn judged(gate: &ChangeGate, files: &[ChangedFile]) -> (GateVerdict, String) {
    let judgement = (gate.judge)(&Project::default(), files);
    (judgement.verdict, judgement.feedback.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(read(Some(text), "ts").tests, [Test { title: "a".to_owned(), runs, is_only }], "{text}");
        }
        for text in ["edit('a', f)", "// it('a', f)", "test.step('a', f)", "it(name, f)", "model.it('a')"] {
            assert_eq!(read(Some(text), "ts").tests, [], "{text}");
        }
        assert_eq!(read(None, "ts"), TestFile::default());
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
            assert_eq!(read(Some(text), "ts").assertions, expected, "{text}");
        }
    }
}
