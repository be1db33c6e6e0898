//! A style sheet as a flat list of blocks, declarations and statements.

use super::Blanked;
use std::borrow::Cow;

/// An item of a style sheet. Offsets are bytes of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CssItem<'a> {
    /// The start of a block: a selector, or an at-rule with its prelude.
    Open {
        /// The text before the brace.
        prelude: &'a str,
        /// Offset of the prelude.
        at: usize,
    },
    /// `name: value`.
    Declaration {
        /// The property.
        name: &'a str,
        /// The value, including `!important`.
        value: &'a str,
        /// Offset of the value.
        at: usize,
    },
    /// An at-rule without a block.
    Statement {
        /// Without the semicolon.
        text: &'a str,
        /// Offset of the text.
        at: usize,
        /// Offset after the semicolon.
        end: usize,
    },
    /// The end of the innermost block.
    Close {
        /// Offset of the brace.
        at: usize,
    },
}

/// A style sheet with blanked comments.
pub(crate) struct StyleSheet {
    code: String,
    comments: Vec<(usize, usize)>,
    fault: Option<(usize, &'static str)>,
}

impl StyleSheet {
    pub(crate) fn new(css: &str) -> Self {
        let mut blanked = Blanked::new(css);
        let bytes = css.as_bytes();
        let (mut comments, mut fault) = (Vec::new(), None);
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            at = match byte {
                b'"' | b'\'' => {
                    let end = string_end(bytes, at);
                    if end < at + 2 || bytes.get(end - 1) != Some(byte) {
                        fault.get_or_insert((at, "this string is not closed"));
                    }
                    end
                }
                b'/' if bytes.get(at + 1) == Some(&b'*') => {
                    let end = find(bytes, at + 2, b"*/").map(|end| end + 2);
                    if end.is_none() {
                        fault.get_or_insert((at, "this comment is not closed"));
                    }
                    let end = end.unwrap_or(bytes.len());
                    blanked.blank(at, end);
                    comments.push((at, end));
                    end
                }
                b'(' if is_raw_url(bytes, at) => find(bytes, at, b")").unwrap_or(bytes.len()),
                b'\\' => at + 2,
                _ => at + 1,
            };
        }
        Self { code: blanked.text(), comments, fault }
    }

    /// The byte ranges of the comments.
    pub(crate) fn comments(&self) -> &[(usize, usize)] {
        &self.comments
    }

    /// The first error that a build refuses: its byte offset and what is wrong.
    pub(crate) fn fault(&self) -> Option<(usize, &'static str)> {
        let (mut open, mut without_colon, mut texts) = (Vec::new(), None, Vec::new());
        let items = self.read(&mut |at, text| {
            if without_colon.is_none() && is_property_and_value(text) {
                without_colon = Some(at);
            }
            texts.extend((!text.is_empty() && !is_odd(text)).then_some(at));
        });
        let mut misplaced = None;
        let first_text = |from: usize, to: usize| {
            texts.get(texts.partition_point(|at: &usize| *at < from)).copied().filter(|at| *at < to)
        };
        let mut end = 0;
        for item in &items {
            let at = match *item {
                CssItem::Open { at, .. }
                | CssItem::Close { at }
                | CssItem::Declaration { at, .. }
                | CssItem::Statement { at, .. } => at,
            };
            if open.is_empty() {
                misplaced = misplaced.or_else(|| first_text(end, at).map(|at| (at, OUTSIDE)));
            }
            end = at;
            match *item {
                CssItem::Open { prelude, at } => {
                    misplaced = misplaced.or(is_sentence(prelude).then_some((at, "this is no selector")));
                    open.push(at);
                }
                CssItem::Close { at } if open.pop().is_none() => {
                    return self.fault.or(Some((at, "this brace closes nothing")));
                }
                CssItem::Declaration { name, .. } if is_odd(name) => {}
                CssItem::Declaration { at, .. } if open.is_empty() => {
                    misplaced = misplaced.or(Some((at, OUTSIDE)));
                }
                CssItem::Declaration { name, at, .. } if name.starts_with(['+', '<']) || is_removed(name) => {
                    misplaced = misplaced.or(Some((at, "this is no property")));
                }
                _ => {}
            }
        }
        if open.is_empty() {
            misplaced = misplaced.or_else(|| first_text(end, self.code.len()).map(|at| (at, OUTSIDE)));
        }
        let unclosed = || open.pop().map(|at| (at, "this block is not closed"));
        self.fault
            .or_else(unclosed)
            .or(without_colon.map(|at| (at, "this declaration has no colon after the property")))
            .or(misplaced)
    }

