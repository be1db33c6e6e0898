//! `ADD`: which items count, and how many.

use super::{FAIL, PASS, WARN, check, section, teas, verdicts, verdicts_of};
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
        ("one tea for kids & 1 tea for adults", PASS),
        ("one tea for kids and one for adults", PASS),
        ("a few teas", PASS),
        ("a handful of smoky teas", PASS),
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

/// A section that shows a list of strings, and this markup after its items.
fn listed(declared: &str, list: &str, more: &str) -> String {
    section(&format!("const teas = [{declared}"), &format!("<ul>{{{list}.STRINGS}}{more}</ul>"))
}

/// Every change of a list of two teas has these verdicts: a name, the declaration, the mapped list, what follows it.
fn each_gives(comments: &str, expected: &[ScopeVerdict], changes: &[(&str, &str, &str, &str)]) {
    let before = listed("'A1', 'B1']", "teas", "");
    for (what, declared, list, more) in changes {
        assert_eq!(verdicts(comments, &before, &listed(declared, list, more)), expected, "{what}");
    }
}

#[test]
fn items_that_are_not_rendered_do_not_count() {
    each_gives(
        "{/* TASK-3 [ADD]: 1 tea */}",
        &[FAIL],
        &[
            ("line comment", "'A1', 'B1',\n// 'C1',\n]", "teas", ""),
            ("block comment", "'A1', 'B1' /* , 'C1' */]", "teas", ""),
            ("string", "'A1', 'B1']; const more = \"['C1']\"", "teas", ""),
            ("template", "'A1', 'B1']; const more = `const teas = ['C1']`", "teas", ""),
            ("type", "'A1', 'B1']; type More = ['A1', 'B1', 'C1']; const x: Tea['x'][] = teas", "x", ""),
            ("unused list", "'A1', 'B1']; const newTeas = ['C1']", "teas", ""),
            ("list that is only counted", "'A1', 'B1']; const newTeas = ['C1']; const n = newTeas.length", "teas", ""),
            ("never", "'A1', 'B1']", "teas", "{false && <li>C1</li>}"),
            ("null", "'A1', 'B1']", "teas", "{null && <li>C1</li>}"),
            ("constant", "'A1', 'B1']; const SHOW = false", "teas", "{SHOW ? <li>C1</li> : null}"),
            ("comment in JSX", "'A1', 'B1']", "teas", "{/* <li>C1</li> */}"),
            ("slice", "'A1', 'B1', 'C1']", "teas.slice(0, 2)", ""),
            ("slice by a constant", "'A1', 'B1', 'C1']; const MAX = 2", "teas.slice(0, MAX)", ""),
            ("slice from the end", "'A1', 'B1', 'C1']", "teas.slice(0, -1)", ""),
            ("index", "'A1', 'B1', 'C1']", "[]", "{teas.map((t, i) => i < 2 && <li key={t}>{t}</li>)}"),
            ("filter", "'A1', 'B1', 'C1']", "teas.filter((t) => t !== 'C1')", ""),
            ("the same items twice", "'A1', 'B1']", "[...teas, ...teas.slice(0, 1)]", ""),
        ],
    );
    let nested = "{teas.map((t) => <Card key={t.name}>{t.tags.map((tag) => <i key={tag}>{tag}</i>)}</Card>)}";
    let before = section("const teas = [{ name: 'A1', tags: ['x'] }]", nested);
    let after = before.replace("['x']", "['x', 'y', 'z']");
    assert_eq!(verdicts("{/* TASK-3 [ADD]: 2 teas */}", &before, &after), [FAIL]);
}

#[test]
fn conditional_items_count() {
    each_gives(
        "{/* TASK-3 [ADD]: 1 tea */}{/* PRESERVED */}",
        &[PASS, PASS],
        &[
            ("and", "'A1', 'B1']", "teas", "{on && <li>C1</li>}"),
            ("choice", "'A1', 'B1']", "teas", "{on ? <li>C1</li> : null}"),
            ("unknown slice", "'A1', 'B1', 'C1']", "teas.slice(0, count)", ""),
            ("unknown filter", "'A1', 'B1', 'C1']", "teas.filter((t) => t.includes(query))", ""),
            ("a sibling of a mapped list", "'A1', 'B1']", "teas", "<li>C1</li>"),
            ("spread", "'A1', 'B1']; const more = ['C1']", "[...teas, ...more]", ""),
            ("concat", "'A1', 'B1']; const more = ['C1']", "teas.concat(more)", ""),
            ("two maps in a list", "'A1', 'B1']; const more = ['C1']", "teas", "{more.STRINGS}"),
        ],
    );
}

