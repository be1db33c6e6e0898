//! The words that the sections of a plan render, to find the section that a requirement concerns.

use super::compare::Comparison;
use super::names::{Wanted, key};
use super::planned::Planned;
use super::sections::wanted;
use super::{Sources, parse_plan};
use crate::js::graph::{Graph, Node, Target};
use crate::js::outline::{Use, UseKind};
use crate::plan::position::Positions;
use crate::words::words;
use std::collections::BTreeMap;

/// A section that the sources have.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    pub gumdrop: String,
    /// The file that builds it.
    pub path: String,
    /// The words of its sources, with their weights.
    words: BTreeMap<String, u32>,
}

/// The plan's sections that the sources have. An unreadable plan has none.
pub(super) fn rendered_texts(plan: &str, sources: Sources<'_>) -> Vec<Shown> {
    let Ok(tree) = parse_plan(plan) else { return Vec::new() };
    let planned = Planned::read(&tree, &Positions::new(plan));
    let (project, _) = sources.comparison();
    let found: Vec<(&str, Place)> = planned
        .sections()
        .filter_map(|(screen, section)| {
            Some((section.gumdrop.as_str(), place(&project, &wanted(screen, section), section.nth)?))
        })
        .collect();
    let of = |(gumdrop, place): &(&str, Place)| {
        let others: Vec<Node> = found
            .iter()
            .map(|(_, other)| other.node)
            .filter(|node| *node != place.node || place.span.is_some())
            .collect();
        Shown {
            gumdrop: (*gumdrop).to_owned(),
            path: project.graph.path_of(place.node).to_owned(),
            words: words_of(&project.graph, place, &others),
        }
    };
    found.iter().map(of).collect()
}

/// The sections that render what these words name. Words that every section has are ignored.
pub(crate) fn about<'s>(shown: &'s [Shown], telling: &[String]) -> Vec<&'s Shown> {
    let is_of_all = |word: &&String| shown.len() > 1 && shown.iter().all(|section| section.words.contains_key(*word));
    let telling: Vec<&String> = telling.iter().filter(|word| !is_of_all(word)).collect();
    let points = |section: &Shown| telling.iter().filter_map(|word| section.words.get(*word)).sum::<u32>();
    let best = shown.iter().map(points).max().unwrap_or(0);
    shown.iter().filter(|section| best > 0 && points(section) == best).collect()
}

/// Where a section is: a component, or an element in one.
struct Place {
    node: Node,
    span: Option<(u32, u32)>,
}

fn place(project: &Comparison<'_>, wanted: &Wanted, nth: usize) -> Option<Place> {
    let graph = &project.graph;
    let named: Vec<Node> = project.sightings.nodes_named(wanted).filter(|node| graph.renders(*node)).collect();
    if let Some(node) = named.get(nth).or(named.first()) {
        return Some(Place { node: *node, span: None });
    }
    graph.nodes().find_map(|node| {
        let is_label = |used: &Use<'_>| used.kind == UseKind::Label && wanted.is(&key(used.text));
        let (label, _) = graph.uses(node).find(|(used, _)| is_label(used))?;
        let around = |used: &Use<'_>| {
            matches!(used.kind, UseKind::Tag | UseKind::HostTag) && used.start <= label.start && used.end >= label.end
        };
        let elements = graph.uses(node).map(|(used, _)| used).filter(|used| around(used));
        let element = elements.min_by_key(|used| used.end - used.start)?;
        Some(Place { node, span: Some((element.start, element.end)) })
    })
}

fn words_of(graph: &Graph<'_>, place: &Place, others: &[Node]) -> BTreeMap<String, u32> {
    let mut found = BTreeMap::new();
    let from = match place.span {
        None => vec![place.node],
        Some((start, end)) => {
            let own = graph.uses(place.node).filter(|(used, _)| used.start >= start && used.end <= end);
            let mut from = Vec::new();
            for (used, target) in own {
                add(&mut found, used);
                if let Some(Target::Part { node, .. }) = target {
                    from.push(node);
                }
            }
            from
        }
    };
    let reached = graph.reach(&from, others);
    for node in graph.nodes().filter(|node| reached.get(*node) == Some(&true)) {
        add_words(&mut found, graph.part(node).map_or("", |part| part.name), NAME);
        graph.uses(node).for_each(|(used, _)| add(&mut found, used));
    }
    found
}

