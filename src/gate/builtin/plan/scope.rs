//! `scope`: the change matches the plan's change markers, or the requirements without a marker.

use crate::error::{Error, ErrorCode};
use crate::gate::scope::{
    Counted, Lists, ScopeReport, ScopeVerdict, States, Unplanned, asks, check_markers, check_unplanned, counted,
    is_countable, needs_lists, without_markers,
};
use crate::gate::{Check, Finding, Gate, GateVerdict, Judgement, Project, only_if};
use crate::js::resolve::CONFIGS;
use crate::layout::{PLAN, tag_before};
use crate::path::extension;
use crate::port::{Host, PortError, PortErrorKind, PortResult};
use crate::snapshot;
use crate::sources::{CODE, read};
use crate::syntax::markup::MARKUP;
use std::collections::BTreeMap;

/// Data that sections import.
const DATA: [&str; 1] = ["json"];

/// Applies if the plan has change markers of the task, or if a requirement without one concerns countable items. Compares
/// the sources with the snapshot from before the task.
pub(crate) const GATE: Gate = Gate {
    name: "scope",
    description: "the change matches the plan's change markers or the requirements, and no items are lost",
    check: Check::Scope,
};

pub(crate) async fn check(host: &Host, project: &Project) -> PortResult<Finding> {
    let Some(task) = project.task.number else { return Ok(Err("there is no task".to_owned())) };
    let (plan, request) = (project.text(PLAN).unwrap_or_default(), &project.task.request);
    let open = without_markers(request, plan, task);
    let applies = asks(plan, task) || is_countable(&open);
    let reason = "the plan has no change marker of this task, and no requirement concerns countable items";
    if let Err(reason) = only_if(applies, reason) {
        return Ok(Err(reason));
    }
    let data = read(host.project(), &DATA).await?;
    let is_whole = project.unread() == 0 && data.iter().all(|(_, text)| text.is_some());
    let data = data.into_iter().filter_map(|(path, text)| Some((path, text?)));
    let code = project.sources(&CODE).map(|(path, text)| (path.to_owned(), text.to_owned()));
    let configs = CONFIGS.iter().filter_map(|path| Some(((*path).to_owned(), project.text(path)?.to_owned())));
    let mut after = BTreeMap::new();
    after.extend(code.chain(data).chain(configs).chain(project.markup.iter().cloned()));
    let tag = tag_before(task);
    let saved = project.task.before.as_ref().unwrap_or(&tag);
    let before = match snapshot::texts(host, saved, &is_source, &after).await {
        Ok(before) => before,
        // An empty project has no snapshot; every file of its comparison is new.
        Err(error) if is_missing(&error) && project.task.comparison.files().is_some() => BTreeMap::default(),
        Err(error) if is_missing(&error) => return Ok(Ok(cannot_compare(&tag))),
        Err(error) => return Err(PortError::new("git", "readTree", PortErrorKind::Other, error.message.clone())),
    };
    let states = States::new(&before, &after);
    let has_lists = needs_lists(&open, &states);
    if has_lists || asks(plan, task) {
        for () in states.parse() {
            host.fs.pause().await;
        }
    }
    let planned = check_markers(plan, task, &states);
    let mut unplanned = Unplanned::default();
    if has_lists {
        let mut lists = Lists::new(&states);
        for () in lists.collect() {
            host.fs.pause().await;
        }
        unplanned = check_unplanned(&open, request, lists);
    }
    let mut judged = counted(plan, task, &planned);
    for requirement in &open.requirements {
        let (kind, text) = (requirement.kind, Some(requirement.text.clone()));
        let mut add = |found: String, passed| {
            judged.push(Counted { kind, requirement: text.clone(), marker: String::new(), text: found, passed });
        };
        let counted = unplanned.counted.iter().filter(|(text, _)| *text == requirement.text);
        counted.for_each(|(_, found)| add(found.clone(), true));
        let findings = unplanned.findings.iter().filter(|finding| finding.is_certain && finding.is_of(requirement));
        findings.for_each(|finding| add(finding.text.clone(), false));
    }
    project.judged.get_or_init(|| judged);
    Ok(Ok(both(of_markers(&planned, is_whole), of_unplanned(&unplanned, is_whole))))
}

