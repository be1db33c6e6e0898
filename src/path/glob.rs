//! Git's wildcards (`wildmatch` with `WM_PATHNAME`): `*`, `?`, `[…]`, `\` and `**` between slashes. Matches bytes,
//! because a pattern may not be UTF-8.

use std::cell::Cell;

/// A compiled pattern. The worst case of matching is the length of the pattern times the length of the text.
#[derive(Debug, Clone)]
pub(crate) struct Glob(Vec<Segment>);

#[derive(Debug, Clone)]
enum Segment {
    /// `**`: any number of components.
    Any,
    /// One component.
    Name(Vec<Token>),
}

#[derive(Debug, Clone)]
enum Token {
    Byte(u8),
    One,
    Many,
    Class { negated: bool, ranges: Vec<(u8, u8)> },
}

impl Glob {
    /// `None` if no text can match, as with an unclosed class.
    pub(crate) fn compile(pattern: &[u8]) -> Option<Self> {
        let (mut segments, mut tokens) = (Vec::new(), Vec::new());
        let mut rest = pattern;
        loop {
            if tokens.is_empty()
                && let Some(after) = double_star(rest)
            {
                segments.push(Segment::Any);
                match after {
                    Some((after, escaped)) => {
                        // Git lets `**` match no component only before a plain slash.
                        if escaped {
                            segments.push(Segment::Name(vec![Token::Many]));
                        }
                        rest = after;
                    }
                    None => {
                        // `a/**` matches everything below `a`, not `a` itself.
                        segments.push(Segment::Name(vec![Token::Many]));
                        return Some(Self(segments));
                    }
                }
                continue;
            }
            let Some((first, after)) = rest.split_first() else { break };
            rest = match (*first, after.split_first()) {
                (b'/', _) | (b'\\', Some((b'/', _))) => {
                    segments.push(Segment::Name(std::mem::take(&mut tokens)));
                    if *first == b'/' { after } else { after.get(1..)? }
                }
                (b'\\', Some((literal, after))) => {
                    tokens.push(Token::Byte(*literal));
                    after
                }
                (b'\\', None) => return None,
                (b'?', _) => {
                    tokens.push(Token::One);
                    after
                }
                (b'*', _) => {
                    tokens.push(Token::Many);
                    let stars = after.iter().take_while(|byte| **byte == b'*').count();
                    after.get(stars..)?
                }
                (b'[', _) => {
                    let (class, after) = class(after)?;
                    tokens.push(class);
                    after
                }
                (literal, _) => {
                    tokens.push(Token::Byte(literal));
                    after
                }
            };
        }
        segments.push(Segment::Name(tokens));
        Some(Self(segments))
    }

    /// Matches the complete text.
    pub(crate) fn matches(&self, text: &[u8]) -> bool {
        self.compare(text, &Cell::new(usize::MAX))
    }

    /// As [`Self::matches`], in a time that is linear in both lengths; `None` for a pattern that would take longer.
    pub(crate) fn matches_soon(&self, text: &[u8]) -> Option<bool> {
        let length = |segment: &Segment| match segment {
            Segment::Any => 1,
            Segment::Name(tokens) => tokens.len() + 1,
        };
        let steps = Cell::new(256 + 16 * (text.len() + self.0.iter().map(length).sum::<usize>()));
        let does_match = self.compare(text, &steps);
        (steps.get() > 0).then_some(does_match)
    }

    fn compare(&self, text: &[u8], steps: &Cell<usize>) -> bool {
        let parts: Vec<&[u8]> = text.split(|byte| *byte == b'/').collect();
        backtrack(
            &self.0,
            &parts,
            steps,
            |segment| matches!(segment, Segment::Any),
            |segment, part| match segment {
                Segment::Any => false,
                Segment::Name(tokens) => {
                    let is_star = |token: &Token| matches!(token, Token::Many);
                    backtrack(tokens, part, steps, is_star, Token::matches)
                }
            },
        )
    }
}

impl Token {
    fn matches(&self, byte: &u8) -> bool {
        match self {
            Self::Byte(own) => own == byte,
            Self::One => true,
            Self::Many => false,
            Self::Class { negated, ranges } => {
                ranges.iter().any(|(low, high)| (low..=high).contains(&byte)) != *negated
            }
        }
    }
}

/// Matches items one by one; a star matches any number of them. Backtracking to the last star is enough, because the
/// last star can match whatever an earlier one could. Ends as a difference when no steps are left.
fn backtrack<P, T>(
    pattern: &[P],
    text: &[T],
    steps: &Cell<usize>,
    is_star: impl Fn(&P) -> bool,
    matches: impl Fn(&P, &T) -> bool,
) -> bool {
    let (mut at, mut read, mut retry) = (0, 0, None);
    loop {
        match steps.get().checked_sub(1) {
            Some(left) if left > 0 => steps.set(left),
            _ => {
                steps.set(0);
                return false;
            }
        }
        match (pattern.get(at), text.get(read)) {
            (None, None) => return true,
            (Some(item), _) if is_star(item) => {
                retry = Some((at, read));
                at += 1;
            }
            (Some(item), Some(next)) if matches(item, next) => {
                at += 1;
                read += 1;
            }
            _ => match retry {
                Some((star, from)) if from < text.len() => {
                    retry = Some((star, from + 1));
                    at = star + 1;
                    read = from + 1;
                }
                _ => return false,
            },
        }
    }
}

