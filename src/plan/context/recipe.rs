//! Reads a recipe: the components in its front matter, and its text for a place below another heading.

/// The names under `components`: a block list, a flow list, or comma-separated names. Empty without such a key or without
/// front matter.
pub(super) fn components(recipe: &str) -> Vec<String> {
    let Some((matter, _)) = split(recipe) else { return Vec::new() };
    let mut lines = matter.lines();
    let Some(first) = lines.by_ref().find_map(value_of_components) else { return Vec::new() };
    // The value continues while lines are indented or are list items.
    let rest = lines.take_while(|line| line.starts_with([' ', '\t', '-', '#', ']']) || line.trim().is_empty());
    let values = std::iter::once(first).chain(rest).filter_map(|line| line.split('#').next());
    // Without quotes, brackets and the dash of a list item.
    let names = values.flat_map(|value| value.split(',')).map(|name| name.trim_matches(|c: char| !c.is_alphanumeric()));
    names.filter(|name| !matches!(*name, "" | "null")).map(str::to_owned).collect()
}

fn value_of_components(line: &str) -> Option<&str> {
    let (key, value) = line.split_once(':')?;
    let is_value = value.trim().is_empty() || value.starts_with([' ', '\t']);
    (is_value && key.trim_end().trim_matches(['"', '\'']) == "components").then_some(value)
}

/// The recipe without its front matter.
pub(super) fn body(recipe: &str) -> &str {
    split(recipe).map_or(recipe, |(_, body)| body)
}

/// The front matter and the text after it. It must start at the first line and be closed.
fn split(recipe: &str) -> Option<(&str, &str)> {
    let text = recipe.strip_prefix('\u{feff}').unwrap_or(recipe);
    let (first, text) = text.split_once('\n')?;
    if first.trim_end() != "---" {
        return None;
    }
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        if matches!(line.trim_end(), "---" | "...") {
            return Some((text.get(..start)?, text.get(end..)?));
        }
        start = end;
    }
    None
}

/// The deepest heading level in Markdown.
const DEEPEST: usize = 6;

