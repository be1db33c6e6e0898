//! The ways to write and render a list. Each form grows from two items to three, then loses one.

use super::{FAIL, PASS, check, of, section, verdicts};

const ADD: &str = "{/* TASK-3 [ADD]: 1 tea */}{/* EXISTING 2 teas PRESERVED */}";

/// The declaration with `§` for the items, the source of an item by its name, and the markup.
type Form = (&'static str, fn(&str) -> String, &'static str);

fn object(name: &str) -> String {
    format!("{{ name: '{name}', tags: ['a', 'b'] }},")
}

fn text(name: &str) -> String {
    format!("'{name}',")
}

fn field(name: &str) -> String {
    format!("{}: {{ name: '{name}' }},", name.to_lowercase())
}

fn element(name: &str) -> String {
    format!("<Card title=\"{name}\" />")
}

fn item(name: &str) -> String {
    format!("<li><b>{name}</b> from far away</li>")
}

fn helper(name: &str) -> String {
    format!("tea('{name}', {{ cold: true }}),")
}

fn pair(name: &str) -> String {
    format!("['{}', {{ name: '{name}' }}],", name.to_lowercase())
}

fn row(name: &str) -> String {
    format!("<tr><td>{name}</td><td>5 min</td></tr>")
}

fn row_data(name: &str) -> String {
    format!("['{name}', 5],")
}

fn question(name: &str) -> String {
    format!("<details><summary>{name}</summary><p>A long answer that may well be written anew.</p></details>")
}

fn term(name: &str) -> String {
    format!("<dt>{name}</dt><dd>What it tastes like</dd>")
}

fn keyed(name: &str) -> String {
    format!("<li key=\"{name}\">{{label('{name}')}}</li>,")
}

const LIST: &str = "<ul>{teas.map((tea) => <li key={tea.name}>{tea.name}</li>)}</ul>";

