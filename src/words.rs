//! Splits texts and compound names into words.

/// The words of a text in order, in lower case and singular: `FlavorGrid.tsx` and "flavor grids" share two words.
pub fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut was_lower) = (Vec::new(), String::new(), false);
    for c in text.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && was_lower) {
            push(&mut words, &mut word);
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase() || c.is_numeric();
    }
    push(&mut words, &mut word);
    words
}

fn push(words: &mut Vec<String>, word: &mut String) {
    let word = std::mem::take(word);
    if !word.is_empty() {
        let singular = word.strip_suffix('s').filter(|rest| rest.len() > 2).map(str::to_owned);
        words.push(singular.unwrap_or(word));
    }
}

/// A part of a page that people name without the word "section".
pub(crate) struct PagePart {
    /// Its names, as [`words`] returns them.
    pub names: &'static str,
    /// Elements that it has.
    pub tags: &'static str,
    /// Words in its headings.
    pub headings: &'static str,
}

/// The parts of pages that have such names.
pub(crate) const PAGE_PARTS: [PagePart; 9] = [
    PagePart { names: "footer", tags: "footer", headings: "" },
    PagePart { names: "header navbar nav navigation", tags: "header nav", headings: "" },
    PagePart { names: "sidebar", tags: "aside", headings: "" },
    PagePart { names: "hero banner", tags: "h1", headings: "" },
    PagePart { names: "form newsletter contact", tags: "form", headings: "contact touch newsletter subscribe" },
    PagePart { names: "faq", tags: "details", headings: "question answer faq ask" },
    PagePart { names: "testimonial", tags: "blockquote", headings: "testimonial review customer guest say love" },
    PagePart { names: "pricing", tags: "", headings: "price pricing plan membership cost" },
    PagePart { names: "gallery portfolio", tags: "", headings: "gallery photo picture work portfolio" },
];

/// Whether a word in lower case names a [`PagePart`]. One testimonial is an item.
pub(crate) fn is_page_part(word: &str) -> bool {
    let singular = word.strip_suffix('s').unwrap_or(word);
    word != "testimonial" && PAGE_PARTS.iter().any(|part| part.names.split(' ').any(|name| name == singular))
}

/// The value of a number word in lower case, from `zero` to `twenty`.
pub fn number(word: &str) -> Option<u32> {
    const NUMBERS: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen \
                           sixteen seventeen eighteen nineteen twenty";
    NUMBERS.split(' ').zip(0..).find(|(number, _)| *number == word).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_compound_names_are_split_into_words() {
        for (text, expected) in [
            ("src/sections/FlavorGrid.tsx", vec!["src", "section", "flavor", "grid", "tsx"]),
            ("flavor-grid#2", vec!["flavor", "grid", "2"]),
            ("Two flavors, as is", vec!["two", "flavor", "as", "is"]),
            ("HTMLElement v2Beta", vec!["htmlelement", "v2", "beta"]),
            ("", vec![]),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
    }
}
