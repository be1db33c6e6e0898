//! `scope`: the change matches the plan's change markers, or the requirements that have none.

use crate::error::{Error, ErrorCode};
use crate::gate::contract::only_if;
use crate::gate::scope::{
    ScopeReport, ScopeVerdict, Unplanned, asks, check_scope, check_unplanned, is_countable, without_markers,
};
use crate::gate::{Comparison, Gate, GateVerdict, Judgement, Round};
use crate::plan::PLAN;
use crate::port::{Host, PortError, PortErrorKind, PortResult};
use crate::snapshot;
use crate::sources::{CODE, extension, read};
use futures_util::future::LocalBoxFuture;
use std::collections::BTreeMap;

/// Texts that sections read beside code.
const DATA: [&str; 1] = ["json"];

/// Applies if the plan has change markers of the task, or if a requirement without one concerns items that can be counted.
/// Compares the sources with the snapshot before the task.
pub(super) struct Scope;

impl<H: Host> Gate<H> for Scope {
    fn name(&self) -> &str {
        "scope"
    }

    fn description(&self) -> &str {
        "the change matches the plan's change markers or the requirements, and no items are lost"
    }

    fn applies(&self, round: &Round<'_, H>) -> Result<(), String> {
        let task = round.task.ok_or("there is no task")?;
        let plan = round.project.text(PLAN).unwrap_or_default();
        let asks = asks(plan, task) || is_countable(&without_markers(round.request, plan, task));
        only_if(asks, "the plan has no change marker of this task, and no requirement names items to count")
    }

    fn check<'a>(&'a self, round: &'a Round<'a, H>) -> LocalBoxFuture<'a, PortResult<Judgement>> {
        Box::pin(async move {
            let Some(task) = round.task else { return Ok(Judgement::pass()) };
            let plan = round.project.text(PLAN).unwrap_or_default();
            let data = read(round.host.project(), &DATA).await?;
            let is_whole = round.project.unread() == 0 && data.iter().all(|(_, text)| text.is_some());
            let data = data.into_iter().filter_map(|(path, text)| Some((path, text?)));
            let code = round.project.sources(&CODE).map(|(path, text)| (path.to_owned(), text.to_owned()));
            let after: BTreeMap<String, String> = code.chain(data).collect();
            let tag = format!("task-{task}-pre");
            let before = match snapshot::texts(round.host, &tag, &is_source, &after).await {
                Ok(before) => before,
                // An empty project has no snapshot; its comparison has every file as new.
                Err(error) if is_missing(&error) => match round.project.comparison() {
                    Comparison::Changed(_) => BTreeMap::default(),
                    Comparison::None | Comparison::Impossible(_) => return Ok(cannot_compare(&tag)),
                },
                Err(error) => return Err(unread(&error)),
            };
            let planned = judgement(&check_scope(plan, task, &before, &after), is_whole);
            let open = without_markers(round.request, plan, task);
            let unplanned = check_unplanned(&open, round.request, &before, &after);
            Ok(both(planned, of_unplanned(&unplanned, is_whole)))
        })
    }
}

fn is_source(path: &str) -> bool {
    let is_hidden = path.split('/').any(|name| name.starts_with('.') || name == "node_modules");
    path.starts_with("src/") && !is_hidden && CODE.iter().chain(&DATA).any(|known| *known == extension(path))
}

/// There is nothing to compare with: no such snapshot, or no repository at all.
fn is_missing(error: &Error) -> bool {
    matches!(error.code, ErrorCode::NotFound | ErrorCode::Unsupported)
}

fn cannot_compare(tag: &str) -> Judgement {
    Judgement::unknown(format!(
        "Cannot compare: there is no snapshot {tag}, and the change of the task is not known. Check yourself \
         that everything was done that the task and the markers of {PLAN} ask for, and that no existing item is gone."
    ))
}

fn unread(error: &Error) -> PortError {
    PortError::new("git", "readTree", PortErrorKind::Other, error.message.clone())
}

/// What the markers come to. Where not every source could be read, none of them fails: what is missing may be there.
fn judgement(report: &ScopeReport, is_whole: bool) -> Judgement {
    let told = report.markers.iter().filter(|marker| marker.verdict != ScopeVerdict::Pass);
    let lines: Vec<String> = told
        .map(|marker| {
            let verdict = if marker.verdict == ScopeVerdict::Fail { "FAIL" } else { "WARN" };
            format!("- {verdict} {} of \"{}\": {}", marker.marker, marker.section, marker.reason)
        })
        .collect();
    let text = lines.join("\n");
    match report.overall {
        ScopeVerdict::Pass => Judgement::pass(),
        ScopeVerdict::Fail if is_whole => Judgement::fail(format!("The task did not keep to its plan:\n{text}")),
        ScopeVerdict::Fail => Judgement::unknown(format!("The task may not keep to its plan:\n{text}")),
        ScopeVerdict::Warn => Judgement::warn(format!("The task may not keep to its plan:\n{text}")),
    }
}

