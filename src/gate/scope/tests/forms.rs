//! The ways to write and render a list. Each form grows from two items to three, then loses one.

use super::{FAIL, PASS, WARN, check_scope, files, map, markup, plan, section, verdicts, verdicts_of};
use crate::gate::scope::ScopeVerdict;

const ADD: &str = "{/* TASK-3 [ADD]: 1 tea */}{/* EXISTING 2 teas PRESERVED */}";

/// An item with `§` for its name and `¶` for the name in lower case.
const OBJECT: &str = "{ name: '§', tags: ['a', 'b'] },";
const TEXT: &str = "'§',";
const FIELD: &str = "¶: { name: '§' },";
const ELEMENT: &str = "<Card title=\"§\" />";
const ITEM: &str = "<li><b>§</b> from far away</li>";
const HELPER: &str = "tea('§', { cold: true }),";
const PAIR: &str = "['¶', { name: '§' }],";
const ROW: &str = "<tr><td>§</td><td>5 min</td></tr>";
const ROW_DATA: &str = "['§', 5],";
const QUESTION: &str = "<details><summary>§</summary><p>A long answer that may well be written anew.</p></details>";
const TERM: &str = "<dt>§</dt><dd>What it tastes like</dd>";
const KEYED: &str = "<li key=\"§\">{label('§')}</li>,";

