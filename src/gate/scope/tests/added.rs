//! `ADD`: which items count, and how many.

use super::{FAIL, PASS, WARN, check, of, section, teas, verdicts};
use crate::gate::scope::ScopeVerdict;

fn added(marker: &str, after: &[&str]) -> ScopeVerdict {
    verdicts(&format!("{{/* TASK-3 [ADD]: {marker} */}}"), &teas(&["A1", "B1"]), &teas(after))[0]
}

#[test]
fn every_number_is_read() {
    let four: &[&str] = &["A1", "B1", "C1", "D1"];
    for (marker, expected) in [
        ("2 teas", PASS),
        ("two new teas, both smoky", PASS),
        ("Two smoky teas (Lapsang, Caravan)", PASS),
        ("add another 2 teas", PASS),
        ("a couple of teas", PASS),
        ("a pair of teas for winter", PASS),
        ("1 black and 1 green tea", PASS),
        ("2x tea card", PASS),
        ("Lapsang and Caravan: 2 smoky teas", PASS),
        ("smoky teas", PASS),
        ("24/7 tea", PASS),
        ("99 % pure teas", PASS),
        ("5-minute teas", PASS),
        ("10 minute teas", PASS),
        ("2025 harvest teas", PASS),
        ("3D teas", PASS),
        ("a new tea or more", PASS),
        ("teas of season 3", PASS),
        ("5 Elements teas", PASS),
        ("1 tea", WARN),
        ("one tea", WARN),
        ("3 teas", WARN),
        ("a dozen teas", WARN),
        ("half a dozen teas", WARN),
        ("twenty-one teas", WARN),
        ("3 teas of 2 kinds", WARN),
    ] {
        assert_eq!(added(marker, four), expected, "{marker}");
        assert_eq!(added(marker, &["A1", "B1"]), FAIL, "{marker}");
        assert_eq!(added(marker, &["A1"]), FAIL, "{marker}");
    }
}

#[test]
fn items_that_are_not_rendered_do_not_count() {
    let before = section("const teas = ['A1', 'B1']", "<ul>{teas.map((t) => <li key={t}>{t}</li>)}</ul>");
    let list = "<ul>{teas.map((t) => <li key={t}>{t}</li>)}</ul>";
    for (what, declared, rendered) in [
        ("line comment", "const teas = ['A1', 'B1',\n// 'C1',\n]", list),
        ("block comment", "const teas = ['A1', 'B1' /* , 'C1' */]", list),
        ("string", "const teas = ['A1', 'B1']; const more = \"['C1']\"", list),
        ("template", "const teas = ['A1', 'B1']; const more = `const teas = ['C1']`", list),
        ("type", "type More = ['A1', 'B1', 'C1']; const teas: Tea['x'][] = ['A1', 'B1']", list),
        ("unused list", "const teas = ['A1', 'B1']; const newTeas = ['C1']", list),
        (
            "list that is only counted",
            "const teas = ['A1', 'B1']; const newTeas = ['C1']; const n = newTeas.length",
            list,
        ),
        (
            "never",
            "const teas = ['A1', 'B1']",
            "<ul>{teas.map((t) => <li key={t}>{t}</li>)}{false && <li>C1</li>}</ul>",
        ),
        ("null", "const teas = ['A1', 'B1']", "<ul>{teas.map((t) => <li key={t}>{t}</li>)}{null && <li>C1</li>}</ul>"),
        (
            "constant",
            "const SHOW = false; const teas = ['A1', 'B1']",
            "<ul>{teas.map((t) => <li key={t}>{t}</li>)}{SHOW ? <li>C1</li> : null}</ul>",
        ),
        (
            "comment in JSX",
            "const teas = ['A1', 'B1']",
            "<ul>{teas.map((t) => <li key={t}>{t}</li>)}{/* <li>C1</li> */}</ul>",
        ),
        ("slice", "const teas = ['A1', 'B1', 'C1']", "<ul>{teas.slice(0, 2).map((t) => <li key={t}>{t}</li>)}</ul>"),
        (
            "slice by a constant",
            "const MAX = 2; const teas = ['A1', 'B1', 'C1']",
            "<ul>{teas.slice(0, MAX).map((t) => <li key={t}>{t}</li>)}</ul>",
        ),
        (
            "slice from behind",
            "const teas = ['A1', 'B1', 'C1']",
            "<ul>{teas.slice(0, -1).map((t) => <li key={t}>{t}</li>)}</ul>",
        ),
        ("index", "const teas = ['A1', 'B1', 'C1']", "<ul>{teas.map((t, i) => i < 2 && <li key={t}>{t}</li>)}</ul>"),
        (
            "filter",
            "const teas = ['A1', 'B1', 'C1']",
            "<ul>{teas.filter((t) => t !== 'C1').map((t) => <li key={t}>{t}</li>)}</ul>",
        ),
        (
            "the same items twice",
            "const teas = ['A1', 'B1']",
            "<ul>{[...teas, ...teas.slice(0, 1)].map((t) => <li key={t}>{t}</li>)}</ul>",
        ),
    ] {
        assert_eq!(verdicts("{/* TASK-3 [ADD]: 1 tea */}", &before, &section(declared, rendered)), [FAIL], "{what}");
    }
    let before = section(
        "const teas = [{ name: 'A1', tags: ['x'] }]",
        "{teas.map((t) => <Card key={t.name}>{t.tags.map((tag) => <i key={tag}>{tag}</i>)}</Card>)}",
    );
    let nested = before.replace("['x']", "['x', 'y', 'z']");
    assert_eq!(verdicts("{/* TASK-3 [ADD]: 2 teas */}", &before, &nested), [FAIL]);
}

