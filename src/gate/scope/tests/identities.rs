//! `PRESERVED` and `REMOVE`: which items remain.

use super::{FAIL, PASS, WARN, section, teas, verdicts};
use crate::gate::scope::ScopeVerdict;

const KEPT: &str = "{/* EXISTING 2 teas PRESERVED */}";

fn preserved(before: &str, after: &str) -> ScopeVerdict {
    verdicts(KEPT, before, after)[0]
}

fn records(items: &str) -> String {
    section(&format!("const teas = [{items}]"), "{teas.map((t, i) => <li key={i}>{t.name}</li>)}")
}

#[test]
fn an_item_is_identified_by_its_names() {
    let before = records("{ id: 'a', name: 'Sencha', note: 'Fresh' }, { id: 'b', name: 'Assam', note: 'Strong' }");
    for (what, items, expected) in [
        ("other order", "{ id: 'b', name: 'Assam' }, { id: 'a', name: 'Sencha' }", PASS),
        ("other texts", "{ id: 'a', name: 'Sencha', note: 'Grassy' }, { id: 'b', name: 'Assam', note: 'x' }", PASS),
        ("more items", "{ id: 'c', name: 'Mint' }, { id: 'a', name: 'Sencha' }, { id: 'b', name: 'Assam' }", PASS),
        ("recycled id", "{ id: 'a', name: 'Sencha' }, { id: 'b', name: 'Mint' }", FAIL),
        ("recycled name", "{ id: 'a', name: 'Sencha' }, { id: 'c', name: 'Assam' }", FAIL),
        ("other item", "{ id: 'a', name: 'Sencha' }, { id: 'c', name: 'Mint' }", FAIL),
        ("one for two", "{ id: 'a', name: 'Sencha' }, { id: 'c', name: 'Mint' }, { id: 'd', name: 'Rooibos' }", FAIL),
        ("one less", "{ id: 'a', name: 'Sencha' }", FAIL),
        ("none", "", FAIL),
        ("ids alone", "{ id: 'a' }, { id: 'b' }", PASS),
        ("names alone", "{ name: 'Sencha' }, { name: 'Assam' }", PASS),
    ] {
        assert_eq!(preserved(&before, &records(items)), expected, "{what}");
    }
}

#[test]
fn every_naming_field_counts() {
    for field in ["id", "key", "name", "title", "slug", "no", "plate", "code", "sku", "ref"] {
        let with =
            |value: &str| records(&format!("{{ {field}: 'a', text: 'x' }}, {{ {field}: '{value}', text: 'y' }}"));
        assert_eq!(preserved(&with("b"), &with("c")), FAIL, "{field}");
        assert_eq!(preserved(&with("b"), &with("b").replace("'y'", "'z'")), PASS, "{field}");
    }
    let numbered = |no: u32| records(&format!("{{ no: 1, every: 5 }}, {{ no: {no}, every: 9 }}"));
    assert_eq!(preserved(&numbered(2), &numbered(7)), FAIL);
    // Without an identifying field, the React key or the heading counts.
    let keyed = |at: &str| {
        section(
            &format!("const teas = [{{ at: 'Mon' }}, {{ at: '{at}' }}]"),
            "{teas.map((t) => <li key={t.at}>{t.at}</li>)}",
        )
    };
    assert_eq!(preserved(&keyed("Tue"), &keyed("Wed")), FAIL);
    let asked = |question: &str, answer: &str| {
        section(
            &format!("const teas = [{{ q: 'Hot?', a: 'Yes' }}, {{ q: '{question}', a: '{answer}' }}]"),
            "{teas.map((t, i) => <details key={i}><summary>{t.q}</summary><p>{t.a}</p></details>)}",
        )
    };
    assert_eq!(preserved(&asked("Cold?", "No"), &asked("Iced?", "No")), FAIL);
    assert_eq!(preserved(&asked("Cold?", "No"), &asked("Cold?", "Sometimes")), PASS);
}

#[test]
fn the_keys_of_a_record_of_strings_are_its_items() {
    let hours = |day: &str, time: &str| {
        section(
            &format!("const hours = {{ mon: '9-17', {day}: '{time}' }}"),
            "{Object.entries(hours).map(([day, time]) => <tr key={day}><th>{day}</th><td>{time}</td></tr>)}",
        )
    };
    assert_eq!(preserved(&hours("tue", "9-17"), &hours("tue", "10-18")), PASS);
    assert_eq!(preserved(&hours("tue", "9-17"), &hours("wed", "9-17")), FAIL);
}

#[test]
fn prose_may_be_rewritten() {
    let described = |text: &str| {
        section(
            &format!(
                "const teas = ['Our oldest tea comes from a garden that nobody remembers planting, far up.', '{text}']"
            ),
            "{teas.STRINGS}",
        )
    };
    assert_eq!(
        preserved(
            &described("Once it was carried over the mountains on the backs of very patient mules."),
            &described("Patient mules carried it over the mountains, and nobody asked them whether they liked it.")
        ),
        PASS
    );
}

