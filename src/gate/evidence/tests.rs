use super::*;
use crate::gate::builtin::read_used;
use crate::gate::tests::written_by_agent;
use crate::plan::MarkerKind::{Add, Fix, Modify, Remove};

type Files<'f> = &'f [(&'f str, &'f str)];

/// The project of the tables: an app with a menu of teas, a style sheet, and a page that the router shows.
const APP: (&str, &str) = (
    "src/App.tsx",
    "import './index.css'\nimport { Hero } from './Hero'\nimport { Menu } from './Menu'\nimport { Contact } from './Contact'\n\
     export default function App() {\n  return (\n    <main>\n      <Hero />\n      <Menu />\n      <Contact />\n    </main>\n  )\n}\n",
);
const MAIN: (&str, &str) = ("src/main.tsx", "import App from './App'\ncreateRoot(root).render(<App />)\n");
const HERO: (&str, &str) = (
    "src/Hero.tsx",
    "export function Hero() {\n  return (\n    <section>\n      <h1 className=\"headline\">Fine teas</h1>\n      <button className=\"buy\">Buy</button>\n      <a href=\"/shpo\">Shop</a>\n    </section>\n  )\n}\n",
);
const MENU: (&str, &str) = (
    "src/Menu.tsx",
    "const teas = [\n  { name: 'Sencha', price: 33, note: 'Fresh' },\n  { name: 'Assam', price: 40, note: 'Strong' },\n]\n\
     export const Menu = () => <ul>{teas.map((tea) => <li key={tea.name}>{tea.name} {tea.price}</li>)}</ul>\n",
);
const CONTACT: (&str, &str) = (
    "src/Contact.tsx",
    "export const Contact = () => (\n  <section>\n    <h2>Contact</h2>\n    <p>Write to us</p>\n  </section>\n)\n",
);
const CSS: (&str, &str) = ("src/index.css", ".headline {\n  color: black;\n  line-height: 1.5;\n}\n");

async fn report(kind: MarkerKind, text: &str, written: Files<'_>) -> RequirementReport {
    let project = [APP, MAIN, HERO, MENU, CONTACT, CSS];
    let (host, project) = written_by_agent((kind, text), &project, written).await;
    read_used(&host, &project).await;
    requirements(&project, &[]).remove(0)
}

/// The files of the project with some texts replaced.
fn replaced<'f>((path, text): (&'f str, &str), pairs: &[(&str, &str)]) -> (&'f str, String) {
    let replace = |text: String, (old, new): &(&str, &str)| {
        assert!(text.contains(old), "{text} has no {old}");
        text.replacen(old, new, 1)
    };
    (path, pairs.iter().fold(text.to_owned(), replace))
}

async fn verdict(kind: MarkerKind, text: &str, file: (&str, &str), pairs: &[(&str, &str)]) -> RequirementVerdict {
    let (path, new) = replaced(file, pairs);
    report(kind, text, &[(path, &new)]).await.verdict
}

#[tokio::test]
async fn a_stated_value_in_its_place_is_checked() {
    for (kind, text, file, old, new) in [
        (Modify, "Change the headline to \"Great teas\"", HERO, "Fine teas", "Great teas"),
        (Modify, "\"Fine teas\" to \"Great teas\"", HERO, "Fine teas", "Great teas"),
        (Fix, "Fix the typo in the heading, it must be \"Fine Teas\"", HERO, "Fine teas", "Fine Teas"),
        (Fix, "the link should go to /shop", HERO, "/shpo", "/shop"),
        (Modify, "Raise the price of the Sencha to 52", MENU, "price: 33", "price: 52"),
        (Modify, "Raise the price of the Sencha to €52.00", MENU, "price: 33", "price: 52"),
        (Modify, "Lower the price of the Sencha to 3.3", MENU, "price: 33", "price: 3.30"),
        (Modify, "Make the headline red", CSS, "color: black", "color: #dc2626"),
        (Modify, "Make the headline red", HERO, "className=\"headline\"", "className=\"headline text-red-600\""),
        (Modify, "the line height of the headline to 1.8", CSS, "1.5", "1.8"),
        (Add, "Add a line \"Open every day\" to the contact section", CONTACT, "Write to us", "Open every day"),
    ] {
        assert_eq!(verdict(kind, text, file, &[(old, new)]).await, Checked, "{text}: {new}");
    }
}

