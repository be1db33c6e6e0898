//! `assertions-kept`: a task does not reduce the assertions of the tests.

use super::test_file;
use crate::gate::contract::{ChangeGate, only_if};
use crate::gate::{ChangedFile, Judgement, Project};
use crate::layout::SUMMARY;

/// Applies if the task changed an existing test file.
pub(crate) const GATE: ChangeGate = ChangeGate {
    name: "assertions-kept",
    description: "the tests have no fewer assertions than before",
    applies: |files| only_if(test_file::has_changed(files), "the task changed no existing test file"),
    judge,
};

fn judge(_project: &Project, files: &[ChangedFile]) -> Judgement {
    let (mut before, mut after, mut fewer) = (0, 0, Vec::new());
    for file in files {
        let Some((had, has)) = test_file::compared(file) else { continue };
        let (had, has) = (had.assertions, has.assertions);
        (before, after) = (before + had, after + has);
        if has < had {
            let path = file.was.as_ref().unwrap_or(&file.path);
            fewer.push(format!("- {path}: {had} before, {has} now\n"));
        }
    }
    if after >= before {
        return Judgement::pass();
    }
    Judgement::warn(format!(
        "The tests make {after} assertions that can fail; before the task they made {before}:\n{}Restore the removed \
         assertions and make the code pass them. If the task removes what they test, say so in {SUMMARY}.",
        fewer.concat()
    ))
}

#[cfg(test)]
mod tests {
    use super::super::test_file::judged;
    use super::*;
    use crate::gate::GateVerdict::{Pass, Warn};

    #[test]
    fn fewer_assertions_than_before_warn() {
        let two = "it('a', () => { expect(a).toBe(1); expect(b).toBe(2) })";
        let judged = |files: &[ChangedFile]| judged(&GATE, files);
        for (after, verdict) in [
            (two, Pass),
            ("it('a', () => { expect(a).toBe(1); expect(b).toBe(2); expect(c).toBe(3) })", Pass),
            ("it('a', () => { expect(a).toBe(1) })", Warn),
            ("it('a', () => { expect(a).toBe(1); expect(true).toBe(true) })", Warn),
            ("it('a', () => { expect(a).toBe(1); // expect(b).toBe(2)\n})", Warn),
            ("", Warn),
        ] {
            assert_eq!(judged(&[ChangedFile::of("src/a.test.ts", two, after)]).0, verdict, "{after}");
        }
        let (_, feedback) = judged(&[ChangedFile::of("src/a.test.ts", two, "")]);
        assert!(
            feedback.contains("make 0 assertions") && feedback.contains("- src/a.test.ts: 2 before, 0 now"),
            "{feedback}"
        );
        let moved = [ChangedFile::of("a.test.ts", two, ""), ChangedFile::of("b.test.ts", "", two)];
        assert_eq!(judged(&moved).0, Pass, "the assertions moved to another file");
        assert_eq!(judged(&[ChangedFile::renamed("a.test.ts", "b.test.ts", two)]).0, Pass);
        assert_eq!(
            judged(&[ChangedFile::renamed("a.test.ts", "a.ts", two)]).0,
            Warn,
            "a renamed file is not run as a test"
        );
        assert_eq!(judged(&[ChangedFile::unread("a.test.ts")]).0, Pass);
        assert_eq!(judged(&[ChangedFile::of("a.ts", two, "")]).0, Pass);
    }
}
