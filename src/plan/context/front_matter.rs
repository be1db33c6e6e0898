//! The front matter of a recipe: the subset of YAML needed for the list of components.

/// The names under `components`: a block list, a flow list, or comma-separated names. Empty without such a key or without
/// front matter.
pub(super) fn components(recipe: &str) -> Vec<String> {
    let Some((matter, _)) = split(recipe) else { return Vec::new() };
    let mut lines = matter.lines();
    let Some(first) = lines.by_ref().find_map(value_of_components) else { return Vec::new() };
    // The value continues while lines are indented or are list items.
    let rest = lines.take_while(|line| line.starts_with([' ', '\t', '-', '#', ']']) || line.trim().is_empty());
    let lines: Vec<&str> = std::iter::once(first).chain(rest).map(without_comment).collect();
    let lines = || lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty());
    if lines().next().is_some_and(|line| item(line).is_some()) {
        return lines().filter_map(item).filter_map(name).collect();
    }
    let value =
        lines().filter(|line| !matches!(*line, "|" | ">" | "|-" | ">-" | "|+" | ">+")).collect::<Vec<_>>().join(" ");
    match value.strip_prefix('[') {
        Some(list) => names(list.split_once(']').map_or(list, |(list, _)| list)),
        None => names(unquoted(&value)),
    }
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

fn value_of_components(line: &str) -> Option<&str> {
    let (key, value) = line.split_once(':')?;
    let is_value = value.is_empty() || value.starts_with([' ', '\t', '\r']);
    let is_top_level = !key.starts_with([' ', '\t']);
    (is_value && is_top_level && unquoted(key) == "components").then_some(value)
}

/// The text of a list item.
fn item(line: &str) -> Option<&str> {
    line.strip_prefix('-').filter(|text| text.is_empty() || text.starts_with([' ', '\t']))
}

fn names(list: &str) -> Vec<String> {
    pieces(list, ',').into_iter().filter_map(name).collect()
}

/// A name without quotes; `None` if nothing is left.
fn name(text: &str) -> Option<String> {
    let text = text.trim().trim_end_matches(',').trim_end();
    Some(unquoted(text).trim()).filter(|name| !matches!(*name, "" | "~" | "null")).map(str::to_owned)
}

fn unquoted(text: &str) -> &str {
    let text = text.trim();
    let within = |quote| text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
    within('"').or_else(|| within('\'')).filter(|within| !within.contains(['"', '\''])).unwrap_or(text)
}

/// Removes a comment: a `#` at the start of the line or after a space, outside quotes.
fn without_comment(line: &str) -> &str {
    let mut start = 0;
    for piece in pieces(line, '#') {
        let end = start + piece.len();
        if line.get(end..).is_some_and(|rest| rest.starts_with('#')) && (end == 0 || piece.ends_with([' ', '\t'])) {
            return line.get(..end).unwrap_or(line);
        }
        start = end + 1;
    }
    line
}

/// Splits at separators outside quotes. A quote starts only where a value may start.
fn pieces(text: &str, separator: char) -> Vec<&str> {
    let (mut pieces, mut start, mut open, mut before) = (Vec::new(), 0, None, ' ');
    for (at, c) in text.char_indices() {
        match open {
            Some(quote) if c == quote => open = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'') && matches!(before, ' ' | '\t' | ',' | '[') => open = Some(c),
            None if c == separator => {
                pieces.extend(text.get(start..at));
                start = at + c.len_utf8();
            }
            None => {}
        }
        before = c;
    }
    pieces.extend(text.get(start..));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(matter: &str) -> String {
        components(&format!("---\nname: hero\n{matter}\ntags: [Not, These]\n---\n# Hero\n")).join("|")
    }

    #[test]
    fn every_form_of_the_list_is_read() {
        let cases = [
            ("components: Badge, Button, Input, AspectRatio", "Badge|Button|Input|AspectRatio"),
            ("components:   Badge ,Button,, ", "Badge|Button"),
            ("components: Badge", "Badge"),
            ("components: \"Badge, Button\"", "Badge|Button"),
            ("components: Badge,\n  Button", "Badge|Button"),
            ("components: >-\n  Badge,\n  Button", "Badge|Button"),
            ("components: Badge, Button # and, more", "Badge|Button"),
            ("components: [Badge, Button]", "Badge|Button"),
            ("components: [ \"Badge\", 'Button' , Input, ] # why", "Badge|Button|Input"),
            ("components: [\n  Badge, # first\n  \"Button\"\n]", "Badge|Button"),
            ("components:\n  [Badge,\n   Button]", "Badge|Button"),
            ("components: []", ""),
            ("components:\n  - Badge\n  - \"Button\"\n  - 'Input'", "Badge|Button|Input"),
            ("components:\n- Badge\n- Button", "Badge|Button"),
            (
                "components: # the parts\n\n  # all of them\n  - Badge # one\n\n  - C#Sharp\n  -\n  - '#1'",
                "Badge|C#Sharp|#1",
            ),
            ("\"components\": Badge", "Badge"),
            ("components : Badge", "Badge"),
            ("components:", ""),
            ("components: ~", ""),
            ("components: null", ""),
            ("components:Badge", ""),
            ("more:\n  components: Badge", ""),
            ("my-components: Badge", ""),
            ("# components: Badge", ""),
            ("components: It's, Can't", "It's|Can't"),
            ("components: [\"A, B\", C]", "A, B|C"),
        ];
        for (matter, expected) in cases {
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
