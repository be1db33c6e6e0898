//! Requirements and ordinary projects before and after a task, in one table for each shape.

use super::{Unplanned, check_unplanned, without_markers};
use crate::gate::scope::ScopeVerdict::{self, Fail, Pass, Warn};
use crate::gate::scope::tests::{Files, map};
use crate::gate::{RequestedChange, TaskRequest};
use crate::plan::MarkerKind::{self, Add, Fix, Modify, Remove};

const EIGHT: [&str; 8] = ["Lime", "Berry", "Mango", "Mint", "Cola", "Peach", "Ginger", "Cherry"];

type Requirements<'r> = &'r [(MarkerKind, &'r str, Option<usize>)];

fn request(requirements: Requirements<'_>) -> TaskRequest {
    let requirements = requirements.iter().map(|(kind, text, count)| RequestedChange {
        kind: *kind,
        text: (*text).to_owned(),
        count: *count,
    });
    TaskRequest { requirements: requirements.collect(), ..TaskRequest::default() }
}

fn check(requirements: Requirements<'_>, before: Files<'_>, after: Files<'_>) -> Unplanned {
    let request = request(requirements);
    let found = check_unplanned(&request, &request, &map(before), &map(after));
    // Part of the message of a failed assertion.
    println!("{requirements:?}\n{}", found.text());
    found
}

const TWO: Requirements<'_> = &[(Add, "add 2 more drinks", Some(2))];

/// The drinks, two of them converted.
fn converted() -> Vec<&'static str> {
    EIGHT
        .into_iter()
        .map(|name| {
            if name == "Mango" {
                "Calm"
            } else if name == "Mint" {
                "Rest"
            } else {
                name
            }
        })
        .collect()
}

fn with(more: &[&'static str]) -> Vec<&'static str> {
    EIGHT.into_iter().chain(more.iter().copied()).collect()
}

type Shape = fn(&[&str]) -> Vec<(&'static str, String)>;

/// Judges a shape of a project with the eight drinks before the task and these after it.
fn shaped(shape: Shape, requirements: Requirements<'_>, after: &[&str]) -> ScopeVerdict {
    shaped_both(shape, requirements, shape, after).overall()
}

fn shaped_both(before: Shape, requirements: Requirements<'_>, shape: Shape, after: &[&str]) -> Unplanned {
    check_owned(requirements, &before(&EIGHT), &shape(after))
}

fn check_owned(requirements: Requirements<'_>, before: &[(&str, String)], after: &[(&str, String)]) -> Unplanned {
    fn borrowed<'f>(files: &'f [(&'f str, String)]) -> Vec<(&'f str, &'f str)> {
        files.iter().map(|(path, text)| (*path, text.as_str())).collect()
    }
    check(requirements, &borrowed(before), &borrowed(after))
}

fn objects(names: &[&str]) -> String {
    names.iter().enumerate().map(|(at, name)| format!("  {{ id: {at}, name: '{name}', price: 3 }},\n")).collect()
}

const APP: &str = "import Drinks from './sections/Drinks'\nimport Reviews from './sections/Reviews'\nexport default \
                   function App() { return <main><nav><a href=\"#a\">Home</a><a href=\"#b\">Shop</a></nav><Drinks \
                   /><Reviews /></main> }";
const REVIEWS: &str = "const reviews = [{ author: 'Ann', name: 'Great', drink: 'Mango' }, { author: 'Bo', name: 'Fresh', \
                       drink: 'Mint' }]\nexport default function Reviews() { return <ul>{reviews.map((review) => <li \
                       key={review.name}>{review.name}</li>)}</ul> }";

fn app(drinks: String) -> Vec<(&'static str, String)> {
    vec![
        ("src/App.tsx", APP.to_owned()),
        ("src/sections/Drinks.tsx", drinks),
        ("src/sections/Reviews.tsx", REVIEWS.to_owned()),
    ]
}

fn in_component(names: &[&str]) -> Vec<(&'static str, String)> {
    app(format!(
        "export default function Drinks() {{\n  const drinks = [\n{}]\n  return <section>{{drinks.map((drink) => <article \
         key={{drink.id}}><h3>{{drink.name}}</h3></article>)}}</section>\n}}",
        objects(names)
    ))
}

fn siblings(names: &[&str]) -> Vec<(&'static str, String)> {
    let cards: String =
        names.iter().map(|name| format!("<div className=\"card\"><h3>{name}</h3><p>Cold</p></div>\n")).collect();
    app(format!(
        "export default function Drinks() {{ return <section id=\"drinks\"><h2>Drinks</h2>\n{cards}</section> }}"
    ))
}

fn components(names: &[&str]) -> Vec<(&'static str, String)> {
    let cards: String = names.iter().map(|name| format!("<DrinkCard name=\"{name}\" price={{3}} />\n")).collect();
    let mut files = app(format!(
        "import {{ DrinkCard }} from '../components/DrinkCard'\nexport default function Drinks() {{ return <section>\n{cards}</section> }}"
    ));
    let card = "export function DrinkCard({ name, price }) { return <div className=\"card\"><h3>{name}</h3><b>{price}</b></div> }";
    files.push(("src/components/DrinkCard.tsx", card.to_owned()));
    files
}

fn one_file(names: &[&str]) -> Vec<(&'static str, String)> {
    let items: String = names.iter().map(|name| format!("<li>{name}</li>\n")).collect();
    vec![(
        "src/App.tsx",
        format!(
            "export default function App() {{ return <main><h1>Shop</h1><h2>Our drinks</h2><ul>\n{items}</ul></main> }}"
        ),
    )]
}

fn data_file(names: &[&str]) -> Vec<(&'static str, String)> {
    let mut files = app(
        "import { drinks } from '../data/drinks'\nexport default function Drinks() { return <ul>{drinks.map((drink) => <li \
         key={drink.id}>{drink.name}</li>)}</ul> }"
            .to_owned(),
    );
    files.push(("src/data/drinks.ts", format!("export const drinks = [\n{}]", objects(names))));
    files
}

fn json(names: &[&str]) -> Vec<(&'static str, String)> {
    let mut files = app(
        "import menu from '../data/menu.json'\nexport default function Drinks() { return <ul>{menu.drinks.map((drink) => \
         <li key={drink.name}>{drink.name}</li>)}</ul> }"
            .to_owned(),
    );
    let items: Vec<String> = names.iter().map(|name| format!("{{ \"name\": \"{name}\" }}")).collect();
    files.push(("src/data/menu.json", format!("{{ \"drinks\": [{}], \"sizes\": [\"S\", \"M\"] }}", items.join(", "))));
    files
}

/// The message says drinks, the sources say items, and no section has either name.
fn unnamed(names: &[&str]) -> Vec<(&'static str, String)> {
    vec![(
        "src/App.tsx",
        format!(
            "const items = [\n{}]\nexport default function App() {{ return <main><ul>{{items.map((item) => <li \
             key={{item.id}}>{{item.name}}</li>)}}</ul></main> }}",
            objects(names)
        ),
    )]
}

fn spanish(names: &[&str]) -> Vec<(&'static str, String)> {
    vec![(
        "src/App.jsx",
        format!(
            "const bebidas = [\n{}]\nconst opiniones = ['Buena', 'Fresca']\nexport default function App() {{ return \
             <main><ul>{{bebidas.map((bebida) => <li key={{bebida.name}}>{{bebida.name}}</li>)}}</ul><ol>{{opiniones.map((o) \
             => <li key={{o}}>{{o}}</li>)}}</ol></main> }}",
            objects(names)
        ),
    )]
}

fn library(names: &[&str]) -> Vec<(&'static str, String)> {
    vec![
        ("src/index.ts", "export { DRINKS } from './drinks'\nexport const version = '1'\n".to_owned()),
        (
            "src/drinks.ts",
            format!("export const DRINKS: Drink[] = [\n{}]\nexport const SIZES = ['S', 'M']", objects(names)),
        ),
    ]
}

fn dom(names: &[&str]) -> Vec<(&'static str, String)> {
    vec![(
        "src/main.js",
        format!(
            "const drinks = [\n{}]\nconst list = document.querySelector('ul')\nfor (const drink of drinks) {{ \
             list.append(drink.name) }}",
            objects(names)
        ),
    )]
}

fn strings(names: &[&str]) -> Vec<(&'static str, String)> {
    let items: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    app(format!(
        "const drinks = [{}] as const\nexport default function Drinks() {{ return <ul>{{drinks.map((drink) => <li \
         key={{drink}}>{{drink}}</li>)}}</ul> }}",
        items.join(", ")
    ))
}

fn record(names: &[&str]) -> Vec<(&'static str, String)> {
    let items: String =
        names.iter().map(|name| format!("  {}: {{ name: '{name}' }},\n", name.to_lowercase())).collect();
    app(format!(
        "const drinks = {{\n{items}}}\nexport default function Drinks() {{ return <ul>{{Object.entries(drinks).map(([key, \
         drink]) => <li key={{key}}>{{drink.name}}</li>)}}</ul> }}"
    ))
}

fn grouped(names: &[&str]) -> Vec<(&'static str, String)> {
    let (cold, hot) = names.split_at(4);
    app(format!(
        "const groups = [{{ title: 'Cold', drinks: [\n{}] }}, {{ title: 'Hot', drinks: [\n{}] }}]\nexport default function \
         Drinks() {{ return <section>{{groups.map((group) => <div key={{group.title}}><h3>{{group.title}}</h3><ul>\
         {{group.drinks.map((drink) => <li key={{drink.name}}>{{drink.name}}</li>)}}</ul></div>)}}</section> }}",
        objects(cold),
        objects(hot)
    ))
}

const SHAPES: [(&str, Shape); 13] = [
    ("an array in the component", in_component),
    ("siblings", siblings),
    ("components side by side", components),
    ("one file", one_file),
    ("a data file", data_file),
    ("JSON", json),
    ("a list of another name", unnamed),
    ("identifiers in another language", spanish),
    ("a library", library),
    ("a page without React", dom),
    ("strings", strings),
    ("a record", record),
    ("groups", grouped),
];

#[test]
fn items_that_are_converted_instead_of_added_fail_in_every_ordinary_shape() {
    for (name, shape) in SHAPES {
        println!("{name}");
        let found = shaped_both(shape, TWO, shape, &converted());
        assert_eq!(found.overall(), Fail, "{name}");
        assert!(found.text().contains("Gone or converted: \"Mango\", \"Mint\"."), "{name}: {}", found.text());
        assert!(found.text().contains("8 → 8 items; gone: \"Mango\", \"Mint\"; new: \"Calm\", \"Rest\""), "{name}");
    }
}

#[test]
fn items_that_vanish_fail_where_the_task_only_adds() {
    for (name, shape) in SHAPES {
        println!("{name}");
        let six: Vec<&str> = EIGHT.into_iter().filter(|name| *name != "Mango" && *name != "Mint").collect();
        let both: Vec<&str> = six.iter().copied().chain(["Calm", "Rest", "Tide", "Hour"]).collect();
        assert_eq!(shaped(shape, TWO, &both), Fail, "{name}: two gone, four new");
        // Without new items, a list with another name is not a target.
        let is_named = shaped(shape, TWO, &six);
        assert!(
            is_named == Fail || matches!(name, "a list of another name" | "identifiers in another language"),
            "{name}"
        );
        assert_ne!(is_named, Pass, "{name}");
    }
}

#[test]
fn as_many_new_items_as_were_asked_for_pass_and_fewer_or_more_warn() {
    for (name, shape) in SHAPES {
        println!("{name}");
        assert_eq!(shaped(shape, TWO, &with(&["Calm", "Rest"])), Pass, "{name}");
        assert_eq!(shaped(shape, TWO, &with(&["Calm"])), Warn, "{name}: one");
        assert_eq!(shaped(shape, TWO, &with(&["Calm", "Rest", "Tide"])), Warn, "{name}: three");
    }
}

#[test]
fn a_message_in_other_words_protects_the_items_as_well() {
    for (text, count) in [
        ("add two more drinks for the evening", Some(2)),
        ("Add 2 nighttime drinks to the page", Some(2)),
        ("Please add another two drinks", Some(2)),
        ("füge 2 weitere Drinks hinzu", Some(2)),
        ("Add two more to the drinks section", Some(2)),
        ("add more drinks", None),
        ("add a drink called Calm and a drink called Rest", None),
    ] {
        assert_eq!(shaped(in_component, &[(Add, text, count)], &converted()), Fail, "{text}");
        assert_eq!(shaped(in_component, &[(Add, text, count)], &with(&["Calm", "Rest"])), Pass, "{text}");
    }
    assert_eq!(shaped(in_component, &[(Add, "add another drink", Some(1))], &with(&["Calm"])), Pass);
    assert_eq!(shaped(in_component, &[(Add, "one more drink", Some(1))], &with(&["Calm", "Rest"])), Warn);
}

#[test]
fn no_new_items_fail_for_a_named_list_and_warn_otherwise() {
    let mut files = in_component(&EIGHT);
    files[1].1 = files[1].1.replace("<section>", "<section className=\"dark\">");
    let before = in_component(&EIGHT);
    let texts = |files: &[(&'static str, String)]| -> Vec<(String, String)> {
        files.iter().map(|(path, text)| ((*path).to_owned(), text.clone())).collect()
    };
    let judge = |text: &str| {
        let request = request(&[(Add, text, Some(2))]);
        check_unplanned(&request, &request, &texts(&before).into_iter().collect(), &texts(&files).into_iter().collect())
    };
    let found = judge("add 2 more drinks");
    assert_eq!(found.overall(), Fail);
    assert!(
        found.text().contains("expected 10 items in `drinks` (src/sections/Drinks.tsx) (8 + 2), found 8."),
        "{}",
        found.text()
    );
    let found = judge("add 2 more flavors");
    assert_eq!((found.overall(), found.findings[0].is_certain), (Warn, false));
}

#[test]
fn a_task_that_replaces_removes_or_rewords_items_may_drop_them() {
    let cases: [Requirements<'_>; 7] = [
        &[(Modify, "replace two drinks with calmer ones", None)],
        &[(Remove, "remove Mango and Mint", None), (Add, "add 2 more drinks", Some(2))],
        &[(Remove, "remove two of the drinks", None), (Add, "add 2 new drinks", Some(2))],
        &[(Add, "add 2 drinks instead of Mango and Mint", Some(2))],
        &[(Modify, "convert 2 of the existing 8 drinks into sleep drinks", None)],
        &[(Modify, "rename Mango to Calm and Mint to Rest", None)],
        &[(Modify, "make all names calmer", None)],
    ];
    for requirements in cases {
        assert_eq!(shaped(in_component, requirements, &converted()), Pass, "{requirements:?}");
    }
    let six: Vec<&str> = EIGHT.into_iter().filter(|name| *name != "Mango" && *name != "Mint").collect();
    assert_eq!(shaped(in_component, &[(Remove, "remove Mango and Mint", None)], &six), Pass);
    assert_eq!(shaped(in_component, &[(Remove, "drop the two worst drinks", None)], &six), Pass);
    assert_eq!(shaped(in_component, &[(Remove, "remove Mango and Mint", None)], &converted()), Pass);
    assert_eq!(shaped(in_component, &[(Remove, "remove the Cola", None)], &converted()), Warn, "Cola is still there");
}

#[test]
fn a_change_of_another_part_does_not_allow_a_conversion() {
    let other: Requirements<'_> = &[(Modify, "make the reviews shorter", None), (Add, "add 2 more drinks", Some(2))];
    assert_eq!(shaped(in_component, other, &converted()), Fail);
    let copy: Requirements<'_> = &[(Modify, "refine ad copy, less generic", None), (Add, "add 2 more drinks", Some(2))];
    assert_eq!(shaped(in_component, copy, &converted()), Fail, "the names may change, and none was added");
    let removed: Requirements<'_> = &[(Remove, "remove the reviews", None), (Add, "add 2 more drinks", Some(2))];
    assert_eq!(shaped(in_component, removed, &converted()), Fail);
}

#[test]
fn other_content_passes_and_must_not_convert_items() {
    let intro = |names: &[&str]| {
        let mut files = siblings(names);
        files[1].1 = files[1].1.replace("<h2>Drinks</h2>", "<h2>Drinks</h2><p>All of them are cold and fresh.</p>");
        files
    };
    for text in ["add an intro text above the drinks", "add a short text to the drinks section"] {
        let requirements: Requirements<'_> = &[(Add, text, None)];
        assert_eq!(shaped_both(siblings, requirements, intro, &EIGHT).overall(), Pass, "{text}");
        assert_eq!(shaped_both(siblings, requirements, intro, &converted()).overall(), Fail, "{text}");
    }
    let badges = |names: &[&str]| {
        let mut files = one_file(names);
        files[0].1 = files[0].1.replace("</li>", " <b>New</b></li>");
        files
    };
    let badge: Requirements<'_> = &[(Add, "add a badge to every drink", None)];
    assert_eq!(shaped_both(one_file, badge, badges, &EIGHT).overall(), Pass);
}

#[test]
fn new_items_in_a_list_of_their_own_pass() {
    let own = |names: &[&str]| {
        let mut files = in_component(names);
        files[1].1 = files[1]
            .1
            .replace(
                "export default",
                "const evening = [{ id: 9, name: 'Calm' }, { id: 10, name: 'Rest' }]\nexport default",
            )
            .replace("</section>", "<ul>{evening.map((e) => <li key={e.id}>{e.name}</li>)}</ul></section>");
        files
    };
    assert_eq!(shaped_both(in_component, TWO, own, &EIGHT).overall(), Pass);
    assert_eq!(shaped_both(in_component, TWO, own, &converted()).overall(), Fail);
}

#[test]
fn items_that_move_to_another_file_or_form_are_not_gone() {
    let two = with(&["Calm", "Rest"]);
    for (from, to) in
        [(in_component as Shape, data_file as Shape), (data_file, json), (siblings, in_component), (strings, data_file)]
    {
        assert_eq!(shaped_both(from, TWO, to, &two).overall(), Pass);
    }
}

#[test]
fn a_list_from_elsewhere_is_never_a_failure() {
    fn fetched(_: &[&str]) -> Vec<(&'static str, String)> {
        app("export default function Drinks() { const [drinks, setDrinks] = useState([])\nuseEffect(() => { \
             fetch('/api/drinks').then((r) => r.json()).then(setDrinks) }, [])\nreturn <ul>{drinks.map((drink) => <li \
             key={drink.id}>{drink.name}</li>)}</ul> }"
            .to_owned())
    }
    let touched = |names: &[&str]| {
        let mut files = fetched(names);
        files[1].1.push_str("\n// looked at\nexport const two = 2\n");
        files
    };
    let found = shaped_both(fetched, TWO, touched, &EIGHT);
    assert_eq!((found.overall(), found.findings[0].is_certain), (Warn, false));
    assert_ne!(shaped_both(in_component, TWO, fetched, &EIGHT).overall(), Pass, "moved to a server");
    assert_ne!(shaped_both(in_component, TWO, fetched, &EIGHT).overall(), Fail, "moved to a server");
}

#[test]
fn a_bug_fix_that_loses_items_warns_with_the_difference() {
    let fix: Requirements<'_> = &[(Fix, "the menu button does not open", None)];
    let five: Vec<&str> = EIGHT.into_iter().take(5).collect();
    for (name, shape) in SHAPES {
        let found = shaped_both(shape, fix, shape, &five);
        assert_eq!(found.overall(), Warn, "{name}");
        assert!(
            found.text().contains("8 → 5 items; gone: \"Peach\", \"Ginger\", \"Cherry\""),
            "{name}: {}",
            found.text()
        );
        assert_eq!(shaped(shape, fix, &EIGHT), Pass, "{name}");
    }
}

#[test]
fn items_of_a_list_that_the_task_does_not_name_warn() {
    let other = |names: &[&str]| {
        let mut files = in_component(names);
        files[2].1 = files[2].1.replace("name: 'Great'", "name: 'Awful'");
        files
    };
    let found = shaped_both(in_component, TWO, other, &with(&["Calm", "Rest"]));
    assert_eq!(found.overall(), Warn);
    assert!(found.text().contains("`reviews`"), "{}", found.text());
}

#[test]
fn numbers_in_texts_follow_the_list() {
    let stats = |drinks: &str, names: &[&str]| {
        let mut files = in_component(names);
        files[2].1 = format!(
            "export default function Reviews() {{ return <ul><li>{drinks} drinks</li><li>2 shops</li><li>1 owner</li></ul> }}"
        );
        files
    };
    let before = stats("8", &EIGHT);
    let after = stats("10", &with(&["Calm", "Rest"]));
    let texts =
        |files: Vec<(&'static str, String)>| files.into_iter().map(|(path, text)| (path.to_owned(), text)).collect();
    let request = request(TWO);
    assert_eq!(check_unplanned(&request, &request, &texts(before), &texts(after)).overall(), Pass);
}

#[test]
fn a_loss_of_preserved_items_fails() {
    let texts = |names: &[&str]| in_component(names).into_iter().map(|(path, text)| (path.to_owned(), text)).collect();
    let judge = |request: &TaskRequest, names: &[&str]| {
        check_unplanned(request, request, &texts(&EIGHT), &texts(names)).overall()
    };
    for (kind, text) in [(Add, "add a contact form"), (Modify, "make the header bigger")] {
        let preserve = vec!["leave the drinks as they are".to_owned()];
        let request = TaskRequest { preserve, ..request(&[(kind, text, None)]) };
        assert_eq!(judge(&request, &converted()), Fail, "{text}");
        assert_eq!(judge(&request, &with(&["Calm"])), Pass, "{text}");
        let steered = TaskRequest { is_steered: true, ..request };
        assert_eq!(judge(&steered, &converted()), Warn, "{text}, and the user said more");
    }
}

#[test]
fn a_broken_file_of_the_list_fails_and_its_items_are_not_called_gone() {
    let broken = |names: &[&str]| {
        let mut files = in_component(names);
        files[1].1.push_str("\nconst = {");
        files
    };
    let found = shaped_both(in_component, TWO, broken, &EIGHT);
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
fn a_change_of_other_things_that_converts_items_warns() {
    let prices: Requirements<'_> = &[(Modify, "make the prices of the drinks lower", None)];
    assert_eq!(shaped(in_component, prices, &converted()), Warn);
    assert_eq!(shaped(in_component, prices, &EIGHT), Pass);
}

#[test]
fn items_that_were_added_to_another_list_warn() {
    let reviews = |names: &[&str]| {
        let mut files = in_component(names);
        files[2].1 = files[2].1.replace("}]", "}, { author: 'Cy', name: 'Cold' }, { author: 'Di', name: 'Nice' }]");
        files
    };
    assert_eq!(shaped_both(in_component, TWO, reviews, &EIGHT).overall(), Warn);
}

#[test]
fn a_conversion_in_a_list_that_the_message_does_not_name_fails_also_beside_another_new_item() {
    let linked = |names: &[&str]| {
        let mut files = unnamed(names);
        files[0].1 = format!("const links = ['Home', 'Shop', 'Blog']\n{}", files[0].1)
            .replace("<main>", "<main><nav>{links.map((link) => <a className=\"link\" key={link}>{link}</a>)}</nav>");
        files
    };
    assert_eq!(shaped_both(unnamed, TWO, linked, &converted()).overall(), Fail);
}

#[test]
fn unchanged_sources_warn_if_items_were_requested() {
    let found = shaped_both(in_component, TWO, in_component, &EIGHT);
    assert_eq!(found.overall(), Warn);
    assert_eq!(shaped(in_component, &[(Add, "add a contact form", None)], &EIGHT), Pass);
}

#[test]
fn a_name_with_a_new_word_or_a_fixed_typo_is_not_lost() {
    let spelled = |change: fn(&str) -> String, more: &[&str]| -> Vec<String> {
        EIGHT.into_iter().map(change).chain(more.iter().map(|name| (*name).to_owned())).collect()
    };
    for (text, count, change, more) in [
        ("add emojis to the drinks", None, (|name| format!("🍹 {name}")) as fn(&str) -> String, &[][..]),
        ("add sizes to the drinks", None, |name| format!("{name} 0.3l"), &[][..]),
        ("add 2 drinks", Some(2), |name| name.replace("Ginger", "Gingerr"), &["Calm", "Rest"][..]),
    ] {
        let after = spelled(change, more);
        let after: Vec<&str> = after.iter().map(String::as_str).collect();
        assert_eq!(shaped(data_file, &[(Add, text, count)], &after), Pass, "{text}");
    }
}

#[test]
fn a_list_that_is_rewritten_where_content_is_added_warns() {
    let other = ["Aa", "Bb", "Cc", "Dd", "Ee", "Ff", "Gg", "Hh"];
    for text in ["add a fun twist to the drinks", "write better drinks"] {
        assert_eq!(shaped(in_component, &[(Add, text, None)], &other), Warn, "{text}");
        assert_eq!(shaped(in_component, &[(Add, text, None)], &converted()), Fail, "{text}");
    }
    assert_eq!(shaped(in_component, &[(Add, "add more drinks", None)], &other), Fail);
    assert_eq!(shaped(in_component, &[(Add, "add 8 drinks", Some(8))], &other), Fail);
}

#[test]
fn real_items_for_numbered_placeholders_warn() {
    let after = siblings(&["Calm", "Rest", "Tide"]);
    for (before, expected) in [(["Drink 1", "Drink 2", "Drink 3"], Warn), (["Lime", "Berry", "Mango"], Fail)] {
        let found = check_owned(&[(Add, "add 3 real drinks", Some(3))], &siblings(&before), &after);
        assert_eq!(found.overall(), expected, "{before:?}");
    }
}

#[test]
fn a_total_number_is_reached_by_adding_the_difference() {
    assert_eq!(shaped(in_component, &[(Add, "10 drinks", Some(10))], &with(&["Calm", "Rest"])), Pass);
    assert_eq!(shaped(in_component, &[(Add, "add 10 drinks", Some(10))], &with(&["Calm", "Rest"])), Warn);
}

#[test]
fn a_list_that_is_split_in_two_lost_nothing() {
    let split = "import { cold, hot } from '../data/drinks'\nexport default function Drinks() { return <section><ul>{cold.map((d) => \
                 <li key={d.id}>{d.name}</li>)}</ul><ul>{hot.map((d) => <li key={d.id}>{d.name}</li>)}</ul></section> }";
    let mut after = app(split.to_owned());
    let data =
        format!("export const cold = [\n{}]\nexport const hot = [\n{}]", objects(&EIGHT[..4]), objects(&EIGHT[4..]));
    after.push(("src/data/drinks.ts", data));
    let requirements: Requirements<'_> = &[(Add, "add 2 sections, one for cold and one for hot drinks", Some(2))];
    assert_ne!(check_owned(requirements, &data_file(&EIGHT), &after).overall(), Fail);
}

#[test]
fn items_with_new_keys_are_not_lost() {
    let mut after = data_file(&with(&["Calm", "Rest"]));
    for at in 0..10 {
        after[3].1 = after[3].1.replace(&format!("id: {at},"), &format!("id: 'drink-{at}',"));
    }
    assert_eq!(check_owned(TWO, &data_file(&EIGHT), &after).overall(), Pass);
}