#[tokio::test]
async fn a_part_that_is_built_and_rendered_is_checked() {
    let pricing = "export const Pricing = () => <section><h2>Plans</h2></section>\n";
    let (app, with) = replaced(
        APP,
        &[
            ("<Contact />", "<Contact />\n      <Pricing />"),
            ("import { Hero", "import { Pricing } from './Pricing'\nimport { Hero"),
        ],
    );
    let add = "Add a pricing section";
    assert_eq!(report(Add, add, &[("src/Pricing.tsx", pricing), (app, &with)]).await.verdict, Checked);
    let empty = "export const Pricing = () => <section></section>\n";
    assert_ne!(report(Add, add, &[("src/Pricing.tsx", empty), (app, &with)]).await.verdict, Checked, "empty");
    assert_ne!(report(Add, add, &[("src/Pricing.tsx", pricing)]).await.verdict, Checked, "nothing renders it");
    for (text, old, new, expected) in [
        ("Add a footer", "</main>", "  <footer>All rights</footer>\n    </main>", true),
        ("Add a footer", "</main>", "  <footer>\n        <p>All rights</p>\n      </footer>\n    </main>", true),
        ("Add a footer", "</main>", "  <footer></footer>\n    </main>", false),
        ("Add a footer", "</main>", "  <p className=\"footer\">All rights</p>\n    </main>", false),
        ("Add a footer", "</main>", "  <main data-footer=\"x\">a</main>\n    </main>", false),
        ("Add a footer", "</main>", "  {false && <footer>All rights</footer>}\n    </main>", false),
        (
            "Add a footer",
            "</main>",
            "  <noscript>\n        <footer>All rights</footer>\n      </noscript>\n    </main>",
            false,
        ),
        ("Add a footer", "</main>", "  <footer>{false && <p>All rights</p>}</footer>\n    </main>", false),
        ("Add a footer with our address", "</main>", "  <footer>All rights</footer>\n    </main>", false),
        ("Add a team section", "</main>", "  <section id=\"team\"><p>Ada</p></section>\n    </main>", true),
        ("Add a contact form", "</main>", "  <div id=\"contact-form\"><p>Ada</p></div>\n    </main>", false),
    ] {
        let found = verdict(Add, text, APP, &[(old, new)]).await;
        assert_eq!(found == Checked, expected, "{text}: {new}: {found:?}");
    }
}

#[tokio::test]
async fn a_removal_is_checked_if_only_what_it_names_is_gone() {
    let link = "      <a href=\"/shpo\">Shop</a>\n";
    for (text, old, new, expected) in [
        ("Remove the shop link", link, "", true),
        ("Remove the shop link", link, "      <a href=\"/shpo\">Store</a>\n", false),
        (
            "Remove the shop link",
            "      <button className=\"buy\">Buy</button>\n      <a href=\"/shpo\">Shop</a>\n",
            "",
            false,
        ),
        ("Remove the team link", link, "", false),
    ] {
        let found = verdict(Remove, text, HERO, &[(old, new)]).await;
        assert_eq!(found == Checked, expected, "{text}: {new}: {found:?}");
    }
}