/// Reads two or more stars that fill a component: the rest of the pattern after the slash and whether the slash is
/// escaped, or `Some(None)` at the end.
fn double_star(pattern: &[u8]) -> Option<Option<(&[u8], bool)>> {
    let stars = pattern.iter().take_while(|byte| **byte == b'*').count();
    if stars < 2 {
        return None;
    }
    match pattern.get(stars..)? {
        [] => Some(None),
        [b'/', rest @ ..] => Some(Some((rest, false))),
        [b'\\', b'/', rest @ ..] => Some(Some((rest, true))),
        _ => None,
    }
}

/// Reads the class after a `[` and returns the rest of the pattern. A first `]` is a member.
fn class(pattern: &[u8]) -> Option<(Token, &[u8])> {
    let negated = matches!(pattern.first(), Some(b'!' | b'^'));
    let mut rest = if negated { pattern.get(1..)? } else { pattern };
    let mut ranges = Vec::new();
    let mut previous: Option<u8> = None;
    let mut first = true;
    // How many bytes follow the last `]` that was searched for.
    let mut after_close = usize::MAX;
    loop {
        let (byte, after) = rest.split_first()?;
        match byte {
            b']' if !first => return Some((Token::Class { negated, ranges }, after)),
            b'-' if previous.is_some() && after.first().is_some_and(|next| *next != b']') => {
                let (high, after) = member(after)?;
                ranges.extend(previous.map(|low| (low, high)));
                previous = None;
                rest = after;
            }
            b'[' if after.first() == Some(&b':') => match class_named(after.get(1..)?, &mut after_close)? {
                Named::Class(class, after) => {
                    ranges.extend_from_slice(class);
                    previous = None;
                    rest = after;
                }
                Named::Plain => {
                    ranges.push((b'[', b'['));
                    previous = Some(b'[');
                    rest = after;
                }
            },
            _ => {
                let (byte, after) = member(rest)?;
                ranges.push((byte, byte));
                previous = Some(byte);
                rest = after;
            }
        }
        first = false;
    }
}

fn member(pattern: &[u8]) -> Option<(u8, &[u8])> {
    let (byte, after) = pattern.split_first()?;
    if *byte == b'\\' { after.split_first().map(|(byte, after)| (*byte, after)) } else { Some((*byte, after)) }
}

enum Named<'a> {
    Class(&'static [(u8, u8)], &'a [u8]),
    Plain,
}

