//! The escapes of `$'…'`.

use std::iter::Peekable;
use std::str::Chars;

/// Reads the text up to the quote that ends it.
///
/// # Errors
/// The text as far as it is known, if shells differ in it, or if it has no end. For some of them, `$'\\'` is complete.
pub(super) fn decode(rest: &mut Peekable<Chars<'_>>) -> Result<String, String> {
    let (mut text, mut is_known) = (String::new(), true);
    loop {
        match rest.next() {
            None => return Err(text),
            Some('\'') => return if is_known { Ok(text) } else { Err(text) },
            Some('\\') => match escaped(rest) {
                Some(c) => {
                    is_known &= !matches!(c, '\'' | '\0');
                    text.push(c);
                }
                None => is_known = false,
            },
            Some(c) => text.push(c),
        }
    }
}

/// The character of an escape that all shells with `$'…'` know.
fn escaped(rest: &mut Peekable<Chars<'_>>) -> Option<char> {
    let code = |rest: &mut Peekable<Chars<'_>>, radix: u32, most: usize, first: u32| {
        let (mut code, mut count) = (first, 0);
        while let Some(digit) = rest.peek().and_then(|c| c.to_digit(radix)).filter(|_| count < most) {
            rest.next();
            (code, count) = (code * radix + digit, count + 1);
        }
        // Above ASCII, a shell writes bytes.
        (count > 0 || radix == 8).then_some(code).filter(|code| *code < 128).and_then(char::from_u32)
    };
    Some(match rest.next()? {
        'a' => '\u{7}',
        'b' => '\u{8}',
        'e' | 'E' => '\u{1b}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\u{b}',
        c @ ('\\' | '\'' | '"' | '?') => c,
        'x' => return code(rest, 16, 2, 0),
        'u' => return code(rest, 16, 4, 0),
        'U' => return code(rest, 16, 8, 0),
        c @ '0'..='7' => return code(rest, 8, 2, c.to_digit(8)?),
        _ => return None,
    })
}
