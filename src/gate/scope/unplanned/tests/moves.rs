//! Items that move to another list, file or form while others are added.

use super::shapes::{APP, REVIEWS};
use super::{TWO, Unplanned, check};
use crate::gate::scope::ScopeVerdict::{Fail, Pass, Warn};
use std::collections::BTreeMap;

const SIX: [&str; 6] = ["Lime Fizz", "Berry Rush", "Mango Sun", "Mint Cooler", "Cola Classic", "Peach Tea"];

fn items(names: &[&str]) -> String {
    let item = |name: &&str| {
        let category = if SIX.contains(name) { "cold" } else { "calm" };
        format!(
            "{{ id: '{}', name: '{name}', price: {}, category: '{category}' }}",
            name.to_lowercase().replace(' ', "-"),
            name.len()
        )
    };
    names.iter().map(item).collect::<Vec<_>>().join(",\n")
}

fn json(names: &[&str]) -> String {
    let item = |name: &&str| {
        format!("{{ \"id\": \"{}\", \"name\": \"{name}\", \"price\": {} }}", name.to_lowercase(), name.len())
    };
    format!("[{}]", names.iter().map(item).collect::<Vec<_>>().join(",\n"))
}

const SECTION: &str = "src/sections/Drinks.tsx";

fn section(imports: &str, declared: &str, lists: &[&str]) -> (&'static str, String) {
    let map = |list: &&str| {
        format!(
            "<ul>{{{list}.map((drink) => <li key={{drink.id}}><b>{{drink.name}}</b><i>{{drink.price}}</i></li>)}}</ul>"
        )
    };
    let lists: String = lists.iter().map(map).collect();
    (
        SECTION,
        format!(
            "{imports}\n{declared}\nexport default function Drinks() {{ return <section id=\"drinks\"><h2>Drinks</h2>{lists}</section> }}"
        ),
    )
}

fn state(files: &[(&str, String)]) -> BTreeMap<String, String> {
    let others = [APP, REVIEWS].map(|(path, text)| (path, text.to_owned()));
    others.iter().chain(files).map(|(path, text)| ((*path).to_owned(), text.clone())).collect()
}

const OTHER: [&str; 3] = ["Calm Night", "Deep Rest", "Soft Tide"];

/// A form of the list after the task, given the items.
type Form = (&'static str, fn(&[&str]) -> Vec<(&'static str, String)>);

