//! The file that a marker refers to, and whether the page reaches it.

use super::{APP, FAIL, PASS, WARN, check, map, markup, page, plan, teas, verdicts_of};
use crate::gate::scope::{ScopeVerdict, check_scope};

#[test]
fn a_section_is_found_by_its_file_or_by_its_root() {
    let named = teas(&["A1", "B1"]);
    let grown = teas(&["A1", "B1", "C1"]);
    let decoy = ("src/data/teas.ts", "export const teas = [1, 2, 3]");
    for (path, from, to) in [
        ("src/sections/Teas.tsx", "", ""),
        ("src/components/Teas.jsx", "", ""),
        ("src/sections/Teas/index.tsx", "", ""),
        ("src/sections/TeaGrid.tsx", "", ""),
        ("src/sections/TeasSection.tsx", "<section id=\"teas\">", "<section id=\"top\">"),
        ("src/sections/Shelf.tsx", "id=\"teas\"", "data-section=\"teas\""),
        ("src/sections/Shelf.tsx", "<section id=\"teas\">", "<section className=\"x\" id={'teas'}>"),
        ("src/sections/Shelf.tsx", "export default function Teas", "export default memo(function Shelf"),
    ] {
        let import = path.replace("src/", "./").replace("/index", "").replace(".tsx", "").replace(".jsx", "");
        let close = if to.contains("memo(") { ")" } else { "" };
        let written = |text: &str| text.replace(from, to).trim_end().to_owned() + close;
        let app = APP.replace("./sections/Teas", &import);
        let (before, after) = (written(&named), written(&grown));
        let files = |text| {
            let mut files = vec![("src/App.tsx", app.as_str()), decoy, (path, text)];
            files.sort_unstable();
            files
        };
        let report = check("{/* TASK-3 [ADD]: 1 tea */}", &files(&before), &files(&after));
        assert_eq!(verdicts_of(&report), [PASS], "{path}: {report:?}");
    }
    let kebab =
        "<App><Screen name=\"a\"><Section gumdrop=\"tea-shelf\">{/* TASK-3 [ADD]: 1 tea */}</Section></Screen></App>";
    let files = |text| map(&[("src/sections/TeaShelf.tsx", text)]);
    assert_eq!(verdicts_of(&check_scope(kebab, 3, &files(&named), &files(&grown))), [PASS]);
}

#[test]
fn a_list_is_called_by_its_name_and_not_by_its_type() {
    let source = teas(&["A1", "B1"]).replacen("teas =", "teas: Tea[] =", 1);
    let report = check("{/* TASK-3 [ADD]: 1 tea */}", &page(&source), &page(&source));
    let reason = &report.markers.first().unwrap().reason;
    assert!(source.contains(": Tea[]") && reason.contains("found 2 in `teas` ("), "{reason}");
}

#[test]
fn the_component_of_a_file_is_the_one_it_exports() {
    for export in [
        "export default function Teas() { return <section id=\"teas\">{teas.STRINGS}</section> }",
        "export function Other() { return <p /> }\nexport function Teas() { return <section id=\"teas\">{teas.STRINGS}</section> }",
        "const Teas = () => <section id=\"teas\">{teas.STRINGS}</section>\nexport default Teas",
        "const Teas: React.FC = () => (<section id=\"teas\">{teas.STRINGS}</section>)\nexport { Teas as default }",
        "function Inner() { return <section id=\"teas\">{teas.STRINGS}</section> }\nexport default memo(Inner)",
        "const Teas = forwardRef((props, ref) => <section ref={ref} id=\"teas\">{teas.STRINGS}</section>)\nexport default Teas",
    ] {
        let files = |items: &str| markup(&format!("const teas = [{items}]\nconst icon = () => <svg />\n{export}"));
        let app = if export.contains("Other") {
            "import { Teas } from './sections/Teas'\nexport default () => <Teas />"
        } else {
            APP
        };
        let (before, after) = (files("'A1', 'B1'"), files("'A1', 'B1', 'C1'"));
        let with = |teas| [("src/App.tsx", app), ("src/sections/Teas.tsx", teas)];
        let report = check("{/* TASK-3 [ADD]: 1 tea */}", &with(&before), &with(&after));
        assert_eq!(verdicts_of(&report), [PASS], "{export}: {report:?}");
    }
}

