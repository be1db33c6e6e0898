//! Reads JSON as models write it: in a fence or in prose, with comments, single quotes, unquoted keys and extra commas.
//! Truncated text is not repaired: half an answer would look complete.

use serde_json::{Map, Value};

/// Maximum number of values to try.
const TRIED: usize = 8;
/// Maximum length of an answer, in bytes.
const LONGEST: usize = 100_000;
/// Maximum nesting.
const DEEPEST: usize = 32;

/// The outermost readable objects and arrays, in text order.
pub(super) fn values(text: &str) -> Vec<Value> {
    let text = text.get(..text.floor_char_boundary(LONGEST)).unwrap_or(text);
    let (mut values, mut from) = (Vec::new(), 0);
    for _ in 0..TRIED {
        let Some(start) = text.get(from..).and_then(|rest| rest.find(['{', '['])).map(|at| from + at) else { break };
        let mut reader = Reader { text, at: start };
        match reader.value(0) {
            Some(value) => {
                values.push(value);
                from = reader.at;
            }
            None => from = start + 1,
        }
    }
    values
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.rest().chars().next()?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn takes(&mut self, expected: char) -> bool {
        let is_next = self.rest().starts_with(expected);
        self.at += if is_next { expected.len_utf8() } else { 0 };
        is_next
    }

    /// Skips white space and comments.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            let comment = rest.get(blank..).unwrap_or_default();
            let length = if comment.starts_with("//") {
                comment.find('\n').unwrap_or(comment.len())
            } else if comment.starts_with("/*") {
                comment.find("*/").map_or(comment.len(), |end| end + 2)
            } else {
                0
            };
            self.at += blank + length;
            if length == 0 {
                return;
            }
        }
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        self.skip();
        match self.rest().chars().next()? {
            _ if depth > DEEPEST => None,
            '{' => self.object(depth),
            '[' => self.array(depth),
            '"' | '\'' | '“' => self.string().map(Value::String),
            _ => self.word(),
        }
    }

    fn object(&mut self, depth: usize) -> Option<Value> {
        let mut fields = Map::new();
        self.next();
        loop {
            self.skip();
            if self.takes('}') {
                return Some(Value::Object(fields));
            }
            let key = match self.rest().chars().next()? {
                '"' | '\'' | '“' => self.string()?,
                _ => self.bare(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))?.to_owned(),
            };
            self.skip();
            if !self.takes(':') {
                return None;
            }
            let value = self.value(depth + 1)?;
            fields.insert(key, value);
            self.ends_item('}')?;
        }
    }

    fn array(&mut self, depth: usize) -> Option<Value> {
        let mut items = Vec::new();
        self.next();
        loop {
            self.skip();
            if self.takes(']') {
                return Some(Value::Array(items));
            }
            items.push(self.value(depth + 1)?);
            self.ends_item(']')?;
        }
    }

    /// Skips the commas after an item. Without one, the list must end.
    fn ends_item(&mut self, close: char) -> Option<()> {
        self.skip();
        let mut separated = false;
        while self.takes(',') {
            separated = true;
            self.skip();
        }
        (separated || self.rest().starts_with(close)).then_some(())
    }

    fn string(&mut self) -> Option<String> {
        let close = match self.next()? {
            '“' => '”',
            quote => quote,
        };
        let mut string = String::new();
        loop {
            match self.next()? {
                '\\' => self.escape(&mut string)?,
                c if c == close => return Some(string),
                c => string.push(c),
            }
        }
    }

    fn escape(&mut self, string: &mut String) -> Option<()> {
        match self.next()? {
            'n' => string.push('\n'),
            't' => string.push('\t'),
            'r' => string.push('\r'),
            'b' | 'f' => string.push(' '),
            'u' => {
                let first = self.unit()?;
                let is_pair = (0xd800..0xdc00).contains(&first) && self.rest().starts_with("\\u");
                let units = if is_pair {
                    self.at += 2;
                    vec![first, self.unit()?]
                } else {
                    vec![first]
                };
                string.push_str(&String::from_utf16_lossy(&units));
            }
            c => string.push(c),
        }
        Some(())
    }

    fn unit(&mut self) -> Option<u16> {
        let unit = u16::from_str_radix(self.rest().get(..4)?, 16).ok()?;
        self.at += 4;
        Some(unit)
    }

    /// A number or a literal.
    fn word(&mut self) -> Option<Value> {
        let word = self.bare(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))?;
        match word {
            "null" | "None" | "undefined" => Some(Value::Null),
            "true" | "True" => Some(true.into()),
            "false" | "False" => Some(false.into()),
            number => serde_json::from_str(number.trim_start_matches('+')).ok(),
        }
    }

    fn bare(&mut self, belongs: impl Fn(char) -> bool) -> Option<&str> {
        let start = self.at;
        let length = self.rest().find(|c| !belongs(c)).unwrap_or(self.rest().len());
        self.at += length;
        self.text.get(start..self.at).filter(|word| !word.is_empty())
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn json_is_read_as_models_write_it() {
        for (text, read) in [
            ("{\"a\": 1}", vec![json!({ "a": 1 })]),
            ("Here: ```json\n{\"a\": [1, 2, ], }\n```\nDone {not json}", vec![json!({ "a": [1, 2] })]),
            ("{\"a\": \"},]\\\"{\\n\\ud83d\\ude42\"}", vec![json!({ "a": "},]\"{\n🙂" })]),
            (
                "{'a': 'it\\'s', b: None, // why\n \"c\": True /* so */}",
                vec![json!({ "a": "it's", "b": null, "c": true })],
            ),
            ("{\"a\": 1} and [{\"b\": -2.5}]", vec![json!({ "a": 1 }), json!([{ "b": -2.5 }])]),
            ("{ {\"a\": 1}", vec![json!({ "a": 1 })]),
            ("{\"a\": 1", vec![]),
            ("{\"a\": [{\"b\": \"c", vec![]),
            ("no", vec![]),
        ] {
            assert_eq!(values(text), read, "{text}");
        }
        assert!(values(&"[".repeat(10_000)).is_empty());
    }

    proptest! {
        #[test]
        fn valid_json_is_read_as_it_is(text in "[{}\\[\\],:\"'\\\\a1é/* \n]{0,300}", number in any::<i64>()) {
            let value = json!({ "a": [text, number, null, true], "b": { "c": text } });
            prop_assert_eq!(values(&value.to_string()), vec![value]);
            prop_assert!(values(&text).iter().all(|value| value.is_object() || value.is_array()));
        }
    }
}