#[test]
fn conditional_items_count() {
    let before = section("const teas = ['A1', 'B1']", "<ul>{teas.map((t) => <li key={t}>{t}</li>)}</ul>");
    for (what, declared, rendered) in [
        ("and", "const teas = ['A1', 'B1']", "<ul>{teas.map((t) => <li key={t}>{t}</li>)}{on && <li>C1</li>}</ul>"),
        (
            "choice",
            "const teas = ['A1', 'B1']",
            "<ul>{teas.map((t) => <li key={t}>{t}</li>)}{on ? <li>C1</li> : null}</ul>",
        ),
        (
            "unknown slice",
            "const teas = ['A1', 'B1', 'C1']",
            "<ul>{teas.slice(0, count).map((t) => <li key={t}>{t}</li>)}</ul>",
        ),
        (
            "unknown filter",
            "const teas = ['A1', 'B1', 'C1']",
            "<ul>{teas.filter((t) => t.includes(query)).map((t) => <li key={t}>{t}</li>)}</ul>",
        ),
        (
            "a sibling of a mapped list",
            "const teas = ['A1', 'B1']",
            "<ul>{teas.map((t) => <li key={t}>{t}</li>)}<li>C1</li></ul>",
        ),
        (
            "spread",
            "const teas = ['A1', 'B1']; const more = ['C1']",
            "<ul>{[...teas, ...more].map((t) => <li key={t}>{t}</li>)}</ul>",
        ),
        (
            "concat",
            "const teas = ['A1', 'B1']; const more = ['C1']",
            "<ul>{teas.concat(more).map((t) => <li key={t}>{t}</li>)}</ul>",
        ),
        (
            "two maps in a list",
            "const teas = ['A1', 'B1']; const more = ['C1']",
            "<ul>{teas.map((t) => <li key={t}>{t}</li>)}{more.map((t) => <li key={t}>{t}</li>)}</ul>",
        ),
    ] {
        let found = verdicts("{/* TASK-3 [ADD]: 1 tea */}{/* PRESERVED */}", &before, &section(declared, rendered));
        assert_eq!(found, [PASS, PASS], "{what}");
    }
}

