//! Texts of `.ralph/feedback.md` for phases. Gates write their own.

use crate::layout::{PLAN, RALPH};
use crate::plan::{
    Diagnostic, PlanContext, PlanReport, PlannedChanges, format_build_instructions, format_update_instructions,
};
use crate::task::quote;

/// After a rejected plan: what to fix. Empty for an accepted plan; BUILD has its own text.
pub(super) fn plan_checked(report: &PlanReport) -> String {
    if report.failures.iter().any(|failure| failure.id == "parseable") {
        let errors: Vec<String> = report.failures.iter().map(|failure| line("FAIL", failure)).collect();
        let errors = errors.join("\n");
        return format!(
            "# Plan Validation\n\nplan.tsx has syntax errors:\n{errors}\n\nFix the plan and write {PLAN} again.\n"
        );
    }
    if !report.ok {
        let mut lines: Vec<String> = report.failures.iter().map(|failure| line("FAIL", failure)).collect();
        if !report.warnings.is_empty() {
            lines.push(String::new());
            lines.extend(warnings(report));
        }
        let lines = lines.join("\n");
        return format!("# Plan Validation\n\n{lines}\n\nFix the issues and write the plan again.\n");
    }
    String::new()
}

/// After a valid plan that the user returns.
pub(super) fn plan_not_approved(reason: &str) -> String {
    format!(
        "# Plan Not Approved\n\nYour plan is structurally valid, but it was not approved:\n\n{}\nChange the plan accordingly and \
         write {PLAN} again.\n",
        quote(reason)
    )
}

/// The feedback when BUILD opens. `work` is for an updated plan: `context` has only the sections that the task changes.
pub(super) fn build_instructions(context: &PlanContext, work: Option<&PlannedChanges>, report: &PlanReport) -> String {
    let lines = warnings(report).collect::<Vec<_>>().join("\n");
    let warnings = (!lines.is_empty()).then(|| format!("Warnings:\n{lines}"));
    match work {
        Some(work) => format_update_instructions(context, work, warnings.as_deref()),
        None => format_build_instructions(context, warnings.as_deref()),
    }
}

/// After a completion without the required plan.
pub(super) fn plan_required() -> String {
    format!(
        "# Plan Required\n\nThis task needs its own plan, and {PLAN} is missing or from before the task.\n\nWrite {PLAN} \
         with an App, a Theme and at least one Screen with Sections. The harness checks it between iterations and opens \
         BUILD; implement it then, and complete. If the plan on disk is right for this task, write it again with \
         write_file.\n"
    )
}

/// After a completion without the due update of the plan. `guide` names the parts and the markers.
pub(super) fn update_required(guide: &str) -> String {
    format!(
        "# Plan Update Required\n\nThe task changes planned sections, and {PLAN} has no update for the task. \
         Update it first: until then only your own files below {RALPH}/ can be written.\n\nMarkers to write, and where:\n{guide}\nThe tool `plan` with \
         the action `update` writes those whose section is named; for another one say which: `plan update <section> \
         <ADD|MODIFY|FIX|REMOVE> <what>`. The harness checks the plan between iterations; complete again in BUILD.\n"
    )
}

fn warnings(report: &PlanReport) -> impl Iterator<Item = String> {
    report.warnings.iter().map(|warning| line("WARN", warning))
}

fn line(kind: &str, diagnostic: &Diagnostic) -> String {
    let Diagnostic { id, message, line, column, .. } = diagnostic;
    format!("{kind} [{id}]: {message} (line {line}, column {column})")
}