fn is_source(path: &str) -> bool {
    let is_hidden = path.split('/').any(|name| name.starts_with('.') || name == "node_modules");
    let is_read = || CODE.iter().chain(&DATA).chain(&MARKUP).any(|known| *known == extension(path));
    CONFIGS.contains(&path)
        || !path.contains('/') && extension(path) == "html"
        || path.starts_with("src/") && !is_hidden && is_read()
}

/// Whether there is nothing to compare with: no such snapshot, or no repository.
fn is_missing(error: &Error) -> bool {
    matches!(error.code, ErrorCode::NotFound | ErrorCode::Unsupported)
}

fn cannot_compare(tag: &str) -> Judgement {
    Judgement::unknown(format!(
        "Cannot compare: there is no snapshot {tag}, and the changes of the task are not known. Check yourself that \
         everything is done that the task and the markers of {PLAN} ask for, and that no existing item is missing."
    ))
}

/// The judgement of the markers.
fn of_markers(report: &ScopeReport, is_whole: bool) -> Judgement {
    let reported = report.markers.iter().filter(|marker| marker.verdict != ScopeVerdict::Pass);
    let lines: Vec<String> = reported
        .map(|marker| {
            let verdict = if marker.verdict == ScopeVerdict::Fail { "FAIL" } else { "WARN" };
            format!("- {verdict} {} of \"{}\": {}", marker.marker, marker.section, marker.reason)
        })
        .collect();
    judgement(report.overall, "plan", &lines.join("\n"), is_whole, true)
}

/// The judgement of the requirements without a marker.
fn of_unplanned(found: &Unplanned, is_whole: bool) -> Judgement {
    let is_certain = is_whole && found.findings.iter().any(|finding| finding.is_certain);
    judgement(found.overall(), "request", &found.text(), is_whole, is_certain)
}

/// If a source could not be read, nothing fails, because missing items may be there. An uncertain warning cannot be raised.
fn judgement(verdict: ScopeVerdict, with: &str, text: &str, is_whole: bool, is_certain: bool) -> Judgement {
    let may = format!("The change may not match the {with}:\n{text}");
    match verdict {
        ScopeVerdict::Pass => Judgement::pass(),
        ScopeVerdict::Fail if is_whole => Judgement::fail(format!("The change does not match the {with}:\n{text}")),
        ScopeVerdict::Warn if is_certain => Judgement::warn(may),
        ScopeVerdict::Fail | ScopeVerdict::Warn => Judgement::unknown(may),
    }
}

/// Combines two judgements: the worse verdict, and both texts.
fn both(planned: Judgement, unplanned: Judgement) -> Judgement {
    let is_worse = rank(&unplanned) > rank(&planned);
    let texts: Vec<String> = [&planned, &unplanned].iter().filter_map(|judgement| judgement.feedback.clone()).collect();
    let feedback = (!texts.is_empty()).then(|| texts.join("\n"));
    Judgement { feedback, ..if is_worse { unplanned } else { planned } }
}

