//! Sections in HTML, Vue, Svelte and Astro files.

use super::{FAIL, PASS, WARN, map, plan, verdicts_of};
use crate::gate::scope::{ScopeVerdict, check_scope};
use std::collections::BTreeMap;

/// The files of a page; `§` are the items, `§1` the first two of them as elements.
type Page = &'static [(&'static str, &'static str)];

const PAGES: [(&str, Page); 6] = [
    (
        "Vue",
        &[
            (
                "src/App.vue",
                "<template><main><Teas /></main></template>\n<script setup>\nimport Teas from './components/Teas.vue'\n</script>",
            ),
            (
                "src/components/Teas.vue",
                "<script setup lang=\"ts\">\nimport { ref } from 'vue'\nimport Card from './Card.vue'\nconst all = ref([§])\n\
                 </script>\n<template>\n<section id=\"teas\"><Card v-for=\"tea in all\" :key=\"tea.name\" :name=\"tea.name\" />\
                 </section>\n</template>",
            ),
            (
                "src/components/Card.vue",
                "<script setup lang=\"ts\">\ndefineProps<{ name: string }>()\n</script>\n<template><p>{{ name }}</p></template>",
            ),
        ],
    ),
    (
        "Vue with the section in the page",
        &[(
            "src/App.vue",
            "<template>\n<main><section id=\"teas\"><ul>\n§1</ul></section><footer>Bye</footer></main></template>",
        )],
    ),
    (
        "Vue with data",
        &[
            ("src/data/teas.ts", "export const teas = [§]"),
            (
                "src/components/Teas.vue",
                "<script>\nimport { teas } from '../data/teas'\nexport default { setup() { return { teas } } }\n</script>\n\
                 <template><ul><li v-for=\"t of teas\">{{ t.name }}</li></ul></template>",
            ),
        ],
    ),
    (
        "Svelte",
        &[
            ("src/App.svelte", "<script>\nimport Teas from './Teas.svelte'\n</script>\n<main><Teas /></main>"),
            (
                "src/Teas.svelte",
                "<script>\n  let teas = [§]\n  $: count = teas.length\n</script>\n<h2>Teas {count}</h2>\n<ul>{#each teas as tea}\n\
                 <li>{tea.name}</li>{/each}</ul>\n{#if count > 9}<p>Many</p>{/if}",
            ),
        ],
    ),
    (
        "Astro",
        &[
            (
                "src/pages/index.astro",
                "---\nimport Teas from '../components/Teas.astro'\n---\n<html><body><Teas /></body></html>",
            ),
            (
                "src/components/Teas.astro",
                "---\nconst teas = [§];\n---\n<section id=\"teas\"><!-- all -->{teas.map((tea) => (<li>{tea.name}</li>))}</section>\n\
                 <style>li { color: red }</style>",
            ),
        ],
    ),
    (
        "a document",
        &[("index.html", "<body><nav><a href=\"#teas\">Teas</a></nav><section id=teas><ul>\n§1</ul></section></body>")],
    ),
];

fn files(page: Page, names: &[&str]) -> BTreeMap<String, String> {
    let all: Vec<String> = names.iter().map(|name| format!("{{ name: '{name}' }}")).collect();
    let elements: String = names.iter().map(|name| format!("<li>{name}</li>\n")).collect();
    let written = |text: &str| text.replace("§1", &elements).replace('§', &all.join(", "));
    page.iter().map(|(path, text)| ((*path).to_owned(), written(text))).collect()
}

#[test]
fn markers_are_judged_in_every_language() {
    let markers = plan("{/* TASK-3 [ADD]: 2 teas */}{/* EXISTING 3 teas PRESERVED */}");
    let cases: [(&[&str], [ScopeVerdict; 2]); 4] = [
        (&["A1", "B1", "C1", "D1", "E1"], [PASS, PASS]),
        (&["A1", "B1", "C1", "D1"], [WARN, PASS]),
        (&["A1", "D1", "E1"], [FAIL, FAIL]),
        (&["A1", "B1", "C1"], [FAIL, PASS]),
    ];
    for (language, page) in PAGES {
        for (after, expected) in cases {
            let report = check_scope(&markers, 3, &files(page, &["A1", "B1", "C1"]), &files(page, after));
            assert_eq!(verdicts_of(&report), expected, "{language} {after:?}: {report:?}");
        }
    }
}

#[test]
fn a_script_that_does_not_parse_is_reported_with_its_line_and_a_template_is_not() {
    let markers = plan("{/* TASK-3 [ADD]: 1 tea */}");
    let teas = |script: &str, template: &str| {
        let text = format!("<template>\n<ul>{template}</ul>\n</template>\n<script setup>\n{script}\n</script>");
        map(&[("src/Teas.vue", text.as_str())])
    };
    let item = "<li v-for=\"t in teas\">{{ t }}</li>";
    let before = teas("const teas = ['A1', 'B1']", item);
    let report = check_scope(&markers, 3, &before, &teas("const teas = ['A1' 'B1']", item));
    assert_eq!(verdicts_of(&report), [FAIL]);
    assert!(report.markers[0].reason.starts_with("src/Teas.vue:5 does not parse"), "{report:?}");
    let odd = format!("{item}<p>{{{{ ?? }}}}</p>");
    let report = check_scope(
        &markers,
        3,
        &teas("const teas = ['A1', 'B1']", &odd),
        &teas("const teas = ['A1', 'B1', 'C1']", &odd),
    );
    assert_ne!(verdicts_of(&report), [FAIL], "{report:?}");
}
