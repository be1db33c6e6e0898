//! The texts of `.ralph/feedback.md` that the phases write (`seeds/000`). Gates write their own.

use crate::plan::{Diagnostic, PlanReport};

/// After a plan was checked: what to mend, or that BUILD is open.
pub fn plan_checked(report: &PlanReport, objection: Option<&str>) -> String {
    if report.failures.iter().any(|failure| failure.id == "parseable") {
        let errors: Vec<String> = report.failures.iter().map(|failure| line("FAIL", failure)).collect();
        let errors = errors.join("\n");
        return format!(
            "# Plan Validation\n\nplan.tsx has syntax errors:\n{errors}\n\nFix the plan and write .ralph/plan.tsx again.\n"
        );
    }
    let warnings: Vec<String> = report.warnings.iter().map(|warning| line("WARN", warning)).collect();
    if !report.ok {
        let mut lines: Vec<String> = report.failures.iter().map(|failure| line("FAIL", failure)).collect();
        if !warnings.is_empty() {
            lines.push(String::new());
            lines.extend(warnings);
        }
        let lines = lines.join("\n");
        return format!("# Plan Validation\n\n{lines}\n\nFix the issues and write the plan again.\n");
    }
    if let Some(reason) = objection {
        return format!(
            "# Plan Not Approved\n\nYour plan is structurally valid, but it was not approved: {reason}\n\nChange the plan \
             accordingly and write .ralph/plan.tsx again.\n"
        );
    }
    let warnings = if warnings.is_empty() { String::new() } else { format!("\n\nWarnings:\n{}", warnings.join("\n")) };
    format!(
        "# Plan Validated ✓\n\nYour plan is structurally valid. Now implement it.{warnings}\n\nImplement the sections in \
         the order of the plan, one file per section, and render them from src/App.tsx. Take every colour from the \
         theme's CSS variables.\n\nWrite .ralph/summary.md when done, then call complete_task.\n"
    )
}

/// After a completion that a plan must come before.
pub fn completion_refused() -> String {
    "# Plan Required\n\nThis task needs a plan before it can be completed, and .ralph/plan.tsx is missing or is still the \
     plan of an earlier task.\n\nWrite .ralph/plan.tsx with an App, a Theme and at least one Screen with Sections. The \
     harness checks it between iterations and opens BUILD; implement it then, and complete.\n"
        .to_owned()
}

fn line(kind: &str, diagnostic: &Diagnostic) -> String {
    let Diagnostic { id, message, line, column, .. } = diagnostic;
    format!("{kind} [{id}]: {message} (line {line}, column {column})")
}