#[test]
fn a_constant_whose_name_differs_only_in_case_is_not_the_component() {
    for export in ["", "export { TEAS, Teas }"] {
        let word = if export.is_empty() { "export " } else { "" };
        let with = |items: &str| {
            markup(&format!(
                "export const TITLE = 'Teas'\n{word}const TEAS = [{items}]\n\
                 {word}function Teas() {{ return <section>{{TEAS.STRINGS}}</section> }}\n{export}"
            ))
        };
        let app = "import { Teas } from './sections/Teas'\nexport default () => <Teas />";
        let files = |items: &str| map(&[("src/App.tsx", app), ("src/sections/Teas.tsx", &with(items))]);
        let report = |after: &str| {
            let comments = plan("{/* TASK-3 [ADD]: 1 tea */}{/* EXISTING 2 teas PRESERVED */}");
            verdicts_of(&check_scope(&comments, 3, &files("'A1', 'B1'"), &files(after)))
        };
        assert_eq!(report("'A1', 'B1', 'C1'"), [PASS, PASS], "{export}");
        assert_eq!(report("'A1', 'C1', 'D1'"), [PASS, FAIL], "{export}");
    }
}

/// The verdicts of an `ADD` of one tea and of `PRESERVED` when the section's file becomes `path`.
fn renamed(app: [&str; 2], before: &str, path: &str, after: &str, is_left: bool) -> Vec<ScopeVerdict> {
    let had = [("src/App.tsx", app[0]), ("src/sections/Teas.tsx", before)];
    let mut has = vec![("src/App.tsx", app[1]), (path, after)];
    has.extend(is_left.then_some(had[1]));
    let report = check("{/* TASK-3 [ADD]: 1 tea */}{/* EXISTING 2 teas PRESERVED */}", &had, &has);
    println!("{report:?}");
    verdicts_of(&report)
}

#[test]
fn a_section_is_followed_when_its_file_its_component_and_its_id_change() {
    let app = |page: &str| {
        format!("import {{ Shelf }} from './shop/Shelf'\nexport default function App() {{ return {page} }}")
    };
    let named = |teas: &str, head: &str, root: &str| {
        let list = markup(&format!("const ID = 'teas'\nconst teas = [{teas}]"));
        markup(&format!(
            "{list}\nexport {head} {{ return <{root}><h2>From the garden</h2><ul>{{teas.STRINGS}}</ul></section> }}"
        ))
    };
    for (before, after, page, is_left) in [
        ("section", "section", "<Shelf />", false),
        ("section id=\"teas\"", "section id=\"shelf\"", "<Shelf />", false),
        ("section", "section id={ID}", "<Shelf />", false),
        ("section", "section id={id}", "<Shelf id=\"teas\" />", false),
        ("section", "section", "<div id=\"teas\"><Shelf /></div>", false),
        // The former file is still there, but nothing renders it.
        ("section", "section", "<Shelf />", true),
        ("section", "section id=\"teas\"", "<Shelf />", true),
    ] {
        let was = named("'A1', 'B1'", "default function Teas()", before);
        let (page, case) = (app(page), format!("{before} {after} {page} {is_left}"));
        let now = |teas: &str| {
            let text = named(teas, "function Shelf({ id })", after);
            renamed([APP, &page], &was, "src/shop/Shelf.tsx", &text, is_left)
        };
        assert_eq!(now("'A1', 'B1', 'C1'"), [PASS, PASS], "{case}");
        assert_eq!(now("'A1', 'B1'"), [FAIL, PASS], "{case}");
        assert_eq!(now("'A1', 'C1'"), [FAIL, FAIL], "{case}");
    }
}

