//! The title of a Markdown text.

use crate::answer::fence_mark;

/// The first heading of any level, outside fences and front matter.
pub(super) fn heading(text: &str) -> Option<String> {
    let mut fence = None;
    let mut before = "";
    for line in body(text).lines() {
        let content = line.trim();
        let mark = fence_mark(content);
        let is_code = line.starts_with("    ") || line.starts_with('\t');
        match fence {
            Some(open) => {
                if mark.starts_with(open) && content == mark {
                    fence = None;
                }
                continue;
            }
            None if !mark.is_empty() && !is_code => fence = Some(mark),
            None => {}
        }
        let is_underline =
            !content.is_empty() && ["=", "-"].iter().any(|mark| content.trim_start_matches(mark).is_empty());
        let own = if is_underline { Some(before) } else { marked(content) };
        if let Some(title) = own.filter(|title| !title.is_empty() && !is_code) {
            return Some(title.to_owned());
        }
        let is_text = fence.is_none() && !is_code && !content.starts_with(['>', '-', '*', '+', '|', '<']);
        before = if is_text { content } else { "" };
    }
    None
}

/// The text of a heading that begins with one to six `#`.
fn marked(content: &str) -> Option<&str> {
    let text = content.trim_start_matches('#');
    let level = content.len() - text.len();
    if !(1..=6).contains(&level) || !(text.is_empty() || text.starts_with([' ', '\t'])) {
        return None;
    }
    let text = text.trim();
    let open = text.trim_end_matches('#');
    Some(if open.is_empty() || open.ends_with([' ', '\t']) { open.trim_end() } else { text })
}

/// The text after its front matter.
fn body(text: &str) -> &str {
    let text = text.trim_start_matches('\u{feff}');
    let Some(matter) = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n")) else { return text };
    let end = matter.match_indices("\n---").map(|(at, _)| matter.get(at + 4..).unwrap_or_default());
    end.into_iter().find(|rest| rest.is_empty() || rest.starts_with(['\n', '\r'])).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::heading;

    #[test]
    fn the_title_is_the_first_heading_of_any_level_outside_fences() {
        for (text, expected) in [
            ("intro\n\n# Foo\n## Bar\n", Some("Foo")),
            ("### Foo ###\n# Bar", Some("Foo")),
            ("  ###### C#\n", Some("C#")),
            ("```sh\n# install\n```\n## Foo\n", Some("Foo")),
            ("~~~~\n```\n~~~\n# no\n~~~~\n# Foo\n", Some("Foo")),
            ("Foo\r\n===\r\n", Some("Foo")),
            ("one\n\nFoo\n---\n", Some("Foo")),
            ("---\ntitle: x\n# no\n---\n# Foo\n", Some("Foo")),
            ("\u{feff}# Foo\n", Some("Foo")),
            ("    # code\n\t# code\n# Foo\n", Some("Foo")),
            ("#\n# \n# Foo\n", Some("Foo")),
            ("text\n\n---\n\n- one\n---\n", None),
            ("#hashtag\n####### seven\n", None),
            ("```\n# no\n", None),
            ("no heading\n", None),
            ("", None),
        ] {
            assert_eq!(heading(text).as_deref(), expected, "{text}");
        }
    }
}
