//! `ADD` of content, and of items in a new list.

use super::{FAIL, PASS, WARN, check, files, page, section, teas, verdicts, verdicts_of};
use crate::gate::scope::ScopeVerdict;

fn judged(marker: &str, before: &str, after: &str) -> ScopeVerdict {
    verdicts(&format!("{{/* TASK-3 [ADD]: {marker} */}}"), before, after)[0]
}

#[test]
fn new_content_passes_and_none_warns() {
    let before = teas(&["A1", "B1"]);
    let shown = before.replace("<ul>", "<p>Leaves from four gardens.</p><ul>");
    let hidden = before.replace("<ul>", "{/* <p>Leaves from four gardens.</p> */}<ul>");
    let converted = shown.replace("B1", "C1");
    for marker in [
        "an intro text above the teas",
        "a heading for the list",
        "a badge on every card",
        "a price on every card",
        "prices to each tea",
        "give every tea a price",
        "photos of the teas",
        "a photo for all two teas",
        "a link to the calendar",
        "a toggle between grams and ounces",
        "sorting by price",
        "sort teas by price",
        "let visitors filter the teas",
        "a contact form with 3 fields",
        "a \"Show more\" button",
        "a fade-in animation for the cards",
        "two lines of text under the heading",
        "a 5-star rating on every card",
        "a tea finder",
        "a tea of the month banner",
        "tea of the month banner",
    ] {
        assert_eq!(judged(marker, &before, &shown), PASS, "{marker}");
        assert_eq!(judged(marker, &before, &before), WARN, "{marker}");
        assert_eq!(judged(marker, &before, &hidden), WARN, "{marker}");
        assert_eq!(judged(marker, &before, &converted), FAIL, "{marker}");
    }
}

#[test]
fn items_fail_where_only_content_is_new() {
    let before = teas(&["A1", "B1"]);
    let shown = before.replace("<ul>", "<p>Leaves from four gardens.</p><ul>");
    for marker in [
        "more teas",
        "another tea",
        "another tea, Assam",
        "a tea",
        "a smoky tea for winter",
        "a smoky tea (2 grams, 3 minutes)",
        "teas for the evening",
        "an intro text and 1 tea",
        "1 tea and a heading",
    ] {
        assert_eq!(judged(marker, &before, &shown), FAIL, "{marker}");
        assert_eq!(judged(marker, &before, &teas(&["A1", "B1", "C1"])), PASS, "{marker}");
    }
    // `a` and `another` mean one.
    assert_eq!(judged("another tea", &before, &teas(&["A1", "B1", "C1", "D1"])), WARN);
    // The `PRESERVED` marker names the items.
    let comments = "{/* TASK-3 [ADD]: 24/7 support card */}{/* EXISTING 2 cards PRESERVED */}";
    assert_eq!(verdicts(comments, &before, &shown), [FAIL, PASS]);
    assert_eq!(verdicts(comments, &before, &teas(&["A1", "B1", "C1"])), [PASS, PASS]);
}

#[test]
fn a_number_of_other_content_does_not_count_items() {
    let before = teas(&["A1", "B1"]);
    let shown = before.replace("<ul>", "<p>New</p><ul>");
    for marker in [
        "a 24/7 hotline number",
        "a 3-column layout for the cards",
        "a 2nd CTA",
        "a \"20 % off\" label on every card",
        "a \"from CHF 12\" price on all 2 cards",
        "opening hours from 9 to 17",
        "a note on the harvest of 2025",
        "a text for 2 readers",
    ] {
        assert_eq!(judged(marker, &before, &shown), PASS, "{marker}");
    }
}

#[test]
fn content_next_to_the_items_is_not_an_item() {
    let before = teas(&["A1", "B1"]);
    let shown = before.replace("<ul>", "<dl><dt>Years</dt><dd>12</dd></dl><ul>");
    for marker in ["2 milestones above the teas", "a milestone below the teas"] {
        assert_eq!(judged(marker, &before, &shown), PASS, "{marker}");
        assert_eq!(judged(marker, &before, &before), WARN, "{marker}");
    }
    // A number with an unknown noun counts items.
    assert_eq!(judged("2 oolongs", &before, &shown), FAIL);
}