/// Claims that a wrong solution makes.
#[tokio::test]
async fn nothing_that_a_wrong_solution_has_is_checked() {
    let say = "Change the headline to \"Open\"";
    let rights = "Add a note that says \"All rights reserved\"";
    for (kind, text, file, old, new) in [
        // Words.
        (Modify, "Please use short sentences", CSS, "line-height: 1.5", "line-height: 1.15"),
        (Modify, "Make it dark", CONTACT, "Write to us", "Our dark roast is in stock"),
        (Fix, "Fix the layout on phones", CONTACT, "Write to us", "Call us, our phones are open"),
        (Modify, "Make the button bigger", HERO, "className=\"buy\"", "className=\"b\""),
        (Fix, "Fix the broken shop link in the hero", HERO, "/shpo", "/shpop"),
        // Another amount, a longer value, another color.
        (Modify, "Raise the price of the Sencha to 52", MENU, "price: 33", "price: 49"),
        (Modify, "Lower the price of the Sencha to 3.3", MENU, "price: 33", "price: 3.5"),
        (Modify, "Raise the price of the Sencha to 52", MENU, "price: 40", "price: 52"),
        (Fix, "the link should go to /tour", HERO, "/shpo", "/tourist"),
        (Modify, say, HERO, "Fine teas", "Opening soon"),
        (Modify, say, HERO, "Fine teas", "Open soon"),
        (Modify, "Make the headline red", CSS, "color: black", "color: #0000ff"),
        (Modify, "Make the headline red", CONTACT, "Write to us", "Write with a red pen"),
        // Dead code.
        (Add, rights, APP, "</main>", "  {false && <p>All rights reserved</p>}\n    </main>"),
        (Add, rights, APP, "  return (", "  const note = 'All rights reserved'\n  return ("),
        (Add, rights, APP, "  )\n}", "  )\n  return <p>All rights reserved</p>\n}"),
        (Add, rights, APP, "  return (", "  if (false) return <p>All rights reserved</p>\n  return ("),
        (Add, rights, MENU, "note: 'Fresh'", "note: 'All rights reserved'"),
        (Add, rights, MENU, "note: 'Fresh'", "get note() { return 'All rights reserved' }"),
        (Add, rights, MENU, "const teas", "const note = 'All rights reserved'\nconst teas"),
        // What nobody sees.
        (Add, rights, APP, "</main>", "  <template><p>All rights reserved</p></template>\n    </main>"),
        (Add, rights, APP, "</main>", "  <noscript>All rights reserved</noscript>\n    </main>"),
        (Add, rights, APP, "</main>", "  <p hidden>All rights reserved</p>\n    </main>"),
        (Add, rights, APP, "</main>", "  <p className=\"hidden\">All rights reserved</p>\n    </main>"),
        (Add, rights, APP, "</main>", "  <p style={{ display: 'none' }}>All rights reserved</p>\n    </main>"),
        (Add, rights, APP, "</main>", "  <p className=\"All rights reserved\">Tea</p>\n    </main>"),
        (Add, rights, APP, "</main>", "  <p key=\"All rights reserved\">Tea</p>\n    </main>"),
        (Add, rights, APP, "<Menu />", "<Menu note=\"All rights reserved\" />"),
        (Add, rights, APP, "<Menu />", "<Menu name=\"All rights reserved\" />"),
        (Add, rights, APP, "</main>", "  {/* All rights reserved */}\n    </main>"),
        // The right text in the wrong place.
        (Modify, "On the contact page, change the heading to \"Hello\"", HERO, "Fine teas", "Hello"),
        (Modify, "Change the label of the button to \"Hello\"", CONTACT, "Write to us", "Hello"),
        // Styles without an effect.
        (Modify, "Make the headline red", CSS, ".headline", ".head .headline {\n  color: red;\n}\n.headline"),
        (Modify, "Make the headline red", CSS, ".headline", ".headline-x {\n  color: red;\n}\n.headline"),
        (Modify, "Make the headline red", CSS, ".headline", ".headline:hover {\n  color: red;\n}\n.headline"),
        (
            Modify,
            "Make the headline red",
            CSS,
            ".headline",
            "@media print {\n  .headline {\n    color: red;\n  }\n}\n.headline",
        ),
        (Modify, "Make the headline red", CSS, "color: black;", "--headline: red;\n  color: black;"),
        (Modify, "Make the headline red", CSS, "  color: black;", "  color: red;\n  color: black;"),
    ] {
        let found = verdict(kind, text, file, &[(old, new)]).await;
        assert_ne!(found, Checked, "{text}: {new}");
    }
}

#[tokio::test]
async fn another_value_in_its_place_is_missing_and_one_elsewhere_is_open() {
    for (kind, text, file, old, new, expected) in [
        (Modify, "Raise the price of the Sencha to 52", MENU, "price: 33", "price: 49", Missing),
        (Modify, "Lower the price of the Sencha to 3.3", MENU, "price: 33", "price: 34", Missing),
        (Fix, "the link should go to /tour", HERO, "/shpo", "/tourist", Missing),
        (Modify, "Raise the price of the Sencha to 52", MENU, "price: 33", "price: 5200", Open),
        (Modify, "Change the button to \"Order\"", CONTACT, "Write to us", "Call us", Open),
        (Modify, "Make the headline bigger", CSS, "line-height: 1.5", "font-size: 3rem", Mentioned),
        (Modify, "Make the footer bigger", CONTACT, "Write to us", "Call us", Open),
    ] {
        assert_eq!(verdict(kind, text, file, &[(old, new)]).await, expected, "{text}: {new}");
    }
}

