//! Rounds over complete projects, with working and with broken hosts.
#![cfg(not(target_family = "wasm"))]

use super::round::check_all;
use super::*;
use crate::error::ErrorCode;
use crate::layout::{BUILD_ERRORS, CONSOLE, PLAN_DIFF, RUNTIME_ERRORS};
use crate::plan::MarkerKind;
use crate::port::memory::{MemoryBuild, MemoryGate, MemoryHost, MemoryPreview};
use crate::port::{Abort, BuildMessage, BuildReport, ConsoleMessage, GateAnswer, PortError, PortErrorKind};
use std::collections::BTreeMap;

const FILE_GATES: [&str; 9] = [
    "sources-parse",
    "app-exists",
    "app-has-content",
    "css-no-tailwind-directives",
    "css-theme-complete",
    "no-hardcoded-colors",
    "no-placeholders",
    "plan-diff",
    "has-summary",
];

const SUMMARY: (&str, &str) = (".ralph/summary.md", "Built a landing page for a coffee shop with a hero.");

const PLANNED: (&str, &str) = (
    ".ralph/plan.tsx",
    "export default (<App name=\"Coffee\"><Theme /><Screen name=\"home\"><Section gumdrop=\"hero\" /></Screen></App>)",
);

/// A React project that is built according to its plan and passes all gates.
fn finished_project() -> MemoryHost {
    let host = MemoryHost::new([
        ("package.json", r#"{"name":"coffee","dependencies":{"react":"^19.0.0","react-dom":"^19.0.0"}}"#),
        ("index.html", "<div id=\"root\"></div><script type=\"module\" src=\"/src/main.tsx\"></script>"),
        (
            "src/main.tsx",
            "import { createRoot } from 'react-dom/client'\nimport App from './App'\nimport './index.css'\n",
        ),
        ("src/App.tsx", "import { Hero } from './sections/Hero'\nexport default () => <main><Hero /></main>\n"),
        (
            "src/sections/Hero.tsx",
            "export function Hero() {\n  return <h1 className=\"text-primary\">Coffee from #123 to #abc</h1>\n}\n",
        ),
        ("src/assets/logo.svg", "<svg><path fill=\"#EA4335\"/></svg>"),
        ("src/node_modules/dependency/index.js", "export const color = '#fff'"),
        PLANNED,
        SUMMARY,
    ]);
    host.put("src/index.css", "");
    host
}

async fn complete_theme(host: &MemoryHost) {
    let reports = check(host).await;
    if let Some(fix) = reports.iter().find_map(|report| report.fix.clone()) {
        apply_fix(host, &fix).await.unwrap();
    }
}

/// A task that wrote all sources of an empty project.
fn building(host: &MemoryHost) -> TaskFacts {
    let tree = host.fs.tree("/project");
    let files = tree.iter().filter_map(|(path, bytes)| {
        let path =
            path.strip_prefix("/project/").filter(|path| path.starts_with("src/") && !path.contains("node_modules"))?;
        let text = String::from_utf8(bytes.clone()).unwrap();
        let after = (text.len() < 1_000_000).then_some(text);
        Some(ChangedFile { path: path.to_owned(), is_there: true, after, ..ChangedFile::default() })
    });
    TaskFacts { comparison: Comparison::Changed(files.collect()), builds_app: true, ..TaskFacts::default() }
}

/// The reports of the applicable gates for a task that built the project.
async fn check(host: &MemoryHost) -> Vec<GateReport> {
    let mut reports = check_of(host, building(host)).await;
    reports.retain(|report| !report.not_applicable);
    reports
}

async fn check_of(host: &MemoryHost, facts: impl Into<TaskFacts>) -> Vec<GateReport> {
    round(host, facts).await.reports
}

async fn round(host: &MemoryHost, facts: impl Into<TaskFacts>) -> Checked {
    let before = host.fs.tree("/");
    let checked = check_all(host, &GateSelection::default(), facts.into(), &Abort::new()).await.unwrap();
    assert!(host.fs.tree("/") == before, "a gate never writes");
    checked
}

/// The text of a report's file; `None` if the round removes it.
fn file<'a>(checked: &'a Checked, path: &str) -> Option<&'a str> {
    checked.files.iter().find(|file| file.path == path).unwrap().text.as_deref()
}