#[test]
fn the_words_of_a_marker_choose_between_two_lists() {
    let both = |teas: &str, mugs: &str| {
        section(
            &format!("const teas = [{teas}]; const mugs = [{mugs}]"),
            "{teas.map((t) => <article key={t}>{t}</article>)}<h2>Mugs</h2><ul>{mugs.map((m) => <li key={m}>{m}</li>)}</ul>",
        )
    };
    let before = both("'A1', 'B1'", "'X1', 'Y1', 'Z1'");
    let comments = "{/* TASK-3 [ADD]: 1 tea beside the mugs */}{/* EXISTING 2 teas PRESERVED */}";
    assert_eq!(verdicts(comments, &before, &both("'A1', 'B1', 'C1'", "'X1'")), [PASS, PASS]);
    assert_eq!(verdicts(comments, &before, &both("'A1', 'B1'", "'X1', 'Y1', 'Z1', 'U1'")), [FAIL, PASS]);
    assert_eq!(verdicts(comments, &before, &both("'A1'", "'X1', 'Y1', 'Z1', 'U1'")), [FAIL, FAIL]);
    let both_ways = "{/* TASK-3 [ADD]: 2 mugs */}{/* TASK-3 [ADD]: 1 tea */}{/* TASK-3 [MODIFY]: nicer copy */}";
    let after = both("'A1', 'B1', 'C1'", "'X1', 'Y1', 'Z1', 'U1'");
    assert_eq!(verdicts(both_ways, &before, &after), [WARN, PASS, PASS]);
    // By type, component, classes, heading.
    for (declared, rendered, marker) in [
        (
            "const a: Tea[] = [§]; const b: Mug[] = ['X1', 'Y1', 'Z1']",
            "{a.map((x) => <p key={x}>{x}</p>)}{b.map((x) => <p key={x}>{x}</p>)}",
            "1 tea",
        ),
        (
            "const a = [§]; const b = ['X1', 'Y1', 'Z1']",
            "{a.map((x) => <TeaCard key={x} x={x} />)}{b.map((x) => <Mug key={x} x={x} />)}",
            "1 tea",
        ),
        (
            "const a = [§]; const b = ['X1', 'Y1', 'Z1']",
            "{a.map((x) => <div className=\"tea\" key={x}>{x}</div>)}{b.map((x) => <div className=\"mug\" key={x}>{x}</div>)}",
            "1 tea",
        ),
        (
            "const a = [§]; const b = ['X1', 'Y1', 'Z1']",
            "<h3>Our infusions</h3>{a.map((x) => <p key={x}>{x}</p>)}<h3>Mugs</h3>{b.map((x) => <p key={x}>{x}</p>)}",
            "1 infusion",
        ),
    ] {
        let with = |items: &str| section(&declared.replace('§', items), rendered);
        let marker = format!("{{/* TASK-3 [ADD]: {marker} */}}");
        assert_eq!(verdicts(&marker, &with("'A1', 'B1'"), &with("'A1', 'B1', 'C1'")), [PASS], "{rendered}");
        let grown = with("'A1', 'B1'").replace("'Z1'", "'Z1', 'U1'");
        assert_eq!(verdicts(&marker, &with("'A1', 'B1'"), &grown), [FAIL], "{rendered}");
    }
}