/// The verdict on the requirements without a marker.
fn of_unplanned(found: &Unplanned, is_whole: bool) -> Judgement {
    let text = found.text();
    match found.overall() {
        ScopeVerdict::Pass => Judgement::pass(),
        ScopeVerdict::Fail if is_whole => Judgement::fail(format!("The change does not match the request:\n{text}")),
        ScopeVerdict::Warn if is_whole && found.findings.iter().any(|finding| finding.is_certain) => {
            Judgement::warn(format!("The change may not match the request:\n{text}"))
        }
        ScopeVerdict::Fail | ScopeVerdict::Warn => {
            Judgement::unknown(format!("The change may not match the request:\n{text}"))
        }
    }
}

/// The worse verdict, with both texts.
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
    use crate::gate::{GateReport, GateSelection, check_all};
    use crate::port::memory::MemoryHost;
    use crate::port::{Abort, Phase};
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
    async fn scope_after(host: &MemoryHost, after: &[&str]) -> Option<GateReport> {
        host.put("src/data/flavors.json", &flavors(after));
        let only = Some(vec!["scope".to_owned()]);
        let selection = GateSelection { only, ..GateSelection::default() };
        check_all(host, &selection, Phase::Check, Some(3), Comparison::None, &Abort::new(), &|_, _| ())
            .await
            .unwrap()
            .pop()
            .filter(|report| !report.not_applicable)
    }

    async fn saved() -> MemoryHost {
        let host = MemoryHost::new([APP, GRID, (PLAN, PLAN_TEXT)]);
        host.put("src/data/flavors.json", &flavors(&["Lime", "Berry", "Mango", "Mint"]));
        let options = SaveOptions { tag: Some("task-3-pre".to_owned()), ..SaveOptions::default() };
        save(&host, &options).await.unwrap();
        host
    }

    #[tokio::test]
    async fn converting_instead_of_adding_is_refused_and_adding_passes() {
        let host = saved().await;
        let report = scope_after(&host, &["Lime", "Berry", "Moonlit Calm", "Deep Rest"]).await.unwrap();
        assert_eq!(report.verdict, GateVerdict::Fail);
        assert_eq!(
            report.feedback.unwrap(),
            "The task did not keep to its plan:\n\
             - FAIL ADD of \"features\": Expected 6 items in \"features\" (4 + 2), found 4 in `flavors` \
             (src/data/flavors.json). Add 2 new items and leave the 4 existing ones as they are.\n\
             - FAIL PRESERVED of \"features\": PRESERVED violation: \"features\" had 4 items, now has 4 in `flavors` \
             (src/data/flavors.json); gone or converted: \"Mango\", \"Mint\". Bring back every existing item as it was, \
             and add new ones beside them."
        );
        let report =
            scope_after(&host, &["Lime", "Berry", "Mango", "Mint", "Moonlit Calm", "Deep Rest"]).await.unwrap();
        assert_eq!((report.verdict, report.feedback), (GateVerdict::Pass, None));
        let report = scope_after(&host, &["Lime", "Berry", "Mango", "Mint", "Moonlit Calm"]).await.unwrap();
        assert_eq!(report.verdict, GateVerdict::Warn);
    }

    #[tokio::test]
    async fn case_146_without_the_snapshot_it_warns_and_neither_passes_nor_fails() {
        let mut host = MemoryHost::new([APP, GRID, (PLAN, PLAN_TEXT)]);
        let report = scope_after(&host, &["Lime"]).await.unwrap();
        assert_eq!(report.verdict, GateVerdict::Warn);
        assert!(report.feedback.unwrap().starts_with("Cannot compare: there is no snapshot task-3-pre"));
        host.git = None;
        assert_eq!(scope_after(&host, &["Lime"]).await.unwrap().verdict, GateVerdict::Warn);
        let raise = vec!["scope".to_owned()];
        let selection = GateSelection { only: Some(raise.clone()), raise, ..GateSelection::default() };
        let reports = check_all(&host, &selection, Phase::Check, Some(3), Comparison::None, &Abort::new(), &|_, _| ())
            .await
            .unwrap();
        assert_eq!(reports[0].verdict, GateVerdict::Warn, "also where configuration raises warnings");
    }

    #[tokio::test]
    async fn without_markers_of_the_task_it_does_not_apply() {
        let host = saved().await;
        host.put(PLAN, &PLAN_TEXT.replace("TASK-3", "TASK-2").replace("EXISTING 4 flavors PRESERVED", "four"));
        assert_eq!(scope_after(&host, &["Lime"]).await, None);
        host.put(PLAN, "");
        assert_eq!(scope_after(&host, &["Lime"]).await, None);
    }

    #[tokio::test]
    async fn sources_that_are_too_large_to_be_read_fail_nobody() {
        let host = saved().await;
        host.put("src/huge.ts", &"x".repeat(2_000_000));
        assert_eq!(scope_after(&host, &["Lime"]).await.unwrap().verdict, GateVerdict::Warn);
    }
}
