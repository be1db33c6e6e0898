//! The text of `.ralph/plan-diff.md`.

use super::entry::{DiffCategory, DiffStatus, PlanDiffEntry};
use crate::text::bullets;
use std::fmt::Write;

/// Maximum number of unread files to list.
const UNREAD_SHOWN: usize = 20;

/// Missing parts come first, then deviations, extras and built parts; then the files that could not be judged.
/// Deterministic.
pub(super) fn report(entries: &[PlanDiffEntry], unread: &[(String, String)]) -> String {
    let mut text = format!("# Plan and sources\n\n{}\n", summary(entries));
    let parts = [
        ("Missing", DiffStatus::Missing),
        ("Not as planned", DiffStatus::Deviation),
        ("Not in the plan", DiffStatus::Extra),
        ("Built", DiffStatus::Implemented),
    ];
    for (title, status) in parts {
        let mut of_status = entries.iter().filter(|entry| entry.status == status).peekable();
        if of_status.peek().is_some() {
            let _ = write!(text, "\n## {title}\n");
            of_status.for_each(|entry| {
                let _ = writeln!(text, "- {}", line(entry));
            });
        }
    }
    if !unread.is_empty() {
        text.push_str("\n## Not judged\n");
        let lines: Vec<String> = unread.iter().take(UNREAD_SHOWN).map(|(path, why)| format!("{path}: {why}")).collect();
        let _ = writeln!(text, "{}", bullets(&lines, UNREAD_SHOWN, unread.len()));
    }
    text
}

/// `5 of 7 planned parts are built: 1 missing, 1 not as planned.`
pub(crate) fn summary(entries: &[PlanDiffEntry]) -> String {
    let count = |status| entries.iter().filter(|entry| entry.status == status).count();
    let extra = count(DiffStatus::Extra);
    let mut text = format!(
        "{} of {} planned parts are built: {} missing, {} not as planned.",
        count(DiffStatus::Implemented),
        entries.len() - extra,
        count(DiffStatus::Missing),
        count(DiffStatus::Deviation)
    );
    if extra > 0 {
        let _ = write!(text, " {extra} not in the plan.");
    }
    text
}

/// `section hero → src/sections/HeroSection.tsx (Screen "home", line 7)`.
pub(crate) fn line(entry: &PlanDiffEntry) -> String {
    let is_section = entry.status == DiffStatus::Extra && entry.category == DiffCategory::Section;
    let mut text = if is_section { "component" } else { category(entry.category) }.to_owned();
    if !entry.planned.is_empty() {
        let _ = write!(text, " {}", entry.planned);
    }
    if let Some(found) = &entry.found {
        let _ = write!(text, "{}{found}", if entry.planned.is_empty() { " " } else { " → " });
    }
    if let Some(detail) = &entry.detail {
        let _ = write!(text, " ({detail})");
    }
    text
}

fn category(category: DiffCategory) -> &'static str {
    match category {
        DiffCategory::Screen => "screen",
        DiffCategory::Section => "section",
        DiffCategory::Theme => "theme",
        DiffCategory::Data => "data",
    }
}

/// The status as in [`PlanDiffEntry`] JSON.
pub(crate) fn status(status: DiffStatus) -> &'static str {
    match status {
        DiffStatus::Implemented => "implemented",
        DiffStatus::Deviation => "deviation",
        DiffStatus::Missing => "missing",
        DiffStatus::Extra => "extra",
    }
}