    /// The source with blanked comments. Offsets are unchanged.
    pub(crate) fn code(&self) -> &str {
        &self.code
    }

    /// The items in source order. Blocks that are open at the end have no `Close`.
    pub(crate) fn items(&self) -> Vec<CssItem<'_>> {
        self.read(&mut |_, _| {})
    }

    /// Reads the items. `rest` gets the other texts that end like a declaration, with their offset.
    fn read(&self, rest: &mut dyn FnMut(usize, &str)) -> Vec<CssItem<'_>> {
        let bytes = self.code.as_bytes();
        let mut items = Vec::new();
        let (mut at, mut start, mut parens, mut value_braces) = (0, 0, 0_usize, 0_usize);
        while let Some(byte) = bytes.get(at) {
            let mut next = at + 1;
            match byte {
                b'"' | b'\'' => next = string_end(bytes, at),
                b'\\' => next = at + 2,
                b'(' if is_raw_url(bytes, at) => next = find(bytes, at, b")").map_or(bytes.len(), |end| end + 1),
                b'(' | b'[' => parens += 1,
                b')' | b']' => parens = parens.saturating_sub(1),
                _ if parens > 0 => {}
                b'{' if value_braces > 0 || self.is_custom_property(start, at) => value_braces += 1,
                b'}' if value_braces > 0 => value_braces -= 1,
                _ if value_braces > 0 => {}
                b';' => {
                    items.extend(self.segment(start, at, at + 1, rest));
                    start = at + 1;
                }
                b'{' => {
                    let (prelude, from) = self.trimmed(start, at);
                    items.push(CssItem::Open { prelude, at: from });
                    start = at + 1;
                }
                b'}' => {
                    items.extend(self.segment(start, at, at, rest));
                    items.push(CssItem::Close { at });
                    start = at + 1;
                }
                _ => {}
            }
            at = next;
        }
        items.extend(self.segment(start, bytes.len(), bytes.len(), rest));
        items
    }

    fn segment(&self, from: usize, to: usize, end: usize, rest: &mut dyn FnMut(usize, &str)) -> Option<CssItem<'_>> {
        let (text, at) = self.trimmed(from, to);
        if text.starts_with('@') {
            return Some(CssItem::Statement { text, at, end });
        }
        let Some((name, value)) = text.split_once(':') else {
            rest(at, text);
            return None;
        };
        let at = at + text.len() - value.trim_start().len();
        Some(CssItem::Declaration { name: name.trim(), value: value.trim(), at })
    }

    fn trimmed(&self, from: usize, to: usize) -> (&str, usize) {
        let segment = self.code.get(from..to).unwrap_or_default();
        let text = segment.trim_start();
        (text.trim_end(), from + segment.len() - text.len())
    }

    /// Whether this is `--name: {…`, whose brace belongs to the value.
    fn is_custom_property(&self, from: usize, to: usize) -> bool {
        let (text, _) = self.trimmed(from, to);
        text.starts_with("--") && text.contains(':')
    }
}

const OUTSIDE: &str = "this text is in no rule";

/// Marks that CSS ignores, and comments of other languages, which cost one rule.
fn is_odd(text: &str) -> bool {
    ["-->", "<!--", "//"].iter().any(|start| text.starts_with(start))
}

/// A line that a diff removes: `-  color: red`.
fn is_removed(name: &str) -> bool {
    name.strip_prefix('-').is_some_and(|rest| rest.starts_with(char::is_whitespace))
}

/// Whether the prelude of a rule has the punctuation of a sentence or a tag, which no selector has.
fn is_sentence(prelude: &str) -> bool {
    let is_stop = |pair: &[char]| matches!(pair, [':' | '.', next] if next.is_whitespace());
    let letters: Vec<char> = without_strings(prelude).chars().collect();
    let is_selector = prelude.starts_with('@') || is_odd(prelude);
    !is_selector && (prelude.starts_with('<') || letters.windows(2).any(is_stop))
}