fn verdicts(reports: &[GateReport]) -> BTreeMap<&str, GateVerdict> {
    reports.iter().map(|report| (report.gate.as_str(), report.verdict)).collect()
}

fn names(reports: &[GateReport]) -> Vec<&str> {
    reports.iter().map(|report| report.gate.as_str()).collect()
}

fn report_of<'a>(reports: &'a [GateReport], gate: &str) -> &'a GateReport {
    reports.iter().find(|report| report.gate == gate).unwrap()
}

/// A build with an error in each of these files, at 3:7.
fn build_failure(files: &[&str]) -> BuildReport {
    let error = |file: &&str| BuildMessage {
        message: "Expected \"}\"".to_owned(),
        file: Some((*file).to_owned()),
        line: Some(3),
        column: Some(7),
    };
    BuildReport { success: false, errors: files.iter().map(error).collect(), warnings: Vec::new() }
}

fn feedback_of<'a>(reports: &'a [GateReport], gate: &str) -> &'a str {
    report_of(reports, gate).feedback.as_deref().unwrap()
}

#[tokio::test]
async fn only_a_certain_warning_can_be_raised_to_a_failure() {
    let host = finished_project();
    let skipped = ChangedFile::from_texts("src/a.test.ts", "it('a', f)", "it.skip('a', f)");
    let known = Comparison::Changed(vec![skipped]);
    let impossible = Comparison::Impossible("there is no snapshot \"task-3-pre\"".to_owned());
    for (comparison, raise, expected) in [
        (Comparison::None, "tests-kept", Some(GateVerdict::Pass)),
        (Comparison::Changed(Vec::new()), "tests-kept", Some(GateVerdict::Pass)),
        (known.clone(), "has-summary", Some(GateVerdict::Warn)),
        (known, "tests-kept", Some(GateVerdict::Fail)),
        (impossible, "tests-kept", Some(GateVerdict::Warn)),
    ] {
        let selection = GateSelection { raise: vec![raise.to_owned()], ..GateSelection::default() };
        let reports = check_all(&host, &selection, comparison.clone().into(), &Abort::new()).await.unwrap().reports;
        let report = reports.iter().find(|report| report.gate == "tests-kept");
        assert_eq!(report.map(|report| report.verdict), expected, "{comparison:?}");
        if let Comparison::Impossible(why) = comparison {
            assert!(report.and_then(|report| report.feedback.as_deref()).unwrap().contains(&why));
        }
    }
}

#[tokio::test]
async fn a_finished_project_passes_after_the_theme_fix() {
    let host = finished_project();
    assert_eq!(summarise(&check(&host).await), RoundVerdict::Fail);
    complete_theme(&host).await;
    let reports = check(&host).await;
    assert_eq!(names(&reports), FILE_GATES);
    assert_eq!(summarise(&reports), RoundVerdict::Pass, "{}", feedback(&reports));
}

#[tokio::test]
async fn an_untouched_scaffold_fails() {
    let host = MemoryHost::new([
        ("src/App.tsx", "export default () => <p>Edit src/App.tsx to get started.</p>"),
        ("src/index.css", "@tailwind base;\nbody { color: #213547 }"),
        PLANNED,
    ]);
    let reports = check(&host).await;
    let failed: Vec<&str> =
        reports.iter().filter(|r| r.verdict == GateVerdict::Fail).map(|r| r.gate.as_str()).collect();
    assert_eq!(failed, [&FILE_GATES[2..6], &["has-summary"]].concat());
    let text = feedback(&reports);
    assert!(
        text.contains("src/App.tsx is still the default scaffold. Implement the sections from your plan"),
        "{text}"
    );
    assert!(text.contains("- src/index.css:2: color: #213547"), "{text}");
    assert!(text.ends_with("Passed: sources-parse, app-exists, no-placeholders\n"), "{text}");
}

