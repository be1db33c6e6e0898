//! Repairs JSON as models write it: with comments, single quotes, unquoted keys and extra commas. Truncated text is not
//! repaired: half an answer would look complete.

/// The value at the start of a text as strict JSON, and its length in the text; `None` if it is not closed.
pub(super) fn repaired(text: &str) -> Option<(String, usize)> {
    let (mut json, mut depth, mut at) = (String::new(), 0_usize, 0);
    // The last character outside of white space and comments.
    let mut last = ' ';
    loop {
        let rest = text.get(at..)?;
        let first = rest.chars().next()?;
        let mut length = first.len_utf8();
        let before = last;
        if !first.is_whitespace() && first != '/' {
            last = first;
        }
        match first {
            '"' | '\'' | '“' => length = string(rest, &mut json)?,
            '/' if rest.starts_with("//") => length = rest.find('\n')?,
            '/' if rest.starts_with("/*") => length = rest.find("*/")? + 2,
            '{' | '[' => {
                depth += 1;
                json.push(first);
            }
            '}' | ']' => {
                json.truncate(json.trim_end_matches([',', ' ', '\n', '\r', '\t']).len());
                json.push(first);
                depth -= 1;
                if depth == 0 {
                    return Some((json, at + length));
                }
            }
            ',' if before == ',' => {}
            _ if is_bare(first) => {
                length = rest.find(|c| !is_bare(c))?;
                let is_key = rest.get(length..)?.trim_start().starts_with(':');
                json.push_str(&bare(rest.get(..length)?, is_key));
            }
            _ => json.push(first),
        }
        at += length;
    }
}

/// Adds the string at the start of a text, and returns its length in the text.
fn string(text: &str, json: &mut String) -> Option<usize> {
    let mut chars = text.char_indices();
    let close = chars.next().map(|(_, open)| if open == '“' { '”' } else { open })?;
    json.push('"');
    loop {
        match chars.next()? {
            (at, c) if c == close => {
                json.push('"');
                return Some(at + c.len_utf8());
            }
            (_, '\\') => match chars.next()?.1 {
                c @ ('"' | '\\' | 'n' | 't' | 'r' | 'b' | 'f' | 'u') => json.extend(['\\', c]),
                c => json.push(c),
            },
            (_, '"') => json.push_str("\\\""),
            (_, c) if c.is_control() => json.push_str(&format!("\\u{:04x}", u32::from(c))),
            (_, c) => json.push(c),
        }
    }
}

fn is_bare(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '.')
}

/// A key, a number or a literal.
fn bare(word: &str, is_key: bool) -> String {
    match word {
        _ if is_key => format!("\"{word}\""),
        "None" | "undefined" => "null".to_owned(),
        "True" => "true".to_owned(),
        "False" => "false".to_owned(),
        _ => word.trim_start_matches('+').to_owned(),
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use crate::answer::values;
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
