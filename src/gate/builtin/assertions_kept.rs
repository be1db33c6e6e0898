//! `assertions-kept`: after a task the tests assert no less than before.

use super::test_file;
use crate::gate::contract::ChangeGate;
use crate::gate::{ChangedFile, Judgement, Project};

/// Applies where the task changed a test file that was there.
pub const GATE: ChangeGate = ChangeGate {
    name: "assertions-kept",
    description: "the tests assert no less than before",
    applies: |files| files.iter().any(|file| file.is_test() && file.was_there),
    judge,
};

fn judge(_project: &Project, files: &[ChangedFile]) -> Judgement {
    let (mut before, mut after, mut fewer) = (0, 0, Vec::new());
    for file in files.iter().filter(|file| file.is_test()) {
        let count = |text: &Option<String>| test_file::read(text.as_deref(), file.extension()).assertions;
        let (had, has) = (count(&file.before), count(&file.after));
        (before, after) = (before + had, after + has);
        if has < had {
            fewer.push(format!("- {}: {had} before, {has} now\n", file.path));
        }
    }
    if after >= before {
        return Judgement::pass();
    }
    Judgement::warn(format!(
        "The tests make {after} assertions that can fail; before the task they made {before}:\n{}Bring them back and make \
         the code pass them: a test that asserts less shows less. Where the task removes what they are about, say so in \
         .ralph/summary.md.",
        fewer.concat()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::GateVerdict::{self, Pass, Warn};

    fn judged(files: &[(&str, &str, &str)]) -> (GateVerdict, String) {
        let files: Vec<ChangedFile> =
            files.iter().map(|(path, before, after)| ChangedFile::of(path, before, after)).collect();
        let judgement = judge(&Project::default(), &files);
        (judgement.verdict, judgement.feedback.unwrap_or_default())
    }

    #[test]
    fn fewer_assertions_that_can_fail_are_told() {
        let two = "it('a', () => { expect(a).toBe(1); expect(b).toBe(2) })";
        for (after, verdict) in [
            (two, Pass),
            ("it('a', () => { expect(a).toBe(1); expect(b).toBe(2); expect(c).toBe(3) })", Pass),
            ("it('a', () => { expect(a).toBe(1) })", Warn),
            ("it('a', () => { expect(a).toBe(1); expect(true).toBe(true) })", Warn),
            ("it('a', () => { expect(a).toBe(1); // expect(b).toBe(2)\n})", Warn),
            ("", Warn),
        ] {
            assert_eq!(judged(&[("src/a.test.ts", two, after)]).0, verdict, "{after}");
        }
        let (_, feedback) = judged(&[("src/a.test.ts", two, "")]);
        assert!(
            feedback.contains("make 0 assertions") && feedback.contains("- src/a.test.ts: 2 before, 0 now"),
            "{feedback}"
        );
        assert_eq!(judged(&[("a.test.ts", two, ""), ("b.test.ts", "", two)]).0, Pass, "they moved");
        assert_eq!(judged(&[("a.ts", two, "")]).0, Pass);
    }
}
