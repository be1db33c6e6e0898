//! Work that is lost is not done, and honest work is.

use crate::engine::support::{Outcome, complete, registry, run_scripted, write};
use loopgate::port::memory::{MemoryHost, Turn};
use loopgate::run::{LimitOptions, PlanMode, RunOptions, StopReason};
use wasm_bindgen_test::wasm_bindgen_test;

const STYLES: &str = "@import \"tailwindcss\";\n@custom-variant dark (&:is(.dark *));\n:root {\n  --radius: 1rem;\n  \
    --background: oklch(1 0 0);\n  --foreground: oklch(0.2 0 0);\n  --primary: oklch(0.4 0.1 60);\n}\n.dark {\n  \
    --background: oklch(0.2 0 0);\n  --foreground: oklch(1 0 0);\n}\n@theme inline {\n  --radius-lg: var(--radius);\n}\n";

const INDEX: &str = "<!doctype html>\n<html>\n<head><title>Harbour Bakery</title></head>\n<body>\n<div id=\"root\"></div>\n\
    <script type=\"module\" src=\"/src/main.tsx\"></script>\n</body>\n</html>\n";

const APP: &str = "import { Header } from './components/Header'\nimport { Menu } from './components/Menu'\n\
    export default function App() {\n  return (\n    <main>\n      <Header />\n      <Menu />\n      \
    <footer>Open every day from seven</footer>\n    </main>\n  )\n}\n";