#[tokio::test]
async fn the_first_evidence_is_the_line_with_its_hit() {
    let (path, new) = replaced(HERO, &[("Fine teas", "Great teas")]);
    let report = report(Modify, "Change the headline to \"Great teas\"", &[(path, &new)]).await;
    let [Evidence { text, file, line, start: Some(start), end: Some(end), .. }] = report.evidence.as_slice() else {
        panic!("{report:?}")
    };
    assert_eq!((report.id.as_str(), file.as_deref(), *line), ("R1", Some("src/Hero.tsx"), Some(4)));
    assert_eq!(text.get(*start as usize..*end as usize), Some("Great teas"));
}

#[tokio::test]
async fn only_dead_code_is_no_work() {
    for (old, new) in [
        ("</main>", "  {false && <p>All rights reserved</p>}\n    </main>"),
        ("  return (", "  const note = 'All rights reserved'\n  return ("),
        ("  )\n}", "  )\n  return <p>All rights reserved</p>\n}"),
        ("</main>", "  <p hidden>All rights reserved</p>\n    </main>"),
    ] {
        let (path, new) = replaced(APP, &[(old, new)]);
        let report = report(Add, "a footer", &[(path, &new)]).await;
        assert_eq!((report.verdict, report.evidence), (Open, Vec::new()), "{new}");
    }
}

#[test]
fn a_marker_counts_only_with_the_number_that_is_asked_for() {
    let counted = Counted {
        kind: Add,
        requirement: Some("2 drinks".to_owned()),
        marker: String::new(),
        text: "drinks: 8 → 10 items".to_owned(),
        passed: true,
    };
    let wanted = |kind, text: &str, count| RequestedChange { kind, text: text.to_owned(), count };
    let drinks = wanted(Add, "2 drinks", Some(2));
    let hero = wanted(Modify, "the headline of the hero", None);
    let marker = |kind, marker: &str, text: &str, passed| Counted {
        kind,
        requirement: None,
        marker: marker.to_owned(),
        text: text.to_owned(),
        passed,
    };
    let changed = "\"hero\" changed (src/Hero.tsx).";
    for (wanted, counted, expected) in [
        (&drinks, counted.clone(), Checked),
        (&drinks, Counted { passed: false, ..counted }, Missing),
        (&drinks, marker(Add, "2 drinks", "drinks: 8 → 10 items", true), Checked),
        (&drinks, marker(Add, "1 drink", "drinks: 8 → 9 items", true), Mentioned),
        (&hero, marker(Modify, "the headline of the hero", changed, true), Mentioned),
        (&hero, marker(Modify, "the headline of the hero", "Nothing changed in \"hero\".", false), Missing),
        (&hero, marker(Modify, "the prices", changed, true), Open),
    ] {
        assert_eq!(judge(wanted, &[counted], &Used::default()).0, expected, "{wanted:?}");
    }
    assert_eq!(judge(&drinks, &[], &Used::default()).0, Open, "items are counted");
}

#[test]
fn the_headline_counts_only_what_is_checked() {
    let headline = |verdicts: &[RequirementVerdict]| {
        let report = |verdict: &RequirementVerdict| RequirementReport {
            id: "R1".to_owned(),
            marker: "ADD".to_owned(),
            text: "a".to_owned(),
            verdict: *verdict,
            evidence: Vec::new(),
        };
        super::headline(&verdicts.iter().map(report).collect::<Vec<_>>())
    };
    for (verdicts, expected) in [
        (vec![], None),
        (vec![Checked, Reviewed], None),
        (vec![Checked, Mentioned, Open], Some("1 of 3 checked, 1 mentioned, 1 open")),
        (vec![Reviewed, Missing], Some("0 of 2 checked, 1 reviewed, 1 missing")),
    ] {
        assert_eq!(headline(&verdicts).as_deref(), expected);
    }
}