fn rank(judgement: &Judgement) -> (bool, bool, bool) {
    let is_warned = judgement.verdict == GateVerdict::Warn;
    (judgement.verdict == GateVerdict::Fail, is_warned && judgement.is_raisable, is_warned)
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;
    use crate::gate::{RequestedChange, TaskFacts, TaskRequest};
    use crate::plan::MarkerKind;
    use crate::port::memory::MemoryHost;
    use crate::snapshot::{SaveOptions, save};

    const APP: (&str, &str) = (
        "src/App.tsx",
        "import FlavorGrid from './sections/FlavorGrid'\nexport default () => <main><FlavorGrid /></main>\n",
    );
    const PLAN_TEXT: &str = "export default (<App><Screen name=\"landing\"><Section gumdrop=\"features\">\n\
        {/* TASK-3 [ADD]: 2 nighttime drink flavors */}\n{/* EXISTING 4 flavors PRESERVED */}\n</Section></Screen></App>)";

    fn flavors(names: &[&str]) -> String {
        let items: String = names.iter().map(|name| format!("  {{ \"name\": \"{name}\" }},\n")).collect();
        format!("[\n{}]", items.trim_end_matches(",\n"))
    }

    const GRID: (&str, &str) = (
        "src/sections/FlavorGrid.tsx",
        "import flavors from '../data/flavors.json'\nexport default function FlavorGrid() {\n  return <section \
         id=\"features\">{flavors.map((flavor) => <article key={flavor.name}>{flavor.name}</article>)}</section>\n}\n",
    );

    /// The judgement; `None` if the gate does not apply.
    async fn judged(host: &MemoryHost, after: &[&str]) -> Option<Judgement> {
        host.put("src/data/flavors.json", &flavors(after));
        let facts = TaskFacts { number: Some(3), ..TaskFacts::default() };
        let project = Project::load(host.project(), facts).await.unwrap();
        check(host, &project).await.unwrap().ok()
    }

    async fn saved() -> MemoryHost {
        let host = MemoryHost::new([APP, GRID, (PLAN, PLAN_TEXT)]);
        host.put("src/data/flavors.json", &flavors(&["Lime", "Berry", "Mango", "Mint"]));
        let options = SaveOptions { tag: Some("task-3-pre".to_owned()), ..SaveOptions::default() };
        save(&host, &options).await.unwrap();
        host
    }

    #[tokio::test]
    async fn converting_items_instead_of_adding_fails_and_adding_passes() {
        let host = saved().await;
        let converted = judged(&host, &["Lime", "Berry", "Moonlit Calm", "Deep Rest"]).await.unwrap();
        assert_eq!(converted.verdict, GateVerdict::Fail);
        let text = converted.feedback.unwrap();
        assert!(text.contains("FAIL ADD of \"features\"") && text.contains("Add 2 new items"), "{text}");
        assert!(text.contains("FAIL PRESERVED") && text.contains("converted: \"Mango\", \"Mint\""), "{text}");
        let added = ["Lime", "Berry", "Mango", "Mint", "Moonlit Calm", "Deep Rest"];
        assert_eq!(judged(&host, &added).await, Some(Judgement::pass()));
        assert_eq!(judged(&host, &added[..5]).await.unwrap().verdict, GateVerdict::Warn);
    }

    #[tokio::test]
    async fn lists_in_other_languages_are_compared_with_the_snapshot() {
        for (path, text) in [
            ("src/Drinks.vue", "<script setup>\nconst drinks = [§]\n</script>"),
            ("src/routes/+page.svelte", "<script>let drinks = [§]</script>"),
            ("src/pages/index.astro", "---\nconst drinks = [§]\n---\n<p>Bar</p>"),
            ("index.html", "<script>const drinks = [§]</script>"),
        ] {
            let with = |names: &str| text.replace('§', names);
            let host = MemoryHost::new([(path, with("'Lime', 'Mint', 'Cola'").as_str())]);
            let options = SaveOptions { tag: Some("task-3-pre".to_owned()), ..SaveOptions::default() };
            save(&host, &options).await.unwrap();
            let adds = RequestedChange { kind: MarkerKind::Add, text: "add 2 more drinks".to_owned(), count: Some(2) };
            let request = TaskRequest { requirements: vec![adds], ..TaskRequest::default() };
            for (after, expected) in [
                ("'Lime', 'Mint', 'Cola', 'Calm', 'Rest'", GateVerdict::Pass),
                ("'Lime', 'Calm', 'Rest'", GateVerdict::Fail),
            ] {
                host.put(path, &with(after));
                let facts = TaskFacts { number: Some(3), request: request.clone(), ..TaskFacts::default() };
                let project = Project::load(host.project(), facts).await.unwrap();
                let judgement = check(&host, &project).await.unwrap().unwrap();
                assert_eq!(judgement.verdict, expected, "{path}: {:?}", judgement.feedback);
            }
        }
    }

    #[tokio::test]
    async fn only_different_items_with_a_name_are_counted_as_evidence() {
        for (items, is_counted) in [
            ("{ name: 'Calm' }, { name: 'Rest' }", true),
            ("{ name: 'Calm' }, { name: 'Calm' }", false),
            ("{ name: 'Calm' }, { name: '' }", false),
            ("{ name: '' }, { name: ' ' }", false),
            ("{ name: 'Calm' }", false),
        ] {
            let bar = |items: &str| {
                format!(
                    "const drinks = [{{ name: 'Lime' }}, {{ name: 'Mint' }}, {items}]\nexport default () => <ul>{{drinks.map((drink) => <li \
                     key={{drink.name}}>{{drink.name}}</li>)}}</ul>\n"
                )
            };
            let host = MemoryHost::new([("src/App.tsx", bar("").as_str())]);
            save(&host, &SaveOptions { tag: Some("task-3-pre".to_owned()), ..SaveOptions::default() }).await.unwrap();
            let adds = RequestedChange { kind: MarkerKind::Add, text: "add 2 more drinks".to_owned(), count: Some(2) };
            let request = TaskRequest { requirements: vec![adds], ..TaskRequest::default() };
            host.put("src/App.tsx", &bar(items));
            let facts = TaskFacts { number: Some(3), request, ..TaskFacts::default() };
            let project = Project::load(host.project(), facts).await.unwrap();
            check(&host, &project).await.unwrap().unwrap();
            let judged = project.judged.get().unwrap();
            assert_eq!(judged.iter().any(|one| one.passed), is_counted, "{items}: {judged:?}");
        }
    }

    #[tokio::test]
    async fn without_the_snapshot_the_gate_only_warns_even_if_configuration_raises_warnings() {
        let mut host = MemoryHost::new([APP, GRID, (PLAN, PLAN_TEXT)]);
        let missing = judged(&host, &["Lime"]).await.unwrap();
        assert!(missing.feedback.as_ref().unwrap().starts_with("Cannot compare: there is no snapshot task-3-pre"));
        host.git = None;
        for judgement in [missing, judged(&host, &["Lime"]).await.unwrap()] {
            assert_eq!((judgement.verdict, judgement.is_raisable), (GateVerdict::Warn, false));
        }
    }

    #[tokio::test]
    async fn the_gate_does_not_apply_without_markers_of_the_task() {
        let host = saved().await;
        host.put(PLAN, &PLAN_TEXT.replace("TASK-3", "TASK-2").replace("EXISTING 4 flavors PRESERVED", "four"));
        assert_eq!(judged(&host, &["Lime"]).await, None);
        host.put(PLAN, "");
        assert_eq!(judged(&host, &["Lime"]).await, None);
    }

    #[tokio::test]
    async fn other_tasks_can_run_after_each_file_that_is_parsed() {
        const FILES: u64 = 100;
        let host = saved().await;
        for number in 0..FILES {
            host.put(&format!("src/part-{number}.ts"), "export const part = 1\n");
        }
        let adds = RequestedChange { kind: MarkerKind::Add, text: "2 flavors".to_owned(), count: Some(2) };
        let request = TaskRequest { requirements: vec![adds], ..TaskRequest::default() };
        let facts = TaskFacts { number: Some(4), request, ..TaskFacts::default() };
        host.put("src/data/flavors.json", &flavors(&["Lime"]));
        save(&host, &SaveOptions { tag: Some("task-4-pre".to_owned()), ..SaveOptions::default() }).await.unwrap();
        let project = Project::load(host.project(), facts).await.unwrap();
        let of_plan_diff = host.fs.pauses();
        assert!(of_plan_diff >= FILES, "{of_plan_diff}");
        check(&host, &project).await.unwrap().unwrap();
        // Parsing and the search for lists, before and after the task.
        let of_scope = host.fs.pauses() - of_plan_diff;
        assert!(of_scope >= 4 * FILES, "{of_scope}");
    }

    #[tokio::test]
    async fn an_unread_source_turns_a_failure_into_a_warning() {
        let host = saved().await;
        host.put("src/huge.ts", &"x".repeat(2_000_000));
        assert_eq!(judged(&host, &["Lime"]).await.unwrap().verdict, GateVerdict::Warn);
    }
}
