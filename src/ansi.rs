//! The visible characters of a terminal's output.

const ESCAPE: char = '\u{1b}';

/// The characters without ANSI escape sequences and control characters, except line feeds and tabs.
pub(crate) fn visible(text: impl IntoIterator<Item = char>) -> impl Iterator<Item = char> {
    let mut chars = text.into_iter().peekable();
    std::iter::from_fn(move || {
        loop {
            match chars.next()? {
                ESCAPE => match chars.next_if(|c| ('@'..='_').contains(c)) {
                    // Colours and cursor movements: parameters, then one final character.
                    Some('[') => {
                        while chars.next_if(|c| (' '..='?').contains(c)).is_some() {}
                        chars.next_if(|c| ('@'..='~').contains(c));
                    }
                    // Titles and links: up to BEL or another escape.
                    Some(']') => while chars.next_if(|c| !c.is_control()).is_some() {},
                    _ => {}
                },
                c if !c.is_control() || c == '\n' || c == '\t' => return Some(c),
                _ => {}
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_and_control_characters_are_removed() {
        for (text, expected) in [
            ("\u{1b}[31merror\u{1b}[0m: a\tb\r\nc\u{0}", "error: a\tb\nc"),
            ("\u{1b}[38;2;10;20;30mx\u{1b}[2K\u{1b}[1~y\u{1b}[?25h", "xy"),
            ("\u{1b}]8;;https://a.b\u{7}link\u{1b}]8;;\u{1b}\\ end", "link end"),
            ("\u{1b}]0;title that does not end\nnext", "\nnext"),
            ("\u{1b}Mup \u{1b}é \u{1b}", "up é "),
            ("\u{1b}[31", ""),
            ("ü🦀", "ü🦀"),
        ] {
            assert_eq!(visible(text.chars()).collect::<String>(), expected, "{text:?}");
        }
    }
}
