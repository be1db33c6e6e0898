use super::*;
use crate::port::memory::MemoryHost;

async fn analysed<const N: usize>(files: [(&str, &str); N]) -> Analysis {
    analyse(&MemoryHost::new(files), "tree").await.unwrap()
}

fn listed(declared: &[Declared]) -> Vec<String> {
    declared.iter().map(|Declared { name, file }| format!("{name} {file}")).collect()
}

#[tokio::test]
async fn a_project_is_described_by_its_framework_types_and_components() {
    let analysis = analysed([
        ("package.json", r#"{"scripts":{"test":"vitest","build":"vite build"},"dependencies":{"react":"19"},"devDependencies":{"vite":"7"}}"#),
        ("pnpm-lock.yaml", ""),
        ("tsconfig.json", "{ /* app */ \"compilerOptions\": { \"strict\": true, } }"),
        ("src/types.ts", "export interface Tea { name: string }\nexport type Id = string;\ninterface Own { a: 1 }\nexport enum Size { S }"),
        ("src/other.ts", "interface Late { a: 1 }\ntype Inner = 1;\nexport { Late };\nexport type { Inner };"),
        ("src/index.ts", "export type { Tea } from './types';\nexport * from './Card';"),
        ("src/Card.tsx", "import type { Tea } from './types';\nexport const Card = (p: { tea: Tea }) => <p>{p.tea.name}</p>;\nexport const useCard = () => <i />;\nexport const SIZES = [1];\nconst Inner = () => <b />;"),
        ("src/pages/Home/index.tsx", "import { Card } from '../../Card';\nimport type { Tea } from '../../types';\nexport default () => <Card />;"),
        ("src/App.tsx", "import Home from './pages/Home';\nimport { Card } from './Card';\nexport default function App() { return <Home /> }"),
        ("src/App.test.tsx", "export const Fake = () => <p />;"),
        ("src/vite-env.d.ts", "export interface Env { a: 1 }"),
        ("packages/ui/src/Button.vue", "<template />"),
        ("node_modules/x/src/X.tsx", "export const X = () => <p />;"),
    ])
    .await;
    assert_eq!(analysis.framework.as_deref(), Some("Vite + React"));
    assert_eq!(analysis.package_manager.as_deref(), Some("pnpm"));
    assert_eq!(analysis.language.as_deref(), Some("TypeScript (strict)"));
    assert_eq!(analysis.scripts, ["build", "test"]);
    let types = ["Id src/types.ts", "Size src/types.ts", "Tea src/types.ts", "Inner src/other.ts", "Late src/other.ts"];
    assert_eq!(listed(&analysis.key_types), types);
    let components =
        ["Card src/Card.tsx", "Home src/pages/Home/index.tsx", "Button packages/ui/src/Button.vue", "App src/App.tsx"];
    assert_eq!(listed(&analysis.components), components);
    let expected = "Framework: Vite + React\nPackage Manager: pnpm\nLanguage: TypeScript (strict)\nScripts: build, test\nKey Types: \
                    Id (src/types.ts), ";
    assert!(analysis.text().starts_with(expected), "{}", analysis.text());
    assert!(analysis.text().contains("\nExisting Components: Card (src/Card.tsx), Home ("));
}

#[tokio::test]
async fn what_is_missing_or_broken_is_left_out() {
    let empty = analysed([]).await;
    assert_eq!(empty.text(), "");
    let plain = analysed([("src/main.js", "export const run = () => 1;"), ("index.html", "")]).await;
    assert_eq!(plain.text(), "Language: JavaScript\n");
    let broken = analysed([
        ("package.json", "{ \"dependencies\": "),
        ("tsconfig.json", "]["),
        ("src/A.tsx", "export const A = () => <p>; export const ("),
        ("src/Bag.tsx", "export const Bag = () => <p />;"),
    ])
    .await;
    assert_eq!((broken.framework.as_deref(), broken.package_manager.as_deref()), (None, Some("npm")));
    assert_eq!(broken.language.as_deref(), Some("TypeScript"));
    assert!(listed(&broken.components).contains(&"Bag src/Bag.tsx".to_owned()));
    let odd =
        analysed([("package.json", r#"{"scripts":{"a\nFramework: X":""},"dependencies":[],"packageManager":{}}"#)]);
    assert_eq!(odd.await.text(), "Package Manager: npm\nLanguage: JavaScript\nScripts: a Framework: X\n");
}

#[tokio::test]
async fn many_names_are_counted() {
    let types: String = (0..900).map(|n| format!("export type T{n:03} = 1;\n")).collect();
    let analysis = analysed([("src/types.ts", &types)]).await;
    assert_eq!(analysis.key_types.len(), MAX_STORED);
    let text = analysis.text();
    assert!(text.contains("T039 (src/types.ts) and 360 more\n") && !text.contains("T040"), "{text}");
}

#[tokio::test]
async fn a_stored_analysis_is_read_for_its_state_only() {
    let analysis = analysed([("src/A.tsx", "export const A = () => <p />;")]).await;
    let text = serde_json::to_string(&analysis).unwrap();
    assert_eq!(Analysis::stored(&text, "tree"), Some(analysis));
    assert_eq!(Analysis::stored(&text, "another"), None);
    assert_eq!(Analysis::stored(&text.replace("\"version\":1", "\"version\":0"), "tree"), None);
    assert_eq!(Analysis::stored("{", "tree"), None);
}

#[test]
fn the_exports_of_a_source_are_its_values_and_types() {
    for (source, expected) in [
        ("export const a = 1, { b, c: [d] } = x; const e = 2;", &["a", "b", "d"][..]),
        ("export function f() {} export class G {} export enum H {}", &["G", "H", "f"]),
        ("export interface I {} export type J = 1; type K = 1;", &["I", "J"]),
        ("type K = 1; const l = 1; export { type K, l as m }; export type { K as N };", &["K", "N", "m"]),
        ("export default function Hero() {}", &["Hero"]),
        ("const Hero = 1; export default Hero;", &["Hero"]),
        ("export default () => 1;", &["default"]),
        (
            "export { default as Card } from './Card'; export * from './x'; export * as y from './y';",
            &["* from ./x", "Card", "y"],
        ),
        ("export type { T } from './t';", &["T"]),
        ("", &[]),
        ("<<<", &[]),
    ] {
        assert_eq!(exports("src/a.tsx", source), expected, "{source}");
    }
}