#[test]
fn the_words_of_a_marker_choose_between_two_lists() {
    let both = |teas: &str, mugs: &str| {
        section(
            &format!("const teas = [{teas}]; const mugs = [{mugs}]"),
            "{teas.map((t) => <article key={t}>{t}</article>)}<h2>Mugs</h2><ul>{mugs.STRINGS}</ul>",
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
    for (types, rendered, marker) in [
        (["Tea[]", "Mug[]"], "{a.map((x) => <p key={x}>{x}</p>)}{b.map((x) => <p key={x}>{x}</p>)}", "1 tea"),
        (["", ""], "{a.map((x) => <TeaCard key={x} x={x} />)}{b.map((x) => <Mug key={x} x={x} />)}", "1 tea"),
        (
            ["", ""],
            "{a.map((x) => <div className=\"tea\" key={x}>{x}</div>)}{b.map((x) => <div className=\"mug\" key={x}>{x}</div>)}",
            "1 tea",
        ),
        (
            ["", ""],
            "<h3>Our infusions</h3>{a.map((x) => <p key={x}>{x}</p>)}<h3>Mugs</h3>{b.map((x) => <p key={x}>{x}</p>)}",
            "1 infusion",
        ),
    ] {
        let [tea, mug] = types.map(|name| if name.is_empty() { String::new() } else { format!(": {name}") });
        let with = |teas: &str, mugs: &str| {
            section(&format!("const a{tea} = [{teas}]; const b{mug} = ['X1', 'Y1', {mugs}]"), rendered)
        };
        let before = with("'A1', 'B1'", "'Z1'");
        let marker = format!("{{/* TASK-3 [ADD]: {marker} */}}");
        assert_eq!(verdicts(&marker, &before, &with("'A1', 'B1', 'C1'", "'Z1'")), [PASS], "{rendered}");
        assert_eq!(verdicts(&marker, &before, &with("'A1', 'B1'", "'Z1', 'U1'")), [FAIL], "{rendered}");
    }
}

#[test]
fn a_new_section_counts_from_zero() {
    const IMPORT: &str = "import Teas from './sections/Teas'";
    let app = |declared: &str, rendered: &str| {
        format!(
            "import Hero from './sections/Hero'\n{declared}\nexport default function App() {{ return <main><Hero />{rendered}</main> }}"
        )
    };
    let empty = app("", "");
    let shared = [
        (
            "src/sections/Hero.tsx",
            "export default function Hero() { return <section id=\"hero\"><h1>Tea</h1></section> }",
        ),
        ("src/sections/index.ts", "export { default as Teas } from './Teas'\nexport { default as Hero } from './Hero'"),
    ];
    let before = [("src/App.tsx", empty.as_str()), shared[0]];
    let judge = |marker: &str, app: &str, source: &str| {
        let after = [("src/App.tsx", app), shared[0], ("src/sections/Teas.tsx", source), shared[1]];
        verdicts_of(&check(&format!("{{/* TASK-3 [ADD]: {marker} */}}"), &before, &after))
    };
    let three = teas(&["A1", "B1", "C1"]);
    for (marker, declared, rendered, expected) in [
        ("3 teas in a new section", IMPORT, "<Teas />", PASS),
        ("a new section with 3 teas", IMPORT, "<Teas />", PASS),
        ("1 new section with 3 teas", IMPORT, "<Teas />", PASS),
        ("2 teas", IMPORT, "<Teas />", WARN),
        ("4 teas", IMPORT, "<Teas />", WARN),
        ("teas", IMPORT, "<Teas />", PASS),
        ("3 teas", "", "", FAIL),
        ("3 teas", IMPORT, "{/* <Teas /> */}", FAIL),
        ("3 teas", IMPORT, "{false && <Teas />}", FAIL),
        (
            "3 teas",
            "import { lazy } from 'react'\nconst Teas = lazy(() => import('./sections/Teas'))",
            "<Teas />",
            PASS,
        ),
        ("3 teas", "import * as sections from './sections'", "<sections.Teas />", PASS),
        (
            "3 teas",
            "import Teas from './sections/Teas'\nconst all = [Hero, Teas]",
            "{all.map((One, i) => <One key={i} />)}",
            PASS,
        ),
    ] {
        assert_eq!(judge(marker, &app(declared, rendered), &three), [expected], "{marker}: {declared} {rendered}");
    }
    assert_eq!(verdicts_of(&check("{/* TASK-3 [ADD]: 3 teas in a new section */}", &before, &before)), [FAIL]);
    let (rendered, shell) = (app(IMPORT, "<Teas />"), section("", "<p>Soon</p>"));
    assert_eq!(judge("3 teas in a new section", &rendered, &shell), [FAIL]);
    assert_eq!(judge("tea section", &rendered, &shell), [PASS]);
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
    let half = |more: &str| section(&format!("const teas = [{{ name: 'A1' }}, ...more{more}]"), "{teas.RECORDS}");
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
