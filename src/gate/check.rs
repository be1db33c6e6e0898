//! Judges a project outside a run.

use super::{
    Comparison, GateReport, GateSelection, RequestedChange, TaskFacts, TaskPlan, TaskRequest, check_present,
    check_selection,
};
use crate::error::Error;
use crate::layout::{PLAN, TASK, is_judged, tag_after, tag_before};
use crate::plan::{parse_task_file, task_number};
use crate::port::{Abort, Host};
use crate::snapshot::{self, Evidence};

/// What [`check_gates`] judges.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckOptions {
    /// If set, only these gates run.
    pub only: Option<Vec<String>>,
    /// The task since whose start the changes are judged; by default the last one, if there is one.
    pub task_number: Option<u32>,
}

/// Runs the gates on the project as it is, also while a run works on it. Writes nothing. What only a run knows, such as
/// which changes the agent made, is not judged.
///
/// # Errors
/// `invalid-config` for an unknown gate; `invalid-argument` for ambiguous names; `fs`, `git`.
pub async fn check_gates(host: &Host, options: &CheckOptions) -> Result<Vec<GateReport>, Error> {
    let selection = GateSelection { only: options.only.clone(), ..GateSelection::default() };
    check_selection(host, &selection)?;
    let present = snapshot::evidence(host, &is_judged).await?;
    let facts = facts(host, options.task_number, &present).await?;
    let checked = check_present(host, &selection, facts, &present, &Abort::new()).await;
    Ok(checked.unwrap_or_default().reports)
}

/// What snapshots and files say about a task.
async fn facts(host: &Host, task: Option<u32>, present: &Evidence) -> Result<TaskFacts, Error> {
    let number = match task {
        Some(number) => number,
        None => match task_number(host.project()).await? {
            Some(number) => number,
            None => snapshot::known_tasks(host, 0).await?.next.saturating_sub(1),
        },
    };
    let before = tag_before(number);
    let has_before = snapshot::resolve(host, &before).await?.is_some();
    // A task that began in an empty project has no snapshot before it.
    let was_empty = !has_before && snapshot::resolve(host, &tag_after(number)).await?.is_some();
    if task.is_none() && !was_empty && !has_before {
        return Ok(TaskFacts::default());
    }
    let since = (!was_empty).then_some(before.as_str());
    let comparison = match host.git.as_deref() {
        Some(_) => Comparison::since(host, since, present).await,
        None => Comparison::None,
    };
    let plan = if comparison.files().is_some() { plan(host, since).await? } else { TaskPlan::None };
    let request = if was_empty { TaskRequest::default() } else { request(host, number).await? };
    let before = None;
    Ok(TaskFacts { number: Some(number), before, request, comparison, builds_app: was_empty, work: None, plan })
}

/// How the plan changed since the snapshot, or since the project was empty.
async fn plan(host: &Host, since: Option<&str>) -> Result<TaskPlan, Error> {
    let now = host.project().read_text(PLAN).await?.filter(|plan| !plan.trim().is_empty());
    let before = match since {
        Some(tag) => snapshot::read_file(host, tag, PLAN).await?,
        None => None,
    };
    let before = before.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(match (before, now) {
        (_, None) => TaskPlan::None,
        (None, Some(_)) => TaskPlan::New,
        (Some(before), Some(now)) if before == now => TaskPlan::None,
        (Some(before), Some(_)) => TaskPlan::Updated(before),
    })
}