/// A bakery with Vite, React and Tailwind.
fn bakery() -> MemoryHost {
    MemoryHost::new([
        ("package.json", r#"{"dependencies":{"react":"^19.0.0","tailwindcss":"^4.0.0"}}"#),
        ("index.html", INDEX),
        ("src/main.tsx", "import './index.css'\nimport App from './App'\ncreateRoot(root).render(<App />)\n"),
        ("src/index.css", STYLES),
        ("src/App.tsx", APP),
        (
            "src/components/Header.tsx",
            "export function Header() {\n  return <header><h1>Harbour Bakery</h1></header>\n}\n",
        ),
        (
            "src/components/Menu.tsx",
            "const items = ['Plum cake', 'Rye bread', 'Poppy roll']\nexport function Menu() {\n  return <ul>{items.map((item) => \
             <li key={item}>{item}</li>)}</ul>\n}\n",
        ),
    ])
}

/// A task whose agent writes these files.
async fn run(host: &MemoryHost, message: &str, written: &[(&str, &str)]) -> Outcome {
    let writes = written.iter().map(|(path, text)| Turn::calls([write(path, text)]));
    let summary = write(".ralph/summary.md", "Did what the message asks for, as it is written.");
    let turns = writes.chain([Turn::calls([summary, complete()])]);
    let mut options = RunOptions { plan: PlanMode::Off, ..RunOptions::task("run-1", message, registry()) };
    options.limits = LimitOptions { max_consecutive_gate_failures: Some(1.0), ..LimitOptions::default() };
    run_scripted(host, options, turns.collect::<Vec<_>>()).await.0
}

const FOOTER: &str = "We open at eight, update the footer";

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn what_the_page_lost_is_refused_with_its_name_and_place() {
    let rest = "export default function App() {\n  return (\n    <main>\n      {/* The rest of your JSX */}\n      \
        <footer>Open every day from eight</footer>\n    </main>\n  )\n}\n";
    let alone = rest.replace("      {/* The rest of your JSX */}\n", "");
    let page = "<!doctype html>\n<html><head><link rel=\"stylesheet\" href=\"style.css\" /></head>\n<body><h1>Bakery</h1>\
        <footer>Open from seven</footer>\n<script src=\"script.js\"></script>\n</body></html>\n";
    let bare = page.replace("<link rel=\"stylesheet\" href=\"style.css\" />", "");
    let bare = bare.replace("<script src=\"script.js\"></script>\n", "").replace("seven", "eight");
    let static_page = || {
        MemoryHost::new([
            ("index.html", page),
            ("style.css", "h1 { margin: 0 }"),
            ("script.js", "document.title = 'Bakery'"),
        ])
    };
    let cut = INDEX.split("<script").next().unwrap_or_default().replace("Harbour", "Quay");
    let wrapped = format!("<file path=\"src/index.css\">\n{}</file>\n", STYLES.replace("1rem", "0.75rem"));
    let title = "Rename the bakery to Quay Bakery in the title";
    for (case, host, message, file, gate, words) in [
        (
            "a comment for the rest",
            bakery(),
            FOOTER,
            ("src/App.tsx", rest),
            "nothing-lost",
            "<Menu /> is gone: put it back in src/App.tsx",
        ),
        (
            "nothing for the rest",
            bakery(),
            FOOTER,
            ("src/App.tsx", &*alone),
            "nothing-lost",
            "<Header /> is gone: put it back in src/App.tsx",
        ),
        (
            "a document",
            static_page(),
            FOOTER,
            ("index.html", &*bare),
            "nothing-lost",
            "<script src=\"script.js\"> is gone",
        ),
        (
            "a document that is cut off",
            bakery(),
            title,
            ("index.html", &*cut),
            "nothing-lost",
            "<script src=\"/src/main.tsx\">",
        ),
        (
            "a wrapped file",
            bakery(),
            "Make the corners a bit less round",
            ("src/index.css", &*wrapped),
            "sources-parse",
            "inside a tag <file>",
        ),
    ] {
        let outcome = run(&host, message, &[file]).await;
        let result = outcome.result();
        assert_eq!(result.reason, StopReason::GatesFailed, "{case}: {}", result.message);
        let report = result.gates.iter().find(|report| report.gate == gate).unwrap();
        assert!(report.feedback.as_deref().unwrap_or_default().contains(words), "{case}: {report:?}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn honest_changes_of_the_same_files_are_done() {
    let eight = APP.replace("seven", "eight");
    let layout = APP.replace("import { Header } from './components/Header'\n", "import { Layout } from './Layout'\n");
    let layout = layout.replace("<Header />", "<Layout>").replace("</main>", "</Layout></main>");
    let layout_file = "import { Header } from './components/Header'\nexport function Layout({ children }) {\n  return <><Header />{children}</>\n}\n";
    let without_menu = APP.replace("      <Menu />\n", "").replace("import { Menu } from './components/Menu'\n", "");
    let title = INDEX.replace("Harbour", "Quay");
    let rounded = STYLES.replace("1rem", "0.75rem");
    let styled = APP.replace("<main>", "<main className=\"mx-auto max-w-xl p-6\">");
    for (message, written) in [
        (FOOTER, vec![("src/App.tsx", eight.as_str())]),
        ("Move the header into a layout component", vec![("src/App.tsx", &layout), ("src/Layout.tsx", layout_file)]),
        ("Remove the menu", vec![("src/App.tsx", &without_menu)]),
        ("Replace the menu with a link to our shop", vec![("src/App.tsx", &without_menu)]),
        ("Rename the bakery to Quay Bakery in the title", vec![("index.html", &title)]),
        ("Make the corners a bit less round", vec![("src/index.css", &rounded)]),
        ("Center the page", vec![("src/App.tsx", &styled)]),
    ] {
        let outcome = run(&bakery(), message, &written).await;
        let result = outcome.result();
        assert!(result.success, "{message}: {}", result.message);
        let lost = result.gates.iter().find(|report| report.gate == "nothing-lost").unwrap();
        assert_eq!(lost.feedback, None, "{message}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn colors_that_the_theme_cannot_have_are_no_fault() {
    let add = |import: &str, element: &str| {
        format!("{import}{}", APP.replace("<Menu />", &format!("<Menu />\n      {element}")))
    };
    let baked = "import { IconCheck } from '@tabler/icons-react'\nexport function Baked({ done }) {\n  return <td>{done ? \
        <IconCheck className=\"fill-green-500 dark:fill-green-400\" /> : 'No'}</td>\n}\n";
    let with_baked = add("import { Baked } from './components/Baked'\n", "<Baked done />");
    let confetti = "const COLORS = ['#f94144', '#f3722c', '#90be6d', '#577590']\nexport function confetti(context) {\n  \
        COLORS.forEach((color, at) => {\n    context.fillStyle = color\n    context.fillRect(at * 9, 0, 6, 6)\n  })\n}\n";
    let throwing = add(
        "import { confetti } from './lib/confetti'\n",
        "<button onClick={() => confetti(canvas)}>Plum cake</button>",
    );
    let address =
        APP.replace("from seven", "from seven<span className=\"block text-sm text-gray-500\">1 Quay Street</span>");
    let lovable = || {
        let host = bakery();
        host.put(
            "src/components/Menu.tsx",
            "export function Menu() {\n  return <ul className=\"border border-gray-200 bg-white text-gray-900\"><li \
             className=\"border-b border-gray-100 text-gray-500\">Plum cake</li><li className=\"bg-gray-50 text-gray-700\">Rye</li></ul>\n}\n",
        );
        host
    };
    for (host, message, written) in [
        (
            bakery(),
            "Show in a table cell whether an order is baked",
            vec![("src/components/Baked.tsx", baked), ("src/App.tsx", with_baked.as_str())],
        ),
        (lovable(), "Add a line with our address to the footer", vec![("src/App.tsx", address.as_str())]),
        (
            bakery(),
            "Throw confetti when someone clicks on the plum cake",
            vec![("src/lib/confetti.ts", confetti), ("src/App.tsx", throwing.as_str())],
        ),
    ] {
        let outcome = run(&host, message, &written).await;
        assert!(outcome.result().success, "{message}: {}", outcome.result().message);
    }
    let gray = run(&bakery(), "Add a line with our address to the footer", &[("src/App.tsx", &address)]).await;
    assert_eq!(gray.result().reason, StopReason::GatesFailed, "the theme has a color for it");
}
