//! `MODIFY`, `FIX` and `NO CHANGES`: what counts as a change, and of which part.

use super::{FAIL, PASS, WARN, check, files, page, section, teas, verdicts, verdicts_of};

const ALL: &str = "{/* TASK-3 [MODIFY]: copy */}{/* TASK-3 [FIX]: it */}{/* NO CHANGES for task-3 */}";

#[test]
fn white_space_line_breaks_and_comments_are_not_changes() {
    let before = section("const teas = [{ name: 'A1' }, { name: 'B1' }]", "<p>Two good words</p>{teas.RECORDS}");
    for after in [
        before.clone(),
        before.replace('\n', "\r\n"),
        before.replace("{ name: 'B1' }", "\n\t{ name: 'B1' }  // still here\n"),
        before.replace("<p>Two good words</p>", "\n  {/* words */}\n  <p>\n    Two good\n    words\n  </p>\n"),
        before.replace("<p>", "<p /* class? */>"),
        before.replace("const teas", "/** Teas.\n * @see shop */\nconst teas"),
        format!("\u{FEFF}{before}\n\n\n"),
    ] {
        assert_eq!(verdicts(ALL, &before, &after), [WARN, WARN, PASS], "{after}");
    }
    for after in [
        before.replace("good", "better"),
        before.replace("<p>", "<p className=\"x\">"),
        before.replace("good words", "goodwords"),
        before.replace("'A1'", "'A1', note: 1"),
        before.replace("const teas", "type T = 1; const teas"),
        before.replace("'B1'", "'B1 // x'"),
    ] {
        assert_eq!(verdicts(ALL, &before, &after), [PASS, PASS, WARN], "{after}");
    }
}

#[test]
fn a_modified_part_keeps_its_lists() {
    let modify = "{/* TASK-3 [MODIFY]: calmer copy */}";
    let before = teas(&["A1", "B1", "C1"]);
    for (what, after, expected) in [
        ("other items", teas(&["A1", "B1", "D1"]), PASS),
        ("one less", teas(&["A1", "B1"]), WARN),
        ("one more", teas(&["A1", "B1", "C1", "D1"]), WARN),
        (
            "other elements",
            before
                .replace("<ul>", "<div>")
                .replace("</ul>", "</div>")
                .replace("<li ", "<Card ")
                .replace("</li>", "</Card>"),
            PASS,
        ),
        ("another heading", before.replace("<h2>", "<h2 className=\"x\">"), PASS),
        ("one more paragraph", before.replace("<ul>", "<p>More</p><p>And more</p><ul>"), PASS),
        ("a new list", before.replace("<ul>", "<ol><li>X</li><li>Y</li></ol><ul>"), WARN),
    ] {
        assert_eq!(verdicts(modify, &before, &after), [expected], "{what}");
    }
    let data = "export const teas = [{ name: 'A1' }, { name: 'B1' }, { name: 'C1' }]";
    let after = section("import { teas } from '../data/teas'", "<ul>{teas.RECORDS}</ul>");
    let moved = |teas: &str| verdicts_of(&check(modify, &page(&before), &files("src/data/teas.ts", data, teas)));
    // Moving items to another file is not a change. With another change, the number of items is the same as before.
    assert_eq!(moved(&after), [WARN]);
    assert_eq!(moved(&after.replace("<h2>Teas", "<h2>Calm teas")), [PASS]);
    // What the section's other markers request is not a change of structure.
    let both = "{/* TASK-3 [MODIFY]: calmer copy */}{/* TASK-3 [ADD]: 1 tea */}";
    assert_eq!(verdicts(both, &before, &teas(&["A1", "B1", "C1", "D1"])), [PASS, PASS]);
    let both = "{/* TASK-3 [MODIFY]: calmer copy */}{/* TASK-3 [REMOVE]: \"C1\" */}";
    assert_eq!(verdicts(both, &before, &teas(&["A1", "B1"])), [PASS, PASS]);
}

