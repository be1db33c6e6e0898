//! `plan-built`: a task with an accepted plan builds at least one of its sections.

use crate::gate::feedback::list_entries;
use crate::gate::{ChangedFile, Check, Comparison, Finding, Gate, Judgement, Project, TaskPlan, only_if};
use crate::path::extension;
use crate::plan::{self, PlanDiff, PlanSection};

/// Applies if the task wrote or updated a plan with sections. Fails if none of them is in the sources; a component that
/// renders nothing does not count. `plan-diff` reports partly built plans.
///
/// A task that updates the plan must build the sections that it added. If only these are missing, the gate warns.
pub(crate) const GATE: Gate =
    Gate { name: "plan-built", description: "the sources contain a section of the plan", check: Check::Project(check) };

/// Extensions of sources that may contain a section and that the comparison with the plan does not read.
const OTHER_SOURCES: [&str; 6] = ["html", "vue", "svelte", "astro", "mdx", "cjs"];

/// The sections that the task must build.
fn owed<'a>(plan: &TaskPlan, compared: &'a PlanDiff) -> Vec<&'a PlanSection> {
    let sections = compared.sections.iter();
    match plan {
        TaskPlan::None => Vec::new(),
        TaskPlan::New => sections.collect(),
        TaskPlan::Updated(before) => {
            let before = plan::diff(before, &[]).map(|before| before.sections).unwrap_or_default();
            let was_there =
                |one: &PlanSection| before.iter().any(|old| old.screen == one.screen && old.label == one.label);
            sections.filter(|section| !was_there(section)).collect()
        }
    }
}

fn check(project: &Project) -> Finding {
    const NOTHING_OWED: &str = "the task has no planned section to build";
    let Some(Ok(compared)) = project.plan_diff() else { return Err(NOTHING_OWED.to_owned()) };
    let owed = owed(&project.task.plan, compared);
    only_if(!owed.is_empty(), NOTHING_OWED)?;
    // Without React, a section may be any function or file of its name.
    let is_built = |section: &PlanSection| section.is_there || section.is_named && !project.is_react_app();
    if owed.iter().any(|section| is_built(section)) {
        return Ok(Judgement::pass());
    }
    let which = match project.task.plan {
        TaskPlan::Updated(_) => "None of the sections that the task added to the plan is built:",
        _ => "None of the sections of the plan is built:",
    };
    let lines: Vec<String> = owed.iter().map(|section| section.line.to_string()).collect();
    let text = format!(
        "{which}\n{}\nWrite each section's component, render it from the app, and complete the task again.",
        list_entries(&lines)
    );
    let unread = compared.unread.iter().map(String::as_str).chain(elsewhere(project, &owed)).collect::<Vec<_>>();
    Ok(if let [first, ..] = unread.as_slice() {
        let more = if unread.len() > 1 { format!(" and {} other files", unread.len() - 1) } else { String::new() };
        Judgement::unknown(format!(
            "{text}\nThis is uncertain, because {first}{more} cannot be compared with the plan."
        ))
    } else if compared.sections.iter().any(is_built) {
        Judgement::warn(text)
    } else {
        Judgement::fail(text)
    })
}

