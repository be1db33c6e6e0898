//! Ordinary projects: a correct change passes, and everything else is unchanged.

use crate::engine::support::{Outcome, SUMMARY, complete, registry, run_scripted, write};
use loopgate::gate::{GateReport, GateVerdict};
use loopgate::port::memory::{MemoryHost, Turn};
use loopgate::run::{Event, LimitOptions, RunOptions, StopReason};
use wasm_bindgen_test::wasm_bindgen_test;

/// The files of a project, by path.
type Files = Vec<(&'static str, &'static str)>;

const REACT: &str = r#"{"dependencies":{"react":"^19.0.0","react-dom":"^19.0.0"},"devDependencies":{"vite":"^7.0.0"}}"#;
const TAILWIND: &str = r#"{"dependencies":{"react":"^19.0.0"},"devDependencies":{"tailwindcss":"^3.4.0"}}"#;
const MAIN: &str = "import { createRoot } from 'react-dom/client'\nimport App from './App'\nimport './index.css'\n\
                    createRoot(document.getElementById('root')).render(<App />)\n";
/// The style sheet of create-vite, shortened.
const VITE_CSS: &str = ":root {\n  font-family: system-ui;\n  color: #213547;\n  background-color: #ffffff;\n}\n\
                        a { color: #646cff; }\nbody { margin: 0; }\nbutton { background-color: #1a1a1a; }\n";
/// The page of create-vite, shortened.
const VITE_APP: &str = "import { useState } from 'react'\nfunction App() {\n  const [count, setCount] = useState(0)\n  return (\n    <>\n      \
    <h1>Vite + React</h1>\n      <button onClick={() => setCount((count) => count + 1)}>count is {count}</button>\n      \
    <p>Edit <code>src/App.tsx</code> and save to test HMR</p>\n    </>\n  )\n}\nexport default App\n";
const APP: &str = "// TODO: split this file\nexport default function App() {\n  return <main style={{ color: '#333' }}><h1>Helo</h1></main>\n}\n";
const TAILWIND_APP: &str =
    "export default function App() {\n  return <main className=\"bg-slate-100 text-red-500\"><h1>Helo</h1></main>\n}\n";

/// The variables of shadcn/ui for Tailwind 3 or 4.
fn shadcn(is_new: bool) -> String {
    const CORE: &str = "background foreground card card-foreground popover popover-foreground primary \
        primary-foreground secondary secondary-foreground muted muted-foreground accent accent-foreground destructive \
        border input ring radius";
    const CHARTS: &str = "chart-1 chart-2 chart-3 chart-4 chart-5";
    const NEW: &str = "sidebar sidebar-foreground sidebar-primary sidebar-primary-foreground sidebar-accent \
        sidebar-accent-foreground sidebar-border sidebar-ring";
    let value = if is_new { "oklch(0.145 0 0)" } else { "222.2 84% 4.9%" };
    let names = [CORE, CHARTS, if is_new { NEW } else { "destructive-foreground" }].join(" ");
    let lines: String = names.split_whitespace().map(|name| format!("  --{name}: {value};\n")).collect();
    let rules = format!(":root {{\n{lines}}}\n.dark {{\n{lines}}}\n");
    if is_new {
        format!(
            "@import \"tailwindcss\";\n@custom-variant dark (&:is(.dark *));\n@theme inline {{\n  --color-primary: var(--primary);\n}}\n{rules}"
        )
    } else {
        format!(
            "@tailwind base;\n@tailwind utilities;\n@layer base {{\n{rules}}}\n@layer base {{ body {{ @apply bg-background; }} }}\n"
        )
    }
}

fn host(files: &[(&str, &str)]) -> MemoryHost {
    let host = MemoryHost::new([]);
    files.iter().for_each(|(path, text)| host.put(path, text));
    host
}

/// The files of the project without the harness's files and the agent's notes.
fn sources(host: &MemoryHost) -> Vec<(String, Vec<u8>)> {
    let own = |path: &String| !["/.ralph/", "/.loopgate/"].iter().any(|folder| path.contains(folder));
    host.fs.tree("/project").into_iter().filter(|(path, _)| own(path)).collect()
}

