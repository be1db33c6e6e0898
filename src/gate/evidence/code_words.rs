//! The words by which code names what people name in their own words: a link is `<a href>`.

use crate::gate::scope::{fit, stems};

/// Stems that people say, and the stems of the code for it.
const CODE_WORDS: &[(&str, &str)] = &[
    ("link url address anchor destination", "a href to link url"),
    ("image picture photo illustration logo avatar", "img image src svg picture logo"),
    ("icon", "icon svg"),
    ("video", "video iframe"),
    ("headline heading title", "h1 h2 h3 h4 h5 h6 title headline heading"),
    ("text paragraph copy sentence wording", "p span text"),
    ("button", "button btn"),
    ("list bullet", "ul ol li"),
    ("navigation navbar menu", "nav"),
    ("form field input", "form input label textarea select"),
    ("table", "table tr td th"),
    ("big bigger large larger small smaller size huge tiny", "size font width height scale padding text xl lg sm xs"),
    ("wide wider narrow narrower width", "width w max min"),
    ("tall taller short shorter height", "height h max min"),
    ("bold bolder weight thick thin", "weight bold strong b"),
    ("italic", "italic em i"),
    ("font typeface typography", "font"),
    ("color colour", "color background bg fill stroke primary accent"),
    ("dark darker light lighter", "dark light background bg color"),
    ("center centre middle align aligned left right", "center align justify place auto left right start end order"),
    ("spacing space margin padding gap", "margin padding gap space"),
    ("round rounded rounder corner radius", "radius rounded"),
    ("shadow", "shadow"),
    ("animation animate animated motion", "animation transition keyframe motion animate"),
    ("responsive mobile phone tablet", "media sm md lg viewport"),
    ("click press tap", "click press submit"),
];

/// Names of colours that CSS has, too.
pub(super) const COLOURS: [&str; 17] = [
    "red",
    "green",
    "blue",
    "yellow",
    "orange",
    "pink",
    "purple",
    "violet",
    "brown",
    "black",
    "white",
    "gray",
    "grey",
    "teal",
    "gold",
    "navy",
    "turquoise",
];

/// The places in a text: the nouns after `in the`, `of the` and the like.
pub(super) fn places(text: &str) -> Vec<String> {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let place = |pair: &[String]| {
        let [before, article, noun] = pair else { return None };
        let is_place = BEFORE_PLACES.contains(&before.as_str()) && ARTICLES.contains(&article.as_str());
        let stem = stems(noun).into_iter().next()?;
        (is_place && !EVERYWHERE.contains(&stem.as_str())).then_some(stem)
    };
    words.windows(3).filter_map(place).collect()
}

const BEFORE_PLACES: [&str; 6] = ["in", "of", "on", "inside", "within", "from"];
const ARTICLES: [&str; 5] = ["the", "my", "our", "your", "this"];
/// Places that contain every other one, and positions.
const EVERYWHERE: [&str; 14] = [
    "page", "site", "website", "app", "project", "screen", "top", "bottom", "left", "right", "middle", "end", "start",
    "whole",
];

/// Whether code with these stems has what a stem names.
pub(super) fn names(code: &[String], stem: &String) -> bool {
    fit(std::slice::from_ref(stem), code) > 0 || words_for(stem).any(|word| code.iter().any(|known| known == word))
}

fn words_for(stem: &str) -> impl Iterator<Item = &'static str> {
    let said = move |said: &str| said.split(' ').any(|said| said == stem);
    CODE_WORDS.iter().filter(move |(names, _)| said(names)).flat_map(|(_, code)| code.split(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_names_what_people_say() {
        for (said, code, expected) in [
            ("link", "<a href=\"/shop\">Shop</a>", true),
            ("link", "<p>Shop</p>", false),
            ("headline", "<h1>Hello</h1>", true),
            ("bigger", "font-size: 3rem;", true),
            ("shop", "<h2>The shop</h2>", true),
        ] {
            let stem = stems(said).remove(0);
            assert_eq!(names(&stems(code), &stem), expected, "{said}: {code}");
        }
    }

    #[test]
    fn a_place_follows_a_preposition_and_an_article() {
        for (text, expected) in [
            ("the broken link in the CTA", vec!["cta"]),
            ("the headline of the hero, in the header", vec!["hero", "header"]),
            ("the headline of the page", vec![]),
            ("a list of drinks", vec![]),
        ] {
            assert_eq!(places(text), expected, "{text}");
        }
    }

    #[test]
    fn the_table_has_stems() {
        for (said, code) in CODE_WORDS {
            for word in said.split(' ').chain(code.split(' ')) {
                assert_eq!(stems(word), [word], "{word}");
            }
        }
    }
}