/// The requirements in the file of the task, if it is of this task. What the user asked for later is not in it.
async fn request(host: &Host, number: u32) -> Result<TaskRequest, Error> {
    let text = host.project().read_text(TASK).await?.unwrap_or_default();
    let file = parse_task_file(&text, None);
    if text.is_empty() || file.number != number {
        return Ok(TaskRequest::default());
    }
    let requirements = file.requirements.into_iter();
    let requirements = requirements.map(|one| RequestedChange { kind: one.kind, text: one.text, count: None });
    let requirements: Vec<RequestedChange> = requirements.collect();
    let all = requirements.clone();
    Ok(TaskRequest { requirements, preserve: file.preserve, is_steered: true, all, ..TaskRequest::default() })
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;
    use crate::error::ErrorCode;
    use crate::gate::GateVerdict::{self, Fail, Pass, Warn};
    use crate::port::GateAnswer;
    use crate::port::memory::{MemoryGate, MemoryHost};
    use crate::snapshot::{SaveOptions, save};

    const TEST: (&str, &str) = ("src/a.test.ts", "it('works', () => { expect(1).toBe(1) })");

    async fn saved(host: &MemoryHost, tag: &str) {
        save(host, &SaveOptions { tag: Some(tag.to_owned()), ..SaveOptions::default() }).await.unwrap();
    }

    /// The reports of these gates. The project is not changed.
    async fn checked(host: &MemoryHost, only: &[&str], task_number: Option<u32>) -> Vec<GateReport> {
        let before = host.fs.tree("/");
        let only = Some(only.iter().map(|name| (*name).to_owned()).collect());
        let reports = check_gates(host, &CheckOptions { only, task_number }).await.unwrap();
        assert!(host.fs.tree("/") == before, "a check never writes");
        reports
    }

    async fn verdict(host: &MemoryHost, gate: &str, task_number: Option<u32>) -> (GateVerdict, bool) {
        let reports = checked(host, &[gate], task_number).await;
        assert_eq!(reports.len(), 1);
        (reports[0].verdict, reports[0].not_applicable)
    }

    #[tokio::test]
    async fn without_a_task_the_gates_that_need_one_do_not_apply() {
        let fails = MemoryGate::new("ide-lint", || Ok(GateAnswer { pass: false, feedback: None }));
        let with_git =
            MemoryHost::new([("src/App.tsx", "export default () => null")]).with(|ports| ports.gates = vec![fails]);
        for host in [with_git.clone(), with_git.with(|ports| ports.git = None)] {
            let reports = check_gates(&host, &CheckOptions::default()).await.unwrap();
            let of = |gate: &str| reports.iter().find(|report| report.gate == gate).unwrap();
            for gate in ["work-done", "tests-kept", "changes-named", "scope", "plan-built", "build-succeeds"] {
                assert!(of(gate).not_applicable && of(gate).verdict == Pass, "{gate}");
            }
            assert_eq!(of("ide-lint").verdict, Fail);
            assert!(reports.iter().all(|report| report.tree == reports[0].tree && report.tree.is_some()));
        }
    }

    #[tokio::test]
    async fn the_project_is_compared_with_the_task_or_the_last_one() {
        let host = MemoryHost::new([TEST, ("src/App.tsx", "export default () => <p>Teas</p>")]);
        saved(&host, "task-1-pre").await;
        host.put("src/a.test.ts", "it.skip('works', () => { expect(1).toBe(1) })");
        saved(&host, "task-2-pre").await;
        let gate = "tests-kept";
        assert_eq!(verdict(&host, gate, Some(1)).await, (Warn, false));
        assert_eq!(verdict(&host, gate, Some(2)).await, (Pass, true), "no test changed since");
        assert_eq!(verdict(&host, gate, None).await, (Pass, true), "the last task is the second");
        host.put(".ralph/task-counter.txt", "1");
        assert_eq!(verdict(&host, gate, None).await, (Warn, false), "the project was rolled back to the first");
        assert_eq!(verdict(&host, gate, Some(9)).await, (Warn, false), "the snapshot is missing");
        host.put(".ralph/task-counter.txt", "9");
        assert_eq!(verdict(&host, gate, None).await, (Pass, true), "the last task has no snapshot");
    }

    #[tokio::test]
    async fn a_task_that_began_in_an_empty_project_built_everything() {
        let plan = "export default (<App><Screen name=\"home\"><Section gumdrop=\"hero\" /></Screen></App>)";
        let host = MemoryHost::new([(PLAN, plan), ("package.json", r#"{"dependencies":{"react":"19"}}"#)]);
        saved(&host, "task-1-post").await;
        assert_eq!(verdict(&host, "app-exists", None).await, (Fail, false));
        assert_eq!(verdict(&host, "plan-built", Some(1)).await, (Fail, false));
        assert_eq!(verdict(&host, "app-exists", Some(2)).await, (Pass, true));
    }

    #[tokio::test]
    async fn the_plan_and_the_requirements_of_the_task_are_judged() {
        let plan = |sections: &str| format!("export default (<App><Screen name=\"home\">{sections}</Screen></App>)");
        let teas = |names: &[&str]| {
            let items: String = names.iter().map(|name| format!("{{ name: '{name}' }},")).collect();
            format!(
                "const teas = [{items}];\nexport default () => <ul>{{teas.map((tea) => <li key={{tea.name}}>{{tea.name}}</li>)}}</ul>"
            )
        };
        let hero = "<Section gumdrop=\"hero\" />";
        let host = MemoryHost::new([("package.json", r#"{"dependencies":{"react":"19"}}"#)]);
        host.put(PLAN, &plan(hero));
        host.put("src/App.tsx", &teas(&["Lime", "Mint", "Rose", "Sage"]));
        saved(&host, "task-3-pre").await;
        assert_eq!(verdict(&host, "plan-built", None).await, (Pass, true), "the plan did not change");
        host.put(PLAN, &plan(&format!("{hero}<Section gumdrop=\"faq\" />")));
        assert_eq!(verdict(&host, "plan-built", None).await, (Fail, false));

        host.put(TASK, "# Task: Teas\nCounter: 3\n\n## Requirements\n- [ADD] 2 teas\n");
        host.put("src/App.tsx", &teas(&["Lime", "Mint", "Anise", "Hops"]));
        assert_eq!(verdict(&host, "scope", None).await, (Warn, false), "two teas were replaced");
        host.put("src/App.tsx", &teas(&["Lime", "Mint", "Rose", "Sage", "Anise", "Hops"]));
        assert_eq!(verdict(&host, "scope", None).await, (Pass, false));
        host.put(TASK, "# Task: Teas\nCounter: 4\n\n## Requirements\n- [ADD] 2 teas\n");
        assert_eq!(verdict(&host, "scope", None).await, (Pass, true), "the file is of another task");
    }

    #[tokio::test]
    async fn an_unknown_gate_is_refused_with_the_nearest_name() {
        let options = CheckOptions { only: Some(vec!["has-sumary".to_owned()]), task_number: None };
        let error = check_gates(&MemoryHost::new([]), &options).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidConfig);
        assert!(error.message.contains("has-summary"), "{}", error.message);
        assert_eq!(checked(&MemoryHost::new([]), &[], None).await, []);
    }
}