/// Demotes the headings of the text below a heading of this level, preserving their relative levels. Code is unchanged.
pub(super) fn below(level: usize, text: &str) -> String {
    let headings = headings(text);
    let highest = headings.iter().flatten().map(|(own, _)| *own).min().unwrap_or(DEEPEST);
    let deeper = (level + 1).saturating_sub(highest);
    let lines = text.lines().zip(headings).map(|(line, heading)| match heading {
        Some((own, title)) => format!("{} {title}", "#".repeat((own + deeper).min(DEEPEST))).trim_end().to_owned(),
        None => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// By line: the level and the title of a heading.
fn headings(text: &str) -> Vec<Option<(usize, &str)>> {
    let mut open: Option<&str> = None;
    let headings = text.lines().map(|line| match (open, fence(line)) {
        (None, None) => heading(line),
        (None, Some((mark, _))) => {
            open = Some(mark);
            None
        }
        (Some(mark), Some((other, ""))) if other.starts_with(mark) => {
            open = None;
            None
        }
        (Some(_), _) => None,
    });
    headings.collect()
}

/// The characters of a code fence, and its info string.
fn fence(line: &str) -> Option<(&str, &str)> {
    let text = line.trim();
    let letter = if text.starts_with('~') { '~' } else { '`' };
    let info = text.trim_start_matches(letter);
    let mark = text.strip_suffix(info)?;
    (mark.len() >= 3 && !info.contains('`')).then_some((mark, info))
}

/// `## Title`. Four spaces are indented code.
fn heading(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start_matches(' ');
    let title = text.trim_start_matches('#');
    let level = text.len() - title.len();
    let is_heading = (1..=DEEPEST).contains(&level) && (title.is_empty() || title.starts_with([' ', '\t']));
    (is_heading && line.len() - text.len() < 4).then(|| (level, title.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_the_list_is_read() {
        let cases = [
            ("components: Badge, Button, Input, AspectRatio", "Badge|Button|Input|AspectRatio"),
            ("components:   Badge ,Button,, ", "Badge|Button"),
            ("components: \"Badge, Button\"", "Badge|Button"),
            ("components: Badge,\n  Button", "Badge|Button"),
            ("components: >-\n  Badge,\n  Button", "Badge|Button"),
            ("components: Badge, Button # and, more", "Badge|Button"),
            ("components: [ \"Badge\", 'Button' , Input, ] # why", "Badge|Button|Input"),
            ("components: [\n  Badge, # first\n  \"Button\"\n]", "Badge|Button"),
            ("components: []", ""),
            ("components:\n  - Badge\n  - \"Button\"\n  - 'Input'", "Badge|Button|Input"),
            ("components:\n- Badge\n- Button", "Badge|Button"),
            ("components: # the parts\n\n  # all of them\n  - Badge # one\n\n  - Button\n  -", "Badge|Button"),
            ("\"components\": Badge", "Badge"),
            ("components:", ""),
            ("components: ~", ""),
            ("components: null", ""),
            ("components:Badge", ""),
            ("more:\n  components: Badge", ""),
            ("my-components: Badge", ""),
            ("# components: Badge", ""),
        ];
        for (matter, expected) in cases {
            let of = |matter: &str| {
                components(&format!("---\nname: hero\n{matter}\ntags: [Not, These]\n---\n# Hero\n")).join("|")
            };
            assert_eq!(of(matter), expected, "{matter}");
            assert_eq!(of(&matter.replace('\n', "\r\n")), expected, "with CRLF: {matter}");
        }
    }

    #[test]
    fn the_front_matter_is_what_the_first_line_opens() {
        let cases = [
            ("---\ncomponents: A\n---\nbody\n---\nmore", "A", "body\n---\nmore"),
            ("\u{feff}---\r\ncomponents: A\r\n---\r\nbody", "A", "body"),
            ("---  \ncomponents: A\n...\nbody", "A", "body"),
            ("---\ncomponents: A\n---", "A", ""),
            ("---\n---\nbody", "", "body"),
            ("components: A\nbody", "", "components: A\nbody"),
            ("# Hero\n---\ncomponents: A\n---\n", "", "# Hero\n---\ncomponents: A\n---\n"),
            ("---\ncomponents: A\nnever closed", "", "---\ncomponents: A\nnever closed"),
            ("---", "", "---"),
            ("", "", ""),
        ];
        for (recipe, expected, text) in cases {
            assert_eq!((components(recipe).join("|").as_str(), body(recipe)), (expected, text), "{recipe:?}");
        }
    }

    #[test]
    fn headings_are_demoted_with_their_relative_levels() {
        for (text, expected) in [
            ("# Hero\n\ntext\n\n## Layout\n### Grid", "#### Hero\n\ntext\n\n##### Layout\n###### Grid"),
            ("## Layout\n# Hero", "##### Layout\n#### Hero"),
            ("# A\n## B\n### C\n#### D", "#### A\n##### B\n###### C\n###### D"),
            ("#### Deep\n##### Deeper", "#### Deep\n##### Deeper"),
            ("   # Indented\n## C# and C#", "#### Indented\n##### C# and C#"),
            ("#\n#hashtag\n####### seven", "####\n#hashtag\n####### seven"),
            ("no heading\n\n---\n\n- item\n| a |\n|---|", "no heading\n\n---\n\n- item\n| a |\n|---|"),
            ("", ""),
        ] {
            assert_eq!(below(3, text), expected, "{text}");
        }
    }

    #[test]
    fn code_is_not_changed() {
        for code in [
            "```sh\n# a comment\n```",
            "~~~\n# a comment\n```\n# more\n~~~",
            "````\n```\n# inner\n```\n# still\n````",
            "    # indented code",
            "1. step\n   ```tsx\n   # in a list\n   ```",
            "```\n# never closed",
        ] {
            assert_eq!(below(3, &format!("# A\n{code}")), format!("#### A\n{code}"));
        }
        assert_eq!(below(3, "`x`\n```a`b```\n# A"), "`x`\n```a`b```\n#### A", "inline code does not open a fence");
    }

    #[cfg(not(target_family = "wasm"))]
    proptest::proptest! {
        #[test]
        fn any_text_is_read(matter in "(\\PC|[\n\r\t \"',#\\[\\]:-]|components: ?){0,60}") {
            for name in components(&format!("---\ncomponents:{matter}\n---\n")) {
                proptest::prop_assert!(name.split(' ').all(|word| matter.contains(word)), "{}", name);
                proptest::prop_assert!(!name.trim().is_empty());
            }
        }
    }
}