#[test]
fn removed_content_passes_if_less_is_rendered() {
    let before = teas(&["A1", "B1"]).replace("<ul>", "<p>Leaves from four gardens.</p><ul>");
    let remove = "{/* TASK-3 [REMOVE]: the intro text above the teas */}";
    assert_eq!(verdicts(remove, &before, &teas(&["A1", "B1"])), [PASS]);
    assert_eq!(verdicts(remove, &before, &before), [WARN]);
}

#[test]
fn reordering_is_a_change() {
    let listed = |teas: &str| {
        section(
            "const teas = [{ name: 'A1', price: 3 }, { name: 'B1', price: 2 }]",
            &format!("<ul>{{{teas}.map((tea) => <li key={{tea.name}}>{{tea.name}}</li>)}}</ul>"),
        )
    };
    for (teas, expected) in [
        ("[...teas].sort((a, b) => a.price - b.price)", PASS),
        ("teas.toReversed()", PASS),
        ("[...teas].sort(compare)", PASS),
        ("[...teas].sort((a, b) => a.name.localeCompare(b.name))", PASS),
        ("[...teas]", WARN),
    ] {
        assert_eq!(judged("sorting", &listed("teas"), &listed(teas)), expected, "{teas}");
    }
}

#[test]
fn a_badge_in_every_heading_converts_no_item() {
    let cards = |badge: &str| {
        let card = |name: &str| format!("<Card><h3>{name}{badge}</h3></Card>");
        section("", &format!("<div>{}{}</div>", card("Assam"), card("Sencha")))
    };
    let comments = "{/* TASK-3 [ADD]: a badge on every card */}{/* EXISTING 2 teas PRESERVED */}";
    assert_eq!(verdicts(comments, &cards(""), &cards(" <em>New</em>")), [PASS, PASS]);
}

const ROW: &str = "(tea) => <li key={tea.id}><b>{tea.name}</b> {tea.origin}</li>";

fn with_own_list(declared: &str, rendered: &str) -> String {
    section(
        &format!(
            "const teas = [{{ id: 'a', name: 'A1', origin: 'x' }}, {{ id: 'b', name: 'B1', origin: 'y' }}]\n{declared}"
        ),
        &format!("<ul>{{teas.map({ROW})}}</ul>{rendered}"),
    )
}

#[test]
fn a_price_beside_every_name_converts_no_item() {
    let before = section("", "<ul><li>Assam</li><li>Sencha</li></ul>");
    let comments = "{/* TASK-3 [ADD]: a price on every tea */}{/* EXISTING 2 teas PRESERVED */}";
    for (first, second, expected) in [
        ("Assam <b>3</b>", "Sencha <b>4</b>", PASS),
        ("Assam <span>3</span>", "Sencha <span>4</span>", PASS),
        ("<span>Assam</span><span>3</span>", "<span>Sencha</span><span>4</span>", PASS),
        ("Assam <b>3</b>", "Mint <b>4</b>", FAIL),
    ] {
        let after = section("", &format!("<ul><li>{first}</li><li>{second}</li></ul>"));
        assert_eq!(verdicts(comments, &before, &after), [expected, expected], "{first}");
    }
}

#[test]
fn items_in_a_list_of_their_own_count() {
    const LATE: &str = "const late = [{ id: 'c', name: 'C1', origin: 'x' }, { id: 'd', name: 'D1', origin: 'y' }]";
    let before = with_own_list("", "");
    let map = format!("<h3>Late</h3><ul>{{late.map({ROW})}}</ul>");
    let component = format!("{LATE}\nfunction LateTeas() {{ return <ol>{{late.map({ROW})}}</ol> }}");
    let typed = "type Tea = string; const late: Tea[] = ['C1', 'D1']";
    for (declared, rendered) in [
        (LATE, map.as_str()),
        (LATE, "<div>{late.map((one) => <article key={one.id}><h4>{one.name}</h4></article>)}</div>"),
        (component.as_str(), "<LateTeas />"),
        (typed, "<div>{late.map((one) => <p key={one}>{one}</p>)}</div>"),
        ("", "<ul><li><b>C1</b> x</li><li><b>D1</b> y</li></ul>"),
    ] {
        let after = with_own_list(declared, rendered);
        assert_eq!(judged("2 teas", &before, &after), PASS, "{declared} {rendered}");
        assert_eq!(judged("more teas", &before, &after), PASS, "{declared} {rendered}");
        assert_eq!(judged("3 teas", &before, &after), WARN, "{declared} {rendered}");
    }
    let again = with_own_list("", &format!("<ol>{{teas.slice(0, 1).map({ROW})}}</ol>"));
    assert_eq!(judged("1 tea", &before, &again), FAIL, "an item that is shown twice");
    let others = "const rules = ['No milk', 'No rush']";
    let rules = with_own_list(others, "<ul>{rules.map((rule) => <li key={rule}>{rule}</li>)}</ul>");
    assert_eq!(judged("2 teas", &before, &rules), FAIL, "a list of something else");
    let unused = with_own_list(LATE, "");
    assert_eq!(judged("2 teas", &before, &unused), FAIL, "a list that nothing renders");
}