#[test]
fn a_section_without_a_list_is_followed_by_its_elements() {
    let hero = |name: &str, text: &str| {
        format!(
            "export default function {name}() {{ return <header><h1>{text}</h1><p>{text} too</p><a href=\"/\">{text}</a></header> }}"
        )
    };
    let app = APP.replace("Teas", "Intro");
    let (was, now) = (hero("Teas", "Hello"), hero("Intro", "Welcome"));
    let after = [("src/App.tsx", app.as_str()), ("src/sections/Intro.tsx", now.as_str())];
    assert_eq!(verdicts_of(&check("{/* TASK-3 [MODIFY]: warmer copy */}", &page(&was), &after)), [PASS]);
}

#[test]
fn another_new_section_is_not_the_one_that_was_deleted() {
    let tips = "const tips = ['Come early', 'Stay late']\nexport default function Tips() { return <section><h2>Tips</h2>\
        <ul>{tips.map((tip) => <li key={tip}>{tip}</li>)}</ul></section> }";
    let app = APP.replace("Teas", "Tips");
    let after = [("src/App.tsx", app.as_str()), ("src/sections/Tips.tsx", tips)];
    let comments = "{/* TASK-3 [REMOVE]: the whole section */}{/* EXISTING 2 teas PRESERVED */}";
    assert_eq!(verdicts_of(&check(comments, &page(&teas(&["A1", "B1"])), &after)), [PASS, FAIL]);
}

#[test]
fn a_section_in_the_file_of_its_page_is_judged_by_what_it_renders() {
    let plan = "<App><Screen name=\"home\"><Section gumdrop=\"hero\">{/* NO CHANGES for task-3 */}</Section>\
        <Section gumdrop=\"teas\">{/* TASK-3 [ADD]: 1 tea */}{/* EXISTING 2 teas PRESERVED */}</Section></Screen></App>";
    let app = |title: &str, teas: &str| {
        let text = format!(
            "const teas = [{teas}]\nexport default function App() {{ return <main><section id=\"hero\"><h1>{title}</h1>\
             </section><section id=\"teas\"><ul>{{teas.STRINGS}}</ul></section></main> }}"
        );
        map(&[("src/App.tsx", &markup(&text))])
    };
    let report =
        |title: &str, teas: &str| verdicts_of(&check_scope(plan, 3, &app("Hi", "'A1', 'B1'"), &app(title, teas)));
    assert_eq!(report("Hi", "'A1', 'B1', 'C1'"), [PASS, PASS, PASS]);
    assert_eq!(report("Hello", "'A1', 'C1', 'D1'"), [WARN, PASS, FAIL]);
    assert_eq!(report("Hi", "'A1', 'B1'"), [PASS, FAIL, PASS]);
}

#[test]
fn a_component_in_the_file_of_its_page_is_its_own_part() {
    let plan = "<App><Screen name=\"home\"><Section gumdrop=\"hero\">{/* NO CHANGES for task-3 */}</Section>\
        <Section gumdrop=\"teas\">{/* TASK-3 [ADD]: 1 tea */}{/* EXISTING 2 teas PRESERVED */}</Section></Screen></App>";
    for root in ["section", "section id=\"teas\""] {
        let app = |title: &str, teas: &str| {
            let text = format!(
                "const teas = [{teas}]\nfunction Hero() {{ return <header><h1>{title}</h1></header> }}\n\
                 const Teas = () => <{root}><ul>{{teas.STRINGS}}</ul></section>\n\
                 export default function App() {{ return <main><Hero /><Teas /></main> }}"
            );
            map(&[("src/App.tsx", &markup(&text))])
        };
        let report =
            |title: &str, teas: &str| verdicts_of(&check_scope(plan, 3, &app("Hi", "'A1', 'B1'"), &app(title, teas)));
        assert_eq!(report("Hi", "'A1', 'B1', 'C1'"), [PASS, PASS, PASS], "{root}");
        assert_eq!(report("Hello", "'A1', 'C1', 'D1'"), [WARN, PASS, FAIL], "{root}");
        assert_eq!(report("Hi", "'A1', 'B1'"), [PASS, FAIL, PASS], "{root}");
    }
}