const FORMS: &[Form] = &[
    // Arrays and expressions around them.
    ("const teas = [§]", object, LIST),
    ("const teas = [§] as const", object, LIST),
    ("const teas = [§] satisfies Tea[]", object, LIST),
    ("const teas: ReadonlyArray<Tea> = Object.freeze([§])", object, LIST),
    ("let teas = ([§])!", object, LIST),
    ("const teas = Array.of<Tea>(§)", |name| object(name), LIST),
    ("const teas = [...new Set([§])]", text, "{teas.map(tea => <li key={tea}>{tea}</li>)}"),
    ("const teas = new Set([§])", text, "{[...teas.keys()].map(tea => <li key={tea}>{tea}</li>)}"),
    (
        "const teas: readonly string[] = Object.freeze([§] as const)",
        text,
        "{teas.map(tea => <li key={tea}>{tea}</li>)}",
    ),
    (
        "const year = now(); const teas = [§]",
        |name| format!("`{name} ${{year}}`,"),
        "{teas.map((t, i) => <li key={i}>{t}</li>)}",
    ),
    ("const teas = 'x'; const names = [§]", text, "{names.map((n, i) => <p key={i}>{i + 1}. {n}</p>)}"),
    ("const all = [§]; const teas = [...all].reverse()", object, LIST),
    ("const hot = [§]; const cold = []; const teas = [...hot, ...cold]", object, LIST),
    ("const hot = [§]; const teas = [].concat(hot)", object, LIST),
    (
        "const menu = { teas: [§], cakes: ['Apple', 'Plum', 'Cherry'] }",
        object,
        "<ul>{menu.teas.map(t => <li key={t.name}>{t.name}</li>)}</ul>",
    ),
    ("const menu = { drinks: { teas: [§] } }; const { drinks: { teas } } = menu", object, LIST),
    ("const teas = [§].filter(Boolean)", object, LIST),
    ("const teas = [§].filter((tea) => !tea.hidden)", object, LIST),
    ("const teas = [§].sort((a, b) => a.name.localeCompare(b.name))", object, LIST),
    ("const teas = [§].map((tea) => ({ ...tea, price: 3 }))", object, LIST),
    ("const teas = [[§]].flat()", object, LIST),
    ("const teas = [§].slice()", object, LIST),
    ("const teas = [§].slice(0, 9)", object, LIST),
    ("const teas = [§].reduce((all, tea) => [...all, tea], [])", object, LIST),
    ("const teas = shuffle([§])", object, LIST),
    ("function tea(name, more) { return { name, ...more } } const teas = [§]", helper, LIST),
    ("import { tea } from '../lib/tea'; const teas = [§]", helper, LIST),
    ("const all = () => [§]; const teas = all()", object, LIST),
    ("function load() { const list = [§]; return list } const teas = load()", object, LIST),
    ("const teas = []; teas.push(§)", |name| object(name), LIST),
    // Records.
    ("const teas = { § }", field, "{Object.values(teas).map((t) => <Card key={t.name}>{t.name}</Card>)}"),
    ("const teas = { § } as const", field, "{Object.entries(teas).map(([id, t]) => <Card key={id}>{t.name}</Card>)}"),
    (
        "const teas: Record<string, Tea> = { § }",
        field,
        "{Object.keys(teas).map((id) => <p key={id}>{teas[id].name}</p>)}",
    ),
    ("const teas = new Map([§])", pair, "{[...teas.values()].map((t) => <li key={t.name}>{t.name}</li>)}"),
    ("const teas = new Map([§])", pair, "{Array.from(teas.entries(), ([id, t]) => <li key={id}>{t.name}</li>)}"),
    ("const teas = Object.fromEntries([§])", pair, "{Object.values(teas).map((t) => <li key={t.name}>{t.name}</li>)}"),
    (
        "import { create } from 'zustand'; const useShop = create((set) => ({ teas: [§], open: false })); const teas = useShop((s) => s.teas)",
        object,
        LIST,
    ),
    ("const [teas, setTeas] = useLocalStorage('teas', [§])", object, LIST),
    ("const [teas] = useAtom(atom([§]))", object, LIST),
    ("const teas = useSorted([§])", object, LIST),
    (
        "const teas = [§]",
        row_data,
        "<table>{teas.map(([name, min]) => <tr key={name}><td>{name}</td><td>{min}</td></tr>)}</table>",
    ),
    (
        "const teas = [§]",
        row_data,
        "<table>{teas.map((t, i) => <tr key={i}>{t.map((c) => <td key={c}>{c}</td>)}</tr>)}</table>",
    ),
    // Sibling elements.
    ("", element, "<div>§</div>"),
    ("", item, "<ul>§</ul>"),
    ("", row, "<table><tbody>§</tbody></table>"),
    ("", question, "<div>§</div>"),
    ("", term, "<dl>§</dl>"),
    ("", |name| format!("<div className=\"tea\"><h3>{name}</h3></div>"), "<div className=\"grid\">§</div>"),
    ("", |name| format!("<p className=\"tea\"><b>{name}</b></p>"), "§<p className=\"note\">Ask us.</p>"),
    ("", element, "<>§</>"),
    ("", element, "{open ? <div>§</div> : null}"),
    ("const rows = [§]", keyed, "<ul>{rows}</ul>"),
    ("", |name| format!("{{on && <li>{name}</li>}}"), "<ul>§</ul>"),
    // Lists passed to components.
    ("import { List } from '@wiggum/stack'; const teas = [§]", object, "<List items={teas} />"),
    (
        "function Grid({ items }) { return <div>{items.map((t) => <Card key={t.name} {...t} />)}</div> } const teas = [§]",
        object,
        "<Grid items={teas} />",
    ),
    (
        "const Grid = memo(({ items = [] }) => <>{items.map((t) => <Card key={t.name} {...t} />)}</>); const teas = [§]",
        object,
        "<Grid items={teas} />",
    ),
    (
        "const teas = [§]; const Tea = ({ tea }) => <li>{tea.name}</li>",
        object,
        "<ul>{teas.map((tea) => <Tea key={tea.name} tea={tea} />)}</ul>",
    ),
    (
        "const Frame = ({ children }) => <div>{children}</div>; const teas = [§]",
        object,
        "<Frame><ul>{teas.map((t) => <li key={t.name}>{t.name}</li>)}</ul></Frame>",
    ),
    (
        "import { Frame } from '@wiggum/stack'; const teas = [§]",
        object,
        "<Frame><ul>{teas.map((t) => <li key={t.name}>{t.name}</li>)}</ul></Frame>",
    ),
    ("const teas = [§]; const card = (t) => <li key={t.name}>{t.name}</li>", object, "<ul>{teas.map(card)}</ul>"),
    (
        "const teas = [§]",
        object,
        "<ul>{teas.length > 0 ? teas.map((t) => { const n = t.name; return <li key={n}>{n}</li> }) : <li>None</li>}</ul>",
    ),
    ("const teas = [§]", object, "<p>{teas.map((t) => t.name).join(', ')}</p>"),
    (
        "const groups = [{ kind: 'all', teas: [§] }]",
        object,
        "{groups.flatMap((g) => g.teas).map((t) => <li key={t.name}>{t.name}</li>)}",
    ),
];