/// The declaration with `§` for the items, an item, and the markup.
type Form = (&'static str, &'static str, &'static str);

const LIST: &str = "<ul>{teas.RECORDS}</ul>";

const FORMS: &[Form] = &[
    // Arrays and expressions around them.
    ("const teas = [§]", OBJECT, LIST),
    ("const teas = [§] as const", OBJECT, LIST),
    ("const teas = [§] satisfies Tea[]", OBJECT, LIST),
    ("const teas: ReadonlyArray<Tea> = Object.freeze([§])", OBJECT, LIST),
    ("let teas = ([§])!", OBJECT, LIST),
    ("const teas = Array.of<Tea>(§)", OBJECT, LIST),
    ("const teas = [...new Set([§])]", TEXT, "{teas.map(tea => <li key={tea}>{tea}</li>)}"),
    ("const teas = new Set([§])", TEXT, "{[...teas.keys()].map(tea => <li key={tea}>{tea}</li>)}"),
    (
        "const teas: readonly string[] = Object.freeze([§] as const)",
        TEXT,
        "{teas.map(tea => <li key={tea}>{tea}</li>)}",
    ),
    ("const year = now(); const teas = [§]", "`§ ${year}`,", "{teas.map((t, i) => <li key={i}>{t}</li>)}"),
    ("const teas = 'x'; const names = [§]", TEXT, "{names.map((n, i) => <p key={i}>{i + 1}. {n}</p>)}"),
    ("const all = [§]; const teas = [...all].reverse()", OBJECT, LIST),
    ("const hot = [§]; const cold = []; const teas = [...hot, ...cold]", OBJECT, LIST),
    ("const hot = [§]; const teas = [].concat(hot)", OBJECT, LIST),
    (
        "const menu = { teas: [§], cakes: ['Apple', 'Plum', 'Cherry'] }",
        OBJECT,
        "<ul>{menu.teas.map(t => <li key={t.name}>{t.name}</li>)}</ul>",
    ),
    ("const menu = { drinks: { teas: [§] } }; const { drinks: { teas } } = menu", OBJECT, LIST),
    ("const teas = [§].filter(Boolean)", OBJECT, LIST),
    ("const teas = [§].filter((tea) => !tea.hidden)", OBJECT, LIST),
    ("const teas = [§].sort((a, b) => a.name.localeCompare(b.name))", OBJECT, LIST),
    ("const teas = [§].map((tea) => ({ ...tea, price: 3 }))", OBJECT, LIST),
    ("const teas = [[§]].flat()", OBJECT, LIST),
    ("const teas = [§].slice()", OBJECT, LIST),
    ("const teas = [§].slice(0, 9)", OBJECT, LIST),
    ("const teas = [§].reduce((all, tea) => [...all, tea], [])", OBJECT, LIST),
    ("const teas = shuffle([§])", OBJECT, LIST),
    ("function tea(name, more) { return { name, ...more } } const teas = [§]", HELPER, LIST),
    ("import { tea } from '../lib/tea'; const teas = [§]", HELPER, LIST),
    ("const all = () => [§]; const teas = all()", OBJECT, LIST),
    ("function load() { const list = [§]; return list } const teas = load()", OBJECT, LIST),
    ("const teas = []; teas.push(§)", OBJECT, LIST),
    // Records.
    ("const teas = { § }", FIELD, "{Object.values(teas).map((t) => <Card key={t.name}>{t.name}</Card>)}"),
    ("const teas = { § } as const", FIELD, "{Object.entries(teas).map(([id, t]) => <Card key={id}>{t.name}</Card>)}"),
    (
        "const teas: Record<string, Tea> = { § }",
        FIELD,
        "{Object.keys(teas).map((id) => <p key={id}>{teas[id].name}</p>)}",
    ),
    ("const teas = new Map([§])", PAIR, "{[...teas.values()].RECORDS}"),
    ("const teas = new Map([§])", PAIR, "{Array.from(teas.entries(), ([id, t]) => <li key={id}>{t.name}</li>)}"),
    ("const teas = Object.fromEntries([§])", PAIR, "{Object.values(teas).RECORDS}"),
    (
        "import { create } from 'zustand'; const useShop = create((set) => ({ teas: [§], open: false })); const teas = useShop((s) => s.teas)",
        OBJECT,
        LIST,
    ),
    ("const [teas, setTeas] = useLocalStorage('teas', [§])", OBJECT, LIST),
    ("const [teas] = useAtom(atom([§]))", OBJECT, LIST),
    ("const teas = useSorted([§])", OBJECT, LIST),
    (
        "const teas = [§]",
        ROW_DATA,
        "<table>{teas.map(([name, min]) => <tr key={name}><td>{name}</td><td>{min}</td></tr>)}</table>",
    ),
    (
        "const teas = [§]",
        ROW_DATA,
        "<table>{teas.map((t, i) => <tr key={i}>{t.map((c) => <td key={c}>{c}</td>)}</tr>)}</table>",
    ),
    // Sibling elements.
    ("", ELEMENT, "<div>§</div>"),
    ("", ITEM, "<ul>§</ul>"),
    ("", ROW, "<table><tbody>§</tbody></table>"),
    ("", QUESTION, "<div>§</div>"),
    ("", TERM, "<dl>§</dl>"),
    ("", "<div className=\"tea\"><h3>§</h3></div>", "<div className=\"grid\">§</div>"),
    ("", "<p className=\"tea\"><b>§</b></p>", "§<p className=\"note\">Ask us.</p>"),
    ("", ELEMENT, "<>§</>"),
    ("", ELEMENT, "{open ? <div>§</div> : null}"),
    ("const rows = [§]", KEYED, "<ul>{rows}</ul>"),
    ("", "{on && <li>§</li>}", "<ul>§</ul>"),
    // Lists passed to components.
    ("import { List } from '@wiggum/stack'; const teas = [§]", OBJECT, "<List items={teas} />"),
    (
        "function Grid({ items }) { return <div>{items.map((t) => <Card key={t.name} {...t} />)}</div> } const teas = [§]",
        OBJECT,
        "<Grid items={teas} />",
    ),
    (
        "const Grid = memo(({ items = [] }) => <>{items.map((t) => <Card key={t.name} {...t} />)}</>); const teas = [§]",
        OBJECT,
        "<Grid items={teas} />",
    ),
    (
        "const teas = [§]; const Tea = ({ tea }) => <li>{tea.name}</li>",
        OBJECT,
        "<ul>{teas.map((tea) => <Tea key={tea.name} tea={tea} />)}</ul>",
    ),
    (
        "const Frame = ({ children }) => <div>{children}</div>; const teas = [§]",
        OBJECT,
        "<Frame><ul>{teas.RECORDS}</ul></Frame>",
    ),
    ("import { Frame } from '@wiggum/stack'; const teas = [§]", OBJECT, "<Frame><ul>{teas.RECORDS}</ul></Frame>"),
    ("const teas = [§]; const card = (t) => <li key={t.name}>{t.name}</li>", OBJECT, "<ul>{teas.map(card)}</ul>"),
    (
        "const teas = [§]",
        OBJECT,
        "<ul>{teas.length > 0 ? teas.map((t) => { const n = t.name; return <li key={n}>{n}</li> }) : <li>None</li>}</ul>",
    ),
    ("const teas = [§]", OBJECT, "<p>{teas.map((t) => t.name).join(', ')}</p>"),
    ("const groups = [{ kind: 'all', teas: [§] }]", OBJECT, "{groups.flatMap((g) => g.teas).RECORDS}"),
];

/// The source of items with these names.
fn items(item: &str, names: &[&str]) -> String {
    names.iter().map(|name| item.replace('§', name).replace('¶', &name.to_lowercase())).collect()
}

fn written((declared, item, rendered): &Form, names: &[&str]) -> String {
    let items = items(item, names);
    section(&declared.replace('§', &items), &rendered.replace('§', &items))
}

/// The verdicts for more, the same, fewer and converted items.
const CASES: [(&[&str], [ScopeVerdict; 2]); 5] = [
    (&["Sencha", "Assam", "Rooibos"], [PASS, PASS]),
    (&["Sencha", "Assam"], [FAIL, PASS]),
    (&["Sencha"], [FAIL, FAIL]),
    (&["Sencha", "Rooibos"], [FAIL, FAIL]),
    (&["Sencha", "Rooibos", "Mint"], [PASS, FAIL]),
];

#[test]
fn an_added_and_a_removed_item_are_found_in_every_form() {
    for form in FORMS {
        let before = written(form, &["Sencha", "Assam"]);
        for (names, expected) in CASES {
            let after = written(form, names);
            assert_eq!(verdicts(ADD, &before, &after), expected, "{after}");
        }
    }
}

#[test]
fn lists_in_the_component_are_seen() {
    let class = "class Teas extends React.Component { state = { teas: [§] }; row(t) { return <li key={t.name}>{t.name}</li> } render() { return <ul>{this.state.teas.map((t) => this.row(t))}</ul> } } export default Teas";
    for source in [
        class,
        "const teas = [§]; return <ul>{teas.RECORDS}</ul>",
        "const [teas, setTeas] = useState<Tea[]>([§]); return <ul>{teas.RECORDS}</ul>",
        "const [teas] = React.useState(() => [§]); return <ul>{teas.RECORDS}</ul>",
        "const teas = useMemo(() => [§], []); return <ul>{teas.RECORDS}</ul>",
        "const [state] = useReducer(reducer, { teas: [§], open: false }); return <ul>{state.teas.RECORDS}</ul>",
        "const ref = useRef([§]); return <ul>{ref.current.RECORDS}</ul>",
        "const [cold, setCold] = useState(false); const teas = [§]; const shown = cold ? teas.filter((t) => t.cold) : teas; return <ul>{shown.RECORDS}</ul>",
        "const teas = [§]; const rows = []; for (const t of teas) { rows.push(<li key={t.name}>{t.name}</li>) } return <ul>{rows}</ul>",
        "const teas = [§]; const rows = []; teas.forEach((t) => { if (t.tags) rows.push(<li key={t.name}>{t.name}</li>) }); return <ul>{rows}</ul>",
        "const teas = [§]; if (!ready) return <Spinner />; return <ul>{teas.RECORDS}</ul>",
        "const teas = [§]; const item = (t) => <li key={t.name}>{t.name}</li>; const render = () => <ul>{teas.map(item)}</ul>; return <div>{render()}</div>",
        "const teas = [§]; let body = null; if (open) { body = <ul>{teas.RECORDS}</ul> } return <div>{body}</div>",
        "const teas = [§]; switch (view) { case 'list': return <ul>{teas.RECORDS}</ul>; default: return null }",
    ] {
        let source = match source {
            source if source == class => source.to_owned(),
            body => format!("export default function Teas() {{ {} }}", markup(body)),
        };
        let with = |names: &[&str]| source.replace('§', &items(OBJECT, names));
        for (names, expected) in CASES {
            assert_eq!(verdicts(ADD, &with(&["Sencha", "Assam"]), &with(names)), expected, "{source}");
        }
    }
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
fn a_loop_of_unknown_length_warns() {
    for looped in [
        "let i = 0; while (i < teas.length) { all.push(<li key={i}>{teas[i]}</li>); i++ }",
        "for (let i = teas.length; i > 0; i--) all.push(<li key={i}>{teas[i]}</li>)",
        "for (const tea of loaded()) all.push(<li key={tea}>{tea}</li>)",
    ] {
        let with = |teas: &str| {
            section(
                &format!("const teas = [{teas}]"),
                &format!("{{(() => {{ const all = []; {looped}; return all }})()}}"),
            )
        };
        let comments = "{/* TASK-3 [ADD]: 2 teas */}{/* PRESERVED */}";
        let report = verdicts(comments, &with("'A1', 'B1'"), &with("'A1', 'B1', 'C1', 'D1'"));
        assert_eq!(report[0], WARN, "{looped}");
        assert_ne!(report[1], FAIL, "{looped}");
    }
}

#[test]
fn lists_of_other_files_are_followed() {
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
        ("import teas from '../data/teas.json'", "src/data/teas.json", "[§]", None),
        (
            "import data from '../data/teas.json'\nconst { teas } = data",
            "src/data/teas.json",
            "{ \"teas\": [§] }",
            None,
        ),
        ("import { teas } from '../data/teas.json'", "src/data/teas.json", "{ \"teas\": [§] }", None),
        (
            "import data from '../data/teas.json' with { type: 'json' }\nconst teas = data.shop.teas",
            "src/data/teas.json",
            "{ \"shop\": { \"teas\": [§] } }",
            None,
        ),
        (
            "import { t } from '../i18n'\nconst teas = t('shop.teas')",
            "src/locales/en.json",
            "{ \"shop\": { \"teas\": [§] } }",
            None,
        ),
        (
            "import { useTranslation } from 'react-i18next'\nconst { t } = useTranslation('shop')\nconst teas = t('teas', { returnObjects: true })",
            "src/locales/en.json",
            "{ \"shop\": { \"teas\": [§] } }",
            None,
        ),
        (
            "import en from '../locales/en.json'\nconst teas = en.shop['teas']",
            "src/locales/en.json",
            "{ \"shop\": { \"teas\": [§] } }",
            None,
        ),
    ];
    for (import, path, data, between) in cases {
        let source = section(import, LIST);
        let check = |names: &[&str]| {
            let list = match path.ends_with(".json") {
                true => items("{ \"name\": \"§\" }, ", names).trim_end_matches(", ").to_owned(),
                false => items(OBJECT, names),
            };
            let data = data.replace('§', &list);
            let files = files(path, &data, &source);
            map(&[&files[..], between.as_slice()].concat())
        };
        for (names, expected) in CASES {
            let report = check_scope(&plan(ADD), 3, &check(&["Sencha", "Assam"]), &check(names));
            assert_eq!(verdicts_of(&report), expected, "{import}: {report:?}");
        }
    }
}

#[test]
fn a_list_passed_by_the_page_is_followed() {
    let source = markup("export default function Teas({ items }) { return <ul>{items.RECORDS}</ul> }");
    let with = |names: &[&str]| {
        let app = format!(
            "import Teas from './sections/Teas'\nconst teas = [{}]\nexport default () => <main><Teas items={{teas}} /></main>",
            items(OBJECT, names)
        );
        map(&[("src/App.tsx", &app), ("src/sections/Teas.tsx", &source)])
    };
    for (names, expected) in CASES {
        assert_eq!(verdicts_of(&check_scope(&plan(ADD), 3, &with(&["Sencha", "Assam"]), &with(names))), expected);
    }
}

#[test]
fn the_form_of_a_list_may_change() {
    let names = ["Sencha", "Assam"];
    for from in FORMS {
        for to in FORMS {
            let (before, after) = (written(from, &names), written(to, &names));
            let found = verdicts("{/* EXISTING 2 teas PRESERVED */}", &before, &after);
            assert_eq!(found, [PASS], "{before}\n{after}");
        }
    }
}
