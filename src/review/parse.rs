//! A reviewer's text → its judgement. Total: a text that cannot be read is inconclusive, never a pass.

use super::{Decision, Judgement, Review, ReviewIssue, Severity, Summary, issue};
use crate::answer::{self, Format, is_one_object};
use serde_json::{Map, Value};

/// Maximum number of issues in a review.
const ISSUES_MAX: usize = 200;

/// Maximum number of warnings.
const WARNINGS_MAX: usize = 20;

const FORMAT: Format = Format { key: "decision", words: &["ship", "revise"], counts_json_fences: true };

/// Reads a review.
pub fn parse(text: &str) -> Judgement {
    read(text).0
}

/// Reads a review, with warnings about what contradicts itself and what had to be guessed.
pub fn read(text: &str) -> (Judgement, Vec<String>) {
    let mut review = Draft::default();
    let judgement = match review.add_all(text).and_then(|()| review.judge(is_one_object(text))) {
        Ok(review) if review.decision == Decision::Ship => Judgement::Ship { review },
        Ok(review) => Judgement::Revise { review },
        Err(reason) => Judgement::Inconclusive { reason },
    };
    (judgement, review.warnings)
}

/// The verdicts of a text so far, joined.
#[derive(Default)]
struct Draft {
    decision: Option<Decision>,
    issues: Vec<ReviewIssue>,
    summary: Summary,
    warnings: Vec<String>,
    /// Whether an issue says anything.
    has_reason: bool,
}

impl Draft {
    /// # Errors
    /// Why the text has no verdict.
    fn add_all(&mut self, text: &str) -> Result<(), String> {
        let reading = answer::read(text, FORMAT);
        if let Some(reason) = reading.error {
            return Err(reason);
        }
        reading.verdicts.iter().try_for_each(|fields| self.add(fields))?;
        match self.decision {
            Some(_) => Ok(()),
            None if reading.has_quoted => Err("the answer only quotes a verdict".to_owned()),
            None if !reading.others.is_empty() => Err("the JSON has no `decision`".to_owned()),
            None => Err("the answer has no JSON object with a `decision`".to_owned()),
        }
    }

    /// # Errors
    /// Why the verdict is not one, or contradicts an earlier one.
    fn add(&mut self, fields: &Map<String, Value>) -> Result<(), String> {
        let written = fields.get("decision");
        let decision = match written.and_then(Value::as_str).map(|text| text.trim().to_ascii_uppercase()).as_deref() {
            Some("SHIP") => Decision::Ship,
            Some("REVISE") => Decision::Revise,
            _ => return Err(format!("the decision {} is neither \"SHIP\" nor \"REVISE\"", issue::to_text(written))),
        };
        if self.decision.is_some_and(|earlier| earlier != decision) {
            return Err("the answer is ambiguous: it has both \"SHIP\" and \"REVISE\"".to_owned());
        }
        self.decision = Some(decision);
        let unknown = if decision == Decision::Ship { Severity::High } else { Severity::Medium };
        let issues = match fields.get("issues") {
            None | Some(Value::Null) => [].as_slice(),
            Some(Value::Array(issues)) => issues,
            Some(_) => return Err("`issues` is not an array".to_owned()),
        };
        issues.iter().filter(|value| !issue::is_empty(value)).for_each(|value| self.add_issue(value, unknown));
        Ok(())
    }

    /// Counts an issue, and reads it if it may be one of the most severe.
    fn add_issue(&mut self, value: &Value, unknown: Severity) {
        let severity = issue::severity(value);
        let counter = match severity.unwrap_or(unknown) {
            Severity::High => &mut self.summary.high,
            Severity::Medium => &mut self.summary.medium,
            Severity::Low => &mut self.summary.low,
        };
        *counter += 1;
        self.has_reason |= severity.is_some() || issue::has_text(value);
        self.summary.total += 1;
        if *counter as usize <= ISSUES_MAX {
            let (issue, warning) = issue::read(value, severity, unknown);
            self.issues.push(issue);
            let is_full = self.warnings.len() >= WARNINGS_MAX;
            self.warnings.extend(
                warning
                    .filter(|_| !is_full)
                    .map(|text| format!("issues[{}]: {text}", self.summary.total.saturating_sub(1))),
            );
        }
    }

    /// # Errors
    /// A rejection without a reason, or an approval that is not all of the answer.
    fn judge(&mut self, is_whole: bool) -> Result<Review, String> {
        let mut issues = std::mem::take(&mut self.issues);
        let mut decision = self.decision.ok_or("the answer has no decision")?;
        if decision == Decision::Ship && self.summary.high > 0 {
            decision = Decision::Revise;
            self.warnings
                .push("the decision is \"SHIP\", but an issue has a high severity: it counts as \"REVISE\"".to_owned());
        }
        if decision == Decision::Revise && !self.has_reason {
            return Err("the decision is \"REVISE\", but no issue says what to revise".to_owned());
        }
        if decision == Decision::Ship && !is_whole {
            return Err(
                "the decision is \"SHIP\", but the answer has more than that, which may be a quotation".to_owned()
            );
        }
        if issues.len() > ISSUES_MAX {
            issues = by_severity(&issues).take(ISSUES_MAX).cloned().collect();
        }
        Ok(Review { decision, issues, summary: self.summary })
    }
}

/// The issues, the most severe first, and within one severity in the reviewer's order.
pub(super) fn by_severity(issues: &[ReviewIssue]) -> impl Iterator<Item = &ReviewIssue> {
    let of = |severity| issues.iter().filter(move |issue| issue.severity == severity);
    [Severity::High, Severity::Medium, Severity::Low].into_iter().flat_map(of)
}
