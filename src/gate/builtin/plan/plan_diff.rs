//! `plan-diff`: reports which parts of the plan are not built. It only informs: other gates decide what must be built.

use crate::gate::feedback::list_entries;
use crate::gate::{Check, Finding, Gate, Judgement, Project, ReportFile};
use crate::layout::PLAN_DIFF;
use crate::path::stem;
use crate::plan::{self, DiffStatus};
use crate::words::words;

/// Applies if there is a plan, unless parts of it may be in a Vue, Svelte or Astro file. Warns if plan and sources differ, and never fails.
pub(crate) const GATE: Gate =
    Gate { name: "plan-diff", description: "the sources have what the plan asks for", check: Check::Project(check) };

fn check(project: &Project) -> Finding {
    let compared = match project.plan_diff().ok_or("there is no plan")? {
        Ok(compared) => compared,
        Err(error) => return Ok(Judgement::warn(error.message.clone())),
    };
    let open = compared.entries.iter().filter(|entry| entry.status != DiffStatus::Implemented);
    let open = open.filter(|entry| entry.status != DiffStatus::Extra || !is_asked(project, entry.found.as_deref()));
    let open: Vec<String> = open.map(plan::line).collect();
    let other = project.markup.iter().map(|(path, _)| path).find(|path| path.starts_with("src/"));
    if let (Some(path), false) = (other, open.is_empty()) {
        return Err(format!(
            "the plan is compared with JavaScript and JSX only, and the app has components like {path}"
        ));
    }
    let judgement = match open.as_slice() {
        [] => Judgement::pass(),
        open => {
            Judgement::warn(format!("{} See {PLAN_DIFF}.\n{}", plan::summary(&compared.entries), list_entries(open)))
        }
    };
    Ok(Judgement { file: Some(ReportFile { path: PLAN_DIFF, text: Some(compared.report.clone()) }), ..judgement })
}

/// Whether the task asks for the component in this file: a requirement has all words of its name.
fn is_asked(project: &Project, path: Option<&str>) -> bool {
    const KINDS: [&str; 5] = ["section", "component", "page", "screen", "view"];
    let name: Vec<String> = path.map(|path| words(stem(path))).unwrap_or_default();
    let name: Vec<&String> = name.iter().filter(|word| !KINDS.contains(&word.as_str())).collect();
    let asks = |text: &str| {
        let said = words(text);
        !name.is_empty() && name.iter().all(|word| said.contains(word))
    };
    project.task.request.all.iter().any(|wanted| asks(&wanted.text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::GateVerdict::{Pass, Warn};
    use crate::gate::{RequestedChange, TaskFacts, TaskRequest};
    use crate::layout::PLAN;
    use crate::plan::MarkerKind;

    #[test]
    fn a_component_that_the_task_asks_for_is_no_deviation() {
        let plan =
            "export default (<App name=\"Tea\"><Screen name=\"home\"><Section gumdrop=\"hero\" /></Screen></App>)";
        let app = "import { HeroSection } from './sections/HeroSection'\nimport { PromoStrip } from './components/PromoStrip'\n\
                   export default () => <main><HeroSection /><PromoStrip /></main>";
        let project = |text: &str| {
            let text = text.to_owned();
            let all = vec![RequestedChange { kind: MarkerKind::Add, text, count: None }];
            let request = TaskRequest { all, ..TaskRequest::default() };
            let files = [
                (PLAN, plan),
                ("src/App.tsx", app),
                ("src/components/PromoStrip.tsx", "export const PromoStrip = () => <aside><p>New</p></aside>"),
                ("src/sections/HeroSection.tsx", "export const HeroSection = () => <h1>Tea</h1>"),
            ];
            Project::from_files(&files).after(TaskFacts { request, ..TaskFacts::default() })
        };
        assert_eq!(check(&project("a strip with the promo on top")).unwrap().verdict, Pass);
        let other = check(&project("a badge")).unwrap();
        let expected = "component src/components/PromoStrip.tsx (the plan does not have it)";
        assert!(other.verdict == Warn && other.feedback.as_ref().unwrap().contains(expected), "{other:?}");
    }

    #[test]
    fn a_plan_that_other_components_may_build_is_not_compared() {
        let plan =
            "export default (<App name=\"Tea\"><Screen name=\"home\"><Section gumdrop=\"hero\" /></Screen></App>)";
        let mut project = Project::from_files(&[(PLAN, plan), ("src/main.ts", "export {}")]);
        assert_eq!(check(&project).unwrap().verdict, Warn);
        project.markup = vec![("index.html".to_owned(), String::new())];
        assert_eq!(check(&project).unwrap().verdict, Warn);
        project.markup.push(("src/Hero.vue".to_owned(), String::new()));
        assert!(check(&project).unwrap_err().ends_with("components like src/Hero.vue"));
    }
}