#[test]
fn a_new_section_counts_from_zero() {
    let app = |teas: bool| match teas {
        true => super::APP,
        false => "import Hero from './sections/Hero'\nexport default function App() { return <main><Hero /></main> }",
    };
    let hero = (
        "src/sections/Hero.tsx",
        "export default function Hero() { return <section id=\"hero\"><h1>Tea</h1></section> }",
    );
    let three = teas(&["A1", "B1", "C1"]);
    let before = [("src/App.tsx", app(false)), hero];
    let rendered = "import Teas from './sections/Teas'\nimport Hero from './sections/Hero'\nexport default function App() { return <main><Hero /><Teas /></main> }";
    for (marker, app, expected) in [
        ("3 teas in a new section", rendered, PASS),
        ("a new section with 3 teas", rendered, PASS),
        ("1 new section with 3 teas", rendered, PASS),
        ("2 teas", rendered, WARN),
        ("4 teas", rendered, WARN),
        ("teas", rendered, PASS),
        ("3 teas", app(false), FAIL),
        (
            "3 teas",
            "import Teas from './sections/Teas'\nimport Hero from './sections/Hero'\nexport default function App() { return <main><Hero />{/* <Teas /> */}</main> }",
            FAIL,
        ),
        (
            "3 teas",
            "import Teas from './sections/Teas'\nimport Hero from './sections/Hero'\nexport default function App() { return <main><Hero />{false && <Teas />}</main> }",
            FAIL,
        ),
        (
            "3 teas",
            "import { lazy } from 'react'\nimport Hero from './sections/Hero'\nconst Teas = lazy(() => import('./sections/Teas'))\nexport default function App() { return <main><Hero /><Teas /></main> }",
            PASS,
        ),
        (
            "3 teas",
            "import * as sections from './sections'\nimport Hero from './sections/Hero'\nexport default function App() { return <main><Hero /><sections.Teas /></main> }",
            PASS,
        ),
        (
            "3 teas",
            "import Teas from './sections/Teas'\nimport Hero from './sections/Hero'\nconst all = [Hero, Teas]\nexport default function App() { return <main>{all.map((One, i) => <One key={i} />)}</main> }",
            PASS,
        ),
    ] {
        let index = (
            "src/sections/index.ts",
            "export { default as Teas } from './Teas'\nexport { default as Hero } from './Hero'",
        );
        let after = [("src/App.tsx", app), hero, ("src/sections/Teas.tsx", three.as_str()), index];
        let report = check(&format!("{{/* TASK-3 [ADD]: {marker} */}}"), &before, &after);
        assert_eq!(of(&report), [expected], "{marker}: {app}: {report:?}");
    }
    let nothing = check("{/* TASK-3 [ADD]: 3 teas in a new section */}", &before, &before);
    assert_eq!(of(&nothing), [FAIL]);
    let shell = section("", "<p>Soon</p>");
    let after = [("src/App.tsx", rendered), hero, ("src/sections/Teas.tsx", shell.as_str())];
    assert_eq!(of(&check("{/* TASK-3 [ADD]: 3 teas in a new section */}", &before, &after)), [FAIL]);
    assert_eq!(of(&check("{/* TASK-3 [ADD]: tea section */}", &before, &after)), [PASS]);
}

#[test]
fn uncountable_items_never_fail() {
    let fetched = |note: &str| {
        format!(
            "export default function Teas() {{ const {{ data }} = useQuery(url); return <ul>{{data.map((t) => <li key={{t.id}}>{{t.name}}</li>)}}</ul> }}\n{note}"
        )
    };
    let comments = "{/* TASK-3 [ADD]: 2 teas */}{/* EXISTING 6 teas PRESERVED */}";
    assert_eq!(verdicts(comments, &fetched(""), &fetched("const x = 1")), [WARN, PASS]);
    assert_eq!(verdicts(comments, &teas(&["A1", "B1"]), &fetched("")), [WARN, WARN]);
    let half = |more: &str| {
        section(
            &format!("const teas = [{{ name: 'A1' }}, ...more{more}]"),
            "{teas.map((t) => <li key={t.name}>{t.name}</li>)}",
        )
    };
    assert_eq!(verdicts("{/* TASK-3 [ADD]: 1 tea */}", &half(""), &half(", { name: 'B1' }")), [PASS]);
    assert_eq!(verdicts("{/* TASK-3 [ADD]: 1 tea */}", &half(""), &half("")), [WARN]);
}

#[test]
fn an_addition_need_not_be_an_item() {
    let before = teas(&["A1", "B1"]);
    let with_form = before.replace("<ul>", "<form><input name=\"mail\" /><button>Send</button></form><ul>");
    assert_eq!(verdicts("{/* TASK-3 [ADD]: a newsletter form */}", &before, &with_form), [PASS]);
    assert_eq!(verdicts("{/* TASK-3 [ADD]: a newsletter form */}", &before, &before), [WARN]);
    assert_eq!(verdicts("{/* TASK-3 [ADD]: more teas */}", &before, &with_form), [FAIL]);
}