/// A section with a data module, translations and a shared component, next to another section that uses the same files.
fn project<'f>(changes: &[(&'f str, &'f str)]) -> Vec<(&'f str, &'f str)> {
    let files = [
        (
            "src/App.tsx",
            "import Teas from './sections/Teas'\nimport Mugs from './sections/Mugs'\nexport default () => <main><Teas /><Mugs /></main>",
        ),
        ("src/components/Card.tsx", "export const Card = ({ title }) => <article>{title}</article>"),
        ("src/data/index.ts", "export * from './shop'"),
        (
            "src/data/shop.ts",
            "const GREEN = 'A1'\nexport const teas = [{ name: GREEN }]\nexport const mugs = [{ name: 'X1' }]",
        ),
        ("src/i18n.ts", "import en from './locales/en.json'\nexport function t(key) { return en[key] }"),
        ("src/locales/de.json", "{ \"teas\": { \"title\": \"Tees\" } }"),
        ("src/locales/en.json", "{ \"teas\": { \"title\": \"Teas\" }, \"mugs\": { \"title\": \"Mugs\" } }"),
        (
            "src/sections/Mugs.tsx",
            "import { mugs } from '../data'\nimport { t } from '../i18n'\nexport default function Mugs() { return <section id=\"mugs\"><h2>{t('mugs').title}</h2>{mugs.map((m) => <p key={m.name}>{m.name}</p>)}</section> }",
        ),
        (
            "src/sections/Teas.tsx",
            "import { Card } from '../components/Card'\nimport { teas } from '../data'\nimport { t } from '../i18n'\nexport default function Teas() { return <section id=\"teas\"><h2>{t('teas').title}</h2>{teas.map((t) => <Card key={t.name} title={t.name} />)}</section> }",
        ),
    ];
    let changed = |path: &str| changes.iter().find(|(changed, _)| *changed == path).copied();
    files.into_iter().map(|file| changed(file.0).unwrap_or(file)).collect()
}

#[test]
fn a_part_owns_its_file_its_data_and_its_texts() {
    let before = project(&[]);
    let source = |path: &str| before.iter().find(|(known, _)| *known == path).unwrap().1.to_owned();
    for (path, from, to, is_own) in [
        ("src/sections/Teas.tsx", "<h2>", "<h2 className=\"x\">", true),
        ("src/data/shop.ts", "name: GREEN", "name: GREEN, cold: true", true),
        ("src/data/shop.ts", "'A1'", "'A2'", true),
        ("src/locales/en.json", "\"Teas\"", "\"Our teas\"", true),
        ("src/data/shop.ts", "'X1'", "'X2'", false),
        ("src/data/shop.ts", "const GREEN", "// green\nconst GREEN", false),
        ("src/locales/en.json", "\"Mugs\"", "\"Our mugs\"", false),
        ("src/locales/en.json", "{ \"teas\"", "{\n\n  \"teas\"", false),
        ("src/locales/de.json", "Tees", "Unsere Tees", false),
        ("src/sections/Mugs.tsx", "<h2>", "<h2 className=\"x\">", false),
        ("src/components/Card.tsx", "<article>", "<article className=\"x\">", false),
        ("src/App.tsx", "<main>", "<main className=\"x\">", false),
    ] {
        let changed = source(path).replace(from, to);
        assert_ne!(changed, source(path));
        let report = check(ALL, &before, &project(&[(path, &changed)]));
        let expected = if is_own { [PASS, PASS, WARN] } else { [WARN, WARN, PASS] };
        assert_eq!(verdicts_of(&report), expected, "{path}: {to}: {report:?}");
    }
    let helper = source("src/i18n.ts").replace("en[key]", "en[key] ?? key");
    let report = check(ALL, &before, &project(&[("src/i18n.ts", &helper)]));
    assert_eq!(verdicts_of(&report), [PASS; 3], "a module that the part uses: {report:?}");
}

