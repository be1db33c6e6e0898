//! A section whose file, component, id or heading has another name after the task.

use super::{FAIL, PASS, WARN, map, plan, verdicts_of};
use crate::gate::scope::{ScopeVerdict, check_scope};
use std::collections::BTreeMap;

/// The names of a section in a state: its file, component, id and heading.
type Names = [&'static str; 4];

const TEAS: Names = ["src/sections/Teas.tsx", "Teas", "teas", "Our teas"];

const NAMES: [Names; 13] = [
    TEAS,
    ["src/sections/Brews.tsx", "Teas", "teas", "Our teas"],
    ["src/sections/Teas.tsx", "Brews", "teas", "Our teas"],
    ["src/sections/Teas.tsx", "Brews", "", "Our teas"],
    ["src/sections/Brews.tsx", "Brews", "teas", "Our teas"],
    ["src/sections/Brews.tsx", "Teas", "", "Our teas"],
    ["src/sections/Brews.tsx", "Brews", "", "Our teas"],
    ["src/components/menu/Brews.tsx", "Brews", "brews", "Our teas"],
    ["src/components/menu/Brews.tsx", "Brews", "brews", "What we brew"],
    ["src/components/Shelf/index.tsx", "Shelf", "", "Our teas"],
    ["src/components/TeaList.jsx", "TeaList", "list", "Our teas"],
    ["src/features/brews/section.tsx", "BrewsSection", "", "Fresh"],
    ["src/App.tsx", "Teas", "teas", "Our teas"],
];

fn other(name: &str, heading: &str) -> (String, String) {
    let text = format!(
        "export default function {name}() {{ return <section id=\"{}\"><h2>{heading}</h2><p>Open daily</p></section> }}",
        name.to_lowercase()
    );
    (format!("src/sections/{name}.tsx"), text)
}

fn state([path, component, id, heading]: Names, in_data: bool, teas: &[&str]) -> BTreeMap<String, String> {
    let items: Vec<String> = teas.iter().map(|name| format!("{{ name: '{name}', note: 'Good' }}")).collect();
    let items = items.join(", ");
    let root = if id.is_empty() { "<section className=\"wide\">".to_owned() } else { format!("<section id=\"{id}\">") };
    let data =
        if in_data { "import { teas } from '@/data/teas'".to_owned() } else { format!("const teas = [{items}]") };
    let body = format!(
        "function {component}() {{ return {root}<h2>{heading}</h2>{{teas.map((tea) => <article key={{tea.name}}><h3>{{tea.name}}</h3>{{tea.note}}</article>)}}</section> }}"
    );
    let page = |imports: &str| {
        format!(
            "import Hero from './sections/Hero'\nimport Faq from './sections/Faq'\n{imports}\nexport default function App() {{ return <main><Hero /><{component} /><Faq /></main> }}"
        )
    };
    let mut files = BTreeMap::from([other("Hero", "Welcome"), other("Faq", "Questions")]);
    if path == "src/App.tsx" {
        files.insert(path.to_owned(), format!("{}\n{body}", page(&data)));
    } else {
        let import =
            path.trim_start_matches("src/").rsplit_once('.').map_or(path, |(name, _)| name).trim_end_matches("/index");
        files.insert("src/App.tsx".to_owned(), page(&format!("import {component} from './{import}'")));
        files.insert(path.to_owned(), format!("{data}\nexport default {body}"));
    }
    if in_data {
        files.insert("src/data/teas.ts".to_owned(), format!("export const teas = [{items}]"));
    }
    files
}

#[test]
fn a_section_is_found_under_any_name_that_it_gets() {
    let markers = plan("{/* TASK-3 [ADD]: 2 teas */}{/* EXISTING 3 teas PRESERVED */}");
    let cases: [(&[&str], [ScopeVerdict; 2]); 4] = [
        (&["Assam", "Sencha", "Oolong", "Chai", "Mate"], [PASS, PASS]),
        (&["Assam", "Sencha", "Oolong", "Chai"], [WARN, PASS]),
        (&["Assam", "Chai", "Mate"], [FAIL, FAIL]),
        (&["Assam", "Sencha", "Oolong"], [FAIL, PASS]),
    ];
    let mut wrong = Vec::new();
    for in_data in [false, true] {
        for was in NAMES.iter().filter(|names| names[3].contains("teas")) {
            for names in NAMES {
                for (teas, expected) in cases {
                    let before = state(*was, in_data, &["Assam", "Sencha", "Oolong"]);
                    let report = check_scope(&markers, 3, &before, &state(names, in_data, teas));
                    if verdicts_of(&report) != expected {
                        wrong.push(format!("{was:?} → {names:?} {in_data} {teas:?}: {report:?}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_common_part_of_a_page_is_found_by_its_elements_or_headings() {
    for (key, before, after) in [
        ("footer", "<footer><p>Bye</p></footer>", "<footer><p>Bye</p><a href=\"/terms\">Terms</a></footer>"),
        (
            "navbar",
            "<header><a href=\"/\">Home</a></header>",
            "<header><a href=\"/\">Home</a><a href=\"/b\">Blog</a></header>",
        ),
        ("contact", "<form><input /></form>", "<form><input /><textarea /></form>"),
        ("pricing", "<div><h2>Our plans</h2><p>1 €</p></div>", "<div><h2>Our plans</h2><p>1 €</p><p>2 €</p></div>"),
        (
            "testimonials",
            "<div><h2>What guests say</h2><i>Good</i></div>",
            "<div><h2>What guests say</h2><i>Good</i><b>5</b></div>",
        ),
    ] {
        let app = "import A from './parts/A'\nimport B from './parts/B'\nexport default () => <main><A /><B /></main>";
        let state = |name: &str, markup: &str| {
            let app = app.replace("parts/A", &format!("parts/{name}"));
            let part = format!("export default function {name}() {{ return {markup} }}");
            let other = "export default function B() { return <p>Tea</p> }";
            map(&[("src/App.tsx", &app), (&format!("src/parts/{name}.tsx"), &part), ("src/parts/B.tsx", other)])
        };
        let plan = |marker: &str| plan(marker).replace("\"teas\"", &format!("\"{key}\""));
        for name in ["A", "C"] {
            let report =
                check_scope(&plan("{/* TASK-3 [FIX]: the text */}"), 3, &state("A", before), &state(name, after));
            assert_eq!(verdicts_of(&report), [PASS], "{key} {name}: {report:?}");
        }
        let report = check_scope(&plan("{/* TASK-3 [FIX]: the text */}"), 3, &state("A", before), &state("A", before));
        assert_eq!(verdicts_of(&report), [WARN], "{key}: {report:?}");
    }
}