fn add(found: &mut BTreeMap<String, u32>, used: &Use<'_>) {
    let worth = match used.kind {
        UseKind::Tag | UseKind::Value | UseKind::Member => NAME,
        UseKind::HostTag | UseKind::Label => WORD,
        UseKind::Word if used.text.contains(char::is_whitespace) => TEXT,
        UseKind::Word => WORD,
        UseKind::Load(_) | UseKind::Route | UseKind::Case | UseKind::Address => return,
    };
    add_words(found, used.text, worth);
}

fn add_words(found: &mut BTreeMap<String, u32>, text: &str, worth: u32) {
    for word in words(text) {
        let known = found.get(&word).copied().unwrap_or_default();
        found.insert(word, known.max(worth));
    }
}

/// The name of a value or component weighs more than a key, and a key more than a word in a string.
const NAME: u32 = 3;
const WORD: u32 = 2;
const TEXT: u32 = 1;

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: &str = "export default (<App><Screen name=\"home\"><Section gumdrop=\"hero\" /><Section \
                        gumdrop=\"features\" /><Section gumdrop=\"cta\" /></Screen></App>)";

    /// The gumdrops of the sections that render what the words name.
    fn about_words(files: &[(&str, &str)], telling: &[&str]) -> Vec<String> {
        let files: Vec<(&str, Option<&str>)> = files.iter().map(|(path, text)| (*path, Some(*text))).collect();
        let shown = rendered_texts(PLAN, Sources::new(&files, true));
        let telling: Vec<String> = telling.iter().map(|word| (*word).to_owned()).collect();
        about(&shown, &telling).into_iter().map(|section| section.gumdrop.clone()).collect()
    }

    const HERO: (&str, &str) =
        ("src/sections/Hero.tsx", "export const Hero = () => <section><h1>The drinks of the night</h1></section>");
    const CTA: (&str, &str) = ("src/sections/Cta.tsx", "export const Cta = () => <section><a>Buy</a></section>");
    const LIST: &str = "drinks.map((drink) => <p key={drink.name}>{drink.name}</p>)";

    #[test]
    fn a_section_renders_the_names_of_its_own_sources() {
        let app = "import { Hero } from './sections/Hero'; import { Features } from './sections/Features'; import { Cta } \
                   from './sections/Cta'; export default () => <main><Hero /><Features /><Cta /></main>";
        let of = |features: &str, more: (&str, &str)| {
            let files = [("src/App.tsx", app), CTA, ("src/sections/Features.tsx", features), HERO, more];
            about_words(&files, &["drink", "night"])
        };
        let here =
            format!("const drinks = [{{ name: 'Lime' }}]; export const Features = () => <section>{{{LIST}}}</section>");
        assert_eq!(of(&here, ("src/x.ts", "")), ["features"]);
        let imported =
            format!("import {{ drinks }} from '../data'; export const Features = () => <section>{{{LIST}}}</section>");
        assert_eq!(of(&imported, ("src/data.ts", "export const drinks = [{ name: 'Lime' }]")), ["features"]);
        let below = "import { Grid } from '../Grid'; export const Features = () => <section><Grid /></section>";
        let grid = format!("const drinks = [{{ name: 'Lime' }}]; export const Grid = () => <div>{{{LIST}}}</div>");
        assert_eq!(of(below, ("src/Grid.tsx", &grid)), ["features"]);
        let nothing = "export const Features = () => <section><h2>Why</h2></section>";
        assert_eq!(of(nothing, ("src/x.ts", "")), ["hero"], "its text names the drinks");
    }

    #[test]
    fn sections_in_one_file_are_distinguished_by_their_elements() {
        let app = format!(
            "const drinks = [{{ name: 'Lime' }}]; export default () => <main><section id=\"hero\"><h1>Hi</h1></section>\
             <section id=\"features\">{{{LIST}}}</section><section id=\"cta\"><a>Buy</a></section></main>"
        );
        assert_eq!(about_words(&[("src/App.tsx", &app)], &["drink"]), ["features"]);
        assert_eq!(about_words(&[("src/App.tsx", &app)], &["buy"]), ["cta"]);
    }

    #[test]
    fn words_in_no_section_or_in_all_sections_match_nothing() {
        let files = [("src/App.tsx", "export default () => <main />"), CTA, HERO];
        assert_eq!(about_words(&files, &["section"]), [""; 0]);
        assert_eq!(about_words(&files, &["map"]), [""; 0]);
        assert_eq!(about_words(&[("src/Hero.tsx", "export const Hero = <")], &["hero"]), [""; 0]);
        assert_eq!(rendered_texts("<", Sources::new(&[], true)), []);
    }
}