#[test]
fn only_the_fields_of_data_that_are_read_count() {
    let content = |teas: &str, mugs: &str| {
        format!(
            "export const content = {{ teas: {{ title: '{teas}', list: ['A1'] }}, mugs: {{ title: '{mugs}' }} }}\nexport default content"
        )
    };
    for (import, read) in [
        ("import { content } from '../data/content'", "content.teas.list"),
        ("import data from '@/data/content'", "data.teas.list"),
        ("import * as data from '@/data/content'", "data.content.teas.list"),
        ("import { content } from '../data/content'\nconst { teas } = content", "teas.list"),
    ] {
        let source = section(import, &format!("{{{read}.STRINGS}}"));
        let before = content("A", "X");
        for (after, expected) in [(content("A", "Y"), [PASS]), (content("B", "X").replace("'A1'", "'A2'"), [WARN])] {
            let with = |content| files("src/data/content.ts", content, &source);
            let report = check("{/* NO CHANGES for task-3 */}", &with(&before), &with(&after));
            assert_eq!(verdicts_of(&report), expected, "{import}: {report:?}");
        }
    }
}

#[test]
fn only_the_texts_that_are_read_count() {
    let source = |import: &str, read: &str| {
        format!(
            "{import}\nexport default function Teas() {{ {read}; return <section id=\"teas\"><h2>{{title}}</h2></section> }}"
        )
    };
    const EN: &str = "import en from '../locales/en.json'";
    const HOOK: &str = "import { useTranslation } from 'react-i18next'";
    let json = |teas: &str, mugs: &str| {
        format!("{{ \"teas\": {{ \"title\": \"{teas}\" }}, \"mugs\": {{ \"title\": \"{mugs}\" }} }}")
    };
    let before = json("A1", "X1");
    for (import, read) in [
        (EN, "const { title } = en.teas"),
        (EN, "const { teas } = en; const title = teas.title"),
        (EN, "const title = en['teas']['title']"),
        ("import { teas } from '../locales/en.json'", "const { title } = teas"),
        (HOOK, "const { t } = useTranslation('teas'); const title = t('title')"),
        (HOOK, "const { t } = useTranslation(); const title = t('teas.title')"),
        (HOOK, "const { t } = useTranslation(); const title = t(`teas.${kind}`)"),
    ] {
        let text = source(import, read);
        for (after, expected) in [(json("A1", "Y1"), [PASS]), (json("B1", "X1"), [WARN])] {
            let with = |json| files("src/locales/en.json", json, &text);
            let report = check("{/* NO CHANGES for task-3 */}", &with(&before), &with(&after));
            assert_eq!(verdicts_of(&report), expected, "{import} {read} {after}: {report:?}");
        }
    }
}