#[test]
fn a_compound_of_the_items_name_is_an_item() {
    let boats = |items: &str| section(&format!("const boats = [{items}]"), "<ul>{boats.STRINGS}</ul>");
    let before = boats("'A1', 'B1'");
    assert_eq!(judged("a houseboat with a sauna", &before, &boats("'A1', 'B1', 'C1'")), PASS);
    assert_eq!(judged("a houseboat with a sauna", &before, &before.replace("<ul>", "<p>Warm</p><ul>")), FAIL);
}

#[test]
fn items_that_move_to_a_list_of_their_own_keep_their_names_or_are_conversions() {
    let comments = "{/* TASK-3 [ADD]: 2 teas for the night */}{/* EXISTING 4 teas PRESERVED */}";
    let records = |names: &[&str]| {
        let items: Vec<String> = names
            .iter()
            .map(|item| item.split_once(' ').unwrap())
            .map(|(id, name)| format!("{{ id: {id}, name: '{name}' }}"))
            .collect();
        format!("[{}]", items.join(", "))
    };
    let siblings = |names: &[&str]| -> String {
        names.iter().map(|item| format!("<article><h4>{}</h4></article>", &item[2..])).collect()
    };
    for is_mapped in [true, false] {
        let page = |teas: &[&str], night: &[&str]| {
            let list = |items: &[&str], name: &str| match (is_mapped, items.is_empty()) {
                (_, true) => String::new(),
                (true, _) => format!(
                    "<div>{{{name}.map((one) => <article key={{one.id}}><h4>{{one.name}}</h4></article>)}}</div>"
                ),
                (false, _) => format!("<div>{}</div>", siblings(items)),
            };
            let declared = format!("const teas = {}\nconst night = {}", records(teas), records(night));
            section(&declared, &(list(teas, "teas") + "<h3>Night</h3>" + &list(night, "night")))
        };
        let before = page(&["1 A1", "2 B1", "3 C1", "4 D1"], &[]);
        for (what, night, expected) in [
            ("moved", ["3 C1", "4 D1", "5 E1", "6 F1"], [PASS, PASS]),
            ("numbered anew", ["1 C1", "2 D1", "3 E1", "4 F1"], [PASS, PASS]),
            ("converted", ["3 C2", "4 D2", "5 E1", "6 F1"], [PASS, FAIL]),
            ("converted and numbered anew", ["1 C2", "2 D2", "3 E1", "4 F1"], [PASS, FAIL]),
            ("one converted", ["3 C1", "4 D2", "5 E1", "6 F1"], [PASS, FAIL]),
        ] {
            assert_eq!(verdicts(comments, &before, &page(&["1 A1", "2 B1"], &night)), expected, "{what} {is_mapped}");
        }
        assert_eq!(verdicts(comments, &before, &page(&["1 A1", "2 B1"], &["5 E1", "6 F1"])), [FAIL, FAIL]);
        assert_eq!(verdicts(comments, &before, &page(&["1 A1", "2 B1"], &["3 C1", "4 D1"])), [FAIL, PASS]);
    }
}

#[test]
fn a_new_list_of_other_values_counts_if_the_marker_names_it() {
    let before = section("const teas = ['A1', 'B1']", "<ul>{teas.STRINGS}</ul>");
    let own = |name: &str| {
        let declared = format!("const teas = ['A1', 'B1']\nconst {name} = [{{ name: 'C1' }}, {{ name: 'D1' }}]");
        section(&declared, &format!("<ul>{{teas.STRINGS}}</ul><h3>More</h3><ul>{{{name}.RECORDS}}</ul>"))
    };
    assert_eq!(judged("2 teas for the night", &before, &own("night")), PASS);
    assert_eq!(judged("2 teas for the night", &before, &own("hours")), FAIL);
}