/// The verdicts of all six markers on the section `teas` after this change of the page.
fn all(app: &str, is_there: bool) -> Vec<ScopeVerdict> {
    let comments = "{/* TASK-3 [ADD]: 1 tea */}{/* TASK-3 [REMOVE]: the whole section */}{/* EXISTING 2 teas PRESERVED */}\
        {/* TASK-3 [MODIFY]: copy */}{/* TASK-3 [FIX]: it */}{/* NO CHANGES for task-3 */}";
    let source = teas(&["A1", "B1"]);
    let mut after = vec![("src/App.tsx", app)];
    after.extend(is_there.then_some(("src/sections/Teas.tsx", source.as_str())));
    verdicts_of(&check(comments, &[("src/App.tsx", APP), ("src/sections/Teas.tsx", &source)], &after))
}

#[test]
fn a_section_that_is_not_rendered_is_removed() {
    let gone = [FAIL, PASS, FAIL, WARN, WARN, PASS];
    let shown = [FAIL, WARN, PASS, WARN, WARN, PASS];
    let import = "import Teas from './sections/Teas'";
    for (declared, rendered, expected) in [
        ("", "", gone),
        (import, "", gone),
        (import, "{/* <Teas /> */}", gone),
        (import, "{false && <Teas />}", gone),
        (&format!("{import}\nconst SHOW = false"), "{SHOW ? <Teas /> : null}", gone),
        (&format!("{import}\nfunction Old() {{ return <Teas /> }}"), "", gone),
        (import, "<Teas />", shown),
        (import, "{open && <Teas />}", shown),
        (&format!("{import}\nconst pages = {{ teas: <Teas /> }}"), "{pages[page]}", shown),
        ("import { lazy } from 'react'\nconst Teas = lazy(() => import('./sections/Teas'))", "<Teas />", shown),
        ("const all = import.meta.glob('./sections/*.tsx')", "{Object.values(all)}", shown),
    ] {
        let app = format!("{declared}\nexport default function App() {{ return <main>{rendered}</main> }}");
        assert_eq!(all(&app, true), expected, "{app}");
    }
    let removed = [FAIL, PASS, FAIL, WARN, WARN, WARN];
    assert_eq!(all("export default function App() { return <main /> }", false), removed);
}

#[test]
fn an_existing_file_is_a_new_section_once_it_is_rendered() {
    let source = teas(&["A1", "B1"]);
    let empty = "export default function App() { return <main /> }";
    let (before, after) = ([("src/App.tsx", empty), page(&source)[1]], page(&source));
    assert_eq!(verdicts_of(&check("{/* TASK-3 [ADD]: 2 teas */}", &before, &after)), [PASS]);
    assert_eq!(verdicts_of(&check("{/* TASK-3 [ADD]: 2 teas */}", &after, &after)), [FAIL]);
}

#[test]
fn a_renamed_file_is_the_same_section() {
    let (old, new) = (teas(&["A1", "B1"]), teas(&["A1"]).replace("Teas()", "Shelf()"));
    let app = APP.replace("Teas", "Shelf");
    let comments =
        "{/* TASK-3 [MODIFY]: cards */}{/* PRESERVED */}{/* TASK-3 [FIX]: it */}{/* NO CHANGES for task-3 */}";
    for (text, expected) in [(&new, [WARN, FAIL, PASS, WARN]), (&old, [WARN, PASS, WARN, PASS])] {
        let after = [("src/App.tsx", app.as_str()), ("src/sections/Shelf.tsx", text.as_str())];
        assert_eq!(verdicts_of(&check(comments, &page(&old), &after)), expected);
    }
}

#[test]
fn a_screen_is_found_by_the_name_of_its_file_and_its_kind() {
    let plan = "<App><Screen name=\"shop\"><Content><Section gumdrop=\"teas\" /></Content>\
        {/* TASK-3 [ADD]: a short intro text */}</Screen></App>";
    for name in ["Shop", "ShopScreen", "ShopPage", "ShopView"] {
        let app = format!("import {name} from './pages/{name}'\nexport default () => <{name} />");
        let path = format!("src/pages/{name}.tsx");
        let files = |text: &str| {
            let screen = format!("export default function {name}() {{ return <main><h1>Shop</h1>{text}</main> }}");
            map(&[("src/App.tsx", &app), (&path, &screen)])
        };
        assert_eq!(verdicts_of(&check_scope(plan, 3, &files(""), &files("<p>Welcome</p>"))), [PASS], "{name}");
    }
}