#[test]
fn a_syntax_error_fails_every_marker() {
    let before = project(&[]);
    let all = "{/* TASK-3 [ADD]: 1 tea */}{/* TASK-3 [REMOVE]: it */}{/* PRESERVED */}{/* TASK-3 [MODIFY]: copy */}\
        {/* TASK-3 [FIX]: it */}{/* NO CHANGES for task-3 */}";
    let teas = before.iter().find(|(path, _)| *path == "src/sections/Teas.tsx").unwrap().1;
    let (unclosed, mismatched) = (teas.replace("</section>", ""), teas.replace("</h2>", "</h3>"));
    let (cut, typo) = (teas.get(..150).unwrap().to_owned(), teas.replace("return", "return return"));
    for (path, text) in [
        ("src/sections/Teas.tsx", unclosed.as_str()),
        ("src/sections/Teas.tsx", mismatched.as_str()),
        ("src/sections/Teas.tsx", cut.as_str()),
        ("src/sections/Teas.tsx", typo.as_str()),
        ("src/data/shop.ts", "export const teas = [{ name: 'A1' }"),
        ("src/data/index.ts", "export * from './shop"),
        ("src/locales/en.json", "{ \"teas\": { \"title\": \"Teas\" } \"mugs\": {} }"),
        ("src/locales/en.json", "{ \"teas\": { \"title\": \"Teas\", } }"),
    ] {
        let report = check(all, &before, &project(&[(path, text)]));
        assert_eq!(verdicts_of(&report), [FAIL; 6], "{path}: {text}");
        assert!(
            report.markers[0].reason.starts_with(path) && report.markers[0].reason.contains(" does not parse: "),
            "{}",
            report.markers[0].reason
        );
    }
    for (path, text) in [
        ("src/sections/Mugs.tsx", "export default function Mugs() { return <section"),
        ("src/components/Card.tsx", "export const Card = ("),
        ("src/locales/de.json", "{"),
        ("src/App.tsx", "import Teas from './sections/Teas'\nexport default ("),
    ] {
        let report = check("{/* NO CHANGES for task-3 */}", &before, &project(&[(path, text)]));
        assert_eq!(verdicts_of(&report), [PASS], "{path}");
    }
    // A file that did not parse before cannot be compared.
    let broken = project(&[("src/sections/Teas.tsx", &unclosed)]);
    assert_eq!(verdicts_of(&check("{/* TASK-3 [FIX]: it */}{/* PRESERVED */}", &broken, &before)), [PASS, WARN]);
}

#[test]
fn a_change_of_styles_or_of_a_module_that_the_part_uses_is_a_change() {
    const FIX: &str = "{/* TASK-3 [MODIFY]: it */}{/* TASK-3 [FIX]: the headline overflows */}";
    let own = section(
        "import s from './Teas.module.css'\nimport { useTeas } from '../hooks/useTeas'",
        "<p className={s.p}>{useTeas().RECORDS}</p>",
    );
    let state = |style: &str, module: &str, hook: &str, other: &str| {
        let files = [
            ("src/App.tsx", super::APP),
            ("src/hooks/useOther.ts", other),
            ("src/hooks/useTeas.ts", hook),
            ("src/index.css", style),
            ("src/sections/Teas.module.css", module),
            ("src/sections/Teas.tsx", &own),
        ];
        files.map(|(path, text)| (path.to_owned(), text.to_owned()))
    };
    let hook = "export const useTeas = () => load().filter((tea) => !tea)\n";
    let before = state("h2 { }", ".p { }", hook, "export const a = 1\n");
    for (what, after, expected) in [
        ("a style sheet", state("h2 { color: red }", ".p { }", hook, "export const a = 1\n"), PASS),
        ("a style module", state("h2 { }", ".p { margin: 0 }", hook, "export const a = 1\n"), PASS),
        ("a hook", state("h2 { }", ".p { }", &hook.replace("!tea", "tea"), "export const a = 1\n"), PASS),
        ("a comment", state("h2 { }", ".p { }", &format!("// All.\n{hook}"), "export const a = 1\n"), WARN),
        ("another module", state("h2 { }", ".p { }", hook, "export const a = 2\n"), WARN),
    ] {
        let report = super::check_scope(&super::plan(FIX), 3, &before.clone().into(), &after.into());
        assert_eq!(verdicts_of(&report), [expected; 2], "{what}: {report:?}");
    }
}

#[test]
fn items_that_are_in_order_may_be_sorted() {
    let before = teas(&["A1", "B1", "C1"]);
    let after = before.replace("{teas.map", "{[...teas].sort((a, b) => a.name.localeCompare(b.name)).map");
    for (text, after, expected) in
        [("sort the teas by name", &after, PASS), ("sort the teas by name", &before, WARN), ("a badge", &after, WARN)]
    {
        assert_eq!(verdicts(&format!("{{/* TASK-3 [ADD]: {text} */}}"), &before, after), [expected], "{text}");
    }
}
