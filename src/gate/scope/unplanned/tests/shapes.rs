//! Projects that show eight drinks, each in another form.

use super::Files;

/// A project that shows drinks.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// The source of an item: `§` is its name, `¶` the name in lower case, `#` its index.
    pub(super) item: &'static str,
    pub(super) between: &'static str,
    /// The source of the drinks: `§` are its items, `§1` the first four of them and `§2` the others.
    pub(super) drinks: (&'static str, &'static str),
    pub(super) others: &'static [(&'static str, &'static str)],
}

impl Shape {
    pub(super) fn with(self, names: &[&str]) -> Files {
        let item = |(at, name): (usize, &&str)| {
            self.item.replace('§', name).replace('¶', &name.to_lowercase()).replace('#', &at.to_string())
        };
        let items: Vec<String> = names.iter().enumerate().map(item).collect();
        let some = |items: Option<&[String]>| items.unwrap_or_default().join(self.between);
        let (path, text) = self.drinks;
        let text = text.replace("§1", &some(items.get(..4))).replace("§2", &some(items.get(4..)));
        let text = text.replace('§', &some(Some(&items)));
        let others = self.others.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
        others.chain([(path.to_owned(), text)]).collect()
    }
}

pub(super) const OBJECT: &str = "{ id: #, name: '§', price: 3 }";
pub(super) const SECTION: &str = "src/sections/Drinks.tsx";
pub(super) const APP: (&str, &str) = (
    "src/App.tsx",
    "import Drinks from './sections/Drinks'\nimport Reviews from './sections/Reviews'\nexport default function App() { \
     return <main><nav><a href=\"#a\">Home</a><a href=\"#b\">Shop</a></nav><Drinks /><Reviews /></main> }",
);
pub(super) const REVIEWS: (&str, &str) = (
    "src/sections/Reviews.tsx",
    "const reviews = [{ author: 'Ann', name: 'Great', drink: 'Mango' }, { author: 'Bo', name: 'Fresh', drink: 'Mint' }]\n\
     export default function Reviews() { return <ul>{reviews.map((review) => <li key={review.name}>{review.name}</li>)}\
     </ul> }",
);
pub(super) const IN_COMPONENT: Shape = Shape {
    item: OBJECT,
    between: ",\n",
    drinks: (
        SECTION,
        "export default function Drinks() {\n  const drinks = [\n§]\n  return <section>{drinks.map((drink) => <article \
         key={drink.id}><h3>{drink.name}</h3></article>)}</section>\n}",
    ),
    others: &[APP, REVIEWS],
};
pub(super) const SIBLINGS: Shape = Shape {
    item: "<div className=\"card\"><h3>§</h3><p>Cold</p></div>",
    between: "\n",
    drinks: (
        SECTION,
        "export default function Drinks() { return <section id=\"drinks\"><h2>Drinks</h2>\n§</section> }",
    ),
    ..IN_COMPONENT
};
pub(super) const COMPONENTS: Shape = Shape {
    item: "<DrinkCard name=\"§\" price={3} />",
    between: "\n",
    drinks: (
        SECTION,
        "import { DrinkCard } from '../components/DrinkCard'\nexport default function Drinks() { return <section>\n§\
         </section> }",
    ),
    others: &[
        APP,
        REVIEWS,
        (
            "src/components/DrinkCard.tsx",
            "export function DrinkCard({ name, price }) { return <div className=\"card\"><h3>{name}</h3><b>{price}</b></div> }",
        ),
    ],
};
pub(super) const ONE_FILE: Shape = Shape {
    item: "<li>§</li>",
    between: "\n",
    drinks: (
        "src/App.tsx",
        "export default function App() { return <main><h1>Shop</h1><h2>Our drinks</h2><ul>\n§</ul></main> }",
    ),
    others: &[],
};
pub(super) const DATA_FILE: Shape = Shape {
    drinks: ("src/data/drinks.ts", "export const drinks = [\n§]"),
    others: &[
        APP,
        REVIEWS,
        (
            SECTION,
            "import { drinks } from '../data/drinks'\nexport default function Drinks() { return <ul>{drinks.map((drink) => \
             <li key={drink.id}>{drink.name}</li>)}</ul> }",
        ),
    ],
    ..IN_COMPONENT
};
pub(super) const JSON: Shape = Shape {
    item: "{ \"name\": \"§\" }",
    drinks: ("src/data/menu.json", "{ \"drinks\": [§], \"sizes\": [\"S\", \"M\"] }"),
    others: &[
        APP,
        REVIEWS,
        (
            SECTION,
            "import menu from '../data/menu.json'\nexport default function Drinks() { return <ul>{menu.drinks.map((drink) => \
             <li key={drink.name}>{drink.name}</li>)}</ul> }",
        ),
    ],
    ..IN_COMPONENT
};
/// The message says drinks, the sources say items, and no section has either name.
pub(super) const UNNAMED: Shape = Shape {
    drinks: (
        "src/App.tsx",
        "const items = [\n§]\nexport default function App() { return <main><ul>{items.map((item) => <li key={item.id}>\
         {item.name}</li>)}</ul></main> }",
    ),
    others: &[],
    ..IN_COMPONENT
};
pub(super) const SPANISH: Shape = Shape {
    drinks: (
        "src/App.jsx",
        "const bebidas = [\n§]\nconst opiniones = ['Buena', 'Fresca']\nexport default function App() { return <main><ul>\
         {bebidas.map((bebida) => <li key={bebida.name}>{bebida.name}</li>)}</ul><ol>{opiniones.map((o) => <li key={o}>{o}\
         </li>)}</ol></main> }",
    ),
    others: &[],
    ..IN_COMPONENT
};
pub(super) const LIBRARY: Shape = Shape {
    drinks: ("src/drinks.ts", "export const DRINKS: Drink[] = [\n§]\nexport const SIZES = ['S', 'M']"),
    others: &[("src/index.ts", "export { DRINKS } from './drinks'\nexport const version = '1'\n")],
    ..IN_COMPONENT
};
pub(super) const DOM: Shape = Shape {
    drinks: (
        "src/main.js",
        "const drinks = [\n§]\nconst list = document.querySelector('ul')\nfor (const drink of drinks) { \
         list.append(drink.name) }",
    ),
    others: &[],
    ..IN_COMPONENT
};
pub(super) const STRINGS: Shape = Shape {
    item: "'§'",
    drinks: (
        SECTION,
        "const drinks = [§] as const\nexport default function Drinks() { return <ul>{drinks.map((drink) => <li \
         key={drink}>{drink}</li>)}</ul> }",
    ),
    ..IN_COMPONENT
};
pub(super) const RECORD: Shape = Shape {
    item: "¶: { name: '§' }",
    drinks: (
        SECTION,
        "const drinks = {\n§}\nexport default function Drinks() { return <ul>{Object.entries(drinks).map(([key, drink]) => \
         <li key={key}>{drink.name}</li>)}</ul> }",
    ),
    ..IN_COMPONENT
};
pub(super) const GROUPED: Shape = Shape {
    drinks: (
        SECTION,
        "const groups = [{ title: 'Cold', drinks: [\n§1] }, { title: 'Hot', drinks: [\n§2] }]\nexport default function \
         Drinks() { return <section>{groups.map((group) => <div key={group.title}><h3>{group.title}</h3><ul>\
         {group.drinks.map((drink) => <li key={drink.name}>{drink.name}</li>)}</ul></div>)}</section> }",
    ),
    ..IN_COMPONENT
};

