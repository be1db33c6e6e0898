//! `plan-diff`: reports which parts of the plan are not built. It only informs: other gates decide what must be built.

use crate::gate::feedback::shown;
use crate::gate::{Check, Finding, Gate, Judgement, Project, ReportFile};
use crate::layout::PLAN_DIFF;
use crate::plan::{self, DiffStatus};

/// Applies if there is a plan, unless parts of it may be in a Vue, Svelte or Astro file. Warns if plan and sources differ, and never fails.
pub(crate) const GATE: Gate =
    Gate { name: "plan-diff", description: "the sources have what the plan asks for", check: Check::Project(check) };

fn check(project: &Project) -> Finding {
    let compared = match project.plan_diff().ok_or("there is no plan")? {
        Ok(compared) => compared,
        Err(error) => return Ok(Judgement::warn(error.message.clone())),
    };
    let open = compared.entries.iter().filter(|entry| entry.status != DiffStatus::Implemented);
    let open: Vec<String> = open.map(plan::line).collect();
    let other = project.markup.iter().map(|(path, _)| path).find(|path| path.starts_with("src/"));
    if let (Some(path), false) = (other, open.is_empty()) {
        return Err(format!(
            "the plan is compared with JavaScript and JSX only, and the app has components like {path}"
        ));
    }
    let judgement = match open.as_slice() {
        [] => Judgement::pass(),
        open => Judgement::warn(format!("{} See {PLAN_DIFF}.\n{}", plan::summary(&compared.entries), shown(open))),
    };
    Ok(Judgement { file: Some(ReportFile { path: PLAN_DIFF, text: Some(compared.report.clone()) }), ..judgement })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::GateVerdict::Warn;
    use crate::layout::PLAN;

    #[test]
    fn a_plan_that_other_components_may_build_is_not_compared() {
        let plan =
            "export default (<App name=\"Tea\"><Screen name=\"home\"><Section gumdrop=\"hero\" /></Screen></App>)";
        let mut project = Project::of(&[(PLAN, plan), ("src/main.ts", "export {}")]);
        assert_eq!(check(&project).unwrap().verdict, Warn);
        project.markup = vec![("index.html".to_owned(), String::new())];
        assert_eq!(check(&project).unwrap().verdict, Warn);
        project.markup.push(("src/Hero.vue".to_owned(), String::new()));
        assert!(check(&project).unwrap_err().ends_with("components like src/Hero.vue"));
    }
}
