//! What a template has: components, sections, texts.

use crate::js::lexer::{PieceKind, Source};
use crate::js::tree::is_component;
use crate::path::extension;
use crate::syntax::markup::{MARKUP, head_end};
use crate::syntax::template::as_jsx;
use crate::text::one_line;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Elements that are parts of a page.
pub(super) const SECTIONS: [&str; 6] = ["header", "nav", "section", "footer", "aside", "form"];

/// What the template of a source has.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Page {
    /// The first names of components: `motion` of `<motion.div>`.
    pub components: BTreeSet<String>,
    pub sections: Vec<Section>,
    /// What it says, each on one line.
    pub texts: Vec<String>,
}

/// A part of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Section {
    pub tag: String,
    /// The opening tag.
    pub head: String,
    /// The texts and the components in it.
    pub contents: Vec<String>,
    /// Offsets in the template.
    range: (usize, usize),
}

impl Page {
    pub(super) fn read(path: &str, text: &str) -> Self {
        let (code, extension) = match extension(path) {
            known if MARKUP.contains(&known) => (Cow::Owned(format!("<>{}</>", as_jsx(text, known, true).text)), "tsx"),
            known @ ("tsx" | "jsx" | "js" | "mjs") => (Cow::Borrowed(text), known),
            _ => return Self::default(),
        };
        let source = Source::new(&code, extension);
        let mut page = Self::default();
        let mut places = Vec::new();
        for piece in &source.pieces {
            let said = one_line(piece.text);
            match piece.kind {
                PieceKind::Text if said.chars().filter(|c| c.is_alphabetic()).count() > 2 => {
                    places.push((piece.at, said.clone()));
                    page.texts.push(said);
                }
                PieceKind::Element if is_component(&said) => {
                    let name = said.split('.').next().unwrap_or_default();
                    places.push((piece.at, format!("<{name}")));
                    page.components.insert(name.to_owned());
                }
                PieceKind::Element if SECTIONS.contains(&piece.text) && page.sections.len() < SECTIONS_MAX => {
                    let range = (piece.at, end_of(source.code(), piece.at, piece.text));
                    let head = code.get(piece.at..head_end(&code, piece.at)).unwrap_or_default();
                    let (tag, head) = (piece.text.to_owned(), one_line(head));
                    page.sections.push(Section { tag, head, contents: Vec::new(), range });
                }
                _ => {}
            }
        }
        for section in &mut page.sections {
            let (from, to) = section.range;
            let inside = places.iter().filter(|(at, _)| (from..to).contains(at));
            section.contents.extend(inside.map(|(_, said)| said.clone()));
        }
        page
    }

    /// The outermost sections that `self` has and `other` has not: with another opening tag, and without any of their texts
    /// and components. Where there are as many elements as before, one took the place of the other.
    pub(super) fn without(&self, other: &Self) -> Vec<&Section> {
        let count = |page: &Self, tag: &str| page.sections.iter().filter(|section| section.tag == tag).count();
        let is_same = |one: &Section, two: &Section| {
            let is_headed = one.head.contains('=') && one.head == two.head;
            one.tag == two.tag && (is_headed || one.contents.iter().any(|said| two.contents.contains(said)))
        };
        let mut gone: Vec<&Section> = Vec::new();
        for section in &self.sections {
            let is_inside = gone.iter().any(|outer| outer.range.1 >= section.range.1);
            let is_kept = other.sections.iter().any(|kept| is_same(section, kept));
            if !is_inside && !is_kept && count(other, &section.tag) < count(self, &section.tag) {
                gone.push(section);
            }
        }
        gone
    }
}

/// Maximum number of sections of a template that are read.
const SECTIONS_MAX: usize = 100;

/// Where the element that starts here is closed.
fn end_of(code: &str, at: usize, tag: &str) -> usize {
    let ends = |rest: &str| rest.starts_with(|c: char| c.is_whitespace() || matches!(c, '>' | '/'));
    let mut depth = 1_usize;
    let rest = code.get(at + tag.len()..).unwrap_or_default();
    for (found, _) in rest.match_indices(tag) {
        let before = rest.get(..found).unwrap_or_default();
        if !rest.get(found + tag.len()..).is_some_and(ends) {
            continue;
        }
        if before.ends_with("</") {
            depth -= 1;
        } else if before.ends_with('<') {
            depth += 1;
        }
        if depth == 0 {
            return at + tag.len() + found;
        }
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_read_in_every_language() {
        let jsx =
            "<main><Header /><section id=\"a\"><h2>About us</h2><Map /></section><footer>Open daily</footer></main>";
        for (path, text) in [
            ("src/App.tsx", format!("export default () => {jsx} // <Old />")),
            (
                "src/App.vue",
                format!("<script setup>\nimport Header from './Header.vue'\n</script>\n<template>{jsx}</template>"),
            ),
            ("src/App.svelte", format!("<script>let a</script>\n{jsx}<!-- <Old /> -->")),
            ("src/pages/index.astro", format!("---\nconst a = 1\n---\n{jsx}")),
        ] {
            let page = Page::read(path, &text);
            assert_eq!(page.components.iter().map(String::as_str).collect::<Vec<_>>(), ["Header", "Map"], "{path}");
            assert_eq!(page.texts, ["About us", "Open daily"], "{path}");
            let sections: Vec<(&str, &[String])> =
                page.sections.iter().map(|section| (section.tag.as_str(), section.contents.as_slice())).collect();
            assert_eq!(sections[0].1, ["About us", "<Map"], "{path}");
            assert_eq!(sections[1], ("footer", ["Open daily".to_owned()].as_slice()), "{path}");
        }
        assert_eq!(Page::read("a.css", "a { b: c }"), Page::default());
    }

    #[test]
    fn a_section_is_gone_if_fewer_are_left_and_none_has_its_words() {
        let page = |text: &str| Page::read("index.html", text);
        let before =
            page("<section id='a'><h2>About</h2><nav>Home</nav></section><section id='b'><h2>Menu</h2></section>");
        for (after, expected) in [
            ("<section id='b'><h2>Menu</h2></section>", vec!["About"]),
            ("<section id='b'><h2>Cakes</h2></section><section id='a'><h2>Us</h2><nav>Home</nav></section>", vec![]),
            ("<section id='c'><h2>New</h2></section><section id='b'><h2>Menu</h2></section>", vec!["Home"]),
            ("", vec!["About", "Menu"]),
        ] {
            let after = page(after);
            let gone: Vec<&str> = before.without(&after).iter().map(|section| section.contents[0].as_str()).collect();
            assert_eq!(gone, expected);
        }
    }
}