/// Whether a text is a declaration without its colon: `padding 4rem`.
fn is_property_and_value(text: &str) -> bool {
    const PROPERTIES: [&str; 24] = [
        "color",
        "background",
        "background-color",
        "padding",
        "margin",
        "border",
        "border-radius",
        "border-color",
        "font-size",
        "font-weight",
        "font-family",
        "line-height",
        "text-align",
        "text-decoration",
        "display",
        "position",
        "width",
        "height",
        "max-width",
        "min-height",
        "gap",
        "opacity",
        "z-index",
        "box-shadow",
    ];
    let (name, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    PROPERTIES.contains(&name) && !value.trim().is_empty() && !value.contains(['{', '}', '\n'])
}

/// The name of an at-rule in lower case, without `@`, and the rest.
pub(crate) fn at_rule(text: &str) -> Option<(String, &str)> {
    let text = text.strip_prefix('@')?;
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(text.len());
    let (name, rest) = text.split_at_checked(end)?;
    Some((name.to_ascii_lowercase(), rest.trim_start()))
}

/// The selectors of a rule: its prelude, split at commas outside brackets.
pub(crate) fn selectors(prelude: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, byte) in prelude.bytes().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                parts.extend(prelude.get(start..at).map(str::trim));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(prelude.get(start..).map(str::trim));
    parts
}

/// The value with blanked strings and URLs, so that only possible colors remain.
pub(crate) fn without_strings(value: &str) -> Cow<'_, str> {
    if !value.contains(['"', '\'']) && !value.to_ascii_lowercase().contains("url(") {
        return Cow::Borrowed(value);
    }
    let (bytes, mut blanked, mut at) = (value.as_bytes(), Blanked::new(value), 0);
    while let Some(byte) = bytes.get(at) {
        let (from, end) = match byte {
            b'"' | b'\'' => (at, string_end(bytes, at)),
            b'(' if is_raw_url(bytes, at) => (at + 1, find(bytes, at, b")").unwrap_or(bytes.len())),
            _ => (at, at + 1),
        };
        if end > at + 1 {
            blanked.blank(from, end);
        }
        at = end;
    }
    Cow::Owned(blanked.text())
}

/// Offset after the string that starts here. A string ends at the latest with its line.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let quote = bytes.get(at).copied();
    let mut end = at + 1;
    while let Some(byte) = bytes.get(end) {
        match byte {
            b'\\' => end += 1,
            b'\n' => return end,
            _ if Some(*byte) == quote => return end + 1,
            _ => {}
        }
        end += 1;
    }
    bytes.len()
}

/// Whether this parenthesis starts an unquoted URL, in which only the closing parenthesis has a meaning.
fn is_raw_url(bytes: &[u8], at: usize) -> bool {
    let is_url = at.checked_sub(3).and_then(|from| bytes.get(from..at)).is_some_and(|f| f.eq_ignore_ascii_case(b"url"));
    let first = bytes.get(at + 1..).unwrap_or_default().iter().find(|byte| !byte.is_ascii_whitespace());
    is_url && !matches!(first, Some(b'"' | b'\''))
}

