//! Which changes the app uses, in projects of many kinds.

use super::used::tests::{self as used, judged};
use crate::gate::GateVerdict::{self, Fail, Pass, Warn};

const PACKAGE: (&str, &str) = ("package.json", r#"{"dependencies":{"react":"19","react-dom":"19"}}"#);
const APP: (&str, &str) = ("src/App.tsx", "export default function App() {\n  return <main>Teas</main>\n}\n");
const BOTH: &str = "import App from '/src/App'\nimport { Footer } from '/src/Footer'\ncreateRoot(root).render(<><App /><Footer /></>)\n";
const OLD: (&str, &str) = ("src/Footer.tsx", "export const Footer = () => <a href=\"/shpo\">Shop</a>\n");
const NEW: (&str, &str) = ("src/Footer.tsx", "export const Footer = () => <a href=\"/shop\">Shop</a>\n");
const FIX: &str = "Fix the broken shop link in the footer";
const ADD: &str = "Add a footer that says \"All rights reserved\"";
const FOOTER: &str = "export function Footer() { return <footer>All rights reserved</footer> }\n";

fn page(script: &str) -> String {
    format!("<html><body><div id=\"root\"></div>{script}</body></html>")
}

#[tokio::test]
async fn what_the_entry_loads_is_used_wherever_the_entry_is_named() {
    let main = page("<script type=\"module\" src=\"/src/main.tsx\"></script>");
    let at = |script: &str| page(&format!("<script type=\"module\" {script}></script>"));
    for (case, files) in [
        ("a module loaded for its effect", vec![("src/main.tsx", "import('./boot')\n"), ("src/boot.tsx", BOTH)]),
        (
            "its own export",
            vec![("src/main.tsx", "import('./boot')\n"), ("src/boot.tsx", &format!("{BOTH}export const a = 1\n"))],
        ),
        (
            "a page of a folder",
            vec![
                ("index.html", &main),
                ("src/main.tsx", "import './App'\n"),
                ("admin/index.html", &at("src=\"/src/admin.tsx\"")),
                ("src/admin.tsx", BOTH),
            ],
        ),
        ("beside its page", vec![("admin/index.html", &at("src=\"./admin.tsx\"")), ("admin/admin.tsx", BOTH)]),
        (
            "inline",
            vec![
                ("index.html", &page("<script type=\"module\">import './src/boot.tsx'</script>")),
                ("src/boot.tsx", BOTH),
            ],
        ),
        ("without quotes", vec![("index.html", &at("src=/src/boot.tsx")), ("src/boot.tsx", BOTH)]),
        (
            "another attribute",
            vec![("index.html", &at("data-src=\"/x.js\" src=\"/src/boot.tsx\"")), ("src/boot.tsx", BOTH)],
        ),
        ("a variable", vec![("index.html", &at("src=\"%PUBLIC_URL%/src/boot.tsx\"")), ("src/boot.tsx", BOTH)]),
        ("outside src", vec![("index.html", &at("src=\"/client/entry.tsx\"")), ("client/entry.tsx", BOTH)]),
        (
            "in the configuration",
            vec![("webpack.config.js", "module.exports = { entry: './src/boot.tsx' }"), ("src/boot.tsx", BOTH)],
        ),
        (
            "in a script",
            vec![("package.json", r#"{"scripts":{"dev":"esbuild src/boot.tsx --bundle"}}"#), ("src/boot.tsx", BOTH)],
        ),
        (
            "by void",
            vec![
                ("index.html", &main),
                (
                    "src/main.tsx",
                    &format!(
                        "{}void start()\nfunction start() {{ createRoot(root).render(<Footer />) }}\n",
                        "import { Footer } from './Footer'\n"
                    ),
                ),
            ],
        ),
        (
            "through a list",
            vec![
                ("index.html", &main),
                ("src/main.tsx", "import { a } from './list'\na()\n"),
                ("src/list.ts", "import './boot'\nexport { a } from './a'\n"),
                ("src/a.ts", "export const a = () => 1\n"),
                ("src/boot.tsx", BOTH),
            ],
        ),
    ] {
        let files: Vec<(&str, &str)> = [PACKAGE, APP, OLD].into_iter().chain(files).collect();
        let (verdict, feedback) = judged(FIX, &files, &[NEW]).await;
        assert_eq!(verdict, Pass, "{case}: {feedback}");
    }
}

#[tokio::test]
async fn where_the_entry_or_what_it_loads_is_not_known_nothing_fails() {
    let at = |script: &str| page(&format!("<script type=\"module\" {script}></script>"));
    let main = at("src=\"/src/main.tsx\"");
    for (case, files) in [
        (
            "a script that does not exist",
            vec![("index.html", at("src=\"/build/boot.js\"").as_str()), ("src/main.tsx", "import './App'\n")],
        ),
        (
            "a path with a variable",
            vec![("index.html", &main), ("src/main.tsx", "export const load = (n) => import(`./${n}.tsx`)\n")],
        ),
        (
            "a configuration without a path",
            vec![("rollup.config.js", "export default { input: entries() }"), ("src/main.tsx", "import './App'\n")],
        ),
        (
            "an unknown alias",
            vec![
                ("index.html", &main),
                ("vite.config.ts", "export default { resolve: { alias } }"),
                ("src/main.tsx", "import 'parts/Footer'\n"),
            ],
        ),
        (
            "a generated module",
            vec![("index.html", &main), ("src/main.tsx", "import routes from 'virtual:routes'\nroutes()\n")],
        ),
        ("two candidates", vec![("src/main.tsx", "import './App'\n"), ("src/index.tsx", "import './App'\n")]),
    ] {
        let files: Vec<(&str, &str)> = [PACKAGE, APP, OLD].into_iter().chain(files).collect();
        let (verdict, feedback) = judged(FIX, &files, &[NEW]).await;
        assert_ne!(verdict, Fail, "{case}: {feedback}");
    }
}

#[tokio::test]
async fn what_is_imported_and_not_rendered_is_not_used() {
    let main = ("src/main.tsx", "import App from './App'\ncreateRoot(root).render(<App />)\n");
    let app = |more: &str, main: &str| {
        format!(
            "import {{ Footer }} from './Footer'\n{more}export default function App() {{\n  return <main>Teas{main}</main>\n}}\n"
        )
    };
    for (case, text) in [
        ("only imported", app("", "")),
        ("void", app("void Footer\n", "")),
        ("a comment", app("", "{/* <Footer /> */}")),
        ("never", app("", "{false && <Footer />}")),
    ] {
        let written = [("src/Footer.tsx", FOOTER), (APP.0, text.as_str())];
        let (verdict, feedback) = judged(ADD, &[PACKAGE, main, APP], &written).await;
        assert_eq!(verdict, Fail, "{case}: {feedback}");
    }
    let styles = ("src/hero.css", ".hero { color: red }");
    let hero = (APP.0, "export default function App() {\n  return <main className=\"hero\">Teas</main>\n}\n");
    assert_eq!(judged("Make the hero bigger", &[PACKAGE, main, hero], &[styles]).await.0, Fail);
    let imported = format!("import './hero.css'\n{}", hero.1);
    assert_eq!(judged("Make the hero bigger", &[PACKAGE, main, hero], &[styles, (APP.0, &imported)]).await.0, Pass);
}

/// What it is about, the manifest, another file, what the agent writes, and the verdict.
type Case<'a> = (&'a str, &'a str, (&'a str, &'a str), Vec<(&'a str, &'a str)>, GateVerdict);

#[tokio::test]
async fn a_framework_warns_of_what_no_file_mentions() {
    let next = r#"{"dependencies":{"next":"15","react":"19"}}"#;
    let page = "export default function Page() { return <main /> }\n";
    let with_local = format!("{}{page}", FOOTER.replace("export ", ""));
    let shown = "import { Footer } from '../components/footer'\nexport default function Page() { return <Footer /> }\n";
    let vue = |script: &str, template: &str| {
        format!("<script setup>\n{script}</script>\n<template><main /><footer />{template}</template>\n")
    };
    let import = "import Footer from './Footer.vue'\n";
    let vue_before = vue("", "");
    let (vue_imported, vue_shown) = (vue(import, ""), vue(import, "<Footer />"));
    let cases: [Case<'_>; 12] = [
        ("a component", next, ("app/page.tsx", page), vec![("components/footer.tsx", FOOTER)], Warn),
        ("in the folder of routes", next, ("app/page.tsx", page), vec![("app/Footer.tsx", FOOTER)], Warn),
        ("in src", next, ("src/app/page.tsx", page), vec![("src/app/Footer.tsx", FOOTER)], Warn),
        ("an unused function", next, ("app/page.tsx", page), vec![("app/page.tsx", &with_local)], Warn),
        (
            "it is rendered",
            next,
            ("app/page.tsx", page),
            vec![("components/footer.tsx", FOOTER), ("app/page.tsx", shown)],
            Pass,
        ),
        ("a route", next, ("app/page.tsx", page), vec![("app/about/page.tsx", page)], Pass),
        ("middleware", next, ("app/page.tsx", page), vec![("middleware.ts", "export function middleware() {}")], Pass),
        (
            "Vue, new",
            r#"{"dependencies":{"vue":"3"}}"#,
            ("src/App.vue", &vue_before),
            vec![("src/Footer.vue", "<template><p>All</p></template>")],
            Warn,
        ),
        (
            "Vue, imported",
            r#"{"dependencies":{"vue":"3"}}"#,
            ("src/App.vue", &vue_before),
            vec![("src/Footer.vue", "<template><p>All</p></template>"), ("src/App.vue", &vue_imported)],
            Warn,
        ),
        (
            "Vue, shown",
            r#"{"dependencies":{"vue":"3"}}"#,
            ("src/App.vue", &vue_before),
            vec![("src/Footer.vue", "<template><p>All</p></template>"), ("src/App.vue", &vue_shown)],
            Pass,
        ),
        (
            "only the configuration",
            PACKAGE.1,
            APP,
            vec![
                ("package.json", r#"{"name":"footer"}"#),
                ("public/footer.txt", "All"),
                ("vite.config.ts", "export default {}"),
            ],
            Warn,
        ),
        ("a favicon", PACKAGE.1, APP, vec![("public/favicon.svg", "<svg />")], Pass),
    ];
    for (case, package, file, written, expected) in cases {
        let (verdict, feedback) = judged(ADD, &[("package.json", package), file], &written).await;
        assert_eq!(verdict, expected, "{case}: {feedback}");
    }
}

#[tokio::test]
async fn a_change_of_only_dead_code_is_refused() {
    let add = "Add a footer that says \"All rights reserved\"";
    for (old, new, expected) in [
        ("<Cta />", "<Cta />{false && <p>All rights</p>}", Fail),
        ("<Cta />", "<Cta />{SHOWS && <p>All rights</p>}", Fail),
        ("<Cta />", "<Cta /><p hidden>All rights</p>", Fail),
        ("<Cta />", "<Cta /><noscript>All rights</noscript>", Fail),
        ("  return", "  const note = 'All rights'\n  return", Fail),
        ("  return", "  if (false) return <p>All rights</p>\n  return", Fail),
        ("</main>\n", "</main>\n  return <p>All rights</p>\n", Fail),
        ("<Cta />", "<Cta />{open && <p>All rights</p>}", Pass),
        ("<Cta />", "<Cta /><dialog id=\"a\" hidden>All rights</dialog>", Pass),
        ("<Cta />", "{false && <Cta />}", Pass),
        ("<main><Cta /></main>", "<main>{note}<Cta /></main>\n  function note() { return 'All rights' }", Pass),
    ] {
        let text = format!("const SHOWS = false\n{}", used::APP.1);
        let mut project = used::ALL;
        project[0].1 = &text;
        let (verdict, feedback) = judged(add, &project, &[(used::APP.0, &text.replacen(old, new, 1))]).await;
        assert_eq!(verdict, expected, "{new}: {feedback}");
    }
    let vue = [
        ("package.json", r#"{"dependencies":{"vue":"3"}}"#),
        ("src/App.vue", "<template>\n  <main>Teas</main>\n</template>"),
    ];
    for (new, expected) in [
        ("  <p v-if=\"false\">All rights</p>\n</template>", Warn),
        ("  <p hidden>All rights</p>\n</template>", Warn),
        ("  <p v-if=\"open\">All rights</p>\n</template>", Pass),
    ] {
        let text = vue[1].1.replace("</template>", new);
        assert_eq!(judged(add, &vue, &[(vue[1].0, &text)]).await.0, expected, "{new}");
    }
}

#[tokio::test]
async fn a_script_or_style_sheet_that_no_page_of_a_plain_site_loads_is_unused() {
    const PAGE: (&str, &str) = (
        "index.html",
        "<html><head><link rel=\"stylesheet\" href=\"css/style.css\"></head><body><script src=\"js/main.js\"></script></body></html>",
    );
    const CSS: (&str, &str) = ("css/style.css", "@import \"parts.css\";\nh1 { margin: 0 }\n");
    const JS: (&str, &str) = ("js/main.js", "import { a } from './a.js'\na()\n");
    const REST: (&str, &str) = ("js/old.js", "document.title = 'Bakery'\n");
    let site = [PAGE, CSS, JS, REST, ("js/a.js", "export const a = () => 1\n"), ("css/parts.css", "p { margin: 0 }\n")];
    let footer = "document.body.append('All rights reserved')\n";
    let loaded = PAGE.1.replace("</body>", "<script src=\"footer.js\"></script></body>");
    for (case, message, written, expected, words) in [
        ("a new script", ADD, vec![("footer.js", footer)], Fail, "No page loads what you changed (footer.js)"),
        ("a new style sheet", ADD, vec![("footer.css", "footer { color: red }")], Fail, "footer.css"),
        ("an old script", FIX, vec![("js/old.js", footer)], Fail, "js/old.js"),
        ("it is loaded", ADD, vec![("footer.js", footer), (PAGE.0, &loaded)], Pass, ""),
        ("by a script", ADD, vec![("js/a.js", footer)], Pass, ""),
        ("by a style sheet", ADD, vec![("css/parts.css", "footer { color: red }")], Pass, ""),
        ("a worker", ADD, vec![("sw.js", footer)], Pass, ""),
        (
            "for another program",
            ADD,
            vec![("server.js", "const http = require('http')\nhttp.createServer()\n")],
            Pass,
            "",
        ),
        ("a page", ADD, vec![("about.html", "<p>All rights reserved</p>")], Pass, ""),
        ("on request", "Add a script that fetches the weather", vec![("weather.js", footer)], Pass, ""),
    ] {
        let (verdict, feedback) = judged(message, &site, &written).await;
        assert_eq!(verdict, expected, "{case}: {feedback}");
        assert!(feedback.contains(words), "{case}: {feedback}");
    }
    let bundled = [&site[..], &[("package.json", r#"{"devDependencies":{"vite":"7"}}"#)]].concat();
    assert_ne!(judged(ADD, &bundled, &[("footer.js", footer)]).await.0, Fail);
    let dynamic = [&site[..3], &[("js/a.js", "import(`./${name}.js`)\n")]].concat();
    assert_eq!(judged(ADD, &dynamic, &[("footer.js", footer)]).await.0, Pass);
}

#[tokio::test]
async fn what_something_other_than_a_page_runs_is_used() {
    let main = ("src/main.tsx", "import App from './App'\ncreateRoot(root).render(<App />)\n");
    let project = [PACKAGE, ("index.html", "<script type=\"module\" src=\"/src/main.tsx\"></script>"), main, APP];
    let code = "export default function Welcome() { return 'All rights reserved' }\n";
    for path in [
        "src/emails/Welcome.tsx",
        "src/lib/mail/welcome.ts",
        "src/pdf/Invoice.tsx",
        "emails/welcome.html",
        "supabase/functions/remind/index.ts",
        "supabase/migrations/1_orders.sql",
        "src/db/orders.sql",
        "netlify/functions/order.ts",
        "functions/order.ts",
        "workers/order.ts",
        "src/sw.ts",
        "src/service-worker.js",
        ".github/workflows/ci.yml",
        ".gitlab-ci.yml",
        "Dockerfile",
    ] {
        let (verdict, feedback) = judged("Remind people of their orders", &project, &[(path, code)]).await;
        assert_eq!(verdict, Pass, "{path}: {feedback}");
    }
    let (verdict, _) = judged("Remind people of their orders", &project, &[("src/lib/Welcome.tsx", code)]).await;
    assert_eq!(verdict, Fail);
}