/// Files that are not JavaScript.
const FRAMES: &[(&str, &str)] =
    &[("src/App.vue", "<script setup>\nimport Drinks from './Drinks.vue'\n</script><template><Drinks /></template>")];
const VUE: Shape = Shape {
    drinks: (
        "src/Drinks.vue",
        "<template>\n<section id=\"drinks\"><article v-for=\"drink in drinks\" :key=\"drink.id\">{{ drink.name }}\
         </article></section>\n</template>\n<script setup lang=\"ts\">\nconst drinks = ref<Drink[]>([\n§])\n</script>\n\
         <style scoped>a { color: red }</style>",
    ),
    others: FRAMES,
    ..IN_COMPONENT
};
const VUE_OPTIONS: Shape = Shape {
    drinks: (
        "src/Drinks.vue",
        "<script>\nexport default defineComponent({ name: 'Drinks', data() { return { open: false, drinks: [\n§] } } })\n\
         </script>\n<template><ul><li v-for=\"(drink, i) in drinks\" :key=\"i\">{{ drink.name }}</li></ul></template>",
    ),
    ..VUE
};
const VUE_MARKUP: Shape = Shape {
    item: "<li><b>§</b><br></li>",
    between: "\n",
    drinks: ("src/Drinks.vue", "<template>\n<h2>Our drinks</h2><ul>\n§</ul></template>"),
    ..VUE
};
const SVELTE: Shape = Shape {
    drinks: (
        "src/Drinks.svelte",
        "<script lang=\"ts\">\n  let drinks = $state([\n§]);\n</script>\n<h2>Menu</h2>\n{#each drinks as { id, name }, i (id)}\n\
         <article class:on={open}><h3>{name}</h3></article>\n{:else}<p>None</p>{/each}",
    ),
    others: &[],
    ..IN_COMPONENT
};
const ASTRO: Shape = Shape {
    drinks: (
        "src/pages/index.astro",
        "---\nimport Layout from '../Layout.astro'\nconst drinks = [\n§]\nif (!drinks) return Astro.redirect('/')\n---\n\
         <Layout title=\"Bar\"><ul>{drinks.map((drink) => <li>{drink.name}</li>)}</ul></Layout>",
    ),
    others: &[],
    ..IN_COMPONENT
};
const HTML: Shape = Shape {
    item: "<li>§",
    between: "\n",
    drinks: (
        "index.html",
        "<!doctype html>\n<html><head><title>Bar</title></head><body><h2>Our drinks</h2>\n<ul>\n§</ul>\n<script \
         type=\"module\" src=\"/src/main.js\"></script></body></html>",
    ),
    others: &[("src/main.js", "document.title = 'Bar'")],
};

pub(super) const SHAPES: [(&str, Shape); 19] = [
    ("an array in the component", IN_COMPONENT),
    ("siblings", SIBLINGS),
    ("components side by side", COMPONENTS),
    ("one file", ONE_FILE),
    ("a data file", DATA_FILE),
    ("JSON", JSON),
    ("a list of another name", UNNAMED),
    ("identifiers in another language", SPANISH),
    ("a library", LIBRARY),
    ("a page without React", DOM),
    ("strings", STRINGS),
    ("a record", RECORD),
    ("groups", GROUPED),
    ("a Vue script", VUE),
    ("options of Vue", VUE_OPTIONS),
    ("a Vue template", VUE_MARKUP),
    ("a Svelte script", SVELTE),
    ("Astro frontmatter", ASTRO),
    ("a document", HTML),
];
