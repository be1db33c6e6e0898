//! Any plan and any sources, however broken, give a comparison. It is deterministic, and every entry refers to the plan
//! or to an existing file.

use loopgate::plan::{DiffStatus, diff};
use proptest::collection::vec;
use proptest::prelude::*;

const PLAN: &str = r#"export default (
  <App name="Tea">
    <Theme mood="zen" font="Inter" monoFont="Fira Code" radius="none" />
    <Screen name="home">
      <Section gumdrop="hero" variant="split" />
      <Section gumdrop="contact"><Field name="email" /><Column field="price" /></Section>
      <Section gumdrop="hero" />
    </Screen>
    <Screen name="shop"><Section gumdrop="grid-list" /></Screen>
    <Data><Schema name="tea" fields={["id"]} /><Endpoint resource="teas" /></Data>
  </App>
)
"#;

const FILES: [(&str, &str); 7] = [
    (
        "src/App.tsx",
        "import { lazy, memo } from 'react'\nimport { HeroSection as Top, type Tea } from '@/sections'\nimport * as S from \
         './sections'\nconst Shop = lazy(() => import('./pages/Shop').then((m) => ({ default: m.Shop })))\nconst router = \
         [{ path: '/shop', element: <Shop /> }, { index: true, lazy: () => import('./pages/Home') }]\nexport default \
         memo(function App({ view }: { view: string }) {\n  return view === 'home' ? <><Top /><S.Contact /></> : false && \
         <Shop />\n})\n",
    ),
    ("src/main.tsx", "import './index.css'\nimport App from './App'\ncreateRoot(root!).render(<App />)\n"),
    ("src/sections/index.ts", "export * from './HeroSection'\nexport { default as Contact } from './contact'\n"),
    (
        "src/sections/HeroSection.tsx",
        "export const HeroSection = () => <section id=\"hero\"><h1>Tea 🫖</h1></section>\n",
    ),
    (
        "src/sections/contact.tsx",
        "import { teas } from '../teas'\nexport default class extends React.Component { render() { return <form><input \
         name=\"e-mail\" />{teas.map((tea) => tea.price)}</form> } }\n",
    ),
    (
        "src/teas.ts",
        "export interface Tea { id: string }\nexport const teas = await fetch(`${API}/teas`).then((r) => r.json())\nenum A \
         { B = 1 }\nnamespace C { export const d = <any>1 }\n",
    ),
    ("src/index.css", ":root { --font-sans: Inter; --radius: 0 } /* --primary */\n"),
];

const PIECES: &[&str] = &[
    "<Hero />",
    "<",
    ">",
    "</",
    "{",
    "}",
    "(",
    ")",
    "import ",
    "import('./sections')",
    "export * from './App'",
    "export default ",
    "from './index'",
    "'",
    "\"",
    "`",
    "${",
    "/*",
    "*/",
    "//",
    "=>",
    "\\",
    "hero",
    "data-gumdrop=\"hero\"",
    "path=\"/shop\"",
    "../",
    "\0",
    "🫖",
    "\u{2028}",
    "\r\n",
];

/// The text with pieces inserted and ranges removed.
fn mutated(text: &str, changes: &[(usize, usize, usize)]) -> String {
    changes.iter().fold(text.to_owned(), |text, (at, cut, piece)| {
        let from = text.floor_char_boundary(at % (text.len() + 1));
        let to = text.floor_char_boundary((from + cut).min(text.len())).max(from);
        let piece = PIECES.get(piece % PIECES.len()).unwrap_or(&"");
        format!("{}{piece}{}", &text[..from], &text[to..])
    })
}

fn changes() -> impl Strategy<Value = Vec<(usize, usize, usize)>> {
    vec((any::<usize>(), 0..40_usize, any::<usize>()), 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn mutated_sources_are_compared(changes in vec(changes(), FILES.len()), of_plan in changes()) {
        let texts: Vec<String> = FILES.iter().zip(&changes).map(|((_, text), changes)| mutated(text, changes)).collect();
        let files: Vec<(&str, Option<&str>)> = FILES.iter().zip(&texts).map(|((path, _), text)| (*path, Some(text.as_str()))).collect();
        let plan = mutated(PLAN, &of_plan);
        let Ok(compared) = diff(&plan, &files) else { return Ok(()) };
        prop_assert_eq!(&compared, &diff(&plan, &files).unwrap());
        let mut backwards = files.clone();
        backwards.reverse();
        prop_assert_eq!(&compared, &diff(&plan, &backwards).unwrap());
        for entry in &compared.entries {
            let is_there = |found: &String| files.iter().any(|(path, _)| path == found);
            prop_assert!(entry.found.as_ref().is_none_or(is_there), "{entry:?}");
            prop_assert!(entry.status != DiffStatus::Extra || entry.planned.is_empty());
            prop_assert!(entry.status != DiffStatus::Implemented || entry.found.is_some(), "{entry:?}");
        }
    }

    #[test]
    fn any_texts_are_compared(texts in vec(any::<String>(), 0..4)) {
        let paths = ["src/App.tsx", "src/a.ts", "src/b.js", "src/c.css"];
        let files: Vec<(&str, Option<&str>)> = paths.into_iter().zip(texts.iter().map(|text| Some(text.as_str()))).collect();
        prop_assert!(diff(PLAN, &files).is_ok());
    }
}

#[test]
fn a_file_that_nests_too_deep_is_named_and_not_read() {
    for (path, source) in [
        ("src/Deep.tsx", format!("export default {}1{}", "(".repeat(100_000), ")".repeat(100_000))),
        ("src/Deep.tsx", "<a>".repeat(50_000)),
        ("src/deep.ts", "<a>".repeat(50_000)),
        ("src/deep.ts", format!("const f = <T>(x: T) => {}x", "(".repeat(100_000))),
        ("src/deep.js", "[".repeat(100_000)),
        ("src/Deep.jsx", format!("x = {}", "a ? b : ".repeat(100_000))),
    ] {
        let compared = diff(PLAN, &[(path, Some(&source))]).unwrap();
        assert!(compared.report.contains(&format!("- {path}: it nests too deep to be read")), "{}", compared.report);
    }
}

#[test]
fn long_chains_of_reexports_are_followed_quickly() {
    let barrels: Vec<(String, String)> = (0..200)
        .map(|at| {
            let all: String = (0..200).map(|other| format!("export * from './b{other}'\n")).collect();
            (format!("src/b{at}.ts"), all)
        })
        .collect();
    let app =
        "import { HeroSection, Nowhere } from './b0'\nexport default () => <HeroSection a={Nowhere} />".to_owned();
    let mut files: Vec<(&str, Option<&str>)> =
        barrels.iter().map(|(path, text)| (path.as_str(), Some(text.as_str()))).collect();
    files.push(("src/App.tsx", Some(&app)));
    let compared = diff(PLAN, &files).unwrap();
    assert!(compared.entries.iter().any(|entry| entry.planned == "hero" && entry.status == DiffStatus::Implemented));
}