/// Reads a named class after `[:`. With an unknown name, the pattern matches nothing.
fn class_named<'a>(pattern: &'a [u8], after_close: &mut usize) -> Option<Named<'a>> {
    if *after_close >= pattern.len() {
        *after_close = pattern.len() - pattern.iter().position(|byte| *byte == b']')? - 1;
    }
    let end = pattern.len() - *after_close - 1;
    let Some(name) = pattern.get(..end)?.strip_suffix(b":") else { return Some(Named::Plain) };
    let ranges: &[(u8, u8)] = match name {
        b"alnum" => &[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')],
        b"alpha" => &[(b'A', b'Z'), (b'a', b'z')],
        b"blank" => &[(b' ', b' '), (b'\t', b'\t')],
        b"cntrl" => &[(0, 31), (127, 127)],
        b"digit" => &[(b'0', b'9')],
        b"graph" => &[(33, 126)],
        b"lower" => &[(b'a', b'z')],
        b"print" => &[(32, 126)],
        b"punct" => &[(33, 47), (58, 64), (91, 96), (123, 126)],
        b"space" => &[(9, 13), (b' ', b' ')],
        b"upper" => &[(b'A', b'Z')],
        b"xdigit" => &[(b'0', b'9'), (b'A', b'F'), (b'a', b'f')],
        _ => return None,
    };
    Some(Named::Class(ranges, pattern.get(end + 1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_match_as_in_gits_own_tests() {
        // From git's t3070-wildmatch.sh, the column of `wildmatch` with paths. `tests/snapshot` compares whole rules with git.
        let table = [
            (true, "", ""),
            (true, "foobar", "*ob*a*r*"),
            (true, "aaaaaaabababab", "*ab"),
            (true, "f\\oo", "f\\\\oo"),
            (true, "ball", "*[al]?"),
            (true, "ten", "**[!te]"),
            (false, "ten", "**[!ten]"),
            (true, "ten", "t[a-g]n"),
            (false, "ten", "t[!a-g]n"),
            (true, "ton", "t[!a-g]n"),
            (true, "ton", "t[^a-g]n"),
            (true, "a]b", "a[]]b"),
            (true, "a-b", "a[]-]b"),
            (true, "a]b", "a[]-]b"),
            (false, "aab", "a[]-]b"),
            (true, "aab", "a[]a-]b"),
            (true, "]", "]"),
            (false, "foo/baz/bar", "foo*bar"),
            (false, "foo/baz/bar", "foo**bar"),
            (true, "foo/baz/bar", "foo/**/bar"),
            (true, "foo/baz/bar", "foo/**/**/bar"),
            (true, "foo/bar", "foo/**/**/bar"),
            (false, "foo/bar", "foo[/]bar"),
            (false, "foo/bar", "foo[^a-z]bar"),
            (false, "foo/bar", "f[^eiu][^eiu][^eiu][^eiu][^eiu]r"),
            (true, "foo-bar", "f[^eiu][^eiu][^eiu][^eiu][^eiu]r"),
            (true, "bar/baz/foo", "**/foo"),
            (false, "deep/foo/bar/baz/", "**/bar/*"),
            (true, "deep/foo/bar/baz/", "**/bar/**"),
            (false, "deep/foo/bar", "**/bar/*"),
            (true, "deep/foo/bar/", "**/bar/**"),
            (false, "foo/bar/baz", "**/bar**"),
            (true, "foo/bar/baz/x", "*/bar/**"),
            (false, "deep/foo/bar/baz/x", "*/bar/**"),
            (true, "deep/foo/bar/baz/x", "**/bar/*/*"),
            (true, "acrt", "a[c-c]rt"),
            (false, "]", "[!]-]"),
            (true, "a", "[!]-]"),
            (false, "", "\\"),
            (false, "XXX/\\", "*/\\"),
            (true, "XXX/\\", "*/\\\\"),
            (true, "[ab]", "[[]ab]"),
            (true, "[ab]", "[[:]ab]"),
            (false, "[ab]", "[[::]ab]"),
            (true, "[ab]", "[[:digit]ab]"),
            (true, "[ab]", "[\\[:]ab]"),
            (true, "a1B", "[[:alpha:]][[:digit:]][[:upper:]]"),
            (false, "a", "[[:digit:][:upper:][:space:]]"),
            (true, ".", "[[:digit:][:punct:][:space:]]"),
            (true, "5", "[a-c[:digit:]x-z]"),
            (false, "q", "[a-c[:digit:]x-z]"),
            (false, "A", "[[:digit:][:upper:][:spaci:]]"),
            (true, "]", "[\\\\-^]"),
            (false, "[", "[\\\\-^]"),
            (true, "-", "[\\-_]"),
            (true, "]", "[\\]]"),
            (false, "\\]", "[\\]]"),
            (false, "ab", "[!"),
            (false, "-", "[a-"),
            (true, "-", "[--A]"),
            (true, "5", "[--A]"),
            (true, "$", "[ --]"),
            (true, "-", "[---]"),
            (true, "-", "[a-e-n]"),
            (true, "a", "[!------]"),
            (false, "[", "[]-a]"),
            (true, "^", "[]-a]"),
            (false, "^", "[!]-a]"),
            (true, "^", "[a^bc]"),
            (true, "-b]", "[a-]b]"),
            (false, "\\", "[\\]"),
            (true, "\\", "[\\\\]"),
            (false, "\\", "[!\\\\]"),
            (true, "G", "[A-\\\\]"),
            (true, "-", "[,-.]"),
            (true, "2", "[\\1-\\3]"),
            (true, "[", "[[-\\]]"),
            (false, "-", "[[-\\]]"),
            (true, "-adobe-courier-bold-o-normal--12-120-75-75-m-70-iso8859-1", "-*-*-*-*-*-*-12-*-*-*-m-*-*-*"),
            (false, "-adobe-courier-bold-o-normal--12-120-75-75-X-70-iso8859-1", "-*-*-*-*-*-*-12-*-*-*-m-*-*-*"),
            (true, "abcd/abcdefg/abcdefghijk/abcdefghijklmnop.txt", "**/*a*b*g*n*t"),
            (false, "abcd/abcdefg/abcdefghijk/abcdefghijklmnop.txtz", "**/*a*b*g*n*t"),
            (false, "foo/bba/arr", "foo**"),
            (true, "foo/", "foo/**"),
        ];
        for (expected, text, pattern) in table {
            let found = Glob::compile(pattern.as_bytes()).is_some_and(|glob| glob.matches(text.as_bytes()));
            assert_eq!(found, expected, "{text:?} against {pattern:?}");
        }
    }

    #[test]
    fn many_stars_do_not_take_exponential_time() {
        let text = "a".repeat(4_000) + "/" + &"b/".repeat(40);
        let pattern = "**/*a*a*a*a*a*a*a*a*a*a*a*a*b/**/b/**/b/**/b/**/b/**/c";
        assert!(!Glob::compile(pattern.as_bytes()).unwrap().matches(text.as_bytes()));
    }
}
