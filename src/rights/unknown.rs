//! What a word may be in which a shell expands something, and what a text may be that is not read exactly.

use crate::shell_words::{ANY, UNKNOWN};

/// Whether a word has something that a shell expands.
pub(super) fn has_unknown(word: &str) -> bool {
    word.contains([UNKNOWN, ANY])
}

enum Token {
    Char(char),
    One,
    /// Any text of a name.
    Many,
    /// Any folders, with their slashes.
    Folders,
    /// Any text.
    Deep,
}

fn tokens(pattern: &str) -> Vec<Token> {
    let (mut tokens, mut rest) = (Vec::new(), pattern);
    while let Some(c) = rest.chars().next() {
        let mut length = c.len_utf8();
        tokens.push(match c {
            '*' if rest.starts_with("**/") => {
                length = "**/".len();
                Token::Folders
            }
            '*' if rest.starts_with("**") => {
                length = "**".len();
                Token::Deep
            }
            '*' => Token::Many,
            '?' => Token::One,
            '[' => {
                length = rest.get(2..).and_then(|inner| inner.find(']')).map_or(rest.len(), |end| end + 3);
                Token::One
            }
            '\\' => {
                let escaped = rest.chars().nth(1).unwrap_or('\\');
                length += escaped.len_utf8().min(rest.len() - 1);
                Token::Char(escaped)
            }
            c => Token::Char(c),
        });
        rest = rest.get(length..).unwrap_or_default();
    }
    tokens
}

/// Whether a text in which something is expanded may be one that a pattern covers. What is expanded is any text without a
/// slash; of a wildcard, at the beginning of a name, none with a dot.
pub(super) fn may_match(pattern: &str, text: &str) -> bool {
    let tokens = tokens(pattern);
    // Whether the tokens before a place match what is read.
    let mut open = vec![false; tokens.len() + 1];
    let skip = |open: &mut Vec<bool>, begins_name: bool| {
        for (at, token) in tokens.iter().enumerate() {
            let is_empty = matches!(token, Token::Many | Token::Deep) || begins_name && matches!(token, Token::Folders);
            if is_empty && open.get(at) == Some(&true) {
                open.get_mut(at + 1).into_iter().for_each(|next| *next = true);
            }
        }
    };
    open.first_mut().into_iter().for_each(|first| *first = true);
    skip(&mut open, true);
    let mut begins_name = true;
    for c in text.chars() {
        let mut next = vec![false; tokens.len() + 1];
        let mut reaches = false;
        for (at, token) in tokens.iter().map(Some).chain([None]).enumerate() {
            let is_open = open.get(at) == Some(&true);
            if has_unknown(c.encode_utf8(&mut [0; 4])) {
                let is_hidden = c == ANY && begins_name && matches!(token, Some(Token::Char('.')));
                reaches |= is_open && !is_hidden;
                next.get_mut(at).into_iter().for_each(|next| *next |= reaches);
                reaches &= !matches!(token, Some(Token::Char('/') | Token::Folders));
                continue;
            }
            let Some(token) = token.filter(|_| is_open) else { continue };
            let (takes, stays) = match token {
                Token::Char(own) => (*own == c, false),
                Token::One => (c != '/', false),
                Token::Many => (false, c != '/'),
                Token::Folders | Token::Deep => (false, true),
            };
            next.get_mut(at).into_iter().for_each(|next| *next |= stays);
            next.get_mut(at + 1).into_iter().for_each(|next| *next |= takes);
        }
        begins_name = c == '/';
        open = next;
        skip(&mut open, begins_name);
    }
    open.last() == Some(&true)
}

/// Whether a text that is not read exactly may name what a pattern names: it has the letters of the pattern in their order,
/// or something that a shell expands.
pub(super) fn may_hide(pattern: &str, text: &str) -> bool {
    if text.contains(['$', '`', '\\', '*', '?', '[', '{', '~', '\u{0}']) {
        return true;
    }
    let text = text.to_lowercase();
    let mut chars = text.chars();
    let letters = tokens(pattern).into_iter().filter_map(|token| match token {
        Token::Char(c) if c.is_alphanumeric() => Some(c),
        _ => None,
    });
    letters.into_iter().all(|letter| letter.to_lowercase().all(|letter| chars.any(|c| c == letter)))
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;

    #[test]
    fn a_text_with_an_expansion_may_be_what_fits_its_known_parts() {
        for (pattern, text, expected) in [
            ("git push", "git U", true),
            ("git push", "U", true),
            ("git push", "gU push", true),
            ("git push", "gUpush", true),
            ("git push", "git -U", false),
            ("git push", "echo U", false),
            ("git push *", "U origin", true),
            (".env", ".eA", true),
            (".env", "A", false),
            (".env", "Aenv", false),
            (".env", "U.env", true),
            (".env", "src/.eU", false),
            ("**/.env", "src/.eU", true),
            ("**/.env", "A/.en[v]", false),
            ("**/.env", "A/.envA", true),
            ("**/.env", "A", false),
            ("**/.env", "xA", false),
            ("**/.env", "aU/.env", true),
            ("secrets/**", "A/key", true),
            ("secrets/**", "sU/A", true),
            ("secrets/**", "A", false),
            ("secrets", "A", true),
            ("src/*.gen.ts", "src/A", true),
            ("src/*.gen.ts", "src/A.js", false),
            ("a[b-d]e", "aUe", true),
            ("a\\*", "aU", true),
            ("", "U", true),
        ] {
            let text = text.replace('U', "\u{fdd0}").replace('A', "\u{fdd1}");
            assert_eq!(may_match(pattern, &text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn a_text_may_hide_what_has_its_letters_in_order() {
        for (pattern, text, expected) in [
            ("git push", "x (g''it \"pu\"sh", true),
            ("git push", "GIT\rPUSH", true),
            ("git push", "npm test", false),
            ("git push", "echo $x", true),
            ("*", "a", true),
        ] {
            assert_eq!(may_hide(pattern, text), expected, "{pattern} {text}");
        }
    }
}