/// A source that the task changed, that the comparison does not read, and that mentions one of the sections: a component of
/// another framework, or an HTML page.
fn elsewhere<'a>(project: &'a Project, owed: &[&PlanSection]) -> Option<&'a str> {
    let names = |text: &str| {
        let text = plan::key(text);
        owed.iter().any(|section| text.contains(&plan::key(&section.gumdrop)))
    };
    if project.is_react_app() {
        return None;
    }
    if let Comparison::Changed(files) = &project.task.comparison {
        let is_other = |file: &&ChangedFile| file.is_there && OTHER_SOURCES.contains(&extension(&file.path));
        let mut other = files.iter().filter(is_other);
        let found = other.find(|file| names(&file.path) || file.after.as_deref().is_some_and(names));
        return found.map(|file| file.path.as_str());
    }
    // Without git, there are no texts.
    let mut differing = project.task.work.iter().flat_map(|work| work.differing.iter().flatten());
    differing.find(|path| OTHER_SOURCES.contains(&extension(path))).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::GateVerdict::{self, Fail, Pass, Warn};
    use crate::gate::TaskFacts;
    use crate::layout::PLAN;

    fn plan(sections: &str) -> String {
        format!("export default (<App name=\"Tea\"><Screen name=\"home\">{sections}</Screen></App>)")
    }

    const HERO: (&str, &str) = ("src/sections/HeroSection.tsx", "export const HeroSection = () => <h1>Tea</h1>");
    const STUB: (&str, &str) = ("src/sections/CtaSection.tsx", "export const CtaSection = () => null");
    const TWO: &str = "<Section gumdrop=\"hero\" /><Section gumdrop=\"cta\" />";
    const REACT: (&str, &str) = ("package.json", r#"{"dependencies":{"react":"19"}}"#);

    fn verdict(sections: &str, facts: TaskFacts, files: &[(&str, &str)]) -> Option<Judgement> {
        let plan = plan(sections);
        let files: Vec<(&str, &str)> = files.iter().copied().chain([(PLAN, plan.as_str())]).collect();
        check(&Project::from_files(&files).after(facts)).ok()
    }

    /// Name, facts of the task, files, and the verdict if the gate applies.
    type Case<'a> = (&'a str, TaskFacts, &'a [(&'a str, &'a str)], Option<GateVerdict>);

    #[test]
    fn a_plan_without_a_built_section_fails_with_the_list_of_sections() {
        let new = || TaskFacts { plan: TaskPlan::New, ..TaskFacts::default() };
        let updated = |before: &str| TaskFacts { plan: TaskPlan::Updated(plan(before)), ..TaskFacts::default() };
        let hero = "<Section gumdrop=\"hero\" />";
        let cases: [Case<'_>; 12] = [
            ("a stub does not count without React", new(), &[STUB], Some(Fail)),
            ("an empty file does not count", new(), &[("src/sections/HeroSection.tsx", "\n")], Some(Fail)),
            ("nothing is built", new(), &[("src/a.ts", "1")], Some(Fail)),
            ("one of two sections is built", new(), &[HERO], Some(Pass)),
            ("a stub does not count in a React app", new(), &[REACT, STUB], Some(Fail)),
            ("any export counts without React", new(), &[("src/hero.ts", "export const hero = 1")], Some(Pass)),
            ("no plan of the task", TaskFacts::default(), &[], None),
            ("an update that adds no section", updated(TWO), &[], None),
            ("an update whose section is missing next to another", updated(hero), &[HERO], Some(Warn)),
            (
                "an update whose section is built",
                updated(hero),
                &[("src/Cta.tsx", "export const Cta = () => <p/>")],
                Some(Pass),
            ),
            ("an update of a plan without a built section", updated(hero), &[("src/a.ts", "1")], Some(Fail)),
            ("a source that does not parse", new(), &[("src/App.tsx", "export const A = () => <p")], Some(Warn)),
        ];
        for (case, facts, files, expected) in cases {
            assert_eq!(verdict(TWO, facts, files).map(|judgement| judgement.verdict), expected, "{case}");
        }
        let text = verdict(TWO, new(), &[]).unwrap().feedback.unwrap();
        assert!(text.contains("section hero") && text.contains("src/sections/CtaSection.tsx"), "{text}");
    }

    #[test]
    fn an_html_page_that_names_a_section_makes_the_verdict_uncertain_without_react() {
        let html = |text: &str| TaskFacts {
            plan: TaskPlan::New,
            ..Comparison::Changed(vec![ChangedFile::from_texts("index.html", "", text)]).into()
        };
        let built = "<section class=\"hero\">Tea</section>";
        let warning = verdict(TWO, html(built), &[]).unwrap();
        assert_eq!(warning.verdict, Warn);
        assert!(warning.feedback.unwrap().contains("because index.html cannot be compared"), "it names the file");
        assert_eq!(verdict(TWO, html("<h1>Tea</h1>"), &[]).unwrap().verdict, Fail);
        assert_eq!(verdict(TWO, html(built), &[REACT]).unwrap().verdict, Fail);
    }
}
