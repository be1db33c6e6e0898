//! Several requirements about one list, and requirements about lists that are not there.

use super::{Files, Requirements, check};
use crate::gate::scope::ScopeVerdict::{self, Fail, Pass, Warn};
use crate::plan::MarkerKind::{Add, Fix, Modify};

const APP: &str =
    "import { Teas } from './sections/Teas'\nexport default function App() { return <main><Teas /></main> }\n";
const SECTION: &str = "import { teas } from '../data/teas'\nexport function Teas() { return <section id=\"teas\"><h2>Our \
    teas</h2><ul>{teas.map((tea) => <li key={tea.name}>{tea.name}: {tea.price}</li>)}</ul></section> }\n";
const ADD: (crate::plan::MarkerKind, &str, Option<usize>) = (Add, "Add 2 teas", Some(2));

fn data(names: &[&str]) -> String {
    names.iter().map(|name| format!("{{ name: '{name}', price: '{} €' }},\n", name.len())).collect()
}

/// The page with these teas and these further files, which may replace its own.
fn shop(names: &[&str], more: &[(&str, &str)]) -> Files {
    let teas = format!("export const teas = [\n{}]\n", data(names));
    let own = [("src/App.tsx", APP), ("src/sections/Teas.tsx", SECTION), ("src/data/teas.ts", teas.as_str())];
    own.iter().chain(more).map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

/// A section of its own for another list.
fn beside(teas: &[&str], name: &str, list: &str, heading: &str, items: &[&str]) -> Files {
    let app = format!(
        "import {{ Teas }} from './sections/Teas'\nimport {{ {name} }} from './sections/{name}'\n\
         export default function App() {{ return <main><Teas /><{name} /></main> }}\n"
    );
    let section = format!(
        "const {list} = [{}]\nexport function {name}() {{ return <section id=\"{list}\"><h2>{heading}</h2><ul>\
         {{{list}.map((tea) => <li key={{tea.name}}>{{tea.name}}: {{tea.price}}</li>)}}</ul></section> }}\n",
        data(items)
    );
    shop(teas, &[("src/App.tsx", &app), (&format!("src/sections/{name}.tsx"), &section)])
}

#[test]
fn a_correction_of_the_items_allows_new_names_and_no_fewer_items() {
    let typos = ["Asam", "Darjiling", "Sencha"];
    let added = ["Assam", "Darjeeling", "Sencha", "Oolong", "Mate"];
    let lost = ["Assam", "Oolong", "Mate"];
    for (fix, after, expected) in [
        ((Fix, "Fix the typo Asam", None), &added[..], Pass),
        ((Fix, "Fix the typo in Asam", None), &added, Pass),
        ((Modify, "Correct the spelling of the names", None), &added, Pass),
        ((Fix, "Correct the spelling of the names", None), &added, Pass),
        ((Fix, "Fix the names of the teas", None), &added, Pass),
        ((Fix, "Fix the names of the teas", None), &lost, Fail),
        ((Fix, "Fix the broken footer link", None), &added, Fail),
    ] {
        for requirements in [[ADD, fix], [fix, ADD]] {
            let found = check(&requirements, &shop(&typos, &[]), &shop(after, &[])).overall();
            assert_eq!(found, expected, "{requirements:?} {after:?}");
        }
    }
}

#[test]
fn fewer_items_than_asked_for_fail_in_a_list_that_is_named() {
    let three = ["Assam", "Darjeeling", "Sencha"];
    let four = ["Assam", "Darjeeling", "Sencha", "Mate"];
    let quotes = |items: &[&str]| beside(&three, "Testimonials", "quotes", "What people say", items);
    let apart = SECTION.replace("<ul>", "<div className=\"tip\"><h3>Oolong</h3><p>7 €</p></div><ul>");
    let testimonials: Requirements<'_> = &[(Add, "Add a testimonials section with 3 quotes", Some(3))];
    let total: Requirements<'_> = &[(Add, "4 teas", Some(4))];
    let cases: &[(Requirements<'_>, Files, ScopeVerdict)] = &[
        (&[ADD], shop(&four, &[]), Fail),
        (&[ADD], shop(&four, &[("src/sections/Teas.tsx", &apart)]), Warn),
        (&[ADD], beside(&four, "More", "specials", "Specials", &["Chai", "Yuzu", "Mint"]), Warn),
        (total, shop(&four, &[]), Pass),
        (&[(Add, "Add 4 teas", Some(4))], shop(&four, &[]), Warn),
        (testimonials, quotes(&["Good", "Fine"]), Fail),
        (testimonials, quotes(&["Good", "Fine", "Nice"]), Pass),
    ];
    for (requirements, after, expected) in cases {
        assert_eq!(check(requirements, &shop(&three, &[]), after).overall(), *expected, "{requirements:?} {after:?}");
    }
}

#[test]
fn new_items_stand_for_one_requirement() {
    let three = ["Assam", "Darjeeling", "Sencha"];
    let five = ["Assam", "Darjeeling", "Sencha", "Oolong", "Mate"];
    let seven = ["Assam", "Darjeeling", "Sencha", "Oolong", "Mate", "Chai", "Yuzu"];
    let people = beside(&five, "Team", "people", "Our team", &["Ann", "Bo"]);
    let cases: &[(Requirements<'_>, Files, ScopeVerdict, usize)] = &[
        (&[(Add, "Add 2 testimonials", Some(2))], shop(&five, &[]), Warn, 0),
        (&[ADD, (Add, "2 testimonials", Some(2))], shop(&five, &[]), Warn, 1),
        (&[ADD, (Add, "2 team members", Some(2))], shop(&five, &[]), Warn, 1),
        (&[(Add, "2 team members", Some(2)), ADD], shop(&five, &[]), Warn, 1),
        (&[ADD, (Add, "2 team members", Some(2))], people, Pass, 2),
        (&[(Add, "Add 2 black teas", Some(2)), (Add, "2 green teas", Some(2))], shop(&seven, &[]), Pass, 2),
        (&[(Add, "Add 2 black teas", Some(2)), (Add, "2 green teas", Some(2))], shop(&five, &[]), Warn, 1),
        (&[(Add, "Add 2 flavors", Some(2))], shop(&five, &[]), Pass, 1),
    ];
    for (requirements, after, expected, counted) in cases {
        let found = check(requirements, &shop(&three, &[]), after);
        assert_eq!((found.overall(), found.counted.len()), (*expected, *counted), "{requirements:?}");
    }
}

#[test]
fn items_that_move_to_a_section_of_their_own_are_not_lost() {
    let three = ["Assam", "Darjeeling", "Sencha"];
    let green = beside(&["Assam", "Darjeeling"], "GreenTeas", "greenTeas", "Green teas", &["Sencha", "Gyokuro"]);
    let sold = beside(&["Assam", "Darjeeling", "Oolong", "Mate"], "SoldOut", "soldOut", "Sold out", &["Sencha"]);
    let cases: &[(Requirements<'_>, Files)] = &[
        (&[(Modify, "Put the green teas into their own section", None), (Add, "Add 1 green tea", Some(1))], green),
        (&[ADD, (Modify, "Move Sencha to a section \"Sold out\"", None)], sold),
    ];
    for (requirements, after) in cases {
        let found = check(requirements, &shop(&three, &[]), after);
        assert_eq!((found.overall(), found.counted.len()), (Pass, 1), "{requirements:?}");
    }
}

#[test]
fn without_a_list_that_can_be_read_nothing_is_counted() {
    let page = |text: &str| Files::from([("src/App.tsx".to_owned(), text.to_owned())]);
    let before = page("export default function App() { return <main><div id=\"list\" /></main> }");
    let after = page("export default function App() { return <main><div id=\"list\" className=\"wide\" /></main> }");
    let found = check(&[ADD], &before, &after);
    assert!(found.text().contains("not counted: no readable list"), "{}", found.text());
}
