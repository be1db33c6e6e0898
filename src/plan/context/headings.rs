//! Demotes the headings of a Markdown text below another heading.

/// The deepest heading level in Markdown.
const DEEPEST: usize = 6;

/// Demotes the headings of the text below a heading of this level, preserving their relative levels. Code is unchanged.
pub(super) fn below(level: usize, text: &str) -> String {
    let lines = read(text);
    let highest = lines.iter().filter_map(|line| Some(line.heading()?.0)).min().unwrap_or(DEEPEST);
    let deeper = (level + 1).saturating_sub(highest);
    let written = lines.iter().map(|line| match line.heading() {
        Some((own, title)) => format!("{} {title}", "#".repeat((own + deeper).min(DEEPEST))).trim_end().to_owned(),
        None => line.text().to_owned(),
    });
    written.collect::<Vec<_>>().join("\n")
}

/// A line of the text. A setext heading is one line: title and underline.
enum Line<'t> {
    Heading { level: usize, title: &'t str },
    Other(&'t str),
}

impl<'t> Line<'t> {
    fn heading(&self) -> Option<(usize, &'t str)> {
        match self {
            Line::Heading { level, title } => Some((*level, title)),
            Line::Other(_) => None,
        }
    }

    fn text(&self) -> &'t str {
        match self {
            Line::Heading { title, .. } => title,
            Line::Other(text) => text,
        }
    }
}

fn read(text: &str) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut fence: Option<(char, usize)> = None;
    for line in text.lines() {
        let mark = fence_of(line);
        match (fence, mark) {
            (None, Some((letter, length, _))) => fence = Some((letter, length)),
            (Some((letter, length)), Some((same, other, true))) if same == letter && other >= length => fence = None,
            (Some(_), _) => {}
            (None, None) => {
                if let Some((level, title)) = marked(line) {
                    lines.push(Line::Heading { level, title });
                    continue;
                }
                if let Some(level) = underline(line)
                    && let Some(title) = underlined(&lines)
                {
                    lines.pop();
                    lines.push(Line::Heading { level, title });
                    continue;
                }
            }
        }
        lines.push(Line::Other(line));
    }
    lines
}

/// The character and length of a code fence, and whether it has no info string.
fn fence_of(line: &str) -> Option<(char, usize, bool)> {
    let text = line.trim_start();
    let letter = text.chars().next().filter(|letter| matches!(letter, '`' | '~'))?;
    let rest = text.trim_start_matches(letter);
    let length = text.len() - rest.len();
    (length >= 3 && !(letter == '`' && rest.contains('`'))).then_some((letter, length, rest.trim().is_empty()))
}

/// `## Title ##`.
fn marked(line: &str) -> Option<(usize, &str)> {
    let text = unindented(line)?;
    let title = text.trim_start_matches('#');
    let level = text.len() - title.len();
    let is_heading = (1..=DEEPEST).contains(&level) && (title.is_empty() || title.starts_with([' ', '\t']));
    let title = title.trim();
    let closed = title.trim_end_matches('#');
    let is_closed = closed.is_empty() || closed.ends_with([' ', '\t']);
    is_heading.then_some((level, if is_closed { closed.trim_end() } else { title }))
}

/// The heading level that a line of `=` or `-` gives to the line above.
fn underline(line: &str) -> Option<usize> {
    let text = unindented(line)?.trim_end();
    let is_only = |letter: char| !text.is_empty() && text.chars().all(|other| other == letter);
    if is_only('=') {
        Some(1)
    } else if is_only('-') {
        Some(2)
    } else {
        None
    }
}

/// The last line, if it is a paragraph of one line.
fn underlined<'t>(lines: &[Line<'t>]) -> Option<&'t str> {
    let (Line::Other(title), rest) = lines.split_last()? else { return None };
    let is_text = |line: &str| {
        unindented(line).is_some_and(|text| {
            !text.trim().is_empty()
                && !text.starts_with(['>', '|', '`', '~', '-', '*', '+', '<', '='])
                && !is_numbered(text)
        })
    };
    let begins = match rest.last() {
        Some(Line::Other(before)) => !is_text(before),
        Some(Line::Heading { .. }) | None => true,
    };
    (begins && is_text(title)).then(|| title.trim())
}

fn is_numbered(text: &str) -> bool {
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    rest.len() < text.len() && rest.starts_with(['.', ')'])
}

/// The line without its indent; `None` for indented code (four spaces).
fn unindented(line: &str) -> Option<&str> {
    let text = line.trim_start_matches(' ');
    (line.len() - text.len() < 4 && !text.starts_with('\t')).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::below;

    #[test]
    fn headings_are_demoted_with_their_relative_levels() {
        for (text, expected) in [
            ("# Hero\n\ntext\n\n## Layout\n### Grid", "#### Hero\n\ntext\n\n##### Layout\n###### Grid"),
            ("## Layout\n# Hero", "##### Layout\n#### Hero"),
            ("# A\n## B\n### C\n#### D", "#### A\n##### B\n###### C\n###### D"),
            ("#### Deep\n##### Deeper", "#### Deep\n##### Deeper"),
            ("   # Indented #\n## C# and C#", "#### Indented\n##### C# and C#"),
            ("#\n#hashtag\n####### seven", "####\n#hashtag\n####### seven"),
            ("Hero\n====\n\nLayout\n---\ntext", "#### Hero\n\n##### Layout\ntext"),
            ("no heading\n\n---\n\n- item\n---\n| a |\n|---|", "no heading\n\n---\n\n- item\n---\n| a |\n|---|"),
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
            "\t# indented code",
            "1. step\n   ```tsx\n   # in a list\n   ```",
            "```\nTitle\n===\n# never closed",
        ] {
            assert_eq!(below(3, code), code);
            assert_eq!(below(3, &format!("# A\n{code}")), format!("#### A\n{code}"));
        }
        assert_eq!(below(3, "`x`\n```a`b```\n# A"), "`x`\n```a`b```\n#### A", "inline code does not open a fence");
    }
}
