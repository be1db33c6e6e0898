//! Requirements and ordinary projects before and after a task, in one table for each shape.

mod moves;
mod requirements;
mod shapes;

use super::{Lists, States, Unplanned, check_unplanned, needs_lists, without_markers};
use crate::gate::scope::ScopeVerdict::{self, Fail, Pass, Warn};
use crate::gate::{RequestedChange, TaskRequest};
use crate::plan::MarkerKind::{self, Add, Fix, Modify, Remove};
use shapes::*;
use std::collections::BTreeMap;

const EIGHT: [&str; 8] = ["Lime", "Berry", "Mango", "Mint", "Cola", "Peach", "Ginger", "Cherry"];
/// Two of the drinks are converted.
const CONVERTED: [&str; 8] = ["Lime", "Berry", "Calm", "Rest", "Cola", "Peach", "Ginger", "Cherry"];
const TWO: Requirements<'_> = &[(Add, "add 2 more drinks", Some(2))];

type Requirements<'r> = &'r [(MarkerKind, &'r str, Option<usize>)];
type Files = BTreeMap<String, String>;

fn request(requirements: Requirements<'_>) -> TaskRequest {
    let requirements = requirements.iter().map(|(kind, text, count)| RequestedChange {
        kind: *kind,
        text: (*text).to_owned(),
        count: *count,
    });
    TaskRequest { requirements: requirements.collect(), ..TaskRequest::default() }
}

fn checked(request: &TaskRequest, before: &Files, after: &Files) -> Unplanned {
    let states = States::new(before, after);
    if !needs_lists(request, &states) {
        return Unplanned::default();
    }
    let mut lists = Lists::new(&states);
    lists.collect().for_each(drop);
    check_unplanned(request, request, lists)
}

fn check(requirements: Requirements<'_>, before: &Files, after: &Files) -> Unplanned {
    let request = request(requirements);
    let found = checked(&request, before, after);
    // Part of the message of a failed assertion.
    println!("{requirements:?}\n{}", found.text());
    found
}

/// The verdict on a project with the eight drinks before the task and these after it.
fn shaped(shape: Shape, requirements: Requirements<'_>, after: &[&str]) -> ScopeVerdict {
    changed(shape, requirements, &shape.with(after)).overall()
}

fn changed(shape: Shape, requirements: Requirements<'_>, after: &Files) -> Unplanned {
    check(requirements, &shape.with(&EIGHT), after)
}

fn with(more: &[&'static str]) -> Vec<&'static str> {
    EIGHT.into_iter().chain(more.iter().copied()).collect()
}

fn replaced(files: &Files, from: &str, to: &str) -> Files {
    let files: Files = files.iter().map(|(path, text)| (path.clone(), text.replace(from, to))).collect();
    assert!(files.values().any(|text| text.contains(to)), "{from}");
    files
}

#[test]
fn each_number_of_new_and_lost_items_is_judged_in_every_ordinary_shape() {
    let six = ["Lime", "Berry", "Cola", "Peach", "Ginger", "Cherry"];
    let fix: Requirements<'_> = &[(Fix, "the menu button does not open", None)];
    for (name, shape) in SHAPES {
        println!("{name}");
        let found = changed(shape, TWO, &shape.with(&CONVERTED));
        assert_eq!(found.overall(), Fail, "{name}");
        assert!(found.text().contains("Gone or converted: \"Mango\", \"Mint\"."), "{name}: {}", found.text());
        assert!(found.text().contains("8 → 8 items; gone: \"Mango\", \"Mint\"; new: \"Calm\", \"Rest\""), "{name}");

        let both = [&six[..], &["Calm", "Rest", "Tide", "Hour"]].concat();
        assert_eq!(shaped(shape, TWO, &both), Fail, "{name}: two gone, four new");
        // Without new items, a list with another name is not a target.
        let is_other = matches!(name, "a list of another name" | "identifiers in another language");
        assert_eq!(shaped(shape, TWO, &six), if is_other { Warn } else { Fail }, "{name}: two gone");

        assert_eq!(shaped(shape, TWO, &with(&["Calm", "Rest"])), Pass, "{name}: two new");
        assert_ne!(shaped(shape, TWO, &with(&["Calm"])), Pass, "{name}: one new");
        assert_eq!(shaped(shape, TWO, &with(&["Calm", "Rest", "Tide"])), Warn, "{name}: three new");

        let found = changed(shape, fix, &shape.with(&EIGHT[..5]));
        assert_eq!(found.overall(), Warn, "{name}: a bug fix");
        let lost = "8 → 5 items; gone: \"Peach\", \"Ginger\", \"Cherry\"";
        assert!(found.text().contains(lost), "{name}: {}", found.text());
        assert_eq!(shaped(shape, fix, &EIGHT), Pass, "{name}: a bug fix");
    }
}

#[test]
fn the_words_of_a_request_decide_what_may_happen_to_the_items() {
    let two = with(&["Calm", "Rest"]);
    let one = with(&["Calm"]);
    let six = ["Lime", "Berry", "Cola", "Peach", "Ginger", "Cherry"];
    let other = ["Aa", "Bb", "Cc", "Dd", "Ee", "Ff", "Gg", "Hh"];
    let add = TWO[0];
    type Expected<'e> = &'e [(&'e [&'e str], ScopeVerdict)];
    let cases: &[(Requirements<'_>, Expected<'_>)] = &[
        // The same request in other words.
        (&[(Add, "add two more drinks for the evening", Some(2))], &[(&CONVERTED, Fail), (&two, Pass)]),
        (&[(Add, "Add 2 nighttime drinks to the page", Some(2))], &[(&CONVERTED, Fail), (&two, Pass)]),
        (&[(Add, "Please add another two drinks", Some(2))], &[(&CONVERTED, Fail), (&two, Pass)]),
        (&[(Add, "füge 2 weitere Drinks hinzu", Some(2))], &[(&CONVERTED, Fail), (&two, Pass)]),
        (&[(Add, "Add two more to the drinks section", Some(2))], &[(&CONVERTED, Fail), (&two, Pass)]),
        (&[(Add, "add more drinks", None)], &[(&CONVERTED, Fail), (&two, Pass), (&other, Fail)]),
        (&[(Add, "add a drink called Calm and a drink called Rest", None)], &[(&CONVERTED, Fail), (&two, Pass)]),
        (&[(Add, "add another drink", Some(1))], &[(&one, Pass)]),
        (&[(Add, "one more drink", Some(1))], &[(&two, Warn)]),
        // A total is reached by adding the difference.
        (&[(Add, "10 drinks", Some(10))], &[(&two, Pass)]),
        (&[(Add, "add 10 drinks", Some(10))], &[(&two, Warn)]),
        // Replacing, removing and rewording.
        (&[(Modify, "replace two drinks with calmer ones", None)], &[(&CONVERTED, Pass)]),
        (&[(Remove, "remove Mango and Mint", None), add], &[(&CONVERTED, Pass)]),
        (&[(Remove, "remove two of the drinks", None), (Add, "add 2 new drinks", Some(2))], &[(&CONVERTED, Pass)]),
        (&[(Add, "add 2 drinks instead of Mango and Mint", Some(2))], &[(&CONVERTED, Pass)]),
        (&[(Modify, "convert 2 of the existing 8 drinks into sleep drinks", None)], &[(&CONVERTED, Pass)]),
        (&[(Modify, "rename Mango to Calm and Mint to Rest", None)], &[(&CONVERTED, Pass)]),
        (&[(Modify, "make all names calmer", None)], &[(&CONVERTED, Pass)]),
        (&[(Remove, "remove Mango and Mint", None)], &[(&CONVERTED, Pass), (&six, Pass)]),
        (&[(Remove, "drop the two worst drinks", None)], &[(&six, Pass)]),
        (&[(Remove, "remove the Cola", None)], &[(&CONVERTED, Warn)]),
        // A change of another part or of other things does not allow a conversion.
        (&[(Modify, "make the reviews shorter", None), add], &[(&CONVERTED, Fail)]),
        (&[(Modify, "refine ad copy, less generic", None), add], &[(&CONVERTED, Fail)]),
        (&[(Remove, "remove the reviews", None), add], &[(&CONVERTED, Fail)]),
        (&[(Modify, "make the prices of the drinks lower", None)], &[(&CONVERTED, Warn), (&EIGHT, Pass)]),
        // A list may be rewritten where content is added.
        (&[(Add, "add a fun twist to the drinks", None)], &[(&other, Warn), (&CONVERTED, Fail)]),
        (&[(Add, "write better drinks", None)], &[(&other, Warn), (&CONVERTED, Fail)]),
        (&[(Add, "add 8 drinks", Some(8))], &[(&other, Fail)]),
        // Unchanged sources.
        (TWO, &[(&EIGHT, Warn)]),
        (&[(Add, "add a contact form", None)], &[(&EIGHT, Pass)]),
    ];
    for (requirements, expected) in cases {
        for (after, verdict) in *expected {
            assert_eq!(shaped(IN_COMPONENT, requirements, after), *verdict, "{requirements:?} {after:?}");
        }
    }
}

#[test]
fn no_new_items_fail_for_a_named_list_and_warn_otherwise() {
    let after = replaced(&IN_COMPONENT.with(&EIGHT), "<section>", "<section className=\"dark\">");
    let found = changed(IN_COMPONENT, TWO, &after);
    assert_eq!(found.overall(), Fail);
    let expected = "expected 10 items in `drinks` (src/sections/Drinks.tsx) (8 + 2), found 8.";
    assert!(found.text().contains(expected), "{}", found.text());
    let found = changed(IN_COMPONENT, &[(Add, "add 2 more flavors", Some(2))], &after);
    assert_eq!((found.overall(), found.findings[0].is_certain), (Warn, false));
}

#[test]
fn other_content_passes_and_must_not_convert_items() {
    let intro = |names: &[&str]| {
        replaced(&SIBLINGS.with(names), "<h2>Drinks</h2>", "<h2>Drinks</h2><p>All of them are cold and fresh.</p>")
    };
    for text in ["add an intro text above the drinks", "add a short text to the drinks section"] {
        assert_eq!(changed(SIBLINGS, &[(Add, text, None)], &intro(&EIGHT)).overall(), Pass, "{text}");
        assert_eq!(changed(SIBLINGS, &[(Add, text, None)], &intro(&CONVERTED)).overall(), Fail, "{text}");
    }
    let badges = replaced(&ONE_FILE.with(&EIGHT), "</li>", " <b>New</b></li>");
    assert_eq!(changed(ONE_FILE, &[(Add, "add a badge to every drink", None)], &badges).overall(), Pass);
}

#[test]
fn new_items_in_a_list_of_their_own_pass() {
    let own = |names: &[&str]| {
        let evening =
            "const evening = [{ id: 9, name: 'Calm' }, { id: 10, name: 'Rest' }]\nexport default function Drinks";
        let files = replaced(&IN_COMPONENT.with(names), "export default function Drinks", evening);
        replaced(&files, "</section>", "<ul>{evening.map((e) => <li key={e.id}>{e.name}</li>)}</ul></section>")
    };
    assert_eq!(changed(IN_COMPONENT, TWO, &own(&EIGHT)).overall(), Pass);
    assert_eq!(changed(IN_COMPONENT, TWO, &own(&CONVERTED)).overall(), Fail);
}

#[test]
fn items_that_move_to_another_file_or_form_are_not_gone() {
    let two = with(&["Calm", "Rest"]);
    for (from, to) in [(IN_COMPONENT, DATA_FILE), (DATA_FILE, JSON), (SIBLINGS, IN_COMPONENT), (STRINGS, DATA_FILE)] {
        assert_eq!(changed(from, TWO, &to.with(&two)).overall(), Pass);
    }
    let mut after = DATA_FILE.with(&two);
    for at in 0..10 {
        after = replaced(&after, &format!("id: {at},"), &format!("id: 'drink-{at}',"));
    }
    assert_eq!(changed(DATA_FILE, TWO, &after).overall(), Pass, "new keys");
    let split = Shape {
        drinks: ("src/data/drinks.ts", "export const cold = [\n§1]\nexport const hot = [\n§2]"),
        others: &[
            APP,
            REVIEWS,
            (
                SECTION,
                "import { cold, hot } from '../data/drinks'\nexport default function Drinks() { return <section><ul>\
                 {cold.map((d) => <li key={d.id}>{d.name}</li>)}</ul><ul>{hot.map((d) => <li key={d.id}>{d.name}</li>)}</ul>\
                 </section> }",
            ),
        ],
        ..DATA_FILE
    };
    let requirements: Requirements<'_> = &[(Add, "add 2 sections, one for cold and one for hot drinks", Some(2))];
    assert_ne!(changed(DATA_FILE, requirements, &split.with(&EIGHT)).overall(), Fail);
}

#[test]
fn a_list_from_elsewhere_is_never_a_failure() {
    let fetched = Shape {
        drinks: (
            SECTION,
            "export default function Drinks() { const [drinks, setDrinks] = useState([])\nuseEffect(() => { \
             fetch('/api/drinks').then((r) => r.json()).then(setDrinks) }, [])\nreturn <ul>{drinks.map((drink) => <li \
             key={drink.id}>{drink.name}</li>)}</ul> }",
        ),
        ..IN_COMPONENT
    };
    let touched = replaced(
        &fetched.with(&EIGHT),
        "export default function Drinks",
        "export const two = 2\nexport default function Drinks",
    );
    let found = changed(fetched, TWO, &touched);
    assert_eq!((found.overall(), found.findings[0].is_certain), (Warn, false));
    assert_eq!(changed(IN_COMPONENT, TWO, &fetched.with(&EIGHT)).overall(), Warn, "moved to a server");
}

#[test]
fn changes_of_another_list_warn() {
    let two = IN_COMPONENT.with(&with(&["Calm", "Rest"]));
    let found = changed(IN_COMPONENT, TWO, &replaced(&two, "name: 'Great'", "name: 'Awful'"));
    assert_eq!(found.overall(), Warn, "a lost review");
    assert!(found.text().contains("`reviews`"), "{}", found.text());
    let more = replaced(
        &IN_COMPONENT.with(&EIGHT),
        "'Mint' }]",
        "'Mint' }, { author: 'Cy', name: 'Cold' }, { author: 'Di', name: 'Nice' }]",
    );
    assert_eq!(changed(IN_COMPONENT, TWO, &more).overall(), Warn, "two new reviews");
}

#[test]
fn numbers_in_texts_follow_the_list() {
    let stats = |drinks: &str, names: &[&str]| {
        let reviews = format!(
            "export default function Reviews() {{ return <ul><li>{drinks} drinks</li><li>2 shops</li><li>1 owner</li></ul> }}"
        );
        replaced(&IN_COMPONENT.with(names), REVIEWS.1, &reviews)
    };
    let found = check(TWO, &stats("8", &EIGHT), &stats("10", &with(&["Calm", "Rest"])));
    assert_eq!(found.overall(), Pass);
}

#[test]
fn a_loss_of_preserved_items_fails() {
    let judge = |request: &TaskRequest, names: &[&str]| {
        checked(request, &IN_COMPONENT.with(&EIGHT), &IN_COMPONENT.with(names)).overall()
    };
    for (kind, text) in [(Add, "add a contact form"), (Modify, "make the header bigger")] {
        let preserve = vec!["leave the drinks as they are".to_owned()];
        let request = TaskRequest { preserve, ..request(&[(kind, text, None)]) };
        assert_eq!(judge(&request, &CONVERTED), Fail, "{text}");
        assert_eq!(judge(&request, &with(&["Calm"])), Pass, "{text}");
        let steered = TaskRequest { is_steered: true, ..request };
        assert_eq!(judge(&steered, &CONVERTED), Warn, "{text}, and the user said more");
    }
}

#[test]
fn a_broken_file_of_the_list_fails_and_its_items_are_not_called_gone() {
    let broken = replaced(&IN_COMPONENT.with(&EIGHT), "</section>\n}", "</section>\n}\nconst = {");
    let found = changed(IN_COMPONENT, TWO, &broken);
    assert_eq!(found.overall(), Fail);
    assert!(found.text().contains("does not parse") && !found.text().contains("Gone"), "{}", found.text());
}

#[test]
fn a_requirement_with_a_marker_is_judged_by_its_marker() {
    let request = request(&[(Add, "add 2 more drinks", Some(2)), (Fix, "the toggle is broken", None)]);
    let plan = |comment: &str| {
        format!("<App><Screen name=\"a\"><Section gumdrop=\"drinks\">{comment}</Section></Screen></App>")
    };
    let open = |comment: &str| without_markers(&request, &plan(comment), 3).requirements.len();
    assert_eq!(open("{/* TASK-3 [ADD]: 2 drinks */}"), 1);
    assert_eq!(open("{/* TASK-3 [ADD]: 2 drinks */}{/* TASK-3 [FIX]: toggle */}"), 0);
    assert_eq!(open("{/* TASK-2 [ADD]: 2 drinks */}"), 2, "left over from another task");
    assert_eq!(open("{/* EXISTING 8 drinks PRESERVED */}"), 2);
    assert_eq!(open(""), 2);
}

#[test]
fn a_conversion_in_a_list_that_the_message_does_not_name_fails_also_beside_another_new_item() {
    let links = "const links = ['Home', 'Shop', 'Blog']\nconst items";
    let linked = replaced(&UNNAMED.with(&CONVERTED), "const items", links);
    let nav = "<main><nav>{links.map((link) => <a className=\"link\" key={link}>{link}</a>)}</nav>";
    assert_eq!(changed(UNNAMED, TWO, &replaced(&linked, "<main>", nav)).overall(), Fail);
}

#[test]
fn a_name_with_a_new_word_or_a_fixed_typo_is_not_lost() {
    let emojis = EIGHT.map(|name| format!("🍹 {name}"));
    let sizes = EIGHT.map(|name| format!("{name} 0.3l"));
    let typo: Vec<String> = with(&["Calm", "Rest"]).iter().map(|name| name.replace("Ginger", "Gingerr")).collect();
    for (text, count, after) in [
        ("add emojis to the drinks", None, &emojis[..]),
        ("add sizes to the drinks", None, &sizes),
        ("add 2 drinks", Some(2), &typo),
    ] {
        let after: Vec<&str> = after.iter().map(String::as_str).collect();
        assert_eq!(shaped(DATA_FILE, &[(Add, text, count)], &after), Pass, "{text}");
    }
}

#[test]
fn real_items_for_numbered_placeholders_warn() {
    let after = SIBLINGS.with(&["Calm", "Rest", "Tide"]);
    for (before, expected) in [(["Drink 1", "Drink 2", "Drink 3"], Warn), (["Lime", "Berry", "Mango"], Fail)] {
        let found = check(&[(Add, "add 3 real drinks", Some(3))], &SIBLINGS.with(&before), &after);
        assert_eq!(found.overall(), expected, "{before:?}");
    }
}