#[test]
fn groups_of_existing_items_do_not_change_their_number() {
    let flat = section("const teas = [{ name: 'A1' }, { name: 'B1' }]", "<div><ul>{teas.RECORDS}</ul></div>");
    let grouped = section(
        "const groups = [{ title: 'Day', teas: [{ name: 'A1' }] }, { title: 'Night', teas: [{ name: 'B1' }] }]",
        "{groups.map((group) => <div key={group.title}><h3>{group.title}</h3><ul>{group.teas.RECORDS}</ul></div>)}",
    );
    let comments = "{/* TASK-3 [MODIFY]: group by time of day */}{/* EXISTING 2 teas PRESERVED */}";
    assert_eq!(verdicts(comments, &flat, &grouped), [PASS, PASS]);
    let lost = grouped.replace("{ name: 'B1' }", "");
    assert_eq!(verdicts(comments, &flat, &lost)[1], FAIL);
}

#[test]
fn a_list_that_is_split_has_the_items_of_both() {
    let split = |more: &str| {
        section(
            &format!(
                "const hot = [{{ id: 'a', name: 'A1', origin: 'x' }}]; const cold = [{{ id: 'b', name: 'B1', origin: 'y' }}{more}]"
            ),
            &format!("<ul>{{hot.map({ROW})}}</ul><h3>Cold</h3><ul>{{cold.map({ROW})}}</ul>"),
        )
    };
    let comments = "{/* TASK-3 [ADD]: 1 tea */}{/* EXISTING 2 teas PRESERVED */}";
    let more = split(", { id: 'c', name: 'C1', origin: 'z' }");
    assert_eq!(verdicts(comments, &with_own_list("", ""), &more), [PASS, PASS]);
    assert_eq!(verdicts(comments, &with_own_list("", ""), &split("")), [FAIL, PASS]);
    assert_eq!(verdicts("{/* TASK-3 [MODIFY]: copy */}", &with_own_list("", ""), &split("")), [PASS]);
}

#[test]
fn a_reexported_section_is_found_where_it_is_declared() {
    let comments = "{/* TASK-3 [ADD]: 1 tea */}{/* EXISTING 2 teas PRESERVED */}{/* NO CHANGES for task-3 */}";
    let before = teas(&["A1", "B1"]);
    for passed_on in [
        "export { default } from '../features/tea/TeaList'",
        "export { default } from '@/features/tea/TeaList'\nexport * from '../features/tea/TeaList'",
        "import TeaList from '../features/tea/TeaList'\nexport default TeaList",
        "import { default as Teas } from '../features/tea/TeaList'\nexport { Teas as default }",
    ] {
        for (names, expected) in [
            (&["A1", "B1", "C1"][..], [PASS, PASS, WARN]),
            (&["A1", "B1"], [FAIL, PASS, PASS]),
            (&["A1", "C1", "D1"], [PASS, FAIL, WARN]),
        ] {
            let list = teas(names);
            let after = files("src/features/tea/TeaList.tsx", &list, passed_on);
            assert_eq!(verdicts_of(&check(comments, &page(&before), &after)), expected, "{passed_on} {names:?}");
        }
    }
}

#[test]
fn items_that_move_to_another_file_change_nothing() {
    let before = teas(&["A1", "B1"]);
    for (import, path, data) in [
        (
            "import { teas } from '../data/teas'",
            "src/data/teas.ts",
            "export const teas = [{ name: 'A1' }, { name: '§' }]",
        ),
        ("import teas from '@/data/teas.json'", "src/data/teas.json", "[{ \"name\": \"A1\" }, { \"name\": \"§\" }]"),
    ] {
        let rendered = section(import, "<ul>{teas.RECORDS}</ul>");
        let comments = "{/* NO CHANGES for task-3 */}{/* TASK-3 [FIX]: x */}{/* PRESERVED */}";
        for (name, expected) in [("B1", [PASS, WARN, PASS]), ("C1", [WARN, PASS, FAIL])] {
            let data = data.replace('§', name);
            let found = verdicts_of(&check(comments, &page(&before), &files(path, &data, &rendered)));
            assert_eq!(found, expected, "{import} {name}");
        }
    }
}
