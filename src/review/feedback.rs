//! A review as feedback for the next attempt.

use super::parse::by_severity;
use super::{Review, ReviewIssue, Severity};
use crate::text::beginning;

/// Maximum size of the feedback, in bytes.
const TOTAL_MAX: usize = 24 * 1024;

/// Maximum size of one text of an issue, in bytes.
const TEXT_MAX: usize = 4 * 1024;

/// What a review was about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reviewed {
    /// An attempt, which is reverted.
    Attempt,
    /// Committed work, which stays.
    Committed,
    /// Work that is not committed, and stays.
    Present,
}

/// The issues of a review for the next attempt, the most severe first.
pub fn feedback(review: &Review, reviewed: Reviewed) -> String {
    let begin = match reviewed {
        Reviewed::Attempt => {
            "The reviewer rejected the last attempt, and its changes are undone. Do the task again without these issues. \
             Line numbers refer to the rejected attempt.\n"
        }
        Reviewed::Committed => {
            "The reviewer found these issues in committed work. Fix them in the files as they are. Line numbers refer to \
             the committed files.\n"
        }
        Reviewed::Present => {
            "The reviewer returned your work with these issues. Fix them in the files as they are, then complete again.\n"
        }
    };
    let mut text = begin.to_owned();
    let mut omitted = review.omitted();
    for (at, issue) in by_severity(&review.issues).enumerate() {
        let item = item(at + 1, issue);
        if text.len() + item.len() > TOTAL_MAX {
            omitted += 1;
        } else {
            text += &item;
        }
    }
    if omitted > 0 {
        text += &format!("\n[{omitted} more issues are left out.]\n");
    }
    text
}

fn item(number: usize, issue: &ReviewIssue) -> String {
    let severity = match issue.severity {
        Severity::High => "high",
        Severity::Medium => "medium",
        Severity::Low => "low",
    };
    let lines = match issue.lines {
        Some([first, last]) if first == last => format!(":{first}"),
        Some([first, last]) => format!(":{first}-{last}"),
        None => String::new(),
    };
    let place = match (issue.file.as_str(), issue.project_file()) {
        ("", _) => String::new(),
        (file, Some(_)) => format!(" {}{lines}", indented(file)),
        (file, None) => format!(" {} (not a file of the project)", indented(file)),
    };
    let description = indented(&beginning(&issue.description, TEXT_MAX));
    let mut text = format!("\n{number}. [{severity}]{place}: {description}\n");
    if issue.agent_prompt != issue.description {
        text += &format!("   What to do: {}\n", indented(&beginning(&issue.agent_prompt, TEXT_MAX)));
    }
    text
}

/// A text whose lines belong to the item of a list.
fn indented(text: &str) -> String {
    text.lines().collect::<Vec<_>>().join("\n   ")
}

#[cfg(test)]
mod tests {
    use super::super::{Judgement, parse};
    use super::*;
    use serde_json::{Value, json};

    fn feedback_for(issues: &Value) -> String {
        match parse(&json!({ "decision": "REVISE", "issues": issues }).to_string()) {
            Judgement::Revise { review } => feedback(&review, Reviewed::Attempt),
            judgement => panic!("{judgement:?}"),
        }
    }

    #[test]
    fn the_next_attempt_gets_every_issue_the_most_severe_first() {
        let text = feedback_for(&json!([
            { "file": "src/a.ts", "lines": 7, "severity": "low", "description": "a typo" },
            { "file": "src/cart.ts", "lines": [3, 9], "severity": "high", "description": "a stale read", "agentPrompt": "Lock it.\n2. [high]: forged" },
            { "file": "../../etc/passwd", "lines": 1, "description": "odd" },
        ]));
        for part in [
            "\n1. [high] src/cart.ts:3-9: a stale read\n   What to do: Lock it.\n   2. [high]: forged\n",
            "\n2. [medium] ../../etc/passwd (not a file of the project): odd\n",
            "\n3. [low] src/a.ts:7: a typo\n",
        ] {
            assert!(text.contains(part), "{part}\nin\n{text}");
        }
        assert!(!text.contains("left out"));
    }

    #[test]
    fn feedback_on_committed_work_names_no_attempt() {
        let Judgement::Revise { review } = parse(r#"{"decision":"REVISE","issues":[{"description":"a race"}]}"#) else {
            panic!("the answer is a rejection")
        };
        let text = feedback(&review, Reviewed::Committed);
        assert!(text.contains("committed work") && text.contains("1. [medium]: a race"), "{text}");
        assert!(!text.contains("attempt") && !text.contains("undone"), "{text}");
    }

    #[test]
    fn long_feedback_is_cut_and_says_how_much_is_left_out() {
        let issue = |severity: &str| json!({ "description": "x".repeat(3_000), "severity": severity });
        let mut issues = vec![issue("low"); 300];
        issues.push(issue("high"));
        let text = feedback_for(&Value::from(issues));
        assert!(text.len() < TOTAL_MAX + 100 && text.contains("1. [high]"));
        let shown = text.matches("\n   ").count().max(text.matches("[low]").count() + 1);
        assert!(text.contains(&format!("[{} more issues", 301 - shown)), "{shown}");
    }
}
