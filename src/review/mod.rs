//! Reviews: what a reviewer is asked, and what its answer means.
//!
//! | file | what |
//! |---|---|
//! | `parse`, `issue` | the text's [`Judgement`], the verdicts of a text joined |
//! | `prompt`, `reviewer.md` | the request, the format of the answer, the second request after an unusable answer |
//! | `feedback` | what the next attempt must fix |

mod feedback;
mod issue;
mod parse;
mod prompt;
#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests;

pub use crate::config::ReviewTier as Tier;
pub use feedback::{Reviewed, feedback};
pub use parse::{parse, read};
pub use prompt::{FileDiff, Request, again, prompt, shape};

use serde::{Deserialize, Serialize};

/// What a reviewer's answer means for the work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum Judgement {
    Ship {
        review: Review,
    },
    /// The review has at least one issue.
    Revise {
        review: Review,
    },
    /// The answer has no readable verdict. It is neither a pass nor a rejection.
    Inconclusive {
        reason: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Review {
    pub decision: Decision,
    /// In the reviewer's order, at most 200. Of more, the most severe ones come first and the others are left out.
    pub issues: Vec<ReviewIssue>,
    pub summary: Summary,
}

impl Review {
    /// How many issues the reviewer gave beyond those in `issues`.
    pub fn omitted(&self) -> usize {
        (self.summary.total as usize).saturating_sub(self.issues.len())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum Decision {
    Ship,
    Revise,
}

/// How many issues the reviewer gave, those that are left out included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Summary {
    pub total: u32,
    pub high: u32,
    pub medium: u32,
    pub low: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify), tsify(missing_as_null))]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct ReviewIssue {
    /// As the reviewer wrote it; empty if it named no file. Only [`ReviewIssue::project_file`] may be opened.
    pub file: String,
    /// The first and the last line, from 1.
    pub lines: Option<[u32; 2]>,
    #[serde(rename = "type")]
    pub kind: IssueType,
    pub severity: Severity,
    pub description: String,
    pub suggestion: String,
    /// What the next attempt must do; never empty.
    pub agent_prompt: String,
}

impl ReviewIssue {
    /// The file, if its path can be one of the project: relative, and without a way out.
    pub fn project_file(&self) -> Option<&str> {
        let file = self.file.strip_prefix("./").unwrap_or(&self.file);
        let is_plain = |name: &str| !matches!(name, "" | "." | "..");
        let has_foreign_part = file.contains(['\\', ':']) || file.contains(char::is_control);
        (!has_foreign_part && file.split('/').all(is_plain)).then_some(file)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum IssueType {
    Security,
    RaceCondition,
    MemoryLeak,
    ErrorHandling,
    LogicBug,
    Accessibility,
    Architecture,
}

/// From the most to the least severe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum Severity {
    High,
    Medium,
    Low,
}