#[test]
fn elements_are_identified_by_attribute_heading_or_text() {
    for (item, other, expected) in [
        ("<Card title=\"B1\" text=\"x\" />", "<Card title=\"B1\" text=\"y\" />", PASS),
        ("<Card title=\"B1\" text=\"x\" />", "<Card title=\"C1\" text=\"x\" />", FAIL),
        ("<Card><h3>B1</h3><p>x</p></Card>", "<Card><h3>B1</h3><p>y</p></Card>", PASS),
        ("<Card><h3>B1</h3><p>x</p></Card>", "<Card><h3>C1</h3><p>x</p></Card>", FAIL),
        ("<Card><Icon name=\"cup\" /><b>B1</b> x</Card>", "<Card><Icon name=\"pot\" /><b>B1</b> y</Card>", PASS),
        ("<Card>B &amp; C</Card>", "<Card>{'B & C'}</Card>", PASS),
        ("<Card>B1</Card>", "<Card>C1</Card>", FAIL),
        ("<Card label=\"B1\" />", "<Card label=\"C1\" />", FAIL),
        ("<Card {...{ name: 'B1' }} />", "<Card name=\"B1\" />", PASS),
        ("<Card tea={{ name: 'B1', note: 'x' }} />", "<Card tea={{ name: 'B1', note: 'y' }} />", PASS),
    ] {
        let with = |item: &str| section("", &format!("<div><Card title=\"A1\" />{item}</div>"));
        assert_eq!(preserved(&with(item), &with(other)), expected, "{item} {other}");
    }
}

#[test]
fn the_number_of_the_marker_does_not_matter() {
    for marker in [
        "{/* EXISTING 9 teas PRESERVED */}",
        "{/* EXISTING two teas PRESERVED */}",
        "{/* PRESERVED */}",
        "{/* all teas PRESERVED */}",
    ] {
        assert_eq!(verdicts(marker, &teas(&["A1", "B1"]), &teas(&["A1", "B1"])), [PASS], "{marker}");
        assert_eq!(verdicts(marker, &teas(&["A1", "B1"]), &teas(&["A1"])), [FAIL], "{marker}");
    }
}

#[test]
fn an_item_may_move_within_its_section() {
    let split = section(
        "const hot = [{ name: 'A1' }]; const cold = [{ name: 'B1' }]",
        "<h3>Hot</h3><ul>{hot.RECORDS}</ul><h3>Cold</h3><ul>{cold.RECORDS}</ul>",
    );
    assert_eq!(preserved(&teas(&["A1", "B1"]), &split), PASS);
    assert_eq!(preserved(&split, &teas(&["A1", "B1"])), PASS);
    assert_eq!(preserved(&teas(&["A1", "B1", "C1"]), &split), FAIL);
}

#[test]
fn items_to_remove_may_be_removed() {
    let comments = "{/* TASK-3 [REMOVE]: \"B1\" */}{/* the other teas PRESERVED */}";
    assert_eq!(verdicts(comments, &teas(&["A1", "B1"]), &teas(&["A1"])), [PASS, PASS]);
    assert_eq!(verdicts(comments, &teas(&["A1", "B1"]), &teas(&["B1"])), [WARN, FAIL]);
}

#[test]
fn content_that_is_not_rendered_is_removed() {
    let before = teas(&["Sencha", "Goose Green", "Assam"]);
    for marker in
        ["\"Goose Green\" until spring", "the Goose Green tea", "Goose green", "the \u{201C}Goose Green\u{201D} tea"]
    {
        let comment = format!("{{/* TASK-3 [REMOVE]: {marker} */}}");
        for (what, after, expected) in [
            ("gone", teas(&["Sencha", "Assam"]), PASS),
            ("untouched", before.clone(), WARN),
            ("another is gone", teas(&["Sencha", "Goose Green"]), WARN),
            ("commented", before.replace("{ name: 'Goose Green' },", "/* { name: 'Goose Green' }, */"), PASS),
            ("cut off", before.replace("teas.map", "teas.slice(0, 1).map"), PASS),
            ("filtered", before.replace("teas.map", "teas.filter((t) => t.name !== 'Goose Green').map"), PASS),
            (
                "hidden",
                before
                    .replace("'Goose Green'", "'Goose Green', hidden: true")
                    .replace("teas.map", "teas.filter((t) => !t.hidden).map"),
                PASS,
            ),
            ("marked only", before.replace("'Goose Green'", "'Goose Green', soldOut: true"), WARN),
        ] {
            assert_eq!(verdicts(&comment, &before, &after), [expected], "{marker}: {what}");
        }
    }
}

#[test]
fn elements_and_numbers_of_items_can_be_removed() {
    let before = teas(&["A1", "B1", "C1"])
        .replace("<ul>", "<Countdown to=\"May\" /><p>Only today: \u{201C}mint\u{201D}</p><ul>");
    let without = before.replace("<Countdown to=\"May\" />", "");
    assert_eq!(verdicts("{/* TASK-3 [REMOVE]: the countdown */}", &before, &without), [PASS]);
    assert_eq!(verdicts("{/* TASK-3 [REMOVE]: the countdown */}", &before, &before), [WARN]);
    assert_eq!(verdicts("{/* TASK-3 [REMOVE]: the \"Only today\" note */}", &before, &before), [WARN]);
    let quiet = before.replace("Only today", "Now");
    assert_eq!(verdicts("{/* TASK-3 [REMOVE]: the \"Only today\" note */}", &before, &quiet), [PASS]);
    assert_eq!(verdicts("{/* TASK-3 [REMOVE]: the last 2 teas */}", &before, &teas(&["A1"])), [PASS]);
    assert_eq!(verdicts("{/* TASK-3 [REMOVE]: the last 2 teas */}", &before, &teas(&["A1", "B1"])), [WARN]);
}