fn find(bytes: &[u8], from: usize, needle: &[u8]) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.windows(needle.len()).position(|window| window == needle).map(|at| from + at)
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `{selector`, `name=value`, `@statement`, `}`.
    fn outline(css: &str) -> Vec<String> {
        let sheet = StyleSheet::new(css);
        let show = |item: &CssItem<'_>| match item {
            CssItem::Open { prelude, .. } => format!("{{{prelude}"),
            CssItem::Declaration { name, value, .. } => format!("{name}={value}"),
            CssItem::Statement { text, .. } => (*text).to_owned(),
            CssItem::Close { .. } => "}".to_owned(),
        };
        sheet.items().iter().map(show).collect()
    }

    #[test]
    fn style_sheets_are_split_into_items() {
        let cases: [(&str, &[&str]); 14] = [
            ("a{b:c}", &["{a", "b=c", "}"]),
            ("a { b : c ; d: e; }", &["{a", "b=c", "d=e", "}"]),
            ("@import \"x;y\";a{}", &["@import \"x;y\"", "{a", "}"]),
            ("/* a{b:c} */ d{e:f}", &["{d", "e=f", "}"]),
            ("a{content:\"/* } */\"}", &["{a", "content=\"/* } */\"", "}"]),
            ("@media (min-width:1px){a:hover{b:c}}", &["{@media (min-width:1px)", "{a:hover", "b=c", "}", "}"]),
            ("a{b:url(data:x;y/*z*/);c:d}", &["{a", "b=url(data:x;y/*z*/)", "c=d", "}"]),
            ("a{b:url( 'x)y' )}", &["{a", "b=url( 'x)y' )", "}"]),
            ("a{--x:{b:c};d:e}", &["{a", "--x={b:c}", "d=e", "}"]),
            ("a{--x:}", &["{a", "--x=", "}"]),
            ("a{b:c", &["{a", "b=c"]),
            ("}}a{}", &["}", "}", "{a", "}"]),
            ("a{b:'x\ny'}", &["{a", "b='x\ny'}"]),
            ("a\\{b{c:d}", &["{a\\{b", "c=d", "}"]),
        ];
        for (css, expected) in cases {
            assert_eq!(outline(css), expected, "{css}");
        }
    }

    #[test]
    fn selectors_are_split_at_top_level_commas() {
        assert_eq!(selectors(":root, :is(a, b) , [x=\",\"]").len(), 3);
        assert_eq!(selectors(".a"), [".a"]);
    }

    #[test]
    fn at_rules_are_recognised() {
        assert_eq!(at_rule("@Import  'x'"), Some(("import".to_owned(), "'x'")));
        assert_eq!(at_rule("@apply"), Some(("apply".to_owned(), "")));
        assert_eq!(at_rule("a:b"), None);
    }

    #[test]
    fn strings_and_urls_are_blanked() {
        assert_eq!(without_strings("url(#a) '#b' #ccc"), "url(  )      #ccc");
        assert_eq!(without_strings("url(\"#a\") red"), "url(    ) red");
    }

    #[test]
    fn unclosed_blocks_comments_and_strings_are_faults() {
        for (css, expected) in [
            ("a { b: c }", None),
            ("a { b: 'c' } /* d */ @media x { a { b: url(data:x;y) } }", None),
            ("a { &:hover { b: c } --x: {y:z}; }", None),
            ("a { content: \"\\\"\" }", None),
            ("a { b: 'c\\\nd' }", None),
            ("", None),
            ("a { b: c", Some(0)),
            ("a { b: c } }", Some(11)),
            ("a { b: c } /* d", Some(11)),
            ("a { b: 'c; }\n d { }", Some(7)),
            ("a { b: c }\n@media x { d { e: f }", Some(11)),
            ("a { b: c; padding 4rem; }", Some(10)),
            ("a { color red }", Some(4)),
            ("a { color: red; display; margin }", None),
            ("@layer base, color; a { @apply padding; color b { d: e } }", None),
        ] {
            assert_eq!(StyleSheet::new(css).fault().map(|(at, _)| at), expected, "{css}");
        }
    }

    proptest! {
        #[test]
        fn offsets_are_in_bounds_for_any_text(
            css in prop_oneof![any::<String>(), "[a-z@{};:()'\"\\\\/*# \nü\\[\\]-]{0,80}"],
        ) {
            let sheet = StyleSheet::new(&css);
            prop_assert_eq!(sheet.code().len(), css.len());
            for item in sheet.items() {
                let (at, text) = match item {
                    CssItem::Open { prelude, at } => (at, prelude),
                    CssItem::Declaration { value, at, .. } => (at, value),
                    CssItem::Statement { text, at, end } => {
                        prop_assert!(css.get(at..end).is_some());
                        (at, text)
                    }
                    CssItem::Close { at } => (at, "}"),
                };
                prop_assert!(sheet.code().get(at..).is_some_and(|rest| rest.starts_with(text)));
            }
            prop_assert_eq!(without_strings(&css).len(), css.len());
            prop_assert!(selectors(&css).iter().all(|selector| css.contains(selector)));
        }
    }
}
