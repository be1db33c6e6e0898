//! All sources and plans give a report.

use super::{APP, FAIL, check, map, page, plan, section, teas, verdicts_of};
use crate::gate::scope::{MarkerVerdict, ScopeVerdict, check_scope};
use proptest::prelude::*;
use std::collections::BTreeMap;

const COMMENTS: &str = "{/* TASK-3 [ADD]: 2 teas */}{/* PRESERVED */}{/* TASK-3 [MODIFY]: x */}{/* TASK-3 [FIX]: x */}\
    {/* TASK-3 [REMOVE]: \"A1\" */}{/* NO CHANGES for task-3 */}";

fn seeds() -> Vec<String> {
    vec![
        teas(&["A1", "B1", "C1"]),
        section("import { teas } from '../data/teas'", "{teas.map((t) => <Card key={t.name} {...t} />)}"),
        section(
            "const teas = { a: { name: 'A1' } } satisfies X",
            "{Object.entries(teas).map(([k, t]) => <li key={k}>{t.name}</li>)}",
        ),
        section(
            "const f = (n) => n > 0 ? [n, ...f(n - 1)] : []; const g = () => g()",
            "{f(5).map((n) => <li key={n}>{g()}</li>)}",
        ),
        section("function Tree() { return <Tree /> } const x = [1, 2].map(() => x)", "<Tree /><Teas />{x}"),
        section("import Teas2 from './Teas'\nexport * from './Teas'\nexport { y } from './Teas'", "<Teas2 /><y.z />"),
    ]
}

/// Unchanged sources satisfy `NO CHANGES`, and the overall verdict is the worst one.
fn assert_unchanged_is_accepted(plan: &str, files: &BTreeMap<String, String>) -> Result<(), TestCaseError> {
    let report = check_scope(plan, 3, files, files);
    let worst = report.markers.iter().map(|marker| marker.verdict).max();
    prop_assert_eq!(report.overall, worst.unwrap_or(ScopeVerdict::Pass));
    let is_judged =
        |marker: &&MarkerVerdict| marker.marker == "NO CHANGES" && !marker.reason.contains("does not parse");
    for marker in report.markers.iter().filter(is_judged) {
        prop_assert_ne!(marker.verdict, ScopeVerdict::Fail, "{}: {}", plan, marker.reason);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn mutated_sources_give_a_report(seed in 0..6usize, from in 0..400usize, to in 0..400usize, at in 0..400usize, junk in "[(){}<>\\[\\]'\"`$,;=a-z0-9/*& .]{0,12}") {
        let source = seeds()[seed].clone();
        let boundary = |at: usize| source.char_indices().map(|(place, _)| place).take_while(|place| *place <= at).last().unwrap_or(0);
        let (from, to, at) = (boundary(from.min(to)), boundary(to.max(from)), boundary(at));
        let cut = format!("{}{}{}", &source[..from], junk, &source[to..]);
        let moved = format!("{}{}{}", &source[..at], &source[from..to], &source[at..]);
        for after in [cut, moved] {
            let report = check(COMMENTS, &page(&source), &page(&after));
            prop_assert_eq!(report.markers.len(), 6);
            prop_assert!(report.markers.iter().all(|marker| !marker.reason.is_empty()));
        }
    }

    #[test]
    fn mutated_plans_give_a_report(from in 0..400usize, to in 0..400usize, junk in "[(){}<>/*'\" a-zA-Z0-9\\[\\]-]{0,12}") {
        let source = plan(COMMENTS);
        let (from, to) = (from.min(to).min(source.len()), from.max(to).min(source.len()));
        let files = map(&[("src/App.tsx", APP), ("src/sections/Teas.tsx", &teas(&["A1"]))]);
        assert_unchanged_is_accepted(&format!("{}{junk}{}", &source[..from], &source[to..]), &files)?;
    }

    #[test]
    fn any_text_gives_a_report(text in any::<String>(), json in any::<String>()) {
        let files = map(&[("src/App.tsx", &text), ("src/locales/en.json", &json), ("src/sections/Teas.tsx", &text)]);
        assert_unchanged_is_accepted(&plan(COMMENTS), &files)?;
        assert_unchanged_is_accepted(&text, &files)?;
    }
}

#[test]
fn endless_nesting_and_recursion_are_evaluated_within_limits() {
    let deep = |open: &str, inside: &str, close: &str, levels: usize| {
        section(&format!("const x = {}{inside}{}", open.repeat(levels), close.repeat(levels)), "{x}")
    };
    let chain: String = (0..300).map(|n| format!("const f{n} = () => f{}();\n", n + 1)).collect();
    let wide: String = (0..5_000).map(|n| format!("{{ name: 'Tea {n}' }},")).collect();
    for source in [
        deep("(", "1", ")", 250),
        deep("[", "1", "]", 250),
        deep("{a:", "1", "}", 250),
        deep("<div>", "", "</div>", 250),
        deep("f(", "1", ")", 250),
        deep("(", "1", ")", 100_000),
        deep("<div>", "", "</div>", 100_000),
        section(&chain, "{f0()}"),
        section("const loop = () => { for (const a of [1,2,3,4,5,6,7,8,9]) { loop(); loop() } }; loop()", "{loop()}"),
        section(
            "const x = Array.from({ length: 1e9 }, () => Array.from({ length: 1e9 }))",
            "{x.map((y) => <p>{y.map((z) => <i />)}</p>)}",
        ),
        section("function A() { return <><A /><A /><A /></> }", "<A />"),
        section(&format!("const teas = [{wide}]"), "{teas.RECORDS}"),
    ] {
        assert_eq!(verdicts_of(&check(COMMENTS, &page(&source), &page(&source))).len(), 6);
    }
    let cycle = [
        ("src/App.tsx", APP),
        ("src/data/a.ts", "import { b } from './b'\nexport const a = [...b]\nexport * from './b'"),
        (
            "src/data/b.ts",
            "import { a } from './a'\nexport const b = [...a]\nexport * from './a'\nexport { c } from './a'",
        ),
        (
            "src/sections/Teas.tsx",
            "import { a, c, d } from '../data/a'\nexport default function Teas() { return <p>{a.map(c)}{d}</p> }",
        ),
    ];
    assert_eq!(verdicts_of(&check(COMMENTS, &cycle, &cycle)).len(), 6);
}

#[test]
fn a_section_without_its_items_never_passes_as_preserved() {
    let (before, after) = (teas(&["A1", "B1", "C1"]), section("", "<p>Soon</p>"));
    assert_eq!(verdicts_of(&check("{/* EXISTING 3 teas PRESERVED */}", &page(&before), &page(&after))), [FAIL]);
}