#[tokio::test]
async fn rules_for_react_do_not_apply_to_other_projects() {
    let vanilla = MemoryHost::new([
        ("package.json", r#"{"devDependencies":{"vite":"7"}}"#),
        ("index.html", "<h1>Hi</h1>"),
        ("src/main.js", "document.body.style.color = '#ff0000'"),
        ("src/index.css", "@tailwind base; body { color: #fff }"),
    ]);
    assert_eq!(names(&check(&vanilla).await), ["sources-parse", "no-placeholders", "has-summary"]);
    assert_eq!(names(&check(&MemoryHost::new([])).await), ["has-summary"]);
}

#[tokio::test]
async fn a_gate_that_does_not_apply_passes_with_the_reason() {
    let vanilla =
        MemoryHost::new([("package.json", r#"{"devDependencies":{"vite":"7"}}"#), ("src/main.js", "1"), SUMMARY]);
    let reports = check_of(&vanilla, Comparison::None).await;
    let reasons: Vec<(&str, &str)> = reports
        .iter()
        .filter(|report| report.not_applicable)
        .map(|report| (report.gate.as_str(), report.feedback.as_deref().unwrap()))
        .collect();
    let no_react = "not applicable: the project is not a React app";
    let no_git = "not applicable: without git, the changes of the task are not known";
    let expected = [
        ("work-done", "not applicable: there is no task"),
        ("sources-parse", no_git),
        ("nothing-lost", no_git),
        ("app-exists", no_react),
        ("app-has-content", no_react),
        ("css-no-tailwind-directives", no_react),
        ("css-theme-complete", no_react),
        ("no-hardcoded-colors", no_react),
        ("no-placeholders", no_git),
        ("tests-kept", no_git),
        ("assertions-kept", no_git),
        ("changes-named", no_git),
        ("build-succeeds", "not applicable: the host has no build"),
        ("runtime-errors", "not applicable: the host has no preview"),
        ("console-capture", "not applicable: the host has no preview"),
        ("plan-built", "not applicable: the task has no planned section to build"),
        ("plan-diff", "not applicable: there is no plan"),
        ("scope", "not applicable: there is no task"),
    ];
    assert_eq!(reasons, expected);
    assert!(reports.iter().all(|report| report.verdict == GateVerdict::Pass && report.fix.is_none()));
    assert_eq!(feedback(&reports), "# Quality Gates\n\nNo gate failed.\n\nPassed: has-summary\n");
}

#[tokio::test]
async fn fixes_are_offered_only_for_files_that_the_task_changed() {
    let host = finished_project();
    let fixes = async |facts: TaskFacts| {
        let reports = check_of(&host, facts).await;
        reports.into_iter().filter_map(|report| report.fix).map(|fix| fix.file).collect::<Vec<_>>()
    };
    assert_eq!(fixes(building(&host)).await, ["src/index.css"]);
    let with = |comparison| TaskFacts { comparison, builds_app: true, ..TaskFacts::default() };
    let elsewhere = Comparison::Changed(vec![ChangedFile::from_texts("src/App.tsx", "", "1")]);
    let gone = Comparison::Changed(vec![ChangedFile::from_texts("src/index.css", "1", "")]);
    for comparison in [elsewhere, gone, Comparison::None, Comparison::Impossible("gone".to_owned())] {
        assert_eq!(fixes(with(comparison.clone())).await, [""; 0], "{comparison:?}");
        let report = check_of(&host, with(comparison)).await;
        assert_eq!(report_of(&report, "css-theme-complete").verdict, GateVerdict::Fail);
    }
}

#[tokio::test]
async fn a_react_app_without_a_root_component_fails_only_app_exists() {
    let host = MemoryHost::new([("package.json", r#"{"dependencies":{"react":"19"}}"#)]);
    let reports = check(&host).await;
    assert_eq!(report_of(&reports, "app-exists").verdict, GateVerdict::Fail);
    assert!(!names(&reports).contains(&"app-has-content"));
}

#[tokio::test]
async fn build_errors_fail_and_their_report_is_removed_after_a_success() {
    let mut host = MemoryHost::new([]);
    let warning = BuildMessage { message: "slow".to_owned(), ..BuildMessage::default() };
    let success = BuildReport { success: true, errors: Vec::new(), warnings: vec![warning] };
    let silent = BuildReport::default();
    host.build = Some(MemoryBuild::new([Ok(build_failure(&["/project/src/App.tsx"])), Ok(silent), Ok(success)]));

    let checked = round(&host, building(&host)).await;
    let failed = report_of(&checked.reports, "build-succeeds");
    assert_eq!(failed.verdict, GateVerdict::Fail);
    assert!(failed.feedback.as_ref().unwrap().contains("- src/App.tsx:3:7: Expected \"}\""));
    assert_eq!(file(&checked, BUILD_ERRORS).unwrap(), "# Build errors\n\n- src/App.tsx:3:7: Expected \"}\"\n");

    assert!(feedback_of(&check(&host).await, "build-succeeds").contains("without an error message"));

    let checked = round(&host, building(&host)).await;
    assert_eq!(report_of(&checked.reports, "build-succeeds").verdict, GateVerdict::Warn);
    assert_eq!(file(&checked, BUILD_ERRORS), None);
}

#[tokio::test]
async fn a_build_that_cannot_run_is_inconclusive() {
    let crash = PortError::new("build", "build", PortErrorKind::Other, "worker died");
    for (build, text) in [(MemoryBuild::new([Err(crash)]), "worker died"), (MemoryBuild::default(), "120000 ms")] {
        let host = MemoryHost::new([SUMMARY]).with(|ports| ports.build = Some(build));
        let Checked { reports, files, error, .. } = round(&host, building(&host)).await;
        let report = report_of(&reports, "build-succeeds");
        assert_eq!(report.verdict, GateVerdict::Error);
        assert!(report.feedback.as_ref().unwrap().contains(text), "{report:?}");
        assert_eq!(summarise(&reports), RoundVerdict::Inconclusive);
        assert!(files.is_empty() && error.is_some());
    }
}

#[tokio::test]
async fn preview_errors_are_judged_and_reported() {
    let preview = MemoryPreview::default();
    let host = MemoryHost::new([]).with(|ports| ports.preview = Some(preview.clone()));
    let both = |reports: &[GateReport]| {
        (report_of(reports, "runtime-errors").verdict, report_of(reports, "console-capture").verdict)
    };
    assert_eq!(both(&check(&host).await), (GateVerdict::Pass, GateVerdict::Pass));

    let error = BuildMessage { message: "x is not a function".to_owned(), ..BuildMessage::default() };
    preview.errors.borrow_mut().push(error);
    let entry = |level: &str, message: &str| ConsoleMessage { level: level.to_owned(), message: message.to_owned() };
    *preview.console.borrow_mut() = Some(vec![entry("log", "hello"), entry("error", "bad\nstack")]);
    let checked = round(&host, building(&host)).await;
    assert_eq!(both(&checked.reports), (GateVerdict::Fail, GateVerdict::Warn));
    assert_eq!(file(&checked, RUNTIME_ERRORS).unwrap(), "# Runtime errors\n\n- x is not a function\n");
    assert_eq!(file(&checked, CONSOLE).unwrap(), "# Console\n\n- log: hello\n- error: bad\n  stack\n");
    assert!(feedback_of(&checked.reports, "console-capture").contains("1 error(s)"));

    preview.errors.borrow_mut().clear();
    preview.console.borrow_mut().as_mut().unwrap().clear();
    let checked = round(&host, building(&host)).await;
    assert_eq!(both(&checked.reports), (GateVerdict::Pass, GateVerdict::Pass));
    assert_eq!((file(&checked, RUNTIME_ERRORS), file(&checked, CONSOLE)), (None, None));
}

const PLAN: &str = "export default (<App name=\"Coffee\"><Theme />\n<Screen name=\"home\">\n<Section gumdrop=\"hero\" />\n\
                    <Section gumdrop=\"footer\" />\n</Screen></App>)";

#[tokio::test]
async fn the_plan_diff_warns_and_never_fails() {
    let host = finished_project();
    complete_theme(&host).await;
    host.put(".ralph/plan.tsx", PLAN);
    let checked = round(&host, building(&host)).await;
    let report = report_of(&checked.reports, "plan-diff");
    assert_eq!(report.verdict, GateVerdict::Warn);
    let feedback = report.feedback.as_ref().unwrap();
    assert!(feedback.starts_with("2 of 3 planned parts are built: 1 missing"), "{feedback}");
    assert!(feedback.contains("- section footer (Screen \"home\", line 4: no component of that name"), "{feedback}");
    assert_eq!(summarise(&checked.reports), RoundVerdict::Pass);
    let text = file(&checked, PLAN_DIFF).unwrap();
    assert!(text.contains("- section hero → src/sections/Hero.tsx (Screen \"home\", line 3)\n"), "{text}");

    host.put(
        "src/App.tsx",
        "import { Hero } from './sections/Hero'\nexport default () => <><Hero /><footer>C</footer></>\n",
    );
    let checked = round(&host, building(&host)).await;
    let report = report_of(&checked.reports, "plan-diff").clone();
    assert_eq!((report.verdict, report.feedback), (GateVerdict::Pass, None));
    let text = file(&checked, PLAN_DIFF).unwrap();
    assert!(text.starts_with("# Plan and sources\n\n3 of 3 planned parts are built"), "{text}");

    host.put(".ralph/plan.tsx", "export default <App");
    let report = report_of(&check(&host).await, "plan-diff").clone();
    assert_eq!(report.verdict, GateVerdict::Warn);
    assert!(report.feedback.unwrap().contains("cannot be read: line 1"));
}

#[tokio::test]
async fn the_feedback_of_a_failed_gate_names_the_section_of_each_file() {
    let mut host = finished_project();
    let report = build_failure(&["/project/src/sections/Hero.tsx", "src/lib.ts"]);
    host.build = Some(MemoryBuild::new([Ok(report.clone()), Ok(report)]));
    host.put(".ralph/plan.tsx", "");
    assert!(feedback_of(&check(&host).await, "build-succeeds").contains("- src/sections/Hero.tsx:3:7: Expected"));
    host.put(".ralph/plan.tsx", PLAN);
    let reports = check(&host).await;
    let text = feedback_of(&reports, "build-succeeds");
    assert!(text.contains("- src/sections/Hero.tsx:3:7 (plan: Screen \"home\" › Section hero, line 3): E"), "{text}");
    assert!(text.contains("- src/lib.ts:3:7: Expected"), "{text}");
}

#[tokio::test]
async fn the_gates_of_the_host_run_last() {
    let answer = |pass: bool, feedback: Option<&str>| GateAnswer { pass, feedback: feedback.map(str::to_owned) };
    let host = MemoryHost::new([]).with(|ports| {
        ports.gates = vec![
            MemoryGate::new("lint", move || Ok(answer(false, Some("\u{1b}[31mNo semicolon.")))),
            MemoryGate::new("mute", move || Ok(answer(false, Some("  ")))),
            MemoryGate::new("good", move || Ok(answer(true, None))),
        ];
    });
    let reports = check(&host).await;
    assert_eq!(names(&reports), ["has-summary", "lint", "mute", "good"]);
    assert_eq!(report_of(&reports, "lint").feedback.as_deref(), Some("No semicolon."));
    assert!(feedback_of(&reports, "mute").contains("It checks: a gate of the IDE"));
    assert_eq!(report_of(&reports, "good").verdict, GateVerdict::Pass);
}

#[tokio::test]
async fn a_gate_of_the_host_that_throws_or_hangs_is_inconclusive() {
    let throws = || Err(PortError::new("gate", "check", PortErrorKind::Other, "TypeError: x is undefined"));
    let host = MemoryHost::new([SUMMARY])
        .with(|ports| ports.gates = vec![MemoryGate::new("thrower", throws), MemoryGate::silent("sleeper")]);
    let reports = check(&host).await;
    let expected =
        [("has-summary", GateVerdict::Pass), ("sleeper", GateVerdict::Error), ("thrower", GateVerdict::Error)];
    assert_eq!(verdicts(&reports), BTreeMap::from_iter(expected));
    assert!(feedback_of(&reports, "thrower").contains("thrower could not judge"));
    assert!(feedback_of(&reports, "thrower").contains("x is undefined"));
    assert!(feedback_of(&reports, "sleeper").contains("no answer within 60000 ms"));
    assert_eq!(report_of(&reports, "sleeper").duration_ms, 60_000);
    assert_eq!(summarise(&reports), RoundVerdict::Inconclusive);
}

#[test]
fn a_round_has_its_worst_verdict() {
    use GateVerdict::{Error, Fail, Pass, Warn};
    let report =
        |verdict: &GateVerdict| super::round::report("g", Judgement { verdict: *verdict, ..Judgement::pass() }, 0);
    for (verdicts, expected) in [
        (vec![], RoundVerdict::Pass),
        (vec![Pass, Warn], RoundVerdict::Pass),
        (vec![Pass, Fail, Warn], RoundVerdict::Fail),
        (vec![Pass, Error], RoundVerdict::Inconclusive),
        (vec![Error, Fail], RoundVerdict::Fail),
    ] {
        let reports: Vec<_> = verdicts.iter().map(report).collect();
        assert_eq!(summarise(&reports), expected, "{verdicts:?}");
    }
}

#[tokio::test]
async fn an_abort_ends_the_round() {
    let abort = Abort::new();
    let (fire, later) = (abort.clone(), MemoryGate::new("later", || panic!("asked after the abort")));
    let aborter = MemoryGate::new("aborter", move || {
        fire.fire("stop");
        Ok(GateAnswer { pass: true, feedback: None })
    });
    let host = MemoryHost::new([]).with(|ports| ports.gates = vec![aborter, later]);
    let (selection, facts) = (GateSelection::default(), TaskFacts::default());
    let aborted = check_all(&host, &selection, facts.clone(), &abort).await.unwrap_err();
    assert_eq!(aborted.reason, "stop");
    let calls = host.fs.calls();
    assert!(check_all(&host, &selection, facts, &abort).await.is_err());
    assert_eq!(host.fs.calls(), calls);
}

#[tokio::test]
async fn an_abort_does_not_wait_for_a_hanging_gate() {
    let abort = Abort::new();
    let host = MemoryHost::new([]).with(|ports| ports.gates = vec![MemoryGate::silent("sleeper")]);
    let selection = GateSelection::default();
    let before = crate::port::ClockPort::now(&host.clock);
    let fire = async {
        tokio::task::yield_now().await;
        abort.fire("stop");
    };
    let (round, ()) =
        futures_util::future::join(check_all(&host, &selection, TaskFacts::default(), &abort), fire).await;
    assert!(round.is_err());
    assert_eq!(crate::port::ClockPort::now(&host.clock), before);
}

#[tokio::test]
async fn the_selection_decides_which_gates_run() {
    let host = finished_project();
    let run = async |only: Option<&[&str]>, disabled: &[&str]| {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let selection = GateSelection { only: only.map(owned), disabled: owned(disabled), ..GateSelection::default() };
        let reports = check_all(&host, &selection, TaskFacts::default(), &Abort::new()).await.unwrap().reports;
        let applied = reports.into_iter().filter(|report| !report.not_applicable);
        applied.map(|report| report.gate).collect::<Vec<_>>()
    };
    assert_eq!(run(Some(&["has-summary", "app-exists"]), &[]).await, ["app-exists", "has-summary"]);
    assert_eq!(run(None, &FILE_GATES[..8]).await, ["has-summary"]);
    assert_eq!(run(Some(&["has-summary"]), &["has-summary"]).await, [""; 0]);
}

#[test]
fn the_selection_must_name_existing_gates() {
    let pass = || Ok(GateAnswer { pass: true, feedback: None });
    let host = MemoryHost::default().with(|ports| ports.gates = vec![MemoryGate::new("ide-lint", pass)]);
    let only = |name: &str| GateSelection { only: Some(vec![name.to_owned()]), ..GateSelection::default() };
    assert!(check_selection(&host, &GateSelection::default()).is_ok());
    assert!(check_selection(&host, &only("ide-lint")).is_ok());

    let error = check_selection(&host, &only("app-exist")).unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidConfig);
    assert!(error.message.starts_with("unknown gate \"app-exist\"; did you mean app-exists"), "{error}");
    let disabled = GateSelection { disabled: vec!["ide-lnit".to_owned()], ..GateSelection::default() };
    assert!(check_selection(&host, &disabled).unwrap_err().message.contains("ide-lint"));
    assert!(check_selection(&host, &only("zzz")).unwrap_err().message.contains("the gates are app-exists, "));
}

#[test]
fn the_gates_of_the_host_need_unique_names() {
    let pass = || Ok(GateAnswer { pass: true, feedback: None });
    for names in [vec!["has-summary"], vec!["a", "a"], vec![" "]] {
        let gates = names.iter().map(|name| MemoryGate::new(name, pass)).collect();
        let host = MemoryHost::default().with(|ports| ports.gates = gates);
        let error = check_selection(&host, &GateSelection::default()).unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidArgument, "{names:?}");
    }
}

#[tokio::test]
async fn large_files_are_not_read() {
    let host = finished_project();
    complete_theme(&host).await;
    host.put("src/data.ts", &format!("export const color = '#fff' // {}", "x".repeat(1024 * 1024)));
    let reports = check(&host).await;
    let colors = report_of(&reports, "no-hardcoded-colors");
    assert_eq!(colors.verdict, GateVerdict::Warn);
    assert!(colors.feedback.as_ref().unwrap().starts_with("1 file(s) were not searched"));
}

#[tokio::test]
async fn links_are_not_followed() {
    use crate::port::FsPort;
    let host = finished_project();
    complete_theme(&host).await;
    host.fs.put("/elsewhere/secret.ts", "const color = '#fff'");
    host.fs.symlink("/elsewhere", "/project/src/link").await.unwrap();
    host.fs.symlink("/project/src", "/project/src/loop").await.unwrap();
    assert_eq!(summarise(&check(&host).await), RoundVerdict::Pass);
    let linked = MemoryHost::new([SUMMARY]);
    linked.fs.put("/elsewhere/App.tsx", "");
    linked.fs.symlink("/elsewhere", "/project/src").await.unwrap();
    assert_eq!(names(&check(&linked).await), ["has-summary"]);
}

#[tokio::test]
async fn every_gate_reports_an_error_for_an_unreadable_project() {
    use crate::port::FsPort;
    let host = MemoryHost::new([("src/App.tsx", "")]);
    host.fs.symlink("/project/.ralph", "/project/.ralph").await.unwrap();
    let reports = check(&host).await;
    assert!(!reports.is_empty() && reports.iter().all(|report| report.verdict == GateVerdict::Error), "{reports:?}");
    assert!(reports[0].feedback.as_ref().unwrap().contains("ELOOP"), "{reports:?}");
    assert_eq!(summarise(&reports), RoundVerdict::Inconclusive);
}

/// A project in memory after the agent wrote these files, with the request of one message; an empty text removes a file.
pub(super) async fn written_by_agent(
    (kind, message): (MarkerKind, &str),
    before: &[(&str, &str)],
    written: &[(&str, &str)],
) -> (MemoryHost, Project) {
    let host = MemoryHost::new([]);
    before.iter().for_each(|(path, text)| host.put(path, text));
    let mut files = Vec::new();
    for (path, text) in written {
        let before = before.iter().find(|(known, _)| known == path).map_or("", |(_, text)| text);
        files.push(ChangedFile::from_texts(path, before, text));
        match *text {
            "" => host.project().remove_file(path).await.unwrap(),
            text => host.put(path, text),
        }
    }
    let paths: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
    let work = WorkEvidence {
        by_agent: paths.clone(),
        differing: Some(paths),
        asks_for_more: true,
        ..WorkEvidence::default()
    };
    let all = vec![RequestedChange { kind, text: message.to_owned(), count: None }];
    let request = TaskRequest { messages: vec![message.to_owned()], all, ..TaskRequest::default() };
    let facts = TaskFacts { work: Some(work), request, ..Comparison::Changed(files).into() };
    let project = Project::load(host.project(), facts).await.unwrap();
    (host, project)
}