fn written(form: &Form, names: &[&str]) -> String {
    let items: String = names.iter().map(|name| form.1(name)).collect();
    section(&form.0.replace('§', &items), &form.2.replace('§', &items))
}

#[test]
fn an_added_and_a_removed_item_are_found_in_every_form() {
    let mut wrong = Vec::new();
    for form in FORMS {
        let before = written(form, &["Sencha", "Assam"]);
        let cases = [
            ("more", ["Sencha", "Assam", "Rooibos"].as_slice(), [PASS, PASS]),
            ("same", &["Sencha", "Assam"], [FAIL, PASS]),
            ("one less", &["Sencha"], [FAIL, FAIL]),
            ("converted", &["Sencha", "Rooibos"], [FAIL, FAIL]),
            ("more and one less", &["Sencha", "Rooibos", "Mint"], [PASS, FAIL]),
        ];
        for (what, names, expected) in cases {
            let found = verdicts(ADD, &before, &written(form, names));
            if found != expected {
                wrong.push(format!("{what}: {found:?}, not {expected:?}:\n{}", written(form, names)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn lists_in_the_component_are_seen() {
    let inside = |names: &[&str], body: &str| {
        let items: String = names.iter().map(|name| object(name)).collect();
        format!("export default function Teas() {{ {} }}", body.replace('§', &items))
    };
    for body in [
        "const teas = [§]; return <ul>{teas.map((t) => <li key={t.name}>{t.name}</li>)}</ul>",
        "const [teas, setTeas] = useState<Tea[]>([§]); return <ul>{teas.map((t) => <li key={t.name}>{t.name}</li>)}</ul>",
        "const [teas] = React.useState(() => [§]); return <ul>{teas.map((t) => <li key={t.name}>{t.name}</li>)}</ul>",
        "const teas = useMemo(() => [§], []); return <ul>{teas.map((t) => <li key={t.name}>{t.name}</li>)}</ul>",
        "const [state] = useReducer(reducer, { teas: [§], open: false }); return <ul>{state.teas.map((t) => <li key={t.name}>{t.name}</li>)}</ul>",
        "const ref = useRef([§]); return <ul>{ref.current.map((t) => <li key={t.name}>{t.name}</li>)}</ul>",
        "const [cold, setCold] = useState(false); const teas = [§]; const shown = cold ? teas.filter((t) => t.cold) : teas; return <ul>{shown.map((t) => <li key={t.name}>{t.name}</li>)}</ul>",
        "const teas = [§]; const rows = []; for (const t of teas) { rows.push(<li key={t.name}>{t.name}</li>) } return <ul>{rows}</ul>",
        "const teas = [§]; const rows = []; teas.forEach((t) => { if (t.tags) rows.push(<li key={t.name}>{t.name}</li>) }); return <ul>{rows}</ul>",
        "const teas = [§]; if (!ready) return <Spinner />; return <ul>{teas.map((t) => <li key={t.name}>{t.name}</li>)}</ul>",
        "const teas = [§]; const item = (t) => <li key={t.name}>{t.name}</li>; const render = () => <ul>{teas.map(item)}</ul>; return <div>{render()}</div>",
        "const teas = [§]; let body = null; if (open) { body = <ul>{teas.map((t) => <li key={t.name}>{t.name}</li>)}</ul> } return <div>{body}</div>",
        "const teas = [§]; switch (view) { case 'list': return <ul>{teas.map((t) => <li key={t.name}>{t.name}</li>)}</ul>; default: return null }",
    ] {
        let found = verdicts(ADD, &inside(&["Sencha", "Assam"], body), &inside(&["Sencha", "Assam", "Mint"], body));
        assert_eq!(found, [PASS, PASS], "{body}");
        let found = verdicts(ADD, &inside(&["Sencha", "Assam"], body), &inside(&["Sencha", "Mint"], body));
        assert_eq!(found, [FAIL, FAIL], "{body}");
    }
    let class = "class Teas extends React.Component { state = { teas: [§] }; row(t) { return <li key={t.name}>{t.name}</li> } render() { return <ul>{this.state.teas.map((t) => this.row(t))}</ul> } } export default Teas";
    let written = |names: &[&str]| class.replace('§', &names.iter().map(|name| object(name)).collect::<String>());
    assert_eq!(verdicts(ADD, &written(&["A1", "B1"]), &written(&["A1", "B1", "C1"])), [PASS, PASS]);
    assert_eq!(verdicts(ADD, &written(&["A1", "B1"]), &written(&["A1", "C1"])), [FAIL, FAIL]);
}

#[test]
fn items_without_names_are_counted() {
    for rendered in [
        "{Array.from({ length: N }).map((_, i) => <Seat key={i} />)}",
        "{Array.from({ length: N }, (_, i) => <Seat key={i} />)}",
        "{[...Array(N)].map((_, i) => <Seat key={i} />)}",
        "{[...Array(N).keys()].map((i) => <Seat key={i} />)}",
        "{new Array(N).fill(null).map((_, i) => <Seat key={i} />)}",
        "{Array.from(Array(N).keys()).map((i) => <Seat key={`seat-${i}`} />)}",
        "{(() => { const all = []; for (let i = 0; i < N; i++) all.push(<Seat key={i} />); return all })()}",
    ] {
        let with = |count: u32| section(&format!("const N = {count}"), rendered);
        for (after, expected) in [(8, [PASS, PASS]), (6, [FAIL, PASS]), (5, [FAIL, FAIL])] {
            let comments = "{/* TASK-3 [ADD]: 2 seats */}{/* PRESERVED */}";
            assert_eq!(verdicts(comments, &with(6), &with(after)), expected, "{rendered} {after}");
        }
    }
}

#[test]
fn lists_of_other_files_are_followed() {
    let app = ("src/App.tsx", super::APP);
    let list = |names: &[&str]| names.iter().map(|name| object(name)).collect::<String>();
    let json =
        |names: &[&str]| names.iter().map(|name| format!("{{ \"name\": \"{name}\" }}")).collect::<Vec<_>>().join(", ");
    let shown = "<ul>{teas.map((tea) => <li key={tea.name}>{tea.name}</li>)}</ul>";
    // The import, the file with the list, and a file between them.
    type Case<'s> = (&'s str, &'s str, &'s str, Option<(&'s str, &'s str)>);
    let cases: &[Case<'_>] = &[
        ("import { teas } from '../data/teas'", "src/data/teas.ts", "export const teas = [§]", None),
        ("import teas from '@/data/teas'", "src/data/teas.ts", "export default [§]", None),
        ("import teas from '~/data/teas.js'", "src/data/teas.ts", "const teas = [§]\nexport default teas", None),
        (
            "import teas from 'src/data/teas'",
            "src/data/teas/index.ts",
            "const all = [§]\nexport { all as default }",
            None,
        ),
        (
            "import * as data from '@data/teas'\nconst teas = data.TEAS",
            "src/data/teas.ts",
            "export const TEAS = [§]",
            None,
        ),
        (
            "import { data } from '../data'\nconst { teas } = data",
            "src/data/teas.ts",
            "export const teas = [§]",
            Some(("src/data/index.ts", "export * as data from './teas'")),
        ),
        (
            "import { teas } from '../data'",
            "src/data/teas.ts",
            "export const teas = [§]",
            Some(("src/data/index.ts", "export * from './teas'")),
        ),
        (
            "import { teas } from '../data'",
            "src/data/list.ts",
            "export default [§]",
            Some(("src/data/index.ts", "export { default as teas } from './list'")),
        ),
        (
            "import { teas } from '../data'",
            "src/data/list.ts",
            "export const all = [§]",
            Some(("src/data/index.ts", "import { all } from './list'\nexport const teas = all.filter(Boolean)")),
        ),
        (
            "import { getTeas } from '../data/teas'\nconst teas = getTeas()",
            "src/data/teas.ts",
            "const all = [§]\nexport function getTeas() { return all }",
            None,
        ),
        (
            "import { useTeas } from '../hooks/useTeas'\nconst { teas } = useTeas()",
            "src/data/teas.ts",
            "export const all = [§]",
            Some((
                "src/hooks/useTeas.ts",
                "import { all } from '../data/teas'\nexport const useTeas = () => ({ teas: all, loading: false })",
            )),
        ),
    ];
    for (import, path, data, between) in cases {
        let with = |names: &[&str]| {
            let mut files = vec![
                ("src/App.tsx".to_owned(), app.1.to_owned()),
                ("src/sections/Teas.tsx".to_owned(), section(import, shown)),
                ((*path).to_owned(), data.replace('§', &list(names))),
            ];
            files.extend(between.map(|(path, text)| (path.to_owned(), text.to_owned())));
            files
        };
        for (after, expected) in [
            (["A1", "B1", "C1"].as_slice(), [PASS, PASS]),
            (&["A1", "B1"], [FAIL, PASS]),
            (&["A1", "C1"], [FAIL, FAIL]),
        ] {
            let (before, after) = (with(&["A1", "B1"]), with(after));
            let borrow =
                |files: &[(String, String)]| files.iter().map(|(path, text)| (path.clone(), text.clone())).collect();
            let report = super::check_scope(&super::plan(ADD), 3, &borrow(&before), &borrow(&after));
            assert_eq!(of(&report), expected, "{import}: {report:?}");
        }
    }
    let cases: &[(&str, &str, &str)] = &[
        ("import teas from '../data/teas.json'", "src/data/teas.json", "[§]"),
        ("import data from '../data/teas.json'\nconst { teas } = data", "src/data/teas.json", "{ \"teas\": [§] }"),
        ("import { teas } from '../data/teas.json'", "src/data/teas.json", "{ \"teas\": [§] }"),
        (
            "import data from '../data/teas.json' with { type: 'json' }\nconst teas = data.shop.teas",
            "src/data/teas.json",
            "{ \"shop\": { \"teas\": [§] } }",
        ),
        (
            "import { t } from '../i18n'\nconst teas = t('shop.teas')",
            "src/locales/en.json",
            "{ \"shop\": { \"teas\": [§] } }",
        ),
        (
            "import { useTranslation } from 'react-i18next'\nconst { t } = useTranslation('shop')\nconst teas = t('teas', { returnObjects: true })",
            "src/locales/en.json",
            "{ \"shop\": { \"teas\": [§] } }",
        ),
        (
            "import en from '../locales/en.json'\nconst teas = en.shop['teas']",
            "src/locales/en.json",
            "{ \"shop\": { \"teas\": [§] } }",
        ),
    ];
    for (import, path, data) in cases {
        let source = section(import, shown);
        let with = |names: &[&str]| data.replace('§', &json(names));
        let (before, more, less) = (with(&["A1", "B1"]), with(&["A1", "B1", "C1"]), with(&["A1", "C1"]));
        let files = |data| [app, ("src/sections/Teas.tsx", source.as_str()), (*path, data)];
        assert_eq!(of(&check(ADD, &files(&before), &files(&more))), [PASS, PASS], "{import}");
        assert_eq!(of(&check(ADD, &files(&before), &files(&less))), [FAIL, FAIL], "{import}");
    }
}

#[test]
fn a_list_passed_by_the_page_is_followed() {
    let source = "export default function Teas({ items }) { return <ul>{items.map((t) => <li key={t.name}>{t.name}</li>)}</ul> }";
    let app = |names: &str| {
        format!(
            "import Teas from './sections/Teas'\nconst teas = [{names}]\nexport default () => <main><Teas items={{teas}} /></main>"
        )
    };
    let (before, more, less) =
        (app("{name:'A1'},{name:'B1'}"), app("{name:'A1'},{name:'B1'},{name:'C1'}"), app("{name:'A1'},{name:'C1'}"));
    let files = |app| [("src/App.tsx", app), ("src/sections/Teas.tsx", source)];
    assert_eq!(of(&check(ADD, &files(before.as_str()), &files(more.as_str()))), [PASS, PASS]);
    assert_eq!(of(&check(ADD, &files(before.as_str()), &files(less.as_str()))), [FAIL, FAIL]);
}

#[test]
fn the_form_of_a_list_may_change() {
    let names = ["Sencha", "Assam"];
    for from in FORMS {
        for to in FORMS {
            let found = verdicts("{/* EXISTING 2 teas PRESERVED */}", &written(from, &names), &written(to, &names));
            let report = super::check(
                "{/* EXISTING 2 teas PRESERVED */}",
                &[("src/App.tsx", super::APP), ("src/sections/Teas.tsx", &written(from, &names))],
                &[("src/App.tsx", super::APP), ("src/sections/Teas.tsx", &written(to, &names))],
            );
            assert_eq!(found, [PASS], "{}\n{}\n{report:?}", written(from, &names), written(to, &names));
        }
    }
}
