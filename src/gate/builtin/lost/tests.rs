//! Lost parts, and honest work that must pass.

use super::check;
use crate::gate::GateVerdict::{self, Fail, Pass, Warn};
use crate::gate::tests::written_by_agent;
use crate::gate::{ChangedFile, Comparison, Project, TaskFacts, WorkEvidence};
use crate::plan::MarkerKind::{self, Add, Fix, Modify, Remove};
use crate::port::memory::MemoryHost;

const APP: [(&str, &str); 7] = [
    ("package.json", r#"{"dependencies":{"react":"19","tailwindcss":"4"}}"#),
    (
        "index.html",
        "<!doctype html>\n<html><head><title>Harbour Bakery</title></head>\n<body>\n<div id=\"root\"></div>\n\
         <script type=\"module\" src=\"/src/main.tsx\"></script>\n</body></html>\n",
    ),
    ("src/main.tsx", "import App from './App'\nimport './index.css'\ncreateRoot(root).render(<App />)\n"),
    (
        "src/App.tsx",
        "import { Header } from './components/Header'\nimport { Menu } from './components/Menu'\n\
         export default function App() {\n  return (\n    <main>\n      <Header />\n      <Menu />\n      \
         <section id=\"about\"><h2>About us</h2><p>We bake bread since 1904.</p></section>\n      \
         <footer>Open every day from seven</footer>\n    </main>\n  )\n}\n",
    ),
    ("src/components/Header.tsx", "export function Header() {\n  return <header><h1>Harbour Bakery</h1></header>\n}\n"),
    (
        "src/components/Menu.tsx",
        "const items = ['Plum cake', 'Rye bread', 'Poppy roll']\n\
         export function Menu() {\n  return <ul>{items.map((item) => <li key={item}>{item}</li>)}</ul>\n}\n",
    ),
    (
        "src/index.css",
        "@import \"tailwindcss\";\n@custom-variant dark (&:is(.dark *));\n:root { --radius: 1rem }\n.dark { --radius: 2rem }\n\
         @theme inline { --radius-lg: var(--radius) }\nbody { margin: 0 }\nh1 { font-size: 2rem }\n",
    ),
];

const FOOTER: (MarkerKind, &str) = (Modify, "We open at eight, update the footer");
const ABOUT: &str = "<section id=\"about\"><h2>About us</h2><p>We bake bread since 1904.</p></section>";

type Files<'a> = Vec<(&'a str, &'a str)>;

/// The judgement after the agent wrote these files; an empty text removes one.
async fn judged(
    (kind, message): (MarkerKind, &str),
    project: &[(&str, &str)],
    written: &[(&str, &str)],
) -> (GateVerdict, String) {
    let (host, project) = written_by_agent((kind, message), project, written).await;
    let files = project.task.comparison.files().unwrap_or_default();
    let judgement = check(&host, &project, files).await.unwrap();
    (judgement.verdict, judgement.feedback.unwrap_or_default())
}

async fn expect(
    case: &str,
    asked: (MarkerKind, &str),
    project: &[(&str, &str)],
    written: Files<'_>,
    expected: GateVerdict,
    words: &str,
) {
    let (verdict, feedback) = judged(asked, project, &written).await;
    assert_eq!(verdict, expected, "{case}: {feedback}");
    assert!(feedback.contains(words), "{case}: {feedback}");
}

fn app(imports: &str, main: &str) -> String {
    format!("{imports}export default function App() {{\n  return <main>{main}</main>\n}}\n")
}

const IMPORTS: &str = "import { Header } from './components/Header'\nimport { Menu } from './components/Menu'\n";

#[tokio::test]
async fn components_and_sections_that_nobody_asked_to_remove_are_refused() {
    let rest = app("", "{/* The rest of your JSX */}<footer>Open every day from eight</footer>");
    let alone = app("", "<footer>Open every day from eight</footer>");
    let without_menu = app(IMPORTS, &format!("<Header />{ABOUT}<footer>Open from eight</footer>"));
    let commented = app(IMPORTS, &format!("<Header />{{/* <Menu /> */}}{ABOUT}<footer>Open from eight</footer>"));
    let never = app(IMPORTS, &format!("<Header />{{false && <p />}}{ABOUT}<footer>Open from eight</footer>"));
    let without_about = app(IMPORTS, "<Header /><Menu /><footer>Open from eight</footer>");
    let gallery = app("import { Gallery } from './Gallery'\n", &format!("<Gallery />{ABOUT}"));
    let files = |text| vec![("src/App.tsx", text)];
    let header = "put it back in src/App.tsx";
    for (case, asked, written, words) in [
        ("with a comment", FOOTER, files(rest.as_str()), header),
        ("without one", FOOTER, files(&alone), "<Header /> is gone: put it back in src/App.tsx"),
        ("one component", FOOTER, files(&without_menu), "- <Menu /> is gone"),
        ("commented out", FOOTER, files(&commented), "- <Menu /> is gone"),
        ("another one", FOOTER, files(&never), "- <Menu /> is gone"),
        ("a section", FOOTER, files(&without_about), "- <section id=\"about\"> is gone"),
        ("a fix", (Fix, "Fix the opening hours in the footer"), files(&alone), "<Menu />"),
        (
            "another removal",
            (Remove, "Remove the footer"),
            files(&app(IMPORTS, &format!("<Header />{ABOUT}"))),
            "<Menu />",
        ),
        ("replaced elsewhere", (Modify, "Replace the opening hours in the footer"), files(&alone), "<Menu />"),
        ("changed elsewhere", (Modify, "Change every day to weekdays"), files(&alone), "<Menu />"),
        (
            "something new beside it",
            (Add, "Add a gallery"),
            vec![("src/App.tsx", gallery.as_str()), ("src/Gallery.tsx", "export const Gallery = () => <p>Photos</p>")],
            "<Header />",
        ),
    ] {
        expect(case, asked, &APP, written, Fail, words).await;
    }
}

#[tokio::test]
async fn a_component_of_the_same_file_and_a_route_are_kept() {
    let routes = "import { Home } from './Home'\nimport { Menu } from './Menu'\nexport default function App() {\n  return <Routes>\
        <Route path=\"/\" element={<Home />} /><Route path=\"/menu\" element={<Menu />} /></Routes>\n}\n";
    let local = "function Note() { return <p>Closed on Monday</p> }\nexport default function App() { return <main><Note /></main> }\n";
    let project = |app| {
        [
            APP[0],
            APP[1],
            APP[2],
            ("src/App.tsx", app),
            ("src/Home.tsx", "export const Home = () => <p>Home</p>"),
            ("src/Menu.tsx", "export const Menu = () => <p>Plum cake</p>"),
        ]
    };
    let fewer = routes.replace("<Route path=\"/menu\" element={<Menu />} />", "");
    for (case, before, after, words) in [
        (
            "a local component is gone",
            local,
            "export default function App() { return <main>Open</main> }\n",
            "<Note />",
        ),
        ("it is left behind", local, &local.replace("<main><Note /></main>", "<main>Open</main>"), "<Note />"),
        ("a route", routes, fewer.as_str(), "the route /menu is gone: put it back in src/App.tsx"),
    ] {
        expect(case, FOOTER, &project(before), vec![("src/App.tsx", after)], Fail, words).await;
    }
    let renamed = routes.replace("\"/menu\"", "\"/cakes\"");
    expect("renamed", FOOTER, &project(routes), vec![("src/App.tsx", &renamed)], Pass, "").await;
    let inlined = "export default function App() { return <main><p>Closed on Monday</p></main> }\n";
    expect("inlined", FOOTER, &project(local), vec![("src/App.tsx", inlined)], Pass, "").await;
}

#[tokio::test]
async fn honest_refactors_and_removals_pass() {
    let moved = app(
        "import { Layout } from './Layout'\nimport { Menu } from './components/Menu'\n",
        &format!("<Layout><Menu />{ABOUT}<footer>Open from eight</footer></Layout>"),
    );
    let layout = "import { Header } from './components/Header'\nexport const Layout = ({ children }) => <><Header />{children}</>\n";
    let renamed = app(
        "import { TopBar } from './components/TopBar'\nimport { Menu } from './components/Menu'\n",
        &format!("<TopBar /><Menu />{ABOUT}<footer>Open every day from seven</footer>"),
    );
    let top_bar = APP[4].1.replace("Header", "TopBar");
    let inlined = app(
        "import { Menu } from './components/Menu'\n",
        &format!("<header><h1>Harbour Bakery</h1></header><Menu />{ABOUT}<footer>Open every day from seven</footer>"),
    );
    let pages = "import { Home } from './pages/Home'\nimport { About } from './pages/About'\nexport default function App() {\n  return <Routes>\
        <Route path=\"/\" element={<Home />} /><Route path=\"/about\" element={<About />} /></Routes>\n}\n";
    let home = "import { Header } from '../components/Header'\nimport { Menu } from '../components/Menu'\nexport const Home = () => <><Header /><Menu /><footer>Open every day from seven</footer></>\n";
    let about = "export const About = () => <section id=\"about\"><h2>About us</h2><p>We bake bread since 1904.</p></section>\n";
    let without_menu = app(
        "import { Header } from './components/Header'\n",
        &format!("<Header />{ABOUT}<footer>Open every day from seven</footer>"),
    );
    let extracted = app(
        &format!("{IMPORTS}import {{ Story }} from './Story'\n"),
        "<Header /><Menu /><Story /><footer>Open every day from seven</footer>",
    );
    let story = about.replace("About =", "Story =");
    let translated = app(
        &format!("import {{ useTranslation }} from 'react-i18next'\n{IMPORTS}"),
        "<Header /><Menu /><section id=\"about\"><h2>{t('about')}</h2></section><footer>{t('open')}</footer>",
    );
    let without_about = app(IMPORTS, "<Header /><Menu /><footer>Open every day from seven</footer>");
    for (case, asked, written) in [
        (
            "moved to a layout",
            (Modify, "Use a layout"),
            vec![("src/App.tsx", moved.as_str()), ("src/Layout.tsx", layout)],
        ),
        (
            "renamed",
            (Modify, "Rename Header to TopBar"),
            vec![("src/App.tsx", &renamed), ("src/components/TopBar.tsx", &top_bar), ("src/components/Header.tsx", "")],
        ),
        (
            "renamed unasked",
            FOOTER,
            vec![("src/App.tsx", &renamed), ("src/components/TopBar.tsx", &top_bar), ("src/components/Header.tsx", "")],
        ),
        ("inlined", (Modify, "Simplify the page"), vec![("src/App.tsx", &inlined), ("src/components/Header.tsx", "")]),
        (
            "split into pages",
            (Modify, "Split the app into pages"),
            vec![("src/App.tsx", pages), ("src/pages/Home.tsx", home), ("src/pages/About.tsx", about)],
        ),
        (
            "extracted",
            (Modify, "Move the story into a component"),
            vec![("src/App.tsx", &extracted), ("src/Story.tsx", &story)],
        ),
        ("removed on request", (Remove, "Remove the menu"), vec![("src/App.tsx", &without_menu)]),
        (
            "removed with its file",
            (Remove, "Remove the menu"),
            vec![("src/App.tsx", &without_menu), ("src/components/Menu.tsx", "")],
        ),
        ("replaced", (Modify, "Replace the menu with a link to our shop"), vec![("src/App.tsx", &without_menu)]),
        ("by its text", (Remove, "Remove the text about bread"), vec![("src/App.tsx", &without_about)]),
        ("by its id", (Remove, "Remove the about section"), vec![("src/App.tsx", &without_about)]),
        ("translated", (Add, "Add translations"), vec![("src/App.tsx", &translated)]),
    ] {
        expect(case, asked, &APP, written, Pass, "").await;
    }
}

#[tokio::test]
async fn what_may_be_asked_for_or_replaced_is_a_warning() {
    let alone = app("", "<footer>Open every day from eight</footer>");
    let without_menu = app(
        "import { Header } from './components/Header'\n",
        &format!("<Header />{ABOUT}<footer>Open every day from seven</footer>"),
    );
    let other = app(
        "import { Cakes } from './Cakes'\nimport { Header } from './components/Header'\n",
        &format!("<Header /><Cakes />{ABOUT}<footer>Open every day from seven</footer>"),
    );
    let cakes = ("src/Cakes.tsx", "export const Cakes = () => <p>Cakes</p>");
    for (case, asked, written) in [
        ("another part in its place", FOOTER, vec![("src/App.tsx", other.as_str()), cakes]),
        ("its file is gone, too", FOOTER, vec![("src/App.tsx", &without_menu), ("src/components/Menu.tsx", "")]),
        ("a change of the part", (Modify, "Make the menu shorter"), vec![("src/App.tsx", &without_menu)]),
        ("a change of the whole", (Modify, "Turn this into a blog"), vec![("src/App.tsx", &alone)]),
        ("by the name of the file", (Modify, "Simplify App.tsx"), vec![("src/App.tsx", &alone)]),
    ] {
        expect(case, asked, &APP, written, Warn, "Do nothing if").await;
    }
}

#[tokio::test]
async fn what_a_document_loads_is_kept() {
    let page = "<html><head>\n<link rel=\"stylesheet\" href=\"style.css\" />\n<link rel=\"icon\" href=\"icon.svg\">\n</head><body>\n\
        <main><h1>Bakery</h1></main>\n<footer>From seven</footer>\n<script src=\"script.js\"></script>\n<script>start('bakery', 7)</script>\n</body></html>";
    let project = [("index.html", page), ("style.css", "h1 { color: red }"), ("script.js", "alert(1)")];
    let without = |part: &str| page.replace(part, "").replace("seven", "eight");
    let script = "<script src=\"script.js\"></script>\n";
    let cut: String = page.split("<script").next().unwrap_or_default().to_owned();
    let bundled = without(script).replace("style.css", "all.css");
    for (case, text, expected, words) in [
        ("the script", without(script), Fail, "- <script src=\"script.js\"> is gone: put it back in index.html"),
        ("the style sheet", without("<link rel=\"stylesheet\" href=\"style.css\" />"), Fail, "href=\"style.css\""),
        ("code in the document", without("<script>start('bakery', 7)</script>"), Fail, "- <script> start"),
        ("cut off", cut, Fail, "script.js"),
        ("an icon", without("<link rel=\"icon\" href=\"icon.svg\">"), Warn, "icon.svg"),
        ("another file", page.replace("script.js", "main.js"), Pass, ""),
        ("another address of the styles", page.replace("style.css", "style.css?v=2"), Pass, ""),
        ("a replaced style sheet", bundled, Fail, "script.js"),
        ("only the text", page.replace("seven", "eight"), Pass, ""),
    ] {
        expect(case, FOOTER, &project, vec![("index.html", &text)], expected, words).await;
    }
    let main = ("main.js", "import './script.js'");
    let text =
        without(script).replace("<script>start", "<script type=\"module\" src=\"main.js\"></script><script>start");
    expect("bundled", FOOTER, &project, vec![("index.html", &text), main], Pass, "").await;
    let inner = ("code.js", "start('bakery', 7)");
    let text = without("<script>start('bakery', 7)</script>").replace("script.js", "script.js?1");
    expect("moved to a file", FOOTER, &project, vec![("index.html", &text), inner], Pass, "").await;
    let asked = (Remove, "Remove script.js, nothing needs it");
    expect("on request", asked, &project, vec![("index.html", &without(script))], Pass, "").await;
    let index = APP[1].1;
    let asked = (Modify, "Rename the bakery to Quay Bakery in the title");
    let cut = index.split("<script").next().unwrap_or_default().replace("Harbour", "Quay");
    expect("the module", asked, &APP, vec![("index.html", &cut)], Fail, "/src/main.tsx").await;
    let renamed = index.replace("main.tsx", "main.ts");
    expect("to another language", asked, &APP, vec![("index.html", &renamed)], Pass, "").await;
}

#[tokio::test]
async fn the_blocks_of_a_component_are_kept() {
    let vue = "<script setup>\nimport Card from './Card.vue'\nconst cakes = ['Plum']\n</script>\n<template><Card v-for=\"cake in cakes\">{{ cake }}</Card></template>\n";
    let svelte = "<script>\nlet cakes = ['Plum']\n</script>\n{#each cakes as cake}<p>{cake}</p>{/each}\n";
    let astro = "---\nconst cakes = ['Plum']\n---\n<ul>{cakes.map((cake) => <li>{cake}</li>)}</ul>\n";
    for (path, text) in [("src/Menu.vue", vue), ("src/Menu.svelte", svelte), ("src/pages/index.astro", astro)] {
        let project = [(path, text), ("package.json", "{}")];
        let (script, template) = match path.rsplit_once('.').unwrap().1 {
            "vue" => text.split_at(text.find("<template").unwrap()),
            "svelte" => text.split_at(text.find("{#each").unwrap()),
            _ => text.split_at(text.find("<ul").unwrap()),
        };
        expect(path, FOOTER, &project, vec![(path, script)], Fail, "the template is gone").await;
        expect(path, (Modify, "Rename the menu"), &project, vec![(path, script)], Fail, "the template is gone").await;
        expect(path, FOOTER, &project, vec![(path, template)], Fail, "the script is gone").await;
        expect(path, FOOTER, &project, vec![(path, &text.replace("Plum", "Rye"))], Pass, "").await;
        expect(path, FOOTER, &project, vec![(path, "<template><p>Plum</p></template>")], Warn, "the script").await;
    }
    let render = "<script>\nimport { h } from 'vue'\nexport default { render: () => h('p') }\n</script>\n";
    expect("a function renders", FOOTER, &[("src/Menu.vue", vue)], vec![("src/Menu.vue", render)], Warn, "").await;
}

#[tokio::test]
async fn components_of_other_frameworks_are_kept() {
    let vue = "<script setup>\nimport SiteHeader from './SiteHeader.vue'\n</script>\n<template><main><site-header /><p>Bread</p></main></template>\n";
    let svelte =
        "<script>\nimport SiteHeader from './SiteHeader.svelte'\n</script>\n<main><SiteHeader /><p>Bread</p></main>\n";
    let next = "import { SiteHeader } from '../components/SiteHeader'\nexport default function Page() {\n  return <main><SiteHeader /><p>Bread</p></main>\n}\n";
    for (path, text, header, body) in [
        ("src/App.vue", vue, "src/SiteHeader.vue", "<template><header>Bakery</header></template>"),
        ("src/App.svelte", svelte, "src/SiteHeader.svelte", "<header>Bakery</header>"),
        ("app/page.tsx", next, "components/SiteHeader.tsx", "export const SiteHeader = () => <header>Bakery</header>"),
    ] {
        let project = [
            (path, text),
            (header, body),
            ("package.json", r#"{"dependencies":{"next":"15","vue":"3","svelte":"5"}}"#),
        ];
        let without = text.replace("<SiteHeader />", "").replace("<site-header />", "").replace("Bread", "Rye");
        expect(path, FOOTER, &project, vec![(path, &without)], Fail, "<SiteHeader /> is gone").await;
        let inlined = text
            .replace("<SiteHeader />", "<header>Bakery</header>")
            .replace("<site-header />", "<header>Bakery</header>");
        expect(path, FOOTER, &project, vec![(path, &inlined)], Pass, "").await;
        expect(path, (Remove, "Remove the header"), &project, vec![(path, &without)], Pass, "").await;
    }
}

#[tokio::test]
async fn most_of_a_style_sheet_is_kept() {
    let css =
        "@import \"./fonts.css\";\n.hero { a: b }\n.card { a: b }\n.menu { a: b }\n.footer { a: b }\nbody { a: b }\n";
    let classes = "export default () => <main className=\"hero card menu footer\" />";
    let project = [
        ("package.json", r#"{"dependencies":{"react":"19"}}"#),
        ("src/App.tsx", classes),
        ("src/App.css", css),
        ("src/fonts.css", "@font-face { a: b }"),
    ];
    let round = (Modify, "Make the corners a bit less round");
    let moved = ("src/parts.css", ".hero { a: b } .card { a: b } .menu { a: b }");
    let few = "@import \"./fonts.css\";\n.footer { a: b }\nbody { c: d }\n";
    let tailwind = "export default () => <main className=\"p-4\" />";
    for (case, asked, written, expected, words) in [
        ("most rules", round, vec![("src/App.css", few)], Fail, "3 of 5 rules (.card, .hero, .menu, …) is gone"),
        ("a few rules", round, vec![("src/App.css", &*css.replace(".hero { a: b }", ""))], Pass, ""),
        ("to another sheet", round, vec![("src/App.css", few), moved], Pass, ""),
        ("nothing uses them", round, vec![("src/App.css", few), ("src/App.tsx", tailwind)], Pass, ""),
        ("on request", (Remove, "Remove the styles"), vec![("src/App.css", few)], Pass, ""),
        (
            "an import",
            round,
            vec![("src/App.css", &*css.replace("@import \"./fonts.css\";", ""))],
            Fail,
            "@import \"./fonts.css\"",
        ),
        (
            "an import elsewhere",
            round,
            vec![
                ("src/App.css", &*css.replace("@import \"./fonts.css\";", "")),
                ("src/App.tsx", &*format!("import './fonts.css'\n{classes}")),
            ],
            Pass,
            "",
        ),
    ] {
        expect(case, asked, &project, written, expected, words).await;
    }
    let theirs = APP[6].1;
    for (case, text, expected, words) in [
        ("Tailwind", theirs.replace("@import \"tailwindcss\";", ""), Fail, "Tailwind (@import \"tailwindcss\")"),
        ("the theme", theirs.replace("@theme inline { --radius-lg: var(--radius) }", ""), Fail, "@theme"),
        (
            "an older form",
            theirs.replace("@import \"tailwindcss\";", "@tailwind base;\n@tailwind utilities;"),
            Pass,
            "",
        ),
        ("a value", theirs.replace("1rem", "0.5rem"), Pass, ""),
    ] {
        expect(case, round, &APP, vec![("src/index.css", &text)], expected, words).await;
    }
}

#[tokio::test]
async fn a_file_that_the_user_changed_and_unknown_words_never_fail() {
    let alone = app("", "<footer>Open every day from eight</footer>");
    let host = MemoryHost::new(APP);
    host.put("src/App.tsx", &alone);
    let files = vec![ChangedFile::from_texts("src/App.tsx", APP[3].1, &alone)];
    for (work, expected) in [
        (None, Ok(Warn)),
        (Some(WorkEvidence { by_agent: vec!["src/main.tsx".to_owned()], ..WorkEvidence::default() }), Err(())),
    ] {
        let facts = TaskFacts { work, ..Comparison::Changed(files.clone()).into() };
        let project = Project::load(host.project(), facts).await.unwrap();
        let judgement = check(&host, &project, &files).await;
        assert_eq!(judgement.map(|judgement| judgement.verdict).map_err(|_| ()), expected);
    }
}