#[test]
fn a_screen_is_its_own_file_without_its_sections() {
    let plan = "<App><Screen name=\"shop\"><Content><Section gumdrop=\"teas\" /></Content>\
        {/* NO CHANGES for task-3 */}{/* TASK-3 [FIX]: it */}{/* PRESERVED */}</Screen></App>";
    let screen = "import Teas from '../sections/Teas'\nexport default function Shop() { return <main id=\"shop\"><p>Hi</p><Teas /></main> }";
    let app = "import Shop from './screens/Shop'\nexport default () => <Shop />";
    let two = teas(&["A1", "B1"]);
    let files = |screen: &str, teas: &str| {
        map(&[("src/App.tsx", app), ("src/screens/Shop.tsx", screen), ("src/sections/Teas.tsx", teas)])
    };
    let before = files(screen, &two);
    let report = |after| check_scope(plan, 3, &before, &after);
    assert_eq!(verdicts_of(&report(files(screen, &teas(&["A1"])))), [PASS, WARN, PASS]);
    assert_eq!(verdicts_of(&report(files(&screen.replace("Hi", "Hello"), &two))), [WARN, PASS, PASS]);
    assert!(report(before.clone()).markers.iter().all(|marker| marker.section == "shop"));
}

#[test]
fn each_marker_of_a_section_is_judged_by_its_own_rule() {
    let comments = "{/* TASK-2 [ADD]: 5 teas */}{/* TASK-3 [ADD]: two teas */}{/* TASK-3 [FIX]: price */}\
        {/* EXISTING 2 teas PRESERVED */}{/* NO CHANGES for task-2 */}";
    let (before, after) = (teas(&["A1", "B1"]), teas(&["A1", "X1", "Y1", "Z1"]));
    let report = check(comments, &page(&before), &page(&after));
    assert_eq!(verdicts_of(&report), [PASS, PASS, FAIL]);
    assert_eq!(report.overall, FAIL);
    let (added, fixed, kept) = (&report.markers[0], &report.markers[1], &report.markers[2]);
    assert_eq!(added.reason, "Expected 4 items in \"teas\" (2 + 2), found 4 in `teas` (src/sections/Teas.tsx:1).");
    assert_eq!(fixed.reason, "\"teas\" changed (src/sections/Teas.tsx).");
    assert_eq!(
        kept.reason,
        "PRESERVED violation: \"teas\" had 2 items, now has 4 in `teas` (src/sections/Teas.tsx:1); gone or converted: \"B1\". Bring back every existing item unchanged, and add new ones next to them."
    );
}

#[test]
fn a_plan_without_markers_of_the_task_passes_without_a_word() {
    let files = map(&[("src/App.tsx", APP)]);
    for source in ["", "<App", &plan(""), &plan("{/* TASK-2 [ADD]: 2 teas */}"), "const x = 1"] {
        let report = check_scope(source, 3, &files, &files);
        assert_eq!((report.overall, report.markers.len()), (PASS, 0), "{source}");
    }
}

#[test]
fn a_plan_that_does_not_parse_is_judged_as_far_as_it_can_be_read() {
    let broken =
        "<App><Screen name=\"home\"><Section gumdrop=\"teas\">{/* TASK-3 [ADD]: 1 tea */}</Section></Page></App>";
    let files = |names: &[&str]| map(&[("src/App.tsx", APP), ("src/sections/Teas.tsx", &teas(names))]);
    assert_eq!(verdicts_of(&check_scope(broken, 3, &files(&["A1"]), &files(&["A1"]))), [FAIL]);
    assert_eq!(verdicts_of(&check_scope(broken, 3, &files(&["A1"]), &files(&["A1", "B1"]))), [PASS]);
}