/// Every kind of project with the file to fix, and the fix: a text and its replacement.
fn projects() -> Vec<(&'static str, Files, &'static str, (&'static str, &'static str))> {
    let heading = ("Helo", "Hello");
    let old: &'static str = Box::leak(shadcn(false).into_boxed_str());
    let new: &'static str = Box::leak(shadcn(true).into_boxed_str());
    vec![
        (
            "a plain Vite project",
            vec![("package.json", REACT), ("src/main.tsx", MAIN), ("src/App.tsx", APP), ("src/index.css", VITE_CSS)],
            "src/App.tsx",
            heading,
        ),
        (
            "a plain Vite project in JavaScript",
            vec![("package.json", REACT), ("src/main.jsx", MAIN), ("src/App.jsx", APP), ("src/index.css", VITE_CSS)],
            "src/App.jsx",
            heading,
        ),
        (
            "its style sheet",
            vec![("package.json", REACT), ("src/main.tsx", MAIN), ("src/App.tsx", APP), ("src/index.css", VITE_CSS)],
            "src/index.css",
            ("margin: 0;", "margin: 1px;"),
        ),
        (
            "create-vite's template",
            vec![
                ("package.json", REACT),
                ("src/main.tsx", MAIN),
                ("src/App.tsx", VITE_APP),
                ("src/index.css", VITE_CSS),
            ],
            "src/App.tsx",
            ("count is", "The count is"),
        ),
        (
            "create-vite's template, beside its page",
            vec![
                ("package.json", REACT),
                ("index.html", "<title>Vit</title>"),
                ("src/main.tsx", MAIN),
                ("src/App.tsx", VITE_APP),
            ],
            "index.html",
            ("Vit<", "Vite<"),
        ),
        (
            "Tailwind 3 by its manifest",
            vec![
                ("package.json", TAILWIND),
                ("src/App.tsx", TAILWIND_APP),
                ("src/index.css", "@tailwind base;\n@tailwind utilities;\n"),
            ],
            "src/App.tsx",
            heading,
        ),
        (
            "Tailwind 3 by its configuration",
            vec![
                ("package.json", REACT),
                ("tailwind.config.js", "export default { content: [] }"),
                ("postcss.config.js", "export default { plugins: { tailwindcss: {} } }"),
                ("src/App.tsx", TAILWIND_APP),
                ("src/index.css", "@tailwind base;\n.a { @apply flex; }\n"),
            ],
            "src/index.css",
            ("flex", "grid"),
        ),
        (
            "Tailwind 4",
            vec![
                ("package.json", REACT),
                ("src/App.tsx", TAILWIND_APP),
                ("src/index.css", "@import \"tailwindcss\";\n@theme { --color-brand: #f00; }\n"),
            ],
            "src/index.css",
            ("#f00", "#e00"),
        ),
        (
            "shadcn of Tailwind 3",
            vec![
                ("package.json", TAILWIND),
                ("components.json", "{}"),
                ("src/App.tsx", TAILWIND_APP),
                ("src/index.css", old),
            ],
            "src/App.tsx",
            heading,
        ),
        (
            "shadcn of Tailwind 4",
            vec![
                ("package.json", TAILWIND),
                ("components.json", "{}"),
                ("src/App.tsx", TAILWIND_APP),
                ("src/index.css", new),
            ],
            "src/index.css",
            ("--radius: oklch(0.145 0 0)", "--radius: 0.5rem"),
        ),
        (
            "a part of a theme",
            vec![
                ("package.json", REACT),
                ("src/App.tsx", TAILWIND_APP),
                (
                    "src/index.css",
                    ":root { --background: #fff; --foreground: #000; --primary: #06c; }\na { color: #06c; }\n",
                ),
            ],
            "src/App.tsx",
            heading,
        ),
        (
            "CSS modules",
            vec![("package.json", REACT), ("src/App.tsx", APP), ("src/App.module.css", ".page { color: #333; }\n")],
            "src/App.module.css",
            (".page { color", ".page { margin: 0; color"),
        ),
        (
            "styled-components",
            vec![
                ("package.json", REACT),
                (
                    "src/App.tsx",
                    "import styled from 'styled-components'\nconst Page = styled.main`\n  color: #fafafa;\n`\nexport default () => <Page>Helo</Page>\n",
                ),
            ],
            "src/App.tsx",
            heading,
        ),
        (
            "a library of components",
            vec![
                ("package.json", r#"{"peerDependencies":{"react":">=18"},"devDependencies":{"react":"19"}}"#),
                ("src/Button.tsx", "export const Button = () => <button style={{ color: '#333' }}>Helo</button>\n"),
            ],
            "src/Button.tsx",
            heading,
        ),
        (
            "a library without React",
            vec![
                ("package.json", r#"{"devDependencies":{"typescript":"5"}}"#),
                ("src/add.ts", "export const add = (a: number, b: number) => a - b\n"),
            ],
            "src/add.ts",
            ("a - b", "a + b"),
        ),
        (
            "a Node project",
            vec![("package.json", r#"{"type":"module"}"#), ("server.js", "console.log('Helo')\n")],
            "server.js",
            heading,
        ),
        (
            "an app in its entry file",
            vec![
                ("package.json", REACT),
                (
                    "src/main.tsx",
                    "import { createRoot } from 'react-dom/client'\ncreateRoot(document.body).render(<h1>Helo</h1>)\n",
                ),
            ],
            "src/main.tsx",
            heading,
        ),
        (
            "a monorepo",
            vec![
                ("package.json", r#"{"workspaces":["apps/*"],"devDependencies":{"react":"19"}}"#),
                ("apps/web/package.json", REACT),
                ("apps/web/src/App.tsx", APP),
                ("apps/web/src/index.css", VITE_CSS),
            ],
            "apps/web/src/App.tsx",
            heading,
        ),
    ]
}

/// A run in which the agent writes these files and completes.
async fn run(host: &MemoryHost, message: &str, files: &[(&'static str, String)]) -> Outcome {
    let iteration = || {
        let writes = files.iter().map(|(path, text)| Turn::calls([write(path, text)]));
        writes.chain([Turn::calls([write(".ralph/summary.md", SUMMARY), complete()])])
    };
    let turns = (0..3).flat_map(|_| iteration()).collect::<Vec<_>>();
    let mut options = RunOptions::task("run-1", message, registry());
    options.limits = LimitOptions { max_consecutive_gate_failures: Some(3.0), ..LimitOptions::default() };
    run_scripted(host, options, turns).await.0
}

fn failing(outcome: &Outcome) -> Vec<&str> {
    let failed = outcome.result().gates.iter().filter(|report| report.verdict == GateVerdict::Fail);
    failed.map(|report| report.gate.as_str()).collect()
}

fn report<'a>(outcome: &'a Outcome, gate: &str) -> &'a GateReport {
    outcome.result().gates.iter().find(|report| report.gate == gate).unwrap()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_one_line_fix_passes_in_every_kind_of_project() {
    for with_git in [true, false] {
        for (name, files, path, (from, to)) in projects() {
            let mut host = host(&files);
            if !with_git {
                host.git = None;
            }
            let mut expected = sources(&host);
            let fixed = host.text(path).unwrap().replacen(from, to, 1);
            let outcome = run(&host, "Fix the typo in the heading", &[(path, fixed.clone())]).await;
            let ended = (outcome.result().reason, outcome.result().iterations);
            assert_eq!(ended, (StopReason::Done, 1), "{name}: {:?}", failing(&outcome));
            let place = expected.iter().position(|(known, _)| *known == format!("/project/{path}")).unwrap();
            assert_ne!(expected[place].1, fixed.as_bytes(), "{name}: the fix changes something");
            expected[place].1 = fixed.into_bytes();
            assert_eq!(sources(&host), expected, "{name}: only the fix");
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_small_feature_passes_in_every_kind_of_project() {
    for (name, files, path, _) in projects().into_iter().filter(|(_, _, path, _)| *path == "src/App.tsx") {
        let host = host(&files);
        let app = host.text(path).unwrap();
        let footer = "export function Footer() {\n  return <footer>Open daily</footer>\n}\n".to_owned();
        let app = format!(
            "import {{ Footer }} from './Footer'\n{}",
            app.replacen("<h1>", "<Footer /><h1>", 1).replacen("<Page>", "<Page><Footer />", 1)
        );
        let before = host.text("src/index.css");
        let outcome = run(&host, "Add a footer", &[(path, app), ("src/Footer.tsx", footer)]).await;
        assert_eq!(outcome.result().reason, StopReason::Done, "{name}: {:?}", failing(&outcome));
        assert_eq!(host.text("src/index.css"), before, "{name}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn defects_that_a_task_adds_are_refused_in_the_same_projects() {
    let css = shadcn(true);
    let react = [("package.json", REACT), ("src/main.tsx", MAIN)];
    let project = |app: &'static str, css: &str| {
        let host = host(&[&react[..], &[("src/App.tsx", app)]].concat());
        host.put("src/index.css", css);
        host
    };
    let tailwind = || {
        let host = project(TAILWIND_APP, &css);
        host.put("package.json", TAILWIND);
        host
    };
    let (plain, template) = (|| project(APP, VITE_CSS), || project(VITE_APP, VITE_CSS));
    let (fix, build) = ("Fix the typo in the heading", "Build me a landing page");
    let red = TAILWIND_APP.replacen("<h1>", "<h1 style={{ color: '#ff0000' }}>", 1);
    let landing = "export const Landing = () => <h1>Coffee</h1>\n".to_owned();
    for (host, message, path, text, gate) in [
        (tailwind(), fix, "src/App.tsx", red, "no-hardcoded-colors"),
        (tailwind(), fix, "src/index.css", css.replace("--background:", "--paper:"), "css-theme-complete"),
        (plain(), fix, "src/App.tsx", "export default () => null\n".to_owned(), "app-has-content"),
        (template(), build, "src/Landing.tsx", landing, "app-has-content"),
        (host(&[]), build, "src/App.tsx", VITE_APP.to_owned(), "app-has-content"),
        (host(&[]), build, "package.json", REACT.to_owned(), "app-exists"),
    ] {
        let before = host.text("src/index.css");
        let outcome = run(&host, message, &[(path, text)]).await;
        assert_eq!(outcome.result().reason, StopReason::GatesFailed, "{gate}");
        assert!(failing(&outcome).contains(&gate), "{gate}: {:?}", failing(&outcome));
        if path != "src/index.css" {
            assert_eq!(host.text("src/index.css"), before, "no fix touches a file that the task did not touch");
        }
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_fix_changes_only_what_the_task_wrote() {
    let host = host(&[("package.json", REACT), ("src/App.tsx", APP), ("src/index.css", VITE_CSS)]);
    let fixed = VITE_CSS.replace("margin: 0", "margin: 1rem");
    let written = format!("@tailwind base;\n{fixed}");
    let outcome = run(&host, "Fix the margin of the page", &[("src/index.css", written)]).await;
    assert_eq!(outcome.result().reason, StopReason::Done);
    assert_eq!(outcome.count(|event| matches!(event, Event::FixesApplied { .. })), 1);
    assert_eq!(host.text("src/index.css"), Some(fixed));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn gates_that_do_not_apply_are_reported_with_a_reason() {
    let host = host(&[("package.json", REACT), ("src/App.tsx", APP), ("src/index.css", VITE_CSS)]);
    let fixed = APP.replace("Helo", "Hello");
    let outcome = run(&host, "Fix the typo in the heading", &[("src/App.tsx", fixed)]).await;
    for gate in ["css-theme-complete", "no-hardcoded-colors"] {
        let gate_report = report(&outcome, gate);
        let reason = "not applicable: no theme in the plan and no theme variables in use";
        assert_eq!(gate_report.feedback.as_deref(), Some(reason));
        assert_eq!((gate_report.verdict, gate_report.not_applicable), (GateVerdict::Pass, true));
        assert_eq!(outcome.count(|event| matches!(event, Event::GateChecked { report } if report.gate == gate)), 1);
    }
    assert!(!report(&outcome, "has-summary").not_applicable);
}