const FORMS: &[Form] = &[
    ("in place", |names| vec![section("", &format!("const drinks = [{}]", items(names)), &["drinks"])]),
    ("a renamed constant", |names| vec![section("", &format!("const menu = [{}]", items(names)), &["menu"])]),
    ("another file", |names| {
        vec![
            section("import { drinks } from '../data/drinks'", "", &["drinks"]),
            ("src/data/drinks.ts", format!("export const drinks = [{}]", items(names))),
        ]
    }),
    ("another file with another name", |names| {
        vec![
            section("import { MENU_ITEMS } from '../data/menu'", "", &["MENU_ITEMS"]),
            ("src/data/menu.ts", format!("export const MENU_ITEMS = [{}] as const", items(names))),
        ]
    }),
    ("JSON", |names| {
        vec![
            section("import drinks from '../data/drinks.json'", "", &["drinks"]),
            ("src/data/drinks.json", json(names)),
        ]
    }),
    ("JSON in an object", |names| {
        vec![
            section("import menu from '../data/menu.json'", "", &["menu.items"]),
            ("src/data/menu.json", format!("{{ \"title\": \"Menu\", \"items\": {} }}", json(names))),
        ]
    }),
    ("two lists", |names| {
        let (one, two) = names.split_at(names.len() / 2);
        let declared = format!("const cold = [{}]\nconst warm = [{}]", items(one), items(two));
        vec![section("", &declared, &["cold", "warm"])]
    }),
    ("two files", |names| {
        let (one, two) = names.split_at(names.len() / 2);
        vec![
            section("import { cold } from '../data/cold'\nimport { warm } from '../data/warm'", "", &["cold", "warm"]),
            ("src/data/cold.ts", format!("export const cold = [{}]", items(one))),
            ("src/data/warm.ts", format!("export const warm = [{}]", items(two))),
        ]
    }),
    ("two joined lists", |names| {
        let (one, two) = names.split_at(names.len() / 2);
        let declared =
            format!("const cold = [{}]\nconst warm = [{}]\nconst all = [...cold, ...warm]", items(one), items(two));
        vec![section("", &declared, &["all"])]
    }),
    ("sorted", |names| {
        let mut names = names.to_vec();
        names.sort_unstable();
        vec![section("", &format!("const drinks = [{}]", items(&names)), &["drinks"])]
    }),
    ("sorted and new", |names| {
        let mut names = names.to_vec();
        names.reverse();
        vec![
            section("import { ALL } from '../data/all'", "", &["ALL"]),
            ("src/data/all.ts", format!("export const ALL: Drink[] = [{}]", items(&names))),
        ]
    }),
    ("a record", |names| {
        let pairs: Vec<String> = names
            .iter()
            .map(|name| format!("'{}': {{ id: '{name}', name: '{name}', price: 3 }}", name.to_lowercase()))
            .collect();
        vec![section("", &format!("const drinks = {{{}}}", pairs.join(", ")), &["Object.values(drinks)"])]
    }),
    ("groups", |names| {
        let (one, two) = names.split_at(names.len() / 2);
        let declared = format!(
            "const groups = [{{ title: 'Cold', drinks: [{}] }}, {{ title: 'Warm', drinks: [{}] }}]",
            items(one),
            items(two)
        );
        vec![(
            SECTION,
            format!(
                "{declared}\nexport default function Drinks() {{ return <section id=\"drinks\">{{groups.map((group) => <div key={{group.title}}><h3>{{group.title}}</h3>{{group.drinks.map((drink) => <p key={{drink.id}}>{{drink.name}}</p>)}}</div>)}}</section> }}"
            ),
        )]
    }),
    ("a component of its own", |names| {
        vec![
            (SECTION, "import DrinkList from '../components/DrinkList'\nexport default function Drinks() { return <section id=\"drinks\"><h2>Drinks</h2><DrinkList /></section> }".to_owned()),
            ("src/components/DrinkList.tsx", format!("const items = [{}]\nexport default function DrinkList() {{ return <ul>{{items.map((item) => <li key={{item.id}}>{{item.name}}</li>)}}</ul> }}", items(names))),
        ]
    }),
    ("cards side by side", |names| {
        let cards: String = names
            .iter()
            .map(|name| format!("<article className=\"card\"><h3>{name}</h3><p>{}</p></article>\n", name.len()))
            .collect();
        vec![(
            SECTION,
            format!(
                "export default function Drinks() {{ return <section id=\"drinks\"><h2>Drinks</h2>{cards}</section> }}"
            ),
        )]
    }),
    ("old and new apart", |names| {
        let (old, new): (Vec<&str>, Vec<&str>) = names.iter().partition(|name| SIX.contains(name));
        vec![
            section(
                "import { classics } from '../data/classics'\nimport { evening } from '../data/evening'",
                "",
                &["classics", "evening"],
            ),
            ("src/data/classics.ts", format!("export const classics = [{}]", items(&old))),
            ("src/data/evening.ts", format!("export const evening = [{}]", items(&new))),
        ]
    }),
];

/// The forms before and after which the verdict or its text is not as expected.
fn wrong(names: &[&str], is_expected: impl Fn(&Unplanned) -> bool) -> Vec<String> {
    let mut wrong = Vec::new();
    for before in FORMS.iter().step_by(2) {
        for after in FORMS {
            let found = check(TWO, &state(&before.1(&SIX)), &state(&after.1(names)));
            // The names of the groups are gone.
            let is_ungrouped =
                !found.counted.is_empty() && before.0 == "groups" && after.0 != "groups" && found.findings.len() == 1;
            let are_groups = |text: &str| text.contains("Gone or converted: \"Cold\", \"Warm\"");
            let is_other = is_ungrouped && found.overall() == Warn && are_groups(&found.text());
            if !is_expected(&found) && !is_other {
                wrong.push(format!(
                    "{} → {}: {:?} {:?}\n{}",
                    before.0,
                    after.0,
                    found.overall(),
                    found.counted,
                    found.text()
                ));
            }
        }
    }
    wrong
}

#[test]
fn items_that_move_unchanged_pass_with_their_number() {
    let all = [&SIX[..], &OTHER[..2]].concat();
    let wrong = wrong(&all, |found| found.overall() == Pass && found.counted.len() == 1);
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn items_that_move_and_are_converted_fail() {
    let two = [&SIX[..4], &OTHER[..2]].concat();
    let more = [&SIX[..4], &OTHER, &["Moon Milk"]].concat();
    for names in [two, more] {
        let wrong = wrong(&names, |found| found.overall() == Fail && found.text().contains("converted"));
        assert!(wrong.is_empty(), "{names:?} {}\n{}", wrong.len(), wrong.join("\n"));
    }
}

#[test]
fn other_items_in_another_form_never_pass() {
    let wrong = wrong(&OTHER, |found| found.overall() > Pass && found.text().contains("converted"));
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn items_that_only_move_are_not_new() {
    for more in [0, 1] {
        let names = [&SIX[..], &OTHER[..more]].concat();
        let wrong = wrong(&names, |found| found.overall() > Pass && found.counted.is_empty());
        assert!(wrong.is_empty(), "{more} {}\n{}", wrong.len(), wrong.join("\n"));
    }
}
